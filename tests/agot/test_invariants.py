"""Random positions of real cards: whatever is reached keeps the game's invariants, and nothing breaks the grammar."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from clingo import Symbol
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridge.engines import Limits
from bridge.errors import PositionError
from bridge.oracle import Oracle
from bridge.position import parse

CHARACTERS = [
    "Joffrey Baratheon", "Robb Stark", "Eddard Stark", "Viserys Targaryen", "Benjen Stark", "Brienne of Tarth",
    "Robert Baratheon", "The Hound", "Shaggydog", "Ser Jaime Lannister", "Hodor", "Selyse Baratheon", "Jon Snow", "Ghost",
    "The Titan's Bastard", "Maester Wendamyr", "Daario Naharis",
]  # fmt: skip
EVENTS = [
    "Retreat",
    "A Lannister Pays His Debts",
    "Paper Shield",
    "Risen from the Sea",
    "Guilty!",
    "Treachery",
    "Forever Burning",
    "Seductive Promise",
]
ATTACHMENTS = ["Bodyguard", "Flame-Kissed", "Motley"]
DAGGER = {
    "name": "A dagger",
    "type": "event",
    "ability": {"kind": "action", "target": "character", "effect": "kill(target)"},
}
LURE = {
    "name": "A lure",
    "type": "event",
    "ability": {"kind": "action", "target": ["character", "opponents"], "effect": "take_control(target)"},
}
PLAGUE = {
    "name": "A plague",
    "type": "event",
    "ability": {"kind": "action", "each": "character", "effect": "kill(each)"},
}
PLAYERS = ("ann", "bob")


@st.composite
def positions(draw: st.DrawFn) -> dict[str, object]:
    """Draw a position of up to seven cards with something that opens a window."""
    cards: dict[str, dict[str, object]] = {}
    names = draw(st.lists(st.sampled_from(CHARACTERS), min_size=2, max_size=4, unique=True))
    for i, name in enumerate(names):
        owner = PLAYERS[i % 2]
        card: dict[str, object] = {
            "card": name,
            "owner": owner,
            "power": draw(st.integers(0, 2)),
            "kneeling": draw(st.booleans()),
        }
        if draw(st.integers(0, 5)) == 0:
            card["controller"] = PLAYERS[1 - i % 2]
        cards[f"c{i}"] = card
    for i, name in enumerate(draw(st.lists(st.sampled_from(EVENTS), max_size=2, unique=True))):
        cards[f"e{i}"] = {"card": name, "owner": draw(st.sampled_from(PLAYERS))}
    for i, name in enumerate(draw(st.lists(st.sampled_from(ATTACHMENTS), max_size=2, unique=True))):
        cards[f"a{i}"] = {
            "card": name,
            "owner": draw(st.sampled_from(PLAYERS)),
            "on": draw(st.sampled_from(["c0", "c1"])),
        }
    position: dict[str, object] = {
        "game": "agot",
        "players": {player: {"power": draw(st.integers(0, 12)), "hand": draw(st.integers(0, 1))} for player in PLAYERS},
        "first_player": draw(st.sampled_from(PLAYERS)),
        "phase": "challenges",
        "cards": cards,
    }
    kind = draw(st.sampled_from(["kill", "lure", "plague", "challenge"]))
    if kind == "challenge":
        sides: dict[str, list[str]] = {player: [] for player in PLAYERS}
        for name, card in cards.items():
            if name.startswith("c"):
                sides[str(card.get("controller", card["owner"]))].append(name)
        position["challenge"] = {
            "type": draw(st.sampled_from(["military", "intrigue", "power"])),
            "attacker": "ann", "defender": "bob", "attackers": sides["ann"][:2], "defenders": sides["bob"][: draw(st.integers(0, 1))],
        }  # fmt: skip
        position["event"] = {"resolves": "challenge"}
    else:
        cards["act"] = {"card": {"kill": DAGGER, "lure": LURE, "plague": PLAGUE}[kind], "owner": "bob"}
        position["acting"] = "bob"
    return position


def _values(facts: frozenset[Symbol], name: str, at: int) -> Counter[str]:
    return Counter(str(fact.arguments[at]) for fact in facts if fact.name == name)


def check_board(facts: frozenset[Symbol], cards: dict[str, object], *, final: bool) -> None:
    """Assert what is true of every board, and of a final one."""
    zones = _values(facts, "in", 0)
    controllers = _values(facts, "controls", 1)
    assert zones == Counter(list(cards)), "each card lies in exactly one zone"
    assert controllers == Counter(list(cards)), "each card has exactly one controller"
    counters = Counter(str(fact.arguments[0]) for fact in facts if fact.name == "count")
    assert set(counters.values()) <= {1}, "each counter has one value"
    if not final:
        return
    ended = any(fact.name in ("winner", "drawn") for fact in facts)
    in_play = {str(fact.arguments[0]) for fact in facts if fact.match("in", 2) and str(fact.arguments[1]) == "play"}
    if not ended:
        assert not any(fact.name == "moribund" for fact in facts), "nothing is moribund after a close"
    for fact in facts:
        if fact.name == "on":
            assert {str(one) for one in fact.arguments} <= in_play, "what is attached, and its host, are in play"
        if fact.match("count", 2) and fact.arguments[0].match("power", 1) and fact.arguments[1].number > 0:
            owner = str(fact.arguments[0].arguments[0])
            assert owner in in_play or owner.startswith("house("), "power lies on cards in play and House cards"


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(positions())
def test_no_position_reached_breaks_an_invariant(data: dict[str, object]) -> None:
    try:
        oracle = Oracle(parse(json.dumps(data)))
        graph = oracle.graph(Limits(states=4_000, seconds=20))
    except PositionError:
        return  # what cannot exist is refused; that is tested elsewhere
    assert not graph.faults
    assert not graph.stuck
    assert graph.limits <= {"states"}
    cards = data["cards"]
    assert isinstance(cards, dict)
    for node in range(len(graph.states)):
        check_board(graph.facts(node), cards, final=node in graph.final)


def test_most_random_positions_exist() -> None:
    """The property would be empty if nearly everything were refused."""
    refused = []

    @settings(max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(positions())
    def count(data: dict[str, object]) -> None:
        try:
            Oracle(parse(json.dumps(data)))
            refused.append(False)
        except PositionError as error:
            refused.append(True)
            assert all(fault.message for fault in error.faults)

    count()
    assert sum(refused) < len(refused) / 2


def test_the_checker_notices_a_broken_board() -> None:
    with pytest.raises(AssertionError, match="exactly one zone"):
        check_board(frozenset(), {"a": {}}, final=True)
