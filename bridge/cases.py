"""Cases: positions that say what the right answer is, and whether the rules give it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from clingo import Symbol

import asp
from bridge.catalog import rule_id
from bridge.engines import Limits
from bridge.errors import LawspeakerError, QuestionError
from bridge.explain import Refusal
from bridge.ground import Switches
from bridge.oracle import Oracle
from bridge.outcome import Outcomes
from bridge.position import Expected, Position, load
from bridge.terms import Condition, matches

__all__ = ["Result", "check", "files", "run", "summary"]

CITE_STATES = 3_000
"""Up to this many states the rules behind every move are looked up for ``cites`` and ``illegal``."""


@dataclass(frozen=True, slots=True)
class Result:
    """The verdict on one case: sentences for everything that is not as expected."""

    source: str
    title: str
    failures: tuple[str, ...]
    outcomes: int | None = None

    @property
    def passed(self) -> bool:
        """Whether everything is as expected."""
        return not self.failures


def files(folder: str | Path | None = None) -> list[Path]:
    """Return the case files under a folder, or the shipped ones."""
    if folder is None:
        return sorted(asp.ROOT.glob("*/positions/**/*.yaml"))
    folder = Path(folder)
    if folder.is_file():
        return [folder]
    return sorted({*folder.rglob("*.yaml"), *folder.rglob("*.yml"), *folder.rglob("*.json")})


def run(path: Path, choose: Callable[[str], Switches] | None = None) -> Result:
    """Run one case file; whatever stops it is its failure.

    Parameters
    ----------
    path
        The file.
    choose
        Further switches, given the name of the game.
    """
    try:
        position = load(path)
        if choose is not None:
            position = position.with_switches(choose(position.game))
        return check(position)
    except QuestionError:
        raise
    except LawspeakerError as error:
        return Result(str(path), path.stem, tuple(str(error).splitlines()))


def summary(path: Path) -> dict[str, str]:
    """Return what a list of examples says of one: game, group, name, title, source."""
    from bridge import yamltext

    data = yamltext.read(path.read_text(encoding="utf-8"), str(path)).data
    group = path.parent.name
    return {
        "game": data["game"],
        "group": f"{data['game']}: {group}",
        "name": path.stem,
        "title": data.get("title", path.stem),
        "source": data.get("source", ""),
    }


def check(position: Position, oracle: Oracle | None = None) -> Result:
    """Compare a position's answer with what it expects.

    Parameters
    ----------
    position
        A position with ``expect``.
    oracle
        The oracle of this position, if there is one already.
    """
    expected = position.expected
    if expected is None:
        return Result(position.source, position.title, ("it expects nothing; add 'expect:'",))
    oracle = oracle or Oracle(position, engine="clingo")
    outcomes = oracle.outcomes(Limits(states=50_000, seconds=60))
    failures = list(_failures(oracle, outcomes, expected))
    return Result(position.source, position.title, tuple(failures), len(outcomes))


def _failures(oracle: Oracle, outcomes: Outcomes, expected: Expected) -> Iterator[str]:
    graph = outcomes.graph
    yield from sorted(graph.faults)
    for limit in sorted(graph.limits):
        yield f"the answer is incomplete: {limit}"
    if expected.outcomes is not None and len(outcomes) != expected.outcomes:
        yield f"{expected.outcomes} outcomes are expected, {len(outcomes)} were found"
    if expected.lines is not None and outcomes.lines != expected.lines:
        yield f"{expected.lines} lines are expected, {outcomes.lines} were found"
    if any(outcome.stuck for outcome in outcomes) != expected.stuck:
        yield "a line gets stuck" if not expected.stuck else "no line gets stuck"
    if outcomes.endless != expected.endless:
        yield "some lines go round in a circle and never end" if not expected.endless else "every line can end"
    yield from _boards(outcomes, expected.boards)
    boards = [outcome.facts for outcome in outcomes]
    yield from _conditions("possible", expected.possible, lambda one: any(map(one.holds, boards)))
    yield from _conditions("impossible", expected.impossible, lambda one: not any(map(one.holds, boards)))
    yield from _conditions("certain", expected.certain, lambda one: all(map(one.holds, boards)))
    yield from _moves(oracle, outcomes, expected)


def _conditions(what: str, conditions: Sequence[Condition], holds: Callable[[Condition], bool]) -> Iterator[str]:
    for condition in conditions:
        if not holds(condition):
            yield f"{condition} should be {what}, and is not"


def _boards(outcomes: Outcomes, boards: Sequence[Sequence[Condition]] | None) -> Iterator[str]:
    if boards is None:
        return
    if len(boards) != len(outcomes):
        yield f"{len(boards)} boards are listed, {len(outcomes)} outcomes were found"
    for number, board in enumerate(boards, start=1):
        fitting = [i for i, one in enumerate(outcomes, 1) if all(each.holds(one.facts) for each in board)]
        if len(fitting) != 1:
            shown = " ".join(map(str, fitting)) or "none"
            yield f"board {number} should fit one outcome, and fits {shown}"
    for number, outcome in enumerate(outcomes, start=1):
        if not any(all(each.holds(outcome.facts) for each in board) for board in boards):
            yield f"outcome {number} fits no board"


def _moves(oracle: Oracle, outcomes: Outcomes, expected: Expected) -> Iterator[str]:
    if not (expected.legal or expected.illegal or expected.cites):
        return
    graph = outcomes.graph
    made: set[Symbol] = {edge.move for out in graph.edges for edge in out}
    made |= {step.move for step in oracle.played}
    for pattern in expected.legal:
        if not made & set(oracle.moves_named(pattern)):
            yield f"{pattern} should be legal, and never is"
    cited: set[str] = set()
    refusals: dict[Symbol, list[Refusal]] = {}
    if len(graph.states) > CITE_STATES:
        yield f"the case is too large ({len(graph.states)} states) for 'illegal' and 'cites'"
        return
    for node, state in enumerate(graph.states):
        for refusal in oracle.explainer.refusals(state, weighed=True):
            refusals.setdefault(refusal.move, []).append(refusal)
            cited |= set(map(rule_id, refusal.cited))
        if expected.cites:
            for edge in graph.edges[node]:
                one = oracle.explainer.cite(state, edge.move)
                cited |= set(map(rule_id, (*one.rules, *one.bookkeeping)))
    state = oracle.engine.program.initial
    for step in oracle.played if expected.cites else ():
        one = oracle.explainer.cite(state, step.move)
        cited |= set(map(rule_id, (*one.rules, *one.bookkeeping)))
        state = step.after
    for illegal in expected.illegal:
        yield from _illegal(oracle, illegal.move, illegal.by, made, refusals)
    for rule in expected.cites:
        full = rule if ":" in rule else f"{oracle.position.game}:{rule}"
        if full not in cited:
            yield f"{full} should be cited, and is not"


def _illegal(
    oracle: Oracle,
    pattern: Symbol,
    by: Sequence[str],
    made: set[Symbol],
    refusals: dict[Symbol, list[Refusal]],
) -> Iterator[str]:
    named = set(oracle.moves_named(pattern)) | {move for move in refusals if matches(pattern, move)}
    if legal := named & made:
        yield f"{pattern} should be illegal, but {sorted(map(str, legal))[0]} is legal"
        return
    found = {rule_id(rule) for move in named for one in refusals.get(move, ()) for rule in one.cited}
    if not found:
        yield f"{pattern} should be refused, but nobody can even try it"
    for rule in by:
        full = rule if ":" in rule else f"{oracle.position.game}:{rule}"
        if full not in found:
            yield f"{pattern} should be refused by {full}; it is refused by {', '.join(sorted(found)) or 'nothing'}"
