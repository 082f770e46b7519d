from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.errors import RulebookError
from rules_graph import analyse, rulebook, textgraph
from rules_graph import graph as shape


@pytest.fixture
def lamps(lanterns):
    return textgraph.graph(lanterns)


def small(*edges: tuple[str, str, str]) -> nx.MultiDiGraph[str]:
    made = shape.new("small", language="en", source="rulebook")
    for key in dict.fromkeys(end for edge in edges for end in edge[:2]):
        shape.add_rule(made, key, kind="rule", number=key, section="", titles={}, texts={})
    for one, other, kind in edges:
        shape.add_edge(made, one, other, kind)
    return made


def test_neighbours_stand_on_both_sides(lamps):
    near = analyse.neighbourhood(lamps, "200.1")
    assert set(near) == {"200.1", "100.2", "101.1b"}
    assert set(analyse.neighbourhood(lamps, "200.1", kinds=("overrides",))) == {"200.1", "101.1b"}
    assert "101.1c" in analyse.neighbourhood(lamps, "200.1", depth=2)


def test_a_path_names_its_steps(lamps):
    [path] = analyse.paths(lamps, "101.3", "100.2")
    assert [(step.source, step.kind, step.target) for step in path] == [
        ("101.3", "refers", "101.1b"),
        ("101.1b", "refers", "200.1"),
        ("200.1", "refers", "100.2"),
    ]
    assert (path[0].line, path[0].evidence) == (38, "rule 101.1b")


def test_there_is_no_path_to_what_nothing_leads_to(lamps):
    assert analyse.paths(lamps, "100.1", "101.3") == ()


def test_impact_runs_against_references_and_along_precedence():
    graph = small(
        ("1.2", "1.1", "refers"),
        ("1.3", "1.2", "depends"),
        ("1.1", "1.4", "overrides"),
        ("1.5", "1.4", "refers"),
    )
    found = {each.rule: each.distance for each in analyse.impact(graph, "1.1")}
    assert found == {"1.2": 1, "1.4": 1, "1.3": 2, "1.5": 2}
    assert [each.rule for each in analyse.impact(graph, "1.1", depth=1)] == ["1.2", "1.4"]


def test_reading_order_puts_first_what_is_leaned_on_and_cycles_together():
    graph = small(
        ("1.1", "1.2", "refers"), ("1.2", "1.3", "refers"), ("1.3", "1.2", "refers"),
        ("1.3", "1.4", "depends"), ("1.9", "1.1", "overrides"), ("1.8", "1.1", "refers"),
    )  # fmt: skip
    assert analyse.reading_order(graph, "1.1") == (("1.4",), ("1.2", "1.3"), ("1.9",), ("1.1",))


def test_cycles_are_counted_and_the_limit_says_so():
    graph = small(
        ("1.1", "1.2", "refers"), ("1.2", "1.1", "refers"), ("1.3", "1.3", "refers"),
        ("1.1", "1.4", "overrides"), ("1.4", "1.1", "overrides"),
    )  # fmt: skip
    assert analyse.cycles(graph, ("refers",)) == ((("1.3",), ("1.1", "1.2")), False)
    assert analyse.cycles(graph, ("overrides",)) == ((("1.1", "1.4"),), False)
    assert analyse.cycles(graph, ("refers",), limit=1)[1]


def test_the_ladder_of_exceptions_climbs_and_stops_at_a_circle():
    graph = small(("1.2", "1.1", "overrides"), ("1.3", "1.2", "overrides"), ("1.1", "1.3", "overrides"))
    tree = analyse.ladder(graph, "1.1")
    assert tree.children[0].rule == "1.2"
    assert tree.children[0].children[0].rule == "1.3"
    assert tree.children[0].children[0].children[0] == analyse.Tree("1.1", (), again=True)
    assert analyse.ladder(graph, "1.2", below=True).children[0].rule == "1.1"


def test_what_many_lean_on_is_central():
    graph = small(*((f"1.{n}", "1.1", "refers") for n in range(2, 9)))
    ranks = analyse.centrality(graph)
    assert next(iter(ranks)) == "1.1"
    assert abs(sum(ranks.values()) - 1) < 1e-9


def test_centrality_is_pagerank():
    # by hand: a = (0.15 + 0.85 b) / 2, since b leads nowhere and spreads evenly; a + b = 1
    ranks = analyse.centrality(small(("1.1", "1.2", "refers")))
    assert abs(ranks["1.1"] - 1 / 2.85) < 1e-9


def test_communities_part_what_has_nothing_to_do_with_each_other():
    graph = small(
        ("1.1", "1.2", "refers"), ("1.2", "1.3", "refers"), ("2.1", "2.2", "refers"), ("2.2", "2.3", "refers")
    )
    assert analyse.communities(graph) == (("1.1", "1.2", "1.3"), ("2.1", "2.2", "2.3"))


def test_rules_nobody_refers_to(lamps):
    loose = analyse.unreferenced(lamps)
    assert "100.1" in loose
    assert "100.2" not in loose
    # 101.1 is not named, but its part 101.1b is
    assert "101.1" not in loose


def test_a_rule_is_found_by_number_id_and_title(lamps):
    assert shape.resolve(lamps, "101.1") == "101.1"
    assert shape.resolve(lamps, "trimming") == "101.1"
    assert shape.resolve(lamps, "oil") == "term:Oil"
    with pytest.raises(RulebookError, match=r"101\.9: no rule .* near it: 101"):
        shape.resolve(lamps, "101.9")


def test_an_ambiguous_name_is_answered_with_the_choices():
    book = rulebook.parse([("b.txt", "(3.1) Lamp\n\nA.\n\n(3.2) Lamp\n\nB.\n")])
    with pytest.raises(RulebookError, match=r"more than one rule is so called: 3\.1, 3\.2"):
        shape.resolve(textgraph.graph(book), "Lamp")


pairs = st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from(["refers", "depends", "overrides"]))


@settings(max_examples=60, deadline=None)
@given(st.lists(pairs, min_size=1, max_size=30))
def test_reading_order_keeps_its_promise(edges):
    graph = small(*((f"1.{a}", f"1.{b}", kind) for a, b, kind in edges))
    rule = next(iter(graph))
    order = analyse.reading_order(graph, rule)
    place = {each: position for position, group in enumerate(order) for each in group}
    assert rule in order[-1]
    for one, position in place.items():
        for _, other, kind in graph.out_edges(one, keys=True):
            if kind in analyse.LEANS:
                assert place[other] <= position


@settings(max_examples=60, deadline=None)
@given(st.lists(pairs, min_size=1, max_size=30))
def test_impact_and_paths_agree(edges):
    graph = small(*((f"1.{a}", f"1.{b}", kind) for a, b, kind in edges if kind != "overrides" or a != b))
    if not len(graph):
        return
    rule = next(iter(graph))
    for each in analyse.impact(graph, rule):
        if each.through.kind in analyse.LEANS and each.distance == 1:
            assert analyse.paths(graph, each.rule, rule, kinds=analyse.LEANS)
