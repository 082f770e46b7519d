"""Every shipped case gives the answer that it expects, by every engine that can look at it.

The expectations come from rulebooks and rulings that the case names.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge import cases, plain
from bridge.explore import compare
from bridge.oracle import Oracle
from bridge.position import load
from tests.effort import examples

CASES = cases.files()


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    position = load(path)
    assert position.origin, "a case says where its expectation comes from"
    oracle = Oracle(position, engine="clingo")
    result = cases.check(position, oracle)
    assert result.passed, "\n".join(result.failures)
    # the engines are compared from where the position begins, its own line or not
    reference = None if position.line else oracle.graph()
    assert compare(position.game, position.facts, position.switches, reference) == []
    if _small(oracle):  # plain clingo unrolls whole lines, and has to find the same
        made = plain.longest_line(oracle.graph()) + len(oracle.played)
        assert plain.outcomes(oracle.position, made + 1) == {outcome.facts for outcome in oracle.outcomes()}


def _small(oracle: Oracle) -> bool:
    """Whether plain clingo unrolls a position in half a second; not at all where lines go round in circles."""
    cards = sum(fact.match("given", 3) and str(fact.arguments[1]) == "card" for fact in oracle.position.facts)
    if cards > 5 or len(oracle.outcomes()) > 20 or oracle.graph().order() is None:
        return False
    return plain.longest_line(oracle.graph()) + len(oracle.played) <= examples(14)


def test_a_short_horizon_is_noticed() -> None:
    from bridge.errors import LimitReached
    from bridge.oracle import example

    position = load(example("joffrey_takes_power_for_his_own_death"))
    with pytest.raises(LimitReached, match="more than 10 moves"):
        plain.outcomes(position, 10)
