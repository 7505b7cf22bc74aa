"""The audit of a log of two: when both secrets are known, the whole game is replayed from each seat's decisions.

It uses the true position, which neither player knew, so it can check what the players had to take on trust. The verdict names the
first false entry and its signer. While a secret is missing, nothing that needs it is judged, only public information (`onlooking`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from pbem.errors import EndlessError, Fault
from pbem.i18n import N_, _
from pbem.kernel import Json
from pbem.kernel.knowing import Knowing
from pbem.ledger import Entry, Verdict
from pbem.ledger.pair import PairCourse, known_course, verify_pair_checked
from pbem.ledger.pair.course import JOINS
from pbem.ledger.pair.papers import NO_PAPERS, Papers

from .as_it_was import TrueSteps
from .certain import LookedOn
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
        "At entry {entry} the rules here give a different game, and they are not the bytes that the "
        "log names. Judge the log with a pbem that has the rules of {game} with manifest SHA-256 "
        "{sha256}.",
        entry=entry,
        game=rules["id"],
        sha256=rules["sha256"],
    )


def _played_again(knowing: Knowing, course: PairCourse, entries: Sequence[Entry]) -> LookedOn:
    """Go through a finished log, of which `course` is the end, by the true position. Raises EndlessError."""
    try:
        steps = TrueSteps(
            knowing,
            known_course(entries[: JOINS + 1], goes_on=True),
            {seat: course.vault(seat) for seat in course.names},
        )
        steps.lying, steps.opened = course.lying, course.opened
        deque(steps.go_through(entries[JOINS + 1 :]), maxlen=0)
    except Fault as found:
        return LookedOn(found.entry, found)
    return LookedOn(entries[-1].n, None)


_WITHOUT_RULES = N_("The rules of this log are not here, so nothing was judged by them.")
_ALL = N_(
    "Everything that all can see was played by the rules. Sealed values, hands and what only one "
    "seat can tell must wait until both players have shown their secrets."
)
_TO_THERE = N_(
    "From what everybody sees, the rules can judge nothing behind entry {n}: that waits until both have shown their secrets."
)


def audit_pair(
    data: bytes,
    lent: Lent,
    called: Callable[[str], str] = str,
    alike: Callable[[Mapping[str, Json]], bool] = lambda _rules: True,
    papers: Papers = NO_PAPERS,
) -> Verdict:
    """Verify a log of two and replay it under its rules: from both secrets if it is over, otherwise from public information.

    `called` gives the name of a seat. `papers` show what the log does not show yet, such as a secret. Rules that are not known to
    play `alike` the rules that the log names can find it clean, but cannot blame anybody.
    """
    verdict, course, entries = verify_pair_checked(data, called)
    verdict, course = papers.beside(verdict, course)
    if verdict.verdict not in ("clean", "unfinished") or len(course.seats) < JOINS:
        return verdict
    head, rules, is_over = course.head, course.first["rules"], verdict.verdict == "clean"

    def unjudged(why: str, entry: int = 0) -> Verdict:
        return Verdict("cannot_judge", entry, "RULES", "nobody", why, head)

    knowing = lent(rules)
    if knowing is None:
        so_far = replace(verdict, reason=" ".join((verdict.reason, _(_WITHOUT_RULES))))
        return unjudged(missing_rules(rules)) if is_over else so_far
    if why := why_unfit(knowing, course):
        return unjudged(why)
    try:
        look = (
            _played_again(knowing, course, entries)
            if is_over
            else with_secrets(looked_on(knowing, entries), knowing, course, entries)
        )
    except EndlessError as endless:
        return unjudged(str(endless))
    if look.fault is not None:
        found = look.fault
        return Verdict.of(found, head) if alike(rules) else unjudged(other_rules(found.entry, rules), found.entry)
    if is_over:
        return replace(
            verdict, reason=_("The game is finished, and was played by the rules from its first step to its last.")
        )
    far = _(_ALL if look.last == entries[-1].n else _TO_THERE, n=look.last)
    return replace(verdict, reason=f"{verdict.reason} {far}")
