"""Who can work out each step of the rules from his own view, for two who play without a host.

It depends on where hidden blocks are, how strong they are and how they came. The rest is public.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pbem.kernel import Ask, Chance, Chooser, Json, Order, Outcome, Planned, changed
from pbem.kernel.knowing import ALL, EACH, Knowing, Parts, Publicly

from . import orders
from .game import GAME
from .plans.clauses import ANY, Asking, BattleClause, Clause
from .plans.reading import clauses
from .rules import CANDIDATES, CARD_NAME, DEAL_123, DECK, ENGLISH, SCOTTISH, SIDES, SLUG, enemy, is_too_much
from .rules.battle import ROUNDS
from .rules.hits import forced_and_tied, has_one_target, on_the_strongest
from .rules.printed import CARDS_A_YEAR, DEAD, FRENCH, MORAY, NOBLES, OFF
from .rules.retreat_law import exits, only_answer
from .rules.variants import SIMULTANEOUS_FIRE, UNITY_BEFORE_BATTLE
from .rules.winter import is_last_winter
from .rules.winter_builds import FRENCH_NOBLES

DEALT_AGAIN = "dealt again"
"""The fact that cards were thrown away for another deal."""
_PLACES = {place: SIDES[place // CARDS_A_YEAR] for place in range(2 * CARDS_A_YEAR)}
"""The owner of the card at each place of a deal."""
SCOTS_BUILD = ("used", "drawing", "closed")
"""What everybody sees of how far the Scots have built."""


class HammerKnowing(Knowing):
    """Who knows what in Hammer of the Scots."""

    follows = ("particulars",)
    has_contests = True
    decks_die = True

    def who(self, frame: Any, board: Any) -> str:
        match frame.at, frame.step:
            case "year", "deal":
                return EACH if DEAL_123 in board.variants else ALL  # each says whether his own hand is thrown away
            case "battles", "choose" if len(board.contested()) != 1:
                return ALL  # there is none, or it is asked for
            case "battles", ("choose" | "ask"):
                return EACH  # 5.32, 5.33: who stands in front, by the ways they came
            case "battle", _:
                return _in_battle(frame, board)
            case ("herald", "roll") | ("pillage", "begin"):
                return enemy(frame.side)  # the victim knows how strong his blocks are, and how they came
            case "nobles_go_home", ("english" | "scottish") as side:
                return str(side)
            case "disbanding", "english":
                return ENGLISH
            case ("turn", "finish") | ("builds", "begin") | ("winter", "built"):
                return SCOTTISH if _hangs_on_moray(frame, board) else ALL
            case "disbanding", "scots":
                return SCOTTISH
            case "raid", "begin":
                return ENGLISH
            case "retreat", "begin" if _tells_who_stays(frame, board):
                return str(frame.side)
        return ALL

    def whose(self, chance: Chance) -> Mapping[int, str]:
        return _PLACES

    def called(self, card: str) -> str:
        return CARD_NAME[card]

    def next_deck(self) -> tuple[str, ...]:
        return DECK

    def may_deal_again(self, state: Any) -> bool:
        return not is_last_winter(state.board) or DEAL_123 in state.board.variants

    def shows_ahead(self, state: Any) -> Mapping[tuple[str, int], str]:
        """Show hands to both in the levy, and to the English who have built."""
        board, frames = state.board, {frame.at: frame for frame in state.stack}
        both, one = frames.keys() & {"setup", "levy"}, frames.get("builds")
        done = SIDES if both else (ENGLISH,) if one and not one.english and not is_last_winter(board) else ()
        return {(f"deal:{board.deal + 1}", place): side for place, side in _PLACES.items() if side in done}

    def draws_next(self, state: Any) -> str:
        frame = state.stack[-1]
        builds = (frame.at, frame.step) == ("builds", "choose")
        return SCOTTISH if builds and SCOTTISH in frame.builders(state.board) else ""

    def played(self, state: Any, given: Mapping[str, Order]) -> Mapping[str, str]:
        return {side: order.card for side, order in given.items() if isinstance(order, orders.PlayCard)}

    def hands_from(self, state: Any) -> int:
        return int(state.board.deal)  # ruling 7.0: cards left over return

    def view(self, state: Any, seat: str | None) -> dict[str, Json]:
        """Remove the landing places of Norse and French for all but the Scots. The actual landings are told."""
        seen = self.game.view(state, seat)
        builds = seen["frames"].get("builds", {})
        if seat == SCOTTISH or "landing" not in builds:
            return seen
        shown = {key: value for key, value in builds.items() if key != "landing"}
        return {**seen, "frames": {**seen["frames"], "builds": shown}}

    def supplied(self, state: Any, seat: str, given: Mapping[str, Order]) -> Mapping[str, Order]:
        """Let the sides that build at the same time build nothing; their orders are joined afterwards."""
        frame = state.stack[-1]
        if (frame.at, frame.step) != ("builds", "choose"):
            return given
        return {side: given.get(side, orders.Build(done=True)) for side in frame.builders(state.board)}

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

    def read(self, state: Any, seat: str, text: str) -> Order:
        """Read an order; of a card that was played, as if it were in the hand that is guessed: that it was is proved otherwise.

        Where Bruce, Comyn and the French are, who reads cannot know: whether somebody can be crowned the audit judges.
        """
        for crowning in (*(orders.Coronation(candidate=name) for name in CANDIDATES), orders.ReturnOfTheKing()):
            if text == str(crowning):
                return crowning
        name = text.removeprefix("CARD ")
        if state.stack[-1].step == "cards" and name in CARD_NAME.values():
            state = self.fitting(state, enemy(seat), {seat: orders.PlayCard(card=name)})
        return super().read(state, seat, text)

    def part(self, seat: str, told: Publicly) -> dict[str, Json]:
        """Return a seat's part: whether its hand is discarded; or its builds; or its front line and the revealed blocks in it."""
        if any(fact["f"] == DEALT_AGAIN for fact in told.facts):
            return {"again": True}
        if builds := told.view["frames"].get("builds"):
            on = {key: builds[key] for key in SCOTS_BUILD if key in builds} if seat == SCOTTISH else {}
            return {"built": [fact for fact in told.facts if fact["side"] == seat], "on": on}
        battle = told.view["frames"].get("battle", {})
        front = battle.get(seat, {})
        revealing = [name for name in battle.get("revealing", ()) if SLUG[name] in front]
        return {"front": front, "revealing": revealing} if battle else {}

    def due(
        self, state: Any, seat: str, given: Mapping[str, Order] | Outcome | None, told: Publicly
    ) -> dict[str, Json]:
        """Return, when cards are dealt again, whether that was for the seat's own hand, which is all that the step shows it."""
        if state.stack[-1].step != "deal" or not isinstance(given, tuple):
            return super().due(state, seat, given, told)
        i = CARDS_A_YEAR * SIDES.index(seat)
        return {"again": True} if is_too_much([CARD_NAME[card] for card in given[0][i : i + CARDS_A_YEAR]]) else {}

    # what both may pledge themselves to: a battle

    def contest(self, state: Any, given: Mapping[str, Order]) -> str:
        frame, areas = state.stack[-1], state.board.contested()
        if (frame.at, frame.step) == ("battles", "choose") and len(areas) == 1:
            return str(areas[0])
        first = given.get(state.board.first) if (frame.at, frame.step) == ("battles", "ask") else None
        return first.area if isinstance(first, orders.NextBattle) else ""

    def is_contested(self, state: Any, contest: str) -> bool:
        return any(frame.at in ("battle", "regroup") and frame.area == contest for frame in state.stack)

    def pledge(self, contest: str, plans: str) -> str:
        said = [clause for clause in clauses(plans) if isinstance(clause, Asking) or _is_of(clause, contest)]
        return "" if ASK_ALWAYS in said else "\n".join(map(str, said))

    def pledged(self, state: Any, seat: str, pledge: str, shown: Collection[str]) -> Planned | None:
        """Return the answer of a pledge, but only one block's act at a time: its effect is known before the next block acts.

        The victors' blocks are upright again when they regroup, so everybody else only sees that they stay.
        """
        frame, wanted = state.stack[-1], GAME.wants(state)
        what = wanted.what if isinstance(wanted, Ask) else ""
        if what == "battle action" and frame.leaving and not self._is_left_openly(frame, state.board, shown):
            return None  # the step before this one was told: who heard it has forgotten where to they go
        if what not in ("battle action", "hits", "retreats", "regroup"):
            return None
        if what == "regroup" and any(isinstance(c, BattleClause) and c.regroup for c in clauses(pledge)):
            return None
        found = GAME.planned(GAME.own_view(self.view(state, seat)), pledge)
        if found is None or not isinstance(found.order, orders.BattleActions):
            return found
        return found._replace(order=orders.BattleActions(area=found.order.area, acts=found.order.acts[:1]))

    def _is_left_openly(self, frame: Any, board: Any, shown: Collection[str]) -> bool:
        """Does everybody know where to and by which way those go who leave in a combat turn?"""
        alike = _came_alike(board, frame.area, frame.side) and SIMULTANEOUS_FIRE not in board.variants
        return frame.side in shown and alike and _is_known_where_to(frame)

    def openly(self, state: Any, shown: Collection[str]) -> str:
        frame, board = state.stack[-1], state.board
        match frame.at, frame.step:
            case "battle", "withdraw" if not frame.reserve(board, frame.attacker):
                return ALL  # 5.3: who must retreat are those in front, whom everybody sees
            case "battle", "hits" if (victim := enemy(frame.side)) in shown:
                known = _came_alike(board, frame.area, victim) or not _may_kill(frame, board, victim)
                return ALL if known else victim
            case "battle", "turn" if frame.side in shown:
                told = frame.leaving and not self._is_left_openly(frame, board, shown)
                return str(frame.side) if told else ALL
            case "retreat", "places" if frame.side in shown:
                # by which way those came who leave, everybody sees afterwards
                return ALL if _came_alike(board, frame.area, frame.side) else str(frame.side)
            case ("battle", "action") | ("regroup", "places") if frame.side in shown:
                return ALL
        return self.knower(state)

    def joined(self, told: Publicly, parts: Parts) -> Publicly:
        """Put each side's own front line beside the other's, and what it has built."""
        if "builds" in told.view["frames"]:
            for seat, part in parts.items():
                told = _built(told, seat, part)
            return told
        battle = told.view["frames"].get("battle", {})
        for seat, part in parts.items():
            if battle and "front" in part:
                shown = {enemy(seat): self.part(enemy(seat), told)["revealing"], seat: part["revealing"]}
                names = [name for side in SIDES for name in shown[side]]
                kept = {key: value for key, value in battle.items() if key != "revealing"}
                battle = kept | {seat: part["front"]} | ({"revealing": names} if names else {})
        view = {**told.view, "frames": {**told.view["frames"], "battle": battle}} if battle else told.view
        return Publicly(told.facts, view)


ASK_ALWAYS = Asking("ALWAYS")


def _is_of(clause: Clause, battle: str) -> bool:
    """Does a clause speak of a battle in an area?"""
    return isinstance(clause, BattleClause) and clause.area in (battle, ANY)


def _hangs_on_moray(frame: Any, board: Any) -> bool:
    """May it matter where Moray or Wallace is? Whom the thirteen other nobles follow, everybody sees."""
    scots = len(NOBLES) - sum(board[name].side == ENGLISH for name in NOBLES)
    if frame.at == "builds":
        return bool(board[FRENCH].at == OFF and scots == FRENCH_NOBLES - 1 and board[MORAY].at != DEAD)
    return is_last_winter(board) if frame.at == "winter" else scots == 0  # rulings 9.0, 9.1


def _in_battle(frame: Any, board: Any) -> str:
    """Return who knows what comes next in a battle: once a front line has shown itself, that is mostly everybody."""
    match frame.step:
        case "round_ends":
            # 5.32, 5.33: whoever has a reserve knows who joins the front
            joining = [side for side in SIDES if frame.reserve(board, side)] if frame.round < ROUNDS else []
            return EACH if len(joining) > 1 else joining[0] if joining else ALL
        case "reveal":
            return ENGLISH if UNITY_BEFORE_BATTLE in board.variants else ALL  # 5.2: Celts in reserve (2.3)
        case "unity":
            return ALL if _came_alike(board, frame.area, ENGLISH) else ENGLISH
        case "turn":
            # what was ordered and not yet done, and where to those go who leave
            hidden = frame.leaving or (frame.waiting(board) and not frame.is_over(board))
            return str(frame.side) if hidden else ALL
        case "apply":
            victim = enemy(frame.side)
            return ALL if _came_alike(board, frame.area, victim) or not _kills(frame, board, victim) else victim
        case "hits":
            return enemy(frame.side)
        case "withdraw":
            return str(frame.attacker)
    return ALL


def _came_alike(board: Any, area: str, side: str) -> bool:
    """Return whether it is known how each block of a side in an area came: all the same way, or none this turn."""
    return len({(board[name].start, board[name].via) for name in board.blocks_in(area, side)}) <= 1


def _is_known_where_to(frame: Any) -> bool:
    """Does everybody know where to those go who leave, if nobody has sealed it? Where dice or hits are waited for, it is lost."""
    names = tuple(name for name, _to in frame.leaving)
    return bool(frame.acted[len(frame.acted) - len(names) :] == names)


def _tells_who_stays(frame: Any, board: Any) -> bool:
    """Do blocks go at once, as there is one way only (5.5), and leave others of whom everybody then sees by which way they came?"""
    there = board.blocks_in(frame.area, frame.side)
    goes = only_answer(exits(board, frame.area, frame.side), frame.blocks)
    return goes and len(there) > len(frame.blocks) and not _came_alike(board, frame.area, frame.side)


def _kills(frame: Any, board: Any, victim: str) -> bool:
    """Do the hits that fall where they must take somebody away? How strong those in front are, everybody sees."""
    targets = {name: board[name].strength for name in frame.front(victim)}
    share = on_the_strongest if has_one_target(board.variants) else forced_and_tied
    hits = share(targets, frame.hits)[0]
    return any(hits.count(name) == targets[name] for name in set(hits))


def _may_kill(frame: Any, board: Any, victim: str) -> bool:
    """Return whether a block may be eliminated, whichever of the equally strong is hit."""
    targets = {name: board[name].strength for name in frame.front(victim)}
    share = on_the_strongest if has_one_target(board.variants) else forced_and_tied
    hits, tied, left = share(targets, frame.hits)
    most = left if has_one_target(board.variants) else 1
    return any(hits.count(name) + (most if name in tied else 0) >= targets[name] for name in targets)


def _built(told: Publicly, seat: str, part: Mapping[str, Json]) -> Publicly:
    """Return the same with what `seat` has built beside what the other has, the English first, as the rules tell it."""
    own = [fact for fact in told.facts if fact["side"] != seat]
    facts = [*part["built"], *own] if seat == ENGLISH else [*own, *part["built"]]
    if seat != SCOTTISH:
        return Publicly(tuple(facts), told.view)
    frames = told.view["frames"]
    kept = {key: value for key, value in frames["builds"].items() if key not in SCOTS_BUILD}
    return Publicly(tuple(facts), {**told.view, "frames": {**frames, "builds": {**kept, **part["on"]}}})


KNOWING = HammerKnowing(GAME)
