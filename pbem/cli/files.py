"""Commands for anyone with a file: verify, audit, merge, export-sig."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.errors import FormError, RecordError, UsageError

from .common import echo_json, read_bytes, read_log

if TYPE_CHECKING:
    from pbem.ledger import Verdict

File = Annotated[str, typer.Argument(metavar="FILE", help="A .pbem file, or - for standard input.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
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
        raise UsageError(f"This game has no seat “{seat}”; its seats are {', '.join(map(str, seats))}.")
    _say(verdict, data, as_json=json, evidence=evidence)


def audit(file: File, json: Json = False, evidence: Evidence = None) -> None:
    """Verify a log and replay it under its rules: the verdict names the first wrong entry and who is at fault."""
    from pbem.games import find, manifest
    from pbem.referee.audit import audit as replay

    data = read_bytes(file)
    found = replay(data, lambda game: (find(game).rules, manifest(game)[1]))
    _say(found.verdict, data, as_json=json, evidence=evidence)


def _say(verdict: Verdict, data: bytes, *, as_json: bool, evidence: Path | None) -> None:
    from pbem.ledger import write_evidence
    from pbem.reports.text import groups

    fault = verdict.verdict == "fault"
    if evidence is not None and fault:
        evidence.mkdir(parents=True, exist_ok=True)
        for name, content in write_evidence(data, verdict).items():
            (evidence / name).write_bytes(content)
    if as_json:
        echo_json(verdict.to_json())
    else:
        where = f"entry {verdict.entry}, {verdict.code}, at fault: {verdict.party}\n" if fault else ""
        typer.echo(f"{verdict.verdict}\n{where}{verdict.reason}")
        if verdict.head:
            typer.echo(f"head of entry {verdict.head[0]}: {groups(verdict.head[1])}")
        if evidence is not None and fault:
            typer.echo(f"The evidence lies in {evidence}.")
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
    typer.echo(f"{out}: {n + 1} entries, {len(made.attachments)} attachments, head {head[:16]}…")


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
    typer.echo("Check it with:")
    typer.echo(f"ssh-keygen -Y verify -f {stem}.signers -I {who} -n {namespace} -s {stem}.sig < {stem}.json")


def complain(
    file: File,
    letter: Annotated[str, typer.Argument(metavar="LETTER", help="The letter with the order, as it was sent.")],
    receipts: Annotated[str | None, typer.Option(help="The host's receipts: was the order left out?")] = None,
    other: Annotated[str | None, typer.Option(help="Another letter of the same seat: did it sign two orders?")] = None,
    json: Json = False,
) -> None:
    """Judge what a log alone cannot show: an order that was sent and left out, or two orders to one question."""
    from pbem.ledger import complaint

    if (receipts is None) == (other is None):
        raise UsageError("Bring the host's receipts with --receipts, or another letter with --other.")
    data, envelope = read_bytes(file), _envelope(letter)
    paper = _envelope(other) if other is not None else _receipt(str(receipts), envelope)
    _say(complaint(envelope, paper, data), data, as_json=json, evidence=None)


def _envelope(letter: str) -> dict[str, Any]:
    from pbem.mail import read_block, read_message

    found = read_block(read_message(read_bytes(letter)).text)
    if found is None:
        raise UsageError(f"{letter} holds no signed block.")
    return {"say": found.say, "sig": found.sig}


def _receipt(path: str, envelope: dict[str, Any]) -> list[Any]:
    from pbem.ledger import cj, read_line, sha256_hex

    digest = sha256_hex(cj(envelope["say"]))
    for line in read_bytes(path).splitlines():
        try:
            found = read_line(line)
        except FormError as error:
            raise RecordError(f"{path} holds a line that is no receipt: {error}.") from error
        if isinstance(found, list) and found[2:3] == [digest]:
            return found
    raise UsageError(f"{path} holds no receipt for this order.")


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command()(verify)
    app.command()(audit)
    app.command()(merge)
    app.command("export-sig")(export_sig)
    app.command()(complain)
