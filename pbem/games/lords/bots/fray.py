"""A table of Lords of Scotland for fast play: numbers and lists, changed in place.

It is a model of the rules (`..rules`), not the rules: a built-in player tries moves on it thousands of times for one answer. A test
plays whole games on both and finds the same tables. It knows no deals and seals, tells no facts, and claims the strongest
supporters.

A card is a number: its clan is `card % 8`, its strength `card // 8 + 1`; the two royal cards are 96 and 97. A follower is a tuple
(card, up, power, seen). `power` is the clan of the activated end-of-round power or -1. `seen` has a bit for each seat that knows it
while it is down.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from pbem.games.searching import Urn

from ..rules.cards import CLANS, LIMIT, NORMAL, RECRUITS, ROYAL, TURNS, Agreed

SCOTT, MAKGILL, MACDONNELL, WEMYSS, FERGUSON, FORSYTH, COCKBURN, COCHRANE = range(len(CLANS))
BRUCE = len(CLANS)
LASTS = (MACDONNELL, COCHRANE, BRUCE)
NAMES = (*sorted(NORMAL, key=Agreed().rank), *ROYAL)
"""The name of each card."""
NUMBERS = {name: number for number, name in enumerate(NAMES)}
CLAN = (*(card % len(CLANS) for card in range(len(NORMAL))), BRUCE, BRUCE)
"""The clan of each card."""

Follower: TypeAlias = tuple[int, bool, int, int]
UP, DOWN, USE, TAKE = range(4)


class Move(NamedTuple):
    """One thing that a seat does: TAKE the recruit at a place (`card`), or muster a card UP, DOWN, or UP and USE its power.

    `power` is the clan whose power is used, `target` a supporter (Cockburn) or 16 times the owner plus the place in its army.
    """

    how: int
    card: int
    power: int = -1
    target: int = -1


class Printed:
    """What the cards of this game say: strength and rank of each, and when a power activates."""

    __slots__ = ("by_clan", "goal", "order", "rank", "rounds", "strength")

    def __init__(self, terms: Agreed) -> None:
        self.goal, self.by_clan, self.rounds = terms.goal, terms.condition == "clan", terms.rounds
        names = NAMES if terms.bruce else NAMES[: len(NORMAL)]
        self.strength = [terms.strength(name) for name in names]
        self.rank = [terms.rank(name) for name in names]
        self.order = [terms.worth(name) for name in names]


class Fray:
    """A table as it may be, with the turn that is being played.

    `again` is true where the asked seat has used a Makgill and musters another card. `pile` has no order: one draws by chance.
    """

    __slots__ = (
        "again", "armies", "asked", "discards", "hands", "pile", "placing", "points", "printed", "round", "row", "supporters",
        "turn", "victor",
    )  # fmt: skip

    printed: Printed
    hands: list[list[int]]
    armies: list[list[Follower]]
    row: list[tuple[int, bool]]
    supporters: list[int]
    pile: list[int]
    discards: list[int]
    points: list[int]
    victor: int
    turn: int
    round: int
    asked: int
    again: bool
    placing: list[int]

    def copy(self) -> Fray:
        """Return a table that can be changed without changing this one."""
        new = Fray()
        new.printed, new.victor, new.turn, new.round = self.printed, self.victor, self.turn, self.round
        new.asked, new.again, new.placing = self.asked, self.again, self.placing
        new.hands = [hand[:] for hand in self.hands]
        new.armies = [army[:] for army in self.armies]
        new.row, new.supporters, new.pile, new.discards = (
            self.row[:],
            self.supporters[:],
            self.pile[:],
            self.discards[:],
        )
        new.points = self.points[:]
        return new

    # What can be done

    def activates(self, card: int) -> bool:
        """May the power of a card be used that is mustered now?"""
        strength = self.printed.strength
        mine, kin, by_clan = strength[card], CLAN[card], self.printed.by_clan
        for army in self.armies:
            for other, up, _power, _seen in army:
                if up and ((CLAN[other] == kin and strength[other] <= mine) if by_clan else strength[other] < mine):
                    return False
        return True

    def moves(self) -> list[Move]:
        """Return what the asked seat can do, the parts of a Makgill one after the other."""
        hand = self.hands[self.asked]
        found = [Move(DOWN, card) for card in hand]
        for card in hand:
            found.append(Move(UP, card))
            if self.activates(card):
                found += self.uses(card)
        if not self.again and len(hand) < LIMIT:
            found += [Move(TAKE, place) for place in range(len(self.row))]
        return found

    def uses(self, card: int) -> list[Move]:
        """Return the ways to use the power of a card that activates."""
        kin = CLAN[card]
        if kin != SCOTT:
            return [Move(USE, card, kin, target) for target in self._targets(kin, card)]
        powers = sorted({CLAN[other] for army in self.armies for other, up, _power, _seen in army if up} - {SCOTT})
        return [Move(USE, card, power, target) for power in powers for target in self._targets(power, card)]

    def _targets(self, power: int, card: int) -> list[int]:
        if power == COCKBURN:
            return self.supporters
        if power in (FERGUSON, WEMYSS):
            every = [(seat, place) for seat, army in enumerate(self.armies) for place in range(len(army))]
            return [16 * seat + place for seat, place in every if power == WEMYSS or seat != self.asked]
        return [] if power == MAKGILL and len(self.hands[self.asked]) == 1 else [-1]

    # What becomes of it

    def do(self, move: Move, urn: Urn) -> None:
        """Change the table by a move, and let the next seat be asked; at the end of a round its armies are counted."""
        self.again = False
        if move.how == TAKE:
            card, up = self.row.pop(move.card)
            self.hands[self.asked].append(card)
            if (drawn := self.draw(urn)) >= 0:
                self.row.insert(move.card, (drawn, up))
        else:
            self._muster(move, urn)
        if not self.again:
            self._next()

    def skip(self) -> None:
        """The asked seat can do nothing."""
        self._next()

    def draw(self, urn: Urn) -> int:
        """Return a random card of the pile, -1 if there is none; an empty pile is refilled from the discards at once."""
        pile = self.pile
        if not pile:
            pile += self.discards
            self.discards.clear()
            if not pile:
                return -1
        at = urn.randrange(len(pile))
        card = pile[at]
        pile[at] = pile[-1]
        pile.pop()
        if not pile:
            pile += self.discards
            self.discards.clear()
        return card

    def _muster(self, move: Move, urn: Urn) -> None:
        seat, card = self.asked, move.card
        army = self.armies[seat]
        self.hands[seat].remove(card)
        if move.how == DOWN:
            army.append((card, False, -1, 1 << seat))
            return
        army.append((card, True, -1, 0))
        if move.how != USE:
            return
        power = move.power
        if power == MAKGILL:
            self.again = True
        elif power == FORSYTH:
            if (drawn := self.draw(urn)) >= 0:
                self.hands[seat].append(drawn)
        elif power in LASTS:
            army[-1] = (card, True, power, 0)
        elif power == COCKBURN:
            self.supporters[self.supporters.index(move.target)] = card
            army[-1] = (move.target, True, -1, 0)
        else:
            self._turn_on(move)

    def _turn_on(self, move: Move) -> None:
        theirs, place = self.armies[move.target >> 4], move.target & 15
        if move.power == WEMYSS:
            self.discards.append(theirs.pop(place)[0])
        else:
            card, up, power, seen = theirs[place]
            theirs[place] = (move.card, True, -1, 0)
            self.armies[self.asked][-1] = (card, up, power, seen if up else seen | 1 << self.asked)

    def _next(self) -> None:
        seats = len(self.hands)
        self.asked = (self.asked + 1) % seats
        if self.asked == self.victor:
            self.turn += 1
            if self.turn > TURNS:
                self.count()
            else:
                self.turn_up()

    def turn_up(self) -> None:
        """The Victor's Initiative turns up a recruit."""
        for place, (card, up) in enumerate(self.row):
            if not up:
                self.row[place] = (card, True)
                return

    def total(self, seat: int) -> tuple[int, int]:
        """Return what an army comes to, and its highest rank."""
        strength, rank = self.printed.strength, self.printed.rank
        army = self.armies[seat]
        cards = [follower[0] for follower in army]
        clans = {CLAN[card] for card, _up, power, _seen in army if power != BRUCE}
        total = sum([strength[card] for card in cards])
        best = max([rank[card] for card in cards], default=0)
        return (2 * total if len(cards) > 1 and len(clans) <= 1 else total), best

    def count(self) -> None:
        """Count the armies, let the supporters be claimed, and clear the table: `turn` is 0 then."""
        seats = range(len(self.hands))
        standing = sorted(((*self.total(seat), seat) for seat in seats if self.armies[seat]), reverse=True)
        self.placing = [seat for _total, _rank, seat in standing]
        if self.placing:
            self.victor = self.placing[0]
        self.asked, self.turn = self.victor, 0
        left = sorted(self.supporters, key=self.printed.order.__getitem__)
        for seat in self.placing:
            for _time in range(2 if any(f[2] == COCHRANE for f in self.armies[seat]) else 1):
                if left:
                    self.points[seat] += self.printed.strength[left.pop()]
        self.discards += left + [card for card, _up in self.row]
        for seat in seats:
            army = self.armies[seat]
            self.discards += [follower[0] for follower in army if follower[2] != MACDONNELL]
            self.armies[seat] = [(follower[0], True, -1, 0) for follower in army if follower[2] == MACDONNELL]
        self.row, self.supporters = [], []

    @property
    def over(self) -> bool:
        """Is the throne claimed, or the last round played? Asked between two rounds."""
        return max(self.points) >= self.printed.goal or self.round == self.printed.rounds

    @property
    def winner(self) -> int:
        """Return the winner of a finished game: most points, of equals the one placed higher; -1 if there is none."""
        best = [seat for seat, points in enumerate(self.points) if points == max(self.points)]
        placed = [seat for seat in self.placing if seat in best]
        return best[0] if len(best) == 1 else placed[0] if placed else -1

    def begin(self, urn: Urn) -> None:
        """Begin a round: recruits, supporters, and the first recruit turned up."""
        self.round, self.turn, self.asked = self.round + 1, 1, self.victor
        self.row = [(card, False) for _time in range(RECRUITS) if (card := self.draw(urn)) >= 0]
        self._call_supporters(urn)
        self.turn_up()

    def _call_supporters(self, urn: Urn) -> None:
        strength = self.printed.strength
        while True:
            self.supporters = [card for _seat in self.hands if (card := self.draw(urn)) >= 0]
            strengths = {strength[card] for card in self.supporters}
            others = any(strength[card] not in strengths for card in (*self.pile, *self.discards))
            if len(self.supporters) < 2 or len(strengths) > 1 or not others:
                return
            self.discards += self.supporters
