"""What a refused turn of the friend's can be proved by: what everybody sees, this seat's secret, or nothing yet.

It tries the secret on this player's own copy. It shows it only if he says so; then the game is over, and his program goes no
further.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem import private
from pbem.errors import UsageError
from pbem.games.without_host import knowing_by_version, play_alike
from pbem.i18n import N_, _
from pbem.ledger.pair import append, known_course, lines_of, signed_turn
from pbem.ledger.pair.course import JOINS
from pbem.ledger.pair.papers import NO_PAPERS, Papers, common_paper, secret_paper
from pbem.referee.pair import audit_pair
from pbem.referee.pair.play import vault_of

from .laying import lay_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.ledger import Entry, PrivateKey, Verdict

    from .shelf import PairSeat
    from .table import PairTable

EVERYBODY, HANDS, SECRET, NOBODY = "everybody", "hands", "secret", "nobody"
_TOLD = {
    EVERYBODY: N_("Everybody can see it: {beside} is the evidence."),
    HANDS: N_(
        "Nobody else can see the fault yet. The key that you both share proves it. It also opens "
        "everything that you both have handed over. “pbem say prove” writes the proof."
    ),
    SECRET: N_(
        "Nobody else can see the fault yet. Your secret proves it. “pbem say prove” reveals your "
        "secret: everything of yours is then open, and the game is over."
    ),
    NOBODY: N_(
        "Nothing shows it to others yet: only when both have shown their secrets, “pbem audit” says who was right."
    ),
}


def who_sees(table: PairTable, entries: Sequence[Entry], key: PrivateKey) -> tuple[str, bytes]:
    """Return what proves that the entries behind a log are at fault, and the paper that shows it."""
    vault = vault_of(table.entries, key)
    papers = {
        EVERYBODY: b"",
        HANDS: common_paper(vault, known_course(table.entries, goes_on=True)),
        SECRET: secret_paper(vault),
    }
    log = b"".join(entry.line + b"\n" for entry in (*table.entries, *entries))
    for what, paper in papers.items():
        brought = Papers.of(paper) if paper else NO_PAPERS
        found = audit_pair(log, knowing_by_version, str, play_alike, brought)
        if found.verdict == "fault" and found.party != vault.seat:
            return what, paper
    return NOBODY, b""


def told(table: PairTable, entries: Sequence[Entry], key: PrivateKey, beside: str) -> str:
    """Say who can see that the friend's turn is at fault; "" before the game has begun."""
    if not entries or len(table.entries) <= JOINS:
        return ""
    return _(_TOLD[who_sees(table, entries, key)[0]], beside=beside)


def prove(seat: PairSeat, at: str) -> str:
    """Show what proves that the turn refused last is at fault; with the secret the game is over. Raises UsageError."""
    table = seat.table
    key, kept, proof = seat.key, table.path.with_suffix(".fault"), table.path.with_suffix(".proof")
    refused = lines_of(kept.read_bytes())[len(table.entries) :] if kept.is_file() else []
    if not refused or refused[0].fields["prev"] != table.head[1]:
        raise UsageError(_("No turn of your friend's that was refused behind your log is kept here."))
    what, paper = who_sees(table, refused, key)
    if what in (EVERYBODY, NOBODY):
        raise UsageError(_(_TOLD[what], beside=kept.name))
    private.put(proof, kept.read_bytes() + paper)
    if what == SECRET:
        _end(seat, table, refused, at)
    return _(
        "The evidence is written: “pbem complain {log} {proof}” shows everybody who is at fault. Hand on both files.",
        log=table.path,
        proof=proof,
    )


def _end(seat: PairSeat, table: PairTable, refused: Sequence[Entry], at: str) -> None:
    """Take the refused entries, so that nothing is signed any longer; and in one's own turn show the secret in the log."""
    key, vault, last = seat.key, vault_of(table.entries, seat.key), refused[-1]
    play = seat.play()
    winner = table.pack.rules.resigned(play.state, (seat.notes.seat,), (play.other,))
    table.grow(refused)
    if not last.fields["say"].get("more"):
        result = {"winner": winner, "why": "resigned", "seats": [seat.notes.seat]}
        acts: list[dict[str, Any]] = [
            {"do": "say", "what": "resign"},
            {"do": "over", "result": result, "secret": vault.secret},
        ]
        head, no = (last.n, last.hash), play.course.seats[seat.notes.seat].turns + 1
        table.grow([append(head, signed_turn(key, vault, no, head, acts))])
        lay_turn(seat, play, at, decided=True)


def audited(data: bytes, called: Callable[[str], str] = str, *papers: Any) -> Verdict:
    """Audit a log of two by the rules that are here, with the evidence in `papers`; `called` gives the name of a seat."""
    return audit_pair(data, knowing_by_version, called, play_alike, *papers)
