"""Questions to a rule graph: neighbours, paths, impact, reading order, cycles, exceptions, weight, groups."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import networkx as nx

from rules_graph import graph as shape
from rules_graph.numbering import sort_key

__all__ = [
    "Impact",
    "Step",
    "Tree",
    "centrality",
    "communities",
    "cycles",
    "impact",
    "ladder",
    "neighbourhood",
    "paths",
    "reading_order",
    "step",
    "unreferenced",
]

#: The kinds along which one rule leans on another.
LEANS = ("refers", "depends", "see_also")


@dataclass(frozen=True)
class Step:
    """One edge of an answer: from a rule to a rule, of a kind, with its evidence."""

    source: str
    target: str
    kind: str
    file: str
    line: int
    evidence: str


@dataclass(frozen=True)
class Impact:
    """A rule that a change may touch: how far away it is and through which step it is reached."""

    rule: str
    distance: int
    through: Step


@dataclass(frozen=True)
class Tree:
    """A rule and, under it, those that override it; `again` marks one that is shown elsewhere."""

    rule: str
    children: tuple[Tree, ...] = ()
    again: bool = False


def step(source: str, target: str, data: Mapping[str, object]) -> Step:
    """Return an edge of a graph as a step of an answer."""
    return Step(source, target, str(data["kind"]), str(data["file"]), int(str(data["line"])), str(data["evidence"]))


def _order(rules: Iterable[str]) -> list[str]:
    return sorted(rules, key=lambda rule: (sort_key(rule.rpartition(":")[2]), rule))


def _plain(graph: nx.MultiDiGraph[str], kinds: Iterable[str]) -> nx.DiGraph[str]:
    """Return the graph of some kinds of edges, without parallels; all nodes are kept."""
    made: nx.DiGraph[str] = nx.DiGraph()
    made.add_nodes_from(graph)
    made.add_edges_from((source, target) for source, target, _ in shape.edges(graph, kinds))
    return made


def neighbourhood(
    graph: nx.MultiDiGraph[str], rule: str, *, depth: int = 1, kinds: Sequence[str] = shape.KINDS
) -> nx.MultiDiGraph[str]:
    """Return the part of a graph within `depth` edges of a rule, in both directions.

    Edges between two neighbours are kept too; `part_of` does not lead further, since everything would be
    near.
    """
    reached, edge_of = {rule}, {rule}
    walked = [kind for kind in kinds if kind != "part_of"]
    plain = _plain(graph, walked)
    for _ in range(depth):
        edge_of = {other for one in edge_of for other in (*plain.successors(one), *plain.predecessors(one))} - reached
        reached |= edge_of
    part: nx.MultiDiGraph[str] = graph.subgraph(reached).copy()
    part.remove_edges_from([edge for edge in part.edges(keys=True) if edge[2] not in kinds])
    return part


def paths(
    graph: nx.MultiDiGraph[str],
    source: str,
    target: str,
    *,
    kinds: Sequence[str] = ("refers", "overrides", "depends", "see_also"),
    limit: int = 5,
) -> tuple[tuple[Step, ...], ...]:
    """Return the shortest paths from one rule to another, at most `limit`; empty where there is none."""
    plain = _plain(graph, kinds)
    if source == target or not nx.has_path(plain, source, target):
        return ()
    found = []
    for nodes in nx.all_shortest_paths(plain, source, target):
        found.append(tuple(_between(graph, one, other, kinds) for one, other in itertools.pairwise(nodes)))
        if len(found) == limit:
            break
    return tuple(found)


def _between(graph: nx.MultiDiGraph[str], source: str, target: str, kinds: Sequence[str]) -> Step:
    """Return the strongest edge between two rules, in the order of ``KINDS``."""
    kind = next(kind for kind in shape.KINDS if kind in kinds and graph.has_edge(source, target, kind))
    return step(source, target, graph.edges[source, target, kind])


def impact(graph: nx.MultiDiGraph[str], rule: str, *, depth: int = 0) -> tuple[Impact, ...]:
    """Return what a change of a rule may touch, the nearest first.

    A rule is touched where it refers to, depends on or is part of a touched rule, or is overridden by one.

    Parameters
    ----------
    depth
        How far to look; 0 for as far as it goes.
    """
    touched: dict[str, Impact] = {}
    frontier, distance = [rule], 0
    while frontier and (depth == 0 or distance < depth):
        distance += 1
        reached: list[str] = []
        for one in frontier:
            for other, step in _touches(graph, one):
                if other != rule and other not in touched:
                    touched[other] = Impact(other, distance, step)
                    reached.append(other)
        frontier = reached
    return tuple(
        sorted(
            touched.values(),
            key=lambda each: (each.distance, sort_key(each.rule.rpartition(":")[2]), each.rule),
        )
    )


def _touches(graph: nx.MultiDiGraph[str], rule: str) -> Iterator[tuple[str, Step]]:
    for source, _, kind, data in graph.in_edges(rule, keys=True, data=True):
        if kind in LEANS:
            yield source, step(source, rule, data)
    for _, target, kind, data in graph.out_edges(rule, keys=True, data=True):
        if kind == "overrides":
            yield target, step(rule, target, data)


def reading_order(graph: nx.MultiDiGraph[str], rule: str, *, depth: int = 0) -> tuple[tuple[str, ...], ...]:
    """Return what must be read to apply a rule, in order, the rule itself last.

    What a rule refers to or depends on is read before it, and what overrides it after, but before the end.
    Rules that lean on one another stand together.
    """
    plain: nx.DiGraph[str] = nx.DiGraph()
    plain.add_node(rule)
    frontier, distance = [rule], 0
    while frontier and (depth == 0 or distance < depth):
        distance += 1
        reached = []
        for one in frontier:
            for other in _needed(graph, one):
                if other not in plain:
                    reached.append(other)
                if other != one:
                    plain.add_edge(other, one)
        frontier = _order(set(reached))
    condensed = nx.condensation(plain)
    order = nx.lexicographical_topological_sort(
        condensed, key=lambda part: sort_key(_order(condensed.nodes[part]["members"])[0].rpartition(":")[2])
    )
    return tuple(tuple(_order(condensed.nodes[part]["members"])) for part in order)


def _needed(graph: nx.MultiDiGraph[str], rule: str) -> list[str]:
    """Return what a reader of a rule has to know: what it leans on and what overrides it."""
    leans = [target for _, target, kind in graph.out_edges(rule, keys=True) if kind in LEANS]
    beaten = [source for source, _, kind in graph.in_edges(rule, keys=True) if kind == "overrides"]
    return _order({other for other in (*leans, *beaten) if graph.nodes[other]["kind"] != "missing"})


def cycles(
    graph: nx.MultiDiGraph[str], kinds: Sequence[str] = ("refers",), *, limit: int = 1000
) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """Return the circles of some kinds of edges, the shortest first, and whether `limit` cut the list.

    Each circle begins with its lowest rule. A rule that refers to itself is a circle of one.
    """
    plain = _plain(graph, kinds)
    found: list[tuple[str, ...]] = []
    for part in sorted(nx.strongly_connected_components(plain), key=len):
        if len(part) == 1 and not any(plain.has_edge(rule, rule) for rule in part):
            continue
        for circle in nx.simple_cycles(plain.subgraph(part)):
            if len(found) == limit:
                return _sorted_circles(found), True
            lowest = circle.index(_order(circle)[0])
            found.append((*circle[lowest:], *circle[:lowest]))
    return _sorted_circles(found), False


def _sorted_circles(circles: list[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        sorted(circles, key=lambda circle: (len(circle), [sort_key(rule.rpartition(":")[2]) for rule in circle]))
    )


def ladder(graph: nx.MultiDiGraph[str], rule: str, *, below: bool = False) -> Tree:
    """Return the exceptions above a rule and the exceptions to these, or with `below` what it overrides."""
    seen: set[str] = set()

    def grow(one: str) -> Tree:
        if one in seen:
            return Tree(one, (), again=True)
        seen.add(one)
        edges = graph.out_edges(one, keys=True) if below else graph.in_edges(one, keys=True)
        others = {edge[1] if below else edge[0] for edge in edges if edge[2] == "overrides"}
        return Tree(one, tuple(grow(other) for other in _order(others)))

    return grow(rule)


def centrality(graph: nx.MultiDiGraph[str], *, damping: float = 0.85, rounds: int = 60) -> dict[str, float]:
    """Return how much the rules lean on each rule: PageRank over ``refers``, ``depends`` and ``see_also``.

    The power iteration is written out, since that of networkx asks for SciPy. The values add up to 1.
    """
    plain = _plain(graph, LEANS)
    count = len(plain)
    if not count:
        return {}
    rank = dict.fromkeys(plain, 1 / count)
    for _ in range(rounds):
        loose = sum(rank[rule] for rule in plain if not plain.out_degree(rule))
        fresh = dict.fromkeys(plain, (1 - damping + damping * loose) / count)
        for rule in plain:
            for other in plain.successors(rule):
                fresh[other] += damping * rank[rule] / plain.out_degree(rule)
        rank = fresh
    return dict(sorted(rank.items(), key=lambda pair: (-pair[1], pair[0])))


def communities(graph: nx.MultiDiGraph[str], *, seed: int = 0) -> tuple[tuple[str, ...], ...]:
    """Return groups of rules that lean on one another more than on the rest (Louvain), the largest first."""
    plain = _plain(graph, (*LEANS, "overrides")).to_undirected()
    plain.remove_nodes_from([rule for rule, degree in dict(plain.degree()).items() if degree == 0])
    if not plain.number_of_edges():
        return ()
    found = nx.community.louvain_communities(plain, seed=seed)
    return tuple(sorted((tuple(_order(part)) for part in found), key=lambda part: (-len(part), part)))


def unreferenced(graph: nx.MultiDiGraph[str]) -> tuple[str, ...]:
    """Return the rules that no other refers to or depends on, in the order of the book.

    A rule that holds others is not among them if one of those is referred to.
    """
    named = {target for source, target, _ in shape.edges(graph, LEANS) if source != target}
    for rule in list(named):
        above = rule
        while (parent := _parent(graph, above)) and parent not in named:
            named.add(parent)
            above = parent
    return tuple(rule for rule, node in graph.nodes(data=True) if node["kind"] == "rule" and rule not in named)


def _parent(graph: nx.MultiDiGraph[str], rule: str) -> str:
    return next((target for _, target, kind in graph.out_edges(rule, keys=True) if kind == "part_of"), "")
