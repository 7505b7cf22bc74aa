"""An event from its file and the logs of its games: rounds, table, what the organiser says, what does not belong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.club.event import Event
from pbem.club.event_course import EventCourse
from pbem.club.results import RatedGame
from pbem.errors import UsageError
from pbem.ledger import cj, sha256_hex
from tests.cli.program import Program
from tests.club.event import PEOPLE, text

from .games import EXAMPLES, ended, known


@pytest.fixture(autouse=True)
def the_example_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES))


def event(kind: str = "round robin", more: str = "", later: str = "") -> Event:
    return Event.read(text(kind, more, later=later), "cup.toml")


def game(
    event: Event, first: str, second: str, *winners: int, at: str = "2030-01-01T00:00:00Z", name: str = ""
) -> RatedGame:
    """A game of two of them that came out so: who won, by their places, nobody or both."""
    seats = event.seats
    keys = {seat: (known(who),) for seat, who in zip(seats, (first, second), strict=True)}
    won = tuple(seats[no] for no in winners)
    return RatedGame(f"{first}{second}{at}", "", at, "tiny", name or event.full_name, (), keys, won)


def points(course: EventCourse) -> dict[str, int]:
    return {row.name: row.points for row in course.table()}


def test_a_round_is_paired_when_all_games_before_it_are_decided() -> None:
    cup = event()
    (pairs,) = (played for played in EventCourse(cup, []).rounds)
    assert all(one.points is None for one in pairs)
    games = [game(cup, one.pair.first.lower(), one.pair.second.lower(), 0) for one in pairs]
    assert len(EventCourse(cup, games[:1]).rounds) == 1
    assert len(EventCourse(cup, games).rounds) == 2
    assert sorted(points(EventCourse(cup, games)).values()) == [0, 0, 2, 2]


def test_the_order_of_the_logs_says_nothing() -> None:
    cup = event("swiss", "rounds = 3")
    games: list[RatedGame] = []
    while opened := EventCourse(cup, games).open:
        for pair in opened:
            at = f"2030-01-{len(games) + 1:02}"
            games.append(game(cup, pair.first.lower(), pair.second.lower(), len(games) % 2, at=at))
    one, other = EventCourse(cup, games), EventCourse(cup, games[::-1])
    assert one.over
    assert (one.rounds, one.table()) == (other.rounds, other.table())


def test_the_name_holds_what_was_agreed_on_and_not_what_the_organiser_adds() -> None:
    """An organiser changes players, seeding or rounds after the start. The name in the event's games differs then."""
    cup = event()
    assert cup.full_name.startswith("Border Cup ")
    later = '[[withdrawals]]\nplayer = "Ann"\nafter = 1\n'
    assert event(later=later).full_name == cup.full_name
    assert event("knock-out").full_name != cup.full_name
    assert Event.read(text(people=PEOPLE[::-1]), "cup.toml").full_name != cup.full_name, "their order is the seeding"


def test_a_game_of_another_event_or_with_sides_changed_decides_nothing() -> None:
    cup = event()
    pair = EventCourse(cup, []).open[0]
    first, second = pair.first.lower(), pair.second.lower()
    turned = game(cup, second, first, 0)
    assert EventCourse(cup, [turned]).open[0] == pair
    assert list(EventCourse(cup, [turned]).strangers) == [turned]
    other = EventCourse(cup, [game(cup, first, second, 0, name="Border Cup 00000000")])
    assert (other.open[0], list(other.strangers)) == (pair, [])


def test_the_first_of_two_games_of_a_pairing_counts() -> None:
    """The players play the pairing twice to hand in the better result. The program reports the second."""
    cup = event()
    pair = EventCourse(cup, []).open[0]
    first, second = pair.first.lower(), pair.second.lower()
    lost, won = game(cup, first, second, 1, at="2030-01-01"), game(cup, first, second, 0, at="2030-01-02")
    course = EventCourse(cup, [won, lost])
    assert course.rounds[0][0].points == (0, 2)
    assert list(course.strangers) == [won]


def test_what_the_organiser_decides_counts_and_is_told_as_his() -> None:
    pair = EventCourse(event(), []).open[0]
    later = f'[[rulings]]\nround = 1\nplayers = ["{pair.first}", "{pair.second}"]\nresult = "1/2"\n'
    course = EventCourse(event(later=later), [])
    assert (course.rounds[0][0].points, course.rounds[0][0].ruled) == ((1, 1), True)


def test_who_withdraws_loses_what_he_does_not_play_in_a_round_robin_and_is_not_paired_in_swiss_rounds() -> None:
    later = '[[withdrawals]]\nplayer = "Ann"\nafter = 0\n'
    course = EventCourse(event(later=later), [])
    assert [one.points for one in course.rounds[0] if "Ann" in one.pair] != [None]
    swiss = EventCourse(event("swiss", "rounds = 2", later), [])
    assert not any("Ann" in one.pair for one in swiss.rounds[0])
    assert sum(not one.pair.second for one in swiss.rounds[0]) == 1, "three are left, and one rests"


def test_ties_are_broken_by_whom_one_met_and_beat() -> None:
    cup = event()
    games: list[RatedGame] = []
    strength = {name: no for no, name in enumerate(PEOPLE)}
    while opened := EventCourse(cup, games).open:
        for pair in opened:
            a, b = pair.first.lower(), pair.second.lower()
            games.append(game(cup, a, b, int(strength[a] > strength[b]), at=f"2030-01-{len(games) + 1:02}"))
    course = EventCourse(cup, games)
    assert [(row.name, row.points, row.won, row.played) for row in course.table()] == [
        ("Rose", 6, 3, 3), ("Iain", 4, 2, 3), ("Moira", 2, 1, 3), ("Ann", 0, 0, 3),
    ]  # fmt: skip
    assert [row.beaten for row in course.table()] == [12, 4, 0, 0]
    assert [row.met for row in course.table()] == [6, 8, 10, 12]


def in_teams(*teams: tuple[str, ...]) -> str:
    return "".join(f'[[teams]]\nname = "{name}"\nplayers = {json.dumps(players)}\n' for name, *players in teams)


TWO_TEAMS = in_teams(("Stirling", "Rose", "Moira"), ("Falkirk", "Iain", "Ann"))


@pytest.mark.parametrize(("kind", "more"), [("round robin", ""), ("swiss", "rounds = 2")])
def test_those_of_one_team_do_not_meet_and_their_points_are_added_up(kind: str, more: str) -> None:
    cup = event(kind, more, TWO_TEAMS)
    games: list[RatedGame] = []
    while opened := EventCourse(cup, games).open:
        for pair in opened:
            assert frozenset(pair) not in cup.mates
            a, b = pair.first.lower(), pair.second.lower()
            games.append(game(cup, a, b, int(b in ("rose", "moira")), at=f"2030-01-{len(games) + 1:02}"))
    course = EventCourse(cup, games)
    assert (course.over, len(games)) == (True, 4)
    assert [(row.name, row.points, row.won, row.played) for row in course.teams()] == [
        ("Stirling", 8, 4, 4), ("Falkirk", 0, 0, 4),
    ]  # fmt: skip
    assert sum(row.points for row in course.table()) == 8


def test_teams_are_agreed_on_before_the_first_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert event(later=TWO_TEAMS).full_name != event().full_name
    assert event().full_name == "Border Cup " + sha256_hex(cj(event().settled))[:8]
    assert "teams" not in event().settled, "events without them keep their names"
    file = tmp_path / "cup.toml"
    file.write_text(text(later=TWO_TEAMS), "utf-8")
    program = Program(monkeypatch, capsys)
    code, said = program("event", file)
    assert (code, "Team " in said, "Falkirk" in said) == (0, True, True)
    assert [one["name"] for one in json.loads(program("event", file, "--json")[1])["teams"]] == ["Stirling", "Falkirk"]


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (text(later=in_teams(("A", "Rose", "Moira"), ("B", "Iain"))), "each player is in one team; “Ann” is not"),
        (
            text(later=in_teams(("A", "Rose", "Moira"), ("B", "Iain", "Bob"))),
            "each player is in one team; “Ann” is not",
        ),
        (text(later=in_teams(("A", "Rose", "Rose"), ("B", "Iain", "Ann"))), "“Rose” is not"),
        (text(later=in_teams(("A", "Rose"), ("B", "Iain", "Ann", "Moira"))), "teams have all as many players"),
        (text(later=in_teams(("A", "Rose", "Moira"), ("A", "Iain", "Ann"))), "A is there twice"),
        (text("swiss"), "“rounds” is only for Swiss rounds and tables"),
        (text("cup"), "kind"),
        (text(people=("rose", "rose")), "Rose is there twice"),
        (
            text().replace('"Ann"', '"\u0410nn"'),
            "contains characters that look like another letter, or like none: CYRILLIC CAPITAL LETTER A",
        ),
        (text().replace('"Ann"', '"R\u200bose"'), "ZERO WIDTH SPACE"),
        (text(people=("rose", "r0se")), "“R0Se” looks like “Rose”"),
        (text(later=in_teams(("Lo", "Rose", "Moira"), ("L0", "Iain", "Ann"))), "“L0” looks like “Lo”"),
        (text(later='[[withdrawals]]\nplayer = "Bob"\nafter = 1\n'), "Bob is not one of its players"),
        (text(more="prize = 3"), "prize: there is no such field"),
        (text().replace("SHA256:", "MD5:"), "players.0.key"),
        ("name = ", "cannot be read as TOML"),
    ],
)
def test_a_file_that_cannot_be_is_refused(broken: str, why: str) -> None:
    with pytest.raises(UsageError, match=r"cup\.toml") as error:
        Event.read(broken, "cup.toml")
    assert why in str(error.value)


def test_a_game_of_three_has_no_pairs() -> None:
    with pytest.raises(UsageError, match="has 3 seats here"):
        _ = Event.read(text().replace("players = 2", "players = 3"), "cup.toml").seats


@pytest.mark.slow
def test_an_event_is_told_from_real_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two games played to their ends, one of them of nobody's pairing; the rest is said to be open, with the command for it."""
    program, file, logs = Program(monkeypatch, capsys), tmp_path / "cup.toml", tmp_path / "logs"
    file.write_text(text(), "utf-8")
    cup = Event.read(text(), "cup.toml")
    first, second = EventCourse(cup, []).open
    logs.mkdir()
    (logs / "1.pbem").write_bytes(ended("first", first.first.lower(), first.second.lower(), event=cup.full_name))
    (logs / "2.pbem").write_bytes(ended("second", first.second.lower(), first.first.lower(), event=cup.full_name))
    (logs / "3.pbem").write_bytes(ended("third", "rose", "iain", event=cup.full_name, rated=False))
    code, said = program("event", file, logs)
    assert code == 0
    assert said.startswith(f"{cup.full_name}: Tiny, everybody meets everybody.\n")
    assert "not decided" in said
    wanted = f"pbem host new --game tiny --option players=2 --option turns=2 --rated --hours 72 --event '{cup.full_name}' --round 1"
    assert f"{wanted} --seat ann=ADDRESS-OF-{second.first} --seat bob=ADDRESS-OF-{second.second}" in said
    assert f"It has the event's name, but it is not one of the event's pairings: {logs / '2.pbem'}" in said
    assert f"{logs / '3.pbem'}: Its players have not agreed that it is rated." in said
    told = json.loads(program("event", file, logs, "--json")[1])
    (decided,) = [one for one in told["rounds"][0] if one["half_points"]]
    assert sum(decided["half_points"]) == 2
    assert (told["event"], told["over"], len(told["strangers"])) == (cup.full_name, False, 1)
