"""From the words of a rule to references: numbers, lists, ranges, sections, steps, links, “see also”.

A reference is looked for in two passes, since “see rule 3.14” may stand before 3.14: the first finds the
words, the second says which provision they mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules_graph import numbering
from rules_graph.model import Paragraph, Provision, Reference, Tag
from rules_graph.profile import Lexicon, Profile

__all__ = ["Finder", "Index", "tags_of"]

_QUOTED = r"[“\"«„](?P<title>[^”\"»“]{2,80}?)[,.;]?[”\"»“]"
_CLAUSE_END = re.compile(r"[.;!?](?:\s|$)|[.;!?][”\"»)](?:\s|$)")
_OPENS = "A-ZА-ЯЁ"
_REACH = 90


@dataclass(frozen=True)
class _Hit:
    """A reference's words in a paragraph, before anybody knows whether its target exists."""

    start: int
    end: int
    wanted: str
    form: str
    title: str = ""


class Index:
    """What a book holds, by number, step, anchor and term."""

    def __init__(self, provisions: Sequence[Provision], profile: Profile) -> None:
        self.profile = profile
        self.numbers: dict[str, str] = {}
        self.steps: dict[str, str] = {}
        self.anchors: dict[str, str] = {}
        self.terms: dict[str, str] = {}
        self.siblings: dict[str, list[tuple[int, str]]] = {}
        for provision in provisions:
            if provision.kind == "step":
                self.steps.setdefault(provision.number, provision.id)
            elif provision.number:
                self.numbers.setdefault(provision.number, provision.id)
            if provision.anchor:
                self.anchors.setdefault(provision.anchor, provision.id)
            if provision.kind == "term":
                for name in _names(provision.title):
                    self.terms.setdefault(name, provision.id)
        self.families = {numbering.parts(number)[0] for number in self.numbers}
        for number in self.numbers:
            place = numbering.ordinal(numbering.parts(number)[-1], profile.skip_letters)
            self.siblings.setdefault(numbering.stem(number), []).append((place, number))
        for row in self.siblings.values():
            row.sort()

    def term(self, words: str) -> str:
        """Return the id of the term that `words` name, empty where there is none."""
        name = _plain(words)
        return self.terms.get(name) or self.terms.get(name.removesuffix("s")) or self.terms.get(name + "s") or ""

    def span(self, first: str, last: str) -> tuple[str, ...]:
        """Return the numbers from `first` to `last` that stand side by side in the book, ends included."""
        if numbering.stem(first) != numbering.stem(last):
            return (first, last)
        low, high = (numbering.ordinal(numbering.parts(end)[-1], self.profile.skip_letters) for end in (first, last))
        inner = [number for place, number in self.siblings.get(numbering.stem(first), []) if low < place < high]
        return (first, *inner, last)


def _plain(words: str) -> str:
    return re.sub(r"[^\w ]+", "", words.casefold()).strip().replace("ё", "е")


def _names(title: str) -> Iterator[str]:
    """Yield the ways in which an entry may be named: whole, and without what it adds in parentheses."""
    yield _plain(title)
    if "," in title:
        yield from (_plain(part) for part in title.split(","))
    bare = re.sub(r"\([^)]*\)", "", title)
    bare = re.sub(r"\s+(?:на\s+)?[XХxх]$", "", bare.strip())
    yield _plain(bare)
    for inner in re.findall(r"\(([^)]*)\)", title):
        yield _plain(inner)


class Finder:
    """Finds the references in the paragraphs of one book."""

    def __init__(self, profile: Profile, lexicon: Lexicon, index: Index) -> None:
        self.profile, self.lexicon, self.index = profile, lexicon, index
        number, until, join = profile.number, lexicon.until, lexicon.join
        # a range's other end: a whole number, a letter (704.5d–g) or a bare last part (3.14–16)
        other = rf"(?:{number}(?![\w])|[a-z](?![\w’'])|\d{{1,3}}(?![\w.]))"
        item = rf"(?<![\w.])(?:{number})(?![\w])(?:(?:{until}){other})?"
        # what comes after the first: a whole item, or a letter alone (704.5a, c, and d)
        more = rf"(?:{item}|(?<=[ ,])[b-z](?=[,.;)]|\s+(?:and|or|и|или)\b))"
        self.rules = re.compile(
            rf"(?:(?P<lead>(?<![\w])(?:{lexicon.lead}))\s*)?\(?"
            rf"(?P<list>{item}(?:(?:{join}){more})*)\)?(?:,?\s+\(?{_QUOTED})?",
            re.IGNORECASE,
        )
        self.item = re.compile(
            rf"(?P<first>{number})(?:(?:{until})(?P<last>{number}|[a-z](?!\w)|\d{{1,3}}(?![\w.])))?|(?P<letter>(?<!\w)[b-z](?!\w))"
        )
        self.sections = re.compile(
            rf"(?<!\w)(?:{lexicon.section})\s+(?P<list>(?:{profile.section_number})(?![.\d]*\d)"
            rf"(?:(?:{join})(?:{profile.section_number})(?![.\d]*\d))*)(?:,?\s+\(?{_QUOTED})?",
            re.IGNORECASE,
        )
        step = r"\d{1,2}(?![.\d]*\d)"
        self.steps = re.compile(
            rf"(?<!\w)(?:{lexicon.step})\.?\s+(?P<list>{step}(?:(?:{join}|\s*[,–-]\s*){step})*)",
            re.IGNORECASE,
        )
        self.see = re.compile(rf"(?<!\w)(?i:{lexicon.see_also})\s+(?P<words>[{_OPENS}][^.;()]*)")
        self.link = re.compile(profile.link) if profile.link else None
        self.precedence = tuple(
            (re.compile(rf"(?<!\w)(?:{rule.pattern})(?!\w)", re.IGNORECASE), rule.winner) for rule in lexicon.precedence
        )

    def find(self, provision: Provision) -> Iterator[Reference]:
        """Yield the references of one provision, in the order of its text."""
        for paragraph in provision.paragraphs:
            seen: set[tuple[str, str, int]] = set()
            for hit in sorted(self._hits(provision, paragraph), key=lambda found: found.start):
                key = (hit.wanted, hit.form, hit.start)
                if key not in seen:
                    seen.add(key)
                    yield self._reference(provision, paragraph, hit)

    def _reference(self, provision: Provision, paragraph: Paragraph, hit: _Hit) -> Reference:
        made = Reference(
            source=provision.id,
            wanted=hit.wanted,
            target=self._target(hit),
            form=hit.form,
            line=paragraph.line_at(hit.start),
            words=paragraph.text[hit.start : hit.end].strip(" ()"),
            title=hit.title,
            example=paragraph.example,
        )
        winner, words = self._trigger(paragraph.text, hit)
        if winner and hit.form not in ("see_also", "step"):
            return replace(made, kind="overrides" if winner == "source" else "overridden", trigger=words)
        return made

    def _target(self, hit: _Hit) -> str:
        if hit.form == "see_also":
            return self.index.term(hit.wanted)
        if hit.form == "step":
            return self.index.steps.get(hit.wanted, "")
        if hit.form == "anchor":
            return self.index.anchors.get(hit.wanted, "")
        return self.index.numbers.get(hit.wanted, "")

    def _hits(self, provision: Provision, paragraph: Paragraph) -> Iterator[_Hit]:
        text = paragraph.text
        if self.link:
            for found in self.link.finditer(text):
                yield _Hit(found.start(), found.end(), found["anchor"], "anchor")
        for found in self.rules.finditer(text):
            yield from self._numbers(found)
        for found in self.sections.finditer(text):
            for inner in re.finditer(self.profile.section_number, found["list"]):
                yield _Hit(found.start(), found.end(), inner[0], "section", found["title"] or "")
        for found in self.steps.finditer(text):
            for inner in re.finditer(r"\d+", found["list"]):
                yield _Hit(found.start(), found.end(), inner[0], "step")
        if provision.kind == "term":
            yield from self._see_also(text)

    def _numbers(self, found: re.Match[str]) -> Iterator[_Hit]:
        """Take a list of numbers apart, ranges included."""
        listed, title = found["list"], found["title"] or ""
        items = list(self.item.finditer(listed))
        lead = found["lead"]
        if not lead and not ("." in listed and all(self._plausible(item["first"]) for item in items)):
            return
        above = ""
        for item in items:
            if item["letter"]:
                yield _Hit(found.start(), found.end(), numbering.stem(above) + item["letter"], "list")
                continue
            above = item["first"]
            if item["last"]:
                last = self._range_end(above, item["last"])
                for number in self.index.span(above, last):
                    yield _Hit(found.start(), found.end(), number, "range")
            else:
                quoted = title if item is items[-1] else ""
                yield _Hit(found.start(), found.end(), above, "list" if len(items) > 1 else "single", quoted)

    def _plausible(self, number: str | None) -> bool:
        """Tell whether a number without a word before it is a reference and not a quantity."""
        if number is None or self.profile.bare == "known":
            return number is None or number in self.index.numbers
        return self.profile.bare == "family" and numbering.parts(number)[0] in self.index.families

    def _range_end(self, first: str, last: str) -> str:
        """Complete the end of a range: ``704.5d–g`` ends at 704.5g, ``3.14–16`` at 3.16."""
        if last.isalpha():
            own = numbering.parts(first)[-1]
            return (numbering.stem(first) if isinstance(own, str) else first) + last
        if last.isdigit() and "." in first:
            return f"{numbering.stem(first)}.{last}"
        return last

    def _see_also(self, text: str) -> Iterator[_Hit]:
        """Find the terms that an entry of the glossary sends the reader to."""
        for found in self.see.finditer(text):
            words = found["words"].strip()
            if self.rules.match(words) and re.match(self.lexicon.lead, words, re.IGNORECASE):
                continue
            if self.index.term(words):
                yield _Hit(found.start(), found.end(), words, "see_also")
                continue
            for part in re.split(r",\s*(?:and\s+|и\s+)?|\s+(?:and|or|и|или)\s+", words):
                if part and re.match(f"[{_OPENS}]", part) and not re.search(r"\d", part):
                    yield _Hit(found.start(), found.end(), part.strip(' “”"«»'), "see_also")

    def _trigger(self, text: str, hit: _Hit) -> tuple[str, str]:
        """Find the words of precedence that stand before a reference in its own clause."""
        begin = max(0, hit.start - _REACH)
        before = text[begin : hit.start]
        for end in _CLAUSE_END.finditer(before):
            begin_after = end.end()
            if begin_after < len(before):
                begin = max(begin, hit.start - len(before) + begin_after)
        before = text[begin : hit.start]
        last: tuple[int, str, str] | None = None
        for pattern, winner in self.precedence:
            for found in pattern.finditer(before):
                if last is None or found.start() > last[0]:
                    last = (found.start(), winner, found[0])
        return (last[1], last[2]) if last else ("", "")


def tags_of(provision: Provision, deontic: Mapping[str, re.Pattern[str]]) -> Iterator[Tag]:
    """Yield the words of duty, permission and precedence in a provision, examples left out."""
    for paragraph in provision.paragraphs:
        if paragraph.example:
            continue
        for meaning, pattern in deontic.items():
            for found in pattern.finditer(paragraph.text):
                yield Tag(provision.id, meaning, found[0], paragraph.line_at(found.start()))
