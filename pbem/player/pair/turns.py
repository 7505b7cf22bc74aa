"""This player's turn in a game of two: steps without a decision are signed automatically, the others when the player answers.

A signed turn is in the log before it is in the tray, and is never signed differently.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.ledger import player_root
from pbem.ledger.first_line import WORD
from pbem.ledger.pair.course import ANSWERS
from pbem.ledger.pair.vault import kept_under

from .advance import answer_for, keep_ahead, read_advance
from .busy import in_turn
from .laying import lay_turn, turn_waits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pbem.kernel import Json
    from pbem.ledger import Entry
    from pbem.referee.pair import PairPlay

    from .notes import PairNotes
    from .shelf import PairSeat


@in_turn
def go_on(seat: PairSeat, at: str) -> PairPlay | None:
    """Sign the acts that need no decision, and lay the turn ready. Return the play if there is a question now."""
    if seat.table.waits or seat.state != "mine":  # a log that is not here says so
        return None
    play = seat.mend()
    must_be_his(seat, play)
    if play.course.baton != seat.notes.seat or play.course.is_over:
        return None
    for made in without_him(seat, play):
        seat.keep()
        _sign(seat, play, made)
    if play.question is not None:
        return play
    if seat.state != "mine":  # else it is for his program alone, and he has an offer before him
        _lay_own_turn(seat, play, at)
    return None


def must_be_his(seat: PairSeat, play: PairPlay) -> None:
    """Check that the key here is not the friend's, because it would sign in the friend's name. Raises UsageError."""
    if play.seat != seat.notes.seat:
        raise UsageError(
            _(
                "The key in {home} is your friend's in this game, and not yours: nothing is signed with it. Put your own "
                "back, as {key}, or name another folder with --home.",
                home=seat.folder.home,
                key=seat.folder.home / "key",
            )
        )


def without_him(seat: PairSeat, play: PairPlay) -> Iterator[list[Entry]]:
    """Add to a play everything that needs no decision: what is owed, answers already given, answers by plans.

    After each addition or change of the notes, it yields the entries to sign, perhaps none yet.
    """
    seat.notes.settle(play.answered, play.course.head[0])
    besides, waits = besides_orders(seat, play), is_to_be_heard(seat, play)
    if made := turn(seat, play, besides=besides):
        if waits and play.course.baton != seat.notes.seat:
            return
        yield made
    for text in list(seat.notes.answers):
        if play.found or play.question is None:
            return
        yield turn(seat, play, text)
    if seat.notes.answers or not waits:
        yield from _by_plans(seat, play)


def _by_plans(seat: PairSeat, play: PairPlay) -> Iterator[list[Entry]]:
    while not play.found and (text := answer_for(seat.notes, play)) is not None:
        seat.notes.answers.append(text)
        yield turn(seat, play, text)


def turn(
    seat: PairSeat,
    play: PairPlay,
    text: str | None = None,
    besides: Iterable[Json] = (),
    plans: str | None = None,
) -> list[Entry]:
    """Add to a play everything that is due, and an answer; `plans` go with it if they differ from the last ones."""
    shown = (seat.notes.along if plans is None else plans) if seat.notes.shows else ""
    return play.turn(seat.key, text, besides, then=seat.folder.key, plans=shown)


def standing(seat: PairSeat) -> PairPlay:
    """Return the play as this player finds it, with his question where one is asked; nothing is signed for it, or laid ready.

    What `go_on` would sign without him is not in it.
    """
    play = seat.play()
    if seat.state != "mine" or play.course.baton != seat.notes.seat or play.course.is_over:
        return play
    for _unsigned in without_him(replace(seat, notes=copy.deepcopy(seat.notes)), play):
        pass
    return seat.play() if play.found or play.question is None else play


def _lay_own_turn(seat: PairSeat, play: PairPlay, at: str) -> None:
    """Lay a turn ready. Raises RecordError behind that, where what it shows proves a fault of the friend."""
    acts = [act["do"] for entry in seat.last_turn(own=True) for act in entry.fields["say"]["acts"]]
    lay_turn(seat, play, at, decided=not {*ANSWERS, "say"}.isdisjoint(acts))
    if play.found:
        raise seat.stands_still(play.found)


def _sign(seat: PairSeat, play: PairPlay, made: list[Entry]) -> None:
    if not made:
        return
    seat.table.signed(play, made)
    given = sum(act["do"] in ANSWERS for entry in made for act in entry.fields["say"]["acts"])
    notes = seat.notes
    notes.answers, notes.behind, notes.heard, notes.says = notes.answers[given:], notes.behind + given, [], []
    seat.keep()


def besides_orders(seat: PairSeat, play: PairPlay) -> list[dict[str, Json]]:
    """Return the first acts of this turn: quoted statements, the player's own statements, a new key."""
    if "back" in seat.notes.says and (asks := asked_back(seat)):
        return [*asks, {"do": "say", "what": "agree"}]  # such a turn holds nothing else
    heard = [word for word in seat.notes.heard if word["say"]["seen"] == list(seat.table.head)]
    quoted = [dict(word) for word in heard if word["say"]["what"] != "back"]  # to quote that is to consent
    is_given_up = any(word["say"]["what"] == "resign" for word in quoted)
    says = [{"do": "say", "what": what} for what in seat.notes.says if what != "back" and not is_given_up]
    own = seat.folder.key
    if play.course.seats[seat.notes.seat].key != own.key_line and not play.course.seats[seat.notes.seat].secret:
        kept = kept_under(player_root(own), seat.notes.game, seat.notes.seat, play.vault.secret)
        says.append({"do": "rekey", "key": own.key_line, "kept": kept})
    return [*quoted, *says]


def asked(seat: PairSeat, at: str) -> PairPlay:
    """Return the play in which something is asked. Raises UsageError where nothing is."""
    play = go_on(seat, at)
    if play is None:
        raise UsageError(told_offer(seat) or _why_not_asked(seat))
    return play


def is_to_be_heard(seat: PairSeat, play: PairPlay) -> bool:
    """Is there an offer of the friend's, or a resignation that came too late, and he has not said that he plays on?"""
    if seat.notes.says or seat.notes.passed == seat.table.head[0]:
        return False
    return bool(asked_back(seat)) or is_offered(seat, play) or is_lapsed(seat, play)


def is_lapsed(seat: PairSeat, play: PairPlay) -> bool:
    """Return whether this player has resigned in a statement that is now void, while the game continues."""
    return "resign" in lapsed(seat) and play.result is None and not play.course.closed[0]


def lapsed(seat: PairSeat) -> list[str]:
    """Return this player's statements during the friend's last turn that the turn does not quote: they are void."""
    theirs = seat.last_turn(own=False)
    if not theirs:
        return []
    acts = theirs[0].fields["say"]["acts"]
    quoted = {act["say"]["what"] for act in acts if act["do"] == WORD}
    return [what for what in seat.words_to(theirs[0].n - 1) if what not in quoted]


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
            "It is your turn: your friend has played on from your last answer, so it is final. You can "
            "ask an answer back only while your turn is the last in the log. You may write to your "
            "friend (“pbem press”), or offer a draw."
        )
    if course.can_go_back(seat.notes.seat):
        return ""
    if not any(act["do"] in ANSWERS for act in seat.table.entries[-1].fields["say"].get("acts", ())):
        return _("Your last turn contains no answer of yours: there is nothing to take back.")
    return _(
        "After your last answer you revealed your share in dice, a card or something that cannot be "
        "unseen, so the answer is final. You may write to your friend (“pbem press”), or offer a "
        "draw."
    )


def heard_back(seat: PairSeat, since: int) -> str:
    """See which words of this player a friend's turn does not quote, if it began with entry `since` or later; say so."""
    seat.tray.lay_aside(*seat.waiting(WORD))
    theirs = seat.last_turn(own=False)
    gone = lapsed(seat) if theirs and theirs[0].n >= since else []
    said = []
    if "draw" in gone:
        said.append(
            _(
                "Your friend signed his turn before he read your offer of a draw, so it is no longer valid. "
                "“pbem say draw” offers a draw again."
            )
        )
    if "back" in gone:
        said.append(_("Your friend has played on after the answers that you wanted to take back, so they are final."))
    return "\n".join(said)


def told_offer(seat: PairSeat) -> str:
    """Say what the friend has offered, or that a resignation came too late, and how it is answered; "" for nothing."""
    if seat.state != "mine":
        return ""
    play = seat.play()
    offered, too_late, asks_back = is_offered(seat, play), is_lapsed(seat, play), bool(asked_back(seat))
    if not (offered or too_late or asks_back):
        return ""
    _unsigned = turn(seat, play, besides=besides_orders(seat, play))
    plays_on = _("your order plays on") if play.question is not None else _("“pbem send” plays on")
    said = []
    if asks_back:
        said.append(
            _(
                "Your friend asks to take back what he answered last: “pbem say let” lets him, and he is asked again; "
                "{plays_on}.",
                plays_on=plays_on,
            )
        )
    if offered:
        said.append(_("Your friend offers a draw: “pbem say agree” accepts it; {plays_on}.", plays_on=plays_on))
    if too_late:
        said.append(
            _(
                "Your friend signed his turn before he read that you resign: your resignation is no longer "
                "valid, and the game continues. “pbem say resign” resigns again, now with your own turn; "
                "{plays_on}.",
                plays_on=plays_on,
            )
        )
    return "\n".join(said)


def waits_to_play_on(seat: PairSeat) -> bool:
    """Return whether this player's program waits with its own acts until he has answered an offer."""
    if seat.state != "mine":
        return False
    return is_to_be_heard(seat, seat.play()) and standing(seat).question is None


@in_turn
def play_on(seat: PairSeat, at: str) -> bool:
    """Sign what waited for an answer to an offer, and lay it ready; False where nothing did."""
    if seat.state != "mine" or go_on(seat, at) is not None:
        return False
    if seat.state != "mine":
        return False
    seat.notes.passed = seat.table.head[0]
    go_on(seat, at)
    return True


def _why_not_asked(seat: PairSeat) -> str:
    """Return a sentence that says who must act next, and what that player has to do."""
    if seat.state == "over":
        return _("The game is over: nothing is asked any more.")
    if seat.state == "mine":
        return _("You are not asked anything now.")
    if turn_waits(seat):
        return _(
            "You are not asked anything now. Your friend's program must act next, but your own letter to "
            "it has not left yet. “pbem send” sends it."
        )
    return _(
        "You are not asked anything now: it is your friend's turn. “pbem read” takes his letter when it has come; if yours "
        "may be lost, “pbem resend” lays it ready again."
    )


def order(seat: PairSeat, play: PairPlay, text: str, at: str, plans: str = "") -> str:
    """Answer the open question of a play; sign the turn after the last question.

    The text may have lines that begin with PLAN, in addition to those of `plans`, or with AHEAD: they are valid from now on.
    Returns the text in canonical form. Raises OrderError if anything is illegal; then nothing has changed.
    """
    holds = _goes_along(seat.notes)
    with seat.alone():
        if play.course.head != seat.table.head or _goes_along(seat.notes) != holds:
            raise UsageError(
                _(
                    "Another of your programs (an open page or another command) has meanwhile continued this "
                    "game, so nothing was signed here. Look at the position (“pbem board”), and order again if a "
                    "question is open for you."
                )
            )
        return _ordered(seat, play, text, at, plans)


def _ordered(seat: PairSeat, play: PairPlay, text: str, at: str, plans: str) -> str:
    said = read_advance(seat.notes, play, text, plans)
    parsed = str(play.game.parse(play.view, said.order))
    made = turn(seat, play, said.order, plans=said.plans)
    seat.notes.answers.append(parsed)
    seat.notes.along = said.plans
    keep_ahead(seat.notes, play, said)
    for more in chain([made], _by_plans(seat, play)):
        seat.keep()
        _sign(seat, play, more)
    if play.question is None:
        _lay_own_turn(seat, play, at)
    return "\n".join([parsed, *said.lines])


@in_turn
def send_ahead(seat: PairSeat, text: str, plans: str = "") -> str:
    """Keep orders for questions to come, which answer nothing now; return them in their one form. Raises OrderError."""
    seat.must_have_begun()
    play, stands = standing(seat), seat.play()
    said = read_advance(seat.notes, play, text, plans)
    seat.notes.settle(stands.answered, stands.course.head[0])
    keep_ahead(seat.notes, stands, said)  # what answers in the turn that is not signed yet is still needed
    seat.keep()
    return "\n".join(said.lines)


def _goes_along(notes: PairNotes) -> tuple[list[str], list[str], list[Json]]:
    """Return a play's contents from the notes: if another program changes them, its turn says too little, or too much."""
    return [*notes.answers], [*notes.says], [*notes.heard]
