"""What several tests need of kills: stands."""

from __future__ import annotations

from pbem.ledger import cj
from pbem.referee.pair import PairPlay


def stands(play: PairPlay) -> bytes:
    """All that a player's program can show him, or go by."""
    asked = play.question
    what = None if asked is None else [list(asked.seats), asked.what, asked.secret]
    course = play.course
    return cj(
        [
            play.needs(),
            what,
            play.peer.own,
            play.peer.public,
            [fact for _n, fact in play.news],
            course.baton,
            list(course.head),
        ]
    )
