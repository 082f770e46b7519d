"""Which rules of a law can have an instance in a position: a quick look before they are grounded.

A rule costs clingo the same time whether it ever applies or not, and most rules of a game speak of things that a given
position does not hold. For every argument of every predicate this module finds the names that may stand there (a name
and its number of arguments; all numbers are one name, and so are all texts): it runs the rules over such sets instead
of over terms, until nothing changes. A rule whose body asks for a name that cannot be there has no instance. The sets
are never too small, so that no rule is lost that has one; they may be too large.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from clingo import Symbol, SymbolType, ast, parse_term

__all__ = ["Names", "Outline", "Pattern", "Possible", "Reader"]

ANY = -1
"""The set of all names. A set is an integer with a bit for each."""

Argument = int | str | None
"""What an argument may be: one of a set of names, what a variable stands for, or whatever it likes."""
Pattern = tuple[str, Sequence[Argument]]
"""An atom as far as it is looked at: its predicate, with the number of arguments, and these."""

_OTHER, _NUMBER, _TEXT = 1, 2, 4


class Names:
    """The names that a law knows, each with its bit; a position's own names share one."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self.known = list(known)
        self.bits = {name: 8 << place for place, name in enumerate(self.known)}

    def add(self, name: str) -> int:
        """Return the bit of a name of the law."""
        if name not in self.bits:
            self.bits[name] = 8 << len(self.known)
            self.known.append(name)
        return self.bits[name]

    def of(self, symbol: Symbol) -> int:
        """Return the bit of a term of a position."""
        if symbol.type is SymbolType.Function:
            return self.bits.get(f"{symbol.name}/{len(symbol.arguments)}", _OTHER)
        return _NUMBER if symbol.type is SymbolType.Number else _TEXT if symbol.type is SymbolType.String else _OTHER

    def pattern(self, fact: Symbol) -> Pattern:
        """Return the pattern of a fact of a position."""
        arguments = fact.arguments
        return f"{fact.name}/{len(arguments)}", tuple(map(self.of, arguments))


@dataclass(frozen=True, slots=True)
class Outline:
    """A rule as far as it is looked at.

    ``heads`` are what it derives; ``body`` are the atoms that it cannot do without; ``bound`` are variables that
    a comparison binds, with the names that they may have.
    """

    heads: Sequence[Pattern]
    body: Sequence[Pattern] = ()
    bound: Mapping[str, int] = field(default_factory=dict)


class Reader:
    """Reads outlines off clingo's syntax tree.

    Parameters
    ----------
    names
        The names that are known. What bodies ask for is added; names that nothing asks for need not be told apart, so
        bodies are to be read before heads.
    constants
        The names that ``#const`` gives another value.
    """

    def __init__(self, names: Names, constants: Iterable[str] = ()) -> None:
        self.names, self.constants = names, set(constants)

    def outlines(self, statements: Sequence[ast.AST]) -> list[Outline]:
        """Return the outlines of rules and of ``#external``; other statements derive nothing."""
        bodies = [self._body(statement) for statement in statements]
        return [Outline(self._heads(one), *body) for one, body in zip(statements, bodies, strict=True)]

    def _heads(self, statement: ast.AST) -> list[Pattern]:
        if statement.ast_type == ast.ASTType.External:
            return list(self._atoms(statement.atom.symbol, self._known))
        if statement.ast_type != ast.ASTType.Rule:
            return []
        head = statement.head
        if head.ast_type == ast.ASTType.Literal:
            return self._literal(head)
        if head.ast_type == ast.ASTType.Aggregate and len(head.elements) == 1:  # a choice, as the drivers make them
            return self._literal(head.elements[0].literal)
        return [(signature, [ANY] * int(signature.rpartition("/")[2])) for signature in sorted(_signatures(head))]

    def _body(self, statement: ast.AST) -> tuple[list[Pattern], dict[str, int]]:
        body: list[Pattern] = []
        bound: dict[str, int] = {}
        if statement.ast_type != ast.ASTType.Rule:
            return body, bound
        literals = list(statement.body)
        if statement.head.ast_type == ast.ASTType.Aggregate and len(statement.head.elements) == 1:
            literals += statement.head.elements[0].condition
        for literal in literals:
            if literal.ast_type != ast.ASTType.Literal or literal.sign != ast.Sign.NoSign:
                continue
            if literal.atom.ast_type == ast.ASTType.SymbolicAtom:
                found = list(self._atoms(literal.atom.symbol, self.names.add))
                body += found if len(found) == 1 else ()  # a pool asks for one of several
            elif literal.atom.ast_type == ast.ASTType.Comparison:
                bound.update(self._binding(literal.atom))
        return body, bound

    def facts(self, statements: Iterable[tuple[str, ast.AST]]) -> list[Pattern]:
        """Return the patterns of facts, alike ones put together; each comes as text, which is faster to read, too."""
        may: dict[str, list[int]] = {}
        for text, node in statements:
            for pattern in self._fact(text) or self._literal(node.head):
                _grow(may, pattern, {})
        return list(may.items())

    def _fact(self, text: str) -> list[Pattern]:
        """Return the pattern of a fact that is a plain term; none if it has pools, intervals or constants."""
        try:
            symbol = parse_term(text.removesuffix("."), logger=lambda code, message: None)
        except RuntimeError:
            return []
        if any(each.match(name, 0) for each in symbol.arguments for name in self.constants):
            return []
        return [self.names.pattern(symbol)]

    def _literal(self, literal: ast.AST) -> list[Pattern]:
        is_atom = literal.atom.ast_type == ast.ASTType.SymbolicAtom
        return list(self._atoms(literal.atom.symbol, self._known)) if is_atom else []

    def _known(self, name: str) -> int:
        return self.names.bits.get(name, _OTHER)

    def _atoms(self, term: ast.AST, bit: Callable[[str], int]) -> Iterator[Pattern]:
        """Yield the patterns of an atom: several where it is a pool. ``bit`` gives a name its bit."""
        if term.ast_type == ast.ASTType.Pool:
            for part in term.arguments:
                yield from self._atoms(part, bit)
        elif term.ast_type == ast.ASTType.Function:
            yield f"{term.name}/{len(term.arguments)}", [self._argument(each, bit) for each in term.arguments]
        elif term.ast_type == ast.ASTType.SymbolicTerm:
            yield f"{term.symbol.name}/0", []

    def _argument(self, term: ast.AST, bit: Callable[[str], int]) -> Argument:
        kind = term.ast_type
        if kind == ast.ASTType.Variable:
            return None if term.name == "_" else str(term.name)
        if kind == ast.ASTType.Function and not term.external:
            return bit(f"{term.name}/{len(term.arguments)}")
        if kind == ast.ASTType.SymbolicTerm:
            symbol = term.symbol
            if symbol.type is not SymbolType.Function:
                return self.names.of(symbol)
            return None if symbol.name in self.constants else bit(f"{symbol.name}/{len(symbol.arguments)}")
        if kind == ast.ASTType.Pool:
            parts = [self._argument(each, bit) for each in term.arguments]
            sets = [part for part in parts if isinstance(part, int)]
            return _union(sets) if len(sets) == len(parts) else None
        return _NUMBER if kind in (ast.ASTType.BinaryOperation, ast.ASTType.Interval) else None

    def _binding(self, comparison: ast.AST) -> dict[str, int]:
        """Return the variable that a plain equation binds to a set of names."""
        if len(comparison.guards) != 1 or comparison.guards[0].comparison != ast.ComparisonOperator.Equal:
            return {}
        sides = (comparison.term, comparison.guards[0].term)
        left, right = (self._argument(side, self.names.add) for side in sides)
        if isinstance(left, str) and isinstance(right, int):
            return {left: right}
        return {right: left} if isinstance(right, str) and isinstance(left, int) else {}


def _union(sets: Iterable[int]) -> int:
    union = 0
    for each in sets:
        union |= each
    return union


def _signatures(node: ast.AST) -> set[str]:
    """Return the predicates in a part of a program."""
    found: set[str] = set()
    todo = [node]
    while todo:
        each = todo.pop()
        if each.ast_type == ast.ASTType.Function:
            found.add(f"{each.name}/{len(each.arguments)}")
        elif each.ast_type == ast.ASTType.SymbolicTerm and each.symbol.type is SymbolType.Function:
            found.add(f"{each.symbol.name}/{len(each.symbol.arguments)}")
        for key in each.child_keys:
            child = getattr(each, key)
            todo += [child] if isinstance(child, ast.AST) else list(child or ())
    return found


class Possible:
    """Finds the rules that can have an instance.

    Parameters
    ----------
    outlines
        The rules.
    groups
        Their numbers, group by group: what a rule needs is derived in its own group or in an earlier one. Found if
        they are not given.
    """

    def __init__(self, outlines: Sequence[Outline], groups: Sequence[Sequence[int]] | None = None) -> None:
        self.outlines = outlines
        self.groups = _groups(outlines) if groups is None else groups
        self._users: list[dict[str, list[int]]] = []
        for group in self.groups:
            derived = {predicate for rule in group for predicate, _ in outlines[rule].heads}
            users: dict[str, list[int]] = {}
            for rule in group:
                for predicate in {predicate for predicate, _ in outlines[rule].body} & derived:
                    users.setdefault(predicate, []).append(rule)
            self._users.append(users)

    def rules(self, facts: Iterable[Pattern]) -> set[int]:
        """Return the numbers of the rules that can have an instance where these facts are given."""
        may: dict[str, list[int]] = {}
        for fact in facts:
            _grow(may, fact, {})
        found: set[int] = set()
        for group, users in zip(self.groups, self._users, strict=True):
            todo, waiting = deque(group), set(group)
            while todo:
                rule = todo.popleft()
                waiting.discard(rule)
                outline = self.outlines[rule]
                values = _match(may, outline)
                if values is None:
                    continue
                found.add(rule)
                for head in outline.heads:
                    if _grow(may, head, values) and head[0] in users:
                        fresh = [user for user in users[head[0]] if user not in waiting]
                        waiting.update(fresh)
                        todo.extend(fresh)
        return found


def _match(may: Mapping[str, Sequence[int]], outline: Outline) -> dict[str, int] | None:
    """Return the names that a rule's variables may have, or None if it has no instance."""
    values = dict(outline.bound)
    for predicate, arguments in outline.body:
        known = may.get(predicate)
        if known is None:
            return None
        for argument, names in zip(arguments, known, strict=True):
            if isinstance(argument, int):
                if not argument & names:
                    return None
            elif argument is not None:
                common = values.get(argument, ANY) & names
                if not common:
                    return None
                values[argument] = common
    return values


def _grow(may: dict[str, list[int]], pattern: Pattern, values: Mapping[str, int]) -> bool:
    """Add what an atom may be; return whether anything was new."""
    predicate, arguments = pattern
    known = may.get(predicate)
    fresh = known is None
    if known is None:
        known = may[predicate] = [0] * len(arguments)
    for place, argument in enumerate(arguments):
        names = argument if isinstance(argument, int) else ANY if argument is None else values.get(argument, ANY)
        if names | known[place] != known[place]:
            known[place] |= names
            fresh = True
    return fresh


def _groups(outlines: Sequence[Outline]) -> list[list[int]]:
    """Return the rules by the strongly connected components of their predicates, dependencies first."""
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    for number, outline in enumerate(outlines):
        heads = [predicate for predicate, _ in outline.heads] or [f"nothing {number}"]
        graph.add_edges_from((predicate, head) for head in heads for predicate, _ in outline.body)
        graph.add_edges_from((head, other) for head, other in zip(heads, [*heads[1:], heads[0]], strict=True))
    condensed = nx.condensation(graph)
    place = {node: i for i, node in enumerate(nx.topological_sort(condensed))}
    group_of = {predicate: place[node] for predicate, node in condensed.graph["mapping"].items()}
    groups: list[list[int]] = [[] for _ in place]
    for number, outline in enumerate(outlines):
        groups[group_of[outline.heads[0][0] if outline.heads else f"nothing {number}"]].append(number)
    return [group for group in groups if group]
