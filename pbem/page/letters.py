"""What goes out and comes in without a server: letters as a mail program takes them, files as it saves them.

Nothing is shown here that is not kept: a letter lies in the desk's `out/`, whole and on the disk, before it is returned.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from pbem.errors import LoginRefused, PbemError, UsageError, WorldError
from pbem.i18n import _
from pbem.mail import MAX_FROM_HOST, Saved, as_draft, as_link, first_entry, read_message, unpacked
from pbem.player import Desk
from pbem.player.doors import Doors
from pbem.player.post import Fetcher, News

from . import calls

_TOKEN = "…"
"""Shown in place of the token of an invitation: it opens the seat to whoever sees it."""


def outgoing(desk: Desk, paths: Iterable[Path]) -> tuple[calls.Outgoing, ...]:
    """Return letters that are signed, ready for a mail program."""
    games, doors = {notes.game[:8]: notes.game for notes in desk.games()}, Doors(desk, str)
    return tuple(_outgoing(path, games.get(path.name.partition(".")[0], ""), doors.door_of(path)) for path in paths)


def _outgoing(path: Path, game: str, door: str) -> calls.Outgoing:
    raw = path.read_bytes()
    mail = read_message(raw)
    return calls.Outgoing(
        name=path.name,
        game=game,
        kind=path.name.split(".")[1],
        to=", ".join(mail.to),
        subject=mail.subject,
        text=mail.text,
        mailto=as_link(raw),
        eml=b64encode(as_draft(raw)).decode(),
        door=door,
    )


def waiting(desk: Desk, game: str) -> tuple[calls.Outgoing, ...]:
    """Return the letters that wait, of the game whose id begins so."""
    return outgoing(desk, [path for path in desk.tray.unsent() if path.name.startswith(game.lower()[:8])])


def named(desk: Desk, name: str) -> Path:
    """Return a letter that waits, by its name. Raises UsageError where there is none."""
    found = next((path for path in desk.tray.unsent() if path.name == name), None)
    if found is None:
        raise UsageError(_("No letter “{name}” waits to be sent.", name=name))
    return found


def file(data: str) -> bytes:
    """Return the bytes of a file. Raises UsageError for what is no base64."""
    try:
        return b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise UsageError(_("The file did not come as it should: {why}.", why=error)) from error


def take(desk: Desk, name: str, data: bytes) -> calls.Came:
    """Read all that lies in a file, those of earlier entries first; what does not fit yet is tried again after the others."""
    fetcher = Fetcher(desk)
    left = sorted(unpacked(name or _("the file"), data), key=lambda one: first_entry(one.raw))
    came: list[calls.CameIn] = []
    again = True
    while left and again:
        again, still = False, []
        for saved in left:
            news = _taken(fetcher, saved)
            if news.kind == "left":
                still.append(saved)
                continue
            again = True
            came.append(news)
        left = still
    came += [_taken(fetcher, saved) for saved in left]
    fetcher.seen.write(desk.home / "mailbox.json")
    desk.tray.settle()
    return calls.Came(came=tuple(came))


def take_one(desk: Desk, raw: bytes) -> calls.CameIn:
    """Read one mail, as it lay at a door."""
    fetcher = Fetcher(desk)
    came = _taken(fetcher, Saved("", raw))
    fetcher.keep()
    desk.tray.settle()
    return came


def fetch(desk: Desk) -> calls.Came:
    """Fetch what has come into the mailbox of the settings. Raises UsageError where they name none."""
    from pbem.mail.letterbox import Letterbox
    from pbem.mail.settings import Imap

    if not desk.settings.imap:
        raise UsageError(_("Your settings name no mailbox yet: “pbem setup” does that once."))
    where, fetcher = _("“imap” in {settings}", settings=desk.home / "settings.json"), Fetcher(desk)
    came, trouble = list[calls.CameIn](), ""
    with closing(Letterbox(Imap.read(desk.settings.imap, where), desk.home)) as box:
        for again in (True, False):
            try:
                came += [_came("", news) for news in fetcher.fetch(box)]
                break
            except WorldError as error:
                trouble = _("Your mail cannot be fetched: {why}", why=error)
                if not again or isinstance(error, LoginRefused):
                    break
    desk.tray.settle()
    return calls.Came(came=tuple(came), trouble=trouble)


def _taken(fetcher: Fetcher, saved: Saved) -> calls.CameIn:
    """Read one mail: what is told of it, or that it is known already."""
    try:
        news = fetcher.take(saved.raw)
    except PbemError as error:
        news = News("left", "", str(error), subject=saved.name)
    if news is None:
        return calls.CameIn(
            name=saved.name, kind="old", game="", text=_("Nothing in it is new."), warnings=(), sender="", subject=""
        )
    return _came(saved.name, news)


def _came(name: str, news: News) -> calls.CameIn:
    """What is told of a mail, without the token of one that asks."""
    return calls.CameIn(
        name=name,
        kind=news.kind,
        game=news.game,
        text=_hidden(news.token, news.text) if news.kind == "asks" else news.text,
        warnings=news.warnings,
        sender=news.sender,
        subject=news.subject,
    )


def asks(desk: Desk) -> tuple[calls.Asks, ...]:
    """Return the letters that ask to join a game, or to be ready, and are not answered."""
    fetcher = Fetcher(desk)
    found = fetcher.invitations()
    found += [(notes.game, raw) for notes in desk.games() if (raw := fetcher.asking(notes))]
    return tuple(_asks(game, raw) for game, raw in found)


def _asks(game: str, raw: bytes) -> calls.Asks:
    mail = read_message(raw, MAX_FROM_HOST)
    return calls.Asks(game=game, sender=mail.sender, subject=mail.subject, words=_hidden(mail.token, mail.text))


def _hidden(token: str, text: str) -> str:
    return text.replace(token, _TOKEN) if token else text


def asking(desk: Desk, game: str) -> tuple[str, bytes]:
    """Return the letter of a game that asks, and the game as it is noted. Raises UsageError where none does."""
    fetcher = Fetcher(desk)
    for known, raw in fetcher.invitations():
        if known.startswith(game[:16].lower()):
            return known, raw
    for notes in desk.games():
        letter = fetcher.asking(notes) if notes.game.startswith(game.lower()) else None
        if letter is not None:
            return notes.game, letter
    raise UsageError(_("No letter of that game asks you to join, or to be ready."))


def answered(desk: Desk, game: str) -> None:
    """Forget the letter of a game that asked."""
    Fetcher(desk).answered(game)
