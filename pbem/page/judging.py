"""Judging files: finding the log in them, the verdict in words, the evidence, and complaints.

It takes a log as it is, or assembles it from the mails that brought it. The verdicts are those of `pbem verify`, `pbem audit` and
`pbem complain`, in the same words. Other versions of the rules are borrowed (`lent`) if they are available.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from pbem.errors import FormError, UsageError
from pbem.games import installed
from pbem.i18n import ENGLISH, _, speaking
from pbem.ledger import (
    SAYS,
    Log,
    Progress,
    Verdict,
    cj,
    complaint,
    repaired,
    sha256_hex,
    with_repaired,
    write_evidence,
)
from pbem.ledger.modes import OF_TWO, WITH_HOST, mode_of
from pbem.ledger.modes import united as merged
from pbem.mail import first_entry, lines_of_a_log, read_message, unpacked
from pbem.player import Desk, Notes
from pbem.player.modes import beside, mode_in
from pbem.player.papers import fitting, receipt_for, signed_by_letter
from pbem.player.reading import opened
from pbem.player.tray import signed_in
from pbem.player.unheard import judged, of_order
from pbem.reports.verdict_details import Judged, names_in

from . import calls, further_calls
from .lent import Lends
from .letters import file

_NO_DATE = (1980, 1, 1, 0, 0, 0)
_COMPLAINED_OF = ("order", "ahead", *SAYS, "rekey")
"""What a host signs a receipt for, so that leaving it out can be shown."""


# -- the log in a file --------------------------------------------------------------------------------------------------


def log_in(name: str, data: bytes) -> bytes:
    """Return the log in a file: its bytes unchanged, or for mails the lines that they bring, assembled.

    Raises UsageError if the mails lack the beginning of the log, or bring logs of several games.
    """
    if data.startswith((b"{", b"[")) or lines_of_a_log(data):
        return data
    try:
        found = unpacked(name or _("the file"), data)
    except UsageError:
        return data  # what is no mail either is judged as it is
    brought = [lines for one in found if (lines := _brought(one.raw))]
    if len(brought) == 1 and not mode_of(brought[0]).in_pieces:
        return brought[0]
    return _together(brought) if brought else data


def _brought(raw: bytes) -> bytes:
    """The lines of a log that a mail brings; receipts are none."""
    lines = opened(raw)[0].log
    return b"" if lines.startswith(b'["got"') else lines


def _together(brought: Sequence[bytes]) -> bytes:
    log, have = Log(), set[bytes]()
    for lines in sorted(brought, key=first_entry):
        more = [line for line in dict.fromkeys(lines.removesuffix(b"\n").split(b"\n")) if line not in have]
        try:
            if more:
                log.grow(b"".join(line + b"\n" for line in more))
        except FormError as error:
            raise UsageError(
                _(
                    "These mails do not bring the log of one game from its beginning ({why}). Take all mails of the game at "
                    "once, and of no other; or the copy itself, a file that ends in .pbem.",
                    why=error,
                )
            ) from error
        have.update(more)
    return log.dump()


# -- verdicts -----------------------------------------------------------------------------------------------------------


def checked(name: str, data: bytes, lends: Lends | None, told: Progress | None = None) -> calls.LogJudged:
    """Return the verdict on the log in a file in words: verified, or replayed by the rules that are here or lent.

    `told` is called with how much is done, and of how much: entry by entry.
    """
    log = log_in(name, data)
    verdict, taken = _judge(log, lends, told)
    verdict = with_repaired(verdict, log, lambda mended: _judge(mended, lends)[0])
    return in_words(verdict, log, taken, rules=lends is not None)


def _judge(log: bytes, lends: Lends | None, told: Progress | None = None) -> tuple[Verdict, tuple[str, ...]]:
    """Return the verdict, and the messages about borrowed rules; if `lends` is None, use no rules."""
    called = names_in(log)
    if lends is None:
        return mode_of(log).verify(log, None, told, 1, called), ()
    with lends() as lent:
        return mode_in(log).audited(log, lent, told, 1, called), tuple(lent.words())


def in_words(verdict: Verdict, log: bytes, taken: tuple[str, ...] = (), *, rules: bool) -> calls.LogJudged:
    """Return a verdict on a log's bytes in the page's form; `taken`: the messages about borrowed rules."""
    from pbem.reports.scenes import scene  # no screen needs it before

    told = scene(log, verdict)
    judged = Judged.of(verdict, log, rules=rules, scene=told)
    return calls.LogJudged(
        taken=taken,
        outcome=judged.outcome,
        words=judged.words,
        entry=verdict.entry,
        code=verdict.code or "",
        party=verdict.at_fault if verdict.party else "",
        fault=judged.fault,
        reason=judged.reason,
        head=judged.head,
        chosen=judged.chosen,
        doubt=judged.doubt,
        text="\n".join([*taken, judged.text()]),
    )


def proof(name: str, data: bytes, lends: Lends | None) -> bytes:
    """Return the evidence of a fault as a zip, in English because others will read it. Raises UsageError without a fault."""
    log = log_in(name, data)
    with speaking(ENGLISH):
        return _zipped(write_evidence(log, _judge(log, lends)[0]))


def signature(name: str, data: bytes, entry: int) -> tuple[bytes, str]:
    """Return what OpenSSH needs to check the signature of an entry, as a zip, and the command that does. Raises UsageError."""
    log = repaired(log_in(name, data))[0]
    message, made, signers, namespace = mode_of(log).export_sig(log, entry)
    stem = f"entry-{entry}"
    files = {f"{stem}.json": message, f"{stem}.sig": made.encode(), f"{stem}.signers": f"{signers}\n".encode()}
    named = f"-f {stem}.signers -I {signers.split(' ', 1)[0]} -n {namespace}"
    return _zipped(files), f"ssh-keygen -Y verify {named} -s {stem}.sig < {stem}.json"


def united(first: bytes, second: bytes) -> bytes:
    """Return two copies of one game as one. Raises RecordError where they are of different games or histories."""
    return merged(
        repaired(log_in("", first))[0], repaired(log_in("", second))[0], (_("the first file"), _("the second"))
    )


def _zipped(files: Mapping[str, bytes]) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for file_name, content in files.items():
            archive.writestr(zipfile.ZipInfo(file_name, _NO_DATE), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()


# -- complaints ---------------------------------------------------------------------------------------------------------


def letters_of(desk: Desk, notes: Notes) -> further_calls.SentLetters:
    """Return the letters of a game that left and of which one may complain, the last first."""
    return further_calls.SentLetters(
        letters=tuple(_sent(path, _receipts(desk, notes)) for path in _complained_of(desk, notes))
    )


def _complained_of(desk: Desk, notes: Notes) -> list[Path]:
    found = (path for path in desk.tray.lying(notes, "", "sent", "given") if path.name.split(".")[1] in _COMPLAINED_OF)
    return sorted(found, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)


def _sent(path: Path, receipts: bytes) -> further_calls.SentLetter:
    signed = signed_in(path)
    has = signed is not None and sha256_hex(cj(dict(signed.say))).encode() in receipts
    text = read_message(path.read_bytes()).text.partition("\nEND\n")[0]
    return further_calls.SentLetter(name=path.name, kind=path.name.split(".")[1], text=text, has_receipt=has)


def _receipts(desk: Desk, notes: Notes, *kinds: str) -> bytes:
    """The host's receipts for what left, and what other players have acknowledged of it; or one of the two."""
    found = (desk.path(notes, kind) for kind in kinds or ("receipts", "heard"))
    return b"".join(path.read_bytes() for path in found if path.exists())


def of_own(desk: Desk, notes: Notes, name: str, mark: int | None, lends: Lends) -> calls.LogJudged:
    """Judge a complaint about a letter of this desk, by its copy and the receipts that are kept. Raises UsageError."""
    path = next((one for one in _complained_of(desk, notes) if one.name == name), None)
    if path is None:
        raise UsageError(_("No letter “{name}” of this game has left this desk.", name=name))
    log = desk.copy(notes).log.dump()
    envelope = signed_by_letter(name, path.read_bytes(), log, mark, sent := signed_in(path))
    receipts, digest = _receipts(desk, notes, "receipts"), sha256_hex(cj(dict(envelope["say"]))).encode()
    if sent and digest not in receipts and digest in (heard := _receipts(desk, notes, "heard")):
        with lends() as lent:
            return in_words(
                judged(sent, of_order("", heard, sent.say), log, installed, lent), log, tuple(lent.words()), rules=False
            )
    return _complaint(envelope, receipt_for(_("The collection of the host's receipts"), receipts, envelope), log, lends)


def complained(asked: further_calls.Complain, lends: Lends) -> calls.LogJudged:
    """Judge a complaint about papers that are brought: a log, a letter, and receipts or another letter. Raises UsageError."""
    log = repaired(log_in(_("The log"), file(asked.log)))[0]
    mode = mode_of(log)
    more = asked.receipts or asked.other or asked.mark is not None
    mode.refuse({_("The additional paper"): more})
    return _COMPLAINED[mode.name](asked, log, lends)


def _complained_with_host(asked: further_calls.Complain, log: bytes, lends: Lends) -> calls.LogJudged:
    if not asked.receipts and not asked.other:
        raise UsageError(_("Bring the host's receipts, or another letter of the same seat, too."))
    envelope = signed_by_letter(_("The letter"), file(asked.letter), log, asked.mark)
    other = signed_by_letter(_("The other letter"), file(asked.other), log, asked.mark) if asked.other else None
    if not asked.receipts:
        return in_words(complaint(envelope, other or {}, log), log, rules=False)
    brought = file(asked.receipts)
    receipts = brought if lines_of_a_log(brought) else opened(brought)[0].log
    receipt = receipt_for(_("The file of receipts"), receipts or brought, envelope)
    return _complaint(envelope, receipt, log, lends, other)


def _complained_of_two(asked: further_calls.Complain, log: bytes, _lends: Lends) -> calls.LogJudged:
    """Judge what a friend has signed beside a log of two."""
    found = beside(log, file(asked.letter), names_in(log))
    return in_words(found.verdict, found.shows, (), rules=False)


_COMPLAINED = {WITH_HOST.name: _complained_with_host, OF_TWO.name: _complained_of_two}
"""By the name of a log's mode, what judges a complaint beside it."""


def _complaint(
    envelope: Mapping[str, Any], receipt: list[Any], log: bytes, lends: Lends, other: Mapping[str, Any] | None = None
) -> calls.LogJudged:
    with lends() as lent:
        verdict = complaint(envelope, receipt, log, fitting(log, installed, lent), other)
        return in_words(verdict, log, tuple(lent.words()), rules=False)
