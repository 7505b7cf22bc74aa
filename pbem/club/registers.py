"""Comparison of registers with logs: whether a game was entered when it was opened, and when it began. It also finds games without
a log.

Of two registers that one host has signed, the shorter must be the beginning of the longer. A log bears witness, too: its entry 0
names a line that was there before its players joined, so a register without that line has lost it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field

from pbem.errors import RecordError
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger import Log, fingerprint
from pbem.ledger.log import Entry
from pbem.ledger.register import Register, begun, opened, place_in_register
from pbem.records import dataclass


@dataclass(frozen=True, slots=True)
class MissingGame:
    """A game of a register of which no log was given; `keys` are those of its seats, none where it has not begun."""

    id: str
    game: str
    event: str
    at: str
    keys: Mapping[str, str] = field(default_factory=dict)


class Registers:
    """Some registers, by the name under which each was given; of those of one host the longest one counts.

    Raises RecordError where one host has signed two that are not beginnings of each other.
    """

    def __init__(self, given: Iterable[tuple[str, Register]]) -> None:
        self.counting: dict[str, Register] = {}
        """By the name under which it was given, of each host the longest register."""
        of_host: dict[str, str] = {}
        begun = (one for one in given if one[1].lines)  # a host that has opened no rated game has an empty one
        for name, register in sorted(begun, key=lambda one: (-len(one[1].lines), one[0])):
            longest = of_host.setdefault(register.keys[0], name)
            if longest == name:
                self.counting[name] = register
            elif (line := register.parting(self.counting[longest])) is not None:
                raise RecordError(
                    _(
                        "{one} and {other} are two registers of one host, and part in line {number}: it has signed two histories.",
                        one=longest, other=name, number=line + 1,
                    )
                )  # fmt: skip

    def objection(self, log: Log) -> str:
        """Return why a game does not count by the registers, or "" if it does: each must agree with the game's log."""
        first, game = log.entries[0].fields, log.game
        register = next((one for one in self.counting.values() if game in one.opened), None)
        if register is None:
            return self._lost(log) or _("No register given here contains the game.")
        line, place = register.opened[game], place_in_register(first)
        number = line.n + 1
        if place != (line.n - 1, line.fields["prev"]) or first["host"] != register.key_at(line.n):
            return _("Its entry 0 names another place than line {number}, where the register has it.", number=number)
        if _said(line) != opened(game, first):
            return _("Line {number} of the register says otherwise than its log.", number=number)
        if game not in register.begun:
            return _("The register does not say that it began.")
        line = register.begun[game]
        if _said(line) != begun(game, [entry.fields for entry in log.entries], lambda n: log.entries[n].hash):
            return _("By line {number} of the register it began otherwise than its log says.", number=line.n + 1)
        return ""

    def _lost(self, log: Log) -> str:
        """Return what a log outside all registers shows to be missing from its host's register, or ""."""
        place = place_in_register(log.entries[0].fields)
        for register in self.counting.values():
            if place is None or log.entries[0].fields["host"] not in register.keys:
                continue
            n, named = place
            if not 0 <= n < len(register.lines):
                return _(
                    "Its entry 0 names line {number} of the register, but the register given ends with line "
"{last}. Either a longer one exists, or the register was set back.",
                    number=n + 1, last=len(register.lines),
                )  # fmt: skip
            if register.lines[n].hash != named:
                return _(
                    "Its entry 0 names another line {number} than the register has: it was set back.", number=n + 1
                )
        return ""

    def missing(
        self, given: Collection[str], event: str | None = None, hosts: Collection[str] = ()
    ) -> tuple[MissingGame, ...]:
        """Return the registered games that are not among those given, as they were opened; of one event, or of some hosts."""
        return tuple(
            MissingGame(
                game, line.fields["rules"], line.fields.get("event", ""), line.fields["at"],
                register.begun[game].fields["keys"] if game in register.begun else {},
            )
            for register in self.counting.values()
            for game, line in register.opened.items()
            if game not in given
            and event in (None, line.fields.get("event", ""))
            and (not hosts or fingerprint(register.key_at(line.n)) in hosts)
        )  # fmt: skip

    def to_json(self, missing: Iterable[MissingGame]) -> dict[str, Json]:
        """Return as JSON how far each register goes, and of which games no log was given."""
        return {
            "registers": list(self._heads()),
            "missing": [
                {"id": one.id, "game": one.game, "event": one.event, "at": one.at, "keys": dict(one.keys)}
                for one in missing
            ],
        }

    def _heads(self) -> Iterator[dict[str, Json]]:
        for name, register in self.counting.items():
            keys: list[Json] = [fingerprint(key) for key in register.keys]
            yield {"file": name, "lines": len(register.lines), "head": register.head[1], "keys": keys}


def _said(line: Entry) -> dict[str, Json]:
    return {name: value for name, value in line.fields.items() if name not in ("n", "prev", "sig")}
