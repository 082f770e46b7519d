"""No rule is a dead letter: switching off any one of the catalog changes the answer of some shipped case."""

from __future__ import annotations

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


def _named(position: Position, number: str) -> bool:
    expected = position.expected
    assert expected is not None
    return number in expected.cites or any(number in one.by for one in expected.illegal)


@pytest.mark.parametrize(("game", "rule"), RULES, ids=str)
def test_switching_it_off_changes_an_answer(game: str, rule: str) -> None:
    number = rule.rpartition(":")[2]
    ordered = sorted(_positions(game), key=lambda pair: (not _named(pair[1], number), pair[0].name))
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
    # a case that chooses a reading of this rule is asked first, and with the other one
    for path, position in sorted(_positions(game), key=lambda pair: not _chooses(pair[1], number)):
        other = _default(game, number) if _chooses(position, number) else name
        if not cases.run(path, lambda game, other=other: switches_named(game, [], [f"{number}={other}"])).passed:
            return
    pytest.fail(f"no case notices whether {number} is read as {name}")


def _chooses(position: Position, number: str) -> bool:
    return any(rule.arguments[0].string == number for rule, _ in position.switches.readings)


def _default(game: str, number: str) -> str:
    (rule,) = (rule for rule in catalog.load(game) if rule.number == number)
    return next(reading.name for reading in rule.readings if reading.default)
