"""The shape of every rule graph: which attributes nodes and edges carry, and how a rule is found by its name.

Nodes
    ``kind`` (``rule``, ``section``, ``heading``, ``term``, ``step``, ``missing``), ``number``, ``section``
    (the id of the topmost node that holds it), ``title_en``, ``title_ru``, ``text_en``, ``text_ru``,
    ``file``, ``line`` (0 where unknown), ``examples`` (one string, a blank line between two), ``tags``
    (``prohibition: cannot; …``).
Edges
    The key and the attribute ``kind`` are one of ``KINDS``; ``file``, ``line``, ``evidence`` (the words of
    the book or the terms of the code), ``form`` (how a reference is written), ``count`` (how often it is
    said).

All values are strings or whole numbers, so that a graph survives every export unchanged.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence

import networkx as nx

from bridge.errors import RulebookError

__all__ = ["KINDS", "NODE_KINDS", "add_edge", "add_rule", "edges", "new", "resolve", "text", "title"]

KINDS = ("overrides", "refers", "depends", "see_also", "part_of")
NODE_KINDS = ("section", "rule", "heading", "term", "step", "missing")
LANGUAGES = ("en", "ru")


def new(name: str, *, language: str, source: str, profile: str = "") -> nx.MultiDiGraph[str]:
    """Return an empty graph; `source` says whether it was made from a ``catalog`` or a ``rulebook``."""
    made: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    made.graph.update(name=name, language=language, source=source, profile=profile)
    return made


def add_rule(
    graph: nx.MultiDiGraph[str],
    key: str,
    *,
    kind: str,
    number: str,
    section: str,
    titles: Mapping[str, str],
    texts: Mapping[str, str],
    file: str = "",
    line: int = 0,
    examples: Sequence[str] = (),
    tags: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Add a node with every attribute that a rule has."""
    graph.add_node(
        key,
        kind=kind,
        number=number,
        section=section,
        file=file,
        line=line,
        examples="\n\n".join(examples),
        tags="; ".join(f"{meaning}: {', '.join(words)}" for meaning, words in (tags or {}).items()),
        **{f"title_{lang}": titles.get(lang, "") for lang in LANGUAGES},
        **{f"text_{lang}": texts.get(lang, "") for lang in LANGUAGES},
    )


def add_edge(
    graph: nx.MultiDiGraph[str],
    source: str,
    target: str,
    kind: str,
    *,
    file: str = "",
    line: int = 0,
    evidence: str = "",
    form: str = "",
) -> None:
    """Add an edge; the second of a kind between two rules only counts, and adds its evidence to the first."""
    if graph.has_edge(source, target, kind):
        there = graph.edges[source, target, kind]
        there["count"] += 1
        if evidence and evidence not in there["evidence"].split(" | "):
            there["evidence"] = f"{there['evidence']} | {evidence}" if there["evidence"] else evidence
        return
    graph.add_edge(source, target, key=kind, kind=kind, file=file, line=line, evidence=evidence, form=form, count=1)


def edges(graph: nx.MultiDiGraph[str], kinds: Iterable[str]) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Yield the edges of some kinds as (source, target, attributes), in the order of the graph."""
    wanted = frozenset(kinds)
    for source, target, kind, data in graph.edges(keys=True, data=True):
        if kind in wanted:
            yield source, target, data


def title(graph: nx.MultiDiGraph[str], key: str, lang: str) -> str:
    """Return the title of a node in a language, else in the other, else nothing."""
    node = graph.nodes[key]
    return node.get(f"title_{lang}") or node.get("title_en") or node.get("title_ru") or ""


def text(graph: nx.MultiDiGraph[str], key: str, lang: str) -> str:
    """Return the text of a node in a language, else in the other, else nothing."""
    node = graph.nodes[key]
    return node.get(f"text_{lang}") or node.get("text_en") or node.get("text_ru") or ""


def resolve(graph: nx.MultiDiGraph[str], name: str) -> str:
    """Find a rule by what a person would write: id, number, ``game:number``, or its title.

    Raises
    ------
    RulebookError
        Where nothing or more than one rule is so called; the message names the nearest.
    """
    if name in graph:
        return name
    wanted = name.strip().casefold().rstrip(".")
    found = [
        key
        for key, node in graph.nodes(data=True)
        if wanted in (key.casefold(), str(node["number"]).casefold(), key.casefold().partition(":")[2])
    ] or [
        key
        for key, node in graph.nodes(data=True)
        if wanted in (node["title_en"].casefold(), node["title_ru"].casefold(), *_also(node["tags"]))
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise RulebookError(f"{name}: more than one rule is so called: {', '.join(sorted(found)[:8])}")
    near = difflib.get_close_matches(name, _names(graph), n=4, cutoff=0.6)
    hint = f"; near it: {', '.join(near)}" if near else ""
    raise RulebookError(f"{name}: no rule of {graph.graph['name']} has this number or title{hint}")


def _also(tags: str) -> list[str]:
    """Return what a rule is also called, out of its tags."""
    for tag in tags.split("; "):
        meaning, _, words = tag.partition(": ")
        if meaning == "also":
            return [word.casefold() for word in words.split(", ")]
    return []


def _names(graph: nx.MultiDiGraph[str]) -> list[str]:
    names: dict[str, None] = {}
    for key, node in graph.nodes(data=True):
        for name in (key, str(node["number"]), node["title_en"], node["title_ru"]):
            if name:
                names[name] = None
    return list(names)
