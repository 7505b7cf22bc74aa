"""Lays the host's letters in the outbox, in the transaction of the decision they tell of; what they say, others word.

A letter's Message-ID follows from what it is about, so the same letter made twice is the same letter, and laid once. Headers
tell other robots that a robot speaks (RFC 3834); none says that it is a list's, or sent in bulk, or asks that nothing be said of
what could not be delivered (ADR 54). Letters go to registered addresses only. What is an answer to a mail has an
empty envelope sender, so that nothing comes back from it; every other letter has a way back of its own, with a token that stands
in its head, too: where the envelope cannot have that sender, what comes back is known by it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pbem.ledger import sha256_hex
from pbem.mail import SEAT_HEADER, WAY_BACK_HEADER, WORDING_HEADER, Deadline, Letter, game_address, way_back
from pbem.referee import Refused
from pbem.words import ENGLISH, _, languages, speaking, spoken

from .hosted import HostedGame, House
from .store import SENT, WAITING, Store
from .wording import Wording

ANSWERS = ("receipt", "refusal", "reply", "resent")
"""Kinds of letters that answer a mail."""
CAPS = {"refusal": (10, 1, 10), "reply": (60, 6, 20), "resent": (60, 6, 20), "moving": (60, 10, 20)}
"""In so many minutes so many letters of a kind to one address, and so many in a day: refusals of what nobody signed, answers to
requests that nobody signed, to those that are signed, and questions whether a player reads his letters there."""


class TooMany(Refused):
    """What is asked too often; that is said once in a day."""

    def __init__(self, why: str) -> None:
        super().__init__("ASK", why)


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a letter holds beside its text: HTML with the pictures that it calls, and a page that stands alone."""

    html: str = ""
    images: Mapping[str, bytes] = field(default_factory=dict)
    page: str = ""


class Outbox:
    """The letters of one host, as mail.

    `tags`: mail to its address with a part after `+` comes to it as well; `pictures`: its reports come as HTML, too, with the
    game's map. `language` is that of seats which have chosen none; `templates` a folder with templates of the host's own.
    """

    def __init__(
        self,
        house: House,
        address: str,
        *,
        tags: bool = True,
        pictures: bool = False,
        language: str = ENGLISH,
        templates: Path | None = None,
    ) -> None:
        self.house, self.address, self.tags, self.pictures, self.language = house, address, tags, pictures, language
        self.wording = Wording(house.store, templates)
        self._domain = re.sub(r"[^A-Za-z0-9.-]", "", address.rpartition("@")[2]) or "localhost"

    def at_hand(self, language: str) -> str:
        """Return a language that is stored, or the host's own where none is, or where it has no words here any more."""
        return language if language in languages() else self.language

    def telling(self, game: HostedGame, seat: str, language: str = "") -> AbstractContextManager[None]:
        """Speak the language of a seat, or one that stands in for it."""
        return speaking(language or self.at_hand(game.seats[seat]["language"]))

    def may_answer(self, kind: str, address: str, at: str) -> bool:
        """May an address get one more letter of that kind? Two robots that do not know each other must rest."""
        minutes, few, many = CAPS[kind]
        found = self.house.store.row(
            "select count(*) as day, coalesce(sum(at > ?), 0) as lately from outbox where address = ? and kind = ? and at > ?",
            *(later(at, minutes=-minutes), address, kind, later(at, hours=-24)),
        )
        return found is not None and found["lately"] < few and found["day"] < many

    def token(self, game: HostedGame, seat: str) -> str:
        """Return the token of the last invitation to a seat, 32 hex digits: it follows from the host's root secret."""
        return self.house.root.token(f"seat {game.g} {seat} {game.seats[seat]['invited']}")

    def is_own(self, address: str) -> bool:
        """Is it the host's own address, or a way to it?"""
        local, _, domain = address.lower().rpartition("@")
        return f"{local.partition('+')[0]}@{domain}" == self.address.lower()

    def _growth(self, game: HostedGame, seat: str) -> bytes:
        """Return the lines that the seat's copy grows by with the letter being written."""
        lines = game.ledger.lines_for(seat, game.seats[seat]["sent_n"])
        game.change_seat(seat, sent_n=game.ledger.n)
        return b"".join(line + b"\n" for line in lines)

    def _lay(
        self,
        game: HostedGame,
        seat: str,
        name: str,
        subject: str,
        text: str,
        at: str,
        log: bytes = b"",
        to: str = "",
        deadline: Deadline | None = None,
        drawn: Drawn = Drawn(),
    ) -> None:
        """Lay a letter in the outbox; `name` tells it from all others of its game, and begins with its kind."""
        to, store = to or game.seats[seat]["address"], self.house.store
        message_id, kind = f"{game.g[:16]}.{name}@{self._domain}", name.partition(".")[0]
        if store.row("select id from outbox where message_id = ?", message_id):
            return
        automatic = kind in ANSWERS
        headed = _("{title}: {subject}", title=game.title, subject=subject)
        token = None if automatic else self.house.root.token(message_id)
        letter = Letter(
            sender=f"pbem <{self.address}>",
            to=to,
            subject=f"[pbem {game.id}] {headed}",
            text=text,
            message_id=message_id,
            date=datetime.fromisoformat(at),
            thread=f"{game.g[:16]}.{f'invitation.{seat}' if seat else observer(to)}@{self._domain}",
            headers={
                "Auto-Submitted": "auto-replied" if automatic else "auto-generated",
                "X-Auto-Response-Suppress": "OOF, AutoReply",
                "X-Loop": self.address,
            }
            | ({WAY_BACK_HEADER: token} if token else {})
            | ({WORDING_HEADER: "own"} if self.wording.has("report.txt.j2") else {})
            | ({SEAT_HEADER: seat} if seat else {})
            | ({"Reply-To": game_address(self.address, game.id)} if self.tags else {}),
            html=drawn.html,
            images=drawn.images,
            page=drawn.page,
            language=spoken(),
            log=log,
            log_name=f"{game.g[:8]}.pbem",
            deadline=deadline,
            return_path="" if token is None else way_back(self.address, token) if self.tags else self.address,
        )
        store.insert(
            "outbox", message_id=message_id, game=game.id, seat=seat, address=to, at=at, kind=kind, token=token,
            sender=letter.return_path, sent=WAITING, attempts=0, not_before="", last_error="", raw=letter.raw(),
        )  # fmt: skip


def lay_aside(store: Store, row: Mapping[str, Any]) -> None:
    """Note that a letter, a row of the outbox, has been sent; what tells it from others stays, what it said follows from the log.

    Its bytes go: RESEND sends the same lines once more, and the token of an invitation is its reader's alone.
    """
    with store.decision():
        # taken out and put in again: a row that only shrinks leaves its page almost empty
        store.db.execute("delete from outbox where id = ?", [row["id"]])
        store.insert("outbox", **{**row, "sent": SENT, "last_error": "", "raw": b""})


def reported(message_id: str) -> int:
    """Return up to which entry a letter of the kind “report” tells, by its Message-ID."""
    return int(message_id.split(".")[2])


def observer(address: str) -> str:
    """What tells the letters to one who looks on from those to others."""
    return f"observer.{sha256_hex(address.lower().encode())[:16]}"


def later(at: str, **time: int) -> str:
    """Return the time so many hours or minutes after `at` (RFC 3339)."""
    return (datetime.fromisoformat(at) + timedelta(**time)).strftime("%Y-%m-%dT%H:%M:%SZ")
