"""A player's desk: the player's key, a copy of each game, and the letters that are written but not sent.

The desk believes nothing that a mail says. Lines are added to a copy only if they continue it. The whole copy is verified before
anything is signed, and the report is made from the copy. The desk has no clock: callers pass times in.

Its folder contains:

- `key`, `settings.json`
- `games/<id>.pbem` (the copy), `games/<id>.json` (notes), `games/<id>.receipts`
- `games/<id>.two` (notes of a game without a host), `games/<id>.seen` (which you may delete)
- `out/*.eml` (letters to send), `given/` (letters that another program is to send, until their receipt is here), `sent/`
- `replaced/` (orders that were replaced before they were sent), `signed/` (the full form of the contents of a short block)
- `mailbox.json` (which mails of the mailbox have been read)
- `asking/` (letters that ask the player to join or to be ready, until they are answered)

The desk is this folder, with parts that each do one thing:

- The `tray` keeps letters, and the `inbox` reads mails.
- The `joiner` takes seats, `keys` changes keys, and `newcomers` agrees to newcomers.
- A `speaker` makes the statements in one game.

Each part is imported when it is first needed, because most commands need only one.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from pbem.errors import PbemError, UsageError
from pbem.i18n import _
from pbem.ledger.first_line import TWO, mode_name, mode_of_lines

from .folder import Folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pbem.games import GamePack
    from pbem.kernel import View
    from pbem.referee import AskSeen

    from .joining import Joiner
    from .keys import Keys
    from .newcomers import Newcomers
    from .notes import Notes
    from .pair.beginning import PairJoiner
    from .pair.reading import PairInbox
    from .pair.relaying import Relays
    from .pair.shelf import Pairs
    from .pair.speaking import FriendSpeaker
    from .reading import Inbox, Reading
    from .saying import HostSpeaker
    from .seat import Seat
    from .speaker import Speaker
    from .tray import Tray


class Desk(Folder):
    """One player's folder, and all that he does with it."""

    @cached_property
    def tray(self) -> Tray:
        """Where letters lie that he has written."""
        from .tray import Tray

        return Tray(self)

    @cached_property
    def inbox(self) -> Inbox:
        """Who reads his mails."""
        from .reading import Inbox

        return Inbox(self, self.tray)

    @cached_property
    def joiner(self) -> Joiner:
        """Who takes seats for him."""
        from .joining import Joiner

        return Joiner(self, self.tray, self.inbox)

    @cached_property
    def keys(self) -> Keys:
        """Who changes his keys."""
        from .keys import Keys

        return Keys(self, self.tray)

    @cached_property
    def newcomers(self) -> Newcomers:
        """Who agrees for him to others in place of those who were there."""
        from .newcomers import Newcomers

        return Newcomers(self, self.tray)

    def without_notes(self) -> list[Path]:
        """Return the logs of two on the desk of which the notes are missing."""
        return [
            log
            for log in (self.home / "games" / f"{name}.pbem" for name in self.names_of("pbem"))
            if not any(log.with_suffix(ending).is_file() for ending in (".two", ".json"))
            and mode_name(log.read_bytes()) == TWO
        ]

    @cached_property
    def pairs(self) -> Pairs:
        """His games of two, which have no host."""
        from .pair.shelf import Pairs

        return Pairs(self, self.tray)

    @cached_property
    def pair_inbox(self) -> PairInbox:
        """Who reads the letters of his friends."""
        from .pair.reading import PairInbox

        return PairInbox(self.pairs)

    @cached_property
    def pair_joiner(self) -> PairJoiner:
        """Who makes games of two for him, and joins them."""
        from .pair.beginning import PairJoiner

        return PairJoiner(self.pairs)

    @cached_property
    def relays(self) -> Relays:
        """The relays of his games of two."""
        from .pair.relaying import Relays

        return Relays(self.pairs, self.read)

    def seat(self, notes: Notes) -> Seat:
        """Return his seat in a game."""
        from .seat import Seat

        return Seat(self, notes)

    def speaker(self, notes: Notes) -> HostSpeaker:
        """Return who signs and writes for his seat in a game that has a host."""
        from .saying import HostSpeaker

        return HostSpeaker(self.seat(notes), self.tray)

    def friends(self, game: str = "", *, going: bool = False) -> list[FriendSpeaker]:
        """Return the speakers of the games of two with ids that begin so. Without such games, load no code for them."""
        if not any(name.startswith(game[:16].lower()) for name in self.names_of("two")):
            return []
        from .pair.speaking import FriendSpeaker

        return [
            one
            for one in (FriendSpeaker(self.pairs.seat(notes)) for notes in self.pairs.named(game))
            if not (going and how_it_stands(one) == "over")
        ]

    def speakers(self, game: str = "", *, going: bool = False) -> list[HostSpeaker | FriendSpeaker]:
        """Return the seats of his games with ids that begin so, those with a host first; `going`: only running games."""
        hosted = (self.speaker(notes) for notes in self.games() if notes.game.startswith(game.lower()))
        return [
            *(one for one in hosted if not (going and how_it_stands(one) == "over")),
            *self.friends(game, going=going),
        ]

    def meant(self, game: str = "", *, asked: bool = False, with_friend: bool = False) -> Speaker:
        """Return the seat of the game with an id that begins so; without an id, of the only game, or the only running one.

        `asked`: of several, prefer the only one with a question; `with_friend`: prefer one without a host. Raises UsageError if the
        choice is not clear.
        """
        found: Sequence[Speaker] = (self.friends(game) if with_friend else ()) or self.speakers(game)
        if not found and with_friend:
            raise UsageError(_("There is no such game of two on this desk: “pbem with ADDRESS” begins one."))
        if not found:
            return self.speaker(self.notes(game))
        states = [(one, how_it_stands(one)) for one in found] if len(found) > 1 else []
        mine = [one for one, state in states if state == "mine"]
        if not game:
            found = [one for one, state in states if state != "over"] or found
        found = mine if asked and len(mine) == 1 else found
        if len(found) == 1:
            return found[0]
        names = ", ".join(f"{one.notes.game[:8]} ({one.seat.name})" for one in found)
        which = _(
            "Which game? There are {games}. Name one by --game {first}.", games=names, first=found[0].notes.game[:8]
        )
        if asked and not mine:
            which = " ".join((_("It is not your turn in any of your games."), which))
        raise UsageError(which)

    def read(
        self, raw: bytes, at: str = "", *, instead: bool = False, game: str = "", fetched: bool = False
    ) -> Reading:
        """Read a mail, and let the part responsible for its kind interpret it, whatever its sender claims.

        `at`: when it came, if the mail does not say (default: now). `instead`: a friend's whole log replaces the player's own.
        `game`: the mail has to belong to this game. `fetched`: take nothing from an invitation before the player wants to join,
        because anybody could otherwise fill a desk with games.
        """
        from .reading import opened

        mail, bare = opened(raw)
        inbox = self.pair_inbox if mode_of_lines(mail.log) == TWO else self.inbox
        return inbox.read(
            raw,
            mail,
            at or (self.clock() if self.clock else ""),
            bare=bare,
            instead=instead,
            game=game,
            fetched=fetched,
        )

    def joiner_by(self, raw: bytes) -> Joiner | PairJoiner:
        """Return who answers a letter that asks the player to join: a host's, or a friend's."""
        from .reading import opened

        return self.pair_joiner if mode_of_lines(opened(raw)[0].log) == TWO else self.joiner

    def join(
        self, raw: bytes, at: str, rules: str = "", *, seat: str = "", token: str = "", host: str = "", relay: str = ""
    ) -> str:
        """Answer an invitation or a list of keys, as the joiner does; `host` is the address of who invites, `relay` the link that
        led to the invitation of a friend."""
        return self.joiner_by(raw).join(raw, at, rules, seat=seat, token=token, host=host, relay=relay)

    def question(self, notes: Notes) -> tuple[AskSeen, View, GamePack]:
        """Return the question that is open in a game, as its speaker does."""
        return self.speaker(notes).question()

    def order(self, notes: Notes, text: str, plans: str, at: str, *, anyway: bool = False) -> str:
        """Sign an order and lay it ready, as the speaker does."""
        return self.speaker(notes).order(text, plans, at, anyway=anyway)


def sayable_words() -> set[str]:
    """Return the words of all statements other than orders, to a host or to a friend."""
    from pbem.ledger import SAYS

    from .pair.saying import SAYS as SAYS_TO_FRIEND

    return {*SAYS, *SAYS_TO_FRIEND}


def how_it_stands(speaker: Speaker) -> str:
    """Return the state of a game, or "" if its copy is missing or unreadable: one bad copy stops no other game."""
    with suppress(PbemError):
        return speaker.seat.overview().state
    return ""
