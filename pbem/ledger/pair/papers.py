"""A seat's evidence beside a log of two, to prove facts that it alone can see: its secret, or the common key of both seats.

A paper is a line `{"do":"secret",…}` or `{"do":"common",…}`; no log contains one. It needs no signature: the seat bound its secret
when it joined, and the common key has a proof. This module decides what the papers show, without the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, cast

from pbem.errors import Fault, FormError, UsageError
from pbem.i18n import _
from pbem.ledger.canon import cj, read_line
from pbem.ledger.declared import form
from pbem.ledger.fields import Hex64, Seat
from pbem.ledger.forms import Checks, fault
from pbem.ledger.group import BASE, element, holds, prove
from pbem.ledger.group import proof as log_proof
from pbem.ledger.pair.course import PairCourse
from pbem.ledger.pair.forms import Element, ProofText
from pbem.ledger.pair.opening import open_all
from pbem.ledger.pair.vault import PEER, Vault, bound_by, common_key, read_hidden
from pbem.ledger.verifier.verdict import Verdict

SECRET, COMMON = "secret", "common"


def _paper(name: str, says: str, do: str, **fields: Any) -> Any:
    return form(name, says, {"do": Literal[do], "game": Hex64, "seat": Seat, **fields})


_CHECKS = Checks(
    {
        SECRET: _paper(
            "SecretPaper",
            "A seat's secret of a game: everything of the seat is open from now on.",
            SECRET,
            secret=Hex64,
        ),
        COMMON: _paper(
            "CommonPaper",
            "The key that both have in common, with the proof that it is made of the half of a seat: every hand of both is open.",
            COMMON,
            w=Element,
            proof=ProofText,
        ),
    }
)


class Papers(NamedTuple):
    """Papers brought in addition to a log."""

    lines: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def of(cls, data: bytes) -> Papers:
        """Return the papers among some lines. Raises UsageError for one that is malformed."""
        found = []
        for line in data.split(b"\n"):
            try:
                fields = read_line(line)
            except FormError:
                continue
            if isinstance(fields, dict) and fields.get("do") in (SECRET, COMMON):
                if why := fault(_CHECKS[fields["do"]], fields):
                    raise UsageError(_("The proof is malformed: {why}.", why=why))
                found.append(fields)
        return cls(tuple(found))

    def beside(self, verdict: Verdict, course: PairCourse) -> tuple[Verdict, PairCourse]:
        """Return the verdict on a log with what the papers show, and the course, which knows their secrets from now on.

        Raises UsageError for a paper that is not of this game, or shows nothing.
        """
        if verdict.verdict != "unfinished":
            return verdict, course
        try:
            for paper in self.lines:
                if paper["game"] != course.game or paper["seat"] not in course.seats:
                    raise UsageError(_("The proof is from another game."))
                course = (_open_secret if paper["do"] == SECRET else _open_common)(course, paper)
        except Fault as found:
            return Verdict.of(found, course.head), course
        return verdict, course


NO_PAPERS = Papers()


def _open_secret(course: PairCourse, paper: Mapping[str, Any]) -> PairCourse:
    seat, secret = paper["seat"], paper["secret"]
    if bound_by(course.game, seat, secret) != course.seats[seat].bound:
        raise UsageError(_("This is not the secret that {seat} has bound.", seat=seat))
    is_shown = bool(course.seats[seat].secret)
    return course if is_shown else cast("PairCourse", open_all(course.seat_but(seat, secret=secret), seat))


def _open_common(course: PairCourse, paper: Mapping[str, Any]) -> PairCourse:
    """Read every hand by the common key. Raises Fault for the first that cannot be read, its author's."""
    seat, shown = paper["seat"], element(paper["w"])
    own, other = course.seats[seat].mix, course.seats[course.other(seat)].mix
    if not holds(log_proof(paper["proof"]), [(BASE, own), (other, shown)], _about(course.game, seat)):
        raise UsageError(_("The proof of the common key does not hold."))
    hands = [hand for one in course.seats.values() for hand in one.hands]
    for at, hidden in sorted(hands, key=lambda hand: (hand[0].n, hand[0].index)):
        try:
            read_hidden(common_key(shown.data, course.game, at.seat, at.no, at.index), hidden)
        except FormError as why:
            raise Fault(at.n, "SEALBIND", at.seat, str(why)) from None
    return course


def _about(game: str, seat: str) -> list[str]:
    return [PEER, "hand", game, seat]


def secret_paper(vault: Vault) -> bytes:
    """Return the line that shows a seat's secret."""
    return cj({"do": SECRET, "game": vault.game, "seat": vault.seat, "secret": vault.secret}) + b"\n"


def common_paper(vault: Vault, course: PairCourse) -> bytes:
    """Return the line that shows the common key, with its proof; its random number is drawn from the secret."""
    other = course.seats[course.other(vault.seat)].mix
    shown = vault.common(other)
    pairs = [(BASE, vault.mix), (other, shown)]
    said = prove(vault.half, pairs, _about(vault.game, vault.seat), vault.secret)
    paper = {"do": COMMON, "game": vault.game, "seat": vault.seat, "w": shown.text, "proof": said.text}
    return cj(paper) + b"\n"
