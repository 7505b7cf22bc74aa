"""Words of a reader for seats and moments: “the Scots”, “1306, Game Turn 2”. And the terms of a log.

A log has ids and numbers: the seat “scottish”, entry 187. Commands that show a log take both, in the language of the reader.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.kernel.digits import whole
from pbem.reports.replay import PUBLIC
from pbem.reports.text import readable
from pbem.reports.turns import Turns

from .terms import told_terms

if TYPE_CHECKING:
    from pbem.games import GamePack

    from .tales import Tale

_SHOWN = 8
"""How many turns are listed at most where none has the name that was typed."""


def seat_named(seats: Sequence[str], text: str | None, pack: GamePack | None) -> str | None:
    """Return the seat that a text means: by its id, or by its name, with or without the article. None stays None.

    Raises UsageError for a name that no seat has.
    """
    if text is None or text in seats:
        return text
    wanted = _plain(text)
    for seat in seats:
        called = _plain(pack.look.seat_name(seat)) if pack else ""
        if wanted in (_plain(seat), called, called.partition(" ")[2]):
            return seat
    listed = ", ".join(seats)
    raise UsageError(_("This game has no seat “{seat}”; its seats are {seats}.", seat=text, seats=listed))


def moment(tale: Tale, text: str | None) -> int | None:
    """Return the entry that a text means: its number, or the first turn or battle with a name that begins so. None stays None.

    A number beyond the last entry can be a year. Raises UsageError for a name that nothing has.
    """
    number = whole(text or "")
    if text is None or (number is not None and tale.entries and number <= tale.entries[-1].n):
        return number
    wanted, named = _plain(text), list(_turns(tale))
    found = next((n for n, name in named if _plain(name).startswith(wanted)), number)
    if found is None:
        some = "; ".join(name for _entry, name in named[:_SHOWN]) + ("; …" if len(named) > _SHOWN else "")
        raise UsageError(
            _(
                "No turn or battle of this game is called “{text}”. Type the number of an entry, or begin like one of: {names}",
                text=text,
                names=some,
            )
        )
    return found


def _turns(tale: Tale) -> Iterator[tuple[int, str]]:
    """Go through what everybody saw begin: the entry, and the name."""
    from .unsigned import opened_of  # it replays

    turns = Turns()
    for tell in opened_of(tale).told[PUBLIC]:
        for fact in tell.facts:
            chapter = tale.pack.look.chapter(fact) if readable(fact, None, tale.pack) is not None else None
            if chapter is not None:
                turns.note(tell.n, chapter)
    yield from ((turn.n, turn.name) for turn in turns.found)


def agreed(tale: Tale) -> list[str]:
    """Return what entry 0 sets: the options and terms that the players agreed on, a line each."""
    first, pack = tale.entries[0].fields, tale.pack_or_none
    return [*(pack.told(first["opts"]) if pack else ()), *told_terms(first["terms"])]


def _plain(text: str) -> str:
    """Return a name without accents, in small letters, for comparing.

    >>> _plain("Les Écossais")
    'les ecossais'
    """
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return " ".join(bare.casefold().split())
