"""Another address for a seat, by a statement that its player signs.

Addresses are no part of a log: they stand in the host's store, so this statement is never chained. It is an envelope like the
others, `{"act":"address","game":G,"seat":S,"no":N,"address":A}`, signed in a namespace of its own (`pbem-address-v1` over its
canonical JSON), so that it can be taken for no entry of a log and no entry for it. N counts the changes of this seat in this game
from 1; one that is not higher than the last is refused, so an old change that is sent again moves nothing.
"""

from __future__ import annotations

from pbem.ledger import ADDRESS, cj, verify_sig
from pbem.mail import is_address
from pbem.referee import Envelope, Refused
from pbem.words import _

from .bounces import lift_mark
from .hosted import HostedGame
from .post import Post

_FIELDS = {"act", "game", "seat", "no", "address"}
_MOST = 2**31


def move(game: HostedGame, envelope: Envelope, post: Post, at: str) -> str:
    """Let the letters for a seat go to another address, and say so at both. Raises Refused."""
    say = envelope.say
    no, address, seat = say.get("no"), say.get("address"), game.seat(str(say.get("seat"))).seat
    if set(say) != _FIELDS or type(no) is not int or not 0 < no < _MOST or not isinstance(address, str):
        raise Refused("FORM", _("The change of address is not well formed. Let your program make it anew."))
    row = game.seats[seat]
    if not row["key"] or not verify_sig(row["key"], ADDRESS, cj(say), envelope.sig):
        raise Refused("SIG", _("The change of address is not signed by the key of {name}.", name=game.name(seat)))
    if no <= row["moves"]:
        if no == row["moves"] and address == row["address"]:
            return "duplicate: that address is here"
        raise Refused(
            "DOUBLE",
            _(
                "Change {here} of your address is here already; this one is number {no}. To change it again, write "
                "“pbem address {address} --number {next}”.",
                here=row["moves"],
                no=no,
                address=address,
                next=row["moves"] + 1,
            ),
        )
    if not is_address(address):
        raise Refused("FORM", _("“{address}” is no e-mail address; one looks like alice@example.org.", address=address))
    if post.is_own(address):
        raise Refused("FORM", _("{address} is the host's own address.", address=address))
    old = row["address"]
    lift_mark(game.house.store, address)
    game.change_seat(seat, address=address, moves=no)
    post.moved(game, seat, no, old, at)
    return f"address: {seat}"
