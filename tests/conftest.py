"""Shared fixtures: toy games, made of the real grammar and a few rules of a test's own."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import asp
from bridge import catalog, vocabulary
from bridge.engines import ReferenceEngine
from bridge.ground import Switches
from bridge.outcome import Outcomes

REAL_LAW = asp.ROOT

_HEAD = """
#include "../grammar/judgement.lp".
#include "../grammar/change.lp".
#include "../grammar/events.lp".
#include "../grammar/position.lp".
fluent(over).
"""

Toy = Callable[..., ReferenceEngine]


@pytest.fixture
def law(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of law with the real grammar and drivers and no game, in force for this test."""
    root = tmp_path / "law"
    for part in ("grammar", "drivers"):
        shutil.copytree(REAL_LAW / part, root / part)
    monkeypatch.setattr(asp, "ROOT", root)
    catalog.load.cache_clear()
    vocabulary.load.cache_clear()
    yield root
    catalog.load.cache_clear()
    vocabulary.load.cache_clear()


@pytest.fixture
def toy(law: Path) -> Toy:
    """Return a maker of engines for a toy game: its rules as text, what holds at first as text."""

    def make(rules: str, switches: Switches | None = None) -> ReferenceEngine:
        folder = law / "toy"
        folder.mkdir(exist_ok=True)
        (folder / "game.lp").write_text(_HEAD + rules, encoding="utf-8")
        return ReferenceEngine("toy", [], switches)

    return make


def boards(engine: ReferenceEngine) -> list[set[str]]:
    """Return the outcomes of an engine as sets of texts, the marker ``over`` left out."""
    return [{str(fact) for fact in outcome.facts} for outcome in Outcomes(engine.explore())]


def legal(engine: ReferenceEngine) -> set[str]:
    """Return the moves that are legal at the first state."""
    return {str(step.move) for step in engine.steps(engine.program.initial)}
