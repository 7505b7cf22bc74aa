"""What meets at a door: another key, another player, a door that is closed for good, two tabs, a command beside the page."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from unittest import mock

import pytest

from pbem.host.post import Post
from pbem.ledger import fingerprint, verify
from pbem.mail import read_message
from pbem.player import settled
from pbem.player.door import NotHeard
from tests.attacks.newcomers import agree, holder, miss, takes, token
from tests.host.post import HOST, Club, a_club, key_of
from tests.page.calling import ok
from tests.stored import stored_row

from .doors import at_work
from .page import again, carried, known, order, page_of, visited

__all__ = ["known"]


@pytest.fixture
def club(known: Club, tmp_path: Path) -> Iterator[Club]:
    twin = known.copy_to(tmp_path)
    yield twin
    twin.office.close()


def on(club: Club, seat: str) -> int:
    """The last entry of a seat's copy."""
    desk = type(club.desks[seat])(club.folder / seat)
    return desk.copy(desk.notes()).log.head[0]


def last_for(club: Club, seat: str) -> int:
    """The last entry that the host has told a seat of."""
    row = stored_row(club.office.store, "select sent_n from seats where seat = ?", seat)
    assert row is not None
    return int(row["sent_n"])


def by_mail(club: Club, seat: str) -> list[bytes]:
    """What has come to a seat by mail."""
    return club.deliver()[seat]


@pytest.mark.parametrize("way", ["door", "mail"])
def test_another_key_while_letters_lie_there(club: Club, way: str) -> None:
    """They were laid for the key before; whoever has both misses nothing."""
    game = club.log().game
    with again(club) as host:
        page = page_of(club, "ann", host.clock)
        for seat in club.asked():
            host.door(club, seat).bring(club.order(seat))
        desk = type(club.desks["ann"])(club.folder / "ann")
        desk.keys.rekey(key_of("ann again"), club.now())
        (path,) = desk.tray.unsent()
        if way == "mail":
            host.door(club, "ann").bring(desk.tray.sent(path).read_bytes())
        found = visited(page, game)
        assert found["trouble"] == []
        assert not [one for one in found["came"] if one["kind"] == "left"], found
        assert visited(page, game) == {"brought": [], "came": [], "trouble": []}
    assert on(club, "ann") == last_for(club, "ann")


def test_a_door_that_is_closed_for_good_leaves_nobody_without_his_letters(club: Club) -> None:
    """Who wanted none by mail gets all by mail again, and once his copy: what lay there he may not have fetched."""
    game = club.log().game
    with again(club) as host:
        page = page_of(club, "ann", host.clock)
        desk = type(club.desks["ann"])(club.folder / "ann")
        settled.choose_mail(desk.speaker(desk.notes()), "none", None, club.now())
        assert visited(page, game)["brought"][0]["became"] == "taken"
        for seat in club.asked():
            host.door(club, seat).bring(club.order(seat))
        club.deliver()
    (club.folder / "host" / "host.toml").write_text(f'address = "{HOST}"\n[out]\nmaildir = "mail/{{local}}"\n', "utf-8")
    club.office.close()
    club.office = type(club.office)(club.folder / "host")
    for _time in range(2):
        club.robot.tick(club.now())
    came = by_mail(club, "ann")
    assert len(came) == 1, "his copy, once"
    kinds = [ok(page, "read", data=base64.b64encode(raw).decode())["came"][0]["kind"] for raw in came]
    assert on(club, "ann") == last_for(club, "ann"), (kinds, [read_message(raw).text for raw in came])


def test_letters_at_a_closed_web_address_still_go_out_though_the_host_dies_at_first(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host remembers that it had a web address until it has sent the last letter."""
    with again(club) as host:
        page = page_of(club, "ann", host.clock)
        desk = type(club.desks["ann"])(club.folder / "ann")
        settled.choose_mail(desk.speaker(desk.notes()), "none", None, club.now())
        visited(page, club.log().game)
        for seat in club.asked():
            host.door(club, seat).bring(club.order(seat))
        club.deliver()
    (club.folder / "host" / "host.toml").write_text(f'address = "{HOST}"\n[out]\nmaildir = "mail/{{local}}"\n', "utf-8")
    for error in (KeyboardInterrupt, ZeroDivisionError):
        club.office.close()
        club.office = type(club.office)(club.folder / "host")
        with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
            patch.setattr(Post, "resend", mock.Mock(side_effect=error))
            club.robot.tick(club.now())
        assert not by_mail(club, "ann")
    for _time in range(2):
        club.robot.tick(club.now())
    assert len(by_mail(club, "ann")) == 1, "his copy, once"


def test_two_tabs_bring_one_letter_once(club: Club) -> None:
    game = club.log().game
    with again(club) as host:
        one, two = (page_of(club, "ann", host.clock) for _time in range(2))
        visited(one, game)
        if "ann" not in club.asked():
            host.door(club, "bob").bring(club.order("bob"))
            visited(one, game)
        (letter,) = order(one, game)
        step = ok(two, "visit", game=game)
        assert visited(one, game)["brought"][0]["became"] == "taken"
        brought, left = [], []
        while step["ask"]:
            step = ok(two, "carried", errand=step["errand"], **carried(step["ask"]))
            brought += [found["became"] for found in step["brought"]]
            left += [found for found in step["came"] if found["kind"] == "left"]
        assert brought in ([], ["duplicate"])
        assert left == []
        assert ok(two, "letters")["letters"] == ok(one, "letters")["letters"] == []
    assert verify(club.log().dump()).verdict == "unfinished"
    assert letter["name"] in [path.name for path in (club.folder / "ann" / "sent").iterdir()]


@pytest.mark.slow
def test_who_takes_a_seat_over_is_handed_nothing_of_his_before_him(tmp_path: Path) -> None:
    with a_club(tmp_path, turns=6, hours=24) as club:
        club.robot.post.door = "http://127.0.0.1:1/"
        club.begin()
        miss(club)
        miss(club)
        before = club.office.store.at_door(club.number, "bob")[1]
        club.robot.replace(club.number, "bob", "dora@example.org", club.now())
        takes(club, "dora", token(club))
        club.robot.confirm(club.number, "bob", fingerprint(key_of("dora").key_line), club.now())
        agree(club)
        assert holder(club) == key_of("dora").key_line
        with at_work(club, minute=club.minute) as host:
            with pytest.raises(NotHeard, match="Unknown game, seat, key"):
                host.door(club, "bob").letters()
            handed = [no for no, _raw in host.door(club, "bob", key=key_of("dora")).all_letters()]
        assert before > 0
        assert handed
        assert min(handed) > before
