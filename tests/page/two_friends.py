"""Two friends at the page, and nobody else: `python -m tests.page.two_friends MODULES [SEED]`.

Each has a browser of his own; between the two go files and nothing else. They play a whole game of Tiny over two desks of
`pbem web`, and some turns of Hammer at the page that runs in the browser by itself, in which one takes an answer back: one in the
end without a network, the other with a telephone first, which shares his letters, and then in another browser, from his saved
desk. An attacker's letters come between. At the end both have the same log, and page, `pbem verify` and `pbem audit` say the same
of it.
"""

from __future__ import annotations

import subprocess
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any

from tests.chaos.installed import PBEM

from .by_page import ROOT, Browsers, Places, desk_served, driven

TURNS = 6
"""So many letters with a decision of Hammer go between them."""
MOST = 120
EVIL = b"<img src=x onerror=alert(1)>"


class Friends:
    """Two people at pages, and the mails between them."""

    def __init__(self, browsers: Browsers, folder: Path, names: tuple[str, str]) -> None:
        self.browsers, self.folder, self.names = browsers, folder, names
        self.letters = self.orders = self.dragged = 0
        self.letter = b""

    def tell(self, who: str, does: str, **more: object) -> Any:
        """Let somebody do something."""
        return self.browsers.tell(who, does, **more)

    def other(self, who: str) -> str:
        """Who is not that one."""
        return self.names[1 - self.names.index(who)]

    def begin(self, game: str, side: str = "", **numbers: int) -> None:
        """Make keys; the first invites, the second joins."""
        first, second = self.names
        for who in self.names:
            self.tell(who, "key", mail=f"{who}@example.org")
        more = {"game": game, "side": side, "numbers": numbers}
        self.deliver(second, self.tell(first, "invites", friend=f"{second}@example.org", **more))
        self.deliver(first, self.tell(second, "joins"))

    def deliver(self, who: str, letter: dict[str, str]) -> str:
        """Let somebody read a letter; return what the page says of it."""
        self.letters += 1
        (said,) = self.tell(who, "drops", files=[str(self.file(b64decode(letter["file"])))])
        assert "Left alone" not in said, said
        return str(said)

    def file(self, raw: bytes) -> Path:
        """Return a mail as a file."""
        place = self.folder / f"{self.names[0]}-{self.letters}-{len(list(self.folder.glob('*.eml')))}.eml"
        place.write_bytes(raw)
        return place

    def is_over(self) -> bool:
        """Is the game over for both?"""
        return all(self.tell(who, "stand") == "over" for who in self.names)

    def turn(self, who: str) -> str:
        """Let somebody who has a letter of the other's do his turn, and the other read it; return whose turn it is then."""
        if self.tell(who, "stand") == "mine":
            done = self.tell(who, "signs")
            self.orders += len(done["orders"])
            self.dragged = max(self.dragged, done["dragged"])
            letter = done["letter"]
        else:  # his program has signed what holds no decision
            letter = self.tell(who, "leaves")
        raw = b64decode(letter["file"])
        self.letter = raw if b"Subject: " in raw else self.letter  # what is shared is only what was attached
        self.deliver(self.other(who), letter)
        return self.other(who)

    def taken_back(self, who: str) -> str:
        """Let them play on until one can ask back what he answered last, and the other has signed nothing since, nor his program;
        he lets him. Return him: he is asked anew."""
        while self.tell(who, "stand") != "mine" or not (asks := self.tell(self.other(who), "asksBack")):
            who = self.turn(who)
        lets, who = who, self.other(who)
        self.deliver(lets, asks)
        self.deliver(who, self.tell(lets, "says", what="Let your friend take back what he answered last"))
        assert self.tell(who, "stand") == "mine"
        return who

    def attacked(self, who: str) -> None:
        """Let an attacker's letters come: each is named, nothing is taken of it, and none of it stands in the page as markup."""
        before = self.tell(who, "stand")
        for n, raw in enumerate((
            self.letter.replace(b"Subject: ", b"Subject: " + EVIL + b" ", 1).replace(b"eyJ", b"eyI", 1),
            b"From: " + EVIL + b" <e@example.org>\r\nSubject: [pbem] " + EVIL + b"\r\n\r\n" + EVIL + b"\r\n",
            b'{"do":"word","say":{"act":"word","what":"' + EVIL + b'"},"sig":"x"}\n',
        )):  # fmt: skip
            place = self.folder / f"evil-{who}-{n}.eml"
            place.write_bytes(raw)
            (said,) = self.tell(who, "drops", files=[str(place)])
            assert "Left alone" in said or "Not of a host" in said, said
            assert not (found := self.tell(who, "holds")), found
        assert self.tell(who, "stand") == before

    def logs(self) -> Path:
        """Let both save their logs, which are the same; return one."""
        files = [self.folder / f"{who}.pbem" for who in self.names]
        for who, file in zip(self.names, files, strict=True):
            self.tell(who, "saves", path=str(file))
        assert files[0].read_bytes() == files[1].read_bytes()
        return files[0]


def verdict(command: str, log: Path) -> str:
    """What a command says of a log, in a word."""
    done = subprocess.run([str(PBEM), command, str(log)], text=True, capture_output=True, check=False, cwd=ROOT)
    return done.stdout.partition("\n")[0]


def a_whole_game(there: Places, second: str) -> str:
    """Tiny, over two desks of `pbem web`, to its end."""
    friends = Friends(there.browsers, there.folder, ("ann", "bob"))
    for who, address in zip(friends.names, (there.desk, second), strict=True):
        there.browsers.tell(who, "comes", address=address)
    friends.begin("Tiny", turns=3)
    who = friends.turn("ann")
    friends.attacked(who)
    while not friends.is_over():
        assert friends.letters < MOST
        who = friends.turn(who)
    log = friends.logs()
    told = friends.tell("ann", "judges", file=str(log)).rpartition(" ")[2]
    assert verdict("verify", log) == verdict("audit", log) == told == "clean", told
    assert friends.tell("bob", "ends").startswith(("You ", "Nobody won"))
    return f"Tiny: {friends.letters} letters, {friends.orders} orders"


def moved(friends: Friends, page: str) -> str:
    """Let the second go on in another browser, from the desk that he has saved; return what he is called there."""
    before, saved = friends.names[1], friends.folder / "desk.zip"
    friends.tell(before, "savesDesk", path=str(saved))
    stood = friends.tell(before, "stand")
    friends.names = (friends.names[0], "dave at home")
    friends.tell(friends.names[1], "comes", address=page)
    friends.tell(friends.names[1], "restores", file=str(saved))
    assert friends.tell(friends.names[1], "stand") == stood
    return friends.names[1]


def some_turns(there: Places) -> str:
    """Hammer, at two pages that run in the browser; then one is without a network, and resigns."""
    friends = Friends(there.browsers, there.folder, ("carol", "dave"))
    friends.tell("carol", "comes", address=there.page, drags=True)
    friends.tell("dave", "comes", address=there.page, phone=True)
    friends.begin("Hammer of the Scots", "the Scots")
    who = "carol"
    while friends.orders < TURNS or not friends.dragged:
        assert friends.letters < MOST
        who = friends.turn(who)
    who = friends.taken_back(who)
    friends.attacked(who)
    assert "Standing plans" in friends.tell("carol", "looks")
    assert friends.tell("carol", "showsPlans", plans="PLAN BATTLE ANY: FIGHT")
    friends.tell("carol", "cutOff")
    while who != "carol" or friends.tell("carol", "stand") != "mine":
        who = friends.turn(who)
    who = moved(friends, there.page)
    friends.deliver(who, friends.tell("carol", "says", what="Resign"))
    while not friends.is_over():
        who = friends.turn(who)
    log = friends.logs()
    assert (
        verdict("verify", log)
        == verdict("audit", log)
        == friends.tell(friends.names[1], "judges", file=str(log)).rpartition(" ")[2]
        == "clean"
    )
    return f"Hammer: {friends.letters} letters, {friends.orders} orders, {friends.dragged} blocks dragged"


def two_friends(there: Places) -> str:
    """Let them play; return what they did."""
    with desk_served(there.folder / "second") as second:
        return "; ".join(["two friends at the page", a_whole_game(there, second), some_turns(there)])


if __name__ == "__main__":
    sys.exit(driven(sys.argv[1:], 2, __doc__, two_friends))
