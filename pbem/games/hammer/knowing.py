"""Who can work out each step of the rules from his own view, for two who play without a host.

What decides is where hidden blocks stand, how strong they are and by which way they came; all else is public.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.kernel import Chance, Chooser, Json, Order, Outcome, changed
from pbem.kernel.knowing import ALL, EACH, Knowing, Parts, Publicly

from . import orders
from .game import GAME
from .rules import CARD_NAME, DEAL_123, DECK, ENGLISH, SCOTTISH, SIDES, SLUG, enemy, is_too_much
from .rules.printed import CARDS_A_YEAR

DEALT_AGAIN = "dealt again"
"""The fact that cards were thrown away for another deal."""


class HammerKnowing(Knowing):
    """Who knows what in Hammer of the Scots."""

    follows = ("particulars",)

    def who(self, frame: Any, board: Any) -> str:
        match frame.at, frame.step:
            case "year", "deal":
                return EACH if DEAL_123 in board.variants else ALL  # each says whether his own hand is thrown away
            case ("battles", "choose" | "ask") | ("battle", "round_ends"):
                return EACH  # 5.32, 5.33: who stands in front, by the ways they came
            case "battle", ("reveal" | "unity"):
                return ENGLISH  # 5.2: Celts in reserve (2.3), and by which way those came who go
            case "battle", "turn":
                return str(frame.side)  # what was ordered and not yet done
            case ("battle", "apply" | "hits") | ("herald", "roll") | ("pillage", "begin"):
                return enemy(frame.side)  # the victim knows how strong his blocks are, and how they came
            case "battle", "withdraw":
                return str(frame.attacker)
            case "nobles_go_home", ("english" | "scottish") as side:
                return str(side)
            case "disbanding", "english":
                return ENGLISH
            case ("disbanding", "scots") | ("turn", "finish") | ("builds", "begin") | ("winter", "homes" | "built"):
                return SCOTTISH  # where Moray, Wallace and the French are
            case "raid", "begin":
                return ENGLISH
        return ALL

    def whose(self, chance: Chance) -> Mapping[int, str]:
        return {place: SIDES[place // CARDS_A_YEAR] for place in range(2 * CARDS_A_YEAR)}

    def filled(self, chance: Chance, given: Outcome, parts: Parts, chooser: Chooser) -> Outcome:
        """Fill up the enemy's hand; where cards may be dealt again, so that it is kept, or has to go as he says."""
        again = any(part.get("again") for part in parts.values())
        while True:
            found = super().filled(chance, given, parts, chooser)
            hands = [slice(i, i + CARDS_A_YEAR) for i in (0, CARDS_A_YEAR) if "" in given[0][i : i + CARDS_A_YEAR]]
            if all(is_too_much([CARD_NAME[card] for card in found[0][hand]]) == again for hand in hands):
                return found

    def fitting(self, state: Any, seat: str, given: Mapping[str, Order]) -> Any:
        """Put the card that the enemy has played into his hand."""
        played, board = given.get(enemy(seat)), state.board
        if not isinstance(played, orders.PlayCard) or state.stack[-1].step != "cards":
            return state
        hand = board.hand(enemy(seat))
        if any(board.card(place) == played.card for place in hand):
            return state
        dealt = list(board.dealt)
        dealt[hand[0]] = next(card for card in DECK if CARD_NAME[card] == played.card and card not in dealt)
        return changed(state, board=changed(board, dealt=tuple(dealt)))

    def part(self, seat: str, told: Publicly) -> dict[str, Json]:
        """Say whether the own hand is thrown away, or who of one's own stands in front, and who of them shows himself now."""
        if any(fact["f"] == DEALT_AGAIN for fact in told.facts):
            return {"again": True}
        battle = told.view["frames"].get("battle", {})
        front = battle.get(seat, {})
        revealing = [name for name in battle.get("revealing", ()) if SLUG[name] in front]
        return {"front": front, "revealing": revealing} if battle else {}

    def joined(self, told: Publicly, parts: Parts) -> Publicly:
        """Put each side's own front line beside the other's."""
        battle = told.view["frames"].get("battle", {})
        for seat, part in parts.items():
            if battle and "front" in part:
                shown = {enemy(seat): self.part(enemy(seat), told)["revealing"], seat: part["revealing"]}
                names = [name for side in SIDES for name in shown[side]]
                kept = {key: value for key, value in battle.items() if key != "revealing"}
                battle = kept | {seat: part["front"]} | ({"revealing": names} if names else {})
        view = {**told.view, "frames": {**told.view["frames"], "battle": battle}} if battle else told.view
        return Publicly(told.facts, view)


KNOWING = HammerKnowing(GAME)
