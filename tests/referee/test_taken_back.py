"""Answers are taken back by consent at random points of random games, with a host: all stands as it stood, and the log is in order.

Through referee and log: the players sign what they say, the scribe writes it, verifier and audit judge the whole. Games of two
without a host do the same in tests/pair/test_taking_back.py.
"""

from __future__ import annotations

import random

import pytest

from pbem.games import GamePack, find
from pbem.kernel import Json
from pbem.ledger import cj, verify
from pbem.referee.audit import audit
from pbem.referee.table import Table


def stands(table: Table) -> bytes:
    """All that a question rests on: who is asked what, the whole position, what each seat and everybody sees."""
    assert table.open is not None
    game, state = table.referee.game, table.referee.state
    ask = table.ledger.log.entries[table.open.ask].fields
    views = [game.view(state, seat) for seat in (*table.seats, None)]
    return cj([table.open.to, ask["what"], game.dump(state), views])


def played_to_and_fro(pack: GamePack, options: Json, seed: str) -> tuple[Table, int]:
    """Play a game of chance, in which after one answer in three a random one that can be is taken back; return how often."""
    table, chance, backs = Table(pack.rules, pack.ending(pack.complete(options)), seed), random.Random(seed), 0
    bot, stood = pack.bots["random"](), dict[int, bytes]()
    while table.open:
        stood[table.open.ask] = stands(table)
        points = table.referee.trail.points
        if points and chance.randrange(3) == 0:
            point, before = chance.choice(points), [*table.ledger.log.entries]
            others = [seat for seat in table.seats if seat != point.seat and not table.course.seats[seat].gone]
            offer = table.say(point.seat, "takeback", about=point.ask)
            for seat in chance.sample(others, len(others)):
                table.say(seat, "agree", about=offer)
            backs += 1
            assert stands(table) == stood[point.ask], (seed, point.ask)
            assert all(earlier.ask < point.ask for earlier in table.referee.trail.points)
            assert table.ledger.log.entries[: len(before)] == before, "nothing of the log is unwritten"
            continue
        table.answer({seat: (str(bot.answer(table.referee.view(seat), chance)), "") for seat in table.open.to})
    return table, backs


GAMES: dict[str, tuple[GamePack, Json, int]] = {
    "swords": (find("swords"), {"players": 3}, 2),
    "lords": (find("lords"), {"players": 3}, 2),
    "hammer": (find("hammer"), {"scenario": "bruce", "years": 1}, 2),
}
"""By name the game, its options, and how many are played."""


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_what_is_taken_back_at_random_points_stands_as_it_stood(name: str) -> None:
    pack, options, games = GAMES[name]
    backs = 0
    for no in range(games):
        table, times = played_to_and_fro(pack, options, f"to and fro {name} {no}")
        backs += times
        data = table.whole()
        found = audit(data, lambda _id: (pack.rules, "0" * 64)).verdict
        assert (verify(data).verdict, found.verdict) == ("clean", "clean"), no
        assert sum(of.get("takebacks", 0) for of in (found.choices or {}).values()) == times
        for seat in table.seats:
            assert verify(table.copy(seat)).verdict == "clean", (no, seat)
    assert backs > games
