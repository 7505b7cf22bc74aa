"""The words of Lords of Scotland, its picture, and its built-in players."""

from __future__ import annotations

import json
import random
import re
from xml.etree import ElementTree as ET

import pytest

from pbem.errors import OrderError
from pbem.games import find
from pbem.games.lords import GAME
from pbem.games.lords.look import LOOK
from pbem.games.lords.rules.position import MOST_DEALS
from pbem.games.lords.rules.told import LordsFact
from pbem.games.positions import read
from pbem.i18n import speaking
from pbem.kernel import Ask, Chance, End, Fact, Json, Stop, View, read_ahead
from pbem.look import PageTable
from tests.conformance import Record, outcome, play
from tests.lords.table import table

OPTIONS: list[Json] = [{"players": 2}, {"players": 5, "bruce": True, "claims": "in turn"}]


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 - our own drawing


def views(record: Record) -> list[tuple[str | None, View]]:
    return [
        (seat, GAME.read_view(GAME.view(stop.state, seat)))
        for index, stop in enumerate(record.stops)
        if index % 3 == 0 or isinstance(stop.wants, End)
        for seat in (None, *record.seats)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_words_fit_on_a_page(options: Json) -> None:
    for _, view in views(play(GAME, options, 2)):
        for text in (LOOK.question(view), LOOK.template(view), LOOK.board(view), LOOK.hand(view)):
            assert text == text.rstrip()
            assert all(len(line) <= 72 and line == line.rstrip() for line in text.split("\n")), text


def test_words_for_every_fact_tell_a_seat_nothing_that_it_did_not_hear() -> None:
    kinds = set()
    for options in OPTIONS:
        record = play(GAME, options, 3)
        for stop in record.stops:
            for fact in (e.heard_by("buchan") for e in stop.events if isinstance(e, Fact)):
                assert fact is not None
                assert LOOK.fact(fact, "buchan").strip(), fact
                kinds.add(fact["f"])
    assert set(LordsFact.kinds()) - kinds <= {"no cards", "pass", "same", "unclaimed", "stay", "draw"}
    drawn = {"f": "draw", "seat": "angus"}
    assert LOOK.fact(drawn, "buchan") == "Angus draws a card."
    assert LOOK.fact({**drawn, "card": "Scott 1"}, "angus") == "You draw Scott 1."


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        ({"power": "Wemyss", "target": "buchan 1", "from": "buchan", "gone": "Scott 8", "card": "Wemyss 3"},
         " Wemyss 3 discards Buchan's face-down follower 1: it was Scott 8."),
        ({"power": "Ferguson", "target": "Scott 8", "from": "buchan", "card": "Scott 1"},
         " Scott 1, as Ferguson, goes to Buchan for Scott 8."),
        ({"power": "Cochrane", "card": "Cochrane 2"}, " Cochrane 2 will claim two supporters."),
        ({"power": "MacDonnell", "card": "MacDonnell 2"}, " MacDonnell 2 will stay for another round."),
        ({"power": "Bruce", "card": "Scott 1"}, " Scott 1, as Bruce, will count for any clan."),
    ],
)  # fmt: skip
def test_words_for_powers(fact: Json, sentence: str) -> None:
    assert LOOK.fact({"f": "power", "seat": "angus", **fact}, None) == sentence


def test_words_for_a_turn_without_cards() -> None:
    game = table(players=2, all_else="buchan")
    assert "PASS is all you can do" in LOOK.question(game.view("angus")).replace("\n", " ")
    assert LOOK.template(game.view("angus")) == "PASS"
    assert LOOK.fact({"f": "pass", "seat": "angus"}, "angus") == "You can do nothing."


def test_words_of_the_hand_show_ranks() -> None:
    game = table(players=2, hands={"angus": "Makgill 9"})
    assert LOOK.hand(game.view("angus")) == "Your hand, one card: Makgill 9 (rank 66)."
    assert LOOK.hand(game.view(None)) == ""


@pytest.mark.slow
def test_a_template_is_legal_as_it_stands() -> None:
    record = play(GAME, {"players": 4}, 4)
    for index, stop in enumerate(record.stops):
        for seat in stop.wants.seats if isinstance(stop.wants, Ask) else ():
            view = record.view(index, seat)
            assert GAME.why_not(view, GAME.parse(view, LOOK.template(view))) is None
            assert LOOK.question(view)
            shown = re.sub(r"   # with the next line\n# ", "; ", LOOK.template(view))
            for line in filter(re.compile("#").match, shown.splitlines()):
                offered = line.removeprefix("# ").replace("; ", "\n")
                if offered.startswith("AHEAD"):
                    assert read_ahead(GAME, view, {"turn": 3}, offered)
                elif not offered.startswith(("PLAN", "    # ", "...")):
                    assert GAME.why_not(view, GAME.parse(view, offered)) is None, line


def test_the_result_is_a_sentence() -> None:
    points = {"angus": 42, "buchan": 42}
    won = {"winner": "angus", "why": "throne", "points": points}
    assert LOOK.result(won) == "Angus claims the throne. Points: Angus 42, Buchan 42."
    assert LOOK.result({**won, "winner": ""}).startswith("Nobody wins")
    assert "the last round is played" in LOOK.result({**won, "why": "rounds"})


def test_tables_and_what_was_seen() -> None:
    game = table(players=2, hands={"angus": "Scott 1"}, recruits="Wemyss 9", armies={"buchan": "Scott 8 down"})
    game.order("RECRUIT 1")
    assert [t.title for t in LOOK.tables(game.view("buchan"))][1] == "The lords"
    assert LOOK.tables(game.view("buchan"))[2].rows == (("Angus", "Wemyss 9"),)
    assert len(LOOK.tables(game.view("angus"))) == 2


def test_the_picture_shows_what_its_views_know() -> None:
    game = table(players=2, hands={"angus": "Scott 1", "buchan": "Wemyss 3"}, armies={"buchan": "Cochrane 8 down"})
    angus, buchan = (LOOK.picture([game.view(seat)], []) for seat in ("angus", "buchan"))
    both = LOOK.picture([game.view("angus"), game.view("buchan")], [])
    for svg in (angus, buchan, both):
        ids = [part.get("id") for part in parsed(svg).iter() if part.get("id")]
        assert len(ids) == len(set(ids))
    assert [tuple(f">{name}<" in svg for name in ("Cochrane", "Wemyss", "Scott")) for svg in (angus, buchan, both)] == [
        (False, False, True),
        (True, True, False),
        (True, True, True),
    ]


@pytest.mark.slow
def test_the_picture_can_be_drawn_at_any_time() -> None:
    for _, view in views(play(GAME, {"players": 5}, 5)):
        parsed(LOOK.picture([view], []))


def test_the_board_tells_who_is_ahead_and_why() -> None:
    game = table(
        players=3,
        armies={"angus": "Scott 7, Scott 2", "buchan": "Wemyss 9 down", "carrick": "Ferguson 11, Cochrane 6"},
        won={"angus": "Forsyth 12", "buchan": "Cockburn 11, Scott 10"},
    )
    board, own = LOOK.board(game.view("angus")), LOOK.board(game.view("buchan"))
    assert "Buchan is ahead with 21 of 40 points: Cockburn 11 and Scott 10. Angus\n  follows with 12." in board
    assert "The strongest army so far is that of Angus: 18, doubled, as all are of\n  one clan." in board
    assert "One card lies face-down." in board.replace("\n  ", " ")
    assert "You are ahead with 21 of 40 points" in own
    assert "face-down." not in own


def test_a_board_without_points_or_armies_has_nobody_ahead() -> None:
    board = LOOK.board(table(players=2).view("angus"))
    assert "Nobody has points yet; 40 claim the throne." in board
    assert "strongest army" not in board


def test_the_lords_numbers_stand_in_columns() -> None:
    game = table(players=2, armies={"angus": "Scott 7", "buchan": "Wemyss 9 down"}, won={"buchan": "Cockburn 11"})
    lines = LOOK.board(game.view("angus")).split("\n")
    head = next(line for line in lines if line.startswith("Lord"))
    angus, buchan = (next(one for one in lines if one.startswith(who) and "  " in one) for who in ("Angus", "Buchan"))
    assert head.split() == ["Lord", "Points", "Army", "Rank", "Hand"]
    assert angus.split() == ["Angus", "*", "0", "7", "49", "0", "to", "act"]
    assert buchan.split() == ["Buchan", "11", "0+?", "?", "0"]
    assert all(angus[head.index(word) + len(word) - 1] != " " for word in ("Points", "Army", "Rank", "Hand"))


def test_the_picture_marks_totals_powers_and_who_leads() -> None:
    game = table(
        players=2, hands={"angus": "Forsyth 1"}, armies={"angus": "Cochrane 7 active, Cochrane 2", "buchan": "Wemyss 9 down"},
        won={"buchan": "Cockburn 11"},
    )  # fmt: skip
    with speaking("fr"):
        french = LOOK.picture([game.view("angus")], [])
    svg = LOOK.picture([game.view("angus")], [])
    texts = ["".join(part.itertext()) for part in parsed(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert {"18", "doubled", "0+?", "11 of 40", "claims two", "draws a card"} <= set(texts)
    assert "pioche une" in french  # not what was drawn before in another language
    assert svg.count('href="#los-flag"') == svg.count('href="#los-crown"') == 1


def test_the_end_tells_points_and_skirmishes() -> None:
    record = play(GAME, {"players": 3, "goal": 20}, 2)
    course: list[tuple[View, list[Json]]] = []
    for index, stop in enumerate(record.stops):
        heard = [event.heard_by(None) for event in stop.events if isinstance(event, Fact)]
        course.append((record.view(index, None), [fact for fact in heard if fact]))
    points, skirmishes = LOOK.closing(course)
    assert isinstance(points, PageTable)
    assert isinstance(skirmishes, PageTable)
    last = record.stops[-1].wants
    assert isinstance(last, End)
    assert [int(n) for n in points.rows[-1][1:]] == list(last.result["points"].values())
    assert sum(int(n) for n in skirmishes.rows[0][1:]) == len(points.rows)
    assert not LOOK.closing([])


# Positions


def test_a_position_file_holds_every_card_once() -> None:
    game = table(players=2, hands={"angus": "Scott 1"})
    position = GAME.dump(game.stop.state)
    text = json.dumps({"game": "lords", "version": 1, "options": {"players": 2}, "position": position})
    assert read(text, find("lords")).state == game.stop.state


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"pile": []}, "every card exactly once"),
        ({"deals": MOST_DEALS + 1}, "from 0 to 65536 deals, not 65537"),
        ({"won": {}}, "won of a position belong to its seats"),
        ({"round": "first"}, "not a position of Lords of Scotland: board.round: "),
        ({"terms": {"goal": 40, "claims": "together", "condition": "lowest", "bruce": [12], "rounds": 0}}, "two ranks"),
    ],
)
def test_a_position_that_cannot_be_is_refused(change: Json, why: str) -> None:
    position = GAME.dump(table(players=2).stop.state)
    position["board"] |= change
    with pytest.raises(Exception, match=why):
        GAME.load(position)


# Built-in players


def winner(bots: list[str], seed: int) -> int:
    pack, rng = find("lords"), random.Random(seed)
    seats = GAME.seats({"players": len(bots)})
    players = {seat: pack.bots[name]() for seat, name in zip(seats, bots, strict=True)}
    stop: Stop = GAME.start({"players": len(bots)})
    while not isinstance(stop.wants, End):
        if isinstance(stop.wants, Chance):
            stop = GAME.step(stop.state, outcome(stop.wants, rng))
            continue
        given = {}
        for seat in stop.wants.seats:
            view = GAME.read_view(GAME.view(stop.state, seat))
            given[seat] = players[seat].answer(view, rng)
            assert GAME.why_not(view, given[seat]) is None
            assert GAME.read_plans(players[seat].plans(view)) == players[seat].plans(view)
        stop = GAME.step(stop.state, given)
    return seats.index(stop.wants.result["winner"])


def test_the_sensible_player_wins_far_more_often_than_the_random_ones() -> None:
    won = [winner(["random", "sensible", "random"], seed) for seed in range(8)]
    assert won.count(1) >= 6


def test_a_use_without_the_clan_that_is_copied_says_what_is_missing() -> None:
    """A copied power names Scott's rule. The condition of your own clan is under “Alternative rules”."""
    game = table(players=2, hands={"angus": "Scott 1"}, armies={"buchan": "Cochrane 9"})
    named = "a Scott copies the power of a clan, which has to be named, as in MUSTER Scott 1 USE "
    game.refused("MUSTER Scott 1 USE", f"{named}Cochrane .rule Scott")
    with pytest.raises(OrderError, match=named):
        GAME.read_ahead(game.view("angus"), "turn", "MUSTER Scott 1 USE")


def test_the_condition_of_ones_own_clan_is_named_by_its_heading() -> None:
    game = table(players=4, hands={"angus": "Forsyth 6"}, armies={"buchan": "Forsyth 5"})
    said = "another face-up follower of clan Forsyth is not stronger .rule Alternative rules"
    game.refused("MUSTER Forsyth 6 USE", said)
