"""What holds in every state that legal moves reach, whatever the cards say."""

from __future__ import annotations

from collections import Counter

from clingo import Function, Symbol
from hypothesis import HealthCheck, assume, given, settings

from bridge.engines import Limits
from bridge.explore import compare
from bridge.graph import Graph
from bridge.oracle import Oracle
from bridge.position import Position
from tests.effort import examples
from tests.heroes.positions import positions

PLAY, BOX, DECK = Function("play"), Function("box"), Function("deck")
MANY = settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.too_slow])
FEW = settings(max_examples=examples(4), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _graph(position: Position) -> Graph:
    graph = Oracle(position).graph(Limits(states=4_000))
    assume(not any(limit.startswith(("states", "answers")) for limit in graph.limits))
    return graph


def _named(facts: frozenset[Symbol], name: str) -> list[Symbol]:
    return [fact for fact in facts if fact.name == name]


def _count(facts: frozenset[Symbol], what: str) -> int:
    counters = (fact.arguments for fact in _named(facts, "count"))
    return sum(number.number for counter, number in counters if counter.name == what)


@MANY
@given(positions())
def test_the_law_holds_in_every_state(position: Position) -> None:
    graph = _graph(position)
    assert graph.faults == set()
    assert graph.limits == set()
    assert graph.stuck == set()
    assert graph.order() is not None
    start = graph.facts(0)
    cards = sorted(fact.arguments[0] for fact in _named(start, "in"))
    for node in range(len(graph.states)):
        facts = graph.facts(node)
        zone = {fact.arguments[0]: fact.arguments[1] for fact in _named(facts, "in")}
        assert sorted(fact.arguments[0] for fact in _named(facts, "in")) == cards
        controlled = Counter(fact.arguments[1] for fact in _named(facts, "controls"))
        assert controlled == Counter(card for card in cards if zone[card] != BOX or controlled[card])
        assert _count(facts, "cards") == _count(start, "cards")
        assert _count(facts, "coins") <= _count(start, "coins")
        for fact in (*_named(facts, "closed"), *_named(facts, "weak"), *_named(facts, "lease")):
            assert zone[fact.arguments[0]] == PLAY
        for counter, number in (fact.arguments for fact in _named(facts, "count")):
            if counter.name == "wounds" and number.number > 0:
                assert zone.get(counter.arguments[0], PLAY) == PLAY


@MANY
@given(positions())
def test_a_created_card_vanishes_only_out_of_the_deck_after_the_game(position: Position) -> None:
    graph = _graph(position)
    ghost = Function("ghost")
    boxed = Function("in", [ghost, BOX])
    for out in graph.edges:
        for edge in out:
            before, after = graph.facts(edge.source), graph.facts(edge.target)
            if boxed in after and boxed not in before:
                assert edge.move == Function("end")
                assert Function("in", [ghost, DECK]) in before


@FEW
@given(positions())
def test_both_engines_agree(position: Position) -> None:
    assert compare(position.game, position.facts, position.switches) == []
