"""What a game's law says of itself: the format of its positions, its cards, its words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from clingo import Symbol, SymbolType

from bridge.cache import facts as cached
from bridge.catalog import games
from bridge.errors import RuleError
from bridge.ground import GroundProgram, ground

__all__ = ["FieldSpec", "Saying", "Vocabulary", "load"]

BUILT_IN = {"number", "amount", "count", "name", "text", "player", "card"}
"""Categories of arguments that need no ``form``."""

BOUNDS = {"number": (-99, 99), "amount": (1, 99), "count": (0, 99)}
"""What the numbers in terms may be; nothing printed on a card comes near."""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One key of a position file: its type as a term, whether it is needed, and what it means."""

    section: str
    key: str
    type: Symbol
    needed: bool
    about: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Saying:
    """How terms of one shape are said: ``$1`` in the pattern is a part, ``$1`` in the words its saying."""

    pattern: Symbol
    lang: str
    words: str


@dataclass(frozen=True)
class Vocabulary:
    """A game's fields, forms, cards, sayings and readings.

    ``fields`` maps a section to its keys; ``forms`` a category to its terms; ``called`` a printed card to its names;
    ``sayings`` are in the order of the files; ``readings`` maps a rule's term to its meanings and the default;
    ``questions`` says which of the questions that the rule leaves open a meaning answers, where it leaves several.
    """

    game: str
    fields: Mapping[str, Mapping[str, FieldSpec]]
    forms: Mapping[str, tuple[Symbol, ...]]
    called: Mapping[Symbol, tuple[tuple[str, str], ...]]
    sayings: tuple[Saying, ...]
    readings: Mapping[Symbol, Mapping[str, bool]]
    questions: Mapping[tuple[Symbol, str], str]
    rules: tuple[Symbol, ...]

    @cached_property
    def program(self) -> GroundProgram:
        """The law, grounded without any position; when first asked for."""
        return ground(self.game, [], None, record=False)

    @cached_property
    def print_names(self) -> Mapping[str, list[Symbol]]:
        """For everything a card may be called by, in small letters, the prints of that name."""
        names: dict[str, list[Symbol]] = {}
        for term, keys in self.called.items():
            codes = [text for key, text in keys if key == "code"]
            for key, text in keys:
                for full in (text, *(f"{text} ({code})" for code in codes if key != "code")):
                    names.setdefault(full.casefold(), []).append(term)
        return names

    def name(self, term: Symbol, lang: str) -> str:
        """Return what a printed card is called in a language, in English where it has no other name."""
        keys = dict(self.called[term])
        return keys.get("name_ru", keys["name"]) if lang == "ru" else keys["name"]

    @cached_property
    def prints(self) -> Mapping[Symbol, Mapping[str, tuple[Symbol, ...]]]:
        """The printed cards with everything printed on them; read when first asked for."""
        prints: dict[Symbol, dict[str, list[Symbol]]] = {}
        for atom in self.program.control.symbolic_atoms.by_signature("printed", 3):
            term, key, value = atom.symbol.arguments
            prints.setdefault(term, {}).setdefault(key.name, []).append(value)
        return {term: {key: tuple(values) for key, values in keys.items()} for term, keys in prints.items()}

    @cached_property
    def definitions(self) -> Mapping[Symbol, tuple[tuple[Symbol, Symbol], ...]]:
        """The abilities of printed cards, each with its keys; read when first asked for."""
        definitions: dict[Symbol, list[tuple[Symbol, Symbol]]] = {}
        for atom in self.program.control.symbolic_atoms.by_signature("defines", 3):
            name, key, value = atom.symbol.arguments
            definitions.setdefault(name, []).append((key, value))
        return {name: tuple(pairs) for name, pairs in definitions.items()}

    def check(self, term: Symbol, category: str) -> str | None:
        """Return what is wrong with a term of a category, or None.

        Parameters
        ----------
        term
            A ground term.
        category
            A category with forms, or one of ``number``, ``name``, ``text``, ``player``, ``card``.
        """
        if category in BUILT_IN:
            return _check_built_in(term, category)
        forms = self.forms.get(category, ())
        if term.type is not SymbolType.Function:
            return f"{term} is no {category}"
        for form in forms:
            if form.name == term.name and len(form.arguments) == len(term.arguments):
                for wanted, argument in zip(form.arguments, term.arguments, strict=True):
                    if (wrong := self.check(argument, str(wanted))) is not None:
                        return wrong
                return None
        known = sorted({form.name for form in forms})
        same = [form for form in forms if form.name == term.name]
        if same:
            return f"{term} should have the form {same[0]}"
        from difflib import get_close_matches

        near = get_close_matches(term.name, known, 3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"a {category} is one of {', '.join(known)}"
        return f"there is no {category} '{term.name}'; {hint}"


def _check_built_in(term: Symbol, category: str) -> str | None:
    if category in BOUNDS:
        low, high = BOUNDS[category]
        if term.type is SymbolType.Number and low <= term.number <= high:
            return None
        return f"{term} should be a number from {low} to {high}"
    if category == "text":
        return None if term.type is SymbolType.String else f"{term} should be a text in quotes"
    fits = term.type is SymbolType.Function and not term.arguments and term.name != "_"
    return None if fits else f"{term} should be a {category}"


_TOLD = (
    ("about", 4),
    ("field", 4),
    ("form", 2),
    ("called", 3),
    ("tell", 3),
    ("reads", 3),
    ("on_question", 3),
    ("rule", 1),
)
"""The predicates by which a law says what a vocabulary holds."""


def _said(game: str) -> Iterator[Symbol]:
    """Ground the law of a game without any position and yield what it says of itself."""
    program = ground(game, [], None, record=False)  # kept while its atoms are read: they live in it
    for name, arity in _TOLD:
        for atom in program.control.symbolic_atoms.by_signature(name, arity):
            yield atom.symbol


@lru_cache(maxsize=8)
def load(game: str) -> Vocabulary:
    """Read a game's vocabulary: what its law says without any position.

    Raises
    ------
    RuleError
        If there is no such game, or clingo does not accept its law.
    """
    if game not in games():
        raise RuleError(f"there is no game '{game}'; there are {', '.join(games())}")
    told: dict[str, list[list[Symbol]]] = {name: [] for name, _ in _TOLD}
    for symbol in cached(game, lambda: _said(game)):
        told[symbol.name].append(symbol.arguments)

    about: dict[tuple[Symbol, Symbol], dict[str, str]] = {}
    for section, key, lang, text in told["about"]:
        about.setdefault((section, key), {})[lang.name] = text.string
    fields: dict[str, dict[str, FieldSpec]] = {}
    for section, key, kind, need in told["field"]:
        spec = FieldSpec(section.name, key.name, kind, need.name == "needed", about.get((section, key), {}))
        fields.setdefault(section.name, {})[key.name] = spec
    forms: dict[str, list[Symbol]] = {}
    for category, form in told["form"]:
        forms.setdefault(category.name, []).append(form)
    called: dict[Symbol, list[tuple[str, str]]] = {}
    for term, key, text in told["called"]:
        called.setdefault(term, []).append((key.name, text.string))
    readings: dict[Symbol, dict[str, bool]] = {}
    for rule, name, default in told["reads"]:
        readings.setdefault(rule, {})[name.name] = default.name == "default"
    return Vocabulary(
        game=game,
        fields=fields,
        forms={category: tuple(terms) for category, terms in forms.items()},
        called={term: tuple(pairs) for term, pairs in called.items()},
        sayings=tuple(Saying(pattern, lang.name, words.string) for pattern, lang, words in told["tell"]),
        readings=readings,
        questions={(rule, name.name): asked.string for rule, name, asked in told["on_question"]},
        rules=tuple(args[0] for args in told["rule"]),
    )
