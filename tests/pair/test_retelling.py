"""A log of two told once more: the same that each program heard while it was played, and the page that steps through it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import PbemError
from pbem.games import find
from pbem.ledger import cj
from pbem.ledger.pair import read_pair
from pbem.referee.pair import PairPlay, retold
from pbem.reports.course import Steps, step
from tests.pair.golden import FOLDER, GAMES
from tests.pair.playing import key_of

OVER = ["tiny", "tiny-talk", "hammer-bruce", "hammer-resigned", "swords", "swords-back", "tournament"]


def pbem(*words: object) -> str:
    result = CliRunner().invoke(app, list(map(str, words)))
    if result.exception is not None:
        raise result.exception
    return result.output


@pytest.mark.variants
@pytest.mark.parametrize("name", OVER)
def test_what_is_told_once_more_is_what_each_heard_and_saw(name: str) -> None:
    couple = GAMES[name]()
    course, entries = read_pair(couple.dump())
    knowing = find(course.first["rules"]["id"]).knowing
    assert knowing is not None
    tells = list(retold(knowing, course, entries, entries[-1].n))
    assert [tell.n for tell in tells] == sorted({tell.n for tell in tells})
    for seat, play in couple.plays.items():
        told = [(tell.n, cj(fact)) for tell in tells for fact in tell.facts[seat] if fact["f"] != "say"]
        assert told == [(n, cj(fact)) for n, fact in play.news]
        assert cj(tells[-1].views[seat]) == cj(play.shown)
        stands = cj(play.shown) == cj(play.peer.own)
        assert stands or name == "hammer-resigned", "one may give up on the way between two questions, too"
        if stands:
            assert cj(tells[-1].views[None]) == cj(play.peer.public)


@pytest.mark.slow
def test_up_to_an_entry_it_is_what_was_known_by_then() -> None:
    course, entries = read_pair((FOLDER / "hammer-homes.pbem").read_bytes())
    knowing = find("hammer").knowing
    assert knowing is not None
    for last in (2, 40, 200):
        *_, tell = retold(knowing, course, entries, last)
        for seat in course.names:
            play = PairPlay.of(knowing, entries[: last + 1], key_of(f"homes {seat}"))
            assert cj(tell.views[seat]) == cj(play.shown), (last, seat)


def test_a_draw_that_was_offered_and_taken_names_the_entry_of_the_offer() -> None:
    said = pbem("replay", FOLDER / "tiny-talk.pbem")
    offered = re.search(r"Bob offered a draw \(entry (\d+)\)", said)
    assert offered
    assert f"Ann agreed to entry {offered[1]}." in said


def test_answers_that_were_taken_back_are_told_as_such() -> None:
    shown = pbem("show", FOLDER / "swords-back.pbem")
    replayed = pbem("replay", FOLDER / "swords-back.pbem")
    assert re.search(r"lets the \w+ take back what it answered last|lets \w+ take back what it answered last", shown)
    assert "agrees to a draw" not in shown
    assert "took back the answer in entry" in replayed
    assert "claimed" not in replayed


def test_what_is_taken_back_is_in_no_tale_and_what_stood_before_it_in_the_same_turn_is() -> None:
    steps: Steps = {}
    view: Any = None
    step(steps, 5, view, [{"f": "a"}])
    step(steps, 7, view, [{"f": "say"}, {"f": "b"}, {"f": "c"}, {"f": "d"}])
    step(steps, 8, view, [{"f": "takeback", "seat": "ann", "ask": 7, "stand": 2}])
    assert [fact["f"] for fact in steps[7][1]] == ["say", "b", "c"]
    step(steps, 9, view, [{"f": "e"}])
    step(steps, 10, view, [{"f": "takeback", "seat": "ann", "ask": 9, "stand": 0}])
    assert sorted(steps) == [5, 7, 8, 10]


def test_the_page_steps_through_a_game_of_two_as_each_saw_it(tmp_path: Path) -> None:
    log, out = FOLDER / "tiny.pbem", tmp_path / "out.html"
    pbem("replay", log, "--html", out)
    views = re.findall(r'<option value="(.*)">', out.read_text("utf-8"))
    assert views[:4] == ["*", "ann", "bob", ""]
    pbem("replay", log, "--html", out, "--seat", "bob")
    assert re.findall(r'<option value="(.*)">', out.read_text("utf-8"))[0] == "bob"
    pbem("replay", log, "--html", out, "--at", 12)
    assert '<body data-at="12">' in out.read_text("utf-8")


@pytest.mark.slow
def test_who_stood_better_is_told_of_a_whole_game_alone(tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    pbem("replay", FOLDER / "hammer-resigned.pbem", "--html", out, "--opinion")
    assert out.exists()
    with pytest.raises(PbemError, match="whole page of a game that is over"):
        pbem("replay", FOLDER / "hammer-resigned.pbem", "--html", out, "--opinion", "--seat", "english")
    with pytest.raises(PbemError, match="no built-in player that judges"):
        pbem("replay", FOLDER / "tiny.pbem", "--html", out, "--opinion")


def test_a_page_of_a_game_that_goes_on_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(PbemError, match="This game is not over"):
        pbem("replay", FOLDER / "tiny-begun.pbem", "--html", tmp_path / "out.html")
    with pytest.raises(PbemError, match="This game is not over: here it ends with entry "):
        pbem("replay", FOLDER / "tiny-begun.pbem", "--html", tmp_path / "out.html", "--opinion")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "--seat", "ann"), ("verify", "--evidence", "here"), ("audit", "--evidence", "here"),
        ("audit", "--rules", "here"), ("audit", "--players"),
    ],
)  # fmt: skip
def test_what_says_nothing_of_a_log_of_two_is_refused(words: tuple[str, ...]) -> None:
    command, *more = words
    with pytest.raises(PbemError, match=f"{more[0]} is for logs of games with a host"):
        pbem(command, FOLDER / "tiny.pbem", *more)
