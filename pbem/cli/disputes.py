"""Commands for anyone with a file: verify, audit, merge, export-sig."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem import private
from pbem.errors import UsageError
from pbem.i18n import ENGLISH, N_, _, speaking

from . import screen
from .common import (
    OtherRules,
    check_log,
    check_seat,
    echo_json,
    log_in,
    read_bytes,
    read_repaired,
    rules_lent,
    say_taken,
)
from .language import for_programs

if TYPE_CHECKING:
    from pbem.ledger import Verdict

File = Annotated[str, typer.Argument(metavar="FILE", help="A .pbem file, or - for standard input.")]
Json = Annotated[bool, typer.Option("--json", callback=for_programs, help="Print one JSON object.")]
Evidence = Annotated[
    Path | None, typer.Option("--evidence", metavar="DIR", help="Write the evidence of a fault there.")
]
Jobs = Annotated[
    int,
    typer.Option(
        min=0,
        max=61,  # Windows takes no more
        help="The number of processes that check signatures. 0: one for each free processor, if the log is long.",
    ),
]
LINE_ENDS = 3
"""The exit code where only the line ends of a file were changed: repaired, it is in order."""
_LONG = 1_000_000
"""Bytes of a log of which one process would be busy for a while."""


def verify(
    file: File,
    seat: Annotated[str | None, typer.Option(help="The seat of the copy, if the file does not name it.")] = None,
    jobs: Jobs = 0,
    json: Json = False,
    evidence: Evidence = None,
) -> None:
    """Check everything in a log that needs no rules: bytes, chain, signatures, seals, dice, deals and the order of entries."""
    from pbem.ledger import with_repaired
    from pbem.ledger.modes import mode_of
    from pbem.reports.verdict_details import names_in, seats_in

    def judge(data: bytes) -> Verdict:
        mode = mode_of(data)
        mode.refuse({"--seat": seat, "--evidence": evidence})
        verdict = mode.verify(data, seat, None, _jobs(jobs, data), str if json else names_in(data))
        if seat != "host" and (seats := seats_in(data)):
            check_seat(seats, seat)
        return verdict

    data = read_bytes(file)
    if b"\npbem invitation:" in data:  # only then is the mail loaded
        from pbem.mail.invitation import without_invitation

        data = without_invitation(data)
    verdict = with_repaired(judge(data), data, judge)
    _say(
        verdict,
        data,
        as_json=json,
        rules=False,
        evidence=_kept(evidence, verdict, data, lambda: judge(data)),
    )


def audit(
    file: File,
    rules: OtherRules = None,
    jobs: Jobs = 0,
    json: Json = False,
    evidence: Evidence = None,
    players: Annotated[
        bool, typer.Option("--players", help="Play the moves of built-in players again, too: are they theirs?")
    ] = False,
    mails: Annotated[
        Path | None,
        typer.Option(
            "--mails", metavar="FOLDER", help="Read the mails behind kept seats again, as “pbem host mails” wrote them."
        ),
    ] = None,
    dns: Annotated[
        bool,
        typer.Option(
            "--dns", help="With --mails: ask the DNS whether it still has the keys that signed the mails (DKIM)."
        ),
    ] = False,
) -> None:
    """Check a log by the rules. The verdict names the first wrong entry and the party at fault."""
    from pbem.host.rereading import read_again
    from pbem.ledger import repaired, with_repaired
    from pbem.ledger.modes import mode_of
    from pbem.player.modes import mode_in
    from pbem.reports.verdict_details import names_in

    data = read_bytes(file)
    mode_of(repaired(data)[0]).refuse(
        {"--rules": rules, "--evidence": evidence, "--players": players, "--mails": mails}
    )
    with rules_lent(rules) as lent:

        def judge(data: bytes) -> Verdict:
            called = str if json else names_in(data)
            return mode_in(data).audited(data, lent, None, _jobs(jobs, data), called)

        verdict = with_repaired(judge(data), data, judge)
        kept = _kept(evidence, verdict, data, lambda: judge(data))
    if not json:
        say_taken(lent)
    in_order = verdict.verdict in ("clean", "unfinished")
    played = _played_again(data) if players and json and in_order else {}
    again = read_again(mails if in_order else None, repaired(data)[0], ask=dns)
    _say(verdict, data, as_json=json, rules=True, evidence=kept, more={**played, **again.to_json()}, below=again.told)
    if played.get("by_host"):
        raise typer.Exit(1)
    if not json:
        _say_of_built_in(data, again=players)


_BY_HOST = {
    "skip": N_("Entry {n}: {seat} gave no answer in time. The host runs this player, so the host did that."),
    "late": N_("Entry {n}: {seat} answered late. The host runs this player, so the host did that."),
    "key": N_(
        "Entry {n}: {seat} changes to another key. The host keeps this player's keys, so the host made the change."
    ),
    "said": N_("Entry {n}: {seat} said something. A built-in player only orders, so the host did that."),
    "ahead": N_("Entry {n}: {seat} sent an order ahead. A built-in player never does, so the host did that."),
}
"""The messages about acts of a host in a built-in player's name."""


def _built_in(data: bytes) -> dict[str, Any]:
    """Return which built-in players fill seats, by the first line of a log that is in order."""
    from pbem.ledger import read_line

    found: dict[str, Any] = read_line(data.split(b"\n", 1)[0])["terms"].get("built_in", {})
    return found


def _played_again(data: bytes) -> dict[str, Any]:
    """Return what `--json` says of seats that built-in players fill: how many moves are theirs, and what the host did for them."""
    from pbem.club.built_in import acts_of_host, moves
    from pbem.ledger import Log

    if not (named := _built_in(data)):
        return {}
    log = Log.parse(data)
    found = list(moves(log))
    counts = {
        seat: {
            "player": player["player"],
            **{
                word: sum(move.seat == seat and move.is_his is his for move in found)
                for word, his in (("his", True), ("not_his", False), ("unknown", None))
            },
        }
        for seat, player in named.items()
    }
    by_host: list[dict[str, Any]] = [{"entry": act.n, "seat": act.seat, "what": act.what} for act in acts_of_host(log)]
    by_host += [
        {"entry": move.n, "seat": move.seat, "what": "move", "order": move.order, "wanted": move.wanted}
        for move in found
        if move.is_his is False
    ]
    return {"built_in": counts, "by_host": by_host}


def _say_of_built_in(data: bytes, *, again: bool) -> None:
    """Say of a log that is in order which seats built-in players fill, and whether their moves are theirs; code 1 where not."""
    if not (named := _built_in(data)):
        return
    from pbem.ledger import Log

    log = Log.parse(data)
    from pbem.club.built_in import acts_of_host, moves
    from pbem.games import find

    name = find(log.entries[0].fields["rules"]["id"]).look.seat_name
    if not again:
        seats = ", ".join(name(seat) for seat in named)
        screen.echo(_("Built-in players fill {seats}: “--players” plays their moves again.", seats=seats))
        return
    found, by_host = list(moves(log)), list(acts_of_host(log))
    for act in by_host:
        screen.echo(_(_BY_HOST[act.what], n=act.n, seat=name(act.seat)))
    for seat, player in named.items():
        own = [move for move in found if move.seat == seat]
        his, unknown = (sum(move.is_his is one for move in own) for one in (True, None))
        told = {"seat": name(seat), "player": player["player"], "his": his, "all": len(own) - unknown}
        if unknown < len(own):
            screen.echo(_("{seat}: {his} of {all} moves are those of the built-in player {player}.", **told))
        if unknown:
            screen.echo(
                _(
                    "{seat}: for {n} moves it is unknown whether {player} made them. Either no link was shown "
                    "after them, or this copy does not open them, or the player's version differs from the one "
                    "here.",
                    seat=told["seat"],
                    player=told["player"],
                    n=unknown,
                )
            )
    for move in found:
        if move.is_his is False:
            said = {"n": move.n, "seat": name(move.seat), "order": move.order, "wanted": move.wanted}
            screen.echo(
                _(
                    "Entry {n}: {seat} ordered “{order}”, but the player would have ordered “{wanted}”. The "
                    "person who ran the host has signed another move for that player.",
                    **said,
                )
            )
    if by_host or any(move.is_his is False for move in found):
        raise typer.Exit(1)


def _jobs(jobs: int, data: bytes) -> int:
    """Return the number of processes that check a log: `jobs` if given, more than one only for long logs."""
    if jobs or len(data) < _LONG:
        return jobs or 1
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    busy = round(os.getloadavg()[0]) if hasattr(os, "getloadavg") else 0
    return max(1, here - busy)


def _kept(folder: Path | None, verdict: Verdict, data: bytes, judge: Callable[[], Verdict]) -> Path | None:
    """Write the evidence of a fault in English, because others will read it, after another check; return its folder."""
    from pbem.ledger import write_evidence

    if folder is None or verdict.verdict != "fault":
        return None
    with speaking(ENGLISH):
        files = write_evidence(data, judge())
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def _say(
    verdict: Verdict,
    data: bytes,
    *,
    as_json: bool,
    rules: bool,
    evidence: Path | None = None,
    more: Mapping[str, Any] | None = None,
    below: Sequence[str] = (),
) -> None:
    """Print a verdict on a file's bytes, in words first; `rules`: they were replayed. `more` is added to the JSON.

    `below` has sentences to print after it.
    """
    from pbem.reports.scenes import scene
    from pbem.reports.verdict_details import Judged

    if as_json:
        echo_json({**verdict.to_json(), **(more or {})})
    else:
        kept = _("The evidence is in {folder}.", folder=evidence) if evidence is not None else ""
        screen.echo("\n".join([Judged.of(verdict, data, rules=rules, scene=scene(data, verdict)).text(kept), *below]))
    if verdict.repaired is not None and verdict.repaired.is_in_order:
        raise typer.Exit(LINE_ENDS)
    if verdict.verdict in ("fault", "cannot_judge"):
        raise typer.Exit(1)


def merge(
    first: File,
    second: Annotated[str, typer.Argument(metavar="FILE", help="Another copy of the same game.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the united copy goes.")],
) -> None:
    """Unite two copies of a game. The result opens all that either copy opens."""
    from pbem.ledger.modes import mode_of, united

    one, other = read_repaired(first), read_repaired(second)
    check_log(first, one)
    check_log(second, other)
    made = united(one, other, (first, second))
    private.write(out, made)
    entries = mode_of(made).entries(made)
    screen.echo(
        _(
            "{out}: {n} entries, {count} attachments, head {head}…",
            out=out,
            n=len(entries),
            count=made.count(b"\n") - len(entries),
            head=entries[-1].hash[:16],
        )
    )


def diff(
    first: File,
    second: Annotated[str, typer.Argument(metavar="FILE", help="Another copy of the same game.")],
    json: Json = False,
) -> None:
    """Say in words how two copies of a game differ: the first (here) and the second (there).

    Neither copy is judged, but if one party has signed both histories, the last line says so. The exit code is 1 if the copies
    contradict each other or contain lines that no log can have. It is 0 if one merely has or opens more.
    """
    from pbem.reports.differing import Differing

    laid = Differing(read_bytes(first), read_bytes(second))
    found, beside = list(laid.found()), laid.beside()
    if json:
        echo_json({"differences": [one._asdict() for one in found], "beside": beside})
    else:
        screen.echo(_("here: {first}; there: {second}", first=first, second=second))
        for said in [*(one.says for one in found), *beside]:
            screen.echo(said)
        if found:
            screen.say(laid.signed_both() or _("To learn which of the two is right, type “pbem verify” for each."))
        elif laid.odd:
            screen.echo(_("Both copies say the same, but not every line is written as a log writes it."))
        else:
            screen.echo(_("Nothing in one copy contradicts the other."))
    if found or laid.odd:
        raise typer.Exit(1)


def export_sig(
    file: File,
    entry: Annotated[int, typer.Argument(metavar="N", help="The entry with the signature.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for the three files.")] = Path(),
) -> None:
    """Write what “ssh-keygen -Y verify” needs to check the signature of an entry without pbem."""
    from pbem.ledger.modes import mode_of

    data = read_repaired(file)
    check_log(file, data)
    message, signature, signers, namespace = mode_of(data).export_sig(data, entry)
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
    letter: Annotated[
        str,
        typer.Argument(
            metavar="LETTER",
            help="The letter with the order, as it was sent. In a game of two: the friend's letter, or the "
            "file kept beside the log (….fault, ….fork).",
        ),
    ] = "",
    sent: Annotated[
        str | None,
        typer.Option(
            metavar="MAIL",
            help="A mail that you sent for a seat with a key kept by the host: does the log have what you wrote?",
        ),
    ] = None,
    receipts: Annotated[str | None, typer.Option(help="The host's receipts: was the order left out?")] = None,
    other: Annotated[
        str | None, typer.Option(help="Another letter of the seat: did it sign two orders, or replace one?")
    ] = None,
    heard: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="What other players have acknowledged (….heard, or their letter): had they the order in time?",
        ),
    ] = None,
    mark: Annotated[int | None, typer.Option(help="The mark of an order that the letter sends ahead.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="In a game of two: write the log that shows it to others. With --heard: the acknowledgements of this "
            "order alone.",
        ),
    ] = None,
    rules: OtherRules = None,
    json: Json = False,
) -> None:
    """Judge what a log alone cannot show: an order that was sent and left out, or two orders to one question.

    In a game of two: what the friend has signed, laid beside the log.
    """
    from pbem.ledger.modes import OF_TWO, WITH_HOST, mode_of

    data = read_repaired(file)
    if heard is not None and (letter or sent):
        from .in_time import complained

        _say(complained(file, data, letter, sent, heard, out, rules), data, as_json=json, rules=False)
        return
    if sent is not None or not letter:
        from pbem.host.sent_mail import compared

        screen.say(compared(read_bytes(sent) if sent else b"", log_in(file, data), as_json=json))
        return
    mode_of(data).refuse({"--receipts": receipts, "--other": other, "--mark": mark is not None, "--rules": rules})
    {
        WITH_HOST.name: lambda: _complain_with_host(
            file, data, letter, receipts, other, mark, out, rules, as_json=json
        ),
        OF_TWO.name: lambda: _complain_of_two(file, data, letter, out, as_json=json),
    }[mode_of(data).name]()


def _complain_with_host(
    file: str,
    data: bytes,
    letter: str,
    receipts: str | None,
    other: str | None,
    mark: int | None,
    out: Path | None,
    rules: list[Path] | None,
    *,
    as_json: bool,
) -> None:
    """Judge what a letter has that the log has not, by the host's receipts or another letter."""
    from pbem.games import installed
    from pbem.ledger.complaint import complaint, entered, unless_entered
    from pbem.player.papers import fitting, receipt_for

    if out is not None:
        raise UsageError(_("--out is for games of two: the papers of this complaint are evidence as they are."))
    if receipts is None and other is None:
        if read_bytes(letter).startswith(b'{"'):
            raise UsageError(
                _("Name the log first, then the letter: pbem complain {log} {letter}", log=letter, letter=file)
            )
        _say(
            entered(
                _envelope(letter, mark, data),
                data,
                UsageError(
                    _(
                        "Bring the host's receipts with --receipts, another letter with --other, or others' "
                        "acknowledgements with --heard."
                    )
                ),
            ),
            data,
            as_json=as_json,
            rules=False,
        )
        return
    envelope, second = _envelope(letter, mark, data), _envelope(other, mark, data) if other is not None else None
    if receipts is None:
        verdict = complaint(envelope, second or {}, data)
    else:
        with rules_lent(rules) as lent:
            verdict = unless_entered(
                envelope,
                data,
                lambda: complaint(
                    envelope,
                    receipt_for(receipts, read_bytes(receipts), envelope),
                    data,
                    fitting(data, installed, lent),
                    second,
                ),
            )
    _say(verdict, data, as_json=as_json, rules=False)


def _complain_of_two(file: str, data: bytes, letter: str, out: Path | None, *, as_json: bool) -> None:
    """Judge what a friend has signed beside a log, and write what shows it to others."""
    from pbem.player.modes import beside
    from pbem.reports.verdict_details import names_in

    found = beside(data, read_bytes(letter), str if as_json else names_in(data))
    if out is not None:
        private.write(out, found.shows)
    try:
        _say(found.verdict, found.shows, as_json=as_json, rules=False)
    finally:
        if not as_json and out is not None and found.verdict.verdict == "fault":
            by = "merge" if found.verdict.code == "FORK" else "audit"
            more = f"{file} {out} --out FILE" if by == "merge" else str(out)
            screen.echo(_("Others see it by “pbem {by} {more}”.", by=by, more=more))


def _envelope(letter: str, mark: int | None, data: bytes) -> dict[str, Any]:
    """Return the signed part of a letter. The full form of a short block is next to it on its desk; otherwise the log gives it."""
    from pbem.player.papers import signed_by_letter
    from pbem.player.tray import signed_in

    path = Path(letter)
    full = signed_in(path) if path.is_file() else None
    return signed_by_letter(letter, b"" if full else read_bytes(letter), data, mark, full)
