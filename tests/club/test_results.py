"""What a log gives to a list of ratings, and which logs give nothing."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path

import pytest

from pbem.club.results import LeftOut, RatedGame, result_of
from pbem.errors import FormError
from pbem.games import installed
from pbem.ledger import Log
from tests.club.games import CLUB, ended, key, known, table, to_its_end


def rated(data: bytes) -> RatedGame:
    result = result_of(data, installed)
    assert isinstance(result, RatedGame), result
    return result


def why(data: bytes) -> str:
    result = result_of(data, installed)
    assert isinstance(result, LeftOut), result
    return result.why


def test_a_clean_rated_game_that_is_over_counts() -> None:
    played = (ended(f"game {n}", "rose", "iain", event="league") for n in range(9))
    data, log = next((data, log) for data in played if (log := Log.parse(data)).entries[-1].fields["result"]["winner"])
    found = rated(data)
    assert (found.id, found.head) == (log.entries[0].hash, log.entries[-1].hash)
    assert (found.game, found.event, found.hosts) == ("tiny", "league", (known(CLUB),))
    assert found.keys == {"ann": (known("rose"),), "bob": (known("iain"),)}
    assert found.winners == (log.entries[-1].fields["result"]["winner"],)


def test_players_agree_that_a_game_is_rated_before_it_begins() -> None:
    assert why(ended("two", "rose", "iain", rated=False)) == "Its players have not agreed that it is rated."


def test_a_built_in_player_is_not_rated() -> None:
    bot = {"bob": {"player": "sensible", "ver": 1, "playouts": 0}}
    assert why(ended("three", "rose", "iain", built_in=bot)) == "A built-in player plays in it."


def test_a_game_that_is_not_over_does_not_count() -> None:
    """The losing player stops. Rated games have a time limit, and `pbem ratings` names the player and the date."""
    said = why(table("four", "rose", "iain").whole())
    found = re.fullmatch(r"It is not over: since (\S+) it waits for (\w+) \((SHA256:\S+)\)(, .*)?\.", said)
    assert found
    assert found[3] == known({"ann": "rose", "bob": "iain"}[found[2]])


def test_who_resigns_has_lost() -> None:
    played = table("five", "rose", "iain")
    played.say("ann", "resign")
    found = rated(played.whole())
    assert found.places() == {"ann": 2, "bob": 1}


def test_where_nobody_wins_all_are_equal() -> None:
    played = table("six", "rose", "iain")
    offer = played.say("ann", "draw")
    played.say("bob", "agree", about=offer)
    assert rated(played.whole()).places() == {"ann": 2, "bob": 2}


def test_a_log_in_which_something_is_wrong_does_not_count() -> None:
    lines = ended("seven", "rose", "iain").splitlines(keepends=True)
    at = next(no for no, line in enumerate(lines) if line.startswith(b'["link"'))
    value = json.loads(lines[at])[4]
    lines[at] = lines[at].replace(value.encode(), value[::-1].encode())
    assert why(b"".join(lines)).startswith("An audit finds a fault: entry ")


def test_a_seat_that_changed_hands_does_not_count() -> None:
    played = table("eight", "rose", "iain", turns=5)
    while not played.course.vanished("ann", played.now):
        defaults = {seat: (str(played.game.default(played.referee.view(seat))), "") for seat in played.waiting}
        played.answer({"bob": defaults["bob"]} if "bob" in defaults else {}, ["ann"] if "ann" in defaults else [])
    played.replace("ann", key("moira"))
    assert why(to_its_end(played)) == "All agreed that a new player takes the seat ann."


def test_another_key_counts_once_something_is_signed_with_it() -> None:
    played = table("nine", "rose", "iain")
    played.rekey("ann", key("rose's next"))
    assert rated(to_its_end(played)).keys["ann"] == (known("rose"), known("rose's next"))


def test_a_key_that_is_only_named_is_nobodys() -> None:
    """Who names another's key as his own next one does not become him: he can sign nothing with it."""
    played = table("ten", "rose", "iain")
    played.change_key("ann", key("moira"))
    played.say("bob", "resign")
    assert played.open is None
    assert rated(played.whole()).keys["ann"] == (known("rose"),)


@pytest.mark.parametrize("data", [b"", b"nonsense\n", b"[]\n"])
def test_what_is_no_log_is_said(data: bytes) -> None:
    with pytest.raises(FormError):
        result_of(data, installed)


def test_a_thiefs_key_is_not_the_owners() -> None:
    """Who steals a key may go on with one of his own, until the owner's recovery key takes the seat back."""
    spare = key("rose's spare")
    played = table("eleven", "rose", "iain", recovery=spare.key_line, turns=5)
    played.rekey("ann", key("a thief"))
    played.answer({seat: (str(played.game.default(played.referee.view(seat))), "") for seat in played.waiting})
    played.rekey("ann", key("rose's next"), spare)
    assert rated(to_its_end(played)).keys["ann"] == (known("rose"), known("rose's next"))


@pytest.mark.slow
def test_no_log_of_any_kind_makes_it_stumble() -> None:
    """Unfinished ones, copies, and files with a misdeed each: none counts, and none is a surprise."""
    found = 0
    for path in sorted(Path(__file__).parents[1].rglob("*.pbem")):
        with suppress(FormError):
            assert isinstance(result_of(path.read_bytes(), installed), LeftOut), path
            found += 1
    assert found > 100
