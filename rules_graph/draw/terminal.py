"""The graph in a terminal: the book as a tree, exceptions as a ladder, a rule with its neighbours."""

from __future__ import annotations

import textwrap

import networkx as nx
from rich.console import Group, RenderableType
from rich.text import Text
from rich.tree import Tree as Branch

from rules_graph import graph as shape
from rules_graph.analyse import Tree
from rules_graph.draw import style

__all__ = ["around", "ladder", "name", "tree"]

_FEW = 24


def name(graph: nx.MultiDiGraph[str], key: str, lang: str, *, width: int = 70) -> Text:
    """Return a rule's number in bold and its title, or the beginning of its text."""
    node = graph.nodes[key]
    words = shape.title(graph, key, lang) or shape.text(graph, key, lang).partition("\n")[0]
    made = Text()
    if node["kind"] == "missing":
        made.append(node["number"] or key, style="bold red")
        return made.append("  not in this book" if lang != "ru" else "  в этой книге нет", style="red")
    made.append(node["number"], style="bold")
    if words:
        made.append("  " if node["number"] else "")
        made.append(textwrap.shorten(words, width, placeholder=" …"), style="" if node["number"] else "italic")
    return made if made.plain else Text(key)


def tree(graph: nx.MultiDiGraph[str], lang: str, *, root: str = "", depth: int = 2) -> RenderableType:
    """Return the book, or the part of it under `root`, as a tree `depth` levels deep."""
    children: dict[str, list[str]] = {}
    held = set()
    for source, target, _ in shape.edges(graph, ("part_of",)):
        children.setdefault(target, []).append(source)
        held.add(source)
    top = Branch(name(graph, root, lang) if root else Text(str(graph.graph["name"]), style="bold"))

    def grow(branch: Branch, keys: list[str], level: int) -> None:
        for key in keys:
            below = children.get(key, [])
            shown = name(graph, key, lang)
            if below and level == depth:
                shown.append(f"  ({len(below)})", style="dim")
            inner = branch.add(shown)
            if level < depth:
                grow(inner, below, level + 1)

    roots = children.get(root, []) if root else [key for key in graph if key not in held and _stands(graph, key)]
    grow(top, roots, 1)
    return top


def _stands(graph: nx.MultiDiGraph[str], key: str) -> bool:
    return bool(graph.nodes[key]["kind"] != "missing")


def around(graph: nx.MultiDiGraph[str], key: str, lang: str) -> RenderableType:
    """Return a rule's text and its neighbours by kind and direction."""
    top = Branch(name(graph, key, lang, width=100))
    for kind in shape.KINDS:
        for incoming in (True, False) if kind == "overrides" else (False, True):
            edges = graph.in_edges(key, keys=True) if incoming else graph.out_edges(key, keys=True)
            others = [edge[0] if incoming else edge[1] for edge in edges if edge[2] == kind]
            if others:
                words = style.phrase(kind, lang, incoming=incoming)
                branch = top.add(Text(f"{words} ({len(others)})", style=style.EDGES[kind].colour))
                for other in others[:_FEW]:
                    branch.add(name(graph, other, lang))
                if len(others) > _FEW:
                    branch.add(Text(f"… +{len(others) - _FEW}", style="dim"))
    text = shape.text(graph, key, lang)
    return Group(top, Text(), Text(text)) if text else top


def ladder(graph: nx.MultiDiGraph[str], found: Tree, lang: str) -> RenderableType:
    """Return the exceptions above a rule, each rung one that beats the rung below it."""
    rungs: list[Text] = []

    def climb(tree: Tree, level: int) -> None:
        for child in tree.children:
            climb(child, level + 1)
        rung = Text("    " * level)
        rung.append("┌─ " if level else "● ", style=style.EDGES["overrides"].colour)
        rung.append_text(name(graph, tree.rule, lang))
        if tree.again:
            rung.append("  ↻", style="dim")
        rungs.append(rung)

    climb(found, 0)
    return Group(*rungs)
