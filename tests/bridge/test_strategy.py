"""Possible, certain, forced: against plain recursion on the graph, with lines and strategies that hold when replayed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from clingo import Function, Symbol
from hypothesis import HealthCheck, given, settings

from bench.positions import Family
from bridge.engines import Limits, ReferenceEngine
from bridge.explore import Decisions, Explorer, Kind
from bridge.graph import Graph
from bridge.strategy import Answer, Arena, Goal, Solver, _literals
from bridge.terms import parse_condition
from tests.oracle.games import games, law

P, Q = Function("p"), Function("q")
ONE = "rule(r(1..9)).\n"


def goals(*texts: str) -> list[Goal]:
    return [[parse_condition(part) for part in text.split("; ")] for text in texts]


FIVE = goals(
    *(f"{sign}f({i})" for sign in ("", "not ") for i in range(5)), "f(_)", "not f(_)", "f(1); not f(2)", "f(7)"
)


def expected(graph: Graph, goal: Goal, ours: set[Symbol]) -> bool:
    """Compute the least set of good nodes by plain repetition."""
    good = {node for node in graph.final if all(each.holds(graph.facts(node)) for each in _literals(goal))}
    while True:
        more = {
            node
            for node, edges in enumerate(graph.edges)
            if edges and (any if edges[0].actor in ours else all)(edge.target in good for edge in edges)
        } | good
        if more == good:
            return 0 in good
        good = more


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(games())
def test_every_question_is_answered_as_plain_recursion_answers_it(rules: str) -> None:
    with law(rules) as game:
        reference = ReferenceEngine(game, []).explore()
        decisions = Explorer(game, []).explore()
    if any("two players" in fault for fault in reference.faults):
        return
    everyone = {edge.actor for edges in reference.edges for edge in edges}
    for graph in (reference, decisions, decisions.to_graph()):
        solver = Solver(graph)
        assert solver.possible(FIVE) == [expected(reference, goal, everyone) for goal in FIVE]
        assert solver.certain(FIVE) == [expected(reference, goal, set()) for goal in FIVE]
        for player in (P, Q):
            assert solver.force(player, FIVE) == [expected(reference, goal, {player}) for goal in FIVE]
    for goal in FIVE:
        for mode, player in (("possible", None), ("certain", None), ("force", P), ("force", Q)):
            check(decisions, Solver(decisions).ask(mode, goal, player))


def check(graph: Decisions, answer: Answer) -> None:
    """Play an answer's line and strategy on the graph."""
    arena = Arena(graph)
    node = 0
    for reply in answer.line:
        assert reply.node == node
        assert (reply.move, reply.target) in {(arena.moves[move], target) for move, target in graph.edges(node)}
        node = reply.target
    wanted = all(each.holds(graph.facts(node)) for each in _literals(answer.goal)) and graph.kind[node] == Kind.OVER
    if answer.mode == "possible":
        assert ((bool(answer.line) or node == 0) and wanted == answer.holds) or not answer.holds
    elif not answer.holds:
        assert not wanted
        assert answer.ending == {Kind.OVER: "over", Kind.STUCK: "stuck"}.get(Kind(graph.kind[node]), "endless")
    if answer.mode == "force":
        follow(graph, answer)


def follow(graph: Decisions, answer: Answer) -> None:
    """Walk all lines that a strategy allows: they all end as it promises, and none goes round if it is a winning one."""
    arena = Arena(graph)
    todo: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    done = set()
    while todo:
        node, path = todo.pop()
        assert not (answer.holds and node in path), "a winning strategy goes round"
        if node in done:
            continue
        done.add(node)
        if graph.kind[node] != Kind.DECISION:
            good = graph.kind[node] == Kind.OVER and all(
                each.holds(graph.facts(node)) for each in _literals(answer.goal)
            )
            assert good == answer.holds
            continue
        mine = (arena.actors[arena.actor[node]] == answer.player) == answer.holds
        if mine:
            todo.append((answer.strategy[node].target, (*path, node)))
        else:
            todo += [(target, (*path, node)) for _, target in graph.edges(node)]


DUEL = ONE + (
    "fluent(turn(p;q)). fluent(has((p;q),0..3)). slot(turn(P),turn) :- fluent(turn(P)). init(turn(p)).\n"
    "slot(has(P,N),has(P)) :- fluent(has(P,N)). init(has((p;q),0)). other(p,q). other(q,p).\n"
    "offers(T,r(1),P,(take;leave)) :- holds(T,turn(P)), not holds(T,has(_,3)).\n"
    "starts(T,r(1),M,turn(Q)) :- move(T,M), M != close, holds(T,turn(P)), other(P,Q).\n"
    "starts(T,r(1),take,has(P,N+1)) :- move(T,take), holds(T,turn(P)), holds(T,has(P,N)).\n"
    "offers(T,r(2),game,close) :- holds(T,has(_,3)), not holds(T,over). starts(T,r(2),close,over) :- move(T,close)."
)


def test_who_never_has_to_move_on_forces_nothing() -> None:
    with law(DUEL) as game:
        solver = Solver(Explorer(game, []).explore())
    three, never = goals("has(p,3)", "has(q,3)")
    assert solver.possible([three, never]) == [True, True]
    assert solver.certain([three, never]) == [False, False]
    assert solver.force(P, [three]) == [True]  # he takes whatever q does, and comes first
    answer = solver.ask("force", never, Q)
    assert answer.holds is False
    assert answer.ending in ("over", "endless")


DRAWS = ONE + (
    "fluent(drawn(red;blue;green)). fluent(called(red;blue)). init(called(red)) :- late.\n#defined late/0.\n"
    "offers(T,r(1),p,call(C)) :- moment(T), fluent(called(C)), not holds(T,called(_)). starts(T,r(1),call(C),called(C)) :- move(T,call(C)).\n"
    "offers(T,r(2),chance,draw(C)) :- holds(T,called(_)), fluent(drawn(C)), not holds(T,over).\n"
    "starts(T,r(2),draw(C),drawn(C)) :- move(T,draw(C)). starts(T,r(2),draw(C),over) :- move(T,draw(C))."
)


def test_chance_is_against_the_player_and_its_probability_is_told() -> None:
    with law(DRAWS) as game:
        graph = Explorer(game, []).explore()
    hit = [parse_condition("drawn(red)"), parse_condition("called(red)")]
    answer = Solver(graph).ask("force", hit, P)
    assert answer.holds is False
    assert answer.probability == Fraction(1, 3)
    odds = Solver(graph, odds=lambda _, move: 2 if str(move) == "draw(red)" else 1)
    assert odds.ask("force", hit, P).probability == Fraction(1, 2)
    assert Solver(graph).ask("force", [parse_condition("not drawn(red)")], P).probability == Fraction(2, 3)
    assert Solver(graph).ask("possible", hit).probability is None


def test_what_was_not_explored_is_not_known() -> None:
    explorer = Explorer("agot", Family(8, 2, 1, 1, 1, 1).facts())
    part, whole = explorer.explore(Limits(states=20)), explorer.explore()
    wanted = goals(*(f"in(c{i},play)" for i in range(8)), *(f"in(c{i},dead)" for i in range(8)), "winner(_)")
    for name in ("possible", "certain"):
        for known, full in zip(getattr(Solver(part), name)(wanted), getattr(Solver(whole), name)(wanted), strict=True):
            assert known in (None, full)
    assert None in Solver(part).possible(wanted)
    assert Solver(part).ask("possible", wanted[-1]).holds is None


def test_numpy_and_python_agree_for_more_than_64_goals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge.explore._SWITCH", 5)
    graph = Explorer("agot", Family(9, 2, 1, 2, 1, 1).facts()).explore()
    texts = [f"{sign}in(c{i},{zone})" for sign in ("", "not ") for i in range(9) for zone in ("play", "dead", "_")]
    texts += [f"kneeling(c{i}); not in(c{j},dead)" for i in range(3) for j in range(9)]
    solver = Solver(graph)

    def answers():
        forced = [solver.force(Function(player), goals(*texts)) for player in ("p1", "p2")]
        return solver.possible(goals(*texts)), solver.certain(goals(*texts)), forced

    slow = answers()
    monkeypatch.setattr("bridge.strategy._LARGE", 10)
    assert answers() == slow
    assert len(texts) > 64


def test_a_mode_needs_what_it_needs() -> None:
    with law(DRAWS) as game:
        solver = Solver(Explorer(game, []).explore())
    with pytest.raises(ValueError, match="player"):
        solver.ask("force", FIVE[0])
    with pytest.raises(ValueError, match="player"):
        solver.ask("possible", FIVE[0], P)
