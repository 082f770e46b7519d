"""Positions that the rules do not allow get one sentence each, with its place."""

from __future__ import annotations

import pytest

from bridge.errors import PositionError
from bridge.oracle import Oracle
from bridge.position import parse

HEAD = "game: agot\nplayers: {ann: {}, bob: {}}\n"
KNIGHT = "{name: A knight, type: character, strength: 2, unique: true}"
PAGE = "{name: A page, type: character, strength: 1}"
STRAPS = ["{name: A strap, type: attachment}", "{name: A belt, type: attachment}", "{name: A cord, type: attachment}"]
FIGHT = (
    f"cards:\n  page: {{owner: ann, card: {PAGE}}}\n  squire: {{owner: bob, card: {PAGE}}}\n"
    "challenge: {type: power, attacker: ann, defender: bob, attackers: [page]"
)


@pytest.mark.parametrize(
    ("text", "path", "words"),
    [
        (
            f"cards:\n  one: {{owner: ann, card: {PAGE}}}\n  two: {{owner: ann, on: one, duplicate: true, card: {PAGE}}}",
            "cards.two.duplicate",
            "is not unique and has no duplicates",
        ),
        (
            f"cards:\n  one: {{owner: ann, card: {KNIGHT}}}\n"
            f"  two: {{owner: ann, on: one, duplicate: true, card: {KNIGHT}}}\n"
            f"  tri: {{owner: ann, on: two, duplicate: true, card: {KNIGHT}}}",
            "cards.tri.on",
            "which is a duplicate",
        ),
        (
            f"cards:\n  one: {{owner: ann, card: {KNIGHT}}}\n"
            f"  two: {{owner: ann, on: one, duplicate: true, kneeling: true, card: {KNIGHT}}}",
            "cards.two.kneeling",
            "has no 'kneeling' of its own",
        ),
        (
            f"cards:\n  one: {{owner: ann, card: {KNIGHT}}}\n"
            f"  two: {{owner: ann, on: one, duplicate: true, power: 1, card: {KNIGHT}}}",
            "cards.two.power",
            "has no 'power' of its own",
        ),
        (
            f"cards:\n  one: {{owner: ann, on: two, card: {STRAPS[0]}}}\n  two: {{owner: ann, on: tri, card: {STRAPS[1]}}}\n"
            f"  tri: {{owner: ann, on: one, card: {STRAPS[2]}}}",
            "cards.one.on",
            "directly or through others",
        ),
        (f"phase: dominance\n{FIGHT}}}", "challenge.type", "there is no challenge in the dominance phase"),
        (
            "phase: challenges\ncards:\n  raven: {owner: ann, card: {name: A raven, type: plot}}\n"
            "event: {reveals: [raven]}",
            "event.reveals",
            "plots are revealed in the plot phase",
        ),
        (
            f"phase: challenges\n{FIGHT}, defenders: [squire], step: attackers}}",
            "challenge.step",
            "defenders have been declared",
        ),
        (f"phase: challenges\nuntil: phase\n{FIGHT}, won: ann}}", "challenge.won", "has no course left to follow"),
        (
            f"cards:\n  one: {{owner: ann, card: {KNIGHT}}}\n"
            f"  back: {{owner: ann, on: one, facedown: true, card: {KNIGHT}}}\n"
            f"  two: {{owner: ann, on: back, duplicate: true, card: {KNIGHT}}}",
            "cards.two.duplicate",
            "only 'on:' a copy of the same card",
        ),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(text: str, path: str, words: str) -> None:
    with pytest.raises(PositionError) as caught:
        Oracle(parse(HEAD + text + "\n"))
    (found,) = caught.value.faults
    assert found.path == path
    assert words in str(found)


@pytest.mark.parametrize(
    "text",
    [
        f"phase: epic\n{FIGHT}}}",
        f"phase: challenges\n{FIGHT}, won: ann}}",
        f"phase: challenges\nuntil: challenge\n{FIGHT}, defenders: [squire]}}",
        f"phase: challenges\ncards:\n  one: {{owner: ann, card: {KNIGHT}}}\n"
        f"  two: {{owner: ann, on: one, facedown: true, card: {KNIGHT}}}",
    ],
)
def test_what_is_next_to_it_can_be(text: str) -> None:
    assert Oracle(parse(HEAD + text + "\n")).outcomes()
