"""The misdeeds of PROTOCOL 7 that a log shows, one function each: it changes a `Forger` and returns the entry found at fault.

`AT_ONCE` holds those that every copy shows with the next report, `BY_THE_RULES` those for which the rules must be replayed.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from pbem.ledger import sha256_hex

from .forger import Forger, Piece, Sealed

IDENTITY_KEY = (
    "ssh-ed25519 " + base64.b64encode(b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + (1).to_bytes(32, "little")).decode()
)


Mount: TypeAlias = Callable[[Forger], Piece]


@dataclass(frozen=True, slots=True)
class Misdeed:
    """A misdeed: its code, who is blamed, and what the host does."""

    code: str
    party: str
    mount: Mount
    at_the_end: bool = False
    """Needs a game that was played to its end."""
    needs: str = ""
    """What not every game has (`recorded.LACKING`)."""

    def __str__(self) -> str:
        return f"{self.code}-{self.mount.__name__}"


AT_ONCE: list[Misdeed] = []
BY_THE_RULES: list[Misdeed] = []


def _listed(book: list[Misdeed], *what: Any) -> Callable[[Mount], Mount]:
    def list_it(mount: Mount) -> Mount:
        code, party, at_the_end, needs = what
        book.append(Misdeed(code, party, mount, at_the_end, needs))
        return mount

    return list_it


def at_once(code: str, *, at_the_end: bool = False, needs: str = "") -> Callable[[Mount], Mount]:
    """Whoever holds a copy finds it when the next report comes."""
    return _listed(AT_ONCE, code, "host", at_the_end, needs)


def by_the_rules(code: str, *, at_the_end: bool = False, needs: str = "") -> Callable[[Mount], Mount]:
    """Only the audit finds it, once what it needs is open."""
    return _listed(BY_THE_RULES, code, "host", at_the_end, needs)


def a_roll(f: Forger, no: int = 0) -> Piece:
    return list(f.all("rand", lambda fields: fields["chain"] == "pub"))[no]


def a_draw(f: Forger) -> Piece:
    return f.first("rand", lambda fields: fields["chain"].startswith("priv:"))


def a_deal(f: Forger) -> Piece:
    return f.first("rand", lambda fields: fields["chain"].startswith("deal:"))


def a_marked_ask(f: Forger, no: int = 1) -> Piece:
    """A question with a mark, to several seats where the game marks such."""
    marked = list(f.all("ask", lambda fields: "mark" in fields))
    return ([ask for ask in marked if len(ask.fields["to"]) > 1] or marked)[no]


def an_ask_of_several(f: Forger) -> Piece:
    """A question that several seats answered, and whose answers are opened with the next report."""
    asks = f.all("ask", lambda fields: fields["secret"] == "until resolved" and len(fields["to"]) > 1)
    return next(ask for ask in asks if all(answer.k == "order" for answer in f.answers(ask)))


def an_ask(f: Forger, secret: str) -> Piece:
    return f.first("ask", lambda fields: fields["secret"] == secret)


# --- RAND and LINK: a die is changed, a player's link is left out -----------------------------------------------------


@at_once("RAND")
def a_die_is_changed(f: Forger) -> Piece:
    roll = a_roll(f)
    roll.fields["res"][0][0] = roll.fields["res"][0][0] % 6 + 1
    return roll


@at_once("RAND")
def a_players_link_is_left_out(f: Forger) -> Piece:
    return _other_dice(f, lambda links: links[1:])


@at_once("RAND", needs="later roll")
def a_players_older_link_is_used(f: Forger) -> Piece:
    ready = f.first("ready").fields["say"]
    return _other_dice(f, lambda links: [[ready["seat"], 1, ready["link"]], *links[1:]])


def _other_dice(f: Forger, change: Callable[[list[list[Any]]], list[list[Any]]]) -> Piece:
    """Make a roll with other links than it should, the first one that comes out otherwise by it."""
    for roll in f.all("rand", lambda fields: fields["chain"] == "pub"):
        dice = f.outcome(roll, roll.fields["req"], change(sorted(f.links_at(roll))))
        if dice != roll.fields["res"]:
            roll.fields["res"] = dice
            return roll
    raise LookupError("every roll comes out the same")


@at_once("LINK")
def a_public_link_leads_nowhere(f: Forger) -> Piece:
    roll = a_roll(f)
    roll.fields["x"] = sha256_hex(roll.fields["x"].encode())
    return roll


@at_once("LINK")
def a_players_link_leads_nowhere(f: Forger) -> Piece:
    order = f.answers(a_marked_ask(f))[0]
    order.fields["say"]["link"] = sha256_hex(b"a link of my own")
    return order


@at_once("LINK")
def a_player_gives_the_link_of_the_last_mark_again(f: Forger) -> Piece:
    before, order = (f.answers(a_marked_ask(f, no))[0] for no in (0, 1))
    order.fields["say"] |= {name: before.fields["say"][name] for name in ("link", "link_n")}
    return order


@at_once("LINK")
def ready_with_the_second_link(f: Forger) -> Piece:
    ready = f.first("ready")
    chain = f.recorded.table.pens[ready.seat].chain
    ready.fields["say"] |= {"link": chain.x(2), "link_n": 2}
    return ready


# --- REQ: extra, discarded and other rolls ----------------------------------------------------------------------------


@at_once("REQ")
def a_roll_is_thrown_away_in_silence(f: Forger) -> Piece:
    roll = a_roll(f)
    roll.fields |= {"i": 2, "x": f.x("pub", 2)}
    roll.fields["res"] = f.outcome(roll, roll.fields["req"])
    f.next("tell", roll).fields["rolls"] = [2]
    return roll


def _roll_again(f: Forger) -> Piece:
    """Roll once more, with the next index, and go by the second roll."""
    roll = a_roll(f)
    f.roll(1, roll.fields["req"], before=roll)
    roll.fields |= {"i": 2, "x": f.x("pub", 2)}
    roll.fields["res"] = f.outcome(roll, roll.fields["req"])
    f.cut(roll)
    return roll


@at_once("REQ")
def a_second_roll_is_made_and_the_first_not_reported(f: Forger) -> Piece:
    tell = f.next("tell", _roll_again(f))
    tell.fields["rolls"] = [2]
    return tell


@at_once("REQ")
def a_roll_is_not_reported(f: Forger) -> Piece:
    tell = f.next("tell", a_roll(f))
    tell.fields["rolls"] = tell.fields["rolls"][1:]
    return tell


@at_once("REQ")
def a_roll_is_reported_that_never_fell(f: Forger) -> Piece:
    tell = f.next("tell", a_roll(f))
    tell.fields["rolls"] = [*tell.fields["rolls"], 7]
    return tell


@at_once("REQ")
def an_index_comes_twice(f: Forger) -> Piece:
    roll = a_roll(f)
    again = f.roll(1, roll.fields["req"], before=f.next("tell", roll))
    f.next("tell", roll).fields["rolls"].append(1)
    return again


@by_the_rules("REQ")
def a_second_roll_is_made_and_both_are_reported(f: Forger) -> Piece:
    roll = _roll_again(f)
    f.next("tell", roll).fields["rolls"] = [1, 2]
    return roll


@by_the_rules("REQ")
def other_dice_are_rolled_than_the_rules_ask_for(f: Forger) -> Piece:
    roll = a_roll(f)
    roll.fields["req"][0]["sides"] += 1
    roll.fields["res"] = f.outcome(roll, roll.fields["req"])
    return roll


@by_the_rules("REQ", needs="draw")
def a_draw_is_made_from_another_pool(f: Forger) -> Piece:
    draw = a_draw(f)
    req = draw.value(draw.fields["chain"][5:])[0]
    req[0]["of"] = req[0]["of"][::-1]
    draw.say(draw.fields["chain"][5:], [req, f.outcome(draw, req)])
    return draw


@by_the_rules("REQ")
def a_deal_is_made_from_another_list(f: Forger) -> Piece:
    deal = a_deal(f)
    req = deal.fields["req"] if "req" in deal.fields else deal.value("req")
    req[0]["of"] = req[0]["of"][::-1]
    for place, value in enumerate(value for values in f.outcome(deal, req) for value in values):
        deal.say(f"p{place}", value)
    return deal


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
    tell.fields["pub"]["facts"] = tell.fields["pub"]["facts"][1:]
    return _next_order(f, after=tell)


@at_once("SEEN")
def an_order_is_dropped_and_the_seat_skipped(f: Forger) -> Piece:
    ask = a_marked_ask(f, 0)
    order = f.answers(ask)[-1]
    skip = Piece({"k": "skip", "to": order.seat, "ask": ask, "why": "due", "at": "2030-01-01T00:00:00Z"})
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


# --- ORDERING and EARLY: entries out of turn --------------------------------------------------------------------------


@at_once("ORDERING")
def orders_stand_out_of_the_order_of_seats(f: Forger) -> Piece:
    first, second = f.answers(an_ask_of_several(f))[:2]
    f.drop(second)
    f.insert(second, before=first)
    return first


@at_once("ORDERING")
def a_question_without_a_tell(f: Forger) -> Piece:
    ask = an_ask(f, "no")
    f.drop(f.last("tell", before=ask))
    return ask


@at_once("ORDERING", at_the_end=True)
def the_end_without_a_tell(f: Forger) -> Piece:
    end = f.first("end")
    f.drop(f.last("tell", before=end))
    return end


@at_once("ORDERING")
def two_tells_in_a_row(f: Forger) -> Piece:
    tell = f.last("tell", before=a_marked_ask(f))
    again = Piece({**tell.fields, "opens": [], "links": [], "rolls": []})
    again.openings = {name: [sha256_hex(name.encode())[:32], value] for name, (_, value) in tell.openings.items()}
    return f.insert(again, before=a_marked_ask(f))


@at_once("ORDERING")
def a_tell_while_a_question_is_open(f: Forger) -> Piece:
    ask = an_ask_of_several(f)
    tell = f.next("tell", ask)
    tell.fields["opens"] = tell.fields["rolls"] = []
    f.drop(tell)
    return f.insert(tell, before=f.answers(ask)[1])


@at_once("ORDERING")
def a_question_while_another_is_open(f: Forger) -> Piece:
    ask = an_ask_of_several(f)
    again = Piece({name: value for name, value in ask.fields.items() if name != "mark"})
    return f.insert(again, before=f.answers(ask)[1])


@at_once("ORDERING")
def a_mark_jumps(f: Forger) -> Piece:
    ask = a_marked_ask(f)
    ask.fields["mark"] += 1
    return ask


@at_once("ORDERING")
def a_say_number_jumps(f: Forger) -> Piece:
    ask, seat = a_marked_ask(f), f.seats[0]
    said = {"act": "draw", "game": f.recorded.table.id, "seat": seat, "no": 2, "seen": ask}
    return f.insert(
        Piece({"k": "say", "by": seat, "say": said, "at": "2030-01-01T00:00:00Z"}), before=f.answers(ask)[0]
    )


@at_once("ORDERING")
def a_seat_is_skipped_before_its_time_is_over(f: Forger) -> Piece:
    skip = f.first("skip")
    skip.fields["at"] = "2029-12-31T23:59:59Z"
    return skip


@at_once("ORDERING")
def a_seat_without_a_time_limit_is_skipped(f: Forger) -> Piece:
    skip = f.first("skip")
    del f.asked(skip).fields["due"]
    return skip


@at_once("ORDERING")
def a_roll_while_a_question_is_open(f: Forger) -> Piece:
    """Else a host could choose when to roll: before or after the last player's link is known."""
    roll = a_roll(f)
    before = [order for order in f.all("order") if f.pieces.index(order) < f.pieces.index(roll)]
    if before:
        return f.roll(1, roll.fields["req"], before=before[-1])
    return f.roll(2, roll.fields["req"], before=f.first("order"))


@at_once("ORDERING")
def a_roll_between_a_tell_and_its_question(f: Forger) -> Piece:
    ask = a_marked_ask(f, 0)
    return f.roll(1, a_roll(f).fields["req"], before=ask)


@at_once("ORDERING")
def a_seat_is_taken_twice(f: Forger) -> Piece:
    join = f.first("join")
    return f.insert(Piece(join.fields), before=f.next("join", join))


@at_once("EARLY")
def cards_are_dealt_before_everybody_is_ready(f: Forger) -> Piece:
    deal = a_deal(f)
    f.drop(deal)
    return f.insert(deal, before=list(f.all("ready"))[-1])


@at_once("EARLY")
def dice_fall_before_everybody_has_joined(f: Forger) -> Piece:
    return f.roll(1, [{"op": "roll", "n": 1, "sides": 6}], before=list(f.all("join"))[-1])


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
    tell.fields["pub"]["facts"] = tell.fields["pub"]["facts"][:-1]
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


@by_the_rules("TELL")
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
    end.fields["result"] = {**end.fields["result"], "winner": "nobody"}
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
