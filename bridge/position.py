"""Positions: a file becomes the facts of a game, or every fault that it has."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from clingo import Function, Number, String, Symbol

from bridge import yamltext
from bridge.catalog import games
from bridge.errors import Fault, PositionError, QuestionError
from bridge.ground import Switches
from bridge.shape import is_plainly_right
from bridge.terms import Condition, TermError, parse_condition, parse_term
from bridge.vocabulary import FieldSpec, Vocabulary
from bridge.vocabulary import load as load_vocabulary
from bridge.yamltext import Document

__all__ = ["Expected", "Illegal", "Position", "load", "parse", "switches_named"]


@dataclass(frozen=True, slots=True)
class Illegal:
    """A move that must be refused, and the rules that must be named."""

    move: Symbol
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """What a case says the right answer is; see the position format for the keys."""

    outcomes: int | None = None
    lines: int | None = None
    boards: tuple[tuple[Condition, ...], ...] | None = None
    possible: tuple[Condition, ...] = ()
    impossible: tuple[Condition, ...] = ()
    certain: tuple[Condition, ...] = ()
    legal: tuple[Symbol, ...] = ()
    illegal: tuple[Illegal, ...] = ()
    cites: tuple[str, ...] = ()
    stuck: bool = False
    endless: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """A position as data: facts for the rules, and names for people.

    ``facts`` are terms such as ``given(card(joffrey),owner,lannister)``; ``line`` are the moves (or their short
    forms) to be played before anything is asked; ``names`` maps cards and players to what they are called, by
    language; ``switches`` are the rules switched off and the readings chosen; ``source`` is the file, ``origin`` the
    rulebook's example or ruling it comes from.
    """

    game: str
    source: str
    title: str
    facts: tuple[Symbol, ...]
    names: Mapping[Symbol, Mapping[str, str]]
    line: tuple[Symbol, ...] = ()
    switches: Switches = field(default_factory=Switches)
    expected: Expected | None = None
    note: str = ""
    origin: str = ""
    lines: Mapping[tuple[str | int, ...], int] = field(default_factory=dict)

    def with_given(self, key: str, value: str) -> Position:
        """Return the position with a key of the game's own replaced, as ``until: phase``.

        Raises
        ------
        QuestionError
            If the game has no such key, or the key no such value.
        """
        vocabulary = load_vocabulary(self.game)
        spec = vocabulary.fields["game"].get(key)
        if spec is None:
            raise QuestionError(f"positions of {self.game} have no '{key}'")
        term = Function(value) if value.isidentifier() else String(value)
        if (wrong := vocabulary.check(term, spec.type.name)) is not None:
            raise QuestionError(f"--{key}: {wrong}")
        subject, name = Function("game"), Function(key)
        kept = [fact for fact in self.facts if not (fact.match("given", 3) and fact.arguments[:2] == [subject, name])]
        return replace(self, facts=(*kept, Function("given", [subject, name, term])))

    def with_switches(self, switches: Switches) -> Position:
        """Return the position with further rules switched off and readings chosen; the new ones come first."""
        questions = load_vocabulary(self.game).questions if switches.readings else {}
        chosen: dict[tuple[Symbol, str], tuple[Symbol, str]] = {}
        for rule, name in (*self.switches.readings, *switches.readings):
            chosen[rule, questions.get((rule, name), "")] = (rule, name)
        merged = Switches(
            tuple(dict.fromkeys((*self.switches.without, *switches.without))),
            tuple(chosen.values()),
        )
        return replace(self, switches=merged)


def load(path: str | Path) -> Position:
    """Read a position file.

    Parameters
    ----------
    path
        A YAML (or JSON) file.

    Raises
    ------
    PositionError
        With every fault that the file has by itself; whether the position can exist the rules say later.
    """
    path = Path(path)
    try:
        if path.exists() and not path.is_file():
            what = "a directory" if path.is_dir() else "no regular file"
            raise PositionError([Fault("", f"this is {what}; a position is a file")], str(path))
        if path.stat().st_size > 4 * yamltext.LARGEST:
            size = path.stat().st_size
            raise PositionError(
                [Fault("", f"the file has {size:,} bytes; a position has at most {yamltext.LARGEST:,}")],
                str(path),
            )
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise PositionError([Fault("", f"the file is not UTF-8 text (byte {error.start})")], str(path)) from error
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise PositionError([Fault("", f"the file cannot be read: {reason}")], str(path)) from error
    return parse(text, str(path))


def parse(text: str, source: str = "position") -> Position:
    """Read a position from text; see `load`."""
    document = yamltext.read(text, source)
    game = document.data.get("game")
    if game not in games():
        said = "'game' is missing" if game is None else f"there is no game '{game}'"
        fault = Fault("game", f"{said}; write one of {', '.join(games())}", line=document.line(("game",)))
        raise PositionError([fault], source)
    vocabulary = load_vocabulary(game)
    faults = [] if is_plainly_right(document.data, vocabulary) else list(_shape_faults(document, vocabulary))
    if faults:
        raise PositionError(faults, source)
    reader = _Reader(document, vocabulary, source)
    position = reader.position()
    if reader.faults:
        raise PositionError(reader.faults, source)
    return position


# ---- Shape: pydantic checks keys and types, we say it in one sentence -----------------------------------------------


def _shape_faults(document: Document, vocabulary: Vocabulary) -> Iterator[Fault]:
    from pydantic import ValidationError

    from bridge.schema import position_model, print_model

    data = document.data
    inline: dict[tuple[str | int, ...], Any] = {}
    shallow = dict(data)
    if isinstance(data.get("cards"), dict):
        shallow["cards"] = {}
        for name, card in data["cards"].items():
            copy = card
            if isinstance(card, dict) and isinstance(card.get("card"), dict):
                inline["cards", name, "card"] = card["card"]
                copy = {**card, "card": "inline"}
            shallow["cards"][name] = copy
    checks: list[tuple[tuple[str | int, ...], Any, Any]] = [((), position_model(vocabulary.game), shallow)]
    checks += [(path, print_model(vocabulary.game), value) for path, value in inline.items()]
    for prefix, model, value in checks:
        try:
            model.model_validate(value)
        except ValidationError as error:
            told: set[tuple[str | int, ...]] = set()
            for each in error.errors():
                path = (*prefix, *_path(each["loc"]))
                if path in told:  # a value that may have two shapes is told once
                    continue
                told.add(path)
                shown = ".".join(str(part) for part in path)
                yield Fault(shown, _sentence(each, path, vocabulary), line=document.line(path))


def _path(loc: Sequence[str | int]) -> tuple[str | int, ...]:
    return tuple(part for part in loc if part not in ("one", "many", "[key]", "str", "Print"))


def _sentence(error: Any, path: tuple[str | int, ...], vocabulary: Vocabulary) -> str:
    kind, context, given = error["type"], error.get("ctx", {}), error["input"]
    shown = (
        "nothing"
        if given is None
        else repr(given)
        if not isinstance(given, dict | list)
        else "a list"
        if isinstance(given, list)
        else "a block"
    )
    match kind:
        case "missing":
            return f"'{path[-1]}' is missing"
        case "extra_forbidden":
            known = _known_keys(path, vocabulary)
            return f"there is no key '{path[-1]}' here{_hint(str(path[-1]), known)}"
        case "literal_error":
            return f"{shown} is not one of {context['expected'].replace(' or ', ', ')}"
        case "bool_type":
            return f"write true or false, not {shown}"
        case "int_type":
            return f"write a whole number, not {shown}"
        case "greater_than_equal":
            return f"{given} is too small; the least is {context['ge']}"
        case "less_than_equal":
            return f"{given} is too large; the greatest is {context['le']}"
        case "string_pattern_mismatch":
            return f"{shown} is no name; names start with a small Latin letter, then letters, digits and _"
        case "string_type":
            return f"write a word or a text, not {shown}"
        case "string_too_short":
            return "write something here"
        case "string_too_long":
            return f"this has more than {context['max_length']} characters"
        case "dict_type" | "model_type" | "model_attributes_type":
            return f"write a block of 'key: value' lines here, not {shown}"
        case _:
            return str(error["msg"])


def _known_keys(path: tuple[str | int, ...], vocabulary: Vocabulary) -> list[str]:
    own = ["game", "title", "source", "note", "players", "cards", "line", "readings", "without", "expect"]
    fields = vocabulary.fields
    if len(path) == 1:
        return [*own, *fields["game"]]
    match path[0]:
        case "players":
            return list(fields["player"])
        case "expect":
            return list(Expected.__slots__)
        case "cards" if len(path) == 3:
            return list(fields["card"])
        case "cards" if "ability" in path[3:-1]:
            return list(fields["ability"])
        case "cards":
            return list(fields["print"])
        case section:
            return list(fields.get(str(section), {}))


def _hint(wrong: str, known: Sequence[str], what: str = "the keys are") -> str:
    near = get_close_matches(wrong, known, 3, 0.6)
    return f"; did you mean {' or '.join(near)}?" if near else f"; {what} {', '.join(known)}"


# ---- Meaning: names, cards and terms ---------------------------------------------------------------------------------


class _Reader:
    """Turns checked data into facts, and collects every fault on the way."""

    def __init__(self, document: Document, vocabulary: Vocabulary, source: str) -> None:
        self.document, self.vocabulary, self.source = document, vocabulary, source
        self.data = document.data
        self.faults: list[Fault] = []
        self.facts: list[Symbol] = []
        self.names: dict[Symbol, dict[str, str]] = {}
        self.cards: list[str] = list(self.data.get("cards") or {})
        self.players: list[str] = list(self.data["players"])

    def fault(self, path: tuple[str | int, ...], message: str) -> None:
        shown = ".".join(str(part) for part in path)
        self.faults.append(Fault(shown, message, line=self.document.line(path)))

    def position(self) -> Position:
        data = self.data
        fields = self.vocabulary.fields
        if not self.players:
            self.fault(("players",), "a position needs at least one player")
        for both in sorted(set(self.players) & set(self.cards)):
            self.fault(("cards", both), f"'{both}' is a player already; give the card another name")
        for name, many in (("players", 8), ("cards", 200)):
            if len(self.data.get(name) or ()) > many:
                self.fault((name,), f"{len(self.data[name])} {name} are more than the {many} that can be judged")
        for name in ("players", "cards"):
            if "not" in (self.data.get(name) or ()):
                self.fault((name, "not"), "'not' cannot be a name")
        for word in ("chance", "game"):
            if word in self.players:
                self.fault(("players", word), f"'{word}' cannot be a player's name; it has a meaning of its own")
        for seat, player in enumerate(self.players, start=1):
            term = Function(player)
            self.facts.append(Function("seat", [term, Number(seat)]))
            english = (data["players"][player] or {}).get("name") or player.replace("_", " ").title()
            russian = (data["players"][player] or {}).get("name_ru") or english
            self.names[term] = {"en": english, "ru": russian}
            self.section(
                data["players"][player] or {},
                fields["player"],
                Function("player", [term]),
                ("players", player),
            )
        for card in self.cards:
            self.card(card, data["cards"][card])
        own = {key: value for key, value in data.items() if key in fields["game"]}
        self.section(own, fields["game"], Function("game"), ())
        return Position(
            game=self.vocabulary.game,
            source=self.source,
            title=data.get("title") or Path(self.source).stem,
            note=data.get("note") or "",
            origin=data.get("source") or "",
            facts=tuple(self.facts),
            names=self.names,
            line=tuple(self.terms(data.get("line"), ("line",))),
            switches=self.switches(),
            expected=self.expected(data["expect"]) if data.get("expect") else None,
            lines=self.document.lines,
        )

    # -- sections --

    def section(
        self,
        values: Mapping[str, Any],
        specs: Mapping[str, FieldSpec],
        subject: Symbol,
        path: tuple[str | int, ...],
    ) -> None:
        for key, value in values.items():
            if value is None or value is False:
                continue
            kind = specs[key].type
            if kind.name == "section":
                self.facts.append(_given(subject, key, Function("yes")))
                inner = self.vocabulary.fields[kind.arguments[0].name]
                self.section(value, inner, Function(key), (*path, key))
            elif kind.name == "list":
                members = value if isinstance(value, list) else [value]
                for i, member in enumerate(members, start=1):
                    if (term := self.value(member, kind.arguments[0], (*path, key))) is not None:
                        self.facts.append(Function("listed", [subject, Function(key), Number(i), term]))
                if len(members) != len({str(member) for member in members}):
                    self.fault((*path, key), "the same entry stands here twice")
            elif (term := self.value(value, kind, (*path, key))) is not None:
                self.facts.append(_given(subject, key, term))

    def value(self, value: Any, kind: Symbol, path: tuple[str | int, ...]) -> Symbol | None:
        match kind.name:
            case "flag":
                return Function("yes")
            case "number":
                return Number(value)
            case "text":
                return String(value)
            case "name":
                if value == "not":
                    self.fault(path, "'not' cannot be a name")
                return Function(value)
            case "player":
                return self.known(value, self.players, "player", path)
            case "card":
                return self.known(value, self.cards, "card", path)
            case _:
                return self.term(str(value), kind.name, path)

    def known(self, name: str, names: list[str], what: str, path: tuple[str | int, ...]) -> Symbol | None:
        if name in names:
            return Function(name)
        if names:
            self.fault(path, f"there is no {what} '{name}' in this position{_hint(name, names, f'its {what}s are')}")
        else:
            self.fault(path, f"there is no {what} '{name}'; this position has no {what}s")
        return None

    def term(self, text: str, category: str, path: tuple[str | int, ...]) -> Symbol | None:
        try:
            term = parse_term(text)
        except TermError as error:
            self.fault(path, f"'{text}' cannot be read ({category}): {error}")
            return None
        if (wrong := self.vocabulary.check(term, category)) is not None:
            self.fault(path, wrong)
            return None
        return term

    # -- cards --

    def card(self, name: str, values: Mapping[str, Any]) -> None:
        path: tuple[str | int, ...] = ("cards", name)
        subject = Function("card", [Function(name)])
        said = values["card"]
        term = self.inline(name, said) if isinstance(said, dict) else self.find_print(said, (*path, "card"))
        if term is not None:
            self.facts.append(_given(subject, "card", term))
        rest = {key: value for key, value in values.items() if key != "card"}
        self.section(rest, self.vocabulary.fields["card"], subject, path)

    def find_print(self, said: str, path: tuple[str | int, ...]) -> Symbol | None:
        names = self.vocabulary.print_names
        found = names.get(" ".join(said.split()).casefold(), [])
        if not found:
            titles = {text for keys in self.vocabulary.called.values() for key, text in keys if key != "code"}
            near = get_close_matches(said, titles, 3, 0.6)
            hint = (
                f"; did you mean {' or '.join(near)}?" if near else "; describe it in place, with name, type and so on"
            )
            self.fault(path, f"there is no card '{said}' in the sets{hint}")
            return None
        if len(found) > 1 and len({_looks(self.vocabulary.prints[term]) for term in found}) > 1:
            codes = [code.string for term in found for code in self.vocabulary.prints[term].get("code", ())]
            shown = ", ".join(f"{said} ({code})" for code in codes)
            self.fault(path, f"several cards are called '{said}'; write one of {shown}")
            return None
        term = sorted(found, key=str)[0]
        self.names[Function(str(path[1]))] = {lang: self.vocabulary.name(term, lang) for lang in ("en", "ru")}
        return term

    def inline(self, card: str, values: Mapping[str, Any]) -> Symbol:
        term = Function("inline", [Function(card)])
        path: tuple[str | int, ...] = ("cards", card, "card")
        self.names[Function(card)] = {"en": values["name"], "ru": values.get("name_ru") or values["name"]}
        for key, value in values.items():
            if key == "ability":
                self.abilities(term, card, value if isinstance(value, list) else [value], path)
            else:
                for fact in self.pairs(value, self.vocabulary.fields["print"][key], (*path, key)):
                    self.facts.append(Function("printed", [term, Function(key), fact]))
        return term

    def abilities(self, term: Symbol, card: str, members: list[Any], path: tuple[str | int, ...]) -> None:
        if len(members) > 12:
            self.fault((*path, "ability"), f"{len(members)} abilities on one card are more than can be judged; 12 are")
            return
        for i, ability in enumerate(members):
            name = Function(f"{card}_{i + 1}")
            self.facts.append(Function("printed", [term, Function("ability"), name]))
            if name in self.vocabulary.definitions:
                self.fault((*path, "ability", i), f"the name {name} is taken by a card of the sets; rename the card")
            for key, value in ability.items():
                for fact in self.pairs(value, self.vocabulary.fields["ability"][key], (*path, "ability", i, key)):
                    self.facts.append(Function("defines", [name, Function(key), fact]))

    def pairs(self, value: Any, spec: FieldSpec, path: tuple[str | int, ...]) -> Iterator[Symbol]:
        if value is None or value is False:
            return
        kind = spec.type.arguments[0] if spec.type.name == "list" else spec.type
        if isinstance(value, list) and len(value) != len({str(member) for member in value}):
            self.fault(path, "the same entry stands here twice")
        for member in value if isinstance(value, list) else [value]:
            if (term := self.value(member, kind, path)) is not None:
                yield term

    # -- lines, switches, expectations --

    def terms(self, value: Any, path: tuple[str | int, ...]) -> Iterator[Symbol]:
        for i, text in enumerate(_many(value)):
            try:
                yield parse_term(text)
            except TermError as error:
                self.fault((*path, i), f"'{text}' cannot be read: {error}")

    def conditions(self, value: Any, path: tuple[str | int, ...]) -> tuple[Condition, ...]:
        found = []
        for text in _many(value):
            try:
                found.append(parse_condition(text))
            except TermError as error:
                self.fault(path, f"'{text}' cannot be read as a condition: {error}")
        return tuple(found)

    def switches(self) -> Switches:
        by_name = rules_by_name(self.vocabulary)
        without = []
        for text in _many(self.data.get("without")):
            if (rule := by_name.get(text)) is not None:
                without.append(rule)
            else:
                self.fault(("without",), f"there is no rule '{text}'{_no_rule(text, by_name)}")
        readings = []
        wanted = (self.data.get("readings") or {}).items()
        for text, choice in ((text, choice) for text, choices in wanted for choice in _many(choices)):
            rule = by_name.get(text)
            choices = self.vocabulary.readings.get(rule, {}) if rule is not None else {}
            if rule is None or not choices:
                known = _once(by_name, self.vocabulary.readings)
                self.fault(("readings", text), f"'{text}' has no readings{_hint(text, known, 'rules that have are')}")
            elif choice not in choices:
                self.fault(
                    ("readings", text),
                    f"{text} has no reading '{choice}'; it has {', '.join(sorted(choices))}",
                )
            else:
                readings.append((rule, choice))
        return Switches(tuple(without), tuple(readings))

    def expected(self, values: Mapping[str, Any]) -> Expected:
        path = ("expect",)
        boards = values.get("boards")
        known = set(rules_by_name(self.vocabulary))
        cites = tuple(_many(values.get("cites")))
        illegal = []
        for i, entry in enumerate(values.get("illegal") or ()):
            by = tuple(_many(entry.get("by")))
            moves = list(self.terms([entry["move"]], ("expect", "illegal", i)))
            illegal += [Illegal(move, by) for move in moves]
            cites += by
        for rule in dict.fromkeys(cites):
            if rule not in known:
                self.fault(path, f"there is no rule '{rule}'{_hint(rule, sorted(known), 'the rules are')}")
        return Expected(
            outcomes=values.get("outcomes"),
            lines=values.get("lines"),
            boards=None if boards is None else tuple(self.conditions(board, ("expect", "boards")) for board in boards),
            possible=self.conditions(values.get("possible"), ("expect", "possible")),
            impossible=self.conditions(values.get("impossible"), ("expect", "impossible")),
            certain=self.conditions(values.get("certain"), ("expect", "certain")),
            legal=tuple(self.terms(values.get("legal"), ("expect", "legal"))),
            illegal=tuple(illegal),
            cites=tuple(_many(values.get("cites"))),
            stuck=bool(values.get("stuck")),
            endless=bool(values.get("endless")),
        )


def rules_by_name(vocabulary: Vocabulary) -> dict[str, Symbol]:
    """Return the rules of a game by every name that people may use: ``agot:M4`` and ``M4``."""
    named: dict[str, Symbol] = {}
    for rule in vocabulary.rules:
        number = rule.arguments[0].string
        named[f"{rule.name}:{number}"] = rule
        if rule.name == vocabulary.game:
            named[number] = rule
    return named


def _once(by_name: Mapping[str, Symbol], wanted: Collection[Symbol]) -> list[str]:
    """Return the wanted rules, each by the shortest of its names."""
    shortest = {rule: name for name, rule in by_name.items()}  # a short name stands after the long one
    return [shortest[rule] for rule in dict.fromkeys(by_name.values()) if rule in wanted]


def _no_rule(text: str, by_name: Mapping[str, Symbol]) -> str:
    near = get_close_matches(text, by_name, 3, 0.6)
    return _hint(text, near or _once(by_name, set(by_name.values())), "the rules are")


def switches_named(game: str, without: Sequence[str], readings: Sequence[str]) -> Switches:
    """Return switches from what people write: rules as ``M4`` or ``agot:M4``, readings as ``W7=pool``.

    Raises
    ------
    QuestionError
        If there is no such rule or reading.
    """
    if not without and not readings:
        return Switches()
    vocabulary = load_vocabulary(game)
    by_name = rules_by_name(vocabulary)
    off = []
    for text in without:
        if text not in by_name:
            raise QuestionError(f"there is no rule '{text}'{_no_rule(text, by_name)}")
        off.append(by_name[text])
    chosen = []
    for text in readings:
        name, _, choice = text.partition("=")
        if name == "all":
            raise QuestionError("every reading can be tried by 'outcomes' and 'ask' only; choose one here, as W7=pool")
        choices = vocabulary.readings.get(by_name[name], {}) if name in by_name else {}
        if not choices:
            known = _once(by_name, vocabulary.readings)
            raise QuestionError(f"'{name}' has no readings; rules that have are {', '.join(known)}")
        if choice not in choices:
            raise QuestionError(f"{name} has no reading '{choice}'; write {name}= and one of {', '.join(choices)}")
        chosen.append((by_name[name], choice))
    return Switches(tuple(off), tuple(chosen))


def _given(subject: Symbol, key: str, value: Symbol) -> Symbol:
    return Function("given", [subject, Function(key), value])


def _many(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _looks(keys: Mapping[str, tuple[Symbol, ...]]) -> tuple[Any, ...]:
    return tuple(sorted((key, tuple(map(str, values))) for key, values in keys.items() if key != "code"))
