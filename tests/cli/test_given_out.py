"""Letters that a mail program or a desktop is handed: they count as sent when the host has them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.cli import screen
from pbem.host.outbox import WAITS_FOR
from tests.cli.a_player import Player, no_keyring, player, playing
from tests.cli.given_out import desktop
from tests.host.conftest import the_example_game_is_found

__all__ = ["desktop", "no_keyring", "player", "playing", "the_example_game_is_found"]


def signed(player: Player) -> Path:
    """The letter with the first order of a game, which waits on the player's desk."""
    player.begin()
    desk = player.club.desks["ann"]
    desk.read(player.club.received["ann"][-1])
    _, view, pack = desk.question(desk.notes())
    desk.order(desk.notes(), str(next(iter(pack.rules.options(view)))), "", player.club.now())
    (letter,) = desk.tray.unsent()
    return letter


@pytest.mark.slow
def test_a_letter_that_is_given_out_is_not_sent_before_its_receipt(
    player: Player, desktop: Callable[[], list[str]]
) -> None:
    """Another program should have sent the letter. `pbem games` names it until the receipt comes."""
    letter = signed(player)
    raw = letter.read_bytes()
    code, said = player.pbem("send", "--open")
    assert code == 0, said
    assert len(desktop()) == 1
    assert desktop()[0].startswith("mailto:host%40example.org" if "%40" in desktop()[0] else "mailto:host@example.org")
    assert not list((player.home / "sent").glob("*.order.*"))
    code, said = player.pbem("games")
    assert "Given out, and no receipt yet: order." in said
    assert "pbem send --again" in said
    code, said = player.pbem("send", "--again", "--eml", player.home / "again.eml")
    assert code == 0, said
    assert (player.home / "again.eml").read_bytes().endswith(raw[-200:])
    player.club.take(raw)
    player.club.minute += WAITS_FOR  # the receipt waits so long for a report that brings its lines
    for one in player.club.deliver()["ann"]:
        player.desk.read(one)
    code, said = player.pbem("games")
    assert "no receipt" not in said
    assert [path.name for path in (player.home / "sent").glob("*.order.*")] == [letter.name]
    assert list((player.home / "given").iterdir()) == []


def test_of_a_letter_without_receipts_none_is_promised(player: Player, tmp_path: Path) -> None:
    player.begin()
    player.pbem("press", "Hello")
    code, said = player.pbem("send", "--eml", tmp_path / "hello.eml")
    assert (code, "No receipt comes for it" in said, "pbem send --again" in said) == (0, True, False), said


@pytest.mark.slow
def test_a_letter_that_is_written_is_given_out_though_nobody_listens(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As behind “| head”, which reads a line and goes."""
    letter = signed(player)

    def gone(*_said: object, **_how: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(screen, "echo", gone)
    with pytest.raises(BrokenPipeError):
        player.pbem("send", "--eml", player.home / "letter.eml")
    assert (player.home / "letter.eml").exists()
    assert [path.name for path in (player.home / "given").iterdir()] == [letter.name]
    assert player.desk.tray.unsent() == []


@pytest.mark.slow
def test_a_letter_too_long_for_a_link_is_opened_as_a_file(player: Player, desktop: Callable[[], list[str]]) -> None:
    letter = signed(player)
    letter.write_bytes(letter.read_bytes().replace(b"END\r\n", b"# a long remark\r\n" * 90 + b"END\r\n", 1))
    assert player.pbem("send", "--open")[0] == 0
    (opened,) = desktop()
    assert opened.endswith(".eml")
    assert Path(opened).read_bytes().startswith(b"X-Unsent: 1\r\n")


def test_without_a_desktop_the_letter_stays(player: Player, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    player.begin()
    desk = player.club.desks["ann"]
    desk.speaker(desk.notes()).write("hello", "", player.club.now())
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("PATH", str(tmp_path))
    code, said = player.pbem("send", "--open")
    assert (code, "No desktop here" in said) == (2, True)
    assert len(desk.tray.unsent()) == 1


@pytest.mark.slow
def test_games_are_listed_for_programs(playing: Player) -> None:
    playing.turn("quit\n")
    (one,) = json.loads(playing.pbem("games", "--json")[1])
    assert (one["state"], one["waits_for"], one["seat"]) == ("mine", ["ann", "bob"], "ann")
