"""What several tests need of catching up: club, saved, brought_back, copies, is_clean, …."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.games import find, manifest
from pbem.host import Office
from pbem.host.store.backup import back_up, restore
from pbem.referee.audit import audit

from .post import Club, key_of


def saved(club: Club) -> Path:
    place = club.folder / "saved"
    back_up(club.office.store, place)
    return place


def brought_back(club: Club, place: Path) -> None:
    """The host's store is the one of the backup; all its games stand still, and the players are asked for their copies."""
    club.office.close()
    restore(place, club.folder / "host" / "pbem.sqlite", key_of("host").key_line, replace=True)
    club.office = Office(club.folder / "host")
    assert club.robot.hold(club.now(), "brought back") == [1]


def copies(club: Club) -> dict[str, str]:
    """Every player does what the host's letter says; return what the host decided on the copies."""
    decided = {}
    for seat, raws in club.deliver().items():
        (letter,) = [raw for raw in raws if b"please send your copy" in raw]
        text = club.desks[seat].read(letter).words
        since = int(re.split("\\D", text.split("--since ")[1])[0])
        desk = club.desks[seat]
        desk.speaker(desk.notes()).send_copy(since, club.now())
        for raw in club.letters(desk):
            outcome = club.take(raw)
            if outcome.startswith("copy"):
                decided[seat] = outcome
    club.robot.catch_up()
    return decided


def is_clean(club: Club) -> None:
    whole = club.log()
    rules = find("tiny").rules, manifest("tiny")[1]
    verdict = audit(whole.dump(), lambda _: rules).verdict
    assert verdict.verdict == ("clean" if whole.finished else "unfinished"), verdict
    for desk in club.desks.values():
        assert desk.copy(desk.notes()).verdict().verdict == verdict.verdict


def lost_since(club: Club, place: Path) -> bytes:
    """What the host has written comes to nothing: it is brought back; return the log that it had."""
    before = club.log().dump()
    brought_back(club, place)
    assert club.log().head[0] < before.count(b'"prev"') - 1
    return before
