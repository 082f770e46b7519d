"""Ground rules as code: the circuit, the columns, and what the compiler refuses."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.positions import Family
from bridge.arrays import ArrayStore
from bridge.bitslice import ListStore, bits
from bridge.circuit import FALSE, TRUE, Circuit, at_least, total
from bridge.compile import compile_position
from bridge.errors import RuleError
from tests.oracle.games import law

ONE = "rule(r(1..9)). fluent(f(1..4)).\n"
INPUTS = 6

expressions = st.recursive(
    st.integers(0, 2 * INPUTS + 1),
    lambda inner: (
        st.tuples(st.sampled_from(["and", "or"]), st.lists(inner, max_size=4))
        | st.tuples(st.just("sum"), st.integers(-4, 6), st.lists(st.tuples(inner, st.integers(-3, 3)), max_size=4))
    ),
    max_leaves=12,
)


def build(circuit: Circuit, expression, negate: bool = False) -> int:
    if isinstance(expression, int):
        leaf = expression >> 1
        return (circuit.input(leaf) if leaf < INPUTS else FALSE) ^ (expression & 1)
    if expression[0] == "sum":
        return circuit.weighted(expression[1], [(build(circuit, each), weight) for each, weight in expression[2]])
    parts = [build(circuit, each) for each in expression[1]]
    return circuit.conjunction(parts) if expression[0] == "and" else circuit.disjunction(parts)


def value(expression, state: list[bool]) -> bool:
    if isinstance(expression, int):
        leaf = expression >> 1
        return (state[leaf] if leaf < INPUTS else False) != bool(expression & 1)
    if expression[0] == "sum":
        return sum(weight for each, weight in expression[2] if value(each, state)) >= expression[1]
    return (all if expression[0] == "and" else any)(value(each, state) for each in expression[1])


def run(source: str, columns: list[int], given_: list[int], one: int):
    space = {"at_least": at_least, "total": total}
    exec(source, space)
    return space["f"](columns, given_, one)


@settings(deadline=None)
@given(st.lists(expressions, min_size=1, max_size=4))
def test_the_code_of_a_circuit_computes_it(wanted) -> None:
    circuit = Circuit()
    roots = [build(circuit, each) for each in wanted]
    states = [[bool(number >> i & 1) for i in range(INPUTS)] for number in range(2**INPUTS)]
    columns = [sum(state[i] << k for k, state in enumerate(states)) for i in range(INPUTS)]
    one = (1 << len(states)) - 1
    outputs = "(" + "".join(f"{{{root}}}," for root in roots) + ")"
    found = run(circuit.write("f", roots, outputs), columns, [], one)
    for expression, column in zip(wanted, found, strict=True):
        assert column == sum(value(expression, state) << k for k, state in enumerate(states))
    # values that are handed in are used instead of being computed again
    nodes = [root >> 1 for root in roots if circuit.nodes[root >> 1][0] not in ("constant", "input")]
    values = [column ^ (one if root & 1 else 0) for root, column in zip(roots, found, strict=True)]
    handed = [each for root, each in zip(roots, values, strict=True) if root >> 1 in nodes]
    assert run(circuit.write("f", roots, outputs, nodes), columns, handed, one) == found


def test_equal_nodes_are_one_and_constants_vanish() -> None:
    circuit = Circuit()
    a, b, c = (circuit.input(i) for i in range(3))
    assert circuit.conjunction([a, TRUE, b]) == circuit.conjunction([b, a, a])
    assert circuit.conjunction([a, a ^ 1]) == FALSE
    assert circuit.disjunction([a, a ^ 1]) == TRUE
    assert circuit.weighted(1, [(a, 1), (b, 1)]) == circuit.disjunction([a, b])
    assert circuit.weighted(2, [(a, 1), (b, 1)]) == circuit.conjunction([a, b])
    assert circuit.weighted(0, [(a, 1)]) == TRUE
    assert circuit.weighted(3, [(a, 1), (TRUE, 1)]) == FALSE
    assert circuit.weighted(0, [(a, -1)]) == a ^ 1
    shared = circuit.disjunction([circuit.conjunction([a, b]), circuit.conjunction([a, c])])
    assert shared == circuit.conjunction([a, circuit.disjunction([b, c])])


def test_very_long_disjunctions_compile() -> None:
    circuit = Circuit()
    wide = circuit.disjunction([circuit.conjunction([circuit.input(i), circuit.input(i + 1)]) for i in range(5000)])
    assert run(circuit.write("f", [wide], f"{{{wide}}}"), [1] * 5001, [], 1) == 1


def test_recursion_is_a_least_fixpoint() -> None:
    circuit = Circuit()
    a, b = circuit.input(0), circuit.input(1)
    p, q, r = circuit.group(3)
    circuit.define(p, [(q,), (a,)])
    circuit.define(q, [(p, b), (r,)])
    circuit.define(r, [(q, b ^ 1)])
    source = circuit.write("f", [p, q ^ 1, r], f"({{{p}}},{{{q ^ 1}}},{{{r}}})")
    # columns: a only, b only, both, none
    assert run(source, [0b0101, 0b0110], [], 0b1111) == (0b0101, 0b1011, 0b0000)


@given(st.lists(st.integers(0, 2**150 - 1), min_size=1, max_size=70))
def test_both_stores_turn_rows_into_columns_and_back(states: list[int]) -> None:
    small, large = ListStore(150), ArrayStore(150)
    assert large.columns(large.pack(states)) == small.columns(states)
    assert small.transpose(small.columns(states), len(states)) == states
    assert large.unpack(large.transpose(small.columns(states), len(states))) == states


@given(st.lists(st.lists(st.integers(0, 2**130 - 1), max_size=40), max_size=8), st.randoms())
def test_both_stores_give_the_same_numbers(batches: list[list[int]], rng: random.Random) -> None:
    small, large = ListStore(130), ArrayStore(130)
    old: list[int] = []
    for batch in batches:
        states = batch + rng.choices(old, k=3) if old else batch
        old += states
        if states:
            assert small.intern(states) == list(large.intern(large.pack(states)))
    everything = small.rows(0, len(small))
    assert large.unpack(large.rows(0, len(large))) == everything if everything else len(large) == 0


def test_many_states_and_equal_hashes_do_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    states = [i * 0x1234567 % 2**40 for i in range(30_000)]
    large = ArrayStore(64)
    assert list(large.intern(large.pack(states))) == list(range(len(states)))
    assert list(large.intern(large.pack(states[::7]))) == list(range(0, len(states), 7))
    import numpy as np

    monkeypatch.setattr(ArrayStore, "_hash", lambda self, words: words[:, 0] & np.uint64(7))
    clash = ArrayStore(64)
    assert list(clash.intern(clash.pack(states[:300] + states[:300]))) == [*range(300), *range(300)]


def test_bits_of_a_mask() -> None:
    assert bits(0) == []
    assert bits(1 << 100 | 5) == [0, 2, 100]


OFFER = "offers(T,r(1),p,(a;b)) :- moment(T), not holds(T,over). starts(T,r(1),M,over) :- move(T,M).\n"

UNSTRATIFIED = {
    "negation": "fine(T) :- moment(T), not odd(T,r(2)). odd(T,r(2)) :- moment(T), holds(T,f(1)), not fine(T).",
    "aggregate": "odd(T,r(2)) :- holds(T,f(1)), #sum{ 1 : odd(T,r(2)) ; 1,x : holds(T,f(2)) } != 1.",
}


@pytest.mark.parametrize("rule", UNSTRATIFIED.values(), ids=UNSTRATIFIED)
def test_what_is_not_stratified_is_refused_with_rule_and_file(rule: str) -> None:
    rules = ONE + OFFER + f"rule(r(2)).\nstarts(T,r(3),a,f((1;2))) :- move(T,a).\n{rule}"
    rules += "\nforbids(T,r(2),a) :- attempt(T,a), odd(T,r(2))."
    with law(rules) as game, pytest.raises(RuleError, match="r:2") as caught:
        compile_position(game, [])
    assert "not stratified" in str(caught.value)
    assert caught.value.file == "toy/rules.lp"


def test_a_choice_in_a_rule_is_refused() -> None:
    with (
        law(ONE + OFFER + "{ lucky(T) } :- moment(T). forbids(T,r(2),a) :- lucky(T).") as game,
        pytest.raises(RuleError, match="everything optional is a move"),
    ):
        compile_position(game, [])


@pytest.mark.parametrize("predicate", ["forbids(T,r(2),a)", "obliges(T,r(2),a)", "weighs(T,a)", "offers(T,r(2),p,c)"])
def test_what_judges_by_the_move_is_refused(predicate: str) -> None:
    with (
        law(ONE + OFFER + f"taken(T) :- move(T,a). {predicate} :- taken(T).") as game,
        pytest.raises(RuleError, match="move/2"),
    ):
        compile_position(game, [])


def test_what_judges_by_the_move_in_a_roundabout_way_is_refused() -> None:
    circle = "p(T) :- q(T). q(T) :- p(T). q(T) :- move(T,a). r(T) :- moment(T), not p(T)."
    with (
        law(ONE + OFFER + circle + "forbids(T,r(2),a) :- r(T), attempt(T,a).") as game,
        pytest.raises(RuleError, match="move/2"),
    ):
        compile_position(game, [])


def test_only_what_can_be_reached_is_compiled() -> None:
    rules = ONE + OFFER + "starts(T,r(2),a,f(1)) :- move(T,a). starts(T,r(2),c,f(2)) :- move(T,c). init(f(3))."
    with law(rules) as game:
        compiled = compile_position(game, [])
    assert [str(fluent) for fluent in compiled.fluents] == ["f(1)", "over"]
    assert [str(fluent) for fluent in compiled.constant] == ["f(3)"]
    assert [str(move) for move in compiled.moves] == ["a", "b"]


def test_effects_are_compiled_on_first_use() -> None:
    compiled = compile_position("agot", Family(6, 1, 1, 1, 0, 1).facts())
    assert not compiled._effects
    columns = [compiled.initial >> i & 1 for i in range(len(compiled.fluents))]
    judged = compiled.judge(columns, 1)
    (move,) = [number for number, column in enumerate(judged.legal) if column][:1]
    compiled.effects(move, columns, judged.shared, 1)
    assert list(compiled._effects) == [move]
