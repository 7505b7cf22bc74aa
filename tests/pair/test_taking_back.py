"""Answers are taken back by consent: what stands then is what stood before, and the game goes on as if they had not been given."""

from __future__ import annotations

import pytest

from pbem.kernel import Json
from pbem.ledger import cj
from pbem.ledger.pair import verify_pair
from pbem.referee.pair import audit_pair

from .hosted import TINY, equal_to_hosted, find, what_stands
from .taking_back import Hesitant

GAMES: list[tuple[str, Json, int, int]] = [
    ("tiny", {"players": 2, "turns": 4}, 60, 3),
    ("swords", {"players": 2}, 40, 20),
    ("tournament", {"players": ["ann", "bob"]}, 80, 2),
    ("hammer", {"scenario": "bruce", "years": 1}, 40, 20),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options", "doubts", "least"), GAMES)
def test_a_game_with_many_answers_taken_back_is_the_game_without(
    game: str, options: Json, doubts: int, least: int
) -> None:
    pack = TINY if game == "tiny" else find(game)
    plain, hesitant = (Hesitant(pack, options, f"back {game}", often) for often in (0, doubts))
    for couple in (plain, hesitant):
        assert couple.play(couple.answer)
        assert equal_to_hosted(couple) > 1
    assert (plain.backs, hesitant.backs >= least) == (0, True), hesitant.backs
    for seat in plain.seats:
        one, other = plain.plays[seat], hesitant.plays[seat]
        assert cj([one.result, one.peer.own, one.peer.public]) == cj([other.result, other.peer.own, other.peer.public])
        assert cj(what_stands(one.news)) == cj(what_stands(other.news))
        assert plain.seen[seat] == hesitant.seen[seat]
        assert other.course.seats[seat].links == one.course.seats[seat].links, "no link is spent by it"
    data = hesitant.dump()
    assert verify_pair(data).verdict == "clean"
    assert audit_pair(data, lambda _rules: pack.knowing).verdict == "clean"
