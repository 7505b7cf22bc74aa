"""Which tables of Lords of Scotland a proof looks at: two seats, the last turns of a skirmish.

It is suitable if the seat has at most two turns left and the other at most one. The other seat's hand is gone through card by card
as he plays it: hands that differ only in cards that stay in hand are equivalent. So in its last turn, and after it, neither pile
nor recruits nor chance matter. The draws of a seat with a turn left are gone through.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import cast

from pbem.games.proving import Prover, TooMuch
from pbem.i18n import _
from pbem.kernel import Chance, Draw, Order, Outcome, View, changed

from .. import law
from ..game import GAME
from ..orders import Muster, Pass, Play, TakeRecruit
from ..rules.board import Board
from ..rules.cards import FORSYTH, LIMIT, TURNS, clan
from ..rules.reign import State
from ..views import LordsView
from .hidden import Hidden

SKIRMISH, THRONE = "skirmish", "throne"
MOST_DOWN = 2
"""Of more followers face-down there are too many ways."""
ENOUGH_PILE = 4
"""The number of cards in the pile at which no shuffle can happen before the round is counted."""


class LordsMatter:
    """See `pbem.games.proving.Matter` and `pbem.games.proving.Unknowns`."""

    aims = (THRONE, SKIRMISH)

    def aim_in_words(self, aim: str) -> str:
        if aim == THRONE:
            return _("Win the game in this skirmish, whatever the other holds and does.")
        return _("Win this skirmish, whatever the other holds and does.")

    def suits(self, view: View, aim: str) -> bool:
        seen = cast(LordsView, view)
        if seen.question != "turn" or len(seen.seats) != 2 or len(Hidden(seen).places) > MOST_DOWN:
            return False
        if aim == SKIRMISH:
            return seen.turn == TURNS
        last_but_one = seen.turn == TURNS - 1 and not _is_first(seen) and seen.pile > ENOUGH_PILE
        return (seen.turn == TURNS or last_but_one) and _may_end(seen)

    def prover(self, state: State, seat: str, aim: str, most: int) -> Prover:
        return Prover(GAME, self, state, seat, aim, most)

    def tables(self, state: State, seat: str) -> Iterator[State]:
        hidden = Hidden(_view(state, seat))
        for down in hidden.ways_down():
            yield changed(state, board=hidden.lay(state.board, (), down))

    def arrangements(self, view: View) -> int:
        hidden = Hidden(cast(LordsView, view))
        return sum(map(hidden.hands, hidden.ways_down()))

    def answers(self, state: State, seat: str, other: str) -> Iterator[tuple[State, Order]]:
        seen, theirs = _view(state, seat), _view(state, other)
        if theirs.question != "turn":  # he claims, and all lies open
            yield from ((state, order) for order in GAME.options(theirs))
            return
        hidden = Hidden(seen)
        down = _down(state, hidden)
        if hidden.held < LIMIT and theirs.recruits:  # no more turn follows, so whichever it is
            yield state, TakeRecruit(place=1)
        elif not hidden.held:
            yield state, Pass()
        any_card = theirs.model_copy(update={"hand": hidden.cards})
        for plays in _plays(any_card, law.Meeting.begin(any_card), hidden, down, ()):
            hand = tuple(play.card for play in plays)
            yield changed(state, board=hidden.lay(state.board, hand, down)), Muster(plays=plays)

    def before(self, state: State, seat: str, order: Order) -> Iterator[State]:
        """What one draws matters if one has a turn left to play it."""
        seen = _view(state, seat)
        if seen.question != "turn" or seen.turn == TURNS:
            yield state
            return
        hidden, board = Hidden(seen), state.board
        if isinstance(order, TakeRecruit):
            recruit = board.recruits[order.place - 1]
            drawn = [] if recruit.up else hidden.to_draw(_down(state, hidden))
            if drawn and recruit.deal != board.deals:
                raise TooMuch
        else:
            plays = order.plays if isinstance(order, Muster) else ()
            draws = any(play.use and FORSYTH in (play.copy_of, clan(play.card)) for play in plays)
            drawn = hidden.to_draw(_down(state, hidden)) if draws else []
        if not drawn:
            yield state
        for card in drawn:
            laid = hidden.lay(board, (), _down(state, hidden), card)
            yield changed(state, board=_taken(laid, order.place - 1) if isinstance(order, TakeRecruit) else laid)

    def comes(self, wanted: Chance) -> Iterator[Outcome]:
        """Yield one outcome for a pile that is shuffled after the last turn. Raises TooMuch for other chance."""
        drawn = tuple(request.of[: request.n] for request in wanted.requests if isinstance(request, Draw))
        if len(drawn) < len(wanted.requests):
            raise TooMuch
        yield drawn

    def won(self, before: View, state: State, aim: str) -> bool | None:
        seen = cast(LordsView, before)
        board = state.board
        over = state.result is not None or board.round > seen.round
        if aim == THRONE:
            return None if not over else state.result is not None and state.result["winner"] == seen.seat
        counted = over or any(frame.at == "skirmish" and frame.step == "clear" for frame in state.stack)
        return board.placing[:1] == (seen.seat,) if counted else None

    def seen(self, view: View) -> Hashable:
        seen = cast(LordsView, view)
        armies = tuple(
            (follower.card, follower.power, tuple(follower.seen or ()), seat)
            for seat in seen.seats
            for follower in seen.armies[seat]
        )
        return seen.question, tuple(seen.hand), armies, tuple(seen.supporters), seen.turn


def _may_end(view: LordsView) -> bool:
    """Can this round bring the seat to the throne, or is it the last one?"""
    there = [*view.supporters, *sorted(view.hand, key=view.terms.worth)[-1:]]
    return (
        view.round == view.terms.rounds
        or view.points(view.seat) + sum(map(view.terms.strength, there)) >= view.terms.goal
    )


def _is_first(view: LordsView) -> bool:
    return view.seat == view.victor


def _view(state: State, seat: str) -> LordsView:
    return cast(LordsView, GAME.own_view(GAME.view(state, seat)))


def _down(state: State, hidden: Hidden) -> tuple[str, ...]:
    """Return the cards of a table that the seat does not know."""
    return tuple(state.board.armies[place.owner][place.at].card for place in hidden.places)


def _taken(board: Board, place: int) -> Board:
    """Return the table with a recruit and the card on top of the pile exchanged."""
    recruit = board.recruits[place]
    row = (*board.recruits[:place], changed(recruit, card=board.pile[0]), *board.recruits[place + 1 :])
    return changed(board, recruits=row, pile=(recruit.card, *board.pile[1:]))


def _plays(
    view: LordsView, meeting: law.Meeting, hidden: Hidden, down: tuple[str, ...], before: tuple[str, ...]
) -> Iterator[tuple[Play, ...]]:
    """Go through the cards that can be mustered from a hand of any cards that fit."""
    for card in meeting.hand:
        cards = (*before, card)
        if not hidden.fits(cards, down):
            continue
        for play in (*law.uses(view, meeting, card), Play(card=card), Play(card=card, down=True)):
            if not law.goes_on(play):
                yield (play,)
            elif len(cards) < hidden.held:
                yield from ((play, *rest) for rest in _plays(view, meeting.after(card), hidden, down, cards))


MATTER = LordsMatter()
