"""The hand-written engine and the explorer agree on decisions, moves made and final boards of generated positions."""

from __future__ import annotations

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bench.positions import Family
from bridge.explore import Explorer
from tests.effort import examples
from tests.oracle.engine import HandWritten

families = st.builds(
    Family,
    cards=st.integers(4, 10),
    kills=st.integers(0, 2),
    gains=st.integers(0, 2),
    saves=st.integers(0, 2),
    cancels=st.integers(0, 2),
    passives=st.integers(0, 3),
    players=st.integers(2, 4),
    plain=st.booleans(),
)


@settings(max_examples=examples(10), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(families)
@example(Family(12, 3, 2, 1, 1, 1))
@example(Family(10, 2, 2, 2, 2, 3, players=3))
def test_a_hand_written_engine_agrees(family: Family) -> None:
    facts = family.facts()
    by_hand = HandWritten(facts).explore(most=20_000)
    if by_hand is None:
        return
    found = Explorer("agot", facts).explore()
    boards = {
        frozenset(str(fact) for fact in found.facts(node) if fact.name in ("in", "kneeling", "count"))
        for node in found.final
    }
    assert not found.limits
    assert not found.faults
    assert boards == by_hand.boards
    assert len(found) == by_hand.decisions
    assert found.passed == by_hand.states
