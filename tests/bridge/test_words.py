"""What people read: sentences that are told, and those that go without saying."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from bridge.oracle import Oracle
from bridge.render import Renderer
from bridge.report import line_report, outcomes_report

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
