"""Rulebooks written by a generator import to what was written."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.errors import RulebookError
from rules_graph import rulebook, textgraph
from rules_graph.draw import files
from rules_graph.lint import lint

NOUNS = ["lamp", "wick", "player", "oil", "match", "flame", "shadow", "moth"]
VERBS = ["burns", "waits", "falls", "moves", "glows", "rests"]
LETTERS = "abcdefghijkmnpq"


@dataclass
class Written:
    """What the generator wrote: numbers in order, and who refers to whom."""

    numbers: list[str] = field(default_factory=list)
    references: list[tuple[str, str]] = field(default_factory=list)
    sentences: dict[str, str] = field(default_factory=dict)
    examples: dict[str, int] = field(default_factory=dict)


@st.composite
def written(draw):
    book = Written()
    for section in range(1, draw(st.integers(1, 3)) + 1):
        for chapter in range(draw(st.integers(1, 3))):
            top = f"{section}{chapter:02d}"
            for rule in range(1, draw(st.integers(1, 4)) + 1):
                book.numbers.append(f"{top}.{rule}")
                book.numbers += [f"{top}.{rule}{LETTERS[n]}" for n in range(draw(st.integers(0, 3)))]
    for number in book.numbers:
        noun, verb, other = (draw(st.sampled_from(words)) for words in (NOUNS, VERBS, VERBS))
        sentence = f"The {noun} {verb} and {other} there."
        targets = draw(st.lists(st.sampled_from(book.numbers), max_size=3, unique=True))
        targets = [each for each in targets if each != number]
        if targets:
            listed = targets[0] if len(targets) == 1 else ", ".join(targets[:-1]) + " and " + targets[-1]
            sentence += f" See rule{'s' if len(targets) > 1 else ''} {listed}."
            book.references += [(number, target) for target in targets]
        book.sentences[number] = sentence
        book.examples[number] = draw(st.integers(0, 2))
    return book


def manner_of_magic(book: Written, *, contents: bool, crlf: bool) -> str:
    titles, rules = [], []
    seen = set()
    for number in book.numbers:
        for above, kind in ((number[0], "Section"), (number[:3], "Chapter")):
            if above not in seen:
                seen.add(above)
                titles.append(f"{above}. {kind} {above}")
                rules += [titles[-1], ""]
        dot = "" if number[-1].isalpha() else "."
        rules.append(f"{number}{dot} {book.sentences[number]}")
        rules += ["Example: The moth of Anna glows." for _ in range(book.examples[number])]
        rules.append("")
    lines = ["Contents", "", *titles, "", *rules] if contents else rules
    return ("\r\n" if crlf else "\n").join(lines)


@settings(max_examples=60, deadline=None)
@given(written(), st.booleans(), st.booleans(), st.sampled_from(["utf-8", "utf-16", "cp1252"]))
def test_the_manner_of_magic(tmp_path_factory, book, contents, crlf, codec):
    path = tmp_path_factory.mktemp("book") / "book.txt"
    path.write_bytes(manner_of_magic(book, contents=contents, crlf=crlf).encode(codec))
    read = rulebook.read([path], profile="mtg")
    rules = [each for each in read if "." in each.number]
    assert [each.id for each in rules] == book.numbers
    assert {each.number: each.text for each in rules} == book.sentences
    assert {each.number: len(each.examples) for each in rules} == book.examples
    assert [(each.source, each.target) for each in read.references] == book.references
    graph = textgraph.graph(read)
    assert files.from_json(files.to_json(graph)).number_of_edges() == graph.number_of_edges()


def decimal(book: Written, width: int) -> tuple[str, dict[str, str]]:
    """Write the book with decimal numbers, its lines broken at a width."""
    new = {number: f"{number[0]}.{int(number[1:3]) + 1}.{place}" for place, number in enumerate(book.numbers, 1)}
    blocks = []
    for number in book.numbers:
        sentence = book.sentences[number]
        for old in sorted(book.numbers, key=len, reverse=True):
            sentence = sentence.replace(f" {old}", f" @{new[old]}@")
        sentence = sentence.replace("@", "")
        # a long first part, so that the width matters
        filler = "It is known to all that this is so, wherever and whenever it may happen to anybody."
        blocks.append("\n".join(textwrap.wrap(f"{new[number]} {filler} {sentence}", width, break_on_hyphens=False)))
    return "\n\n".join(blocks) + "\n", new


@settings(max_examples=60, deadline=None)
@given(written(), st.integers(44, 90))
def test_decimal_numbers_in_wrapped_lines(book, width):
    text, new = decimal(book, width)
    read = rulebook.parse([("wrapped.txt", text)], profile="decimal")
    assert [each.id for each in read] == [new[number] for number in book.numbers]
    assert [(each.source, each.target) for each in read.references] == [(new[a], new[b]) for a, b in book.references]


@settings(max_examples=40, deadline=None)
@given(written(), st.sampled_from(["utf-8", "cp1251", "utf-16-le"]))
def test_russian_numbers_in_parentheses(tmp_path_factory, book, codec):
    new = {number: f"{number[0]}.{place}" for place, number in enumerate(book.numbers, 10)}
    references: dict[str, list[str]] = {}
    for one, other in book.references:
        references.setdefault(one, []).append(other)
    blocks = []
    for number in book.numbers:
        named = [new[each] for each in references.get(number, [])]
        said = f" См. {'пп.' if len(named) > 1 else 'п.'} {' и '.join(named)}." if named else ""
        blocks += [f"({new[number]}) Правило о лампе", f"Лампа горит, пока есть масло.{said}"]
    path = tmp_path_factory.mktemp("книга") / "книга.txt"
    path.write_bytes("\n\n".join(blocks).encode(codec))
    read = rulebook.read([path], profile="parens")
    assert [each.id for each in read] == list(new.values())
    assert [(each.source, each.target) for each in read.references] == [(new[a], new[b]) for a, b in book.references]


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300), st.sampled_from(["", "mtg", "fab", "parens", "berserk", "decimal"]))
def test_any_bytes_are_read_or_refused_in_one_sentence(tmp_path_factory, data, profile):
    path = tmp_path_factory.mktemp("bytes") / "book.txt"
    path.write_bytes(data)
    try:
        rulebook.read([path], profile=profile)
    except RulebookError as refusal:
        assert str(refusal).startswith("book.txt: ")
        assert "\n" not in str(refusal)


@settings(max_examples=100, deadline=None)
@given(
    st.text(st.sampled_from("1.23ab()–- \n\n#*>@[]:“”Sseruleи п.См"), max_size=400),
    st.sampled_from(["mtg", "fab", "parens", "berserk", "decimal"]),
)
def test_whatever_is_read_has_lines_and_parents_that_exist(text, profile):
    try:
        book = rulebook.parse([("b", text)], profile=profile)
    except RulebookError:
        return
    last = text.count("\n") + 1
    for each in book:
        assert each.parent == "" or each.parent in book.by_id
        assert all(1 <= part.line <= last for part in each.paragraphs)
    assert all(each.source in book.by_id and 1 <= each.line <= last for each in book.references)
    graph = textgraph.graph(book)
    for finding in lint(book):
        assert finding.sentence("en")
        assert finding.sentence("ru")
    assert files.from_json(files.to_json(graph)).number_of_nodes() == graph.number_of_nodes()
