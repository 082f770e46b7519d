"""Answers in words on a terminal: first what is certain, then who decides what, then the outcomes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from clingo import Symbol
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from bridge.faults import in_language
from bridge.oracle import Oracle
from bridge.outcome import Outcome, Outcomes

__all__ = ["Renderer"]

SHOWN = 12
"""So many outcomes are written out; more of them are grouped, and ``--all`` writes out every one."""

_WORDS = {
    "en": {
        "certain": "Certain in every outcome",
        "nothing": "nothing that was not so before",
        "depends": "What it depends on",
        "outcomes": "Outcomes",
        "decides": "{who} decides",
        "chance": "Chance decides",
        "leads": "outcome {n}",
        "leads_many": "outcomes {n}",
        "no_choice": "nobody has a choice that matters",
        "line": "{n} line",
        "lines": "{n} lines",
        "endless": "lines can go round in a circle",
        "how": "by",
        "gone": "no longer: {what}",
        "stuck": "nothing is legal here: a gap in the rules",
        "partial": "INCOMPLETE: {why}. What follows is only a part of the answer.",
        "fault": "FAULT IN THE RULES: {why}",
        "note": "Note: {what}",
        "more": "{n} more outcomes; --all writes them out, or ask for one with 'why'",
        "more_choices": "further decisions of this kind: {n}",
        "all_pass": "if everybody lets it be",
        "not": "not: {what}",
        "so_far": "So far, in every outcome found",
        "unseen": "not looked at yet",
        "same": "the board is as it was",
        "same_else": "nothing else changes",
        "never": "From some choices the moves go round in a circle and never end.",
        "all_never": "Nothing ever comes of this: the moves go round in a circle and never end.",
        "or_never": "round in a circle without end",
        "no_time": "not worked out: there is too much to compare",
        "uncounted": "lines not counted",
        "count": "{o} outcome, {l}",
        "counts": "{o} outcomes, {l}",
        "legal": "{who} may",
        "refused": "Refused",
        "nothing_refused": "nothing that was tried",
        "before": "Before that, by itself",
        "over": "everything has ended; nobody may do anything",
        "rules": "rules",
        "groups": "Grouped by what differs",
        "with": "if {what}",
        "without": "otherwise",
        "readings": "Read with {what}",
        "off": "Without the rules {what}",
        "forced": "forced",
        "states": "more than {n} states",
        "seconds": "time ran out",
        "interrupted": "interrupted",
    },
    "ru": {
        "certain": "Наверняка, в любом исходе",
        "nothing": "ничего, чего не было раньше",
        "depends": "От чего зависит",
        "outcomes": "Исходы",
        "decides": "Решает {who}",
        "chance": "Решает случай",
        "leads": "исход {n}",
        "leads_many": "исходы {n}",
        "no_choice": "ни у кого нет выбора, от которого что-то зависит",
        "line": "вариантов игры: {n}",
        "lines": "вариантов игры: {n}",
        "endless": "варианты могут зацикливаться",
        "how": "ход:",
        "gone": "больше нет: {what}",
        "stuck": "ничто не разрешено: пробел в правилах",
        "partial": "НЕПОЛНЫЙ ОТВЕТ: {why}. Ниже лишь его часть.",
        "fault": "ОШИБКА В ПРАВИЛАХ: {why}",
        "note": "Примечание: {what}",
        "more": "ещё исходов: {n}; --all покажет их все, 'why' — любой из них",
        "more_choices": "и ещё таких решений: {n}",
        "all_pass": "если никто не вмешивается",
        "not": "не происходит: {what}",
        "so_far": "Пока, во всех найденных исходах",
        "unseen": "ещё не рассмотрено",
        "same": "положение прежнее",
        "same_else": "больше ничего не меняется",
        "never": "При некоторых решениях ходы идут по кругу и не кончаются никогда.",
        "all_never": "Исхода нет: ходы идут по кругу и не кончаются никогда.",
        "or_never": "по кругу без конца",
        "no_time": "не выяснено: слишком много сравнений",
        "uncounted": "варианты не сосчитаны",
        "count": "исходов: {o}, {l}",
        "counts": "исходов: {o}, {l}",
        "legal": "Ходы: {who}",
        "refused": "Запрещено",
        "nothing_refused": "ничего из того, что пробовали",
        "before": "Перед этим само собой",
        "over": "всё уже закончилось, ходов нет",
        "rules": "правила",
        "groups": "По различиям",
        "with": "если {what}",
        "without": "иначе",
        "readings": "Прочтения: {what}",
        "off": "Без правил {what}",
        "forced": "вынужденно",
        "states": "больше {n} состояний",
        "seconds": "вышло время",
        "interrupted": "прервано",
    },
}


class Renderer:
    """Writes answers about one position to a console.

    Parameters
    ----------
    oracle
        The oracle whose answers are written.
    console
        Where to.
    lang
        ``en`` or ``ru``.
    terms
        Whether to add the ASP terms to the words.
    """

    def __init__(self, oracle: Oracle, console: Console, lang: str = "en", *, terms: bool = False) -> None:
        self.oracle, self.console, self.terms = oracle, console, terms
        self.words = _WORDS[lang]
        self.say = oracle.teller.say
        self._certain_of: tuple[Outcomes | None, tuple[frozenset[Symbol], frozenset[Symbol]]]
        self._certain_of = None, (frozenset(), frozenset())

    # ---- Pieces ----

    def _heading(self, text: str) -> None:
        self.console.print(f"\n[bold]{escape(text)}[/bold]")

    def _item(self, text: str, indent: int = 2, term: object = None, style: str = "") -> None:
        line = Text(" " * indent + text, style=style)
        if self.terms and term is not None:
            line.append(f"   {term}", style="dim")
        self.console.print(line)

    def _rules(self, rules: Iterable[str]) -> str:
        """Return rules for the end of a sentence, without the game's name and the bookkeeping of the grammar."""
        game = self.oracle.position.game
        own = [rule.removeprefix(f"{game}:") for rule in rules if not rule.startswith("grammar:")]
        return f"  [{', '.join(own)}]" if own else ""

    def _facts(self, facts: Iterable[Symbol], indent: int = 2) -> None:
        for fact in sorted(facts, key=lambda one: (one.name not in ("winner", "drawn"), self.say(one))):
            self._item(self.say(fact), indent, fact)

    def _number(self, number: int) -> str:
        text = f"{number:,}"
        return text if self.oracle.lang == "en" else text.replace(",", "\u202f")

    def _count(self, outcomes: Outcomes, lines: int | None) -> str:
        if lines is None:
            return self.words["endless" if outcomes.circular else "uncounted"]
        return self.words["line" if lines == 1 else "lines"].format(n=self._number(lines))

    def _preamble(self) -> None:
        position = self.oracle.position
        self.console.print(f"[bold]{escape(position.title)}[/bold]")
        if position.origin:
            self.console.print(f"[dim]{escape(position.origin)}[/dim]")
        if position.switches.readings:
            shown = ", ".join(
                f"{self.oracle.teller.rules([rule])} = {name}" for rule, name in position.switches.readings
            )
            self._item(self.words["readings"].format(what=shown), 0, style="yellow")
        if position.switches.without:
            shown = self.oracle.teller.rules(position.switches.without)
            self._item(self.words["off"].format(what=shown), 0, style="yellow")

    def _warnings(self, outcomes: Outcomes, limit: int) -> None:
        graph = outcomes.graph
        for reason in sorted(graph.limits):
            said = self.words.get(reason, self.oracle.say_limit(reason)).format(n=f"{limit:,}")
            self._item(self.words["partial"].format(why=said), 0, style="bold red")
        for fault in sorted(graph.faults):
            self._item(self.words["fault"].format(why=in_language(fault, self.oracle.lang)), 0, style="bold red")
        if outcomes.endless:
            alone = not outcomes and graph.complete
            self._item(self.words["all_never" if alone else "never"], 0, style="bold red")

    def _remarks(self) -> None:
        remarks = self.oracle.remarks()
        if remarks:
            self.console.print()
        for remark in remarks:
            self._item(self.words["note"].format(what=remark), 0, style="dim")

    # ---- Outcomes ----

    def outcomes(self, outcomes: Outcomes, report: dict[str, Any], *, everything: bool, limit: int) -> None:
        """Write the answer to ``outcomes``."""
        self._preamble()
        count = self.words["count" if len(outcomes) == 1 else "counts"]
        self._item(count.format(o=self._number(len(outcomes)), l=self._count(outcomes, outcomes.lines)), 0)
        self._warnings(outcomes, limit)
        if len(outcomes) > 1 or (outcomes and outcomes.endless):
            self._heading(self.words["certain" if outcomes.graph.complete else "so_far"])
            self._certain(outcomes)
            self._choices(outcomes)
        shown = outcomes[:] if everything else outcomes[:SHOWN]
        if len(outcomes) > len(shown):
            self._heading(self.words["groups"])
            self._groups(outcomes, list(enumerate(outcomes, start=1)), 2, 3)
        if shown:
            self._heading(self.words["outcomes"])
        for number, outcome in enumerate(shown, start=1):
            self._outcome(outcomes, number, outcome, report)
        if len(outcomes) > len(shown):
            self._item(self.words["more"].format(n=self._number(len(outcomes) - len(shown))), style="yellow")
        self._remarks()

    def _certain(self, outcomes: Outcomes) -> None:
        """Write what every outcome has and the start had not, and what the start had and no outcome has."""
        started, ceased = self._told_certain(outcomes)
        self._facts(started)
        for fact in sorted(ceased, key=self.say):
            self._item(self.words["gone"].format(what=self.say(fact)), term=fact)
        if not started and not ceased:
            self._item(self.words["nothing"], style="dim")

    def _told_certain(self, outcomes: Outcomes) -> tuple[frozenset[Symbol], frozenset[Symbol]]:
        """Return what is told of every outcome: what has become true, and what is no longer true."""
        if outcomes is not self._certain_of[0]:
            started = self.oracle.news(outcomes.certain - outcomes.start, outcomes.certain)
            lost = [self.oracle.losses(outcomes.start - one.facts, one.facts) for one in outcomes]
            ceased = frozenset.intersection(*lost) if lost else frozenset()
            self._certain_of = outcomes, (started, ceased)
        return self._certain_of[1]

    def _outcome(self, outcomes: Outcomes, number: int, outcome: Outcome, report: dict[str, Any]) -> None:
        changes = outcome.facts - outcomes.start
        if len(outcomes) > 1:
            changes = changes - outcomes.certain
        head = Text(f"{number:>3}  ", style="bold cyan")
        certain = self._told_certain(outcomes)
        same = self.words["same_else" if len(outcomes) > 1 and any(certain) else "same"]
        first, *rest = self._sentences(self.oracle.news(changes, outcome.facts), outcomes, outcome) or [same]
        head.append(first, style="bold" if outcome.stuck else "")
        head.append(f"   {self._count(outcomes, outcome.lines)}", style="dim")
        self.console.print(head)
        for sentence in rest:
            self._item(sentence, 5)
        steps = report["outcomes"][number - 1].get("line")
        made = [step for step in steps or () if not step["forced"] and not self._idle(step)]
        if steps is not None and not made and len(outcomes) > 1:
            self._item(self.words["all_pass"], 7, style="dim")
        for i, step in enumerate(made):
            lead = f"{self.words['how']} " if i == 0 else "   "
            self._item(f"{lead}{step['words']}{self._rules(step['rules'])}", 7, step["move"], style="dim")

    def _idle(self, step: dict[str, Any]) -> bool:
        """Whether a step only lets somebody else go on: it changes nothing on the board and names nothing."""
        return not step["starts"] and not step["stops"] and "(" not in step["move"]

    def _sentences(self, changes: Iterable[Symbol], outcomes: Outcomes, outcome: Outcome) -> list[str]:
        sentences = []
        if outcome.stuck:
            sentences.append(self.words["stuck"])
        ordered = sorted(changes, key=lambda one: (one.name not in ("winner", "drawn"), self.say(one)))
        for fact in ordered:
            sentences.append(self.say(fact) + (f"   {fact}" if self.terms else ""))
        gone = self.oracle.losses(outcomes.start - outcome.facts, outcome.facts)
        if len(outcomes) > 1:
            gone -= self._told_certain(outcomes)[1]
        for fact in sorted(gone, key=self.say):
            sentences.append(self.words["gone"].format(what=self.say(fact)))
        return sentences

    def _choices(self, outcomes: Outcomes, most: int = 6) -> None:
        self._heading(self.words["depends"])
        choices = outcomes.choices()
        if choices is None:
            self._item(self.words["no_time"], style="dim")
            return
        if not choices:
            self._item(self.words["no_choice"], style="dim")
        for choice in choices[:most]:
            chance = choice.actor.match("chance", 0)
            self._item(self.words["chance"] if chance else self.words["decides"].format(who=self.say(choice.actor)))
            for move, numbers in choice.moves[:10]:
                never = move in choice.endless
                leads = ", ".join(
                    [self._numbers(numbers)] * bool(numbers or not never) + [self.words["or_never"]] * never
                )
                self._item(f"{self.say(move)}  →  {leads}", 5, move)
            if len(choice.moves) > 10:
                self._item(f"… {len(choice.moves) - 10}", 5, style="dim")
        if len(choices) > most:
            self._item(self.words["more_choices"].format(n=self._number(len(choices) - most)), style="dim")

    def _numbers(self, numbers: Iterable[int]) -> str:
        ordered = sorted(numbers)
        if not ordered:
            return self.words["unseen"]
        runs: list[list[int]] = []
        for number in ordered:
            if runs and number == runs[-1][1] + 1:
                runs[-1][1] = number
            else:
                runs.append([number, number])
        shown = [str(low) if low == high else f"{low}–{high}" for low, high in runs]
        text = ", ".join(shown[:8]) + (f" … ({len(ordered)})" if len(shown) > 8 else "")
        return self.words["leads" if len(ordered) == 1 else "leads_many"].format(n=text)

    def _groups(self, outcomes: Outcomes, members: Sequence[tuple[int, Outcome]], indent: int, depth: int) -> None:
        """Split outcomes by the fact that halves them best, and say how many lie on each side."""
        if depth == 0 or len(members) < 4 or outcomes.stop.reason():
            return
        fact = self._best_split([one for _, one in members])
        if fact is None:
            return
        for has, key in ((True, "with"), (False, "without")):
            part = [(number, one) for number, one in members if (fact in one.facts) is has]
            label = self.words[key].format(what=self.say(fact))
            self._item(f"{label}:  {self._numbers(number for number, _ in part)}", indent, fact if has else None)
            self._groups(outcomes, part, indent + 3, depth - 1)

    def _best_split(self, boards: Sequence[Outcome]) -> Symbol | None:
        count: dict[Symbol, int] = {}
        for one in boards:
            for fact in one.facts:
                count[fact] = count.get(fact, 0) + 1
        varying = {fact: number for fact, number in count.items() if number < len(boards)}
        if not varying:
            return None
        return min(varying, key=lambda fact: (abs(2 * varying[fact] - len(boards)), str(fact)))

    # ---- Lines and decisions ----

    def line(
        self,
        number: int,
        outcome: Outcome,
        outcomes: Outcomes,
        steps: Sequence[dict[str, Any]],
        *,
        forced: bool,
        limit: int = 0,
    ) -> None:
        """Write the line to an outcome, step by step with its rules."""
        self._preamble()
        self._warnings(outcomes, limit)
        self._heading(f"{self.words['leads'].format(n=number)}")
        self._facts(self.oracle.news(outcome.facts - outcomes.start, outcome.facts))
        if outcome.stuck:
            self._item(self.words["stuck"])
        for fact in sorted(self.oracle.losses(outcomes.start - outcome.facts, outcome.facts), key=self.say):
            self._item(self.words["gone"].format(what=self.say(fact)))
        self.console.print()
        count = 0
        for step in steps:
            quiet = step["forced"] and not (step["changes"] or step["losses"] or step["prevents"])
            if quiet and not forced:
                continue
            count += 1
            text = Text(f"{count:>3}. {step['words']}", style="" if not step["forced"] else "dim")
            text.append(self._rules(step["rules"]), style="cyan")
            if self.terms:
                text.append(f"   {step['move']}", style="dim")
            self.console.print(text)
            self._changes(step)
            for prevented in step["prevents"]:
                said = self.words["not"].format(what=self.say(_symbol(prevented)))
                self._item(f"× {said}{self._rules(step['prevented_by'])}", 7, style="yellow")
        self._remarks()

    def _changes(self, step: dict[str, Any]) -> None:
        for change in step["changes"]:
            self._item(f"→ {change}", 7, style="green")
        for loss in step["losses"]:
            self._item(f"→ {self.words['gone'].format(what=loss)}", 7, style="green")

    def decision(self, report: dict[str, Any]) -> None:
        """Write what may be done now and what may not."""
        self._preamble()
        noted = [step for step in report["before"] if step["changes"] or step["losses"]]
        if noted:
            self._heading(self.words["before"])
            for step in noted:
                self._item(f"{step['words']}{self._rules(step['rules'])}")
                self._changes(step)
        if report["over"] or report["stuck"]:
            self._heading(self.words["over" if report["over"] else "stuck"])
        by_actor: dict[str, list[dict[str, Any]]] = {}
        for step in report["legal"]:
            by_actor.setdefault(step["actor"], []).append(step)
        for steps in by_actor.values():
            actor = self.say(_symbol(steps[0]["actor"]))
            self._heading(self.words["legal"].format(who=actor))
            for step in steps:
                self._item(f"{self.say(_symbol(step['move']))}{self._rules(step['rules'])}", 2, step["move"])
        self._heading(self.words["refused"])
        for refusal in report["refused"]:
            self._item(f"{refusal['words']}:  {refusal['reason']}", 2, refusal["move"])
        if not report["refused"]:
            self._item(self.words["nothing_refused"], style="dim")
        self._remarks()


def _symbol(text: str) -> Symbol:
    from clingo import parse_term

    return parse_term(text)
