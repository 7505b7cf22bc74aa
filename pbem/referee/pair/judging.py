"""The audit of a log of two: once both secrets are there, the whole game is played again from what each had decided.

It goes by the true position, which no player had: so it finds what they could only believe each other. The verdict names the first
entry that says what was not so, and who signed it. While a secret is missing nothing is judged that needs it: only what
everybody sees (`onlooking`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from pbem.errors import EndlessError, Fault
from pbem.i18n import _
from pbem.kernel import Json
from pbem.kernel.knowing import Knowing
from pbem.ledger import Entry, Verdict
from pbem.ledger.pair import KnownCourse, PairCourse, verify_pair_checked
from pbem.ledger.pair.course import JOINS
from pbem.ledger.pair.papers import NO_PAPERS, Papers

from .as_it_was import TrueSteps
from .one_secret import with_secrets
from .onlooking import looked_on
from .steps import why_unfit

Lent: TypeAlias = Callable[[Mapping[str, Json]], Knowing | None]
"""Gives who knows what in the rules that a log names; None where those are not here."""


def missing_rules(rules: Mapping[str, Json]) -> str:
    """Say which rules a log names that are not here, and what helps."""
    return _(
        "This log names version {ver} of the rules of {game}, which is not here. A log of two takes none from the shelf: "
        "the pbem of its time judges it.",
        ver=rules["ver"],
        game=rules["id"],
    )


def other_rules(entry: int, rules: Mapping[str, Json]) -> str:
    """Say that rules of the same version in other bytes see another game from an entry on."""
    return _(
        "At entry {entry} the rules here see another game, and they are not the bytes that the log names: judge it with the "
        "pbem whose rules of {game} have the manifest with SHA-256 {sha256}.",
        entry=entry,
        game=rules["id"],
        sha256=rules["sha256"],
    )


def _so_far(
    verdict: Verdict,
    course: PairCourse,
    entries: Sequence[Entry],
    lent: Lent,
    alike: Callable[[Mapping[str, Json]], bool],
) -> Verdict:
    """Judge by the rules what everybody can judge of a game that goes on, and say what waits for the secrets."""
    rules = course.first["rules"]
    knowing = lent(rules)
    if knowing is None:
        more = _("The rules of this log are not here, so nothing was judged by them.")
        return replace(verdict, reason=f"{verdict.reason} {more}")
    if why := why_unfit(knowing, course):
        return Verdict("cannot_judge", 0, "RULES", "nobody", why, course.head)
    seen = with_secrets(looked_on(knowing, entries), knowing, course, entries)
    if seen.fault is not None and not alike(rules):
        why = other_rules(seen.fault.entry, rules)
        return Verdict("cannot_judge", seen.fault.entry, "RULES", "nobody", why, course.head)
    if seen.fault is not None:
        return Verdict.of(seen.fault, course.head)
    if seen.last == entries[-1].n:
        more = _(
            "What everybody sees of it was played by the rules. What is sealed, hands, and what one seat alone can tell wait until "
            "both have shown their secrets."
        )
    else:
        more = _(
            "From what everybody sees, the rules can judge nothing behind entry {n}: that waits until both have shown their "
            "secrets.",
            n=seen.last,
        )
    return replace(verdict, reason=f"{verdict.reason} {more}")


def audit_pair(
    data: bytes,
    lent: Lent,
    called: Callable[[str], str] = str,
    alike: Callable[[Mapping[str, Json]], bool] = lambda _rules: True,
    papers: Papers = NO_PAPERS,
) -> Verdict:
    """Verify a log of two and play it again under its rules: if it is over from both secrets, else as far as everybody sees it.

    `called` tells what a seat is called. `papers` show what the log does not show yet, as a secret.

    Rules that are not known to play `alike` what the log names can find it clean, and find nobody at fault.
    """
    verdict, course, entries = verify_pair_checked(data, called)
    verdict = papers.beside(verdict, course)
    if verdict.verdict == "unfinished" and len(course.seats) == JOINS:
        return _so_far(verdict, course, entries, lent, alike)
    if verdict.verdict != "clean":
        return verdict
    head = course.head
    try:
        knowing = lent(course.first["rules"])
        if knowing is None:
            return Verdict("cannot_judge", 0, "RULES", "nobody", missing_rules(course.first["rules"]), head)
        if why := why_unfit(knowing, course):
            return Verdict("cannot_judge", 0, "RULES", "nobody", why, head)
        again = KnownCourse.of(entries[: JOINS + 1], goes_on=True)
        steps = TrueSteps(knowing, again, {seat: course.vault(seat) for seat in course.names})
        steps.lying, steps.opened = course.lying, course.opened
        for entry in entries[JOINS + 1 :]:
            again.take(entry, steps.take)
            steps.ends_turn(entry)
    except Fault as found:
        if not alike(rules := course.first["rules"]):
            return Verdict("cannot_judge", found.entry, "RULES", "nobody", other_rules(found.entry, rules), head)
        return Verdict.of(found, head)
    except EndlessError as endless:
        return Verdict("cannot_judge", 0, "RULES", "nobody", str(endless), head)
    return Verdict(
        "clean",
        None,
        None,
        None,
        _("The game is finished, and was played by the rules from its first step to its last."),
        head,
    )
