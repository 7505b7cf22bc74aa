"""What the two have said to each other besides orders, as it stands: offers, what is asked back, words that have lapsed."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from pbem.i18n import _
from pbem.ledger.of_two import WORD
from pbem.ledger.pair.course import ANSWERS, JOINS

from .mending import words_to

if TYPE_CHECKING:
    from pbem.kernel import Json
    from pbem.ledger import Entry
    from pbem.referee.pair import PairPlay

    from .shelf import PairSeat


def is_to_be_heard(seat: PairSeat, play: PairPlay) -> bool:
    """Is there an offer of the friend's, or a resignation that came too late, and he has not said that he plays on?"""
    if seat.notes.says or seat.notes.passed == seat.table.head[0]:
        return False
    return bool(asked_back(seat)) or is_offered(seat, play) or is_lapsed(seat, play)


def is_lapsed(seat: PairSeat, play: PairPlay) -> bool:
    """Has this player given up, in words that count no more, and the game goes on?"""
    return "resign" in lapsed(seat) and play.result is None and not play.course.closed[0]


def lapsed(seat: PairSeat) -> list[str]:
    """Return what this player has said in the friend's turn that came last, and that turn does not quote: it counts no more."""
    theirs = turn_of_friend(seat)
    if not theirs:
        return []
    acts = theirs[0].fields["say"]["acts"]
    quoted = {act["say"]["what"] for act in acts if act["do"] == WORD}
    return [what for what in words_to(seat, theirs[0].n - 1) if what not in quoted]


def turn_of_friend(seat: PairSeat) -> list[Entry]:
    """The friend's entries at the end of the log; none where this player's own stand there."""
    return _last_turn(seat, own=False)


def own_turn(seat: PairSeat) -> list[Entry]:
    """This player's entries at the end of the log; none where the friend's stand there."""
    return _last_turn(seat, own=True)


def awaits_opening(seat: PairSeat) -> str:
    """Say what the friend owes who has pledged plans, where this player has met them in his last turn; else ""."""
    acts = [act for entry in own_turn(seat) for act in entry.fields["say"]["acts"]]
    if not any(act["do"] == "meet" and act["text"] for act in acts):
        return ""
    return _(
        "Your plans for the battle are open to him, and his are sealed: his program owes the opening, and can tell already "
        "what dice will fall."
    )


def _last_turn(seat: PairSeat, *, own: bool) -> list[Entry]:
    entries = reversed(seat.table.entries[JOINS + 1 :])
    return [*takewhile(lambda entry: (entry.fields["by"] == seat.notes.seat) == own, entries)][::-1]


def is_offered(seat: PairSeat, play: PairPlay) -> bool:
    """Has the friend offered a draw that can be agreed to in this player's turn?"""
    course = play.course
    if course.baton != seat.notes.seat or course.closed[0] or play.result is not None:
        return False
    return course.offer == play.other or any(word["say"]["what"] == "draw" for word in seat.notes.heard)


def asked_back(seat: PairSeat) -> list[Json]:
    """Return the friend's word that asks back what he answered last, as long as it can be answered, and he plays on."""
    head = list(seat.table.head)
    said = [word for word in seat.notes.heard if word["say"]["seen"] == head]
    if any(word["say"]["what"] == "resign" for word in said):
        return []
    return [word for word in said if word["say"]["what"] == "back"][:1]


def why_not_back(seat: PairSeat, play: PairPlay) -> str:
    """Say why this player cannot ask back what he answered last, and what he may do; "" where he can."""
    course = play.course
    if course.baton == seat.notes.seat and course.gone_back == course.head[0]:
        return _("Your answers are taken back already: you are asked again.")
    if course.baton == seat.notes.seat:
        return _(
            "It is your turn: your friend has gone on from what you answered last, so it stands. An answer can be asked back "
            "while your turn is the last of the log. You may write to your friend (“pbem press”), or offer a draw."
        )
    if course.can_go_back(seat.notes.seat):
        return ""
    if not any(act["do"] in ANSWERS for act in seat.table.entries[-1].fields["say"].get("acts", ())):
        return _("Your last turn holds no answer of yours: there is nothing to be taken back.")
    return _(
        "Behind your last answer you have shown your share in dice, a card, or something else that cannot be made unseen: so "
        "it stands. You may write to your friend (“pbem press”), or offer a draw."
    )


def heard_back(seat: PairSeat, since: int) -> str:
    """See which words of this player a friend's turn does not quote, if it began with entry `since` or later; say so."""
    seat.tray.lay_aside(*seat.waiting(WORD))
    theirs = turn_of_friend(seat)
    gone = lapsed(seat) if theirs and theirs[0].n >= since else []
    said = []
    if "draw" in gone:
        said.append(
            _(
                "Your friend had signed his turn before he read your offer of a draw: it counts no more. “pbem say draw” "
                "offers it again."
            )
        )
    if "back" in gone:
        said.append(_("Your friend has gone on from what you wanted to take back: it stands."))
    return "\n".join(said)
