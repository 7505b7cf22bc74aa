"""What a player says in a game of two besides his orders: offers, what he takes back, plans, words to his friend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import N_, _
from pbem.kernel import read_plans
from pbem.ledger import cj
from pbem.ledger.of_two import WORD
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
        "I resign our game of {title}. What I have signed is attached; save this mail and type pbem read MAIL, or let "
        "pbem turn fetch it."
    ),
    "draw": N_(
        "I offer a draw in our game of {title}. What I have signed is attached; save this mail and type pbem read MAIL, "
        "or let pbem turn "
        "fetch it. You may agree with pbem say agree, or play on."
    ),
    "back": N_(
        "I ask you to let me take back what I answered last in our game of {title}. What I have signed is attached; save this mail "
        "and type pbem read MAIL, or let pbem turn fetch it. You may let me with pbem say let, or play on: then it stands."
    ),
}
MEANT = {
    "resign": N_("You give this game up, and your friend wins. Both programs show their secrets then."),
    "draw": N_("You offer a draw. The game ends if your friend agrees; until then it goes on."),
    "agree": N_("The game ends as a draw. Both programs show their secrets then."),
    "let": N_(
        "What your friend answered last counts no more, and he is asked again; what you have seen of it you have seen. The same "
        "dice will come. What you had said in advance holds no longer."
    ),
    "takeback": N_(
        "You ask your friend to let you take back what your last turn ends with, all that you answered in it without a break. If "
        "he agrees, you are asked again, with the same dice to come. What he has seen of it he has seen. If he plays on, it stands."
    ),
    "withdraw": N_("Your invitation is forgotten here: should your friend join by it after all, nothing comes of it."),
    "prove": N_(
        "You show what proves that your friend's turn, which your program has refused, is at fault. Where that is your secret, "
        "everything of yours is open then, and the game is over."
    ),
    "play_on": N_("You say nothing to what lies before you, and your program goes on with what it has to say."),
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
    """Let these be the standing plans, "" for none at all, also of what was ordered or sent ahead; return them in their one
    form. `shows` says whether they are pledged from now on; None leaves that as it is.

    Raises OrderError, or UsageError where plans cannot be pledged; then nothing has changed.
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
    """Pledge the plans in each battle that they speak of, or no more; return what that means. Raises UsageError."""
    _let_show(seat, shows=shows)
    seat.keep()
    if shows:
        return _(
            "From the next battle on that begins your plans answer at once in each that they speak of, if your friend shows "
            "his as well: he sees what yours say of that battle when he is bound to his, and you see his."
        )
    return _("From now on nobody but you sees your plans; what you have sealed already holds for its battle.")


def _let_show(seat: PairSeat, *, shows: bool) -> None:
    if not seat.table.knowing.has_contests:
        raise UsageError(
            _(
                "In {title} there are no battles that plans of both could fight out at once: yours lie on your own desk, and "
                "nobody else sees them.",
                title=seat.notes.title,
            )
        )
    seat.notes.shows = shows


@in_turn
def unsay(seat: PairSeat) -> str:
    """Take back what was said besides orders and has not left: an offer that was to go along, or a word that waits."""
    waiting = seat.waiting(WORD, f"{SEEN}.{WORD}")
    if not seat.notes.says and not waiting and turn_waits(seat):
        raise UsageError(
            _(
                "What waits to be sent is a turn that you have signed: it is never signed otherwise, and stays. “pbem say "
                "takeback” asks your friend to let you take back what it ends with, where that can be; “pbem say resign” "
                "ends the game, or a draw that both want."
            )
        )
    if not seat.notes.says and not waiting:
        raise UsageError(
            _(
                "Your friend has joined, and nothing that you have said waits to be sent; what has left cannot be taken back. "
                "“pbem say resign” ends the game, or a draw that both want."
            )
        )
    for path in waiting:  # with the copy for the witness; laid aside, it would count as said
        path.unlink()
    seat.notes.says = []
    seat.keep()
    return _("Taken back: your friend hears nothing of it.")


@in_turn
def say(seat: PairSeat, what: str, at: str) -> str:
    """Say something besides an order: in this player's turn with it, in the other's by a letter of its own."""
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
                "Signed: you ask back what you answered last. You are asked again if your friend lets you; if he plays on, it "
                "stands."
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
    """Consent that the friend takes his answers back, and sign nothing else."""
    seat.notes.says = ["back"]
    seat.notes.void(last)
    seat.keep()
    go_on(seat, at)
    return _("Signed: your friend takes back what he answered last, and is asked again.")


@in_turn
def write_words(seat: PairSeat, text: str, at: str, to: str = "") -> str:
    """Sign words for the friend, and lay them ready; return what is to be said. Raises UsageError."""
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
    """Forget an own invitation; its log is kept beside the games. Once the friend has joined, take back what was said and has
    not left. Return what is to be said. Raises UsageError where nothing can be.
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
