"""Answers taken back by consent: never past chance or what was shown, never without everybody, with the same marks and links."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

from pbem.games import find
from pbem.games.hammer.game import Hammer
from pbem.kernel import Game
from pbem.ledger import verify
from pbem.referee.table import Table

from .forger import Forger, Piece
from .judging import every_copy_shows, faulted, judged, stands_in_every_copy
from .recorded import Recorded, record

PACK = find("hammer")
ENGLISH, SCOTTISH = "english", "scottish"


def _play(table: Table, chance: random.Random, until: Callable[[], bool]) -> None:
    bot = PACK.bots["random"]()
    while not until():
        assert table.open
        table.answer({seat: (str(bot.answer(table.referee.view(seat), chance)), "") for seat in table.open.to})


def _taken_back(game: Game, until: Callable[[Table], bool]) -> Table:
    """Play until a seat may take its last answer back, and fits; take it back."""
    table, chance = Table(game, {"scenario": "braveheart"}, "back", hours=24), random.Random("back")
    _play(table, chance, lambda: bool(table.referee.trail.points) and until(table))
    point = table.referee.trail.points[-1]
    offer = table.say(point.seat, "takeback", about=point.ask)
    table.say(next(seat for seat in table.seats if seat != point.seat), "agree", about=offer)
    return table


@cache
def a_game() -> Recorded:
    """The first to act takes his act back while the other is asked for his; then both go on, and dice fall."""
    table = _taken_back(PACK.rules, lambda table: True)
    _play(table, random.Random("on"), lambda: sum(e.fields.get("chain") == "pub" for e in table.ledger.log.entries) > 1)
    return record(table)


def the(f: Forger, act: str) -> Piece:
    return f.first("say", lambda fields: fields["say"]["act"] == act)


def test_the_honest_game_is_in_order_in_every_copy() -> None:
    recorded = a_game()
    f = Forger(recorded)
    assert f.write().tidy().dump() == recorded.whole
    assert judged("hammer", recorded.whole).verdict == "unfinished"
    stands_in_every_copy(recorded, "unfinished")
    first, again = f.asked(the(f, "takeback")), f.next("ask", f.first("amend"))
    names = ("to", "what", "secret", "mark")
    assert [first.fields[name] for name in names] == [again.fields[name] for name in names]
    one, two = f.answers(first)[0].fields["say"], f.answers(again)[0].fields["say"]
    assert (one["link"], one["link_n"]) == (two["link"], two["link_n"])


def past_a_roll(f: Forger) -> Piece:
    last = list(f.all("order"))[-1]
    rolled = f.first("rand", lambda fields: fields["chain"] == "pub")
    before = [piece for piece in f.pieces[: f.pieces.index(rolled)] if piece.k == "order"][-1]
    return f.say(before.seat, "takeback", last, about=f.asked(before))


def past_a_card_that_was_turned_up(f: Forger) -> Piece:
    asked = f.first("ask")
    return f.say(ENGLISH, "takeback", the(f, "takeback"), about=asked)


def of_another_seat(f: Forger) -> Piece:
    first = f.asked(the(f, "takeback"))
    other = next(seat for seat in f.seats if seat not in first.fields["to"])
    return f.say(other, "takeback", the(f, "takeback"), about=first)


def of_the_open_question(f: Forger) -> Piece:
    ask = f.last("ask", the(f, "takeback"))
    return f.say(ask.fields["to"][0], "takeback", the(f, "takeback"), about=ask)


def without_agreement(f: Forger) -> Piece:
    f.drop(the(f, "agree"))
    amend = f.first("amend")
    amend.fields["agreed"] = amend.fields["agreed"][:1]
    return amend


def agreed_by_a_forger(f: Forger) -> Piece:
    agreed = the(f, "agree")
    agreed.signer = the(f, "takeback").seat
    return agreed


def agreed_twice(f: Forger) -> Piece:
    """The same agreement again, after it was carried out."""
    agreed = the(f, "agree")
    return f.say(agreed.seat, "agree", f.next("order", agreed), about=the(f, "takeback"))


def agreed_and_not_carried_out(f: Forger) -> Piece:
    amend = f.first("amend")
    f.drop(amend)
    return f.next("tell", the(f, "agree"))


def to_another_question(f: Forger) -> Piece:
    amend = f.first("amend")
    amend.fields["what"] = {"takeback": f.first("ask")}
    return amend


def with_another_agreement(f: Forger) -> Piece:
    amend = f.first("amend")
    amend.fields["agreed"] = amend.fields["agreed"][::-1]
    return amend


def put_again_with_the_next_mark(f: Forger) -> Piece:
    again = f.next("ask", f.first("amend"))
    again.fields["mark"] += 1
    return again


def answered_with_the_next_link(f: Forger) -> Piece:
    order = f.answers(f.next("ask", f.first("amend")))[0]
    n = order.fields["say"]["link_n"] + 1
    order.fields["say"] |= {"link_n": n, "link": f.recorded.table.pens[order.seat].chain.x(n)}
    return order


def put_again_without_a_tell(f: Forger) -> Piece:
    amend = f.first("amend")
    f.drop(f.next("tell", amend))
    return f.next("ask", amend)


def the_old_answer_again(f: Forger) -> Piece:
    """As he signed it: it answers the question as it was put first."""
    order = f.answers(f.next("ask", f.first("amend")))[0]
    order.fields["say"]["ask"] = f.asked(the(f, "takeback"))
    return order


CODES: dict[str, list[Callable[[Forger], Piece]]] = {
    "BIND": [
        past_a_roll, past_a_card_that_was_turned_up, of_another_seat, of_the_open_question, without_agreement, agreed_twice,
        to_another_question, with_another_agreement,
    ],
    "SIG": [agreed_by_a_forger],
    "ORDERING": [agreed_and_not_carried_out, put_again_with_the_next_mark, put_again_without_a_tell],
    "LINK": [answered_with_the_next_link],
    "ASK": [the_old_answer_again],
}  # fmt: skip


test_every_copy_shows_it_with_the_next_report = every_copy_shows(CODES, a_game)


class Forgetful(Hammer):
    """Rules under which nothing is ever a secret told: those of a host who lets blocks be seen and the move taken back."""

    def told_secret(self, before: Any, after: Any) -> bool:
        return False


def test_a_move_is_not_taken_back_after_blocks_were_turned_up() -> None:
    """ORDERING, by the rules: no die has fallen yet, but the enemy's blocks stand in the open."""

    def in_battle(table: Table) -> bool:
        return str(table.ledger.log.entries[-1].fields["what"]) == "battle action"

    table = _taken_back(Forgetful(), in_battle)
    amend = next(entry for entry in table.ledger.log.entries if entry.k == "amend")
    assert verify(table.whole()).verdict == "unfinished"
    assert faulted(judged("hammer", table.whole())) == (amend.n, "ORDERING", "host")


def test_dice_between_are_found_by_the_rules() -> None:
    """REQ: nobody asked for a roll while the position goes back."""
    f = Forger(a_game())
    tell = f.next("tell", f.first("amend"))
    rolls = list(f.all("rand", lambda fields: fields["chain"] == "pub"))
    i = 1 + sum(f.pieces.index(earlier) < f.pieces.index(tell) for earlier in rolls)
    roll = f.roll(i, [{"op": "roll", "n": 1, "sides": 6}], before=tell)
    tell.fields["rolls"] = [i]
    f.cut(roll)
    assert faulted(judged("hammer", f.write().tidy().dump())) == (roll.n, "REQ", "host")
