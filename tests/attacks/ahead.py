"""What several tests need of ahead: a_table, answer, hand, a_game, ahead, …."""

from __future__ import annotations

from functools import cache
from typing import Any

import tiny_game

from pbem.referee.table import Table

from .forger import Forger, Piece
from .recorded import Recorded, record

ANN, BOB = "ann", "bob"


def a_table(seed: str = "ahead") -> Table:
    return Table(tiny_game.GAME, {"players": 2, "turns": 5}, seed, hours=24)


def answer(table: Table, silent: tuple[str, ...] = ()) -> None:
    """Whoever is asked says the first that is legal."""
    asked = [seat for seat in table.waiting if seat not in silent]
    legal = {seat: next(iter(table.game.options(table.referee.view(seat)))) for seat in asked}
    table.answer({seat: (str(order), "") for seat, order in legal.items()}, silent)


def hand(table: Table, seat: str) -> list[str]:
    cards: list[str] = table.referee.views()[seat]["sides"][seat]["hand"]
    return cards


@cache
def a_game() -> Recorded:
    """With each card both send the next one ahead: Ann in one line, Bob with another line in front that never fits."""
    table = a_table()
    while table.open:
        mark = table.referee.open_mark or 0
        for seat in table.waiting if mark else ():
            kept = hand(table, seat)[1]
            table.ahead(seat, mark + 1, f"CARD {kept}" if seat == ANN else f"CARD t9\nCARD {kept}")
        answer(table)
    return record(table)


def ahead(f: Forger, seat: str = "") -> Piece:
    """The first order that was sent ahead, of a seat."""
    return f.first("order", lambda fields: fields["say"]["act"] == "ahead" and seat in ("", fields["by"]))


def of_another_mark(f: Forger) -> tuple[Piece, str]:
    """Used once more, for the next question that bears a mark."""
    order = ahead(f, ANN)
    marked = [p for p in f.pieces[f.pieces.index(order) :] if p.k == "ask" and "mark" in p.fields]
    other = next(p for p in f.answers(marked[0]) if p.seat == ANN)
    other.fields["say"] = {**order.fields["say"]}
    return other, "LINK"


def of_another_game(f: Forger) -> tuple[Piece, str]:
    order = ahead(f)
    order.fields["say"]["game"] = "0" * 64
    return order, "BIND"


def of_another_seat(f: Forger) -> tuple[Piece, str]:
    order = ahead(f, BOB)
    order.fields["say"]["seat"] = ANN
    return order, "BIND"


def forged(f: Forger) -> tuple[Piece, str]:
    order = ahead(f)
    order.signer = next(seat for seat in f.seats if seat != order.seat)
    return order, "SIG"


def edited(f: Forger) -> tuple[Piece, str]:
    order = ahead(f)

    def later_revision(fields: dict[str, Any]) -> None:
        fields["say"]["rev"] = 7

    order.before_chaining = later_revision
    return order, "SIG"


def for_a_question_without_a_mark(f: Forger) -> tuple[Piece, str]:
    order = ahead(f)
    unmarked = next(p for p in f.pieces[f.pieces.index(order) :] if p.k == "order" and "link" not in p.fields["say"])
    say = order.fields["say"]
    link = {"link": f.recorded.table.pens[unmarked.seat].link(say["link_n"]), "link_n": say["link_n"]}
    unmarked.fields["say"] = {
        **{n: unmarked.fields["say"][n] for n in ("game", "seat", "rev", "seen")},
        "act": "ahead",
        **link,
    }
    return unmarked, "ASK"


def from_too_far_back(f: Forger) -> tuple[Piece, str]:
    """Signed when the seat stood three marks before."""
    asks = [p for p in f.all("ask") if "mark" in p.fields]
    order = next(p for p in f.answers(asks[3]) if p.fields["say"]["act"] == "ahead")
    order.fields["say"]["seen"] = asks[0]
    return order, "SEEN"


def having_seen_another_history(f: Forger) -> tuple[Piece, str]:
    order = ahead(f)

    def another(say: dict[str, Any]) -> None:
        say["seen"] = [say["seen"][0], "0" * 64]

    order.before_signing = another
    return order, "SEEN"


def with_the_link_of_another(f: Forger) -> tuple[Piece, str]:
    order = ahead(f, ANN)
    order.fields["say"]["link"] = f.recorded.table.pens[BOB].link(order.fields["say"]["link_n"])
    return order, "LINK"


def beside_an_answer_of_the_same_seat(f: Forger) -> tuple[Piece, str]:
    """The seat is asked, answers, and what it had sent ahead is entered as well."""
    order = ahead(f, ANN)
    twin = f.insert(
        Piece(
            {**order.fields, "say": {**order.fields["say"], "rev": 1}},
            {n: ["00" * 16, v] for n, (_, v) in order.openings.items()},
        ),
        order,
    )
    return order, "ASK" if twin else ""


AT_ONCE = [
    of_another_mark, of_another_game, of_another_seat, forged, edited, for_a_question_without_a_mark, from_too_far_back,
    having_seen_another_history, with_the_link_of_another, beside_an_answer_of_the_same_seat,
]  # fmt: skip
