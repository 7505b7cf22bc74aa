"""Entries out of turn, and out of time."""

from __future__ import annotations

from pbem.ledger import sha256_hex
from pbem.ledger.fields import plus_seconds

from ..forger import Forger, Piece
from .book import a_deal, a_marked_ask, a_roll, an_ask, an_ask_of_several, at_once


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
    return f.say(f.seats[0], "draw", before=f.answers(a_marked_ask(f))[0], no=2)


@at_once("ORDERING")
def a_seat_is_skipped_before_its_time_is_over(f: Forger) -> Piece:
    skip = f.first("skip")
    ask = f.asked(skip)
    for answer in f.answers(ask):
        answer.fields["at"] = plus_seconds(ask.fields["due"], -1)
    return skip


@at_once("ORDERING")
def a_roll_while_a_question_is_open(f: Forger) -> Piece:
    """Else a host could choose when to roll: before or after the last player's link is known."""
    roll = a_roll(f)
    before = [order for order in f.all("order") if f.pieces.index(order) < f.pieces.index(roll)]
    if before:
        return f.roll(roll.fields["i"], roll.fields["req"], before=before[-1])
    return f.roll(roll.fields["i"] + 1, roll.fields["req"], before=f.first("order"))


@at_once("ORDERING")
def a_roll_between_a_tell_and_its_question(f: Forger) -> Piece:
    ask = a_marked_ask(f, 0)
    return f.roll(1, a_roll(f).fields["req"], before=ask)


@at_once("ORDERING")
def a_seat_is_taken_twice(f: Forger) -> Piece:
    join = f.first("join")
    return f.insert(Piece(join.fields), before=f.next("join", join))


# --- TIME: moments and times -------------------------------------------------------------------------------------------


@at_once("TIME")
def a_question_bears_a_moment_that_has_passed(f: Forger) -> Piece:
    ask = a_marked_ask(f)
    ask.fields["at"] = plus_seconds(f.first("game").fields["at"], -1)
    ask.keeps_moment = True
    return ask


@at_once("TIME")
def a_skip_bears_a_moment_that_has_passed(f: Forger) -> Piece:
    skip = f.first("skip")
    skip.fields["at"], skip.keeps_moment = plus_seconds(f.first("game").fields["at"], -1), True
    return skip


@at_once("TIME")
def an_order_came_before_its_question(f: Forger) -> Piece:
    order = f.answers(a_marked_ask(f))[0]
    order.fields["at"], order.keeps_moment = plus_seconds(f.asked(order).fields["at"], -1), True
    return order


@at_once("TIME")
def a_question_without_a_time_to_answer(f: Forger) -> Piece:
    ask = a_marked_ask(f)
    del ask.fields["due"]
    return ask


@at_once("TIME")
def a_question_gives_less_time_than_was_agreed(f: Forger) -> Piece:
    ask = a_marked_ask(f)
    assert ask.time
    ask.time = ask.time[0], ask.time[1] - 1
    return ask


@at_once("TIME")
def a_question_gives_more_time_than_was_agreed(f: Forger) -> Piece:
    ask, terms = a_marked_ask(f), f.first("game").fields["terms"]
    assert ask.time
    ask.time = ask.time[0], 3600 * terms["most"] + 1
    return ask


@at_once("EARLY", needs="deal")
def cards_are_dealt_before_everybody_is_ready(f: Forger) -> Piece:
    deal = a_deal(f)
    f.drop(deal)
    return f.insert(deal, before=list(f.all("ready"))[-1])


@at_once("EARLY")
def dice_fall_before_everybody_has_joined(f: Forger) -> Piece:
    return f.roll(1, [{"op": "roll", "n": 1, "sides": 6}], before=list(f.all("join"))[-1])
