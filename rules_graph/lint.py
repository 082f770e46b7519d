"""What is wrong with a rulebook: numbers, references, titles, terms, cycles.

Every finding has a line of the file and a sentence. What may well be right (a reference to a chapter that was
not given) is ``info``; what a reader would stumble over is ``warning``; what contradicts itself is ``error``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import networkx as nx

from rules_graph import numbering
from rules_graph.model import Provision, Reference, Rulebook

__all__ = ["Finding", "lint", "precedence_cycles"]

SEVERITIES = ("error", "warning", "info")

# One sentence a code and language; the fields in braces are the finding's `facts`.
SENTENCES: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "duplicate-number": (
            "error",
            "{number} is printed again; it stands first on line {first}.",
            "{number} напечатан повторно; впервые он стоит на строке {first}.",
        ),
        "missing-number": (
            "warning",
            "{missing} {is_are} missing before {number}.",
            "Перед {number} не хватает: {missing}.",
        ),
        "out-of-order": (
            "warning",
            "{number} comes after {before}, which should follow it.",
            "{number} стоит после {before}, хотя должен идти раньше.",
        ),
        "dangling-reference": (
            "error",
            "{source} refers to {wanted} (“{words}”), and there is no {wanted}.",
            "{source} ссылается на {wanted} («{words}»), а {wanted} не существует.",
        ),
        "reference-outside": (
            "info",
            "{source} refers to {wanted} (“{words}”), which is not in this text; it may be in another part.",
            "{source} ссылается на {wanted} («{words}»), чего нет в этом тексте; возможно, есть в другом.",
        ),
        "ambiguous-reference": (
            "warning",
            "{source} refers to {wanted}, a number that is printed {times} times.",
            "{source} ссылается на {wanted}, а этот номер напечатан раз: {times}.",
        ),
        "title-of-another": (
            "warning",
            "{source} calls {wanted} “{quoted}”, but this is the title of {other}; {wanted} is “{title}”.",
            "{source} называет {wanted} «{quoted}», но так озаглавлен {other}; {wanted} — «{title}».",
        ),
        "title-differs": (
            "warning",
            "{source} calls {wanted} “{quoted}”, but its title is “{title}”.",
            "{source} называет {wanted} «{quoted}», но его заглавие — «{title}».",
        ),
        "self-reference": (
            "warning",
            "{source} refers to itself (“{words}”).",
            "{source} ссылается на себя («{words}»).",
        ),
        "reversed-range": (
            "warning",
            "{source} names a range that runs backwards (“{words}”).",
            "{source} называет промежуток задом наперёд («{words}»).",
        ),
        "undefined-term": (
            "warning",
            "{source} sends the reader to “{wanted}”, and no entry is called so.",
            "{source} отсылает к статье «{wanted}», а такой статьи нет.",
        ),
        "precedence-cycle": (
            "error",
            "{cycle} override one another in a circle, so none of them decides.",
            "{cycle} старше друг друга по кругу, поэтому ни одно не решает.",
        ),
        "reference-cycle": (
            "info",
            "{cycle} refer to one another.",
            "{cycle} ссылаются друг на друга.",
        ),
        "implied-number": (
            "info",
            "“{title}” is printed without a number; what follows makes it {number}.",
            "«{title}» напечатано без номера; по следующим правилам это {number}.",
        ),
        "renumbered": (
            "info",
            "{number} was {old} in the older version.",
            "{number} в прежней версии — {old}.",
        ),
        "reworded": (
            "info",
            "{number} is worded anew ({share}% of the words are the same).",
            "{number} изложено заново (совпадает {share}% слов).",
        ),
        "added": ("info", "{number} is new.", "{number} добавлено."),
        "removed": ("info", "{number} of the older version is gone.", "{number} прежней версии убрано."),
        "stale-reference": (
            "warning",
            "{source} still refers to {wanted} (“{words}”), but what {wanted} was is now {now}.",
            "{source} по-прежнему ссылается на {wanted} («{words}»), но прежний {wanted} теперь {now}.",
        ),
        "stale-removed": (
            "warning",
            "{source} still refers to {wanted} (“{words}”), which was removed.",
            "{source} по-прежнему ссылается на {wanted} («{words}»), а он убран.",
        ),
        "unused-reference": (
            "info",
            "{source} refers to {target}, but the code of neither uses the other.",
            "{source} ссылается на {target}, но код одного не использует код другого.",
        ),
        "undocumented-dependency": (
            "warning",
            "The code of {source} uses what {target} writes ({evidence}), and no reference says so.",
            "Код {source} использует то, что пишет {target} ({evidence}), но ссылки на это нет.",
        ),
        "only-in-text": (
            "warning",
            "{number} stands in the text, and no rule is encoded for it.",
            "{number} есть в тексте, но не закодировано.",
        ),
        "only-in-code": (
            "info",
            "{number} is encoded, and the text does not hold it.",
            "{number} закодировано, но в тексте его нет.",
        ),
        "reference-only-in-text": (
            "warning",
            "The text of {source} refers to {target} (“{words}”), and the encoded rule does not.",
            "Текст {source} ссылается на {target} («{words}»), а закодированное правило — нет.",
        ),
        "reference-only-in-code": (
            "info",
            "The encoded {source} refers to {target}, and the text does not say so in words that we know.",
            "Закодированное {source} ссылается на {target}, а в тексте таких слов не найдено.",
        ),
        "precedence-only-in-code": (
            "info",
            "The encoded {source} overrides {target}, and the text does not say so in words that we know.",
            "Закодированное {source} старше {target}, а в тексте таких слов не найдено.",
        ),
        "number-differs": (
            "info",
            "{encoded} is printed as {printed} (“{title}”).",
            "{encoded} напечатано как {printed} («{title}»).",
        ),
    }
)


# What a bare number is called in a sentence, in English and Russian.
_FORMS = {"step": ("step", "шаг"), "section": ("section", "часть")}


@dataclass(frozen=True)
class Finding:
    """One thing worth a look.

    Parameters
    ----------
    code
        A key of ``SENTENCES``, stable for programs.
    rule
        The id of the rule concerned.
    line
        Its line in the file, 0 where it has none.
    file
        The file, empty for a book in one file.
    facts
        What the sentence is filled with.
    """

    code: str
    rule: str
    line: int
    facts: Mapping[str, str] = field(default_factory=dict)
    file: str = ""

    @property
    def severity(self) -> str:
        """``error``, ``warning`` or ``info``."""
        return SENTENCES[self.code][0]

    def sentence(self, lang: str = "en") -> str:
        """Return the finding as one sentence."""
        facts = dict(self.facts)
        names = _FORMS.get(facts.get("form", ""))
        if names:
            facts["wanted"] = f"{names[lang == 'ru']} {facts['wanted']}"
        return SENTENCES[self.code][2 if lang == "ru" else 1].format(**facts)


def lint(book: Rulebook) -> tuple[Finding, ...]:
    r"""Return what is wrong with a rulebook, in the order of its lines.

    Examples
    --------
    >>> from rules_graph.rulebook import parse
    >>> book = parse([("tiny", "1.1 See rule 1.9.\n\n1.2 Second.\n\n1.4 Fourth.\n")])
    >>> [finding.sentence() for finding in lint(book)]
    ['1.1 refers to 1.9 (“rule 1.9”), and there is no 1.9.', '1.3 is missing before 1.4.']
    """
    found = [*_numbers(book), *_references(book), *_cycles(book), *_implied(book)]
    order = {name: place for place, name in enumerate(book.files)}
    return tuple(sorted(found, key=lambda each: (order.get(each.file, 0), each.line, each.code)))


# -- numbers ---------------------------------------------------------------------------------------


def _numbers(book: Rulebook) -> Iterator[Finding]:
    """Yield numbers printed again, missing and out of order."""
    for number, those in book.by_number.items():
        ours = [each for each in those if each.kind != "step"]
        for again in ours[1:]:
            facts = {"number": number, "first": str(ours[0].line)}
            yield Finding("duplicate-number", again.id, again.line, facts, again.file)
    for siblings in _siblings(book).values():
        yield from _gaps(book, siblings)


def _siblings(book: Rulebook) -> dict[tuple[str, str], list[Provision]]:
    """Group the numbered provisions that follow one another: the same stem, the same kind of part."""
    groups: dict[tuple[str, str], list[Provision]] = {}
    for provision in book.provisions:
        if provision.number and provision.kind in ("rule", "section", "heading") and not provision.implied:
            parts = numbering.parts(provision.number)
            above = numbering.stem(provision.number)
            if not above and len(provision.number) == 3:
                above = f"{provision.number[0]}00"
            groups.setdefault((above, type(parts[-1]).__name__ if len(parts) > 1 else "top"), []).append(provision)
    return groups


def _gaps(book: Rulebook, siblings: list[Provision]) -> Iterator[Finding]:
    highest = siblings[0]
    yield from _missing_start(book, siblings[0])
    for provision in siblings[1:]:
        before, here = (numbering.parts(each.number)[-1] for each in (highest, provision))
        low, high = (numbering.ordinal(part, book.skip_letters) for part in (before, here))
        if 0 < high < low:
            facts = {"number": provision.number, "before": highest.number}
            yield Finding("out-of-order", provision.id, provision.line, facts, provision.file)
            continue
        gap = numbering.successor_gap(before, here, book.skip_letters)
        if gap and not any(_number_like(provision.number, part) in book.by_number for part in gap):
            yield _missing(provision, gap)
        highest = provision


def _missing_start(book: Rulebook, first: Provision) -> Iterator[Finding]:
    """Yield what is missing before the first of a row, where its parent is there to say that a row begins."""
    parts = numbering.parts(first.number)
    above = numbering.stem(first.number)
    place = numbering.ordinal(parts[-1], book.skip_letters)
    if above in book.by_number and len(parts) > 1 and 1 < place < 50:
        start: int | str = 0 if isinstance(parts[-1], int) else ""
        if isinstance(start, int):
            yield _missing(first, tuple(range(1, place)))
        else:
            yield _missing(first, tuple(numbering.letters(each, book.skip_letters) for each in range(place - 1)))


def _number_like(number: str, last: int | str) -> str:
    """Return `number` with another last part."""
    above = numbering.stem(number)
    join = "." if above and isinstance(last, int) else ""
    return f"{above}{join}{last}"


def _missing(after: Provision, gap: tuple[int | str, ...]) -> Finding:
    names = [_number_like(after.number, part) for part in gap]
    listed = names[0] if len(names) == 1 else f"{names[0]}–{names[-1]}" if len(names) > 2 else ", ".join(names)
    facts = {"number": after.number, "missing": listed, "is_are": "is" if len(names) == 1 else "are"}
    return Finding("missing-number", after.id, after.line, facts, after.file)


def _implied(book: Rulebook) -> Iterator[Finding]:
    for provision in book.provisions:
        if provision.implied:
            facts = {"title": provision.title, "number": provision.number}
            yield Finding("implied-number", provision.id, provision.line, facts, provision.file)


# -- references ------------------------------------------------------------------------------------


def _references(book: Rulebook) -> Iterator[Finding]:
    titles = _titles(book)
    outside: set[tuple[str, str]] = set()
    for reference in book.references:
        source = book.by_id[reference.source]
        facts = {"source": _name(source), "wanted": reference.wanted, "words": reference.words}
        facts["form"] = reference.form
        if not reference.target:
            code = _absent(book, reference)
            if code == "reference-outside":
                # one finding for all places that name the same part: the part is what is absent
                if (reference.form, reference.wanted) in outside:
                    continue
                outside.add((reference.form, reference.wanted))
            yield Finding(code, source.id, reference.line, facts, source.file)
            continue
        twice = len(book.by_number.get(reference.wanted, ())) if reference.form != "step" else 1
        if twice > 1:
            yield Finding("ambiguous-reference", source.id, reference.line, facts | {"times": str(twice)}, source.file)
        if reference.target == source.id:
            yield Finding("self-reference", source.id, reference.line, facts, source.file)
        if reference.title:
            yield from _title(book, reference, titles)
    yield from _reversed(book)


def _name(provision: Provision) -> str:
    """Return the words that a sentence calls a provision by: its number, else its title in quotes."""
    return provision.id if provision.number else f"“{provision.title}”"


def _absent(book: Rulebook, reference: Reference) -> str:
    """Tell a reference to nothing from one that leaves the text that was given.

    A number whose family (the first part of 309.2) is nowhere in the text lies outside; a fragment, or one
    chapter of several, refers to much that it does not hold.
    """
    if reference.form == "see_also":
        return "undefined-term"
    if reference.form == "anchor":
        return "reference-outside"
    if reference.form == "step":
        return "dangling-reference" if book.count("step") else "reference-outside"
    families = {numbering.parts(number)[0] for number in book.by_number}
    parts = numbering.parts(reference.wanted)
    return "dangling-reference" if parts and parts[0] in families else "reference-outside"


def _titles(book: Rulebook) -> dict[str, list[Provision]]:
    titles: dict[str, list[Provision]] = {}
    for provision in book.provisions:
        if provision.title and provision.kind != "term":
            titles.setdefault(_plain(provision.title), []).append(provision)
    return titles


def _plain(title: str) -> str:
    return " ".join("".join(char if char.isalnum() else " " for char in title.casefold()).split())


def _title(book: Rulebook, reference: Reference, titles: Mapping[str, list[Provision]]) -> Iterator[Finding]:
    """Compare a quoted title with the title of the rule that is named beside it."""
    target, source = book.by_id[reference.target], book.by_id[reference.source]
    quoted = _plain(reference.title)
    if not target.title or quoted == _plain(target.title):
        return
    facts = {
        "source": _name(source),
        "wanted": reference.wanted,
        "quoted": reference.title,
        "title": target.title,
        "words": reference.words,
    }
    others = [each for each in titles.get(quoted, ()) if each.id != target.id]
    if others:
        facts["other"] = ", ".join(each.id for each in others)
        yield Finding("title-of-another", source.id, reference.line, facts, source.file)
    else:
        yield Finding("title-differs", source.id, reference.line, facts, source.file)


def _reversed(book: Rulebook) -> Iterator[Finding]:
    """Yield ranges whose end comes before their beginning."""
    spans: dict[tuple[str, int, str], list[Reference]] = {}
    for reference in book.references:
        if reference.form == "range":
            spans.setdefault((reference.source, reference.line, reference.words), []).append(reference)
    for (source, line, words), row in spans.items():
        if len(row) == 2 and numbering.sort_key(row[1].wanted) < numbering.sort_key(row[0].wanted):
            provision = book.by_id[source]
            yield Finding("reversed-range", source, line, {"source": _name(provision), "words": words}, provision.file)


# -- cycles ----------------------------------------------------------------------------------------


def precedence_cycles(pairs: Mapping[str, set[str]]) -> tuple[tuple[str, ...], ...]:
    """Return the sets of rules that beat one another in a circle; `pairs` maps a rule to those it beats."""
    made: nx.DiGraph[str] = nx.DiGraph()
    made.add_edges_from((source, target) for source, targets in pairs.items() for target in sorted(targets))
    parts = nx.strongly_connected_components(made)
    return tuple(
        tuple(sorted(part, key=numbering.sort_key))
        for part in parts
        if len(part) > 1 or any(made.has_edge(rule, rule) for rule in part)
    )


def _cycles(book: Rulebook) -> Iterator[Finding]:
    """Yield the circles of precedence, and those of plain references, which are common and harmless."""
    beats: dict[str, set[str]] = {}
    refers: dict[str, set[str]] = {}
    for reference in book.references:
        if not reference.target or reference.target == reference.source:
            continue
        if reference.kind == "overrides":
            beats.setdefault(reference.source, set()).add(reference.target)
        elif reference.kind == "overridden":
            beats.setdefault(reference.target, set()).add(reference.source)
        if reference.form != "see_also":
            refers.setdefault(reference.source, set()).add(reference.target)
    for code, pairs in (("precedence-cycle", beats), ("reference-cycle", refers)):
        for cycle in precedence_cycles(pairs):
            first = min((book.by_id[rule] for rule in cycle), key=lambda each: each.line)
            names = ", ".join(_name(book.by_id[rule]) for rule in cycle)
            yield Finding(code, first.id, first.line, {"cycle": names}, first.file)
