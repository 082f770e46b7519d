"""Graphviz's language: rules as boxes in the frame of their section, edges by kind."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

import networkx as nx

from rules_graph import graph as shape
from rules_graph.draw import style

__all__ = ["DRAWN", "label", "quote", "to_dot"]

#: The kinds that a picture shows as arrows; ``part_of`` is shown by the frames.
DRAWN = ("overrides", "refers", "depends", "see_also")


def quote(text: str) -> str:
    """Return `text` as a quoted string of the language."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\0", "") + '"'


def label(graph: nx.MultiDiGraph[str], key: str, lang: str, *, width: int = 22) -> str:
    """Return what stands in the box of a rule: its number, and under it its title in at most three lines."""
    node = graph.nodes[key]
    title = shape.title(graph, key, lang)
    if not title and node["kind"] == "rule":
        title = textwrap.shorten(shape.text(graph, key, lang), 48, placeholder=" …")
    rows = textwrap.wrap(title, width)[:3]
    return "\n".join(row for row in (node["number"], *rows) if row) or key


def to_dot(
    graph: nx.MultiDiGraph[str],
    *,
    lang: str = "en",
    kinds: Sequence[str] = DRAWN,
    focus: str = "",
    rankdir: str = "LR",
    weights: bool = False,
) -> str:
    """Return a graph in Graphviz's language.

    Parameters
    ----------
    kinds
        The kinds of edges to draw, ``part_of`` included if wanted.
    focus
        A rule to set off from the others.
    rankdir
        ``LR`` or ``TB``.
    weights
        Draw an edge the wider the more references it stands for.
    """
    return "\n".join(_lines(graph, lang, kinds, focus=focus, rankdir=rankdir, weights=weights)) + "\n"


def _lines(
    graph: nx.MultiDiGraph[str], lang: str, kinds: Sequence[str], *, focus: str, rankdir: str, weights: bool
) -> Iterator[str]:
    yield f"digraph {quote(str(graph.graph.get('name', 'rules')))} {{"
    yield f'  graph [rankdir={rankdir}, bgcolor="{style.PAPER}", fontname="Helvetica", fontsize=13, pad=0.3,'
    yield "         nodesep=0.16, ranksep=0.55, splines=true, newrank=true, compound=true];"
    yield '  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=11, margin="0.12,0.06",'
    yield f'        color="#aab4bf", fillcolor="#ffffff", fontcolor="{style.INK}", height=0.3];'
    yield '  edge [arrowsize=0.6, fontname="Helvetica", fontsize=9];'
    groups = _groups(graph)
    for place, (section, keys) in enumerate(groups.items()):
        framed = bool(section) and len(groups) > 1 and len(keys) > 1
        if framed:
            tone = style.colour_of_section(place, lightness=96, saturation=60)
            yield f"  subgraph {quote(f'cluster_{place}')} {{"
            yield f'    graph [label={quote(_section(graph, section, lang))}, style="rounded,filled",'
            yield f'           color="{tone}", fillcolor="{tone}", labeljust=l,'
            yield f'           fontcolor="{style.colour_of_section(place, lightness=35)}"];'
        for key in keys:
            yield "    " + _node(graph, key, lang, place, key == focus)
        if framed:
            yield "  }"
    for one, other, data in graph.edges(data=True):
        if data["kind"] in kinds:
            yield "  " + _edge(one, other, data, weights)
    yield "}"


def _groups(graph: nx.MultiDiGraph[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for key, node in graph.nodes(data=True):
        groups.setdefault(str(node["section"]), []).append(key)
    return groups


def _section(graph: nx.MultiDiGraph[str], section: str, lang: str) -> str:
    if section not in graph:
        return section.rpartition("/")[2].replace("_", " ")
    title = shape.title(graph, section, lang) or section
    return f"{graph.nodes[section]['number']} {title}".strip()


def _node(graph: nx.MultiDiGraph[str], key: str, lang: str, place: int, focus: bool) -> str:
    node = graph.nodes[key]
    values = {"label": label(graph, key, lang), "kind": node["kind"], "number": node["number"]}
    values["tooltip"] = textwrap.shorten(shape.text(graph, key, lang), 240, placeholder=" …") or key
    if focus:
        values |= {"fillcolor": style.colour_of_section(place, lightness=42), "fontcolor": "#ffffff"}
        values |= {"penwidth": "0", "fontsize": "13"}
    elif node["kind"] == "missing":
        values |= {"style": "rounded,dashed", "color": style.EDGES["overrides"].colour}
    else:
        values["color"] = style.colour_of_section(place, lightness=65)
    return f"{quote(key)} [{', '.join(f'{name}={quote(str(value))}' for name, value in values.items())}];"


def _edge(one: str, other: str, data: dict[str, object], weights: bool) -> str:
    kind = str(data["kind"])
    look = style.EDGES[kind]
    width = look.width if not weights else min(6.0, 0.8 + int(str(data["count"])) ** 0.5 * 0.6)
    values = {"kind": kind, "color": look.colour, "penwidth": f"{width:g}"}
    values["tooltip"] = f"{one} {look.en} {other}: {textwrap.shorten(str(data['evidence']), 200)}"
    if look.dash:
        values["style"] = "dashed" if kind == "depends" else "dotted"
    if kind in ("depends", "see_also", "part_of"):
        values["constraint"] = "false" if kind == "see_also" else "true"
    listed = ", ".join(f"{name}={quote(value)}" for name, value in values.items())
    return f"{quote(one)} -> {quote(other)} [{listed}];"
