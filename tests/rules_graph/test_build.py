"""The graph of encoded rules, on a made-up game of five rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from catalogs import catalog_of

from bridge import catalog
from bridge.errors import RuleError
from rules_graph import analyse, build, code
from rules_graph import graph as shape

BOARD = """
fluent(lit(L)) :- lamp(L).
slot(lit(L),lit(L)) :- lamp(L).
burns(T,L) :- holds(T,lit(L)).
#show lit/1.
"""

RULES = {
    "light/1_1_lighting.lp": """
rule(lamps("1.1")).
title(lamps("1.1"), en, "Lighting"). title(lamps("1.1"), ru, "Зажигание").
text(lamps("1.1"), en, "A lamp may be lit.").
refers(lamps("1.1"), lamps("1.2")).
offers(T,lamps("1.1"),P,light(L)) :- moment(T), owner(P,L).
starts(T,lamps("1.1"),light(L),lit(L)) :- move(T,light(L)).
happens(T,light(L),kindled(L)) :- move(T,light(L)), add(T,light(L),lit(L)).
helper(T,L) :- burns(T,L).
""",
    "light/1_2_oil.lp": """
rule(lamps("1.2")).
title(lamps("1.2"), en, "Oil").
overrides(lamps("1.2"), lamps("1.1")).
forbids(T,lamps("1.2"),light(L)) :- weighs(T,light(L)), not full(T,L).
full(T,L) :- holds(T,count(oil(L),N)), N > 0.
gains(T,lamps("1.2"),light(L),oil(L),-1,use) :- move(T,light(L)).
helper(T,L) :- burns(T,L), full(T,L).
reacts(T,L) :- helper(T,L).
""",
    "dark/2_1_glow.lp": """
rule(lamps("2.1")). rule(lamps("2.2")).
title(lamps("2.1"), en, "Glow").
starts(T,lamps("2.1"),M,glow(L)) :- happens(T,M,kindled(L)).
stops(T,lamps("2.2"),M,glow(L)) :- holds(T,news(kindled(L))), move(T,M), in_force(lamps("1.2")).
""",
    "dark/2_3_moths.lp": """
rule(lamps("2.3")).
title(lamps("2.3"), en, "Moths").
refers(lamps("2.3"), lamps("1.2")). refers(lamps("2.3"), lamps("2.3")). refers(lamps("2.3"), lamps("9.9")).
starts(T,lamps("2.3"),M,moth(L)) :- move(T,M), holds(T,glow(L)), #count{ X : holds(T,moth(X)) } < 3.
starts(T,lamps("2.3"),M,warm(L)) :- move(T,M), burns(T,L).
""",
}


@pytest.fixture
def lamps(tmp_path: Path):
    (tmp_path / "lamps").mkdir()
    (tmp_path / "lamps" / "board.lp").write_text(BOARD)
    (tmp_path / "lamps" / "game.lp").write_text('#include "board.lp".\n')
    for name, text in RULES.items():
        path = tmp_path / "lamps" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return catalog_of(tmp_path, "lamps")


def dependencies(graph):
    return {
        (one.removeprefix("lamps:"), other.removeprefix("lamps:")): data["evidence"]
        for one, other, data in shape.edges(graph, ("depends",))
    }


def test_nodes_are_rules_with_titles_files_and_lines_in_their_section(lamps):
    graph = build.build(lamps)
    node = graph.nodes["lamps:1.1"]
    assert (node["kind"], node["number"], node["title_ru"]) == ("rule", "1.1", "Зажигание")
    assert (node["file"], node["line"], node["section"]) == ("lamps/light/1_1_lighting.lp", 2, "lamps/light")
    assert graph.nodes["lamps/light"]["kind"] == "section"
    assert graph.has_edge("lamps:1.1", "lamps/light", "part_of")
    assert graph.edges["lamps:1.2", "lamps:1.1", "overrides"]["line"] == 4


def test_dependencies_follow_fluents_events_moves_counters_and_named_rules(lamps):
    found = dependencies(build.build(lamps))
    assert found == {
        ("2.1", "1.1"): "event kindled/1 < lamps/light/1_1_lighting.lp:8",
        ("2.2", "1.1"): "event kindled/1 < lamps/light/1_1_lighting.lp:8",
        ("2.2", "1.2"): "rule lamps:1.2",
        ("1.2", "1.1"): "move light/1 < lamps/light/1_1_lighting.lp:6",
        ("2.3", "2.1"): "fluent glow/1 < lamps/dark/2_1_glow.lp:4",
        ("2.3", "2.2"): "fluent glow/1 < lamps/dark/2_1_glow.lp:5",
    }


def test_shared_helpers_and_the_board_make_no_noise(lamps):
    made = build.built(lamps)
    # helper/2 is defined by two rules and read by one of them; burns/2 is the board's
    assert ("1.2", "1.1") in dependencies(made.graph)
    assert "helper" not in dependencies(made.graph)["1.2", "1.1"]
    assert made.common["predicate burns/2"] == ("",)


def test_what_many_rules_write_is_common_ground(lamps):
    made = build.built(lamps, shared=1)
    assert ("2.3", "2.1") not in dependencies(made.graph)
    assert made.common["fluent glow/1"] == ("lamps:2.1", "lamps:2.2")


def test_findings_name_both_kinds_of_disagreement(lamps):
    found = [(each.severity, each.code, each.rule, each.facts.get("target", "")) for each in build.findings(lamps)]
    assert ("error", "dangling-reference", "lamps:2.3", "") in found
    assert ("warning", "self-reference", "lamps:2.3", "") in found
    # 2.3 reads what 2.1 and 2.2 write together: not the sole writer, so no finding; 2.1 hangs on 1.1 alone
    assert ("warning", "undocumented-dependency", "lamps:2.1", "lamps:1.1") in found
    assert ("warning", "undocumented-dependency", "lamps:2.2", "lamps:1.1") in found
    assert [each[2:] for each in found if each[1] == "unused-reference"] == [("lamps:2.3", "lamps:1.2")]


def test_a_helper_of_the_board_counts_as_use(lamps, tmp_path):
    path = tmp_path / "lamps" / "dark" / "2_3_moths.lp"
    path.write_text(path.read_text() + 'refers(lamps("2.3"), lamps("1.1")).\n')
    found = build.findings(catalog_of(tmp_path, "lamps"))
    # 2.3 reads burns/2, which reads lit/1, which 1.1 starts
    unused = [each.facts["target"] for each in found if each.code == "unused-reference"]
    assert unused == ["lamps:1.2"]


def test_a_circle_of_overrides_is_an_error(lamps, tmp_path):
    path = tmp_path / "lamps" / "light" / "1_1_lighting.lp"
    path.write_text(path.read_text() + 'overrides(lamps("1.1"), lamps("1.2")).\n')
    found = build.findings(catalog_of(tmp_path, "lamps"))
    assert [each.facts["cycle"] for each in found if each.code == "precedence-cycle"] == ["lamps:1.1, lamps:1.2"]


def test_the_grammar_is_no_missing_rule(lamps, tmp_path):
    path = tmp_path / "lamps" / "light" / "1_1_lighting.lp"
    path.write_text(path.read_text() + 'refers(lamps("1.1"), grammar("events")).\n')
    law = catalog_of(tmp_path, "lamps")
    edges = [each.__class__(each.source, "grammar:events", each.kind, each.file, each.line)
             if each.target.endswith(":events") else each for each in law.edges]  # fmt: skip
    graph = build.build(law.__class__(law.game, law.rules, tuple(edges), law.files))
    assert graph.nodes["grammar:events"]["kind"] == "rule"


def test_a_file_that_clingo_refuses_is_named(lamps, tmp_path):
    (tmp_path / "lamps" / "board.lp").write_text("fluent(lit(L) :- lamp(L).\n")
    with pytest.raises(RuleError, match=r"board\.lp"):
        code.accesses(lamps)


def test_pools_choices_and_conditions_are_read(lamps, tmp_path):
    (tmp_path / "lamps" / "dark" / "2_3_moths.lp").write_text(
        """
rule(lamps("2.3")).
starts(T,lamps("2.3"),M,(moth(L);dust(L))) :- move(T,M), glowing(T,L) : holds(T,glow(L)).
{ spark(T,L) : holds(T,glow(L)) } :- moment(T).
"""
    )
    found = {
        (each.sort, each.name, each.writes)
        for each in code.accesses(catalog_of(tmp_path, "lamps"))
        if each.rule == "lamps:2.3"
    }
    assert {("fluent", "moth/1", True), ("fluent", "dust/1", True), ("fluent", "glow/1", False)} <= found
    assert ("predicate", "spark/2", True) in found


def test_the_graph_answers_questions(lamps):
    graph = build.build(lamps)
    assert analyse.ladder(graph, "lamps:1.1").children[0].rule == "lamps:1.2"
    assert [each.rule for each in analyse.impact(graph, "lamps:1.1", depth=1)] == [
        "lamps:1.2",
        "lamps:2.1",
        "lamps:2.2",
    ]


def test_the_shipped_game():
    if "agot" not in catalog.games():
        pytest.skip("the rules of agot are not there yet")
    loaded = catalog.load("agot")
    graph = build.build(loaded)
    rules = [key for key, node in graph.nodes(data=True) if node["kind"] == "rule"]
    assert set(rules) >= set(loaded.rules)
    assert not analyse.cycles(graph, ("overrides",))[0]
    assert any(True for _ in shape.edges(graph, ("depends",)))
    assert all(data["evidence"] for _, _, data in shape.edges(graph, ("depends",)))
    assert [each for each in build.findings(loaded) if each.severity == "error"] == []
