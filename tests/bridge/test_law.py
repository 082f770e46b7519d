"""A part of the law answers like the whole of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from clingo import Function, Symbol, ast, parse_term

import asp
from bridge import cases, law
from bridge.catalog import games
from bridge.engines import ReferenceEngine
from bridge.errors import RuleError
from bridge.ground import ground
from bridge.position import load
from tests.effort import examples

POSITIONS = cases.files()
SOME = POSITIONS[:: max(1, len(POSITIONS) // examples(12))]


def read_off(game: str, facts: tuple[Symbol, ...], driver: str) -> set[tuple[Symbol, bool]]:
    """Return the atoms that engines read, and which of them are facts."""
    program = ground(game, facts, driver)
    atoms = program.control.symbolic_atoms
    return {(atom.symbol, atom.is_fact) for atom in atoms if atom.symbol.name in law.NEEDED[driver]}


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
@pytest.mark.parametrize("driver", ["relax", "ask"])
def test_the_part_grounds_to_what_the_whole_does(driver: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    position = load(path)
    part = read_off(position.game, position.facts, driver)
    needed = law.NEEDED[driver]
    whole = ground(position.game, position.facts, None, record=False)
    monkeypatch.setattr(law, "NEEDED", {})
    program = ground(position.game, position.facts, driver)
    found = {(atom.symbol, atom.is_fact) for atom in program.control.symbolic_atoms if atom.symbol.name in needed}
    assert part == found
    assert {str(rule) for rule in whole.rules} == {
        str(symbol.arguments[0]) for symbol, _ in part if symbol.match("rule", 1)
    }


@pytest.mark.parametrize("game", games())
def test_rules_ask_the_catalogue_only_about_cards_of_the_position(game: str) -> None:
    """What is printed on other cards is left out; only ``called``, which vocabularies read, may speak of them all."""
    faults = []

    def visit(node: ast.AST) -> None:
        text = str(node)
        if node.ast_type != ast.ASTType.Rule or not node.body or text.startswith("called("):
            return
        for asked in re.findall(r"\b(?:printed|defines)\(([^,()]+),", text):
            bound = rf"\b(?:copy\(\w+,{asked}\)|source_text\(\w+,{asked}\)|source\(ability\(\w+,{asked}\),\w+\))"
            if not re.search(bound, text.replace(", ", ",")):
                faults.append(text)

    ast.parse_files([str(asp.ROOT / game / "game.lp")], visit)
    assert not faults


def test_a_position_gets_the_cards_that_it_names_and_what_they_name(law_of_cards: law.Law) -> None:
    text = law_of_cards.program([parse_term("given(card(x),card,wolf)")])
    assert "printed(wolf,ability,howl)." in text
    assert "defines(howl,then,bite)." in text
    assert "defines(bite,effect,kill)." in text
    assert "bleat" not in text
    assert "bleat" in law_of_cards.program([Function("goat")])


def test_what_nothing_asked_for_rests_on_is_left_out(law_of_cards: law.Law) -> None:
    assert "rests_on(this)." in law_of_cards.rules
    assert "pretty" not in law_of_cards.rules
    assert ":- impossible." in law_of_cards.rules.replace("#false ", ""), "what has no head is always kept"


CARDS = """
fluent(over). fluent(F) :- rests_on(F).
rests_on(this). pretty(this). title(this, "fluent(F) :- pretty(F).").
:- impossible.
printed(wolf,ability,howl). printed(wolf,name,"lamb"). defines(howl,then,bite). defines(bite,effect,kill).
printed((lamb;goat),ability,bleat). defines(bleat,effect,nothing).
init(F) :- printed(C,ability,A), defines(A,effect,F), copy(C).
"""


@pytest.fixture
def law_of_cards(law: Path) -> law.Law:
    from bridge import law as module

    (law / "toy").mkdir()
    (law / "toy" / "game.lp").write_text('#include "../grammar/judgement.lp".\n' + CARDS, encoding="utf-8")
    return module.load("toy", "relax")


def test_a_faulty_rule_is_told_by_its_file_though_a_part_was_read(law: Path) -> None:
    (law / "toy").mkdir()
    (law / "toy" / "game.lp").write_text("fluent(over).\nfluent(X) :- not seen(X).\n", encoding="utf-8")
    with pytest.raises(RuleError, match=r"toy/game\.lp:2"):
        ReferenceEngine("toy", [])
