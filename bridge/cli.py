"""The command line. Everything slow is imported inside the command that needs it."""

from __future__ import annotations

import contextlib
import errno
import functools
import gc
import json
import math
import os
import signal
import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import click
import typer

from bridge.errors import LawspeakerError, LimitReached, PositionError, QuestionError
from rules_graph.cli import graph_app, import_rulebook

if TYPE_CHECKING:
    from clingo import Symbol
    from rich.console import Console

    from bridge.engines import Limits, Progress
    from bridge.oracle import Oracle
    from bridge.position import Position

Command = TypeVar("Command", bound=Callable[..., Any])

app = typer.Typer(
    name="lawspeaker",
    help="A rules oracle for card games: every legal outcome of a position, and the rule behind each step.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


class Lang(StrEnum):
    """Languages of the words."""

    en = "en"
    ru = "ru"


PositionFile = Annotated[
    Path, typer.Argument(metavar="POSITION", help="A position file, or the name of a shipped example.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
InLang = Annotated[Lang, typer.Option("--lang", help="Language of the words.")]
AsTerms = Annotated[bool, typer.Option("--asp", help="Add the ASP term to every sentence.")]
Without = Annotated[list[str] | None, typer.Option("--without", metavar="RULE", help="Switch a rule off.")]
Readings = Annotated[
    list[str] | None,
    typer.Option("--reading", metavar="RULE=NAME", help="Choose how an ambiguous rule is read."),
]
AnyReadings = Annotated[
    list[str] | None,
    typer.Option(
        "--reading",
        metavar="RULE=NAME",
        help="Choose how an ambiguous rule is read; 'all' tries every other reading, one at a time, "
        "'all=combined' those that matter together as well.",
    ),
]
States = Annotated[
    int,
    typer.Option(
        "--states", min=1, help="Give up after so many decisions and ends; with --engine clingo, after so many states."
    ),
]
Until = Annotated[
    str | None,
    typer.Option("--until", metavar="HORIZON", help="How far to look: window, or what the game knows beyond."),
]
Engine = Annotated[str, typer.Option("--engine", help="auto, explorer or clingo.")]
Seconds = Annotated[float, typer.Option("--seconds", min=0.0, help="Answer within about so many seconds.")]


def main() -> None:
    """Run the command line; the process ends with the documented exit code and never with a traceback."""
    gc.set_threshold(100_000, 50, 50)  # a command is short; looking for circular garbage all the time is not
    if hasattr(signal, "SIGPIPE"):  # the reader of our output has gone, as `head` does: nothing is left to say
        signal.signal(signal.SIGPIPE, lambda *_: os._exit(0))
    interrupted = False

    def interrupt(*_: object) -> NoReturn:
        nonlocal interrupted
        interrupted = True
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    try:
        code: object = _run(sys.argv[1:])
    except (KeyboardInterrupt, click.Abort):
        code = _interrupted()
    except LawspeakerError as error:
        code = _interrupted() if interrupted else _fail(error)
    except OSError as error:
        if error.errno != errno.EPIPE:
            raise
        os._exit(0)
    except Exception:
        if not interrupted:  # what Ctrl-C stops inside a library may come back as any error
            raise
        code = _interrupted()
    _leave(code)


def _run(arguments: list[str]) -> object:
    """Run a command and return its exit code; click's own way would hide Ctrl-C and a closed pipe."""
    command = typer.main.get_command(app)
    if "--help" in arguments:
        from bridge.helptexts import complete

        complete(command)
    try:
        with command.make_context("lawspeaker", arguments) as context:
            command.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except SystemExit as done:
        return done.code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    return 0


def _interrupted() -> int:
    typer.echo("interrupted", err=True)
    return LimitReached.exit_code


def _leave(code: object) -> NoReturn:
    """End the process without taking down what clingo has built, which takes longer than many an answer."""
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def _fail(error: LawspeakerError) -> int:
    if isinstance(error, PositionError):
        for fault in error.faults:
            prefix = f"{error.source}: " if error.source else ""
            typer.echo(f"{prefix}{fault}", err=True)
    else:
        typer.echo(str(error), err=True)
    return error.exit_code


# ---- Helpers of the commands ----------------------------------------------------------------------------------------


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def _print_json(data: object) -> None:
    typer.echo(json.dumps(data, ensure_ascii=False, indent=2))


def _find(path: Path) -> Path:
    from bridge.oracle import example

    return path if path.exists() or path.suffix or len(path.parts) > 1 else example(str(path))


def _position(path: Path, without: list[str] | None, readings: list[str] | None, until: str | None = None) -> Position:
    from bridge.position import load, switches_named

    position = load(_find(path))
    if until is not None:
        position = position.with_given("until", until)
    return position.with_switches(switches_named(position.game, without or [], readings or []))


def _oracle(
    path: Path,
    lang: Lang,
    without: list[str] | None,
    readings: list[str] | None,
    until: str | None = None,
    engine: str = "auto",
) -> Oracle:
    from bridge.oracle import Oracle

    return Oracle(_position(path, without, readings, until), lang.value, engine)


def _wants_all(reading: list[str] | None) -> tuple[list[str] | None, str | None]:
    """Split off the wish for every reading; most commands need not load what grants it."""
    if not any(text.partition("=")[0] == "all" for text in reading or ()):
        return reading, None
    from bridge.readings import wants_all

    return wants_all(reading)


def _fixed(oracle: Oracle, named: list[str] | None) -> tuple[tuple[Symbol, str], ...]:
    """Return the readings that were named on the command line: they stay as they are while others are varied."""
    from bridge.position import switches_named

    return switches_named(oracle.position.game, [], named or []).readings


def _limits(states: int, seconds: float) -> Limits:
    from bridge.engines import Limits

    if math.isnan(seconds):
        raise QuestionError("--seconds must be a number of seconds, not nan")
    return Limits(states=states, seconds=seconds)


def _rest(oracle: Oracle, states: int) -> Limits:
    """Return the bounds with the seconds that the first answer has left."""
    return _limits(states, oracle.stop.left)


@contextlib.contextmanager
def _progress() -> Iterator[Progress | None]:
    """Yield a progress callback that writes to stderr where that is a terminal, and clears its line afterwards."""
    if not sys.stderr.isatty():
        yield None
        return
    shown = False

    def tell(states: int, frontier: int, seconds: float) -> None:
        nonlocal shown
        if seconds > 0.5:
            rate = states / seconds
            sys.stderr.write(f"\r{states:,} states, {frontier:,} waiting, {rate:,.0f} a second ")
            sys.stderr.flush()
            shown = True

    try:
        yield tell
    finally:
        if shown:
            sys.stderr.write("\r" + " " * 70 + "\r")


def _done(complete: bool) -> None:
    if not complete:
        raise typer.Exit(LimitReached.exit_code)


def _stoppable(command: Command) -> Command:
    """Let Ctrl-C ask a command for what it has found so far."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> Any:
        from bridge.stopping import on_request

        with on_request():
            return command(*arguments, **options)

    return run  # type: ignore[return-value]


# ---- The graph of the rules, and rulebooks as text ------------------------------------------------------------------

app.add_typer(graph_app, name="graph", help="The rules as a graph: references, precedence, dependency.")
app.command("import")(import_rulebook)


# ---- Questions about a position --------------------------------------------------------------------------------------


@app.command()
@_stoppable
def outcomes(
    position: PositionFile,
    everything: Annotated[bool, typer.Option("--all", help="Write out every outcome.")] = False,
    as_json: AsJson = False,
    lang: InLang = Lang.en,
    terms: AsTerms = False,
    without: Without = None,
    reading: AnyReadings = None,
    until: Until = None,
    engine: Engine = "auto",
    states: States = 200_000,
    seconds: Seconds = 300.0,
) -> None:
    """Every legal outcome of the open window, grouped so that a person can read it."""
    from bridge.report import outcomes_report

    named, wish = _wants_all(reading)
    oracle = _oracle(position, lang, without, named, until, engine)
    with _progress() as progress:
        found = oracle.outcomes(_limits(states, seconds), progress)
    report = outcomes_report(
        oracle, found, with_lines=len(found) if everything or as_json else 12, decisions_only=not as_json
    )
    if not as_json:
        from bridge.render import Renderer

        Renderer(oracle, _console(), lang.value, terms=terms).outcomes(
            found, report, everything=everything, limit=states
        )
    complete = True
    if wish is not None and not found.graph.faults:
        from bridge import readings

        fixed = _fixed(oracle, named)
        varied = readings.vary_outcomes(oracle, _rest(oracle, states), fixed, wish)
        report["other_readings"] = readings.outcomes_report(varied)
        complete = varied.complete
        if not as_json:
            readings.render_outcomes(oracle, varied, _console(), lang.value)
    if as_json:
        _print_json(report)
    if found.graph.faults:
        raise typer.Exit(1)
    _done(complete and found.graph.complete)


@app.command()
def legal(
    position: PositionFile,
    as_json: AsJson = False,
    lang: InLang = Lang.en,
    terms: AsTerms = False,
    without: Without = None,
    reading: Readings = None,
    until: Until = None,
) -> None:
    """What may be done now and by whom; what may not, and which rules refuse it."""
    from bridge.report import decision_report

    oracle = _oracle(position, lang, without, reading, until)
    report = decision_report(oracle)
    if as_json:
        _print_json(report)
        return
    from bridge.render import Renderer

    Renderer(oracle, _console(), lang.value, terms=terms).decision(report)


@app.command()
@_stoppable
def why(
    position: PositionFile,
    outcome: Annotated[
        int | None,
        typer.Argument(min=1, help="The number of an outcome, as 'outcomes' counts them; 1 if nothing is asked."),
    ] = None,
    where: Annotated[
        str | None,
        typer.Option("--where", metavar="CONDITION", help="The first outcome of which this is true."),
    ] = None,
    not_legal: Annotated[str | None, typer.Option("--not", metavar="MOVE", help="Why this move is not legal.")] = None,
    forced: Annotated[bool, typer.Option("--forced", help="Show forced moves that change nothing, too.")] = False,
    as_json: AsJson = False,
    lang: InLang = Lang.en,
    terms: AsTerms = False,
    without: Without = None,
    reading: Readings = None,
    until: Until = None,
    engine: Engine = "auto",
    states: States = 200_000,
    seconds: Seconds = 300.0,
) -> None:
    """The line to an outcome, each step with its actor, move and rules; or why a move is refused."""
    from bridge.report import line_report, why_head

    if sum(asked is not None for asked in (outcome, where, not_legal)) > 1:
        raise QuestionError("ask for one thing at a time: the number of an outcome, --where or --not")
    oracle = _oracle(position, lang, without, reading, until, engine)
    with _progress() as progress:
        found = oracle.outcomes(_limits(states, seconds), progress)
    if not_legal is not None:
        _why_not(oracle, not_legal, as_json)
        return
    number = oracle.find_outcome(where) if where is not None else outcome or 1
    if number is None:
        _say_no(oracle, oracle.no_outcome(where or ""), as_json)
    if number > len(found):
        said = "there is 1 outcome" if len(found) == 1 else f"there are {len(found)} outcomes"
        said += f"; there is no number {number}"
        if found.graph.complete and outcome is not None:
            raise QuestionError(said)
        _say_no(oracle, said, as_json)
    steps = line_report(oracle, found.line(found[number - 1]), whole=True)
    if as_json:
        _print_json({**why_head(oracle), "outcome": number, "line": steps})
    else:
        from bridge.render import Renderer

        renderer = Renderer(oracle, _console(), lang.value, terms=terms)
        renderer.line(number, found[number - 1], found, steps, forced=forced, limit=states)
    _done(found.graph.complete)


def _say_no(oracle: Oracle, sentence: str, as_json: bool) -> NoReturn:
    """Say that there is no such outcome, or, of a partial answer, that none was found."""
    from bridge.report import why_head

    found = oracle.outcomes()
    complete = found.graph.complete
    if not complete:
        why = ", ".join(sorted(found.graph.limits))
        sentence = f"not found in the part that was explored ({why}): {sentence} there"
    if found.endless:
        sentence += "; from some choices the moves go round in a circle and never end"
    if as_json:
        _print_json({**why_head(oracle), "answer": False if complete else None, "reason": sentence})
    else:
        typer.echo(sentence)
    raise typer.Exit(1 if complete else LimitReached.exit_code)


def _why_not(oracle: Oracle, text: str, as_json: bool) -> None:
    from bridge.report import refusal_report, why_head

    verdict = oracle.why_not(text)
    if as_json:
        refusals = [refusal_report(oracle, one) for one in verdict.refusals]
        _print_json(
            {
                **why_head(oracle),
                "move": text,
                "legal": verdict.legal,
                "refusals": refusals,
                "reason": verdict.sentence,
            }
        )
    else:
        typer.echo(verdict.sentence)
        for refusal in verdict.refusals:
            typer.echo(f"  {oracle.teller.say(refusal.move)}: {oracle.reasons(refusal)}")
    _done(verdict.legal or oracle.graph().complete)


@app.command()
@_stoppable
def ask(
    position: PositionFile,
    condition: Annotated[
        list[str],
        typer.Argument(
            help="ASP literals over the final board, all of which must hold, as 'winner(ann)' or 'not in(x,dead)'."
        ),
    ],
    possible: Annotated[bool, typer.Option("--possible", help="Can it come out so?")] = False,
    certain: Annotated[bool, typer.Option("--certain", help="Must it come out so?")] = False,
    force: Annotated[
        list[str] | None,
        typer.Option("--force", metavar="PLAYER", help="Can this player bring it about, whatever the others do?"),
    ] = None,
    as_json: AsJson = False,
    lang: InLang = Lang.en,
    terms: AsTerms = False,
    without: Without = None,
    reading: AnyReadings = None,
    until: Until = None,
    engine: Engine = "auto",
    states: States = 200_000,
    seconds: Seconds = 300.0,
) -> None:
    """Can it, must it, or can a player force it to come out so? Each answer with a line or a strategy."""
    from bridge.asking import answer_report, answers, render_answers

    named, wish = _wants_all(reading)
    oracle = _oracle(position, lang, without, named, until, engine)
    goal = [oracle.condition(text) for text in condition]
    wanted: list[tuple[str, str | None]] = [("possible", None)] if possible else []
    wanted += [("certain", None)] if certain else []
    wanted += [("force", player) for player in force or ()]
    with _progress() as progress:
        oracle.graph(_limits(states, seconds), progress)
    wanted = wanted or [("possible", None), ("certain", None)]
    found = answers(oracle, goal, wanted)
    complete = all(answer.holds is not None for answer in found)  # what a partial graph settles is settled
    report = answer_report(oracle, found)
    if not as_json:
        render_answers(oracle, found, _console(), lang.value, terms=terms)
    if wish is not None:
        from bridge import readings

        fixed = _fixed(oracle, named)
        varied = readings.vary_ask(oracle, condition, wanted, _rest(oracle, states), fixed, wish)
        report["other_readings"] = readings.ask_report(varied)
        complete = complete and varied.complete
        if not as_json:
            readings.render_ask(oracle, varied, _console(), lang.value)
    if as_json:
        _print_json(report)
    _done(complete)
    if not all(answer.holds for answer in found):
        raise typer.Exit(1)


@app.command()
@_stoppable
def verify(
    position: PositionFile,
    as_json: AsJson = False,
    without: Without = None,
    reading: Readings = None,
    until: Until = None,
    states: States = 200_000,
    seconds: Seconds = 300.0,
) -> None:
    """Run both engines and compare every decision, move and outcome."""
    from bridge.explore import compare_within
    from bridge.oracle import Oracle
    from bridge.report import head

    limits = _limits(states, seconds)
    oracle = Oracle(_position(position, without, reading, until))
    asked = oracle.position
    differences, bounds = compare_within(asked.game, asked.facts, asked.switches, limits)
    if as_json:
        agree = None if bounds else not differences
        bounded = {"complete": not bounds, "limits": sorted(bounds)}
        _print_json({**head(oracle, "verify"), **bounded, "agree": agree, "differences": differences})
    elif bounds:
        typer.echo(f"cut short, so that nothing can be compared: {', '.join(sorted(bounds))}")
    else:
        typer.echo("both engines agree" if not differences else "\n".join(differences))
    _done(not bounds)
    if differences:
        raise typer.Exit(1)


# ---- Rules and cases -------------------------------------------------------------------------------------------------


@app.command()
def rule(
    name: Annotated[str, typer.Argument(metavar="RULE", help="A rule, as agot:3.15, or M4 with --game.")],
    game: Annotated[
        str | None, typer.Option("--game", help="The game, where the rule's name does not say it; all are searched.")
    ] = None,
    as_json: AsJson = False,
    lang: InLang = Lang.en,
) -> None:
    """One rule: its text, its neighbours, its readings, and the positions that turn on it."""
    from bridge.rulepage import rule_page

    page = rule_page(name, game)
    if as_json:
        _print_json(page)
        return
    from bridge.rulepage import render_page

    render_page(page, _console(), lang.value)


@app.command("readings")
def list_readings(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game whose open questions are wanted.")],
    as_json: AsJson = False,
    lang: InLang = Lang.en,
) -> None:
    """Every question that a game's rules leave open, and the readings that answer it."""
    from bridge.readings import reading_list, render_list

    rows = reading_list(game)
    if as_json:
        _print_json({"lawspeaker": 1, "command": "readings", "game": game, "questions": rows})
    else:
        render_list(rows, _console(), lang.value)


@app.command()
def examples(as_json: AsJson = False) -> None:
    """The shipped positions: worked examples of the rulebooks, rulings and readings."""
    from bridge.cases import files, summary

    rows = [summary(path) for path in files()]
    if as_json:
        _print_json({"lawspeaker": 1, "command": "examples", "examples": rows})
        return
    console = _console()
    group = None
    for row in rows:
        if row["group"] != group:
            group = row["group"]
            console.print(f"\n[bold]{group}[/bold]")
        console.print(f"  [cyan]{row['name']}[/cyan]\n      {row['title']}", highlight=False)


@app.command()
def cases(
    folder: Annotated[
        Path | None, typer.Argument(help="A folder or file of cases; the shipped ones by default.")
    ] = None,
    as_json: AsJson = False,
    without: Without = None,
    reading: Readings = None,
) -> None:
    """Check positions that say what the right answer is."""
    from bridge.cases import files, run
    from bridge.position import switches_named

    if folder is not None and not folder.exists():
        raise QuestionError(f"there is no folder or file {folder}")
    found = files(folder)
    if not found:
        raise QuestionError(f"there are no case files (.yaml, .yml, .json) under {folder}")
    choose: Callable[[str], Any] = lambda game: switches_named(game, without or [], reading or [])  # noqa: E731
    results = []
    for path in found:
        result = run(path, choose)
        results.append(result)
        if not as_json:
            typer.echo(f"{'ok    ' if result.passed else 'FAILED'}  {path.stem}")
            for failure in result.failures:
                typer.echo(f"          {failure}")
    failed = sum(not result.passed for result in results)
    if as_json:
        rows = [
            {"file": one.source, "title": one.title, "passed": one.passed, "failures": list(one.failures)}
            for one in results
        ]
        _print_json(
            {
                "lawspeaker": 1,
                "command": "cases",
                "passed": len(results) - failed,
                "failed": failed,
                "cases": rows,
            }
        )
    else:
        typer.echo(f"{len(results) - failed} passed, {failed} failed")
    if failed:
        raise typer.Exit(1)


@app.command()
def schema(
    game: Annotated[str, typer.Argument(help="The game whose position format is wanted.")],
) -> None:
    """The JSON Schema of position files, for editors that complete and check them."""
    from bridge.schema import json_schema

    _print_json(json_schema(game))
