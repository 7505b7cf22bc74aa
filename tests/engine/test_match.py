"""Matches: both games of a pair have the same luck, a seed gives the same match, who fails loses and is named."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import main
from pbem.cli.match import _ended_like_ctrl_c
from pbem.engine import Engine
from pbem.engine.luck import PairLuck
from pbem.engine.match import Match, MatchGame
from pbem.engine.reckoning import elo_gap, interval, share
from pbem.engine.standings import Standings, in_words, told
from pbem.errors import UsageError
from pbem.games import find
from pbem.i18n import speaking
from pbem.kernel import Chance, Draw, Roll
from tests.project.source import ROOT

PAGE = ROOT / "docs" / "reference" / "engine.md"


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))


def program(tmp_path: Path, source: str) -> str:
    """Return the command line of a program."""
    path = tmp_path / "player.py"
    path.write_text(source, "utf-8")
    return shlex.join([sys.executable, str(path)])


def played(
    a: str, b: str, games: int = 2, game: str = "lords", seed: str = "1", patience: int = 60, **options: Any
) -> tuple[Match, Standings, list[MatchGame]]:
    """Play a match."""
    match = Match(find(game), options, (a, b), seed, patience)
    every = list(match.play(games))
    found = Standings(match.seats)
    for one in every:
        found.count(one)
    return match, found, every


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return what a command prints."""
    monkeypatch.setattr(sys, "argv", ["pbem", "match", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    return capsys.readouterr().out


def outcomes(game: MatchGame) -> list[Any]:
    return [step["outcome"] for step in game.steps if "outcome" in step]


@pytest.mark.slow
def test_four_games_of_hammer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The sensible player beats chance from both sides; the same command says the same, another seed another."""
    words = ("sensible", "random", "--game", "hammer", "--games", "4")
    said = run(monkeypatch, capsys, *words)
    assert "A (sensible) wins 4: 2 of 2 as english, 2 of 2 as scottish.\n" in said
    assert "Score of A: 100.0 % (95 % interval: 51.0 to 100.0 %).\n" in said
    assert run(monkeypatch, capsys, *words) == said


def test_a_seed_makes_the_match() -> None:
    games = [[game.json() for game in played("random", "random", seed=seed)[2]] for seed in ("1", "1", "2")]
    assert games[0] == games[1]
    assert games[0] != games[2]


@pytest.mark.slow
def test_both_games_of_a_pair_have_the_same_luck() -> None:
    _match, _found, (first, second, third, _fourth) = played("sensible", "random", games=4, game="hammer")
    assert first.seats == {"english": "A", "scottish": "B"}
    assert second.seats == {"english": "B", "scottish": "A"}
    assert outcomes(first)[:2] == outcomes(second)[:2] != outcomes(third)[:2]
    assert first.steps != second.steps


def test_luck_hangs_on_chain_and_number_alone() -> None:
    dice, deal = Chance("pub", (Roll(3),)), Chance("deal:1", (Draw(4, ("a", "b", "c", "d")),))
    one, other = PairLuck("s", 1), PairLuck("s", 1)
    first = [one.outcome(dice), one.outcome(dice)]
    assert other.outcome(deal) == one.outcome(deal)
    assert [other.outcome(dice), other.outcome(dice)] == first
    assert first[0] != first[1]
    assert sorted(PairLuck("s", 1).outcome(Chance("x", (Draw(3, ("a", "a", "b")),)))[0]) == ["a", "a", "b"]
    # what lies there in both piles comes in the same order
    fewer = PairLuck("s", 1).outcome(Chance("deal:1", (Draw(3, ("a", "b", "d")),)))[0]
    assert fewer == tuple(card for card in PairLuck("s", 1).outcome(deal)[0] if card != "c")
    rolled = {die for pair in range(100) for die in PairLuck("s", pair).outcome(dice)[0]}
    assert rolled == {1, 2, 3, 4, 5, 6}


def test_who_plays_itself_wins_as_much_as_it_loses() -> None:
    _match, found, games = played("sensible", "sensible", games=4)
    assert found.won("A") == found.won("B")
    assert [game.steps for game in games[::2]] == [game.steps for game in games[1::2]]


@pytest.mark.slow
def test_the_player_of_the_page_plays(tmp_path: Path) -> None:
    source = re.findall(r"^```python player\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(source) == 1
    command = program(tmp_path, source[0])
    match, found, games = played(command, "sensible")
    assert not found.faults
    assert [game.json() for game in played(command, "sensible")[2]] == [game.json() for game in games]
    assert told(match, found)["players"] == {"A": command, "B": "sensible"}


NOTES = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    with open({path!r}, "a") as kept:
        kept.write(line)
    print(json.dumps({{"id": asked["id"], "order": asked["default"]}}), flush=True)
"""


@pytest.mark.slow
def test_a_program_is_told_what_its_seat_may_know_and_no_more(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    _match, _found, games = played(program(tmp_path, NOTES.format(path=str(kept))), "random", game="hammer")
    asked = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    assert {(one["play"], one["seat"]) for one in asked} == {(1, "english"), (2, "scottish")}
    rules, look = find("hammer").rules, find("hammer").look
    for one in asked:
        view = rules.read_view(one["view"])
        assert one["view"]["seat"] == one["seat"]
        assert one["about"] == look.matter(view)
        assert one["default"] == str(rules.default(view))
        assert all(rules.why_not(view, rules.parse(view, order)) is None for order in one["orders"][:5])
    assert any(one["all"] for one in asked)
    assert not all(one["all"] for one in asked)
    seeds = [one["seed"] for one in asked]
    assert len({*seeds}) == len(seeds)
    assert all(re.fullmatch("[0-9a-f]{64}", seed) for seed in seeds)  # of the match's own seed nothing is told
    assert any(fact["f"] == "cards" for one in asked for fact in one["heard"])
    dealt = next(step["outcome"][0] for step in games[0].steps if len(step.get("outcome", [[]])[0]) == 10)
    assert not any(card in json.dumps(asked[0]["view"]["hand"]) for card in dealt[5:] if card not in dealt[:5])


ANSWERS = "import json, os, sys, time\nfor line in sys.stdin:\n    asked = json.loads(line)\n    {}\n"


DAEMON = (
    'import subprocess; subprocess.Popen([sys.executable, "-c", "import time; time.sleep(5)"], start_new_session=True); '
    "time.sleep(1000)"
)
"""Leaves something behind that holds its pipes open."""


@pytest.mark.variants
@pytest.mark.parametrize(
    ("does", "why", "fault"),
    [
        ('print(json.dumps({"id": asked["id"], "order": "XYZZY"}), flush=True)', "illegal", "illegal is “XYZZY”"),
        ('print(json.dumps({"id": asked["id"]}), flush=True)', "failed", r"“{.id.: \d}” without an order"),
        (
            'print(json.dumps({"id": 0, "order": "PASS"}), flush=True)',
            "failed",
            r"“{.id.: 0, .+}”: its id is not .*, \d",
        ),
        ('print(json.dumps({"id": asked["id"], "order": "Q" * 9999}), flush=True)', "illegal", "^.{,1200}$"),
        ("print(flush=True); os.close(1); time.sleep(1000)", "failed", "an invalid answer: “”"),
        ("os.close(1); time.sleep(1000)", "failed", "no longer answers"),
        ('print("hello", flush=True)', "failed", "an invalid answer: “hello”"),
        ("sys.exit(7)", "failed", r"has ended \(exit code 7\)"),
        (
            'print(json.dumps({"id": asked["id"], "order": "Q" * 20001}), flush=True)',
            "failed",
            "an order of 20001 letters; 20000 may",
        ),
        (DAEMON, "failed", "no answer for 1 seconds"),
        ("time.sleep(1000)", "failed", "no answer for 1 seconds"),
    ],
    ids=["illegal", "nothing", "another", "much", "blank", "shut", "talk", "death", "too much", "daemon", "silence"],
)
def test_who_fails_loses_that_game_and_the_match_goes_on(tmp_path: Path, does: str, why: str, fault: str) -> None:
    command = program(tmp_path, ANSWERS.format(does))
    _match, found, games = played("sensible", command, patience=1 if "sleep" in does else 60)
    assert [(game.winner, game.why) for game in games] == [("A", why), ("A", why)]
    assert [(number, player) for number, player, _fault in found.faults] == [(1, "B"), (2, "B")]
    assert all(re.search(fault, said) for _number, _player, said in found.faults)


def test_a_program_that_starts_only_once_loses_the_games_after_that(tmp_path: Path) -> None:
    path = tmp_path / "player"
    path.write_text(f"#!{sys.executable}\nimport os\nos.remove(__file__)\n", "utf-8")
    path.chmod(0o700)
    _match, found, games = played("random", str(path), games=4)
    assert [game.winner for game in games] == ["A"] * 4
    assert ["cannot be started" in said for _number, _player, said in found.faults] == [False, True, True, True]


def test_what_no_file_can_hold_is_kept_as_json_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = program(
        tmp_path, ANSWERS.format('print(json.dumps({"id": asked["id"], "order": "\\ud800"}), flush=True)')
    )
    said = run(
        monkeypatch, capsys, command, "random", "--games", "2", "--game", "lords", "--log", str(tmp_path / "kept")
    )
    assert "A loses: illegal is" in said
    assert json.loads((tmp_path / "kept" / "game-0002.json").read_text("utf-8"))["winner"] == "B"


def test_what_was_played_is_told_where_a_match_is_broken_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = Match._game

    def game(match: Match, number: int, seats: dict[str, str]) -> MatchGame:
        if number == 4:
            raise KeyboardInterrupt
        return whole(match, number, seats)

    monkeypatch.setattr(Match, "_game", game)
    words = ("random", "random", "--games", "6", "--game", "lords", "--log", str(tmp_path / "kept"))
    monkeypatch.setattr(sys, "argv", ["pbem", "match", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
    out, err = capsys.readouterr()
    assert "Lords of Scotland: 2 games in pairs" in out
    assert err == "Broken off: 2 of 6 games were played in pairs.\n"
    assert json.loads((tmp_path / "kept" / "match.json").read_text("utf-8"))["games"] == 2
    assert (tmp_path / "kept" / "game-0003.json").exists()


SIGNALS_AS_USUAL = """
import os, signal, sys
for name in ("SIGTERM", "SIGHUP", "SIGINT"):
    signal.signal(getattr(signal, name), signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, "-m", "pbem", *sys.argv[1:]])
"""
"""Begins pbem as a terminal does: behind nohup, or in the background, some signals are ignored, and children inherit that."""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows ends a process without a word to it")
@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_programs_end_with_a_match_that_is_ended(tmp_path: Path, number: str) -> None:
    hangs = "print('asked', file=sys.stderr, flush=True); time.sleep(1000)"
    words = [
        sys.executable,
        "-c",
        SIGNALS_AS_USUAL,
        "match",
        program(tmp_path, ANSWERS.format(hangs)),
        "random",
        "--game",
        "lords",
    ]
    match = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert match.stderr is not None
    assert match.stderr.readline() == "asked\n"
    match.send_signal(getattr(signal, number))
    assert match.stderr.read() == "Broken off: 0 of 200 games were played in pairs.\n"  # nobody holds it open any more
    assert match.wait() == 130
    assert match.communicate()[0] == ""


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows knows no such signal")
def test_a_match_behind_nohup_outlives_its_terminal() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with _ended_like_ctrl_c():
            signal.raise_signal(signal.SIGHUP)
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize(
    ("game", "options", "players", "why"),
    [
        ("tiny", {"players": 3}, ("random", "random"), "A match is for two, and Tiny has 3 seats"),
        ("lords", {"players": 4}, ("random", "random"), "has 4 seats"),
        ("tournament", {}, ("random", "random"), "has 4 seats"),
        ("lords", {}, ("random", "nobody-knows-this"), "neither a built-in player of Lords of Scotland"),
        ("lords", {}, ("'", "random"), "nor a program that can be started"),
        ("lords", {}, ("", "random"), "nor a program that can be started: A program is started by a list of words"),
    ],
)
def test_what_is_no_match_is_refused(game: str, options: Any, players: tuple[str, str], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        Match(find(game), options, players, "1", 60)


@pytest.mark.parametrize("game", ["lords", "swords", "tiny"])
def test_two_play_where_a_game_is_for_several(game: str) -> None:
    match, found, games = played("random", "random", game=game)
    assert len(match.seats) == 2
    assert len(games) == found.games == 2
    assert found.won("A") + found.won("B") + found.draws == 2


def test_games_are_kept_and_can_be_stepped_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "kept"
    words = ("sensible", "random", "--game", "lords", "--games", "2", "--seed", "x", "--json", "--log", str(folder))
    said = json.loads(run(monkeypatch, capsys, *words))
    assert sorted(path.name for path in folder.iterdir()) == ["game-0001.json", "game-0002.json", "match.json"]
    assert json.loads((folder / "match.json").read_text("utf-8")) == said
    kept = json.loads((folder / "game-0002.json").read_text("utf-8"))
    engine = Engine()
    engine.answer(json.dumps({"id": 0, "do": "new", "game": "lords", "options": said["options"]}).encode())
    for step in kept["steps"]:
        answer: Any = engine.answer(json.dumps({"id": 0, "do": "step", **step}).encode())
    assert answer["ok"]["wants"] == {"k": "end", "result": kept["result"]}
    assert kept["winner"] == kept["seats"].get(kept["result"]["winner"], "")


@pytest.mark.parametrize("words", [("--games", "3"), ("--log", ".")])
def test_what_cannot_be_is_said(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["pbem", "match", "random", "random", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert re.search("even number|--log", capsys.readouterr().err)


def test_figures_of_a_match() -> None:
    """By Wilson's formula, worked out by hand: 150 of 200; all and none have one bound."""
    low, high = interval(Fraction(150), 200)
    assert [round(1_000_000 * bound) for bound in (low, high)] == [685_658, 804_919]
    assert share(Fraction(1, 2), 2).per_mille == 250
    assert (share(Fraction(0), 10).low, share(Fraction(10), 10).high) == (0, 1000)
    assert elo_gap(Fraction(5), 10).gap == 0
    gap = elo_gap(Fraction(100), 110)
    assert gap.gap == 400
    assert (elo_gap(Fraction(10), 110).gap, elo_gap(Fraction(10), 110).low) == (-400, -(gap.high or 0))
    assert (elo_gap(Fraction(10), 10).gap, elo_gap(Fraction(10), 10).high) == (None, None)


def test_a_match_is_told_in_french() -> None:
    match, found, _games = played("random", "random")
    with speaking("fr"):
        assert any("parties" in line for line in in_words(match, found))
