"""The errors of Lawspeaker, split by cause. None of them reaches a user as a traceback."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

__all__ = [
    "Fault",
    "LawspeakerError",
    "LimitReached",
    "PositionError",
    "QuestionError",
    "RuleError",
    "RulebookError",
]


class Fault:
    """One thing wrong with a user's input.

    Parameters
    ----------
    path
        Where it stands in the file, as ``cards.joffrey.on``; empty for the file as a whole.
    message
        One sentence: what is wrong and what would be right.
    rules
        The numbered rules that the input breaks, as ``agot:3.27``; empty where none is concerned.
    line
        The line in the file, counted from 1, or None where it is not known.
    """

    __slots__ = ("line", "message", "path", "rules")

    def __init__(self, path: str, message: str, rules: Iterable[str] = (), line: int | None = None) -> None:
        self.path = path
        self.message = message
        self.rules = tuple(rules)
        self.line = line

    def __str__(self) -> str:
        where = self.path or "position"
        line = f" (line {self.line})" if self.line is not None else ""
        named = set(re.findall(r"[\w.:]+", self.message))
        unnamed = [rule for rule in self.rules if rule not in named]
        rules = f" [{', '.join(unnamed)}]" if unnamed else ""
        return f"{where}{line}: {self.message}{rules}"

    def __repr__(self) -> str:
        return f"Fault({self})"


class LawspeakerError(Exception):
    """Anything that Lawspeaker refuses; ``exit_code`` is what the command line ends with."""

    exit_code = 2


class PositionError(LawspeakerError):
    """A position that cannot be read or cannot exist.

    Parameters
    ----------
    faults
        Every fault that was found, not only the first.
    source
        The file's name, for the message.
    """

    def __init__(self, faults: Iterable[Fault], source: str = "") -> None:
        self.faults = tuple(faults)
        self.source = source
        super().__init__("\n".join(str(fault) for fault in self.faults))


class RuleError(LawspeakerError):
    """A rule file that clingo does not accept, or that breaks the grammar of the law.

    Parameters
    ----------
    message
        One sentence: what is wrong.
    file, line, column
        Where, as clingo says it; None where it is not known.
    """

    def __init__(
        self, message: str, file: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        self.file, self.line, self.column = file, line, column
        place = ":".join(str(part) for part in (file, line, column) if part is not None)
        super().__init__(f"{place}: {message}" if place else message)


class QuestionError(LawspeakerError):
    """A question that cannot be asked: an unknown rule, reading, outcome, folder or move."""


class RulebookError(LawspeakerError):
    """A rulebook's text that cannot be decoded or is not recognised as numbered rules."""


class LimitReached(LawspeakerError):  # noqa: N818  (not always an error: it carries an answer)
    """A bound of states, time or the rules' own vocabulary cut an answer short.

    Parameters
    ----------
    message
        One sentence: which bound.
    partial
        The answer as far as it was found; its type is that of the call's full answer.
    """

    exit_code = 3

    def __init__(self, message: str, partial: Any = None) -> None:
        self.partial = partial
        super().__init__(message)
