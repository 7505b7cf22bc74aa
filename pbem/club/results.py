"""What one log contributes to a rating list: who played which seat and the result, or why it does not count.

A game counts if:
- its entry 0 says that it is rated,
- an audit finds it clean,
- it has ended,
- each seat has had one player, who is not a built-in one,
- it is in a register, if registers are required.

A player is identified by the key alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from pbem.errors import FormError
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger import Log, Verdict, fingerprint, sha256_hex
from pbem.ledger.course import read
from pbem.ledger.modes import mode_of
from pbem.ledger.register import is_rated, round_said
from pbem.records import dataclass
from pbem.referee.audit import audit
from pbem.referee.replaying import Find, Shelf

from .registers import Registers

SIGNING = ("ready", "order", "say")
"""Entries by which a seat shows that it has the key it said it has. A rekey may be signed by another key, so it shows nothing."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game that counts: `id` is the hash of its entry 0, `at` when it ended, `head` the hash of its last entry."""

    id: str
    head: str
    at: str
    game: str
    """Which game was played, as hammer."""
    event: str
    hosts: tuple[str, ...]
    """Fingerprints of the keys of those who were its host, one after the other."""
    keys: Mapping[str, tuple[str, ...]]
    """Seat -> fingerprints of the keys that its player has shown to have, the first one first."""
    winners: tuple[str, ...]
    """The seats that have won, more than one where they share it; none: nobody has."""
    options: Mapping[str, Json] = field(default_factory=dict)
    result: Mapping[str, Json] = field(default_factory=dict)
    """The result as the rules of the game write it, including details beyond the winners."""

    round: int = 0
    """The round of its event that its terms name; 0: none."""

    @property
    def is_before_others(self) -> bool:
        """Does it only settle which games follow, as bids do? Then nobody wins it."""
        return bool(self.result.get("games"))

    def places(self) -> dict[str, int]:
        """Return 1 for the seats that have won and 2 for the others; where nobody has, all are equal."""
        return {seat: 2 - (seat in self.winners) for seat in self.keys}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A log that does not count: `why` is a sentence, `id` the hash of its entry 0."""

    id: str
    why: str


def result_of(
    data: bytes, find_game: Find, shelf: Shelf | None = None, registers: Registers | None = None
) -> RatedGame | LeftOut:
    """Audit a log and return its result; with `registers`, only if it is in one. Raises FormError if it is not a log."""
    if why := mode_of(data).unrated:
        return LeftOut(sha256_hex(data.split(b"\n", 1)[0]), _(why))
    log = Log.parse(data)
    if not log.entries:
        raise FormError(_("it contains no entry"))
    first, played = log.entries[0].fields, log.entries[0].hash
    why = (
        _unrated(first)
        or (registers.objection(log) if registers else "")
        or _not_over(log)
        or _not_clean(audit(data, find_game, shelf).verdict)
        or _changed_hands(log)
    )
    if why:
        return LeftOut(played, why)
    last = log.entries[-1]
    return RatedGame(
        played, last.hash, last.fields["at"], first["rules"]["id"], first["terms"].get("event", ""), tuple(_hosts(log)),
        {seat: tuple(map(fingerprint, _shown(log, seat))) for seat in first["seats"]},
        _winners(last.fields["result"], first["seats"]), first["opts"], last.fields["result"], round_said(first["terms"]),
    )  # fmt: skip


def _unrated(first: Mapping[str, Any]) -> str:
    if not is_rated(first):
        return _("Its players have not agreed that it is rated.")
    return _("A built-in player plays in it.") if first["terms"].get("built_in") else ""


def _not_over(log: Log) -> str:
    """Say of a log without an end for whom it waits: of a game that is put off, somebody may have a reason for that."""
    if log.entries[-1].k == "end":
        return ""
    course = read(entry.fields for entry in log.entries)
    waits = course.missing or (course.question.open if course.question else ())
    if not waits:
        return _("It is not over.")
    last = log.entries[-1].fields.get("at", "")
    named = ", ".join(f"{seat} ({fingerprint(key)})" for seat in waits for key in _shown(log, seat)[-1:])
    return _("It is not over: since {at} it waits for {players}.", at=last or "–", players=named or ", ".join(waits))


def _not_clean(verdict: Verdict) -> str:
    if verdict.verdict == "clean":
        return ""
    if verdict.verdict == "fault":
        told = {"entry": verdict.entry, "code": verdict.code, "party": verdict.at_fault}
        return _("An audit finds a fault: entry {entry}, {code}, at fault: {party}.", **told)
    return _("An audit cannot judge it: {why}.", why=verdict.reason)


def _changed_hands(log: Log) -> str:
    for entry in log.entries:
        if entry.k == "amend" and "player" in entry.fields["what"]:
            seat = entry.fields["what"]["player"]["say"]["seat"]
            return _("All agreed that a new player takes the seat {seat}.", seat=seat)
    return ""


def _hosts(log: Log) -> Iterator[str]:
    yield fingerprint(log.entries[0].fields["host"])
    yield from (fingerprint(entry.fields["key"]) for entry in log.entries if entry.k == "host")


def _shown(log: Log, seat: str) -> tuple[str, ...]:
    """Return the key lines with which a seat's player has signed something, the first one first."""
    shown: tuple[str, ...] = ()
    line = ""
    for entry in log.entries:
        if entry.fields.get("by") != seat:
            continue
        if entry.k in ("join", "rekey"):
            line = entry.fields["say"]["key"]
        if entry.k == "rekey" and "recovery" in entry.fields["say"]:
            shown = shown[:1]  # those between may have been a thief's
        if (entry.k == "join" or entry.k in SIGNING) and line not in shown:
            shown = (*shown, line)
    return shown


def _winners(result: Mapping[str, Any], seats: Sequence[str]) -> tuple[str, ...]:
    won = [result.get("winner"), *(result.get("shared") or ())]
    return tuple(seat for seat in seats if seat in won)
