"""States as rows and as columns, and the store of the states already seen, in plain Python.

A *row* is one state: an integer whose bit ``i`` is its ``i``-th fluent. The *columns* of a batch are one
integer per fluent, whose bit ``k`` belongs to the ``k``-th row. This module serves small explorations without
numpy, whose import alone would take longer than they do; `bridge.arrays` does the same for millions of
states.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

__all__ = ["ListStore", "Store", "bits"]

Rows = TypeVar("Rows")


def bits(mask: int) -> list[int]:
    """Return the places of the bits that are set, lowest first.

    Examples
    --------
    >>> bits(0b1010)
    [1, 3]
    """
    places = []
    while mask:
        low = mask & -mask
        places.append(low.bit_length() - 1)
        mask ^= low
    return places


class Store(ABC, Generic[Rows]):
    """The states seen so far, numbered in the order in which they were found.

    Parameters
    ----------
    width
        How many fluents a state has.
    """

    chunk: int
    """How many rows make a good batch."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.orbits: Sequence[Any] = ()

    @abstractmethod
    def canonical(self, rows: Rows) -> Rows:
        """Return the rows with one state standing for all that differ from it by swaps of `orbits`."""

    @abstractmethod
    def __len__(self) -> int:
        """Return how many states are known."""

    @abstractmethod
    def rows(self, first: int, last: int) -> Rows:
        """Return the states numbered from `first` up to, but not including, `last`."""

    @abstractmethod
    def pack(self, states: Sequence[int]) -> Rows:
        """Return states given as integers as rows."""

    @abstractmethod
    def unpack(self, rows: Rows) -> list[int]:
        """Return rows as integers."""

    @abstractmethod
    def columns(self, rows: Rows) -> list[int]:
        """Return the columns of a batch."""

    @abstractmethod
    def transpose(self, columns: Sequence[int], count: int) -> Rows:
        """Return the rows of a batch of `count` states."""

    @abstractmethod
    def pick(self, rows: Rows, masks: Sequence[int], count: int) -> tuple[Rows, list[Sequence[int]]]:
        """Return the rows of each mask, one mask after another, and their places in the batch."""

    @abstractmethod
    def join(self, first: Rows, second: Rows) -> Rows:
        """Return the rows of both."""

    @abstractmethod
    def vector(self, values: Sequence[int]) -> Any:
        """Return numbers as a vector of this store's kind."""

    @abstractmethod
    def take(self, vector: Any, where: Sequence[int]) -> Any:
        """Return the members of a vector at some places."""

    @abstractmethod
    def shift(self, vector: Any, by: int) -> Any:
        """Return a vector with a number added to each member."""

    @abstractmethod
    def above(self, vector: Any, bound: int) -> list[int]:
        """Return the places of the members that are `bound` or more."""

    @abstractmethod
    def chain(self, vectors: Sequence[Any]) -> Any:
        """Return one vector after another."""

    @abstractmethod
    def append(self, target: array[int], vector: Any) -> None:
        """Append a vector to an array."""

    @abstractmethod
    def paint(self, count: int, masks: Sequence[tuple[int, int]]) -> Any:
        """Return a vector of `count` numbers, -1 except where a mask gives one: pairs of number and mask."""

    @abstractmethod
    def intern(self, rows: Rows) -> Sequence[int]:
        """Return the numbers of the states, new ones where they have not been seen."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Return about how many bytes the store takes."""


class ListStore(Store[list[int]]):
    """A store of Python integers."""

    chunk = 48

    def __init__(self, width: int) -> None:
        super().__init__(width)
        self._states: list[int] = []
        self._number: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._states)

    def canonical(self, rows: list[int]) -> list[int]:
        """Return the rows with one state standing for all that differ from it by swaps."""
        for orbit in self.orbits:
            rows = [orbit.canonical(row) for row in rows]
        return rows

    def rows(self, first: int, last: int) -> list[int]:
        """Return some of the states by number."""
        return self._states[first:last]

    def pack(self, states: Sequence[int]) -> list[int]:
        """Return the states themselves."""
        return list(states)

    def unpack(self, rows: list[int]) -> list[int]:
        """Return the states themselves."""
        return rows

    def columns(self, rows: list[int]) -> list[int]:
        """Return the columns of a batch."""
        columns = [0] * self.width
        for place, row in enumerate(rows):
            bit = 1 << place
            for fluent in bits(row):
                columns[fluent] |= bit
        return columns

    def transpose(self, columns: Sequence[int], count: int) -> list[int]:
        """Return the rows of a batch."""
        rows = [0] * count
        for fluent, column in enumerate(columns):
            if column:
                bit = 1 << fluent
                for place in bits(column):
                    rows[place] |= bit
        return rows

    def pick(self, rows: list[int], masks: Sequence[int], count: int) -> tuple[list[int], list[Sequence[int]]]:
        """Return the rows of each mask and their places."""
        places: list[Sequence[int]] = [bits(mask) for mask in masks]
        return [rows[place] for part in places for place in part], places

    def join(self, first: list[int], second: list[int]) -> list[int]:
        """Return the rows of both."""
        return first + second

    def vector(self, values: Sequence[int]) -> list[int]:
        """Return numbers as a list."""
        return list(values)

    def take(self, vector: Any, where: Sequence[int]) -> list[int]:
        """Return the members of a list at some places."""
        return [vector[place] for place in where]

    def shift(self, vector: Any, by: int) -> list[int]:
        """Return a list with a number added to each member."""
        return [value + by for value in vector]

    def above(self, vector: Any, bound: int) -> list[int]:
        """Return the places of the members that are `bound` or more."""
        return [place for place, value in enumerate(vector) if value >= bound]

    def chain(self, vectors: Sequence[Any]) -> list[int]:
        """Return one list after another."""
        return [value for vector in vectors for value in vector]

    def append(self, target: array[int], vector: Any) -> None:
        """Append a list to an array."""
        target.extend(vector)

    def paint(self, count: int, masks: Sequence[tuple[int, int]]) -> list[int]:
        """Return a list of `count` numbers, -1 except where a mask gives one."""
        vector = [-1] * count
        for value, mask in masks:
            for place in bits(mask):
                vector[place] = value
        return vector

    def intern(self, rows: list[int]) -> list[int]:
        """Return the numbers of the states."""
        numbers = []
        for row in rows:
            number = self._number.get(row)
            if number is None:
                number = self._number[row] = len(self._states)
                self._states.append(row)
            numbers.append(number)
        return numbers

    @property
    def nbytes(self) -> int:
        """Return about how many bytes the states take."""
        return len(self._states) * (self.width // 7 + 150)
