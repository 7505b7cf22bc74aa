"""Commands for anyone with a file: verify, audit, merge, export-sig."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.errors import FormError, RecordError, UsageError
from pbem.words import ENGLISH, _, speaking

from .common import OtherRules, echo_json, read_bytes, read_log, rules_lent
from .language import for_programs

if TYPE_CHECKING:
    from pbem.ledger import Verdict

File = Annotated[str, typer.Argument(metavar="FILE", help="A .pbem file, or - for standard input.")]
Json = Annotated[bool, typer.Option("--json", callback=for_programs, help="Print one JSON object.")]
Evidence = Annotated[
    Path | None, typer.Option("--evidence", metavar="DIR", help="Write the evidence of a fault there.")
]


def verify(
    file: File,
    seat: Annotated[str | None, typer.Option(help="Whose copy it is, where the file does not say it.")] = None,
    json: Json = False,
    evidence: Evidence = None,
) -> None:
    """Check a log as far as no rules are needed: bytes, chain, signatures, seals, dice, deals, order of entries."""
    from pbem.ledger.verifier import verify_checked

    data = read_bytes(file)
    verdict, checked = verify_checked(data, seat)
    seats = checked.entries[0].fields.get("seats") if checked.entries else None
    if seat is not None and isinstance(seats, list) and seat not in (*seats, "host"):
        raise UsageError(
            _("This game has no seat “{seat}”; its seats are {seats}.", seat=seat, seats=", ".join(map(str, seats)))
        )
    _say(verdict, as_json=json, evidence=_kept(evidence, verdict, data, lambda: verify_checked(data, seat)[0]))


def audit(
    file: File,
    rules: OtherRules = None,
    json: Json = False,
    evidence: Evidence = None,
) -> None:
    """Verify a log and replay it under its rules: the verdict names the first wrong entry and who is at fault."""
    from pbem.games import find, manifest
    from pbem.ledger import Log
    from pbem.referee.audit import audit as replay

    data = read_bytes(file)
    with ExitStack() as lent:
        shelf = rules_lent(Log.parse(data), rules, lent) if rules else {}

        def judge() -> Verdict:
            return replay(data, lambda game: (find(game).rules, manifest(game)[1]), shelf).verdict

        verdict = judge()
        _say(verdict, as_json=json, evidence=_kept(evidence, verdict, data, judge))


def _kept(folder: Path | None, verdict: Verdict, data: bytes, judge: Callable[[], Verdict]) -> Path | None:
    """Write the evidence of a fault, in English, as it is for others to read: judged once more; return where it lies."""
    from pbem.ledger import write_evidence

    if folder is None or verdict.verdict != "fault":
        return None
    with speaking(ENGLISH):
        files = write_evidence(data, judge())
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def _say(verdict: Verdict, *, as_json: bool, evidence: Path | None = None) -> None:
    from pbem.reports.text import groups

    if as_json:
        echo_json(verdict.to_json())
    else:
        typer.echo(verdict.outcome)
        if verdict.verdict == "fault":
            found = {"entry": verdict.entry, "code": verdict.code, "party": verdict.at_fault}
            typer.echo(_("entry {entry}, {code}, at fault: {party}", **found))
        typer.echo(verdict.reason)
        if verdict.head:
            typer.echo(_("head of entry {n}: {head}", n=verdict.head[0], head=groups(verdict.head[1])))
        if evidence is not None:
            typer.echo(_("The evidence lies in {folder}.", folder=evidence))
    if verdict.verdict in ("fault", "cannot_judge"):
        raise typer.Exit(1)


def merge(
    first: File,
    second: Annotated[str, typer.Argument(metavar="FILE", help="Another copy of the same game.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the united copy goes.")],
) -> None:
    """Unite two copies of one game: what either of them opens is open in the result."""
    from pbem.ledger import merge as unite

    made = unite(read_log(first), read_log(second))
    out.write_bytes(made.dump())
    n, head = made.head
    typer.echo(
        _(
            "{out}: {n} entries, {count} attachments, head {head}…",
            out=out,
            n=n + 1,
            count=len(made.attachments),
            head=head[:16],
        )
    )


def export_sig(
    file: File,
    entry: Annotated[int, typer.Argument(metavar="N", help="The entry whose signature is wanted.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for the three files.")] = Path(),
) -> None:
    """Write what “ssh-keygen -Y verify” needs to check the signature of an entry without pbem."""
    from pbem.ledger import export_sig as export

    log = read_log(file)
    message, signature, signers, namespace = export(log, entry)
    out.mkdir(parents=True, exist_ok=True)
    stem = out / f"entry-{entry}"
    stem.with_suffix(".json").write_bytes(message)
    stem.with_suffix(".sig").write_text(signature, "utf-8")
    stem.with_suffix(".signers").write_text(signers + "\n", "utf-8")
    who = signers.split(" ", 1)[0]
    typer.echo(_("Check it with:"))
    typer.echo(f"ssh-keygen -Y verify -f {stem}.signers -I {who} -n {namespace} -s {stem}.sig < {stem}.json")


def complain(
    file: File,
    letter: Annotated[str, typer.Argument(metavar="LETTER", help="The letter with the order, as it was sent.")],
    receipts: Annotated[str | None, typer.Option(help="The host's receipts: was the order left out?")] = None,
    other: Annotated[
        str | None, typer.Option(help="Another letter of the seat: did it sign two orders, or replace one?")
    ] = None,
    mark: Annotated[int | None, typer.Option(help="The mark of an order that the letter sends ahead.")] = None,
    json: Json = False,
) -> None:
    """Judge what a log alone cannot show: an order that was sent and left out, or two orders to one question."""
    from pbem.ledger import complaint

    if receipts is None and other is None:
        raise UsageError(_("Bring the host's receipts with --receipts, or another letter with --other."))
    data, envelope = read_bytes(file), _envelope(letter, mark)
    second = _envelope(other, mark) if other is not None else None
    if receipts is None:
        verdict = complaint(envelope, second or {}, data)
    else:
        verdict = complaint(envelope, _receipt(receipts, envelope), data, _fits(data), second)
    _say(verdict, as_json=json)


def _envelope(letter: str, mark: int | None) -> dict[str, Any]:
    from pbem.mail import read_block, read_message

    found = read_block(read_message(read_bytes(letter)).text)
    if found is None:
        raise UsageError(_("{letter} holds no signed block.", letter=letter))
    if mark is not None:
        found = next((one for one in (found, *found.ahead) if one.say.get("link_n") == mark), None)
        if found is None:
            raise UsageError(_("{letter} holds no order for mark {mark}.", letter=letter, mark=mark))
    return {"say": found.say, "sig": found.sig, "openings": [list(line) for line in found.openings]}


def _fits(data: bytes) -> Callable[[str, int, str], bool | None]:
    """What tells by the rules whether an order sent ahead answers a question of the log."""
    from pbem.games import find
    from pbem.kernel import Fit, choose
    from pbem.ledger import Log
    from pbem.reports.told import view_at

    def fits(seat: str, ask: int, text: str) -> bool | None:
        log = Log.parse(data)
        view, rules = view_at(log, seat, ask), find(log.entries[0].fields["rules"]["id"]).rules
        return None if view is None else isinstance(choose(rules, rules.read_view(view), text), Fit)

    return fits


def _receipt(path: str, envelope: dict[str, Any]) -> list[Any]:
    from pbem.ledger import cj, read_line, sha256_hex

    digest = sha256_hex(cj(envelope["say"]))
    for line in read_bytes(path).splitlines():
        try:
            found = read_line(line)
        except FormError as error:
            raise RecordError(_("{path} holds a line that is no receipt: {why}.", path=path, why=error)) from error
        if isinstance(found, list) and found[2:3] == [digest]:
            return found
    raise UsageError(_("{path} holds no receipt for this order.", path=path))


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command()(verify)
    app.command()(audit)
    app.command()(merge)
    app.command("export-sig")(export_sig)
    app.command()(complain)
