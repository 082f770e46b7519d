"""The catalog: what every rule file says of itself.

A rule file is an ASP program whose facts ``rule/1``, ``title/3``, ``text/3``, ``source/3``, ``refers/2``,
``overrides/2`` and ``reads/3`` describe the rule; ``no_rule/1`` names a number that is none. The catalog reads these
facts through clingo's syntax tree; it grounds nothing, so it works on a rule file that stands alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from clingo import Function, Symbol, SymbolType, ast

import asp
from bridge.errors import RuleError

__all__ = ["Catalog", "Edge", "Gap", "Reading", "Rule", "games", "load", "rule_id"]


@dataclass(frozen=True, slots=True)
class Edge:
    """One ``refers`` or ``overrides`` fact and where it stands."""

    source: str
    target: str
    kind: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of an ambiguous rule.

    ``name`` is what a user writes, ``default`` is true for the meaning that holds unless another is chosen;
    ``question`` is what it answers, as ``X5``, or empty; of the readings of one question one holds.
    """

    rule: str
    name: str
    default: bool
    text: Mapping[str, str] = field(default_factory=dict)
    question: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered provision of a rulebook.

    ``id`` is ``game:number``; ``titles`` and ``texts`` are keyed by language (``en``, ``ru``); ``source`` names book
    and version; ``file`` is relative to the folder ``asp``; ``line`` is that of the ``rule`` fact.
    """

    id: str
    game: str
    number: str
    titles: Mapping[str, str]
    texts: Mapping[str, str]
    source: tuple[str, str] | None
    file: str
    line: int
    refers: tuple[str, ...] = ()
    overrides: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()

    def title(self, lang: str) -> str:
        """Return the title in `lang`, in English where it has none, or the number."""
        return self.titles.get(lang) or self.titles.get("en") or self.number

    def text(self, lang: str) -> str:
        """Return the text in `lang`, in English where it has none."""
        return self.texts.get(lang) or self.texts.get("en") or ""


@dataclass(frozen=True, slots=True)
class Gap:
    """A number that may be looked for and is no rule's: skipped by the rulebook, or printed on several rules.

    ``stands_for`` names the rules that may be meant.
    """

    id: str
    game: str
    number: str
    titles: Mapping[str, str]
    texts: Mapping[str, str]
    file: str
    line: int
    stands_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Catalog:
    """All rules of one game, in the order of its files, and the numbers that are none."""

    game: str
    rules: Mapping[str, Rule]
    edges: tuple[Edge, ...]
    files: tuple[Path, ...]
    gaps: tuple[Gap, ...] = ()

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules.values())

    def __len__(self) -> int:
        return len(self.rules)

    def __contains__(self, key: object) -> bool:
        return key in self.rules

    def __getitem__(self, key: str) -> Rule:
        return self.rules[key]


def games() -> tuple[str, ...]:
    """Return the names of the games: every folder of the law that has a ``game.lp``."""
    return tuple(sorted(path.parent.name for path in asp.ROOT.glob("*/game.lp")))


def rule_id(term: Symbol) -> str:
    """Return the id that people see: ``agot("3.15")`` is ``agot:3.15``; any other term is its own text.

    Examples
    --------
    >>> from clingo import Function, String
    >>> rule_id(Function("agot", [String("3.15")]))
    'agot:3.15'
    """
    if term.type is SymbolType.Function and len(term.arguments) == 1:
        number = term.arguments[0]
        return f"{term.name}:{number.string if number.type is SymbolType.String else number}"
    return str(term)


@lru_cache(maxsize=8)
def load(game: str) -> Catalog:
    """Read the catalog of a game from its rule files.

    Parameters
    ----------
    game
        The name of a folder under ``asp``.

    Returns
    -------
    Catalog
        Its rules in the order in which ``game.lp`` includes their files.

    Raises
    ------
    RuleError
        If there is no such game, or one of its files is no ASP program.
    """
    main = asp.ROOT / game / "game.lp"
    if game not in games():
        raise RuleError(f"there is no game '{game}'; there are {', '.join(games())}")
    files = tuple(_included(main))
    facts = _Facts(fact for file in files for fact in _facts(file))
    rules = {rule_id(args[0]): _rule(args[0], file, line, facts) for _, args, file, line in facts.named("rule", 1)}
    edges = tuple(
        Edge(rule_id(args[0]), rule_id(args[1]), name, file, line)
        for name, args, file, line in facts.named("refers", 2) + facts.named("overrides", 2)
    )
    gaps = tuple(_gap(args[0], file, line, facts) for _, args, file, line in facts.named("no_rule", 1))
    return Catalog(game, MappingProxyType(rules), edges, files, gaps)


_Fact = tuple[str, list[Symbol], str, int]


class _Facts:
    """The facts of a law, to be looked up by what they say and of which rule."""

    def __init__(self, facts: Iterable[_Fact]) -> None:
        self._named: dict[tuple[str, int], list[_Fact]] = {}
        self._about: dict[tuple[str, int, Symbol], list[list[Symbol]]] = {}
        self.sayings: dict[tuple[str, str], str] = {}
        """What readings are said to be, by the term of the reading and the language."""
        for fact in facts:
            name, args, _, _ = fact
            if not args:
                continue
            self._named.setdefault((name, len(args)), []).append(fact)
            self._about.setdefault((name, len(args), args[0]), []).append(args)
            if name == "tell" and len(args) == 3 and args[0].match("reading", 2):
                self.sayings[str(args[0]), str(args[1])] = args[2].string

    def named(self, name: str, arity: int) -> list[_Fact]:
        """Return the facts of a predicate, in the order of the files."""
        return self._named.get((name, arity), [])

    def about(self, name: str, term: Symbol, arity: int) -> list[list[Symbol]]:
        """Return the arguments of the facts of a predicate whose first is a term."""
        return self._about.get((name, arity, term), [])

    def words(self, kind: str, term: Symbol) -> dict[str, str]:
        """Return what facts of one kind say of a term, by language."""
        return {str(lang): text.string for _, lang, text in self.about(kind, term, 3)}


def _number(term: Symbol) -> str:
    number = term.arguments[0]
    return number.string if number.type is SymbolType.String else str(number)


def _gap(term: Symbol, file: str, line: int, facts: _Facts) -> Gap:
    return Gap(
        id=rule_id(term),
        game=term.name,
        number=_number(term),
        titles=facts.words("title", term),
        texts=facts.words("text", term),
        file=file,
        line=line,
        stands_for=tuple(rule_id(args[1]) for args in facts.about("stands_for", term, 2)),
    )


def _rule(term: Symbol, file: str, line: int, facts: _Facts) -> Rule:
    sources = [(str(args[1]), args[2].string) for args in facts.about("source", term, 3)]
    return Rule(
        id=rule_id(term),
        game=term.name,
        number=_number(term),
        titles=facts.words("title", term),
        texts=facts.words("text", term),
        source=sources[0] if sources else None,
        file=file,
        line=line,
        refers=tuple(rule_id(args[1]) for args in facts.about("refers", term, 2)),
        overrides=tuple(rule_id(args[1]) for args in facts.about("overrides", term, 2)),
        readings=tuple(_readings(term, facts)),
        aliases=tuple((str(args[1]), args[2].string) for args in facts.about("known_as", term, 3)),
    )


def _readings(term: Symbol, facts: _Facts) -> Iterator[Reading]:
    questions = {str(args[1]): args[2].string for args in facts.about("on_question", term, 3)}
    for _, name, kind in facts.about("reads", term, 3):
        key = f"reading({term.arguments[0]},{name})"
        texts = {lang: facts.sayings[key, lang] for lang in ("en", "ru") if (key, lang) in facts.sayings}
        asked = questions.get(str(name), "")
        yield Reading(rule_id(term), str(name), str(kind) == "default", texts, asked)


def _included(file: Path) -> Iterator[Path]:
    """Yield a program file and all that it includes, in order, each once."""
    seen: set[Path] = set()

    def walk(path: Path) -> Iterator[Path]:
        path = path.resolve()
        if path in seen:
            return
        seen.add(path)
        inner: list[Path] = []
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("#include"):
                inner.append(path.parent / line.split('"')[1])
        if not inner:
            yield path
        for each in inner:
            yield from walk(each)

    yield from walk(file)


def _facts(file: Path) -> list[_Fact]:
    """Return the ground facts of one file with their places, pools unfolded."""
    found: list[_Fact] = []
    relative = file.relative_to(asp.ROOT).as_posix()

    def visit(node: ast.AST) -> None:
        if node.ast_type != ast.ASTType.Rule or node.body or node.head.ast_type != ast.ASTType.Literal:
            return
        atom = node.head.atom
        if atom.ast_type == ast.ASTType.SymbolicAtom:
            for symbol in _ground(atom.symbol):
                found.append((symbol.name, symbol.arguments, relative, node.location.begin.line))

    try:
        ast.parse_files([str(file)], visit)
    except RuntimeError as error:
        raise RuleError(f"{relative} is not a program that clingo reads: {error}", relative) from error
    return found


def _ground(term: ast.AST) -> list[Symbol]:
    """Return what a term without variables stands for: one symbol, or several for a pool."""
    if term.ast_type == ast.ASTType.SymbolicTerm:
        return [term.symbol]
    if term.ast_type == ast.ASTType.Pool:
        return [symbol for part in term.arguments for symbol in _ground(part)]
    if term.ast_type == ast.ASTType.Function and not term.external:
        combos: list[list[Symbol]] = [[]]
        for argument in term.arguments:
            combos = [[*head, symbol] for head in combos for symbol in _ground(argument)]
        return [Function(term.name, arguments) for arguments in combos]
    return []
