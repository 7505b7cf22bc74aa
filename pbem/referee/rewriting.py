"""Writing a log once more: a host that has lost what it wrote after its backup goes on where its players' copies end.

All that a host adds to a log follows from its key, the game's nonce and what the players signed. So it can write every lost entry
again, with the seals that stand in no player's copy, and what comes out is the same byte for byte, or it stops. It decides no rule,
and adds nothing to what was signed.
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
    """Write, from where the scribe's log ends, what `target` holds further, entry by entry.

    `target` are all copies merged, and verified; it begins as the scribe's log does and ends where a head was signed.
    `sent` are lines that open orders, by digest, which players have sent once more. Raises RecordError where an opening
    is missing, the rules here are others, or another host has gone on with the game; what was written before is then to
    be undone by the caller."""
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
                    "Entry {n} cannot be written again as it stands in the copies: the rules here are others than those by "
                    "which it was written, or it is of another host.",
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
        """Until when there was time for what is being written."""
        n = self.scribe.course.next
        written = self.target.entries[n].fields if n < len(self.target.entries) else {}
        return str(written.get("due", at))

    def _came(self, fields: Mapping[str, Any]) -> str:
        """When a statement came: as its receipt says, else as its entry does."""
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
                    "The order of {seat} at entry {n} is in none of the copies. {seat} has to type “pbem copy”, "
                    "which sends his order along, "
                    "or to send that letter once more.",
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
    """What an entry has beside what was signed."""
    return {name: value for name, value in fields.items() if name.startswith("x:")}
