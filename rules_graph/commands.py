"""What the commands of ``lawspeaker graph`` and ``lawspeaker import`` answer, apart from how it is printed.

With ``--json`` every command prints one object of the schema ``lawspeaker.graph/1``:

=========== ===========================================================================================
key         value
=========== ===========================================================================================
schema      ``lawspeaker.graph/1``
command     the command's name
book        ``name``, ``source`` (``catalog`` or ``rulebook``), ``language``, ``profile``, ``rules``,
            ``edges`` (kind to count)
complete    false where a limit cut the answer (exit code 3)
answer      what the command found, see below
=========== ===========================================================================================

A *rule* is ``{id, kind, number, title, text, section, file, line, tags}``, a *step* is ``{source, target,
kind, file, line, evidence}``, a *finding* is ``{code, severity, rule, file, line, sentence}``.

============== ========================================================================================
command        keys of ``answer``
============== ========================================================================================
show           ``rules``; with ``--by``: ``ranking`` (``{rule, score}``), ``groups`` (lists of ids), or
               ``exceptions`` (``{rule, overridden_by: […]}``)
around         ``rule``, ``incoming`` and ``outgoing`` (steps), ``near`` (ids), ``exceptions``
path           ``paths`` (lists of steps)
cycles         ``cycles`` (``{kind, rules}``)
impact         ``rule``, ``touched`` (``{rule, distance, through: step}``)
reading-order  ``rule``, ``order`` (lists of ids; those in one list lean on one another)
export         ``file``, ``format``, ``bytes``
lint           ``findings``, ``counts`` (severity to number); with ``--text`` also ``pairs``
               (encoded id to id in the text)
import         ``encoding``, ``profiles`` (scores), ``provisions`` and ``references`` (kind to number),
               ``skipped`` (``{reason, first, last, text}``), ``findings``, ``counts``
============== ========================================================================================
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import networkx as nx
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bridge import catalog as catalogs
from bridge.catalog import Catalog
from bridge.errors import RulebookError
from rules_graph import analyse, build, compare, lint, rulebook, textgraph, versions
from rules_graph import graph as shape
from rules_graph.draw import FORMATS, picture, style, terminal
from rules_graph.lint import Finding
from rules_graph.model import Rulebook

SCHEMA = "lawspeaker.graph/1"
_COLOURS = {"error": "bold red", "warning": "yellow", "info": "dim"}
_SEVERITY = {"error": "ошибка", "warning": "внимание", "info": "к сведению"}
_MANY = 40


@dataclass(frozen=True)
class Answer:
    """What a command found: for a program, for a person, and how the process ends."""

    command: str
    book: dict[str, Any]
    answer: dict[str, Any]
    shown: RenderableType
    exit_code: int = 0
    complete: bool = True

    def document(self) -> dict[str, Any]:
        """Return the object that ``--json`` prints."""
        return {
            "schema": SCHEMA,
            "command": self.command,
            "book": self.book,
            "complete": self.complete,
            "answer": self.answer,
        }


@dataclass(frozen=True)
class Source:
    """A graph and where it came from."""

    graph: nx.MultiDiGraph[str]
    catalog: Catalog | None = None
    book: Rulebook | None = None

    def described(self) -> dict[str, Any]:
        """Return the key ``book`` of an answer."""
        facts = self.graph.graph
        rules = sum(node["kind"] in ("rule", "heading", "step") for _, node in self.graph.nodes(data=True))
        kinds = Counter(kind for _, _, kind in self.graph.edges(keys=True))
        return {
            "name": facts["name"],
            "source": facts["source"],
            "language": facts["language"],
            "profile": facts["profile"],
            "rules": rules,
            "edges": {kind: kinds[kind] for kind in shape.KINDS if kinds[kind]},
        }


def open_book(name: str, profile: str = "") -> Source:
    """Open a game by its id or a rulebook by its file.

    Raises
    ------
    RulebookError
        Where `name` is neither.
    """
    if name in catalogs.games():
        catalog = catalogs.load(name)
        return Source(build.build(catalog), catalog=catalog)
    if Path(name).is_file():
        book = rulebook.read([name], profile=profile)
        return Source(textgraph.graph(book), book=book)
    games = ", ".join(catalogs.games()) or "none"
    raise RulebookError(f"{name}: is neither a game ({games}) nor the file of a rulebook")


def open_rule(name: str, rule: str, profile: str = "") -> tuple[Source, str]:
    """Open a book and find a rule in it; ``agot:3.19`` alone names both."""
    if not rule:
        game, _, number = name.partition(":")
        if not number or game not in catalogs.games():
            raise RulebookError(f"{name}: which rule? Write a game or a file and a rule, or a rule as agot:3.19")
        name, rule = game, name
    source = open_book(name, profile)
    return source, shape.resolve(source.graph, rule)


def _rule(graph: nx.MultiDiGraph[str], key: str, lang: str) -> dict[str, Any]:
    node = graph.nodes[key]
    return {
        "id": key,
        "kind": node["kind"],
        "number": node["number"],
        "title": shape.title(graph, key, lang),
        "text": shape.text(graph, key, lang),
        "section": node["section"],
        "file": node["file"],
        "line": node["line"],
        "tags": node["tags"],
    }


def _count(number: int, en: str, ru: str, lang: str) -> str:
    """Return a number with its noun: ``2 rules``, and in Russian ``правил: 2``, which needs no case."""
    return f"{ru}: {number}" if lang == "ru" else f"{number} {en}{'' if number == 1 else 's'}"


def _say(lang: str, en: str, ru: str) -> str:
    return ru if lang == "ru" else en


# -- show ------------------------------------------------------------------------------------------


def show(name: str, *, by: str, under: str, depth: int, lang: str, profile: str) -> Answer:
    """Answer ``graph show``: the book as a tree, or ranked, grouped, or by its exceptions."""
    ways: dict[str, Callable[[Source, str], tuple[dict[str, Any], RenderableType]]] = {
        "centrality": _by_centrality,
        "communities": _by_communities,
        "unreferenced": _by_unreferenced,
        "exceptions": _by_exceptions,
    }
    source = open_book(name, profile)
    if by in ways:
        answer, shown = ways[by](source, lang)
        return Answer("show", source.described(), answer, shown)
    if by != "sections":
        raise RulebookError(f"--by {by}: there are sections, {', '.join(ways)}")
    graph = source.graph
    root = shape.resolve(graph, under) if under else ""
    rules = [_rule(graph, key, lang) for key in graph if not root or key in _below(graph, root)]
    shown = Group(terminal.tree(graph, lang, root=root, depth=depth), Text(), _summary(source, lang))
    return Answer("show", source.described(), {"rules": rules}, shown)


def _below(graph: nx.MultiDiGraph[str], root: str) -> set[str]:
    """Return a node and everything that it holds."""
    held: nx.DiGraph[str] = nx.DiGraph()
    held.add_node(root)
    held.add_edges_from((other, one) for one, other, _ in shape.edges(graph, ("part_of",)))
    return {root, *nx.descendants(held, root)}


def _summary(source: Source, lang: str) -> Text:
    facts = source.described()
    counts = ", ".join(
        f"{style.phrase(kind, lang)} {number}" for kind, number in facts["edges"].items() if kind != "part_of"
    )
    return Text(f"{_count(facts['rules'], 'rule', 'правил', lang)}; {counts}", style="dim")


def _by_centrality(source: Source, lang: str) -> tuple[dict[str, Any], RenderableType]:
    ranks = analyse.centrality(source.graph)
    listed = [(key, score) for key, score in ranks.items() if source.graph.nodes[key]["kind"] != "missing"]
    table = Table(box=None, padding=(0, 1))
    table.add_column(_say(lang, "weight", "вес"), justify="right", style="dim")
    table.add_column(_say(lang, "rule", "правило"))
    for key, score in listed[:_MANY]:
        table.add_row(f"{1000 * score:.1f}", terminal.name(source.graph, key, lang))
    return {"ranking": [{"rule": key, "score": round(score, 9)} for key, score in listed]}, table


def _by_communities(source: Source, lang: str) -> tuple[dict[str, Any], RenderableType]:
    groups = analyse.communities(source.graph)
    rows: list[RenderableType] = []
    for group in groups[:_MANY]:
        rows.append(Text(_count(len(group), "rule", "правил", lang), style="bold"))
        rows += [Text("  ").append_text(terminal.name(source.graph, key, lang)) for key in group[:8]]
        if len(group) > 8:
            rows.append(Text(f"  … +{len(group) - 8}", style="dim"))
    return {"groups": [list(group) for group in groups]}, Group(*rows)


def _by_unreferenced(source: Source, lang: str) -> tuple[dict[str, Any], RenderableType]:
    found = analyse.unreferenced(source.graph)
    rows = [terminal.name(source.graph, key, lang) for key in found[:_MANY]]
    if len(found) > _MANY:
        rows.append(Text(f"… +{len(found) - _MANY}", style="dim"))
    return {"rules": [_rule(source.graph, key, lang) for key in found]}, Group(*rows)


def _by_exceptions(source: Source, lang: str) -> tuple[dict[str, Any], RenderableType]:
    graph = source.graph
    beaten = dict.fromkeys(target for _, target, _ in shape.edges(graph, ("overrides",)))
    beating = {one for one, _, _ in shape.edges(graph, ("overrides",))}
    feet = [key for key in beaten if key not in beating] or list(beaten)
    trees = [analyse.ladder(graph, key) for key in feet]
    rows: list[RenderableType] = []
    for tree in trees:
        rows += [terminal.ladder(graph, tree, lang), Text()]
    return {"exceptions": [_tree(tree) for tree in trees]}, Group(*rows[:-1])


def _tree(tree: analyse.Tree) -> dict[str, Any]:
    return {"rule": tree.rule, "overridden_by": [_tree(child) for child in tree.children]}


# -- around, path, cycles, impact, reading order ---------------------------------------------------


def around(name: str, rule: str, *, depth: int, lang: str, profile: str) -> Answer:
    """Answer ``graph around``: a rule, its neighbours and the ladder of exceptions above it."""
    source, key = open_rule(name, rule, profile)
    graph = source.graph
    steps = {
        "incoming": [analyse.step(one, key, data) for one, _, data in graph.in_edges(key, data=True)],
        "outgoing": [analyse.step(key, other, data) for _, other, data in graph.out_edges(key, data=True)],
    }
    part = analyse.neighbourhood(graph, key, depth=depth)
    tree = analyse.ladder(graph, key)
    answer: dict[str, Any] = {
        "rule": _rule(graph, key, lang),
        **{side: [dataclasses.asdict(step) for step in row] for side, row in steps.items()},
        "near": [other for other in part if other != key],
        "exceptions": _tree(tree),
    }
    shown: list[RenderableType] = [terminal.around(graph, key, lang)]
    if tree.children:
        shown += [
            Text(),
            Text(_say(lang, "exceptions", "исключения"), style="bold"),
            terminal.ladder(graph, tree, lang),
        ]
    return Answer("around", source.described(), answer, Group(*shown))


def path(name: str, first: str, last: str, *, limit: int, lang: str, profile: str) -> Answer:
    """Answer ``graph path``: how one rule leads to another; exit 1 where it does not."""
    source = open_book(name, profile)
    graph = source.graph
    start, end = shape.resolve(graph, first), shape.resolve(graph, last)
    found = analyse.paths(graph, start, end, limit=limit + 1)
    cut = len(found) > limit
    rows: list[RenderableType] = []
    for steps in found[:limit]:
        rows.append(terminal.name(graph, start, lang))
        for step in steps:
            line = Text("  ").append(style.phrase(step.kind, lang), style=style.EDGES[step.kind].colour).append(" → ")
            rows.append(line.append_text(terminal.name(graph, step.target, lang)))
        rows.append(Text())
    if not found:
        rows.append(Text(_say(lang, f"No path from {start} to {end}.", f"От {start} к {end} пути нет.")))
    answer = {"paths": [[dataclasses.asdict(step) for step in steps] for steps in found[:limit]]}
    return Answer("path", source.described(), answer, Group(*rows), 3 if cut else 0 if found else 1, not cut)


def cycles(name: str, *, kinds: Sequence[str], limit: int, lang: str, profile: str) -> Answer:
    """Answer ``graph cycles``; a circle of precedence is an error (exit 1), one of references is not."""
    source = open_book(name, profile)
    listed: list[dict[str, Any]] = []
    rows: list[RenderableType] = []
    cut = False
    for kind in kinds:
        found, more = analyse.cycles(source.graph, (kind,), limit=limit)
        cut = cut or more
        for circle in found:
            listed.append({"kind": kind, "rules": list(circle)})
            line = Text(f"{style.phrase(kind, lang)}: ", style=style.EDGES[kind].colour)
            rows.append(line.append(" → ".join((*circle, circle[0])), style=""))
    if not listed:
        rows.append(Text(_say(lang, "No cycles.", "Циклов нет.")))
    wrong = any(each["kind"] == "overrides" for each in listed)
    code = 3 if cut else 1 if wrong else 0
    return Answer("cycles", source.described(), {"cycles": listed}, Group(*rows), code, not cut)


def impact(name: str, rule: str, *, depth: int, lang: str, profile: str) -> Answer:
    """Answer ``graph impact``: what a change of a rule may touch."""
    source, key = open_rule(name, rule, profile)
    found = analyse.impact(source.graph, key, depth=depth)
    rows: list[RenderableType] = [terminal.name(source.graph, key, lang)]
    for each in found:
        line = Text("  " * each.distance)
        line.append_text(terminal.name(source.graph, each.rule, lang, width=60))
        incoming = each.through.target == each.rule
        other = each.through.source if incoming else each.through.target
        words = style.phrase(each.through.kind, lang, incoming=incoming)
        rows.append(line.append(f"  {words} {other}", style="dim"))
    rows.append(
        Text(
            _say(lang, f"Perhaps touched: {len(found)}.", f"Затронуто может быть: {len(found)}."),
            style="dim",
        )
    )
    answer = {"rule": key, "touched": [dataclasses.asdict(each) for each in found]}
    return Answer("impact", source.described(), answer, Group(*rows))


def reading_order(name: str, rule: str, *, depth: int, lang: str, profile: str) -> Answer:
    """Answer ``graph reading-order``: what to read before a rule can be applied, and in which order."""
    source, key = open_rule(name, rule, profile)
    order = analyse.reading_order(source.graph, key, depth=depth)
    rows: list[RenderableType] = []
    for place, group in enumerate(order, 1):
        for position, each in enumerate(group):
            mark = f"{place:>4}. " if position == 0 else "   ↻  "
            rows.append(Text(mark, style="dim").append_text(terminal.name(source.graph, each, lang)))
    answer = {"rule": key, "order": [list(group) for group in order]}
    return Answer("reading-order", source.described(), answer, Group(*rows))


# -- export ----------------------------------------------------------------------------------------


def export(
    name: str,
    file: Path,
    *,
    form: str,
    rule: str,
    depth: int,
    kinds: Sequence[str],
    layout: str,
    lang: str,
    profile: str,
) -> Answer:
    """Answer ``graph export``: write the graph, or a rule's neighbourhood, to a file."""
    source = open_book(name, profile)
    form = form or file.suffix.removeprefix(".").lower()
    if form not in FORMATS:
        raise RulebookError(f"{file.name}: no format {form or 'without an ending'!r}; there are {', '.join(FORMATS)}")
    key = shape.resolve(source.graph, rule) if rule else ""
    data = picture.render(source.graph, form, focus=key, depth=depth, kinds=kinds, layout=layout, lang=lang)
    try:
        file.write_bytes(data)
    except OSError as error:
        raise RulebookError(f"{file.name}: cannot be written: {error.strerror or error}") from error
    answer = {"file": str(file), "format": form, "bytes": len(data)}
    size = _say(lang, f"{file.name}: {len(data):,} bytes", f"{file.name}: байт {len(data):,}")
    return Answer("export", source.described(), answer, Text(size))


# -- lint and import -------------------------------------------------------------------------------


def check(name: str, *, against: str, text: str, least: str, lang: str, profile: str) -> Answer:
    """Answer ``graph lint``: what is wrong with a book, its code, or its younger version."""
    source = open_book(name, profile)
    extra: dict[str, Any] = {}
    if source.catalog is not None:
        found = build.findings(source.catalog)
        if text:
            book = rulebook.read([text])
            laid = compare.beside(source.catalog, source.graph, book, textgraph.graph(book))
            found, extra = laid.findings, {"pairs": dict(laid.pairs)}
    elif source.book is not None and against:
        found = versions.compare(rulebook.read([against], profile=profile), source.book).findings
    elif source.book is not None:
        found = lint.lint(source.book)
    else:
        found = ()
    return Answer(
        "lint",
        source.described(),
        {**_findings(found, lang), **extra},
        _shown(found, lang, least),
        _code(found),
    )


def _findings(found: Sequence[Finding], lang: str) -> dict[str, Any]:
    counts = Counter(each.severity for each in found)
    return {
        "findings": [
            {
                "code": each.code,
                "severity": each.severity,
                "rule": each.rule,
                "file": each.file,
                "line": each.line,
                "sentence": each.sentence(lang),
            }
            for each in found
        ],
        "counts": {severity: counts[severity] for severity in lint.SEVERITIES},
    }


def _code(found: Sequence[Finding]) -> int:
    return 1 if any(each.severity == "error" for each in found) else 0


def _shown(found: Sequence[Finding], lang: str, least: str) -> RenderableType:
    """Return the findings of at least a severity, one line each, and how many there are of each."""
    if least not in lint.SEVERITIES:
        raise RulebookError(f"--least {least}: there are {', '.join(lint.SEVERITIES)}")
    wanted = lint.SEVERITIES[: lint.SEVERITIES.index(least) + 1]
    rows: list[RenderableType] = []
    for each in found:
        if each.severity in wanted:
            place = ":".join(str(part) for part in (each.file, each.line or "") if part)
            line = Text(f"{place} " if place else "", style="cyan")
            word = _SEVERITY[each.severity] if lang == "ru" else each.severity
            line.append(f"{word}: ", style=_COLOURS[each.severity])
            rows.append(line.append(each.sentence(lang), style=""))
    counts = Counter(each.severity for each in found)
    words = {
        "error": ("error", "ошибок"),
        "warning": ("warning", "предупреждений"),
        "info": ("note", "к сведению"),
    }
    summary = ", ".join(_count(counts[key], *words[key], lang) for key in lint.SEVERITIES)
    rows.append(Text(summary, style="dim"))
    return Group(*rows)


def import_book(
    files: Sequence[Path], *, save: Path | None, least: str, lang: str, profile: str, layout: str = "auto"
) -> Answer:
    """Answer ``lawspeaker import``: how a text was read, and what is wrong with it."""
    book = rulebook.read(files, profile=profile)
    graph = textgraph.graph(book)
    source = Source(graph, book=book)
    found = lint.lint(book)
    if save is not None:
        form = save.suffix.removeprefix(".").lower()
        if form not in FORMATS:
            raise RulebookError(f"{save.name}: no format {form!r}; there are {', '.join(FORMATS)}")
        save.write_bytes(picture.render(graph, form, lang=lang, layout=layout))
    described = source.described()
    kinds = Counter(each.kind for each in book)
    forms = Counter(each.form for each in book.references)
    answer: dict[str, Any] = {
        "encoding": book.encoding,
        "profiles": dict(book.scores),
        "provisions": dict(kinds),
        "references": dict(forms),
        "skipped": [dataclasses.asdict(each) for each in book.skipped],
        **_findings(found, lang),
    }
    shown = Group(_report(book, kinds, forms, lang), Text(), _shown(found, lang, least))
    return Answer("import", described, answer, shown, _code(found))


def _report(book: Rulebook, kinds: Counter[str], forms: Counter[str], lang: str) -> RenderableType:
    body = sum(book.by_id[each.source].kind != "term" for each in book.references)
    said = Counter(each.kind for each in book.references)
    runner_up = f" ({_say(lang, 'next', 'затем')}: {book.scores[1][0]})" if len(book.scores) > 1 else ""
    names = {
        "section": "разделов",
        "rule": "правил",
        "heading": "заголовков",
        "term": "терминов",
        "step": "шагов",
    }
    rows = [
        (_say(lang, "read as", "прочитано как"), f"{book.profile}: {book.profile_title}{runner_up}"),
        (_say(lang, "encoding", "кодировка"), f"{book.encoding}, {book.language}"),
        (
            _say(lang, "found", "найдено"),
            ", ".join(_count(number, kind, names[kind], lang) for kind, number in kinds.items()),
        ),
        (
            _say(lang, "references", "ссылок"),
            f"{len(book.references)} ({_say(lang, 'outside the glossary', 'вне словаря')}: {body}; "
            + ", ".join(f"{form} {number}" for form, number in forms.most_common())
            + ")",
        ),
        (
            _say(lang, "precedence", "старшинство"),
            _say(
                lang,
                f"{said['overrides']} beat the rule they name, {said['overridden']} are beaten by it",
                f"старше другого: {said['overrides']}, уступают другому: {said['overridden']}",
            ),
        ),
    ]
    for gap in _gaps(book):
        rows.append((_say(lang, "left out", "пропущено"), gap))
    width = max(len(head) for head, _ in rows) + 2
    return Group(*(Text(head.ljust(width), style="dim").append(words, style="not dim") for head, words in rows))


def _gaps(book: Rulebook) -> list[str]:
    """Return what was left out, alike reasons together."""
    by_reason: dict[str, list[str]] = {}
    for gap in book.skipped:
        lines = str(gap.first) if gap.first == gap.last else f"{gap.first}–{gap.last}"
        by_reason.setdefault(gap.reason, []).append(lines)
    return [f"{reason}: {', '.join(lines)}" for reason, lines in by_reason.items()]
