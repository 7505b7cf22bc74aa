"""What several tests need of bots: asked."""

from __future__ import annotations

import random
from typing import Any

from pbem.games.bot import Bot
from pbem.games.swords.bots import BOTS, SensibleBot
from pbem.games.swords.game import GAME
from pbem.games.swords.views import SwordsView
from pbem.kernel import Ask, Chance, End, Order
from tests.conformance import outcome


def asked(seed: int, **options: Any) -> list[tuple[SwordsView, Order]]:
    """Play a game of sensible players; return what each was shown and what he answered."""
    rng, found = random.Random(f"asked {seed}"), []
    complete = GAME.options_model(**options).model_dump(mode="json")
    seats, stop = GAME.seats(complete), GAME.start(complete)
    bots: dict[str, Bot] = {seat: BOTS["sensible"]() for seat in seats}
    while not isinstance(stop.wants, End):
        if isinstance(stop.wants, Chance):
            stop = GAME.step(stop.state, outcome(stop.wants, rng))
            continue
        assert isinstance(stop.wants, Ask)
        given = {}
        for seat in stop.wants.seats:
            view = GAME.read_view(GAME.view(stop.state, seat))
            given[seat] = bots[seat].answer(view, rng)
            found.append((view, given[seat]))
        stop = GAME.step(stop.state, given)
    assert all(isinstance(bot, SensibleBot) and not bot.strayed for bot in bots.values())
    return found  # type: ignore[return-value] # a view of Swords is one
