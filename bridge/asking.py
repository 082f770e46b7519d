"""Questions about the final board, asked of a position and answered in words or as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from clingo import Function

from bridge.errors import QuestionError
from bridge.oracle import Oracle
from bridge.report import head
from bridge.strategy import Answer, Reply, Solver
from bridge.terms import Condition

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["answer_report", "answers", "render_answers"]

SHOWN = 20
"""So many replies of a strategy are written out on a terminal."""


def answers(oracle: Oracle, goal: Sequence[Condition], wanted: Sequence[tuple[str, str | None]]) -> list[Answer]:
    """Answer several questions about one goal.

    Parameters
    ----------
    oracle
        The position; its graph is explored if it was not yet.
    goal
        Conditions that must all hold on the final board.
    wanted
        Pairs of ``possible``, ``certain`` or ``force`` and, for force, a player.

    Raises
    ------
    QuestionError
        If a player does not sit at this position.
    """
    players = [str(fact.arguments[0]) for fact in oracle.position.facts if fact.match("seat", 2)]
    solver = Solver(oracle.graph(), oracle.odds)
    found = []
    for mode, player in wanted:
        if player is not None and player not in players:
            raise QuestionError(f"there is no player '{player}' in this position; its players are {', '.join(players)}")
        found.append(solver.ask(mode, tuple(goal), None if player is None else Function(player)))
    return found


def answer_report(oracle: Oracle, found: Sequence[Answer]) -> dict[str, Any]:
    """Return answers as data; ``holds`` is null where a partial graph does not tell."""
    graph = oracle.graph()
    return {
        **head(oracle, "ask"),
        "complete": graph.complete,
        "limits": sorted(graph.limits),
        "stuck": bool(graph.stuck),
        "endless": _endless(oracle),
        "answers": [
            {
                "mode": answer.mode,
                "goal": [str(one) for one in _conditions(answer)],
                "player": None if answer.player is None else str(answer.player),
                "holds": answer.holds,
                "line": [_reply(reply) for reply in answer.line],
                "ending": answer.ending,
                "strategy": [_reply(reply) for _, reply in sorted(answer.strategy.items())],
                "probability": None if answer.probability is None else str(answer.probability),
            }
            for answer in found
        ],
    }


def _endless(oracle: Oracle) -> bool:
    """Whether some line comes to moves that go round in a circle and never end."""
    graph = oracle.graph()
    return graph.order() is None and bool(graph.hopeless())


def _conditions(answer: Answer) -> Sequence[Condition]:
    return [answer.goal] if isinstance(answer.goal, Condition) else answer.goal


def _reply(reply: Reply) -> dict[str, str]:
    return {"actor": str(reply.actor), "move": str(reply.move)}


_WORDS = {
    "en": {
        "possible": "Is it possible that {goal}?",
        "certain": "Is it certain that {goal}?",
        "force": "Can {who} force that {goal}?",
        "yes": "Yes",
        "no": "No",
        "unknown": "Not known: the answer is partial",
        "partial": "The search was cut short ({why}); what it found settles only the answers yes and no.",
        "some_stuck": "some lines end in a gap of the rules, where nothing is legal; they count as not so",
        "some_endless": "on some lines the moves go round in a circle and never end; they count as not so",
        "states": "too many states",
        "seconds": "time ran out",
        "interrupted": "interrupted",
        "and": " and ",
        "not": "not: {what}",
        "line": "A line that shows it",
        "counter": "A line that defeats it",
        "ours": "What {who} does at each choice that can come up",
        "theirs": "How the others defeat it",
        "settled": "no choice of anybody has a part in it",
        "more": "… and {n} more",
        "chance": "with the best play, chance gives it {p}",
        "stuck": "and there the rules know no way on",
        "endless": "and from there the moves go round in a circle",
    },
    "ru": {
        "possible": "Может ли быть, что {goal}?",
        "certain": "Наверняка ли {goal}?",
        "force": "Может ли {who} добиться, что {goal}?",
        "yes": "Да",
        "no": "Нет",
        "unknown": "Неизвестно: ответ неполный",
        "partial": "Поиск прерван раньше срока ({why}); найденного хватает только на ответы «да» и «нет».",
        "some_stuck": "некоторые варианты кончаются пробелом в правилах, где ничто не разрешено; они не в счёт",
        "some_endless": "в некоторых вариантах ходы идут по кругу и не кончаются никогда; они не в счёт",
        "states": "слишком много состояний",
        "seconds": "вышло время",
        "interrupted": "прервано",
        "and": " и ",
        "not": "не: {what}",
        "line": "Вариант, который это показывает",
        "counter": "Вариант, который это опровергает",
        "ours": "Ответ игрока {who} на каждый выбор, который может случиться",
        "theirs": "Как это опровергают другие",
        "settled": "ничей выбор на это не влияет",
        "more": "… и ещё {n}",
        "chance": "при лучшей игре вероятность {p}",
        "stuck": "и дальше правила хода не знают",
        "endless": "и дальше ходы идут по кругу",
    },
}


def render_answers(oracle: Oracle, found: Sequence[Answer], console: Console, lang: str, *, terms: bool) -> None:
    """Write answers in words: yes or no, then the line or the strategy that shows it."""
    words = _WORDS[lang]
    say = oracle.teller.say
    graph = oracle.graph()
    if graph.limits:
        why = ", ".join(words[limit] if limit in words else oracle.say_limit(limit) for limit in sorted(graph.limits))
        console.print(words["partial"].format(why=why), style="bold red", markup=False)
    endless = _endless(oracle)
    for answer in found:
        conditions = _conditions(answer)
        parts = [
            words["not"].format(what=oracle.say_condition(one)) if one.negated else oracle.say_condition(one)
            for one in conditions
        ]
        if len(parts) > 1 and any(one.negated for one in conditions):
            parts = [f"({part})" for part in parts]  # what is denied must not seem to reach to the next one
        who = "" if answer.player is None else say(answer.player)
        question = words[answer.mode].format(goal=words["and"].join(parts), who=who)
        verdict = words["unknown" if answer.holds is None else "yes" if answer.holds else "no"]
        console.print(f"{question}  ", end="", markup=False)
        console.print(verdict, style="bold green" if answer.holds else "bold red")
        shown = answer.mode == "possible" if answer.holds else True
        if answer.line and shown:
            _told(oracle, answer.line, words["line" if answer.holds else "counter"], console, words, terms=terms)
        if answer.ending in ("stuck", "endless"):
            console.print(f"  {words[answer.ending]}", markup=False)
        elif not answer.holds:
            if graph.stuck:
                console.print(f"  {words['some_stuck']}", style="yellow", markup=False)
            if endless:
                console.print(f"  {words['some_endless']}", style="yellow", markup=False)
        if answer.mode == "force" and answer.strategy:
            title = words["ours"].format(who=who) if answer.holds else words["theirs"]
            replies = [reply for _, reply in sorted(answer.strategy.items())]
            _told(oracle, replies, title, console, words, terms=terms)
        if answer.probability is not None:
            console.print(f"  {words['chance'].format(p=answer.probability)}", markup=False)


def _told(
    oracle: Oracle, replies: Sequence[Reply], title: str, console: Console, words: dict[str, str], *, terms: bool
) -> None:
    edges = oracle.graph().edges
    replies = [reply for reply in replies if len(edges[reply.node]) > 1]  # forced moves decide nothing
    if not replies:
        console.print(f"  {words['settled']}", markup=False)
        return
    console.print(f"  {title}", markup=False)
    for reply in replies[:SHOWN]:
        term = f"   {reply.move}" if terms else ""
        console.print(f"     {oracle.teller.step(reply.actor, reply.move)}{term}", markup=False)
    if len(replies) > SHOWN:
        console.print(f"     {words['more'].format(n=len(replies) - SHOWN)}", markup=False)
