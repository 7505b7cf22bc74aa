"""The papers of a complaint: what a player signed, and the host's receipt for it. Nothing else is believed of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.ledger.canon import cj, sha256_hex
from pbem.ledger.forms import entry_fault, line_fault
from pbem.ledger.keys import GOT, SAY, verify_sig
from pbem.ledger.log import ZERO, Entry
from pbem.ledger.verifier import Checked, Verdict
from pbem.words import _


class Unproven(Exception):
    """The papers do not show what the complaint says."""


class Unfounded(Exception):
    """The papers show that it is not as the complaint says; `entry` is where the log tells."""

    def __init__(self, reason: str, entry: int | None = None) -> None:
        self.entry = entry
        super().__init__(reason)


def check_envelope(envelope: Any) -> None:
    """Refuse what is not even an object with a say."""
    if not isinstance(envelope, Mapping) or not isinstance(envelope.get("say"), Mapping):
        raise Unproven(_("The envelope is not well formed: {why}.", why=_("an object was expected")))


def read_say(c: Checked, envelope: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Return what an envelope says, of this game and one of its seats, in the form that an entry of a kind holds."""
    say: dict[str, Any] = dict(envelope["say"])
    entry = {"k": kind, "n": 1, "prev": ZERO, "at": "2000-01-01T00:00:00Z", "by": say.get("seat"), "say": say}
    entry["sig"] = envelope.get("sig")
    if why := entry_fault(entry, c.proto):
        raise Unproven(_("The envelope is not well formed: {why}.", why=why))
    if say["seat"] not in c.course.seats or say["game"] != c.game:
        raise Unproven(_("The envelope is of another game, or of a seat that this game does not have."))
    return say


def check_signed(c: Checked, envelope: Mapping[str, Any], n: int) -> None:
    """Refuse an envelope that was not signed by the key that its seat had at entry n."""
    say = envelope["say"]
    key = say.get("recovery") or c.key_at(say["seat"], n)
    if not verify_sig(key, SAY, cj(dict(say)), str(envelope["sig"])):
        raise Unproven(_("The envelope is not signed by {seat}.", seat=say["seat"]))


def check_seen(c: Checked, say: Mapping[str, Any], oldest: int) -> None:
    """Refuse what was signed over another history, or one older than entry `oldest`."""
    seen, h = say["seen"]
    if not oldest <= seen < len(c.entries) or c.entries[seen].hash != h:
        raise Unproven(_("It was signed after seeing another history than this log's."))


def left_out_since(c: Checked, say: Mapping[str, Any], receipt: list[Any], n: int) -> str:
    """Return when something arrived, by the receipt of the host who was in office at entry n. Refuse what is none.

    What stands in the log was not left out.
    """
    digest = sha256_hex(cj(dict(say)))
    if (why := line_fault(receipt)) or receipt[0] != "got":
        raise Unproven(_("The second paper is no receipt: {why}.", why=why or _("it is another line")))
    if receipt[1:3] != [c.game, digest] or not verify_sig(c.host_at(n), GOT, cj(receipt[:4]), receipt[4]):
        raise Unproven(_("The receipt is not this host's receipt for this envelope."))
    if digest in c.signed:
        found = c.signed[digest].n
        raise Unfounded(_("It was not left out: it is entry {n}.", n=found), found)
    return str(receipt[3])


def answer_of(c: Checked, ask: int, seat: str) -> Entry:
    """Return the order or skip of a seat that closed its part of a question. Refuse a question that is open."""
    if seat not in c.answers[ask]:
        raise Unproven(
            _(
                "Question {ask} is still open in this log: read what mail has come, and complain again when it is closed.",
                ask=ask,
            )
        )
    return c.answers[ask][seat]


def dropped_at(c: Checked, n: int, reason: str) -> Verdict:
    """Return the verdict that the host left something out at an entry."""
    return Verdict("fault", n, "DROPPED", "host", reason, c.head)
