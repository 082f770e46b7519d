"""A part of the law answers like the whole of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from clingo import Function, Symbol, SymbolicAtom, ast, parse_term

import asp
from bridge import cases, law
from bridge.catalog import games
from bridge.engines import ReferenceEngine
from bridge.errors import RuleError
from bridge.ground import GroundProgram, ground
from bridge.position import load
from tests.effort import examples

POSITIONS = cases.files()
SOME = POSITIONS[:: max(1, len(POSITIONS) // examples(12))]


def atoms(program: GroundProgram) -> dict[Symbol, SymbolicAtom]:
    """Return the atoms that engines read."""
    return {atom.symbol: atom for atom in program.control.symbolic_atoms if atom.symbol.name in law.NEEDED}


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
@pytest.mark.parametrize("driver", ["relax", "ask"])
def test_the_part_grounds_to_what_the_whole_does(driver: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    position = load(path)
    part_program = ground(position.game, position.facts, driver)
    monkeypatch.setattr(law, "DRIVERS", ())
    whole_program = ground(position.game, position.facts, driver)
    part, whole = atoms(part_program), atoms(whole_program)
    assert part.keys() <= whole.keys()
    # with fewer rules in its way clingo sees of more atoms that they are true, or false, in any case
    assert {symbol for symbol, atom in whole.items() if atom.is_fact} <= {
        symbol for symbol, atom in part.items() if atom.is_fact
    }
    for symbol, atom in whole.items():
        if symbol.name == "in_force" and atom.is_external:
            whole_program.control.assign_external(symbol, True)
    for symbol in whole.keys() - part.keys():
        assert not whole_program.control.solve(assumptions=[(symbol, True)]).satisfiable, symbol


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
    text = law_of_cards.program([parse_term("given(card(x),card,wolf)")], "relax")
    assert "printed(wolf,ability,howl)." in text
    assert "defines(howl,then,bite)." in text
    assert "defines(bite,effect,kill)." in text
    assert "bleat" not in text
    assert "bleat" in law_of_cards.program([Function("goat")], "relax")


def test_what_nothing_asked_for_rests_on_is_left_out(law_of_cards: law.Law) -> None:
    text = law_of_cards.program([], "relax")
    assert "rests_on(this)." in text
    assert "pretty" not in text
    assert ":- impossible." in text.replace("#false ", ""), "what has no head is kept if its body can be true"


CARDS = """
fluent(over). over. fluent(F) :- rests_on(F).
rests_on(this). pretty(this). impossible :- rests_on(_), over. title(this, "fluent(F) :- pretty(F).").
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
    return module.load("toy")


def test_a_faulty_rule_is_told_by_its_file_though_a_part_was_read(law: Path) -> None:
    (law / "toy").mkdir()
    (law / "toy" / "game.lp").write_text("fluent(over).\nfluent(X) :- not seen(X).\n", encoding="utf-8")
    with pytest.raises(RuleError, match=r"toy/game\.lp:2"):
        ReferenceEngine("toy", [])


def test_where_nothing_can_be_kept_the_whole_law_is_grounded(monkeypatch: pytest.MonkeyPatch) -> None:
    position = load(POSITIONS[0])
    monkeypatch.setenv("LAWSPEAKER_CACHE", "")
    assert not law.serves("ask")
    monkeypatch.setattr(law, "load", None)  # what is not called cannot fail
    assert ground(position.game, position.facts, "ask").fluents
