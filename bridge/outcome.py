"""Outcomes: the final boards of a graph, with the lines that lead to them."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from clingo import Function, Symbol

from bridge.graph import Edge, Graph
from bridge.stopping import Stop

__all__ = ["Choice", "Outcome", "Outcomes"]

OVER = Function("over")

_MOST = 400_000_000
"""Bits of memory that the table of what can still come of each node may take; choices are not shown beyond."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One final board.

    ``facts`` are its fluents; ``nodes`` the nodes of the graph at which it stands; ``lines`` how many lines of play
    lead to it, or None where lines can go round in a circle; ``stuck`` is true where the line did not end but
    nothing is legal any more.
    """

    facts: frozenset[Symbol]
    nodes: tuple[int, ...]
    lines: int | None
    stuck: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision that matters: at some moment the moves of `actor` lead to different sets of outcomes.

    ``moves`` are the alternatives; for each the numbers of the outcomes (counted from 1) that it leaves possible.
    ``endless`` are those after which it can come to moves that go round for ever.
    """

    actor: Symbol
    node: int
    moves: tuple[tuple[Symbol, frozenset[int]], ...]
    endless: frozenset[Symbol] = frozenset()


class Outcomes(Sequence[Outcome]):
    """The outcomes of a graph, the likeliest to be asked for first: those with fewer decisions come first.

    Forced moves do not count, so that every engine gives an outcome the same number. Ends to which no line leads, as
    a graph that was cut short may have them, are left out.

    Parameters
    ----------
    graph
        What an engine returned; where `stop` ends the work on it early, that is added to its limits.
    stop
        Until when the work may go on.
    """

    def __init__(self, graph: Graph, stop: Stop | None = None) -> None:
        self.graph = graph
        self.stop = stop or Stop()
        self._parents, self._cost = _shortest(graph)
        groups: dict[tuple[frozenset[Symbol], bool], list[int]] = {}
        for node in graph.ends():
            if node not in self._cost:
                continue
            if bound := self.stop.now_and_then():
                graph.limits.add(bound)
                break
            stuck = node in graph.stuck
            facts = graph.facts(node) - {OVER}
            groups.setdefault((facts - graph.bookkeeping if stuck else facts, stuck), []).append(node)
        self._order = graph.order()
        count = _count(graph, self._order, self.stop)
        found = [
            Outcome(facts, tuple(nodes), None if count is None else sum(count[node] for node in nodes), stuck)
            for (facts, stuck), nodes in groups.items()
        ]
        text = {fact: str(fact) for fact in graph.fluents}
        self._outcomes = sorted(
            found,
            key=lambda one: (
                min(self._cost[node][0] for node in one.nodes),
                one.stuck,
                sorted(text[fact] for fact in one.facts),
            ),
        )

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return self._outcomes[index]

    def __len__(self) -> int:
        return len(self._outcomes)

    @cached_property
    def start(self) -> frozenset[Symbol]:
        """The fluents at the moment that is asked about."""
        first = self.graph.facts(0) if self.graph.start is None else self.graph.start
        return first - self.graph.bookkeeping - {OVER}

    @cached_property
    def hopeless(self) -> frozenset[int]:
        """The nodes from which no line ever ends."""
        return frozenset() if self._order is not None else frozenset(self.graph.hopeless()) & self._cost.keys()

    @property
    def circular(self) -> bool:
        """Whether lines can go round in a circle, and so have no number."""
        return self._order is None

    @property
    def endless(self) -> bool:
        """Whether some choices, or none at all, lead to moves that go round in a circle and never end."""
        return bool(self.hopeless)

    @property
    def lines(self) -> int | None:
        """How many lines of play there are in all; None where they can go round or there was no time to count."""
        if self._order is None:
            return None
        counts = [outcome.lines for outcome in self._outcomes]
        return None if None in counts else sum(count for count in counts if count is not None)

    @cached_property
    def certain(self) -> frozenset[Symbol]:
        """What is true of every outcome."""
        return frozenset.intersection(*(one.facts for one in self._outcomes)) if self._outcomes else frozenset()

    @cached_property
    def possible(self) -> frozenset[Symbol]:
        """What is true of some outcome."""
        return frozenset.union(*(one.facts for one in self._outcomes)) if self._outcomes else frozenset()

    def line(self, outcome: Outcome) -> list[Edge]:
        """Return a line to an outcome with the fewest decisions, forced moves included."""
        node = min(outcome.nodes, key=lambda each: self._cost[each])
        line: list[Edge] = []
        while (edge := self._parents.get(node)) is not None:
            line.append(edge)
            node = edge.source
        return line[::-1]

    @cached_property
    def reach(self) -> list[int]:
        """For each node the outcomes that are still possible there, as a bit mask; one more bit for never ending."""
        masks = [0] * len(self.graph.states)
        for i, outcome in enumerate(self._outcomes):
            for node in outcome.nodes:
                masks[node] |= 1 << i
        for node in self.hopeless:
            masks[node] |= 1 << len(self._outcomes)
        order = self._order
        changed = True
        while changed:  # one pass where the graph has an order, until nothing changes where lines can circle
            changed = False
            for node in reversed(order) if order is not None else range(len(masks)):
                if bound := self.stop.now_and_then():
                    self.graph.limits.add(bound)
                    return masks
                mask = masks[node]
                for edge in self.graph.edges[node]:
                    mask |= masks[edge.target]
                changed = changed or (mask != masks[node])
                masks[node] = mask
            changed = changed and order is None
        return masks

    def choices(self) -> list[Choice] | None:
        """Return the decisions that matter, nearest first, each set of alternatives once.

        None where there was no time to look, or the graph is too large to keep what can come of each node.
        """
        if len(self.graph.states) * len(self._outcomes) > _MOST:
            return None
        if bound := self.stop.reason():
            self.graph.limits.add(bound)
            return None
        reach = self.reach
        if self.stop.reason():
            return None
        last = len(self._outcomes)
        found: list[Choice] = []
        seen: set[tuple[Symbol, tuple[tuple[Symbol, int], ...]]] = set()
        for node in sorted(self._cost, key=lambda each: (self._cost[each][0], each)):
            if bound := self.stop.now_and_then():
                self.graph.limits.add(bound)
                break
            edges = self.graph.edges[node]
            masks = {reach[edge.target] for edge in edges}
            if len(masks) < 2:
                continue
            actor = edges[0].actor
            key = (actor, tuple((edge.move, reach[edge.target]) for edge in edges))
            if key in seen:
                continue
            seen.add(key)
            moves = tuple((edge.move, _members(reach[edge.target], last)) for edge in edges)
            endless = frozenset(edge.move for edge in edges if reach[edge.target] >> last & 1)
            found.append(Choice(actor, node, moves, endless))
        return found


def _members(mask: int, count: int) -> frozenset[int]:
    return frozenset(i + 1 for i in range(count) if mask >> i & 1)


def _shortest(graph: Graph) -> tuple[dict[int, Edge], dict[int, tuple[int, int]]]:
    """Return for each node the last edge of a line with the fewest decisions, and its decisions and moves."""
    cost: dict[int, tuple[int, int]] = {0: (0, 0)}
    parents: dict[int, Edge] = {}
    heap: list[tuple[int, int, int]] = [(0, 0, 0)]
    while heap:
        decisions, moves, node = heapq.heappop(heap)
        if (decisions, moves) > cost[node]:
            continue
        weight = 1 if len(graph.edges[node]) > 1 else 0
        for edge in graph.edges[node]:
            new = (decisions + weight, moves + 1)
            if edge.target not in cost or new < cost[edge.target]:
                cost[edge.target] = new
                parents[edge.target] = edge
                heapq.heappush(heap, (*new, edge.target))
    return parents, cost


def _count(graph: Graph, order: Sequence[int] | None, stop: Stop) -> list[int] | None:
    """Return for each node the number of lines that lead to it, or None where lines can circle or time runs out."""
    if order is None:
        return None
    count = [0] * len(graph.states)
    count[0] = 1
    for node in order:
        if bound := stop.now_and_then():
            graph.limits.add(bound)
            return None
        for edge in graph.edges[node]:
            count[edge.target] += count[node]
    return count
