"""A club from a player's side: its address, his letters to it, and his requests at its host's web address.

He writes plain lines (REGISTER, NEW, JOIN …), as anybody types them into a mail. Here they become a letter, which goes by mail, or
to the web address with his signature. The club decides about tables, not this module. It has no game and no clock.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path

from pbem import private
from pbem.errors import UsageError
from pbem.i18n import _
from pbem.ledger import PrivateKey
from pbem.mail import Letter
from pbem.records import dataclass

_ALONE = ("GAMES", "LEAVE")
_NUMBERED = ("JOIN", "WITHDRAW", "WATCH")
_CODE = re.compile(r"[0-9a-f]{32}", re.IGNORECASE)
_MOST = 300
"""The maximum number of characters of a line that a host reads."""


@dataclass(frozen=True, slots=True)
class KnownClub:
    """A club that this desk writes to: its host's address, its door ("": none is known), and the host's key line, as the door told
    it when it was first asked."""

    address: str
    door: str = ""
    host: str = ""


def clubs(home: Path) -> list[KnownClub]:
    """Return the clubs that a desk knows, the one that was written to last in front. Raises UsageError for a damaged file."""
    path = home / "clubs.json"
    try:
        return [KnownClub(**one) for one in json.loads(path.read_text("utf-8"))]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(
            _(
                "{path} cannot be read: {why}. Move the file away, and name the club again with --at.",
                path=path,
                why=error,
            )
        ) from error


def keep(home: Path, club: KnownClub) -> None:
    """Keep the facts about a club, ahead of the other clubs."""
    others = [one for one in clubs(home) if one.address.lower() != club.address.lower()]
    text = json.dumps([asdict(one) for one in (club, *others)], indent=1)
    private.put(home / "clubs.json", f"{text}\n".encode())


def chosen(home: Path, address: str = "", door: str = "") -> KnownClub:
    """Return the named club, or by default the one you wrote to last. A named `door` replaces the known one.

    Raises UsageError if there is no club.
    """
    known = clubs(home)
    if not address and not known:
        raise UsageError(
            _(
                "Which club? Name its host's address with --at; from then on it is known: pbem club games --at club@example.org."
            )
        )
    club = next((one for one in known if one.address.lower() == address.lower()), None)
    club = club or (KnownClub(address) if address else known[0])
    return replace(club, door=door, host="") if door and door != club.door else club


def line(words: Sequence[str], key: PrivateKey) -> str:
    """Return a line to a club in the form that the club reads; REGISTER also names the key. Raises UsageError."""
    said = " ".join(words).split()
    word, rest = (said[0].upper(), said[1:]) if said else ("", [])
    if word == "CONFIRM" and len(rest) == 1 and _CODE.fullmatch(rest[0]):
        return f"CONFIRM {rest[0].lower()}"
    if word == "LEAVE" and [one.upper() for one in rest] in ([], ["CLUB"]):
        return "LEAVE CLUB"
    if word == "REGISTER" and rest:
        return _short(" ".join([word, *rest, f"key={key.key_line.partition(' ')[2]}"]))
    if (word in _ALONE and not rest) or (word == "NEW" and rest):
        return _short(" ".join([word, *rest]))
    if word in _NUMBERED and rest and rest[0].isascii() and rest[0].isdecimal() and len(rest) <= 2:
        return _short(" ".join([word, *rest]))
    raise UsageError(
        _(
            "“{said}” says nothing to a club. There are: games; register NAME; confirm CODE; new GAME …; join 12, join 12 SEAT; "
            "withdraw 12; watch 7; leave.",
            said=" ".join(said),
        )
    )


def letter(sender: str, to: str, said: str, mark: str, at: str) -> Letter:
    """Return the letter that says a line to a club; `mark` tells it from others that say the same."""
    domain = re.sub(r"[^A-Za-z0-9.-]", "", sender.rpartition("@")[2]) or "localhost"
    return Letter(
        sender=sender, to=to, subject=said.partition(" ")[0], text=f"{said}\n", message_id=f"club.{mark}@{domain}",
        date=datetime.fromisoformat(at),
    )  # fmt: skip


def _short(said: str) -> str:
    if len(said) > _MOST:
        raise UsageError(_("A line to a club has at most {most} signs; this one has {n}.", most=_MOST, n=len(said)))
    return said
