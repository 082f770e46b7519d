"""Events are remembered, counted and judged on the board after them, with made-up rules."""

from __future__ import annotations

from tests.conftest import Toy, boards

BASE = """
rule(r(1..9)). overrides(grammar("events"),r(1)).
#const most = 3.
fluent(chance(A,E,1..most_answers)) :- ability(A), event(E). fluent(due(1..2,A,E,1..most_answers)) :- ability(A), event(E).
fluent(F) :- bookkeeping(F). watched(E) :- event(E).
fluent(count(power,0..9)). init(count(power,0)). slot(count(Q,N),Q) :- fluent(count(Q,N)). cap(power,9).
#defined in_play/2.
offers(T,r(2),p,answer(A,E)) :- holds(T,chance(A,E,_)), not holds(T,news(_)).
spends(T,r(2),answer(A,E),chance(A,E)) :- move(T,answer(A,E)).
gains(T,r(2),answer(A,E),power,1,A) :- move(T,answer(A,E)).
offers(T,r(2),p,end) :- holds(T,hit(most)), not holds(T,news(_)), not holds(T,over).
starts(T,r(2),end,over) :- move(T,end). closes(T,r(2),end) :- move(T,end).
bookkeeping(hit(0..most)). init(hit(0)). slot(hit(N),hit) :- fluent(hit(N)).
bookkeeping(F) :- fluent(F), F = chance(_,_,_). bookkeeping(F) :- fluent(F), F = due(_,_,_,_).
"""


def test_a_second_equal_event_is_a_second_chance(toy: Toy) -> None:
    engine = toy(
        BASE.replace("most = 3", "most = 2")
        + "ability(joff). event(killed). may_answer(T,r(3),joff,killed) :- holds(T,news(killed))."
        "offers(T,r(1),game,hit) :- holds(T,hit(N)), N < most. starts(T,r(1),hit,hit(N+1)) :- move(T,hit), holds(T,hit(N))."
        "overrides(r(1),r(2)). obliges(T,r(1),hit) :- attempt(T,hit). happens(T,hit,killed) :- move(T,hit)."
    )
    assert boards(engine) == [{"count(power,0)"}, {"count(power,1)"}, {"count(power,2)"}]


def test_more_equal_events_than_are_counted_make_the_answer_incomplete(toy: Toy) -> None:
    engine = toy(
        BASE.replace("most = 3", "most = 4")
        + "ability(joff). event(killed). may_answer(T,r(3),joff,killed) :- holds(T,news(killed))."
        "offers(T,r(1),game,hit) :- holds(T,hit(N)), N < most. starts(T,r(1),hit,hit(N+1)) :- move(T,hit), holds(T,hit(N))."
        "overrides(r(1),r(2)). obliges(T,r(1),hit) :- attempt(T,hit). happens(T,hit,killed) :- move(T,hit)."
    )
    assert engine.explore().limits == {"answers(chance(joff,killed))"}


def test_after_this_enters_play_is_judged_on_the_board_after_the_event(toy: Toy) -> None:
    engine = toy(
        BASE.replace("most = 3", "most = 1") + "ability(self). event(entered). fluent(here). "
        "may_answer(T,r(3),self,entered) :- holds(T,news(entered)), holds(T,here)."
        "offers(T,r(1),game,enter) :- holds(T,hit(0)). starts(T,r(1),enter,(hit(1);here)) :- move(T,enter)."
        "overrides(r(1),r(2)). happens(T,enter,entered) :- add(T,enter,here)."
    )
    assert {"here", "count(power,1)"} in boards(engine)


def test_an_event_follows_from_what_took_effect_not_from_what_was_meant(toy: Toy) -> None:
    engine = toy(
        BASE.replace("most = 3", "most = 1")
        + "ability(a). event(killed). fluent(dead). may_answer(T,r(3),a,killed) :- holds(T,news(killed))."
        "offers(T,r(1),game,kill) :- holds(T,hit(0)). starts(T,r(1),kill,(hit(1);dead)) :- move(T,kill)."
        "prevents(T,r(4),kill,dead) :- move(T,kill). happens(T,kill,killed) :- add(T,kill,dead)."
    )
    assert boards(engine) == [{"count(power,0)"}]


def test_the_news_is_noted_before_anybody_acts(toy: Toy) -> None:
    engine = toy(
        BASE.replace("most = 3", "most = 1")
        + "ability(a). event(killed). may_answer(T,r(3),a,killed) :- holds(T,news(killed))."
        "offers(T,r(1),game,kill) :- holds(T,hit(0)). starts(T,r(1),kill,hit(1)) :- move(T,kill). happens(T,kill,killed) :- move(T,kill)."
    )
    state = engine.steps(engine.program.initial)[0].after
    assert [str(step.move) for step in engine.steps(state)] == ["note"]


def test_a_duty_is_counted_like_a_chance(toy: Toy) -> None:
    engine = toy(
        BASE.replace("most = 3", "most = 2")
        + "ability(rob). event(claimed). must_answer(T,r(3),rob,claimed,1) :- holds(T,news(claimed))."
        "offers(T,r(1),game,hit) :- holds(T,hit(N)), N < most. starts(T,r(1),hit,hit(N+1)) :- move(T,hit), holds(T,hit(N))."
        "obliges(T,r(1),hit) :- attempt(T,hit). happens(T,hit,claimed) :- move(T,hit). overrides(r(1),r(4))."
        "offers(T,r(4),p,start(A,E)) :- holds(T,due(1,A,E,_)). obliges(T,r(4),start(A,E)) :- attempt(T,start(A,E))."
        "spends(T,r(4),start(A,E),due(1,A,E)) :- move(T,start(A,E)). gains(T,r(4),start(A,E),power,1,A) :- move(T,start(A,E))."
    )
    assert boards(engine) == [{"count(power,2)"}]
