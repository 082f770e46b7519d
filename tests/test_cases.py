"""Every shipped case gives the answer that it expects; expectations come from rulebooks and rulings named in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge import cases, plain
from bridge.oracle import Oracle
from bridge.position import load

CASES = cases.files()


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    result = cases.run(path)
    assert result.passed, "\n".join(result.failures)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_names_its_source(path: Path) -> None:
    assert load(path).origin, "a case says where its expectation comes from"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_plain_clingo_finds_the_same_outcomes(path: Path) -> None:
    oracle = Oracle(load(path), engine="clingo")
    found = oracle.outcomes()
    cards = sum(fact.match("given", 3) and str(fact.arguments[1]) == "card" for fact in oracle.position.facts)
    if cards > 8 or len(found) > 20:
        pytest.skip("too large for plain clingo")
    if oracle.graph().order() is None:
        pytest.skip("lines can go round in circles, and plain clingo cannot unroll them")
    made = plain.longest_line(oracle.graph()) + len(oracle.played)
    if made > 70:
        pytest.skip("too many moves for plain clingo")
    assert plain.outcomes(oracle.position, made + 1) == {outcome.facts for outcome in found}


def test_a_short_horizon_is_noticed() -> None:
    from bridge.errors import LimitReached
    from bridge.oracle import example

    position = load(example("joffrey_takes_power_for_his_own_death"))
    with pytest.raises(LimitReached, match="more than 10 moves"):
        plain.outcomes(position, 10)
