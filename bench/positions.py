"""A scalable family of positions of A Game of Thrones, as facts in the position's own format.

A player's action kills a lord. Around it stand characters with responses that kill or gain power, saves,
cancels and passive abilities, spread over the players; the counts of each are the size of the position.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clingo import Function, Number, String, Symbol

__all__ = ["Family"]


def _name(text: str) -> Symbol:
    return Function(text)


def _fact(predicate: str, *arguments: Symbol) -> Symbol:
    return Function(predicate, list(arguments))


@dataclass(frozen=True, slots=True)
class Family:
    """One member of the family.

    Parameters
    ----------
    cards
        Characters in play.
    kills, gains, saves, cancels, passives
        How many abilities of each kind there are; they sit on characters, every second save and all cancels
        on events in hand.
    players
        Two to four.
    plain
        Whether characters that bear no ability are copies of one card, so that they are interchangeable.
    """

    cards: int = 12
    kills: int = 1
    gains: int = 1
    saves: int = 1
    cancels: int = 1
    passives: int = 1
    players: int = 2
    plain: bool = False

    @property
    def label(self) -> str:
        """Say the size in a few letters, as ``20c 2k 2g 2s 1x 2p 2pl``."""
        counts = f"{self.cards}c {self.kills}k {self.gains}g {self.saves}s {self.cancels}x {self.passives}p"
        return f"{counts} {self.players}pl"

    def facts(self) -> list[Symbol]:
        """Return the position as facts."""
        return [*self._board(), *self._characters(), *self._abilities()]

    def _player(self, index: int) -> Symbol:
        return _name(f"p{index % self.players + 1}")

    def _card(self, index: int) -> Symbol:
        return _name(f"c{index % self.cards}")

    def _mine(self, player: int, number: int) -> Symbol:
        """Return the `number`-th character of a player that may bear an ability."""
        own = range(player % self.players, self.cards, self.players)
        return self._card(own[(number + 1) % len(own)])

    def _board(self) -> Iterator[Symbol]:
        for index in range(self.players):
            yield _fact("seat", self._player(index), Number(index + 1))
        yield _fact("given", _name("game"), _name("phase"), _name("marshalling"))
        yield _fact("given", _name("game"), _name("event"), _name("yes"))
        yield _fact("given", _name("event"), _name("player"), self._player(0))
        yield _fact("given", _name("event"), _name("uses"), self._card(0))
        yield _fact("listed", _name("event"), _name("targets"), Number(1), self._card(1))

    def _place(self, card: Symbol, print_: Symbol, owner: Symbol) -> Iterator[Symbol]:
        section = Function("card", [card])
        yield _fact("given", section, _name("card"), print_)
        yield _fact("given", section, _name("owner"), owner)

    def _characters(self) -> Iterator[Symbol]:
        for index in range(self.cards):
            card, rank = self._card(index), index // self.players
            lord = index < self.players or rank % 4 == 0
            army = rank % 3 == 1
            bears = self._bears(card)
            print_ = _name(f"print_{card}") if bears or not self.plain else _name(f"host{lord:d}{army:d}")
            yield from self._place(card, print_, self._player(index))
            yield _fact("printed", print_, _name("name"), String(str(print_)))
            yield _fact("printed", print_, _name("type"), _name("character"))
            yield _fact("printed", print_, _name("strength"), Number(2))
            for word in ("lord",) * lord + ("army",) * army:
                yield _fact("printed", print_, _name("trait"), _name(word))

    def _bears(self, card: Symbol) -> bool:
        return any(bearer == card for bearer, _, _ in self._all_abilities()) or card == self._card(0)

    def _abilities(self) -> Iterator[Symbol]:
        strike = [
            ("kind", "action"),
            ("target", "character"),
            ("target", "trait(lord)"),
            ("cost", "kneel(self)"),
        ]
        yield from self._ability("strike", self._card(0), [*strike, ("effect", "kill(target)")])
        for number, (bearer, owner, keys) in enumerate(self._all_abilities()):
            if bearer is None:
                card = _name(f"e{number}")
                yield from self._place(card, _name(f"print_{card}"), owner)
                yield _fact("given", Function("card", [card]), _name("zone"), _name("hand"))
                yield _fact("printed", _name(f"print_{card}"), _name("name"), String(str(card)))
                yield _fact("printed", _name(f"print_{card}"), _name("type"), _name("event"))
                yield from self._ability(f"a{number}", card, keys)
            else:
                yield from self._ability(f"a{number}", bearer, keys)

    def _ability(self, name: str, bearer: Symbol, keys: list[tuple[str, str]]) -> Iterator[Symbol]:
        yield _fact("printed", _name(f"print_{bearer}"), _name("ability"), _name(name))
        for key, value in keys:
            yield _fact("defines", _name(name), _name(key), _term(value))

    def _all_abilities(self) -> Iterator[tuple[Symbol | None, Symbol, list[tuple[str, str]]]]:
        """Yield bearer (None for an event of its own), owner, and keys of each ability."""
        slot = 0
        for i in range(self.kills):
            aims = (("character", "opponents"), ("trait(lord)", "opponents"), ("trait(army)", "opponents"))[i % 3]
            keys = [("kind", "response"), ("trigger", f"killed({('trait(lord)', 'character')[i % 2]})")]
            keys += [("target", aim) for aim in ("character", *aims)] + _cost(i)
            yield self._mine(i + 1, slot), self._player(i + 1), [*keys, ("effect", "kill(target)")]
            slot += 1
        for i in range(self.gains):
            keys = [("kind", "response"), ("trigger", "killed(trait(lord))"), *_cost(i + 1)]
            yield self._mine(i, slot), self._player(i), [*keys, ("effect", "claim_power_for_house(1)")]
            slot += 1
        for i in range(self.saves):
            saved = ("both(character,yours)", "both(trait(lord),yours)")[i % 2]
            keys = [("kind", "response"), ("trigger", f"threatened({saved})"), ("effect", "save(subject)")]
            on_event = i % 2 == 1
            bearer = None if on_event else self._mine(i + 1, slot)
            yield bearer, self._player(i + 1), keys if on_event else [*keys, ("cost", "kneel(self)")]
            slot += 1
        for i in range(self.cancels):
            sort = ("triggered_effect", "save")[i % 2]
            keys = [("kind", "response"), ("trigger", f"initiated({sort})"), ("effect", "cancel")]
            yield None, self._player(i), keys
        for i in range(self.passives):
            keys = [("kind", "passive"), ("trigger", f"killed({('character', 'trait(lord)')[i % 2]})")]
            effect = ("claim_power_for_house(1)", "claim_power(1,self)", "gain_gold(1)")[i % 3]
            yield self._mine(i, slot), self._player(i), [*keys, ("effect", effect)]
            slot += 1


def _cost(index: int) -> list[tuple[str, str]]:
    if index % 2 == 0:
        return [("cost", "kneel(self)")]
    return [("cost", "kneel(chosen)"), ("pays", "trait(army)"), ("pays", "yours")]


def _term(text: str) -> Symbol:
    from clingo import parse_term

    return parse_term(text)
