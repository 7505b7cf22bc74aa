"""Rewriting a log: a host that lost its entries since the backup continues from the end of its players' copies.

Everything that a host adds to a log follows from its key, the game's nonce and the players' signed statements. So the host can
write every lost entry again, with the seals that no player's copy contains. It stops unless the result is the same byte for byte.
It decides no rule, and adds nothing to the signed statements.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pbem.errors import RecordError
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger import Log, cj, sha256_hex

from .pen import Envelope
from .replaying import Find
from .scribe import Scribe, Sent, receipt


def rewrite(scribe: Scribe, target: Log, sent: Mapping[str, list[Json]], find_game: Find) -> None:
    """Write the entries that `target` has beyond the scribe's log, one by one.

    `target` is all copies merged, and verified; it begins like the scribe's log and ends at a signed head. `sent` are lines that
    open orders, by digest, sent again by players. Raises RecordError if an opening is missing, the rules here are different, or
    another host has continued the game; the caller then has to undo what was written before.
    """
    writer = _Again(scribe, target, sent, find_game)
    while scribe.course.next < len(target.entries):
        writer.step()


class _Again:
    def __init__(self, scribe: Scribe, target: Log, sent: Mapping[str, list[Json]], find_game: Find) -> None:
        self.scribe, self.target, self.find_game = scribe, target, find_game
        self.opened = dict(sent) | {line.digest: line.fields for line in target.attachments if line.k == "seal"}
        self.received = {line.fields[2]: line.fields[3] for line in target.attachments if line.k == "got"}

    def step(self) -> None:
        """Write the next entry, with those that follow from it, and compare."""
        n = self.scribe.course.next
        self._write(n, self.target.entries[n].fields)
        last = self.scribe.course.next - 1
        if last >= len(self.target.entries) or self.target.entries[last].hash != self.scribe.ledger.head:
            raise RecordError(
                _(
                    "Entry {n} cannot be written again as it is in the copies. Either it was written by other "
                    "rules than those here, or it is from another host.",
                    n=n,
                )
            )

    def _write(self, n: int, fields: Mapping[str, Any]) -> None:
        scribe = self.scribe
        match fields["k"]:
            case "rand" | "tell" | "ask" | "end":
                scribe.write_on(self._moment(n), self._due)
            case "order" | "skip":
                self._answers(n)
            case "say":
                scribe.say(self._envelope(fields), self._came(fields))
            case "rekey":
                scribe.rekey(self._envelope(fields), self._came(fields), self._due)
            case "ready":
                scribe.ready(self._envelope(fields), self._came(fields))
            case "renew":
                scribe.renew(fields["at"], self._due)
            case "extend":
                scribe.extend(fields["due"], fields["why"], fields["at"])
                scribe.sign_head()
            case "amend" if "player" in fields["what"]:
                scribe.replace(self._envelope({**fields, **fields["what"]["player"]}), fields["at"], self._due)
            case "amend":
                scribe.amend(fields["what"], fields["agreed"], fields["at"])
                rules = fields["what"]["rules"]
                scribe.referee.renew(self.find_game(rules["id"])[0], rules["ver"])
            case "host" if fields["key"] == scribe.key.key_line:
                beside = ("k", "n", "prev", "at", "agreed", "due")
                what = {name: value for name, value in fields.items() if name not in beside}
                scribe.take_over({"host": what}, fields["at"], self._due)
            case _:
                raise RecordError(_("Another host has gone on with this game from entry {n}.", n=n))

    def _moment(self, n: int) -> str:
        """When the next question was put, or the game ended: of what comes before it nothing bears a time."""
        for entry in self.target.entries[n:]:
            if entry.k in ("ask", "end"):
                return str(entry.fields["at"])
        raise RecordError(_("The copies end at entry {n}, before a question.", n=self.target.head[0]))

    def _due(self, _to: tuple[str, ...], at: str) -> str:
        """Return the end of the time for the entry being written."""
        n = self.scribe.course.next
        written = self.target.entries[n].fields if n < len(self.target.entries) else {}
        return str(written.get("due", at))

    def _came(self, fields: Mapping[str, Any]) -> str:
        """Return when a statement arrived: the moment of its receipt, or otherwise of its entry."""
        return str(self.received.get(sha256_hex(cj(fields["say"])), fields["at"]))

    @staticmethod
    def _envelope(fields: Mapping[str, Any]) -> Envelope:
        return replace(Envelope(dict(fields["say"]), fields["sig"]), beside=_beside(fields))

    def _answers(self, n: int) -> None:
        """Write the answers to the open question, and the skips."""
        sent: dict[str, Sent] = {}
        silent: dict[str, str] = {}
        why: dict[str, str] = {}
        for entry in self.target.entries[n:]:
            fields = entry.fields
            if entry.k == "order":
                sent[fields["by"]] = self._sent(n, fields)
            elif entry.k == "skip":
                why[fields["to"]], silent[fields["to"]] = fields["why"], fields["at"]
            else:
                break
        at = max(silent[seat] for seat in silent) if silent else self.scribe.course.clock
        out = {seat for seat in silent if why[seat] == "out"}
        stayed = {seat: moment for seat, moment in silent.items() if seat not in out}
        forced = frozenset(seat for seat in stayed if why[seat] == "only")
        claim = n - 1 if "late" in why.values() else None
        self.scribe.orders(sent, stayed, at, claim, forced)

    def _sent(self, n: int, fields: Mapping[str, Any]) -> Sent:
        seat, say, at = fields["by"], fields["say"], self._came(fields)
        try:
            openings: tuple[list[Json], list[Json]] = (
                self.opened[say["seals"]["order"]],
                self.opened[say["seals"]["plans"]],
            )
        except KeyError:
            raise RecordError(
                _(
                    "The order of {seat} at entry {n} is in no copy here. {seat} must type “pbem copy”, which "
                    "includes his order, or send that letter again.",
                    seat=seat,
                    n=n,
                )
            ) from None
        read = self.scribe.referee.ahead if say["act"] == "ahead" else self.scribe.referee.read
        answer, got = (
            read(seat, str(openings[0][6]), str(openings[1][6])),
            receipt(self.scribe.key, self.scribe.game, say, at),
        )
        return Sent(say, fields["sig"], at, openings, got, answer, _beside(fields))


def _beside(fields: Mapping[str, Any]) -> dict[str, Json]:
    """Return the unsigned `x:` fields of an entry."""
    return {name: value for name, value in fields.items() if name.startswith("x:")}
