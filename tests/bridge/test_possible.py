"""The quick look at which rules can have an instance loses none that has one, and leaves out what plainly has none."""

from __future__ import annotations

from clingo import Control, Symbol, ast, parse_term
from hypothesis import given, reject
from hypothesis import strategies as st

from bridge.possible import Names, Possible, Reader

CONSTANT = "n"


def read(text: str) -> tuple[list[str], Possible, Names]:
    """Return the statements of a program, what finds the possible ones, and the names that it knows."""
    found: list[ast.AST] = []
    ast.parse_string(text, found.append)
    statements = [one for one in found if one.ast_type in (ast.ASTType.Rule, ast.ASTType.External)]
    names = Names()
    return list(map(str, statements)), Possible(Reader(names, [CONSTANT]).outlines(statements)), names


def possible(text: str, *facts: str) -> set[str]:
    """Return the statements that can have an instance, but for the facts of the program."""
    statements, finder, names = read(text)
    found = finder.rules([names.pattern(parse_term(fact)) for fact in facts])
    return {statements[number] for number in found if ":-" in statements[number]}


def model(text: str) -> set[Symbol]:
    ctl = Control(logger=lambda code, message: None)
    ctl.add("base", [], text)
    ctl.ground()
    with ctl.solve(yield_=True) as handle:
        return {symbol for each in handle for symbol in each.symbols(atoms=True)}


VARIABLES = st.sampled_from(["X", "Y", "_"])
GROUND = st.sampled_from(["a", "b", "n", "1", '"a"', "f(a)", "f(b)", "g(a)", "f(f(a))"])
TERMS = st.one_of(VARIABLES, GROUND, st.sampled_from(["f(X)", "g(Y)", "f(g(X))", "(a;b)", "(f(X);a)", "1..2"]))
PREDICATES = ("p", "q", "r", "s", "t")


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Draw a stratified program: each predicate's rules use those up to it, negated ones before it."""
    lines = [f"#const {CONSTANT}=1."]
    for place, head in enumerate(PREDICATES):
        for _ in range(draw(st.integers(0, 3))):
            body = [
                f"{draw(st.sampled_from(PREDICATES[: place + 1]))}({draw(TERMS)},{draw(TERMS)})"
                for _ in range(draw(st.integers(0, 2)))
            ]
            if place and draw(st.booleans()):
                body.append(f"not {draw(st.sampled_from(PREDICATES[:place]))}({draw(GROUND)},{draw(GROUND)})")
            if draw(st.booleans()):
                body.append(f"X = {draw(st.one_of(GROUND, st.just('(a;f(a))')))}")
            args = [draw(st.sampled_from(["X", "a", "b", "n", "f(a)", "g(b)", "(a;g(a))"])) for _ in range(2)]
            if "X" in args:
                body.append("p(X,_)")
            lines.append(f"{head}({','.join(args)})" + (f" :- {', '.join(body)}." if body else "."))
    return "\n".join(lines)


@given(programs(), st.lists(st.sampled_from(["p(a,b)", "p(f(a),1)", 'q("a",a)', "p(c,f(c))", "r(2,2)"]), unique=True))
def test_no_rule_that_has_an_instance_is_lost(text: str, facts: list[str]) -> None:
    statements, finder, names = read(text)
    kept = finder.rules([names.pattern(parse_term(fact)) for fact in facts])
    given_facts = "".join(f"{fact}.\n" for fact in facts)
    rules = "\n".join(one for number, one in enumerate(statements) if number in kept)
    const = f"#const {CONSTANT}=1.\n"
    try:
        whole = model(text + "\n" + given_facts)
    except RuntimeError:  # a variable in one part of a pool only
        reject()
    assert model(const + given_facts + rules) == whole


def test_a_rule_without_what_it_needs_is_left_out() -> None:
    text = "fire(X) :- dry(X), lit(X). smoke :- fire(_). dry(hay)."
    assert possible(text) == set()
    assert possible(text, "lit(hay)") == {"fire(X) :- dry(X); lit(X).", "smoke :- fire(_)."}


def test_names_are_told_apart() -> None:
    text = "won(P) :- took(P,crown). lost(P) :- took(P,fall(_)). same(X) :- took(X,X), took(_,crown)."
    assert possible(text, "took(ann,crown)") == {"won(P) :- took(P,crown)."}
    assert possible(text, "took(ann,fall(3))") == {"lost(P) :- took(P,fall(_))."}


def test_a_name_flows_through_variables_and_recursion() -> None:
    text = "down(X) :- push(X). down(Y) :- down(X), next(X,Y). crash(T) :- down(T), T = vase. calm :- down(cat)."
    assert "crash(T) :- down(T); T = vase." not in possible(text, "push(cup)", "next(cup,spoon)")
    assert "crash(T) :- down(T); T = vase." in possible(text, "push(cup)", "next(cup,vase)")
    assert "calm :- down(cat)." not in possible(text, "push(cup)", "next(cup,vase)")


def test_a_rule_that_feeds_itself_alone_is_followed_to_the_end() -> None:
    text = "turn(Y,Z,X) :- turn(X,Y,Z). first(c) :- turn(c,_,_)."
    assert "first(c) :- turn(c,_,_)." in possible(text, "turn(a,b,c)")


def test_choices_of_drivers_derive_what_they_offer() -> None:
    text = "{ holds(F) : fluent(F) } :- open. #external force(R) : rule(R). a :- holds(b). c :- force(r)."
    assert possible(text, "open") >= {"c :- force(r)."}
    assert "a :- holds(b)." not in possible(text, "open", "fluent(d)")
    assert "a :- holds(b)." in possible(text, "open", "fluent(b)")
