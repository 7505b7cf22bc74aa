"""A player's signed choice of which letters, ready at the web address, also come by mail.

It is in no log: `{"act":"post","game":G,"seat":S,"no":N,"mail":M}` with M “all”, “short” or “none”, signed in the namespace
`pbem-post-v1` over its canonical JSON. N counts the statements of this seat in this game from 1. One that is not higher than the
last is refused, so repeating an old one changes nothing. A host without a web address sends everything; with “short” its reports
are two lines, with the lines of the log attached.
"""

from __future__ import annotations

from pbem.i18n import _
from pbem.ledger import POST, cj, verify_sig
from pbem.referee import Envelope, Refused

from .hosted import HostedGame
from .post import Post

WHAT = ("all", "short", "none")


def choose(game: HostedGame, envelope: Envelope, post: Post, at: str) -> str:
    """Set which letters a seat gets by mail, as its player wishes; return what was done. Raises Refused."""
    say = envelope.say
    seat, no, mail = game.seat_of(envelope), say.get("no"), say.get("mail")
    if (
        set(say) != {"act", "game", "seat", "no", "mail"}
        or type(no) is not int
        or not 0 < no < 2**31
        or mail not in WHAT
    ):
        raise Refused("FORM", _("Your statement about your mail is malformed. Let your program make it again."))
    row = game.seats[seat]
    if not row.key or not verify_sig(row.key, POST, cj(say), envelope.sig):
        raise Refused(
            "SIG",
            _("The statement about the mail of {name} is not signed by the key of that seat.", name=game.name(seat)),
        )
    if no <= row.mails:
        if no == row.mails and mail == row.mail:
            return "duplicate: that is known"
        raise Refused(
            "DOUBLE",
            _(
                "You have said {times} times already what you want by mail; this is number {no}. To say it again, add "
                "“--number {next}” to “pbem letters”.",
                times=row.mails, no=no, next=row.mails + 1,
            ),
        )  # fmt: skip
    game.change_seat(seat, mail=mail, mails=no)
    post.mails_set(game, seat, at, no)
    return f"mail: {seat}"
