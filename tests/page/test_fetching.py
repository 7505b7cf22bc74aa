"""What has come into a player's own mailbox, fetched by the page: what `pbem turn` fetches, and as it does."""

from __future__ import annotations

import pytest

from pbem.mail import read_message
from pbem.page.service import Service
from tests.cli.a_player import Player, no_keyring, player
from tests.host.conftest import the_example_game_is_found
from tests.page.calling import ok, refused

__all__ = ["no_keyring", "player", "the_example_game_is_found"]


def page_of(player: Player) -> Service:
    """Her page, over the desk that knows her mailbox."""
    player.setup()
    return Service(player.home, player.club.now)


@pytest.mark.slow
def test_what_has_come_is_read_and_nothing_changes_in_the_mailbox(player: Player) -> None:
    page = page_of(player)
    player.begin()
    player.club.take(player.club.order("ann"))
    player.bob()
    assert ok(page, "about")["can_fetch"]
    before = {name: dict(mails) for name, mails in player.imap.folders.items()}
    came = ok(page, "fetch")
    assert came["trouble"] == ""
    assert {one["kind"] for one in came["came"]} == {"report", "asks"}, "the report has the receipt"
    assert ok(page, "games")["games"][0]["state"] == "mine"
    assert ok(page, "fetch") == {"came": [], "trouble": ""}
    assert player.imap.folders == before


def test_an_invitation_waits_on_the_first_screen_without_its_token(player: Player) -> None:
    page = page_of(player)
    player.post()
    token = read_message(player.club.received["ann"][0]).token
    (came,) = ok(page, "fetch")["came"]
    assert came["kind"] == "asks"
    assert len(token) == 32
    assert token not in came["text"]
    (asks,) = ok(page, "games")["asks"]
    assert ok(page, "join", game=asks["game"])["letters"][0]["kind"] == "join"


@pytest.mark.slow
def test_a_mailbox_that_fails_says_so_and_the_next_time_the_rest_is_read(player: Player) -> None:
    page = page_of(player)
    player.begin()
    player.club.take(player.club.order("ann"))
    player.bob()
    player.imap.answers["UID FETCH"] = "NO not now"
    failed = ok(page, "fetch")
    assert "cannot be fetched" in failed["trouble"]
    player.imap.heal()
    assert ok(page, "fetch")["trouble"] == ""
    assert ok(page, "games")["games"][0]["state"] == "mine"


def test_a_desk_without_a_mailbox_is_told_how_to_name_one(player: Player) -> None:
    page = Service(player.home, player.club.now)
    assert not ok(page, "about")["can_fetch"]
    kind, said = refused(page, "fetch")
    assert (kind, "pbem setup" in said) == ("player", True)
