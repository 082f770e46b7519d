"""Questions asked of positions: what chance gives them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from bridge.asking import answers
from bridge.oracle import Oracle

HAND = """
game: agot
players: {ann: {claim: 2}, bob: {hand: 4}}
phase: challenges
cards:
  schemer: {owner: ann, card: {name: A schemer, type: character, strength: 3, icon: intrigue}}
  retreat: {card: Retreat, owner: bob}
challenge: {type: intrigue, attacker: ann, defender: bob, attackers: [schemer]}
event: {resolves: challenge}
"""


@pytest.mark.parametrize("engine", ["clingo", "explorer"])
def test_unnamed_cards_are_drawn_as_often_as_there_are_of_them(tmp_path: Path, engine: str) -> None:
    # two of five cards at random, 2.4: the one that is named is among them with probability 2/5
    path = tmp_path / "hand.yaml"
    path.write_text(HAND, encoding="utf-8")
    oracle = Oracle(path, engine=engine)
    (answer,) = answers(oracle, [oracle.condition("in(retreat,discard)")], [("force", "ann")])
    assert answer.holds is False
    assert answer.probability == Fraction(2, 5)
