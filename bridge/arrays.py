"""States as numpy arrays: transposition by 8x8 bit matrices, and a hash table probed for whole batches."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.bitslice import Store, bits

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

    Rows have a bit for each fluent that was ever true, in the order in which it first was, which is a fraction
    of all that might be; they grow wider by whole words. Rows are compared in full, so that equal hashes do no
    harm. A state takes its row and 8 to 16 bytes of the table.
    """

    chunk = 8192

    def __init__(self, width: int) -> None:
        super().__init__(width)
        self._layout: list[int] = []
        self._place = [-1] * width
        self._words = 1
        self._rows: Words = np.empty((_FIRST_CAPACITY, self._words), np.uint64)
        self._count = 0
        self._table = np.full(2 * _FIRST_CAPACITY, -1, np.int32)
        generator = np.random.default_rng(1)
        factors = generator.integers(1, 2**63, width // 64 + 1, dtype=np.uint64)
        self._factors: Words = factors * np.uint64(2) + np.uint64(1)

    def __len__(self) -> int:
        return self._count

    def rows(self, first: int, last: int) -> Bytes:
        """Return some of the states by number, as packed bytes."""
        return self._rows[first:last].copy().view(np.uint8)  # the array may move while the rows are in use

    def canonical(self, rows: Bytes) -> Bytes:
        """Return the rows with one state standing for all that differ from it by swaps."""
        for orbit in self.orbits:
            used = [i for i in range(len(orbit.fluents[0])) if any(self._place[part[i]] >= 0 for part in orbit.fluents)]
            self._make_room(part[i] for part in orbit.fluents for i in used)
            rows = self._sorted(self._padded(rows), [[self._place[part[i]] for i in used] for part in orbit.fluents])
        return rows

    @staticmethod
    def _sorted(rows: Bytes, parts: Sequence[Sequence[int]]) -> Bytes:
        """Sort what rows say of interchangeable things; a part has the places of what is said of one of them."""
        words = rows.view(np.uint64)
        keys = -(-len(parts[0]) // 64)
        said = np.zeros((len(words), len(parts), keys), np.uint64)
        for thing, part in enumerate(parts):
            for i, place in enumerate(part):
                bit = words[:, place // 64] >> np.uint64(place % 64) & np.uint64(1)
                said[:, thing, i // 64] |= bit << np.uint64(i % 64)
        order = np.lexsort(tuple(said[:, :, key] for key in range(keys)), axis=1)
        said = np.take_along_axis(said, order[:, :, None], axis=1)
        words = words.copy()
        for thing, part in enumerate(parts):
            for i, place in enumerate(part):
                bit = said[:, thing, i // 64] >> np.uint64(i % 64) & np.uint64(1)
                words[:, place // 64] &= ~(np.uint64(1) << np.uint64(place % 64))
                words[:, place // 64] |= bit << np.uint64(place % 64)
        return words.view(np.uint8)

    def any_of(self, numbers: Sequence[int], mask: int) -> NDArray[np.bool_]:
        """Say of some states whether they have one of the fluents of a mask."""
        places = [self._place[fluent] for fluent in bits(mask) if self._place[fluent] >= 0]
        packed = sum(1 << place for place in places).to_bytes(8 * self._words, "little")
        words = np.frombuffer(packed, np.uint64)
        used = np.flatnonzero(words)
        rows = self._rows[: self._count][np.asarray(numbers, np.int64)]
        found: NDArray[np.bool_] = np.any(rows[:, used] & words[used], axis=1)
        return found

    def pack(self, states: Sequence[int]) -> Bytes:
        """Return states given as integers as rows."""
        columns = [0] * self.width
        for place, state in enumerate(states):
            for fluent in bits(state):
                columns[fluent] |= 1 << place
        return self.transpose(columns, len(states))

    def unpack(self, rows: Bytes) -> list[int]:
        """Return rows as integers."""
        states: list[int] = []
        for first in range(0, len(rows), 4096):  # a byte for every bit: not of all rows at once
            packed = np.unpackbits(rows[first : first + 4096], axis=1, bitorder="little")
            spread = np.zeros((len(packed), self.width), np.uint8)
            spread[:, self._layout] = packed[:, : len(self._layout)]
            states += [int.from_bytes(row.tobytes(), "little") for row in np.packbits(spread, 1, "little")]
        return states

    def columns(self, rows: Bytes) -> list[int]:
        """Return the columns of a batch."""
        count, size = rows.shape
        groups = (count + 7) // 8
        if count % 8:
            rows = np.concatenate([rows, np.zeros((8 * groups - count, size), np.uint8)])
        grouped = np.ascontiguousarray(rows.reshape(groups, 8, size).transpose(0, 2, 1))
        words = _transpose_words(grouped.view(np.uint64).reshape(groups, size))
        raw = np.ascontiguousarray(words.view(np.uint8).reshape(groups, 8 * size).T).tobytes()
        columns = [0] * self.width
        for place, fluent in enumerate(self._layout[: 8 * size]):
            columns[fluent] = int.from_bytes(raw[place * groups : (place + 1) * groups], "little")
        return columns

    def transpose(self, columns: Sequence[int], count: int) -> Bytes:
        """Return the rows of a batch."""
        self._make_room(fluent for fluent, column in enumerate(columns) if column)
        groups, size = (count + 7) // 8, 8 * self._words
        raw = b"".join([columns[fluent].to_bytes(groups, "little") for fluent in self._layout])
        raw += bytes(groups * (8 * size - len(self._layout)))
        grid = np.frombuffer(raw, np.uint8).reshape(8 * size, groups)
        words = _transpose_words(np.ascontiguousarray(grid.T).view(np.uint64).reshape(groups, size))
        rows = words.view(np.uint8).reshape(groups, size, 8).transpose(0, 2, 1)
        return np.ascontiguousarray(rows).reshape(8 * groups, size)[:count]

    def _make_room(self, fluents: Iterable[int]) -> None:
        """Give fluents a place in the rows if they have none."""
        for fluent in fluents:
            if self._place[fluent] < 0:
                self._place[fluent] = len(self._layout)
                self._layout.append(fluent)
        self._widen((len(self._layout) + 63) // 64)

    def _widen(self, words: int) -> None:
        """Give rows more words; the hashes stay what they are, since empty words add nothing to them."""
        if words > self._words:
            rows = np.zeros((len(self._rows), words), np.uint64)
            rows[: self._count, : self._words] = self._rows[: self._count]
            self._rows, self._words = rows, words

    def _padded(self, rows: Bytes) -> Bytes:
        """Return rows that were made when rows were narrower in the present width."""
        missing = 8 * self._words - rows.shape[1]
        return np.pad(rows, ((0, 0), (0, missing))) if missing else rows

    def pick(self, rows: Bytes, masks: Sequence[int], count: int) -> tuple[Bytes, list[Sequence[int]]]:
        """Return the rows of each mask and their places."""
        found = [places(mask, count) for mask in masks]
        index = np.concatenate(found) if found else np.empty(0, np.int64)
        return rows[index], found  # type: ignore[return-value]

    def join(self, first: Bytes, second: Bytes) -> Bytes:
        """Return the rows of both."""
        return np.concatenate([self._padded(first), self._padded(second)])

    def vector(self, values: Sequence[int]) -> Vector:
        """Return numbers as a vector."""
        return np.asarray(values, np.int32)

    def take(self, vector: Any, where: Sequence[int]) -> Vector:
        """Return the members of a vector at some places."""
        return np.asarray(vector[where])

    def shift(self, vector: Any, by: int) -> Vector:
        """Return a vector with a number added to each member."""
        return (vector + by).astype(np.int32)  # type: ignore[no-any-return]

    def above(self, vector: Any, bound: int) -> list[int]:
        """Return the places of the members that are `bound` or more."""
        found: list[int] = np.flatnonzero(vector >= bound).tolist()
        return found

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
        words = np.ascontiguousarray(self._padded(rows)).view(np.uint64)
        hashes = self._hash(words)
        first, inverse = self._distinct(words, hashes)
        self._reserve(len(first))
        numbers = self._find(words[first], hashes[first])
        return numbers[inverse]  # type: ignore[return-value]

    def _hash(self, words: Words) -> Words:
        mixed = words ^ (words >> np.uint64(32))
        total = (mixed * self._factors[: self._words]).sum(axis=1, dtype=np.uint64)
        total ^= total >> np.uint64(29)
        return total * _MIX  # type: ignore[no-any-return]

    def _distinct(self, words: Words, hashes: Words) -> tuple[Numbers, Numbers]:
        """Return the places of distinct rows, in order, and for every row its like among them."""
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
