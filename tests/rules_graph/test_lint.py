from __future__ import annotations

import pytest

from rules_graph import rulebook
from rules_graph.lint import SENTENCES, lint


def sentences(text: str, *, lang: str = "en", code: str = "") -> list[str]:
    found = lint(rulebook.parse([("b.txt", text)]))
    return [f"{each.line}: {each.sentence(lang)}" for each in found if code in ("", each.code)]


def test_a_clean_book_has_no_warnings(lanterns):
    assert [each.sentence() for each in lint(lanterns) if each.severity != "info"] == []


def test_a_number_twice_and_a_number_missing():
    text = "(3.28) A\n\nOne.\n\n(3.30) B\n\nTwo.\n\n(3.30) C\n\nThree.\n"
    assert sentences(text) == [
        "5: 3.29 is missing before 3.30.",
        "9: 3.30 is printed again; it stands first on line 5.",
    ]
    assert sentences(text, lang="ru")[0] == "5: Перед 3.30 не хватает: 3.29."


def test_a_row_that_does_not_begin_at_its_beginning():
    text = "1. Rules\n\n100. A\n\n100.3. Three.\n\n100.3b Bee.\n\n100.4. Four.\n"
    assert sentences(text) == [
        "5: 100.1, 100.2 are missing before 100.3.",
        "7: 100.3a is missing before 100.3b.",
    ]


def test_letters_that_the_book_leaves_out_are_not_missed():
    rows = "\n\n".join(f"704.5{letter} Action." for letter in "abcdefghijkmnpq")
    assert sentences(f"704. Actions\n\n704.5. These.\n\n{rows}\n", code="missing-number") == [
        "3: 704.1–704.4 are missing before 704.5."
    ]


def test_a_number_out_of_order():
    assert sentences("1.1 One.\n\n1.3 Three.\n\n1.2 Two.\n\n1.4 Four.\n") == [
        "5: 1.2 comes after 1.3, which should follow it."
    ]


def test_a_reference_to_nothing_is_an_error_and_one_outside_is_not():
    text = "903.1. One. See rule 903.11a.\n\n903.2. Two. See rule 309.2.\n\n903.3. Three. See rule 309.2.\n"
    found = lint(rulebook.parse([("b.txt", text)], profile="mtg"))
    assert [(each.severity, each.line, each.code) for each in found] == [
        ("error", 1, "dangling-reference"),
        ("info", 3, "reference-outside"),
    ]
    assert found[0].sentence() == "903.1 refers to 903.11a (“rule 903.11a”), and there is no 903.11a."


def test_a_quoted_title_that_is_another_rules():
    text = (
        "100. Wicks\n\n101. Oil\n\n101.1. See rule 100, “Oil.”\n\n"
        "101.2. See rule 100, “Wax.”\n\n101.3. See rule 100, “Wicks.”\n"
    )
    found = lint(rulebook.parse([("b.txt", text)], profile="mtg"))
    assert [each.sentence() for each in found] == [
        "101.1 calls 100 “Oil”, but this is the title of 101; 100 is “Wicks”.",
        "101.2 calls 100 “Wax”, but its title is “Wicks”.",
    ]


def test_a_rule_that_refers_to_itself():
    assert sentences("1.1 One; see rule 1.1.\n\n1.2 Two.\n\n1.3 Three.\n") == ["1: 1.1 refers to itself (“rule 1.1”)."]


def test_an_ambiguous_reference():
    text = "1.1 One.\n\n1.1 Again.\n\n1.2 See rule 1.1.\n"
    assert sentences(text, code="ambiguous-reference") == ["5: 1.2 refers to 1.1, a number that is printed 2 times."]


def test_a_range_that_runs_backwards():
    text = "1.1 One.\n\n1.2 Two.\n\n1.3 See rules 1.2–1.1.\n"
    assert sentences(text) == ["5: 1.3 names a range that runs backwards (“rules 1.2–1.1”)."]


def test_a_term_that_is_nowhere_defined():
    text = "1.1 One.\n\n1.2 Two.\n\n1.3 Three.\n\nGlossary\n\nLamp\nBurns. See also Wick.\n"
    assert sentences(text) == ["10: “Lamp” sends the reader to “Wick”, and no entry is called so."]


def test_a_plural_or_one_word_of_an_entry_is_the_entry():
    text = (
        "1.1 One.\n\n1.2 Two.\n\n1.3 Three.\n\nGlossary\n\nKick, Kicked\nA cost. See Lamps.\n\nLamp\nBurns. See Kick.\n"
    )
    assert sentences(text) == []


def test_a_circle_of_precedence_is_an_error_and_one_of_references_is_normal():
    text = "1.1 This overrides rule 1.2.\n\n1.2 This overrides rule 1.1.\n\n1.3 See rule 1.4.\n\n1.4 See rule 1.3.\n"
    found = lint(rulebook.parse([("b.txt", text)]))
    assert [(each.severity, each.sentence()) for each in found] == [
        ("error", "1.1, 1.2 override one another in a circle, so none of them decides."),
        ("info", "1.1, 1.2 refer to one another."),
        ("info", "1.3, 1.4 refer to one another."),
    ]


def test_a_step_is_named_as_one():
    text = "(3.14) А\n\nСм. Шаг 6.\n\n(3.15) Б\n\nТекст.\n"
    assert sentences(text, lang="ru") == [
        "3: 3.14 ссылается на шаг 6 («Шаг 6»), чего нет в этом тексте; возможно, есть в другом."
    ]


@pytest.mark.parametrize("code", sorted(SENTENCES))
def test_every_finding_has_a_sentence_in_both_languages(code):
    severity, english, russian = SENTENCES[code]
    assert severity in ("error", "warning", "info")
    fields = [{part.split("}")[0] for part in words.split("{")[1:]} for words in (english, russian)]
    assert fields[1] <= fields[0]
    assert english.endswith(".")
    assert russian.endswith(".")
