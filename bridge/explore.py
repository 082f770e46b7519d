"""The fast explorer: everything that legal moves can reach, many states at once, forced moves skipped.

Only *decisions* become nodes: states at which somebody has a choice, ends, and gaps. The forced moves between
them are made in columns (see `bridge.compile`), and can be shown again by `Explorer.replay`.
"""

from __future__ import annotations

import math
import re
import time
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

from clingo import Symbol

from bridge.bitslice import ListStore, Store, bits
from bridge.compile import Compiled, compile_position
from bridge.engines import Limits, Progress, ReferenceEngine, Step, play_openings
from bridge.graph import Edge, Graph
from bridge.ground import Switches
from bridge.stopping import BOUNDS, Stop
from bridge.symmetry import interchangeable

__all__ = ["Decisions", "Explorer", "Kind", "Passed", "Translated", "compare", "compare_within"]

_SWITCH = 400  # states from which on numpy pays
_LONG = 400  # forced moves in a row after which a line is followed alone, to see whether it goes round
_REPORT = 0.2  # seconds between two calls of a progress callback


class Kind(IntEnum):
    """What a node is."""

    DECISION = 0
    OVER = 1
    STUCK = 2
    ENDLESS = 3
    OPEN = 4


@dataclass(frozen=True, slots=True)
class Passed:
    """One move of a line as it is told: who made it, which, and the state after it (over ``fluents``)."""

    actor: Symbol | None
    move: Symbol
    after: int
    forced: bool


@dataclass(slots=True)
class Decisions:
    """The decisions that a position leads to, as arrays.

    Attributes
    ----------
    fluents, constant
        Bit ``i`` of a state stands for ``fluents[i]``; the fluents of `constant` hold in every state.
    moves, actors
        What the numbers in `move` and `actor` stand for.
    store
        The states, by node. Node 0 is the first decision after the position asked about.
    kind, actor
        For each node what it is (`Kind`) and who decides there, -1 where nobody does.
    source, move, target
        The edges, sorted by source.
    limits, faults
        What bounds the answer, and breaches of the grammar that were met, as in `bridge.graph.Graph`.
    passed
        How many moves were made, forced ones included.
    loops
        For each node of kind ``ENDLESS`` the forced moves that go round from it.
    seconds
        How long each part took.
    """

    fluents: tuple[Symbol, ...]
    constant: frozenset[Symbol]
    moves: tuple[Symbol, ...]
    actors: tuple[Symbol, ...]
    store: Store[Any]
    kind: array[int] = field(default_factory=lambda: array("b"))
    actor: array[int] = field(default_factory=lambda: array("b"))
    source: array[int] = field(default_factory=lambda: array("i"))
    move: array[int] = field(default_factory=lambda: array("i"))
    target: array[int] = field(default_factory=lambda: array("i"))
    limits: set[str] = field(default_factory=set)
    faults: set[str] = field(default_factory=set)
    loops: dict[int, tuple[Symbol, ...]] = field(default_factory=dict)
    passed: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    _starts: array[int] | None = None

    def __len__(self) -> int:
        return len(self.store)

    @property
    def complete(self) -> bool:
        """Whether no bound cut the exploration short."""
        return not self.limits

    @property
    def nbytes(self) -> int:
        """Return how many bytes states and edges take."""
        arrays = (self.kind, self.actor, self.source, self.move, self.target)
        return self.store.nbytes + sum(len(each) * each.itemsize for each in arrays)

    def nodes(self, kind: Kind) -> list[int]:
        """Return the nodes of one kind."""
        return [node for node, each in enumerate(self.kind) if each == kind]

    @property
    def final(self) -> list[int]:
        """The nodes at which the run is over: the outcomes."""
        return self.nodes(Kind.OVER)

    @property
    def stuck(self) -> list[int]:
        """The nodes that are not over and have no legal move."""
        return self.nodes(Kind.STUCK)

    def state(self, node: int) -> int:
        """Return the state at a node as an integer over `fluents`."""
        return self.store.unpack(self.store.rows(node, node + 1))[0]

    def facts(self, node: int) -> frozenset[Symbol]:
        """Return the fluents that hold at a node."""
        return self.constant | {self.fluents[i] for i in bits(self.state(node))}

    def edges(self, node: int) -> Iterator[tuple[int, int]]:
        """Yield the moves at a node and where they lead: the number of the move, and a node."""
        starts = self.starts()
        for edge in range(starts[node], starts[node + 1]):
            yield self.move[edge], self.target[edge]

    def starts(self) -> array[int]:
        """Return for every node the number of its first edge, and the number of all edges at the end."""
        if self._starts is None:
            counts = array("i", bytes(4 * (len(self) + 1)))
            for source in self.source:
                counts[source + 1] += 1
            for node in range(len(self)):
                counts[node + 1] += counts[node]
            self._starts = counts
        return self._starts

    def hopeless(self) -> list[int]:
        """Return the nodes from which neither an outcome nor a gap nor the unexplored can be reached."""
        behind: dict[int, list[int]] = {}
        for source, target in zip(self.source, self.target, strict=True):
            behind.setdefault(target, []).append(source)
        ends = [node for node, kind in enumerate(self.kind) if kind in (Kind.OVER, Kind.STUCK, Kind.OPEN)]
        good = set(ends)
        while ends:
            for node in behind.get(ends.pop(), ()):
                if node not in good:
                    good.add(node)
                    ends.append(node)
        return [node for node in range(len(self)) if node not in good]

    def to_graph(self, stop: Stop | None = None) -> Graph:
        """Return the decisions as a `bridge.graph.Graph`; an endless node has its forced move as a loop.

        Where `stop` ends it early, the nodes whose edges are missing count as not explored.
        """
        stop = stop or Stop()
        constant = tuple(sorted(self.constant, key=str))
        width = len(self.fluents)
        always = ((1 << len(constant)) - 1) << width
        graph = Graph((*self.fluents, *constant), limits=set(self.limits), faults=set(self.faults), compressed=True)
        graph.states = [state | always for state in self.store.unpack(self.store.rows(0, len(self)))]
        graph.edges = [[] for _ in graph.states]
        last = -1
        for source, move, target in zip(self.source, self.move, self.target, strict=True):
            if source != last and last >= 0 and (bound := stop.now_and_then()):
                graph.limits.add(bound)
                break
            last = source
            actor = self.actors[self.actor[source]]
            graph.edges[source].append(Edge(source, actor, self.moves[move], target))
        graph.final = set(self.final)
        graph.stuck = set(self.stuck)
        for node, loop in self.loops.items():
            graph.edges[node].append(Edge(node, self.actors[self.actor[node]], loop[0], node))
        return graph


class Explorer:
    """Explores a position with its rules compiled.

    Parameters
    ----------
    game
        The game's folder under ``asp``.
    facts
        The position as facts.
    switches
        Rules switched off and readings chosen.
    memory
        How many bytes the states and edges may take, or None.
    symmetry
        Whether one state stands for all that differ from it by swaps of interchangeable constants (see
        `bridge.symmetry`). Outcomes are then representatives, and lines name one of several equal cards, so that
        they cannot be replayed; questions must not tell interchangeable constants apart.

    Raises
    ------
    RuleError
        If the rules cannot be compiled, see `bridge.compile.compile_position`.
    """

    def __init__(
        self,
        game: str,
        facts: Iterable[Symbol],
        switches: Switches | None = None,
        *,
        memory: int | None = None,
        symmetry: bool = False,
    ) -> None:
        self.compiled: Compiled = compile_position(game, facts, switches)
        self.memory, self.symmetry = memory, symmetry

    @property
    def fluents(self) -> tuple[Symbol, ...]:
        """The fluents that can change: bit ``i`` of a state stands for ``fluents[i]``."""
        return self.compiled.fluents

    # ---- One state -----------------------------------------------------------------------------------------

    def steps(self, state: int) -> list[Passed]:
        """Return the legal moves at a state with what they lead to, in a fixed order."""
        compiled = self.compiled
        if self.is_over(state):
            return []
        columns = [state >> i & 1 for i in range(len(compiled.fluents))]
        judged = compiled.judge(columns, 1)
        legal = [move for move, column in enumerate(judged.legal) if column]
        actor = next((compiled.actors[i] for i, column in enumerate(judged.actors) if column), None)
        result = []
        for move in legal:
            after = state
            for fluent, add, stop in compiled.effects(move, columns, judged.shared, 1).changes:
                if add:
                    after |= 1 << fluent
                elif stop:
                    after &= ~(1 << fluent)
            result.append(Passed(actor, compiled.moves[move], after, len(legal) == 1))
        return result

    def is_over(self, state: int) -> bool:
        """Whether the run has ended in this state."""
        return self.compiled.over is not None and bool(state >> self.compiled.over & 1)

    def opened(self) -> tuple[int, list[Passed]]:
        """Play what opened the window and the position's own line.

        Returns
        -------
        state
            The state at which the question is asked.
        steps
            The moves that led there, forced ones included.

        Raises
        ------
        IllegalOpeningError
            If one of those moves is not legal when its turn comes.
        """
        return play_openings(self.compiled.initial, self.compiled.openings, self.steps, self.is_over)

    def forced(self, state: int) -> tuple[list[Passed], int | None]:
        """Follow the forced moves from a state.

        Returns
        -------
        steps
            The moves made until somebody has a choice, the run is over or nothing is legal.
        loop
            Where the moves go round for ever, the number of the step to whose start the last one leads back.
        """
        passed: list[Passed] = []
        visited = {state: 0}
        while True:
            steps = self.steps(state)
            if len(steps) != 1:
                return passed, None
            passed.append(steps[0])
            state = steps[0].after
            if state in visited:
                return passed, visited[state]
            visited[state] = len(passed)

    def replay(self, moves: Sequence[Symbol]) -> list[Passed]:
        """Play decisions from where the question is asked, and tell them with the forced moves between them.

        Raises
        ------
        ValueError
            If one of the moves is not legal when its turn comes.
        """
        state, _ = self.opened()
        told: list[Passed] = []
        for wanted in moves:
            told += self.forced(state)[0]
            state = told[-1].after if told else state
            step = next((step for step in self.steps(state) if step.move == wanted), None)
            if step is None:
                raise ValueError(f"{wanted} is not legal here")
            told.append(step)
            state = step.after
        return told + self.forced(state)[0]

    # ---- All states ----------------------------------------------------------------------------------------

    def explore(
        self, limits: Limits | None = None, progress: Progress | None = None, start: int | None = None
    ) -> Decisions:
        """Return the decisions that legal moves can reach from where the question is asked.

        Parameters
        ----------
        limits
            Bounds on the decision states and on the time; when one is met, or on Ctrl-C, the answer is what
            was found so far, and says so in its ``limits``.
        progress
            Called now and then with the states seen, the frontier and the seconds spent.
        start
            The state to start from, over ``fluents``; where the question is asked by default.
        """
        if start is None:
            start, _ = self.opened()
        return _Run(self, start, limits or Limits(), progress).result()


class _Run:
    """One exploration.

    States in flight, those that are between a decision and the next, are kept as rows with the edge that they
    will become: the number of the decision they come from, of its move, and how many forced moves they have
    made. All of them advance together; when half of them have arrived they are taken out, and new ones are
    put in beside the rest.
    """

    def __init__(self, explorer: Explorer, start: int, limits: Limits, progress: Progress | None) -> None:
        self.explorer, self.compiled = explorer, explorer.compiled
        self.limits, self.progress = limits, progress
        compiled = self.compiled
        self.store: Store[Any] = ListStore(len(compiled.fluents))
        if explorer.symmetry:
            self.store.orbits = interchangeable(compiled, start)
        self.out = Decisions(compiled.fluents, compiled.constant, compiled.moves, compiled.actors, self.store)
        self.expanded = 0
        self.flight: Any = self.store.pack([start])
        self.source: Any = self.store.vector([-1])
        self.made: Any = self.store.vector([-1])
        self.age: Any = self.store.vector([0])
        self.began = self.reported = time.monotonic()
        self.stop = Stop(limits.seconds)

    def result(self) -> Decisions:
        """Explore to the end or to a limit."""
        out = self.out
        try:
            while (self.expanded < len(self.store) or len(self.flight)) and not self._bounded():
                self._grow()
                if self.expanded < len(self.store) and 2 * len(self.flight) < self.store.chunk:
                    self._expand()
                else:
                    self._skip()
            while out.limits & BOUNDS == {"states"} and len(self.flight) and not self.stop.reason():
                self._skip()  # so that the decisions whose moves are under way count as explored
        except KeyboardInterrupt:
            out.limits.add("interrupted")
        if self.expanded < len(self.store) or len(self.flight):
            self._break_off()
        self._sort_edges()
        self._tell_loops()
        out.seconds = {**self.compiled.seconds, "explore": time.monotonic() - self.began}
        return out

    def _break_off(self) -> None:
        """Make a graph of what was found: a decision some of whose moves are still under way is not explored."""
        out, store = self.out, self.store
        if not len(store):
            store.intern(self.flight)
        count = min(map(len, (out.source, out.move, out.target)))  # an interruption may fall between them
        unfinished = {int(source) for source in self.source if source >= 0}
        unfinished.update(out.source[count:])
        for values, unknown in ((out.kind, Kind.OPEN), (out.actor, -1)):
            del values[self.expanded :]
            values.extend([int(unknown)] * (len(store) - len(values)))
            for node in unfinished:
                values[node] = int(unknown)
        if self.compiled.over is not None and self.expanded < len(store):
            over = store.columns(store.rows(self.expanded, len(store)))[self.compiled.over]
            for place in bits(over):
                out.kind[self.expanded + place] = int(Kind.OVER)
        kept = [edge for edge in range(count) if out.kind[out.source[edge]] != Kind.OPEN]
        for name in ("source", "move", "target"):
            values = getattr(out, name)
            setattr(out, name, array("i", [values[edge] for edge in kept]))

    def _bounded(self) -> bool:
        now = time.monotonic()
        out = self.out
        if len(self.store) > self.limits.states:
            out.limits.add("states")
        elif bound := self.stop.reason():
            out.limits.add(bound)
        elif self.explorer.memory is not None and out.nbytes > self.explorer.memory:
            out.limits.add("memory")
        else:
            if self.progress and now - self.reported > _REPORT:
                self.reported = now
                self.progress(len(self.store), len(self.store) - self.expanded, now - self.began)
            return False
        return True

    def _grow(self) -> None:
        """Go over to numpy when there are many states."""
        if isinstance(self.store, ListStore) and len(self.store) > _SWITCH:
            # imported late: this takes longer than a small position
            from bridge.arrays import ArrayStore

            small, large = self.store, ArrayStore(self.store.width)
            large.orbits = small.orbits
            large.intern(large.pack(small.rows(0, len(small))))
            self.flight = large.pack(self.flight)
            self.source, self.made, self.age = map(large.vector, (self.source, self.made, self.age))
            self.store = self.out.store = large

    # ---- Decisions to their successors ---------------------------------------------------------------------

    def _expand(self) -> None:
        """Make every legal move at the next decisions; what results is in flight."""
        store, compiled, out = self.store, self.compiled, self.out
        first = self.expanded
        last = min(len(store), first + store.chunk // 2)
        rows, count = store.rows(first, last), last - first
        one = (1 << count) - 1
        columns = store.columns(rows)
        judged = compiled.judge(columns, one)
        over = columns[compiled.over] if compiled.over is not None else 0
        some, several = _counted(judged.legal)
        live = one & ~over
        kinds = [(Kind.OVER, over), (Kind.STUCK, live & ~some)]
        kinds += [(Kind.ENDLESS, live & some & ~several), (Kind.DECISION, live & several)]
        choices = [(move, legal & live & several) for move, legal in enumerate(judged.legal)]
        choices = [(move, mask) for move, mask in choices if mask]
        store.append(out.kind, store.paint(count, kinds))
        store.append(out.actor, store.paint(count, [(i, mask & live) for i, mask in enumerate(judged.actors)]))
        self._start(rows, first, choices)
        self.expanded = last

    def _start(self, rows: Any, first: int, choices: list[tuple[int, int]]) -> None:
        """Make each move at the rows of its mask; `first` is the number of the first row's decision."""
        store = self.store
        rows, where = store.pick(rows, [mask for _, mask in choices], len(rows))
        after = self._make(rows, [move for move, _ in choices], [len(each) for each in where])
        made = [store.vector([move] * len(each)) for (move, _), each in zip(choices, where, strict=True)]
        self.flight = store.join(self.flight, after)
        self.source = store.chain([self.source, *(store.shift(each, first) for each in where)])
        self.made = store.chain([self.made, *made])
        self.age = store.chain([self.age, store.vector([0] * len(after))])

    def _make(self, rows: Any, moves: list[int], lengths: list[int]) -> Any:
        """Make moves at rows: the first at the first `lengths[0]` rows, and so on."""
        count = len(rows)
        if not count:
            return rows
        one = (1 << count) - 1
        columns = self.store.columns(rows)
        shared = self.compiled.judge(columns, one).shared
        taken, place = [], 0
        for move, length in zip(moves, lengths, strict=True):
            taken.append((move, ((1 << length) - 1) << place))
            place += length
        return self.store.transpose(self._advance(columns, shared, one, taken), count)

    def _advance(self, columns: list[int], shared: Sequence[int], one: int, taken: list[tuple[int, int]]) -> list[int]:
        """Return the columns after moves, each made at the states of its mask."""
        after = list(columns)
        for move, mask in taken:
            effects = self.compiled.effects(move, columns, shared, one)
            for fluent, add, stop in effects.changes:
                if stop and (gone := after[fluent] & stop & mask):
                    after[fluent] ^= gone
                if add:
                    after[fluent] |= add & mask
            if effects.wrong & mask:
                self._report(self.compiled.wrong_by(move, columns, shared, one, effects.wrong & mask))
            self.out.passed += mask.bit_count()
        return after

    def _report(self, found: Iterable[Any]) -> None:
        for each in found:
            (self.out.limits if each.kind == "limit" else self.out.faults).add(each.text)

    # ---- Forced moves --------------------------------------------------------------------------------------

    def _skip(self) -> None:
        """Make forced moves until half of what is in flight has arrived, and number what has."""
        store, compiled = self.store, self.compiled
        count = len(self.flight)
        one = (1 << count) - 1
        columns = store.columns(self.flight)
        steps = 0
        while True:
            judged = compiled.judge(columns, one)
            live = one & ~columns[compiled.over] if compiled.over is not None else one
            if judged.wrong & live:
                self._report(compiled.wrong(columns, one, judged.wrong & live))
            some, several = _counted(judged.legal)
            moving = some & ~several & live
            if 2 * moving.bit_count() <= count or steps >= _LONG:
                break
            taken = [(move, legal & moving) for move, legal in enumerate(judged.legal) if legal]
            columns = self._advance(columns, judged.shared, one, [each for each in taken if each[1]])
            steps += 1
        rows = store.transpose(columns, count)
        done, going = one & ~moving, moving
        self.age = store.shift(self.age, steps)
        rows, (arrived, left) = store.pick(rows, [done, going], count)
        self._arrive(rows[: len(arrived)], arrived)
        self.flight = rows[len(arrived) :]
        self.source, self.made, self.age = (store.take(each, left) for each in (self.source, self.made, self.age))
        self._leave_circles()

    def _arrive(self, rows: Any, where: Sequence[int]) -> None:
        """Give numbers to the states that have come to the next decision, and keep the edges to them."""
        store = self.store
        numbers = store.intern(store.canonical(rows) if store.orbits else rows)
        self._connect(store.take(self.source, where), store.take(self.made, where), numbers)

    def _connect(self, source: Any, made: Any, target: Any) -> None:
        store, out = self.store, self.out
        if len(source) and source[0] < 0:  # the line that leads to the first node is no edge
            source, made, target = source[1:], made[1:], target[1:]
        store.append(out.source, source)
        store.append(out.move, made)
        store.append(out.target, target)

    def _leave_circles(self) -> None:
        """Follow alone what has made very many forced moves; what goes round ends in a node of its own."""
        old = self.store.above(self.age, _LONG)
        if not old:
            return
        store = self.store
        states = store.unpack(self.flight)
        ends = [self._end_of(states[place]) for place in old]
        source, made = store.take(self.source, old), store.take(self.made, old)
        self._connect(source, made, store.vector(store.intern(store.pack(ends))))
        rest = [place for place in range(len(states)) if place not in set(old)]
        self.flight = store.pack([states[place] for place in rest])
        self.source, self.made, self.age = (store.take(each, rest) for each in (self.source, self.made, self.age))

    def _end_of(self, state: int) -> int:
        """Return where forced moves lead, for a circle its least state."""
        passed, loop = self.explorer.forced(state)
        if loop is None:
            return passed[-1].after if passed else state
        return min(step.after for step in passed[loop:])

    # ---- The answer ----------------------------------------------------------------------------------------

    def _sort_edges(self) -> None:
        out = self.out
        if isinstance(self.store, ListStore):
            order = sorted(range(len(out.source)), key=lambda edge: (out.source[edge], out.move[edge]))
            for name in ("source", "move", "target"):
                values = getattr(out, name)
                setattr(out, name, array("i", [values[edge] for edge in order]))
            return
        import numpy as np

        order_ = np.lexsort((np.frombuffer(out.move, np.int32), np.frombuffer(out.source, np.int32)))
        for name in ("source", "move", "target"):
            values = np.frombuffer(getattr(out, name), np.int32)[order_]
            setattr(out, name, array("i", values.tobytes()))

    def _tell_loops(self) -> None:
        for node in self.out.nodes(Kind.ENDLESS):
            passed, loop = self.explorer.forced(self.out.state(node))
            self.out.loops[node] = tuple(step.move for step in passed[loop:])


class Translated:
    """The steps of an explorer for states that number the same fluents otherwise.

    Parameters
    ----------
    explorer
        The explorer.
    index
        For each fluent its place in the other states.
    """

    def __init__(self, explorer: Explorer, index: Mapping[Symbol, int]) -> None:
        self.explorer = explorer
        # what a rule asks for and nothing can start has no place in the other states, and never holds
        self._places = [1 << index[fluent] if fluent in index else 0 for fluent in explorer.fluents]
        self._constant = sum(1 << index[fluent] for fluent in explorer.compiled.constant)
        self._known: dict[int, list[Step]] = {}

    def steps(self, state: int) -> list[Step]:
        """Return the legal moves at a state with what they lead to, in the order of `Explorer.steps`."""
        if state not in self._known:
            own = sum(1 << i for i, place in enumerate(self._places) if state & place)
            passed = self.explorer.steps(own)
            self._known[state] = [Step(one.actor, one.move, self._other(one.after)) for one in passed if one.actor]
        return self._known[state]

    def _other(self, state: int) -> int:
        return self._constant | sum(place for i, place in enumerate(self._places) if state >> i & 1)


def _counted(legal: Sequence[int]) -> tuple[int, int]:
    """Return the columns of the states with at least one legal move, and with at least two."""
    one = two = 0
    for column in legal:
        if column:
            two |= one & column
            one |= column
    return one, two


def compare(
    game: str, facts: Iterable[Symbol], switches: Switches | None = None, reference: Graph | None = None
) -> list[str]:
    """Explore a position with both engines and say where they differ.

    Parameters
    ----------
    game
        A folder under ``asp``.
    facts
        The position.
    switches
        Rules switched off and readings chosen.
    reference
        What the reference engine has found, where it has explored the position already.

    Returns
    -------
    list of str
        One sentence per difference in decision states, moves, outcomes, gaps, limits or faults; empty if the
        engines agree.
    """
    differences, bounds = compare_within(game, facts, switches, Limits(seconds=math.inf), reference)
    return [*differences, *(f"not compared: {bound}" for bound in sorted(bounds))]


def compare_within(
    game: str,
    facts: Iterable[Symbol],
    switches: Switches | None = None,
    limits: Limits | None = None,
    reference: Graph | None = None,
) -> tuple[list[str], set[str]]:
    """Do what `compare` does within bounds, which hold for both engines together.

    Returns
    -------
    differences
        One sentence each; none where a bound was met, for what was not explored cannot be compared.
    bounds
        The bounds that were met on either side; empty if everything was compared.
    """
    limits = limits or Limits()
    stop = Stop(limits.seconds)
    facts = list(facts)
    if reference is None:
        reference = ReferenceEngine(game, facts, switches).explore(limits)
    if bounds := reference.limits & BOUNDS:
        return [], bounds
    decisions = Explorer(game, facts, switches).explore(replace(limits, seconds=stop.left))
    graph = decisions.to_graph(stop)
    if bounds := (graph.limits | decisions.limits) & BOUNDS:
        return [], bounds
    expected, found = _compressed(reference), _compressed(graph)
    if bound := stop.reason():
        return [], {bound}
    differences = []
    for name in ("limits", "faults"):
        ours, theirs = getattr(decisions, name), getattr(reference, name)
        if _nameless(ours) != _nameless(theirs):
            differences.append(f"{name}: the reference has {sorted(theirs)}, the explorer {sorted(ours)}")
    for state in expected.keys() - found.keys():
        differences.append(f"only the reference reaches {_told(state)}")
    for state in found.keys() - expected.keys():
        differences.append(f"only the explorer reaches {_told(state)}")
    for state in expected.keys() & found.keys():
        if expected[state] != found[state]:
            differences.append(f"at {_told(state)} the engines differ: {_told(expected[state] ^ found[state])}")
    return differences, set()


State = frozenset[Symbol]


def _compressed(graph: Graph) -> dict[State, frozenset[Any]]:
    """Return for every decision its moves, their actors and where they lead; ends have a word instead."""
    arrival: dict[int, State] = {}

    def follow(node: int) -> State:
        if node not in arrival:
            path = [node]
            while path[-1] not in graph.final and len(graph.edges[path[-1]]) == 1:
                path.append(graph.edges[path[-1]][0].target)
                if path[-1] in path[:-1]:  # a circle is known by its least state
                    circle = path[path.index(path[-1]) :]
                    arrival[node] = min((graph.facts(each) for each in circle), key=_size)
                    return arrival[node]
            arrival[node] = graph.facts(path[-1])
        return arrival[node]

    result: dict[State, frozenset[Any]] = {follow(0): frozenset()}
    for node, edges in enumerate(graph.edges):
        if node in graph.final:
            result[follow(node)] = frozenset({"over"})
        elif len(edges) == 1:
            end = follow(node)
            result.setdefault(end, frozenset({"endless"}))
        elif not edges:
            result[follow(node)] = frozenset({"stuck"})
        else:
            result[graph.facts(node)] = frozenset((edge.actor, edge.move, follow(edge.target)) for edge in edges)
    return result


def _size(state: State) -> list[str]:
    """Return what orders states as the integers that stand for them are ordered in the explorer."""
    return sorted(map(str, state), reverse=True)


def _nameless(faults: Iterable[str]) -> set[str]:
    """Return faults without the moves that led to them, which the reference does not always know."""
    return {re.sub(r" by .*?(?=, but fluent|$)", "", fault) for fault in faults}


def _told(thing: Iterable[Any]) -> str:
    return "{" + ", ".join(sorted(map(str, thing))) + "}"
