"""Misdeeds with what entries hold: their form, seals, openings, false reports, and orders that are not legal."""

from __future__ import annotations

from pbem.ledger import sha256_hex

from ..forger import Forger, Piece, Sealed
from .book import a_deal, a_draw, a_marked_ask, a_roll, an_ask, an_ask_of_several, at_once, by_the_rules

# --- FORM, SEALBIND, STRAY, TELL: what entries hold -------------------------------------------------------------------


@at_once("FORM")
def a_seat_gets_no_report(f: Forger) -> Piece:
    tell = f.first("tell")
    del tell.openings[f.seats[-1]]
    return tell


@at_once("FORM")
def a_secret_order_is_shown(f: Forger) -> Piece:
    order = f.answers(a_marked_ask(f))[0]
    order.fields["say"]["pub"] = {"order": order.value("order")}
    return order


@at_once("FORM")
def a_public_order_is_hidden(f: Forger) -> Piece:
    order = f.answers(an_ask(f, "no"))[0]
    order.fields["say"]["pub"] = {}
    return order


@at_once("SEALBIND")
def an_order_given_in_the_open_is_another_than_the_one_sealed(f: Forger) -> Piece:
    order = f.answers(an_ask(f, "no"))[0]
    order.fields["say"]["pub"] = {"order": order.value("order") + " AND MORE"}
    return order


@at_once("SEALBIND")
def a_seal_repeats_a_digest(f: Forger) -> Piece:
    """Two orders under one seal: only one of them could ever be opened."""
    first, second = f.answers(an_ask_of_several(f))[:2]
    second.before_signing = lambda say: say["seals"].update(first.digests)
    return second


@at_once("STRAY")
def a_tell_opens_what_was_never_sealed(f: Forger) -> Piece:
    tell = f.first("tell")
    tell.fields["opens"] = [*tell.fields["opens"], sha256_hex(b"nothing")]
    return tell


@at_once("STRAY")
def a_tell_opens_what_was_opened_before(f: Forger) -> Piece:
    earlier = next(tell for tell in f.all("tell") if tell.fields["opens"])
    tell = f.next("tell", earlier)
    tell.fields["opens"] = [earlier.fields["opens"][0], *tell.fields["opens"]]
    return tell


@at_once("STRAY", needs="draw")
def a_tell_shows_a_link_of_a_private_chain(f: Forger) -> Piece:
    draw = a_draw(f)
    tell = f.next("tell", draw)
    tell.fields["links"] = [[draw.fields["chain"], draw.fields["i"]]]
    return tell


@at_once("STRAY")
def a_tell_shows_the_link_of_a_deal_that_was_not_made(f: Forger) -> Piece:
    tell = f.first("tell")
    tell.fields["links"] = [["deal:2", 1]]
    return tell


@at_once("TELL")
def a_public_order_is_not_opened(f: Forger) -> Piece:
    tell = f.next("tell", f.answers(an_ask(f, "no"))[0])
    tell.fields["opens"] = []
    return tell


# --- TELL and PLAN: false reports -------------------------------------------------------------------------------------


def _a_report(f: Forger) -> Piece:
    return f.next("tell", a_roll(f))


@by_the_rules("TELL")
def a_fact_is_kept_from_everybody(f: Forger) -> Piece:
    tell = _a_report(f)
    last = tell.fields["pub"]["facts"][-1]
    f.retell(tell, lambda fact: None if fact is last else fact)
    return tell


@by_the_rules("TELL")
def the_public_view_is_false(f: Forger) -> Piece:
    tell = _a_report(f)
    tell.fields["pub"]["view"] = {**tell.fields["pub"]["view"], "turn": 99}
    return tell


@by_the_rules("TELL")
def a_seat_is_told_other_facts(f: Forger) -> Piece:
    tell = _a_report(f)
    told = tell.value(f.seats[0])
    tell.say(f.seats[0], {**told, "facts": told["facts"][:-1]})
    return tell


@by_the_rules("TELL")
def a_seat_is_shown_a_false_view(f: Forger) -> Piece:
    tell = _a_report(f)
    told = tell.value(f.seats[-1])
    tell.say(f.seats[-1], {**told, "view": {**told["view"], "turn": 99}})
    return tell


@by_the_rules("TELL")
def the_sealed_position_is_another(f: Forger) -> Piece:
    tell = _a_report(f)
    tell.say("state", sha256_hex(b"another position"))
    return tell


@by_the_rules("TELL")
def a_tell_does_not_open_what_was_resolved(f: Forger) -> Piece:
    tell = f.next("tell", an_ask_of_several(f))
    tell.fields["opens"] = tell.fields["opens"][1:]
    return tell


@by_the_rules("TELL", needs="until end")
def a_tell_opens_what_is_secret_to_the_end(f: Forger) -> Piece:
    order = f.answers(an_ask(f, "until end"))[0]
    tell = f.next("tell", order)
    tell.fields["opens"] = [*tell.fields["opens"], Sealed(order, "order")]
    return tell


@by_the_rules("TELL", needs="release")
def the_link_of_a_deal_is_kept_back(f: Forger) -> Piece:
    tell = next(tell for tell in f.all("tell") if tell.fields["links"])
    tell.fields["links"] = []
    return tell


@by_the_rules("TELL", needs="release")
def the_link_of_a_deal_is_shown_too_early(f: Forger) -> Piece:
    """Whoever has the link knows every card of the deal that is still hidden."""
    tell = f.next("tell", a_deal(f))
    late = next(tell for tell in f.all("tell") if tell.fields["links"])
    late.fields["links"] = late.fields["links"][1:]
    tell.fields["links"] = [["deal:1", 1]]
    return tell


@by_the_rules("TELL", at_the_end=True)
def the_result_is_false(f: Forger) -> Piece:
    end = f.first("end")
    result = end.fields["result"]
    end.fields["result"] = {**result, "winner": next(seat for seat in f.seats if seat != result["winner"])}
    return end


# --- ORDERING and ILLEGAL by the rules --------------------------------------------------------------------------------


@by_the_rules("ORDERING")
def another_question_is_put(f: Forger) -> Piece:
    ask = an_ask(f, "no")
    ask.fields["what"] = "something else"
    return ask


@by_the_rules("ORDERING")
def a_sealed_question_bears_another_secrecy(f: Forger) -> Piece:
    ask = an_ask_of_several(f)
    ask.fields["secret"] = "until end"
    return ask


@by_the_rules("ILLEGAL")
def a_sealed_order_is_taken_that_is_not_legal(f: Forger) -> Piece:
    order = f.answers(a_marked_ask(f))[0]
    order.say("order", "XYZZY")
    return order


@by_the_rules("ILLEGAL")
def a_public_order_is_taken_that_is_not_legal(f: Forger) -> Piece:
    order = f.answers(an_ask(f, "no"))[0]
    order.say("order", f.answers(a_marked_ask(f))[0].value("order"))
    return order
