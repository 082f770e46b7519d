"""The rulebooks that the importer is for; what is expected was counted or read in them by hand."""

from __future__ import annotations

import time

import networkx as nx
import pytest
from conftest import shared

from bench.speed import TOLERANCE, slowness
from rules_graph import analyse, rulebook, textgraph
from rules_graph.lint import lint
from rules_graph.versions import compare


def codes(book, *severities):
    return [(each.code, each.rule) for each in lint(book) if each.severity in severities]


def test_magic_2022(mtg_2022):
    assert (mtg_2022.profile, mtg_2022.encoding, mtg_2022.language) == ("mtg", "cp1252", "en")
    assert 2850 < mtg_2022.count("rule") < 2950
    explicit = {
        (each.source, each.target)
        for each in mtg_2022.references
        if each.target and each.form != "see_also" and mtg_2022.by_id[each.source].kind != "term"
    }
    assert len(explicit) >= 950
    graph = textgraph.graph(mtg_2022)
    found, cut = analyse.cycles(graph, ("refers",))
    assert not cut
    assert found == (("601.2a", "611.2f"), ("601.2b", "601.2f"), ("608.3b", "702.103e"))
    # the sub-rules misprinted with a dot or without a space are rules all the same
    assert {"119.1d", "606.5", "901.4", "201.3"} <= set(mtg_2022.by_id)


def test_magic_2022_is_clean_but_for_one_title(mtg_2022):
    # read by hand: the entry says "Free-for-All", rule 806 is "Free-for-All Variant"
    assert codes(mtg_2022, "error", "warning") == [("title-differs", "term:Supervillain Rumble")]


def test_magic_2018_refers_to_a_rule_that_does_not_exist(mtg_2018):
    assert codes(mtg_2018, "error") == [("dangling-reference", "702.123d")]
    [finding] = [each for each in lint(mtg_2018) if each.severity == "error"]
    assert (finding.facts["wanted"], finding.line) == ("903.11a", 4029)
    assert len(codes(mtg_2018, "warning")) <= 2


def test_precedence_in_magic_is_what_the_words_say(mtg_2022):
    beats = {(each.source, each.target) for each in mtg_2022.references if each.kind == "overrides"}
    assert {("107.3j", "107.3i"), ("601.6b", "101.4"), ("903.9b", "614.5"), ("800.4n", "800.4a")} <= beats
    beaten = {(each.source, each.target) for each in mtg_2022.references if each.kind == "overridden"}
    assert {("724.2", "724.2a"), ("101.4b", "101.4a")} <= beaten
    assert not analyse.cycles(textgraph.graph(mtg_2022), ("overrides",))[0]


def test_between_two_versions_of_magic(mtg_2018, mtg_2022):
    changes = compare(mtg_2018, mtg_2022)
    assert changes.moved["702.123d"] == "702.124d"
    assert changes.moved["311"] == "312"
    stale = {(each.rule, each.facts["wanted"]) for each in changes.findings if each.code == "stale-reference"}
    # a real one: the entry still says 800.4h, the rule that it means is 800.4i since
    assert ("term:Last Known Information", "800.4h") in stale
    assert len(stale) <= 3


def test_flesh_and_blood(flesh_and_blood):
    assert flesh_and_blood.profile == "fab"
    assert flesh_and_blood.by_id["1.0.1a"].anchor == "rule:golden_rule"
    assert flesh_and_blood.by_id["2.0"].title == "General"
    assert flesh_and_blood.count("rule") == 73 + 144 + 66 + 33 + 68 + 34
    assert len(flesh_and_blood.references) == 130
    assert codes(flesh_and_blood, "error", "warning") == []
    golden = next(each for each in flesh_and_blood.references if each.wanted == "rule:golden_rule")
    assert (golden.source, golden.target, golden.kind) == ("1.0.2", "1.0.1a", "overridden")


@pytest.mark.parametrize("name", ["fab-01-game-concepts.md", "fab-02-object-properties.md", "fab-03-zones.md"])
def test_each_chapter_of_flesh_and_blood_alone(name):
    book = rulebook.read([shared(f"rulebooks/{name}")])
    assert book.profile == "fab"
    assert book.by_id[name[5]].kind == "section"


def test_the_faq_prints_3_30_twice_and_leaves_out_3_29(faq):
    assert codes(faq, "error", "warning") == [("missing-number", "3.30"), ("duplicate-number", "3.30#2")]
    assert faq.count("rule") == 24
    assert faq.by_id["3.15"].title == "Выбор цели и неуязвимость"
    assert any(each.startswith("Пример") for each in faq.by_id["3.13"].examples)


def test_the_faq_on_moribund_has_headings_and_steps_only(moribund):
    assert moribund.profile == "parens"
    assert [each.title for each in moribund if each.kind == "heading"] == [
        "Что такое процесс «Погибания»?",
        "Исключение из правил",
        "Состояние «Погибания» для Событий",
        "Срабатывают пассивные свойства",
        "Ответы",
        "Действие разбирается (конец действия)",
        "Структурное действие",
    ]
    steps = {each.wanted for each in moribund.references if each.form == "step"}
    assert steps == {"1", "2", "3", "4", "5", "6"}


def test_berserk_heroes_refers_to_309_2(heroes):
    assert [(each.source, each.wanted) for each in heroes.references] == [("518", "309.2"), ("518.6", "8")]
    assert ("missing-number", "517.3") in codes(heroes, "warning")
    assert heroes.by_id["518.6.1"].parent == "518.6"


def test_berserk_glossary_says_see_also(berserk):
    see = [each for each in berserk.references if each.form == "see_also"]
    assert [(each.source, each.target) for each in see] == [
        ("term:Излечить (излечение) на X", "term:Полностью излечить")
    ]
    assert berserk.count("term") == 5


def test_each_import_takes_less_than_two_seconds():
    for path in [*sorted(shared("rulebooks").iterdir()), *sorted(shared("seeds").glob("00[0124]_*.txt"))]:
        start = time.perf_counter()
        book = rulebook.read([path])
        graph = textgraph.graph(book)
        lint(book)
        taken = time.perf_counter() - start
        if taken >= 2 and (times := slowness()) > TOLERANCE:
            pytest.skip(f"this machine is {times:.1f} times too slow or busy: {path.name} took {taken:.1f} s")
        assert taken < 2, path.name
        assert isinstance(graph, nx.MultiDiGraph)
