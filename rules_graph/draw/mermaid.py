"""Mermaid, which Git hosts and many editors draw inside Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import networkx as nx

from rules_graph.draw import style
from rules_graph.draw.dot import DRAWN, label

__all__ = ["to_mermaid"]

_ARROWS = {"overrides": "==>", "refers": "-->", "depends": "-.->", "see_also": "-.->", "part_of": "---"}
_ENTITIES = {"#": "#35;", "&": "#38;", '"': "#34;", "<": "#60;", ">": "#62;", "`": "#96;", "\n": "<br/>"}


def to_mermaid(graph: nx.MultiDiGraph[str], *, lang: str = "en", kinds: Sequence[str] = DRAWN) -> str:
    """Return a graph as a Mermaid flowchart; the ids of the rules stand in comments."""
    return "\n".join(_lines(graph, lang, kinds)) + "\n"


def _escape(text: str) -> str:
    return "".join(_ENTITIES.get(char, char) for char in text if char == "\n" or char.isprintable())


def _lines(graph: nx.MultiDiGraph[str], lang: str, kinds: Sequence[str]) -> Iterator[str]:
    yield "flowchart LR"
    names = {key: f"n{place}" for place, key in enumerate(graph)}
    sections: dict[str, list[str]] = {}
    for key, node in graph.nodes(data=True):
        sections.setdefault(str(node["section"]), []).append(key)
    for place, (section, keys) in enumerate(sections.items()):
        framed = bool(section) and len(sections) > 1
        if framed:
            yield f'  subgraph s{place}["{_escape(section.rpartition("/")[2])}"]'
        for key in keys:
            shown = _escape(label(graph, key, lang))
            yield f'    {names[key]}["{shown}"]'
            yield f"    %% {names[key]} = {_escape(key)}"
        if framed:
            yield "  end"
    colours: dict[str, list[str]] = {}
    drawn = [(one, other, data["kind"]) for one, other, data in graph.edges(data=True) if data["kind"] in kinds]
    for place, (one, other, kind) in enumerate(drawn):
        yield f"  {names[one]} {_ARROWS[kind]}|{style.EDGES[kind].en}| {names[other]}"
        colours.setdefault(style.EDGES[kind].colour, []).append(str(place))
    for colour, places in colours.items():
        yield f"  linkStyle {','.join(places)} stroke:{colour}"
