"""The marks of one seat: which marked questions it has been put, and what follows for orders that it sends ahead (PROTOCOL 5.2).

Decides how far ahead a mark may lie, and from which entry on what is sent ahead counts. It reads the chain alone: whether an order
fits its question is for the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

REACH = 2
"""An order may be sent ahead for the seat's next mark, or for the one after it: so many of its links are known early, no more."""


class Stand(NamedTuple):
    """The mark that a seat stands at, what was asked of it there ("": no question yet), and since when what is sent ahead counts.

    `since` is the last entry that voided a question, 0 if there is none: an answer taken back, or other rules, another key, player
    or host.
    """

    mark: int
    what: str
    since: int


def stand(entries: Iterable[Mapping[str, Any]], seat: str) -> Stand:
    """Return how a seat stands after these entries, the first ones of a log; the log is not checked.

    A question that was voided does not count: it is put again, and asks the same.
    """
    put: list[tuple[int, int, str]] = []
    floor, highest, since, last, is_open = 1, 1, 0, 0, False
    for n, fields in enumerate(entries):
        match fields["k"]:
            case "ask":
                last, is_open = n, True
                highest = max(highest, fields.get("mark", 0))
                if "mark" in fields and seat in fields["to"]:
                    put.append((n, fields["mark"], fields["what"]))
            case "order" | "skip":
                is_open = False
            case "amend" if "player" not in fields["what"]:
                first = fields["what"].get("takeback", last)
                put = [question for question in put if question[0] < first]
                since = n
            case "rekey" | "amend" | "host":
                put = [question for question in put if not (is_open and question[0] == last)]
                highest = fields.get("mark", highest + 1)
                floor, since, is_open = highest, n, False
    mark, what = (put[-1][1:]) if put else (1, "")
    return Stand(max(mark, floor), what, since)


def sealed_under(say: Mapping[str, Any]) -> int:
    """Return the `ref` of an order's seals: its question, or the mark with a minus sign where it was sent ahead."""
    return int(say["ask"]) if say["act"] == "order" else -int(say["link_n"])
