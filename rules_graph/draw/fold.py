"""A large graph made small enough to look at: parts of the book stand for what they hold."""

from __future__ import annotations

import networkx as nx

from rules_graph import graph as shape

__all__ = ["children_of", "fold", "parents_of"]


def parents_of(graph: nx.MultiDiGraph[str]) -> dict[str, str]:
    """Return what holds each node."""
    return {source: target for source, target, _ in shape.edges(graph, ("part_of",))}


def children_of(graph: nx.MultiDiGraph[str]) -> dict[str, list[str]]:
    """Return what each node holds, in the order of the book; the key "" holds the top."""
    parents = parents_of(graph)
    held: dict[str, list[str]] = {"": []}
    for key in graph:
        held.setdefault(parents.get(key, ""), []).append(key)
    return held


def fold(graph: nx.MultiDiGraph[str], limit: int) -> nx.MultiDiGraph[str]:
    """Return a graph of at most `limit` nodes, or of the topmost parts if these are more.

    Whole levels are unfolded while there is room. Edges between two parts are added up in ``count``; those
    inside one part vanish. The new attribute ``holds`` says how many nodes one stands for.
    """
    held = children_of(graph)
    shown: list[str] = list(held[""])
    while True:
        wider = [
            below
            for key in shown
            for below in (
                [key, *held[key]]
                if key in held and len(held[key]) <= limit / 2 and not _done(held, key, shown)
                else [key]
            )
        ]
        if len(wider) == len(shown) or len(wider) > limit:
            break
        shown = wider
    stands = _stand_ins(graph, shown)
    made: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    made.graph.update(graph.graph)
    for key in shown:
        made.add_node(key, **graph.nodes[key], holds=sum(one == key for one in stands.values()))
    for source, target, kind, data in graph.edges(keys=True, data=True):
        one, other = stands[source], stands[target]
        if one == other:
            continue
        if made.has_edge(one, other, kind):
            made.edges[one, other, kind]["count"] += data["count"]
        else:
            made.add_edge(one, other, key=kind, **data)
    return made


def _done(held: dict[str, list[str]], key: str, shown: list[str]) -> bool:
    """Tell whether a part is unfolded already: its first child stands in the picture."""
    return held[key][0] in set(shown)


def _stand_ins(graph: nx.MultiDiGraph[str], shown: list[str]) -> dict[str, str]:
    parents, there = parents_of(graph), set(shown)
    stands = {}
    for key in graph:
        above = key
        while above not in there:
            above = parents[above]
        stands[key] = above
    return stands
