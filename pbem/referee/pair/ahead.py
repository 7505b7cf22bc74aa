"""Acts that a seat may perform before they are owed, to save letters: decks, their numbers, links and hands.

These acts inform nobody's decision. A deck hides its cards whenever it is laid. A link may precede a draw of the other seat if both
have decided everything before it, and the other only owes its part of a step. That part follows from its seals. A hand can be shown
to a seat that decides nothing more before it is dealt. All this is optional: the game is the same if a seat waits.

`steps` are the `PairSteps` of a game, `play` is the `PairPlay` of the seat that speaks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.i18n import N_
from pbem.kernel import Ask, Chance, Json
from pbem.kernel.knowing import is_going
from pbem.ledger.pair.course import Spoken, blame_if


def deck_no(label: str) -> int:
    """The number of the deck of a deal."""
    return int(label.partition(":")[2])


def is_ahead(steps: Any, at: Spoken, act: Mapping[str, Json]) -> bool:
    """Is it something that is not needed yet, and can be said already? Raises Fault."""
    match act["do"]:
        case "deck":
            return _is_deck_ahead(steps, at, act)
        case "link":
            return may_show_link(steps, at.seat)
        case "share":
            return (act["no"], act["place"], steps.course.other(at.seat)) in steps.lacking(shown_ahead(steps))
    return False


def may_show_link(steps: Any, seat: str) -> bool:
    """May a seat show its link before it is owed, for a draw of the other's behind the step that waits for the other's part?"""
    parts, wanted = steps.given.parts, _wanted(steps)
    if not isinstance(wanted, Ask) or seat not in parts or len(parts) > 1 or seat in steps.links or steps.given.pledges:
        return False  # while something is pledged, links stand beside the pledges
    all_have = all(asked in steps.given.answers for asked in wanted.seats)
    return all_have and steps.knowing.draws_next(steps.state) == steps.course.other(seat)


def shown_ahead(steps: Any) -> Mapping[tuple[str, int], str]:
    """Return which places of the next deck can be shown already: their seat decides nothing more before they are dealt."""
    shown = steps.knowing.shows_ahead(steps.state) if steps.result is None else {}
    laid = {no for no, deck in steps.course.decks.items() if len(deck.laid) == len(steps.seats)}
    return {at: seat for at, seat in shown.items() if deck_no(at[0]) in laid}


def said_ahead(play: Any) -> Iterator[dict[str, Json]]:
    """Say what will be owed and can be said now."""
    if play.result is not None:
        return
    for no in sorted(play.released - play.course.dead):
        if play.seat not in play.course.numbers.get(no, {}):
            yield {"do": "number", "no": no, "x": play.shuffler(no).open()}
    if (deck := _deck_ahead(play)) is not None:
        yield deck
    if (decided := play.course.decided) is not None and decided.at.n == play.course.head[0] + 1:
        return  # an answer that can be taken back stays so
    if may_show_link(play, play.seat):
        yield play.link()
    for no, place, seat in play.lacking(shown_ahead(play)):
        if seat == play.other:
            yield play.share(no, place)


def _is_deck_ahead(steps: Any, at: Spoken, act: Mapping[str, Json]) -> bool:
    """Its cards are the same whatever happens."""
    wanted = None if steps.result is not None else _wanted(steps)
    needed = isinstance(wanted, Chance) and wanted.is_deal and deck_no(wanted.label) == act["no"]
    cards = wanted.requests[0].of if wanted is not None and needed else steps.knowing.next_deck()
    blame_if(
        act.get("cards", list(cards)) != list(cards) or not cards,
        at,
        "CARD",
        N_("The deck does not hold the cards that it has by the rules."),
    )
    return not needed


def _deck_ahead(play: Any) -> dict[str, Json] | None:
    """Return this seat's word of the next deck, if it can be said before it is needed."""
    decks, cards, wanted = play.course.decks, play.knowing.next_deck(), _wanted(play)
    if not cards or not decks or (isinstance(wanted, Chance) and wanted.is_deal):
        return None
    last, found = len(decks), None
    is_used = len(decks[last].laid) == len(play.seats) and decks[last].shares
    if len(decks[last].laid) == 1 and play.seat == play.seats[1]:
        found = play.laid_out(last, cards)
    elif is_used and play.seat == play.seats[0] and play.knowing.may_deal_again(play.state):
        found = play.laid_out(last + 1, cards)
    return found


def _wanted(steps: Any) -> Any:
    """Return the rules' present request; None if they continue by themselves."""
    return None if is_going(steps.state) else steps.game.wants(steps.state)
