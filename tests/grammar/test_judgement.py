"""What stands: verdicts, exceptions to exceptions, obligations, gaps and faults, with made-up rules."""

from __future__ import annotations

from clingo import Function, Number, Symbol

from bridge.explain import Explainer
from bridge.ground import Switches
from tests.conftest import Toy, boards, legal

ENDS = "fluent(done(M)) :- M = (a;b;c). starts(T,r(1),M,over) :- move(T,M). starts(T,r(1),M,done(M)) :- move(T,M).\n"
OFFER = "rule(r(1..9)). offers(T,r(1),p,a) :- moment(T), not holds(T,over). offers(T,r(1),p,b) :- moment(T), not holds(T,over).\n"


def rule(number: int) -> Symbol:
    return Function("r", [Number(number)])


def test_a_prohibition_refuses_and_names_its_rule(toy: Toy) -> None:
    engine = toy(OFFER + ENDS + "forbids(T,r(2),a) :- attempt(T,a).")
    assert legal(engine) == {"b"}
    refusal = Explainer(engine).refusals(engine.program.initial)[0]
    assert (str(refusal.move), [str(one) for one in refusal.rules]) == ("a", ["r(2)"])


def test_an_exception_lifts_a_prohibition_and_an_exception_to_it_reinstates(toy: Toy) -> None:
    prohibited = OFFER + ENDS + "forbids(T,r(2),a) :- attempt(T,a).\n"
    excepted = prohibited + "permits(T,r(3),a) :- attempt(T,a). overrides(r(3),r(2)).\n"
    reinstated = excepted + "forbids(T,r(4),a) :- attempt(T,a). overrides(r(4),r(3)).\n"
    assert legal(toy(excepted)) == {"a", "b"}
    engine = toy(reinstated)
    assert legal(engine) == {"b"}
    (refusal,) = Explainer(engine).refusals(engine.program.initial)
    assert {str(one) for one in refusal.rules} == {"r(2)", "r(4)"}, "both prohibitions stand, as joint reasons"


def test_a_permission_alone_offers_nothing(toy: Toy) -> None:
    assert legal(toy(OFFER + ENDS + "permits(T,r(3),c) :- moment(T).")) == {"a", "b"}


def test_opposite_verdicts_without_precedence_are_a_conflict_and_not_resolved_silently(toy: Toy) -> None:
    engine = toy(OFFER + ENDS + "forbids(T,r(2),a) :- attempt(T,a). permits(T,r(3),a) :- attempt(T,a).")
    graph = engine.explore()
    assert any("neither overrides" in fault for fault in graph.faults)
    assert legal(engine) == {"b"}


def test_a_rule_switched_off_says_nothing(toy: Toy) -> None:
    program = OFFER + ENDS + "forbids(T,r(2),a) :- attempt(T,a)."
    assert legal(toy(program, Switches(without=(rule(2),)))) == {"a", "b"}


def test_an_obligation_is_met_before_anything_else_and_says_what_waits(toy: Toy) -> None:
    engine = toy(OFFER + ENDS + "obliges(T,r(2),b) :- attempt(T,b).")
    assert legal(engine) == {"b"}
    (waiting,) = Explainer(engine).refusals(engine.program.initial)
    assert (str(waiting.move), [str(one) for one in waiting.put_off]) == ("a", ["r(2)"])


def test_an_obligation_whose_only_move_is_refused_lapses(toy: Toy) -> None:
    engine = toy(OFFER + ENDS + "obliges(T,r(2),b) :- attempt(T,b). forbids(T,r(3),b) :- attempt(T,b).")
    assert legal(engine) == {"a"}
    lapsed = engine.program.control.symbolic_atoms[Function("lapsed", [_zero(), rule(2)])]
    assert lapsed is not None


def test_of_several_obligations_the_overriding_one_is_met_first(toy: Toy) -> None:
    engine = toy(
        OFFER + ENDS + "obliges(T,r(2),a) :- attempt(T,a). obliges(T,r(3),b) :- attempt(T,b). overrides(r(3),r(2))."
    )
    assert legal(engine) == {"b"}


def test_what_is_only_weighed_is_judged_but_cannot_be_done(toy: Toy) -> None:
    engine = toy(
        OFFER + ENDS + "weighs(T,c) :- moment(T). forbids(T,r(2),c) :- weighs(T,c)."
        "forbids(T,r(3),a) :- attempt(T,a), bad(T,c). needs(T,a,c) :- attempt(T,a)."
    )
    assert legal(engine) == {"b"}
    refusal = Explainer(engine).refusals(engine.program.initial)[0]
    assert [(str(part), [str(one) for one in rules]) for part, rules in refusal.through] == [("c", ["r(2)"])]


def test_a_dead_end_is_an_outcome_and_is_not_dropped(toy: Toy) -> None:
    engine = toy(
        "rule(r(1)). fluent(at(0..2)). init(at(0)). slot(at(N),at) :- fluent(at(N))."
        "offers(T,r(1),p,go(N)) :- holds(T,at(0)), N = 1..2. starts(T,r(1),go(N),at(N)) :- move(T,go(N))."
        "offers(T,r(1),p,end) :- holds(T,at(1)). starts(T,r(1),end,over) :- move(T,end)."
    )
    graph = engine.explore()
    assert len(graph.final) == 1
    assert [sorted(map(str, graph.facts(node))) for node in graph.stuck] == [["at(2)"]]


def test_two_actors_at_one_moment_and_a_torn_game_are_faults(toy: Toy) -> None:
    two = toy(ENDS + "rule(r(1)). offers(T,r(1),p,a) :- moment(T). offers(T,r(1),q,b) :- moment(T).")
    assert any("two players" in fault for fault in two.explore().faults)
    torn = toy(ENDS + "rule(r(1)). offers(T,r(1),game,(a;b)) :- moment(T).")
    assert any("nobody decides" in fault for fault in torn.explore().faults)


def test_a_reading_holds_by_default_and_another_by_choice(toy: Toy) -> None:
    program = (
        OFFER + ENDS + "reads(r(2),strict,default). reads(r(2),lax,other)."
        "forbids(T,r(2),a) :- attempt(T,a), reading(r(2),strict)."
    )
    assert legal(toy(program)) == {"b"}
    assert legal(toy(program, Switches(readings=((rule(2), "lax"),)))) == {"a", "b"}


def test_citations_are_the_rules_of_the_proof(toy: Toy) -> None:
    engine = toy(
        'rule(r(1..3)). rule(g("x")). fluent(done(a)). counts(T) :- moment(T), in_force(r(2)).'
        "offers(T,r(1),p,a) :- counts(T), not holds(T,over). starts(T,r(3),a,done(a)) :- move(T,a)."
        'starts(T,g("x"),a,over) :- move(T,a).'
    )
    cited = Explainer(engine).cite(engine.program.initial, Function("a"))
    assert [str(one) for one in cited.allowed] == ["r(1)", "r(2)"], "a rule that only says what counts is cited, too"
    assert {str(one) for one in cited.changed} == {"r(3)"}
    assert boards(engine) == [{"done(a)"}]


def _zero() -> Symbol:
    return Number(0)
