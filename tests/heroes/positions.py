"""Random small positions of Berserk. Heroes: a spell is played among cards that answer, cancel and replace."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from bridge.position import Position, parse

__all__ = ["positions"]

Print = dict[str, Any]

SPELLS: list[dict[str, Any]] = [
    {"target": "creature", "effect": "wound(2,target)"},
    {"target": "creature", "effect": ["heal(1,target)", "draw(1,you)"]},
    {"target": "creature", "effect": "destroy(target)"},
    {"target": ["creature", "opponents"], "effect": "take_control(target)"},
    {"target": ["creature", "opponents"], "effect": "borrow(target)"},
    {"target": "creature", "effect": "lose_control(target)"},
    {"target": "creature", "effect": "to_deck(target)"},
    {"target": ["creature", "in_graveyard"], "effect": "resurrect(target)"},
    {"each": "creature", "effect": "wound(1,each)"},
    {"find": "creature", "effect": ["summon", "wound(1,hero)"]},
    {"effect": ['create(1,"A ghost")', "mill(1,opponent)"]},
    {"effect": "discard(2,opponent)"},
    {"effect": "wound(2,opposing_hero)"},
]
ANSWERS: list[dict[str, Any]] = [
    {"kind": "triggered", "trigger": "taken(creature)", "effect": "draw(1,you)"},
    {"kind": "triggered", "trigger": "died(creature)", "effect": "mill(1,you)"},
    {"kind": "triggered", "trigger": "targeted_by_spell(self)", "effect": "destroy(self)"},
    {"kind": "triggered", "trigger": "wounded(creature)", "may": True, "effect": "heal(1,subject)"},
    {"kind": "triggered", "trigger": "lost_control(creature)", "effect": "lose_coins(1,you)"},
    {"kind": "triggered", "trigger": "played(spell)", "target": "creature", "may": True, "effect": "close(target)"},
    {"kind": "triggered", "trigger": "turn_ends", "find": 'called("A bear")', "effect": "summon"},
    {"kind": "cancel", "cancels": "spell", "effect": "draw(1,you)"},
    {"kind": "cancel", "cancels": ["spell", "opponents"], "may": True, "cost": "lose_coins(1)"},
    {"kind": "replacement", "replaces": "wounds(creature)", "may": True, "instead": "redirect(hero)"},
    {"kind": "replacement", "replaces": "wounds(hero)", "instead": "lose_coins(1,you)"},
    {"kind": "replacement", "replaces": "grave(yours)", "instead": "to_hand(subject)"},
]


def _creature(name: str, life: int, ability: dict[str, Any] | None) -> Print:
    card: Print = {"name": name, "type": "creature", "life": life, "cost": 1}
    return card if ability is None else {**card, "ability": ability}


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw a position: one or two spells in Ann's hand, up to three creatures in play, one in a deck, one in a
    graveyard, one still to be created."""
    players = ("ann", "bob")
    cards: dict[str, Any] = {
        "ghost": {"zone": "box", "card": _creature("A ghost", 1, None)},
        "bear": {"owner": "ann", "zone": "deck", "card": _creature("A bear", 3, None)},
        "bones": {"owner": draw(st.sampled_from(players)), "zone": "graveyard", "card": _creature("Bones", 2, None)},
    }
    abilities = draw(st.lists(st.sampled_from(SPELLS), min_size=1, max_size=2, unique_by=str))
    cards["spell"] = {
        "owner": "ann",
        "card": {"name": "A spell", "type": "spell", "cost": 1, "ability": [{"kind": "spell", **a} for a in abilities]},
    }
    for i in range(draw(st.integers(1, 3))):
        life = draw(st.integers(1, 3))
        ability = draw(st.none() | st.sampled_from(ANSWERS))
        wounds = draw(st.integers(0, life - 1))
        owner, controller = draw(st.sampled_from(players)), draw(st.sampled_from(players))
        cards[f"beast{i}"] = {
            "owner": owner,
            "controller": controller,
            "wounds": wounds,
            "card": _creature(f"Beast {i}", life, ability),
        }
    data: dict[str, Any] = {
        "game": "heroes",
        "players": {p: {"coins": draw(st.integers(0, 2)), "deck": 1, "hand": 1, "life": 3} for p in players},
        "turn": "ann",
        "actions": 1,
        "cards": cards,
    }
    data["moments"] = draw(st.sampled_from([[], ["end_of_turn"], ["end_of_turn", "start_of_turn"]]))
    return parse(json.dumps(data))
