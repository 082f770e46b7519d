"""The part of a game's law that a question needs, as program text.

A law also says what its rules are called, how everything is put into words and what is printed on every card of the
sets; the moves of a position depend on little of that. A statement is kept if what it derives is asked for, by
a driver or by an engine, or is used by a statement that is kept. Of the catalogue, ``printed/3`` and ``defines/3``,
a position gets what it names, and what that names in turn. What is the same for every position of a game is found once
and kept between commands, see `bridge.cache`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from clingo import Symbol, SymbolType, ast

import asp
from bridge import cache

__all__ = ["NEEDED", "Law", "load"]

_JUDGED = """
fluent init slot in_set bookkeeping rule opening fault in_force reading put_aside
offers weighs forbids permits obliges legal actor add del wipe limit unknown clash conflict torn two_actors
"""
_TOLD = """
odds attempt refused needs put_off lifted because never tells prevented worth_telling untold unspoken unspoken_without
remark alias opened_at
"""
NEEDED = {"relax": _JUDGED.split(), "reached": _JUDGED.split(), "ask": (_JUDGED + _TOLD).split()}
"""For each driver that is served by a part of the law, the predicates that are read off the ground program."""

_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
_WORD = re.compile(r"\b_*[a-z]\w*\(?")
"""What may be a predicate or a name; the parenthesis tells those with arguments from the others."""
_HEAD = re.compile(r"-?(_*[a-z]\w*\(?)")
_ENTRY = re.compile(r"(?:printed|defines)\((_*[a-z]\w*|\([\w;]+\)),")
"""A fact of the catalogue, and the name of the printed card or the ability that it is about, or a pool of names."""


@dataclass(frozen=True, slots=True)
class Law:
    """The part of a law that serves a driver.

    ``rules`` is the program without the catalogue; ``catalogue`` maps a name, of a printed card or of an ability, to
    the facts about it, as a program, and to the names in these facts. ``always`` are the names in the rules.
    """

    rules: str
    catalogue: Mapping[str, tuple[str, tuple[str, ...]]]
    always: tuple[str, ...] = ()

    def program(self, facts: Iterable[Symbol]) -> str:
        """Return the program for a position: the rules, and the part of the catalogue that its facts name."""
        todo = [*self.always, *(name for fact in facts for name in _names(fact))]
        parts, seen = [self.rules], set[str]()
        while todo:
            name = todo.pop()
            if name not in seen and name in self.catalogue:
                text, names = self.catalogue[name]
                parts.append(text)
                todo += names
            seen.add(name)
        return "".join(parts)


def load(game: str, driver: str) -> Law:
    """Read the part of a game's law that serves a driver.

    Parameters
    ----------
    game
        The game's folder under ``asp``.
    driver
        One of `NEEDED`.

    Raises
    ------
    RuntimeError
        If the law is no program that clingo reads.
    """
    if not cache.is_ours():  # a law in the making may change between two looks at its files
        return _select(game, driver)
    return _load(game, driver, cache.fingerprint(game))


@lru_cache(maxsize=16)
def _load(game: str, driver: str, _fingerprint: str) -> Law:
    def make() -> str:
        law = _select(game, driver)
        return json.dumps([law.rules, law.catalogue, law.always], ensure_ascii=False)

    return cache.kept(game, f"law_{driver}", make, _read)


def _read(text: str) -> Law:
    rules, catalogue, always = json.loads(text)
    return Law(rules, {name: (part, tuple(names)) for name, (part, names) in catalogue.items()}, tuple(always))


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement of the law as text: what it derives (None if it is kept in any case), and all words in it."""

    text: str
    head: str | None
    words: frozenset[str]


def _select(game: str, driver: str) -> Law:
    statements = list(_statements(game))
    makers: dict[str | None, list[_Statement]] = {}
    for statement in statements:
        makers.setdefault(statement.head, []).append(statement)
    always = makers.pop(None, [])
    asked = (asp.ROOT / "drivers" / f"{driver}.lp").read_text(encoding="utf-8")
    todo = [*NEEDED[driver], *(f"{name}(" for name in NEEDED[driver]), *_WORD.findall(asked)]
    todo += [word for statement in always for word in statement.words]
    heads: set[str | None] = {None}
    while todo:
        word = todo.pop()
        if word not in heads:
            heads.add(word)
            todo += {other for statement in makers.get(word, ()) for other in statement.words}
    rules: list[str] = []
    entries: dict[str, list[str]] = {}
    for statement in statements:
        if statement.head not in heads:
            continue
        entry = None if ":-" in statement.text else _ENTRY.match(statement.text)
        if entry is None:
            rules.append(f"{statement.text}\n")
        for name in entry[1].strip("()").split(";") if entry else ():
            entries.setdefault(name, []).append(f"{statement.text}\n")
    catalogue = {name: ("".join(part), _named(part, entries)) for name, part in entries.items()}
    return Law("".join(rules), catalogue, _named(rules, entries))


def _named(part: Iterable[str], entries: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names of entries that occur in a part of a program."""
    return tuple(sorted({word for text in part for word in _WORD.findall(_TEXT.sub("", text)) if word in entries}))


def _statements(game: str) -> Iterator[_Statement]:
    """Yield the statements of a law. The text of clingo's syntax tree is read, which is faster to walk than the tree.

    A word in a body may be the name of a predicate or of a term; that a term is taken for a predicate only keeps more.
    """
    found: list[ast.AST] = []
    ast.parse_files([str(asp.ROOT / game / "game.lp")], found.append, logger=lambda code, text: None)
    for node in found:
        text = str(node)
        if text.startswith(("%", "#program", "#defined")):
            continue
        bare = _TEXT.sub('""', text)
        match = _HEAD.match(bare)
        head = match[1] if match else None
        before = bare.partition(":-")[0]
        unclear = head is not None and not {":", ";", "|"}.isdisjoint(before)
        if unclear and node.head.ast_type != ast.ASTType.Literal:
            head = None  # a disjunction or a condition, which the grammar does not have
        yield _Statement(text, head, frozenset(_WORD.findall(bare)))


def _names(symbol: Symbol) -> Iterator[str]:
    if symbol.type is SymbolType.Function:
        if not symbol.arguments:
            yield symbol.name
        for argument in symbol.arguments:
            yield from _names(argument)
