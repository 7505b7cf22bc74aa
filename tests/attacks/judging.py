"""What comes of a log in the hands of those who look at it: the verifier, the audit, the player's program that reads along."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import pytest

from pbem.errors import Fault
from pbem.ledger import Log, Verdict, Watch, redact, verify
from pbem.referee.audit import audit

from .forger import Forger, Piece
from .recorded import Recorded, a_log


def faulted(verdict: Verdict) -> tuple[int | None, str | None, str | None]:
    """Entry, code and party; the verdict must be a fault."""
    assert verdict.verdict == "fault", verdict
    return verdict.entry, verdict.code, verdict.party


def judged(game: str, data: bytes) -> Verdict:
    """The audit's verdict, with the rules at hand that the log names."""
    return audit(data, lambda _: (a_log(game).game, "0" * 64)).verdict


def copies(log: Log, seats: list[str]) -> Iterator[tuple[str, Log]]:
    """The file that the host holds, and what each seat holds."""
    yield "host", log.tidy()
    for seat in seats:
        yield seat, redact(log, seat)


def watched(log: Log, seat: str) -> bool:
    """Does the player's program, which verifies as mails come in, stop at this copy?"""
    watch, lines = Watch(seat), log.lines
    ends = [at + 1 for at, line in enumerate(lines) if line.k == "head"]
    try:
        for start, end in zip([0, *ends], ends, strict=False):
            watch.grow(b"".join(line.line + b"\n" for line in lines[start:end]))
    except Fault:
        return True
    return False


def stands_in_every_copy(recorded: Recorded, verdict: str = "clean") -> None:
    """Nobody finds anything in what a seat holds of an honest game."""
    for seat, copy in recorded.copies.items():
        assert verify(copy, seat).verdict == verdict
        assert not watched(Log.parse(copy), seat)


def shows_with_the_next_report(f: Forger, found: Piece, code: str, party: str = "host") -> None:
    """Whoever holds a copy finds a misdeed at its entry, as soon as the next signed head is there."""
    f.cut(found)
    for holder, copy in copies(f.write(), f.seats):
        assert faulted(verify(copy, holder)) == (found.n, code, party), holder
        assert holder == "host" or watched(copy, holder)


def each_of(codes: Mapping[str, Sequence[Callable[[Forger], Piece]]]) -> pytest.MarkDecorator:
    """Every misdeed of a list by codes, with its code."""
    found = [(code, mount) for code, mounts in codes.items() for mount in mounts]
    return pytest.mark.parametrize(("code", "mount"), found, ids=lambda x: getattr(x, "__name__", x))


Shown = Callable[[str, Callable[[Forger], Piece]], None]


def every_copy_shows(codes: Mapping[str, Sequence[Callable[[Forger], Piece]]], game: Callable[[], Recorded]) -> Shown:
    """The test that whoever holds a copy of the game finds each of these misdeeds, as soon as the next signed head is there."""

    @pytest.mark.variants
    @each_of(codes)
    def shown(code: str, mount: Callable[[Forger], Piece]) -> None:
        f = Forger(game())
        shows_with_the_next_report(f, mount(f), code)

    return shown
