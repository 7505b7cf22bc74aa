"""An event of Hammer with bids: each pair bids for the better side in a game of its own, and theirs follows from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.club.event import Event
from pbem.club.event_course import EventCourse
from pbem.club.event_json import as_json
from pbem.club.rating_list import RatingList
from pbem.club.results import RatedGame
from pbem.errors import UsageError
from pbem.host.following import follow
from pbem.host.store.rows import GameRow
from pbem.ledger.terms import agreed
from tests.cli.program import Program
from tests.club.bids import BIDS, PAIR, PEOPLE, RULED, WANTED, BidCup, as_opened, bids, opened, replayed, text
from tests.host.post import moment

from .games import known
from .rounds import Cup


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[BidCup]:
    made = BidCup(tmp_path, text(), PEOPLE)
    yield made
    made.office.close()


@pytest.mark.slow
def test_an_event_with_bids_is_played_to_its_end_and_nobody_opens_a_game(
    cup: BidCup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for _round in range(2):
        for wanted in (BIDS, "hammer"):
            assert opened(cup) == [wanted, wanted]
            cup.play()
    assert opened(cup) == []
    results = cup.results()
    by_id = {game.id: game for game in results if isinstance(game, RatedGame)}
    course = EventCourse(Event.read(cup.file, "cup.toml"), list(by_id.values()))
    assert (course.over, course.strangers) == (True, ())
    names = [frozenset(one.pair) for played in course.rounds for one in played]
    assert len(set(names)) == 4, "bids change no pairing: nobody meets anybody twice"
    for number, played in enumerate(course.rounds, 1):
        for one in played:
            bidden = course.bidden(number, one.pair)
            assert bidden is not None
            game, bids = by_id[one.game], by_id[bidden.game]
            assert (game.options["bid"], game.options["after"]) == (bidden.bid, bids.head)
            assert (game.options["rally"], game.options["years"]) == (True, 1)
            assert {seat: keys[0] for seat, keys in game.keys.items()} == {
                seat: known(name.lower()) for seat, name in bidden.sides.items()
            }
            prices = {name: WANTED[name.lower()] for name in one.pair}
            if len({price[0] for price in prices.values()}) == 2:
                assert all(prices[name][0] == seat[0].upper() for seat, name in bidden.sides.items())
    ratings = RatingList.of(results)
    assert {game.game for game in ratings.counted} == {"hammer"}
    assert [one.why for one in ratings.left_out] == ["It settles which games follow, and nobody wins it."] * 4
    _as_anybody_reckons_it(cup, tmp_path, Program(monkeypatch, capsys), course)


def _as_anybody_reckons_it(cup: Cup, folder: Path, program: Program, course: EventCourse) -> None:
    file, logs = folder / "cup.toml", folder / "logs"
    file.write_text(text(), "utf-8")
    logs.mkdir()
    for row in cup.office.store.find(GameRow, stage="ended"):
        (logs / f"{row.id}.pbem").write_bytes(cup.office.robot.house.game(row.id).exported().dump())
    told = json.loads(program("event", file, logs, "--json")[1])
    assert told["over"]
    assert [row["name"] for row in told["table"]] == [row.name for row in course.table()]
    assert all(one["bids"]["seats"].keys() == {"english", "scottish"} for played in told["rounds"] for one in played)
    assert ": the English, " in program("event", file, logs)[1]


@pytest.fixture
def bidden(tmp_path: Path) -> Iterator[Cup]:
    """Two who have bid, and whose game is not open yet."""
    made = BidCup(tmp_path, text(("rose", "moira")).replace("rounds = 2", "rounds = 1"), ("rose", "moira"))
    assert opened(made) == [BIDS]
    made.play()
    yield made
    made.office.close()


def _result(bidden: Cup) -> RatedGame:
    (game,) = (one for one in bidden.results() if isinstance(one, RatedGame))
    return game


def _played(bids: RatedGame, course: EventCourse, **otherwise: object) -> RatedGame:
    """The game that follows from bids, as its log would tell it, but for what is otherwise."""
    (pair,) = course.open
    wanted = course.opening(pair)
    keys = {seat: (known(name.lower()),) for seat, name in wanted.seats.items()}
    options = {**wanted.options, **otherwise}
    return replace(
        bids,
        id="played",
        head="",
        at="2031",
        game="hammer",
        keys=keys,
        winners=("english",),
        options=options,
        result={},
    )


@pytest.mark.slow
def test_the_game_counts_that_follows_from_the_bids_and_no_other(bidden: Cup) -> None:
    event, bids, course = Event.read(bidden.file, "cup.toml"), _result(bidden), bidden.course()
    (pair,) = course.open
    assert course.opening(pair).options["bid"] == "E1", "E3 against S2"
    assert course.opening(pair).seats == {"english": "Rose", "scottish": "Moira"}
    honest = EventCourse(event, [bids, _played(bids, course)])
    assert (honest.over, list(honest.strangers)) == (True, [])
    for other in ({"bid": ""}, {"after": "0" * 64}, {"scenario": "braveheart"}, {"rally": False}):
        wrong = _played(bids, course, **other)
        assert list(EventCourse(event, [bids, wrong]).strangers) == [wrong]
    turned = replace(_played(bids, course), keys={"english": (known("moira"),), "scottish": (known("rose"),)})
    assert list(EventCourse(event, [bids, turned]).strangers) == [turned]
    assert not EventCourse(event, [_played(bids, course)]).rounds[0][0].game, (
        "without the bids' log it follows from nothing"
    )


@pytest.mark.slow
def test_bids_for_other_games_settle_nothing_and_the_first_of_two_counts(bidden: Cup) -> None:
    event, bids = Event.read(bidden.file, "cup.toml"), _result(bidden)
    for_others = replace(bids, options={**bids.options, "scenario": "braveheart"})
    assert EventCourse(event, [for_others]).bidden(1, bidden.course().open[0]) is None
    later = replace(bids, id="later", head="f" * 64, at="2031")
    course = EventCourse(event, [later, bids])
    told = course.bidden(1, course.open[0])
    assert told is not None
    assert (told.head, list(course.strangers)) == (bids.head, [later])


@pytest.mark.slow
@pytest.mark.parametrize(
    "word",
    [
        '[[rulings]]\nround = 1\nplayers = ["Rose", "Moira"]\nresult = "1/2"\n',
        '[[withdrawals]]\nplayer = "Rose"\nafter = 0\n',
    ],
)
def test_what_was_bid_stands_beside_the_organisers_word_and_no_game_is_opened(bidden: Cup, word: str) -> None:
    file = bidden.file.replace('"swiss"\nrounds = 1', '"round robin"')
    bids = replace(_result(bidden), event=Event.read(file, "cup.toml").full_name)
    course = EventCourse(Event.read(file + word, "cup.toml"), [bids])
    assert (course.over, course.strangers, course.rounds[0][0].ruled) == (True, (), True)
    told = course.bidden(1, course.rounds[0][0].pair)
    assert told is not None
    assert told.bid == "E1"
    assert as_json(course)["rounds"][0][0]["bids"]["bid"] == "E1"


@pytest.mark.slow
def test_a_game_that_was_opened_by_hand_is_not_opened_again(bidden: Cup) -> None:
    (number,) = (row.id for row in bidden.office.store.find(GameRow))
    terms = agreed(48, "default", 0, 0, rated=True, event=Event.read(bidden.file, "cup.toml").full_name)
    follow(bidden.office.robot, number, terms, lambda: "more", moment(bidden.minute))
    assert opened(bidden) == []


def test_who_has_a_name_that_no_seat_can_have_bids_as_first_or_second() -> None:
    file = text().replace('"Rose"', '"Роза"').replace('"Moira"', '"Moíra Nic-Neill"')
    course = EventCourse(Event.read(file, "cup.toml"), [])
    seats = [list(course.opening(pair).seats.items()) for pair in course.open]
    assert seats == [[("first", "Роза"), ("second", "Moíra Nic-Neill")], [("iain", "Iain"), ("ann", "Ann")]]


def test_the_name_holds_whether_there_are_bids() -> None:
    without = Event.read(text().replace("bids = true\n", ""), "cup.toml")
    assert "bids" not in without.settled, "events without them keep their names"
    assert Event.read(text(), "cup.toml").full_name != without.full_name


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (text().replace('"hammer"', '"swords"').replace("rally = true", ""), "nobody bids for a side of"),
        (text().replace("rally = true", 'bid = "E1"'), "is no option of a game"),
        (text().replace("rally = true", "rallies = true"), "rallies"),
    ],
)
def test_bids_for_what_cannot_be_are_refused(broken: str, why: str) -> None:
    with pytest.raises(UsageError, match=r"cup\.toml") as error:
        Event.read(broken, "cup.toml")
    assert why in str(error.value)


@pytest.mark.parametrize("named", [True, False])
def test_bids_for_a_game_that_was_ruled_are_none_for_its_replay(named: bool) -> None:
    """They sit as they sat two rounds before: only its round tells one pairing's bids from the other's."""
    event = replayed(1, 2)
    old, new = bids(event, 1), bids(event, 3)
    if not named:  # as they were opened by hand, or by an earlier program
        old = replace(old, round=0)
    course = EventCourse(event, [old])
    assert (len(course.rounds), course.open) == (3, [PAIR])
    assert course.bidden(3, PAIR) is None
    assert course.opening(PAIR).bids, "their own bids are to be opened"
    assert course.bidden(1, PAIR) is not None
    course = EventCourse(event, [old, new])
    told = course.bidden(3, PAIR)
    assert told is not None
    assert told.game == new.id
    assert course.strangers == ()


def test_second_bids_of_a_pairing_are_none_for_its_replay() -> None:
    event = replayed(2)
    one, other = bids(event, 1), replace(bids(event, 1), id="once more", at="later")
    course = EventCourse(event, [one, other])
    drawn = as_opened(event, course.opening(PAIR), "game", 1)
    course = EventCourse(event, [one, other, drawn])
    assert (len(course.rounds), list(course.strangers), course.bidden(3, PAIR)) == (3, [other], None)


def test_the_game_that_goes_on_after_a_ruling_is_not_that_of_a_replay() -> None:
    """The same without bids: its log, whenever it ends, bears the round in which it was paired."""
    file = text(("rose", "moira")).replace('"swiss"\nrounds = 2', '"knock-out"').replace("bids = true\n", "")
    event = Event.read(
        file + RULED.format(n=1, players='["Rose", "Moira"]') + RULED.format(n=2, players='["Moira", "Rose"]'), "cup"
    )
    course = EventCourse(event, [])
    for number in (0, 1):
        late = replace(as_opened(event, course.opening(PAIR), "late", number), winners=("english",))
        assert list(EventCourse(event, [late]).strangers) == [late]
        assert EventCourse(event, [late]).open
    assert EventCourse(event, [replace(late, round=3)]).over


@pytest.mark.slow
def test_a_host_opens_bids_for_a_replay_and_each_log_names_its_round(tmp_path: Path) -> None:
    people = ("rose", "moira")
    file = text(people).replace('"swiss"\nrounds = 2', '"knock-out"')
    cup = BidCup(tmp_path, file, people)
    assert opened(cup) == [BIDS]
    cup.play()
    for n, players in ((1, '["Rose", "Moira"]'), (2, '["Moira", "Rose"]')):
        cup.file += RULED.format(n=n, players=players)
    (cup.office.folder / "cup.toml").write_text(cup.file, "utf-8")
    assert opened(cup) == [BIDS], "and not the game, by the bids of the first round"
    cup.play()
    assert opened(cup) == ["hammer"]
    rounds = [cup.office.robot.house.game(number).ledger.entry(0)["terms"]["x:round"] for number in (1, 2, 3)]
    assert rounds == [1, 3, 3]
    cup.office.close()
