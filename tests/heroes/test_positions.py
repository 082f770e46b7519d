"""Positions that cannot exist are refused with every reason, each at its place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bridge.errors import PositionError
from bridge.oracle import Oracle
from bridge.position import parse

Data = dict[str, Any]


def _creature(**keys: Any) -> Data:
    return {"name": "A cat", "type": "creature", "life": 3, **keys}


def _card(print_: Data | None = None, **keys: Any) -> Data:
    return {"owner": "ann", "card": print_ or _creature(), **keys}


SPELL = {"name": "A bolt", "type": "spell", "ability": {"kind": "spell", "effect": "draw(1,you)"}}
STONE = {"name": "A stone", "type": "support"}
HERO = {"name": "A chief", "type": "hero", "life": 20}
QUEEN = _creature(name="The queen", single=True)
FORGE = {"name": "A forge", "type": "support", "ability": [{"kind": "activated", "effect": "draw(1,you)"}] * 2}

FAULTS: list[tuple[Data, str, str]] = [
    ({"players": {"ann": {}}}, "players", "played by two"),
    ({"players": {"ann": {}, "bob": {}, "cid": {}}}, "players", "played by two"),
    ({"cards": {"x": {"card": _creature()}}}, "cards.x.owner", "needs 'owner:'"),
    ({"cards": {"x": _card(zone="box")}}, "cards.x.owner", "still to be created"),
    ({"cards": {"x": _card(zone="hand", controller="bob")}}, "cards.x.controller", "game zone"),
    ({"cards": {"x": _card(HERO, controller="bob")}}, "cards.x.controller", "controlled by its owner"),
    ({"cards": {"x": _card(SPELL, zone="play")}}, "cards.x.zone", "cannot lie in the zone play"),
    ({"cards": {"x": _card(HERO, zone="deck")}}, "cards.x.zone", "cannot lie in the zone deck"),
    ({"cards": {"x": _card(zone="deck", closed=True)}}, "cards.x.closed", "game zone"),
    ({"cards": {"x": _card(zone="deck", wounds=1)}}, "cards.x.wounds", "game zone"),
    ({"cards": {"x": _card(STONE, wounds=1)}}, "cards.x.wounds", "no lives"),
    ({"cards": {"x": _card(zone="hand", weak=True)}}, "cards.x.weak", "game zone"),
    ({"cards": {"x": _card(STONE, weak=True)}}, "cards.x.weak", "for creatures"),
    ({"cards": {"x": _card(zone="hand", borrowed=True)}}, "cards.x.borrowed", "game zone"),
    ({"cards": {"x": _card(wounds=3)}}, "cards.x.wounds", "died already [heroes:D1]"),
    ({"cards": {"x": _card(HERO, wounds=20)}}, "cards.x.wounds", "over already [heroes:V1]"),
    ({"players": {"ann": {"life": 5, "wounds": 5}, "bob": {}}}, "players.ann.wounds", "over already"),
    ({"players": {"ann": {"life": 5}, "bob": {}}, "cards": {"x": _card(HERO)}}, "players.ann.life", "has a card"),
    ({"cards": {"x": _card(HERO), "y": _card(HERO)}}, "cards.x.owner", "two heroes"),
    ({"cards": {"x": _card(QUEEN), "y": _card(QUEEN)}}, "cards.x.zone", "[heroes:text]"),
    ({"players": {"ann": {"top": ["x"]}, "bob": {}}, "cards": {"x": _card()}}, "players.ann.top", "not in this deck"),
    (
        {
            "players": {"ann": {"top": ["x"]}, "bob": {}},
            "cards": {"x": _card(zone="deck"), "y": _card(STONE, zone="deck")},
        },
        "players.ann.top",
        "missing in it",
    ),
    ({"event": {"player": "ann"}}, "event.player", "'plays:' or 'uses:'"),
    (
        {"cards": {"x": _card(SPELL), "y": _card(FORGE)}, "event": {"player": "ann", "plays": "x", "uses": "y"}},
        "event.player",
        "one thing",
    ),
    ({"cards": {"x": _card()}, "event": {"player": "ann", "uses": "x"}}, "event.uses", "no activated ability"),
    ({"cards": {"x": _card(FORGE)}, "event": {"player": "ann", "uses": "x"}}, "event.ability", "several"),
    (
        {"cards": {"x": _card(SPELL), "y": _card()}, "event": {"player": "ann", "plays": "x", "targets": ["y"]}},
        "event.targets",
        "more targets",
    ),
    ({"queue": ["waits(nobody)"]}, "queue", "no card 'nobody'"),
    ({"cards": {"x": _card()}, "queue": ["waits(x)"]}, "queue", "could wait in the queue"),
]


@pytest.mark.parametrize(("changes", "place", "reason"), FAULTS, ids=[f"{place}: {why}" for _, place, why in FAULTS])
def test_a_position_that_cannot_exist_is_refused(changes: Data, place: str, reason: str) -> None:
    data = {"game": "heroes", "players": {"ann": {}, "bob": {}}, **changes}
    for lang in ("en", "ru"):
        with pytest.raises(PositionError) as caught:
            Oracle(parse(json.dumps(data)), lang)
        if lang == "en":
            assert any(place in line and reason in line for line in str(caught.value).splitlines()), caught.value


def test_what_is_declared_must_be_legal() -> None:
    ogre = _creature(name="An ogre", cost=5)
    data = {
        "game": "heroes",
        "players": {"ann": {"coins": 4}, "bob": {}},
        "cards": {"ogre": _card(ogre, zone="hand")},
        "event": {"player": "ann", "plays": "ogre"},
    }
    with pytest.raises(PositionError, match=r"heroes:309\.2"):
        Oracle(parse(json.dumps(data)))
