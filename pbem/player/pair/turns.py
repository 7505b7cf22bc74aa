"""This player's turn in a game of two: what holds no decision is signed by itself, all else when he has said it.

What is signed stands in the log before it lies in the tray, and is never signed otherwise.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.ledger import player_root
from pbem.ledger.of_two import WORD
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
    """Sign what holds no decision, and lay it ready; return the play where something is asked now."""
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
    """Raise UsageError where the key that lies here is his friend's: it would sign in the friend's name."""
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
    """Say in a play what can be said without the player: what is owed, what he has answered already, what his plans answer.

    Each time that something was said, or the notes have changed, it yields what is to be signed, perhaps nothing yet.
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
    """Say in a play what is due, and an answer; `plans` are those that go with it, if they are others than the last ones."""
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
    """What stands first in this turn: quoted words, what the player says, another key."""
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
    """Has this player given up, in words that count no more, and the game goes on?"""
    return "resign" in lapsed(seat) and play.result is None and not play.course.closed[0]


def lapsed(seat: PairSeat) -> list[str]:
    """Return what this player has said in the friend's turn that came last, and that turn does not quote: it counts no more."""
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
    theirs = seat.last_turn(own=False)
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
                "Your friend had signed his turn before he read that you resign: that counts no more, and the game goes on. "
                "“pbem say resign” says it again, now with your own turn; {plays_on}.",
                plays_on=plays_on,
            )
        )
    return "\n".join(said)


def waits_to_play_on(seat: PairSeat) -> bool:
    """Has this player's program something to say without him, and holds it back until he has answered an offer?"""
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
    """Say who is waited for, and what goes on from there."""
    if seat.state == "over":
        return _("The game is over: nothing is asked any more.")
    if seat.state == "mine":
        return _("You are not asked anything now.")
    if turn_waits(seat):
        return _(
            "You are not asked anything now: your friend's program is to go on, and your own letter to it has not left yet. "
            "“pbem send” sends it."
        )
    return _(
        "You are not asked anything now: it is your friend's turn. “pbem read” takes his letter when it has come; if yours "
        "may be lost, “pbem resend” lays it ready again."
    )


def order(seat: PairSeat, play: PairPlay, text: str, at: str, plans: str = "") -> str:
    """Answer what a play that goes on asks; sign the turn if it asks no more.

    The text may hold lines that begin with PLAN, beside those of `plans`, or with AHEAD: they hold from now on. Return it in
    its one form. Raises OrderError where something is not legal: then nothing has changed.
    """
    holds = _goes_along(seat.notes)
    with seat.alone():
        if play.course.head != seat.table.head or _goes_along(seat.notes) != holds:
            raise UsageError(
                _(
                    "Another program of yours, a page that is open or another command, has gone on with this game meanwhile: "
                    "nothing of this was signed. Look how it stands now (“pbem board”), and order again if you are asked."
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
    """Return what a play holds of the notes: if another program changes that, its turn says too little, or too much."""
    return [*notes.answers], [*notes.says], [*notes.heard]
