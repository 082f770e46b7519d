"""The fast explorer: the same answer as the reference engine, gaps, circles, limits, and the line between decisions.

The shipped cases are compared in ``tests/test_cases.py``.
"""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.positions import Family
from bridge.bitslice import ListStore
from bridge.engines import IllegalOpeningError, Limits, ReferenceEngine
from bridge.errors import RuleError
from bridge.explore import Explorer, Kind, _nameless, compare
from tests.effort import examples
from tests.oracle.games import games, law

ONE = "rule(r(1..9)). fluent(f(1..4)).\n"


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(games())
def test_engines_agree_on_random_games(rules: str) -> None:
    with law(rules) as game:
        assert compare(game, []) == []


@settings(max_examples=examples(3), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.builds(
        Family,
        cards=st.integers(4, 7),
        kills=st.integers(0, 1),
        gains=st.integers(0, 1),
        saves=st.integers(0, 1),
        cancels=st.integers(0, 1),
        passives=st.integers(0, 2),
        players=st.integers(2, 4),
        plain=st.booleans(),
    )
)
def test_engines_agree_on_positions_of_the_real_game(family: Family) -> None:
    assert compare("agot", family.facts()) == []


def test_a_helper_that_does_not_name_the_move_does_not_leak() -> None:
    rules = ONE + (
        "offers(T,r(1),p,(a;b)) :- moment(T), not holds(T,over). starts(T,r(1),M,over) :- move(T,M).\n"
        "kneels(T) :- move(T,a). starts(T,r(2),M,f(1)) :- move(T,M), kneels(T)."
    )
    with law(rules) as game:
        assert compare(game, []) == []
        decisions = Explorer(game, []).explore()
        assert sorted(len(decisions.facts(node)) for node in decisions.final) == [1, 2]


def test_a_gap_is_a_node() -> None:
    with law(
        ONE + "offers(T,r(1),p,(a;b)) :- moment(T), not holds(T,f(_)). starts(T,r(1),M,f(1)) :- move(T,M)."
    ) as game:
        decisions = Explorer(game, []).explore()
        assert len(decisions.stuck) == 1
        assert not decisions.final
        assert compare(game, []) == []


CIRCLE = ONE + (
    "init(f(1)). slot(f(N),f) :- fluent(f(N)).\n"
    "offers(T,r(1),p,(stay;go)) :- holds(T,f(1)). starts(T,r(1),stay,over) :- move(T,stay).\n"
    "starts(T,r(1),go,f(2)) :- move(T,go).\n"
    "offers(T,r(2),game,turn(N)) :- holds(T,f(N)), N > 1.\n"
    "starts(T,r(2),turn(N),f(2+(N-1)\\3)) :- move(T,turn(N))."
)


def test_a_circle_of_forced_moves_ends_the_line_and_is_shown() -> None:
    with law(CIRCLE) as game:
        decisions = Explorer(game, []).explore()
        (node,) = decisions.nodes(Kind.ENDLESS)
        assert sorted(map(str, decisions.loops[node])) == ["turn(2)", "turn(3)", "turn(4)"]
        assert decisions.hopeless() == [node]
        assert len(decisions.final) == 1
        assert compare(game, []) == []
        assert decisions.to_graph().order() is None


def test_a_long_line_of_forced_moves_is_no_circle() -> None:
    rules = (
        "#const n=1000. rule(r(1)). fluent(f(0..n)). init(f(0)). slot(f(N),f) :- fluent(f(N)).\n"
        "offers(T,r(1),game,on) :- holds(T,f(N)), N < n. starts(T,r(1),on,f(N+1)) :- move(T,on), holds(T,f(N)).\n"
        "offers(T,r(1),p,(end;stop)) :- holds(T,f(n)). starts(T,r(1),M,over) :- move(T,M), holds(T,f(n))."
    )
    with law(rules) as game:
        decisions = Explorer(game, []).explore()
        assert len(decisions) == 2
        assert len(decisions.final) == 1


def test_a_circle_of_choices_is_no_end() -> None:
    rules = ONE + (
        "init(f(1)). slot(f(N),f) :- fluent(f(N)). offers(T,r(1),p,to(N)) :- moment(T), fluent(f(N)), not holds(T,f(N)).\n"
        "starts(T,r(1),to(N),f(N)) :- move(T,to(N))."
    )
    with law(rules) as game:
        decisions = Explorer(game, []).explore()
        assert decisions.hopeless() == list(range(4))
        assert compare(game, []) == []


FAULTS = {
    "starts(T,r(1),a,elsewhere) :- move(T,a).": "fluent/1 does not list it by a",
    "starts(T,r(1),a,f(1)) :- move(T,a). init(f(1)). stops(T,r(2),a,f(1)) :- move(T,a).": "opposite things of f(1)",
    "forbids(T,r(2),a) :- attempt(T,a). permits(T,r(3),a) :- attempt(T,a).": "neither overrides",
    "offers(T,r(2),q,a) :- moment(T), not holds(T,over).": "two players",
    "offers(T,r(2),game,(c;d)) :- moment(T), not holds(T,over).": "the game itself has two",
}


@pytest.mark.parametrize("rule", FAULTS, ids=list(FAULTS.values()))
def test_faults_are_found_where_the_reference_finds_them(rule: str) -> None:
    rules = ONE + "offers(T,r(1),p,(a;b)) :- moment(T), not holds(T,over). starts(T,r(1),M,over) :- move(T,M).\n"
    with law(rules + rule) as game:
        decisions = Explorer(game, []).explore()
        reference = ReferenceEngine(game, []).explore()
        assert any(FAULTS[rule].split(" by ")[0] in fault for fault in decisions.faults)
        assert _nameless(decisions.faults) == _nameless(reference.faults)


def test_a_fault_that_no_reachable_state_meets_is_none() -> None:
    rules = ONE + (
        "offers(T,r(1),p,(a;b)) :- moment(T), not holds(T,over). starts(T,r(1),M,over) :- move(T,M).\n"
        "starts(T,r(1),a,elsewhere) :- move(T,a), holds(T,f(2)). starts(T,r(1),b,f(2)) :- move(T,b).\n"
        "limit(T,far) :- holds(T,f(2)), holds(T,over)."
    )
    with law(rules) as game:
        decisions = Explorer(game, []).explore()
        assert not decisions.faults
        assert not decisions.limits


def test_an_opening_is_played_and_an_illegal_one_refused() -> None:
    rules = CIRCLE + "opening(1,stay)."
    with law(rules) as game:
        state, steps = Explorer(game, []).opened()
        assert [str(step.move) for step in steps] == ["stay"]
        assert Explorer(game, []).is_over(state)
    with law(CIRCLE + "opening(1,leave).") as game, pytest.raises(IllegalOpeningError, match="leave is not legal"):
        Explorer(game, []).explore()
    with law(CIRCLE + "opening(1,go). opening(2,leave).") as game, pytest.raises(IllegalOpeningError):
        Explorer(game, []).explore()


SMALL = Family(6, 1, 1, 1, 0, 1)


def test_a_line_is_told_with_its_forced_moves() -> None:
    explorer = Explorer("agot", SMALL.facts())
    decisions = explorer.explore()
    node, moves = 0, []
    while edges := list(decisions.edges(node)):
        number, node = edges[-1]
        moves.append(decisions.moves[number])
    told = explorer.replay(moves)
    assert [step.move for step in told if not step.forced] == moves
    assert told[-1].after == decisions.state(node)
    with pytest.raises(ValueError, match="not legal"):
        explorer.replay([moves[0], moves[0], moves[0], moves[0]])


def test_a_limit_of_states_cuts_the_answer_short_and_says_so() -> None:
    explorer = Explorer("agot", Family(8, 2, 1, 1, 1, 1).facts())
    decisions = explorer.explore(Limits(states=10))
    assert decisions.limits == {"states"}
    assert decisions.nodes(Kind.OPEN)
    assert all(not list(decisions.edges(node)) for node in decisions.nodes(Kind.OPEN))
    whole = explorer.explore()
    moves = {whole.facts(node): {move for move, _ in whole.edges(node)} for node in range(len(whole))}
    for node in decisions.nodes(Kind.DECISION):  # what counts as explored has all its moves
        assert {move for move, _ in decisions.edges(node)} == moves[decisions.facts(node)]
    nothing = explorer.explore(Limits(seconds=-1.0))
    assert nothing.limits == {"seconds"}
    assert list(nothing.kind) == [Kind.OPEN]
    assert Explorer("agot", SMALL.facts(), memory=1).explore().limits == {"memory"}


def test_an_interruption_gives_what_was_found_so_far() -> None:
    explorer = Explorer("agot", Family(8, 2, 1, 1, 1, 1).facts())
    judge, calls = explorer.compiled.judge, []

    def interrupted(columns, one):
        calls.append(one)
        if len(calls) > 40:
            raise KeyboardInterrupt
        return judge(columns, one)

    explorer.compiled.judge = interrupted
    decisions = explorer.explore()
    assert "interrupted" in decisions.limits
    assert 1 < len(decisions) < 66
    assert len(decisions.kind) == len(decisions.actor) == len(decisions)


def test_small_and_large_stores_give_the_same_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = Explorer("agot", Family(8, 2, 1, 1, 1, 1).facts())
    small = explorer.explore()
    assert isinstance(small.store, ListStore)
    monkeypatch.setattr("bridge.explore._SWITCH", 5)
    large = explorer.explore()
    assert not isinstance(large.store, ListStore)

    def edges(decisions):
        return {
            (decisions.facts(source), decisions.moves[move], decisions.facts(target))
            for source, move, target in zip(decisions.source, decisions.move, decisions.target, strict=True)
        }

    assert edges(small) == edges(large)
    assert {small.facts(node) for node in small.final} == {large.facts(node) for node in large.final}


ALIKE = Family(16, 1, 2, 1, 1, 0, plain=True)


def test_equal_cards_are_explored_once(monkeypatch: pytest.MonkeyPatch) -> None:
    every = Explorer("agot", ALIKE.facts()).explore()
    for switch in (10**9, 5):  # in plain Python, and with numpy
        monkeypatch.setattr("bridge.explore._SWITCH", switch)
        once = Explorer("agot", ALIKE.facts(), symmetry=True).explore()
        orbits = once.store.orbits
        assert orbits
        assert len(once) < len(every)

        def canonical(state: int, orbits=orbits) -> int:
            for orbit in orbits:
                state = orbit.canonical(state)
            return state

        assert {once.state(node) for node in once.final} == {canonical(every.state(node)) for node in every.final}
        sizes = [prod(orbit.size(once.state(node)) for orbit in orbits) for node in once.final]
        assert sum(sizes) == len(every.final)


def test_cards_that_are_told_apart_by_their_names_are_not_interchangeable() -> None:
    family = Family(12, 2, 0, 0, 0, 1, plain=True)  # a passive ability answers the first of alike deaths first
    assert not Explorer("agot", family.facts(), symmetry=True).explore().store.orbits
    rules = ONE + (
        "offers(T,r(1),p,keep(N)) :- fluent(f(N)), moment(T), not holds(T,over). fluent(has(a;b;c)).\n"
        "offers(T,r(1),p,give(X)) :- moment(T), fluent(has(X)), not holds(T,has(X)), not holds(T,over).\n"
        "starts(T,r(1),give(X),has(X)) :- move(T,give(X)). starts(T,r(1),keep(N),over) :- move(T,keep(N))."
    )
    with law(rules) as game:
        assert [orbit.names for orbit in Explorer(game, [], symmetry=True).explore().store.orbits] == [("a", "b", "c")]
    with law(rules + "\nforbids(T,r(2),give(a)) :- attempt(T,give(a)), holds(T,has(b)).") as game:
        assert [orbit.names for orbit in Explorer(game, [], symmetry=True).explore().store.orbits] == []


def test_progress_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge.explore._REPORT", 0.0)
    seen = []
    Explorer("agot", SMALL.facts()).explore(progress=lambda *args: seen.append(args))
    assert seen
    assert all(states >= frontier >= 0 <= seconds for states, frontier, seconds in seen)


def test_a_rule_that_judges_by_the_move_is_refused() -> None:
    with (
        law(ONE + "offers(T,r(1),p,a) :- moment(T). forbids(T,r(2),a) :- move(T,a).") as game,
        pytest.raises(RuleError, match="depends on the move"),
    ):
        Explorer(game, []).explore()
