"""Keys move between the page and the command; a browser that was lost is recovered with the key alone, and signs nothing upon an
older copy before it was compared.
"""

from __future__ import annotations

import base64
import shutil
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from pbem.ledger import PrivateKey
from pbem.mail import read_message
from pbem.page.calls import Signed
from pbem.page.listing import ALL
from pbem.page.recovered import FREE
from pbem.page.service import Service
from pbem.player import Desk
from pbem.referee import Pen
from pbem.reports.text import groups
from tests.host.post import Club, a_club, key_of, letter_of
from tests.host.requests import request
from tests.page.calling import ok, refused
from tests.page.service import first_order, in_base64


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Both are asked, and Ann has answered questions before."""
    with a_club(tmp_path, turns=3) as club:
        club.begin().turn()
        while len(club.asked()) < 2:
            club.turn()
        yield club


def asked_again(club: Club, name: str) -> list[bytes]:
    """The letters by which the host hands Ann all that she had."""
    return club.answer_to(request("RESEND", Message_ID=f"<{name}@x>"))[1]["ann"]


def from_key(club: Club, letters: list[bytes]) -> tuple[Service, str]:
    """A new browser with Ann's key, which reads these letters; and the game."""
    service = Service(club.folder / "new", club.now)
    key = (club.folder / "ann" / "key").read_bytes()
    ok(service, "key", address="ann@example.org", take=in_base64(key))
    for raw in letters:
        ok(service, "read", data=in_base64(raw))
    return service, str(ok(service, "games")["games"][0]["game"])


def head(desk: Desk) -> str:
    """The head of a copy as his program says it."""
    n, digest = desk.copy(desk.notes()).log.head
    return f"head of entry {n}: {groups(digest)}"


@pytest.mark.slow
def test_upon_a_copy_from_the_host_alone_nothing_is_signed_unseen(club: Club) -> None:
    service, game = from_key(club, asked_again(club, "one"))
    order = first_order(service, game)
    for call, more in (("sign", {"text": order}), ("say", {"what": "resign"}), ("renew", {})):
        kind, text = refused(service, call, game=game, **more)
        assert (kind, "came only from the host" in text) == ("compare", True)
    told = ok(service, "compare", game=game)
    assert (told["waits"], f"entry {told['n']}, of {told['at']}" in told["says"]) == (True, True)
    assert list((service.home / "out").glob("*")) == []
    assert not ok(service, "compare", game=game, head=head(club.desks["bob"]))["waits"]
    (letter,) = ok(service, "sign", game=game, text=order)["letters"]
    assert club.take((service.home / "out" / letter["name"]).read_bytes()) == "order: ann"


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Club, Path, str]]:
    """A club, Ann's desk that was set up from her key alone, and the game."""
    with a_club(tmp_path_factory.mktemp("asking"), turns=3) as club:
        club.begin().turn()
        while len(club.asked()) < 2:
            club.turn()
        service, game = from_key(club, asked_again(club, "one"))
        yield club, service.home, game


ACTS: dict[str, dict[str, object]] = {
    "sign": {"text": ""}, "say": {"what": "resign"}, "press": {"text": "Good evening.", "to": ""}, "join": {}, "renew": {},
    "welcome": {}, "address": {"new": "new@example.org"}, "time": {"zone": "Europe/Paris"}, "by_mail": {"mail": "short"},
    "copy": {},
}  # fmt: skip
"""Every call that signs something upon a game of a desk, with what goes in besides the game."""


def test_every_act_that_signs_is_known_here() -> None:
    """Whoever adds one says whether it waits for the comparing."""
    signs = {name for name, pair in ALL.items() if issubclass(pair.comes_out, Signed)}
    assert signs == {*ACTS, *FREE}


@pytest.mark.parametrize("name", ACTS)
def test_every_act_that_signs_waits_until_it_was_compared(
    asking: tuple[Club, Path, str], tmp_path: Path, name: str
) -> None:
    """That includes statements, addresses, clocks and agreements, in one game or all. Only the ways out of the
    comparison are free."""
    club, home, game = asking
    shutil.copytree(home, tmp_path / "desk")
    service, more = Service(tmp_path / "desk", club.now), ACTS[name]
    if name == "welcome":
        asked = [{"data": in_base64(letter_of("dora", Pen(key_of("dora"), game, "bob").join()))}]
    else:
        asked = [{"game": game}] + ([{}] if name in ("address", "time", "by_mail") else [])
    for one in asked:
        kind, text = refused(service, name, **one, **more)
        assert (kind, "came only from the host" in text) == ("compare", True), text
    assert list((service.home / "out").glob("*")) == []
    ok(service, "compare", game=game, anyway=True)
    if name not in ("sign", "join", "renew", "welcome"):  # which ask for more than this
        assert ok(service, name, **asked[-1], **more)["letters"]


@pytest.mark.slow
def test_an_older_copy_is_found_out_by_the_head_of_another(club: Club) -> None:
    """A browser is lost, and the host gives its key an older copy. The program signs nothing before a comparison with
    another player's head or a change of key."""
    older, before = asked_again(club, "one"), head(club.desks["bob"])
    while head(club.desks["bob"]) == before:
        club.turn()
    service, game = from_key(club, older)
    late = head(club.desks["bob"])
    kind, text = refused(service, "compare", game=game, head=late)
    assert (kind, "it is older" in text, "RESEND since" in text) == ("player", True, True)
    assert refused(service, "sign", game=game, text=first_order(service, game))[0] == "compare"
    for raw in asked_again(club, "two"):
        ok(service, "read", data=in_base64(raw))
    assert not ok(service, "compare", game=game, head=late)["waits"]


@pytest.mark.slow
def test_another_history_is_told_and_settles_nothing(club: Club) -> None:
    service, game = from_key(club, asked_again(club, "one"))
    n = ok(service, "compare", game=game)["n"]
    kind, text = refused(service, "compare", game=game, head=f"entry {n}: 0123 4567 89ab cdef")
    assert (kind, "another game" in text) == ("record", True)
    assert refused(service, "compare", game=game, head="forty")[0] == "player"
    assert ok(service, "compare", game=game)["waits"]


@pytest.mark.slow
@pytest.mark.parametrize("way", ["anyway", "rekey"])
def test_who_can_ask_nobody_goes_on_or_changes_the_key(club: Club, way: str) -> None:
    service, game = from_key(club, asked_again(club, "one"))
    if way == "rekey":
        (letter,) = ok(service, "rekey")["letters"]
        assert club.take((service.home / "out" / letter["name"]).read_bytes()) == "rekey: ann"
    else:
        ok(service, "compare", game=game, anyway=True)
        assert ok(service, "sign", game=game, text=first_order(service, game))["letters"]
    assert not ok(service, "compare", game=game)["waits"]


@pytest.mark.slow
def test_a_saved_desk_is_still_one_that_has_not_compared(club: Club, tmp_path: Path) -> None:
    service, game = from_key(club, asked_again(club, "one"))
    other = Service(tmp_path / "elsewhere", club.now)
    ok(other, "restore", data=ok(service, "save")["data"])
    assert refused(other, "sign", game=game, text=first_order(other, game))[0] == "compare"


def test_a_game_that_is_joined_with_an_older_key_has_nothing_to_compare(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        (raw,) = club.deliver()["ann"]
        service = Service(club.folder / "new", club.now)
        ok(service, "key", address="ann@example.org", take=in_base64((club.folder / "ann" / "key").read_bytes()))
        ok(service, "read", data=in_base64(raw))
        game = ok(service, "games")["asks"][0]["game"]
        assert ok(service, "join", game=game)["letters"]


@pytest.mark.slow
def test_a_key_of_the_page_is_the_commands_and_back(club: Club, tmp_path: Path) -> None:
    """The saved desk holds the key as OpenSSH has it; with the same key command and page sign the same way."""
    service = Service(club.folder / "ann", club.now)
    with zipfile.ZipFile(BytesIO(base64.b64decode(ok(service, "save")["data"]))) as saved:
        saved.extractall(tmp_path / "by command")
    desk = Desk(tmp_path / "by command")
    assert PrivateKey.load((tmp_path / "by command" / "key").read_bytes()).key_line == desk.key_line
    _, view, pack = desk.question(desk.notes())
    desk.order(desk.notes(), str(next(iter(pack.rules.options(view)))), "", club.now())
    (letter,) = club.letters(desk)
    assert read_message(letter).sender == "ann@example.org"
    assert club.take(letter) == "order: ann"
    locked = desk.key.dump(b"Bannockburn 1314")
    again = Service(tmp_path / "page", club.now)
    made = ok(again, "key", address="ann@example.org", take=in_base64(locked), passphrase="Bannockburn 1314")
    assert made["fingerprint"] == ok(service, "about")["fingerprint"]
