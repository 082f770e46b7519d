"""Answers that bounds or Ctrl-C cut short: what was found is told, it is said to be a part, and nothing false is said."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from bench.positions import Family
from bridge.engines import Limits, ReferenceEngine
from bridge.explore import Explorer, compare_within
from bridge.graph import Edge, Graph
from bridge.oracle import Oracle, example
from bridge.outcome import Outcomes
from bridge.stopping import Stop, asked_to_stop, on_request
from bridge.strategy import Solver
from bridge.terms import parse_condition
from tests.bridge.test_cli import EXAMPLE, run
from tests.oracle.games import law

PHASE = "a_phase_of_eight_cards"
ROUND = "round_and_back_without_end"


@cache
def _whole() -> set[tuple[str, ...]]:
    data = json.loads(run("outcomes", PHASE, "--engine", "explorer", "--json").stdout)
    return {tuple(one["facts"]) for one in data["outcomes"]}


@pytest.mark.parametrize("states", [1, 5, 50])
def test_a_limit_in_the_explorer_still_gives_outcomes(states: int) -> None:
    done = run("outcomes", PHASE, "--engine", "explorer", "--states", str(states), "--json")
    assert done.returncode == 3, done.stderr
    data = json.loads(done.stdout)
    assert (data["complete"], data["limits"]) == (False, ["states"])
    assert {tuple(one["facts"]) for one in data["outcomes"]} <= _whole()
    assert data["outcomes"] or states == 1


def test_an_end_to_which_no_line_leads_is_no_outcome() -> None:
    graph = Graph((), [0, 1, 2], [[], [], []], final={1}, limits={"states"})
    assert len(Outcomes(graph)) == 0


@pytest.mark.parametrize("name", [PHASE, "robb_finds_nobody_left", "round_and_back_both_optional"])
def test_outcomes_have_the_same_numbers_in_both_engines(name: str) -> None:
    by_clingo, by_explorer = (Oracle(example(name), engine=engine).outcomes() for engine in ("clingo", "explorer"))
    assert [(one.facts, one.stuck, one.lines) for one in by_clingo] == [
        (one.facts, one.stuck, one.lines) for one in by_explorer
    ]


# ---- Moves that go round ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["clingo", "explorer"])
def test_no_outcome_at_all_is_said(engine: str) -> None:
    done = run("outcomes", ROUND, "--engine", engine)
    assert "go round in a circle and never end" in done.stdout
    assert "ходы идут по кругу и не кончаются" in run("outcomes", ROUND, "--engine", engine, "--lang", "ru").stdout
    data = json.loads(run("outcomes", ROUND, "--engine", engine, "--json").stdout)
    assert (data["endless"], data["outcomes"]) == (True, [])
    why = run("why", ROUND, "--engine", engine)
    assert (why.returncode, "never end" in why.stdout) == (1, True)
    assert json.loads(run("why", ROUND, "--json").stdout)["endless"] is True


def test_choices_name_the_way_into_a_circle() -> None:
    rules = (
        "rule(r(1)). fluent(f(1..2)). init(f(1)). slot(f(N),f) :- fluent(f(N)).\n"
        "offers(T,r(1),p,(stay;go)) :- holds(T,f(1)), not holds(T,over). starts(T,r(1),stay,over) :- move(T,stay).\n"
        "starts(T,r(1),go,f(2)) :- move(T,go).\n"
        "offers(T,r(1),p,(one;two)) :- holds(T,f(2)). starts(T,r(1),M,f(2)) :- move(T,M), holds(T,f(2))."
    )
    with law(rules) as game:
        for graph in (ReferenceEngine(game, []).explore(), Explorer(game, []).explore().to_graph()):
            found = Outcomes(graph)
            assert (len(found), found.endless, found.lines) == (1, True, None)
            choices = found.choices()
            assert choices is not None
            assert [(len(one.moves), [str(move) for move in one.endless]) for one in choices] == [(2, ["go"])]


def test_a_case_must_say_that_it_is_endless(tmp_path: Path) -> None:
    text = example(ROUND).read_text()
    (tmp_path / "silent.yaml").write_text(text.replace("  endless: true\n", ""))
    done = run("cases", str(tmp_path))
    assert (done.returncode, "go round in a circle and never end" in done.stdout) == (1, True)


def test_a_no_with_lines_that_never_end_says_so() -> None:
    done = run("ask", ROUND, "count(wounds(one),2)", "--possible")
    assert (done.returncode, "never end" in done.stdout) == (1, True)


# ---- Bounds ----------------------------------------------------------------------------------------------------------


def test_why_does_not_say_no_of_what_was_not_explored() -> None:
    bounded = ("why", PHASE, "--engine", "explorer", "--states", "20")
    done = run(*bounded, "--where", "winner(ann)")
    assert (done.returncode, "not found in the part that was explored" in done.stdout) == (3, True)
    data = json.loads(run(*bounded, "--where", "winner(ann)", "--json").stdout)
    assert (data["answer"], data["complete"], data["limits"]) == (None, False, ["states"])
    assert run(*bounded, "99").returncode == 3
    done = run(*bounded, "--not", "use(nothing)")
    assert (done.returncode, "in the part that was explored" in done.stdout) == (3, True)
    assert "INCOMPLETE" in run(*bounded, "1").stdout


def test_one_thing_is_asked_of_why_at_a_time() -> None:
    for arguments in (
        ["2", "--where", "winner(ann)"],
        ["--not", "use(x)", "--where", "winner(ann)"],
        ["2", "--not", "x"],
    ):
        done = run("why", PHASE, *arguments)
        assert (done.returncode, done.stderr.count("\n"), "one thing at a time" in done.stderr) == (2, 1, True)


def test_verify_compares_nothing_when_it_was_cut_short() -> None:
    done = run("verify", PHASE, "--states", "20")
    assert (done.returncode, done.stdout) == (3, "cut short, so that nothing can be compared: states\n")
    data = json.loads(run("verify", PHASE, "--seconds", "0", "--json").stdout)
    assert (data["agree"], data["complete"], data["differences"]) == (None, False, [])
    facts = Family(5, 1, 1, 1, 0, 1).facts()
    assert compare_within("agot", facts, limits=Limits(seconds=0)) == ([], {"seconds"})
    assert compare_within("agot", facts) == ([], set())


def test_the_bound_of_states_is_one_of_decisions_however_small() -> None:
    whole = len(Oracle(example(PHASE), engine="explorer").graph().states)
    for states in (whole, 400, 401, 5_000):  # more states than decisions lie between
        assert Oracle(example(PHASE)).graph(Limits(states=states)).complete


def test_a_bound_of_no_number_is_refused() -> None:
    done = run("outcomes", PHASE, "--seconds", "nan")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_time_bounds_what_is_made_of_the_graph() -> None:
    decisions = Explorer("agot", Family(12, 2, 1, 2, 1, 1).facts()).explore()
    graph = decisions.to_graph(Stop(-1.0))
    assert graph.limits == {"seconds"}
    found = Outcomes(decisions.to_graph(), Stop(-1.0))
    assert found.graph.limits == {"seconds"}
    assert found.choices() is None
    assert found.lines is None
    whole = {one.facts for one in Outcomes(decisions.to_graph())}
    assert {one.facts for one in Outcomes(graph)} <= whole


def test_a_settled_answer_of_a_partial_search_is_given_as_such() -> None:
    done = run("ask", PHASE, "active(ann)", "--certain", "--engine", "explorer", "--states", "20")
    assert (done.returncode, "cut short" in done.stdout) == (1, True)
    assert run("ask", PHASE, "active(ann)", "--possible", "--engine", "explorer", "--states", "2").returncode == 3


def test_the_line_of_a_no_does_not_lead_to_what_was_not_explored() -> None:
    from clingo import Function

    player, good = Function("p"), Function("good")
    edges = [[Edge(0, player, Function("a"), 1), Edge(0, player, Function("b"), 2)], [], []]
    graph = Graph((good,), [0, 0, 0], edges, final={2}, limits={"states"})
    answer = Solver(graph).ask("certain", parse_condition("good"))
    assert (answer.holds, answer.ending) == (False, "over")
    assert [str(reply.move) for reply in answer.line] == ["b"]
    assert answer.probability in (None, Fraction(0))


def test_readings_that_were_not_looked_at_make_the_answer_partial() -> None:
    assert run("outcomes", EXAMPLE, "--reading", "all").returncode == 0
    assert run("outcomes", EXAMPLE, "--reading", "all", "--states", "2").returncode == 3
    from bridge.readings import Varied

    assert not Varied(skipped=[()]).complete
    assert Varied().complete


# ---- Ctrl-C ----------------------------------------------------------------------------------------------------------


def test_ctrl_c_asks_first_and_ends_only_then() -> None:
    with on_request():
        os.kill(os.getpid(), signal.SIGINT)
        assert asked_to_stop()
        assert Stop().reason() == "interrupted"
        assert not Stop(heeds=False).reason()
        for explore in (ReferenceEngine, Explorer):
            assert explore("agot", Family(6, 1, 1, 1, 0, 1).facts()).explore().limits == {"interrupted"}
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert not asked_to_stop()


SLOW = """
import os, signal, sys, threading
import {module}
inner = {module}.{function}
def slow(*arguments, **options):
    os.kill(os.getpid(), signal.SIGINT)
    return inner(*arguments, **options)
{module}.{function} = slow
sys.argv[1:] = {arguments!r}
from bridge.cli import main
main()
"""


@pytest.mark.parametrize(
    ("module", "function", "arguments"),
    [
        ("bridge.engines", "ReferenceEngine.explore", ["outcomes", PHASE]),
        ("bridge.engines", "ReferenceEngine.explore", ["outcomes", PHASE, "--engine", "clingo"]),
        ("bridge.engines", "ReferenceEngine.explore", ["ask", PHASE, "active(ann)"]),
        ("bridge.engines", "ReferenceEngine.explore", ["why", PHASE, "--where", "winner(ann)"]),
        ("bridge.engines", "ReferenceEngine.explore", ["verify", PHASE]),
        ("bridge.explore", "Explorer.explore", ["verify", PHASE]),
        ("bridge.explore", "Explorer.explore", ["outcomes", PHASE, "--engine", "explorer"]),
        ("bridge.readings", "asked_here", ["outcomes", EXAMPLE, "--reading", "all"]),
        ("bridge.readings", "asked_here", ["ask", EXAMPLE, "winner(lannister)", "--reading", "all"]),
        ("bridge.oracle", "Oracle.__init__", ["legal", PHASE]),
        ("bridge.cases", "files", ["cases"]),
    ],
)
def test_ctrl_c_gives_exit_code_three_and_a_sentence(module: str, function: str, arguments: list[str]) -> None:
    code = SLOW.format(module=module, function=function, arguments=arguments)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 3, done.stderr
    said = (done.stdout + done.stderr).lower()
    assert "interrupted" in said
    assert "traceback" not in said


def test_what_was_found_before_ctrl_c_is_told() -> None:
    code = SLOW.format(module="bridge.outcome", function="_count", arguments=["outcomes", PHASE, "--json"])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 3, done.stderr
    data = json.loads(done.stdout)
    assert data["limits"] == ["interrupted"]
    assert len(data["outcomes"]) == 44


def test_ctrl_c_from_outside() -> None:
    code = "from bridge.cli import main; main()"
    arguments = [sys.executable, "-c", code, "outcomes", PHASE, "--engine", "clingo"]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert "Traceback" not in out + err
    assert process.returncode in (0, 3)  # 0 where it was faster


def test_a_closed_pipe_makes_no_noise() -> None:
    code = "from bridge.cli import main; main()"
    for arguments in (["outcomes", PHASE, "--all"], ["outcomes", PHASE, "--json"], ["examples"]):
        process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


def test_every_argument_has_a_help_text() -> None:
    assert "A position file" in run("why", "--help").stdout
    assert "The number of an outcome" in run("why", "--help").stdout
    assert "ASP literals" in run("ask", "--help").stdout
    assert "\\[" not in run("why", "--help").stdout
