"""A new address for a seat, by a signed statement of its player and a confirmation from there; also a player's hours.

Addresses are in the host's store, not in a log, so this statement is never chained. It is an envelope like the others,
`{"act":"address","game":G,"seat":S,"no":N,"address":A}`. It is signed in a namespace of its own (`pbem-address-v1` over its
canonical JSON), so that it can never pass for an entry of a log, or the reverse. N counts the changes of this seat in this game
from 1. One that is not higher than the last is refused, so repeating an old change has no effect.

A signature does not show that its writer reads mail at A. A host must not write to strangers because a player says so. So A gets
one letter, with a code of 128 bits, and the old address is told. Only a mail with the line `CONFIRM code` redirects the letters.
The number of such letters a day is limited. A code is valid until the next change, or until the seat has another key or player.

A player sets when time counts for his seat in the same way:
`{"act":"time","game":G,"seat":S,"no":N,"zone":Z,"quiet":Q,"weekends":W}`, in the namespace `pbem-time-v1`. It applies from the next
question on, so nobody can move a deadline that is already set.
"""

from __future__ import annotations

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.ledger import ADDRESS, TIME, cj, verify_sig
from pbem.mail import check_address
from pbem.mail.hours import Hours
from pbem.referee import Envelope, Refused

from . import members
from .bounces import lift_mark
from .hosted import HostedGame, House
from .moments import later
from .outbox import TooMany
from .post import Post
from .store.rows import MoveRow

A_DAY = 3
"""The maximum number of new addresses that a seat may name in 24 hours."""
_TIME = {"act", "game", "seat", "no", "zone", "quiet", "weekends"}
_MOST = 2**31


def ask(game: HostedGame, envelope: Envelope, post: Post, at: str) -> str:
    """Ask at another address whether the letters for a seat shall go there, and tell the old one. Raises Refused."""
    say = envelope.say
    no, address, seat = say.get("no"), say.get("address"), game.seat_of(envelope)
    if (
        set(say) != {"act", "game", "seat", "no", "address"}
        or type(no) is not int
        or not 0 < no < _MOST
        or not isinstance(address, str)
    ):
        raise Refused("FORM", _("The change of address is malformed. Let your program make it again."))
    row = game.seats[seat]
    if not row.key or not verify_sig(row.key, ADDRESS, cj(say), envelope.sig):
        raise Refused("SIG", _("The change of address is not signed by the key of {name}.", name=game.name(seat)))
    store = game.house.store
    if no <= row.moves:
        asked = store.get(MoveRow, game=game.id, seat=seat, no=no)
        if no == row.moves and asked and asked.address == address:
            return "duplicate: that address is known"
        raise Refused(
            "DOUBLE",
            _(
                "Change {here} of your address is here already; this one is number {no}. To change it again, write "
                "“pbem address {address} --number {next}”.",
                here=row.moves,
                no=no,
                address=address,
                next=row.moves + 1,
            ),
        )
    try:
        check_address(address)
    except UsageError as error:
        raise Refused("FORM", str(error)) from error
    if post.is_own(address):
        raise Refused("FORM", _("{address} is the host's own address.", address=address))
    today = store.find(MoveRow, game=game.id, seat=seat, since=later(at, hours=-24))
    if len(today) >= A_DAY or not post.may_answer("moving", address, at):
        raise TooMany(
            _("Other addresses have been named too often today. Your letters go where they went; ask again tomorrow.")
        )
    forget(game, seat)
    stays = address.lower() == row.address.lower()
    code = "" if stays else game.house.root.token(f"address {game.g} {seat} {no} {address}")
    store.insert("moves", game=game.id, seat=seat, no=no, address=address, code=code, at=at)
    game.change_seat(seat, moves=no)
    post.moving(game, seat, at, address, no, code)
    return f"address: {seat}, stays" if stays else f"address: {seat}, to be confirmed"


def confirm(house: House, post: Post, code: str, at: str) -> str:
    """Redirect the letters for a seat to the address that returned its code, and tell both addresses. Return what was done."""
    move = house.store.get(MoveRow, code=code) if code else None
    if move is None:
        return "ignored: CONFIRM of nothing that is asked"
    game, seat = house.game(move.game), move.seat
    old = game.seats[seat].address
    forget(game, seat)
    lift_mark(house.store, move.address)
    game.change_seat(seat, address=move.address)
    members.moved(house.store, old, move.address)
    for place in ("new", "old"):
        post.moved(game, seat, at, move.no, old, place)
    return f"moved: {seat}"


def forget(game: HostedGame, seat: str) -> None:
    """Let no address be confirmed any more that was named for a seat until now."""
    for move in game.house.store.find(MoveRow, game=game.id, seat=seat):
        game.house.store.change("moves", (game.id, seat, move.no), code="")


def set_clock(game: HostedGame, envelope: Envelope, post: Post, at: str) -> str:
    """Let time count for a seat as its player says. Raises Refused."""
    say = envelope.say
    seat, no = game.seat_of(envelope), say.get("no")
    words = [say.get(name) for name in ("zone", "quiet", "weekends")]
    zone, quiet, weekends = (word if isinstance(word, str) else "" for word in words)
    if set(say) != _TIME or type(no) is not int or not 0 < no < _MOST or not all(isinstance(w, str) for w in words):
        raise Refused("FORM", _("Your statement about your time is malformed. Let your program make it again."))
    row = game.seats[seat]
    if not row.key or not verify_sig(row.key, TIME, cj(say), envelope.sig):
        why = _("The statement about the time of {name} is not signed by the key of that seat.", name=game.name(seat))
        raise Refused("SIG", why)
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
                "You have already changed your hours {times} times; this is number {no}. To change them "
                "again, add “--number {next}” to “pbem time”.",
                times=row.clocks,
                no=no,
                next=row.clocks + 1,
            ),
        )
    game.change_seat(seat, zone=hours.zone, quiet=hours.quiet, weekends=hours.weekends, clocks=no)
    post.clock(game, seat, at, no)
    return f"time: {seat}"
