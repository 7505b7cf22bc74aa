"""The budget of work of the log format, as the page tells it: what a file may cost its reader, whatever it holds."""

from __future__ import annotations

from pbem.ledger import Verdict
from pbem.ledger.chains import PUB_LENGTH
from pbem.ledger.fields import MAX_DRAWN
from pbem.ledger.verifier import CODES, Checked, verify_checked

OUTCOMES = {"clean", "unfinished", "fault", "cannot_judge"}


def judged(data: bytes) -> Verdict:
    """Return the verdict on any bytes at all: there is one, and the work for it lies within the budget."""
    verdict, c = verify_checked(data)
    assert verdict.verdict in OUTCOMES
    assert (verdict.verdict == "fault") == (verdict.code is not None)
    assert verdict.code is None or verdict.code in CODES
    check_work(data, c)
    return verdict


def check_work(data: bytes, c: Checked) -> None:
    """The counts are bounded by the entries, and by the bytes that were paid for them."""
    work, entries, lines = c.work, len(c.entries), data.count(b"\n")
    events = sum(entry.fields.get("k") == "rand" for entry in c.entries)
    assert work.hashes <= min(PUB_LENGTH * entries, 2 * len(data)), work
    assert work.drawn <= min(MAX_DRAWN * events, len(data) + MAX_DRAWN), work
    assert work.signatures <= 3 * lines, work
    assert work.keys <= 2 * entries, work
