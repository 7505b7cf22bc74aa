"""Games of two by a relay at a page: its service makes the requests, and a real relay answers them."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.page.relays import link_to
from pbem.player.asking import DoorRequest
from pbem.player.door import DoorLine
from tests.host.conftest import the_example_game_is_found
from tests.page.calling import refused
from tests.page.two_pages import AtPage
from tests.relay.relays import Running, relay

__all__ = ["the_example_game_is_found"]

STRANGE = "http://localhost:1/relay/letters?wait=0"


class AtRelayPage(AtPage):
    """Somebody at a page, whose requests are carried."""

    line = DoorLine(20)

    def asks(self, step: dict[str, Any]) -> dict[str, Any]:
        """Carry the request of a step; return the next step."""
        ask = step["ask"]
        request = DoorRequest(ask["method"], ask["address"], ask["headers"], b64decode(ask["body"]), ask["streams"])
        reply = self.line.carry(request)
        return dict(
            self.says("carried", errand=step["errand"], status=reply.status, data=b64encode(reply.data).decode())
        )

    def errand(self, call: str, **more: Any) -> dict[str, list[Any]]:
        """Go through an errand; return what came of it."""
        step: dict[str, Any] = self.says(call, **more)
        found: dict[str, list[Any]] = {"brought": [], "came": [], "trouble": []}
        while True:
            for name, values in found.items():
                values += step[name]
            if not step["ask"]:
                return found
            step = self.asks(step)

    def visits(self) -> dict[str, list[Any]]:
        return self.errand("visit", game=self.game)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with relay(tmp_path) as one:
        yield one


@pytest.fixture
def ann(running: Running, tmp_path: Path) -> AtRelayPage:
    """Ann, who has made a game at the relay."""
    ann = AtRelayPage(tmp_path / "ann", "ann@example.org")
    ann.says("invite", game="tiny", options={"turns": 3}, friend="bob@example.org", relay=running.at().link.address)
    return ann


@pytest.fixture
def bob(tmp_path: Path) -> AtRelayPage:
    return AtRelayPage(tmp_path / "bob", "bob@example.org")


def test_a_link_invites_and_letters_go_and_come_by_themselves(ann: AtRelayPage, bob: AtRelayPage) -> None:
    link = ann.says("link", game=ann.game)["link"]
    (door,) = ann.says("doors")["doors"]
    assert (door["relay"], door["door"]) == (True, link.partition("#")[0])
    assert [one["relay"] for one in ann.says("letters")["letters"]] == [door["door"]]
    assert [one["became"] for one in ann.visits()["brought"]] == ["relay"]
    assert [one["kind"] for one in bob.errand("open_link", link=link)["came"]] == ["asks"]
    assert [one["relay"] for one in bob.joins()["letters"]] == [door["door"]]
    assert len(bob.visits()["brought"]) == 1
    found = ann.errand("listen", game=ann.game)
    assert [one["kind"] for one in found["came"]] == ["pair"]
    assert not found["trouble"]
    assert ann.says("link", game=ann.game) == {"link": ""}
    assert not [one for one in (*ann.says("letters")["letters"], *bob.says("letters")["letters"]) if one["relay"]]


def test_friends_who_name_no_addresses_play_by_a_relay(running: Running, tmp_path: Path) -> None:
    ann, bob = (AtRelayPage(tmp_path / name, "") for name in ("ann", "bob"))
    address = running.at().link.address
    more = {"game": "tiny", "options": {"turns": 3}}
    kind, said = refused(ann.service, "invite", **more)
    assert (kind, "or a relay" in said) == ("player", True)
    ann.says("invite", **more, relay=address)
    assert ann.says("about")["fingerprint"]
    ann.visits()
    bob.errand("open_link", link=ann.says("link", game=ann.game)["link"])
    (asks,) = bob.says("games")["asks"]
    assert asks["sender"] == address, "so no page asks whose letter it is"
    (letter,) = bob.joins()["letters"]
    assert (letter["relay"], letter["to"], letter["mailto"]) == (address, address, "")
    assert letter["attached"], "it can be handed over as a file"
    bob.visits()
    assert [one["kind"] for one in ann.visits()["came"]] == ["pair"]


def test_the_letters_that_a_page_sends_by_mail_are_none_of_a_relay_alone(
    ann: AtRelayPage, running: Running, tmp_path: Path
) -> None:
    """The mail server would refuse all: nothing listens there. Nothing is even tried."""
    nameless = AtRelayPage(tmp_path / "nameless", "")
    nameless.says("invite", game="tiny", options={"turns": 3}, relay=running.at().link.address)
    for one in (ann, nameless):
        one.service.desk.change_settings(smtp={"host": "127.0.0.1", "port": 1, "tls": "none"})
        assert len(one.says("send")["letters"]) == 1


def test_a_letter_is_taken_from_the_relay_only_after_the_answer_that_keeps_it(
    ann: AtRelayPage, bob: AtRelayPage
) -> None:
    ann.visits()
    bob.errand("open_link", link=ann.says("link", game=ann.game)["link"])
    bob.joins()
    bob.visits()
    step = ann.asks(ann.says("visit", game=ann.game))
    assert [one["kind"] for one in step["came"]] == ["pair"]
    assert ann.state() != "joining"
    assert step["ask"]["method"] == "DELETE"


def test_a_relay_is_asked_nothing_but_what_an_errand_wants_now(ann: AtRelayPage) -> None:
    step = ann.says("visit", game=ann.game)
    address = step["ask"]["address"]
    assert ann.service.leads_to_a_door(address)
    assert not ann.service.leads_to_a_door(STRANGE)
    ann.asks(step)
    assert not ann.service.leads_to_a_door(address)


def test_a_relay_that_is_away_leaves_the_letter_to_be_sent(ann: AtRelayPage) -> None:
    step, says = ann.says("visit", game=ann.game), list[str]()
    while step["ask"]:
        step = ann.says("carried", errand=step["errand"], status=0, why="no network")
        says += [*step["trouble"], *(one["says"] for one in step["brought"])]
    assert [one for one in says if "no network" in one] == says != []
    assert len(ann.says("letters")["letters"]) == 1


def test_an_opened_link_lies_in_the_desk_until_it_is_answered_and_stands_in_no_answer(
    ann: AtRelayPage, bob: AtRelayPage
) -> None:
    ann.visits()
    link = ann.says("link", game=ann.game)["link"]
    bob.errand("open_link", link=link)
    (asks,) = bob.says("games")["asks"]
    assert link_to(bob.home, asks["game"]) == link
    assert link.rpartition("=")[2] not in str(bob.says("games"))
    bob.joins()
    assert link_to(bob.home, asks["game"]) == ""


def test_a_link_that_is_none_or_leads_nowhere_says_so(running: Running, bob: AtRelayPage) -> None:
    kind, said = refused(bob.service, "open_link", link="https://example.org/#play=short")
    assert (kind, "22 letters" in said) == ("player", True)
    step = bob.says("open_link", link=str(running.at().link))
    reply = bob.line.carry(DoorRequest("GET", step["ask"]["address"], step["ask"]["headers"]))
    more = {"errand": step["errand"], "status": reply.status, "data": b64encode(reply.data).decode()}
    kind, said = refused(bob.service, "carried", **more)
    assert (kind, "no invitation" in said) == ("player", True)
