"""What several tests need of takeback: a_game, the, past_a_roll, past_a_card_that_was_turned_up, of_another_seat, …."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from pbem.games import find
from pbem.kernel import Game
from pbem.referee.table import Table

from .forger import Forger, Piece
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
