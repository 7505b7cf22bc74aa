"""Who plays one seat of a desk: what is asked of him, what he answers and says, and how his game stands.

It is one interface with two implementations: `HostSpeaker` speaks to the host of a game, `FriendSpeaker` to the friend with whom a
game is played without one. What a command or a page does with a game goes through it, and asks nowhere which of the two it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.kernel import Sheet, take_apart

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from pbem.games import GamePack
    from pbem.kernel import View
    from pbem.ledger import Verdict
    from pbem.reports.reckoned import Reckoned

    from .notes import Notes
    from .overview import Overview
    from .pair.notes import PairNotes
    from .sayable import Saying


class Question(NamedTuple):
    """What is asked: the game, how its seat sees it, and for which marks orders may be sent ahead.

    `aside` is what is to be known of plans that go along; `play` is what the speaker goes on with.
    """

    pack: GamePack
    view: View
    marks: Mapping[str, int]
    aside: str = ""
    play: object = None


class Answered(NamedTuple):
    """What was answered, canonical, and as it is told; `more` is what the same turn asks next, before it is signed."""

    said: str
    told: str
    more: Question | None = None


def sheet_for(game: str, text: str) -> Sheet:
    """Take an order apart. Raises UsageError where it is headed for another game."""
    sheet = take_apart(text)
    if not game.startswith(sheet.game):
        raise UsageError(
            _(
                "This order is headed for game {other}, not for {game}. Which one is meant?",
                other=sheet.game,
                game=game[:8],
            )
        )
    return sheet


class AnySeat(Protocol):
    """A seat in a game of a desk, and how that stands."""

    @property
    def notes(self) -> Notes | PairNotes:
        """The notes of the game."""

    @property
    def pack(self) -> GamePack:
        """The game that is played."""

    @property
    def name(self) -> str:
        """What tells the game from others of its kind."""

    @property
    def heading(self) -> str:
        """Which game it is, in a sentence, and which seat."""

    @property
    def keys(self) -> Mapping[str, str]:
        """The key by seat, "" where nobody has taken it; that of the host, if there is one, stands under ""."""

    def overview(self) -> Overview:
        """Return how the game stands."""

    def evidence(self) -> Sequence[str]:
        """Return what lies beside the copy and shows what it does not, in sentences."""

    def verdict(self) -> Verdict:
        """Verify the whole of the copy."""


class Speaker(Protocol):
    """Who plays a seat. Where something may not be said as the game stands, or never in such a game, he raises UsageError."""

    @property
    def seat(self) -> AnySeat:
        """The seat."""

    @property
    def notes(self) -> Notes | PairNotes:
        """The notes of the game."""

    def alone(self) -> AbstractContextManager[None]:
        """Be the only program that goes on with the game."""

    def besides(self, at: str) -> Sequence[str]:
        """Return what is to be said besides of how the game stands, line by line."""

    def not_said(self, at: str) -> Sequence[str]:
        """Return what stands in no report of it, line by line."""

    def asked(self, at: str) -> Question:
        """Return what is asked of him."""

    def answer(
        self, text: str, plans: str, at: str, question: Question | None = None, *, anyway: bool = False
    ) -> Answered:
        """Sign what a text answers, or sends ahead, with these plans beside its own. Raises OrderError.

        `question` is what was shown, if it was; `anyway`: though the time that a host gives is in doubt.
        """

    def plan(self, text: str | None, *, shows: bool | None = None) -> tuple[str, Sequence[str]]:
        """Let these be the standing plans, "" for none; None leaves them as they are. Return them, and what is to be known of them.

        `shows`: whether a friend sees them in battles. Raises OrderError.
        """

    def sayings(self, at: str) -> tuple[Saying, ...]:
        """Return what may be said now besides orders."""

    def means(self, what: str, number: int | None, at: str, *, anyway: bool = False) -> str:
        """Return what follows from saying that, which may be said; "" where nothing does."""

    def declare(self, what: str, number: int | None, at: str, *, anyway: bool = False) -> str:
        """Say it, and return what was signed, in a sentence."""

    def write(self, text: str, to: str, at: str) -> str:
        """Sign words for another seat, or ("") for all others; return for whom, in a sentence."""

    def again(self, at: str) -> Sequence[Path]:
        """Lay ready once more, as it was signed, what has left and may be lost; return the letters."""

    def ask_for_copy(self, since: int, at: str) -> str:
        """Do what brings a letter again that is missing, on either side; return what was done, in a sentence."""

    @property
    def copy_means(self) -> str:
        """What follows from handing the own copy over; "" where nothing does."""

    def send_to(self, who: Literal["friend", "witness"], address: str, at: str) -> str:
        """Let letters go to a friend at another address, or copies to a witness; return that in a sentence."""

    def hand_copy(self, since: int, at: str) -> list[str]:
        """Lay the own copy ready for whom he plays with; return what goes, in sentences."""

    def standing(self, at: str) -> Reckoned:
        """Return the report of how the game stands, and what is asked."""
