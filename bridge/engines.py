"""The reference engine: clingo grounds once and solves state by state. Plain, and obviously right."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol, TypeVar

from clingo import Function, Symbol

import asp
from bridge.errors import Fault as InputFault
from bridge.errors import PositionError, RuleError
from bridge.faults import fault
from bridge.graph import Edge, Graph
from bridge.ground import GroundProgram, Switches, Ties, ground, moment
from bridge.stopping import Stop

__all__ = ["Limits", "Progress", "ReferenceEngine", "Step", "play_openings"]

OVER = Function("over")


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of an exploration: a number of states, and seconds of wall-clock time."""

    states: int = 200_000
    seconds: float = 300.0


Progress = Callable[[int, int, float], None]
"""Called now and then with the states seen, the frontier and the seconds spent."""


@dataclass(frozen=True, slots=True)
class Step:
    """One legal move at a state: who makes it, the state after it, and for how many equally likely moves it stands."""

    actor: Symbol
    move: Symbol
    after: int
    odds: int = 1


@dataclass(slots=True)
class _Verdict:
    steps: list[Step] = field(default_factory=list)
    limits: set[str] = field(default_factory=set)
    faults: set[str] = field(default_factory=set)


class ReferenceEngine:
    """Explores a position by asking clasp at every state which moves are legal and what each changes.

    Parameters
    ----------
    game
        The game's folder under ``asp``.
    facts
        The position as facts.
    switches
        Rules switched off and readings chosen.
    """

    def __init__(self, game: str, facts: list[Symbol], switches: Switches | None = None) -> None:
        self.program: GroundProgram = ground(
            game,
            facts,
            "ask",
            switches,
            arguments=["0", "--heuristic=None"],
            extra=f'#include "{asp.ROOT / "drivers" / "show.lp"}".\n',
        )
        atoms = self.program.control.symbolic_atoms
        for rule in self.program.rules:
            atom = atoms[Function("in_force", [rule])]
            if atom is not None and atom.is_external:
                self.program.control.assign_external(atom.symbol, True)
        self._literals = []
        for fluent in self.program.fluents:
            holds = atoms[moment("holds", fluent)]
            if holds is None:
                raise RuleError(f"the fluent {fluent} is listed but has no place in the ground program")
            self._literals.append(holds.literal)
        self._over = 1 << self.program.index[OVER]
        self.ties = Ties.of(self.program)
        self._mates: dict[Symbol, int] = {}
        self._sets: dict[Symbol, int] = {}
        self._seen: dict[int, _Verdict] = {}

    @property
    def fluents(self) -> tuple[Symbol, ...]:
        """The vocabulary of states."""
        return self.program.fluents

    @cached_property
    def bookkeeping(self) -> frozenset[Symbol]:
        """The fluents that only serve an open window."""
        atoms = self.program.control.symbolic_atoms.by_signature("bookkeeping", 1)
        return frozenset(atom.symbol.arguments[0] for atom in atoms)

    def assumptions(self, state: int) -> list[int]:
        """Return the state as literals that clasp assumes."""
        return [lit if state >> i & 1 else -lit for i, lit in enumerate(self._literals)]

    def is_over(self, state: int) -> bool:
        """Whether the run has ended in this state."""
        return bool(state & self._over)

    def steps(self, state: int) -> list[Step]:
        """Return the legal moves at a state with what they lead to, in a fixed order."""
        return self._verdict(state).steps

    def _verdict(self, state: int) -> _Verdict:
        if (known := self._seen.get(state)) is not None:
            return known
        verdict = _Verdict()
        with self.program.control.solve(assumptions=self.assumptions(state), yield_=True) as handle:
            for model in handle:
                shown: dict[str, list[Symbol]] = {}
                for symbol in model.symbols(shown=True):
                    shown.setdefault(symbol.name, []).append(symbol)
                self._note(verdict, state, shown)
        verdict.steps.sort(key=lambda step: str(step.move))
        self._seen[state] = verdict
        return verdict

    def _note(self, verdict: _Verdict, state: int, shown: dict[str, list[Symbol]]) -> None:
        """Add one answer set to the verdict: a legal move with what it leads to, and whatever is wrong."""
        index = self.program.index
        moves = [symbol.arguments[0] for symbol in shown.get("move", ())]
        actors = sorted((symbol.arguments[0] for symbol in shown.get("actor", ())), key=str)
        added = [symbol.arguments[0] for symbol in shown.get("add", ()) if symbol.arguments[0] in index]
        adds = lost = 0
        for fluent in added:
            adds |= 1 << index[fluent]
            lost |= self._mates_of(fluent)
        for symbol in shown.get("del", ()):
            if (bit := index.get(symbol.arguments[0])) is not None:
                lost |= 1 << bit
        for symbol in shown.get("wipe", ()):
            lost |= self._members_of(symbol.arguments[0])
        verdict.limits.update(str(symbol.arguments[0]) for symbol in shown.get("limit", ()))
        move = moves[0] if moves else None
        for name in ("unknown", "clash", "conflict", "torn", "two_actors"):
            verdict.faults.update(fault(symbol, move) for symbol in shown.get(name, ()))
        for fluent in added:
            if self._mates_of(fluent) & adds:
                verdict.faults.update(
                    fault(Function("clash", [Function("slot", [slot])]), move)
                    for other, slot in self.ties.mates(fluent)
                    if other in added
                )
        if move is not None and actors:
            odds = [symbol.arguments[1].number for symbol in shown.get("odds", ()) if symbol.arguments[0] == move]
            verdict.steps.append(Step(actors[0], move, state & ~lost | adds, *odds[:1]))

    def _mates_of(self, fluent: Symbol) -> int:
        """Return the other fluents of the slots of a fluent as a state."""
        if fluent not in self._mates:
            self._mates[fluent] = self.program.state(other for other, _ in self.ties.mates(fluent))
        return self._mates[fluent]

    def _members_of(self, name: Symbol) -> int:
        """Return the fluents of a set as a state."""
        if name not in self._sets:
            self._sets[name] = self.program.state(self.ties.sets.get(name, ()))
        return self._sets[name]

    def opened(self) -> tuple[int, list[Step]]:
        """Play what opened the window and the position's own line.

        Returns
        -------
        state
            The state at which the question is asked.
        steps
            The moves that led there, forced ones included.

        Raises
        ------
        PositionError
            If one of those moves is not legal when its turn comes.
        """
        return play_openings(self.program.initial, self.program.openings, self.steps, self.is_over)

    def explore(
        self, limits: Limits | None = None, progress: Progress | None = None, start: int | None = None
    ) -> Graph:
        """Return the graph of everything that legal moves can reach.

        Parameters
        ----------
        limits
            Bounds; a graph that they, or Ctrl-C, cut short says so in its own limits.
        progress
            Called every few hundred states.
        start
            The state to start from; where the question is asked by default.
        """
        limits = limits or Limits()
        if start is None:
            start, _ = self.opened()
        graph = Graph(self.fluents, [start], [[]], bookkeeping=self.bookkeeping)
        node_of = {start: 0}
        frontier = deque([start])
        began, stop = time.monotonic(), Stop(limits.seconds)
        while frontier:
            state = frontier.popleft()  # breadth first: what a limit cuts off is what lies deepest
            node = node_of[state]
            if self.is_over(state):
                graph.final.add(node)
                continue
            if bound := "states" if len(graph.states) > limits.states else stop.reason():
                graph.limits.add(bound)
                break
            if progress and len(graph.states) % 500 == 0:
                progress(len(graph.states), len(frontier), time.monotonic() - began)
            try:
                verdict = self._verdict(state)
            except KeyboardInterrupt:  # nothing of this state has gone into the graph yet
                graph.limits.add("interrupted")
                break
            graph.limits |= verdict.limits
            graph.faults |= verdict.faults
            if not verdict.steps:
                graph.stuck.add(node)
            for step in verdict.steps:
                target = node_of.get(step.after)
                if target is None:
                    target = node_of[step.after] = len(graph.states)
                    graph.states.append(step.after)
                    graph.edges.append([])
                    frontier.append(step.after)
                graph.edges[node].append(Edge(node, step.actor, step.move, target))
        graph.final.update(node_of[state] for state in frontier if self.is_over(state))
        return graph


class _Walked(Protocol):
    """A move that an engine has made: which, and the state after it."""

    @property
    def move(self) -> Symbol: ...

    @property
    def after(self) -> int: ...


Walked = TypeVar("Walked", bound=_Walked)


def play_openings(
    state: int,
    openings: Sequence[Symbol],
    steps: Callable[[int], Sequence[Walked]],
    is_over: Callable[[int], bool],
) -> tuple[int, list[Walked]]:
    """Play the moves of a line with the forced moves between them, in whichever engine.

    Parameters
    ----------
    state
        Where the line begins.
    openings
        Its moves, in order.
    steps, is_over
        The engine's own: the legal moves at a state, and whether the run has ended there.

    Returns
    -------
    state, played
        Where the line ends, and all moves that were made.

    Raises
    ------
    IllegalOpeningError
        If a move is not legal when its turn comes; it names the last state at which it could be tried.
    """
    played: list[Walked] = []
    for number, wanted in enumerate(openings, start=1):
        state = _play_to(state, wanted, number, steps, is_over, played)
    return state, played


def _play_to(
    state: int,
    wanted: Symbol,
    number: int,
    steps: Callable[[int], Sequence[Walked]],
    is_over: Callable[[int], bool],
    played: list[Walked],
) -> int:
    began, visited = state, {state}
    while not is_over(state):
        legal = steps(state)
        step = next((step for step in legal if step.move == wanted), None)
        if step is None and len(legal) != 1:
            break
        taken = legal[0] if step is None else step
        played.append(taken)
        state = taken.after
        if step is not None:
            return state
        if state in visited:
            break
        visited.add(state)
    raise IllegalOpeningError(wanted, number, began if is_over(state) else state)


class IllegalOpeningError(PositionError):
    """A move of a position's line is not legal when its turn comes."""

    def __init__(self, move: Symbol, number: int, state: int) -> None:
        self.move, self.number, self.state = move, number, state
        super().__init__([InputFault(f"line.{number}", f"{move} is not legal here")])
