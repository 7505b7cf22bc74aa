"""How much choice between dice that they knew a host and one player could have had together: counted, and never more than this.

Nobody can choose a die. But two who work together know beforehand what would fall, and can now and then bring it about
that something else falls in its place: by leaving a marked question unanswered, by taking an answer that came too late,
by another key, chain, player or host. Each gives at the most one bit: this, or that. It is no sign of a misdeed; it is the
most that there can have been."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pbem.ledger.course import Course, after


@dataclass(frozen=True)
class Choice:
    """Of one seat, or the host: answers to marked questions skipped for time, or taken late; changes of key or chain, and
    of who holds the seat; and what gives no choice."""

    skips: int = 0
    late: int = 0
    keys: int = 0
    players: int = 0
    takebacks: int = 0
    extensions: int = 0

    @property
    def bits(self) -> int:
        """How many bits of choice these gave at the most."""
        return self.skips + self.late + self.keys + self.players

    def to_json(self) -> dict[str, int]:
        """What there was of it, less what there was not."""
        found = {name: count for name, count in vars(self).items() if count}
        return found | ({"bits": self.bits} if self.bits else {})


def choices(entries: Iterable[Mapping[str, Any]]) -> dict[str, Choice]:
    """Return by seat, and for "host" where another took over or chains were renewed, what there was of choice in a log,
    from the fields of its entries.

    The log has been verified.
    """
    course = Course()
    found: dict[str, Choice] = {}

    def count(who: str, what: str) -> None:
        found[who] = replace(found[who], **{what: getattr(found[who], what) + 1})

    for fields in entries:
        question, kind = course.question, fields["k"]
        marked = question is not None and question.mark
        match kind:
            case "game":
                found = {seat: Choice() for seat in fields["seats"]}
            case "skip" if marked and fields["why"] in ("due", "late"):
                count(fields["to"], "skips")
            case "order" if marked and question and question.due and fields["at"] > question.due:
                count(fields["by"], "late")
            case "rekey":
                count(fields["by"], "keys")
            case "amend" if "player" in fields["what"]:
                count(fields["what"]["player"]["say"]["seat"], "players")
            case "amend" if "takeback" in fields["what"]:
                count(next(point.seat for point in course.back if point.n == fields["what"]["takeback"]), "takebacks")
            case "extend" if "cause" not in fields:
                for seat in course.missing or course.waiting:
                    count(seat, "extensions")
            case "host" | "renew":
                found.setdefault("host", Choice())
                count("host", "players" if kind == "host" else "keys")
        course = after(course, fields)
    return found
