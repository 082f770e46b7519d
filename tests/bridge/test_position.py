"""Bad input gets one clear sentence with its place; good input becomes the facts that a player would assume."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.errors import Fault, PositionError
from bridge.oracle import Oracle
from bridge.position import load, parse

GOOD = """
game: agot
players: {ann: {power: 3}, bob: {}}
phase: marshalling
cards:
  joffrey: {card: Joffrey Baratheon, owner: ann, power: 1}
  guard: {card: Bodyguard, owner: ann, on: joffrey}
  ilyn: {card: Ser Ilyn Payne (L41), owner: bob}
event: {player: bob, uses: ilyn, targets: [joffrey]}
"""


def faults(text: str) -> tuple[Fault, ...]:
    """Return what is wrong with a position: by itself, or by the rules."""
    with pytest.raises(PositionError) as caught:
        Oracle(parse(text))
    return caught.value.faults


def fault(text: str) -> Fault:
    found = faults(text)
    assert len(found) == 1, [str(one) for one in found]
    return found[0]


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


def test_a_good_position_is_read() -> None:
    assert len(Oracle(parse(GOOD)).outcomes()) == 2


def test_defaults_are_what_a_player_assumes() -> None:
    facts = {
        str(fact)
        for fact in Oracle(parse(changed("event: {player: bob, uses: ilyn, targets: [joffrey]}", ""))).outcomes().start
    }
    assert {"in(joffrey,play)", "controls(ann,joffrey)", "count(power(house(bob)),0)"} <= facts
    assert "acting(ann)" not in facts, "bookkeeping is no part of a board"
    assert "kneeling(joffrey)" not in facts


@pytest.mark.parametrize(
    ("old", "new", "path", "words"),
    [
        ("Joffrey Baratheon", "Jofrey Baratheon", "cards.joffrey.card", "did you mean Joffrey Baratheon"),
        ("Ser Ilyn Payne (L41)", "Qwertyuiop", "cards.ilyn.card", "there is no card 'Qwertyuiop'"),
        ("owner: bob", "owner: bub", "cards.ilyn.owner", "there is no player 'bub' in this position; did you mean bob"),
        (
            "on: joffrey",
            "on: jofrey",
            "cards.guard.on",
            "there is no card 'jofrey' in this position; did you mean joffrey",
        ),
        ("phase: marshalling", "phase: marshaling", "phase", "'marshaling' is not one of"),
        ("power: 1}", "power: many}", "cards.joffrey.power", "write a whole number"),
        ("power: 1}", "power: -1}", "cards.joffrey.power", "the least is 0"),
        ("power: 1}", "power: 99999999999999999999999}", "cards.joffrey.power", "whole number"),
        ("power: 1}", "zone: limbo}", "cards.joffrey.zone", "'limbo' is not one of"),
        ("power: 1}", "knelt: true}", "cards.joffrey.knelt", "there is no key 'knelt' here"),
        ("game: agot", "game: chess", "game", "there is no game 'chess'; write one of agot"),
        ("game: agot\n", "", "game", "'game' is missing"),
        (
            "targets: [joffrey]",
            "targets: [guard]",
            "event.targets",
            "'chooses Bodyguard for Ser Ilyn Payne' is not legal here: the target must be: a character [agot:2.3]",
        ),
        ("targets: [joffrey]", "targets: [lord]", "event.targets", "is not legal here"),
        ("uses: ilyn", "uses: joffrey", "event.uses", "Joffrey Baratheon has no action"),
        ("on: joffrey", "zone: play", "cards.guard.on", "needs 'on:'"),
        ("guard: {card: Bodyguard", "Guard: {card: Bodyguard", "cards.Guard", "names start with a small Latin letter"),
        ("joffrey: {card", "ann: {card", "cards.ann", "'ann' is a player already"),
        ("phase: marshalling", "phase: [marshalling]", "phase", "is not one of"),
        ("phase: marshalling", "readings: {W7: sideways}", "readings.W7", "W7 has no reading 'sideways'; it has"),
        ("phase: marshalling", "without: [M99]", "without", "there is no rule 'M99'"),
        ("phase: marshalling", "line: ['use(']", "line.0", "cannot be read"),
        ("phase: marshalling", "line: ['dance(joffrey)']", "line.0", "there is no move"),
        ("phase: marshalling", "expect: {possible: 'In(x)'}", "expect.possible", "cannot be read as a condition"),
        ("phase: marshalling", "expect: {cites: [M77]}", "expect", "there is no rule 'M77'"),
        ("phase: marshalling", "titel: oops", "titel", "did you mean title"),
        ("phase: marshalling", "title: ''", "title", "write something here"),
        ("phase: marshalling", 'title: "a\\e[2Jb"', "", "control characters"),
        ("guard: {card", "not: {card", "cards.not", "'not' cannot be a name"),
        ("card: Bodyguard", "card: 37", "cards.guard.card", "write a word or a text, not 37"),
    ],
)
def test_one_sentence_says_where_and_what(old: str, new: str, path: str, words: str) -> None:
    text = changed(old, new)
    if "[lord]" in new:
        text = text.replace("cards:", "cards:\n  lord: {card: Eddard Stark, owner: ann}")
    if "ann: {card" in new:
        text = text.replace("on: joffrey", "on: ann").replace("[joffrey]", "[ann]")
    found = [one for one in faults(text) if one.path == path]
    assert found, [str(one) for one in faults(text)]
    assert words in found[0].message
    assert "\n" not in str(found[0])


def test_every_fault_is_told_not_only_the_first() -> None:
    text = changed("Joffrey Baratheon", "Nobody At All").replace("owner: bob", "owner: bub")
    assert {one.path for one in faults(text)} == {"cards.joffrey.card", "cards.ilyn.owner"}


def test_a_fault_has_its_line() -> None:
    assert fault(changed("Joffrey Baratheon", "Nobody At All")).line == 6


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file is empty"),
        ("   \n\n", "the file is empty"),
        ("a: [1, 2", "this is no YAML"),
        ("just words", "a position is one list"),
        ("- a\n- b", "a position is one list"),
        ("game: agot\ngame: agot", "stands here twice"),
        ("game: &x agot\nplayers: *x", "anchors and aliases"),
        ("game: !!python/object:os.system agot", "the tag"),
        ("game: agot\n? [a, b]\n: c", "a key must be a single word"),
        ("x" * 2_000_000, "characters; a position has at most"),
        ("\t\tgame: agot", "this is no YAML"),
        ("game: agot\x00", "this is no YAML"),
    ],
)
def test_what_is_no_position_file_is_refused(text: str, words: str) -> None:
    assert words in fault(text).message


def test_a_bomb_of_aliases_is_refused_at_once() -> None:
    bomb = "a0: &a0 [x, x]\n" + "\n".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 40))
    assert "anchors and aliases" in fault(bomb).message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PositionError, match="no such file"):
        load(tmp_path / "nothing.yaml")
    with pytest.raises(PositionError, match="directory"):
        load(tmp_path)
    (tmp_path / "latin.yaml").write_bytes("title: é".encode("latin-1"))
    with pytest.raises(PositionError, match="not UTF-8"):
        load(tmp_path / "latin.yaml")
    (tmp_path / "huge.yaml").write_bytes(b"x" * 10_000_000)
    with pytest.raises(PositionError, match="10,000,000 bytes"):
        load(tmp_path / "huge.yaml")


INLINE = """
game: agot
players: {ann: {}, bob: {}}
cards:
  page: {owner: ann, card: {name: A page, type: character, strength: 1}}
  fire: {owner: bob, card: {name: A fire, type: event, ability: {kind: action, target: character, effect: kill(target)}}}
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("kill(target)", "kil(target)", "there is no effect 'kil'; did you mean kill"),
        ("kill(target)", "kill(everybody)", "there is no object 'everybody'"),
        ("kill(target)", "kill", "should have the form kill(object)"),
        ("kill(target)", "'kill(target'", "',' or ')' is expected"),
        ("kill(target)", "'#script(python) import os #end.'", "is no name, number or quoted text"),
        ("kill(target)", "'#include \"x\"'", "is no name, number or quoted text"),
        ("kill(target)", "'kill(X)'", "is no name, number or quoted text"),
        ("kill(target)", "'kill(target). over'", "is no name, number or quoted text"),
        ("kill(target)", "'@f(target)'", "is no name, number or quoted text"),
        ("kill(target)", "'strength(99999999999,target)'", "is too large"),
        ("kill(target)", "'strength(one,target)'", "one should be a number"),
        ("kill(target)", "'strength(100,target)'", "100 should be a number from -99 to 99"),
        ("kill(target)", "'discard_top(2000000000)'", "should be a number from 1 to 99"),
        ("kill(target)", "'claim_power_for_house(-3)'", "should be a number from 1 to 99"),
        ("target: character", "target: 'trait(not)'", "'not' cannot be a name"),
        ("target: character", "target: 'trait(_X)'", "'_X' cannot be a name"),
        ("target: character", "target: 'trait(_)'", "_ should be a name"),
        ("target: character, ", "", "the ability has no 'target:'"),
        ("kind: action, target: character", "kind: response", "needs a 'trigger:'"),
        (
            "kind: action, target: character, effect: kill(target)",
            "kind: response, trigger: threatened(character), effect: claim_power_for_house(1)",
            "must save",
        ),
        (
            "kind: action, target: character, effect: kill(target)",
            "kind: response, trigger: initiated(any), effect: claim_power_for_house(1)",
            "must cancel",
        ),
        (
            "kind: action, target: character, effect: kill(target)",
            "kind: action, target: character, effect: [kill(target), discard(target)]",
            "in two ways",
        ),
        ("kind: action", "kind: action, then: fire_9", "has no ability fire 9"),
        ("kill(target)", "'in_mode(zz,kill(target))'", "has no mode zz"),
        ("effect: kill(target)", "effect: [kill(target), kill(target)]", "stands here twice"),
        ("target: character", "target: charakter", "did you mean character"),
        ("kind: action", "kind: reaction", "'reaction' is not one of"),
        ("kind: action, ", "", "'kind' is missing"),
        ("kind: action", "kind: action, cheap: true", "there is no key 'cheap' here"),
        ("type: character", "type: hero", "'hero' is not one of"),
        (", strength: 1", "", "needs 'strength:'"),
    ],
)
def test_an_inline_card_is_data_and_never_a_program(old: str, new: str, words: str) -> None:
    assert old in INLINE
    text = INLINE.replace(old, new)
    if new == "'kill(target). over'":
        words = "is no name"
    assert any(words in one.message for one in faults(text)), [str(one) for one in faults(text)]


@pytest.mark.parametrize(
    ("cards", "path", "words", "rule"),
    [
        (
            "{a: {card: Tyrion Lannister, owner: ann}, b: {card: Tyrion Lannister, owner: ann}}",
            "cards.a.card",
            "two copies",
            "agot:3.27",
        ),
        (
            "{a: {card: Tyrion Lannister, owner: ann}, b: {card: Tyrion Lannister, owner: ann, zone: dead}}",
            "cards.a.card",
            "dead pile",
            "agot:3.27",
        ),
        (
            "{a: {card: Tyrion Lannister, owner: ann}, b: {card: Hodor, owner: ann, on: a, duplicate: true}}",
            "cards.b.duplicate",
            "copy of the same card",
            "agot:2.7",
        ),
        (
            "{a: {card: Tyrion Lannister, owner: ann, zone: hand}, b: {card: Bodyguard, owner: ann, on: a}}",
            "cards.b.on",
            "is not in play",
            None,
        ),
        ("{a: {card: Bodyguard, owner: ann, on: a}}", "cards.a.on", "to itself", None),
        (
            "{a: {card: Tyrion Lannister, owner: ann}, b: {card: Tyrion Lannister, owner: ann, on: a}}",
            "cards.b.on",
            "is no attachment",
            None,
        ),
        ("{a: {card: Hodor, owner: ann, zone: dead, power: 2}}", "cards.a.power", "only for cards in play", None),
        ("{a: {card: Valar Morghulis, owner: ann, zone: hand}}", "cards.a.zone", "cannot lie in the zone hand", None),
        (
            "{a: {card: Bodyguard, owner: ann, on: b}, b: {card: Bodyguard, owner: ann, on: a}}",
            "cards.a.on",
            "attached to it",
            None,
        ),
        ("{a: {card: Joffrey Baratheon, owner: ann, used: 5}}", "cards.a.used", "3 times at the most", None),
        (
            "{a: {card: Valar Morghulis, owner: ann}, b: {card: Valar Morghulis, owner: ann}}",
            "cards.a.zone",
            "two revealed plots",
            None,
        ),
        (
            "{a: {card: Hodor, owner: ann, power: 14}, b: {card: Eddard Stark, owner: ann, power: 1}}",
            "players.ann.power",
            "would have won",
            "agot:2.8",
        ),
    ],
)
def test_a_position_that_cannot_exist_names_the_rule(cards: str, path: str, words: str, rule: str | None) -> None:
    found = [
        one for one in faults(f"game: agot\nplayers: {{ann: {{}}, bob: {{}}}}\ncards: {cards}") if one.path == path
    ]
    assert found
    assert words in found[0].message
    assert found[0].rules == ((rule,) if rule else ())
    assert found[0].line == (2 if path.startswith("players") else 3)


@pytest.mark.parametrize(
    ("keys", "cards", "path", "words"),
    [
        (
            "phase: epic, until: phase, acting: ann",
            "{a: {card: Hodor, owner: ann}}",
            "until.phase",
            "no moment of the phase",
        ),
        ("event: {ends: dominance}, phase: draw", "{a: {card: Hodor, owner: ann}}", "event.ends", "in the draw phase"),
        (
            "phase: challenges",
            "{a: {card: Hodor, owner: ann, zone: discard}, b: {card: Ghost, owner: ann, zone: discard}, "
            "c: {card: Winterfell Reserves, owner: bob}}",
            "players.ann.discard_pile",
            "the order of Ann's cards",
        ),
    ],
)
def test_a_position_in_the_course_of_a_round_that_cannot_exist(keys: str, cards: str, path: str, words: str) -> None:
    text = f"{{game: agot, players: {{ann: {{}}, bob: {{}}}}, {keys}, cards: {cards}}}"
    found = [one for one in faults(text) if one.path == path]
    assert found, [str(one) for one in faults(text)]
    assert words in found[0].message


def test_an_ambiguous_name_asks_for_the_number(monkeypatch: pytest.MonkeyPatch) -> None:
    from bridge import position as module

    real = module._looks
    monkeypatch.setattr(module, "_looks", lambda keys: (*real(keys), str(keys.get("code"))))
    text = "game: agot\nplayers: {ann: {}}\ncards: {a: {card: Robert Baratheon, owner: ann}}"
    assert "write one of Robert Baratheon (B71), Robert Baratheon (B90)" in fault(text).message


def test_the_line_of_a_position_is_played_first() -> None:
    oracle = Oracle(parse(GOOD + "line: [use(guard)]\n"))
    assert len(oracle.outcomes()) == 1
    assert [str(step.move) for step in oracle.played][-1] == "use(ability(guard,bodyguard_saves),threatened(joffrey))"


def test_an_illegal_line_names_the_rules_in_the_way() -> None:
    text = changed("targets: [joffrey]", "targets: [joffrey]}\nline: ['use(guard)', 'use(guard)'").replace(
        "'use(guard)'}", "'use(guard)']"
    )
    assert fault(text).path == "line.1"


@given(st.text(max_size=200))
def test_no_text_at_all_breaks_the_reader(text: str) -> None:
    try:
        parse(text)
    except PositionError as error:
        assert error.faults


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["card", "owner", "on", "power", "zone", "name", "type", "ability", "kind", "effect", "x"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_no_shape_of_cards_breaks_the_reader(cards: object) -> None:
    import json

    try:
        parse(json.dumps({"game": "agot", "players": {"ann": {}}, "cards": cards}))
    except PositionError as error:
        assert all("\n" not in str(one) for one in error.faults)
