"""Outcomes: the final boards of a graph, with the lines that lead to them."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from clingo import Function, Symbol

from bridge.graph import Edge, Graph

__all__ = ["Choice", "Outcome", "Outcomes"]

OVER = Function("over")


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
    """

    actor: Symbol
    node: int
    moves: tuple[tuple[Symbol, frozenset[int]], ...]


class Outcomes(Sequence[Outcome]):
    """The outcomes of a graph, the likeliest to be asked for first: those with a shorter line come first."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._parents, self._cost = _shortest(graph)
        groups: dict[tuple[frozenset[Symbol], bool], list[int]] = {}
        for node in graph.ends():
            stuck = node in graph.stuck
            facts = graph.facts(node) - {OVER}
            groups.setdefault((facts - graph.bookkeeping if stuck else facts, stuck), []).append(node)
        count = _count(graph)
        found = [
            Outcome(facts, tuple(nodes), None if count is None else sum(count[node] for node in nodes), stuck)
            for (facts, stuck), nodes in groups.items()
        ]
        self._outcomes = sorted(
            found, key=lambda one: (min(self._cost[node] for node in one.nodes), sorted(map(str, one.facts)))
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

    @property
    def lines(self) -> int | None:
        """How many lines of play there are in all."""
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
        """For each node the outcomes that are still possible there, as a bit mask."""
        masks = [0] * len(self.graph.states)
        for i, outcome in enumerate(self._outcomes):
            for node in outcome.nodes:
                masks[node] |= 1 << i
        order = self.graph.order()
        changed = True
        while changed:  # one pass where the graph has an order, until nothing changes where lines can circle
            changed = False
            for node in reversed(order) if order is not None else range(len(masks)):
                mask = masks[node]
                for edge in self.graph.edges[node]:
                    mask |= masks[edge.target]
                changed = changed or (mask != masks[node])
                masks[node] = mask
            changed = changed and order is None
        return masks

    def choices(self) -> list[Choice]:
        """Return the decisions that matter, nearest first, each set of alternatives once."""
        found: list[Choice] = []
        seen: set[tuple[Symbol, tuple[tuple[Symbol, int], ...]]] = set()
        for node in sorted(range(len(self.graph.states)), key=lambda each: self._cost.get(each, (0, 0))):
            edges = self.graph.edges[node]
            masks = {self.reach[edge.target] for edge in edges}
            if len(masks) < 2:
                continue
            actor = edges[0].actor
            key = (actor, tuple((edge.move, self.reach[edge.target]) for edge in edges))
            if key in seen:
                continue
            seen.add(key)
            found.append(Choice(actor, node, tuple((edge.move, _members(self.reach[edge.target])) for edge in edges)))
        return found


def _members(mask: int) -> frozenset[int]:
    return frozenset(i + 1 for i in range(mask.bit_length()) if mask >> i & 1)


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


def _count(graph: Graph) -> list[int] | None:
    """Return for each node the number of lines that lead to it, or None where lines can circle."""
    order = graph.order()
    if order is None:
        return None
    count = [0] * len(graph.states)
    count[0] = 1
    for node in order:
        for edge in graph.edges[node]:
            count[edge.target] += count[node]
    return count
