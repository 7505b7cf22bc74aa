"""The chained entries one after the other: turn, signature, binding, marks and links (PROTOCOL 3 to 5).

Decides, without any game's rules, whether each entry may stand where it stands. What may come next the course knows; here stands
what it cannot: signatures, hashes, links and seals. `_CHECKS` lists that by kind.
"""

from __future__ import annotations

from typing import Any

from pbem.errors import Fault
from pbem.ledger import course
from pbem.ledger.canon import cj_read
from pbem.ledger.entries import SIGNED_KINDS
from pbem.ledger.keys import SAY, verify_sig_read
from pbem.ledger.log import Entry
from pbem.ledger.statements import sealed_under
from pbem.ledger.verifier.attached import signs
from pbem.ledger.verifier.chance import check_rand
from pbem.ledger.verifier.checked import Checked
from pbem.ledger.verifier.openings import bear
from pbem.ledger.verifier.signed import check_link, check_seen, check_signed, usable_key
from pbem.ledger.verifier.verdict import host_fault
from pbem.words import _


def check_turn(c: Checked, entry: Entry) -> None:
    """Every check of one entry whose form is right; what it says is taken into `c`."""
    try:
        course.check_turn(c.course, entry.k)
        if entry.k in SIGNED_KINDS:
            check_signed(c, entry)
        course.check(c.course, entry.fields)
    except course.Objection as found:
        raise host_fault(entry, found.code, found.reason) from None
    if check := _CHECKS.get(entry.k):
        check(c, entry)
    c.course = course.after(c.course, entry.fields)


# --- the roster -------------------------------------------------------------------------------------------------------


def _game(c: Checked, entry: Entry) -> None:
    # 4: the refusal of keys at join holds for the host's as well
    usable_key(c, entry, entry.fields["host"], _("The host's key"))


def _ready(c: Checked, entry: Entry) -> None:
    check_seen(c, entry)
    # 5, fair 2: ready is mark 1 and carries link 1; later ready bears the mark of the call
    check_link(c, entry, c.course.call.mark if c.course.call else 1)


def _amend(c: Checked, entry: Entry) -> None:
    """3: who takes a vanished player's seat has signed for it, as at a join."""
    player: dict[str, Any] = entry.fields["what"].get("player")
    if not player:
        return
    say = player["say"]
    usable_key(c, entry, say["key"], _("The newcomer's key"))
    c.work.signatures += 1
    if not verify_sig_read(say["key"], SAY, cj_read(say), player["sig"]):
        raise host_fault(entry, "SIG", _("The newcomer has not signed for the seat."))
    if say["game"] != c.game:
        raise host_fault(entry, "BIND", _("The newcomer signed for another game."))


def _host(c: Checked, entry: Entry) -> None:
    """3: another host goes on from a head that the former one signed; 5, fair 1: all say again that they are ready."""
    f, (n, h) = entry.fields, entry.fields["seen"]
    usable_key(c, entry, f["key"], _("The new host's key"))
    if c.entries[n].hash != h:
        raise host_fault(entry, "SEEN", _("All agreed to go on from another entry {n} than this one.", n=n))
    if not signs(c, n):
        raise Fault(
            entry.n, "HEADSIG", "supplier", _("No head signed by the former host covers entry {n} itself.", n=n)
        )
    c.lost_to = max(c.lost_to, n)


# --- questions and answers --------------------------------------------------------------------------------------------


def _ask(c: Checked, entry: Entry) -> None:
    c.asks[entry.n], c.answers[entry.n] = entry, {}


def _order(c: Checked, entry: Entry) -> None:
    seat, say, question = entry.fields["by"], entry.fields["say"], c.course.put
    check_seen(c, entry)
    if question.mark:
        check_link(c, entry, question.mark)
    bear(c, entry, seat, sealed_under(say), say["seals"])
    c.answers[question.n][seat] = entry


def _skip(c: Checked, entry: Entry) -> None:
    c.answers[entry.fields["ask"]][entry.fields["to"]] = entry


# --- tells ------------------------------------------------------------------------------------------------------------


def _tell(c: Checked, entry: Entry) -> None:
    _names(c, entry)
    # 3: the next tell opens an order given in the open
    for digest in c.course.in_the_open:
        if digest not in entry.fields["opens"]:
            b = c.bearers[digest]
            why = _("The tell does not open {who}'s order of entry {n}, which was public.", who=b.who, n=b.n)
            raise host_fault(entry, "TELL", why)
    bear(c, entry, "host", entry.n, entry.fields["seals"])


def _names(c: Checked, entry: Entry) -> None:
    """7: a tell names what is logged, not yet named, and no `priv` link."""
    for digest in entry.fields["opens"]:
        if digest not in c.bearers or digest in c.named:
            short = digest[:12]
            reason = (
                _("The tell opens the seal {digest}…, but it was named before.", digest=short)
                if digest in c.named
                else _("The tell opens the seal {digest}…, but no entry above has it.", digest=short)
            )
            raise host_fault(entry, "STRAY", reason)
        c.named[digest] = entry.n
    for label, i in entry.fields["links"]:
        if not label.startswith("deal:") or (label, i) not in c.events or (label, i) in c.named:
            reason = (
                _("The tell shows link {i} of {label}, but it was named before.", i=i, label=label)
                if (label, i) in c.named
                else _("The tell shows link {i} of {label}, but it is no deal that was made.", i=i, label=label)
            )
            raise host_fault(entry, "STRAY", reason)
        c.named[label, i] = entry.n


_CHECKS = {
    "game": _game,
    "ready": _ready,
    "ask": _ask,
    "order": _order,
    "rand": check_rand,
    "tell": _tell,
    "skip": _skip,
    "say": check_seen,
    "rekey": check_seen,
    "amend": _amend,
    "host": _host,
}
