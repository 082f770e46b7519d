"""What a position says is settled when it is grounded.

Where the card's printed facts, the fluents or the first state come to depend on their own negation, through whatever chain
of predicates, clingo can no longer settle them while it grounds, and a first state would hold what nobody wrote.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge import cases
from bridge.ground import ground
from bridge.position import load

FILES = [path for path in cases.files() if "agot" in path.parts][::9]
SETTLED = [("init", 1), ("fluent", 1), ("has", 3), ("does", 2), ("match", 2), ("source", 2), ("could_aim", 2)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_first_state_and_the_vocabulary_are_facts(path: Path) -> None:
    position = load(path)
    program = ground(position.game, position.facts, None, position.switches, record=False)
    atoms = program.control.symbolic_atoms
    open_ones = [str(atom.symbol) for of in SETTLED for atom in atoms.by_signature(*of) if not atom.is_fact]
    assert not open_ones
