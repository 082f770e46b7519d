"""No rule is a dead letter: switching off any one of the catalog changes the answer of some shipped case."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from bridge import cases, catalog
from bridge.position import Position, load, switches_named

RULES = [(game, rule.id) for game in catalog.games() for rule in catalog.load(game)]


@cache
def _positions(game: str) -> list[tuple[Path, Position]]:
    loaded = [(path, load(path)) for path in cases.files()]
    return [(path, position) for path, position in loaded if position.game == game]


def _closeness(path: Path, position: Position, number: str) -> int:
    """Say how likely a case turns on a rule; the least likely come last."""
    expected = position.expected
    assert expected is not None
    if number in expected.cites or any(number in one.by for one in expected.illegal):
        return 0
    named = path.stem.startswith(number.replace(".", "_")) or re.search(rf"\b{re.escape(number)}\b", position.origin)
    return 1 if named else 2


@pytest.mark.parametrize(("game", "rule"), RULES, ids=str)
def test_switching_it_off_changes_an_answer(game: str, rule: str) -> None:
    number = rule.rpartition(":")[2]
    ordered = sorted(_positions(game), key=lambda pair: (_closeness(*pair, number), pair[0].name))
    for path, _ in ordered:
        if not cases.run(path, lambda name: switches_named(name, [rule], [])).passed:
            return
    pytest.fail(f"{rule} is in the catalog, but no case notices when it is switched off")


READINGS = [
    (game, rule.number, reading.name)
    for game in catalog.games()
    for rule in catalog.load(game)
    for reading in rule.readings
    if not reading.default
]


@pytest.mark.parametrize(("game", "number", "name"), READINGS, ids=str)
def test_every_other_reading_changes_an_answer(game: str, number: str, name: str) -> None:
    # a case that chooses a reading of this question is asked first: one that chooses this reading, with the default
    rivals = _rivals(game, number, name)
    default = next(each for each, is_default in rivals.items() if is_default)

    def order(pair: tuple[Path, Position]) -> tuple[bool, int]:
        return not _chosen(pair[1], number) & rivals.keys(), _closeness(*pair, number)

    for path, position in sorted(_positions(game), key=order):
        other = default if _chosen(position, number) & rivals.keys() else name
        if not cases.run(path, lambda game, other=other: switches_named(game, [], [f"{number}={other}"])).passed:
            return
    pytest.fail(f"no case notices whether {number} is read as {name}")


def _chosen(position: Position, number: str) -> set[str]:
    return {name for rule, name in position.switches.readings if rule.arguments[0].string == number}


def _rivals(game: str, number: str, name: str) -> dict[str, bool]:
    (rule,) = (rule for rule in catalog.load(game) if rule.number == number)
    (asked,) = (reading.question for reading in rule.readings if reading.name == name)
    return {reading.name: reading.default for reading in rule.readings if reading.question == asked}
