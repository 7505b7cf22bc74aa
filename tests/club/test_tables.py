"""An event at tables of more than two: points by places, who withdraws, what the organiser rules, and a whole one at a host."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from pbem.club.event import Event
from pbem.club.event_course import EventCourse
from pbem.club.results import RatedGame
from pbem.errors import UsageError
from pbem.host.store.rows import GameRow
from tests.cli.program import Program
from tests.club.tables import PEOPLE, event, game, text
from tests.host.post import moment

from .games import EXAMPLES
from .rounds import Cup


@pytest.fixture(autouse=True)
def the_example_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES))


def whole(event: Event) -> list[RatedGame]:
    """All games of an event in which who stands earlier in the file always does better."""
    strength = {name: -no for no, name in enumerate(player.name for player in event.players)}
    games: list[RatedGame] = []
    while opened := EventCourse(event, games).open:
        for seated in opened:
            at = f"2030-01-{len(games) + 1:02}"
            games.append(game(event, seated, *(strength[name] + 9 for name in seated), at=at))
    return games


def test_points_are_shared_out_by_places_and_the_order_of_the_logs_says_nothing() -> None:
    cup = event()
    games = whole(cup)
    course, other = EventCourse(cup, games), EventCourse(cup, games[::-1])
    assert (course.over, course.strangers) == (True, ())
    assert (course.rounds, course.table()) == (other.rounds, other.table())
    assert [sorted(map(len, (one.pair for one in played))) for played in course.rounds] == [[2, 2, 3]] * 3
    first, *_others, last = course.table()
    assert (first.name, first.points, first.won, first.played) == ("Rose", 72, 3, 3)
    assert (last.name, last.points, last.won) == ("Dan", 0, 0)
    assert sum(row.points for row in course.table()) == 3 * 12 * 7


def test_who_won_is_first_whatever_the_points_and_of_the_others_the_points_say() -> None:
    cup = event()
    (seated,) = (one for one in EventCourse(cup, []).open if len(one) == 3)
    course = EventCourse(cup, [game(cup, seated, 5, 5, 2, won=seated[1])])
    (decided,) = (one for one in course.rounds[0] if one.points is not None)
    assert decided.points == (12, 24, 0)


def test_a_tie_of_points_is_broken_by_tables_won() -> None:
    cup = Event.read(text(PEOPLE[:4]), "cup.toml").model_copy(update={"tables": (2, 2), "rounds": 2})
    first, second = EventCourse(cup, []).open
    games = [game(cup, first, 2, 1), level(game(cup, second, 1, 1))]
    third, fourth = EventCourse(cup, games).open
    (winner, loser), (one, other) = first, second
    assert ({*third}, {*fourth}) == ({winner, one}, {loser, other})
    games += [
        level(game(cup, third, 1, 1, at="2030-02")),
        game(cup, fourth, *(int(name == loser) for name in fourth), at="2030-03"),
    ]
    rows = EventCourse(cup, games).table()
    assert [(row.name, row.points, row.won) for row in rows] == [
        (winner, 36, 1), (loser, 24, 1), (one, 24, 0), (other, 12, 0),
    ]  # fmt: skip
    assert PEOPLE.index(loser.lower()) > PEOPLE.index(one.lower()), "by the seeding it would be the other way round"


def level(game: RatedGame) -> RatedGame:
    """The same game, which nobody has won."""
    return replace(game, winners=(), result={"winner": ""})


def test_who_withdraws_is_seated_no_more_and_the_organiser_rules_by_places() -> None:
    (seated,) = (one for one in EventCourse(event(), []).open if len(one) == 3)
    ruled = f"[[rulings]]\nround = 1\nplayers = {json.dumps(seated)}\nplaces = [1, 2, 2]\n"
    cup = event(later=f'{ruled}[[withdrawals]]\nplayer = "{seated[2]}"\nafter = 1\n')
    assert cup.full_name == event().full_name
    course = EventCourse(cup, [game(cup, one, 2, 1) for one in EventCourse(event(), []).open if len(one) == 2])
    (decided,) = (one for one in course.rounds[0] if one.ruled)
    assert decided.points == (24, 6, 6)
    assert len(course.rounds) == 2
    assert sorted(name for one in course.open for name in one) == sorted(
        player.name for player in cup.players if player.name != seated[2]
    )
    late = game(cup, seated, 0, 1, 2)
    assert list(EventCourse(cup, [late]).strangers) == [late], "its log comes behind the organiser's word"


def test_a_round_waits_for_its_last_table() -> None:
    cup = event()
    opened = EventCourse(cup, []).open
    games = [game(cup, one, *range(len(one))) for one in opened]
    for late in games:
        course = EventCourse(cup, [one for one in games if one is not late])
        assert (len(course.rounds), len(course.open)) == (1, 1)
    assert len(EventCourse(cup, games).rounds) == 2


def test_where_too_few_are_left_the_event_is_over() -> None:
    cup = event(later="".join(f'[[withdrawals]]\nplayer = "{name.title()}"\nafter = 0\n' for name in PEOPLE[1:]))
    course = EventCourse(cup, [])
    assert (course.rounds, course.over) == ([], True)


@pytest.mark.parametrize(("game", "options", "most"), [("swords", "", 4), ("lords", "rounds = 3", 5)])
def test_the_games_of_more_than_two_sit_at_such_tables(game: str, options: str, most: int) -> None:
    told = text(game=game, options=options).replace("[2, 3]", f"[3, {most}]")
    cup = Event.read(told, "cup.toml")
    course = EventCourse(cup, [])
    for seated in course.open:
        wanted = course.opening(seated)
        assert (wanted.options["players"], len(wanted.seats), list(wanted.seats.values())) == (
            len(seated), len(seated), list(seated),
        )  # fmt: skip


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (text().replace("tables = [2, 3]\n", ""), "“tables” is only for tables: it says how many sit at each"),
        (text().replace('"tables"', '"swiss"'), "“tables” is only for tables: it says how many sit at each"),
        (text().replace("rounds = 3\n", ""), "“rounds” is only for Swiss rounds and tables"),
        (text().replace("[2, 3]", "[3, 2]"), "“tables” is only for tables: it says how many sit at each"),
        (text().replace("[2, 3]", "[2, 6]"), "tables"),
        (text(game="swords", options="").replace("[2, 3]", "[2, 5]"), "players"),
        (text(game="hammer", options=""), "players"),
        (text(options="turns = 1\nplayers = 3"), "“players” is not an option at tables"),
        (text(PEOPLE[:2]).replace("[2, 3]", "[3, 3]"), "2 players fill no table of 3"),
        (text(options="turns = 1.5"), "1.5 is not a whole number"),
        (text(later='[[rulings]]\nround = 1\nplayers = ["Rose", "Ann"]\nresult = "1-0"\n'), "at tables “places”"),
        (text(later='[[rulings]]\nround = 1\nplayers = ["Rose", "Ann"]\nplaces = [1]\n'), "at tables “places”"),
    ],
)
def test_a_file_of_tables_that_cannot_be_is_refused(broken: str, why: str) -> None:
    with pytest.raises(UsageError, match=r"cup\.toml") as error:
        Event.read(broken, "cup.toml")
    assert why in str(error.value)


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Cup]:
    people = PEOPLE[:5]
    made = Cup(tmp_path, text(people), people)
    yield made
    made.office.close()


@pytest.mark.slow
def test_a_host_opens_all_tables_and_anybody_reckons_the_same(
    cup: Cup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = []
    while more := cup.rounds.open(moment(cup.minute)):
        opened.append([number for _event, number in more])
        assert cup.rounds.open(moment(cup.minute)) == [], "each once"
        cup.play()
    assert opened == [[1, 2], [3, 4], [5, 6]]
    course = cup.course()
    assert (course.over, course.strangers) == (True, ())
    met = Counter(frozenset(two) for played in course.rounds for one in played for two in combinations(one.pair, 2))
    assert max(met.values()) <= 2
    file, logs = tmp_path / "cup.toml", tmp_path / "logs"
    file.write_text(cup.file, "utf-8")
    logs.mkdir()
    for row in cup.office.store.find(GameRow, stage="ended"):
        (logs / f"{row.id}.pbem").write_bytes(cup.office.robot.house.game(row.id).exported().dump())
    program = Program(monkeypatch, capsys)
    told = json.loads(program("event", file, logs, "--json")[1])
    assert [(row["name"], row["half_points"]) for row in told["table"]] == [
        (row.name, row.points) for row in course.table()
    ]
    assert [[one["players"] for one in played] for played in told["rounds"]] == [
        [list(one.pair) for one in played] for played in course.rounds
    ]
    said = program("event", file, logs)[1]
    assert "Glen Cup" in said
    assert "rounds at tables" in said
    (logs / "6.pbem").unlink()
    (missing,) = (one for one in course.rounds[2] if one.game == cup.office.robot.house.game(6).g)
    seats = " ".join(
        f"--seat {seat}=ADDRESS-OF-{name}" for seat, name in zip(("ann", "bob", "cat"), missing.pair, strict=False)
    )
    assert (
        f"--rated --hours 72 --event '{cup.course().event.full_name}' --round 3 {seats}"
        in program("event", file, logs)[1]
    )
