"""Readings: which questions a game's rules leave open, and whether an answer depends on how they are read.

A rule that can be read in several ways has a default; the others are tried one at a time, everything else read as it
was, so each difference is the work of one reading. A question that no rule asks of this position, once it is grounded,
need not be run: it has one answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from clingo import Symbol

from bridge.asking import answers
from bridge.catalog import load as load_catalog
from bridge.catalog import rule_id
from bridge.engines import Limits
from bridge.errors import PositionError, QuestionError
from bridge.ground import Switches, ground
from bridge.oracle import Oracle
from bridge.outcome import Outcome, Outcomes
from bridge.position import Position
from bridge.stopping import asked_to_stop
from bridge.terms import Condition
from bridge.vocabulary import Vocabulary
from bridge.vocabulary import load as load_vocabulary

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "ALL",
    "Variation",
    "ask_report",
    "asked_here",
    "outcomes_report",
    "reading_list",
    "render_ask",
    "render_list",
    "render_outcomes",
    "vary_ask",
    "vary_outcomes",
    "wants_all",
]

ALL = ("all", "all=combined")
"""What people write for every reading: one at a time, or the ones that matter together as well."""

MOST_COMBINATIONS = 64
"""So many combinations of readings that matter are tried; more are not, which the answer says."""

SHOWN = 4
"""So many gained outcomes of one reading are written out."""

_OPEN = "#external chosen(R,N) : reads(R,N,_).\n"

Chosen = tuple[tuple[Symbol, str], ...]


@dataclass(frozen=True, slots=True)
class Variation:
    """An answer under other readings than the base's.

    ``chosen`` are the readings; ``same`` is whether the answer is the base's, or None where that is not known;
    ``error`` says why the position cannot be asked about under them. ``gained`` are boards that the base does not
    have, ``lost`` the numbers of the base's outcomes that are gone; ``holds`` are the answers to ``ask``. ``endless``
    is whether the moves can go round without end.
    """

    chosen: Chosen
    same: bool | None
    complete: bool = True
    error: str = ""
    outcomes: int | None = None
    gained: tuple[Outcome, ...] = ()
    lost: tuple[int, ...] = ()
    holds: tuple[bool | None, ...] = ()
    endless: bool = False

    @property
    def answer(self) -> object:
        """What two variations have in common if they give one answer."""
        boards = frozenset((one.facts, one.stuck) for one in self.gained)
        return self.same, self.error, boards, self.lost, self.holds, self.endless


@dataclass(slots=True)
class Varied:
    """All variations of one answer; ``skipped`` readings were not looked at for want of time."""

    single: list[Variation] = field(default_factory=list)
    combined: list[Variation] | None = None
    too_many: int = 0
    skipped: list[Chosen] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether every reading was looked at and its answer is known."""
        seen = [*self.single, *(self.combined or ())]
        return not self.skipped and all(one.complete and one.same is not None for one in seen)

    @property
    def matters(self) -> bool | None:
        """Whether some reading changes the answer; None where no change was seen and not everything was looked at."""
        seen = [*self.single, *(self.combined or ())]
        if any(one.same is False for one in seen):
            return True
        return None if self.skipped or any(one.same is None for one in seen) else False


def wants_all(readings: Sequence[str] | None) -> tuple[list[str], str | None]:
    """Split ``--reading`` into the readings that are named and the wish for all the others.

    Raises
    ------
    QuestionError
        If something other than ``combined`` stands after ``all=``.
    """
    wish = None
    named = []
    for text in readings or ():
        if text.partition("=")[0].strip() != "all":
            named.append(text)
        elif text in ALL:
            wish = text if wish != ALL[1] else wish
        else:
            raise QuestionError(f"'--reading {text}' is not known; write --reading all, or all=combined")
    return named, wish


def others(vocabulary: Vocabulary, switches: Switches, fixed: Iterable[tuple[Symbol, str]] = ()) -> list[Chosen]:
    """Return the readings that differ from what `switches` choose, in the order of the rules.

    Parameters
    ----------
    vocabulary
        The game's.
    switches
        How the rules are read now; what they do not choose is read by default.
    fixed
        Readings whose questions are not to be varied.
    """
    questions = vocabulary.questions

    def ask(rule: Symbol, name: str) -> tuple[Symbol, str]:
        return rule, questions.get((rule, name), "")

    chosen = {ask(rule, name): name for rule, name in switches.readings}
    settled = {ask(rule, name) for rule, name in fixed}
    found: list[Chosen] = []
    for rule in (*vocabulary.rules, *(each for each in vocabulary.readings if each not in vocabulary.rules)):
        for name, default in vocabulary.readings.get(rule, {}).items():
            asked = ask(rule, name)
            now = name == chosen[asked] if asked in chosen else default
            if not now and asked not in settled and rule not in switches.without:
                found.append(((rule, name),))
    return found


# ---- Running the variations ------------------------------------------------------------------------------------------


class _Runner:
    """Runs one question under other readings, within what is left of the time."""

    def __init__(self, base: Oracle, limits: Limits) -> None:
        self.base, self.limits = base, limits
        self.until = time.monotonic() + limits.seconds
        base.graph(limits)
        self.asked = asked_here(base.given)

    def left(self) -> Limits:
        return Limits(self.limits.states, 0.0 if asked_to_stop() else max(0.0, self.until - time.monotonic()))

    def run(self, chosen: Chosen, answer: Callable[[Oracle], Variation], unchanged: Variation) -> Variation:
        questions = self.base.vocabulary.questions
        if not any((rule, questions.get((rule, name), "")) in self.asked for rule, name in chosen):
            return unchanged
        position = self.base.given.with_switches(Switches((), chosen))
        try:
            oracle = Oracle(position, self.base.lang, self.base.how)
            oracle.graph(self.left())
        except PositionError as error:
            said = "; ".join(map(str, error.faults))
            return Variation(chosen, False, error=said)
        if oracle.graph().faults:
            return Variation(chosen, False, error="; ".join(sorted(oracle.graph().faults)))
        return answer(oracle)

    def vary(
        self,
        fixed: Iterable[tuple[Symbol, str]],
        wish: str,
        answer: Callable[[Chosen, Oracle], Variation],
        unchanged: Callable[[Chosen], Variation],
    ) -> Varied:
        varied = Varied()
        vocabulary = self.base.vocabulary
        each: Callable[[Chosen], Variation] = lambda chosen: self.run(  # noqa: E731
            chosen, lambda oracle: answer(chosen, oracle), unchanged(chosen)
        )
        for chosen in others(vocabulary, self.base.position.switches, fixed):
            if self.left().seconds <= 0:
                varied.skipped.append(chosen)
            else:
                varied.single.append(each(chosen))
        if wish == ALL[1]:
            varied.combined = []
            wanted = _combined(vocabulary, [one.chosen for one in varied.single if one.same is not True])
            varied.too_many = max(0, len(wanted) - MOST_COMBINATIONS)
            for chosen in wanted[:MOST_COMBINATIONS]:
                if self.left().seconds <= 0:
                    varied.skipped.append(chosen)
                else:
                    varied.combined.append(each(chosen))
        return varied


def _combined(vocabulary: Vocabulary, single: Sequence[Chosen]) -> list[Chosen]:
    """Return all combinations of two or more readings of different questions, the small ones first."""
    by_question: dict[tuple[Symbol, str], list[tuple[Symbol, str]]] = {}
    for ((rule, name),) in single:
        by_question.setdefault((rule, vocabulary.questions.get((rule, name), "")), []).append((rule, name))
    groups = list(by_question.values())
    return [
        tuple(chosen)
        for size in range(2, len(groups) + 1)
        for some in combinations(groups, size)
        for chosen in product(*some)
    ]


def asked_here(position: Position) -> set[tuple[Symbol, str]]:
    """Return the questions that the rules ask of a position: a rule's term and the question's name.

    The position is grounded once with every reading open. A reading that is named in no ground rule plays no part in
    whatever the rules say of this position, under any choice of the others.
    """
    switches = Switches(position.switches.without)
    program = ground(position.game, position.facts, "ask", switches, extra=_OPEN, settled=False)
    readings: dict[int, tuple[Symbol, str]] = {}
    inner = set()
    for atom in program.control.symbolic_atoms:
        if atom.symbol.name == "reading":
            rule, name = atom.symbol.arguments
            readings[atom.literal] = (rule, name.name)
        if atom.symbol.name in ("reading", "put_aside"):
            inner.add(atom.literal)
    recorder = program.recorder
    used = {
        abs(each) for head, bodies in recorder.rules.items() if head not in inner for body in bodies for each in body
    }
    used |= {abs(each) for bodies in recorder.weights.values() for _, body in bodies for each, _ in body}
    questions = load_vocabulary(position.game).questions
    return {(readings[one][0], questions.get(readings[one], "")) for one in used & readings.keys()}


def vary_outcomes(
    oracle: Oracle, limits: Limits, fixed: Iterable[tuple[Symbol, str]] = (), wish: str = "all"
) -> Varied:
    """Return the outcomes under every other reading, compared by their boards.

    Parameters
    ----------
    oracle
        The position as it is read now; it is explored if it was not yet.
    limits
        Bounds of each exploration; the seconds are for all of them together.
    fixed
        Readings that stay as they are.
    wish
        One of `ALL`.
    """
    runner = _Runner(oracle, limits)
    base = oracle.outcomes(limits)
    numbers = {(one.facts, one.stuck): number for number, one in enumerate(base, start=1)}

    def answer(chosen: Chosen, other: Oracle) -> Variation:
        found = other.outcomes()
        boards = {(one.facts, one.stuck): one for one in found}
        gained = tuple(one for key, one in boards.items() if key not in numbers)
        lost = tuple(number for key, number in numbers.items() if key not in boards)
        complete = found.graph.complete and base.graph.complete
        # in partial answers a missing board proves nothing, nor does agreement; a new one does where the other is whole
        same: bool | None = not gained and not lost and found.endless == base.endless
        if not complete:
            differs = (gained and base.graph.complete) or (lost and found.graph.complete)
            differs = differs or (found.endless and base.graph.complete and not base.endless)
            differs = differs or (base.endless and found.graph.complete and not found.endless)
            same = False if differs else None
        return Variation(chosen, same, complete, "", len(found), gained, lost, endless=found.endless)

    whole = base.graph.complete
    return runner.vary(
        fixed, wish, answer, lambda chosen: Variation(chosen, True, whole, "", len(base), endless=base.endless)
    )


def vary_ask(
    oracle: Oracle,
    goal: Sequence[str],
    wanted: Sequence[tuple[str, str | None]],
    limits: Limits,
    fixed: Iterable[tuple[Symbol, str]] = (),
    wish: str = "all",
) -> Varied:
    """Return the answers to questions of ``ask`` under every other reading; the parameters are those of both."""
    runner = _Runner(oracle, limits)
    base = tuple(one.holds for one in answers(oracle, [oracle.condition(text) for text in goal], wanted))

    def answer(chosen: Chosen, other: Oracle) -> Variation:
        try:
            conditions: list[Condition] = [other.condition(text) for text in goal]
        except QuestionError as error:
            return Variation(chosen, False, error=str(error))
        holds = tuple(one.holds for one in answers(other, conditions, wanted))
        known = all(one is not None for one in (*holds, *base))
        differs = any(a is not None and b is not None and a != b for a, b in zip(holds, base, strict=True))
        same = False if differs else True if known else None
        return Variation(chosen, same, other.graph().complete, holds=holds)

    known = None not in base
    return runner.vary(fixed, wish, answer, lambda chosen: Variation(chosen, True, known, holds=base))


# ---- As data ---------------------------------------------------------------------------------------------------------


def _names(chosen: Chosen) -> list[str]:
    return [f"{rule_id(rule)}={name}" for rule, name in chosen]


def _report(varied: Varied, detail: Callable[[Variation], dict[str, Any]]) -> dict[str, Any]:
    def one(variation: Variation) -> dict[str, Any]:
        return {
            "readings": _names(variation.chosen),
            "same": variation.same,
            "complete": variation.complete,
            "error": variation.error or None,
            **({} if variation.error else detail(variation)),
        }

    return {
        "varied": "one by one" if varied.combined is None else "one by one, and those that matter combined",
        "matters": varied.matters,
        "single": [one(each) for each in varied.single],
        "combined": None if varied.combined is None else [one(each) for each in varied.combined],
        "combinations_left_out": varied.too_many,
        "not_looked_at": [_names(each) for each in varied.skipped],
    }


def outcomes_report(varied: Varied) -> dict[str, Any]:
    """Return the variations of outcomes as data."""
    return _report(
        varied,
        lambda one: {
            "outcomes": one.outcomes,
            "gained": [sorted(map(str, each.facts)) for each in one.gained],
            "lost": list(one.lost),
            "endless": one.endless,
        },
    )


def ask_report(varied: Varied) -> dict[str, Any]:
    """Return the variations of answers as data."""
    return _report(varied, lambda one: {"holds": list(one.holds)})


# ---- In words --------------------------------------------------------------------------------------------------------

_WORDS = {
    "en": {
        "title": "Other readings of the rules, tried one at a time",
        "same": "The answer is the same under all {n} of them ({q})",
        "some": "{k} of {n} would change the answer ({q}); the others leave it as it is",
        "none_known": "No change under any of the {n} was seen ({q}), but not everything was looked at",
        "nothing": "No rule here can be read otherwise",
        "questions": "{n} open questions of {r} rules",
        "new": "new:",
        "like": "new, like outcome {n}, but:",
        "stuck": "nothing is legal there: a gap in the rules",
        "loses": "no longer possible: {n}",
        "outcome": "outcome {n}",
        "outcomes": "outcomes {n}",
        "replaced": "{n} instead of {m} outcomes",
        "more": "… and {n} more",
        "error": "the position cannot be asked about: {why}",
        "unknown": "the answer is partial, and no change was seen in it, under {what}",
        "unseen": "the answer is partial, and no change was seen in it",
        "partial": "compared with a partial answer",
        "skipped": "time ran out before these were looked at: {what}",
        "interrupted": "interrupted before these were looked at: {what}",
        "endless": "then from some choices the moves go round in a circle and never end",
        "no_circle": "then no moves go round without end any more",
        "combined": "Combinations of the readings that change something by themselves",
        "combined_none": "fewer than two questions do",
        "combined_rest": "{n} of {m} give nothing that one reading by itself does not give",
        "left_out": "{n} more combinations were not tried",
        "answers": "then: {what}",
        "yes": "yes",
        "no": "no",
        "null": "not known",
        "gone": "no longer: {what}",
        "as_was": "the board is as it was",
        "all_same": "the same",
        "default": "default",
    },
    "ru": {
        "title": "Другие прочтения правил, по одному за раз",
        "same": "Ответ один и тот же при всех {n} ({q})",
        "some": "Ответ изменили бы {k} из {n} ({q}); остальные его не меняют",
        "none_known": "Ни одно из {n} ответа не изменило ({q}), но просмотрено не всё",
        "nothing": "Ни одно здешнее правило нельзя прочесть иначе",
        "questions": "открытых вопросов: {n}, правил: {r}",
        "new": "новое:",
        "like": "новое, как исход {n}, но:",
        "stuck": "там ничто не разрешено: пробел в правилах",
        "loses": "больше невозможно: {n}",
        "outcome": "исход {n}",
        "outcomes": "исходы {n}",
        "replaced": "исходов {n} вместо {m}",
        "more": "… и ещё {n}",
        "error": "о положении нельзя спросить: {why}",
        "unknown": "ответ неполный, и перемен в нём не видно: {what}",
        "unseen": "ответ неполный, и перемен в нём не видно",
        "partial": "сравнение с неполным ответом",
        "skipped": "на эти не хватило времени: {what}",
        "interrupted": "прервано, эти не рассмотрены: {what}",
        "endless": "тогда при некоторых решениях ходы идут по кругу и не кончаются никогда",
        "no_circle": "тогда ходы по кругу без конца уже не идут",
        "combined": "Сочетания прочтений, которые что-то меняют сами по себе",
        "combined_none": "таких вопросов меньше двух",
        "combined_rest": "не дают ничего сверх отдельных прочтений: {n} из {m}",
        "left_out": "ещё сочетаний, которые не проверены: {n}",
        "answers": "тогда: {what}",
        "yes": "да",
        "no": "нет",
        "null": "неизвестно",
        "gone": "больше нет: {what}",
        "as_was": "положение прежнее",
        "all_same": "то же",
        "default": "по умолчанию",
    },
}


class _Writer:
    def __init__(self, oracle: Oracle, varied: Varied, console: Console, lang: str) -> None:
        self.oracle, self.varied, self.console, self.lang = oracle, varied, console, lang
        self.words = _WORDS[lang]
        self.texts = _texts(oracle.position.game, lang)

    def item(self, text: str, indent: int = 2, style: str = "") -> None:
        self.console.print(" " * indent + text, style=style or None, markup=False)

    def write(self, changes: Callable[[Variation], Iterator[tuple[str, int]]]) -> None:
        words, varied = self.words, self.varied
        self.console.print()
        self.console.print(words["title"], style="bold")
        tried = [one.chosen for one in varied.single]
        if not tried and not varied.skipped:
            self.item(words["nothing"])
            return
        questions = self.oracle.vocabulary.questions
        asked = {(rule, questions.get((rule, name), "")) for chosen in tried for rule, name in chosen}
        shown = words["questions"].format(n=len(asked), r=len({rule for rule, _ in asked}))
        changing = [one for one in varied.single if one.same is False]
        open_ = [one for one in varied.single if one.same is None]
        key = "some" if changing else "none_known" if open_ or varied.skipped else "same"
        self.item(words[key].format(n=len(tried), k=len(changing), q=shown))
        for one in changing:
            self.one(one, changes)
        if open_:
            self.item(words["unknown"].format(what=", ".join(_short(one.chosen) for one in open_)), style="yellow")
        if varied.combined is not None:
            self.console.print()
            self.console.print(words["combined"], style="bold")
            if not varied.combined:
                self.item(words["combined_none"])
            found = {one.answer for one in varied.single}
            new = [one for one in varied.combined if one.answer not in found and one.same is not True]
            for one in new:
                self.one(one, changes)
            if varied.combined:
                self.item(words["combined_rest"].format(n=len(varied.combined) - len(new), m=len(varied.combined)))
            if varied.too_many:
                self.item(words["left_out"].format(n=varied.too_many), style="yellow")
        if varied.skipped:
            left = ", ".join(_short(chosen) for chosen in varied.skipped)
            self.item(words["interrupted" if asked_to_stop() else "skipped"].format(what=left), style="bold red")

    def one(self, one: Variation, changes: Callable[[Variation], Iterator[tuple[str, int]]]) -> None:
        said = "; ".join(filter(None, (self.texts.get((rule_id(rule), name), "") for rule, name in one.chosen)))
        self.console.print(f"  {_short(one.chosen)}", style="bold cyan", end="", markup=False)
        self.console.print(f"  {said}", markup=False)
        if one.error:
            self.item(self.words["error"].format(why=one.error), 5)
            return
        if one.same is None:
            self.item(self.words["unseen"], 5, style="yellow")
            return
        if one.same:
            self.item(self.words["all_same"], 5)
            return
        for text, indent in changes(one):
            self.item(text, indent)
        if not one.complete:
            self.item(self.words["partial"], 5, style="yellow")


def _texts(game: str, lang: str) -> dict[tuple[str, str], str]:
    found = {}
    for rule in load_catalog(game):
        for reading in rule.readings:
            found[rule.id, reading.name] = reading.text.get(lang) or reading.text.get("en", "")
    return found


def _short(chosen: Chosen) -> str:
    return ", ".join(f"{rule_id(rule).partition(':')[2]}={name}" for rule, name in chosen)


def render_outcomes(oracle: Oracle, varied: Varied, console: Console, lang: str) -> None:
    """Write in words what other readings do to the outcomes."""
    base = oracle.outcomes()
    writer = _Writer(oracle, varied, console, lang)
    words = writer.words

    def changes(one: Variation) -> Iterator[tuple[str, int]]:
        if one.outcomes != len(base):
            yield words["replaced"].format(n=one.outcomes, m=len(base)), 5
        if one.endless != base.endless:
            yield words["endless" if one.endless else "no_circle"], 5
        if one.lost:
            shown = words["outcome" if len(one.lost) == 1 else "outcomes"]
            listed = ", ".join(map(str, one.lost[:12])) + (" …" if len(one.lost) > 12 else "")
            yield words["loses"].format(n=shown.format(n=listed)), 5
        for outcome in one.gained[:SHOWN]:
            number, said = _difference(oracle, base, outcome, words)
            head = words["like"].format(n=number) if number else words["new"]
            yield f"{head} {said[0]}", 5
            yield from ((each, 6 + len(head)) for each in said[1:])
        if len(one.gained) > SHOWN:
            yield words["more"].format(n=len(one.gained) - SHOWN), 5

    writer.write(changes)


def _difference(
    oracle: Oracle, base: Outcomes, outcome: Outcome, words: dict[str, str]
) -> tuple[int | None, list[str]]:
    """Return the number of the base's outcome that a gained one is most like, and in words what differs."""
    say = oracle.teller.say
    number = min(range(len(base)), key=lambda i: (len(base[i].facts ^ outcome.facts), i), default=None)
    near = base.start if number is None else base[number].facts
    said = sorted(map(say, oracle.news(outcome.facts - near, outcome.facts)))
    gone = oracle.losses(near - outcome.facts, outcome.facts)
    said += [words["gone"].format(what=each) for each in sorted(map(say, gone))]
    if outcome.stuck:
        said.append(words["stuck"])
    return None if number is None else number + 1, said or [words["as_was"]]


def render_ask(oracle: Oracle, varied: Varied, console: Console, lang: str) -> None:
    """Write in words what other readings do to the answers of ``ask``."""
    writer = _Writer(oracle, varied, console, lang)
    words = writer.words

    def changes(one: Variation) -> Iterator[tuple[str, int]]:
        said = [words["null" if holds is None else "yes" if holds else "no"] for holds in one.holds]
        yield words["answers"].format(what=", ".join(said)), 5

    writer.write(changes)


# ---- The list of all readings ----------------------------------------------------------------------------------------


def reading_list(game: str) -> list[dict[str, Any]]:
    """Return every open question of a game: its rule, what it is called, and the readings that answer it.

    Raises
    ------
    RuleError
        If there is no such game.
    """
    found = []
    for rule in load_catalog(game):
        questions = list(dict.fromkeys(one.question for one in rule.readings))
        for question in questions:
            found.append(
                {
                    "rule": rule.id,
                    "titles": dict(rule.titles),
                    "question": question,
                    "readings": [
                        {"name": one.name, "default": one.default, "texts": dict(one.text)}
                        for one in rule.readings
                        if one.question == question
                    ],
                }
            )
    return found


def render_list(rows: Sequence[dict[str, Any]], console: Console, lang: str) -> None:
    """Write the list of readings to a console."""
    words = _WORDS[lang]
    for row in rows:
        title = row["titles"].get(lang) or row["titles"].get("en", "")
        asked = f"  {row['question']}" if row["question"] else ""
        console.print(row["rule"], style="bold cyan", end="", markup=False)
        console.print(f"  {title}", style="bold", end="", markup=False)
        console.print(asked, style="dim", markup=False)
        for one in row["readings"]:
            mark = f" ({words['default']})" if one["default"] else ""
            console.print(f"     {one['name']}", style="cyan", end="", markup=False)
            console.print(f"{mark}  {one['texts'].get(lang) or one['texts'].get('en', '')}", markup=False)
