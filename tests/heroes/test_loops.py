"""Replacements that undo each other without any limit: digest 516.z T2, read by the seed alone (AM-15)."""

from __future__ import annotations

import pytest
from clingo import Symbol

from bridge.oracle import Oracle, example
from bridge.position import load, switches_named

UNLIMITED = switches_named("heroes", [], ["516.z=unlimited"])
A = {"count(wounds(one),2)", "count(wounds(two),0)"}
B = {"count(wounds(one),0)", "count(wounds(two),2)"}


def _wounds(facts: frozenset[Symbol]) -> set[str]:
    return {str(fact) for fact in facts if str(fact).startswith(("count(wounds(one)", "count(wounds(two)"))}


@pytest.mark.parametrize(
    ("name", "boards"),
    [
        ("round_and_back_compulsory", []),
        ("round_and_back_first_optional", [A]),
        ("round_and_back_second_optional", [B]),
        ("round_and_back_both_optional", [A, B]),
    ],
)
def test_laps_without_limit(name: str, boards: list[set[str]]) -> None:
    oracle = Oracle(load(example(name)).with_switches(UNLIMITED))
    assert oracle.graph().order() is None, "the replacements go round"
    found = [_wounds(outcome.facts) for outcome in oracle.outcomes()]
    assert sorted(map(sorted, found)) == sorted(map(sorted, boards))
