"""Random positions whose answer looks to the end of a phase or of the round keep the game's invariants."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridge.engines import Limits
from bridge.errors import PositionError
from bridge.oracle import Oracle
from bridge.position import parse
from tests.agot.test_invariants import check_board, positions
from tests.effort import examples

PHASES = ["plot", "draw", "marshalling", "challenges", "dominance", "epic", "standing", "taxation"]


def _event(**ability: object) -> dict[str, object]:
    return {"name": "A deed", "type": "event", "ability": {"kind": "action", **ability}}


ROUND: dict[str, dict[str, object]] = {
    "battle": {"card": _event(effect="epic_phase(any)"), "owner": "ann"},
    "end": {"card": _event(effect="end_round"), "owner": "bob"},
    "loan": {"card": _event(target="character", effect="at_phase_end(discard(target))"), "owner": "ann"},
    "again": {
        "card": _event(kind="response", trigger="won(any)", effect="additional_challenge(power)"),
        "owner": "bob",
    },
    "reserves": {"card": "Winterfell Reserves", "owner": "ann"},
    "shade": {
        "card": {"name": "A shade", "type": "character", "strength": 1, "shadows": 1},
        "owner": "ann",
        "zone": "shadows",
    },
}


@st.composite
def courses(draw: st.DrawFn) -> dict[str, object]:
    """Draw a position whose answer looks to the end of a phase or of the round."""
    position = draw(positions())
    for key in ("challenge", "event", "acting"):
        position.pop(key, None)
    cards = position["cards"]
    players = position["players"]
    assert isinstance(cards, dict)
    assert isinstance(players, dict)
    for name in draw(st.lists(st.sampled_from(sorted(ROUND)), max_size=2, unique=True)):
        cards[name] = ROUND[name]
    for player in players.values():
        player.update(deck=draw(st.integers(0, 3)), gold=draw(st.integers(0, 2)))
    phase = draw(st.sampled_from(PHASES))
    position.update(phase=phase, until=draw(st.sampled_from(["phase", "round"])))
    position |= draw(st.sampled_from([{}, {"event": {"begins": phase}}, {"event": {"ends": phase}}]))
    return position


@settings(max_examples=examples(5), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(courses())
def test_no_course_of_a_round_breaks_an_invariant(data: dict[str, object]) -> None:
    try:
        graph = Oracle(parse(json.dumps(data))).graph(Limits(states=2_000, seconds=20))
    except PositionError:
        return
    assert not graph.faults
    assert not graph.stuck
    cards = data["cards"]
    assert isinstance(cards, dict)
    for node in range(len(graph.states)):
        check_board(graph.facts(node), cards, final=node in graph.final)
