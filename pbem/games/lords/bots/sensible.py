"""The easy player of Lords of Scotland: one rule of thumb for a turn, and no look ahead."""

from __future__ import annotations

from typing import cast

from pbem.games.bot import Bot
from pbem.kernel import Chooser, Order, View

from .. import law
from ..orders import Claim, Muster, Pass, Play, TakeRecruit
from ..rules.cards import TURNS, clan
from ..rules.follower import every
from ..views import HIDDEN, FollowerView, LordsView

UNKNOWN = 6
"""The worth of an unseen card."""
ENOUGH = 4
"""The number of cards in hand at which recruiting is unnecessary."""


class SensibleBot(Bot):
    """Gathers a clan, musters where it doubles, uses powers that gain, and keeps spare cards for the next skirmish."""

    def answer(self, view: View, chooser: Chooser) -> Order:
        seen = cast(LordsView, view)
        if seen.question == "claim":
            return Claim()
        if not seen.hand:
            return _recruit(seen) if law.may_recruit(seen) else Pass()
        best = max(_turns(seen), key=lambda order: (_value(seen, order), str(order)))
        if law.may_recruit(seen) and _would_recruit(seen, _value(seen, best)):
            return _recruit(seen)
        return best

    def plans(self, view: View) -> str:
        seen = cast(LordsView, view)
        return str(Claim()) if seen.turn == TURNS else ""


def _turns(view: LordsView) -> list[Muster]:
    """Return the ways to muster that are worth a thought: each card face-up, face-down, or with each use of its power."""
    found = []
    meeting = law.Meeting.begin(view)
    for card in view.hand:
        plays = [Play(card=card), Play(card=card, down=True)]
        for play in (*plays, *law.uses(view, meeting, card)):
            # the strongest that goes with it
            rest = [max(meeting.after(card).hand, key=view.terms.rank)] if law.goes_on(play) else []
            found.append(Muster(plays=(play, *(Play(card=other) for other in rest))))
    return found


def _total(view: LordsView, army: list[FollowerView]) -> int:
    """Return the known total of an army; hidden cards count as average."""
    strengths = [UNKNOWN if f.card == HIDDEN else view.terms.strength(f.card) for f in army]
    clans = {clan(f.card) for f in army if f.card != HIDDEN and f.power != "Bruce"}
    doubled = len(army) > 1 and len(clans) <= 1 and all(f.card != HIDDEN for f in army)
    return sum(strengths) * (2 if doubled else 1)


def _armies_after(view: LordsView, order: Muster) -> dict[str, list[FollowerView]]:
    """Return the armies after an order."""
    armies = {seat: list(army) for seat, army in view.armies.items()}
    mine = armies[view.seat]
    for play in order.plays:
        power = play.copy_of or clan(play.card)
        mine.append(FollowerView(card=play.card, power=power if play.use else None))
        if not play.use or not play.target:
            continue
        if power == "Cockburn":
            mine[-1] = FollowerView(card=play.target)
            continue
        if play.target not in view.face_up and "a" <= play.target[0] <= "z":
            owner, place = every(view.armies, view.seats)[play.target]
        else:
            owner, place = next((s, i) for s in view.seats for i, f in enumerate(armies[s]) if f.card == play.target)
        if power == "Wemyss":
            del armies[owner][place]
        else:
            mine[-1], armies[owner][place] = armies[owner][place], FollowerView(card=play.card)
    return armies


def _value(view: LordsView, order: Muster) -> int:
    """Return what an order gains: our total against the best of the others, less what the card would be worth later."""
    armies = _armies_after(view, order)
    others = max((_total(view, armies[seat]) for seat in view.others), default=0)
    before = max((_total(view, view.armies[seat]) for seat in view.others), default=0)
    ours, had = _total(view, armies[view.seat]), _total(view, view.army)
    value = 2 * (ours - had) + 2 * (before - others)
    for play in order.plays:
        power = play.copy_of or clan(play.card)
        if play.use:
            value += {"Forsyth": 6, "Cochrane": 8, "MacDonnell": view.terms.strength(play.card)}.get(power, 0)
        value -= view.terms.strength(play.card)
        value -= 2 * sum(clan(other) == clan(play.card) for other in view.hand if clan(other) != _gathered(view))
        if play.down:
            value += 1  # what nobody sees, nobody turns on
    return value


def _gathered(view: LordsView) -> str:
    """Return the clan that this army gathers, "" before it has one."""
    clans = {clan(f.card) for f in view.army if f.card != HIDDEN}
    return clans.pop() if len(clans) == 1 else ""


def _would_recruit(view: LordsView, best: int) -> bool:
    """Is a card in the hand worth more than one in the army? In the last turns one must have an army."""
    if view.turn == TURNS and not view.army:
        return False
    left = TURNS - view.turn + 1
    return best < 2 * UNKNOWN and (len(view.hand) < ENOUGH or left > len(view.hand))


def _recruit(view: LordsView) -> TakeRecruit:
    """Take a recruit that is strong and of a clan in the hand; an unknown card counts as average."""

    def worth(place: int) -> int:
        recruit = view.recruits[place]
        if not recruit.up:
            return 3 * UNKNOWN
        kin = sum(clan(card) == clan(recruit.card) for card in (*view.hand, *(f.card for f in view.army)))
        return 2 * view.terms.strength(recruit.card) + 5 * kin

    return TakeRecruit(place=max(range(len(view.recruits)), key=worth) + 1)
