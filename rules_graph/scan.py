"""From lines to provisions: what begins a rule, what goes on, what is an example, what is left out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import yaml

from rules_graph import numbering
from rules_graph.model import Paragraph, Provision, Skipped
from rules_graph.profile import Heading, Lexicon, Profile

__all__ = ["Scan", "scan"]

_LEADERS = re.compile(r"(?:\.\s?){4,}\s*\d*\s*$|…+\s*\d+\s*$|\t+\d+\s*$")
_SENTENCE_END = re.compile(r"[.!?:;…)”\"»’]\s*$")
_BULLET = re.compile(r"^\s*(?:[*•·–-]|\d{1,2}\)|[A-Za-zА-я]\))\s+")
_ENTRY = re.compile(r"^(?:\*\*)?(?P<title>[^:–—*.]{2,60}?)(?:\*\*)?(?::(?:\*\*)?| [–—]) (?P<text>\S.*)$")
PREFACE = "(before the first rule)"
_RUN_OF_TITLES = 5
_WRAP_WIDTH = 110

_Numbered = Callable[[str], str]


@dataclass
class _Draft:
    """A provision while its lines are still being collected."""

    kind: str
    line: int
    number: str = ""
    title: str = ""
    anchor: str = ""
    implied: bool = False
    blocks: list[tuple[bool, list[tuple[int, str]]]] = field(default_factory=list)
    id: str = ""
    parent: str = ""
    under: _Draft | None = None

    def add(self, line: int, text: str, *, example: bool, joins: bool) -> None:
        """Add a line, to the last paragraph where it `joins` it."""
        if joins and self.blocks and self.blocks[-1][0] == example:
            self.blocks[-1][1].append((line, text))
        else:
            self.blocks.append((example, [(line, text)]))

    def paragraphs(self) -> tuple[Paragraph, ...]:
        made = []
        for example, pieces in self.blocks:
            offset, starts, words = 0, [], []
            for line, text in pieces:
                starts.append((offset, line))
                words.append(text)
                offset += len(text) + 1
            made.append(Paragraph(" ".join(words), tuple(starts), example))
        return tuple(made)


@dataclass(frozen=True)
class Scan:
    """What one file holds: provisions in the order of the file, and the lines that were left out."""

    provisions: tuple[Provision, ...]
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...]


def scan(text: str, profile: Profile, lexicon: Lexicon, *, file: str = "", chapter: int = 1) -> Scan:
    r"""Read the provisions of one decoded file.

    Parameters
    ----------
    text
        The decoded text, lines ended by ``\n``.
    profile, lexicon
        How the book prints its rules, and the words of its language.
    file
        The name that provisions carry where a book has several files.
    chapter
        The number of the first chapter where numbers are derived and the front matter names none.
    """
    return _Scanner(text.split("\n"), profile, lexicon, file, chapter).run()


class _Scanner:
    """One pass over the lines of one file."""

    def __init__(self, lines: list[str], profile: Profile, lexicon: Lexicon, file: str, chapter: int) -> None:
        self.lines, self.profile, self.file = lines, profile, file
        self.wrap = re.compile(lexicon.wrap, re.IGNORECASE)
        self.example, self.noise = re.compile(profile.example), re.compile(profile.noise)
        self.glossary, self.end = re.compile(profile.glossary), re.compile(profile.end)
        self.anchor = re.compile(r"\s*" + profile.anchor + r"\s*") if profile.anchor else None
        self.levels = {level.depth: level for level in profile.levels}
        self.counters: dict[int, int] = {}
        self.numbers: dict[int, str] = {}
        self.chapter = chapter
        self.wrapped = _is_wrapped(lines)
        self.drafts: list[_Draft] = []
        self.skipped: list[Skipped] = []
        self.notes: list[str] = []

    def run(self) -> Scan:
        first = self._front_matter()
        hidden = _contents(self.lines, first, self._numbered, re.compile(self.profile.contents))
        if hidden:
            self.skipped.append(Skipped("table of contents", hidden[0] + 1, hidden[1]))
        self._body(first, hidden)
        self._implied_numbers()
        self._name()
        made = tuple(self._finish(draft) for draft in self.drafts)
        return Scan(made, tuple(sorted(self.skipped, key=lambda gap: gap.first)), tuple(self.notes))

    # -- the lines ---------------------------------------------------------------------------------

    def _front_matter(self) -> int:
        """Read Markdown's front matter and return the index of the line after it."""
        if self.profile.markup != "markdown" or self.lines[0].strip() != "---":
            return 0
        for index in range(1, len(self.lines)):
            if self.lines[index].strip() == "---":
                try:
                    matter = yaml.safe_load("\n".join(self.lines[1:index]))
                except yaml.YAMLError:
                    matter = None
                    self.notes.append(f"{self.file}: the front matter is not YAML and was not used")
                if isinstance(matter, dict) and isinstance(matter.get("chapter"), int):
                    self.chapter = matter["chapter"]
                self.skipped.append(Skipped("front matter", 1, index + 1))
                return index + 1
        return 0

    def _body(self, first: int, hidden: tuple[int, int] | None) -> None:
        blank, in_glossary = True, False
        index = first
        while index < len(self.lines):
            if hidden and hidden[0] <= index < hidden[1]:
                index, blank = hidden[1], True
                continue
            line = self.lines[index].strip()
            index += 1
            if not line:
                blank = True
                continue
            if self.noise.search(line) or (_LEADERS.search(line) and self._match(line)):
                self.skipped.append(Skipped("page furniture", index, index, line))
                continue
            if self.end.search(line):
                self._rest(index)
                return
            if self.glossary.search(line):
                in_glossary = True
                self.drafts.append(_Draft("section", index, title=line))
            elif in_glossary:
                self._entry(index, line, opens=blank)
            else:
                self._line(index, line, blank=blank)
            blank = False

    def _rest(self, first: int) -> None:
        """Leave out what follows the end of the rules."""
        last = max(number for number, line in enumerate(self.lines, 1) if line.strip())
        self.skipped.append(Skipped("after the end of the rules", first, last, self.lines[first - 1].strip()))

    def _line(self, number: int, line: str, *, blank: bool) -> None:
        """Take one line of the body: a new provision, a new paragraph, or more of the last one."""
        goes_on = not blank and self.wrapped and not self._ended()
        found = None if goes_on else self._match(line)
        if found is not None and not (found[0].kind in ("heading", "term") and self.example.search(line)):
            self._open(number, *found)
            return
        if not self.drafts:
            self.drafts.append(_Draft("heading", number, title=PREFACE))
        current = self.drafts[-1]
        example = bool(self.example.search(line))
        joins = self.wrapped and not blank and not _BULLET.match(line) and not example
        if joins and not current.blocks:
            joins = False
        inside = current.blocks[-1][0] if joins else example
        current.add(number, self._clean(line), example=inside, joins=joins)

    def _ended(self) -> bool:
        """Tell whether the last line that was taken ended its sentence, so that a number may begin a rule."""
        if not self.drafts or not self.drafts[-1].blocks:
            return True
        last = self.drafts[-1].blocks[-1][1][-1][1]
        return bool(_SENTENCE_END.search(last)) and not self.wrap.search(last)

    def _entry(self, number: int, line: str, *, opens: bool) -> None:
        """Take one line of the glossary: its blocks are a term and what it means."""
        if not opens:
            self.drafts[-1].add(number, self._clean(line), example=False, joins=self.wrapped)
            return
        line = line.lstrip("#").strip()
        both = _ENTRY.match(line)
        draft = _Draft("term", number, title=self._clean(both["title"] if both else line))
        self.drafts.append(draft)
        if both:
            draft.add(number, self._clean(both["text"]), example=False, joins=False)

    # -- headings ----------------------------------------------------------------------------------

    def _match(self, line: str) -> tuple[Heading, re.Match[str]] | None:
        for heading in self.profile.headings:
            found = heading.regex.match(line)
            if found:
                return heading, found
        return None

    def _numbered(self, line: str) -> str:
        """Return the number that a line begins with, for the search of the table of contents."""
        found = self._match(_LEADERS.sub("", line).strip())
        return found[1].groupdict().get("number") or "" if found else ""

    def _open(self, line: int, heading: Heading, found: re.Match[str]) -> None:
        groups = found.groupdict()
        draft = _Draft(heading.kind, line, number=groups.get("number") or "")
        title, text = groups.get("title") or "", groups.get("text") or ""
        if self.anchor:
            for body in (title, text):
                named = self.anchor.search(body)
                if named:
                    draft.anchor = named["anchor"]
            title, text = self.anchor.sub(" ", title).strip(), self.anchor.sub(" ", text).strip()
        if heading.depth:
            draft.number = self._derive(heading.depth)
        if text and len(text) <= 80 and not _SENTENCE_END.search(text) and not self._continues(line):
            title, text = text, ""
        draft.title = self._clean(title)
        self.drafts.append(draft)
        if text:
            draft.add(line, self._clean(text), example=False, joins=False)

    def _continues(self, line: int) -> bool:
        """Tell whether the text of a heading's line goes on in the next line."""
        return self.wrapped and line < len(self.lines) and bool(self.lines[line].strip())

    def _derive(self, depth: int) -> str:
        """Derive the number of a Markdown heading from its depth and the headings before it."""
        level = self.levels[depth]
        start = self.chapter if depth == min(self.levels) else level.start
        self.counters[depth] = self.counters.get(depth, start - 1) + 1
        for deeper in [key for key in self.counters if key > depth]:
            del self.counters[deeper]
        place = self.counters[depth]
        last = numbering.letters(place - 1, self.profile.skip_letters) if level.letters else str(place)
        above = next((self.numbers[key] for key in sorted(self.numbers, reverse=True) if key < depth), "")
        for deeper in [key for key in self.numbers if key >= depth]:
            del self.numbers[deeper]
        self.numbers[depth] = f"{above}{level.join}{last}" if above else last
        return self.numbers[depth]

    def _clean(self, text: str) -> str:
        """Take Markdown's marks out of a line."""
        if self.profile.markup == "markdown" or text.startswith(("#", "**", "> ")):
            text = re.sub(r"\\([\\{}\[\]*_#])", r"\1", text)
            text = re.sub(r"^> ?", "", text).replace("**", "")
        return text.strip()

    # -- ids and places ----------------------------------------------------------------------------

    def _implied_numbers(self) -> None:
        """Give a heading without a number the one that its first numbered rule is a part of.

        The files that this serves lost the numbers of section titles when they were copied from a web page.
        """
        if not self.profile.implied:
            return
        taken = {draft.number for draft in self.drafts}
        heading: _Draft | None = None
        for draft in self.drafts:
            if draft.kind == "heading":
                heading = draft if draft.title != PREFACE else None
            elif draft.number and heading is not None and not heading.number:
                above = numbering.stem(draft.number)
                if above and above not in taken:
                    heading.number, heading.implied = above, True
                    taken.add(above)
                    self.notes.append(
                        f"line {heading.line}: “{heading.title}” has no number; {draft.number} below it "
                        f"makes it {above}"
                    )
                heading = None

    def _name(self) -> None:
        """Give every draft its id and the id of what holds it."""
        used: dict[str, int] = {}
        by_number: dict[str, str] = {}
        section = heading = ""
        for draft in self.drafts:
            base = draft.number or f"{draft.kind if draft.kind != 'section' else 'heading'}:{draft.title}"
            if draft.kind == "step":
                base = f"step:{draft.number}"
            used[base] = used.get(base, 0) + 1
            draft.id = base if used[base] == 1 else f"{base}#{used[base]}"
            holders = numbering.ancestors(draft.number, hundreds=self.profile.hundreds) if draft.number else ()
            known = next((by_number[number] for number in holders if number in by_number), "")
            draft.parent = known or ("" if draft.kind == "section" else section if draft.kind == "heading" else heading)
            if draft.kind == "section" and not known:
                section = heading = draft.id
            elif draft.kind == "heading":
                heading = draft.id
            if draft.number and draft.kind != "step":
                by_number.setdefault(draft.number, draft.id)

    def _finish(self, draft: _Draft) -> Provision:
        return Provision(
            id=draft.id,
            kind=draft.kind,
            number=draft.number,
            title=draft.title,
            paragraphs=draft.paragraphs(),
            line=draft.line,
            parent=draft.parent,
            anchor=draft.anchor,
            implied=draft.implied,
            file=self.file,
        )


def _is_wrapped(lines: Sequence[str]) -> bool:
    """Tell whether the lines of a file were broken at a width, so that a paragraph spans several."""
    lengths = sorted(len(line.rstrip()) for line in lines if line.strip())
    if not lengths or lengths[int(len(lengths) * 0.97)] > _WRAP_WIDTH:
        return False
    width = lengths[int(len(lengths) * 0.97)]
    pairs = sum(
        1 for before, after in itertools.pairwise(lines) if after.strip() and len(before.rstrip()) >= 0.7 * width
    )
    return pairs * 20 >= len(lengths)


def _contents(lines: Sequence[str], first: int, numbered: _Numbered, marker: re.Pattern[str]) -> tuple[int, int] | None:
    """Find the table of contents: from its title, or the first of a run of bare titles, to the rules.

    The rules begin where the first entry's number is printed for the second time.
    """
    start = next((index for index in range(first, len(lines)) if marker.search(lines[index].strip())), None)
    entries = ((index, numbered(lines[index].strip())) for index in range(start or first, len(lines)))
    opening = next(((index, number) for index, number in entries if number), None)
    if opening is None:
        return None
    again = _again(lines, opening, numbered)
    if again is None:
        return None
    if start is None and not _bare_titles(lines[opening[0] : again], numbered):
        return None
    return (opening[0] if start is None else start, again)


def _again(lines: Sequence[str], opening: tuple[int, str], numbered: _Numbered) -> int | None:
    """Return the index of the line that begins with the same number and words as the table's first entry."""
    wanted = _LEADERS.sub("", lines[opening[0]]).strip()
    for index in range(opening[0] + 1, len(lines)):
        line = lines[index].strip()
        if line.startswith(wanted) and numbered(line) == opening[1]:
            return index
    return None


def _bare_titles(lines: Sequence[str], numbered: _Numbered) -> bool:
    """Tell whether lines are nothing but numbered titles."""
    inside: Iterator[str] = (line.strip() for line in lines if line.strip())
    count = 0
    for line in inside:
        if not numbered(line) or (_SENTENCE_END.search(line) and not _LEADERS.search(line)):
            return False
        count += 1
    return count >= _RUN_OF_TITLES
