"""Keys of the people one plays with: the first is trusted, each other compared, and one that changes stops the game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.errors import RecordError, UsageError
from pbem.host import Office
from pbem.ledger import to_compare
from pbem.player import Desk, PlayerSettings
from pbem.player.partners import KeyChanged, KeySeen, Partner, forget, met
from tests.host.post import HOST, Club, a_club, key_of
from tests.pair.friends import TwoFriends

FIRST, ASKS = "for the first time", "Before you continue, compare each key with its owner"
BOB = "bob@example.org"


class Again:
    """A host that opens game after game for Ann and Bob."""

    def __init__(self, club: Club) -> None:
        self.club, self.seen = club, 0

    def letters(self) -> dict[str, bytes]:
        """The last letter to each seat that came now."""
        return {seat: raws[-1] for seat, raws in self.club.deliver().items() if raws}

    def joined(self) -> dict[str, str]:
        """Both answer what asks them, by joining; return what each was told."""
        said = {}
        for seat, raw in self.letters().items():
            said[seat] = self.club.desks[seat].join(raw, self.club.now())
        for desk in self.club.desks.values():
            for letter in self.club.letters(desk):
                self.club.take(letter)
        return said

    def opens(self, nonce: str) -> None:
        """Open one more game of them."""
        first = self.club.log().entries[0].fields
        addresses = {seat: f"{seat}@example.org" for seat in self.club.desks}
        self.club.robot.new_game("tiny", first["opts"], addresses, "Rematch", first["terms"], nonce, self.club.now())

    def begins(self) -> tuple[dict[str, str], dict[str, str]]:
        """They take their seats, and say that they are ready."""
        found = self.joined(), self.joined()
        for seat, raw in self.letters().items():
            self.club.desks[seat].read(raw)
        return found


@pytest.fixture
def again(tmp_path: Path) -> Iterator[Again]:
    with a_club(tmp_path) as club:
        yield Again(club)


def another(club: Club, seat: str, key: str) -> Desk:
    """Somebody at the address of a seat, with another key."""
    address = PlayerSettings(f"{seat}@example.org", club.desks[seat].settings.post)
    return Desk.create(club.folder / f"with {key}", key_of(key), address)


@pytest.mark.slow
def test_keys_are_trusted_once_compared_silently_and_asked_for_in_the_third_game(again: Again) -> None:
    told = {}
    for number in range(4):
        if number:
            again.opens(f"again {number}")
        invited, ready = again.begins()
        told[number] = invited["ann"] + ready["ann"]
        assert (FIRST in invited["ann"]) == (FIRST in ready["ann"]) == (number == 0)
        assert (ASKS in told[number]) == (number == 2)
    assert f"You meet {HOST} for the first time." in told[0]
    assert f"You meet {BOB} for the first time." in told[0]
    for number in (0, 2):
        for key in (key_of("bob"), key_of("host")):
            assert to_compare(key.key_line) in told[number]
    for number in (1, 3):
        assert "SHA256:" not in told[number]
    assert to_compare(key_of("ann").key_line) not in "".join(told.values())


def test_a_changed_key_stops_the_game_until_its_owner_is_asked(again: Again) -> None:
    """A host or stranger sits between two players from their second game on. The program signs nothing under the
    changed key."""
    again.begins()
    club, ann = again.club, again.club.desks["ann"]
    club.desks["bob"] = another(club, "bob", "somebody")
    again.opens("again")
    again.joined()
    roster = again.letters()["ann"]
    with pytest.raises(KeyChanged, match=r"Bob \(bob@example\.org\) has another key here than in Tiny, game") as caught:
        ann.join(roster, club.now())
    assert to_compare(key_of("somebody").key_line) in str(caught.value)
    assert to_compare(key_of("bob").key_line) in str(caught.value)
    assert f"type “pbem key --forget {BOB}”" in str(caught.value)
    assert ann.tray.unsent() == [], "nothing has been signed"
    forget(ann, BOB.upper())
    assert FIRST in ann.join(roster, club.now())
    assert len(ann.tray.unsent()) == 1
    with pytest.raises(UsageError, match=r"pbem knows no key of eve@example\.org"):
        forget(ann, "eve@example.org")


def test_the_same_game_with_the_key_as_ever_goes_on(again: Again) -> None:
    """The honest twin of the one before."""
    again.begins()
    again.opens("again")
    again.joined()
    assert "SHA256:" not in again.club.desks["ann"].join(again.letters()["ann"], again.club.now())


def test_a_host_with_another_key_is_stopped_at_the_invitation(again: Again, tmp_path: Path) -> None:
    again.begins()
    ann = again.club.desks["ann"]
    other = Office.create(tmp_path / "other", key_of("another host"), HOST)
    addresses = {seat: f"{seat}@example.org" for seat in ("ann", "bob")}
    first = again.club.log().entries[0].fields
    other.robot.new_game("tiny", first["opts"], addresses, "Elsewhere", first["terms"], "n", again.club.now())
    other.send(again.club.now())
    (mail,) = (tmp_path / "other" / "mail" / "ann" / "new").iterdir()
    with pytest.raises(KeyChanged, match=rf"the host \({HOST}\) has another key here"):
        ann.join(mail.read_bytes(), again.club.now())
    assert ann.tray.unsent() == []
    forget(ann, HOST)
    assert f"You meet {HOST} for the first time." in ann.join(mail.read_bytes(), again.club.now())
    other.close()


@pytest.mark.slow
def test_a_key_that_was_changed_in_a_game_is_the_one_that_is_known(again: Again) -> None:
    """The one before has signed it; from then on the one before is none of Bob's."""
    again.begins()
    club = again.club
    club.desks["bob"].keys.rekey(key_of("new bob"), club.now())
    for letter in club.letters(club.desks["bob"]):
        club.take(letter)
    again.joined()
    again.opens("again")
    _invited, ready = again.begins()
    assert FIRST not in ready["ann"]
    club.desks["bob"] = another(club, "bob", "bob")
    again.opens("once more")
    again.joined()
    with pytest.raises(RecordError, match="has another key here"):
        club.desks["ann"].join(again.letters()["ann"], club.now())


def seen(*found: KeySeen) -> object:
    return lambda _folder: iter(found)


@pytest.mark.parametrize(
    ("games", "rated", "new", "due"),
    [
        (0, False, True, False), (1, False, False, False), (2, False, False, True), (3, False, False, False),
        (0, True, False, True), (1, True, False, True), (3, True, False, True),
    ],
)  # fmt: skip
def test_who_is_compared_and_when(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, games: int, rated: bool, new: bool, due: bool
) -> None:
    before = [KeySeen(BOB, "K", str(game), "Tiny", rated=False) for game in range(games)]
    monkeypatch.setattr("pbem.player.partners._seen", seen(*before))
    bob = Partner("Bob@example.org", "Bob", "K")
    folder = Desk.create(tmp_path / "ann", key_of("ann"), PlayerSettings("ann@example.org"))
    found = met(folder, "this", [bob], rated=rated)
    assert (bob in found.new, bob in found.due) == (new, due)
    rated_before = [KeySeen(BOB, "K", str(game), "Tiny", rated=True) for game in range(games)]
    monkeypatch.setattr("pbem.player.partners._seen", seen(*rated_before))
    if games and games != 2:
        assert met(folder, "this", [bob], rated=True).due == ()


def test_a_key_of_another_partner_is_a_changed_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The host puts Carol's known key at Bob's address. At a new address it is Carol, who has moved."""
    before = (KeySeen(BOB, "K", "1", "Tiny", rated=False), KeySeen("carol@example.org", "C", "2", "Tiny", rated=False))
    monkeypatch.setattr("pbem.player.partners._seen", seen(*before))
    monkeypatch.setattr("pbem.player.partners.to_compare", str)
    folder = Desk.create(tmp_path / "ann", key_of("ann"), PlayerSettings("ann@example.org"))
    with pytest.raises(KeyChanged):
        met(folder, "this", [Partner(BOB, "Bob", "C")])
    assert met(folder, "this", [Partner("carol@example.net", "Carol", "C")]) == ((), ())
    nobody = Partner("", "Bob", "N")
    assert met(folder, "this", [nobody]) == ((), (nobody,)), "nobody says whose it is: it is compared as ever"


# -- without a host ----------------------------------------------------------------------------------------------------


def test_games_of_two_know_the_keys_of_those_before(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, "--game", "tiny", "--option", "players=2", "--option", "turns=2")
    both.join()
    assert f"{FIRST}" in both.said
    both.bob.answers(both.rng)
    assert FIRST in both.ann.does("read", both.bob.posts())
    both.ann.posts()
    for number in (1, 2):
        both.said = both.ann.does("with", BOB, "--game", "tiny", "--option", "players=2", "--option", f"turns={number}")
        letter = both.ann.posts()
        said = both.bob.does("join", letter)
        assert FIRST not in said
        assert ("Compare these with your friend" in said) == (number == 2)


def test_a_friend_with_another_key_is_stopped_on_both_sides(tmp_path: Path) -> None:
    """A stranger does the same in a game of two."""
    both = TwoFriends(tmp_path, "--game", "tiny", "--option", "players=2", "--option", "turns=2")
    both.join()
    both.bob.answers(both.rng)
    both.ann.does("read", both.bob.posts())
    both.ann.posts()
    eve = TwoFriends(tmp_path / "eve", "--game", "tiny", "--option", "players=2")  # another Ann, at her address
    with pytest.raises(KeyChanged, match=r"ann@example\.org"):
        both.bob.desk.pair_joiner.join((eve.ann.posts() or Path()).read_bytes(), "2030-01-02T00:00:00Z")
    assert len(list(both.bob.desk.pairs.games())) == 1
    both.ann.does("with", BOB, "--game", "tiny", "--option", "players=2", "--option", "turns=1")
    invitation = both.ann.posts()
    eve.bob.does("join", invitation)
    eve.bob.answers(eve.rng)
    answer = (eve.bob.posts() or Path()).read_bytes()
    with pytest.raises(KeyChanged, match=BOB):
        both.ann.desk.read(answer, "2030-01-02T00:00:00Z")
    forget(both.ann.desk, BOB)
    assert "the game has begun" in both.ann.desk.read(answer, "2030-01-02T00:00:00Z").text
