"""Random graphs come back from every export as they went in."""

from __future__ import annotations

import html
import json
import re
from xml.etree import ElementTree

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_graph import graph as shape
from rules_graph import textgraph
from rules_graph.draw import FORMATS, files, page, picture
from rules_graph.draw.dot import to_dot
from rules_graph.draw.fold import fold
from rules_graph.draw.mermaid import to_mermaid

words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co"]), max_size=20)
keys = st.lists(
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co", "Zl", "Zp", "Zs"]), min_size=1, max_size=8),
    min_size=1,
    max_size=8,
    unique=True,
)


@st.composite
def graphs(draw):
    made = shape.new(draw(words), language="en", source="rulebook", profile="mtg")
    names = draw(keys)
    for name in names:
        shape.add_rule(
            made,
            name,
            kind=draw(st.sampled_from(shape.NODE_KINDS)),
            number=draw(words),
            section=draw(st.sampled_from(["", names[0]])),
            titles={"en": draw(words), "ru": draw(words)},
            texts={"en": draw(words), "ru": draw(words)},
            file="a.txt",
            line=draw(st.integers(0, 9999)),
            examples=[draw(words)],
            tags={"prohibition": [draw(words)]},
        )
    ends = st.sampled_from(names)
    for one, other, kind in draw(st.lists(st.tuples(ends, ends, st.sampled_from(shape.KINDS[:-1])), max_size=12)):
        shape.add_edge(made, one, other, kind, file="a.txt", line=3, evidence=draw(words), form="single")
    # what holds what is a tree
    for place, name in enumerate(names[1:], 1):
        if draw(st.booleans()):
            shape.add_edge(made, name, names[draw(st.integers(0, place - 1))], "part_of")
    return made


def same(one: nx.MultiDiGraph[str], other: nx.MultiDiGraph[str]) -> bool:
    return (
        dict(one.graph) == dict(other.graph)
        and dict(one.nodes(data=True)) == dict(other.nodes(data=True))
        and sorted(map(repr, one.edges(keys=True, data=True))) == sorted(map(repr, other.edges(keys=True, data=True)))
    )


def edges(graph):
    return sorted((one, other, kind) for one, other, kind in graph.edges(keys=True))


@settings(max_examples=80, deadline=None)
@given(graphs())
def test_json_graphml_and_cytoscape_lose_nothing(graph):
    assert same(files.from_json(files.to_json(graph)), graph)
    assert same(files.from_graphml(files.to_graphml(graph)), graph)
    assert same(files.from_cytoscape(files.to_cytoscape(graph)), graph)
    assert json.loads(files.to_json(graph))["schema"] == "lawspeaker.rules/1"


_STRING = r'"((?:[^"\\]|\\.)*)"'


def unquote(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text)


@settings(max_examples=80, deadline=None)
@given(graphs())
def test_dot_names_every_node_and_edge(graph):
    text = to_dot(graph, kinds=shape.KINDS)
    nodes = [unquote(found[1]) for found in re.finditer(rf"^ +{_STRING} \[label=", text, re.MULTILINE)]
    assert sorted(nodes) == sorted(graph)
    found = [
        (unquote(each[1]), unquote(each[2]), each[3])
        for each in re.finditer(rf'^  {_STRING} -> {_STRING} \[kind="(\w+)"', text, re.MULTILINE)
    ]
    assert sorted(found) == edges(graph)


@settings(max_examples=80, deadline=None)
@given(graphs())
def test_mermaid_names_every_node_and_edge(graph):
    text = to_mermaid(graph, kinds=shape.KINDS)
    decode = lambda words: re.sub(r"#(\d+);", lambda found: chr(int(found[1])), words)  # noqa: E731
    names = {found[1]: decode(found[2]) for found in re.finditer(r"^ +%% (n\d+) = (.*)$", text, re.MULTILINE)}
    shown = lambda key: "".join(char for char in key if char.isprintable())  # noqa: E731
    assert sorted(names.values()) == sorted(map(shown, graph))
    arrows = {"==>": ["overrides"], "-->": ["refers"], "-.->": ["depends", "see_also"], "---": ["part_of"]}
    found = re.findall(r"^  (n\d+) (\S+)\|([\w ]+)\| (n\d+)$", text, re.MULTILINE)
    assert sorted((names[one], names[other]) for one, _, _, other in found) == sorted(
        (shown(one), shown(other)) for one, other, _ in edges(graph)
    )
    assert all(arrow in arrows for _, arrow, _, _ in found)


@settings(max_examples=50, deadline=None)
@given(graphs())
def test_the_page_holds_every_node_and_edge(graph):
    text = page.to_html(graph)
    nodes, found = page.read_back(text)
    assert [node["id"] for node in nodes] == list(graph)
    assert [node.get("ten", "") for node in nodes] == [node["title_en"] for _, node in graph.nodes(data=True)]
    assert sorted(found) == edges(graph)
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text


@settings(max_examples=50, deadline=None)
@given(graphs())
def test_our_own_pictures_are_whole_xml_and_show_every_rule(graph):
    for layout, focus in (("ring", ""), ("columns", next(iter(graph)))):
        tree = ElementTree.fromstring(picture.render(graph, "svg", layout=layout, focus=focus))
        assert tree.tag.endswith("svg")
        if layout == "ring":
            leaves = {title.text for title in tree.iter("{http://www.w3.org/2000/svg}title")}
            held = {target for _, target, _ in shape.edges(graph, ("part_of",))}
            assert {key for key in graph if key not in held} <= leaves


@settings(max_examples=50, deadline=None)
@given(graphs(), st.integers(1, 8))
def test_folding_keeps_edges_between_parts(graph, limit):
    small = fold(graph, limit)
    assert sum(node["holds"] for _, node in small.nodes(data=True)) == len(graph)
    total = sum(data["count"] for _, _, data in small.edges(data=True))
    assert total <= sum(data["count"] for _, _, data in graph.edges(data=True))


def test_characters_that_xml_forbids_are_replaced():
    made = shape.new("a\x00b", language="en", source="rulebook")
    shape.add_rule(made, "1", kind="rule", number="1", section="", titles={"en": "x\x01y"}, texts={})
    assert files.from_graphml(files.to_graphml(made)).nodes["1"]["title_en"] == "x\ufffdy"
    ElementTree.fromstring(picture.render(made, "svg"))


def test_a_script_in_a_text_stays_a_text():
    made = shape.new("<b>", language="en", source="rulebook")
    evil = "</script><script>alert(1)</script>"
    shape.add_rule(made, "1", kind="rule", number="1", section="", titles={"en": evil}, texts={"en": evil})
    text = page.to_html(made)
    assert text.count("</script>") == 2
    assert html.unescape(text[text.index("<title>") + 7 : text.index("</title>")]) == "<b>"
    assert page.read_back(text)[0][0]["ten"] == evil


@pytest.mark.parametrize("form", [each for each in FORMATS if each != "png"])
def test_every_format_of_a_real_graph(lanterns, form):
    assert len(picture.render(textgraph.graph(lanterns), form, layout="ring" if form == "svg" else "auto")) > 500
