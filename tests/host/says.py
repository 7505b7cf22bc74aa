"""What several tests need of says: in_order, Later."""

from __future__ import annotations

import tiny_game
from tiny_game.rules import Tiny

from pbem.ledger import verify
from pbem.referee.audit import audit

from .post import Club


def in_order(club: Club) -> None:
    """The whole log is clean by the rules, and what everybody holds is the host's history."""
    whole = club.log()
    verdict = audit(whole.dump(), lambda _: (tiny_game.GAME, "0" * 64)).verdict
    assert verdict.verdict == ("clean" if whole.finished else "unfinished"), verdict
    for seat, desk in club.desks.items():
        assert desk.copy(desk.notes()).verdict().verdict != "fault"
        n, head = desk.copy(desk.notes()).log.head
        assert whole.entries[n].hash == head, seat
        assert not whole.finished or verify(desk.copy(desk.notes()).log, seat).verdict == "clean"


class Later(Tiny):
    """Tiny as it is played in version 2."""

    version = 2
