"""States as numpy arrays: transposition by 8x8 bit matrices, and a hash table that is probed for whole batches."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.bitslice import Store

__all__ = ["ArrayStore", "places"]

Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]
Vector = NDArray[np.int32]

_STEPS = tuple(
    (np.uint64(mask), np.uint64(shift))
    for mask, shift in ((0x00AA00AA00AA00AA, 7), (0x0000CCCC0000CCCC, 14), (0x00000000F0F0F0F0, 28))
)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_FIRST_CAPACITY = 1 << 14


def _transpose_words(words: Words) -> Words:
    """Transpose each 64-bit word, seen as an 8x8 bit matrix (Hacker's Delight, 7-3)."""
    for mask, shift in _STEPS:
        swap = (words ^ (words >> shift)) & mask
        words = words ^ swap ^ (swap << shift)
    return words


def places(mask: int, count: int) -> Numbers:
    """Return the places of the bits of `mask`, all below `count`, lowest first."""
    raw = np.frombuffer(mask.to_bytes((count + 7) // 8, "little"), dtype=np.uint8)
    return np.flatnonzero(np.unpackbits(raw, bitorder="little"))


class ArrayStore(Store[Bytes]):
    """A store of packed rows in one array, found again through an open hash table.

    Rows are compared in full, so that equal hashes do no harm. A state takes its row, rounded up to whole words, and
    8 to 16 bytes of the table.
    """

    chunk = 8192

    def __init__(self, width: int) -> None:
        super().__init__(width)
        self._words = max(1, (width + 63) // 64)
        self._rows: Words = np.empty((_FIRST_CAPACITY, self._words), np.uint64)
        self._count = 0
        self._table = np.full(2 * _FIRST_CAPACITY, -1, np.int32)
        generator = np.random.default_rng(1)
        factors = generator.integers(1, 2**63, self._words, dtype=np.uint64)
        self._factors: Words = factors * np.uint64(2) + np.uint64(1)

    def __len__(self) -> int:
        return self._count

    def rows(self, first: int, last: int) -> Bytes:
        """Return some of the states by number, as packed bytes."""
        return self._rows[first:last].copy().view(np.uint8)  # the array may move while the rows are in use

    @property
    def packed(self) -> Words:
        """Return all states, one row of 64-bit words each; a view that the next `intern` may invalidate."""
        return self._rows[: self._count]

    def pack(self, states: Sequence[int]) -> Bytes:
        """Return states given as integers as rows."""
        size = 8 * self._words
        raw = b"".join(state.to_bytes(size, "little") for state in states)
        return np.frombuffer(raw, np.uint8).reshape(len(states), size)

    def unpack(self, rows: Bytes) -> list[int]:
        """Return rows as integers."""
        return [int.from_bytes(row.tobytes(), "little") for row in rows]

    def columns(self, rows: Bytes) -> list[int]:
        """Return the columns of a batch."""
        count, size = rows.shape
        groups = (count + 7) // 8
        if count % 8:
            rows = np.concatenate([rows, np.zeros((8 * groups - count, size), np.uint8)])
        grouped = np.ascontiguousarray(rows.reshape(groups, 8, size).transpose(0, 2, 1))
        words = _transpose_words(grouped.view(np.uint64).reshape(groups, size))
        raw = np.ascontiguousarray(words.view(np.uint8).reshape(groups, 8 * size).T)[: self.width].tobytes()
        return [int.from_bytes(raw[i : i + groups], "little") for i in range(0, self.width * groups, groups)]

    def transpose(self, columns: Sequence[int], count: int) -> Bytes:
        """Return the rows of a batch."""
        groups, size = (count + 7) // 8, 8 * self._words
        raw = b"".join([column.to_bytes(groups, "little") for column in columns])
        raw += bytes(groups * (8 * size - self.width))
        grid = np.frombuffer(raw, np.uint8).reshape(8 * size, groups)
        words = _transpose_words(np.ascontiguousarray(grid.T).view(np.uint64).reshape(groups, size))
        rows = words.view(np.uint8).reshape(groups, size, 8).transpose(0, 2, 1)
        return np.ascontiguousarray(rows).reshape(8 * groups, size)[:count]

    def pick(self, rows: Bytes, masks: Sequence[int], count: int) -> tuple[Bytes, list[Sequence[int]]]:
        """Return the rows of each mask and their places."""
        found = [places(mask, count) for mask in masks]
        index = np.concatenate(found) if found else np.empty(0, np.int64)
        return rows[index], found  # type: ignore[return-value]

    def join(self, first: Bytes, second: Bytes) -> Bytes:
        """Return the rows of both."""
        return np.concatenate([first, second])

    def vector(self, values: Sequence[int]) -> Vector:
        """Return numbers as a vector."""
        return np.asarray(values, np.int32)

    def take(self, vector: Any, where: Sequence[int]) -> Vector:
        """Return the members of a vector at some places."""
        return np.asarray(vector[where])

    def chain(self, vectors: Sequence[Any]) -> Vector:
        """Return one vector after another."""
        return np.concatenate(vectors) if vectors else np.empty(0, np.int32)

    def append(self, target: array[int], vector: Any) -> None:
        """Append a vector to an array."""
        target.frombytes(np.asarray(vector, np.dtype(target.typecode)).tobytes())

    def paint(self, count: int, masks: Sequence[tuple[int, int]]) -> Vector:
        """Return a vector of `count` numbers, -1 except where a mask gives one."""
        vector = np.full(count, -1, np.int32)
        for value, mask in masks:
            vector[places(mask, count)] = value
        return vector

    def intern(self, rows: Bytes) -> Sequence[int]:
        """Return the numbers of the states, new ones where they have not been seen."""
        words = np.ascontiguousarray(rows).view(np.uint64)
        hashes = self._hash(words)
        first, inverse = self._distinct(words, hashes)
        self._reserve(len(first))
        numbers = self._find(words[first], hashes[first])
        return numbers[inverse]  # type: ignore[return-value]

    def _hash(self, words: Words) -> Words:
        mixed = words ^ (words >> np.uint64(32))
        total = (mixed * self._factors).sum(axis=1, dtype=np.uint64)
        total ^= total >> np.uint64(29)
        return total * _MIX  # type: ignore[no-any-return]

    def _distinct(self, words: Words, hashes: Words) -> tuple[Numbers, Numbers]:
        """Return the places of distinct rows, in order, and for every row the place of its like among them."""
        _, first, inverse = np.unique(hashes, return_index=True, return_inverse=True)
        if not (words[first[inverse]] == words).all():  # two rows with one hash: compare the rows themselves
            _, first, inverse = np.unique(words, axis=0, return_index=True, return_inverse=True)
            inverse = inverse.reshape(-1)
        order = np.argsort(first)  # numbers follow the order in which the states were found
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        return first[order], rank[inverse]

    def _reserve(self, more: int) -> None:
        """Make room for `more` further states; the array grows in place, without a second copy of it."""
        needed = self._count + more
        if needed > len(self._rows):
            self._rows.resize((max(needed, len(self._rows) * 3 // 2), self._words), refcheck=False)
        if 2 * needed > len(self._table):
            size = len(self._table)
            while 2 * needed > size:
                size *= 2
            self._table = np.full(size, -1, np.int32)
            step = 1 << 16
            for start in range(0, self._count, step):
                numbers = np.arange(start, min(start + step, self._count))
                self._insert(numbers, self._hash(self._rows[start : start + step][: len(numbers)]))

    def _slots(self, hashes: Words) -> Numbers:
        shift = np.uint64(65 - len(self._table).bit_length())
        return (hashes >> shift).astype(np.int64)

    def _insert(self, numbers: Numbers, hashes: Words) -> None:
        """Enter states that are known to be new to the table."""
        table, last = self._table, len(self._table) - 1
        slots = self._slots(hashes)
        while len(numbers):
            free = table[slots] < 0
            table[slots[free]] = numbers[free]
            left = table[slots] != numbers
            numbers, slots = numbers[left], (slots[left] + 1) & last

    def _find(self, words: Words, hashes: Words) -> Numbers:
        """Return the numbers of distinct states, entering those that are new."""
        table, last = self._table, len(self._table) - 1
        result = np.full(len(words), -1, np.int64)
        waiting = np.arange(len(words))
        slots = self._slots(hashes)
        missing = []
        while len(waiting):
            there = table[slots]
            free = there < 0
            missing.append(waiting[free])
            known = ~free
            waiting, slots, there = waiting[known], slots[known], there[known]
            same = (self._rows[there] == words[waiting]).all(axis=1)
            result[waiting[same]] = there[same]
            waiting, slots = waiting[~same], (slots[~same] + 1) & last
        new = np.sort(np.concatenate(missing)) if missing else waiting
        if len(new):
            numbers = np.arange(self._count, self._count + len(new))
            self._rows[self._count : self._count + len(new)] = words[new]
            self._count += len(new)
            result[new] = numbers
            self._insert(numbers, hashes[new])
        return result

    @property
    def nbytes(self) -> int:
        """Return how many bytes the states and their table take."""
        return self._rows.nbytes + self._table.nbytes
