"""The quick look never accepts what the models refuse."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from bridge import cases, yamltext
from bridge.position import _shape_faults
from bridge.schema import position_model
from bridge.shape import is_plainly_right
from bridge.vocabulary import load
from bridge.yamltext import Document

WORDS = load("agot")
GOOD = yamltext.read(
    """
game: agot
players: {ann: {power: 3}, bob: {}}
phase: marshalling
cards:
  joffrey: {card: Joffrey Baratheon, owner: ann, power: 1}
  fire: {owner: bob, card: {name: A fire, type: event, ability: {kind: action, target: character, effect: kill(target)}}}
event: {player: bob, uses: fire, targets: [joffrey]}
expect: {outcomes: 1, boards: [["in(joffrey,dead)"]], cites: [M1]}
"""
).data


def test_a_plain_position_is_accepted_without_the_models() -> None:
    assert is_plainly_right(GOOD, WORDS)


@pytest.mark.parametrize("path", cases.files()[::7], ids=lambda path: path.stem)
def test_whatever_is_accepted_is_accepted_by_the_models(path: Any) -> None:
    data = yamltext.read(path.read_text(encoding="utf-8")).data
    if is_plainly_right(data, load(data["game"])):
        position_model(data["game"]).model_validate(data)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(deeper for key, one in inner for deeper in _paths(one, (*path, key)))]


VALUES = (
    st.none() | st.booleans() | st.integers(-3, 20) | st.text(max_size=6) | st.just([]) | st.just({}) | st.just(["x"])
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.sampled_from(_paths(GOOD)[1:]), VALUES, st.booleans())
def test_a_spoilt_position_is_never_accepted_against_the_models(path: tuple[Any, ...], value: Any, add: bool) -> None:
    data = json.loads(json.dumps(GOOD))
    place = data
    for key in path[:-1]:
        place = place[key]
    if add and isinstance(place, dict):
        place["odd"] = value
    else:
        place[path[-1]] = value
    if is_plainly_right(data, WORDS):
        try:
            assert not list(_shape_faults(Document(data), WORDS))
        except ValidationError:  # pragma: no cover
            pytest.fail("the models refuse it")
