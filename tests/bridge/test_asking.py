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

# one card of six, and of five and then four: no named card is likelier than an unnamed one
DECKS = {
    "heroes": (
        """
game: heroes
players: {ann: {deck: 5}, bob: {}}
cards:
  lore: {owner: ann, card: {name: Lore, name_ru: Знание, type: spell, ability: {kind: spell, effect: "draw(1,you)"}}}
  cat: {owner: ann, zone: deck, card: {name: A cat, name_ru: Кот, type: creature, life: 5}}
event: {player: ann, plays: lore}
""",
        "in(cat,hand)",
        Fraction(1, 6),
    ),
    "agot": (
        """
game: agot
players: {ann: {deck: 4}, bob: {}}
phase: draw
until: phase
cards:
  page: {owner: ann, zone: deck, card: {name: A page, type: character, strength: 1}}
""",
        "in(page,hand)",
        Fraction(2, 5),
    ),
}


@pytest.mark.parametrize("game", DECKS)
@pytest.mark.parametrize("engine", ["clingo", "explorer"])
def test_unnamed_cards_of_a_deck_are_each_as_likely_as_a_named_one(tmp_path: Path, engine: str, game: str) -> None:
    text, wanted, chances = DECKS[game]
    path = tmp_path / "deck.yaml"
    path.write_text(text, encoding="utf-8")
    oracle = Oracle(path, engine=engine)
    (answer,) = answers(oracle, [oracle.condition(wanted)], [("force", "ann")])
    assert answer.probability == chances


@pytest.mark.parametrize("engine", ["clingo", "explorer"])
def test_unnamed_cards_are_drawn_as_often_as_there_are_of_them(tmp_path: Path, engine: str) -> None:
    # two of five cards at random, 2.4: the one that is named is among them with probability 2/5
    path = tmp_path / "hand.yaml"
    path.write_text(HAND, encoding="utf-8")
    oracle = Oracle(path, engine=engine)
    (answer,) = answers(oracle, [oracle.condition("in(retreat,discard)")], [("force", "ann")])
    assert answer.holds is False
    assert answer.probability == Fraction(2, 5)
