"""The moments of Hammer of the Scots that can be computed to their end, and a seat's possible aims in them.

These are battles without an enemy reserve: all fighters are revealed, and only the dice are unknown. For the English it is also the
first act of the winter, in the last turn of a year. Nobles go home, and a noble who finds the enemy there changes sides. English
nobles go first. Everybody sees how many Scots are in an area, and their identities do not matter. To the Scots hidden identities
would matter: where an English noble has been alone, they find their home free again.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import product
from math import comb, prod
from typing import cast

from pbem.games.proving import TooMuch
from pbem.games.reckoning import Reckoner
from pbem.i18n import _, _n
from pbem.kernel import Chance, Order, Outcome, View, changed

from ..game import GAME
from ..orders import BattleActions
from ..rules import (
    BLOCK_OF,
    CARDS_A_YEAR,
    EDWARD,
    ENGLISH,
    KING,
    NOBLES,
    State,
    combat_turn,
    home_bonus,
    is_event,
    ratings,
)
from ..rules.battle import UNITY_FAILS
from ..views import HammerView

LEADER, AT_HOME, CAPTIVE, FIELD = "leader", "at home", "captive", "field"
PIPS, HIT, MISS = 6, 1, 6
"""The sides of a die; a hit for every rating, which also keeps a Celt there; and a miss."""
IN_BATTLE = ("battle action", "hits")
KILLED = ("king killed", "edward ii killed")
AFTERWARDS = ("retreats", "regroup", "raid")
FEWER, MORE = 1, 2
"""The numbers of nobles fewer and more than the present that may be an aim."""


class HammerMatter:
    """The Matter and Stakes of Hammer: see `pbem.games.proving.Matter` and `pbem.games.reckoning.Stakes`."""

    aims = (LEADER, *(f"{AT_HOME} {n}" for n in range(len(NOBLES), 0, -1)), CAPTIVE, FIELD)

    def aim_in_words(self, aim: str) -> str:
        if n := _wanted(aim):
            return _n(
                "Have at least {n} noble, Moray not counted, when the nobles have gone home this winter.",
                "Have at least {n} nobles, Moray not counted, when the nobles have gone home this winter.",
                n,
            )
        return {
            LEADER: _("Win the game in this battle by the death of the enemy's king."),
            CAPTIVE: _("Have more nobles when this battle is over than you have now."),
            FIELD: _("Win this battle, and lose no noble."),
        }[aim]

    def suits(self, view: View, aim: str) -> bool:
        seen = cast(HammerView, view)
        what = (seen.ask or {}).get("what")
        if seen.variants or len(seen.contested) > 1 or not _all_stand_open(seen):
            return False
        if n := _wanted(aim):
            in_reach = -FEWER <= n - len(_nobles(seen, seen.seat)) <= MORE
            return in_reach and seen.seat == ENGLISH and what in (*IN_BATTLE, *AFTERWARDS) and _is_last_turn(seen)
        if what not in IN_BATTLE:
            return False
        foes = seen.fight.strengths(seen.enemy)
        if aim == LEADER:
            return KING in foes or (EDWARD in foes and seen.edward > 1)
        return aim == FIELD or any(name in foes for name in _nobles(seen, seen.enemy))

    def prover(self, state: State, seat: str, aim: str, most: int) -> Reckoner:
        """Return the object that computes the chances of orders."""
        return Reckoner(GAME, self, state, seat, aim, most)

    def arrangements(self, view: View) -> int:
        """Return 1, because hidden things do not matter."""
        return 1

    def throws(self, state: State, wanted: Chance) -> Iterator[tuple[int, Outcome]]:
        frame = state.stack[-1]
        if frame.at != "battle":
            raise TooMuch
        if frame.step == "unity":
            stays = UNITY_FAILS - 1
            for thrown in product((HIT, MISS), repeat=len(frame.revealing)):
                yield prod(stays if die == HIT else PIPS - stays for die in thrown), (thrown,)
            return
        name, board = frame.block, state.board
        dice, defends = board[name].strength, name not in frame.front(frame.attacker)
        most = ratings(board.variants)[name].most + home_bonus(name, frame.area, defends, board.variants)
        for hits in range(dice + 1):
            outcome = (HIT,) * hits + (MISS,) * (dice - hits)
            yield comb(dice, hits) * most**hits * (PIPS - most) ** (dice - hits), (outcome,)

    def enough(self, state: State, view: View, seat: str) -> Iterator[Order]:
        """Of blocks that act one after the other, one at a time: who gives more orders at once only binds himself."""
        seen = cast(HammerView, view)
        what = (seen.ask or {}).get("what")
        if what == "battle action":
            turn = combat_turn(seen)
            for name in turn.blocks:
                yield from (BattleActions(area=turn.area, acts=(act,)) for act in turn.acts(name))
        elif what == "home":
            # to which of his homes a noble goes changes nobody's side: no other is at home there
            yield GAME.default(seen)
        elif what in (*IN_BATTLE, *AFTERWARDS):
            yield from GAME.options(seen)
        else:
            raise TooMuch

    def reached(self, before: View, state: State, aim: str) -> bool | None:
        seen, board = cast(HammerView, before), state.board
        own = {name for name in NOBLES if board[name].side == seen.seat}
        if state.result is not None and state.result["why"] in KILLED:
            return state.result["winner"] == seen.seat
        if n := _wanted(aim):
            at_home = state.result is not None or any(
                frame.at == "winter" and frame.step != "homes" for frame in state.stack
            )
            return len(own) >= n if at_home else None
        if state.stack[-1].at in ("battle", "retreat"):
            return None
        if aim == CAPTIVE:
            return len(own) > len(_nobles(seen, seen.seat))
        area = seen.fight.area
        holds = bool(board.blocks_in(area, seen.seat)) and not board.blocks_in(area, seen.enemy)
        return aim == FIELD and holds and own.issuperset(_nobles(seen, seen.seat))

    def alike(self, state: State) -> Hashable:
        board, top = state.board, state.stack[-1]
        if top.at == "battle":
            return board.pieces, board.retreated, changed(top, lost=(0, 0))
        # when the battle is over, strengths do not matter any more
        return tuple((piece.at, piece.side) for piece in board.pieces), board.retreated, state.stack


def _wanted(aim: str) -> int:
    """Return how many nobles one should have after the winter, 0 for another aim."""
    return int(aim.removeprefix(AT_HOME)) if aim.startswith(AT_HOME) else 0


def _nobles(view: HammerView, side: str) -> list[str]:
    """Return who of the thirteen nobles follow a side."""
    return [name for key, whose in view.nobles.items() if whose == side and (name := BLOCK_OF[key]) in NOBLES]


def _all_stand_open(view: HammerView) -> bool:
    """Is nobody of the enemy in reserve where a battle is fought?"""
    battle = view.battle
    if battle is None:
        return True
    return not battle.leaving and view.count(battle.area, view.enemy) == len(battle.front(view.enemy))


def _is_last_turn(view: HammerView) -> bool:
    """Do the nobles go home after this battle?"""
    if view.frames.get("turn", {}).get("step") != "raid":
        return False
    events = all(cards.played and is_event(cards.played[-1]) for cards in view.cards.values())
    return view.turn == CARDS_A_YEAR or events


MATTER = HammerMatter()
