"""One HTML page that holds the whole graph and asks nothing of the network.

The page draws sections first, unfolds on demand, and shows the neighbourhood of a rule; ``page.js`` does the
drawing, so that what is folded costs nothing.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import networkx as nx

from rules_graph import graph as shape
from rules_graph.draw import style

__all__ = ["read_back", "to_html"]

_LEAVES = 170


def to_html(graph: nx.MultiDiGraph[str], *, lang: str = "en", focus: str = "") -> str:
    """Return the page.

    Parameters
    ----------
    lang
        The language that the page begins in.
    focus
        A rule whose neighbourhood is shown at first; empty for the ring.
    """
    parts = {
        "lang": lang,
        "title": _escape(str(graph.graph["name"])),
        "style": _file("page.css"),
        "script": _file("page.js"),
        # a text may hold "</script>": the slash is escaped, which JSON allows
        "data": json.dumps(_data(graph, lang, focus), ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/"),
    }
    page = _file("page.html")
    head, *rest = page.split("{{")
    made = [head]
    for piece in rest:
        key, _, after = piece.partition("}}")
        made += [parts[key], after]
    return "".join(made)


def _file(name: str) -> str:
    return resources.files("rules_graph.draw").joinpath(name).read_text(encoding="utf-8")


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _data(graph: nx.MultiDiGraph[str], lang: str, focus: str) -> dict[str, Any]:
    place = {key: position for position, key in enumerate(graph)}
    parent = {source: target for source, target, _ in shape.edges(graph, ("part_of",))}
    kinds = [kind for kind in shape.KINDS if kind != "part_of"]
    return {
        "name": graph.graph["name"],
        "lang": lang,
        "count": sum(node["kind"] in ("rule", "heading", "step") for _, node in graph.nodes(data=True)),
        "leaves": _LEAVES,
        "hues": style.SECTION_HUES,
        "focus": place.get(focus, -1),
        "kinds": kinds,
        "phrases": {
            each: {kind: (style.phrase(kind, each), style.phrase(kind, each, incoming=True)) for kind in kinds}
            for each in shape.LANGUAGES
        },
        "nodes": [_node(key, node, place.get(parent.get(key, ""), -1)) for key, node in graph.nodes(data=True)],
        "edges": [
            (place[one], place[other], kinds.index(str(data["kind"])), data["line"], data["evidence"])
            for one, other, data in graph.edges(data=True)
            if data["kind"] != "part_of"
        ],
    }


def _node(key: str, node: dict[str, Any], parent: int) -> dict[str, Any]:
    """Return a node with short keys, the empty ones left out: most of the page is this list."""
    made = {
        "ten": node["title_en"],
        "tru": node["title_ru"],
        "xen": node["text_en"],
        "xru": node["text_ru"],
        "f": node["file"],
        "l": node["line"],
        "e": node["examples"],
        "g": node["tags"],
    }
    return {"id": key, "k": node["kind"], "n": node["number"], "p": parent} | {
        name: value for name, value in made.items() if value
    }


def read_back(page: str) -> tuple[list[dict[str, Any]], list[tuple[str, str, str]]]:
    """Return the nodes and the edges (source, target, kind) that a page holds."""
    held = page.partition('<script type="application/json" id="data">')[2].partition("</script>")[0]
    data = json.loads(held)
    names = [node["id"] for node in data["nodes"]]
    edges = [(names[one], names[other], data["kinds"][kind]) for one, other, kind, _, _ in data["edges"]]
    edges += [(node["id"], names[node["p"]], "part_of") for node in data["nodes"] if node["p"] >= 0]
    return data["nodes"], edges
