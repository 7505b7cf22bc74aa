"""What several tests need of twins: clone, masked."""

from __future__ import annotations

import copy
from typing import Any

from pbem.ledger import Entry
from pbem.referee.pair import PairPlay

HIDDEN = ("d", "c", "hand", "salt", "x", "key", "deck", "share", "proof", "kept", "secret")


def clone(play: PairPlay) -> PairPlay:
    """The same program, which goes its own way from here."""
    made = copy.copy(play)
    for name in ("course", "given", "links", "events", "released", "hand", "news", "_acts"):
        setattr(made, name, copy.deepcopy(getattr(play, name)))
    made.peer = copy.copy(play.peer)
    return made


def masked(entries: list[Entry]) -> list[Any]:
    """What anybody can read of what was sent; of what nobody can read, its length."""
    found = []
    for entry in entries:
        acts = entry.fields["say"]["acts"]
        found.append([{key: len(value) if key in HIDDEN else value for key, value in act.items()} for act in acts])
        found.append(entry.fields["say"].get("more"))
    return found
