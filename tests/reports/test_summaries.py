"""What letters say in short of rounds and of the whole game: it adds up to the points with which the game has ended."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from pbem.games import find
from pbem.kernel import End, Fact
from pbem.reports.report import Report
from pbem.reports.story import summed
from tests.conformance import play
from tests.counted import calls

LINES = 10


@cache
def played(game: str) -> tuple[Sequence[dict[str, Any]], dict[str, int]]:
    """Return what the first seat has heard of a whole game, and the points at its end."""
    record = play(find(game).rules, find(game).complete({}), 3)
    heard = [e.heard_by(record.seats[0]) for stop in record.stops for e in stop.events if isinstance(e, Fact)]
    (end,) = [stop.wants for stop in record.stops if isinstance(stop.wants, End)]
    return [fact for fact in heard if fact is not None], end.result.get("points", {})


def gained(lines: Sequence[str], sign: str) -> Counter[str]:
    """Return the points that lines count up behind a word, as “Pink 25, White 24”."""
    found: Counter[str] = Counter()
    for line in lines:
        for name, n in re.findall(r"(\w+) (\d+)", line.partition(sign)[2].partition(";")[0]):
            found[name.lower()] += int(n)
    return found


@pytest.mark.parametrize("game", ["lords", "swords"])
def test_the_rounds_of_a_game_add_up_to_its_points(game: str) -> None:
    facts, points = played(game)
    lines = find(game).look.summary(facts, 0)
    assert 1 < len(lines) <= LINES
    rounds = [line for line in lines if line.startswith("Round ")]
    assert gained(rounds, " points ") == Counter(points)


@pytest.mark.parametrize("game", ["lords", "swords"])
def test_a_round_tells_how_each_player_has_fared(game: str) -> None:
    pack, (facts, points) = find(game), played(game)
    starts = [at for at, fact in enumerate(facts) if fact["f"] == "round"]
    for start, end in zip(starts, [*starts[1:], len(facts)], strict=True):
        said = "\n".join(pack.look.summary(facts[:end], start))
        assert all(re.search(rf"^{pack.look.seat_name(seat)}\b", said, re.MULTILINE) for seat in points), said
        assert len(said) < 800
    last = pack.look.summary(facts, starts[-1])
    if game == "lords":
        assert all(f"; {n} point" in "\n".join(last) for n in points.values())


@pytest.mark.parametrize("game", ["hammer", "lords", "swords"])
def test_what_players_say_besides_does_not_matter(game: str) -> None:
    """Among the facts of a game stand those of pbem: that somebody has resigned, taken leave, been skipped."""
    look = find(game).look
    facts = played(game)[0] if game != "hammer" else [{"f": "year", "year": 1297, "scenario": "braveheart"}]
    said = [{"f": "say", "by": "angus", "act": "resign"}, {"f": "skip", "to": "angus", "why": "out"}]
    at = len(facts) // 2
    for start in (0, at // 2):
        mixed = [*facts[:at], *said, *facts[at:], *said]
        assert look.summary(mixed, start) == look.summary(facts, start)


@pytest.mark.parametrize("game", ["hammer", "lords", "swords"])
def test_what_is_summed_up_asks_about_the_last_part_and_the_news(game: str) -> None:
    """A late letter costs what an early one costs: the beginnings of parts long ago are not looked for again."""
    facts, _points = played(game)
    pack, starts = (
        find(game),
        [
            at
            for at, fact in enumerate(facts)
            if (part := find(game).look.chapter(fact)) and not part.depth and not part.adds
        ],
    )
    where = f"{game}/look/__init__.py:{type(pack.look).__name__}.chapter"
    for begun, ended in pairwise(starts[-4:]):
        news = tuple(facts[ended : ended + 2])
        made = Report("g", "a", {}, (news,), (), 1, "", earlier=tuple(facts[:ended]), complete=True)
        assert calls(lambda made=made: summed(made, pack), where) <= ended - begun + len(news)  # type: ignore[misc]
