"""Models of position files: made from a game's ``field`` and ``form`` facts, checked by pydantic."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

from clingo import Symbol, SymbolType
from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    StringConstraints,
    Tag,
    create_model,
)

from bridge.catalog import games
from bridge.vocabulary import FieldSpec, Vocabulary, load

__all__ = ["Expectation", "Illegal", "json_schema", "position_model", "print_model"]

NAME = r"^[a-z][A-Za-z0-9_]*$"
Name = Annotated[StrictStr, StringConstraints(pattern=NAME, max_length=60)]
Term = Annotated[StrictStr, StringConstraints(min_length=1, max_length=500)]
Text = Annotated[StrictStr, StringConstraints(min_length=1, max_length=2_000)]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


def _one_or_many(item: Any) -> Any:
    """Return the type of a list that may also be written as its only member."""
    kind = Discriminator(lambda value: "many" if isinstance(value, list) else "one")
    return Annotated[Annotated[item, Tag("one")] | Annotated[list[item], Tag("many")], kind]


class Illegal(_Closed):
    """A move that must be refused, and by which rules."""

    move: Term = Field(description="a move, as the program prints it or in its short form; _ stands for anything")
    by: _one_or_many(StrictStr) = Field(default=[], description="the rules that refuse it, as agot:M4")  # type: ignore[valid-type]


class Expectation(_Closed):
    """What the right answer is; a position with expectations is a case."""

    outcomes: StrictInt | None = Field(default=None, ge=0, description="how many outcomes there are")
    lines: StrictInt | None = Field(default=None, ge=0, description="how many lines of play lead to them")
    boards: list[_one_or_many(Term)] | None = Field(  # type: ignore[valid-type]
        default=None,
        description="the complete set: one entry per outcome, true of that outcome and of no other",
    )
    possible: _one_or_many(Term) = Field(default=[], description="conditions true of some outcome")  # type: ignore[valid-type]
    impossible: _one_or_many(Term) = Field(default=[], description="conditions true of no outcome")  # type: ignore[valid-type]
    certain: _one_or_many(Term) = Field(default=[], description="conditions true of every outcome")  # type: ignore[valid-type]
    legal: _one_or_many(Term) = Field(default=[], description="moves that are legal at some moment")  # type: ignore[valid-type]
    illegal: list[Illegal] = Field(default=[], description="moves that some moment refuses and none allows")
    cites: _one_or_many(StrictStr) = Field(default=[], description="rules that the answer must cite")  # type: ignore[valid-type]
    stuck: StrictBool = Field(default=False, description="some line ends where nothing is legal")
    endless: StrictBool = Field(
        default=False, description="some choices lead to moves that go round in a circle and never end"
    )


def _annotation(vocabulary: Vocabulary, kind: Symbol) -> Any:
    if kind.name == "list":
        return _one_or_many(_annotation(vocabulary, kind.arguments[0]))
    if kind.name == "number":
        low, high = (argument.number for argument in kind.arguments)
        return Annotated[StrictInt, Field(ge=low, le=high)]
    if kind.name == "print":
        return StrictStr | print_model(vocabulary.game)
    if kind.name == "section":
        return _section(vocabulary.game, kind.arguments[0].name)
    simple: dict[str, Any] = {"flag": StrictBool, "text": Text, "name": Name, "player": Name, "card": Name}
    if kind.name in simple:
        return simple[kind.name]
    forms = vocabulary.forms.get(kind.name, ())
    if forms and all(form.type is SymbolType.Function and not form.arguments for form in forms):
        return Literal[tuple(sorted(form.name for form in forms))]
    return Term


def _fields(vocabulary: Vocabulary, specs: Mapping[str, FieldSpec]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, spec in specs.items():
        kind = _annotation(vocabulary, spec.type)
        note = Field(alias=key, description=spec.about.get("en"))
        if spec.needed:
            fields[f"f_{key}"] = (kind, note)
        else:
            fields[f"f_{key}"] = (
                kind | None,
                Field(default=None, alias=key, description=spec.about.get("en")),
            )
    return fields


@lru_cache(maxsize=64)
def _section(game: str, section: str) -> type[BaseModel]:
    vocabulary = load(game)
    fields = _fields(vocabulary, vocabulary.fields.get(section, {}))
    return create_model(f"{section.title()}", __base__=_Closed, **fields)


def print_model(game: str) -> type[BaseModel]:
    """Return the model of an inline card of a game."""
    return _section(game, "print")


@lru_cache(maxsize=8)
def position_model(game: str) -> type[BaseModel]:
    """Return the model of a position file of a game."""
    vocabulary = load(game)
    player: Any = _section(game, "player")
    card: Any = _section(game, "card")
    fields: dict[str, Any] = {
        "game": (Literal[tuple(games())], Field(description="the game whose rules are asked")),
        "title": (Text | None, Field(default=None, description="what the position is about")),
        "source": (
            Text | None,
            Field(default=None, description="where it comes from: rulebook section, ruling"),
        ),
        "note": (Text | None, Field(default=None, description="anything a reader should know")),
        "players": (
            dict[Name, player | None],
            Field(description="in seat order, clockwise"),
        ),
        "cards": (
            dict[Name, card],
            Field(default={}, description="the cards, by names of your own"),
        ),
        "line": (_one_or_many(Term), Field(default=[], description="moves played before anything is asked")),
        "readings": (
            dict[StrictStr, Name | list[Name]],
            Field(default={}, description="how ambiguous rules are read, as W7: pool"),
        ),
        "without": (_one_or_many(StrictStr), Field(default=[], description="rules that are switched off")),
        "expect": (Expectation | None, Field(default=None, description="the right answer, for cases")),
    }
    return create_model("Position", __base__=_Closed, **fields, **_fields(vocabulary, vocabulary.fields["game"]))


def json_schema(game: str) -> dict[str, Any]:
    """Return the JSON Schema of a game's position files, for editors that complete and check them."""
    schema = position_model(game).model_json_schema(by_alias=True)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Lawspeaker position ({game})",
        **{key: value for key, value in schema.items() if key != "title"},
    }
