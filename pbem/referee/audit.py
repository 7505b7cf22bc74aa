"""The audit: the referee in check mode.

It replays the rules over a log with verified form, signatures and dice, and compares every entry with the one that was due. The
first fault wins. Facts and folded views are compared, never patches, because patches are not unique (PROTOCOL 3). If the rules need
an opening that is not in the file, the audit stops there and does not judge the rest. If cards were lost with a former host, that
host is blamed only for faults that occur whatever those cards are.
"""

from __future__ import annotations

from dataclasses import replace

from pbem.errors import Fault, RecordError
from pbem.i18n import _
from pbem.ledger import Log, Progress, Verdict, choices, verify_checked, without_cycles
from pbem.ledger.choices import without_bound
from pbem.ledger.kept import look_at
from pbem.records import dataclass

from .replaying import HOST, Find, Library, NoRules, NotOpen, Replay, Shelf

GUESSES = 12
"""The number of guesses of lost cards before the host is blamed."""


@dataclass(frozen=True, slots=True)
class Audited:
    """What an audit found: the verdict, how many answers it replayed, and the replay if it came to the end of the log."""

    verdict: Verdict
    decisions: int
    replay: Replay | None = None


def audit(
    data: bytes,
    find_game: Find,
    shelf: Shelf | None = None,
    told: Progress | None = None,
    jobs: int = 1,
) -> Audited:
    """Verify a log and replay it under its rules, each part under the version that it names.

    If rules are not available, the verdict from there on is `cannot_judge`. The verdict also counts the choices between known dice.
    `told` is called with the work done and the total: each entry is verified, then replayed. `jobs` is the number of processes that
    check signatures.
    """
    with without_cycles():
        return _audit(data, Library(find_game, shelf or {}), told, jobs)


def _audit(data: bytes, library: Library, told: Progress | None, jobs: int) -> Audited:
    told_once = told and (lambda done, entries: told(done, 2 * entries))
    verdict, checked = verify_checked(data, told=told_once, jobs=jobs, courses=True)
    if verdict.verdict in ("fault", "cannot_judge"):
        return Audited(verdict, 0)
    counted, kept = choices((before, entry.fields) for before, _behind, entry in checked.followed()), look_at(checked)
    if kept:
        counted |= {seat: without_bound(counted[seat]) for seat in kept.unbounded()}
    verdict = replace(verdict, choices=counted, kept=kept.to_json() if kept else None)
    found: set[tuple[int, str]] = set()
    ended: Replay | None = None
    for guess in range(GUESSES):
        replay = Replay(library, checked, guess)
        try:
            replay.run(told)
            ended = replay
        except NoRules as missing:
            verdict = _cannot_judge(verdict, missing.entry, missing.reason)
        except NotOpen as shut:
            verdict = _not_judged(verdict, shut.entry, shut.what)
        except Fault as fault:
            of_guessed = bool(replay.guessed) and fault.party == HOST and fault.entry <= checked.lost_to
            found |= {(fault.entry, fault.code)}
            if of_guessed and guess + 1 < GUESSES:
                continue
            if of_guessed and len(found) > 1:
                verdict = _not_judged(verdict, fault.entry, _("what was lost with the former host"))
            else:
                verdict = _faulted(verdict, fault, replay)
        if replay.others and verdict.verdict in ("clean", "unfinished"):
            verdict = replace(verdict, reason=f"{verdict.reason} {_other_bytes(replay)}")
        break
    return Audited(verdict, replay.decisions, ended)


def _other_bytes(replay: Replay) -> str:
    """Return the remark for rules that are not those the log names but found nothing wrong."""
    return _(
        "The log names rules of {game} with SHA-256 {sha256}. Those here are other bytes, and agree with every entry they judged.",
        game=replay.game.title, sha256=replay.others,
    )  # fmt: skip


def _faulted(verdict: Verdict, fault: Fault, replay: Replay) -> Verdict:
    if replay.others and fault.code in ("TELL", "REQ", "ORDERING", "PLAN", "ILLEGAL", "FORM"):
        reason = _(
            "at entry {entry} the rules here give a different game, and the log names other bytes: get "
            "the rules of {game} with manifest SHA-256 {sha256}",
            entry=fault.entry,
            game=replay.game.id,
            sha256=replay.others,
        )
        return _cannot_judge(verdict, fault.entry, reason)
    return replace(Verdict.of(fault, verdict.head), choices=verdict.choices, kept=verdict.kept)


def _not_judged(verdict: Verdict, entry: int, what: str) -> Verdict:
    reason = _(
        "clean up to entry {entry}; from there on not judged: {what} is not open in this copy",
        entry=entry - 1,
        what=what,
    )
    return replace(
        verdict, reason=reason, judged=entry - 1,
        verdict="unfinished" if verdict.verdict == "unfinished" else "cannot_judge",
    )  # fmt: skip


def _cannot_judge(verdict: Verdict, entry: int, reason: str) -> Verdict:
    return replace(verdict, verdict="cannot_judge", entry=entry, code="RULES", party="nobody", reason=reason)


def replayed(data: Log, find_game: Find, shelf: Shelf | None = None, *, lost: bool = True) -> Replay:
    """Verify and replay a log that a host will continue; return its state at the end. Raises RecordError.

    With `lost`, another host continues, without what no player's copy contains. Otherwise everything its host had is there, and the
    game may be over.
    """
    verdict, checked = verify_checked(data, courses=True)
    try:
        if verdict.verdict == "fault":
            raise Fault(verdict.entry or 0, str(verdict.code), str(verdict.party), verdict.reason)
        if verdict.verdict != "unfinished" and (lost or verdict.verdict != "clean"):
            over = _("The game is over, so nobody can continue it.")
            raise RecordError(over if verdict.verdict == "clean" else verdict.reason)
        checked.lost_to = len(checked.entries) if lost else checked.lost_to
        replay = Replay(Library(find_game, shelf or {}), checked, 0)
        replay.run()
    except Fault as fault:
        raise RecordError(
            _("These copies are at fault: entry {entry}, {code}, {party}. {reason}", **vars(fault))
        ) from None
    except NoRules as missing:
        raise RecordError(_("Nobody can continue this game here: {why}.", why=missing.reason)) from None
    except NotOpen as shut:
        raise RecordError(
            _(
                "These copies lack what is needed to continue: {what} (entry {entry}) is not open in them.",
                what=shut.what,
                entry=shut.entry,
            )
        ) from None
    return replay
