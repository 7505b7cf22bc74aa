"""Statements of a player in a game of two other than orders: offers, withdrawals, plans, words to the friend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import N_, _
from pbem.kernel import read_plans
from pbem.ledger import cj
from pbem.ledger.first_line import WORD
from pbem.ledger.pair import signed_word
from pbem.player.sayable import Saying

from .busy import in_turn
from .laying import again, last_of_friend, lay_words, must_have_friend, put, turn_waits, words_unsent
from .letters import SEEN
from .proving import prove
from .turns import asked_back, go_on, is_offered, must_be_his, waits_to_play_on, why_not_back

if TYPE_CHECKING:
    from .shelf import PairSeat

SAYS = ("resign", "draw", "agree", "takeback", "let", "prove", "withdraw")
_NAMED = {"takeback": "back"}
"""What a word says where a player says this."""
_WORD = {
    "resign": N_(
        "I resign our game of {title}. My signed resignation is attached; save this mail and type "
        "pbem read MAIL, or let pbem turn fetch it."
    ),
    "draw": N_(
        "I offer a draw in our game of {title}. My signed offer is attached; save this mail and type "
        "pbem read MAIL, or let pbem turn fetch it. You may agree with pbem say agree, or play on."
    ),
    "back": N_(
        "Please let me take back my last answers in our game of {title}. My signed request is "
        "attached: save this mail and type pbem read MAIL, or let pbem turn fetch it. To agree, use "
        "pbem say let. If you play on instead, my answers are final."
    ),
}
MEANT = {
    "resign": N_("You give this game up, and your friend wins. Both programs show their secrets then."),
    "draw": N_("You offer a draw. The game ends if your friend agrees; until then it continues."),
    "agree": N_("The game ends as a draw. Both programs show their secrets then."),
    "let": N_(
        "Your friend's last answers become void, and he answers again. You still know what you have "
        "seen of them. The same dice will come. Everything that you had said in advance is void."
    ),
    "takeback": N_(
        "You ask your friend to let you take back the answers at the end of your last turn, all that "
        "you gave without a break. If he agrees, you answer again, and the same dice will come. He "
        "keeps what he has seen of them. If he plays on, your answers are final."
    ),
    "withdraw": N_("Your invitation is forgotten here. If your friend still joins with it, nothing happens."),
    "prove": N_(
        "You show what proves that your friend's turn, which your program has refused, is at fault. Where that is your secret, "
        "everything of yours is open then, and the game is over."
    ),
    "play_on": N_("You leave your friend's offer unanswered, and your program plays on by itself."),
}
"""What follows from each."""
_CALLED = {
    "agree": N_("Agree to the draw that your friend offers"),
    "let": N_("Let your friend take back what he answered last"),
    "takeback": N_("Ask back what you answered last"),
    "play_on": N_("Play on"),
    "draw": N_("Offer a draw"),
    "resign": N_("Resign"),
    "withdraw": N_("Withdraw the invitation"),
}


@in_turn
def plan(seat: PairSeat, text: str, *, shows: bool | None = None) -> str:
    """Set the standing plans, also for earlier orders and premoves ("" deletes them); return them in canonical form.

    `shows` says whether they are pledged from now on; None leaves that unchanged. Raises OrderError, or UsageError if plans cannot
    be pledged; then nothing has changed.
    """
    plans = read_plans(seat.table.pack.rules, text)
    if shows is not None:
        _let_show(seat, shows=shows)
    seat.notes.plans = plans
    if not seat.notes.plans:
        seat.notes.along = ""
        seat.notes.ahead = {mark: [sent, ""] for mark, (sent, _plans) in seat.notes.ahead.items()}
    seat.keep()
    return seat.notes.plans


@in_turn
def show_plans(seat: PairSeat, *, shows: bool) -> str:
    """Start or stop pledging the plans in each battle that they cover; return what that means. Raises UsageError."""
    _let_show(seat, shows=shows)
    seat.keep()
    if shows:
        return _(
            "From the next battle that begins, your plans answer at once in each battle they cover, if "
            "your friend shows his too. He sees what your plans say about that battle once he is bound "
            "to his, and you see his."
        )
    return _("From now on only you see your plans; plans that are sealed already still apply to their battle.")


def _let_show(seat: PairSeat, *, shows: bool) -> None:
    if not seat.table.knowing.has_contests:
        raise UsageError(
            _(
                "{title} has no battles that both players' plans could fight out at once. Your plans stay on "
                "your own desk, and nobody else sees them.",
                title=seat.notes.title,
            )
        )
    seat.notes.shows = shows


@in_turn
def unsay(seat: PairSeat) -> str:
    """Take back unsent statements other than orders: an offer that was to go along, or a statement that waits."""
    waiting = seat.waiting(WORD, f"{SEEN}.{WORD}")
    if not seat.notes.says and not waiting and turn_waits(seat):
        raise UsageError(
            _(
                "A turn that you have signed waits to be sent. It is never signed in a different form, so it "
                "stays as it is. “pbem say takeback” asks your friend to let you take back its last answers, "
                "where that is possible. “pbem say resign” ends the game, and so does a draw that both want."
            )
        )
    if not seat.notes.says and not waiting:
        raise UsageError(
            _(
                "Your friend has joined, and no statement of yours waits to be sent. What was sent cannot be "
                "taken back. “pbem say resign” ends the game, and so does a draw that both want."
            )
        )
    for path in waiting:  # with the copy for the witness; laid aside, it would count as said
        path.unlink()
    seat.notes.says = []
    seat.keep()
    return _("Taken back: your friend will not hear about it.")


@in_turn
def say(seat: PairSeat, what: str, at: str) -> str:
    """Make a statement other than an order: with your own turn, or by a separate letter in the other's turn."""
    seat.must_have_begun()
    if what == "prove":
        return prove(seat, at)
    play = seat.play()
    must_be_his(seat, play)
    course = play.course
    if course.is_over or play.result is not None:
        raise UsageError(_("The game is over."))
    if course.baton != seat.notes.seat:
        if what in ("agree", "let"):
            raise UsageError(
                _("It is your friend's turn: nothing can be agreed to now. You may offer a draw yourself.")
            )
        if what == "takeback" and (why := why_not_back(seat, play)):
            raise UsageError(why)
        named = _NAMED.get(what, what)
        is_said = named in seat.words_to(course.head[0])
        word = signed_word(seat.key, play.vault, course.head, named)
        if what == "takeback":
            # by this count of answers it shows later whether the notes were written behind the consent
            seat.notes.settle(play.answered, course.head[0])
            seat.keep()
        put(
            seat,
            f"{WORD}.{named}.{course.head[0]}",
            _("a word"),
            _(_WORD[named], title=seat.notes.title),
            cj(word) + b"\n",
            at,
        )
        if is_said:
            return _("You have signed that already: {said}. Here is the letter once more.", said=what)
        if what == "takeback":
            return _(
                "Signed: you ask to take back your last answers. If your friend agrees, you answer again. If "
                "he plays on, your answers are final."
            )
        return _(
            "Signed: {said}. Your friend's program quotes it in his next turn, if he has read it by then.",
            said=what,
        )
    if what == "takeback":
        raise UsageError(why_not_back(seat, play))
    offered, asks_back = is_offered(seat, play), bool(asked_back(seat))
    if what == "let" and not asks_back:
        raise UsageError(_("Your friend asks nothing back that he could take back now."))
    if what == "let":
        return _let(seat, course.head[0], at)
    if what == "agree" and not offered:
        raise UsageError(
            _("Your friend has offered no draw; he asks to take back what he answered last: “pbem say let” lets him.")
            if asks_back
            else _("Your friend has offered no draw.")
        )
    if what == "draw" and offered:
        raise UsageError(_("Your friend offers a draw already: “pbem say agree” accepts it."))
    if what == "draw" and what in seat.notes.says:
        return _("You have said that already: your next order takes the offer along.")
    seat.notes.says = [what]  # an own offer that was to go along, too, would take the place of the friend's
    if what != "draw":
        seat.notes.void(course.head[0])
    seat.keep()
    if what == "draw":
        return _("Your next order takes the offer along.")
    go_on(seat, at)
    return _("Signed: {said}", said=what)


def _let(seat: PairSeat, last: int, at: str) -> str:
    """Agree that the friend takes their answers back, and sign only that."""
    seat.notes.says = ["back"]
    seat.notes.void(last)
    seat.keep()
    go_on(seat, at)
    return _("Signed: your friend takes back what he answered last, and is asked again.")


@in_turn
def write_words(seat: PairSeat, text: str, at: str, to: str = "") -> str:
    """Sign words for the friend, and put them in the tray; return the message to show. Raises UsageError."""
    seat.must_have_begun()
    other = next(one for one in seat.table.beginning.names if one != seat.notes.seat)
    if to not in ("", "all", other):
        raise UsageError(_("In a game of two press goes to your friend alone, {seat}.", seat=other))
    must_have_friend(seat)
    seat.talk.write(seat.notes, seat.key, text, last_of_friend(seat), at, len(words_unsent(seat)))
    if turn_waits(seat):
        again(seat, at)
        return _("Signed. It goes along with your turn, which waits to be sent.")
    lay_words(seat, at)
    return _("Signed, for your friend.")


@in_turn
def withdraw(seat: PairSeat) -> str:
    """Forget one's own invitation, and keep its log next to the games; return the message to show.

    Once the friend has joined, take back the unsent statements. Raises UsageError if there is nothing to take back.
    """
    if not seat.table.waits:
        return unsay(seat)
    seat.tray.lay_aside(*seat.waiting())
    seat.path("two").unlink()
    log = seat.path("pbem")
    log.replace(log.with_suffix(".withdrawn"))
    del seat.pairs.tables[seat.notes.game]
    return _("Withdrawn. Tell your friend, if the invitation has left: no letter does.")


def sayings_of_two(seat: PairSeat) -> tuple[Saying, ...]:
    """Return what may be said now; nothing once the game is over."""
    table = seat.table
    if table.waits:
        return (_saying("withdraw"),)
    play = seat.play()
    if play.course.is_over or play.result is not None:
        return ()
    found, said = [], ""
    back: tuple[Saying, ...] = ()
    if "draw" in seat.notes.says:
        said = _("You have said that already: your next order takes the offer along.")
        without = _("Your next order goes without the offer of a draw.")
        back = (Saying("withdraw", None, _("Take the offer of a draw back"), without, ""),)
    if asked_back(seat):
        found.append(_saying("let"))
    if is_offered(seat, play):
        found.append(_saying("agree"))
        said = _("Your friend offers a draw already.")
    if waits_to_play_on(seat):
        found.append(_saying("play_on"))
    if play.course.baton != seat.notes.seat:
        found.append(_saying("takeback", why_not_back(seat, play)))
    return (*found, _saying("draw", said), _saying("resign"), *back)


def _saying(what: str, why_not: str = "") -> Saying:
    return Saying(what, None, _(_CALLED[what]), _(MEANT[what]), why_not)
