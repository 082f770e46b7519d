"""Calibration against a tabling Prolog: the same positions, the rules written in Prolog, every state tabled.

It is an outside yardstick: whether the times of this package's own engines are of a sensible order at all.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.measure import hand_written, measure
from bench.positions import Family

__all__ = ["Calibration", "calibrate"]

_PROGRAM = Path(__file__).with_name("timing_window.pl")


@dataclass(frozen=True, slots=True)
class Calibration:
    """What came out: a text to print, and a row per position."""

    told: str
    rows: list[dict[str, Any]] = field(default_factory=list)


def calibrate(families: Sequence[Family]) -> Calibration:
    """Explore positions with SWI-Prolog, where it is installed, and with the explorer.

    Raises
    ------
    AssertionError
        If the two disagree on the number of final boards.
    """
    swipl = shutil.which("swipl")
    if swipl is None:
        return Calibration("skipped, swipl is not installed")
    rows = []
    for family in families:
        states, ends, seconds = _run(swipl, family)
        row = measure(family)
        if ends != row.outcomes:
            raise AssertionError(f"{family.label}: Prolog finds {ends} outcomes, the explorer {row.outcomes}")
        rows.append(
            {"label": family.label, "states": states, "outcomes": ends, "swipl": seconds, "explorer": row.seconds}
        )
    told = "\n".join(
        f"  {row['label']:32} {row['states']:>10,} states  {row['outcomes']:>7,} outcomes  "
        f"swipl {row['swipl']:.2f} s  explorer {row['explorer']:.2f} s"
        for row in rows
    )
    return Calibration("\n" + told, rows)


def _run(swipl: str, family: Family) -> tuple[int, int, float]:
    """Return how many states Prolog finds, how many of them are ends, and in how many seconds."""
    engine = hand_written()(family.facts())
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "position.pl"
        program.write_text(_facts(engine) + _PROGRAM.read_text(encoding="utf-8"), encoding="utf-8")
        done = subprocess.run(
            [swipl, "--stack-limit=4g", "--table-space=4g", "-q", "-g", "main", "-t", "halt", str(program)],
            capture_output=True,
            text=True,
            check=True,
        )
    states, ends, milliseconds = done.stdout.split()
    return int(states), int(ends), int(milliseconds) / 1000


def _facts(engine: Any) -> str:
    """Write a position as the facts that ``timing_window.pl`` describes."""
    start = engine.initial()
    watched = 0
    lines = [":- use_module(library(lists)). :- use_module(library(aggregate)). :- use_module(library(yall))."]
    lines += [
        ":- use_module(library(apply)).",
        f"players({engine.count}). size({engine.size}). events({engine.events}).",
    ]
    for a in engine.abilities:
        watched |= a.triggers
        lines.append(
            f"ability({a.number},{a.source},{a.owner},{a.kind},{a.triggers},{a.cancels},{a.saves},{a.targets},"
            f"{a.payers},{a.cost},{a.effect},{a.counter})."
        )
    number, event, aim = start.choosing
    counters = ",".join(map(str, start.counters))
    lines.append(f"opener({engine.players.index(engine.opener)}). watched({watched}).")
    lines.append(f"first_state(s(action,0,0,-1,[],c({number},{event},{aim}),0,0,0,0,0,[0,0,0,0,0],[{counters}])).")
    return "\n".join(lines) + "\n"
