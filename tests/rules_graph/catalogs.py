"""Catalogs from rule files in a folder of a test, read as `bridge.catalog.load` reads the shipped ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from clingo import ast

from bridge.catalog import Catalog, Edge, Rule


def catalog_of(root: Path, game: str) -> Catalog:
    """Read the rules of the folder `root`/`game`."""
    facts: dict[str, dict[str, dict[str, str]]] = {}
    places: dict[str, tuple[str, int]] = {}
    edges: list[Edge] = []
    files = tuple(sorted((root / game).rglob("*.lp")))
    for path in files:
        name = path.relative_to(root).as_posix()
        for atom, line in _facts(path):
            if not atom.arguments or str(atom.arguments[0]).partition("(")[0] != game:
                continue
            rule = f"{game}:{_text(atom.arguments[0].arguments[0])}"
            if atom.name == "rule":
                places[rule] = (name, line)
            elif atom.name in ("title", "text"):
                row = facts.setdefault(rule, {"title": {}, "text": {}})
                row[atom.name][str(atom.arguments[1])] = _text(atom.arguments[2])
            elif atom.name in ("refers", "overrides"):
                target = f"{game}:{_text(atom.arguments[1].arguments[0])}"
                edges.append(Edge(rule, target, atom.name, name, line))
    empty: dict[str, dict[str, str]] = {"title": {}, "text": {}}
    rules = {
        rule: Rule(
            id=rule,
            game=game,
            number=rule.partition(":")[2],
            titles=facts.get(rule, empty)["title"],
            texts=facts.get(rule, empty)["text"],
            source=None,
            file=file,
            line=line,
            refers=tuple(edge.target for edge in edges if edge.source == rule and edge.kind == "refers"),
            overrides=tuple(edge.target for edge in edges if edge.source == rule and edge.kind == "overrides"),
        )
        for rule, (file, line) in places.items()
    }
    return Catalog(game, rules, tuple(edges), files)


def _facts(path: Path) -> Iterator[tuple[ast.AST, int]]:
    found: list[tuple[ast.AST, int]] = []

    def take(statement: ast.AST) -> None:
        if statement.ast_type == ast.ASTType.Rule and not statement.body:
            head = statement.head
            if head.ast_type == ast.ASTType.Literal and head.atom.ast_type == ast.ASTType.SymbolicAtom:
                found.append((head.atom.symbol, statement.location.begin.line))

    text = "\n".join(
        "" if line.startswith("#include") else line for line in path.read_text(encoding="utf-8").split("\n")
    )
    ast.parse_string(text, take)
    return iter(found)


def _text(term: ast.AST) -> str:
    return str(term.symbol.string)
