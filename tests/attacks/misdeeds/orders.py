"""Misdeeds with what players sign: forged, edited, meant for something else; and a past that is changed after they saw it."""

from __future__ import annotations

from typing import Any

from pbem.ledger import sha256_hex

from ..forger import Forger, Piece
from .book import IDENTITY_KEY, a_marked_ask, an_ask, an_ask_of_several, at_once

# --- SIG, BIND, ASK: orders forged, edited, or meant for something else -----------------------------------------------


@at_once("SIG")
def an_order_is_forged(f: Forger) -> Piece:
    order = f.answers(a_marked_ask(f))[0]
    order.signer = f.seats[-1]
    return order


@at_once("SIG")
def an_order_is_edited(f: Forger) -> Piece:
    order = f.answers(a_marked_ask(f))[0]

    def edit(fields: dict[str, Any]) -> None:
        fields["say"]["seals"]["plans"] = sha256_hex(b"no plans of his")

    order.before_chaining = edit
    return order


@at_once("SIG")
def ready_is_forged(f: Forger) -> Piece:
    ready = f.first("ready")
    ready.signer = f.seats[-1]
    return ready


@at_once("SIG")
def a_key_joins_under_which_any_signature_fits(f: Forger) -> Piece:
    join = f.first("join")
    join.fields["say"]["key"] = IDENTITY_KEY
    return join


@at_once("BIND")
def an_order_of_another_game(f: Forger) -> Piece:
    order = f.answers(a_marked_ask(f))[0]
    order.before_signing = lambda say: say.update(game=sha256_hex(b"another game"))
    return order


@at_once("BIND")
def an_order_of_another_seat(f: Forger) -> Piece:
    order = f.answers(a_marked_ask(f))[0]
    order.before_signing = lambda say: say.update(seat=f.seats[-1])
    return order


@at_once("ASK")
def an_order_for_an_earlier_question(f: Forger) -> Piece:
    order = f.answers(a_marked_ask(f))[0]
    order.fields["say"]["ask"] = a_marked_ask(f, 0)
    return order


@at_once("ASK")
def an_order_of_a_seat_that_was_not_asked(f: Forger) -> Piece:
    order = f.answers(an_ask(f, "no"))[0]
    other = next(seat for seat in f.seats if seat != order.seat)
    order.fields["by"] = order.fields["say"]["seat"] = other
    return order


@at_once("ASK")
def a_second_order_of_a_seat(f: Forger) -> Piece:
    first = f.answers(an_ask_of_several(f))[0]
    again = Piece({**first.fields, "say": {**first.fields["say"], "rev": 1}})
    again.openings = {name: [sha256_hex(name.encode())[:32], value] for name, (_, value) in first.openings.items()}
    return f.insert(again, before=f.answers(an_ask_of_several(f))[1])


# --- SEEN: the past is changed after players saw it -------------------------------------------------------------------


def _next_order(f: Forger, after: Piece) -> Piece:
    """The next order, signed by a player who saw what the host has taken back."""
    f.stubborn = set(f.seats)
    return f.next("order", after)


@at_once("SEEN")
def the_past_is_edited(f: Forger) -> Piece:
    tell = f.last("tell", before=a_marked_ask(f))
    first = tell.fields["pub"]["facts"][0]
    f.retell(tell, lambda fact: None if fact is first else fact)
    return _next_order(f, after=tell)


@at_once("SEEN")
def an_order_is_dropped_and_the_seat_skipped(f: Forger) -> Piece:
    ask = a_marked_ask(f, 0)
    order = f.answers(ask)[-1]
    skip = Piece({"k": "skip", "to": order.seat, "ask": ask, "why": "due", "at": ask.fields["due"]})
    f.insert(skip, before=order)
    f.drop(order)
    f.next("tell", skip).fields["opens"] = [x for x in f.next("tell", skip).fields["opens"] if x.piece is not order]
    for roll in f.all("rand", lambda fields: fields["chain"] == "pub"):
        roll.fields["res"] = f.outcome(roll, roll.fields["req"])
    return _next_order(f, after=skip)


@at_once("SEEN")
def an_order_saw_less_than_the_question(f: Forger) -> Piece:
    order = f.answers(a_marked_ask(f))[0]
    order.fields["say"]["seen"] = f.last("tell", before=f.asked(order))
    return order


@at_once("SEEN")
def ready_was_said_before_all_had_joined(f: Forger) -> Piece:
    ready = f.first("ready")
    ready.fields["say"]["seen"] = f.first("join")
    return ready
