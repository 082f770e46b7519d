"""A slice of A Game of Thrones written by hand: a third oracle, which shares nothing with the rules in ASP.

It plays the positions of `bench.positions`: one player's action kills a character; responses that kill or claim power,
saves, cancels and passive abilities answer it. Cards are bits of a mask, a state is a tuple, forced moves are skipped,
as in any engine that somebody would write for speed in plain Python. The numbers in the comments are those of the
rules that a line implements.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from clingo import Function, Symbol, SymbolType

__all__ = ["HandWritten", "Result"]

WINDOW = -1  # the event of an action


class Frame(NamedTuple):
    """One unit in progress: what it does, on whom, what was said against it, and the talk about it."""

    ability: int
    event: int
    aim: int
    saved: bool
    cancelled: bool
    tried: int
    passes: int
    priority: int


class State(NamedTuple):
    """A position. Masks have a bit per card, or per ability; a chance is a bit of ability times cards plus card."""

    stage: str
    generation: int
    passes: int
    priority: int
    frames: tuple[Frame, ...]
    choosing: tuple[int, int, int] | None
    news: int
    kneeling: int
    moribund: int
    played: int
    chances: int
    due: tuple[int, ...]
    counters: tuple[int, ...]


Move = tuple[Any, ...]


@dataclass(slots=True)
class Ability:
    """An ability of the vocabulary, resolved to the cards of the position."""

    number: int
    source: int
    owner: int
    kind: str
    triggers: int = 0
    cancels: int = 0
    saves: int = 0
    targets: int = -1
    payers: int = 0
    cost: str = "free"
    effect: str = ""
    counter: int = -1
    keys: dict[str, list[Symbol]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """How many decisions there are, ends included, and the final boards as texts of fluents."""

    decisions: int
    boards: frozenset[frozenset[str]]
    states: int


class HandWritten:
    """Explores one position.

    Parameters
    ----------
    facts
        The position as facts; only what `bench.positions` says is understood.
    """

    def __init__(self, facts: Iterable[Symbol]) -> None:
        facts = list(facts)
        given = {(str(f.arguments[0]), str(f.arguments[1])): str(f.arguments[2]) for f in facts if f.name == "given"}
        seats = sorted((f.arguments[1].number, str(f.arguments[0])) for f in facts if f.name == "seat")
        self.players = [player for _, player in seats]
        self.count = len(self.players)
        prints = {
            str(f.arguments[0].arguments[0]): str(f.arguments[2])
            for f in facts
            if f.match("given", 3) and str(f.arguments[1]) == "card"
        }
        # clingo orders constants by name, and of alike occurrences the first is answered first (T4, T5)
        self.cards = sorted(prints)
        self.place = {card: i for i, card in enumerate(self.cards)}
        printed: dict[str, dict[str, list[Symbol]]] = {}
        for fact in facts:
            if fact.name == "printed":
                keys = printed.setdefault(str(fact.arguments[0]), {})
                keys.setdefault(str(fact.arguments[1]), []).append(fact.arguments[2])
        self.of = {card: printed[print_] for card, print_ in prints.items()}
        self.owner = [self.players.index(given[f"card({card})", "owner"]) for card in self.cards]
        self.characters = self._mask(card for card in self.cards if str(self.of[card]["type"][0]) == "character")
        self.events = ((1 << len(self.cards)) - 1) & ~self.characters
        self.counters = [f"power(house({player}))" for player in self.players]
        self.counters += [f"gold({player})" for player in self.players]
        defines: dict[str, dict[str, list[Symbol]]] = {}
        for fact in facts:
            if fact.name == "defines":
                keys = defines.setdefault(str(fact.arguments[0]), {})
                keys.setdefault(str(fact.arguments[1]), []).append(fact.arguments[2])
        self.abilities: list[Ability] = []
        for card in self.cards:
            for name in self.of[card].get("ability", []):
                self._add(card, defines[str(name)])
        for ability in self.abilities:
            self._resolve_cancels(ability)
        self.size = len(self.cards)
        self.responses = [a for a in self.abilities if a.kind == "response" and a.triggers]
        self.passives = [a for a in self.abilities if a.kind == "passive"]
        self.answering = [
            [a for a in self.abilities if a.owner == player and (a.saves or a.cancels)] for player in range(self.count)
        ]
        self.opener = given["event", "player"]
        self.uses = self.place[given["event", "uses"]]
        self.victim = next(self.place[str(f.arguments[3])] for f in facts if f.name == "listed")

    # ---- Reading the position ----

    def _mask(self, cards: Iterable[str]) -> int:
        return sum(1 << self.place[card] for card in cards)

    def _filter(self, term: Symbol, owner: int) -> int:
        """Return the characters that a filter lets through."""
        if term.type is SymbolType.Function and term.name == "both":
            return self._filter(term.arguments[0], owner) & self._filter(term.arguments[1], owner)
        everyone = self._mask(card for card in self.cards if str(self.of[card]["type"][0]) == "character")
        if term.name == "trait":
            return self._mask(c for c in self.cards if term.arguments[0] in self.of[c].get("trait", []))
        own = self._mask(card for i, card in enumerate(self.cards) if self.owner[i] == owner)
        return {"character": everyone, "yours": own, "opponents": everyone & ~own}[str(term)]

    def _add(self, card: str, keys: dict[str, list[Symbol]]) -> None:
        source = self.place[card]
        owner = self.owner[source]
        ability = Ability(len(self.abilities), source, owner, str(keys["kind"][0]), keys=keys)
        trigger = keys["trigger"][0] if "trigger" in keys else Function("none")
        if trigger.name == "killed":
            ability.triggers = self._filter(trigger.arguments[0], owner)
        elif trigger.name == "threatened":
            ability.saves = self._filter(trigger.arguments[0], owner)
        if "target" in keys:
            for term in keys["target"]:
                ability.targets &= self._filter(term, owner)
        cost = keys.get("cost", [Function("free")])[0]
        ability.cost = "free" if str(cost) == "free" else str(cost.arguments[0])
        if ability.cost == "self":
            ability.payers = 1 << source
        elif ability.cost == "chosen":
            ability.payers = self._mask(self.cards) & self._mask(
                c for i, c in enumerate(self.cards) if self.owner[i] == owner
            )
            for term in keys["pays"]:
                ability.payers &= self._filter(term, owner)
        effect = keys["effect"][0]
        ability.effect = effect.name
        if effect.name == "claim_power_for_house":
            ability.counter = owner
        elif effect.name == "gain_gold":
            ability.counter = self.count + owner
        elif effect.name == "claim_power":
            name = f"power({card})"
            if name not in self.counters:
                self.counters.append(name)
            ability.counter = self.counters.index(name)
        self.abilities.append(ability)

    def _resolve_cancels(self, ability: Ability) -> None:
        trigger = ability.keys.get("trigger", [Function("none")])[0]
        if trigger.name != "initiated":
            return
        sort = str(trigger.arguments[0])
        for other in self.abilities:
            if other is ability:
                continue
            triggered = other.kind in ("action", "response")
            if (sort == "triggered_effect" and triggered) or (sort == "save" and other.saves):
                ability.cancels |= 1 << other.number

    # ---- Moves ----

    def initial(self) -> State:
        """Return the state after the opening: the action is named and its target chosen."""
        strike = next(a for a in self.abilities if a.kind == "action" and a.source == self.uses)
        return State(
            "action",
            0,
            0,
            -1,
            (),
            (strike.number, WINDOW, self.victim),
            0,
            0,
            0,
            0,
            0,
            (0,) * 5,
            (0,) * len(self.counters),
        )

    def payers(self, state: State, ability: Ability) -> int:
        """2.3: who can pay now, as a mask; a standing card, moribund or not (M3)."""
        return ability.payers & ~state.kneeling

    def payable(self, state: State, ability: Ability) -> bool:
        """Whether the cost can be paid, and the card still works: an event only from the hand (3.13, M5)."""
        if self.events >> ability.source & 1:
            return not state.played >> ability.source & 1
        return ability.cost == "free" or bool(self.payers(state, ability))

    def moves(self, state: State) -> list[Move]:
        """Return the legal moves."""
        if state.stage == "over":
            return []
        if state.news:
            return [("note",)]
        if state.choosing is not None:
            return self._choices(state)
        if state.frames:
            return self._answers(state, state.frames[-1])
        if state.stage == "events":
            return [("proceed",)]
        for generation in range(4, -1, -1):
            if state.due[generation]:  # T4, W7: the youngest generation first, alike occurrences once
                return [("start", generation, a, x) for a, x in self._first_of_each(state.due[generation])]
        if state.stage == "passives":
            return [("proceed",)]
        if state.passes == self.count:
            return [("close",)]
        out: list[Move] = [("pass",)]
        for number, card in self._first_of_each(state.chances):
            ability = self.abilities[number]
            if ability.owner != state.priority or not self.payable(state, ability):
                continue
            if ability.targets < 0 or ability.targets & ~state.moribund:  # M4: no second removal
                out.append(("use", number, card))
        return out

    def _first_of_each(self, mask: int) -> list[tuple[int, int]]:
        found: dict[int, int] = {}
        for place in bits(mask):
            found.setdefault(place // self.size, place % self.size)
        return list(found.items())

    def _choices(self, state: State) -> list[Move]:
        assert state.choosing is not None
        number, _, aim = state.choosing
        ability = self.abilities[number]
        if ability.targets >= 0 and aim < 0:
            return [("aim", x) for x in bits(ability.targets & ~state.moribund)]
        if ability.cost == "free":
            return [("pay", -1)]
        return [("pay", x) for x in bits(self.payers(state, ability))]

    def _answers(self, state: State, frame: Frame) -> list[Move]:
        """T2: what may be said to the unit on top."""
        if frame.passes == self.count:
            return [("skip",) if frame.cancelled else ("execute",)]  # W8
        out: list[Move] = [("pass",)]
        if frame.cancelled:
            return out
        threatened = 0
        if self.abilities[frame.ability].effect == "kill" and not frame.saved and not state.moribund >> frame.aim & 1:
            threatened = 1 << frame.aim
        for ability in self.answering[frame.priority]:
            meets = ability.saves & threatened or ability.cancels >> frame.ability & 1
            if meets and not frame.tried >> ability.number & 1 and self.payable(state, ability):  # W10
                out.append(("use", ability.number, frame.aim if ability.saves else frame.ability))
        return out

    # ---- Changes ----

    def after(self, state: State, move: Move) -> State:
        """Return the state after a move."""
        match move[0]:
            case "pass":
                return self._pass(state)
            case "use":
                return self._use(state, move[1], move[2])
            case "aim":
                assert state.choosing is not None
                return state._replace(choosing=(*state.choosing[:2], move[1]))
            case "pay":
                return self._pay(state, move[1])
            case "execute" | "skip":
                return self._execute(state, move[0] == "execute")
            case "note":
                return self._note(state)
            case "start":
                _, generation, number, card = move
                due = list(state.due)
                due[generation] &= ~(1 << (number * self.size + card))
                return state._replace(due=tuple(due), generation=generation, choosing=(number, card, -1))
            case "proceed":
                if state.stage == "events":
                    return state._replace(stage="passives")
                first = (self.players.index(self.opener) + 1) % self.count  # W2
                return state._replace(stage="responses", generation=0, priority=first)
            case _:
                return self._close(state)

    def _pass(self, state: State) -> State:
        if not state.frames:
            return state._replace(passes=state.passes + 1, priority=(state.priority + 1) % self.count)
        frame = state.frames[-1]
        frame = frame._replace(passes=frame.passes + 1, priority=(frame.priority + 1) % self.count)
        return state._replace(frames=(*state.frames[:-1], frame))

    def _use(self, state: State, number: int, event: int) -> State:
        if state.frames:
            frame = state.frames[-1]
            frame = frame._replace(tried=frame.tried | 1 << number)
            return state._replace(frames=(*state.frames[:-1], frame), choosing=(number, event, -1))
        chances = state.chances & ~(1 << (number * self.size + event))
        return state._replace(chances=chances, generation=0, choosing=(number, event, -1))

    def _pay(self, state: State, payer: int) -> State:
        """T1: the last part pays, and the unit may be answered."""
        assert state.choosing is not None
        number, event, aim = state.choosing
        ability = self.abilities[number]
        frames, passes = state.frames, state.passes
        if ability.kind == "response":  # W5: a response starts the count of passes anew
            if frames:
                frames = (*frames[:-1], frames[-1]._replace(passes=0))
            else:
                passes = 0
        if ability.kind == "passive":
            first = (self.players.index(self.opener) + 1) % self.count  # W3
        else:
            first = (ability.owner + 1) % self.count  # W2, W3
        frame = Frame(number, event, aim, False, False, 0, 0, first)
        return state._replace(
            stage="events" if ability.kind == "action" else state.stage,
            frames=(*frames, frame),
            passes=passes,
            choosing=None,
            kneeling=state.kneeling | (1 << payer if payer >= 0 else 0),
            played=state.played | (self.events & 1 << ability.source),
        )

    def _execute(self, state: State, works: bool) -> State:
        """T3: the unit does what it says, and what lies below goes on."""
        frame = state.frames[-1]
        ability = self.abilities[frame.ability]
        below = state.frames[:-1]
        moribund, news, counters = state.moribund, state.news, state.counters
        if works and ability.effect == "kill":
            if not frame.saved and not moribund >> frame.aim & 1:  # M1, M4
                moribund |= 1 << frame.aim
                if any(a.triggers >> frame.aim & 1 for a in (*self.responses, *self.passives)):
                    news |= 1 << frame.aim
        elif works and ability.effect == "save":
            below = (*below[:-1], below[-1]._replace(saved=True))
        elif works and ability.effect == "cancel":
            below = (*below[:-1], below[-1]._replace(cancelled=True))
        elif works:
            amounts = list(counters)
            amounts[ability.counter] += 1
            counters = tuple(amounts)
        priority = state.priority
        if ability.kind == "response":  # W4
            after = (ability.owner + 1) % self.count
            if below:
                below = (*below[:-1], below[-1]._replace(priority=after))
            else:
                priority = after
        return state._replace(frames=below, moribund=moribund, news=news, counters=counters, priority=priority)

    def _note(self, state: State) -> State:
        """What has happened gives every ability that answers it a chance, or a duty (T4, T5, W7)."""
        chances, due = state.chances, list(state.due)
        for card in bits(state.news):
            for ability in self.responses:
                if ability.triggers >> card & 1:
                    chances |= 1 << (ability.number * self.size + card)
            for ability in self.passives:
                if ability.triggers >> card & 1:
                    due[state.generation + 1] |= 1 << (ability.number * self.size + card)
        return state._replace(news=0, chances=chances, due=tuple(due))

    def _close(self, state: State) -> State:
        """T6: what is moribund leaves, and the window is forgotten."""
        counters = list(state.counters)
        for card in bits(state.moribund):
            name = f"power({self.cards[card]})"
            if name in self.counters:
                counters[self.counters.index(name)] = 0
        return State(
            "over",
            0,
            0,
            -1,
            (),
            None,
            0,
            state.kneeling & ~state.moribund,
            state.moribund,
            state.played,
            0,
            (0,) * 5,
            tuple(counters),
        )

    # ---- All of it ----

    def board(self, state: State) -> frozenset[str]:
        """Return a final board as texts of the fluents that can differ."""
        facts = [f"count({name},{value})" for name, value in zip(self.counters, state.counters, strict=True)]
        for i, card in enumerate(self.cards):
            if self.characters >> i & 1:
                facts.append(f"in({card},{'dead' if state.moribund >> i & 1 else 'play'})")
                if state.kneeling >> i & 1:
                    facts.append(f"kneeling({card})")
            else:
                facts.append(f"in({card},{'discard' if state.played >> i & 1 else 'hand'})")
        return frozenset(facts)

    def explore(self, most: int | None = None) -> Result | None:
        """Return all decisions and outcomes, or None if there are more than `most` decisions."""
        passed = 0

        def skip(state: State) -> tuple[State, list[Move]]:
            nonlocal passed
            while True:
                moves = self.moves(state)
                if len(moves) != 1:
                    return state, moves
                passed += 1
                state = self.after(state, moves[0])

        start, moves = skip(self.initial())
        seen = {start}
        todo = [(start, moves)]
        boards = set()
        while todo:
            state, moves = todo.pop()
            if not moves:
                boards.add(self.board(state))
            for move in moves:
                passed += 1
                after, further = skip(self.after(state, move))
                if after not in seen:
                    seen.add(after)
                    todo.append((after, further))
            if most is not None and len(seen) > most:
                return None
        return Result(len(seen), frozenset(boards), passed)


def bits(mask: int) -> list[int]:
    """Return the places of the bits that are set."""
    places = []
    while mask:
        low = mask & -mask
        places.append(low.bit_length() - 1)
        mask ^= low
    return places
