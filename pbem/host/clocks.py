"""When time counts for a seat, by a statement that its player signs.

Like an address (see `moves`) it is no part of a log: `{"act":"time","game":G,"seat":S,"no":N,"zone":Z,"quiet":Q,"weekends":W}`,
signed in a namespace of its own (`pbem-time-v1` over its canonical JSON). N counts these statements of this seat in this game
from 1, and one that is not higher than the last is refused. It holds from the next question on: nobody moves a deadline that
stands.
"""

from __future__ import annotations

from pbem.errors import UsageError
from pbem.ledger import TIME, cj, verify_sig
from pbem.referee import Envelope, Refused
from pbem.words import _

from .hosted import HostedGame
from .hours import Hours
from .post import Post

_FIELDS = {"act", "game", "seat", "no", "zone", "quiet", "weekends"}
_MOST = 2**31


def set_clock(game: HostedGame, envelope: Envelope, post: Post, at: str) -> str:
    """Let time count for a seat as its player says. Raises Refused."""
    say = envelope.say
    seat, no = game.seat_of(envelope), say.get("no")
    words = [say.get(name) for name in ("zone", "quiet", "weekends")]
    zone, quiet, weekends = (word if isinstance(word, str) else "" for word in words)
    if set(say) != _FIELDS or type(no) is not int or not 0 < no < _MOST or not all(isinstance(w, str) for w in words):
        raise Refused("FORM", _("What you say about your time is not well formed. Let your program make it anew."))
    row = game.seats[seat]
    if not row.key or not verify_sig(row.key, TIME, cj(say), envelope.sig):
        raise Refused(
            "SIG",
            _("What is said about the time of {name} is not signed by the key of that seat.", name=game.name(seat)),
        )
    try:
        hours = Hours.read(zone, quiet, weekends)
    except UsageError as error:
        raise Refused("FORM", str(error)) from error
    if no <= row.clocks:
        if no == row.clocks and hours == game.clock(seat):
            return "duplicate: that is known"
        raise Refused(
            "DOUBLE",
            _(
                "You have said {times} times already when time counts for you; this is number {no}. To say it again, "
                "add “--number {next}” to “pbem time”.",
                times=row.clocks,
                no=no,
                next=row.clocks + 1,
            ),
        )
    game.change_seat(seat, zone=hours.zone, quiet=hours.quiet, weekends=hours.weekends, clocks=no)
    post.clock(game, seat, no, at)
    return f"time: {seat}"
