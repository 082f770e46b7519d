"""One measurement: a position explored by the engines asked for, their answers compared, their times side by side.

Times are processor time, so that whatever else runs on the machine does not count.
"""

from __future__ import annotations

import importlib.util
import os
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.positions import Family
from bridge.engines import Limits, ReferenceEngine
from bridge.explore import Decisions, Explorer
from bridge.strategy import Arena

__all__ = ["Row", "command_seconds", "hand_written", "measure"]

ROOT = Path(__file__).resolve().parent.parent
_MANY = 50_000  # decisions from which on resident memory says something about them
_COUNTED = ("in", "kneeling", "count")


@dataclass(slots=True)
class Row:
    """What was measured at one position; None where it was not run.

    ``states`` are those between any two moves, forced ones included, as the reference engine counts them; ``moves``
    the moves that the explorer made; ``bytes`` is resident memory that exploring added, per decision state.
    """

    label: str
    cards: int
    abilities: int
    players: int
    moves: int
    decisions: int
    outcomes: int
    lines: int | None
    complete: bool
    ground: float
    compile: float
    explore: float
    rules: int
    bytes: float
    states: int | None = None
    reference: float | None = None
    by_hand: float | None = None

    @property
    def seconds(self) -> float:
        """All that the explorer took, grounding and compiling included."""
        return self.ground + self.compile + self.explore

    @property
    def explore_million(self) -> float:
        """Seconds of exploring per million decisions."""
        return self.explore / self.decisions * 1e6

    @property
    def faster_than_reference(self) -> float | None:
        """How many times the explorer is faster than the reference engine."""
        return None if self.reference is None else self.reference / self.seconds

    @property
    def faster_than_hand(self) -> float | None:
        """How many times the explorer is faster than the hand-written engine."""
        return None if self.by_hand is None else self.by_hand / self.seconds

    def as_json(self) -> dict[str, Any]:
        """Return the row with its ratios, for a machine to read."""
        ratios = {"faster_than_reference": self.faster_than_reference, "faster_than_hand": self.faster_than_hand}
        return {**asdict(self), "seconds": self.seconds, **ratios}


def measure(
    family: Family,
    *,
    reference: bool = False,
    by_hand: bool = False,
    states: int = 5_000_000,
    seconds: float = 300.0,
) -> Row:
    """Explore one position.

    Parameters
    ----------
    family
        The position.
    reference, by_hand
        Which engines are run beside the explorer; their counts have to be the same.
    states, seconds
        Bounds of the exploration.

    Raises
    ------
    AssertionError
        If two engines count differently.
    """
    facts = family.facts()
    began = time.process_time()
    explorer = Explorer("agot", facts)
    before = _resident()
    found = explorer.explore(Limits(states=states, seconds=seconds))
    took = time.process_time() - began
    size = len(found)
    parts = explorer.compiled.seconds
    row = Row(
        label=family.label,
        cards=family.cards,
        abilities=family.kills + family.gains + family.saves + family.cancels + family.passives,
        players=family.players,
        moves=found.passed,
        decisions=size,
        outcomes=len(found.final),
        lines=_lines(found) if size <= 200_000 else None,
        complete=found.complete,
        ground=parts["ground"],
        compile=parts["compile"],
        explore=took - parts["ground"] - parts["compile"],
        rules=explorer.compiled.ground_rules,
        bytes=max(_resident() - before if size >= _MANY else 0, found.nbytes) / size,
    )
    if by_hand:
        _run_by_hand(row, family, found)
    if reference:
        _run_reference(row, family, found)
    return row


def _run_reference(row: Row, family: Family, found: Decisions) -> None:
    began = time.process_time()
    graph = ReferenceEngine("agot", family.facts()).explore(Limits(states=10**9, seconds=1e9))
    row.reference, row.states = time.process_time() - began, len(graph.states)
    # decisions that a line reaches first through forced moves are the same in both
    _equal("decisions", row.decisions, graph.decisions())
    _equal("outcomes", {found.facts(node) for node in found.final}, {graph.facts(node) for node in graph.final})
    _equal("limits and faults", (found.limits, found.faults), (graph.limits, graph.faults))


def _run_by_hand(row: Row, family: Family, found: Decisions) -> None:
    engine = hand_written()
    began = time.process_time()
    result = engine(family.facts()).explore()
    row.by_hand = time.process_time() - began
    _equal("decisions", row.decisions, result.decisions)
    _equal("moves", row.moves, result.states)
    boards = {frozenset(str(fact) for fact in found.facts(node) if fact.name in _COUNTED) for node in found.final}
    _equal("outcomes", boards, result.boards)


def _equal(what: str, ours: Any, theirs: Any) -> None:
    if ours != theirs:
        sizes = [len(each) if hasattr(each, "__len__") else each for each in (ours, theirs)]
        raise AssertionError(f"the engines differ in {what}: {sizes[0]} and {sizes[1]}")


def hand_written() -> Any:
    """Return the hand-written engine, which lives with the tests because it is an oracle of theirs."""
    path = ROOT / "tests" / "oracle" / "engine.py"
    spec = importlib.util.spec_from_file_location("hand_written_engine", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.HandWritten


def _lines(found: Decisions) -> int | None:
    """Return how many lines of play there are, or None where lines can go round."""
    arena = Arena(found)
    if arena.order is None:
        return None
    count = [0] * len(arena)
    for node in arena.order:
        count[node] = sum(count[arena.target[edge]] for edge in arena.edges(node)) or 1
    return count[0]


def _resident() -> int:
    """Return the resident memory of this process in bytes, 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def command_seconds(example: Path) -> float:
    """Return the processor time of the whole command that tells the outcomes of a worked example; the best of three."""
    best = float("inf")
    for _ in range(3):
        began = _children()
        done = subprocess.run(
            [sys.executable, "-c", "from bridge.cli import main; main()", "outcomes", str(example)],
            cwd=ROOT,
            capture_output=True,
            check=False,
        )
        if done.returncode != 0:
            raise AssertionError(done.stderr.decode())
        best = min(best, _children() - began)
    return best


def _children() -> float:
    """Return the processor time, in seconds, of the commands that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
