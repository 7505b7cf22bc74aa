"""The book of misdeeds: how one is listed, and the entries of a game on which they are tried."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from tests.ledger.edges import PATH

from ..forger import Forger, Piece

IDENTITY_KEY = (
    "ssh-ed25519 " + base64.b64encode(b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + (1).to_bytes(32, "little")).decode()
)
MIXED_KEY = next(
    case["key"] for case in json.loads(PATH.read_text("utf-8")) if case["name"] == "A with a part of order 8"
)
"""A key that is the sum of an honest one and a point of low order."""


Mount: TypeAlias = Callable[[Forger], Piece]


@dataclass(frozen=True, slots=True)
class Misdeed:
    """A misdeed: its code, who is blamed, and what the host does."""

    code: str
    party: str
    mount: Mount
    at_the_end: bool = False
    """Needs a game that was played to its end."""
    needs: str = ""
    """What not every game has (`recorded.LACKING`)."""

    def __str__(self) -> str:
        return f"{self.code}-{self.mount.__name__}"


AT_ONCE: list[Misdeed] = []
BY_THE_RULES: list[Misdeed] = []


def _listed(book: list[Misdeed], *what: Any) -> Callable[[Mount], Mount]:
    def list_it(mount: Mount) -> Mount:
        code, party, at_the_end, needs = what
        book.append(Misdeed(code, party, mount, at_the_end, needs))
        return mount

    return list_it


def at_once(code: str, *, at_the_end: bool = False, needs: str = "") -> Callable[[Mount], Mount]:
    """Whoever holds a copy finds it when the next report comes."""
    return _listed(AT_ONCE, code, "host", at_the_end, needs)


def by_the_rules(code: str, *, at_the_end: bool = False, needs: str = "") -> Callable[[Mount], Mount]:
    """Only the audit finds it, once what it needs is open."""
    return _listed(BY_THE_RULES, code, "host", at_the_end, needs)


def a_roll(f: Forger, no: int = 0) -> Piece:
    """A roll that is told by itself."""
    rolls = f.all("rand", lambda fields: fields["chain"] == "pub")
    return [roll for roll in rolls if f.next("tell", roll).fields["rolls"] == [roll.fields["i"]]][no]


def a_draw(f: Forger) -> Piece:
    return f.first("rand", lambda fields: fields["chain"].startswith("priv:"))


def a_deal(f: Forger) -> Piece:
    return f.first("rand", lambda fields: fields["chain"].startswith("deal:"))


def a_marked_ask(f: Forger, no: int = 1) -> Piece:
    """A question with a mark, to several seats where the game marks such."""
    marked = list(f.all("ask", lambda fields: "mark" in fields))
    return ([ask for ask in marked if len(ask.fields["to"]) > 1] or marked)[no]


def an_ask_of_several(f: Forger) -> Piece:
    """A question that several seats answered, and whose answers are opened with the next report."""
    asks = f.all("ask", lambda fields: fields["secret"] == "until resolved" and len(fields["to"]) > 1)
    return next(ask for ask in asks if all(answer.k == "order" for answer in f.answers(ask)))


def an_ask(f: Forger, secret: str) -> Piece:
    return f.first("ask", lambda fields: fields["secret"] == secret)
