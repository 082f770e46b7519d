from __future__ import annotations

import pytest
from conftest import LANTERNS

from bridge.errors import RulebookError
from rules_graph import profile, rulebook


def ids(book):
    return [provision.id for provision in book]


def test_the_manner_of_magic_is_recognised_and_said(lanterns):
    assert lanterns.profile == "mtg"
    assert lanterns.scores[0][0] == "mtg"
    assert lanterns.language == "en"


def test_rules_sections_and_terms_stand_in_the_order_of_the_book(lanterns):
    assert ids(lanterns)[1:] == [
        *(
            "1",
            "100",
            "100.1",
            "100.1a",
            "100.2",
            "101",
            "101.1",
            "101.1a",
            "101.1b",
            "101.1c",
            "101.2",
            "101.3",
        ),
        *("2", "200", "200.1", "heading:Glossary", "term:Lamp", "term:Oil"),
    ]
    assert lanterns.by_id["101.1b"].parent == "101.1"
    assert lanterns.by_id["101"].parent == "1"
    assert lanterns.by_id["term:Oil"].parent == "heading:Glossary"


def test_the_contents_and_what_follows_the_rules_are_left_out_and_said(lanterns):
    assert [(gap.reason, gap.first) for gap in lanterns.skipped] == [
        ("table of contents", 3),
        ("after the end of the rules", LANTERNS.split("\n").index("Credits", 20) + 1),
    ]
    assert lanterns.by_id["100"].line == LANTERNS.split("\n").index("100. General", 12) + 1


def test_a_bare_word_is_a_title_and_a_sentence_is_a_text(lanterns):
    assert lanterns.by_id["101.1"].title == "Trimming"
    assert lanterns.by_id["101.2"].title == ""


def test_examples_stand_apart(lanterns):
    rule = lanterns.by_id["100.2"]
    assert rule.examples == ("Example: Anna trims hers. See rule 101.3.",)
    assert "Anna" not in rule.text


WRAPPED = """3.1 Targets

A card cannot be chosen as the target of an effect that it is immune to. See rule
3.2 and the rule after it, which says what
3.10 does.

3.2 Costs
   Costs are paid before targets are chosen; nobody may answer while this is
   done.
   - the first item of a list
   - the second, which is long enough to be broken at the width of the page and
     goes on here

3.3 Nothing else.
"""


def test_wrapped_lines_are_joined_and_a_number_at_their_beginning_is_no_rule():
    book = rulebook.parse([("wrapped.txt", WRAPPED)])
    assert ids(book) == ["3.1", "3.2", "3.3"]
    assert book.by_id["3.1"].text.endswith("which says what 3.10 does.")
    assert "answer while this is done." in book.by_id["3.2"].text
    assert [part.text[:7] for part in book.by_id["3.2"].paragraphs][1:] == ["- the f", "- the s"]
    [reference] = [each for each in book.references if each.target]
    assert (reference.source, reference.target, reference.line) == ("3.1", "3.2", 3)


def test_a_table_of_contents_without_a_title_or_with_dots_is_left_out():
    body = "".join(f"{n}.1 Part {n}\n\nThis part says {n} things about light.\n\n" for n in range(1, 7))
    bare = "".join(f"{n}.1 Part {n}\n" for n in range(1, 7))
    dotted = "".join(f"{n}.1 Part {n} ........ {n + 3}\n" for n in range(1, 7))
    plain = ids(rulebook.parse([("a", body)]))
    assert plain == [f"{n}.1" for n in range(1, 7)]
    assert ids(rulebook.parse([("b", bare + "\n" + body)])) == plain
    assert ids(rulebook.parse([("c", "Table of Contents\n" + dotted + "\n" + body)])) == plain


MARKDOWN = """---
title: Shadows
chapter: 4
---

# Zones @@cha:zones@@

## General @@sec:general@@

### A zone holds cards.

#### @@rule:empty@@ An empty zone holds none, as [[sec:hand]] says.

> **Example:** The hand of Bo is empty. [[rule:nowhere]]

## Hand @@sec:hand@@

### @@rule:limit@@ A hand takes precedence over [[rule:empty]].
* one bullet
"""


def test_numbers_of_markdown_follow_from_depth_and_front_matter():
    book = rulebook.parse([("shadows.md", MARKDOWN)])
    assert book.profile == "fab"
    assert ids(book) == ["4", "4.0", "4.0.1", "4.0.1a", "4.1", "4.1.1"]
    assert book.by_id["4.0.1a"].anchor == "rule:empty"
    assert book.by_id["4.0.1a"].parent == "4.0.1"
    assert book.by_id["4.1"].title == "Hand"
    found = [(each.source, each.target, each.kind, each.example) for each in book.references]
    assert found == [
        ("4.0.1a", "4.1", "refers", False),
        ("4.0.1a", "", "refers", True),
        ("4.1.1", "4.0.1a", "overrides", False),
    ]


def test_chapters_of_one_book_are_read_together():
    first = MARKDOWN.replace("[[rule:nowhere]]", "[[rule:far]]")
    second = MARKDOWN.replace("chapter: 4", "chapter: 5").replace("rule:limit", "rule:far")
    second = second.replace("sec:", "sec:b_").replace("rule:empty", "rule:b_empty")
    book = rulebook.parse([("a.md", first), ("b.md", second)])
    assert next(each.target for each in book.references if each.wanted == "rule:far") == "5.1.1"


def test_a_markdown_heading_may_carry_a_decimal_number():
    book = rulebook.parse(
        [("d.md", "# 1 Start\n\n## 1.1 Setup\nDeal. See 1.2.\n\n## 1.2 Turn\n\n### 1.2.1 Draw\nOne.\n")]
    )
    assert book.profile == "decimal"
    assert ids(book) == ["1", "1.1", "1.2", "1.2.1"]
    assert [(each.source, each.target) for each in book.references] == [("1.1", "1.2")]


RUSSIAN = """2017-10-25
258
Создание карт.
518.3. Создать карту – это положить её в игру согласно 309.2.
Правила создания:
1) в открытом виде;
518.3.1. Созданная карта может уйти на кладбище.
|
Излечить (излечение) на X. Снять с существа X ран. См. также Полностью излечить.
Полностью излечить. Снять с существа все раны.
ПРИМЕР. Зомби излечивают полностью.
"""


def test_russian_numbers_headings_and_terms():
    book = rulebook.parse([("книга.txt", RUSSIAN)])
    assert (book.profile, book.language) == ("berserk", "ru")
    kinds = [(each.id, each.kind) for each in book]
    assert kinds == [
        ("518", "heading"),
        ("518.3", "rule"),
        ("518.3.1", "rule"),
        ("term:Излечить (излечение) на X", "term"),
        ("term:Полностью излечить", "term"),
    ]
    assert book.by_id["518"].implied
    assert "1) в открытом виде;" in book.by_id["518.3"].text
    assert [gap.text for gap in book.skipped] == ["2017-10-25", "258", "|"]
    assert book.by_id["term:Полностью излечить"].examples == ("ПРИМЕР. Зомби излечивают полностью.",)
    see = [each for each in book.references if each.form == "see_also"]
    assert [(each.wanted, each.target) for each in see] == [("Полностью излечить", "term:Полностью излечить")]


def test_numbers_in_parentheses_and_headings_without_a_number():
    text = (
        "Раздел: FAQ (стр. 5 )\n\n(3.14) Неуязвимость\n\nСм. Шаг 6 и п. 3.15.\n\n"
        "Ответы\n\nИгроки отвечают по очереди.\n"
    )
    book = rulebook.parse([("faq.txt", text)])
    assert book.profile == "parens"
    assert [(each.id, each.kind) for each in book] == [
        ("heading:FAQ (стр. 5 )", "section"),
        ("3.14", "rule"),
        ("heading:Ответы", "heading"),
    ]
    assert {(each.form, each.wanted) for each in book.references} == {("step", "6"), ("single", "3.15")}


def test_a_number_that_is_printed_again_is_kept():
    book = rulebook.parse([("faq.txt", "(3.30) One\n\nText.\n\n(3.30) Two\n\nMore.\n")])
    assert ids(book) == ["3.30", "3.30#2"]
    assert [each.title for each in book.by_number["3.30"]] == ["One", "Two"]


def test_what_holds_no_numbered_rules_is_refused():
    with pytest.raises(RulebookError, match=r"letter\.txt: is not recognised as numbered rules.*--profile"):
        rulebook.parse([("letter.txt", "Dear reader,\n\nthis is only a letter.\n")])
    with pytest.raises(RulebookError, match="no line was recognised as a rule under the profile fab"):
        rulebook.parse([("letter.txt", "Dear reader")], profile="fab")
    with pytest.raises(RulebookError, match="no profile 'latex'; there are berserk"):
        rulebook.parse([("letter.txt", "Dear reader")], profile="latex")


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(RulebookError, match=r"^nowhere\.txt: cannot be read"):
        rulebook.read([tmp_path / "nowhere.txt"])
    with pytest.raises(RulebookError, match="cannot be read"):
        rulebook.read([tmp_path])


def test_every_profile_is_data_and_complete():
    for name, each in profile.profiles().items():
        assert each.name == name
        assert each.signs
        assert each.headings
        for language in each.languages:
            assert profile.lexicon(language).precedence


def test_a_profile_with_a_broken_pattern_is_refused():
    good = profile.profile("decimal").model_dump()
    with pytest.raises(ValueError, match="not a regular expression"):
        profile.Profile.model_validate(good | {"number": "(["})
    with pytest.raises(ValueError, match="colour"):
        profile.Profile.model_validate(good | {"colour": "red"})
