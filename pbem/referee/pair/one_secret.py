"""The audit by one seat's secret: the facts that this secret and the log determine, before the other has shown his.

1. Each word of this seat agrees with its secret and the log, or it is this seat's fault. If they do not determine it, the audit
   stops.
2. A word of the other is a fault only if it is false in every position: it tells this seat what this seat alone knows
   (`CertainFault`), or it is not due, which follows from what everybody sees.
3. What follows from a guess is never a fault, and no exception is.

So the log is gone through several times, each time with other guesses. Where they disagree, the fact is not determined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.errors import Fault
from pbem.i18n import N_, _
from pbem.kernel import Json
from pbem.kernel.knowing import Knowing
from pbem.ledger import Entry, heard, same
from pbem.ledger.pair import PairCourse, Spoken, known_course
from pbem.ledger.pair.course import JOINS, blame_if

from .certain import CertainFault, GuessingVault, LookedOn, Unjudged, holds_all
from .play import IMPOSSIBLE, PairPlay
from .steps import TELL, is_own_part

PUBLIC = ("ORDERING", "CARD")
"""Faults that follow from public information: which acts are owed, and which cards and places exist."""
TRIALS = 3
"""The first guesses as the seat's own program does, the others otherwise."""


def judged(play: PairPlay, entry: Entry) -> Fault | None:
    """Take an entry that was verified into a seat's play; return the fault that is in it for certain. Raises Unjudged."""

    def take(at: Spoken, act: dict[str, Json]) -> None:
        if at.seat == play.seat and act["do"] == TELL == play.needs().get(at.seat):
            check_hand(play, at, act)
        play.take(at, act)

    try:
        play.take_entry(entry, take)
    except Fault as found:
        if found.party == play.seat or found.code in PUBLIC or isinstance(found, CertainFault):
            return found
        raise Unjudged from found
    except IMPOSSIBLE as why:
        raise Unjudged from why
    return None


def check_hand(play: PairPlay, at: Spoken, act: Mapping[str, Json]) -> None:
    """Hold what a seat hands over in a `tell` against what it has to. Raises Fault, or Unjudged."""
    due = play.due_tell(at.index)
    said, owed = _handed(play, at, act), _handed(play, at, due)
    facts = {"facts": due["facts"]}
    blame_if(
        not is_own_part(said, play.knowing.follows) or not same(heard(facts, said), heard(facts, owed)),
        at,
        "TELL",
        N_("What {seat} hands over was not so."),
        seat=at.seat,
    )
    if not same(said["view"], owed["view"]):
        if holds_all(said["view"], owed["view"]):
            raise Unjudged  # whether the rest was known to the other already, he alone can tell
        raise Fault(at.n, "TELL", at.seat, _("What {seat} hands over was not so.", seat=at.seat))


def _handed(play: PairPlay, at: Spoken, act: Mapping[str, Json]) -> Any:
    if "hand" not in act:
        return {"facts": [*range(len(act["facts"]))], "view": {}}
    return play.vault.read_hand(play.course.seats[play.other].mix, play.seat, at.no, at.index, act["hand"])


def _stands(play: PairPlay) -> Any:
    """Return the current views, result and owed acts."""
    return play.peer.public, play.peer.own, play.result, play.needs()


def determined(knowing: Knowing, entries: Sequence[Entry], seat: str, secret: str) -> LookedOn:
    """Replay a verified log, to the extent that one secret and the log determine it."""
    last, plays = JOINS, list[PairPlay]()
    try:
        for trial in range(TRIALS):
            vault = GuessingVault(entries[0].hash, seat, secret)
            vault.trial = trial
            plays.append(PairPlay(knowing, known_course(entries[: JOINS + 1], goes_on=True), vault))
        for entry in entries[JOINS + 1 :]:
            found = [judged(play, entry) for play in plays]
            alike = {(one.code, one.party, one.entry) if one else None for one in found}
            if len(alike) > 1 or (None in alike and any(_stands(play) != _stands(plays[0]) for play in plays)):
                raise Unjudged
            if found[0] is not None:
                return LookedOn(last, found[0])
            last = entry.n
    except (Unjudged, *IMPOSSIBLE):
        pass
    return LookedOn(last, None)


def with_secrets(seen: LookedOn, knowing: Knowing, course: PairCourse, entries: Sequence[Entry]) -> LookedOn:
    """Return the better of two looks at an unfinished game: the public one, `seen`, and those with the shown secrets."""
    shown = {seat: one.secret for seat, one in course.seats.items() if one.secret}
    looks = [seen, *(determined(knowing, entries, *one) for one in shown.items())]
    faults = [look for look in looks if look.fault is not None]
    if faults:
        return min(faults, key=lambda look: look.fault.entry if look.fault else 0)
    return max(looks, key=lambda look: look.last)
