"""Numbers of rules as sequences of parts: ``613.7c`` is 613, 7, c."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["ancestors", "letters", "ordinal", "parts", "sort_key", "stem", "successor_gap"]

_PART = re.compile(r"\d+|[a-z]+")


def parts(number: str) -> tuple[int | str, ...]:
    """Split a number into its parts.

    Examples
    --------
    >>> parts("613.7c")
    (613, 7, 'c')
    """
    return tuple(int(part) if part.isdigit() else part for part in _PART.findall(number.split("#", maxsplit=1)[0]))


def stem(number: str) -> str:
    """Return the number without its last part, empty where only one is left.

    Examples
    --------
    >>> stem("613.7c"), stem("518.6.1"), stem("613")
    ('613.7', '518.6', '')
    """
    found = list(_PART.finditer(number))
    return number[: found[-1].start()].rstrip(".") if len(found) > 1 else ""


def ancestors(number: str, *, hundreds: bool = False) -> Iterator[str]:
    """Yield the numbers that may hold `number`, the nearest first.

    Parameters
    ----------
    hundreds
        True where rule 702 belongs to section 7.
    """
    while above := stem(number):
        number = above
        yield number
    if hundreds and len(number) == 3:
        yield number[0]


def sort_key(number: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts numbers as a book prints them: 3.9 before 3.10, 3.1 before 3.1a."""
    return tuple((0, part, "") if isinstance(part, int) else (1, len(part), part) for part in parts(number))


def letters(index: int, skip: str = "") -> str:
    """Return the `index`-th letter, counted from 0, of an alphabet without the letters of `skip`.

    Examples
    --------
    >>> letters(0), letters(11, "lo"), letters(26)
    ('a', 'm', 'aa')
    """
    alphabet = [char for char in "abcdefghijklmnopqrstuvwxyz" if char not in skip]
    word = ""
    index += 1
    while index > 0:
        index, rest = divmod(index - 1, len(alphabet))
        word = alphabet[rest] + word
    return word


def ordinal(part: int | str, skip: str = "") -> int:
    """Return the place of a last part among its siblings, from 1; the inverse of `letters`."""
    if isinstance(part, int):
        return part
    alphabet = [char for char in "abcdefghijklmnopqrstuvwxyz" if char not in skip]
    place = 0
    for char in part:
        if char not in alphabet:
            return 0
        place = place * len(alphabet) + alphabet.index(char) + 1
    return place


def successor_gap(before: int | str, after: int | str, skip: str = "") -> tuple[int | str, ...]:
    """Return the parts that lie between two siblings: what a book left out.

    Examples
    --------
    >>> successor_gap(28, 30), successor_gap("k", "m", "lo")
    ((29,), ())
    """
    if isinstance(before, str) != isinstance(after, str):
        return ()
    low, high = ordinal(before, skip), ordinal(after, skip)
    if low == 0 or high == 0:
        return ()
    if isinstance(before, int):
        return tuple(range(low + 1, high))
    return tuple(letters(place - 1, skip) for place in range(low + 1, high))
