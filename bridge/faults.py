"""Faults that rules in force make with one another, found while a position is explored, in words."""

from __future__ import annotations

import re

from clingo import Symbol

__all__ = ["fault", "in_language"]

_SAID = {
    "unknown": {
        "en": "{0} was started{by}, but fluent/1 does not list it",
        "ru": "{0} начинается{by}, но fluent/1 этого не перечисляет",
    },
    "clash": {
        "en": "rules in force want opposite things of {0}{by}",
        "ru": "действующие правила хотят противоположного: {0}{by}",
    },
    "conflict": {
        "en": "{1} speaks against {0} and {2} for it, and neither overrides the other",
        "ru": "{1} против {0}, а {2} — за, и ни одно не важнее другого",
    },
    "torn": {
        "en": "the game itself has two legal moves, and nobody decides",
        "ru": "у самой игры два разрешённых хода, и никто не выбирает",
    },
    "two_actors": {
        "en": "two players may decide at the same moment",
        "ru": "в один момент могут решать два игрока",
    },
}
_BY = {"en": " by {move}", "ru": " (ход {move})"}


def fault(shown: Symbol, move: Symbol | None) -> str:
    """Return in English what is wrong; `in_language` says it in another language."""
    by = "" if move is None else _BY["en"].format(move=move)
    return _SAID[shown.name]["en"].format(*shown.arguments, by=by)


def in_language(said: str, lang: str) -> str:
    """Return a fault in a language."""
    for words in _SAID.values():
        names: list[str] = []

        def hole(match: re.Match[str], names: list[str] = names) -> str:
            names.append(match[1])
            return r"(?P<by>(?: by .*)?)" if match[1] == "by" else rf"(?P<n{match[1]}>.*?)"

        pattern = re.sub(r"\\\{(\w+)\\\}", hole, re.escape(words["en"]))
        if match := re.fullmatch(pattern, said):
            move = (match["by"] if "by" in names else "").removeprefix(_BY["en"].format(move=""))
            parts = [match[f"n{i}"] for i in range(len(names) - ("by" in names))]
            return words[lang].format(*parts, by=_BY[lang].format(move=move) if move else "")
    return said
