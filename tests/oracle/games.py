"""Made-up games: the real grammar, and rules written by a test or drawn by hypothesis."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import strategies as st

import asp
from bridge import catalog

REAL_LAW = asp.ROOT

HEAD = """
#include "../grammar/judgement.lp".
#include "../grammar/change.lp".
#include "../grammar/events.lp".
#include "../grammar/position.lp".
#include "rules.lp".
fluent(over).
#defined helper/2.
"""


@contextmanager
def law(rules: str) -> Iterator[str]:
    """Put a game with these rules in force, and yield its name."""
    before = asp.ROOT
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for part in ("grammar", "drivers"):
            shutil.copytree(REAL_LAW / part, root / part)
        (root / "toy").mkdir()
        (root / "toy" / "game.lp").write_text(HEAD, encoding="utf-8")
        (root / "toy" / "rules.lp").write_text(rules, encoding="utf-8")
        asp.ROOT = root
        catalog.load.cache_clear()
        try:
            yield "toy"
        finally:
            asp.ROOT = before
            catalog.load.cache_clear()


FLUENTS = [f"f({i})" for i in range(5)]
MOVES = ["a", "b", "c", "d"]
RULES = ["r(1)", "r(2)", "r(3)"]


@st.composite
def games(draw: st.DrawFn) -> str:
    """Draw the rules of a game: offers, verdicts, obligations, helpers, sums, recursion, changes, bounds."""
    fact = st.sampled_from(FLUENTS)
    move = st.sampled_from(MOVES)
    rule = st.sampled_from(RULES)

    def condition() -> str:
        literals = draw(st.lists(st.tuples(st.booleans(), fact), max_size=3))
        helpers = draw(st.lists(st.tuples(st.booleans(), st.integers(0, 2)), max_size=1))
        parts = [f"{'' if positive else 'not '}holds(T,{each})" for positive, each in literals]
        return ", ".join(["moment(T)", *parts, *(f"{'' if yes else 'not '}helper(T,{i})" for yes, i in helpers)])

    def amounts() -> str:
        weights = draw(st.lists(st.tuples(st.integers(-3, 3), fact), min_size=1, max_size=4))
        return " ; ".join(f"{weight},{i} : holds(T,{each})" for i, (weight, each) in enumerate(weights))

    lines = [f"rule({each})." for each in RULES] + [f"fluent({each})." for each in FLUENTS]
    lines += [f"init({each})." for each in draw(st.lists(fact, unique=True))]
    lines.append(f"helper(T,0) :- moment(T), {draw(st.integers(-2, 3))} <= #sum{{ {amounts()} }}.")
    lines.append(f"helper(T,1) :- moment(T), {draw(st.integers(0, 3))} {{ holds(T,f(N)) }}.")
    lines.append("near(T,0) :- holds(T,f(0)). near(T,(N+1)\\5) :- near(T,N), holds(T,f((N+1)\\5)).")
    lines.append("near(T,(N+4)\\5) :- near(T,N), holds(T,f((N+4)\\5)). helper(T,2) :- near(T,3).")
    player = draw(st.sampled_from(["p", "q", "game"]))
    by_turn = draw(st.booleans())
    who = f"holds(T,{draw(fact)})"
    for each in MOVES:
        if by_turn:
            lines.append(f"offers(T,{draw(rule)},p,{each}) :- {condition()}, {who}.")
            lines.append(f"offers(T,{draw(rule)},q,{each}) :- {condition()}, not {who}.")
        else:
            lines.append(f"offers(T,{draw(rule)},{player},{each}) :- {condition()}.")
    for predicate in ("forbids", "permits", "obliges"):
        for _ in range(draw(st.integers(0, 2))):
            lines.append(f"{predicate}(T,{draw(rule)},{draw(move)}) :- {condition()}.")
    if draw(st.booleans()):
        lines.append("overrides(r(1),r(2)).")
    for predicate in ("starts", "stops", "starts", "stops", "prevents"):
        for _ in range(draw(st.integers(1, 3))):
            each = draw(move)
            lines.append(f"{predicate}(T,{draw(rule)},{each},{draw(fact)}) :- move(T,{each}), {condition()}.")
    lines.append(f"moved(T) :- move(T,{draw(move)}). starts(T,r(3),M,{draw(fact)}) :- moved(T), move(T,M).")
    for _ in range(draw(st.integers(0, 3))):
        each = draw(move)
        lines.append(f"starts(T,{draw(rule)},{each},over) :- move(T,{each}), {condition()}.")
    if draw(st.booleans()):
        lines.append(f"limit(T,far) :- move(T,{draw(move)}), {condition()}.")
    if draw(st.booleans()):
        lines.append(f"starts(T,r(1),a,elsewhere) :- move(T,a), {condition()}.")
    return "\n".join(lines)
