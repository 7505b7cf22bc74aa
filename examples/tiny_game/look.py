"""The words of Tiny: facts, questions and the board as plain text of at most 72 columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from pbem.games.bot import steady
from pbem.games.touching import beside, room_ahead
from pbem.i18n import _
from pbem.kernel import Json, Order, View
from pbem.look import Chapter, Look
from pbem.look.filling import Says, touches
from pbem.look.shown import CardRow, Die, HandCard, Rolled
from pbem.look.touches import Touch, listed

from .bots import SensibleBot
from .orders import ALL_CARDS, Act
from .rules import BANKED, GAME, SideView, TinyView, told, worth
from .rules.questions import QUESTIONS
from .rules.told import TinyFact


class TinyLook(Look):
    """See pbem.look.Look for what each of these owes."""

    def seat_name(self, seat: str) -> str:
        return seat.capitalize()

    facts = TinyFact

    def fact(self, fact: Json, seat: str | None) -> str:
        match TinyFact.read(fact):
            case told.Shuffled(cards):
                return _("A new pile of {n} cards is shuffled.", n=cards)
            case told.Dealt(who, card) if who == seat:
                return _("You take {card}.", card=card)
            case told.Dealt(who, card):
                return _("{who} takes {card}.", who=self.seat_name(who), card=card or _("a card"))
            case told.Played(who, card):
                return _("{who} plays {card}.", who=self.seat_name(who), card=card)
            case told.Rolled() as roll:
                return self._roll(roll)
            case told.Banked(who, points):
                return _("{who} banks {n} points.", who=self.seat_name(who), n=points)
            case told.Dug(who):
                return _("{who} digs: two tokens are drawn in secret, one is kept.", who=self.seat_name(who))
            case told.Drawn(tokens):
                drawn = _and(tokens)
                return _("You draw {tokens}.", tokens=drawn) if seat else _("Drawn are {tokens}.", tokens=drawn)
            case told.Kept(who, token) if who == seat:
                return _("You keep {token}.", token=token)
            case told.Kept(who, token):
                return _("{who} keeps {token}.", who=self.seat_name(who), token=token or _("a token"))
            case told.Counted(who, kept, score):
                turned = _and(kept)
                return _("{who} turns up {tokens}: {n} points in all.", who=self.seat_name(who), tokens=turned, n=score)
        raise LookupError(fact["f"])

    def chapter(self, fact: Json) -> Chapter | None:
        return Chapter(_("{who} wins a turn", who=self.seat_name(fact["winner"]))) if fact["f"] == "roll" else None

    def _roll(self, roll: told.Rolled) -> str:
        def summed(seat: str) -> str:
            card, die = worth(roll.cards[seat]), roll.dice[seat]
            return f"{self.seat_name(seat)} {card} + {die} = {card + die}"

        return "\n".join([*map(summed, roll.cards), self._won(roll)])

    def _won(self, roll: told.Rolled) -> str:
        """Say who wins a turn, and why where sums are equal (3.2)."""
        sums = {seat: worth(card) + roll.dice[seat] for seat, card in roll.cards.items()}
        who = self.seat_name(roll.winner)
        if any(seat != roll.winner and points == sums[roll.winner] for seat, points in sums.items()):
            return _("{who} wins the turn: of equal sums the higher card does (3.2).", who=who)
        return _("{who} wins the turn.", who=who)

    def question(self, view: View) -> str:
        seen = cast(TinyView, view)
        match seen.question:
            case "card":
                return _("Which card do you play in turn {turn}? All are turned up together (2.1).", turn=seen.turn)
            case "act":
                return _("You won the turn: BANK {n} points (4.1), or DIG in your chest (4.2)?", n=BANKED)
            case "keep":
                return _("You drew {tokens}. Which one do you keep (4.2)?", tokens=_and(seen.drawn))
        return ""

    def matter(self, view: View) -> Mapping[str, Json]:
        seen = cast(TinyView, view)
        match seen.question:
            case "card":
                return {"turn": seen.turn, "cards": list(seen.mine.hand)}
            case "keep":
                return {"tokens": list(seen.drawn)}
        return {}

    def advice(self, view: View) -> Order | None:
        return steady(SensibleBot(), view) if cast(TinyView, view).question else None

    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        seen = cast(TinyView, view)
        if not seen.question:
            return ()
        asked, act = QUESTIONS[seen.question], QUESTIONS["act"]
        return beside(
            GAME, view, draft,
            order=lambda lines: touches(asked, _SAYS, seen, lines),
            plan=lambda lines: touches(act, _SAYS, seen, lines, "PLAN "),
            ahead=lambda lines: self._ahead(seen, lines),
        )  # fmt: skip

    def _ahead(self, seen: TinyView, lines: Sequence[str]) -> list[Touch]:
        """Return the touches of lines for the next card: any, for nobody knows what he will draw; or that one wants to be asked."""
        *above, last = lines
        room = room_ahead(GAME, seen, seen.question, above)
        texts = [f"AHEAD CARD: CARD {card}" for card in ALL_CARDS] if room else []
        texts += ["AHEAD CARD: ASK"] if room.get("card") else []
        return [
            touch._replace(draft=(*above, *touch.draft))
            for touch in listed(texts, [last], lambda word: _at(word.removeprefix("CARD ")), self._sent_ahead)
        ]

    def _sent_ahead(self, words: str) -> str:
        return _("Ask me then") if words == "ASK" else _("Play {card} next", card=words.removeprefix("CARD "))

    def board(self, view: View) -> str:
        seen = cast(TinyView, view)
        head = [
            _("Turn {turn} of {turns}. Pile: {n}.", turn=seen.turn, turns=seen.turns, n=len(seen.pile)),
            _("Discards: {cards}.", cards=_and(seen.discards)),
        ]
        rows = [self._row(seat, side, seen.table.get(seat, "-")) for seat, side in sorted(seen.sides.items())]
        return "\n".join([*head, "", _("        points  hand  chest  kept  played"), *rows])

    def _row(self, seat: str, side: SideView, played: str) -> str:
        counts = f"{side.score:6}  {len(side.hand):4}  {len(side.chest):5}  {len(side.kept):4}  {played:>6}"
        return f"{self.seat_name(seat):8}{counts}"

    def hand(self, view: View) -> str:
        seen = cast(TinyView, view)
        if not seen.seat:
            return ""
        mine = seen.mine
        return _(
            "Hand: {hand}. Chest: {chest}. Kept: {kept}.",
            hand=_and(mine.hand), chest=_and(mine.chest), kept=_and(mine.kept),
        )  # fmt: skip

    def cards(self, view: View) -> Sequence[CardRow]:
        seen = cast(TinyView, view)
        if not seen.seat:
            return ()
        rows = {_("Your hand"): seen.mine.hand, _("Your chest"): seen.mine.chest, _("Kept"): seen.mine.kept}
        return [
            CardRow(
                title,
                tuple(HandCard(name, _at(name), str(worth(name))) for name in names),
                small=title != _("Your hand"),
            )
            for title, names in rows.items()
            if names
        ]

    def rolled(self, fact: Json) -> Rolled | None:
        if fact["f"] != "roll":
            return None
        dice = {seat: Die(die, seat == fact["winner"]) for seat, die in fact["dice"].items()}
        name = ", ".join(map(self.seat_name, dice))
        return Rolled("", name, tuple(dice.values()), _("{who} wins the turn.", who=self.seat_name(fact["winner"])))

    def result(self, result: Json) -> str:
        scores = ", ".join(f"{self.seat_name(seat)} {points}" for seat, points in result["score"].items())
        if not result["winner"]:
            return _("Nobody wins, the best are level: {score}.", score=scores)
        return _("{who} wins: {score}.", who=self.seat_name(result["winner"]), score=scores)


def _and(names: Sequence[str]) -> str:
    *most, last = names or [_("none")]
    return _("{most} and {last}", most=", ".join(most), last=last) if most else last


def _acts(_view: TinyView, _order: Act, act: str) -> str:
    return _("Bank {n} points", n=BANKED) if act == "BANK" else _("Dig in your chest")


def _at(word: str) -> str:
    """Return what is touched for a word of an order: a card, a token, or one of two acts."""
    return f"choice:{word}" if word.isupper() else f"{'card' if word.startswith('c') else 'token'}:{word}"


_SAYS = {
    "card": Says(lambda _view, _order, card: _("Play {card}", card=card), lambda _view, _order, card: _at(card)),
    "act": Says(_acts, lambda _view, _order, act: _at(act)),
    "keep": Says(lambda _view, _order, token: _("Keep {token}", token=token), lambda _view, _order, token: _at(token)),
}
"""The words of each field of an order."""

LOOK: Look = TinyLook()
