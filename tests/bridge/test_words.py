"""What people read: sentences that are told, and those that go without saying."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from bridge.asking import answers, render_answers
from bridge.errors import PositionError
from bridge.faults import fault, in_language
from bridge.oracle import Oracle, example
from bridge.render import Renderer
from bridge.report import line_report, outcomes_report
from bridge.terms import parse_term

STANDS = """
game: agot
players: {ann: {}, bob: {power: 2}}
first_player: ann
phase: challenges
cards:
  knight:
    owner: ann
    kneeling: true
    card:
      name: A knight
      type: character
      strength: 3
      ability: {kind: action, target: [character, opponents], effect: [stand(self), kill(target)]}
  victim: {owner: bob, card: {name: A victim, type: character, strength: 1}}
  song:
    owner: ann
    zone: hand
    card:
      name: A song
      type: event
      ability: {kind: response, trigger: killed(character), effect: claim_power_for_house(1)}
event: {player: ann, uses: knight, targets: [victim]}
"""
"""The knight stands and the victim dies whatever comes; then Ann may sing or not."""

LACKING = """
game: agot
players: {ann: {}, bob: {}}
first_player: ann
phase: challenges
until: phase
cards:
  knight:
    owner: ann
    card:
      {name: A knight, type: character, strength: 3, ability: {kind: action, target: [character, opponents], effect: kneel(target)}}
  victim: {owner: bob, card: {name: A victim, type: character, strength: 1}}
  wall: {owner: bob, card: {name: A wall, type: location}}
  bell:
    owner: ann
    used: 1
    card: {name: A bell, type: location, ability: {kind: action, limit: "limit(phase,1)", effect: gain_gold(1)}}
  horn: {owner: ann, card: {name: A horn, type: location, ability: {kind: action, phase: dominance, effect: gain_gold(1)}}}
  drum: {owner: ann, card: {name: A drum, type: location, ability: {kind: action, target: event, effect: kneel(target)}}}
  chest: {owner: ann, card: {name: A chest, type: location, ability: {kind: action, cost: gold(9), effect: gain_gold(1)}}}
"""
"""Ann's abilities lack a target, a payment, a use, the right phase; the knight may aim at Bob's characters only."""

EMPTIED = """
game: agot
players: {ann: {claim: 2}, bob: {power: 2}}
phase: challenges
cards:
  lord: {owner: ann, card: {name: A lord, type: character, strength: 3, icon: power}}
challenge: {type: power, attacker: ann, defender: bob, attackers: [lord]}
event: {resolves: challenge}
"""
"""A power challenge with claim 2 takes both of Bob's; the unopposed bonus adds one to Ann's, 2.4."""


def oracle_of(folder: Path, text: str, lang: str = "en") -> Oracle:
    """Return the oracle of a position that is written here."""
    path = folder / "position.yaml"
    path.write_text(text, encoding="utf-8")
    return Oracle(path, lang)


def told(oracle: Oracle) -> str:
    """Return what ``outcomes`` prints."""
    found = oracle.outcomes()
    shown = io.StringIO()
    report = outcomes_report(oracle, found, with_lines=12)
    console = Console(file=shown, width=200, highlight=False)
    Renderer(oracle, console, oracle.lang).outcomes(found, report, everything=False, limit=1000)
    return shown.getvalue()


def test_what_ceases_in_every_outcome_is_certain(tmp_path: Path) -> None:
    text = told(oracle_of(tmp_path, STANDS))
    certain, _, outcomes = text.partition("What it depends on")
    assert "  no longer: A knight is kneeling\n" in certain
    assert "A victim is in the dead pile" in certain
    assert "A knight" not in outcomes.partition("Outcomes")[2], "what is certain is said once"
    assert "nothing else changes" in outcomes
    assert "the board is as it was" not in text


def test_a_line_tells_what_a_move_stops(tmp_path: Path) -> None:
    oracle = oracle_of(tmp_path, STANDS)
    found = oracle.outcomes()
    steps = line_report(oracle, found.line(found[0]), whole=True)
    assert [loss for step in steps for loss in step["losses"]] == ["A knight is kneeling"]


def test_a_counter_that_falls_to_nothing_is_told(tmp_path: Path) -> None:
    text = told(oracle_of(tmp_path, EMPTIED))
    assert "Bob has 0 power on the House card" in text
    assert "Ann has 3 power on the House card" in text


@pytest.mark.parametrize(("lang", "words"), [("en", "the board is as it was"), ("ru", "положение прежнее")])
def test_a_board_that_nothing_changes_is_as_it_was(tmp_path: Path, lang: str, words: str) -> None:
    text = EMPTIED.replace("claim: 2", "claim: 0").replace("type: power", "type: military")
    text = text.replace("icon: power", "icon: military").replace(
        "attackers: [lord]", "attackers: [lord], defenders: [wall]"
    )
    text = text.replace(
        "challenge:", "  wall: {owner: bob, card: {name: A wall, type: character, strength: 1}}\nchallenge:", 1
    )
    assert words in told(oracle_of(tmp_path, text, lang))


@pytest.mark.parametrize(
    ("conditions", "words"),
    [
        (["not kneeling(knight)", "in(victim,dead)"], "(not: A knight is kneeling) and (A victim is in the dead pile)"),
        (["kneeling(knight)", "in(victim,dead)"], "that A knight is kneeling and A victim is in the dead pile"),
        (["winner(_)"], "that somebody has won the game"),
        (["in(_,dead)"], "that something is in the dead pile"),
        (["count(power(house(ann)),_)"], "that Ann has some power on the House card"),
    ],
)
def test_a_question_is_put_so_that_it_has_one_meaning(tmp_path: Path, conditions: list[str], words: str) -> None:
    oracle = oracle_of(tmp_path, STANDS)
    shown = io.StringIO()
    found = answers(oracle, [oracle.condition(one) for one in conditions], [("possible", None)])
    render_answers(oracle, found, Console(file=shown, width=200, highlight=False), "en", terms=False)
    assert f"{words}?" in shown.getvalue()


@pytest.mark.parametrize(
    ("term", "en", "ru"),
    [
        ("count(cards(ann,hand),1)", "Ann has 1 unnamed card in hand", "Ann: неназванных карт на руке — 1"),
        ("count(cards(ann,hand),2)", "Ann has 2 unnamed cards in hand", "Ann: неназванных карт на руке — 2"),
        ("has_challenged(ann,military)", "Ann has declared a military challenge", "Ann: вызов битвы уже брошен"),
        (
            "challenge(intrigue,ann,bob)",
            "Ann is in a challenge with Bob (intrigue)",
            "Ann бросает вызов игроку Bob (интрига)",
        ),
        (
            "count(lasting(song,target,knight),1)",
            "A song lasts on A knight",
            "A song продолжает действовать на карту A knight",
        ),
        ("choose(song,himself)", "chooses for A song: he goes himself", "выбирает для: A song — вариант уходит он сам"),
        ("begin(song)", "puts A song next", "ставит следующим: A song"),
    ],
)
def test_a_term_is_said_plainly(tmp_path: Path, term: str, en: str, ru: str) -> None:
    for lang, words in (("en", en), ("ru", ru)):
        assert oracle_of(tmp_path, STANDS, lang).teller.say(parse_term(term)) == words


@pytest.mark.parametrize(
    ("term", "move", "en", "ru"),
    [
        (
            "clash(f)",
            "note",
            "rules in force want opposite things of f by note",
            "действующие правила хотят противоположного: f (ход note)",
        ),
        (
            "conflict(pass,a,b)",
            None,
            "a speaks against pass and b for it, and neither overrides the other",
            "a против pass, а b — за, и ни одно не важнее другого",
        ),
        (
            "torn",
            None,
            "the game itself has two legal moves, and nobody decides",
            "у самой игры два разрешённых хода, и никто не выбирает",
        ),
    ],
)
def test_a_fault_in_the_rules_is_told_in_both_languages(term: str, move: str | None, en: str, ru: str) -> None:
    said = fault(parse_term(term), None if move is None else parse_term(move))
    assert said == in_language(said, "en") == en
    assert in_language(said, "ru") == ru


@pytest.mark.parametrize(
    ("case", "move", "rules"),
    [
        ("an_intrigue_challenge", "draw", {"agot:T3", "agot:e2"}),
        ("a_claim_of_two_victims", "aim", {"agot:T1", "agot:e2"}),
        ("3_19_flame_kissed_on_viserys", "execute", {"agot:T3", "agot:3.19", "agot:M1"}),
        ("a_whole_phase", "choose", {"agot:T1", "agot:2.4a"}),
        ("stealth_bypasses_the_only_defender", "aim", {"agot:T1", "agot:stealth"}),
        ("defend_or_not", "pay", {"agot:T1", "agot:2.4b"}),
    ],
)
def test_what_the_game_has_done_is_cited_by_its_own_rule(case: str, move: str, rules: set[str]) -> None:
    oracle = Oracle(example(case))
    found = oracle.outcomes()
    steps = [step for one in found for step in line_report(oracle, found.line(one), whole=True)]
    assert any(step["move"].partition("(")[0] == move and rules <= set(step["rules"]) for step in steps)


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("aim(knight,wall)", "the target must be: a character [agot:2.3]"),
        ("aim(knight,knight)", "the target must be: a card of an opponent [agot:2.3]"),
        ("use(bell)", "its limit is used up: 1"),
        ("use(horn)", "it cannot be used in this phase: challenges"),
        ("use(drum)", "it has no legal target"),
        ("use(chest)", "its cost cannot be paid"),
    ],
)
def test_a_refusal_says_what_is_lacking(tmp_path: Path, move: str, words: str) -> None:
    oracle = oracle_of(tmp_path, LACKING)
    verdict = oracle.why_not(move)
    assert any(words in oracle.reasons(one) for one in verdict.refusals), [
        oracle.reasons(one) for one in verdict.refusals
    ]


def test_a_rule_is_cited_once(tmp_path: Path) -> None:
    text = STANDS.replace("targets: [victim]", "targets: [knight]")
    with pytest.raises(PositionError) as caught:
        oracle_of(tmp_path, text)
    said = str(caught.value)
    assert "the target must be: a card of an opponent" in said
    assert said.count("agot:2.3") == 1
