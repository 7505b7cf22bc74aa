"""Two friends by a relay: they play, whatever the relay does; a relay that is away or lies costs nothing but time."""

from __future__ import annotations

import os
import random
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pbem.games.without_host import knowing_of
from pbem.ledger import sha256_hex
from pbem.mail import NOWHERE, read_message
from pbem.mail.relay import INVITATION, RelayLink, read_link, seal_letter
from pbem.player.pair import turns
from pbem.referee.pair import audit_pair
from tests.chaos.installed import PBEM
from tests.pair.friends import Friend
from tests.project.source import ROOT
from tests.relay.relays import RelayProcess, Running, relay

AT = "2026-01-02T03:04:05Z"
TINY = ("--game", "tiny", "--option", "turns=2")


class Apart:
    """Ann and Bob with a relay between them; `stop` takes the relay away, `start` brings it back at the same port."""

    def __init__(self, folder: Path, *, named: bool = True) -> None:
        """`named`: they have e-mail addresses, and Ann knows Bob's."""
        self.folder, self.stack, self.rng = folder, ExitStack(), random.Random(1)
        self.running: Running = self.stack.enter_context(relay(folder))
        self.port = self.running.server.port
        self.ann, self.bob = (Friend(folder / name, f"{name}@example.org" * named) for name in ("ann", "bob"))
        for one in () if named else (self.ann, self.bob):
            assert "you need none" in one.does("key")
        self.said = self.ann.does(
            "with", *["bob@example.org"] * named, *TINY, "--relay", f"http://localhost:{self.port}"
        )
        (self.link,) = re.findall(r"http\S+#play=\S+", self.said)

    def begin(self) -> None:
        self.bob.does("join", self.link)
        while self.held():
            self.ann.does("turn")
            self.bob.does("turn")

    def stop(self) -> None:
        self.stack.close()

    def start(self) -> None:
        self.running = self.stack.enter_context(relay(self.folder, port=self.port))

    def plays_on(self, most: int = 60) -> None:
        """Let both answer and take turns until the game is over. Raises AssertionError if it is not."""
        for _round in range(most):
            for one in (self.ann, self.bob):
                one.answers(self.rng)
                one.does("turn")
            states = {one.desk.pairs.seat(one.notes).state for one in (self.ann, self.bob)}
            if states == {"over"}:
                assert self.ann.log == self.bob.log
                return
        pytest.fail("the game is not over")

    def signs(self) -> tuple[Friend, Friend]:
        """Let the one whose turn it is sign, and send nothing; return him and the other."""
        one, other = self.ann, self.bob
        if one.desk.pairs.seat(one.notes).state != "mine":
            one, other = other, one
        one.answers(self.rng)
        assert one.desk.tray.unsent()
        return one, other

    # -- what lies at the relay ----------------------------------------------------------------------------------------

    @property
    def file(self) -> sqlite3.Connection:
        return sqlite3.connect(self.folder / "relay.sqlite")

    def held(self) -> list[tuple[str, bytes]]:
        """The boxes and bytes at the relay."""
        with self.file as db:
            return list(db.execute("select box, bytes from letters order by rowid"))

    def puts(self, box: str, sealed: bytes) -> None:
        """Let the relay hold these bytes."""
        with self.file as db:
            db.execute("insert into letters values (?, ?, ?, 20000)", (box, sha256_hex(sealed), sealed))


@pytest.fixture
def friends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Apart]:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))
    apart = Apart(tmp_path)
    try:
        yield apart
    finally:
        apart.stop()


@pytest.mark.slow
def test_two_friends_play_a_whole_game_by_a_link(friends: Apart) -> None:
    friends.begin()
    assert friends.held() == [], "the invitation and all letters were fetched and deleted"
    friends.plays_on()
    assert audit_pair(friends.ann.log, knowing_of).verdict == "clean"
    assert friends.held() == []


@pytest.mark.slow
def test_the_relay_knows_no_link_and_the_log_knows_no_relay(friends: Apart) -> None:
    friends.begin()
    link = read_link(friends.link)
    assert friends.ann.notes.relay == friends.bob.notes.relay == friends.link
    kept = (friends.folder / "relay.sqlite").read_bytes() + friends.ann.log + friends.bob.log
    for telling in (link.secret, friends.link.encode(), link.address.encode(), b"example.org"):
        assert telling not in kept


@pytest.mark.slow
def test_a_second_friend_cannot_join_by_a_link_that_was_used(friends: Apart) -> None:
    friends.begin()
    eve = Friend(friends.folder / "eve", "eve@example.org")
    code, said = eve.pbem("join", friends.link)
    assert (code, "no invitation for this link" in said) == (2, True), said
    code, said = eve.pbem("join", friends.link[:-1])
    assert (code, "Copy the whole link" in said) == (2, True), said


@pytest.fixture
def nameless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Apart]:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))
    apart = Apart(tmp_path, named=False)
    try:
        yield apart
    finally:
        apart.stop()


@pytest.mark.slow
def test_two_friends_without_addresses_play_by_a_relay_and_by_a_file(nameless: Apart) -> None:
    """Nobody names an address, and no letter has one. A letter that cannot go by mail says what can be done."""
    nameless.begin()
    assert nameless.ann.notes.friend == nameless.bob.notes.friend == ""
    one, other = nameless.signs()
    nameless.stop()
    one.desk.change_settings(smtp={"host": "127.0.0.1", "port": 1, "tls": "none"})
    said = one.does("send")
    assert "“pbem address --friend ADDRESS” for his" in said
    assert len(one.desk.tray.unsent()) == 1, "it went to no mail server"
    letter = nameless.folder / "letter.eml"
    one.does("send", "--eml", letter)
    mail = read_message(letter.read_bytes())
    assert (mail.sender, mail.to) == ("", (NOWHERE,))
    other.does("read", letter)
    assert other.desk.pairs.seat(other.notes).state == "mine"
    nameless.start()
    nameless.plays_on()
    assert not re.findall(rb"[\w.]+@(?!openssh|pbem\.invalid)\w+", nameless.ann.log)


@pytest.mark.slow
def test_who_wants_to_go_on_by_mail_names_the_addresses_then(nameless: Apart) -> None:
    nameless.begin()
    one, other = nameless.signs()
    nameless.stop()
    (path,) = one.desk.tray.unsent()
    one.does("address", "one@example.org")
    assert "by mail" not in one.does("send")
    one.does("address", "--friend", "other@example.org")
    mail = read_message(path.read_bytes())
    assert (mail.sender, mail.to) == ("one@example.org", ("other@example.org",))
    assert path not in one.desk.relays.not_by_mail()
    other.does("read", path)
    assert other.notes.friend == "", "who writes in his name gets no letter of ours"
    one.desk.tray.sent(path)
    nameless.start()
    nameless.plays_on()


def test_without_a_relay_a_friend_has_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))
    ann = Friend(tmp_path / "ann", "ann@example.org")
    for friend, says in (([], "Name your friend's e-mail address, or a relay"), (["ann@example.org"], "your own")):
        code, said = ann.pbem("with", *friend, *TINY)
        assert (code, says in said) == (2, True), said
    assert not list(ann.desk.pairs.games())


# -- a relay that is away or full ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_game_is_made_without_the_relay_and_the_next_turn_posts_the_invitation(friends: Apart) -> None:
    friends.stop()
    ann = Friend(friends.folder / "ann2", "ann@example.org")
    said = ann.does("with", "bob@example.org", *TINY, "--relay", f"http://localhost:{friends.port}")
    assert "made all the same" in said
    assert "cannot be reached" in said
    (link,) = re.findall(r"http\S+#play=\S+", said)
    for how in (["--eml", ann.home / "by-mail.eml"], ["--mailto"]):  # by mail the friend would not know the relay
        code, said = ann.pbem("send", *how)
        assert (code, link in said) == (2, True), said
    ann.does("send")
    assert len(ann.desk.tray.unsent()) == 1
    friends.start()
    assert "Sent by the relay" in ann.does("turn")
    assert "Sent by the relay" in friends.bob.does("join", link)


@pytest.mark.slow
@pytest.mark.parametrize("by_mail", [False, True])
def test_while_the_relay_is_away_a_letter_waits_or_goes_by_hand(friends: Apart, by_mail: bool) -> None:
    """Nothing is lost: the game goes on by a file, and by the relay again."""
    friends.begin()
    one, other = friends.signs()
    friends.stop()
    said = one.does("turn")
    assert "cannot be reached" in said
    assert len(one.desk.tray.unsent()) == 1
    if by_mail:
        letter = friends.folder / "letter.eml"
        one.does("send", "--eml", letter)
        other.does("read", letter)
    friends.start()
    friends.plays_on()


@pytest.mark.slow
def test_a_letter_for_which_a_relay_has_no_room_waits_and_the_reason_is_said(friends: Apart) -> None:
    friends.begin()
    one, other = friends.signs()
    key = other.desk.key_line
    box = sha256_hex(bytes.fromhex(read_link(friends.link).token(key)))
    for number in range(64):
        friends.puts(box, b"%d" % number)
    said = one.does("turn")
    assert "The box is full" in said
    assert len(one.desk.tray.unsent()) == 1
    other.does("read")  # throws away what does not open
    friends.plays_on()


# -- a relay that lies -------------------------------------------------------------------------------------------------


def sent(friends: Apart) -> tuple[Friend, Friend, str, bytes]:
    """A turn that lies at the relay: who sent it, who has not read it, the box, and the sealed letter."""
    friends.begin()
    one, other = friends.signs()
    one.does("send")
    ((box, sealed),) = friends.held()
    return one, other, box, sealed


@pytest.mark.slow
def test_a_letter_that_a_relay_altered_is_thrown_away_and_said_once(friends: Apart) -> None:
    one, other, box, sealed = sent(friends)
    with friends.file as db:
        db.execute("delete from letters")
    altered = sealed[:100] + bytes([sealed[100] ^ 1]) + sealed[101:]
    friends.puts(box, altered)
    before = other.log
    assert "1 letter at the relay does not open" in other.does("turn")
    assert friends.held() == []
    friends.puts(box, altered)
    assert "does not open" not in other.does("turn")
    assert other.log == before
    one.does("resend")
    one.does("send")
    friends.plays_on()


@pytest.mark.slow
def test_a_letter_that_a_relay_repeats_changes_nothing(friends: Apart) -> None:
    _one, other, box, sealed = sent(friends)
    other.does("turn")
    log = other.log
    friends.puts(box, sealed)
    said = other.does("turn")
    assert other.log == log
    assert "has come" not in said
    assert not list(other.home.glob("left/*"))
    assert not [one for one in friends.held() if one[0] == box]
    friends.plays_on()


@pytest.mark.slow
def test_a_letter_that_a_relay_keeps_back_is_as_a_lost_one(friends: Apart) -> None:
    one, other, box, _sealed = sent(friends)
    with friends.file as db:
        db.execute("delete from letters")
    other.does("turn")
    assert other.desk.pairs.seat(other.notes).state == "theirs"
    one.does("resend")
    one.does("send")
    assert [name for name, _sealed in friends.held()] == [box]
    friends.plays_on()


@pytest.mark.slow
def test_bytes_of_another_game_at_a_relay_open_nothing(friends: Apart, tmp_path: Path) -> None:
    _one, other, box, _sealed = sent(friends)
    stranger = RelayLink(read_link(friends.link).address, b"another game has")
    name = other.desk.key_line
    friends.puts(box, seal_letter(stranger, name, b"Subject: x\r\n\r\nmove", friends.ann.desk.key))
    said = other.does("turn")
    assert "1 letter at the relay does not open" in said
    assert "has come" in said, "the honest letter beside it was read"
    friends.plays_on()


@pytest.mark.slow
def test_a_stranger_with_the_link_brings_nothing_into_a_game(friends: Apart) -> None:
    """He can seal letters for a reader's box. What he seals is read like a stranger's mail, and kept as a file."""
    friends.begin()
    eve, link = Friend(friends.folder / "eve", "eve@example.org"), read_link(friends.link)
    name = friends.ann.desk.key_line
    box = sha256_hex(bytes.fromhex(link.token(name)))
    friends.puts(box, seal_letter(link, name, b"Subject: [pbem] x\r\n\r\nCARD Herald\r\n", eve.desk.key))
    log = friends.ann.log
    said = friends.ann.pbem("turn")[1]
    assert "It is kept: " in said
    assert friends.ann.log == log
    assert len(list((friends.ann.home / "left").glob("*.eml"))) == 1
    assert box not in [one for one, _sealed in friends.held()]
    friends.plays_on()


@pytest.mark.slow
def test_an_invitation_that_a_relay_made_up_invites_to_nothing(friends: Apart) -> None:
    link = read_link(friends.link)
    box = sha256_hex(bytes.fromhex(link.token(INVITATION)))
    with friends.file as db:
        db.execute("delete from letters")
    friends.puts(box, seal_letter(link._replace(secret=bytes(16)), INVITATION, b"Play with me.", friends.ann.desk.key))
    code, said = friends.bob.pbem("join", friends.link)
    assert (code, "no invitation for this link" in said) == (2, True), said
    assert not list(friends.bob.desk.pairs.games())


# -- the program as it is installed ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_installed_programs_play_a_whole_game_by_a_relay_process(tmp_path: Path) -> None:
    """Each command is a process, the relay is one, and it is killed and started again in mid-game."""
    relays = RelayProcess(tmp_path)
    homes = {name: tmp_path / name for name in ("ann", "bob")}

    def pbem(name: str, *words: object) -> str:
        command = [
            str(PBEM),
            *map(str, words),
            "--home",
            str(homes[name]),
        ]
        environment = {**os.environ, "PBEM_GAMES": str(ROOT / "examples"), "PBEM_PASSPHRASE": ""}
        run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout

    for name in homes:
        pbem(name, "key", "--address", f"{name}@example.org")
    said = pbem("ann", "with", "bob@example.org", *TINY, "--relay", relays.address)
    (link,) = re.findall(r"http\S+#play=\S+", said)
    pbem("bob", "join", link)
    rng, rounds = random.Random(1), 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(ROOT / "examples"))
        friends = {name: Friend(home) for name, home in homes.items()}
        while {one.desk.pairs.seat(one.notes).state for one in friends.values()} != {"over"}:
            rounds += 1
            assert rounds < 60
            for name, one in friends.items():
                pbem(name, "turn")
                while one.desk.pairs.seat(one.notes).state == "mine":
                    play = turns.go_on(one.desk.pairs.seat(one.notes), AT)
                    if play is None:
                        break
                    order = tmp_path / "order.txt"
                    order.write_text(str(play.game.options(play.view).sample(rng)), "utf-8")
                    pbem(name, "order", order)
                pbem(name, "send")
            if rounds == 2:
                relays.kill()
                relays = RelayProcess(tmp_path, port=relays.port)
        assert friends["ann"].log == friends["bob"].log
    assert relays.end() == 0
