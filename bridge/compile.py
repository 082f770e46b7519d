"""A position compiled: its ground rules as code that judges many states of play at once.

A position is grounded (``drivers/relax.lp``, seldom ``drivers/reached.lp``), its ground rules are recorded and
checked, and code is written that evaluates them for a whole batch of states: a state is one bit position, a fluent
one integer, see `bridge.circuit`. What a move changes is evaluated *alone*, with every other move false, and compiled
on first use.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clingo import Function, Symbol

from bridge.catalog import load, rule_id
from bridge.circuit import FALSE, TRUE, Circuit, at_least, total
from bridge.collector import paused
from bridge.errors import RuleError
from bridge.faults import fault
from bridge.ground import GroundProgram, Recorder, Switches, Ties, ground
from bridge.terms import subterms

__all__ = ["Compiled", "Effects", "Found", "Judgement", "compile_position"]

Columns = Sequence[int]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is judged at a batch of states; every member is a column or a sequence of columns.

    ``legal`` has a column per move, ``actors`` one per actor; ``wrong`` marks the states at which a fault or
    a bound of the vocabulary is met; ``shared`` are the values that the effects are computed from.
    """

    legal: Columns
    actors: Columns
    wrong: int
    shared: Columns


@dataclass(frozen=True, slots=True)
class Effects:
    """What one move does at a batch of states.

    ``changes`` has a triple for each fluent that the move can change: its number, the column of the states at
    which it becomes true, and the column of those at which it becomes false. ``wrong`` marks the states at
    which the move meets a fault or a bound.
    """

    changes: tuple[tuple[int, int, int], ...]
    wrong: int


@dataclass(frozen=True, slots=True)
class Found:
    """A bound of the vocabulary (`limit`) or a breach of the grammar (`fault`) that was met."""

    kind: str
    text: str


@dataclass(slots=True)
class _Move:
    """What the ground program says of one move."""

    symbol: Symbol
    legal: int
    literal: int = 0
    changes: dict[int, list[int]] = field(default_factory=dict)
    wipes: list[tuple[int, Symbol]] = field(default_factory=list)
    checks: list[tuple[int, Found]] = field(default_factory=list)


_JUDGED = ("legal", "offers", "weighs", "forbids", "permits", "obliges")


class Compiled:
    """A position as code.

    Attributes
    ----------
    fluents
        The fluents that can change; bit ``i`` of a state stands for ``fluents[i]``.
    constant
        The fluents that hold in every state.
    moves, actors
        Everything that may be a legal move at some state, and everyone who may be its actor.
    initial
        The first state.
    openings
        The moves to be played before anything is asked.
    over
        The number of the fluent ``over``, or None if no line can end.
    seconds
        How long grounding and compiling took.
    """

    def __init__(self, game: str, program: GroundProgram, grounding: float = 0.0) -> None:
        began = time.process_time()
        self.game = game
        self.openings = program.openings
        self.rules = program.rules
        self._recorder: Recorder = program.recorder
        self._circuit = Circuit()
        self._values: dict[int, int] = {}
        self._moves: list[_Move] = []
        self._move_of: dict[int, int] = {}
        self._limits: list[tuple[int, Found]] = []
        self._support: dict[int, int] = {}
        self._symbols: dict[int, Symbol] | None = None
        self._atoms = program.control.symbolic_atoms
        self._control = program.control
        self._ties = Ties.of(program)
        changes = [self._read_changes("add"), self._read_changes("del")]
        wipes = self._read_changes("wipe")
        self._read_fluents(program, self._lost(changes, wipes))
        self._slots = self._numbered(self._ties.slots)
        self._sets = self._numbered(self._ties.sets)
        self._slots_of: dict[int, list[Symbol]] = {}
        for slot, members in self._slots.items():
            for fluent in members:
                self._slots_of.setdefault(fluent, []).append(slot)
        self._read_moves(changes, wipes)
        self._read_rules()
        self._compile_judgement()
        self._effects: dict[int, Callable[[Columns, Columns, int], Any]] = {}
        self._move_checks: dict[int, tuple[list[Found], Callable[[Columns, Columns, int], Columns]]] = {}
        self.ground_rules = sum(map(len, self._recorder.rules.values())) + sum(
            map(len, self._recorder.weights.values())
        )
        self.seconds = {"ground": grounding, "compile": time.process_time() - began}

    # ---- Reading the ground program ------------------------------------------------------------------------

    def _read_changes(self, predicate: str) -> list[tuple[Symbol, Symbol, int]]:
        """Return what is added, deleted or wiped: by which move, which fluent or set, and the atom."""
        found = []
        for atom in self._atoms.by_signature(predicate, 3):
            _, move, fluent = atom.symbol.arguments
            found.append((move, fluent, atom.literal))
        return found

    def _lost(
        self, changes: list[list[tuple[Symbol, Symbol, int]]], wipes: list[tuple[Symbol, Symbol, int]]
    ) -> set[Symbol]:
        """Return the fluents that some move may end."""
        lost = {fluent for _, fluent, _ in changes[1]}
        lost.update(fluent for _, name, _ in wipes for fluent in self._ties.sets.get(name, ()))
        lost.update(other for _, fluent, _ in changes[0] for other, _ in self._ties.mates(fluent))
        return lost

    def _numbered(self, groups: Mapping[Symbol, Sequence[Symbol]]) -> dict[Symbol, list[int]]:
        """Return groups of fluents as numbers; those that do not change are left out."""
        return {name: [self.index[one] for one in part if one in self.index] for name, part in groups.items()}

    def _read_fluents(self, program: GroundProgram, stopped: set[Symbol]) -> None:
        initial = set(program.facts(program.initial))
        holds = {atom.symbol.arguments[1]: atom.literal for atom in self._atoms.by_signature("holds", 2)}
        self.constant = frozenset(fluent for fluent in holds if fluent in initial and fluent not in stopped)
        self.fluents = tuple(sorted((fluent for fluent in holds if fluent not in self.constant), key=str))
        self.index = {fluent: i for i, fluent in enumerate(self.fluents)}
        self.initial = sum(1 << i for i, fluent in enumerate(self.fluents) if fluent in initial)
        self.over = self.index.get(Function("over"))
        for fluent, literal in holds.items():
            number = self.index.get(fluent)
            self._values[literal] = TRUE if number is None else self._circuit.input(number)

    def _read_moves(
        self, changes: list[list[tuple[Symbol, Symbol, int]]], wipes: list[tuple[Symbol, Symbol, int]]
    ) -> None:
        """Find the moves and what is said of each: if it is legal, what it changes, what may be wrong."""
        legal = {atom.symbol.arguments[1]: atom.literal for atom in self._atoms.by_signature("legal", 2)}
        self._moves = [_Move(symbol, legal[symbol]) for symbol in sorted(legal, key=str)]
        self.moves = tuple(move.symbol for move in self._moves)
        number = {move.symbol: i for i, move in enumerate(self._moves)}
        for atom in self._atoms.by_signature("move", 2):
            move = number.get(atom.symbol.arguments[1])
            if move is not None:
                self._moves[move].literal = atom.literal
                self._move_of[atom.literal] = move
        for place, part in enumerate(changes):
            for symbol, fluent, literal in part:
                column, move = self.index.get(fluent), number.get(symbol)
                if column is not None and move is not None:
                    self._moves[move].changes.setdefault(column, [0, 0])[place] = literal
        for symbol, name, literal in wipes:
            if (move := number.get(symbol)) is not None:
                self._moves[move].wipes.append((literal, name))
        for predicate in ("unknown", "clash"):
            for atom in self._atoms.by_signature(predicate, 3):
                _, symbol, what = atom.symbol.arguments
                if (move := number.get(symbol)) is not None:
                    text = fault(Function(predicate, [what]), symbol)
                    self._moves[move].checks.append((atom.literal, Found("fault", text)))
        for atom in self._atoms.by_signature("limit", 2):
            self._limits.append((atom.literal, Found("limit", str(atom.symbol.arguments[1]))))

    def _read_rules(self) -> None:
        """Settle the atoms that are inputs, and refuse what is no rule of the grammar."""
        for atom in self._atoms.by_signature("in_force", 1):
            if atom.is_external:
                self._values[atom.literal] = TRUE
        chosen = self._recorder.choices - self._values.keys() - self._move_of.keys()
        if chosen:
            raise self._error(
                "a choice or disjunction (everything optional is a move), or not stratified: an aggregate on itself",
                chosen,
            )
        roots = [
            atom.literal
            for name, arity in zip(_JUDGED, (2, 4, 2, 3, 3, 3), strict=True)
            for atom in self._atoms.by_signature(name, arity)
        ]
        judging = self._support_of(roots)
        for literal in roots:
            if judging[literal] >= 0:
                raise self._error("what is judged depends on the move that is taken (move/2)", [literal])

    def _bodies(self, atom: int) -> Iterator[Sequence[int]]:
        """Yield the bodies of an atom as literals, those of sums included."""
        yield from self._recorder.rules.get(atom, ())
        for _, pairs in self._recorder.weights.get(atom, ()):
            yield [literal for literal, _ in pairs]

    def _support_of(self, roots: Iterable[int]) -> dict[int, int]:
        """Return for atoms the set of moves without which they are false, as a bit mask; -1 for no such set.

        An atom that depends on a move in any other way (through a negation, a sum or only one of its rules)
        has the mask of all moves that it may depend on, made nonnegative.
        """
        support = self._support
        everything = (1 << len(self._moves)) - 1
        for group in self._components(roots, support.keys() | self._move_of.keys()):
            support.update((atom, -1) for atom in group)
            for atom in group:
                masks = [self._mask(body, everything) for body in self._bodies(atom)]
                moved = [mask for mask in masks if mask >= 0]
                if moved and len(group) > 1:  # what one atom of a circle depends on, all do
                    support.update((each, everything) for each in group)
                    break
                if moved:
                    union = 0
                    for mask in moved:
                        union |= mask
                    support[atom] = union if len(moved) == len(masks) else everything
        return support

    def _mask(self, body: Sequence[int], everything: int) -> int:
        mask = -1
        for literal in body:
            if (move := self._move_of.get(abs(literal))) is not None:
                own = 1 << move if literal > 0 else everything
            elif (own := self._support.get(abs(literal), -1)) >= 0 and literal < 0:
                own = everything
            mask &= own
        return mask

    # ---- Order and simplification --------------------------------------------------------------------------

    def _components(self, roots: Iterable[int], known: Any) -> Iterator[list[int]]:
        """Yield the strongly connected components below `roots`, save what is `known`, dependencies first."""
        rules, weights = self._recorder.rules, self._recorder.weights

        def below(atom: int) -> Iterator[int]:
            bodies = rules.get(atom, ())
            found = {abs(literal) for body in bodies for literal in body}
            if atom in weights:
                found.update(abs(literal) for _, pairs in weights[atom] for literal, _ in pairs)
            return iter(found)

        number: dict[int, int] = {}
        low: dict[int, int] = {}
        open_: list[int] = []
        inside: set[int] = set()
        for root in roots:
            if root in known or root in number:
                continue
            path = [(root, below(root))]
            number[root] = low[root] = len(number)
            open_.append(root)
            inside.add(root)
            while path:
                atom, rest = path[-1]
                for each in rest:
                    if each in number:
                        if each in inside and number[each] < low[atom]:
                            low[atom] = number[each]
                    elif each not in known:
                        number[each] = low[each] = len(number)
                        open_.append(each)
                        inside.add(each)
                        path.append((each, below(each)))
                        break
                else:
                    path.pop()
                    if path and low[atom] < low[path[-1][0]]:
                        low[path[-1][0]] = low[atom]
                    if low[atom] == number[atom]:
                        group = []
                        while True:
                            each = open_.pop()
                            inside.discard(each)
                            group.append(each)
                            if each == atom:
                                break
                        yield group

    def _simplify(self, roots: Iterable[int], values: dict[int, int], known: Any = ()) -> None:
        """Build the circuit of everything below `roots`; `values` maps atoms to references and is filled."""
        for group in self._components(roots, known or values):
            atom = group[0]
            if len(group) == 1 and not self._refers_to_itself(atom):
                values[atom] = self._reference(atom, values)
            else:
                self._recursive(group, values)

    def _refers_to_itself(self, atom: int) -> bool:
        return any(atom in body or -atom in body for body in self._bodies(atom))

    def _reference(self, atom: int, values: dict[int, int]) -> int:
        circuit = self._circuit
        parts = []
        for body in self._recorder.rules.get(atom, ()):
            literals = []
            for literal in body:
                value = values[literal] if literal > 0 else values[-literal] ^ 1
                if value == FALSE:
                    break
                if value != TRUE:
                    literals.append(value)
            else:
                if not literals:
                    return TRUE
                parts.append(literals[0] if len(literals) == 1 else circuit.conjunction(literals))
        for bound, pairs in self._recorder.weights.get(atom, ()):
            weighed = [(values[abs(literal)] ^ (literal < 0), weight) for literal, weight in pairs]
            parts.append(circuit.weighted(bound, weighed))
        return parts[0] if len(parts) == 1 else circuit.disjunction(parts)

    def _recursive(self, group: list[int], values: dict[int, int]) -> None:
        """Build a fixpoint of atoms that depend on each other positively; anything else is refused."""
        inside = set(group)
        for atom in group:
            through_sum = any(
                abs(literal) in inside for _, pairs in self._recorder.weights.get(atom, ()) for literal, _ in pairs
            )
            negated = any(-literal in inside for body in self._recorder.rules.get(atom, ()) for literal in body)
            if through_sum or negated:
                kind = "an aggregate" if through_sum else "its own negation"
                raise self._error(f"not stratified: an atom depends on itself through {kind}", group)
        outside: dict[int, list[int]] = {}
        for atom in group:
            sums = self._recorder.weights.get(atom, ())
            outside[atom] = [
                self._circuit.weighted(bound, [(values[abs(lit)] ^ (lit < 0), weight) for lit, weight in pairs])
                for bound, pairs in sums
            ]
        for atom, reference in zip(group, self._circuit.group(len(group)), strict=True):
            values[atom] = reference
        for atom in group:
            bodies: list[tuple[int, ...]] = [(each,) for each in outside[atom] if each != FALSE]
            for body in self._recorder.rules.get(atom, ()):
                literals = [values[abs(literal)] ^ (literal < 0) for literal in body]
                if FALSE not in literals:
                    bodies.append(tuple(each for each in literals if each != TRUE))
            self._circuit.define(values[atom], bodies)

    def _error(self, message: str, atoms: Iterable[int]) -> RuleError:
        """Return a `RuleError` that names the atoms and, where they name a rule, its file."""
        if self._symbols is None:
            self._symbols = {atom.literal: atom.symbol for atom in self._atoms}
        symbols = sorted(
            (self._symbols[abs(atom)] for atom in atoms if abs(atom) in self._symbols),
            key=lambda s: (len(str(s)), str(s)),
        )
        known = set(self.rules)
        rules = [rule for symbol in symbols for rule in subterms(symbol) if rule in known]
        shown = ", ".join(map(str, symbols[:5])) or "an atom without a name"
        if rules:
            message = f"{message}, in rule {rule_id(rules[0])}"
            entry = load(self.game).rules.get(rule_id(rules[0]))
            if entry is not None:
                return RuleError(f"{message}: {shown}", entry.file, entry.line)
        return RuleError(f"{message}: {shown}")

    # ---- Code ----------------------------------------------------------------------------------------------

    def _compile_judgement(self) -> None:
        """Write the code that judges a state: what is legal, who decides, what is wrong."""
        values = self._values
        atoms = self._atoms
        by_actor = {atom.symbol.arguments[1]: atom.literal for atom in atoms.by_signature("actor", 2)}
        self.actors = tuple(sorted(by_actor, key=str))
        checks = [
            (atom.literal, Found("fault", fault(Function(name, atom.symbol.arguments[1:]), None)))
            for name, arity in (("conflict", 4), ("torn", 1), ("two_actors", 1))
            for atom in atoms.by_signature(name, arity)
        ]
        self._support_of(literal for literal, _ in self._limits)
        checks += [(lit, found) for lit, found in self._limits if self._support[lit] < 0]
        literals = [move.legal for move in self._moves] + [by_actor[actor] for actor in self.actors]
        self._simplify([*literals, *(literal for literal, _ in checks)], values)
        wrong = self._circuit.disjunction(values[literal] for literal, _ in checks)
        found = [(values[literal], each) for literal, each in checks if values[literal] != FALSE]
        self._state_checks = self._compile_checks(found, [])
        roots = [*(values[literal] for literal in literals), wrong]
        self._shared = self._find_shared()
        shared = "".join(f"{{{2 * node}}}," for node in self._shared)
        count = len(self._moves)
        legal = "".join(f"{{{root}}}," for root in roots[:count])
        actors = "".join(f"{{{root}}}," for root in roots[count:-1])
        source = self._circuit.write(
            "judge",
            [*roots, *(2 * node for node in self._shared)],
            f"({legal}),({actors}),{{{wrong}}},({shared})",
        )
        self._judge = _run(source, "judge")

    def _find_shared(self) -> list[int]:
        """Return the nodes of the judgement that effects refer to, in a fixed order."""
        values, recorder = self._values, self._recorder
        used: set[int] = set()
        for atom, bodies in recorder.rules.items():
            if atom not in values:
                used.update(literal for body in bodies for literal in body)
        for atom, sums in recorder.weights.items():
            if atom not in values:
                used.update(literal for _, pairs in sums for literal, _ in pairs)
        for move in self._moves:
            used.update(literal for pair in move.changes.values() for literal in pair)
            used.update(literal for literal, _ in move.wipes)
        nodes = {values[abs(literal)] >> 1 for literal in used if abs(literal) in values}
        kinds = self._circuit.nodes
        return sorted(node for node in nodes if kinds[node][0] not in ("constant", "input", "loop"))

    def judge(self, columns: Columns, one: int) -> Judgement:
        """Judge a batch of states.

        Parameters
        ----------
        columns
            A column per fluent.
        one
            The column that has a bit for every state of the batch.
        """
        return Judgement(*self._judge(columns, (), one))

    def effects(self, move: int, columns: Columns, shared: Columns, one: int) -> Effects:
        """Return what the `move`-th move does at a batch of states.

        Parameters
        ----------
        move
            Its number in ``moves``.
        columns
            A column per fluent.
        shared
            What `judge` returned for the batch.
        one
            The column that has a bit for every state of the batch.
        """
        function = self._effects.get(move)
        if function is None:
            function = self._effects[move] = self._compile_effects(move)
        return Effects(*function(columns, shared, one))

    def _move_values(self, number: int) -> tuple[dict[int, int], list[tuple[int, Found]]]:
        """Build the circuit of one move's effects, alone: its own atom is true, every other move is false."""
        move = self._moves[number]
        local = _Layered(self._values, {move.literal: TRUE}, self._move_of)
        bit = 1 << number
        limits = [(lit, found) for lit, found in self._limits if self._support[lit] >= 0 and self._support[lit] & bit]
        checks = [*move.checks, *limits]
        roots = [literal for pair in move.changes.values() for literal in pair if literal]
        roots += [literal for literal, _ in (*move.wipes, *checks)]
        self._simplify(roots, local)
        return local, checks

    def _change_references(
        self, number: int, local: dict[int, int]
    ) -> tuple[dict[int, int], dict[int, int], list[tuple[int, Found]]]:
        """Return what one move adds and ends, as references, and two values of one slot as faults."""
        move, circuit = self._moves[number], self._circuit
        adds: dict[int, int] = {}
        lost: dict[int, list[int]] = {}
        for fluent, (add, stop) in move.changes.items():
            if add and local[add] != FALSE:
                adds[fluent] = local[add]
            if stop:
                lost.setdefault(fluent, []).append(local[stop])
        for literal, name in move.wipes:
            for fluent in self._sets.get(name, ()):
                lost.setdefault(fluent, []).append(circuit.conjunction((local[literal], circuit.input(fluent))))
        faults = []
        for slot in {slot for fluent in adds for slot in self._slots_of.get(fluent, ())}:
            members = self._slots[slot]
            filled = [adds[fluent] for fluent in members if fluent in adds]
            some = circuit.disjunction(filled)
            for fluent in members:
                lost.setdefault(fluent, []).append(circuit.conjunction((some, circuit.input(fluent))))
            if len(filled) > 1:
                text = fault(Function("clash", [Function("slot", [slot])]), move.symbol)
                faults.append((circuit.weighted(2, [(each, 1) for each in filled]), Found("fault", text)))
        ends = {}
        for fluent, causes in lost.items():
            ends[fluent] = circuit.conjunction((circuit.disjunction(causes), adds.get(fluent, FALSE) ^ 1))
        return adds, ends, faults

    @paused()
    def _compile_effects(self, number: int) -> Callable[[Columns, Columns, int], Any]:
        began = time.process_time()
        local, checks = self._move_values(number)
        adds, ends, faults = self._change_references(number, local)
        found = [(local[literal], each) for literal, each in checks] + faults
        found = [(reference, each) for reference, each in found if reference != FALSE]
        wrong = self._circuit.disjunction(reference for reference, _ in found)
        triples, roots = [], [wrong]
        for fluent in sorted(adds.keys() | ends.keys()):
            change = adds.get(fluent, FALSE), ends.get(fluent, FALSE)
            if change != (FALSE, FALSE):
                triples.append(f"({fluent},{{{change[0]}}},{{{change[1]}}}),")
                roots += change
        outputs = f"({''.join(triples)}),{{{wrong}}}"
        self._move_checks[number] = self._compile_checks(found, self._shared)
        source = self._circuit.write("effects", roots, outputs, self._shared)
        function = _run(source, "effects")
        self.seconds["compile"] += time.process_time() - began
        return function

    def _compile_checks(
        self, checks: list[tuple[int, Found]], given: list[int]
    ) -> tuple[list[Found], Callable[[Columns, Columns, int], Columns]]:
        """Return what may be wrong, and code that says of each whether it is; compiled when it is called."""
        roots = [reference for reference, _ in checks]
        compiled: list[Callable[[Columns, Columns, int], Columns]] = []

        def which(columns: Columns, shared: Columns, one: int) -> Columns:
            if not compiled:
                outputs = "(" + "".join(f"{{{root}}}," for root in roots) + ")"
                source = self._circuit.write("which", roots, outputs, given)
                compiled.append(_run(source, "which"))
            return compiled[0](columns, shared, one)

        return [found for _, found in checks], which

    def wrong(self, columns: Columns, one: int, mask: int) -> list[Found]:
        """Say what is wrong at the states of `mask`, whatever move is made."""
        found, which = self._state_checks
        return [each for each, column in zip(found, which(columns, (), one), strict=True) if column & mask]

    def wrong_by(self, move: int, columns: Columns, shared: Columns, one: int, mask: int) -> list[Found]:
        """Say what is wrong when the `move`-th move is made at the states of `mask`."""
        found, which = self._move_checks[move]
        return [each for each, column in zip(found, which(columns, shared, one), strict=True) if column & mask]

    # ---- The ground program, for proofs about it ---------------------------------------------------------------------

    def ground_program(self) -> tuple[Any, Any, dict[int, str]]:
        """Return the recorded rules, the recorded sums, and the names of the atoms that have one."""
        names = {atom.literal: str(atom.symbol) for atom in self._atoms}
        return self._recorder.rules, self._recorder.weights, names

    def relevant(self) -> list[int]:
        """Return the atoms that say what is legal, who decides, what changes, and which fluents are tied together."""
        atoms = [move.legal for move in self._moves]
        atoms += [literal for move in self._moves for pair in move.changes.values() for literal in pair if literal]
        atoms += [literal for move in self._moves for literal, _ in move.wipes]
        for name, arity in (("slot", 2), ("in_set", 2), ("bookkeeping", 1)):
            tied = self._atoms.by_signature(name, arity)
            atoms += [atom.literal for atom in tied if atom.symbol.arguments[0] in self.index]
        return atoms + [atom.literal for atom in self._atoms.by_signature("actor", 2)]

    # ---- States --------------------------------------------------------------------------------------------

    def facts(self, state: int) -> frozenset[Symbol]:
        """Return the fluents that hold in a state, the constant ones included."""
        return self.constant | {fluent for i, fluent in enumerate(self.fluents) if state >> i & 1}


class _Layered(dict[int, int]):
    """Values of one move on top of the values that are common to all moves."""

    def __init__(self, base: dict[int, int], own: dict[int, int], moves: dict[int, int]) -> None:
        super().__init__(own)
        self._base, self._moves = base, moves

    def __missing__(self, atom: int) -> int:
        value = self._base.get(atom)
        if value is None:
            if atom not in self._moves:
                raise KeyError(atom)
            value = FALSE
        self[atom] = value
        return value

    def __contains__(self, atom: object) -> bool:
        return super().__contains__(atom) or atom in self._base or atom in self._moves


def _run(source: str, name: str) -> Callable[..., Any]:
    space: dict[str, Any] = {"at_least": at_least, "total": total}
    exec(compile(source, f"<{name}>", "exec"), space)  # the source is ours, written by bridge.circuit
    function: Callable[..., Any] = space[name]
    return function


@paused()
def compile_position(game: str, facts: Iterable[Symbol], switches: Switches | None = None) -> Compiled:
    """Ground and compile a position.

    Parameters
    ----------
    game
        A folder under ``asp``.
    facts
        The position.
    switches
        Rules switched off and readings chosen.

    Raises
    ------
    RuleError
        If clingo refuses the rules, if they are not stratified once grounded, or if anything that is judged
        depends on the move that is taken.
    """
    began = time.process_time()
    facts = list(facts)
    program = ground(game, facts, "relax", switches)
    atoms = program.control.symbolic_atoms
    inputs = {atom.literal for name in ("holds", "move") for atom in atoms.by_signature(name, 2)}
    if program.recorder.choices - inputs:  # how gringo writes a sum on which the fluents depend
        fluents = [atom.symbol.arguments[1] for atom in atoms.by_signature("holds", 2)]
        facts += [Function("reachable", [fluent]) for fluent in fluents]
        program = ground(game, facts, "reached", switches)
    return Compiled(game, program, time.process_time() - began)
