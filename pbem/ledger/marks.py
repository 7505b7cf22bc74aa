"""The marks of one seat: which marked questions it has been put, and what follows for orders that it sends ahead (PROTOCOL 5.2).

Decides how far ahead a mark may lie, from which entry on what is sent ahead counts, and with which mark all are ready again at a
call. It reads the chain alone: whether an order fits its question is for the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

REACH = 2
"""An order may be sent ahead for the seat's next mark, or for the one after it: so many of its links are known early, no more."""


class Stand(NamedTuple):
    """The mark that a seat stands at, what was asked of it there ("": no question yet), and what that means for sending ahead.

    `since` is the last entry that voided a question, or the last join: what was sent ahead before does not count. `most` is the
    last mark for which an order may be sent ahead.
    """

    mark: int
    what: str
    since: int
    most: int


def mark_of_call(highest: int) -> int:
    """Return the mark with which all are ready again, where `highest` is the highest that a question or ready has borne.

    5, fair 1: no link was given for it, nor for a later one: it lies beyond all for which an order could be sent ahead.
    """
    return highest + REACH + 1


def stand(entries: Iterable[Mapping[str, Any]], seat: str) -> Stand:
    """Return how a seat stands after these entries, the first ones of a log; the log is not checked.

    A question that was voided does not count: it is put again, and asks the same.
    """
    asks: list[tuple[int, Mapping[str, Any]]] = []
    marks: dict[str, int] = {}
    floor, highest, since, is_open = 1, 1, 0, False
    for n, fields in enumerate(entries):
        match fields["k"]:
            case "game":
                marks = dict.fromkeys(fields["seats"], 1)
            case "join":
                since = n
            case "ask":
                is_open = True
                asks.append((n, fields))
                if "mark" in fields:
                    highest = max(highest, fields["mark"])
                    marks |= dict.fromkeys(fields["to"], fields["mark"])
            case "order" | "skip":
                is_open = False
            case "amend" if "player" not in fields["what"]:
                first = fields["what"].get("takeback", asks[-1][0])
                while asks and asks[-1][0] >= first:
                    _void(marks, asks.pop()[1])
                since, is_open = n, False
            case "rekey" | "amend" | "host":
                if is_open:
                    _void(marks, asks.pop()[1])
                highest = fields.get("mark", mark_of_call(highest))
                # who has answered in a round in which others have not stands ahead of them still
                least = min(marks.values())
                marks = {one: highest + mark - least for one, mark in marks.items()}
                floor, since, is_open = highest, n, False
    put = [ask for _n, ask in asks if "mark" in ask and seat in ask["to"]]
    borne, what = (put[-1]["mark"], put[-1]["what"]) if put else (1, "")
    return Stand(marks[seat], what, since, max(borne, floor) + REACH)


def _void(marks: dict[str, int], ask: Mapping[str, Any]) -> None:
    if "mark" in ask:
        marks |= {seat: min(marks[seat], ask["mark"] - 1) for seat in ask["to"]}


def sealed_under(say: Mapping[str, Any]) -> int:
    """Return the `ref` of an order's seals: its question, or the mark with a minus sign where it was sent ahead."""
    return int(say["ask"]) if say["act"] == "order" else -int(say["link_n"])
