"""What an unsigned game tells: one in full notation, played again by the rules that are here.

It is told like a log (`pbem.player.tales`), and every form says that nobody has signed it.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from pbem.errors import FormError, RecordError, UsageError
from pbem.games import find, installed
from pbem.i18n import _
from pbem.referee.replaying import Library
from pbem.reports.replay import PUBLIC, Opened, opened, page
from pbem.reports.text import readable
from pbem.story.hostless import rebuilt_hostless
from pbem.story.notation import Notation, looks_like, read
from pbem.story.rebuilt import rebuilt

from .tales import LogTale, Shown, Tale

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.kernel import Json
    from pbem.ledger import Entry
    from pbem.referee.replaying import Shelf

GUESSES = 12
"""How often unknown cards are guessed until the rest fits."""


def notation_in(path: str, data: bytes) -> Notation:
    """Return the game in a file in full notation. Raises RecordError, which names the file."""
    try:
        return read(data)
    except FormError as error:
        raise RecordError(_("{path} is not a game in full notation: {why}.", path=path, why=error)) from error


def no_log_but_notation(path: str, data: bytes) -> None:
    """Raise UsageError for a file in full notation that is read as a log, and say how it is read."""
    if looks_like(data):
        raise UsageError(
            _("{path} is a game in full notation, which nobody has signed. To read it as one, add --from.", path=path)
        )


class UnsignedTale(Tale):
    """What a game in full notation tells."""

    def __init__(self, path: str, game: Notation, shelf: Shelf) -> None:
        """Play the game again. Raises RecordError where it does not fit its rules."""
        library = Library(installed, ChainMap({}, shelf))  # type: ignore[arg-type] # it changes none of them
        self.path, self.game = path, game
        self.tale = self._rebuilt(library)
        self.entries: list[Entry] = []
        self.seats, self.is_over = self.tale.seats, self.tale.end is not None

    @cached_property
    def pack(self) -> GamePack:
        """The game. Raises UsageError if it is not here."""
        return find(self.game.head.game)

    def _rebuilt(self, library: Library) -> Opened:
        unknown = any(None in getattr(line, "res", ()) for line in self.game.lines)
        for guess in range(GUESSES if unknown else 1):
            try:
                if self.game.head.host:
                    return rebuilt_hostless(self.game, guess=guess)
                return rebuilt(self.game, library, guess=guess)
            except FormError as error:
                last = error
        raise RecordError(_("{path} cannot be played by its rules: {why}.", path=self.path, why=last)) from last

    def check_at(self, at: int) -> None:
        """Raise UsageError if nothing was told up to that number."""
        if not self.tale.told[PUBLIC][0].n <= at:
            first = self.tale.told[PUBLIC][0].n
            raise UsageError(_("The game tells nothing before number {n}; it has no number {at}.", n=first, at=at))

    def shown(self, at: int | None, seat: str | None) -> Shown:
        """Return the story up to a number, for the seat or (None) for the public."""
        tells = [tell for tell in self.tale.told[seat or PUBLIC] if at is None or tell.n <= at]
        seats, last = [seat] if seat else self.seats, tells[-1]

        def drawn() -> tuple[Mapping[str, Json], list[Json]]:
            views = {one: tell.view for one in seats for tell in self.tale.told[one] if tell.n == last.n}
            facts = [fact for tell in tells for fact in tell.facts]
            return views, [fact for fact in facts if readable(fact, None, self.pack) is not None]

        return Shown(
            [(tell.n, tell.facts) for tell in (tells if at is None else tells[-1:])],
            self.tale.end[1] if self.tale.end and at is None else None,
            {_("After number {n}:", n=last.n): last.view},
            drawn,
            lambda judged, at: page(self.tale, self.pack, seat, judged=judged, at=at),
            is_public=True,
        )


def opened_of(tale: Tale) -> Opened:
    """Return all that a tale opens, to each seat and to everybody. Raises UsageError if nothing can be told yet."""
    if isinstance(tale, UnsignedTale):
        return tale.tale
    if isinstance(tale, LogTale):
        return opened(tale.log)
    return tale.opened(tale.entries[-1].n)  # type: ignore[attr-defined, no-any-return] # the third kind, without a host
