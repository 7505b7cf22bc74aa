"""The player of one seat of a desk: the open question, the player's answers and statements, and the game's state.

There is one interface with two implementations: `HostSpeaker` writes to a game's host, `FriendSpeaker` to a friend in a game
without a host. Commands and the page use only the interface, and never check which of the two they have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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

    from .notes import AnyNotes, Notes
    from .overview import Overview
    from .sayable import Saying


class SeatQuestion(NamedTuple):
    """An open question: the game, the seat's view, and the marks for which premoves are possible.

    `aside` has notes on the plans that go along. `play` is the state from which the speaker continues.
    """

    pack: GamePack
    view: View
    marks: Mapping[str, int]
    aside: str = ""
    play: object = None


class Fresh(NamedTuple):
    """What is new in a game: its report, or None if nothing is to be shown; whether the player is asked; the question, if it is
    known already. `drawn`: a terminal shows the position and what happened, in place of the report."""

    made: Reckoned | None
    asks: bool = False
    question: SeatQuestion | None = None
    drawn: bool = False


class SignedAnswer(NamedTuple):
    """An answer, in canonical form and as a message; `more` is the next question of the same turn, before it is signed."""

    said: str
    told: str
    more: SeatQuestion | None = None


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


class Offer(NamedTuple):
    """What the other offers, and how it is answered: by a word that is said, or by playing on."""

    told: str
    word: str
    play_on: Callable[[str], str]


class Seen(Protocol):
    """Remembers what of hosted games the player has been shown, and keeps the letters that ask."""

    def asking(self, notes: Notes) -> bytes | None:
        """Return the letter that asks the player to be ready; None where none waits for an answer."""

    def since(self, notes: Notes) -> int | None:
        """Return the entry after which the player's report begins; None where he has been shown all there is."""

    def was_shown(self, notes: Notes) -> None:
        """Remember that the player has been shown the whole game so far."""


class AnySeat(Protocol):
    """A seat in a game of a desk, and the game's state."""

    @property
    def notes(self) -> AnyNotes:
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
        """Return the key of each seat, "" if the seat is free; the host's key, if there is a host, is under ""."""

    def overview(self) -> Overview:
        """Return the game's state."""

    def evidence(self) -> Sequence[str]:
        """Return sentences about evidence next to the copy that the copy does not contain."""

    def verdict(self) -> Verdict:
        """Verify the whole of the copy."""


class Speaker(Protocol):
    """The player of a seat. Raises UsageError for a statement that is not allowed now, or never in such a game."""

    @property
    def seat(self) -> AnySeat:
        """The seat."""

    @property
    def notes(self) -> AnyNotes:
        """The notes of the game."""

    def alone(self) -> AbstractContextManager[None]:
        """Be the only program that continues the game."""

    def besides(self, at: str) -> Sequence[str]:
        """Return further lines about the game's state."""

    def not_said(self, at: str) -> Sequence[str]:
        """Return the lines that the report does not contain."""

    def asking(self, post: Seen) -> bytes | None:
        """Return the letter that asks the player to be ready; None where none waits for an answer."""

    def news(self, at: str, post: Seen) -> Fresh:
        """Return what is new, after signing everything that needs no decision."""

    def was_shown(self, at: str, post: Seen) -> Sequence[str]:
        """Remember that the player has been shown what is new; return what the report does not say."""

    def offered(self) -> Offer | None:
        """Return what the other offers, if that is not said otherwise."""

    def asked(self, at: str) -> SeatQuestion:
        """Return the open question."""

    def answer(
        self, text: str, plans: str, at: str, question: SeatQuestion | None = None, *, anyway: bool = False
    ) -> SignedAnswer:
        """Sign the answers or premoves in a text, with these plans in addition to its own. Raises OrderError.

        `question` is the question that was shown, if any. `anyway`: sign even if the host's time for the answer is in doubt.
        """

    def plan(self, text: str | None, *, shows: bool | None = None) -> tuple[str, Sequence[str]]:
        """Set the standing plans: "" deletes them, None leaves them unchanged. Return them, and notes on them.

        `shows`: whether a friend sees them in battles. Raises OrderError.
        """

    def sayings(self, at: str) -> tuple[Saying, ...]:
        """Return the statements other than orders that are possible now."""

    def means(self, what: str, number: int | None, at: str, *, anyway: bool = False) -> str:
        """Return what follows from saying that, which may be said; "" where nothing does."""

    def declare(self, what: str, number: int | None, at: str, *, anyway: bool = False) -> str:
        """Make a statement, and return what was signed, in a sentence."""

    def write(self, text: str, to: str, at: str) -> str:
        """Sign words for another seat, or ("") for all others; return for whom, in a sentence."""

    def again(self, at: str) -> Sequence[Path]:
        """Put letters that left and may be lost in the tray again, as they were signed; return the letters."""

    def ask_for_copy(self, since: int, at: str) -> str:
        """Ask for a missing letter again, on either side; return what was done, in a sentence."""

    @property
    def copy_means(self) -> str:
        """What follows from handing the own copy over; "" where nothing does."""

    def send_to(self, who: Literal["friend", "witness"], address: str, at: str) -> str:
        """Let letters go to a friend at another address, or copies to a witness; return that in a sentence."""

    def hand_copy(self, since: int, at: str) -> list[str]:
        """Lay the own copy ready for whom he plays with; return what goes, in sentences."""

    def standing(self, at: str) -> Reckoned:
        """Return the report of the game's state, with the open question."""
