"""The words of Tiny: facts, questions and the board as plain text of at most 72 columns."""

from __future__ import annotations

from typing import cast

from pbem.kernel import Json, View
from pbem.reports.look import Chapter, Look

from .rules import BANKED, GAME, SideView, TinyView, worth


class TinyLook(Look):
    """See pbem.reports.look.Look for what each of these owes."""

    def seat_name(self, seat: str) -> str:
        return seat.capitalize()

    def fact(self, fact: Json, seat: str | None) -> str:
        who = self.seat_name(fact.get("seat", ""))
        own = seat is not None and fact.get("seat") == seat
        match fact["f"]:
            case "shuffle":
                return f"A new pile of {fact['cards']} cards is shuffled."
            case "deal":
                return f"You take {fact['card']}." if own else f"{who} takes {fact.get('card', 'a card')}."
            case "play":
                return f"{who} plays {fact['card']}."
            case "roll":
                return self._roll(fact)
            case "bank":
                return f"{who} banks {fact['points']} points."
            case "dig":
                return f"{who} digs: two tokens are drawn in secret, one is kept."
            case "draw":
                return f"{'You draw' if seat else 'Drawn are'} {_and(fact['tokens'])}."
            case "keep":
                return f"You keep {fact['token']}." if own else f"{who} keeps {fact.get('token', 'a token')}."
            case "count":
                return f"{who} turns up {_and(fact['kept'])}: {fact['score']} points in all."
        return ""

    def chapter(self, fact: Json) -> Chapter | None:
        return Chapter(f"{self.seat_name(fact['winner'])} wins a turn") if fact["f"] == "roll" else None

    def _roll(self, fact: Json) -> str:
        cards, dice = fact["cards"], fact["dice"]
        sums = [f"{self.seat_name(s)} {worth(cards[s])} + {dice[s]} = {worth(cards[s]) + dice[s]}" for s in cards]
        return "\n".join([*sums, f"{self.seat_name(fact['winner'])} wins the turn."])

    def question(self, view: View) -> str:
        seen = cast(TinyView, view)
        match seen.question:
            case "card":
                return f"Which card do you play in turn {seen.turn}? All are turned up together (2.1)."
            case "act":
                return f"You won the turn: BANK {BANKED} points (4.1), or DIG in your chest (4.2)?"
            case "keep":
                return f"You drew {_and(seen.drawn)}. Which one do you keep (4.2)?"
        return ""

    def template(self, view: View) -> str:
        if not cast(TinyView, view).question:
            return ""
        first, *others = map(str, GAME.options(view))
        return "\n".join([first, *(f"# {line}" for line in others)])

    def board(self, view: View) -> str:
        seen = cast(TinyView, view)
        head = f"Turn {seen.turn} of {seen.turns}. Pile: {len(seen.pile)}.\nDiscards: {_and(seen.discards)}."
        rows = [self._row(seat, side, seen.table.get(seat, "-")) for seat, side in seen.sides.items()]
        return "\n".join([head, "", "        points  hand  chest  kept  played", *rows])

    def _row(self, seat: str, side: SideView, played: str) -> str:
        counts = f"{side.score:6}  {len(side.hand):4}  {len(side.chest):5}  {len(side.kept):4}  {played:>6}"
        return f"{self.seat_name(seat):8}{counts}"

    def hand(self, view: View) -> str:
        seen = cast(TinyView, view)
        if not seen.seat:
            return ""
        mine = seen.mine
        return f"Hand: {_and(mine.hand)}. Chest: {_and(mine.chest)}. Kept: {_and(mine.kept)}."

    def result(self, result: Json) -> str:
        scores = ", ".join(f"{self.seat_name(seat)} {points}" for seat, points in result["score"].items())
        if not result["winner"]:
            return f"Nobody wins, the best are level: {scores}."
        return f"{self.seat_name(result['winner'])} wins: {scores}."


def _and(names: list[str]) -> str:
    *most, last = names or ["none"]
    return f"{', '.join(most)} and {last}" if most else last


LOOK: Look = TinyLook()
