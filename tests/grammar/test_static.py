"""What a position says is settled before anything is played, or the rules are refused."""

from __future__ import annotations

import pytest

from bridge.errors import RuleError
from tests.conftest import Toy

ONE = "rule(r(1)). offers(T,r(1),p,a) :- moment(T), not holds(T,over). starts(T,r(1),a,over) :- move(T,a).\n"


def test_a_fluent_that_depends_on_a_moment_is_refused(toy: Toy) -> None:
    with pytest.raises(RuleError, match="not settled by the position alone"):
        toy(ONE + "fluent(late) :- holds(T,over).")


def test_two_meanings_of_one_name_are_noticed(toy: Toy) -> None:
    # put_aside/2 is the grammar's, and readings rest on it; what this file makes of it depends on the moment
    with pytest.raises(RuleError, match="two files mean different things"):
        toy(ONE + "reads(r(1),x,default). put_aside(T,x) :- holds(T,over). fluent(odd) :- reading(r(1),x).")
