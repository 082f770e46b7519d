"""What happens: starting and stopping, prevention, counters, slots, closing, bounds, with made-up rules."""

from __future__ import annotations

from tests.conftest import Toy, boards

ONE = "rule(r(1..9)). offers(T,r(1),p,a) :- moment(T), not holds(T,over). starts(T,r(1),a,over) :- move(T,a).\n"
POWER = "fluent(count(power,0..5)). init(count(power,1)). slot(count(Q,N),Q) :- fluent(count(Q,N)). cap(power,5).\n"


def test_two_gains_of_one_move_add_up(toy: Toy) -> None:
    engine = toy(ONE + POWER + "gains(T,r(2),a,power,1,x) :- move(T,a). gains(T,r(3),a,power,2,x) :- move(T,a).")
    assert boards(engine) == [{"count(power,4)"}]


def test_two_causes_of_one_rule_are_two_gains(toy: Toy) -> None:
    engine = toy(ONE + POWER + "gains(T,r(2),a,power,1,(x;y)) :- move(T,a).")
    assert boards(engine) == [{"count(power,3)"}]


def test_a_cap_is_reported_and_makes_the_answer_incomplete(toy: Toy) -> None:
    graph = toy(ONE + POWER + "gains(T,r(2),a,power,7,x) :- move(T,a).").explore()
    assert graph.limits == {"cap(power)"}
    assert not graph.complete


def test_less_than_nothing_is_a_fault(toy: Toy) -> None:
    graph = toy(ONE + POWER + "gains(T,r(2),a,power,-3,x) :- move(T,a).").explore()
    assert any("below_zero(power)" in fault for fault in graph.faults)


def test_a_slot_holds_one_value_and_two_at_once_are_a_fault(toy: Toy) -> None:
    slots = "fluent(in(1..3)). init(in(1)). slot(in(N),in) :- fluent(in(N)).\n"
    assert boards(toy(ONE + slots + "starts(T,r(2),a,in(2)) :- move(T,a).")) == [{"in(2)"}]
    graph = toy(ONE + slots + "starts(T,r(2),a,in(2..3)) :- move(T,a).").explore()
    assert any("slot(in)" in fault for fault in graph.faults)


def test_a_rule_prevents_another_unless_that_one_overrides_it(toy: Toy) -> None:
    program = ONE + "fluent(dead). starts(T,r(2),a,dead) :- move(T,a). prevents(T,r(3),a,dead) :- move(T,a).\n"
    assert boards(toy(program)) == [set()]
    assert boards(toy(program + "overrides(r(2),r(3)).")) == [{"dead"}]


def test_a_replacement_prevents_and_starts_something_else(toy: Toy) -> None:
    engine = toy(
        ONE + "fluent(to(dead;discard)). slot(to(Z),to) :- fluent(to(Z)). starts(T,r(2),a,to(dead)) :- move(T,a)."
        "prevents(T,r(3),a,to(dead)) :- move(T,a). starts(T,r(3),a,to(discard)) :- move(T,a)."
    )
    assert boards(engine) == [{"to(discard)"}]
    assert not engine.explore().faults


def test_starting_wins_inside_one_rule_and_clashes_across_rules(toy: Toy) -> None:
    same = "fluent(f). init(f). starts(T,r(2),a,f) :- move(T,a). stops(T,r(2),a,f) :- move(T,a).\n"
    assert boards(toy(ONE + same)) == [{"f"}]
    across = "fluent(f). init(f). starts(T,r(2),a,f) :- move(T,a). stops(T,r(3),a,f) :- move(T,a).\n"
    assert any(" f" in fault for fault in toy(ONE + across).explore().faults)
    assert boards(toy(ONE + across + "overrides(r(3),r(2)).")) == [set()]
    engine = toy(ONE + across + "overrides(r(2),r(3)).")
    assert boards(engine) == [{"f"}]
    assert not engine.explore().faults


def test_a_close_erases_bookkeeping_and_nothing_else(toy: Toy) -> None:
    engine = toy(
        ONE + "fluent(board). init(board). bookkeeping(turn(1..2)). fluent(F) :- bookkeeping(F). init(turn(1))."
        "closes(T,r(2),a) :- move(T,a)."
    )
    assert boards(engine) == [{"board"}]


def test_a_fluent_that_is_not_listed_is_a_fault_where_it_starts(toy: Toy) -> None:
    graph = toy(ONE + "starts(T,r(2),a,ghost) :- move(T,a).").explore()
    assert any("ghost" in fault and "does not list" in fault for fault in graph.faults)


def test_a_limit_that_is_never_met_is_not_reported(toy: Toy) -> None:
    graph = toy(ONE + POWER + "gains(T,r(2),a,power,7,x) :- move(T,a), holds(T,count(power,5)).").explore()
    assert graph.complete
