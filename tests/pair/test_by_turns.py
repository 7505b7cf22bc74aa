"""Two friends with mail accounts play by `pbem turn` alone: against small servers here, and over real ones below tests/servers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pbem.games.without_host import knowing_of
from pbem.referee.pair import audit_pair
from tests.mail.scripted import PASSWORD, ImapServer, SmtpServer, listening
from tests.pair.friends import Friend

FIRST = "1\ny\n" * 4
"""The first answer that is listed, and that it is right, as often as a turn may ask."""


class Accounts:
    """Ann and Bob, their mailboxes, and a server that takes both their letters."""

    def __init__(self, folder: Path, boxes: dict[str, ImapServer], smtp: SmtpServer) -> None:
        self.boxes, self.smtp, self.passed = boxes, smtp, 0
        self.friends = {name: Friend(folder / name, f"{name}@example.org") for name in boxes}
        for name, friend in self.friends.items():
            friend.does(
                "setup", "--address", friend.address, "--imap", f"127.0.0.1:{boxes[name].port}", "--smtp",
                f"127.0.0.1:{smtp.port}", "--imap-tls", "none", "--smtp-tls", "none", typed=f"{PASSWORD}\n",
            )  # fmt: skip

    def post(self) -> None:
        """Bring what was sent to where it goes."""
        for _sender, to, raw in self.smtp.letters[self.passed :]:
            self.boxes[to.partition("@")[0]].arrive(raw)
        self.passed = len(self.smtp.letters)

    def turn(self, name: str, typed: str = FIRST) -> str:
        said = self.friends[name].does("turn", typed=typed)
        self.post()
        return said


@pytest.fixture
def accounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Accounts]:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with ExitStack() as stack:
        boxes = {}
        for name in ("ann", "bob"):
            box = stack.enter_context(listening(ImapServer()))
            assert isinstance(box, ImapServer)
            boxes[name] = box
        smtp = stack.enter_context(listening(SmtpServer()))
        assert isinstance(smtp, SmtpServer)
        yield Accounts(tmp_path, boxes, smtp)


@pytest.mark.slow
def test_a_game_by_turns_alone(accounts: Accounts) -> None:
    ann, bob = accounts.friends.values()
    ann.does("with", "bob@example.org", "--game", "tiny", "--option", "turns=2")
    assert "Sent: two.1" in accounts.turn("ann")
    said = accounts.turn("bob", "later\n")
    assert "By joining you agree to this:" in said
    assert not list(bob.desk.pairs.games())
    said = accounts.turn("bob", "yes\n" + FIRST)
    assert "for the first time" in said
    assert "Sent: two." in said
    assert "the game has begun" in accounts.turn("ann")
    told = {"ann": 0, "bob": 0}
    for _turn in range(20):
        for name in ("bob", "ann"):
            told[name] += "It is over" in accounts.turn(name)
    assert told == {"ann": 1, "bob": 1}, "also the one whom the last letter tells nothing new"
    assert ann.log == bob.log
    assert audit_pair(ann.log, knowing_of).verdict == "clean"
    subjects = [raw.split(b"Subject: ")[1].split(b"\r\n")[0] for _from, _to, raw in accounts.smtp.letters]
    assert any(b"nothing to decide" in one for one in subjects)


def test_a_game_without_its_rules_stops_no_other_turn(accounts: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, _bob = accounts.friends.values()
    ann.does("with", "bob@example.org", "--game", "tiny")
    ann.does("with", "bob@example.org", "--game", "hammer")
    monkeypatch.delenv("PBEM_GAMES")
    code, said = ann.pbem("turn")
    assert code < 2, said
    assert "Hammer of the Scots, game" in said
    assert "WARNING" in said
