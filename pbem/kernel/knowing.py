"""Who can work out a step of the rules when nobody knows everything: games of two players without a host.

The rules advance in single steps: one `do_…`, or one `take_…` with its input. A step is worked out by a seat with a view that
suffices for the others' news: everybody alike, one seat, or each seat for its own part. That follows from public knowledge and
decides nothing in play. Hosted games never use it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, ClassVar, NamedTuple, TypeAlias

from .frames import _WANT, Frame, Run
from .game import Game, Planned
from .options import Chooser
from .order import Order
from .values import changed
from .wants import Ask, Chance, Event, Json, Outcome

ALL = "all"
"""Every seat can work the step out."""
EACH = "each"
"""Every seat can work its own part out, and all parts together are the public part."""


Parts: TypeAlias = Mapping[str, Mapping[str, Json]]
"""By seat, what it has said of a step that is known to EACH."""


class Publicly(NamedTuple):
    """What everybody has of a step: the facts, and the view of the public after it."""

    facts: tuple[Json, ...]
    view: dict[str, Json]


class Knowing:
    """Who knows what in one game. A game in which every seat can work out every step but its secret answers needs no other."""

    follows: ClassVar[tuple[str, ...]] = ()
    """The keys of a seat's view that follow from its other keys, so that nobody hands them over."""
    hides_nothing: ClassVar[bool] = False
    """Does every seat see all there is, but for answers that are sealed still? Then each can judge the other's orders at once."""
    has_contests: ClassVar[bool] = False
    """Does it know `contest`s, in which plans can be pledged?"""
    decks_die: ClassVar[bool] = False
    """Whether everybody knows when a deck has no hidden cards left. If so, the deck is checked at once, otherwise at the end."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def knower(self, state: Any) -> str:
        """Return who works out the next step of a state: ALL, EACH or a seat. To all that look alike it is the same."""
        frame = state.stack[-1]
        said = self.who(frame, state.board)
        if said != ALL or is_going(state):
            return said
        match self.game.wants(state):
            case Ask(seats=(seat,)):
                return seat
            case Ask(secret="until end"):
                return EACH
            case Chance(owner=str(seat)):
                return seat
        return ALL

    def who(self, frame: Frame, board: Any) -> str:
        """Return who works out a step, from the top frame and public information; ALL also leaves it to the seat that answers or
        draws.
        """
        return ALL

    def whose(self, chance: Chance) -> Mapping[int, str]:
        """Return the owner of each card in a deal, by place; places without an owner are left out."""
        return {}

    def called(self, card: str) -> str:
        """Return the name of a deck's card in orders."""
        return card

    def next_deck(self) -> tuple[str, ...]:
        """Return the cards of the next deck if they are the same whatever happens; otherwise an empty tuple."""
        return ()

    def may_deal_again(self, state: Any) -> bool:
        """May another deck be wanted, behind the one in play?"""
        return True

    def shows(self, state: Any) -> Mapping[tuple[str, int], str]:
        """Return the dealt places that the next step shows, if the rules continue by themselves: by label and place, to whom."""
        return {}

    def shows_ahead(self, state: Any) -> Mapping[tuple[str, int], str]:
        """Return the places of the next deal for seats that decide nothing more before it: they can be shown already."""
        return {}

    def draws_next(self, state: Any) -> str:
        """Return the seat for which something may be drawn behind a step of which each says a part; "" for nobody."""
        return ""

    def played(self, state: Any, given: Mapping[str, Order]) -> Mapping[str, str]:
        """Return, by seat, the name of the card that it turns up from its hand with these orders of all asked seats."""
        return {}

    def hands_from(self, state: Any) -> int:
        """Return the number of the first deck of which cards can be in hands; those of decks before it have gone back."""
        return 1

    def view(self, state: Any, seat: str | None) -> dict[str, Json]:
        """Return what a seat (None: everybody) sees of a state, even between two questions.

        It is no more than a host would have shown it by then.
        """
        return self.game.view(state, seat)

    def guess(self, view: Json, chooser: Chooser) -> Any:
        """Return some state that looks like a seat's view, of the states on the way, too."""
        return self.game.determinise(self.game.read_view(view), chooser)

    def read(self, state: Any, seat: str, text: str) -> Order:
        """Read the order of a seat that has hidden things of its own, in a state that another has guessed. Raises OrderError."""
        return self.game.parse(self.game.own_view(self.view(state, seat)), text)

    def laid(self, state: Any, label: str, place: int, card: str) -> Any:
        """Return a guessed state with this card at this dealt place, if the game tracks such places."""
        return state

    def supplied(self, state: Any, seat: str, given: Mapping[str, Order]) -> Mapping[str, Order]:
        """Return orders of all asked seats for a guessed state: those given, and for who keeps his to himself some legal one."""
        wanted = self.game.wants(state)
        silent = [other for other in wanted.seats if other not in given] if isinstance(wanted, Ask) else []
        views = {other: self.game.own_view(self.game.view(state, other)) for other in silent}
        return {**given, **{other: self.game.default(view) for other, view in views.items()}} if silent else given

    def filled(self, chance: Chance, given: Outcome, parts: Parts, chooser: Chooser) -> Outcome:
        """Return a possible outcome of a deal; in `given`, "" marks each card that is not seen."""
        found = []
        for request, drawn in zip(chance.requests, given, strict=True):
            left = [name for name in getattr(request, "of", ()) if name not in drawn]
            found.append(tuple(name or left.pop(chooser.randrange(len(left))) for name in drawn))
        return tuple(found)

    def fitting(self, state: Any, seat: str, given: Mapping[str, Order]) -> Any:
        """Return a state like one that `seat` has guessed, in which the others can have answered as they did."""
        return state

    def part(self, seat: str, told: Publicly) -> dict[str, Json]:
        """Return what `seat` discloses of a step that is known to EACH, from its own version of the step: its own part only."""
        return {}

    def due(
        self, state: Any, seat: str, given: Mapping[str, Order] | Outcome | None, told: Publicly
    ) -> dict[str, Json]:
        """Return what `seat` had to say of a step that is known to EACH, by the true state before it and all that was given.

        A part follows from what everybody has of the step, `told`, unless a game has to say more.
        """
        return self.part(seat, told)

    def joined(self, told: Publicly, parts: Parts) -> Publicly:
        """Return the public part of a step that is known to EACH, from a seat's own part and those of the others."""
        return told

    # what both may pledge themselves to

    def contest(self, state: Any, given: Mapping[str, Order]) -> str:
        """Return what begins with the next step, as a battle by its area; "" for nothing.

        In a contest both may let their plans answer, if each shows the other what his plans say of it. Each says a part of that
        step. All who look find the same.
        """
        return ""

    def is_contested(self, state: Any, contest: str) -> bool:
        """Return whether a contest continues."""
        return False

    def pledge(self, contest: str, plans: str) -> str:
        """Return what canonical plans say of a contest; "" where they do not say, or their player wants to be asked."""
        return ""

    def pledged(self, state: Any, seat: str, pledge: str, shown: Collection[str]) -> Planned | None:
        """Return what a pledge answers to the question that is put to its seat, legal; None where it does not.

        It follows from what everybody sees, and from what the seats `shown` have answered last, so that all who look find the same.
        """
        return None

    def openly(self, state: Any, shown: Collection[str]) -> str:
        """Return who works out the next step where everybody knows what the seats `shown` have answered last in a contest."""
        return self.knower(state)

    def go(self, state: Any, given: Mapping[str, Order] | Outcome | None = None) -> tuple[Any, tuple[Event, ...]]:
        """Take the next step, as `one_step` does; and behind a step that all know, those that follow and that all know, too."""
        everybody = self.knower(state) == ALL
        after, events = one_step(state, given)
        while everybody and is_going(after) and self.knower(after) == ALL:
            after, more = one_step(after)
            events += more
        return after, events


def is_going(state: Any) -> bool:
    """Return whether the rules continue by themselves from here."""
    return state.result is None and hasattr(state.stack[-1], f"do_{state.stack[-1].step}")


def one_step(state: Any, given: Mapping[str, Order] | Outcome | None = None) -> tuple[Any, tuple[Event, ...]]:
    """Take one step, with `given` if the state wants something, otherwise without. Return the state after it and its events."""
    run: Run[Any] = Run(state.board, state.stack)
    frame = run.stack[-1]
    if given is None:
        getattr(frame, f"do_{frame.step}")(run)
    else:
        getattr(frame, f"take_{frame.step}")(run, given)
    after = changed(state, board=run.board, stack=tuple(run.stack), result=run.result)
    return on_the_way(after), tuple(run.events)


def on_the_way(state: Any) -> Any:
    """Let views be made of a state in which the rules continue by themselves, without a question. Return the state."""
    if is_going(state):
        _WANT[state.stack[-1].__class__].setdefault(state.stack[-1].step, _nobody)
    return state


def _nobody(_frame: Frame, _board: Any) -> Ask:
    return Ask((), "", "no")
