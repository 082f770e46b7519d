"""Where the real rulebooks lie, and the small ones that tests are written with."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_graph import rulebook
from rules_graph.model import Rulebook

SHARED = Path(__file__).resolve().parents[3] / "shared"


def shared(name: str) -> Path:
    """Return a file of the folder beside the clone, or skip the test where it is not there."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"shared/{name} is not beside this clone")
    return path


@pytest.fixture(scope="session")
def mtg_2018() -> Rulebook:
    return rulebook.read([shared("rulebooks/mtg-cr-2018-06-08.txt")])


@pytest.fixture(scope="session")
def mtg_2022() -> Rulebook:
    return rulebook.read([shared("rulebooks/mtg-cr-2022-10-07.txt")])


@pytest.fixture(scope="session")
def flesh_and_blood() -> Rulebook:
    folder = shared("rulebooks")
    return rulebook.read(sorted(folder.glob("fab-*.md")))


@pytest.fixture(scope="session")
def faq() -> Rulebook:
    return rulebook.read([next(shared("seeds").glob("000_*.txt"))])


@pytest.fixture(scope="session")
def moribund() -> Rulebook:
    return rulebook.read([next(shared("seeds").glob("001_*.txt"))])


@pytest.fixture(scope="session")
def heroes() -> Rulebook:
    return rulebook.read([next(shared("seeds").glob("002_*.txt"))])


@pytest.fixture(scope="session")
def berserk() -> Rulebook:
    return rulebook.read([next(shared("seeds").glob("004_*.txt"))])


#: A rulebook in the manner of Magic, made up: contents, examples, letters without l, a glossary.
LANTERNS = """Lanterns, the complete rules

Contents

1. Light
100. General
101. Wicks
2. Dark
200. Shade

Glossary

Credits

1. Light

100. General

100.1. A game needs two players. See section 2, “Dark.”

100.1a A player who cannot play loses. This is an exception to rule 101.2.

100.2. Each player may trim a wick (see rules 101.1a–c and 200.1).
Example: Anna trims hers. See rule 101.3.

101. Wicks

101.1. Trimming

101.1a Take the lamp.

101.1b Cut the wick, unless rule 200.1 says otherwise.

101.1c Put the lamp back.

101.2. A lamp must burn. See rule 200, “Shade.”

101.3. Oil is poured before a wick is cut, as described in rule 101.1b.

2. Dark

200. Shade

200.1. In the dark nobody can trim. See rule 100.2.

Glossary

Lamp
What burns. See rule 101, “Wicks.” See also Oil.

Oil
What a lamp needs. See Lamp.

Credits

Nobody.
"""


@pytest.fixture
def lanterns() -> Rulebook:
    return rulebook.parse([("lanterns.txt", LANTERNS)])
