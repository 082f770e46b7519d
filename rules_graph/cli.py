"""The commands ``lawspeaker graph …`` and ``lawspeaker import``; what they answer is in ``commands``.

Nothing heavy is imported before a command runs, so that ``lawspeaker --help`` stays quick.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bridge.errors import LawspeakerError

if TYPE_CHECKING:
    from rules_graph.commands import Answer

__all__ = ["graph_app", "import_rulebook"]

graph_app = typer.Typer(
    no_args_is_help=True,
    help="The rules as a graph: what refers to, overrides and depends on what, in a game or a rulebook.",
)

Book = Annotated[str, typer.Argument(help="A game (agot), the file of a rulebook, or a rule as agot:3.19.")]
Rule = Annotated[str, typer.Argument(help="A rule by its number, id or title.")]
OptionalRule = Annotated[str, typer.Argument(help="The rule, where BOOK does not name it already.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON (schema lawspeaker.graph/1).")]
Lang = Annotated[str, typer.Option("--lang", help="en or ru.")]
Profile = Annotated[str, typer.Option("--profile", help="How a rulebook is numbered; guessed if not given.")]
Depth = Annotated[int, typer.Option("--depth", min=0, help="How many steps to look; 0 for all.")]
Kinds = Annotated[list[str] | None, typer.Option("--kind", help="A kind of edge, may be repeated.")]
Least = Annotated[str, typer.Option("--least", help="Print findings from error, warning or info on.")]

_KINDS = ("overrides", "refers", "depends", "see_also", "part_of")


def _run(command: str, *, as_json: bool, lang: str, **options: Any) -> None:
    """Run a command of ``commands``, print its answer and end with its code."""
    try:
        if lang not in ("en", "ru"):
            raise LawspeakerError(f"--lang {lang}: there are en and ru")
        work: Callable[..., Answer] = getattr(importlib.import_module("rules_graph.commands"), command)
        found = work(lang=lang, **options)
    except LawspeakerError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(error.exit_code) from error
    if as_json:
        typer.echo(json.dumps(found.document(), ensure_ascii=False, indent=1))
    else:
        console = importlib.import_module("rich.console").Console(highlight=False, soft_wrap=not sys.stdout.isatty())
        console.print(found.shown)
    if not found.complete:
        said = "ответ неполон: достигнут предел" if lang == "ru" else "the answer is incomplete: a limit was reached"
        typer.echo(said, err=True)
    if found.exit_code:
        raise typer.Exit(found.exit_code)


def _kinds(kinds: list[str] | None, default: tuple[str, ...]) -> tuple[str, ...]:
    for kind in kinds or ():
        if kind not in _KINDS:
            typer.echo(f"--kind {kind}: there are {', '.join(_KINDS)}", err=True)
            raise typer.Exit(2)
    return tuple(kinds) if kinds else default


@graph_app.command("show")
def show(
    *,
    book: Book,
    by: Annotated[
        str, typer.Option("--by", help="sections, centrality, communities, unreferenced or exceptions.")
    ] = "sections",
    under: Annotated[str, typer.Option("--under", help="Only what this rule or section holds.")] = "",
    depth: Annotated[int, typer.Option("--depth", min=1, help="How many levels of the tree.")] = 2,
    json_: Json = False,
    lang: Lang = "en",
    profile: Profile = "",
) -> None:
    """Show a book as a tree, or by weight, groups, exceptions, or what nobody refers to."""
    _run("show", as_json=json_, lang=lang, name=book, by=by, under=under, depth=depth, profile=profile)


@graph_app.command("around")
def around(
    *,
    book: Book,
    rule: OptionalRule = "",
    depth: Depth = 1,
    json_: Json = False,
    lang: Lang = "en",
    profile: Profile = "",
) -> None:
    """Show a rule with its neighbours and the ladder of exceptions above it."""
    _run("around", as_json=json_, lang=lang, name=book, rule=rule, depth=depth, profile=profile)


@graph_app.command("path")
def path(
    *,
    book: Book,
    first: Rule,
    last: Rule,
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many paths.")] = 5,
    json_: Json = False,
    lang: Lang = "en",
    profile: Profile = "",
) -> None:
    """Show the shortest ways in which one rule leads to another; exit 1 where none does."""
    _run("path", as_json=json_, lang=lang, name=book, first=first, last=last, limit=limit, profile=profile)


@graph_app.command("cycles")
def cycles(
    *,
    book: Book,
    kind: Kinds = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many cycles of a kind.")] = 1000,
    json_: Json = False,
    lang: Lang = "en",
    profile: Profile = "",
) -> None:
    """List circles of references, which are normal, and of precedence, which are errors (exit 1)."""
    kinds = _kinds(kind, ("overrides", "refers"))
    _run("cycles", as_json=json_, lang=lang, name=book, kinds=kinds, limit=limit, profile=profile)


@graph_app.command("impact")
def impact(
    *,
    book: Book,
    rule: OptionalRule = "",
    depth: Depth = 0,
    json_: Json = False,
    lang: Lang = "en",
    profile: Profile = "",
) -> None:
    """List the rules that a change of a rule may touch, the nearest first."""
    _run("impact", as_json=json_, lang=lang, name=book, rule=rule, depth=depth, profile=profile)


@graph_app.command("reading-order")
def reading_order(
    *,
    book: Book,
    rule: OptionalRule = "",
    depth: Depth = 0,
    json_: Json = False,
    lang: Lang = "en",
    profile: Profile = "",
) -> None:
    """List what must be read to apply a rule, in order; rules that lean on one another stand together."""
    _run("reading_order", as_json=json_, lang=lang, name=book, rule=rule, depth=depth, profile=profile)


@graph_app.command("export")
def export(
    *,
    book: Book,
    file: Annotated[Path, typer.Argument(help="Where to write; the ending chooses the format.")],
    form: Annotated[
        str,
        typer.Option("--format", help="html, svg, png, dot, mmd (Mermaid), graphml, cyjs (Cytoscape) or json."),
    ] = "",
    around: Annotated[str, typer.Option("--around", help="Only the neighbourhood of this rule.")] = "",
    depth: Annotated[int, typer.Option("--depth", min=1, help="How far the neighbourhood reaches.")] = 1,
    kind: Kinds = None,
    layout: Annotated[str, typer.Option("--layout", help="auto, dot, ring or columns.")] = "auto",
    json_: Json = False,
    lang: Lang = "en",
    profile: Profile = "",
) -> None:
    """Write the graph, or a rule's neighbourhood, as a picture, a page or a file for other programs."""
    options = {"form": form, "rule": around, "depth": depth, "kinds": _kinds(kind, ()), "layout": layout}
    _run("export", as_json=json_, lang=lang, name=book, file=file, profile=profile, **options)


@graph_app.command("lint")
def lint(
    *,
    book: Book,
    against: Annotated[str, typer.Option("--against", help="An older version of the same rulebook.")] = "",
    text: Annotated[str, typer.Option("--text", help="The text that a game's rules were encoded from.")] = "",
    least: Least = "info",
    json_: Json = False,
    lang: Lang = "en",
    profile: Profile = "",
) -> None:
    """List what is wrong with the references of a rulebook or of encoded rules; exit 1 on errors."""
    options = {"against": against, "text": text, "least": least}
    _run("check", as_json=json_, lang=lang, name=book, profile=profile, **options)


def import_rulebook(
    *,
    files: Annotated[list[Path], typer.Argument(help="A rulebook's text, or its chapters in order.")],
    save: Annotated[
        Path | None, typer.Option("--save", "-o", help="Also write the graph; the ending chooses the format.")
    ] = None,
    least: Least = "warning",
    json_: Json = False,
    lang: Lang = "en",
    profile: Profile = "",
) -> None:
    """Read a numbered rulebook's text as a graph and say what is wrong with it; exit 1 on errors."""
    _run("import_book", as_json=json_, lang=lang, files=files, save=save, least=least, profile=profile)
