"""The same outcomes from plain clingo: ``play.lp`` unrolls whole lines, one answer set per outcome.

It shares nothing with the engines but the rules, so it checks them; it serves small positions only.
"""

from __future__ import annotations

from clingo import Symbol

from bridge.errors import LimitReached
from bridge.graph import Graph
from bridge.ground import ground
from bridge.position import Position

__all__ = ["longest_line", "outcomes"]

STUCK = "stuck"


def longest_line(graph: Graph) -> int:
    """Return the number of moves of the longest line of a graph.

    Raises
    ------
    LimitReached
        If lines can go round in a circle, so that none is the longest.
    """
    order = graph.order()
    if order is None:
        raise LimitReached("lines of this position can go round in a circle; plain clingo cannot unroll them")
    length = [0] * len(graph.states)
    for node in order:
        for edge in graph.edges[node]:
            length[edge.target] = max(length[edge.target], length[node] + 1)
    return max(length)


def outcomes(position: Position, horizon: int) -> set[frozenset[Symbol]]:
    """Return the outcomes that clingo finds within a horizon, and prove that the horizon suffices.

    Parameters
    ----------
    position
        A position whose line, if any, is resolved to full moves, as `Oracle.position` is.
    horizon
        How many moves a line may have.

    Raises
    ------
    LimitReached
        If some line is longer; outcomes would be missing.
    """
    if _solve(position, horizon, short=True):
        raise LimitReached(f"some line of this position has more than {horizon} moves")
    return _solve(position, horizon, short=False)


def _solve(position: Position, horizon: int, *, short: bool) -> set[frozenset[Symbol]]:
    program = ground(
        position.game,
        position.facts,
        "play",
        position.switches,
        arguments=[
            "1" if short else "0",
            "--project=show",
            "-c",
            f"horizon={horizon}",
            "-c",
            f"short={int(short)}",
        ],
        record=False,
    )
    found: set[frozenset[Symbol]] = set()
    with program.control.solve(yield_=True) as handle:
        for model in handle:
            facts = frozenset(atom.arguments[0] for atom in model.symbols(shown=True))
            found.add(frozenset(fact for fact in facts if fact.name not in ("over", STUCK)))
    return found
