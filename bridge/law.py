"""The part of a game's law that a question needs, as program text.

A law also says what its rules are called, how everything is put into words and what is printed on every card of the
sets; the moves of a position depend on little of that. A statement is kept if what it derives is asked for, by
a driver or by an engine, or is used by a statement that is kept. Of the catalogue, ``printed/3`` and ``defines/3``,
a position gets what it names, and what that names in turn. Of the rules it gets those that can have an instance in it,
see `bridge.possible`. What is the same for every position of a game is found once and kept between commands, see
`bridge.cache`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from clingo import Symbol, ast

import asp
from bridge import cache
from bridge.possible import Names, Outline, Pattern, Possible, Reader
from bridge.terms import plain_names

__all__ = ["DRIVERS", "NEEDED", "Entry", "Law", "load", "serves"]

DRIVERS = ("relax", "reached", "ask")
"""The drivers that are served by a part of the law."""

NEEDED = """
fluent init slot in_set bookkeeping rule opening fault in_force reading put_aside
offers weighs forbids permits obliges legal actor add del wipe limit unknown clash conflict torn two_actors
odds attempt refused needs put_off lifted because never tells prevented worth_telling untold unspoken unspoken_without
remark alias opened_at
""".split()  # noqa: SIM905
"""The predicates that are read off the ground program."""

_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
_WORD = re.compile(r"\b_*[a-z]\w*\(?")
"""What may be a predicate or a name; the parenthesis tells those with arguments from the others."""
_HEAD = re.compile(r"-?(_*[a-z]\w*\(?)")
_ENTRY = re.compile(r"(?:printed|defines)\((_*[a-z]\w*|\([\w;]+\)),")
"""A fact of the catalogue, and the name of the printed card or the ability that it is about, or a pool of names."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the catalogue says of one name: as a program, as patterns, and the other names in it."""

    text: str
    patterns: Sequence[Pattern]
    names: Sequence[str]


class Law:
    """The part of a law that questions need.

    Parameters
    ----------
    statements
        Its statements as text, the catalogue's left out.
    outlines
        Their outlines.
    drivers
        For each driver the outlines of its own statements, which come after those, and the groups of all of them, see
        `bridge.possible.Possible`.
    catalogue
        What is said of printed cards and of their abilities, by name.
    always
        The names in the statements.
    names
        The names that the outlines of `possible` know.
    """

    def __init__(
        self,
        statements: Sequence[str],
        outlines: Sequence[Outline],
        drivers: Mapping[str, tuple[Sequence[Outline], Sequence[Sequence[int]]]],
        catalogue: Mapping[str, Entry],
        always: Sequence[str],
        names: Names,
    ) -> None:
        self.statements, self.outlines, self.drivers = statements, outlines, drivers
        self.catalogue, self.always, self.names = catalogue, always, names
        self._possible: dict[str, Possible] = {}

    def possible(self, driver: str) -> Possible:
        """Return what finds the statements that can have an instance under a driver."""
        if driver not in self._possible:
            own, groups = self.drivers[driver]
            self._possible[driver] = Possible([*self.outlines, *own], groups)
        return self._possible[driver]

    def program(self, facts: Sequence[Symbol], driver: str, *, whole: bool = False) -> str:
        """Return the program for a position: its part of the rules and of the catalogue.

        Parameters
        ----------
        facts
            The position.
        driver
            One of `DRIVERS`.
        whole
            Whether rules that the facts alone give no instance are to be there, too.
        """
        entries = self._entries(facts)
        if whole:
            kept = self.statements
        else:
            patterns = [self.names.pattern(fact) for fact in facts]
            patterns += [pattern for entry in entries for pattern in entry.patterns]
            possible = self.possible(driver).rules(patterns)
            kept = [text for number, text in enumerate(self.statements) if number in possible]
        return "".join([*kept, *(entry.text for entry in entries)])

    def _entries(self, facts: Iterable[Symbol]) -> list[Entry]:
        """Return the part of the catalogue that facts name."""
        todo = [*self.always, *(name for fact in facts for name in plain_names(fact))]
        found: dict[str, Entry] = {}
        while todo:
            name = todo.pop()
            if name not in found and name in self.catalogue:
                found[name] = self.catalogue[name]
                todo += found[name].names
        return list(found.values())


def serves(driver: str | None) -> bool:
    """Whether a part of the law is to be had for a driver: finding it pays only where it can be kept."""
    return driver in DRIVERS and cache.keeps()


def load(game: str) -> Law:
    """Read the part of a game's law that questions need.

    Parameters
    ----------
    game
        The game's folder under ``asp``.

    Raises
    ------
    RuntimeError
        If the law is no program that clingo reads.
    """
    if not cache.is_ours():  # a law in the making may change between two looks at its files
        return _read(_select(game))
    return _load(game, cache.fingerprint(game))


@lru_cache(maxsize=8)
def _load(game: str, _fingerprint: str) -> Law:
    return cache.kept(game, "law", lambda: _select(game), _read)


def _read(text: str) -> Law:
    data = json.loads(text)
    outlines = [Outline(*outline) for outline in data["outlines"]]
    drivers = {driver: ([Outline(*one) for one in own], groups) for driver, (own, groups) in data["drivers"].items()}
    catalogue = {name: Entry(*entry) for name, entry in data["catalogue"].items()}
    return Law(data["statements"], outlines, drivers, catalogue, data["always"], Names(data["names"]))


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement of the law: what it derives (None if it is kept in any case), and all words in it."""

    node: ast.AST
    text: str
    head: str | None
    words: frozenset[str]


def _select(game: str) -> str:
    """Return the part of a law that questions need, as the JSON text that `_read` reads."""
    statements = list(_statements(_parsed(asp.ROOT / game / "game.lp")))
    drivers = {driver: list(_statements(_parsed(asp.ROOT / "drivers" / f"{driver}.lp"))) for driver in DRIVERS}
    own = [one for part in drivers.values() for one in part]
    kept = _needed([*statements, *own], NEEDED)
    rules: list[_Statement] = []
    entries: dict[str, list[_Statement]] = {}
    for one in statements:
        if one.head not in kept:
            continue
        entry = None if ":-" in one.text else _ENTRY.match(one.text)
        if entry is None:
            rules.append(one)
        for name in entry[1].strip("()").split(";") if entry else ():
            entries.setdefault(name, []).append(one)
    names = Names()
    reader = Reader(names, (one.node.name for one in statements if one.node.ast_type == ast.ASTType.Definition))
    outlines = reader.outlines([one.node for one in (*rules, *own)])
    of_driver = iter(outlines[len(rules) :])
    parts = {driver: [next(of_driver) for _ in part] for driver, part in drivers.items()}
    outlines = outlines[: len(rules)]
    catalogue = {
        name: (
            "".join(f"{one.text}\n" for one in part),
            reader.facts((one.text, one.node) for one in part),
            _named(part, entries),
        )
        for name, part in entries.items()
    }
    return json.dumps(
        {
            "statements": [f"{one.text}\n" for one in rules],
            "outlines": [_plain(outline) for outline in outlines],
            "drivers": {
                driver: ([_plain(outline) for outline in part], Possible([*outlines, *part]).groups)
                for driver, part in parts.items()
            },
            "catalogue": catalogue,
            "always": _named(rules, entries),
            "names": names.known,
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def _plain(outline: Outline) -> tuple[object, object, object]:
    return outline.heads, outline.body, outline.bound


def _needed(statements: Sequence[_Statement], asked: Iterable[str]) -> set[str | None]:
    """Return what the statements that are kept derive: what is asked for, and what derives it."""
    makers: dict[str | None, list[_Statement]] = {}
    for statement in statements:
        makers.setdefault(statement.head, []).append(statement)
    todo = [*asked, *(f"{name}(" for name in asked)]
    todo += [word for statement in makers.pop(None, ()) for word in statement.words]
    kept: set[str | None] = {None}
    while todo:
        word = todo.pop()
        if word not in kept:
            kept.add(word)
            todo += {other for statement in makers.get(word, ()) for other in statement.words}
    return kept


def _named(part: Iterable[_Statement], entries: Mapping[str, object]) -> list[str]:
    """Return the names of entries that occur in statements."""
    return sorted({word for one in part for word in one.words if word in entries})


def _parsed(path: Path) -> list[ast.AST]:
    found: list[ast.AST] = []
    ast.parse_files([str(path)], found.append, logger=lambda code, text: None)
    return found


def _statements(nodes: Iterable[ast.AST]) -> Iterator[_Statement]:
    """Yield statements that do something. The text of the syntax tree is read, which is faster to walk than the tree.

    A word in a body may be the name of a predicate or of a term; that a term is taken for a predicate only keeps more.
    """
    for node in nodes:
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
        yield _Statement(node, text, head, frozenset(_WORD.findall(bare)))
