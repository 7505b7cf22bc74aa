"""Two friends, each with a page's service, and the letters between them; what a page would show is all they have."""

from __future__ import annotations

import random
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

from pbem.page.service import Service
from tests.page.calling import ok

MOST = 60
"""So many touches one order has at the most."""


class AtPage:
    """Somebody at a page: does what it offers."""

    def __init__(self, home: Path, address: str) -> None:
        self.home, self.address = home, address
        self.service = Service(home, lambda: "2026-01-02T03:04:05Z")
        self.says("key", address=address)

    def says(self, call: str, **more: Any) -> Any:
        """Call, and return what comes out."""
        return ok(self.service, call, **more)

    @property
    def game(self) -> str:
        """The one game of two."""
        (row,) = (one for one in self.says("games")["games"] if one["mode"] == "two")
        return str(row["game"])

    def state(self) -> str:
        """How it stands."""
        (row,) = (one for one in self.says("games")["games"] if one["mode"] == "two")
        return str(row["state"])

    def sends(self, *, attached: bool = False) -> bytes:
        """Send the one letter that waits; return its bytes, or what is attached to it."""
        (letter,) = self.says("letters")["letters"]
        self.says("given", name=letter["name"])
        return b64decode(letter["attached"]["data"] if attached else letter["eml"])

    def reads(self, raw: bytes) -> dict[str, Any]:
        """Read a letter; return what is said of it."""
        (one,) = self.says("read", data=b64encode(raw).decode())["came"]
        return dict(one)

    def joins(self) -> Any:
        """Take up the invitation that was read."""
        (asks,) = self.says("games")["asks"]
        return self.says("join", game=asks["game"])

    def order(self, rng: random.Random) -> tuple[str, int]:
        """Write an order by touches, and nothing to go along with it; return it, and the question that it is for."""
        ask, draft = self.says("position", game=self.game)["ask"], list[str]()
        for _touch in range(MOST):
            found = self.says("touches", game=self.game, draft=draft, ask=ask)
            touches = [one for one in found["touches"] if one["at"] not in ("choice:PLAN", "choice:AHEAD")]
            open_ = [one for one in touches if one["at"] != "end"]
            if found["closed"] and (not open_ or rng.random() < 0.5):
                return found["order"], ask
            draft = rng.choice(touches)["draft"]
        raise AssertionError(draft)

    def answers(self, rng: random.Random) -> bool:
        """Answer whatever is asked; False where nothing is."""
        asked = False
        while self.state() == "mine" and self.says("position", game=self.game)["asked"]:
            text, ask = self.order(rng)
            self.says("sign", game=self.game, text=text, ask=ask)
            asked = True
        return asked


def seated(folder: Path, game: str = "tiny", **more: Any) -> tuple[AtPage, AtPage]:
    """Return Ann, who has invited, and Bob, who has joined; his letter waits."""
    ann, bob = AtPage(folder / "ann", "ann@example.org"), AtPage(folder / "bob", "bob@example.org")
    ann.says("invite", game=game, friend=bob.address, **more)
    assert bob.reads(ann.sends())["kind"] == "asks"
    bob.joins()
    return ann, bob


def played(one: AtPage, other: AtPage, rng: random.Random, most: int = 1000) -> int:
    """Let them play on, `one` first, to the end or for so many letters; return how many there were."""
    for count in range(most):
        one.answers(rng)
        if not one.says("letters")["letters"]:
            return count
        said = other.reads(one.sends())
        assert said["kind"] == "pair", said
        assert not said["warnings"], said
        one, other = other, one
    return most


def asked(folder: Path, rng: random.Random, orders: int = 2) -> tuple[AtPage, AtPage]:
    """Let two play until somebody is asked once more, and no letter is under way; return him, and the other."""
    other, one = seated(folder, options={"turns": 2})
    while True:
        if one.state() == "mine" and one.says("position", game=one.game)["asked"]:
            if not orders:
                return one, other
            orders -= 1
            one.answers(rng)
        other.reads(one.sends())
        one, other = other, one
