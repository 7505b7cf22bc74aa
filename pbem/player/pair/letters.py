"""The letters between two friends: plain text, and the log lines that the other does not have.

The plain text is for readers without the program, and says nothing about the game. The game is in the lines, where each player can
read only what they may.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from pbem.i18n import _
from pbem.ledger import read_line, sha256_hex
from pbem.ledger.aloud import to_compare
from pbem.ledger.pair.course import JOINS
from pbem.mail import NOWHERE, Letter
from pbem.player.terms import told_terms
from pbem.player.tray import RESENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games import GamePack
    from pbem.ledger import Entry
    from pbem.ledger.pair import PairCourse

    from .notes import PairNotes

NAME, TALK = RESENT
"""So letters are called in the tray: with the entry up to which they go; of words alone, with the number of the last."""
COPY = "whole"
"""So one is called that brings the whole log."""
SEEN = "seen"
"""The prefix of the name of a witness's copy, before the kind of letter."""


def game_of(log: bytes) -> str:
    """Return the game to which consecutive lines belong, by the signed part of the first; "" if the log begins there."""
    first = read_line(log.split(b"\n", 1)[0])
    say = first.get("say") if isinstance(first, dict) else None
    return str(say.get("game", "")) if isinstance(say, dict) else ""


def write(sender: str, to: str, notes: PairNotes, name: str, about: str, text: str, log: bytes, at: str) -> bytes:
    """Return a letter to the friend, or to the witness.

    A turn that is signed otherwise has another Message-ID, as some servers drop a second one.
    """
    domain = re.sub(r"[^A-Za-z0-9.-]", "", sender.rpartition("@")[2]) or "localhost"
    return Letter(
        sender=sender or NOWHERE,
        to=to or NOWHERE,
        subject=f"[pbem {notes.game[:8]}] {notes.title}: {about}",
        text=text,
        message_id=f"{notes.game[:16]}.{name}.{sha256_hex(log)[:8]}.{notes.seat}@{domain}",
        date=datetime.fromisoformat(at),
        log=log,
        log_name=f"{notes.game[:8]}.pbem",
    ).raw()


def agreed_on(course: PairCourse, pack: GamePack, rules: str) -> list[str]:
    """Return what both agree on by their signatures: rules, options, seats and terms, as entry 0 has them."""
    first = course.first
    return [f"  {line}" for line in (rules, *pack.told(first["opts"]), *told_terms(first["terms"]))]


def keys_to_compare(course: PairCourse, own: str, pack: GamePack) -> str:
    """Return both players' keys, as they are compared by telephone, or in a letter of another kind."""
    lines = []
    for seat, seated in course.seats.items():
        whose = _("Yours, {seat}:", seat=pack.look.seat_name(seat))
        if seat != own:
            whose = _("Your friend's, {seat}:", seat=pack.look.seat_name(seat))
        lines.append(f"{whose}\n  {to_compare(seated.key)}")
    return "\n".join(lines)


def lines_behind(entries: Sequence[Entry], seat: str, *, whole: bool = False) -> tuple[int, bytes]:
    """Return what the other has not got for certain: all behind his last entry, with the first one's number; or the `whole` log."""
    theirs = [entry.n for entry in entries if entry.fields.get("by", seat) != seat]
    start = 0 if whole or not theirs else theirs[-1] + 1
    return start, b"".join(entry.line + b"\n" for entry in entries[start:])


def lines_seen(entries: Sequence[Entry], seat: str) -> bytes:
    """Return what a witness has not got for certain who gets copies of this seat's letters alone: all behind the last of them."""
    rest = list(entries[JOINS + 1 :])
    for own in (True, False):
        while rest and (rest[-1].fields["by"] == seat) == own:
            rest.pop()
    return b"".join(entry.line + b"\n" for entry in entries[JOINS + 1 + len(rest) if rest else 0 :])
