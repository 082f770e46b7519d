"""Answers as data: what ``--json`` prints and what the terminal shows, in one versioned form.

Keys are English; fluents, moves and players are ASP text; rules are ids such as ``agot:M4``. ``SCHEMA`` is raised when
a key changes its meaning or goes away.
"""

from __future__ import annotations

from typing import Any

from bridge.catalog import rule_id
from bridge.engines import Step
from bridge.explain import Refusal
from bridge.graph import Edge
from bridge.oracle import Oracle, Told
from bridge.outcome import Outcome, Outcomes

__all__ = ["SCHEMA", "decision_report", "line_report", "outcomes_report", "refusal_report", "why_head"]

SCHEMA = 1

Json = dict[str, Any]


def _texts(terms: Any) -> list[str]:
    return sorted(map(str, terms))


def _rules(rules: Any) -> list[str]:
    return [rule_id(rule) for rule in rules]


def head(oracle: Oracle, command: str) -> Json:
    """Return the keys that every answer begins with."""
    position = oracle.position
    return {
        "lawspeaker": SCHEMA,
        "command": command,
        "game": position.game,
        "title": position.title,
        "source": position.origin,
        "remarks": oracle.remarks(),
        "without": _rules(position.switches.without),
        "readings": [f"{rule_id(rule)}={name}" for rule, name in position.switches.readings],
    }


def why_head(oracle: Oracle) -> Json:
    """Return the keys that every answer to ``why`` begins with."""
    outcomes = oracle.outcomes()
    return {
        **head(oracle, "why"),
        "complete": outcomes.graph.complete,
        "limits": sorted(outcomes.graph.limits),
        "endless": outcomes.endless,
    }


def step_report(oracle: Oracle, told: Told) -> Json:
    """Return one step of a line: who, what, in words, and by which rules."""
    say = oracle.teller.say
    actor, move, alternatives = told.actor, told.move, told.alternatives
    cited = oracle.explainer.cite(told.state, move)
    board = frozenset(oracle.engine.program.facts(told.state)) - set(cited.stopped) | set(cited.started)
    news, losses = (
        oracle.news(cited.started, board),
        oracle.losses(set(cited.stopped) - oracle.engine.bookkeeping, board),
    )
    return {
        "actor": str(actor),
        "move": str(move),
        "words": oracle.teller.step(actor, cited.said or move),
        "forced": alternatives == 1,
        "alternatives": alternatives,
        "rules": _rules(cited.rules),
        "allowed_by": _rules(cited.allowed),
        "changed_by": _rules(cited.changed),
        "prevented_by": _rules(cited.preventing),
        "window_rules": _rules(cited.bookkeeping),
        "starts": _texts(cited.started),
        "stops": _texts(cited.stopped),
        "prevents": _texts(cited.prevented),
        "changes": [say(fluent) for fluent in cited.started if fluent in news],
        "losses": [say(fluent) for fluent in cited.stopped if fluent in losses],
    }


def line_report(oracle: Oracle, line: list[Edge], *, whole: bool = False, decisions_only: bool = False) -> list[Json]:
    """Return the steps of a line with the rules behind each.

    Parameters
    ----------
    oracle
        The oracle that found the line.
    line
        Moves from where the question is asked.
    whole
        Whether to begin with what opened the window and the position's own line.
    decisions_only
        Whether to leave out forced moves, which spares the look-up of their rules.
    """
    return [
        step_report(oracle, told)
        for told in oracle.transcript(line, whole=whole)
        if told.alternatives > 1 or not decisions_only
    ]


def outcomes_report(oracle: Oracle, outcomes: Outcomes, *, with_lines: int, decisions_only: bool = False) -> Json:
    """Return every outcome; the first `with_lines` of them with a shortest line, or only its decisions."""
    graph = outcomes.graph
    changing = outcomes.possible - outcomes.certain
    choices = outcomes.choices()
    shown = [  # with decisions only, for a terminal, the others are not written out
        _outcome(oracle, outcomes, number, outcome, number <= with_lines, decisions_only)
        for number, outcome in enumerate(outcomes[:with_lines] if decisions_only else outcomes, start=1)
    ]
    return {
        **head(oracle, "outcomes"),
        "complete": graph.complete,
        "limits": sorted(graph.limits),
        "faults": sorted(graph.faults),
        "states": len(graph.states),
        "lines": outcomes.lines,
        "endless": outcomes.endless,
        "start": _texts(outcomes.start),
        "certain": _texts(outcomes.certain - outcomes.start),
        "certainly_gone": _texts(outcomes.start - outcomes.possible),
        "varying": _texts(changing),
        "decisions": None
        if choices is None
        else [
            {
                "actor": str(choice.actor),
                "moves": [
                    {"move": str(move), "outcomes": sorted(numbers), "endless": move in choice.endless}
                    for move, numbers in choice.moves
                ],
            }
            for choice in choices
        ],
        "outcomes": shown,
    }


def _outcome(
    oracle: Oracle, outcomes: Outcomes, number: int, outcome: Outcome, with_line: bool, decisions_only: bool
) -> Json:
    report: Json = {
        "number": number,
        "stuck": outcome.stuck,
        "lines": outcome.lines,
        "facts": _texts(outcome.facts),
        "starts": _texts(outcome.facts - outcomes.start),
        "stops": _texts(outcomes.start - outcome.facts),
    }
    bound = outcomes.stop.reason() if with_line else ""
    if bound and number > 1:  # there is always time for one line
        outcomes.graph.limits.add(bound)
    elif with_line:
        report["line"] = line_report(oracle, outcomes.line(outcome), decisions_only=decisions_only)
    return report


def refusal_report(oracle: Oracle, refusal: Refusal) -> Json:
    """Return a refused move with the rules that stand in its way."""
    return {
        "move": str(refusal.move),
        "words": oracle.teller.say(refusal.move),
        "rules": _rules(refusal.rules),
        "leaning_on": _rules(refusal.leaning),
        "through": [{"move": str(part), "rules": _rules(rules)} for part, rules in refusal.through],
        "put_off_by": _rules(refusal.put_off),
        "because": [oracle.teller.say(why) for why in refusal.because],
        "reason": oracle.reasons(refusal),
    }


def decision_report(oracle: Oracle) -> Json:
    """Return what may be done at the first decision, by whom, and what is refused there."""
    state, forced = oracle.decision()
    steps: list[Step] = [] if oracle.engine.is_over(state) else oracle.engine.steps(state)
    over = oracle.engine.is_over(state)
    before: list[Json] = []
    at = oracle.start
    for step in forced:
        before.append(step_report(oracle, Told(at, step.actor, step.move, 1)))
        at = step.after
    return {
        **head(oracle, "legal"),
        "over": over,
        "stuck": not over and not steps,
        "before": before,
        "legal": [step_report(oracle, Told(state, step.actor, step.move, len(steps))) for step in steps],
        "refused": [] if over else [refusal_report(oracle, one) for one in oracle.explainer.refusals(state)],
    }
