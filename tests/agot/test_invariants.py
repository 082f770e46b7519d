"""Random positions of real cards: whatever is reached keeps the game's invariants, and nothing breaks the grammar."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations

import pytest
from clingo import Symbol
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridge import vocabulary
from bridge.engines import Limits
from bridge.errors import PositionError
from bridge.explore import Explorer, _compressed
from bridge.graph import Edge, Graph
from bridge.oracle import Oracle
from bridge.position import Position, parse
from tests.effort import examples

CHARACTERS = [
    "Joffrey Baratheon", "Robb Stark", "Eddard Stark", "Viserys Targaryen", "Benjen Stark", "Brienne of Tarth",
    "Robert Baratheon", "The Hound", "Shaggydog", "Ser Jaime Lannister", "Hodor", "Selyse Baratheon", "Jon Snow", "Ghost",
    "The Titan's Bastard", "Maester Wendamyr", "Daario Naharis", "Khal Drogo", "Reek", "Bronn", "Meera Reed",
    "Follower of Two Gods", "Lannisport Honor Guard", "House Tully Recruiter",
]  # fmt: skip
NOT_UNIQUE = {"Follower of Two Gods", "Lannisport Honor Guard", "House Tully Recruiter"}
EVENTS = [
    "Retreat",
    "A Lannister Pays His Debts",
    "Paper Shield",
    "Risen from the Sea",
    "Guilty! (example)",
    "Treachery",
    "Forever Burning",
    "Seductive Promise",
]
ATTACHMENTS = [
    "Bodyguard", "Flame-Kissed", "Motley", "Milk of the Poppy", "Gutter Rat's Cunning", "Northern Steel", "Enslaved",
]  # fmt: skip


def _made_up(type_: str, name: str, **ability: object) -> dict[str, object]:
    return {"name": name, "type": type_, "ability": ability}


ACTS = {
    "kill": _made_up("event", "A dagger", kind="action", target="character", effect="kill(target)"),
    "lure": _made_up("event", "A lure", kind="action", target=["character", "opponents"], effect="take_control(target)"),
    "plague": _made_up("event", "A plague", kind="action", each="character", effect="kill(each)"),
    "gale": _made_up("event", "A gale", kind="action", each="either(character,attachment)", effect="return_to_hand(each)"),
    "mist": _made_up("event", "A mist", kind="action", target="character", effect="move_to_shadows(target)"),
    "call": _made_up(
        "event", "A call", kind="action", target=["character", "owned", "non(zone(play))"], effect="enter_play(target)"
    ),
    "crowd": _made_up(
        "event", "A crowd", kind="action", each=["character", "owned", "non(zone(play))"], effect="enter_play(each)"
    ),
}  # fmt: skip
PLOTS = ["Valar Morghulis", "Mad King's Legacy", "Breaking and Entering"]
PLAYERS = ("ann", "bob")
OUT_OF_PLAY = ("hand", "dead", "discard", "shadows")


@st.composite
def positions(draw: st.DrawFn) -> dict[str, object]:
    """Draw a position of up to eleven cards with something that opens a window."""
    cards: dict[str, dict[str, object]] = {}
    names = draw(st.lists(st.sampled_from(CHARACTERS), min_size=2, max_size=4, unique=True))
    for i, name in enumerate(names):
        owner = PLAYERS[i % 2]
        card: dict[str, object] = {
            "card": name if name != "Bronn" else "Bronn (L44)",
            "owner": owner,
            "power": draw(st.integers(0, 2)),
            "kneeling": draw(st.booleans()),
        }
        if draw(st.integers(0, 5)) == 0:
            card["controller"] = PLAYERS[1 - i % 2]
            if draw(st.booleans()):
                card["held"] = "end_of_phase"
        elif i > 1 and draw(st.booleans()):
            card = {"card": card["card"], "owner": owner, "zone": draw(st.sampled_from(OUT_OF_PLAY))}
        cards[f"c{i}"] = card
    if names[0] not in NOT_UNIQUE and draw(st.integers(0, 2)) == 0:
        cards["copy"] = {"card": cards["c0"]["card"], "owner": cards["c0"]["owner"]}
        if draw(st.booleans()) and "controller" not in cards["c0"]:
            cards["copy"] |= {"on": "c0", "duplicate": True}
        else:
            cards["copy"]["zone"] = draw(st.sampled_from(("hand", "discard", "shadows")))
    for i, name in enumerate(draw(st.lists(st.sampled_from(EVENTS), max_size=2, unique=True))):
        cards[f"e{i}"] = {"card": name, "owner": draw(st.sampled_from(PLAYERS))}
    for i, name in enumerate(draw(st.lists(st.sampled_from(ATTACHMENTS), max_size=2, unique=True))):
        cards[f"a{i}"] = {
            "card": name,
            "owner": draw(st.sampled_from(PLAYERS)),
            "on": draw(st.sampled_from(["c0", "c1"])),
        }
    if draw(st.integers(0, 3)) == 0:
        cards["home"] = {"card": "House Stark", "owner": "ann"}
        cards["chambers"] = {"card": "Lord Eddard's Chambers", "owner": "ann", "on": "home"}
        cards["ice"] = {"card": "Frozen Solid", "owner": "bob", "on": "chambers"}
        if draw(st.booleans()):
            del cards["ice"]
    kind = draw(st.sampled_from(["challenge", "challenge", "plot", *ACTS]))
    position: dict[str, object] = {
        "game": "agot",
        "players": {player: {"power": draw(st.integers(0, 12)), "hand": draw(st.integers(0, 1))} for player in PLAYERS},
        "first_player": draw(st.sampled_from(PLAYERS)),
        "phase": "plot" if kind == "plot" else "challenges",
        "cards": cards,
    }
    plot = draw(st.sampled_from(PLOTS))
    if kind == "challenge":
        sides: dict[str, list[str]] = {player: [] for player in PLAYERS}
        for name, card in cards.items():
            if name.startswith("c") and name[1:].isdigit() and "zone" not in card:
                sides[str(card.get("controller", card["owner"]))].append(name)
        position["challenge"] = {
            "type": draw(st.sampled_from(["military", "intrigue", "power"])),
            "attacker": "ann", "defender": "bob", "attackers": sides["ann"][:2], "defenders": sides["bob"][: draw(st.integers(0, 1))],
        }  # fmt: skip
        position["event"] = {"resolves": "challenge"}
        if draw(st.booleans()):
            cards["plot"] = {"card": plot, "owner": "ann"}
    elif kind == "plot":
        cards["plot"] = {"card": plot, "owner": "ann"}
        position["event"] = {"reveals": ["plot"]}
    else:
        cards["act"] = {"card": ACTS[kind], "owner": "bob"}
        position["acting"] = "bob"
    return position


# ---- What is true of every board


def _values(facts: frozenset[Symbol], name: str, at: int) -> Counter[str]:
    return Counter(str(fact.arguments[at]) for fact in facts if fact.name == name)


def _pairs(facts: frozenset[Symbol], name: str) -> dict[str, str]:
    return {str(fact.arguments[0]): str(fact.arguments[1]) for fact in facts if fact.match(name, 2)}


def _power(facts: frozenset[Symbol]) -> dict[str, int]:
    counts = (fact.arguments for fact in facts if fact.match("count", 2))
    return {str(what.arguments[0]): number.number for what, number in counts if what.match("power", 1)}


def check_board(facts: frozenset[Symbol], cards: Mapping[str, Mapping[str, object]], *, final: bool) -> None:
    """Assert what is true of every board, and of a final one."""
    assert _values(facts, "in", 0) == Counter(list(cards)), "each card lies in exactly one zone"
    assert _values(facts, "controls", 1) == Counter(list(cards)), "each card has exactly one controller"
    counters = Counter(str(fact.arguments[0]) for fact in facts if fact.name == "count")
    assert set(counters.values()) <= {1}, "each counter has one value"
    zone = _pairs(facts, "in")
    master = {
        card: player for player, card in (map(str, fact.arguments) for fact in facts if fact.match("controls", 2))
    }
    in_play = {card for card, where in zone.items() if where == "play"}
    for card in cards.keys() - in_play:
        assert master[card] == cards[card]["owner"], "a card out of play is its owner's"
    for fact in facts:
        if fact.name in ("kneeling", "part", "duplicate"):
            assert str(fact.arguments[0]) in in_play, f"what is {fact.name} is in play"
        if fact.name == "on":
            assert {str(one) for one in fact.arguments} <= in_play, "what is attached, and its host, are in play"
        if fact.name == "part":
            assert _fights(cards[str(fact.arguments[0])]["card"]), "characters take part in a challenge"
        if fact.match("lent", 3):
            assert str(fact.arguments[0]) in in_play, "what is held for a time is in play"
    for holder, power in _power(facts).items():
        assert power == 0 or holder in in_play or holder.startswith("house("), (
            "power lies on cards in play and House cards"
        )
    doubles = {str(fact.arguments[0]) for fact in facts if fact.match("duplicate", 1)}
    for one, other in combinations(sorted(in_play - doubles), 2):
        if cards[one]["card"] == cards[other]["card"] and cards[one]["card"] in UNIQUE:
            assert master[one] != master[other], "nobody controls two copies of a unique card"
            assert cards[one]["owner"] != cards[other]["owner"], "nobody owns two copies of a unique card in play"
    ended = any(fact.name in ("winner", "drawn") for fact in facts)
    between = any(fact.match("stage", 1) and str(fact.arguments[0]) == "action" for fact in facts)
    if (final and not ended) or between:
        assert not any(fact.name == "moribund" for fact in facts), "nothing is moribund after a close"


def _fights(card: object) -> bool:
    """Whether a card is a character: one of the sets, or one that the position makes up."""
    return card in FIGHTERS if isinstance(card, str) else isinstance(card, dict) and card["type"] == "character"


FIGHTERS = {"Winterfell Reserves"} | {name if name != "Bronn" else "Bronn (L44)" for name in CHARACTERS}
UNIQUE = FIGHTERS - NOT_UNIQUE - {"Winterfell Reserves"} | {"Lord Eddard's Chambers"}

# ---- Power: only claims, renown, the unopposed bonus and abilities that say so create it; it leaves with its card


def _claiming() -> Iterator[str]:
    for name, pairs in vocabulary.load("agot").definitions.items():
        for key, value in pairs:
            if key.name == "effect" and value.name in ("claim_power", "claim_power_for_house"):
                yield str(name)


def check_power(before: frozenset[Symbol], edge: Edge, after: frozenset[Symbol], creators: frozenset[str]) -> None:
    """Assert that a move creates no power unless it is one that may, and loses none but what leaves play."""
    had, has = _power(before), _power(after)
    gain = sum(has.values()) - sum(had.values())
    if str(edge.move) == "close":
        zones = _pairs(before, "in"), _pairs(after, "in")
        left = sum(n for card, n in had.items() if zones[0].get(card) == "play" and zones[1][card] != "play")
        assert gain == -left, "power goes back to the pool with its card only"
    elif str(edge.move) == "execute":
        units = {fact.arguments[0].number: fact.arguments[1] for fact in before if fact.match("doing", 3)}
        unit = units[max(units)]
        creates = str(unit) in ("framework(unopposed)", "framework(renown)") or str(unit.arguments[-1]) in creators
        assert gain == 0 or (gain > 0 and creates), f"{unit} creates no power"
    else:
        assert gain == 0, f"{edge.move} creates no power"


# ---- The properties


def _graph(data: dict[str, object], engine: str, states: int) -> tuple[Position, Graph] | None:
    """Return a position and what it leads to, or None where it cannot exist; that it is refused is tested elsewhere."""
    try:
        position = parse(json.dumps(data))
        graph = Oracle(position, engine=engine).graph(Limits(states=states, seconds=20))
    except PositionError:
        return None
    assert not graph.faults
    assert not graph.stuck
    return position, graph


@settings(max_examples=examples(12), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(positions())
def test_no_position_reached_breaks_an_invariant(data: dict[str, object]) -> None:
    found = _graph(data, "auto", 4_000)
    if found is None:
        return
    _, graph = found
    assert graph.limits <= {"states"} or any("spares_several" in limit for limit in graph.limits)
    cards = data["cards"]
    assert isinstance(cards, dict)
    for node in range(len(graph.states)):
        check_board(graph.facts(node), cards, final=node in graph.final)


@settings(max_examples=examples(5), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(positions())
def test_no_single_move_breaks_one_and_both_engines_agree(data: dict[str, object]) -> None:
    found = _graph(data, "clingo", 400)
    if found is None or not found[1].complete:
        return
    position, graph = found
    cards = data["cards"]
    assert isinstance(cards, dict)
    creators = frozenset(_claiming())
    boards = [graph.facts(node) for node in range(len(graph.states))]
    for node, out in enumerate(graph.edges):
        check_board(boards[node], cards, final=node in graph.final)
        for edge in out:
            check_power(boards[edge.source], edge, boards[edge.target], creators)
    fast = Explorer(position.game, list(position.facts), position.switches).explore()
    assert not fast.faults
    assert _compressed(fast.to_graph()) == _compressed(graph), "both engines find the same decisions, moves and ends"


def test_most_random_positions_exist() -> None:
    """The property would be empty if nearly everything were refused."""
    refused = []

    @settings(
        max_examples=examples(15),
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
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
