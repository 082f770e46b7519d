from __future__ import annotations

import json
import subprocess
import sys

import pytest
import typer
from conftest import LANTERNS
from typer.testing import CliRunner

from bridge import catalog as catalogs
from rules_graph.cli import graph_app, import_rulebook

app = typer.Typer()
app.add_typer(graph_app, name="graph")
app.command("import")(import_rulebook)


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "lanterns.txt"
    path.write_text(LANTERNS, encoding="utf-8")
    return str(path)


def run(*args: str, code: int = 0):
    done = CliRunner().invoke(app, list(args))
    assert done.exit_code == code, done.output
    assert "Traceback" not in done.output
    return done


def answer(*args: str, code: int = 0):
    document = json.loads(run(*args, "--json", code=code).stdout)
    assert document["schema"] == "lawspeaker.graph/1"
    assert set(document) == {"schema", "command", "book", "complete", "answer"}
    assert set(document["book"]) == {"name", "source", "language", "profile", "rules", "edges"}
    return document["answer"]


def test_import_says_how_it_read_the_book(book):
    said = run("import", book).stdout
    assert "mtg: numbers like 613.7c" in said
    assert "table of contents: 3–" in said
    assert "0 errors" in said
    found = answer("import", book)
    assert found["provisions"]["rule"] == 13
    assert found["encoding"] == "utf-8"
    assert found["skipped"][0]["reason"] == "table of contents"


def test_import_speaks_russian(book):
    assert "прочитано как" in run("import", book, "--lang", "ru").stdout


def test_import_saves_the_graph(book, tmp_path):
    target = tmp_path / "graph.json"
    run("import", book, "--save", str(target))
    assert json.loads(target.read_text())["schema"] == "lawspeaker.rules/1"
    assert "no format" in run("import", book, "--save", str(tmp_path / "x.doc"), code=2).stderr


def test_an_error_in_the_book_ends_with_1(tmp_path):
    path = tmp_path / "b.txt"
    path.write_text("(3.1) A\n\nOne.\n\n(3.1) B\n\nTwo.\n")
    assert "5 error: 3.1 is printed again" in run("import", str(path), code=1).stdout
    assert answer("graph", "lint", str(path), code=1)["counts"] == {"error": 1, "warning": 0, "info": 0}


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["import", "nowhere.txt"], "nowhere.txt: cannot be read"),
        (["graph", "show", "nowhere"], "nowhere: is neither a game"),
        (["graph", "around", "nowhere"], "which rule?"),
        (["graph", "show", "BOOK", "--lang", "de"], "--lang de: there are en and ru"),
        (["graph", "show", "BOOK", "--by", "size"], "--by size: there are sections"),
        (["graph", "around", "BOOK", "999.9"], "999.9: no rule of lanterns.txt"),
        (["graph", "cycles", "BOOK", "--kind", "love"], "--kind love: there are overrides"),
        (["graph", "export", "BOOK", "x.gif"], "x.gif: no format 'gif'"),
        (["graph", "export", "BOOK", "/nowhere/x.json"], "x.json: cannot be written"),
        (["graph", "lint", "BOOK", "--least", "loud"], "--least loud: there are error"),
        (["graph", "show", "BOOK", "--profile", "tex"], "no profile 'tex'"),
    ],
)
def test_wrong_input_is_one_sentence_and_2(book, args, said):
    done = run(*[book if each == "BOOK" else each for each in args], code=2)
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_show(book):
    assert "Wicks" in run("graph", "show", book).stdout
    assert len(answer("graph", "show", book, "--under", "101")["rules"]) == 7
    ranking = [each["rule"] for each in answer("graph", "show", book, "--by", "centrality")["ranking"]]
    assert ranking.index("100.2") < ranking.index("101.1c")
    assert answer("graph", "show", book, "--by", "communities")["groups"]
    assert any(each["id"] == "100.1" for each in answer("graph", "show", book, "--by", "unreferenced")["rules"])
    exceptions = answer("graph", "show", book, "--by", "exceptions")["exceptions"]
    assert {"rule": "101.1b", "overridden_by": [{"rule": "200.1", "overridden_by": []}]} in exceptions
    for way in ("sections", "centrality", "communities", "unreferenced", "exceptions"):
        assert run("graph", "show", book, "--by", way, "--lang", "ru").stdout.strip()


def test_around(book):
    said = run("graph", "around", book, "101.1b").stdout
    assert "is overridden by (1)" in said
    assert "exceptions" in said
    found = answer("graph", "around", book, "Trimming")
    assert found["rule"]["id"] == "101.1"
    found = answer("graph", "around", book, "101.1b")
    assert {step["source"] for step in found["incoming"] if step["kind"] == "overrides"} == {"200.1"}
    assert found["incoming"][0]["evidence"]


def test_path(book):
    assert "refers to → 101.1b" in run("graph", "path", book, "101.3", "101.1b").stdout
    assert run("graph", "path", book, "100.1", "101.3", code=1).stdout.strip().endswith("No path from 100.1 to 101.3.")
    assert answer("graph", "path", book, "100.1", "101.3", code=1) == {"paths": []}


def test_cycles_and_the_limit(tmp_path):
    path = tmp_path / "b.txt"
    path.write_text("1.1 See rule 1.2.\n\n1.2 See rules 1.1 and 1.3.\n\n1.3 See rule 1.2.\n")
    assert len(answer("graph", "cycles", str(path))["cycles"]) == 2
    done = run("graph", "cycles", str(path), "--limit", "1", code=3)
    assert "incomplete" in done.stderr
    path.write_text("1.1 This overrides rule 1.2.\n\n1.2 This overrides rule 1.1.\n\n1.3 No.\n")
    found = answer("graph", "cycles", str(path), code=1)["cycles"]
    assert {"kind": "overrides", "rules": ["1.1", "1.2"]} in found
    assert answer("graph", "cycles", str(path), "--kind", "refers")["cycles"] == found[1:]


def test_impact_and_reading_order(book):
    assert {each["rule"] for each in answer("graph", "impact", book, "100.2", "--depth", "1")["touched"]} == {"200.1"}
    order = answer("graph", "reading-order", book, "101.3", "--depth", "1")["order"]
    assert order[-1] == ["101.3"]
    assert ["101.1b"] in order
    assert "  1. " in run("graph", "reading-order", book, "101.3").stdout
    assert "Perhaps touched" in run("graph", "impact", book, "100.2").stdout


@pytest.mark.parametrize("form", ["html", "svg", "dot", "mmd", "graphml", "cyjs", "json"])
def test_export(book, tmp_path, form):
    target = tmp_path / f"out.{form}"
    assert answer("graph", "export", book, str(target))["bytes"] == target.stat().st_size
    run(
        "graph",
        "export",
        book,
        str(tmp_path / "x"),
        "--format",
        form,
        "--around",
        "101.1b",
        "--kind",
        "overrides",
    )


def test_lint_between_versions(book, tmp_path):
    older = tmp_path / "older.txt"
    older.write_text(LANTERNS.replace("101.3.", "101.9."), encoding="utf-8")
    codes = {each["code"] for each in answer("graph", "lint", book, "--against", str(older))["findings"]}
    assert "renumbered" in codes


def test_a_game():
    if "agot" not in catalogs.games():
        pytest.skip("the rules of agot are not there yet")
    assert answer("graph", "around", "agot:3.15")["rule"]["id"] == "agot:3.15"
    assert answer("graph", "lint", "agot")["counts"]["error"] == 0
    assert run("graph", "show", "agot", "--lang", "ru").stdout.strip()


def test_the_commands_load_nothing_heavy_before_they_run():
    heavy = ("networkx", "clingo", "numpy", "pydantic", "yaml", "graphviz")
    code = f"import sys, rules_graph.cli; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
