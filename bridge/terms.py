"""Terms that people write: parsed, never executed.

Conditions, moves, and the abilities of inline cards are terms such as ``killed(either(trait(lord),self))``. They are
read by a parser that knows names, numbers, quoted text and ``_`` (anything), and nothing else: no arithmetic, no
pools, no variables, no scripts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from clingo import Function, Number, String, Symbol, SymbolType

__all__ = ["ANYTHING", "Condition", "TermError", "matches", "parse_condition", "parse_term", "plain_names", "subterms"]

ANYTHING = Function("_")
"""What ``_`` stands for in a pattern: any term at all."""

_TOKEN = re.compile(r'\s*(?:(?P<name>[a-z_][A-Za-z0-9_]*)|(?P<number>-?\d+)|"(?P<text>[^"\\\n]*)"|(?P<mark>[(),]))')
_LONGEST = 2_000
_DEEPEST = 30
_LARGEST = 2**31 - 1


class TermError(ValueError):
    """A text that is not a term; the message says where and what was expected."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A literal over the board: a fluent that holds, or with `negated` one that does not."""

    fluent: Symbol
    negated: bool = False

    def __str__(self) -> str:
        return f"not {self.fluent}" if self.negated else str(self.fluent)

    def holds(self, facts: frozenset[Symbol]) -> bool:
        """Whether the condition is true of a board given as the set of its fluents."""
        if self.fluent in facts:
            return not self.negated
        return any(matches(self.fluent, fact) for fact in facts) != self.negated


def matches(pattern: Symbol, term: Symbol) -> bool:
    """Whether a term has the shape of a pattern, in which ``_`` stands for anything.

    Examples
    --------
    >>> matches(parse_term("in(_,dead)"), parse_term("in(joffrey,dead)"))
    True
    """
    if pattern in (ANYTHING, term):
        return True
    if pattern.type is not SymbolType.Function or term.type is not SymbolType.Function:
        return False
    return (
        pattern.name == term.name
        and len(pattern.arguments) == len(term.arguments)
        and all(map(matches, pattern.arguments, term.arguments))
    )


def parse_condition(text: str) -> Condition:
    """Read a literal such as ``in(joffrey,dead)`` or ``not winner(_)``.

    Raises
    ------
    TermError
        If the text is no literal.
    """
    stripped = text.strip()
    if stripped.startswith("not ") or stripped.startswith("not\t"):
        return Condition(parse_term(stripped[4:]), negated=True)
    return Condition(parse_term(stripped))


def parse_term(text: str) -> Symbol:
    """Read one ground term.

    Parameters
    ----------
    text
        Names start with a small letter; ``_`` alone stands for anything.

    Raises
    ------
    TermError
        If the text is no such term, too long, too deep, or holds a number beyond 32 bits.

    Examples
    --------
    >>> str(parse_term('killed( either(trait(lord), called("Ghost")) )'))
    'killed(either(trait(lord),called("Ghost")))'
    """
    if len(text) > _LONGEST:
        raise TermError(f"a term of {len(text)} characters is too long; {_LONGEST} are allowed")
    tokens = list(_tokens(text))
    term, rest = _term(tokens, 0, 0)
    if rest != len(tokens):
        raise TermError(f"unexpected '{tokens[rest][1]}' after {term}")
    return term


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    place = 0
    while place < len(text) and not text[place:].isspace():
        match = _TOKEN.match(text, place)
        if match is None or match.lastgroup is None:
            raise TermError(f"'{text[place:].strip()[:20]}' is no name, number or quoted text")
        yield match.lastgroup, match[match.lastgroup]
        place = match.end()


def _term(tokens: list[tuple[str, str]], place: int, depth: int) -> tuple[Symbol, int]:
    if depth > _DEEPEST:
        raise TermError(f"terms may be nested {_DEEPEST} deep at the most")
    if place >= len(tokens):
        raise TermError("a term is missing at the end")
    kind, value = tokens[place]
    if kind == "number":
        if abs(int(value)) > _LARGEST:
            raise TermError(f"the number {value} is too large")
        return Number(int(value)), place + 1
    if kind == "text":
        return String(value), place + 1
    if kind == "mark":
        raise TermError(f"a name is expected where '{value}' stands")
    if value == "not" or (value.startswith("_") and value != "_"):
        raise TermError(f"'{value}' cannot be a name here")
    if place + 1 < len(tokens) and tokens[place + 1] == ("mark", "("):
        arguments, place = _arguments(tokens, place + 2, depth)
        return Function(value, arguments), place
    return Function(value), place + 1


def _arguments(tokens: list[tuple[str, str]], place: int, depth: int) -> tuple[list[Symbol], int]:
    arguments: list[Symbol] = []
    while True:
        argument, place = _term(tokens, place, depth + 1)
        arguments.append(argument)
        if place >= len(tokens) or tokens[place] not in (("mark", ","), ("mark", ")")):
            raise TermError(f"',' or ')' is expected after {argument}")
        if tokens[place][1] == ")":
            return arguments, place + 1
        place += 1


def subterms(symbol: Symbol) -> Iterator[Symbol]:
    """Yield a term and all terms in it."""
    yield symbol
    if symbol.type is SymbolType.Function:
        for argument in symbol.arguments:
            yield from subterms(argument)


def plain_names(symbol: Symbol) -> Iterator[str]:
    """Yield the names in a term that have no arguments."""
    return (each.name for each in subterms(symbol) if each.type is SymbolType.Function and not each.arguments)
