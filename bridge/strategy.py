"""What may, what must, and what a player can force: backward induction on the graph of decisions.

A question is asked of the final boards. *Possible* is true if some line ends as wanted, *certain* if every
line does, and *force* if one player can bring it about whatever the others and chance do. A line that ends in
a gap of the rules or never ends does not end as wanted.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from clingo import Function, Symbol

from bridge.explore import Decisions, Kind
from bridge.graph import Graph
from bridge.terms import Condition, matches

__all__ = ["Answer", "Arena", "Goal", "Reply", "Solver"]

CHANCE = Function("chance")
_LARGE = 20_000  # nodes from which on numpy pays


Goal = Condition | Sequence[Condition]
"""What is wanted of the final board: a literal, or a conjunction of several."""


class Arena:
    """Either kind of graph in one form.

    Attributes
    ----------
    kind
        For each node what it is (`bridge.explore.Kind`).
    actor
        For each node the number of its actor in `actors`, or -1.
    starts
        For each node the number of its first edge, and the number of all edges at the end.
    move, target
        For each edge the number of its move in `moves`, and where it leads.
    """

    def __init__(self, graph: Graph | Decisions) -> None:
        self.graph = graph
        if isinstance(graph, Decisions):
            self._from_decisions(graph)
        else:
            self._from_graph(graph)

    def _from_decisions(self, graph: Decisions) -> None:
        self.actors, self.moves = graph.actors, graph.moves
        self.kind, self.actor = graph.kind, graph.actor
        self.starts, self.move, self.target = graph.starts(), graph.move, graph.target

    def _from_graph(self, graph: Graph) -> None:
        actors: dict[Symbol, int] = {}
        moves: dict[Symbol, int] = {}
        self.kind, self.actor = array("b"), array("b")
        self.starts, self.move, self.target = array("i", [0]), array("i"), array("i")
        for node, edges in enumerate(graph.edges):
            kind = Kind.DECISION if edges else Kind.STUCK if node in graph.stuck else Kind.OPEN
            self.kind.append(Kind.OVER if node in graph.final else kind)
            self.actor.append(actors.setdefault(edges[0].actor, len(actors)) if edges else -1)
            for edge in edges:
                self.move.append(moves.setdefault(edge.move, len(moves)))
                self.target.append(edge.target)
            self.starts.append(len(self.move))
        self.actors, self.moves = tuple(actors), tuple(moves)

    def __len__(self) -> int:
        return len(self.kind)

    def edges(self, node: int) -> range:
        """Return the numbers of the edges of a node."""
        return range(self.starts[node], self.starts[node + 1])

    def facts(self, node: int) -> frozenset[Symbol]:
        """Return the fluents that hold at a node."""
        return self.graph.facts(node)

    @cached_property
    def order(self) -> Sequence[int] | None:
        """The nodes so that every edge leads backward, or None where lines can go round."""
        waiting = array("i", bytes(4 * len(self)))
        before: list[list[int]] = [[] for _ in range(len(self))]
        for node in range(len(self)):
            for edge in self.edges(node):
                before[self.target[edge]].append(node)
                waiting[node] += 1
        ready = [node for node in range(len(self)) if not waiting[node]]
        for node in ready:
            for source in before[node]:
                waiting[source] -= 1
                if not waiting[source]:
                    ready.append(source)
        return ready if len(ready) == len(self) else None

    def ends(self, goals: Sequence[Goal]) -> tuple[Sequence[int], Sequence[int]]:
        """Return the final nodes, and for each as a bit mask the goals that it satisfies."""
        constant = self.graph.constant if isinstance(self.graph, Decisions) else frozenset()
        final = [node for node, kind in enumerate(self.kind) if kind == Kind.OVER]
        tests = [[_test(each, self.graph.fluents, constant) for each in _literals(goal)] for goal in goals]
        if isinstance(self.graph, Graph):
            states = [self.graph.states[node] for node in final]
        elif len(self) > _LARGE:
            return final, _tested(self.graph, final, tests)
        else:
            every = self.graph.store.unpack(self.graph.store.rows(0, len(self)))
            states = [every[node] for node in final]
        return final, [
            sum(1 << goal for goal, test in enumerate(tests) if all(each.passes(state) for each in test))
            for state in states
        ]


@dataclass(frozen=True, slots=True)
class _Test:
    """A literal compiled: does a state have one of the fluents of `mask`, and should it."""

    mask: int
    wanted: bool
    always: bool  # one of the fluents that always hold matches

    def passes(self, state: int) -> bool:
        return (self.always or bool(state & self.mask)) == self.wanted


def _literals(goal: Goal) -> Sequence[Condition]:
    return (goal,) if isinstance(goal, Condition) else goal


def _test(literal: Condition, fluents: Sequence[Symbol], constant: frozenset[Symbol]) -> _Test:
    mask = sum(1 << i for i, each in enumerate(fluents) if matches(literal.fluent, each))
    return _Test(mask, not literal.negated, any(matches(literal.fluent, each) for each in constant))


def _tested(graph: Decisions, final: Sequence[int], tests: Sequence[Sequence[_Test]]) -> Any:
    """Do what `Arena.ends` does for many nodes; a column of 64-bit words per 64 goals."""
    import numpy as np

    store: Any = graph.store
    result = np.zeros((len(final), (len(tests) + 63) // 64), np.uint64)
    for goal, test in enumerate(tests):
        good = np.ones(len(final), bool)
        for each in test:
            good &= (each.always | store.any_of(final, each.mask)) == each.wanted
        result[:, goal // 64] |= good.astype(np.uint64) << np.uint64(goal % 64)
    return result


@dataclass(frozen=True, slots=True)
class Reply:
    """One decision of a line or of a strategy: at a node its actor makes a move."""

    node: int
    actor: Symbol
    move: Symbol
    target: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question.

    Attributes
    ----------
    holds
        Yes, no, or None where the part of the graph that was explored does not tell.
    line
        The decisions of a line that shows it: one that ends as wanted for a possible yes, one that does not
        for a certain or forced no. Empty where no single line shows it.
    strategy
        For a forced yes what the player does at each of his decisions that can still come up, by node; for a
        forced no what the others and chance do.
    ending
        How the line ends: ``over``, ``stuck`` or ``endless``; empty without a line.
    probability
        For force, the probability that the board ends as wanted if the player plays for it and the others
        against it, every move of chance at one decision being equally likely; None where chance decides
        nothing, or lines can go round.
    """

    mode: str
    goal: Goal
    player: Symbol | None
    holds: bool | None
    line: tuple[Reply, ...] = ()
    strategy: dict[int, Reply] = field(default_factory=dict)
    ending: str = ""
    probability: Fraction | None = None


_ENDINGS = {Kind.OVER: "over", Kind.STUCK: "stuck", Kind.ENDLESS: "endless"}

Odds = Callable[[frozenset[Symbol], Symbol], int]


class Solver:
    """Answers questions about one graph.

    Parameters
    ----------
    graph
        What an engine returned.
    odds
        How often a move of chance comes up in proportion to the others at the same decision, from the facts
        there and the move; once each by default.
    """

    def __init__(self, graph: Graph | Decisions, odds: Odds | None = None) -> None:
        self.arena = Arena(graph)
        self.odds = odds

    # ---- Many goals at once ---------------------------------------------------------------------------

    def possible(self, goals: Sequence[Goal]) -> list[bool | None]:
        """Say for each goal whether some line ends so."""
        return self._verdicts(goals, [True] * len(self.arena.actors))

    def certain(self, goals: Sequence[Goal]) -> list[bool | None]:
        """Say for each goal whether every line ends so."""
        return self._verdicts(goals, [False] * len(self.arena.actors))

    def force(self, player: Symbol, goals: Sequence[Goal]) -> list[bool | None]:
        """Say for each goal whether `player` can bring it about whatever the others and chance do."""
        return self._verdicts(goals, [actor == player for actor in self.arena.actors])

    def _verdicts(self, goals: Sequence[Goal], ours: Sequence[bool]) -> list[bool | None]:
        least, most = self._bounds(goals, ours)
        return [True if least >> i & 1 else None if most >> i & 1 else False for i in range(len(goals))]

    def _bounds(self, goals: Sequence[Goal], ours: Sequence[bool]) -> tuple[int, int]:
        """Return the goals had at the root if what was not explored ends badly, and if it ends well."""
        least = self._values(goals, ours, False)[0]
        if Kind.OPEN not in self.arena.kind:
            return least, least
        return least, self._values(goals, ours, True)[0]

    def _values(self, goals: Sequence[Goal], ours: Sequence[bool], hopeful: bool) -> Sequence[int]:
        """Return for each node as a bit mask the goals that can be had from there.

        This is the least solution: what is never reached, on a line that goes round, is not had. `hopeful` is
        what becomes of nodes that were not explored.
        """
        if len(self.arena) > _LARGE:
            return _Sweep(self.arena, goals, ours).run(hopeful)
        arena = self.arena
        everything = (1 << len(goals)) - 1
        values = [everything if hopeful and kind == Kind.OPEN else 0 for kind in arena.kind]
        for node, value in zip(*arena.ends(goals), strict=True):
            values[node] = value
        order = arena.order if arena.order is not None else range(len(arena) - 1, -1, -1)
        inner = [node for node in order if arena.kind[node] == Kind.DECISION]
        changed = True
        while changed:
            changed = False
            for node in inner:
                any_, all_ = 0, everything
                for edge in arena.edges(node):
                    any_ |= values[arena.target[edge]]
                    all_ &= values[arena.target[edge]]
                value = any_ if ours[arena.actor[node]] else all_
                if value != values[node]:
                    values[node], changed = value, arena.order is None
        return values

    # ---- One goal, with its reasons -------------------------------------------------------------------

    def ask(self, mode: str, goal: Goal, player: Symbol | None = None) -> Answer:
        """Answer one question and show why.

        Parameters
        ----------
        mode
            ``possible``, ``certain`` or ``force``.
        goal
            What is wanted of the final board.
        player
            Who is to force it.
        """
        if mode not in ("possible", "certain", "force") or (mode == "force") != (player is not None):
            raise ValueError("the mode is possible, certain, or force with a player")
        ours = [mode == "possible" or (mode == "force" and actor == player) for actor in self.arena.actors]
        holds = self._verdicts([goal], ours)[0]
        probability = self.probability(goal, ours) if mode == "force" else None
        if holds is None:
            return Answer(mode, goal, player, None, probability=probability)
        rank = self._ranks(goal, ours, hopeful=not holds)
        line: tuple[Reply, ...] = ()
        ending, strategy = "", {}
        if mode == "possible" and holds:
            line, ending = self._line(rank, ours, True)
        elif mode != "possible" and not holds:
            line, ending = self._line(rank, ours, False)
        if mode == "force":
            strategy = self._strategy(rank, ours, bool(holds))
        return Answer(mode, goal, player, holds, line, strategy, ending, probability)

    def _ranks(self, goal: Goal, ours: Sequence[bool], *, hopeful: bool = False) -> list[int]:
        """Return for each node in how many decisions the goal can be had, -1 where it cannot.

        `hopeful` is whether it counts as had at nodes that were not explored, so that no line of a no leads there.
        """
        arena = self.arena
        before: list[list[int]] = [[] for _ in range(len(arena))]
        missing = [0] * len(arena)
        for node in range(len(arena)):
            for edge in arena.edges(node):
                before[arena.target[edge]].append(node)
            owned = arena.actor[node] >= 0 and ours[arena.actor[node]]
            missing[node] = 1 if owned else len(arena.edges(node))
        rank = [-1] * len(arena)
        ready: deque[int] = deque()
        if hopeful:
            ready.extend(node for node, kind in enumerate(arena.kind) if kind == Kind.OPEN)
            for node in ready:
                rank[node] = 0
        nodes, values = arena.ends([goal])
        for node, value in zip(nodes, values, strict=True):
            if int(value if isinstance(value, int) else value[0]):
                rank[node] = 0
                ready.append(node)
        while ready:
            node = ready.popleft()
            for source in before[node]:
                missing[source] -= 1
                if missing[source] == 0 and rank[source] < 0:
                    rank[source] = rank[node] + 1
                    ready.append(source)
        return rank

    def _choices(self, node: int, rank: Sequence[int], ours: Sequence[bool], good: bool) -> list[int]:
        """Return the edges along which the goal is still had (or still missed), the best first."""
        arena = self.arena
        edges = [edge for edge in arena.edges(node) if (rank[arena.target[edge]] >= 0) == good]
        mine = ours[arena.actor[node]] == good
        if mine and good:
            return sorted(edges, key=lambda edge: rank[arena.target[edge]])[:1]
        return edges

    def _reply(self, node: int, edge: int) -> Reply:
        arena = self.arena
        actor = arena.actors[arena.actor[node]]
        return Reply(node, actor, arena.moves[arena.move[edge]], arena.target[edge])

    def _line(self, rank: Sequence[int], ours: Sequence[bool], good: bool) -> tuple[tuple[Reply, ...], str]:
        """Return a shortest line on which the goal is had (or missed) to the end, and how it ends."""
        arena = self.arena
        came: dict[int, Reply | None] = {0: None}
        todo: deque[int] = deque([0])
        last = 0
        while todo:
            last = todo.popleft()
            if arena.kind[last] != Kind.DECISION:
                break
            for edge in self._choices(last, rank, ours, good):
                target = arena.target[edge]
                if target not in came:
                    came[target] = self._reply(last, edge)
                    todo.append(target)
        line = []
        step = came[last]
        while step is not None:
            line.append(step)
            step = came[step.node]
        return tuple(reversed(line)), _ENDINGS.get(Kind(arena.kind[last]), "endless")

    def _strategy(self, rank: Sequence[int], ours: Sequence[bool], good: bool) -> dict[int, Reply]:
        """Return what one side does at each of its decisions that can come up when it does so."""
        arena = self.arena
        plan: dict[int, Reply] = {}
        seen, todo = {0}, [0]
        while todo:
            node = todo.pop()
            if arena.kind[node] != Kind.DECISION:
                continue
            edges: Iterable[int] = arena.edges(node)
            if ours[arena.actor[node]] == good:
                edges = self._choices(node, rank, ours, good)[:1]
                plan.update((node, self._reply(node, edge)) for edge in edges)
            for edge in edges:
                if arena.target[edge] not in seen:
                    seen.add(arena.target[edge])
                    todo.append(arena.target[edge])
        return plan

    def probability(self, goal: Goal, ours: Sequence[bool]) -> Fraction | None:
        """Return how likely the goal is if those who are ours play for it and the others against it."""
        arena = self.arena
        chance = {i for i, actor in enumerate(arena.actors) if actor == CHANCE}
        if not any(actor in chance for actor in arena.actor) or Kind.OPEN in arena.kind or arena.order is None:
            return None
        values = [Fraction(0)] * len(arena)
        nodes, found = arena.ends([goal])
        for node, value in zip(nodes, found, strict=True):
            values[node] = Fraction(int(value if isinstance(value, int) else value[0]))
        for node in arena.order:
            if arena.kind[node] != Kind.DECISION:
                continue
            after = [values[arena.target[edge]] for edge in arena.edges(node)]
            if arena.actor[node] in chance:
                weights = self._weights(node)
                values[node] = sum((w * v for w, v in zip(weights, after, strict=True)), Fraction(0)) / sum(weights)
            else:
                values[node] = max(after) if ours[arena.actor[node]] else min(after)
        return values[0]

    def _weights(self, node: int) -> list[int]:
        arena = self.arena
        if self.odds is None:
            return [1] * len(arena.edges(node))
        facts = arena.facts(node)
        return [self.odds(facts, arena.moves[arena.move[edge]]) for edge in arena.edges(node)]


class _Sweep:
    """Backward induction for 64 goals at a time: all nodes at once, until nothing changes."""

    def __init__(self, arena: Arena, goals: Sequence[Goal], ours: Sequence[bool]) -> None:
        import numpy as np

        self.arena, self.count = arena, len(goals)
        self.kind = np.frombuffer(arena.kind, np.int8)
        starts = np.frombuffer(arena.starts, np.int32).astype(np.int64)
        self.target = np.frombuffer(arena.target, np.int32)
        self.inner = np.flatnonzero(starts[1:] > starts[:-1])
        self.starts = starts[self.inner]
        owned = np.array([*ours, False], bool)
        self.ours = owned[np.frombuffer(arena.actor, np.int8)[self.inner]]
        self.ends = arena.ends(goals)

    def run(self, hopeful: bool) -> list[int]:
        """Return the value of the root, alone in a list, as `Solver._values` defines it."""
        import numpy as np

        nodes, found = self.ends
        result = 0
        for word in range((self.count + 63) // 64):
            every = np.uint64(2**64 - 1)
            values = np.where(hopeful & (self.kind == Kind.OPEN), every, np.uint64(0))
            values[np.asarray(nodes, np.int64)] = np.asarray(found)[:, word]
            while True:
                after = values[self.target]
                some = np.bitwise_or.reduceat(after, self.starts)
                all_ = np.bitwise_and.reduceat(after, self.starts)
                new = np.where(self.ours, some, all_)
                if (new == values[self.inner]).all():
                    break
                values[self.inner] = new
            result |= int(values[0]) << (64 * word)
        return [result & ((1 << self.count) - 1)]
