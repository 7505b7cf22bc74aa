"""What registers say of logs: a game that is not in one does not count, and one without a log is named."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tiny_game.rules import Tiny

from pbem.club.rating_list import RatingList
from pbem.club.registers import MissingGame, Registers
from pbem.club.results import LeftOut, RatedGame, result_of
from pbem.errors import RecordError
from pbem.games import manifest
from pbem.kernel import Game
from pbem.ledger import Log
from pbem.ledger.register import Register, begun, opened
from tests.club.games import CLUB, a_register, below, entered, key, known, table, to_its_end


def tiny(_name: str) -> tuple[Game, str]:
    return Tiny(), manifest("tiny")[1]


def result(data: bytes, *registers: Register) -> RatedGame | LeftOut:
    return result_of(data, tiny, None, Registers((f"{no}.jsonl", one) for no, one in enumerate(registers)))


def why(data: bytes, *registers: Register) -> str:
    found = result(data, *registers)
    assert isinstance(found, LeftOut), found
    return found.why


def test_a_game_that_was_entered_counts() -> None:
    register = a_register()
    first, other = entered(register, "a", "rose", "iain"), entered(register, "b", "rose", "moira", event="cup")
    data = [to_its_end(played) for played in (first, other)]
    assert [type(result(one, register)) for one in data] == [RatedGame, RatedGame]
    assert Registers([("a", register)]).missing({first.id, other.id}) == ()


def test_a_rated_game_that_stands_in_no_register_does_not_count() -> None:
    """The host entered it nowhere."""
    data = to_its_end(table("kept out", "rose", "iain"))
    assert isinstance(result_of(data, tiny), RatedGame)
    assert why(data, a_register()) == "No register given here contains the game."


def test_a_game_that_is_entered_afterwards_does_not_count() -> None:
    """A host waits for the result of a rated game. Entry 0 names a line that another game has by now, or none."""
    register = a_register()
    late = table("late", "rose", "iain", **below(register))
    entered(register, "in time", "rose", "moira")
    data = to_its_end(late)
    log = Log.parse(data)
    assert why(data, register) == "No register given here contains the game."
    register.sign(key(CLUB), opened(late.id, log.entries[0].fields))
    said = begun(late.id, [entry.fields for entry in log.entries], lambda n: log.entries[n].hash)
    register.sign(key(CLUB), said or {})
    assert why(data, register) == "Its entry 0 names another place than line 4, where the register has it."


def test_a_game_without_a_place_is_entered_nowhere() -> None:
    register = a_register()
    played = table("no place", "rose", "iain")
    data = to_its_end(played)
    register.sign(key(CLUB), opened(played.id, Log.parse(data).entries[0].fields))
    assert "names another place than line 2" in why(data, register)


def test_a_register_that_was_set_back_is_shown_by_the_log_of_a_later_game() -> None:
    register, other = a_register(), a_register()
    entered(register, "lost by the club's friend", "rose", "iain")
    later = entered(register, "later", "rose", "moira")
    data = to_its_end(later)
    assert why(data, a_register()) == (
        "Its entry 0 names line 3 of the register, but the register given ends with line 1. "
        "Either a longer one exists, or the register was set back."
    )
    entered(other, "another one", "rose", "moira")
    assert why(data, other) == "Its entry 0 names another line 3 than the register has: it was set back."


def test_two_histories_of_one_register_are_refused() -> None:
    """A host keeps a register for each reader. Together they are refused."""
    one, other, short = a_register(), a_register(), a_register()
    entered(one, "a", "rose", "iain")
    entered(other, "b", "rose", "iain")
    Registers([("long", one), ("short", short)])
    with pytest.raises(RecordError, match="one and other are two registers of one host, and part in line 2"):
        Registers([("short", short), ("other", other), ("one", one)])


def test_of_an_older_and_a_newer_one_the_newer_counts_and_hosts_have_their_own() -> None:
    register, theirs = a_register(), a_register("their club")
    older = Register.parse(register.dump())
    played = entered(register, "a", "rose", "iain")
    other = entered(theirs, "b", "rose", "iain", host="their club")
    for data in map(to_its_end, (played, other)):
        assert isinstance(result(data, older, register, theirs), RatedGame)
    given = Registers([("older", older), ("newer", register), ("theirs", theirs)])
    assert list(given.counting) == ["newer", "theirs"]


def test_a_register_by_another_key_says_nothing_about_a_host_s_game() -> None:
    """Another host's game in your register does not count by that."""
    theirs = a_register("their club")
    played = table("stolen", "rose", "iain", **below(theirs))
    data = to_its_end(played)
    theirs.sign(key("their club"), opened(played.id, Log.parse(data).entries[0].fields))
    assert "names another place than line 2" in why(data, theirs)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"event": "another"}, "Line 2 of the register says otherwise than its log."),
        ({}, "The register does not say that it began."),
    ],
)
def test_what_a_line_says_of_a_game_is_what_its_log_says(change: dict[str, Any], reason: str) -> None:
    register = a_register()
    played = table("otherwise", "rose", "iain", event="cup", **below(register))
    data = to_its_end(played)
    register.sign(key(CLUB), {**opened(played.id, Log.parse(data).entries[0].fields), **change})
    assert why(data, register) == reason


def test_a_game_is_not_begun_twice_with_other_players() -> None:
    """A host starts two games from one entry 0 to keep the better. The one in the register counts."""
    register = a_register()
    first = entered(register, "twice", "rose", "iain")
    other = table("twice", "rose", "moira", **below(a_register()))
    assert other.id == first.id
    assert why(to_its_end(other), register) == "By line 3 of the register it began otherwise than its log says."
    assert isinstance(result(to_its_end(first), register), RatedGame)


@pytest.mark.slow
def test_a_rated_game_without_a_log_is_named_with_its_players() -> None:
    """A host or a player keeps back the log of a rated game. The register shows it."""
    register, theirs = a_register(), a_register("their club")
    gone = entered(register, "gone", "rose", "iain", event="cup")
    there = entered(register, "there", "rose", "iain", event="cup")
    never = entered(register, "never begun", "rose", "iain", begins=False)
    entered(theirs, "theirs", "rose", "iain", host="their club", event="cup")
    given = Registers([("a", register), ("b", theirs)])
    at = "2030-01-01T00:00:00Z"
    keys = {"ann": known("rose"), "bob": known("iain")}
    missing = (MissingGame(gone.id, "tiny", "cup", at, keys),)
    assert given.missing({there.id, never.id}, hosts={known(CLUB)}) == missing
    assert given.missing({there.id}, None, {known(CLUB)}) == (*missing, MissingGame(never.id, "tiny", "", at))
    assert len(given.missing({there.id}, "cup")) == 2
    assert given.missing({there.id}, "another") == ()
    told = given.to_json(missing)
    assert json.loads(json.dumps(told))["missing"] == [
        {"id": gone.id, "game": "tiny", "event": "cup", "at": at, "keys": keys}
    ]
    assert told["registers"] == [
        {"file": "a", "lines": 6, "head": register.head[1], "keys": [known(CLUB)]},
        {"file": "b", "lines": 3, "head": theirs.head[1], "keys": [known("their club")]},
    ]


def test_a_game_that_is_not_over_is_rated_for_nobody() -> None:
    register = a_register()
    played = entered(register, "unfinished", "rose", "iain")
    assert why(played.whole(), register).startswith("It is not over: since ")
    found = RatingList.of([result(played.whole(), register)])
    assert (found.games, found.counted) == ({}, ())


@pytest.mark.slow
def test_a_keys_successor_stands_there_too() -> None:
    register = a_register()
    before = entered(register, "before", "rose", "iain")
    register.sign(key(CLUB), {"k": "key", "key": key("the club's next").key_line, "at": "2030-02-01T00:00:00Z"})
    after = entered(register, "after", "rose", "iain", host="the club's next")
    for played in (before, after):
        assert isinstance(result(to_its_end(played), register), RatedGame)
    stale = table("stale", "rose", "iain", **below(register))
    data = to_its_end(stale)
    register.sign(key("the club's next"), opened(stale.id, Log.parse(data).entries[0].fields))
    assert "names another place than line 7" in why(data, register), "its host's key keeps the register no more"


def test_an_empty_register_says_nothing() -> None:
    """A host that has opened no rated game: it ended in an IndexError."""
    assert Registers([("empty", Register())]).counting == {}
