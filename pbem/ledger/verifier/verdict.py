"""What a check says in the end (PROTOCOL 7): a verdict, with entry, code, party and one sentence."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from pbem.errors import Fault
from pbem.i18n import N_, _
from pbem.ledger.log import Entry
from pbem.records import dataclass

Outcome: TypeAlias = Literal["clean", "unfinished", "fault", "cannot_judge", "unfounded"]

CODES = {
    "FORM": "bytes or fields that do not have the form of the format",
    "CHAIN": "an entry that does not follow the one above it",
    "HEADSIG": "a signed head or receipt that does not fit the file",
    "FORK": "two histories, both signed by the host",
    "SIG": "a signature or key that proves nothing",
    "BIND": "something signed for another game, seat or offer",
    "ASK": "an answer to a question that was not put to this seat, or is closed",
    "SEEN": "signed after seeing another history, or one that is too old",
    "ORDERING": "an entry out of turn",
    "TIME": "a moment before that of an earlier entry, or a time that the terms do not allow",
    "EARLY": "a random event before every seat was ready",
    "LINK": "a link that does not lead to its anchor, or is not the one due",
    "RAND": "a result that the dice did not give",
    "REQ": "a random event that the rules did not ask for, or that was not reported",
    "SEALBIND": "a seal that does not fit its place in the log",
    "STRAY": "a line or name that belongs to nothing in the log, or occurs twice",
    "UNOPENED": "an opening that is due but missing",
    "TELL": "a report that is false or leaves something out",
    "PLAN": "a plan that was not applied, or was applied where it does not cover",
    "ILLEGAL": "an order that the rules do not allow",
    "RULES": "rules of another version: nobody's fault",
    "CARD": "an invalid word of a deck without a host, or a wrong deck",
    "DROPPED": "an order that arrived in time and was left out",
    "DOUBLE": "two orders of one seat to one question with one revision number",
    "WITNESSED": "an order that another player acknowledged in time, but that was left out",
    "DENIED": "a claim over an order that the claimant had acknowledged",
}
"""The closed list of codes."""

Change: TypeAlias = Literal["encoding", "mark", "line ends", "empty lines", "last line end"]
"""What a mail program or an editor changes of a file without touching what it says."""

_CALLED = {
    "clean": N_("clean"),
    "unfinished": N_("unfinished"),
    "fault": N_("fault"),
    "cannot_judge": N_("cannot_judge"),
    "unfounded": N_("unfounded"),
    "host": N_("host"),
    "supplier": N_("supplier"),
    "nobody": N_("nobody"),
}
"""The names for readers of verdicts, and of parties other than seats."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """The result for a file with its line ends repaired: the changes made, and the verdict on the repaired bytes."""

    changed: tuple[Change, ...]
    verdict: Outcome
    entry: int | None
    code: str | None
    party: str | None
    reason: str
    head: tuple[int, str] | None

    @classmethod
    def of(cls, verdict: Verdict, changed: tuple[Change, ...]) -> Repaired:
        """Return the verdict on the repaired bytes, for display next to the one on the original bytes."""
        v = verdict
        return cls(changed, v.verdict, v.entry, v.code, v.party, v.reason, v.head)

    @property
    def is_in_order(self) -> bool:
        """Whether nothing but line ends was wrong with the file."""
        return self.verdict in ("clean", "unfinished")

    def to_json(self) -> dict[str, Any]:
        """This as a JSON object."""
        return {"changed": list(self.changed)} | _said(self)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a check; entry, code and party are None unless a fault was found."""

    verdict: Outcome
    entry: int | None
    code: str | None
    party: str | None
    reason: str
    head: tuple[int, str] | None
    choices: dict[str, dict[str, int]] | None = None
    """Of an audit: by seat, what there was of choice between known dice, counted."""
    kept: dict[str, Any] | None = None
    """Of an audit: the log's facts about kept seats."""
    repaired: Repaired | None = None
    """For a file with changed line ends: the result after repairing them."""
    judged: int | None = None
    """Of an audit of a copy that does not open enough: the last entry that was judged by the rules."""

    def to_json(self) -> dict[str, Any]:
        """The verdict as a JSON object; `head` is [n, h_n] of the last entry, or null.

        `choices` and `kept` are present only after an audit, `judged` if it went only so far, `repaired` if line ends were changed.
        """
        more: dict[str, Any] = {} if self.kept is None else {"kept": self.kept}
        more |= {} if self.judged is None else {"judged": self.judged}
        more |= {} if self.repaired is None else {"repaired": self.repaired.to_json()}
        return ({} if self.choices is None else {"choices": self.choices}) | _said(self) | more

    @property
    def outcome(self) -> str:
        """The verdict's name in the current language."""
        return _(_CALLED[self.verdict])

    @property
    def at_fault(self) -> str:
        """The party's name in the current language; a seat has the same name in all."""
        return _(_CALLED[self.party]) if self.party in _CALLED else str(self.party)

    @classmethod
    def of(cls, fault: Fault, head: tuple[int, str] | None) -> Verdict:
        """The verdict that a fault makes."""
        return cls("fault", fault.entry, fault.code, fault.party, fault.reason, head)


def _said(found: Verdict | Repaired) -> dict[str, Any]:
    return {
        "verdict": found.verdict,
        "entry": found.entry,
        "code": found.code,
        "party": found.party,
        "reason": found.reason,
        "head": list(found.head) if found.head else None,
    }


def blame_if(wrong: object, entry: Entry, code: str, reason: str, /, **values: object) -> None:
    """Raise a fault of the host's at an entry where something is wrong."""
    if wrong:
        raise host_fault(entry, code, _(reason, **values))


def host_fault(entry: Entry, code: str, reason: str) -> Fault:
    """A fault of the host's at an entry."""
    return Fault(entry.n, code, "host", reason)
