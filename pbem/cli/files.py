"""Commands for anyone with a file: verify, audit, merge, export-sig."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from json import loads as load_json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem import private
from pbem.errors import FormError, PbemError, RecordError, UsageError
from pbem.i18n import ENGLISH, _, _n, speaking
from pbem.i18n.visible import in_a_line

from . import screen
from .common import OtherRules, check_seat, echo_json, read_bytes, read_log, rules_installed, rules_lent, say_taken
from .language import for_programs

if TYPE_CHECKING:
    from pbem.ledger import Verdict
    from pbem.referee import Envelope
    from pbem.referee.replaying import Find, Shelf

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
    if isinstance(seats, list) and seat != "host":
        check_seat([str(one) for one in seats], seat)
    kept = _kept(evidence, verdict, data, lambda: verify_checked(data, seat)[0])
    _say(verdict, data, as_json=json, rules=False, evidence=kept)


def audit(
    file: File,
    rules: OtherRules = None,
    json: Json = False,
    evidence: Evidence = None,
) -> None:
    """Verify a log and replay it under its rules: the verdict names the first wrong entry and who is at fault."""
    from pbem.referee.audit import audit as replay

    data = read_bytes(file)
    with rules_lent(rules) as lent:

        def judge() -> Verdict:
            return replay(data, rules_installed, lent).verdict

        verdict = judge()
        kept = _kept(evidence, verdict, data, judge)
    if not json:
        say_taken(lent)
    _say(verdict, data, as_json=json, rules=True, evidence=kept)


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


def _say(verdict: Verdict, data: bytes, *, as_json: bool, rules: bool, evidence: Path | None = None) -> None:
    """Say a verdict on the bytes of a file, in words first; `rules`: they were replayed."""
    from pbem.reports.text import groups, wrap
    from pbem.reports.verdicts import explained

    if as_json:
        echo_json(verdict.to_json())
    else:
        screen.echo(verdict.outcome)
        screen.echo(
            wrap("\n\n".join(explained(verdict, _entry(data, verdict.entry), rules=rules, name=_names(data)))) + "\n"
        )
        if verdict.verdict == "fault":
            screen.echo(
                _(
                    "entry {entry}, {code}, at fault: {party}",
                    entry=verdict.entry,
                    code=verdict.code,
                    party=verdict.at_fault,
                )
            )
        screen.echo(in_a_line(verdict.reason))
        if verdict.head:
            screen.echo(_("head of entry {n}: {head}", n=verdict.head[0], head=groups(verdict.head[1])))
        for line in _counted(verdict.choices or {}):
            screen.echo(line)
        if evidence is not None:
            screen.echo(_("The evidence lies in {folder}.", folder=evidence))
        if verdict.verdict == "fault" and not data.startswith(b"{"):
            said = _(
                "This looks like no copy of a game at all; is it the right file? Copies are called ….pbem: "
                "yours lie in “games”, in your "
                "folder. A mail is read by “pbem read”."
            )
            screen.echo("\n" + wrap(said))
    if verdict.verdict in ("fault", "cannot_judge"):
        raise typer.Exit(1)


def _entry(data: bytes, n: int | None) -> dict[str, Any] | None:
    """The fields of entry n, read leniently: what names a fault may be malformed."""
    lines = [line for line in data.split(b"\n") if line.startswith(b"{")]
    with suppress(ValueError, RecursionError):
        fields = load_json(lines[n]) if n is not None and n < len(lines) else None
        return fields if isinstance(fields, dict) else None
    return None


def _names(data: bytes) -> Callable[[str], str]:
    """What the seats of a file's game are called, if that game is here."""
    from pbem.games import find

    first, names = _entry(data, 0) or {}, {}
    with suppress(PbemError, LookupError, TypeError, ValueError):
        look = find(str(first["rules"]["id"])).look
        names = {str(seat): look.seat_name(seat) for seat in first["seats"]}
    return lambda seat: names.get(seat, seat)


def _counted(choices: dict[str, dict[str, int]]) -> list[str]:
    """What there was of choice between dice that host and a player could know, as sentences; nothing where there was none."""
    counts = {
        "skips": lambda n: _n("{n} marked question left to the default", "{n} marked questions left to the default", n),
        "late": lambda n: _n("{n} answer taken late", "{n} answers taken late", n),
        "keys": lambda n: _n("{n} change of key or chain", "{n} changes of key or chain", n),
        "players": lambda n: _n("{n} new player or host", "{n} new players or hosts", n),
        "takebacks": lambda n: _n("{n} answer taken back", "{n} answers taken back", n),
        "extensions": lambda n: _n("{n} time made longer", "{n} times made longer", n),
    }
    lines = []
    for who, found in choices.items():
        if said := [counts[name](count) for name, count in found.items() if name in counts]:
            bits = _n(
                "at most {n} bit of choice between dice",
                "at most {n} bits of choice between dice",
                found.get("bits", 0),
            )
            seat = _("the host") if who == "host" else who
            lines.append(_("{seat}: {counts}; {bits}.", seat=seat, counts=", ".join(said), bits=bits))
    return lines


def merge(
    first: File,
    second: Annotated[str, typer.Argument(metavar="FILE", help="Another copy of the same game.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the united copy goes.")],
) -> None:
    """Unite two copies of one game: what either of them opens is open in the result."""
    from pbem.ledger import merge as unite

    made = unite(read_log(first), read_log(second))
    private.write(out, made.dump())
    n, head = made.head
    screen.echo(
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

    message, signature, signers, namespace = export(read_log(file), entry)
    out.mkdir(parents=True, exist_ok=True)
    stem = out / f"entry-{entry}"
    stem.with_suffix(".json").write_bytes(message)
    stem.with_suffix(".sig").write_text(signature, "utf-8")
    stem.with_suffix(".signers").write_text(signers + "\n", "utf-8")
    screen.echo(_("Check it with:"))
    named = f"-f {stem}.signers -I {signers.split(' ', 1)[0]} -n {namespace}"
    screen.echo(f"ssh-keygen -Y verify {named} -s {stem}.sig < {stem}.json")


def complain(
    file: File,
    letter: Annotated[str, typer.Argument(metavar="LETTER", help="The letter with the order, as it was sent.")],
    receipts: Annotated[str | None, typer.Option(help="The host's receipts: was the order left out?")] = None,
    other: Annotated[
        str | None, typer.Option(help="Another letter of the seat: did it sign two orders, or replace one?")
    ] = None,
    mark: Annotated[int | None, typer.Option(help="The mark of an order that the letter sends ahead.")] = None,
    rules: OtherRules = None,
    json: Json = False,
) -> None:
    """Judge what a log alone cannot show: an order that was sent and left out, or two orders to one question."""
    from pbem.ledger import complaint

    if receipts is None and other is None:
        raise UsageError(_("Bring the host's receipts with --receipts, or another letter with --other."))
    data = read_bytes(file)
    envelope = _envelope(letter, mark, data)
    second = _envelope(other, mark, data) if other is not None else None
    if receipts is None:
        verdict = complaint(envelope, second or {}, data)
    else:
        receipt = _receipt(receipts, envelope)
        with rules_lent(rules) as lent:
            verdict = complaint(envelope, receipt, data, fitting(data, rules_installed, lent), second)
    _say(verdict, data, as_json=json, rules=False)


def _envelope(letter: str, mark: int | None, data: bytes) -> dict[str, Any]:
    """What is signed in a letter. The full form of what went in a short block lies beside it on its desk; else the log is asked."""
    from pbem.games import find
    from pbem.games.words import words
    from pbem.ledger import Log
    from pbem.mail import KnownLog, Short, read_block, read_message, rebuild
    from pbem.player.tray import signed_in

    def write_out(said: Short) -> Envelope:
        log = Log.parse(data)
        pack = find(str(log.entries[0].fields["rules"]["id"]))
        return rebuild(said, KnownLog(log, lambda number: words(pack, number)))

    path = Path(letter)
    found = signed_in(path) if path.is_file() else None
    found = found or read_block(read_message(read_bytes(letter)).text, None, write_out)
    if found is None:
        raise UsageError(_("{letter} holds no signed block.", letter=letter))
    if mark is not None:
        found = next((one for one in (found, *found.ahead) if one.say.get("link_n") == mark), None)
        if found is None:
            raise UsageError(_("{letter} holds no order for mark {mark}.", letter=letter, mark=mark))
    return {"say": found.say, "sig": found.sig, "openings": [list(line) for line in found.openings]}


def fitting(data: bytes, find_game: Find, shelf: Shelf) -> Callable[[str, int, str], bool | None]:
    """Return what tells whether an order sent ahead answers a question of a log, by the rules that the log names for it.

    By others of the same version only where a release is known to play by each of the two; else it does not tell (None).
    """
    from pbem.games.releases import known
    from pbem.kernel import Fit, choose
    from pbem.ledger import Log
    from pbem.ledger.course import read
    from pbem.referee.replaying import Library, NoRules
    from pbem.reports.told import NONSENSE, view_at

    library = Library(find_game, shelf)

    def fits(seat: str, ask: int, text: str) -> bool | None:
        log = Log.parse(data)
        named = read(entry.fields for entry in log.entries[: ask + 1]).rules
        try:
            rules, sha256 = library.get(dict(named), ask)
        except NoRules:
            return None
        listed = (known(rules.id, rules.version, found) for found in (sha256, named["sha256"]))
        if sha256 != named["sha256"] and not all(listed):
            return None
        view = view_at(log, seat, ask)
        try:
            return None if view is None else isinstance(choose(rules, rules.read_view(view), text), Fit)
        except NONSENSE:  # what these rules do not know they do not judge
            return None

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
