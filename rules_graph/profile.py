"""Profiles: how one family of rulebooks prints its numbers, headings, examples and references.

A profile is data, a YAML file under ``profiles/``; this module checks it, compiles its patterns and guesses
which one fits a text. A new numbering needs a new file and no code.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from bridge.errors import RulebookError

#: The score below which a text is not taken for numbered rules: two plain signs.
_LEAST = 4

__all__ = ["Heading", "Lexicon", "Precedence", "Profile", "guess", "lexicon", "profile", "profiles"]


def _compiles(pattern: str) -> str:
    """Refuse a pattern that ``re`` does not take, when the profile is read and not when it is used."""
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"not a regular expression: {pattern!r}: {error}") from error
    return pattern


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Heading(_Model):
    """How a line looks that begins a provision.

    ``pattern`` may name the groups ``number``, ``title``, ``text`` and ``anchor``; ``depth`` is the level of
    a Markdown heading whose number is derived and not printed.
    """

    kind: Literal["section", "rule", "heading", "term", "step"]
    pattern: str
    depth: int = 0

    _check = field_validator("pattern")(_compiles)

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return re.compile(self.pattern)


class Level(_Model):
    """How the number of one Markdown heading level is derived: where it starts and what joins it on."""

    depth: int
    start: int = 1
    join: str = "."
    letters: bool = False


class Precedence(_Model):
    """Words that put one rule before another, and which of the two.

    ``winner`` is ``source`` where the rule that holds the words beats the one it names, ``target`` where the
    named one beats it.
    """

    pattern: str
    winner: Literal["source", "target"]

    _check = field_validator("pattern")(_compiles)


class Lexicon(_Model):
    """The words of one language that references, precedence and duties are written with."""

    language: str
    lead: str
    section: str
    step: str
    join: str
    until: str
    see_also: str
    wrap: str
    precedence: tuple[Precedence, ...] = ()
    deontic: dict[str, str] = Field(default_factory=dict)


class Profile(_Model):
    """One family of rulebooks.

    Parameters
    ----------
    name, title
        What a user writes, and a sentence on the numbering.
    languages
        Those it is written in, the likeliest first.
    markup
        ``text`` or ``markdown``.
    signs
        Patterns of lines that speak for this profile, with their weights.
    headings
        How provisions begin; the first that matches a line counts.
    number
        What a number looks like inside a sentence.
    bare
        Whether a number counts as a reference without a word before it: ``never``, ``known`` (only if the
        book has it) or ``family`` (only if the book has its first part).
    hundreds
        True where rule 702 belongs to section 7.
    skip_letters
        Letters that the book leaves out (``lo``).
    levels
        For Markdown with derived numbers.
    """

    name: str
    title: str
    languages: tuple[Literal["en", "ru"], ...]
    markup: Literal["text", "markdown"] = "text"
    signs: dict[str, int]
    headings: tuple[Heading, ...]
    number: str
    section_number: str = r"\d+"
    bare: Literal["never", "known", "family"] = "never"
    hundreds: bool = False
    skip_letters: str = ""
    example: str = r"^(?:Example|Note|Пример|ПРИМЕР)\b"
    contents: str = r"^(?:#+ )?(?:(?:Table of )?Contents|CONTENTS|Содержание|СОДЕРЖАНИЕ|Оглавление)$"
    glossary: str = r"^(?:#+ )?(?:Glossary|GLOSSARY|Глоссарий|Словарь терминов)$"
    end: str = r"^Credits$"
    noise: str = r"^\|$"
    levels: tuple[Level, ...] = ()
    anchor: str = ""
    link: str = ""
    implied: bool = False

    @field_validator("number", "section_number", "example", "contents", "glossary", "end", "noise", "anchor", "link")
    @classmethod
    def _patterns(cls, value: str) -> str:
        return _compiles(value)

    @field_validator("signs")
    @classmethod
    def _signs(cls, value: dict[str, int]) -> dict[str, int]:
        for pattern in value:
            _compiles(pattern)
        return value

    def score(self, text: str, language: str) -> int:
        """Return how strongly a text looks like this profile.

        The weights of its signs are added up line by line; in the profile's own language they count twice.
        """
        found = sum(
            weight * sum(1 for _ in re.finditer(pattern, text, re.MULTILINE)) for pattern, weight in self.signs.items()
        )
        return found * (2 if language == self.languages[0] else 1)


def _read(folder: str) -> list[tuple[str, dict[str, Any]]]:
    """Read the YAML files of a folder of package data, by name."""
    found = []
    root = resources.files("rules_graph").joinpath(folder)
    for entry in sorted(root.iterdir(), key=lambda item: item.name):
        if entry.name.endswith(".yaml"):
            found.append((entry.name, yaml.safe_load(entry.read_text(encoding="utf-8"))))
    return found


@lru_cache(maxsize=1)
def profiles() -> dict[str, Profile]:
    """Return the profiles that are shipped, by name.

    Raises
    ------
    RulebookError
        Where a profile's file is wrong; the message names file and field.
    """
    found: dict[str, Profile] = {}
    for name, raw in _read("profiles"):
        try:
            made = Profile.model_validate(raw)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise RulebookError(f"profiles/{name}: {where}: {first['msg']}") from error
        found[made.name] = made
    return found


@lru_cache(maxsize=8)
def lexicon(language: str) -> Lexicon:
    """Return the words of a language."""
    for _, raw in _read("profiles/words"):
        if raw["language"] == language:
            return Lexicon.model_validate(raw)
    raise RulebookError(f"no words for the language {language!r}; there are en and ru")


def profile(name: str) -> Profile:
    """Return the profile called `name`; an unknown name is answered with those there are."""
    known = profiles()
    if name not in known:
        raise RulebookError(f"no profile {name!r}; there are {', '.join(sorted(known))}")
    return known[name]


def guess(text: str, source: str) -> tuple[Profile, tuple[tuple[str, int], ...]]:
    """Choose the profile that fits a text.

    Parameters
    ----------
    text
        The whole decoded text.
    source
        The file's name, for the refusal.

    Returns
    -------
    tuple
        The best profile, and all scores above zero, best first.

    Raises
    ------
    RulebookError
        Where no profile finds at least two signs of numbered rules.
    """
    language = main_language(text, ("en", "ru"))
    scores = sorted(
        ((found.score(text, language), name) for name, found in profiles().items()),
        key=lambda pair: (-pair[0], pair[1]),
    )
    ranked = tuple((name, score) for score, name in scores if score > 0)
    if not ranked or ranked[0][1] < _LEAST:
        raise RulebookError(
            f"{source}: is not recognised as numbered rules: too few lines begin with a number like 613.7c, "
            f"(3.14), 1.1.1 or 518.6.1; choose a profile with --profile ({', '.join(sorted(profiles()))})"
        )
    return profile(ranked[0][0]), ranked


def main_language(text: str, languages: tuple[str, ...]) -> str:
    """Return which of `languages` the text is written in, by its letters."""
    if len(languages) == 1:
        return languages[0]
    cyrillic = sum("а" <= char <= "я" for char in text.lower())
    latin = sum("a" <= char <= "z" for char in text.lower())
    return "ru" if "ru" in languages and cyrillic > latin else "en" if "en" in languages else languages[0]
