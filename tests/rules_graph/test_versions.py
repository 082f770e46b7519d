from __future__ import annotations

from rules_graph import rulebook
from rules_graph.versions import compare

OLD = """1. Lamps

100. General

100.1. Each player begins the game with exactly seven lamps and no oil at all.

100.2. The starting player takes the first turn and trims one wick of any lamp.

100.3. A player who has no lamp left loses the game at the end of that turn. See rule 100.2.

101. Oil

101.1. Oil is poured into a lamp before the wick of that lamp is cut short.

101.2. Nobody may drink the oil of another player under any circumstances.
"""

NEW = """1. Lamps

100. General

100.1. Each player begins the game with exactly eight lamps and no oil at all.

100.2. The oldest player shuffles all matches and places them in a heap.

100.3. The starting player takes the first turn and trims one wick of any lamp.

100.4. A player who has no lamp left loses the game at the end of that turn. See rule 100.2.

102. Oil

102.1. Oil is poured into a lamp before the wick of that lamp is cut short.
"""


def test_what_moved_changed_came_and_went():
    changes = compare(rulebook.parse([("old", OLD)]), rulebook.parse([("new", NEW)]))
    assert changes.moved == {
        "1": "1",
        "100": "100",
        "100.1": "100.1",
        "100.2": "100.3",
        "100.3": "100.4",
        "101": "102",
        "101.1": "102.1",
    }
    said = [each.sentence() for each in changes.findings]
    assert "100.3 was 100.2 in the older version." in said
    assert "100.1 is worded anew (86% of the words are the same)." in said
    assert "100.2 is new." in said
    assert "101.2 of the older version is gone." in said
    assert "100.4 still refers to 100.2 (“rule 100.2”), but what 100.2 was is now 100.3." in said


def test_the_same_book_has_not_changed():
    book = rulebook.parse([("old", OLD)])
    assert compare(book, book).findings == ()


def test_renumbering_alone_rewords_nothing():
    moved = OLD.replace("101", "111").replace("rule 100.2", "rule 100.2")
    codes = compare(rulebook.parse([("old", OLD)]), rulebook.parse([("new", moved)])).counts
    assert codes == {"renumbered": 3}


def test_a_reference_to_a_removed_rule_is_stale():
    new = OLD.replace(OLD[OLD.index("100.2.") : OLD.index("100.3.")], "")
    changes = compare(rulebook.parse([("old", OLD)]), rulebook.parse([("new", new)]))
    assert "stale-removed" in changes.counts
