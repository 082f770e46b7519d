"""One rule on a page: its text, its neighbours, its readings, and the shipped positions that turn on it."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge import cases
from bridge.catalog import Catalog, Gap, Rule, games, load
from bridge.errors import QuestionError
from bridge.position import load as load_position
from bridge.position import switches_named

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["find_rule", "render_page", "rule_page"]


def find_rule(name: str, game: str | None = None) -> tuple[Catalog, Rule | Gap]:
    """Return a rule by its id, its number, or a number it has in another edition.

    Of a number that is no rule's here, what is said of it is returned.

    Parameters
    ----------
    name
        As ``agot:M4``, or a number alone.
    game
        Whose rule it is, where `name` does not say it; every game is searched, in order, if None.

    Raises
    ------
    QuestionError
        If there is no such rule, with the nearest names.
    """
    asked, _, number = name.rpartition(":")
    known = games()
    searched = (asked,) if asked in known else known if game is None else (game,)
    catalogs = [load(each) for each in searched]
    for catalog in catalogs:
        for rule in catalog:
            if number == rule.number and asked in ("", rule.game):
                return catalog, rule
    for catalog in catalogs:
        for gap in catalog.gaps:
            if number == gap.number and asked in ("", gap.game):
                return catalog, gap
    for catalog in catalogs:  # its number here goes before the number that another edition gives to another rule
        for rule in catalog:
            if number in (alias for _, alias in rule.aliases):
                return catalog, rule
    numbers = [rule.number for each in searched for rule in load(each)]
    near = get_close_matches(number, numbers, 4, 0.3)
    hint = f"; near it are {', '.join(near)}" if near else f"; the rules are {', '.join(numbers)}"
    has = "has" if len(searched) == 1 else "have"
    raise QuestionError(f"{' and '.join(searched)} {has} no rule '{number}'{hint}")


def rule_page(name: str, game: str | None = None) -> dict[str, Any]:
    """Return everything that is known of a rule, as data."""
    catalog, rule = find_rule(name, game)
    if isinstance(rule, Gap):
        return _gap_page(catalog, rule)
    referred = sorted({edge.source for edge in catalog.edges if edge.target == rule.id and edge.kind == "refers"})
    beaten_by = sorted({edge.source for edge in catalog.edges if edge.target == rule.id and edge.kind == "overrides"})
    return {
        "lawspeaker": 1,
        "command": "rule",
        "id": rule.id,
        "exists": True,
        "titles": dict(rule.titles),
        "texts": dict(rule.texts),
        "source": list(rule.source or ()),
        "also_known_as": [list(alias) for alias in rule.aliases],
        "file": f"{rule.file}:{rule.line}",
        "refers": _titled(catalog, rule.refers),
        "referred_by": _titled(catalog, referred),
        "overrides": _titled(catalog, rule.overrides),
        "overridden_by": _titled(catalog, beaten_by),
        "readings": [
            {"name": one.name, "default": one.default, "question": one.question, "texts": dict(one.text)}
            for one in rule.readings
        ],
        "positions": [_turning(path, rule) for path in _citing(rule)],
    }


def _gap_page(catalog: Catalog, gap: Gap) -> dict[str, Any]:
    """Return the page of a number that is no rule's: what is said of it, and which rules may be meant."""
    elsewhere = [
        {"id": rule.id, "titles": dict(rule.titles), "edition": edition}
        for rule in catalog
        for edition, number in rule.aliases
        if number == gap.number
    ]
    return {
        "lawspeaker": 1,
        "command": "rule",
        "id": gap.id,
        "exists": False,
        "titles": dict(gap.titles),
        "texts": dict(gap.texts),
        "file": f"{gap.file}:{gap.line}",
        "stands_for": _titled(catalog, gap.stands_for),
        "elsewhere": elsewhere,
    }


def _titled(catalog: Catalog, ids: Any) -> list[dict[str, Any]]:
    return [{"id": each, "titles": dict(catalog[each].titles) if each in catalog else {}} for each in ids]


def _citing(rule: Rule) -> list[Path]:
    """Return the shipped cases that name the rule in what they expect."""
    found = []
    for path in cases.files():
        if rule.number not in path.read_text(encoding="utf-8"):
            continue  # it cannot name the rule
        position = load_position(path)
        expected = position.expected
        if expected is None or position.game != rule.game:
            continue
        named = {*expected.cites, *(by for one in expected.illegal for by in one.by)}
        if rule.id in named or rule.number in named:
            found.append(path)
    return found


def _turning(path: Path, rule: Rule) -> dict[str, Any]:
    """Return a case, and whether its answer changes when the rule is switched off."""
    result = cases.run(path, lambda game: switches_named(game, [rule.id], []))
    return {"name": path.stem, "title": cases.summary(path)["title"], "turns_on_it": not result.passed}


_WORDS = {
    "en": {
        "source": "Source",
        "also": "Also known as",
        "file": "File",
        "refers": "Leans on",
        "referred_by": "Leaned on by",
        "overrides": "Overrides",
        "overridden_by": "Overridden by",
        "readings": "Readings",
        "default": "default",
        "positions": "Positions that turn on it",
        "cited": "Positions that cite it",
        "stands_for": "May be meant",
        "elsewhere": "Has this number in another edition",
    },
    "ru": {
        "source": "Источник",
        "also": "Другой номер",
        "file": "Файл",
        "refers": "Опирается на",
        "referred_by": "На него опираются",
        "overrides": "Сильнее, чем",
        "overridden_by": "Слабее, чем",
        "readings": "Прочтения",
        "default": "по умолчанию",
        "positions": "Положения, где от него всё зависит",
        "cited": "Положения, где оно названо",
        "stands_for": "Может иметься в виду",
        "elsewhere": "Носит этот номер в другом издании",
    },
}


def _title_of(other: dict[str, Any], lang: str) -> str:
    return str(other["titles"].get(lang) or other["titles"].get("en", ""))


def render_page(page: dict[str, Any], console: Console, lang: str) -> None:
    """Write a rule's page to a console."""
    from rich.markup import escape

    words = _WORDS[lang]
    title = page["titles"].get(lang) or page["titles"].get("en", "")
    console.print(f"[bold cyan]{page['id']}[/bold cyan]  [bold]{escape(title)}[/bold]")
    console.print(escape(page["texts"].get(lang) or page["texts"].get("en", "")))
    if not page["exists"]:
        for key in ("stands_for", "elsewhere"):
            if page[key]:
                console.print(f"\n[bold]{words[key]}[/bold]")
                for other in page[key]:
                    edition = f"  ({other['edition']})" if "edition" in other else ""
                    console.print(f"  [cyan]{other['id']}[/cyan]  {escape(_title_of(other, lang))}{edition}")
        return
    console.print(
        f"\n[dim]{words['source']}: {escape(' '.join(page['source']))}   {words['file']}: asp/{page['file']}[/dim]"
    )
    if page["also_known_as"]:
        shown = ", ".join(f"{number} ({edition})" for edition, number in page["also_known_as"])
        console.print(f"[dim]{words['also']}: {escape(shown)}[/dim]")
    for key in ("overridden_by", "overrides", "refers", "referred_by"):
        if page[key]:
            console.print(f"\n[bold]{words[key]}[/bold]")
            for other in page[key]:
                console.print(f"  [cyan]{other['id']}[/cyan]  {escape(_title_of(other, lang))}")
    if page["readings"]:
        console.print(f"\n[bold]{words['readings']}[/bold]")
        for one in page["readings"]:
            mark = f" ({words['default']})" if one["default"] else ""
            text = one["texts"].get(lang) or one["texts"].get("en", "")
            asked = f"  [dim]{one['question']}[/dim]" if one["question"] else ""
            console.print(f"  [cyan]{one['name']}[/cyan]{mark}  {escape(text)}{asked}")
    for turns, key in ((True, "positions"), (False, "cited")):
        part = [one for one in page["positions"] if one["turns_on_it"] is turns]
        if part:
            console.print(f"\n[bold]{words[key]}[/bold]")
            for one in part:
                console.print(f"  [cyan]{one['name']}[/cyan]\n      {escape(one['title'])}")
