"""The oracle: a position in; outcomes, legal moves and reasons out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from clingo import Function, Number, String, Symbol, SymbolType

from bridge.catalog import rule_id
from bridge.engines import IllegalOpeningError, Limits, Progress, ReferenceEngine, Step
from bridge.errors import Fault, PositionError, QuestionError
from bridge.explain import Explainer, Refusal
from bridge.graph import Edge, Graph
from bridge.outcome import Outcomes
from bridge.position import Position, load
from bridge.stopping import Stop
from bridge.terms import ANYTHING, Condition, TermError, matches, parse_condition, parse_term
from bridge.vocabulary import load as load_vocabulary
from bridge.words import Teller

__all__ = ["ENGINES", "Oracle", "Told", "Verdict", "example"]

ENGINES = ("auto", "explorer", "clingo")
"""How a graph is explored: by the explorer, by clingo state by state, or by clingo as long as that is quick."""

_QUICK = 400
"""States up to which clingo has answered before the explorer would have compiled, where the ground program is small."""

_QUICK_WORK = 1_500_000
"""The same for large ones, as states times ground rules: what clingo does at a state grows with the rules."""

_SHARE = 0.5
"""The part of the time that exploring may take; the rest is for making an answer of what was found."""

_GRACE = 5.0
"""Seconds for making an answer of what was found when Ctrl-C ended the exploration."""

_SECTIONS = {"card": "cards", "player": "players"}
_SINCE = {"en": "since these are refused", "ru": "так как запрещено"}
_FIRST = {"en": "something else comes first", "ru": "сначала должно произойти другое"}
_LOOKED_AT = 2_000
_SOME = {
    "en": {"somebody": "somebody", "some": "some", "something": "something"},
    "ru": {"somebody": "кто-то", "some": "сколько-то", "something": "что-то"},
}
_VERDICTS = {
    "en": {
        "partly": "in the first {n} moments",
        "explored": "in the part that was explored",
        "legal": "it is legal at some moment: {move}",
        "refused": "{move} is refused wherever it is tried:",
        "never": "{move} is not legal: no rule ever offers it here",
        "unknown": "{move} is not legal: this position has no such move",
        "no_outcome": "this is so in no outcome: {what}",
        "not": "not: {what}",
    },
    "ru": {
        "partly": "в первых {n} моментах",
        "explored": "в просмотренной части",
        "legal": "в какой-то момент это разрешено: {move}",
        "refused": "{move} — запрещено всюду, где это пробуют:",
        "never": "{move} — нельзя: ни одно правило этого здесь не предлагает",
        "unknown": "{move} — нельзя: в этом положении нет такого хода",
        "no_outcome": "этого нет ни в одном исходе: {what}",
        "not": "не: {what}",
    },
}


@dataclass(frozen=True, slots=True)
class Told:
    """One move of a line as it is told: the state before it, who makes it, and how many moves were legal."""

    state: int
    actor: Symbol
    move: Symbol
    alternatives: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a move is or is not legal: a sentence, and every refusal that was met, each once."""

    legal: bool
    sentence: str
    refusals: tuple[Refusal, ...] = ()


class Oracle:
    """Answers questions about one position.

    Parameters
    ----------
    position
        A position, or the path of its file.
    lang
        The language of words in errors and explanations, ``en`` or ``ru``.
    engine
        One of `ENGINES`.

    Raises
    ------
    PositionError
        If the position cannot exist, or a move of its line is not legal.

    Examples
    --------
    >>> oracle = Oracle(example("joffrey_takes_power_for_his_own_death"))
    >>> len(oracle.outcomes())
    2
    """

    def __init__(self, position: Position | str | Path, lang: str = "en", engine: str = "auto") -> None:
        if engine not in ENGINES:
            raise QuestionError(f"there is no engine '{engine}'; write one of {', '.join(ENGINES)}")
        self.how = engine
        self.position = position if isinstance(position, Position) else load(position)
        self.given = self.position  # what the line comes to is added to the position; this stays as it was
        self.vocabulary = load_vocabulary(self.position.game)
        self.lang = lang
        self.teller = Teller(self.vocabulary, self.position.names, lang)
        self.engine = ReferenceEngine(self.position.game, list(self.position.facts), self.position.switches)
        self._check_position()
        self.played: list[Step] = []
        self.start = self._open()
        self.stop = Stop()
        self._graph: Graph | None = None
        self._steps = self.engine.steps
        self._outcomes: Outcomes | None = None

    # ---- Opening ----

    def _check_position(self) -> None:
        atoms = self.engine.program.control.symbolic_atoms
        faults = []
        for atom in atoms.by_signature("fault", 3):
            where, rule, why = atom.symbol.arguments
            path = self._path(where)
            rules = () if rule.match("none", 0) else (rule_id(rule),)
            faults.append(Fault(".".join(map(str, path)), self.teller.say(why), rules, self._line(path)))
        if faults:
            faults.sort(key=lambda fault: (fault.line or 0, str(fault)))
            raise PositionError(faults, self.position.source)

    def _line(self, path: tuple[str | int, ...]) -> int | None:
        for end in range(len(path), 0, -1):
            if path[:end] in self.position.lines:
                return self.position.lines[path[:end]]
        return None

    def _path(self, where: Symbol) -> tuple[str, ...]:
        section, name, key = (str(part) for part in where.arguments)
        return (_SECTIONS[section], name, key) if section in _SECTIONS else (name, key)

    def _open(self) -> int:
        try:
            state, self.played = self.engine.opened()
        except IllegalOpeningError as error:
            raise self._illegal(error.move, [error.move], error.state, self._opened_at(error.number)) from error
        openings = len(self.engine.program.openings)
        extra: list[Symbol] = []
        opened = len(self.played)
        line = list(self.position.line)
        for i in range(len(line)):
            try:
                state = self._play(state, line[i], ("line", i))
            except PositionError:
                # a set may be written in any order, but is chosen in one: try its next member first
                if i + 1 == len(line) or line[i].name != line[i + 1].name:
                    raise
                line[i], line[i + 1] = line[i + 1], line[i]
                state = self._play(state, line[i], ("line", i))
        for i, step in enumerate(self.played[opened:], start=1):
            extra.append(Function("opening", [Number(openings + i), step.move]))
        if extra:
            self.position = replace(self.position, facts=(*self.position.facts, *extra))
        return state

    def _play(self, state: int, pattern: Symbol, path: tuple[str | int, ...]) -> int:
        """Play a move of the line at the next decision; forced moves are played on the way.

        Where the move does not fit that decision it may have been one of the forced moves before it.
        """
        wanted = self.moves_named(pattern)
        here, forced = self._forced(state)
        steps = [] if self.engine.is_over(here) else self.engine.steps(here)
        fitting = [step for step in steps if step.move in wanted]
        if len(fitting) > 1:
            shown = ", ".join(str(step.move) for step in fitting)
            raise self._refuse(path, f"'{pattern}' may mean several moves here; write one of {shown}")
        if fitting:
            self.played += [*forced, fitting[0]]
            return fitting[0].after
        for i, step in enumerate(forced):
            if step.move in wanted:
                self.played += forced[: i + 1]
                return step.after
        raise self._illegal(pattern, wanted, here, path)

    def moves_named(self, pattern: Symbol) -> list[Symbol]:
        """Return the moves that a pattern, or a short form, may mean."""
        atoms = self.engine.program.control.symbolic_atoms
        known = {atom.symbol.arguments[1] for atom in atoms.by_signature("attempt", 2)}
        found = {move for move in known if matches(pattern, move)}
        for atom in atoms.by_signature("alias", 2):
            move, short = atom.symbol.arguments
            if matches(pattern, short):
                found.add(move)
        return sorted(found, key=str)

    def _illegal(
        self, pattern: Symbol, wanted: Iterable[Symbol], state: int, path: tuple[str | int, ...]
    ) -> PositionError:
        wanted = list(wanted)
        refusals = [one for one in self.explainer.refusals(state, weighed=True) if one.move in wanted]
        refusals += [one for one in self._never() if one.move in wanted]
        if refusals:
            said = "; ".join(dict.fromkeys(map(self.reasons, refusals)))
            rules = [rule_id(rule) for one in refusals for rule in (*one.rules, *one.put_off)]
            return self._refuse(path, f"{self._said(pattern, wanted)} is not legal here: {said}", rules)
        if self.engine.is_over(state):
            return self._refuse(path, f"'{pattern}' cannot be played: everything has ended before")
        steps = self.engine.steps(state)
        shown = "; ".join(f"{self.teller.say(step.move)}, {step.move}" for step in steps[:8])
        shown += f"; and {len(steps) - 8} more" if len(steps) > 8 else ""
        shown = shown or "nothing"
        if not wanted:
            return self._refuse(path, f"there is no move '{pattern}' in this position; legal here: {shown}")
        return self._refuse(path, f"no rule offers {self._said(pattern, wanted)} here; legal are: {shown}")

    def _opened_at(self, number: int) -> tuple[str, ...]:
        for atom in self.engine.program.control.symbolic_atoms.by_signature("opened_at", 2):
            if atom.symbol.arguments[0].number == number:
                return self._path(atom.symbol.arguments[1])
        return ("line",)

    def _said(self, pattern: Symbol, wanted: list[Symbol]) -> str:
        return f"'{self.teller.say(wanted[0])}'" if len(wanted) == 1 else f"'{pattern}'"

    def _refuse(self, path: tuple[str | int, ...], message: str, rules: Iterable[str] = ()) -> PositionError:
        shown = ".".join(map(str, path))
        return PositionError(
            [Fault(shown, message, tuple(dict.fromkeys(rules)), self._line(path))], self.position.source
        )

    # ---- Questions ----

    @cached_property
    def explainer(self) -> Explainer:
        """The explainer on this position's ground program."""
        return Explainer(self.engine)

    def graph(self, limits: Limits | None = None, progress: Progress | None = None) -> Graph:
        """Return the graph of decisions from where the question is asked; computed once.

        The seconds of `limits` are counted from here; they bound what is made of the graph, too.
        """
        if self._graph is None:
            limits = limits or Limits()
            self.stop = Stop(limits.seconds)
            self._graph = self._explore(limits, progress)
            self._forgive(self._graph.limits)
            state = self.engine.program.facts(self.start)
            self._graph.start = frozenset(state)
            self._graph.bookkeeping = self.engine.bookkeeping
        return self._graph

    def _explore(self, limits: Limits, progress: Progress | None) -> Graph:
        explored = Stop(limits.seconds * _SHARE)
        if self.how == "clingo":
            return self.engine.explore(Limits(limits.states, explored.left), progress, self.start)
        if self.how == "auto":
            # whatever cuts this try short, the bound of states is then one of decisions, as with the explorer alone
            few = min(_QUICK, _QUICK_WORK // len(self.engine.program.recorder.rules))
            quick = Limits(min(limits.states, few), explored.left)
            graph = self.engine.explore(quick, progress, self.start)
            if "states" not in graph.limits:
                return graph
        from bridge.explore import Explorer, Translated

        explorer = Explorer(self.position.game, self.position.facts, self.position.switches)
        decisions = explorer.explore(Limits(limits.states, explored.left), progress)
        self._forgive(decisions.limits)
        self._steps = Translated(explorer, self.engine.program.index).steps  # the same, and faster
        # a graph that takes longer leaves no time to look at it
        return decisions.to_graph(Stop(self.stop.left / 2, heeds=self.stop.heeds))

    def _forgive(self, limits: set[str]) -> None:
        """Let the Ctrl-C that has ended the exploration not end what is made of it, too."""
        if "interrupted" in limits and self.stop.heeds:
            self.stop = Stop(min(self.stop.left, _GRACE), heeds=False)

    def transcript(self, line: Sequence[Edge], *, whole: bool = False) -> list[Told]:
        """Return a line with the forced moves in it, as it is told.

        Parameters
        ----------
        line
            Edges of the graph, from node 0.
        whole
            Whether to begin with what opened the window and the position's own line.
        """
        told: list[Told] = []
        state = self.engine.program.initial
        for step in self.played if whole else ():
            told.append(Told(state, step.actor, step.move, len(self.engine.steps(state))))
            state = step.after
        state = self.start
        for edge in line:
            state = self._tell_to(state, edge.move, told)
        return self._tell_to_end(state, told) if self.graph().compressed else told

    def _tell_to(self, state: int, move: Symbol, told: list[Told]) -> int:
        while True:
            steps = self._steps(state)
            forced = len(steps) == 1
            step = next((step for step in steps if step.move == move), None)
            if forced and self.graph().compressed:
                step = None
            taken = step or steps[0]
            told.append(Told(state, taken.actor, taken.move, len(steps)))
            state = taken.after
            if step is not None:
                return state

    def _tell_to_end(self, state: int, told: list[Told]) -> list[Told]:
        visited = {state}
        while not self.engine.is_over(state):
            steps = self._steps(state)
            if len(steps) != 1:
                break
            told.append(Told(state, steps[0].actor, steps[0].move, 1))
            state = steps[0].after
            if state in visited:
                break
            visited.add(state)
        return told

    def say_limit(self, limit: str) -> str:
        """Return a bound that a graph has met in words, where the rules have words for it."""
        try:
            return self.teller.say(parse_term(limit))
        except TermError:
            return limit

    def odds(self, facts: frozenset[Symbol], move: Symbol) -> int:
        """Return for how many equally likely moves a move of chance stands, where these fluents hold."""
        for step in self.engine.steps(self.engine.program.state(facts)):
            if step.move == move:
                return step.odds
        raise KeyError(str(move))

    def outcomes(self, limits: Limits | None = None, progress: Progress | None = None) -> Outcomes:
        """Return every legal outcome; see `Outcomes`. An incomplete graph gives those that were found."""
        if self._outcomes is None:
            graph = self.graph(limits, progress)
            self._outcomes = Outcomes(graph, self.stop)
        return self._outcomes

    def decision(self) -> tuple[int, list[Step]]:
        """Return the first state from the start at which somebody has a choice, and the forced moves to it."""
        return self._forced(self.start)

    def _forced(self, state: int) -> tuple[int, list[Step]]:
        """Return the first state at which somebody has a choice, or nothing is left, and the moves to it."""
        forced: list[Step] = []
        visited = {state}
        while not self.engine.is_over(state):
            steps = self.engine.steps(state)
            if len(steps) != 1 or steps[0].after in visited:
                break
            forced.append(steps[0])
            state = steps[0].after
            visited.add(state)
        return state, forced

    def find_outcome(self, condition: str) -> int | None:
        """Return the number of the first outcome of which a condition is true, or None.

        Raises
        ------
        QuestionError
            If the condition cannot be read, or names a fluent that this position does not know.
        """
        wanted = self.condition(condition)
        for number, outcome in enumerate(self.outcomes(), start=1):
            if wanted.holds(outcome.facts):
                return number
        return None

    def condition(self, text: str) -> Condition:
        """Read a condition over the board and check that it speaks of this position.

        Raises
        ------
        QuestionError
            If it cannot be read, or names a fluent that this position does not know.
        """
        try:
            condition = parse_condition(text)
        except TermError as error:
            raise QuestionError(f"'{text}' cannot be read as a condition: {error}") from error
        if not any(matches(condition.fluent, fluent) for fluent in self.engine.fluents):
            near = get_close_matches(str(condition.fluent), map(str, self.engine.fluents), 3, 0.6)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise QuestionError(f"no board of this position can ever say {condition.fluent}{hint}")
        return condition

    def say_condition(self, condition: Condition) -> str:
        """Return a condition in words, without its negation: what may be anything is somebody, some or something."""
        players = {fact.arguments[0] for fact in self.position.facts if fact.match("seat", 2)}
        fitting = [fluent for fluent in self.engine.fluents if matches(condition.fluent, fluent)]

        def filled(pattern: Symbol, there: list[Symbol]) -> Symbol:
            if pattern == ANYTHING:
                numbers = all(one.type is SymbolType.Number for one in there)
                kind = "some" if numbers else "somebody" if players.issuperset(there) else "something"
                return String(_SOME[self.lang][kind])
            if pattern.type is not SymbolType.Function or not pattern.arguments:
                return pattern
            parts = [filled(part, [one.arguments[i] for one in there]) for i, part in enumerate(pattern.arguments)]
            return Function(pattern.name, parts)

        return self.teller.say(filled(condition.fluent, fitting))

    def no_outcome(self, text: str) -> str:
        """Return a sentence that no outcome fulfils a condition."""
        condition = self.condition(text)
        said = self.say_condition(condition)
        words = _VERDICTS[self.lang]
        return words["no_outcome"].format(what=words["not"].format(what=said) if condition.negated else said)

    def why_not(self, text: str) -> Verdict:
        """Explain why a move is not legal, wherever it is tried between here and the outcomes.

        Parameters
        ----------
        text
            A move or its short form; ``_`` stands for anything.

        Raises
        ------
        QuestionError
            If the move cannot be read.
        """
        try:
            pattern = parse_term(text)
        except TermError as error:
            raise QuestionError(f"'{text}' cannot be read as a move: {error}") from error
        wanted = set(self.moves_named(pattern))
        graph = self.graph()
        made = sorted({edge.move for out in graph.edges for edge in out} & wanted, key=str)
        found: dict[Refusal, None] = {}
        seen = min(len(graph.states), _LOOKED_AT)
        for node in range(seen):
            if bound := self.stop.reason():
                graph.limits.add(bound)
                seen = node
                break
            for refusal in self.explainer.refusals(self.state_at(node), weighed=True):
                if refusal.move in wanted or matches(pattern, refusal.move):
                    found.setdefault(refusal)
        for refusal in self._never():
            if refusal.move in wanted or matches(pattern, refusal.move):
                found.setdefault(refusal)
        refusals = _tidied(one for one in found if one.move not in made)
        words = _VERDICTS[self.lang]
        if made:
            return Verdict(True, words["legal"].format(move=self.teller.say(made[0])), refusals)
        key = "refused" if refusals else "never" if wanted else "unknown"
        sentence = words[key].format(move=text)
        if len(graph.states) > seen:
            sentence += f" ({words['partly'].format(n=seen)})"
        elif not graph.complete:
            sentence += f" ({words['explored']})"
        return Verdict(False, sentence, refusals)

    def state_at(self, node: int) -> int:
        """Return the state at a node of the graph as the reference engine writes it."""
        graph = self.graph()
        return self.engine.program.state(graph.facts(node)) if graph.compressed else graph.states[node]

    @cached_property
    def _unspoken(self) -> dict[Symbol, set[Symbol]]:
        return self._pairs("unspoken")

    @cached_property
    def _unspoken_without(self) -> dict[Symbol, set[Symbol]]:
        return self._pairs("unspoken_without")

    def _pairs(self, name: str) -> dict[Symbol, set[Symbol]]:
        pairs: dict[Symbol, set[Symbol]] = {}
        for atom in self.engine.program.control.symbolic_atoms.by_signature(name, 2):
            fact, given = atom.symbol.arguments
            pairs.setdefault(fact, set()).add(given)
        return pairs

    @cached_property
    def _untold(self) -> frozenset[Symbol]:
        atoms = self.engine.program.control.symbolic_atoms
        return frozenset(atom.symbol.arguments[0] for atom in atoms.by_signature("untold", 1))

    def news(self, started: Iterable[Symbol], facts: frozenset[Symbol]) -> frozenset[Symbol]:
        """Return which of the facts that have become true on a board are told."""
        return frozenset(
            fact for fact in started if fact not in self._untold and not self._unspoken.get(fact, set()) & facts
        )

    def losses(self, lost: Iterable[Symbol], facts: frozenset[Symbol]) -> frozenset[Symbol]:
        """Return which of the facts that are no longer true on a board are told, and do not go without saying there.

        It goes without saying where the game says so, and where another value has come in the place of the fact.
        """
        told = facts - self._untold
        return frozenset(
            fact
            for fact in self.news(lost, facts)
            if not any(other in told for other, _ in self.engine.ties.mates(fact))
            and (fact not in self._unspoken_without or self._unspoken_without[fact] & facts)
        )

    def remarks(self) -> list[str]:
        """Return notes that go with every answer about this position."""
        atoms = self.engine.program.control.symbolic_atoms
        return sorted(self.teller.say(atom.symbol.arguments[0]) for atom in atoms.by_signature("remark", 1))

    def _never(self) -> list[Refusal]:
        """Return what is not even tried in this position, where the law says why; each move with all its reasons."""
        found: dict[tuple[Symbol, Symbol], list[Symbol]] = {}
        for atom in self.engine.program.control.symbolic_atoms.by_signature("never", 3):
            move, rule, why = atom.symbol.arguments
            if rule not in self.position.switches.without:
                found.setdefault((move, rule), []).append(why)
        return [Refusal(move, (rule,), because=tuple(sorted(why, key=str))) for (move, rule), why in found.items()]

    def reasons(self, refusal: Refusal) -> str:
        """Return a refusal in words: which rules stand against the move, and through what."""
        if refusal.put_off:
            return f"{_FIRST[self.lang]} [{self.teller.rules(refusal.put_off)}]"
        text = f"[{self.teller.rules(refusal.rules)}]"
        if refusal.leaning:
            text += f" ({self.teller.rules(refusal.leaning)})"
        if refusal.because:
            text = f"{'; '.join(dict.fromkeys(map(self.teller.say, refusal.because)))} {text}"
        through = self.through(refusal)
        return f"{text}, {through}" if through else text

    def through(self, refusal: Refusal) -> str:
        """Return in words through which refused choices a move is refused, or nothing."""
        within = dict(refusal.within)
        parts = []
        for part, rules in refusal.through[:6]:
            why = "; ".join(dict.fromkeys(map(self.teller.say, within.get(part, ()))))
            parts.append(f"{self.teller.say(part)}{f' ({why})' if why else ''} [{self.teller.rules(rules)}]")
        if len(refusal.through) > 6:
            parts.append(f"… ({len(refusal.through)})")
        return f"{_SINCE[self.lang]}: {'; '.join(parts)}" if parts else ""


def _tidied(refusals: Iterable[Refusal]) -> tuple[Refusal, ...]:
    """Keep of the refusals of one move only those that say the most, the best explained first."""
    best: dict[Symbol, Refusal] = {}
    for one in refusals:
        known = best.get(one.move)
        if known is None or _said(one) > _said(known):
            best[one.move] = one
    return tuple(sorted(best.values(), key=lambda one: (not one.through, str(one.move))))


def _said(refusal: Refusal) -> tuple[int, int, int]:
    return len(refusal.through), len(refusal.rules), len(refusal.because)


def example(name: str) -> Path:
    """Return the path of a shipped case by its name, without the ending."""
    import asp

    shipped = {path.stem: path for path in sorted(asp.ROOT.glob("*/positions/**/*.yaml"))}
    if name not in shipped:
        near = get_close_matches(name, shipped, 3, 0.6)
        hint = f"; did you mean {' or '.join(near)}?" if near else "; 'lawspeaker examples' lists them"
        raise PositionError([Fault("", f"there is no file and no example '{name}'{hint}")])
    return shipped[name]
