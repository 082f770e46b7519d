from __future__ import annotations

import shutil

import pytest

from bridge.errors import RulebookError
from rules_graph import rulebook, textgraph
from rules_graph.draw import picture


@pytest.fixture
def lamps(lanterns):
    return textgraph.graph(lanterns)


@pytest.fixture
def without_dot(monkeypatch):
    monkeypatch.setattr(picture, "dot_command", lambda: "")


needs_dot = pytest.mark.skipif(not picture.dot_command(), reason="neither dot nor graphviz-pure is here")


@needs_dot
def test_graphviz_draws_png_and_svg(lamps):
    assert picture.render(lamps, "png").startswith(b"\x89PNG")
    assert b"<svg" in picture.render(lamps, "svg", layout="dot", focus="101.1b", depth=2)


@needs_dot
def test_a_large_book_is_folded_for_graphviz():
    text = "\n\n".join(
        f"{a}.{b} Rule {b} of part {a} says much. See rule 1.{b}." for a in range(1, 20) for b in range(1, 20)
    )
    graph = textgraph.graph(rulebook.parse([("b.txt", text)]))
    assert picture.render(graph, "png").startswith(b"\x89PNG")


def test_without_graphviz_an_svg_is_still_drawn(lamps, without_dot):
    assert b"<svg" in picture.render(lamps, "svg")
    assert b"<svg" in picture.render(lamps, "svg", focus="101.1b", depth=2)


def test_without_graphviz_a_png_is_refused_in_one_sentence(lamps, without_dot):
    with pytest.raises(RulebookError, match="Graphviz is not here: install it") as refusal:
        picture.render(lamps, "png")
    assert "\n" not in str(refusal.value)


def test_graphviz_pure_is_used_where_dot_is_not(lamps, monkeypatch, tmp_path):
    stand_in = tmp_path / "graphviz-pure"
    stand_in.write_text("#!/bin/sh\ncat > /dev/null\nprintf '<svg from pure/>'\n")
    stand_in.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda name: str(stand_in) if name == "graphviz-pure" else None)
    assert picture.render(lamps, "svg", layout="dot") == b"<svg from pure/>"


def test_a_failing_graphviz_is_one_sentence(lamps, monkeypatch, tmp_path):
    broken = tmp_path / "graphviz-pure"
    broken.write_text("#!/bin/sh\ncat > /dev/null\necho 'no memory' >&2\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setattr(picture, "dot_command", lambda: str(broken))
    with pytest.raises(RulebookError, match="Graphviz failed: no memory"):
        picture.render(lamps, "svg", layout="dot")


@pytest.mark.parametrize(
    ("form", "options", "said"),
    [
        ("gif", {}, "no format 'gif'; there are html, svg"),
        ("svg", {"layout": "circle"}, "--layout circle: there are auto, dot"),
        ("svg", {"layout": "columns"}, "name it with --around"),
        ("png", {"layout": "ring"}, "use --layout dot"),
    ],
)
def test_what_cannot_be_drawn_is_said(lamps, form, options, said):
    with pytest.raises(RulebookError, match=said):
        picture.render(lamps, form, **options)


def test_the_neighbourhood_stands_on_its_sides(lamps):
    text = picture.render(lamps, "svg", focus="101.1b").decode()
    assert "is overridden by" in text
    assert "unless … rule 200.1" in text
    assert ">101.1b " in text or "101.1b" in text


def test_russian_pictures_speak_russian(lamps):
    assert "ссылается на" in picture.render(lamps, "svg", layout="ring", lang="ru").decode()
