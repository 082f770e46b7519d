"""A quick look at a position's shape, to see whether it is plainly right.

Building the pydantic models takes a fifth of the time of a short answer. Most positions have no fault of shape; this
look says so without the models. It only ever says yes where they would: at the slightest doubt it says no, and the
models decide and say what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from clingo import Symbol, SymbolType

from bridge.vocabulary import FieldSpec, Vocabulary

__all__ = ["is_plainly_right"]

_NAME = re.compile(r"[a-z][A-Za-z0-9_]{0,59}")
_READ_LATER = ("expect", "readings", "without")
_COUNTS = ("outcomes", "lines")
_LISTS = ("boards", "possible", "impossible", "certain", "legal", "cites")
_COMMON = {"game", "title", "source", "note", "players", "cards", "line"}


def is_plainly_right(data: Mapping[str, Any], vocabulary: Vocabulary) -> bool:
    """Whether a position has the right keys and kinds of values everywhere; no means only *look closer*."""
    fields = vocabulary.fields
    players, cards = data.get("players"), data.get("cards", {})
    if data.get("game") != vocabulary.game or not isinstance(players, dict) or not isinstance(cards, dict):
        return False
    texts = all(_text(data[key]) for key in ("title", "source", "note") if key in data)
    line = data.get("line", [])
    lines = all(map(_term, line)) if isinstance(line, list) else _term(line)
    own = {key: value for key, value in data.items() if key not in _COMMON and key not in _READ_LATER}
    if not all(_later(data[key]) for key in _READ_LATER if key in data):
        return False
    return (
        texts
        and lines
        and _section(vocabulary, own, fields["game"])
        and all(
            _name(name) and _section(vocabulary, {} if one is None else one, fields["player"])
            for name, one in players.items()
        )
        and all(_name(name) and _section(vocabulary, one, fields["card"]) for name, one in cards.items())
    )


def _later(value: Any) -> bool:
    """Whether an expectation, readings or switches are of the plainest shape."""
    if not isinstance(value, dict):
        return False
    for key, one in value.items():
        if key in _COUNTS:
            fine = type(one) is int and one >= 0
        elif key == "illegal":
            fine = isinstance(one, list) and all(map(_refusal, one))
        elif key in _LISTS:
            fine = isinstance(one, list) and all(
                _term(each) or (key == "boards" and isinstance(each, list) and all(map(_term, each))) for each in one
            )
        else:
            fine = False
        if not fine:
            return False
    return True


def _refusal(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"move", "by"}
        and _term(value["move"])
        and isinstance(value["by"], list)
        and all(map(_term, value["by"]))
    )


def _section(vocabulary: Vocabulary, values: Any, specs: Mapping[str, FieldSpec]) -> bool:
    if not isinstance(values, dict) or not values.keys() <= specs.keys():
        return False
    if any(spec.needed and key not in values for key, spec in specs.items()):
        return False
    return all(_value(vocabulary, value, specs[key].type) for key, value in values.items())


def _value(vocabulary: Vocabulary, value: Any, kind: Symbol) -> bool:
    match kind.name:
        case "list":
            inner = kind.arguments[0]
            return (
                all(_value(vocabulary, one, inner) for one in value)
                if isinstance(value, list)
                else _value(vocabulary, value, inner)
            )
        case "section":
            return _section(vocabulary, value, vocabulary.fields[kind.arguments[0].name])
        case "number":
            low, high = (argument.number for argument in kind.arguments)
            return type(value) is int and low <= value <= high
        case "flag":
            return type(value) is bool
        case "print":
            return _section(vocabulary, value, vocabulary.fields["print"]) if isinstance(value, dict) else _text(value)
        case "text":
            return _text(value)
        case "name" | "player" | "card":
            return _name(value)
        case category:
            forms = vocabulary.forms.get(category, ())
            words = {form.name for form in forms if form.type is SymbolType.Function and not form.arguments}
            return value in words if len(words) == len(forms) and isinstance(value, str) else _term(value)


def _text(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 2_000


def _term(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 500


def _name(value: Any) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None
