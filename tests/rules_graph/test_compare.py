from __future__ import annotations

from pathlib import Path

import pytest
from catalogs import catalog_of
from conftest import shared

from bridge import catalog
from rules_graph import build, rulebook, textgraph
from rules_graph.compare import beside

LAW = """
rule(lamps("3.1")). title(lamps("3.1"), ru, "Зажигание"). refers(lamps("3.1"), lamps("3.30a")).
rule(lamps("3.30a")). title(lamps("3.30a"), ru, "Масло"). overrides(lamps("3.30a"), lamps("3.1")).
rule(lamps("3.30b")). title(lamps("3.30b"), ru, "Фитиль").
rule(lamps("M1")). title(lamps("M1"), ru, "Что такое угасание").
rule(lamps("M2")). title(lamps("M2"), ru, "Ветер").
"""
TEXT = """Раздел: FAQ

(3.1) Зажигание

Лампу можно зажечь. См. п. 3.2.

(3.2) Спички

Спички не важны. Это исключение из правила 3.1.

(3.30) Масло

Масло нужно.

(3.30) Фитиль

Фитиль тоже. См. п. 3.1.

Что такое «угасание»?

Лампа гаснет.
"""


@pytest.fixture
def laid(tmp_path: Path):
    (tmp_path / "lamps").mkdir()
    (tmp_path / "lamps" / "all.lp").write_text(LAW)
    law = catalog_of(tmp_path, "lamps")
    book = rulebook.parse([("text.txt", TEXT)])
    return beside(law, build.build(law), book, textgraph.graph(book))


def test_rules_are_found_by_number_by_a_number_printed_twice_and_by_title(laid):
    assert laid.pairs == {
        "lamps:3.1": "3.1",
        "lamps:3.30a": "3.30",
        "lamps:3.30b": "3.30#2",
        "lamps:M1": "heading:Что такое «угасание»?",
    }


def test_the_differences_are_named(laid):
    said = {(each.code, each.rule) for each in laid.findings}
    assert said == {
        ("only-in-text", "3.2"),
        ("only-in-code", "lamps:M2"),
        ("number-differs", "lamps:3.30a"),
        ("number-differs", "lamps:3.30b"),
        ("number-differs", "lamps:M1"),
        ("reference-only-in-text", "lamps:3.30b"),
        ("reference-only-in-code", "lamps:3.1"),
        ("precedence-only-in-code", "lamps:3.30a"),
    }
    assert [each.severity for each in laid.findings[:2]] == ["warning", "warning"]


def test_the_shipped_rules_beside_the_seed():
    if "agot" not in catalog.games():
        pytest.skip("the rules of agot are not there yet")
    loaded = catalog.load("agot")
    book = rulebook.read([next(shared("seeds").glob("000_*.txt"))])
    laid = beside(loaded, build.build(loaded), book, textgraph.graph(book))
    assert laid.pairs["agot:3.15"] == "3.15"
    if "agot:3.30b" in loaded:
        assert (laid.pairs["agot:3.30a"], laid.pairs["agot:3.30b"]) == ("3.30", "3.30#2")
