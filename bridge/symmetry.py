"""Interchangeable constants: found by proof on the ground program, and used to explore equal states once.

Two constants are interchangeable if swapping their names maps the fluents onto the fluents, the first state onto
itself, and the ground rules of everything that is legal or changes onto themselves. A swap of such constants then maps
every line of play onto a line of play, so of states that differ by swaps only one needs to be explored. What orders
equal things by their names (the first of alike occurrences) breaks this, and the proof then fails, as it must.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import factorial
from typing import Any

from bridge.compile import Compiled
from bridge.terms import plain_names

__all__ = ["Orbit", "interchangeable"]


@dataclass(frozen=True, slots=True)
class Orbit:
    """Constants that may be swapped, and what is said of them.

    Attributes
    ----------
    names
        The constants.
    fluents
        For each constant the numbers of the fluents that name it, in the same order for all.
    """

    names: tuple[str, ...]
    fluents: tuple[tuple[int, ...], ...]

    def canonical(self, state: int) -> int:
        """Return the state in which what is said of the constants is sorted."""
        said = [sum((state >> fluent & 1) << i for i, fluent in enumerate(part)) for part in self.fluents]
        for part, value in zip(self.fluents, sorted(said), strict=True):
            for i, fluent in enumerate(part):
                state = state & ~(1 << fluent) | (value >> i & 1) << fluent
        return state

    def size(self, state: int) -> int:
        """Return how many states differ from this one by swaps of the constants only."""
        said = [sum((state >> fluent & 1) << i for i, fluent in enumerate(part)) for part in self.fluents]
        count = factorial(len(said))
        for value in set(said):
            count //= factorial(said.count(value))
        return count


def interchangeable(compiled: Compiled, start: int) -> list[Orbit]:
    """Find the constants of a position that may be swapped.

    Parameters
    ----------
    compiled
        The position.
    start
        The state from which it is explored.

    Returns
    -------
    list of Orbit
        No two of them are named by one fluent.
    """
    proof = _Proof(compiled)
    taken: set[int] = set()
    orbits = []
    for names in _alike(compiled, start):
        for group in _grouped(names, proof):
            parts = _fluents_of(group, compiled)
            used = {fluent for part in parts for fluent in part}
            if len(used) == sum(map(len, parts)) and not used & taken:
                taken |= used
                orbits.append(Orbit(tuple(group), parts))
    return orbits


def _marked(text: str, name: str) -> str:
    return re.sub(rf"\b{re.escape(name)}\b", "?", text)


def _alike(compiled: Compiled, start: int) -> list[list[str]]:
    """Group constants of which the same is said, and the same is true, at the start."""
    said: dict[str, list[tuple[str, bool]]] = {}
    for number, fluent in enumerate((*compiled.fluents, *sorted(compiled.constant, key=str))):
        true = bool(start >> number & 1) if number < len(compiled.fluents) else True
        for name in set(plain_names(fluent)):
            said.setdefault(name, []).append((_marked(str(fluent), name), true))
    groups: dict[frozenset[tuple[str, bool]], list[str]] = {}
    for name, facts in said.items():
        groups.setdefault(frozenset(facts), []).append(name)
    return [sorted(names) for names in groups.values() if len(names) > 1]


def _grouped(names: Sequence[str], proof: _Proof) -> Iterator[list[str]]:
    """Split constants into groups within which every swap is proved; swaps of neighbours generate all."""
    rest = list(names)
    while len(rest) > 1:
        first, *others = rest
        group = [first, *(name for name in others if proof.swaps(first, name))]
        if len(group) > 1:
            yield group
        rest = [name for name in others if name not in group]


def _fluents_of(names: Sequence[str], compiled: Compiled) -> tuple[tuple[int, ...], ...]:
    texts = [(number, str(fluent)) for number, fluent in enumerate(compiled.fluents)]
    parts = []
    for name in names:
        mine = [(_marked(text, name), number) for number, text in texts if _marked(text, name) != text]
        parts.append(tuple(number for _, number in sorted(mine)))
    return tuple(parts)


class _Proof:
    """Checks whether swapping two constants maps the ground rules onto themselves.

    Atoms without a name of their own (sums, projections) are known by what defines them.
    """

    def __init__(self, compiled: Compiled) -> None:
        self.rules, self.sums, names = compiled.ground_program()
        self.needed = self._needed(compiled.relevant())
        self.name = {atom: names[atom] for atom in self.needed if atom in names}
        self.atom = {name: atom for atom, name in self.name.items()}
        self.own: dict[int, Any] = {}
        self.body = {atom: self._definition(atom, self.own, None) for atom in self.name}
        self.mentioning: dict[str, set[int]] = {}
        for atom in self.name:
            for word in self._words(atom, set()):
                self.mentioning.setdefault(word, set()).add(atom)

    def _needed(self, roots: Iterable[int]) -> set[int]:
        needed: set[int] = set()
        todo = list(roots)
        while todo:
            atom = todo.pop()
            if atom not in needed:
                needed.add(atom)
                todo += [abs(literal) for literal in self._literals(atom)]
        return needed

    def _literals(self, atom: int) -> Iterator[int]:
        for body in self.rules.get(atom, ()):
            yield from body
        for _, pairs in self.sums.get(atom, ()):
            yield from (literal for literal, _ in pairs)

    def _words(self, atom: int, seen: set[int]) -> set[str]:
        """Return the words in the name of an atom and of the atoms that define it, through nameless ones."""
        words = set(re.findall(r"\w+", self.name.get(atom, "")))
        for literal in self._literals(atom):
            each = abs(literal)
            if each in self.name:
                words.update(re.findall(r"\w+", self.name[each]))
            elif each not in seen:
                seen.add(each)
                words |= self._words(each, seen)
        return words

    def _definition(self, atom: int, memo: dict[int, Any], swap: dict[int, int] | None) -> Any:
        def known(literal: int) -> tuple[Any, bool]:
            each = abs(literal)
            if each in self.name:
                return (each if swap is None else swap.get(each, each)), literal < 0
            if each not in memo:
                memo[each] = None  # a nameless atom does not define itself
                memo[each] = self._definition(each, memo, swap)
            return memo[each], literal < 0

        return (
            frozenset(frozenset(map(known, body)) for body in self.rules.get(atom, ())),
            frozenset(
                (bound, frozenset((known(literal), weight) for literal, weight in pairs))
                for bound, pairs in self.sums.get(atom, ())
            ),
        )

    def swaps(self, first: str, second: str) -> bool:
        """Whether the two constants may be swapped."""
        pattern = re.compile(rf"\b({re.escape(first)}|{re.escape(second)})\b")
        other = {first: second, second: first}
        touched = self.mentioning.get(first, set()) | self.mentioning.get(second, set())
        named = {atom for atom, name in self.name.items() if pattern.search(name) is not None}
        swap: dict[int, int] = {}
        for atom in named:
            image = self.atom.get(pattern.sub(lambda match: other[match.group()], self.name[atom]))
            if image is None:
                return False
            swap[atom] = image
        memo: dict[int, Any] = {}
        return all(self._definition(atom, memo, swap) == self.body[swap.get(atom, atom)] for atom in touched | named)
