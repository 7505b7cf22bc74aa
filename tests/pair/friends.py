"""Two friends with a folder each, the commands, and the mails between them as files."""

from __future__ import annotations

import random
from pathlib import Path

from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import PbemError
from pbem.player import Desk
from pbem.player.pair import turns
from pbem.player.pair.notes import PairNotes
from pbem.player.pair.table import PairTable


class OfFriend:
    """What lies in the folder of one of them, who plays one game."""

    def __init__(self, home: Path) -> None:
        self.home = home

    @property
    def desk(self) -> Desk:
        return Desk(self.home)

    @property
    def notes(self) -> PairNotes:
        (notes,) = self.desk.pairs.games()
        return notes

    @property
    def table(self) -> PairTable:
        return self.desk.pairs.seat(self.notes).table

    @property
    def log(self) -> bytes:
        return self.table.path.read_bytes()


class Friend(OfFriend):
    """One of them: runs the commands on his folder; one without an `address` is there already."""

    def __init__(self, home: Path, address: str = "") -> None:
        super().__init__(home)
        self.address = address
        if address:
            self.pbem("key", "--address", address)

    def pbem(self, *arguments: object, typed: str = "") -> tuple[int, str]:
        """Run a command; return its code, and what was shown or what error ended it."""
        words = [*map(str, arguments), "--home", str(self.home)]
        result = CliRunner().invoke(app, words, input=typed, env={"PBEM_PASSPHRASE": ""})
        if isinstance(result.exception, PbemError):
            return 2, result.output + str(result.exception)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, result.output

    def does(self, *arguments: object, typed: str = "") -> str:
        """Run a command that goes well; return what was shown."""
        code, said = self.pbem(*arguments, typed=typed)
        assert code == 0, said
        return said

    def posts(self) -> Path | None:
        """Send the letter that waits by hand; return its file, None where none does."""
        waiting = self.desk.tray.unsent()
        if not waiting:
            return None
        (path,) = waiting
        return self.desk.tray.sent(path)

    def answers(self, rng: random.Random) -> None:
        """Give random orders until the turn is signed."""
        while True:
            play = turns.go_on(self.desk.pairs.seat(self.notes), "2026-01-02T03:04:05Z")
            if play is None:
                return
            self.order = str(play.game.options(play.view).sample(rng))
            file = self.home / "order.txt"
            file.write_text(self.order, "utf-8")
            self.does("order", file)


class TwoFriends:
    """Ann, who invites, and Bob."""

    def __init__(self, folder: Path, *options: object) -> None:
        self.ann = Friend(folder / "ann", "ann@example.org")
        self.bob = Friend(folder / "bob", "bob@example.org")
        self.rng = random.Random(1)
        self.mails = 0
        self.said = self.ann.does("with", "bob@example.org", *options)

    def join(self) -> None:
        letter = self.ann.posts()
        assert letter is not None
        self.invitation = letter
        self.said = self.bob.does("join", letter)

    def pass_on(self, one: Friend, other: Friend) -> bool:
        """Let one friend answer what he is asked, and the other read his letter; False where there is none."""
        one.answers(self.rng)
        if (letter := one.posts()) is None:
            return False
        self.mails += 1
        self.letter = letter
        self.said = other.does("read", letter)
        return True

    def play(self, most: int = 1000) -> None:
        """Let them play on by files, to the end or for so many letters."""
        one, other = self.bob, self.ann
        for _letter in range(most):
            if not self.pass_on(one, other):
                return
            one, other = other, one
