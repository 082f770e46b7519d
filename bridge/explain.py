"""Explanations: which rules a move, a change or a refusal rests on, read off the proof."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from clingo import Model, Symbol

from bridge.engines import OVER, ReferenceEngine

__all__ = ["Cited", "Explainer", "Refusal"]


@dataclass(frozen=True, slots=True)
class Cited:
    """The rules behind a move: those that allow it, and those by which it changes the board.

    ``changes`` are the fluents that it starts and stops, bookkeeping left out; ``bookkeeping`` are the rules that
    only move the window on; ``prevented`` are fluents that the move would have started, had not the rules
    ``preventing`` kept it from that; ``said`` is the term by which the move is best told at this state.
    """

    allowed: tuple[Symbol, ...]
    changed: tuple[Symbol, ...]
    started: tuple[Symbol, ...]
    stopped: tuple[Symbol, ...]
    bookkeeping: tuple[Symbol, ...] = ()
    prevented: tuple[Symbol, ...] = ()
    preventing: tuple[Symbol, ...] = ()
    said: Symbol | None = None

    @property
    def rules(self) -> tuple[Symbol, ...]:
        """Every rule named, each once."""
        return tuple(dict.fromkeys((*self.allowed, *self.changed, *self.preventing)))


@dataclass(frozen=True, slots=True)
class Refusal:
    """A move that is refused.

    ``rules`` stand against it; ``leaning`` are further rules in the proof; ``through`` tells, where it wants for a
    target or a payment, which choices are refused and by which rules; ``put_off`` are rules whose obligation comes
    first; ``because`` are the reasons that the rules give, where they give any, and ``within`` those against the
    choices of ``through``.
    """

    move: Symbol
    rules: tuple[Symbol, ...]
    leaning: tuple[Symbol, ...] = ()
    through: tuple[tuple[Symbol, tuple[Symbol, ...]], ...] = ()
    put_off: tuple[Symbol, ...] = ()
    because: tuple[Symbol, ...] = ()
    within: tuple[tuple[Symbol, tuple[Symbol, ...]], ...] = ()

    @property
    def cited(self) -> tuple[Symbol, ...]:
        """Every rule that the refusal names, each once."""
        inner = [rule for _, rules in self.through for rule in rules]
        return tuple(dict.fromkeys((*self.rules, *self.leaning, *inner, *self.put_off)))


@dataclass(slots=True)
class _Places:
    """Program literals by what they stand for."""

    move: dict[Symbol, int] = field(default_factory=dict)
    legal: dict[Symbol, int] = field(default_factory=dict)
    add: dict[Symbol, list[tuple[Symbol, int]]] = field(default_factory=dict)
    delete: dict[Symbol, list[tuple[Symbol, int]]] = field(default_factory=dict)
    wipe: dict[Symbol, list[tuple[Symbol, int]]] = field(default_factory=dict)
    prevented: dict[Symbol, list[tuple[Symbol, int]]] = field(default_factory=dict)
    refused: list[tuple[Symbol, Symbol, int]] = field(default_factory=list)
    put_off: list[tuple[Symbol, Symbol, int]] = field(default_factory=list)
    attempt: dict[Symbol, int] = field(default_factory=dict)
    needs: list[tuple[Symbol, Symbol, int]] = field(default_factory=list)
    because: dict[tuple[Symbol, Symbol], list[tuple[Symbol, int]]] = field(default_factory=dict)
    tells: dict[Symbol, list[tuple[Symbol, int]]] = field(default_factory=dict)
    lifted: list[tuple[Symbol, Symbol, int]] = field(default_factory=list)
    bookkeeping: set[Symbol] = field(default_factory=set)


class Explainer:
    """Reads explanations off the ground program of a reference engine."""

    def __init__(self, engine: ReferenceEngine) -> None:
        self.engine = engine
        self._places = _Places()
        self._rule_of: dict[int, Symbol] = {}
        self._order = {rule: i for i, rule in enumerate(engine.program.rules)}
        self._inputs: set[int] = set()
        self._cites: dict[tuple[int, Symbol], Cited] = {}
        self._collect()

    def _collect(self) -> None:
        atoms = self.engine.program.control.symbolic_atoms
        places = self._places
        for atom in atoms.by_signature("in_force", 1):
            if not atom.is_fact:
                self._rule_of[atom.literal] = atom.symbol.arguments[0]
        for name, table in (("move", places.move), ("legal", places.legal), ("attempt", places.attempt)):
            for atom in atoms.by_signature(name, 2):
                table[atom.symbol.arguments[1]] = atom.literal
        for name, changes in (
            ("add", places.add),
            ("del", places.delete),
            ("wipe", places.wipe),
            ("prevented", places.prevented),
            ("tells", places.tells),
        ):
            for atom in atoms.by_signature(name, 3):
                _, move, fluent = atom.symbol.arguments
                changes.setdefault(move, []).append((fluent, atom.literal))
        for name, triples in (
            ("refused", places.refused),
            ("needs", places.needs),
            ("put_off", places.put_off),
            ("lifted", places.lifted),
        ):
            for atom in atoms.by_signature(name, 3):
                triples.append((atom.symbol.arguments[1], atom.symbol.arguments[2], atom.literal))
        for atom in atoms.by_signature("because", 4):
            _, thing, rule, why = atom.symbol.arguments
            places.because.setdefault((thing, rule), []).append((why, atom.literal))
        told = {atom.symbol.arguments[0] for atom in atoms.by_signature("worth_telling", 1)}
        places.bookkeeping = set(self.engine.bookkeeping - told)
        self._inputs = {atom.literal for atom in atoms.by_signature("holds", 2)} | set(places.move.values())

    # ---- The proof ----

    def _leaves(self, model: Model, goals: Iterable[int]) -> set[Symbol]:
        """Return the rules in force in the derivations of true atoms: through every body that is true."""
        recorder = self.engine.program.recorder
        found: set[Symbol] = set()
        todo, seen = list(goals), set()
        while todo:
            literal = todo.pop()
            if literal in seen or literal <= 0:
                continue
            seen.add(literal)
            if literal in self._rule_of:
                found.add(self._rule_of[literal])
                continue
            if literal in self._inputs:
                continue
            for body in recorder.rules.get(literal, ()):
                if all(model.is_true(each) for each in body):
                    todo += body
            for _, weighted in recorder.weights.get(literal, ()):
                todo += [each for each, _ in weighted if model.is_true(each)]
        return found

    def _sorted(self, rules: Iterable[Symbol]) -> tuple[Symbol, ...]:
        return tuple(sorted(set(rules), key=lambda rule: self._order.get(rule, len(self._order))))

    # ---- Moves ----

    def cite(self, state: int, move: Symbol) -> Cited:
        """Return the rules behind a legal move at a state.

        Raises
        ------
        KeyError
            If the move is not legal there.
        """
        if (known := self._cites.get((state, move))) is not None:  # lines share most of their steps
            return known
        literal = self._places.move[move]
        assumptions = [*self.engine.assumptions(state), literal]
        with self.engine.program.control.solve(assumptions=assumptions, yield_=True) as handle:
            for model in handle:
                cited = self._cites[state, move] = self._cited(model, state, move)
                return cited
        raise KeyError(str(move))

    def _cited(self, model: Model, state: int, move: Symbol) -> Cited:
        places = self._places
        allowed = self._leaves(model, [places.legal[move]])
        # a rule that has lifted a prohibition is a reason, too, though the proof only sees the prohibition's absence
        allowed |= {rule for thing, rule, literal in places.lifted if thing == move and model.is_true(literal)}
        changed: set[Symbol] = set()
        windowed: set[Symbol] = set()
        started: list[Symbol] = []
        stopped: list[Symbol] = []
        index = self.engine.program.index
        added, lost = self._changes(model, move)
        for causes, shown, was in ((added, started, 0), (lost, stopped, 1)):
            for fluent, literals in causes.items():
                if fluent == OVER or fluent not in index or state >> index[fluent] & 1 != was:
                    continue
                rules = self._leaves(model, literals)
                if fluent in places.bookkeeping:
                    windowed |= rules
                else:
                    shown.append(fluent)
                    changed |= rules
        prevented = [
            pair for pair in places.prevented.get(move, ()) if pair[0] != OVER and model.is_true(pair[1])
        ]  # that the end is put off needs no word
        preventing = self._leaves(model, [literal for _, literal in prevented])
        return Cited(
            self._sorted(allowed),
            self._sorted(changed),
            tuple(started),
            tuple(stopped),
            self._sorted(windowed),
            tuple(fluent for fluent, _ in prevented),
            self._sorted(preventing),
            next((said for said, literal in places.tells.get(move, ()) if model.is_true(literal)), None),
        )

    def _changes(self, model: Model, move: Symbol) -> tuple[dict[Symbol, list[int]], dict[Symbol, list[int]]]:
        """Return what a move starts and what it ends, each with the true atoms that are behind it."""
        places, ties = self._places, self.engine.ties
        added: dict[Symbol, list[int]] = {}
        lost: dict[Symbol, list[int]] = {}
        for fluent, literal in places.add.get(move, ()):
            if model.is_true(literal):
                added.setdefault(fluent, []).append(literal)
                for other, _ in ties.mates(fluent):
                    lost.setdefault(other, []).append(literal)
        for fluent, literal in places.delete.get(move, ()):
            if model.is_true(literal):
                lost.setdefault(fluent, []).append(literal)
        for name, literal in places.wipe.get(move, ()):
            if model.is_true(literal):
                for fluent in ties.sets.get(name, ()):
                    lost.setdefault(fluent, []).append(literal)
        return added, {fluent: literals for fluent, literals in lost.items() if fluent not in added}

    # ---- Refusals ----

    def refusals(self, state: int, *, weighed: bool = False) -> list[Refusal]:
        """Return what is tried at a state but refused or put off, with the rules that stand in the way.

        Parameters
        ----------
        state
            A state of the engine.
        weighed
            Whether to list also what is only weighed: later parts of choices, applications of effects.
        """
        with self.engine.program.control.solve(assumptions=self.engine.assumptions(state), yield_=True) as handle:
            for model in handle:
                return list(self._refusals(model, weighed))
        return []

    def _refusals(self, model: Model, weighed: bool) -> Iterable[Refusal]:
        places = self._places
        against: dict[Symbol, list[tuple[Symbol, int]]] = {}
        for thing, rule, literal in places.refused:
            if model.is_true(literal):
                against.setdefault(thing, []).append((rule, literal))
        waiting: dict[Symbol, list[Symbol]] = {}
        for thing, rule, literal in places.put_off:
            if model.is_true(literal):
                waiting.setdefault(thing, []).append(rule)
        inner: dict[Symbol, list[Symbol]] = {}
        for thing, part, literal in places.needs:
            if model.is_true(literal) and part in against:
                inner.setdefault(thing, []).append(part)
        for thing, pairs in sorted(against.items(), key=lambda item: str(item[0])):
            attempt = places.attempt.get(thing)
            tried = attempt is not None and model.is_true(attempt)
            if not tried and not weighed:
                continue
            rules = self._sorted(rule for rule, _ in pairs)
            leaves = self._leaves(model, [literal for _, literal in pairs])
            through = tuple(
                (
                    part,
                    self._sorted(
                        {rule for rule, _ in against[part]} | self._leaves(model, [lit for _, lit in against[part]])
                    ),
                )
                for part in inner.get(thing, ())
            )
            parts = {part: self._because(model, part, [rule for rule, _ in against[part]]) for part, _ in through}
            yield Refusal(
                thing,
                rules,
                self._sorted(leaves - set(rules)),
                through,
                because=self._because(model, thing, rules),
                within=tuple((part, why) for part, why in parts.items() if why),
            )
        for thing, waited in sorted(waiting.items(), key=lambda item: str(item[0])):
            yield Refusal(thing, (), put_off=self._sorted(waited))

    def _because(self, model: Model, thing: Symbol, rules: Iterable[Symbol]) -> tuple[Symbol, ...]:
        """Return the reasons that rules give against a thing, each once."""
        reasons = [pair for rule in rules for pair in self._places.because.get((thing, rule), ())]
        true = {why for why, literal in reasons if model.is_true(literal)}
        return tuple(sorted(true, key=str))
