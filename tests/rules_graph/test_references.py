from __future__ import annotations

import pytest

from rules_graph import rulebook

BODY = "\n\n".join(
    [
        *("7. Rules", "704. Actions", "704.5. The actions are these."),
        *(f"704.5{letter} Action {letter} happens." for letter in "abcdefghijkmn"),
        *("705. Coins", "705.1. A coin is flipped.", "705.2. A coin is called.", "705.3. A coin lands."),
    ]
)


def found(sentence: str) -> list[str]:
    """Return what a sentence of rule 705.9 refers to."""
    book = rulebook.parse([("b.txt", f"{BODY}\n\n705.9. {sentence}\n")])
    return [each.wanted for each in book.references if each.source == "705.9"]


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("See rule 704.5a.", ["704.5a"]),
        ("See rules 704.5a and 705.1.", ["704.5a", "705.1"]),
        ("See rules 704.5a, 705.1, and 705.2.", ["704.5a", "705.1", "705.2"]),
        ("See rule 704.5a; rule 705.1, and rule 705.2.", ["704.5a", "705.1", "705.2"]),
        ("See rules 704.5a–d.", ["704.5a", "704.5b", "704.5c", "704.5d"]),
        ("See rules 704.5j-n.", ["704.5j", "704.5k", "704.5m", "704.5n"]),
        ("See rules 705.1 through 705.3.", ["705.1", "705.2", "705.3"]),
        ("See rules 704.5a–704.5c.", ["704.5a", "704.5b", "704.5c"]),
        ("See rules 704.5a–b, 705.1, and 705.2.", ["704.5a", "704.5b", "705.1", "705.2"]),
        ("See rules 704.5a, c, and d.", ["704.5a", "704.5c", "704.5d"]),
        ("This follows 705.1 closely.", ["705.1"]),
        ("See rule 705, “Coins.”", ["705"]),
        ("See section 7, “Rules.”", ["7"]),
        ("See rule 705.1, a coin is flipped.", ["705.1"]),
        ("A prize of 704 coins and 12.5 lamps.", []),
        ("A prize of 999.9 coins.", []),
        ("Call 704.5apple.", []),
    ],
)
def test_english_forms(sentence, wanted):
    assert found(sentence) == wanted


def russian(sentence: str) -> list[tuple[str, str]]:
    body = "\n\n".join(f"(3.{n}) Правило {n}\n\nТекст правила." for n in range(13, 21))
    book = rulebook.parse([("b.txt", f"{body}\n\n(3.40) Проверка\n\n{sentence}\n")])
    return [(each.form, each.wanted) for each in book.references]


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("Это описано в п. 3.14.", [("single", "3.14")]),
        ("См. пп. 3.14 и 3.16.", [("list", "3.14"), ("list", "3.16")]),
        ("См. пункты 3.14–3.16.", [("range", "3.14"), ("range", "3.15"), ("range", "3.16")]),
        ("Согласно 3.14, карта неуязвима.", [("single", "3.14")]),
        ("По правилу 3.14 карта неуязвима.", [("single", "3.14")]),
        ("Карта неуязвима (3.14).", [("single", "3.14")]),
        ("На Шаге 6 карта уходит.", [("step", "6")]),
        ("Она сыграна на Шаге 1,2 или 5.", [("step", "1"), ("step", "2"), ("step", "5")]),
        ("См. раздел 3.", [("section", "3")]),
        ("Возьмите 2.5 монеты.", []),
    ],
)
def test_russian_forms(sentence, wanted):
    assert russian(sentence) == wanted


@pytest.mark.parametrize(
    ("sentence", "kind", "words"),
    [
        ("This is an exception to rule 705.1.", "overrides", "exception to"),
        ("This overrides rule 705.1.", "overrides", "overrides"),
        ("This takes precedence over rule 705.1.", "overrides", "takes precedence over"),
        ("Notwithstanding rule 705.1, it lands.", "overrides", "Notwithstanding"),
        ("It lands, except as described in rule 705.1.", "overridden", "except as"),
        ("It lands unless rule 705.1 says otherwise.", "overridden", "unless"),
        ("It is subject to rule 705.1.", "overridden", "subject to"),
        ("It is overridden by rule 705.1.", "overridden", "overridden by"),
        ("See rule 705.1.", "refers", ""),
        ("It lands unless called. See rule 705.1.", "refers", ""),
    ],
)
def test_words_of_precedence_become_edges_with_the_words_as_evidence(sentence, kind, words):
    book = rulebook.parse([("b.txt", f"{BODY}\n\n705.9. {sentence}\n")])
    [reference] = [each for each in book.references if each.source == "705.9"]
    assert (reference.kind, reference.trigger) == (kind, words)


def test_russian_words_of_precedence():
    body = "(3.14) Раз\n\nТекст.\n\n(3.15) Два\n\n"
    for sentence, kind in [
        ("Это исключение из правила 3.14.", "overrides"),
        ("Несмотря на п. 3.14, карта уходит.", "overrides"),
        ("Карта уходит, кроме случаев из п. 3.14.", "overridden"),
        ("Если не указано иного в п. 3.14, карта уходит.", "overridden"),
    ]:
        book = rulebook.parse([("b.txt", body + sentence)])
        assert [each.kind for each in book.references] == [kind], sentence


def test_duties_are_tagged_with_their_words_and_lines():
    text = "1.1 A player must draw.\n\n1.2 A card can’t move, unless it may.\n\n1.3 Put it aside instead.\n"
    book = rulebook.parse([("b.txt", text)])
    assert [(tag.provision, tag.meaning, tag.words, tag.line) for tag in book.tags] == [
        ("1.1", "obligation", "must", 1),
        ("1.2", "prohibition", "can’t", 3),
        ("1.2", "permission", "may", 3),
        ("1.2", "exception", "unless", 3),
        ("1.3", "replacement", "instead", 5),
    ]


def test_russian_duties():
    text = (
        "(1.1) А\n\nИгрок обязан взять карту.\n\n(1.2) Б\n\n"
        "Карта не может уйти, если не указано иного.\n\n(1.3) В\n\n"
        "Вместо этого игрок может пасовать.\n"
    )
    book = rulebook.parse([("b.txt", text)])
    assert [(tag.provision, tag.meaning) for tag in book.tags] == [
        ("1.1", "obligation"),
        ("1.2", "prohibition"),
        ("1.2", "exception"),
        ("1.3", "permission"),
        ("1.3", "replacement"),
    ]


def test_a_reference_in_an_example_is_marked(lanterns):
    example = next(each for each in lanterns.references if each.wanted == "101.3")
    assert example.example


def test_see_also_leads_from_term_to_term(lanterns):
    found = [(each.source, each.target) for each in lanterns.references if each.form == "see_also"]
    assert found == [("term:Lamp", "term:Oil"), ("term:Oil", "term:Lamp")]
