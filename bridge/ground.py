"""Grounding: a game's rules, a position's facts and a driver become one ground program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import clingo
from clingo import Control, Function, Number, Observer, Symbol

import asp
from bridge import law
from bridge.collector import paused
from bridge.errors import RuleError

__all__ = ["GroundProgram", "Recorder", "Switches", "Ties", "control", "ground"]


@dataclass(frozen=True, slots=True)
class Switches:
    """Which rules are in force and how the ambiguous ones are read.

    Parameters
    ----------
    without
        Terms of rules that are switched off, as ``agot("3.15")``.
    readings
        Pairs of a rule's term and the name of the meaning chosen for it.
    """

    without: tuple[Symbol, ...] = ()
    readings: tuple[tuple[Symbol, str], ...] = ()

    def facts(self) -> list[Symbol]:
        """Return the switches as facts for the grammar."""
        facts = [Function("repealed", [rule]) for rule in self.without]
        return facts + [Function("chosen", [rule, Function(name)]) for rule, name in self.readings]


WeightBody = tuple[int, tuple[tuple[int, int], ...]]


class Recorder(Observer):
    """Keeps the ground rules as clingo hands them over.

    ``rules`` maps an atom (a positive program literal) to its bodies, each a tuple of literals;
    ``weights`` maps an atom to its weight bodies: a lower bound and pairs of literal and weight;
    ``choices`` are the atoms in heads of choice rules and disjunctions.
    """

    def __init__(self) -> None:
        self.rules: dict[int, list[tuple[int, ...]]] = {}
        self.weights: dict[int, list[WeightBody]] = {}
        self.choices: set[int] = set()

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        """Record a normal, choice or disjunctive rule."""
        if choice or len(head) > 1:
            self.choices.update(head)
            return
        for atom in head:
            self.rules.setdefault(atom, []).append(tuple(body))

    def weight_rule(self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]) -> None:
        """Record a rule whose body is a weighted sum with a lower bound."""
        if choice or len(head) > 1:
            self.choices.update(head)
            return
        for atom in head:
            self.weights.setdefault(atom, []).append((lower_bound, tuple((lit, w) for lit, w in body)))


@dataclass(slots=True)
class GroundProgram:
    """A grounded game: the control, the recorded rules and the places of the atoms that matter.

    ``fluents`` are the fluents in a fixed order; bit ``i`` of a state stands for ``fluents[i]``.
    ``initial`` is the first state. ``openings`` are the moves to be played before anything is asked.
    """

    control: Control
    recorder: Recorder
    fluents: tuple[Symbol, ...]
    index: dict[Symbol, int]
    initial: int
    openings: tuple[Symbol, ...]
    rules: tuple[Symbol, ...] = ()
    messages: list[str] = field(default_factory=list)

    def state(self, facts: Iterable[Symbol]) -> int:
        """Return the state in which exactly these fluents hold."""
        return sum(1 << self.index[fact] for fact in set(facts))

    def facts(self, state: int) -> list[Symbol]:
        """Return the fluents that hold in a state, in their fixed order."""
        return [fluent for i, fluent in enumerate(self.fluents) if state >> i & 1]


BOOKKEEPING = Function("bookkeeping")
"""The set of fluents that a close wipes."""

_INFO = {clingo.MessageCode.AtomUndefined, clingo.MessageCode.GlobalVariable}


def control(arguments: Sequence[str] = (), *, strict: bool = False) -> tuple[Control, list[str]]:
    """Return a control whose messages are collected instead of printed.

    Parameters
    ----------
    arguments
        Command-line options of clingo.
    strict
        Whether informative messages are collected, too.
    """
    messages: list[str] = []

    def log(code: clingo.MessageCode, message: str) -> None:
        if strict or code not in _INFO:
            messages.append(message.strip())

    return Control(list(arguments), logger=log), messages


@paused()
def ground(
    game: str,
    facts: Iterable[Symbol],
    driver: str | None,
    switches: Switches | None = None,
    *,
    arguments: Sequence[str] = (),
    extra: str = "",
    record: bool = True,
    settled: bool = True,
) -> GroundProgram:
    """Ground a position with the rules of its game under a driver.

    Parameters
    ----------
    game
        A folder under ``asp`` with a ``game.lp``.
    facts
        The position, as symbols; they are printed as terms, so that no text of a user reaches the program.
    driver
        The name of a file under ``asp/drivers``, or None for the rules alone.
    switches
        Rules switched off and readings chosen.
    arguments
        Further command-line options of clingo.
    extra
        Program text of our own (projection, display), never a user's.
    record
        Whether the ground rules are recorded.
    settled
        Whether the fluents and the first state have to be settled by the position alone, as they must be to play;
        where `extra` derives anything, they are not.

    Returns
    -------
    GroundProgram

    Raises
    ------
    RuleError
        If clingo does not accept the rules.
    """
    all_facts = [*facts, *(switches or Switches()).facts()]
    text = "".join(f"{fact}.\n" for fact in all_facts) + extra
    recorder = Recorder() if record else None
    if driver is None or not law.serves(driver):
        ctl, messages = _ground(game, driver, text, recorder, arguments)
    else:
        try:
            rules = law.load(game).program(all_facts, driver, whole=not settled)
            ctl, messages = _ground(game, driver, text, recorder, arguments, rules)
        except (RuleError, RuntimeError):  # the whole law says in which file
            recorder = Recorder() if record else None
            ctl, messages = _ground(game, driver, text, recorder, arguments)
    atoms = ctl.symbolic_atoms
    for name in ("fluent", "init") if settled else ():
        for atom in atoms.by_signature(name, 1):
            if not atom.is_fact:
                raise RuleError(
                    f"{atom.symbol} is not settled by the position alone: what it rests on depends on a moment, "
                    "or on its own negation (perhaps two files mean different things by one name)"
                )
    fluents = tuple(sorted((atom.symbol.arguments[0] for atom in atoms.by_signature("fluent", 1)), key=str))
    index = {fluent: i for i, fluent in enumerate(fluents)}
    initial = {atom.symbol.arguments[0] for atom in atoms.by_signature("init", 1)}
    # a position that cannot exist says why in fault/3; that is told instead
    impossible = any(True for _ in atoms.by_signature("fault", 3))
    if not impossible and (unlisted := sorted(str(fact) for fact in initial - index.keys())):
        raise RuleError(f"the first state holds fluents that fluent/1 does not list: {', '.join(unlisted)}")
    openings = sorted(
        (atom.symbol.arguments[0].number, atom.symbol.arguments[1]) for atom in atoms.by_signature("opening", 2)
    )
    return GroundProgram(
        control=ctl,
        recorder=recorder or Recorder(),
        fluents=fluents,
        index=index,
        initial=sum(1 << index[fact] for fact in initial & index.keys()),
        openings=tuple(move for _, move in openings),
        rules=tuple(atom.symbol.arguments[0] for atom in atoms.by_signature("rule", 1)),
        messages=messages,
    )


def _ground(
    game: str,
    driver: str | None,
    text: str,
    recorder: Recorder | None,
    arguments: Sequence[str],
    rules: str | None = None,
) -> tuple[Control, list[str]]:
    """Ground a text with the rules given, or with the whole law of a game."""
    ctl, messages = control(arguments)
    if recorder is not None:
        ctl.register_observer(recorder)
    try:
        ctl.add("base", [], text)
        if rules is None:
            ctl.load(str(asp.ROOT / game / "game.lp"))
        else:
            ctl.add("base", [], rules)
        if driver:
            ctl.load(str(asp.ROOT / "drivers" / f"{driver}.lp"))
        ctl.ground()
    except RuntimeError as error:
        raise _rule_error(messages or [str(error)]) from error
    return ctl, messages


_PLACE = re.compile(r"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+)(-[\d:]+)?: (?P<message>.*)$", re.DOTALL)


def _rule_error(messages: Sequence[str]) -> RuleError:
    for message in messages:
        if match := _PLACE.match(message):
            file = match["file"]
            place = Path(file)
            if place.is_absolute() and place.is_relative_to(asp.ROOT):
                file = place.relative_to(asp.ROOT).as_posix()
            return RuleError(" ".join(match["message"].split()), file, int(match["line"]), int(match["column"]))
    return RuleError(" ".join(" ".join(messages).split()))


@dataclass(frozen=True, slots=True)
class Ties:
    """What ties fluents together: slots, of which one fluent holds, and sets that are wiped as one.

    ``slot_of`` maps a fluent to its slots, ``slots`` a slot and ``sets`` a set to their fluents.
    """

    slot_of: Mapping[Symbol, tuple[Symbol, ...]]
    slots: Mapping[Symbol, tuple[Symbol, ...]]
    sets: Mapping[Symbol, tuple[Symbol, ...]]

    @classmethod
    def of(cls, program: GroundProgram) -> Ties:
        """Read the ties off a ground program."""
        atoms = program.control.symbolic_atoms
        slot_of: dict[Symbol, list[Symbol]] = {}
        slots: dict[Symbol, list[Symbol]] = {}
        sets: dict[Symbol, list[Symbol]] = {}
        for atom in atoms.by_signature("slot", 2):
            fluent, slot = atom.symbol.arguments
            slot_of.setdefault(fluent, []).append(slot)
            slots.setdefault(slot, []).append(fluent)
        for atom in atoms.by_signature("in_set", 2):
            fluent, name = atom.symbol.arguments
            sets.setdefault(name, []).append(fluent)
        sets[BOOKKEEPING] = [atom.symbol.arguments[0] for atom in atoms.by_signature("bookkeeping", 1)]
        return cls(*({key: tuple(values) for key, values in part.items()} for part in (slot_of, slots, sets)))

    def mates(self, fluent: Symbol) -> Iterator[tuple[Symbol, Symbol]]:
        """Yield the other fluents of a fluent's slots, each with the slot."""
        for slot in self.slot_of.get(fluent, ()):
            for other in self.slots[slot]:
                if other != fluent:
                    yield other, slot


def moment(name: str, *arguments: Symbol) -> Symbol:
    """Return the atom ``name(0,arguments)`` of moment 0."""
    return Function(name, [Number(0), *arguments])
