"""The values that the importer hands on: a rulebook, its provisions, references and tags.

Nothing here knows how a text is read or what a graph is; every value is frozen, so that a finding can point
into a book without fear that somebody changes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

__all__ = ["Paragraph", "Provision", "Reference", "Rulebook", "Skipped", "Tag"]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A run of text with the line on which each piece of it stands.

    Parameters
    ----------
    text
        The paragraph as one line: a wrapped paragraph is joined with single spaces.
    starts
        Pairs of (offset in `text`, line in the file, counted from 1), ascending.
    example
        True for what the book gives as an example or a note.
    """

    text: str
    starts: tuple[tuple[int, int], ...]
    example: bool = False

    @property
    def line(self) -> int:
        """The line on which the paragraph begins."""
        return self.starts[0][1]

    def line_at(self, offset: int) -> int:
        """Return the line in the file on which character `offset` of the text stands."""
        found = self.starts[0][1]
        for start, line in self.starts:
            if start > offset:
                break
            found = line
        return found


@dataclass(frozen=True, slots=True)
class Provision:
    """One numbered rule, section, heading or glossary term of a rulebook.

    Parameters
    ----------
    id
        Unique in the book: the number, ``term:Word`` for a glossary entry, ``heading:words`` for a heading
        without a number; a number that is printed again gets ``#2`` and so on.
    kind
        ``section``, ``rule``, ``heading``, ``term`` or ``step``.
    number
        As printed, without the dot at its end; empty where there is none.
    title
        The heading's or term's words; empty for a rule that is only a sentence.
    paragraphs
        The text, examples included, in the order of the file.
    line
        Where it begins, counted from 1.
    parent
        The id of the provision that holds this one; empty at the top.
    anchor
        The name that the file gives it (``rule:golden_rule``); empty without one.
    implied
        True where the number is not printed but follows from the numbers around it.
    file
        The file's name; empty for a book in one file.
    """

    id: str
    kind: str
    number: str
    title: str
    paragraphs: tuple[Paragraph, ...]
    line: int
    parent: str = ""
    anchor: str = ""
    implied: bool = False
    file: str = ""

    @property
    def text(self) -> str:
        """What the rule says, without its examples."""
        return "\n".join(part.text for part in self.paragraphs if not part.example)

    @property
    def examples(self) -> tuple[str, ...]:
        """The examples, one string each."""
        return tuple(part.text for part in self.paragraphs if part.example)

    @property
    def label(self) -> str:
        """Number and title, as a person would name it."""
        return " ".join(part for part in (self.number, self.title) if part) or self.id


@dataclass(frozen=True, slots=True)
class Reference:
    """One place where the text of a provision names another.

    Parameters
    ----------
    source
        The id of the provision that holds the words.
    wanted
        What the words name: a number, a term or an anchor.
    target
        The id that this is in this book; empty where there is none.
    form
        How it is written: ``single``, ``list``, ``range``, ``section``, ``step``, ``anchor``, ``see_also``.
    line
        Where, counted from 1.
    words
        The words of the file: the evidence.
    kind
        ``refers``, ``overrides`` (the source beats the target) or ``overridden`` (the target beats the
        source).
    trigger
        The words that make it a matter of precedence; empty for a plain reference.
    title
        The title that is quoted beside the number; empty without one.
    example
        True where it stands in an example.
    """

    source: str
    wanted: str
    target: str
    form: str
    line: int
    words: str
    kind: str = "refers"
    trigger: str = ""
    title: str = ""
    example: bool = False


@dataclass(frozen=True, slots=True)
class Tag:
    """A deontic or precedence word in a provision: its meaning, the words themselves, the line."""

    provision: str
    meaning: str
    words: str
    line: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """Lines that were left out, and why; nothing is dropped in silence."""

    reason: str
    first: int
    last: int
    text: str = ""


@dataclass(frozen=True)
class Rulebook:
    """A rulebook's text as provisions and references.

    ``encoding`` and ``profile`` say how it was read; ``scores`` says how well each profile fitted, the best
    first.
    """

    name: str
    files: tuple[str, ...]
    encoding: str
    language: str
    profile: str
    profile_title: str
    scores: tuple[tuple[str, int], ...]
    provisions: tuple[Provision, ...]
    references: tuple[Reference, ...] = ()
    tags: tuple[Tag, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    skip_letters: str = ""
    notes: tuple[str, ...] = field(default=())

    def __iter__(self) -> Iterator[Provision]:
        return iter(self.provisions)

    def __len__(self) -> int:
        return len(self.provisions)

    @cached_property
    def by_id(self) -> dict[str, Provision]:
        """The provisions by their ids."""
        return {provision.id: provision for provision in self.provisions}

    @cached_property
    def by_number(self) -> dict[str, tuple[Provision, ...]]:
        """The provisions by their printed numbers, several where a number is printed again."""
        found: dict[str, list[Provision]] = {}
        for provision in self.provisions:
            if provision.number:
                found.setdefault(provision.number, []).append(provision)
        return {number: tuple(those) for number, those in found.items()}

    def count(self, *kinds: str) -> int:
        """Return how many provisions are of one of `kinds`."""
        return sum(provision.kind in kinds for provision in self.provisions)
