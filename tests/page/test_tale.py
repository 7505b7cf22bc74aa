"""What happened in a game, as a page is told it: the cards, the dice that fall, the list of turns."""

from __future__ import annotations

import dataclasses
import re
from base64 import b64encode
from pathlib import Path

import pytest

from pbem.games import find
from pbem.ledger import Log
from pbem.look import PageTable
from pbem.page import playing
from pbem.page.service import Service
from pbem.page.tale import Tale
from pbem.reports.replay import films
from pbem.reports.told import Told, told
from tests.page.alone import begun
from tests.page.calling import ok

HAMMER = find("hammer")
LOGS = Path(__file__).parents[1] / "golden" / "logs"
LOG = Log.parse((LOGS / "hammer-taken-back.pbem").read_bytes())


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service(tmp_path)


def course(seat: str = "scottish") -> playing.Moments:
    return Tale(HAMMER, seat, told(LOG, seat), None).told(-1)


def test_the_turns_are_those_of_the_replay_page() -> None:
    film = next(film for film in films(LOG, HAMMER) if film.seat == "scottish")
    shown = [(turn.n, turn.depth, turn.name, turn.came) for turn in course().turns]
    assert shown == [tuple(turn) for turn in film.turns.found if turn.name != "The end"]
    assert any(came in ("English", "Scots") for _, depth, _, came in shown if depth), "no battle tells who has won it"


def test_all_turns_are_told_whatever_was_asked_for() -> None:
    made = Tale(HAMMER, "scottish", told(LOG, "scottish"), None)
    late = made.told(course().moments[-1].n)
    assert late.moments == ()
    assert late.turns == course().turns


@pytest.mark.slow
@pytest.mark.parametrize("seat", ["", "english", "scottish"])
def test_the_end_is_that_of_the_replay_page(service: Service, seat: str) -> None:
    """Nobles through the years, losses and dice: by the same code, from the same steps; what was taken back is in neither."""
    data = b64encode(LOG.dump()).decode()
    game = ok(service, "watch", data=data, seat=seat)["game"]
    found = ok(service, "closing", game=game)
    film = next(film for film in films(LOG, HAMMER) if film.seat == seat)
    shown = HAMMER.look.closing(list(film.course.values()))
    tables = [one for one in shown if isinstance(one, PageTable)]
    assert [(one["title"], one["rows"]) for one in found["tables"]] == [
        (one.title, [list(row) for row in one.rows]) for one in tables
    ]
    assert [one["svg"] for one in found["drawings"]] == [str(one) for one in shown if not isinstance(one, PageTable)]
    assert any("Luck" in one.heads for one in tables)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hammer-taken-back", "lords-3", "swords-2"])
def test_who_stood_better_is_what_the_replay_page_says(service: Service, name: str) -> None:
    log = Log.parse((LOGS / f"{name}.pbem").read_bytes())
    everything = films(log, find(name.split("-", maxsplit=1)[0]), judged=True)[0]
    there = " ".join(re.sub("<[^>]+>", " ", "\n".join(everything.frames[max(everything.frames)][2])).split())
    for seat in ("", *log.entries[0].fields["seats"]):
        game = ok(service, "watch", data=b64encode(log.dump()).decode(), seat=seat)["game"]
        found = ok(service, "opinion", game=game)
        (table,), (drawing,) = found["tables"], found["drawings"]
        assert len(table["rows"]) > 1
        assert " ".join(" ".join(row) for row in table["rows"]) in there, "whoever asks, all of it is judged"
        assert drawing["svg"] in "\n".join(everything.frames[max(everything.frames)][2])


def test_a_game_that_goes_on_has_no_end(service: Service) -> None:
    """And nobody is told who stands better: that would tell what is hidden."""
    data = (LOGS / "lords-begun.pbem").read_bytes()
    watched = ok(service, "watch", data=b64encode(data).decode())["game"]
    for game in (begun(service, "hammer"), begun(service, "lords"), watched):
        for call in ("closing", "opinion"):
            found = ok(service, call, game=game)
            assert (found["drawings"], found["tables"], found.get("laid_open")) == ([], [], None)


def test_of_a_game_alone_that_is_over_it_is_said_too(service: Service) -> None:
    game = begun(service, "lords", options={"players": 2, "rounds": 2})
    solo = service.alone.get(game)
    while solo.result is None:
        if solo.more:
            solo.go_on()
        else:
            solo.answer(str(solo.pack.rules.default(solo.view)))
    (table,) = ok(service, "opinion", game=game)["tables"]
    assert (table["title"], len(table["rows"])) == ("Who stood better", 2)


def test_dice_fall_as_they_were_rolled_and_say_whom_they_struck() -> None:
    rolls = [roll for moment in course().moments for roll in moment.rolls]
    fires = [fact for tell in told(LOG, "scottish") for fact in tell.facts if fact["f"] == "fire"]
    assert fires
    for fact in fires:
        hits = [die for die in fact["dice"] if die <= fact["rating"]]
        assert any([die.shows for die in roll.dice if die.counts] == hits for roll in rolls)
    assert any("reduced to" in one.says and not one.gone for roll in rolls for one in roll.struck)


def test_what_somebody_made_up_rolls_no_dice(service: Service) -> None:
    tell = told(LOG, "scottish")[-1]
    odd = dataclasses.replace(tell, facts=({"f": "fire", "block": "Nobody", "dice": "many"}, {"f": "roll"}))
    (moment,) = Tale(HAMMER, "scottish", [odd], None).told(-1).moments
    assert moment.rolls == ()
    assert "do not know" in moment.items[0].text
    assert isinstance(odd, Told)


def test_the_hand_lies_there_as_cards_that_are_touched(service: Service) -> None:
    game = begun(service, "hammer", seat="scottish")
    position = ok(service, "position", game=game)
    hand = position["cards"][0]
    assert len(hand["cards"]) == 5
    assert all(card["says"] and card["colour"].startswith("#") for card in hand["cards"])
    touched = {one["at"] for one in ok(service, "touches", game=game)["touches"] if one["at"].startswith("card:")}
    assert touched == {card["at"] for card in hand["cards"]}
    assert [row["backs"] for row in position["cards"] if row["backs"]] == [5], "the enemy's lie face-down"
