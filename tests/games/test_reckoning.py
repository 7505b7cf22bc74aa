"""Chances are reckoned exactly, with the best play of both: on a game of dice that is small enough to reckon by hand."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple, cast

import pytest

from pbem.games.proving import TooMuch
from pbem.games.reckoning import Reckoner
from pbem.kernel import Ask, Chance, Game, Order, Outcome, Roll, Stop, View

ME, OTHER = "me", "other"


class Say(Order, form="{verb} {what}"):
    """SAY roll."""

    verb: str = "SAY"
    what: str


class At(NamedTuple):
    """Where it stands: who is to say something, what was said, and the die."""

    asked: tuple[str, ...]
    said: tuple[str, ...] = ()
    die: int = 0


class Seen(View):
    """What everybody sees: all."""

    asked: tuple[str, ...]


class Dice:
    """As much of a game as a reckoning needs.

    I say “roll” or “safe”. After “roll” a die falls, and with 5 or 6 the other says whether it counts. After “both” we say a number
    at once, and I have what I want if they are equal; “round” leads back to where it began.
    """

    def options(self, view: Seen) -> list[Say]:
        return [Say(what=what) for what in ("roll", "safe", "both", "round")]

    def view(self, state: At, seat: str) -> At:
        return state

    def own_view(self, state: At) -> Seen:
        return Seen(asked=state.asked)

    def wants(self, state: At) -> Ask | Chance:
        if state.said[-1:] == ("roll",) and not state.die:
            return Chance("pub", (Roll(1),))
        return Ask(state.asked, "say", "no")

    def step(self, state: At, given: Any) -> Stop:
        if isinstance(given, tuple):
            return self._stop(state._replace(die=given[0][0], asked=(OTHER,)))
        said = tuple(order.what for _seat, order in sorted(given.items()))
        if said == ("round",):
            return self._stop(At((ME,)))
        asked = (ME, OTHER) if said == ("both",) else state.asked
        return self._stop(state._replace(said=state.said + said, asked=asked))

    def _stop(self, state: At) -> Stop:
        return Stop(state, (), self.wants(state))


class DiceStakes:
    """See `Stakes`."""

    def throws(self, state: At, wanted: Chance) -> Iterator[tuple[int, Outcome]]:
        yield from ((1, ((die,),)) for die in range(1, 7))

    def enough(self, state: At, view: View, seat: str) -> Iterator[Order]:
        words: tuple[str, ...]
        if state.die > 4:
            words = ("counts", "counts not")
        elif len(state.asked) == 2:
            words = ("one", "two")
        elif state.die:
            words = ("over",)
        else:
            words = ("roll", "safe", "both", "round")
        yield from (Say(what=what) for what in words)

    def reached(self, before: View, state: At, aim: str) -> bool | None:
        match state.said:
            case ("safe",):
                return aim == "certain"
            case ("both", mine, others):
                return mine == others
            case ("roll", "over"):
                return True
            case ("roll", "counts"):
                return True
            case ("roll", "counts not"):
                return False
        return None

    def alike(self, state: At) -> Hashable:
        return state


def reckoner(aim: str = "chance", most: int = 1_000) -> Reckoner:
    return Reckoner(cast("Game", Dice()), DiceStakes(), At((ME,)), ME, aim, most)


@pytest.mark.parametrize(
    ("what", "chance"),
    [("roll", Fraction(2, 3)), ("safe", Fraction(0)), ("both", Fraction(0)), ("round", Fraction(2, 3))],
)
def test_the_other_says_what_is_worst_and_the_dice_have_their_weight(what: str, chance: Fraction) -> None:
    """Of what is said at once the other knows what I say; who goes round may roll afterwards."""
    assert reckoner().chance(Say(what=what)) == chance


def test_the_best_are_found_with_the_chance_of_the_next() -> None:
    found = reckoner().proof()
    assert ([order.what for order in cast("list[Say]", found.wins)], found.chance) == (
        ["roll", "round"],
        Fraction(2, 3),
    )
    assert (len(found.refuted), found.next, found.reckoned) == (2, Fraction(0), True)
    certain = reckoner("certain").proof()
    assert ([order.what for order in cast("list[Say]", certain.wins)], certain.chance) == (
        ["safe", "round"],
        Fraction(1),
    )
    assert certain.next == Fraction(2, 3)


def test_what_is_told_of_a_worse_order_fails() -> None:
    line = reckoner("certain").against(Say(what="roll"))
    assert line is not None
    assert [(move.seat, str(move.order)) for move in line] == [(ME, "SAY roll"), (OTHER, "SAY counts not")]
    both = reckoner().against(Say(what="both"))
    assert both is not None
    assert [move.seat for move in both] == [ME, ME, OTHER]
    assert both[1].order != both[2].order
    assert reckoner().against(Say(what="roll")) is None


def test_a_reckoning_has_a_bound() -> None:
    with pytest.raises(TooMuch):
        reckoner(most=3).proof()
    with pytest.raises(TooMuch):
        reckoner().proof(answers=1)
