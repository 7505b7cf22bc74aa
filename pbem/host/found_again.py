"""Orders of kept seats that a restored store has lost and no copy opens, because only the host had them.

The host's key for the seat and the log reproduce their seals for a known order. So it tries answers until the seal matches the log.
It tries those listed in the letter, those that the player repeats in a waiting mail, and other legal ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from pbem.games import GamePack
from pbem.kernel import Json
from pbem.ledger import Log
from pbem.ledger.telling import seen as told_view
from pbem.referee import AskSeen
from pbem.reports.choices import choices

from .answers import AskedByMail, read_answer
from .hosted import HostedGame
from .kept_seats import held, keeper
from .store.rows import KEPT

MOST = 5000
"""The maximum number of legal answers tried."""


def found_again(game: HostedGame, target: Log, said: Sequence[str]) -> bool:
    """Open, where possible, the kept seats' orders that the log has beyond ours and does not open. Return whether any were found.

    `said` are the players' own lines in the waiting mails.
    """
    opened = {line.digest for line in target.attachments if line.k == "seal"}
    found: list[list[Json]] = []
    for entry in target.entries[game.ledger.next_n :]:
        fields, say = entry.fields, entry.fields.get("say", {})
        is_shut = entry.k == "order" and say["act"] == "order" and not set(say["seals"].values()) <= opened
        if is_shut and game.seats[fields["by"]].kept == KEPT:
            found += _opened(game, target, fields["by"], say, said)
    for line in found:
        target.attach(line)
    return bool(found)


def _opened(game: HostedGame, target: Log, seat: str, say: Any, said: Sequence[str]) -> Sequence[list[Json]]:
    pen, seen = keeper(game).pen(seat, held(game, seat)), (say["seen"][0], say["seen"][1])
    told = {tuple(one.fields[2:5]): one.fields[6] for one in target.attachments if one.k == "seal"}
    view: Any = {}
    for entry in target.entries[: say["ask"]]:
        if entry.k == "tell":
            if ("host", entry.n, seat) not in told:  # it is in none of the copies: its player's is still to come
                return ()
            view = told_view(entry.fields["pub"], told["host", entry.n, seat], view)
    for order, plans in _may_be(game, seat, game.pack.rules.read_view(view), said):
        made = pen.order(AskSeen(say["ask"], "yes", None, seen), order, plans, say["rev"])
        if made.say["seals"] == say["seals"]:
            return made.openings
    return ()


def _may_be(game: HostedGame, seat: str, view: Any, said: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Go through the answers that a seat may have given: their orders and plans."""
    pack: GamePack = game.pack
    listed = choices(pack, view)
    yield from ((one.order, one.plans) for one in listed)
    for own in said:
        reading = read_answer(own, AskedByMail(pack, view, listed, game.seats[seat].language or "en"))
        yield reading.order, reading.plans
    yield from ((str(one), "") for one in islice(pack.rules.options(view), MOST))
