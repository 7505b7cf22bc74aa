"""Misdeeds with dice, draws and deals: changed, left out, made again, made of something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.ledger import sha256_hex

from ..forger import Forger, Piece
from .book import a_deal, a_draw, a_marked_ask, a_roll, at_once, by_the_rules

# --- RAND and LINK: a die is changed, a player's link is left out -----------------------------------------------------


@at_once("RAND")
def a_die_is_changed(f: Forger) -> Piece:
    roll = a_roll(f)
    roll.fields["res"][0][0] = roll.fields["res"][0][0] % 6 + 1
    return roll


@at_once("RAND", needs="one")
def a_true_stands_for_a_one(f: Forger) -> Piece:
    """Programs to which they are the same would see no difference."""
    roll = f.first("rand", lambda fields: fields["chain"] == "pub" and 1 in fields["res"][0])
    roll.fields["res"][0] = [True if die == 1 else die for die in roll.fields["res"][0]]
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
def an_answer_to_a_marked_question_gives_no_link(f: Forger) -> Piece:
    """The dice that follow would hang on an older one, which others know."""
    order = f.answers(a_marked_ask(f))[0]
    for name in ("link", "link_n"):
        del order.fields["say"][name]
    return order


@at_once("LINK")
def an_answer_to_an_unmarked_question_gives_a_link(f: Forger) -> Piece:
    """Then the next mark's link would be known before its question."""
    order = f.answers(f.first("ask", lambda fields: "mark" not in fields))[0]
    mark = f.recorded.table.course.mark
    order.fields["say"] |= {"link": f.recorded.table.pens[order.seat].link(mark), "link_n": mark}
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
    f.next("tell", roll).fields["rolls"] = [_passed_over(f, roll)]
    return roll


def _passed_over(f: Forger, roll: Piece) -> int:
    """Let a roll be made with the index after the one that is due, and return that."""
    i: int = roll.fields["i"] + 1
    roll.fields |= {"i": i, "x": f.x("pub", i)}
    roll.fields["res"] = f.outcome(roll, roll.fields["req"])
    return i


def _roll_again(f: Forger) -> Piece:
    """Roll once more, with the next index, and go by the second roll."""
    roll = a_roll(f)
    f.roll(roll.fields["i"], roll.fields["req"], before=roll)
    _passed_over(f, roll)
    f.cut(roll)
    return roll


@at_once("REQ")
def a_second_roll_is_made_and_the_first_not_reported(f: Forger) -> Piece:
    roll = _roll_again(f)
    tell = f.next("tell", roll)
    tell.fields["rolls"] = [roll.fields["i"]]
    return tell


@at_once("REQ")
def a_roll_is_not_reported(f: Forger) -> Piece:
    tell = f.next("tell", a_roll(f))
    tell.fields["rolls"] = tell.fields["rolls"][1:]
    return tell


@at_once("REQ")
def a_roll_is_reported_that_never_fell(f: Forger) -> Piece:
    tell = f.next("tell", a_roll(f))
    tell.fields["rolls"] = [*tell.fields["rolls"], 777]
    return tell


@at_once("REQ")
def an_index_comes_twice(f: Forger) -> Piece:
    roll = a_roll(f)
    again = f.roll(roll.fields["i"], roll.fields["req"], before=f.next("tell", roll))
    f.next("tell", roll).fields["rolls"].append(roll.fields["i"])
    return again


@by_the_rules("REQ")
def a_second_roll_is_made_and_both_are_reported(f: Forger) -> Piece:
    roll = _roll_again(f)
    i = roll.fields["i"]
    f.next("tell", roll).fields["rolls"] = [i - 1, i]
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


@by_the_rules("REQ", needs="deal")
def a_deal_is_made_from_another_list(f: Forger) -> Piece:
    deal = a_deal(f)
    req = deal.fields["req"] if "req" in deal.fields else deal.value("req")
    req[0]["of"] = req[0]["of"][::-1]
    for place, value in enumerate(value for values in f.outcome(deal, req) for value in values):
        deal.say(f"p{place}", value)
    return deal
