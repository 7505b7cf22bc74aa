"""Whole games of Lords of Scotland and of Swords Over Scotland at the tables of an event: played to their ends by letters, between
people who order at random, and how the event stands reckoned again from the logs alone."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from pbem.club.results import LeftOut, RatedGame
from pbem.club.seating import TABLE_WON
from pbem.host.store.rows import GameRow
from pbem.kernel import Game, View
from tests.cli.program import Program
from tests.host.post import moment

from .games import known
from .rounds import Cup

pytestmark = pytest.mark.slow

PEOPLE = ("rose", "iain", "moira", "ann", "bob", "cat", "dan")
FILE = """
name = "Glen Cup"
game = "{game}"
kind = "tables"
rounds = {rounds}
tables = {tables}
[options]
{options}
{players}
"""


class Tables(Cup):
    """People who order at random."""

    def answer(self, name: str, rules: Game, view: View) -> str:
        return str(rules.options(view).sample(random.Random(f"{name} {self.minute}")))


@pytest.mark.parametrize(
    ("game", "options", "count", "tables", "rounds", "sizes"),
    [
        ("lords", "rounds = 1", 7, [3, 4], 1, [4, 3]),
        ("lords", "rounds = 1", 5, [3, 5], 1, [5]),
        ("swords", "", 7, [3, 4], 1, [4, 3]),
    ],
)  # fmt: skip
def test_whole_games_of_more_than_two_make_an_event(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    game: str,
    options: str,
    count: int,
    tables: list[int],
    rounds: int,
    sizes: list[int],
) -> None:
    people = PEOPLE[:count]
    players = "\n".join(f'[[players]]\nname = "{name.title()}"\nkey = "{known(name)}"' for name in people)
    text = FILE.format(game=game, rounds=rounds, tables=tables, options=options, players=players)
    cup = Tables(tmp_path, text, people)
    for _round in range(rounds):
        opened = [number for _event, number in cup.rounds.open(moment(cup.minute))]
        assert [len(cup.office.robot.house.game(number).seats) for number in opened] == sizes
        cup.play()
    assert cup.rounds.open(moment(cup.minute)) == []
    results = cup.results()
    assert [one.why for one in results if isinstance(one, LeftOut)] == []
    course = cup.course()
    assert (course.over, course.strangers, len(results)) == (True, (), rounds * len(sizes))

    points = dict.fromkeys([name.title() for name in people], 0)
    won = dict.fromkeys(points, 0)
    by_key = {known(name): name.title() for name in people}
    for one in (one for one in results if isinstance(one, RatedGame)):
        had = dict(zip(one.keys, by_hand(one), strict=True))
        for seat, keys in one.keys.items():
            points[by_key[keys[0]]] += had[seat]
            won[by_key[keys[0]]] += had[seat] == TABLE_WON
    assert {row.name: row.points for row in course.table()} == points, "as anybody reckons it by hand"
    assert {row.name: row.won for row in course.table()} == won
    assert sum(points.values()) == rounds * count * TABLE_WON // 2

    file, logs = tmp_path / "cup.toml", tmp_path / "logs"
    file.write_text(text, "utf-8")
    logs.mkdir()
    for row in cup.office.store.find(GameRow, stage="ended"):
        (logs / f"{row.id}.pbem").write_bytes(cup.office.robot.house.game(row.id).exported().dump())
    cup.office.close()
    told = json.loads(Program(monkeypatch, capsys)("event", file, logs, "--json")[1])
    assert told["over"]
    assert [(row["name"], row["half_points"], row["won"]) for row in told["table"]] == [
        (row.name, row.points, row.won) for row in course.table()
    ]


def by_hand(game: RatedGame) -> list[int]:
    """What each seat has of a table: a share of 24 half points for each whom it left behind, half a share where they are level."""
    points = game.result.get("points")
    assert isinstance(points, dict)
    came = {seat: (seat in game.winners, points.get(seat, 0)) for seat in game.keys}
    share = TABLE_WON // (len(came) - 1)
    return [
        sum(
            share * 2 if came[seat] > came[other] else share * (came[seat] == came[other])
            for other in came
            if other != seat
        )
        // 2
        for seat in came
    ]
