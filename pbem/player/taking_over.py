"""Taking a kept seat over: with a file from its host, this player's own key replaces the key that the host keeps.

The file is attached to the letter “keep this”; the letter itself, as it was saved, does as well. It is an ordinary change of key,
signed by the key in the file. Afterwards everybody says again that he is ready, and the host signs nothing for the seat any more.
This cannot be undone.
"""

from __future__ import annotations

import json
from base64 import b64encode
from typing import TYPE_CHECKING, Any

from pbem.errors import FormError, UsageError
from pbem.i18n import _
from pbem.ledger import PrivateKey, sha256_hex, to_compare
from pbem.mail.mime import take_apart
from pbem.referee import Pen

from .seat import Seat
from .tray import digits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .folder import Folder
    from .notes import Notes
    from .tray import Tray

SPARE = "spare.json"
_FIELDS = {"game", "seat", "key", "top"}
_MOST = 10_000
"""The maximum size of such a file, in bytes."""


def spare_in(data: bytes) -> dict[str, str] | None:
    """Return the contents of a file `spare.json`, or of the one attached to a mail; None for other files."""
    if data.lstrip()[:1] == b"{":
        return _read(data)
    if SPARE.encode() not in data:
        return None
    found = (leaf.content for leaf in take_apart(data)[1] if leaf.filename.lower() == SPARE)
    return next(filter(None, map(_read, found)), None)


def _read(data: bytes) -> dict[str, str] | None:
    if len(data) > _MOST:
        return None
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError):
        return None
    fits = isinstance(found, dict) and set(found) == _FIELDS and all(isinstance(one, str) for one in found.values())
    return found if fits else None


def offered(games: Iterable[Notes], data: bytes) -> dict[str, Any]:
    """Return a page's data on such a file, including the file itself if it belongs to a listed game; {} for any other file."""
    spare = spare_in(data)
    if spare is None:
        return {}
    notes = next((one for one in games if one.game == spare["game"]), None)
    if notes is None:
        text = _(
            "This is the key of your seat in a game of which you have no copy here yet. Reply RESEND to "
            "a mail of the game and read the answer here. Then read this file again."
        )
        return {"kind": "strange", "text": text}
    text = _("This is the key of your seat in {title}, which the host keeps.", title=notes.title)
    return {"kind": "asks", "text": text, "proposes": "spare", "eml": b64encode(data).decode()}


def take_over(folder: Folder, tray: Tray, spare: dict[str, str], at: str) -> str:
    """Write the letter by which this desk's key takes a kept seat over; return what to compare. Raises UsageError."""
    try:
        kept = PrivateKey.from_seed(bytes.fromhex(spare["key"]))
    except (ValueError, FormError) as error:
        raise UsageError(_("The file is damaged: it contains no key. Save it from your mail again.")) from error
    found = [notes for notes in folder.games() if notes.game == spare["game"]]
    if not found:
        raise UsageError(
            _(
                "Your copy of this game is not here yet. Reply RESEND to a mail of the game, save the answer, type “pbem read "
                "MAIL”, and then this command again."
            )
        )
    seat = Seat(folder, found[0])
    course, name = seat.course, seat.notes.seat
    if name != spare["seat"] or course.seats[name].key != kept.key_line:
        raise UsageError(
            _("The host does not keep the key of {seat} any more, or this file is of another game or seat.", seat=name)
        )
    seat.check()
    seat.notes.spare = {"key": spare["key"], "top": spare["top"]}
    seat.keep()
    line = folder.recovery_line
    pen = Pen(folder.key, seat.notes.game, name, begun=course.next_no(name))
    rekeyed = pen.rekey(kept, seat.log.head, seat.after(), sha256_hex(line.encode()) if line else "")
    if objection := seat.objection("rekey", rekeyed.say, at):
        raise UsageError(_("{title}: {why}", title=seat.notes.title, why=objection))
    tray.write(seat.notes, f"rekey.{digits(at)}", rekeyed, "I sign myself from now on.", at)
    return _(
        "Your own key takes over the seat {seat}:\n  {key}\nThere is no way back. Everybody confirms "
        "again that they are ready: read the host's answer, and join by it.",
        seat=seat.called(name),
        key=to_compare(folder.key_line),
    )
