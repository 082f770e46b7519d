"""What the code of each rule reads and writes, taken from clingo's syntax tree; nothing is grounded.

A statement belongs to the rule that it names (``starts(T,agot("M1"),…)``), else to the first rule of its
file, else to nobody: the board and the vocabulary are common ground. The predicates of the grammar of the law
carry no dependency by themselves; what counts is the fluent, event or move inside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from clingo import SymbolType, ast

from bridge.catalog import Catalog
from bridge.errors import RuleError

__all__ = ["Access", "accesses"]

# Where the thing stands that a grammar predicate is about: name and arity, then argument and sort.
_WRITTEN_IN_HEAD = MappingProxyType(
    {
        ("starts", 4): (3, "fluent"),
        ("stops", 4): (3, "fluent"),
        ("prevents", 4): (3, "fluent"),
        ("gains", 6): (3, "counter"),
        ("happens", 3): (2, "event"),
        ("offers", 4): (3, "move"),
        ("weighs", 2): (1, "move"),
    }
)
_READ_IN_HEAD = MappingProxyType(
    {
        ("forbids", 3): (2, "move"),
        ("permits", 3): (2, "move"),
        ("obliges", 3): (2, "move"),
        ("spends", 4): (3, "fluent"),
    }
)
_READ_IN_BODY = MappingProxyType(
    {
        ("holds", 2): (1, "fluent"),
        ("add", 3): (2, "fluent"),
        ("del", 3): (2, "fluent"),
        ("start", 4): (3, "fluent"),
        ("starts", 4): (3, "fluent"),
        ("gains", 6): (3, "counter"),
        ("happens", 3): (2, "event"),
        ("move", 2): (1, "move"),
        ("attempt", 2): (1, "move"),
        ("legal", 2): (1, "move"),
        ("bad", 2): (1, "move"),
        ("weighs", 2): (1, "move"),
        ("refused", 3): (1, "move"),
    }
)
# Facts about rules, and predicates that the grammar, the drivers and the board give meaning to.
_DESCRIBES = frozenset(
    {"rule", "title", "text", "source", "refers", "overrides", "reads", "reading", "alias", "about", "field"}
    | {"form", "given", "chosen", "needs", "in_force", "repealed", "moment", "actor", "conflict", "put_off"}
    | {"lapsed", "stuck", "over", "closes", "limit", "fluent", "slot", "cap", "bookkeeping", "unknown"}
    | {"watched", "may_answer", "must_answer", "spends", "judged", "tries"}
)
_GRAMMAR = _DESCRIBES | {name for table in (_WRITTEN_IN_HEAD, _READ_IN_HEAD, _READ_IN_BODY) for name, _ in table}


@dataclass(frozen=True, slots=True)
class Access:
    """One place where the code of a rule reads or writes something.

    Parameters
    ----------
    rule
        The rule's id; empty for code that belongs to no rule.
    writes
        True for a head, False for a body.
    sort
        ``fluent``, ``counter``, ``event``, ``move``, ``predicate`` or ``rule``.
    name
        Functor and arity, as ``moribund/2``; the id for a rule.
    file, line
        Where; the file as the catalog names it.
    """

    rule: str
    writes: bool
    sort: str
    name: str
    file: str
    line: int


def accesses(catalog: Catalog) -> tuple[Access, ...]:
    """Return every access of every file of a game.

    Raises
    ------
    RuleError
        Where clingo does not accept a file.
    """
    owners: dict[str, str] = {}
    for rule in catalog:
        owners.setdefault(rule.file, rule.id)
    found: list[Access] = []
    for path in catalog.files:
        name = _relative(path, owners)
        found += _Reader(catalog, name, owners.get(name, "")).read(path)
    events = {access.name for access in found if access.sort == "event" and access.writes}
    return tuple(access for access in found if access.sort != "nested" or access.name in events)


def _relative(path: Path, owners: Mapping[str, str]) -> str:
    """Return the name by which the catalog knows a file: its path from the folder of all games on."""
    parts = path.as_posix().split("/")
    for start in range(len(parts)):
        tail = "/".join(parts[start:])
        if tail in owners:
            return tail
    return "/".join(parts[-3:])


class _Reader:
    """Reads the accesses of one file."""

    def __init__(self, catalog: Catalog, file: str, owner: str) -> None:
        self.catalog, self.file, self.owner = catalog, file, owner

    def read(self, path: Path) -> list[Access]:
        # an include is another file's business, and its path holds only where that file lies
        lines = path.read_text(encoding="utf-8").split("\n")
        text = "\n".join("" if line.startswith("#include") else line for line in lines)
        found: list[Access] = []
        heard: list[str] = []
        try:
            ast.parse_string(
                text,
                lambda statement: found.extend(self._statement(statement)),
                logger=lambda _code, message: heard.append(message),
            )
        except RuntimeError as error:
            raise RuleError(heard[0] if heard else str(error), self.file) from error
        return found

    def _statement(self, statement: ast.AST) -> Iterator[Access]:
        if statement.ast_type != ast.ASTType.Rule:
            return
        heads, conditions = _head_atoms(statement.head)
        line = statement.location.begin.line
        named = next((rule for head in heads if (rule := self._named(head))), "")
        owner = named or self.owner
        described = bool(heads) and all(_signature(head)[0] in _DESCRIBES for head in heads)
        for head in heads:
            yield from self._head(head, owner, line)
        if not described or any(_signature(head) == ("spends", 4) for head in heads):
            for node in (*conditions, *statement.body):
                for atom in _atoms(node):
                    yield from self._body(atom, owner)

    def _named(self, head: ast.AST) -> str:
        """Return the rule that a head of the grammar names as the one that speaks."""
        name, arity = _signature(head)
        if name in ("overrides", "refers"):
            return ""
        arguments = list(head.arguments)[:2] if arity else []
        return next((rule for term in arguments if (rule := self._rule(term))), "")

    def _rule(self, term: ast.AST) -> str:
        """Return the id that a term like ``agot("3.15")`` stands for, if it is in the catalog."""
        if term.ast_type == ast.ASTType.Function and len(term.arguments) == 1:
            inner = term.arguments[0]
            if inner.ast_type == ast.ASTType.SymbolicTerm and inner.symbol.type == SymbolType.String:
                found = f"{term.name}:{inner.symbol.string}"
                return found if found in self.catalog else ""
        return ""

    def _head(self, head: ast.AST, owner: str, line: int) -> Iterator[Access]:
        signature = _signature(head)
        for table, writes in ((_WRITTEN_IN_HEAD, True), (_READ_IN_HEAD, False)):
            if signature in table:
                place, sort = table[signature]
                yield from self._things(head.arguments[place], sort, owner, writes, line)
        if signature[0] not in _GRAMMAR:
            yield Access(owner, True, "predicate", f"{signature[0]}/{signature[1]}", self.file, line)

    def _body(self, atom: ast.AST, owner: str) -> Iterator[Access]:
        signature, line = _signature(atom), atom.location.begin.line
        if signature in _READ_IN_BODY:
            place, sort = _READ_IN_BODY[signature]
            yield from self._things(atom.arguments[place], sort, owner, False, line)
        elif signature[0] not in _GRAMMAR:
            yield Access(owner, False, "predicate", f"{signature[0]}/{signature[1]}", self.file, line)
        for term in _terms(atom):
            rule = self._rule(term)
            if rule and rule != owner:
                yield Access(owner, False, "rule", rule, self.file, line)

    def _things(self, term: ast.AST, sort: str, owner: str, writes: bool, line: int) -> Iterator[Access]:
        """Yield what a term is: a functor, the counter inside ``count(C,N)``, an event inside a fluent."""
        for one in _alternatives(term):
            name = _functor(one)
            if not name:
                continue
            if sort == "fluent" and name == "count/2":
                yield from self._things(one.arguments[0], "counter", owner, writes, line)
                continue
            yield Access(owner, writes, sort, name, self.file, line)
            if not writes and sort == "fluent":
                for inner in _terms(one):
                    nested = _functor(inner)
                    if nested and inner is not one:
                        yield Access(owner, False, "nested", nested, self.file, line)


# -- terms of the syntax tree ----------------------------------------------------------------------


def _head_atoms(head: ast.AST) -> tuple[list[ast.AST], list[ast.AST]]:
    """Return the atoms that a head derives, and the conditions inside it that are read."""
    kind = head.ast_type
    if kind == ast.ASTType.Literal:
        return ([head.atom.symbol] if _is_atom(head.atom) else []), []
    atoms: list[ast.AST] = []
    conditions: list[ast.AST] = []
    for element in getattr(head, "elements", ()):
        inner = element.condition if element.ast_type == ast.ASTType.HeadAggregateElement else element
        literal = getattr(inner, "literal", None)
        if literal is not None and _is_atom(literal.atom):
            atoms.append(literal.atom.symbol)
            conditions += list(inner.condition)
    return atoms, conditions


def _is_atom(node: ast.AST) -> bool:
    return bool(node.ast_type == ast.ASTType.SymbolicAtom and node.symbol.ast_type == ast.ASTType.Function)


def _atoms(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the atoms inside a part of a body, aggregates and conditions included."""
    if node.ast_type == ast.ASTType.SymbolicAtom:
        if node.symbol.ast_type == ast.ASTType.Function:
            yield node.symbol
        return
    for child in _children(node):
        yield from _atoms(child)


def _terms(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a term and every term inside it."""
    yield node
    for child in _children(node):
        yield from _terms(child)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for key in node.child_keys:
        value = getattr(node, key)
        if isinstance(value, ast.AST):
            yield value
        elif value is not None:
            yield from (part for part in value if isinstance(part, ast.AST))


def _alternatives(term: ast.AST) -> Iterator[ast.AST]:
    """Yield the terms of a pool ``(a;b)``, or the term itself."""
    if term.ast_type == ast.ASTType.Pool:
        for part in term.arguments:
            yield from _alternatives(part)
    else:
        yield term


def _signature(atom: ast.AST) -> tuple[str, int]:
    return str(atom.name), len(atom.arguments)


def _functor(term: ast.AST) -> str:
    """Return functor and arity of a term, empty for a variable, a number or a string."""
    if term.ast_type == ast.ASTType.Function and term.name:
        return f"{term.name}/{len(term.arguments)}"
    if term.ast_type == ast.ASTType.SymbolicTerm and term.symbol.type == SymbolType.Function:
        return f"{term.symbol.name}/0"
    return ""
