"""The graph of the encoded rules beside the graph of their text, with the differences named.

A rule is found in the text by its number (``3.30a`` is the first 3.30 where 3.30 is printed twice) and, where
the text prints no number, by its title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

import networkx as nx

from bridge.catalog import Catalog, Rule
from rules_graph import graph as shape
from rules_graph.lint import SEVERITIES, Finding
from rules_graph.model import Provision, Rulebook

__all__ = ["Beside", "beside"]

_ALIKE = 0.62
_ENDS_IN_LETTER = re.compile(r"^(?P<number>.*\d)(?P<letter>[a-z])$")


@dataclass(frozen=True)
class Beside:
    """Which encoded rule is which provision of the text, and how the two graphs differ."""

    pairs: Mapping[str, str]
    findings: tuple[Finding, ...]


def beside(catalog: Catalog, encoded: nx.MultiDiGraph[str], book: Rulebook, text: nx.MultiDiGraph[str]) -> Beside:
    """Lay the graph of encoded rules beside the graph of a text.

    Parameters
    ----------
    catalog, encoded
        The rules of a game and their graph.
    book, text
        The rulebook and its graph.
    """
    pairs = _pairs(catalog, book)
    found = [*_rules(catalog, book, pairs), *_references(catalog, encoded, book, text, pairs)]
    return Beside(
        pairs,
        tuple(sorted(found, key=lambda each: (SEVERITIES.index(each.severity), each.line, each.code, each.rule))),
    )


def _pairs(catalog: Catalog, book: Rulebook) -> dict[str, str]:
    """Return the provision of each encoded rule that the text holds."""
    pairs: dict[str, str] = {}
    for rule in catalog:
        found = _by_number(rule, book)
        if found:
            pairs[rule.id] = found.id
    free = [each for each in book if each.id not in pairs.values() and each.title]
    scored = []
    for rule in catalog:
        if rule.id in pairs:
            continue
        titles = [_plain(title) for title in (*rule.titles.values(), *(title for _, title in rule.aliases)) if title]
        for each in free:
            share = max((_likeness(title, _plain(each.title)) for title in titles), default=0.0)
            if share >= _ALIKE:
                scored.append((share, rule.id, each.id))
    taken: set[str] = set()
    for _, rule_id, provision in sorted(scored, key=lambda one: (-one[0], one[1])):
        if rule_id not in pairs and provision not in taken:
            pairs[rule_id] = provision
            taken.add(provision)
    return pairs


def _by_number(rule: Rule, book: Rulebook) -> Provision | None:
    those = book.by_number.get(rule.number, ())
    if those:
        return those[0]
    split = _ENDS_IN_LETTER.match(rule.number)
    if split:
        again = book.by_number.get(split["number"], ())
        place = ord(split["letter"]) - ord("a")
        if len(again) > 1 and place < len(again):
            return again[place]
    return None


def _plain(title: str) -> str:
    title = re.sub(r"\([^)]*\)", " ", title.casefold().replace("ё", "е"))
    title = re.sub(r"^(?:step|шаг)\s*\d+\s*:?", " ", title.strip())
    return " ".join(re.findall(r"\w+", title))


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio() if one and other else 0.0


def _rules(catalog: Catalog, book: Rulebook, pairs: Mapping[str, str]) -> Iterator[Finding]:
    """Yield the rules that only one side has, and those that are numbered otherwise."""
    back = {provision: rule for rule, provision in pairs.items()}
    for each in book:
        if each.kind == "section" or (each.kind == "heading" and not each.paragraphs):
            continue
        if each.id not in back:
            yield Finding("only-in-text", each.id, each.line, {"number": each.label}, each.file)
        elif catalog[back[each.id]].number != each.number:
            facts = {"encoded": back[each.id], "printed": each.number or each.title, "title": each.title}
            yield Finding("number-differs", back[each.id], each.line, facts, each.file)
    for rule in catalog:
        if rule.id not in pairs:
            yield Finding("only-in-code", rule.id, 0, {"number": f"{rule.id} {rule.title('en')}"}, rule.file)


def _references(
    catalog: Catalog,
    encoded: nx.MultiDiGraph[str],
    book: Rulebook,
    text: nx.MultiDiGraph[str],
    pairs: Mapping[str, str],
) -> Iterator[Finding]:
    """Yield references and precedence between two rules of both sides that only one side says."""
    back = {provision: rule for rule, provision in pairs.items()}
    linked = {frozenset((one, other)) for one, other, _ in shape.edges(encoded, ("refers", "overrides", "depends"))}
    said = set()
    for one, other, data in shape.edges(text, ("refers", "overrides", "see_also")):
        source, target = back.get(one), back.get(other)
        if source is None or target is None or source == target:
            continue
        said.add(frozenset((source, target)))
        if frozenset((source, target)) not in linked:
            facts = {"source": source, "target": target, "words": str(data["evidence"])}
            line = int(str(data["line"]))
            yield Finding("reference-only-in-text", source, line, facts, book.by_id[one].file)
    for one, other, data in shape.edges(encoded, ("refers", "overrides")):
        if one in pairs and other in pairs and frozenset((one, other)) not in said:
            facts = {"source": one, "target": other}
            code = "precedence-only-in-code" if data["kind"] == "overrides" else "reference-only-in-code"
            yield Finding(code, one, 0, facts, catalog[one].file)
