"""The graph of decisions: what both engines return."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from clingo import Symbol

__all__ = ["Edge", "Graph"]


@dataclass(frozen=True, slots=True)
class Edge:
    """One legal move: from node `source` by `actor` to node `target`."""

    source: int
    actor: Symbol
    move: Symbol
    target: int


@dataclass(slots=True)
class Graph:
    """The states that legal moves can reach, and the moves between them.

    Parameters
    ----------
    fluents
        The vocabulary; bit ``i`` of a state stands for ``fluents[i]``.
    states
        One bit mask per node; node 0 is where the question is asked.
    edges
        For each node its legal moves.
    final
        The nodes at which the run is over.
    stuck
        The nodes that are not over and have no legal move: gaps in the rules.
    limits
        What bounds the answer, in terms; an answer with limits is incomplete.
    faults
        Breaches of the grammar that were met, in sentences.
    bookkeeping
        Fluents that only serve an open window and belong to no board.
    start
        What holds where the question is asked, if that lies before node 0.
    compressed
        Whether nodes are decisions only, forced moves being left out between them.
    """

    fluents: tuple[Symbol, ...]
    states: list[int] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)
    final: set[int] = field(default_factory=set)
    stuck: set[int] = field(default_factory=set)
    limits: set[str] = field(default_factory=set)
    faults: set[str] = field(default_factory=set)
    bookkeeping: frozenset[Symbol] = frozenset()
    start: frozenset[Symbol] | None = None
    compressed: bool = False

    @property
    def complete(self) -> bool:
        """Whether no bound cut the exploration short."""
        return not self.limits

    def facts(self, node: int) -> frozenset[Symbol]:
        """Return the fluents that hold at a node."""
        state = self.states[node]
        return frozenset(fluent for i, fluent in enumerate(self.fluents) if state >> i & 1)

    def decisions(self) -> int:
        """Return how many nodes leave somebody a choice, or are final."""
        return sum(1 for node, out in enumerate(self.edges) if len(out) != 1 or node in self.final)

    def order(self) -> Sequence[int] | None:
        """Return the nodes so that every move leads forward, or None where lines can go round in a circle."""
        degree = [0] * len(self.states)
        for out in self.edges:
            for edge in out:
                degree[edge.target] += 1
        ready = [node for node, count in enumerate(degree) if count == 0]
        result: list[int] = []
        while ready:
            node = ready.pop()
            result.append(node)
            for edge in self.edges[node]:
                degree[edge.target] -= 1
                if degree[edge.target] == 0:
                    ready.append(edge.target)
        return result if len(result) == len(self.states) else None

    def hopeless(self) -> set[int]:
        """Return the nodes from which neither an end nor a gap nor the unexplored can be reached: lines go round."""
        behind: list[list[int]] = [[] for _ in self.states]
        for out in self.edges:
            for edge in out:
                behind[edge.target].append(edge.source)
        ends = [node for node, out in enumerate(self.edges) if not out or node in self.final]
        good = set(ends)
        while ends:
            for node in behind[ends.pop()]:
                if node not in good:
                    good.add(node)
                    ends.append(node)
        return set(range(len(self.states))) - good

    def ends(self) -> Iterator[int]:
        """Yield the final and the stuck nodes."""
        yield from sorted(self.final | self.stuck)
