"""A verdict on a file, for readers: in words, then entry and code, the reason, the head, the choices.

The words are those of `verdicts`; this module looks up the details in the file. It does not judge, and does not trust the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from pbem.errors import PbemError
from pbem.games import find
from pbem.i18n import N_, _, _n
from pbem.i18n.visible import in_a_line
from pbem.ledger.line_ends import repaired
from pbem.ledger.modes import mode_of
from pbem.ledger.verifier.lines import broken
from pbem.records import dataclass

from .text import groups, wrap
from .told import NONSENSE
from .told_kept import told_of_kept
from .verdicts import explained

if TYPE_CHECKING:
    from pbem.ledger import Verdict


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict with everything shown about it.

    `words` are paragraphs; `fault` and `head` are "" if there is none; `chosen` lists choices and kept seats.
    """

    outcome: str
    words: tuple[str, ...]
    fault: str
    reason: str
    head: str
    chosen: tuple[str, ...]
    doubt: str
    """The remark added to a fault if the file is not a log at all."""

    @classmethod
    def of(cls, verdict: Verdict, data: bytes, *, rules: bool, scene: str = "") -> Judged:
        """Return the report on a verdict about the bytes of a file; `rules` says whether they were replayed.

        `scene` tells what happened in the game at a fault. It comes first.
        """
        if verdict.repaired is not None:
            data = repaired(data)[0]
        at, code = (verdict.repaired or verdict).entry, (verdict.repaired or verdict).code
        entry, names = _entry(data, at), names_in(data)
        faulty = verdict.verdict == "fault"
        return cls(
            outcome=verdict.outcome,
            words=(
                *filter(None, [scene]),
                *explained(
                    verdict,
                    entry,
                    rules=rules,
                    name=names,
                    mode=mode_of(data).name,
                    above=_entry(data, at - 1) if at else None,
                    at=broken(data, at) if at and code == "CHAIN" else None,
                ),
            ),
            fault=_(
                "entry {entry}, {code}, at fault: {party}",
                entry=verdict.entry,
                code=verdict.code,
                party=verdict.at_fault,
            )
            if faulty
            else "",
            reason=in_a_line(verdict.reason),
            head=_("head of entry {n}: {head}", n=verdict.head[0], head=groups(verdict.head[1]))
            if verdict.head
            else "",
            chosen=(*_counted(verdict.choices or {}), *told_of_kept(verdict.kept, names)),
            doubt=_(_NO_COPY) if faulty and not data.startswith(b"{") else "",
        )

    def text(self, evidence: str = "") -> str:
        """Return everything as printed text; `evidence` says where the evidence is."""
        lines = [self.outcome, wrap("\n\n".join(self.words)) + "\n", *filter(None, [self.fault]), self.reason]
        lines += filter(None, [self.head, *self.chosen, evidence, "\n" + wrap(self.doubt) if self.doubt else ""])
        return "\n".join(lines)


_NO_COPY = N_(
    "This looks like no copy of a game at all; is it the right file? Copies are called ….pbem: "
    "yours lie in “games”, in your "
    "folder. A mail is read by “pbem read”."
)
"""The remark about a file that is not a log at all."""


def _entry(data: bytes, n: int | None) -> dict[str, Any] | None:
    """The fields of entry n, read leniently: what names a fault may be malformed."""
    lines = [line for line in data.split(b"\n") if line.startswith(b"{")]
    with suppress(ValueError, RecursionError):
        fields = json.loads(lines[n]) if n is not None and n < len(lines) else None
        return fields if isinstance(fields, dict) else None
    return None


def seats_in(data: bytes) -> list[str]:
    """What a file says that the seats of its game are, if it says so."""
    seats = (_entry(data, 0) or {}).get("seats")
    return [str(seat) for seat in seats] if isinstance(seats, list) else []


def names_in(data: bytes) -> Callable[[str], str]:
    """What the seats of a file's game are called, if that game is here; one that is not known by its id.

    The game is looked for when a name is asked for: a clean verdict has none.
    """

    @cache
    def names() -> dict[str, str]:
        first = _entry(data, 0) or {}
        with suppress(PbemError, *NONSENSE):
            look = find(str(first["rules"]["id"])).look
            return {str(seat): look.seat_name(seat) for seat in first["seats"]}
        return {}

    return lambda seat: names().get(seat, seat)


def _counted(choices: Mapping[str, Mapping[str, int]]) -> list[str]:
    """What there was of choice between dice that host and a player could know, as sentences; nothing where there was none."""
    counts = {
        "skips": lambda n: _n("{n} marked question left to the default", "{n} marked questions left to the default", n),
        "late": lambda n: _n("{n} answer taken late", "{n} answers taken late", n),
        "keys": lambda n: _n("{n} change of key or chain", "{n} changes of key or chain", n),
        "players": lambda n: _n("{n} new player or host", "{n} new players or hosts", n),
        "takebacks": lambda n: _n("{n} answer taken back", "{n} answers taken back", n),
        "holds": lambda n: _n(
            "{n} deadline held for a mail that could not be read",
            "{n} deadlines held for mail that could not be read",
            n,
        ),
        "unbounded": lambda n: _("no other player held a key of his own"),
        "extensions": lambda n: _n("{n} time made longer", "{n} times made longer", n),
    }
    lines = []
    for who, found in choices.items():
        if said := [counts[name](count) for name, count in found.items() if name in counts]:
            bits = (
                _n(
                    "at most {n} bit of choice between dice",
                    "at most {n} bits of choice between dice",
                    found.get("bits", 0),
                )
                if "unbounded" not in found
                else _("choice between dice, together with the host: not bounded")
            )
            lines.append(
                _(
                    "{seat}: {counts}; {bits}.",
                    seat=_("the host") if who == "host" else who,
                    counts=", ".join(said),
                    bits=bits,
                )
            )
    return lines
