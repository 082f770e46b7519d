"""Answers under every reading: what changes, what does not, and what is not known."""

from __future__ import annotations

import json

import pytest

from bridge import catalog, readings
from bridge.engines import Limits
from bridge.errors import QuestionError, RuleError
from bridge.ground import Switches
from bridge.oracle import Oracle, example
from bridge.position import load as load_position
from bridge.position import switches_named
from bridge.vocabulary import load
from tests.bridge.test_cli import run

BASTARD = "the_titans_bastard_enters_as_a_duplicate"
LIMITS = Limits(states=50_000, seconds=60)


def _by_name(varied: readings.Varied) -> dict[str, readings.Variation]:
    return {f"{rule.arguments[0].string}={name}": one for one in varied.single for rule, name in one.chosen}


def test_each_other_reading_is_tried_once_and_the_defaults_are_not() -> None:
    varied = readings.vary_outcomes(Oracle(example(BASTARD)), LIMITS)
    tried = [f"{rule.arguments[0].string}={name}" for one in varied.single for rule, name in one.chosen]
    listed = [
        f"{row['rule'].partition(':')[2]}={one['name']}"
        for row in readings.reading_list("agot")
        for one in row["readings"]
        if not one["default"]
    ]
    assert sorted(tried) == sorted(listed)


def test_a_reading_that_takes_an_outcome_away() -> None:
    varied = readings.vary_outcomes(Oracle(example(BASTARD)), LIMITS)
    strict = _by_name(varied)["3.27=strict"]
    assert (strict.same, strict.outcomes, strict.lost, strict.gained) == (False, 1, (1,), ())
    assert varied.matters is True


def test_a_reading_that_gives_another_board() -> None:
    varied = readings.vary_outcomes(Oracle(example("two_players_reach_fifteen")), LIMITS)
    drawn = _by_name(varied)["2.8=draw"]
    assert drawn.lost == (1,)
    assert {"drawn"} <= {str(fact) for fact in drawn.gained[0].facts}


@pytest.mark.parametrize("name", ["two_players_reach_fifteen", "what_fell_off_still_answers"])
def test_a_variation_is_the_answer_that_the_reading_gives_by_itself(name: str) -> None:
    base = Oracle(example(name))  # the second has a line, which is played once under each reading
    for chosen, one in _by_name(readings.vary_outcomes(base, LIMITS)).items():
        position = load_position(example(name)).with_switches(switches_named("agot", [], [chosen]))
        alone = Oracle(position).outcomes()
        same = {board.facts for board in alone} == {board.facts for board in base.outcomes()}
        assert (chosen, one.same, one.error) == (chosen, same, "")


def test_what_is_chosen_on_the_command_line_stays() -> None:
    vocabulary = load("agot")
    fixed = switches_named("agot", [], ["3.27=strict"])
    names = {name for ((_, name),) in readings.others(vocabulary, fixed, fixed.readings)}
    assert not names & {"strict", "doomed_duplicate"}
    assert {"doomed_duplicate"} <= {name for ((_, name),) in readings.others(vocabulary, fixed)}


def test_a_rule_that_is_switched_off_is_not_read_otherwise() -> None:
    off = switches_named("agot", ["2.8"], [])
    assert "draw" not in {name for ((_, name),) in readings.others(load("agot"), off)}


def test_a_partial_answer_proves_nothing() -> None:
    oracle = Oracle(example("two_players_reach_fifteen"), engine="clingo")  # which counts forced moves, too
    varied = readings.vary_outcomes(oracle, Limits(states=2, seconds=60))
    assert not any(one.complete or one.same is False for one in varied.single)
    assert any(one.same is None for one in varied.single)
    assert varied.matters is None


def test_when_time_is_out_the_rest_is_named() -> None:
    oracle = Oracle(example(BASTARD))
    oracle.outcomes()
    varied = readings.vary_outcomes(oracle, Limits(states=50_000, seconds=0.0))
    assert varied.skipped
    assert varied.matters is not False


@pytest.mark.parametrize("name", [BASTARD, "two_players_reach_fifteen", "any_target"])
def test_a_question_that_is_not_asked_here_has_one_answer(name: str) -> None:
    base = Oracle(example(name))
    asked = readings.asked_here(base.position)
    boards = {board.facts for board in base.outcomes()}
    idle = [
        chosen
        for chosen in readings.others(base.vocabulary, base.position.switches)
        if not {(rule, base.vocabulary.questions.get((rule, word), "")) for rule, word in chosen} & asked
    ]
    assert idle
    for chosen in idle:
        other = Oracle(base.position.with_switches(Switches((), chosen))).outcomes()
        assert {board.facts for board in other} == boards
        assert other.lines == base.outcomes().lines


def test_a_question_is_asked_where_its_rule_has_work_to_do() -> None:
    def asked(name: str) -> set[str]:
        return {question for _, question in readings.asked_here(Oracle(example(name)).position)}

    assert "X12" in asked(BASTARD)
    assert "X12" not in asked("joffrey_has_a_bodyguard")
    assert "X3" in asked("3_19_flame_kissed_on_selyse_a")
    assert "X3" not in asked(BASTARD)
    assert "X3" in asked("discarded_flame_kissed_bites_on")


def test_two_questions_of_one_rule_may_be_answered_together() -> None:
    vocabulary = load("agot")
    several = [
        rule
        for rule in vocabulary.readings
        if len({vocabulary.questions.get((rule, name)) for name in vocabulary.readings[rule]}) > 1
    ]
    for rule in several:
        number = rule.arguments[0].string
        chosen = [f"{number}={name}" for name, default in vocabulary.readings[rule].items() if not default]
        position = Oracle(example(BASTARD)).position.with_switches(switches_named("agot", [], chosen))
        asked = [vocabulary.questions[each] for each in position.switches.readings]
        assert len(asked) == len(set(asked)) > 1
        position = position.with_switches(Switches((), position.switches.readings[:1]))
        assert len(position.switches.readings) == len(asked)


@pytest.mark.parametrize("game", catalog.games())
def test_every_question_has_one_default_and_another_reading(game: str) -> None:
    for row in readings.reading_list(game):
        defaults = [one["name"] for one in row["readings"] if one["default"]]
        assert (row["rule"], len(defaults)) == (row["rule"], 1)
        assert len(row["readings"]) > 1
        for one in row["readings"]:
            assert set(one["texts"]) == {"en", "ru"}, (row["rule"], one["name"])


def test_combinations_are_made_of_readings_that_matter() -> None:
    varied = readings.vary_outcomes(Oracle(example("zabira_or_the_spell_first")), LIMITS, (), "all=combined")
    alone = {one.chosen[0] for one in varied.single if one.same is False}
    assert varied.combined
    for one in varied.combined:
        assert len(one.chosen) > 1
        assert set(one.chosen) <= alone
        assert len({rule for rule, _ in one.chosen}) == len(one.chosen)


def test_no_reading_leaves_a_gap_in_the_law() -> None:
    for name in ("zabira_or_the_spell_first", BASTARD):
        varied = readings.vary_outcomes(Oracle(example(name)), LIMITS, (), "all=combined")
        for one in (*varied.single, *(varied.combined or ())):
            assert not one.error
            assert not any(board.stuck for board in one.gained)


# ---- On the command line -----------------------------------------------------------------------------------------------


def test_outcomes_says_what_other_readings_change() -> None:
    done = run("outcomes", BASTARD, "--reading", "all")
    assert done.returncode == 0, done.stderr
    assert "Other readings of the rules, tried one at a time" in done.stdout
    assert "3.27=strict  a copy may not enter while the first is moribund" in done.stdout
    assert "no longer possible: outcome 1" in done.stdout


def test_outcomes_says_that_no_reading_changes_anything() -> None:
    done = run("outcomes", "energy_stream_on_zabira", "--reading", "all", "--lang", "ru")
    assert done.returncode == 0, done.stderr
    assert "Другие прочтения" in done.stdout
    assert "Ответ один и тот же" in done.stdout


def test_outcomes_with_all_readings_as_json() -> None:
    data = json.loads(run("outcomes", BASTARD, "--reading", "all", "--json").stdout)
    found = data["other_readings"]
    assert (found["varied"], found["matters"], found["combined"]) == ("one by one", True, None)
    strict = next(one for one in found["single"] if one["readings"] == ["agot:3.27=strict"])
    assert (strict["same"], strict["lost"], strict["gained"]) == (False, [1], [])


def test_ask_says_under_which_readings_the_answer_turns() -> None:
    question = ("ask", BASTARD, "in(second,discard)", "--possible", "--reading", "all")
    done = run(*question)
    assert done.returncode == 0, done.stderr
    assert "then: no" in done.stdout
    data = json.loads(run(*question, "--json").stdout)
    assert {"agot:3.27=strict"} == {
        one["readings"][0] for one in data["other_readings"]["single"] if one["same"] is False
    }


def test_bad_wishes_get_one_sentence() -> None:
    for arguments, said in (
        (("outcomes", BASTARD, "--reading", "all=every"), "write --reading all, or all=combined"),
        (("legal", BASTARD, "--reading", "all"), "can be tried by 'outcomes' and 'ask' only"),
        (("outcomes", BASTARD, "--reading", "all", "--reading", "W7=no"), "W7 has no reading 'no'"),
        (("readings", "chess"), "there is no game 'chess'"),
    ):
        done = run(*arguments)
        assert done.returncode == 2, arguments
        assert said in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


def test_all_is_split_from_what_is_named() -> None:
    assert readings.wants_all(["W7=pool", "all"]) == (["W7=pool"], "all")
    assert readings.wants_all(["all=combined", "all"]) == ([], "all=combined")
    assert readings.wants_all(None) == ([], None)
    with pytest.raises(QuestionError):
        readings.wants_all(["all=none"])
    with pytest.raises(RuleError):
        readings.reading_list("chess")


def test_the_list_of_readings() -> None:
    done = run("readings", "agot")
    assert "2.8" in done.stdout
    assert "first_player (default)" in done.stdout
    assert "по умолчанию" in run("readings", "heroes", "--lang", "ru").stdout
    data = json.loads(run("readings", "agot", "--json").stdout)
    assert {"rule", "titles", "question", "readings"} == set(data["questions"][0])
