"""Telling: terms in words, in English and Russian, by the game's own sayings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from clingo import Symbol, SymbolType

from bridge.catalog import rule_id
from bridge.vocabulary import Vocabulary

__all__ = ["Teller"]

_PART = re.compile(r"\$(\d)")


class Teller:
    """Says terms in words.

    Parameters
    ----------
    vocabulary
        The game's sayings.
    names
        What cards and players are called, by language.
    lang
        ``en`` or ``ru``.
    """

    def __init__(self, vocabulary: Vocabulary, names: Mapping[Symbol, Mapping[str, str]], lang: str = "en") -> None:
        self.lang = lang
        self._sayings: dict[tuple[str, int], list[tuple[Symbol, str]]] = {}
        for saying in vocabulary.sayings:
            if saying.lang == lang:
                key = _key(saying.pattern)
                self._sayings.setdefault(key, []).append((saying.pattern, saying.words))
        for sayings in self._sayings.values():
            sayings.sort(key=lambda saying: -_parts(saying[0]))  # the particular before the general
        self._names = self._distinct(names)

    def _distinct(self, names: Mapping[Symbol, Mapping[str, str]]) -> dict[Symbol, str]:
        """Return the names, with the id behind those that two cards share."""
        plain = {term: by_lang.get(self.lang) or by_lang["en"] for term, by_lang in names.items()}
        count: dict[str, int] = {}
        for name in plain.values():
            count[name] = count.get(name, 0) + 1
        return {term: name if count[name] == 1 else f"{name} [{term}]" for term, name in plain.items()}

    def say(self, term: Symbol) -> str:
        """Return the words for a term; a term that no saying fits is shown as it is."""
        if term in self._names:
            return self._names[term]
        for pattern, words in self._sayings.get(_key(term), ()):
            holes: dict[str, Symbol] = {}
            if _fits(pattern, term, holes):
                return _PART.sub(lambda match, holes=holes: self.say(holes[match[1]]), words)  # type: ignore[misc]
        if term.type is SymbolType.String:
            return term.string
        if term.type is SymbolType.Function and not term.arguments:
            return term.name.replace("_", " ")
        return str(term)

    def step(self, actor: Symbol, move: Symbol) -> str:
        """Return a sentence for a move: who does what."""
        said = self.say(move)
        return said if actor.match("game", 0) or actor.match("chance", 0) else f"{self.say(actor)} {said}"

    def rules(self, rules: Iterable[Symbol]) -> str:
        """Return rules as people cite them."""
        return ", ".join(rule_id(rule) for rule in rules)


def _key(term: Symbol) -> tuple[str, int]:
    return (term.name, len(term.arguments)) if term.type is SymbolType.Function else (str(term), -1)


def _parts(pattern: Symbol) -> int:
    """Return how many parts of a pattern are said outright: one that fits less has more of them."""
    if pattern.type is SymbolType.String and _PART.fullmatch(pattern.string):
        return 0
    return 1 + sum(map(_parts, pattern.arguments)) if pattern.type is SymbolType.Function else 1


def _fits(pattern: Symbol, term: Symbol, holes: dict[str, Symbol]) -> bool:
    if pattern.type is SymbolType.String and _PART.fullmatch(pattern.string):
        holes[pattern.string[1:]] = term
        return True
    if pattern.type is not SymbolType.Function or term.type is not SymbolType.Function:
        return pattern == term
    return (
        pattern.name == term.name
        and len(pattern.arguments) == len(term.arguments)
        and all(_fits(part, whole, holes) for part, whole in zip(pattern.arguments, term.arguments, strict=True))
    )
