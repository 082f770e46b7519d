"""The page in a real browser, headless; it is driven through the address after '#'."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from rules_graph import rulebook, textgraph
from rules_graph.draw import page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1400,900",
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    home = tmp_path_factory.mktemp("browser")

    def dump(file: Path, address: str = "") -> str:
        command = [
            str(CHROMIUM),
            *FLAGS,
            f"--user-data-dir={home}",
            "--virtual-time-budget=4000",
            "--dump-dom",
            f"{file.as_uri()}{address}",
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert 'data-ready="yes"' in done.stdout, done.stderr[-2000:]
        return done.stdout

    return dump


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A book of 3,000 rules, made up."""
    rows = []
    for section in range(1, 10):
        rows.append(f"{section}. Section {section}\n")
        for chapter in range(16):
            top = f"{section}{chapter:02d}"
            rows.append(f"{top}. Chapter {top}\n")
            for rule in range(1, 21):
                away = f"{(section + rule) % 9 + 1}{(chapter * 7 + rule) % 16:02d}.{rule}"
                beats = " This is an exception to rule 100.1." if rule == 7 and section == 3 else ""
                rows.append(f"{top}.{rule}. The lamp number {rule} of {top} burns. See rule {away}.{beats}\n")
    book = rulebook.parse([("large.txt", "\n".join(rows))], profile="mtg")
    assert len(book) > 3000
    path = tmp_path_factory.mktemp("page") / "large.html"
    path.write_text(page.to_html(textgraph.graph(book)), encoding="utf-8")
    return path


def value(dom: str, name: str) -> str:
    return re.search(rf'<body[^>]*\bdata-{name}="([^"]*)"', dom)[1]


def drawn(dom: str) -> str:
    """Return what the page drew, without the script that drew it."""
    return dom[: dom.index('<script type="application/json"')]


def leaves(dom: str) -> int:
    return drawn(dom).count('<g class="leaf')


def test_three_thousand_rules_are_shown_sections_first(browser, large):
    dom = browser(large)
    assert value(dom, "view") == "ring"
    assert 9 <= leaves(dom) <= 170
    assert leaves(dom) == int(value(dom, "leaves"))
    assert drawn(dom).count('class="band"') == 9
    assert "<small>3024 rules</small>" in drawn(dom)


def test_fold_and_unfold_on_demand(browser, large):
    folded = browser(large, "#fold=1")
    assert leaves(folded) == 9
    opened = browser(large, "#fold=1&open=3")
    assert 9 < leaves(opened) <= 9 + 17
    deeper = browser(large, "#fold=1&open=302")
    assert leaves(deeper) > leaves(opened)
    assert "302.7" in deeper


def test_search_finds_and_enters(browser, large):
    dom = browser(large, "#q=burns")
    assert int(value(dom, "hits")) == 9 * 16 * 20
    dom = browser(large, "#q=302.7&go=1")
    assert value(dom, "chosen") == "302.7"
    assert "The lamp number 7 of 302 burns" in dom
    assert int(value(browser(large, "#q=xylophone"), "hits")) == 0


def test_a_chosen_rule_lights_its_neighbourhood(browser, large):
    dom = browser(large, "#r=302.7")
    assert int(value(dom, "near")) >= 2
    assert re.search(r'<svg class="lit"', dom)
    assert re.search(r'class="edge[^"]* on"', dom)
    assert "overrides (1)" in dom


def test_around_a_rule(browser, large):
    dom = browser(large, "#r=302.7&v=around")
    assert value(dom, "view") == "around"
    assert int(value(dom, "cards")) >= 3
    assert "exception to" in dom
    many = browser(large, "#r=100.1&v=around")
    assert "is overridden by (16)" in many
    assert "more</div>" in many


def test_filters_of_kind_and_section(browser, large):
    every = int(value(browser(large), "bundles"))
    some = int(value(browser(large, "#k=overrides"), "bundles"))
    assert 0 < some < every
    assert leaves(browser(large, "#off=1,2,3")) < leaves(browser(large))


def test_languages_and_themes(browser, large):
    dom = browser(large, "#lang=ru&theme=dark")
    assert 'data-theme="dark"' in dom
    assert "Кольцо" in dom


ACTIONS = """
const log = [];
try {
const body = document.body.dataset, stage = document.getElementById("stage");
const note = (name, good) => log.push(`${name}:${good ? "yes" : "no"}`);
const press = (target, key) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const leaf = (text) => [...document.querySelectorAll(".leaf")].find((one) => one.textContent.includes(text));
const query = document.getElementById("query");
query.value = "302.7"; query.dispatchEvent(new Event("input"));
note("hits listed", document.querySelectorAll("#hits li[data-place]").length >= 1);
press(query, "Enter");
note("enter chooses", body.chosen === "302.7");
press(document.body, "Escape");
note("escape lets go", body.chosen === "");
query.value = ""; query.dispatchEvent(new Event("input"));
leaf("Chapter 101").dispatchEvent(new MouseEvent("click", { bubbles: true }));
note("click chooses", body.chosen === "101");
const before = Number(body.leaves);
leaf("Chapter 101").dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
note("double click unfolds", Number(body.leaves) === before + 20);
document.querySelector('nav [data-place].on .fold').click();
note("the outline folds", Number(body.leaves) === before);
const scene = document.getElementById("scene"), was = stage.style.transform;
scene.dispatchEvent(new WheelEvent("wheel", { deltaY: -300, clientX: 500, clientY: 400, cancelable: true }));
const zoomed = stage.style.transform;
note("the wheel zooms", zoomed !== was);
const at = { pointerId: 1, clientX: 400, clientY: 400, bubbles: true };
scene.dispatchEvent(new PointerEvent("pointerdown", at));
dispatchEvent(new PointerEvent("pointermove", { pointerId: 1, clientX: 460, clientY: 420 }));
dispatchEvent(new PointerEvent("pointerup", { pointerId: 1 }));
note("dragging moves", stage.style.transform !== zoomed);
scene.dispatchEvent(new MouseEvent("click", { bubbles: true }));
document.getElementById("fit").click();
const bundles = Number(body.bundles);
document.querySelector('[data-kind="refers"]').click();
note("a kind is filtered", Number(body.bundles) < bundles);
document.querySelector('[data-kind="refers"]').click();
document.querySelector("nav [data-section]").click();
note("a section is filtered", Number(body.leaves) < before);
document.querySelector("nav [data-section]").click();
document.getElementById("to-around").click();
note("around", body.view === "around" && document.querySelectorAll(".card").length > 1);
document.querySelector(".card[data-place]").click();
note("a card leads on", body.chosen !== "101" && body.view === "around");
document.getElementById("language").click();
note("Russian", document.documentElement.lang === "ru");
const theme = document.documentElement.dataset.theme;
document.getElementById("theme").click();
note("theme", document.documentElement.dataset.theme !== theme);
} catch (error) { log.push(`${error.message}:no`); }
document.body.dataset.log = log.join("; ");
"""


def test_a_person_at_the_page(browser, large, tmp_path):
    """Type, click, double-click, turn the wheel and drag, as a person would."""
    path = tmp_path / "driven.html"
    page_text = large.read_text(encoding="utf-8")
    path.write_text(page_text.replace("</body>", f'<script type="module">{ACTIONS}</script></body>'), encoding="utf-8")
    log = value(browser(path), "log").split("; ")
    assert [each for each in log if each.endswith("no")] == []
    assert len(log) == 14


def test_the_page_asks_nothing_of_the_network(large):
    text = large.read_text(encoding="utf-8")
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!#)""", text)
    assert not re.search(r"\b(?:fetch|XMLHttpRequest|import)\s*\(", text)
