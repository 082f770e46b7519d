"""Files for other programs: GraphML, JSON for Cytoscape, and our own plain JSON; each can be read back."""

from __future__ import annotations

import json
import re
from typing import Any

import networkx as nx

from rules_graph import graph as shape

__all__ = [
    "SCHEMA",
    "from_cytoscape",
    "from_graphml",
    "from_json",
    "to_cytoscape",
    "to_graphml",
    "to_json",
]

#: The version of the plain JSON.
SCHEMA = "lawspeaker.rules/1"

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_json(graph: nx.MultiDiGraph[str]) -> str:
    """Return a graph as JSON with the keys ``schema``, ``graph``, ``nodes`` and ``edges``."""
    document = {
        "schema": SCHEMA,
        "graph": dict(graph.graph),
        "nodes": [{"id": key, **node} for key, node in graph.nodes(data=True)],
        "edges": [{"source": one, "target": other, **data} for one, other, data in graph.edges(data=True)],
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def from_json(text: str) -> nx.MultiDiGraph[str]:
    """Read a graph that `to_json` wrote."""
    document = json.loads(text)
    made: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    made.graph.update(document["graph"])
    for node in document["nodes"]:
        made.add_node(node.pop("id"), **node)
    for edge in document["edges"]:
        made.add_edge(edge.pop("source"), edge.pop("target"), key=edge["kind"], **edge)
    return made


def to_cytoscape(graph: nx.MultiDiGraph[str], lang: str = "en") -> str:
    """Return a graph as Cytoscape.js JSON; a label is added to each element."""
    nodes = [{"data": {"id": key, "label": _label(graph, key, lang), **node}} for key, node in graph.nodes(data=True)]
    edges = [
        {"data": {"id": f"e{place}", "source": one, "target": other, "label": data["kind"], **data}}
        for place, (one, other, data) in enumerate(graph.edges(data=True))
    ]
    document = {
        "format_version": "1.0",
        "generated_by": "lawspeaker",
        "data": dict(graph.graph),
        "elements": {"nodes": nodes, "edges": edges},
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def _label(graph: nx.MultiDiGraph[str], key: str, lang: str) -> str:
    number, title = graph.nodes[key]["number"], shape.title(graph, key, lang)
    return " ".join(part for part in (number, title) if part) or key


def from_cytoscape(text: str) -> nx.MultiDiGraph[str]:
    """Read a graph that `to_cytoscape` wrote."""
    document = json.loads(text)
    made: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    made.graph.update(document["data"])
    for element in document["elements"]["nodes"]:
        data = {key: value for key, value in element["data"].items() if key not in ("id", "label")}
        made.add_node(element["data"]["id"], **data)
    for element in document["elements"]["edges"]:
        data = {key: value for key, value in element["data"].items() if key not in ("id", "label", "source", "target")}
        made.add_edge(element["data"]["source"], element["data"]["target"], key=data["kind"], **data)
    return made


def to_graphml(graph: nx.MultiDiGraph[str]) -> str:
    """Return a graph as GraphML; characters that XML does not allow become U+FFFD."""
    made: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    made.graph.update({key: _xml(value) for key, value in graph.graph.items()})
    for key, node in graph.nodes(data=True):
        made.add_node(_xml(key), **{name: _xml(value) for name, value in node.items()})
    for place, (one, other, data) in enumerate(graph.edges(data=True)):
        values = {name: _xml(value) for name, value in data.items()}
        made.add_edge(_xml(one), _xml(other), key=f"e{place}", **values)
    return "\n".join(nx.generate_graphml(made))


def _xml(value: Any) -> Any:
    return _NOT_XML.sub("\ufffd", value) if isinstance(value, str) else value


def from_graphml(text: str) -> nx.MultiDiGraph[str]:
    """Read a graph that `to_graphml` wrote."""
    read = nx.parse_graphml(text, force_multigraph=True)
    made: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    made.graph.update({key: value or "" for key, value in read.graph.items() if not key.endswith("default")})
    for key, node in read.nodes(data=True):
        made.add_node(key, **_whole(node))
    for one, other, data in read.edges(data=True):
        values = _whole(data)
        values.pop("id", None)
        made.add_edge(one, other, key=values["kind"], **values)
    return made


def _whole(values: dict[str, Any]) -> dict[str, Any]:
    """Give back the empty strings, which the reader takes for nothing."""
    return {key: "" if value is None else value for key, value in values.items()}
