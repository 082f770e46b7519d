"""States as rows and as columns, and the store of the states already seen, in plain Python.

A *row* is one state: an integer whose bit ``i`` is its ``i``-th fluent. The *columns* of a batch are one integer per
fluent, whose bit ``k`` belongs to the ``k``-th row. This module serves small explorations without numpy, whose import
alone would take longer than they do; `bridge.arrays` does the same for millions of states.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

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
        """Return the rows of each mask, one mask after another, and their places in the batch of `count` rows."""

    @abstractmethod
    def join(self, first: Rows, second: Rows) -> Rows:
        """Return the rows of both."""

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
