"""Event rounds that a host opens by itself: once all games of a round are decided, it opens the games of the next.

The pairings follow from the event's file and the logs (`event`). This module only checks whether a pairing's game was opened, and
finds its players' addresses. Each pairing's game is opened once, whichever program is first, because the same decision records it.

The organiser decides a game that was cancelled or does not count, or opens it again. The same applies to bids, and to the game that
follows from them. If a player cannot be reached, his game waits, without delaying the others.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from pbem.errors import UsageError
from pbem.host import Office
from pbem.host.following import AFTER
from pbem.host.members import has_left, keys_of
from pbem.host.observers import STANDING, hide_standings
from pbem.host.roster import open_game
from pbem.host.settings import HeldEvents
from pbem.host.sound import damaged, log_fault
from pbem.host.store.rows import KEPT, GameRow, Marked, Member
from pbem.i18n import _
from pbem.ledger import cj, fingerprint
from pbem.ledger.terms import agreed
from pbem.mail import is_address
from pbem.mail.hours import ALWAYS, Hours
from pbem.referee.replaying import Find

from .bidding import Opening, game_of_bids
from .event import Event
from .event_course import EventCourse
from .event_json import as_json
from .pairing import Encounter
from .results import LeftOut, RatedGame, result_of

OPENED = "event "
"""So the notes begin of the games that were opened for a pairing: event, round and players follow."""
BIDDING = "bids of event "
"""The same for the bids of a pairing."""


_Reached = tuple[str, Hours, str]
"""Where somebody's letters go, when time counts for him, his language."""


class RoundsWaitError(UsageError):
    """Games of events could not be opened; `opened` are those that were, as `Rounds.open` gives them."""

    def __init__(self, why: str, opened: list[tuple[str, int]]) -> None:
        super().__init__(why)
        self.opened = opened


class Rounds:
    """The events of one host. `find` returns rules by name, `fresh` reads randomness from the system, once for each game."""

    def __init__(self, office: Office, held: HeldEvents, find: Find, fresh: Callable[[], str]) -> None:
        self.office, self.held, self.find, self.fresh = office, held, find, fresh
        self._results: dict[int, RatedGame | LeftOut] = {}
        self._standing = set[str]()

    def open(self, at: str) -> list[tuple[str, int]]:
        """Open what can be opened; return the events' names and the numbers of the games.

        Raises RoundsWaitError behind all others where something keeps games from being opened, or from being played.
        """
        opened, wrong = list[tuple[str, int]](), list[str]()
        self._standing.clear()
        for name in self.held.files:
            try:
                self._open_of(self._event(name), at, opened, wrong)
            except UsageError as error:
                wrong.append(str(error))
        if not (wrong and self.held.show):  # a slip of the pen takes no table away
            hide_standings(self.office.store, self._standing)
        if wrong:
            raise RoundsWaitError(" ".join(wrong), opened)
        return opened

    def _event(self, name: str) -> Event:
        path = self.office.folder / name
        try:
            return Event.read(path.read_text("utf-8"), str(path))
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(_("{path} cannot be read: {why}.", path=path, why=error)) from error

    def _open_of(self, event: Event, at: str, opened: list[tuple[str, int]], wrong: list[str]) -> None:
        course = EventCourse(event, [game for game in self._decided(event) if isinstance(game, RatedGame)])
        self._check_as_opened(course)
        number, missing = len(course.rounds), set[str]()
        for pair in course.open:
            wanted = course.opening(pair)
            note = f"{BIDDING if wanted.bids else OPENED}{event.full_name} {number} {' '.join(pair)}"
            if game := self.office.store.note(note):
                wrong += self._comes_back(event, number, pair, int(game))
            elif not self._has_followed(wanted):
                who = {seat: self._reached(event, name) for seat, name in wanted.seats.items()}
                if lost := [name for seat, name in wanted.seats.items() if not who[seat][0]]:
                    wrong.append(self._unknown(event, number, pair, lost))
                    missing.update(lost)
                else:
                    try:
                        opened.append((event.full_name, self._opened(event, number, pair, wanted, who, note, at)))
                    except UsageError as error:  # as where somebody is banned: the others play
                        wrong.append(f"{event.name}, {' – '.join(pair)}: {error}")
        if self.held.show:
            self._show(course, missing)

    def _check_as_opened(self, course: EventCourse) -> None:
        """Raise UsageError if games of the last round are open that do not match the pairings from the current file."""
        number, event = len(course.rounds), course.event
        paired = {" ".join(one.pair) for played in course.rounds[-1:] for one in played}
        for kind in (OPENED, BIDDING):
            for names, game in self.office.store.notes(f"{kind}{event.full_name} {number} ").items():
                row = self.office.store.get(GameRow, id=int(game))
                if names not in paired and row is not None and row.stage != "cancelled":
                    raise UsageError(
                        _(
                            "{event}: game {game} of round {n} has been opened, but the event's file now pairs the round "
"differently. Undo the change. For a player who withdraws after the pairing, write “after = "
"{n}”, and a ruling for his game of that round.",
                            event=event.name, game=game, n=number,
                        )
                    )  # fmt: skip

    def _show(self, course: EventCourse, missing: set[str]) -> None:
        """Publish the standings of an event at the host's web address, with the players who have no address yet."""
        self._standing.add(course.event.full_name)
        note, told = f"{STANDING}{course.event.full_name}", cj(as_json(course, missing)).decode()
        if self.office.store.note(note) != told:
            self.office.store.put_note(note, told)

    def _has_followed(self, wanted: Opening) -> bool:
        """Was a game opened already that follows from these bids, by hand?"""
        head = wanted.options.get(AFTER)
        return bool(head) and any(row.opts.get(AFTER) == head for row in self.office.store.find(GameRow))

    def _opened(
        self,
        event: Event,
        of_round: int,
        pair: Encounter,
        wanted: Opening,
        who: Mapping[str, _Reached],
        note: str,
        at: str,
    ) -> int:
        house, held = self.office.robot.house, self.held
        options = house.pack(wanted.game).complete(wanted.options)
        terms = agreed(
            held.hours, "default", held.leave, held.grace, rated=True, event=event.full_name, number=of_round
        )
        posts = {seat: address for seat, (address, _clock, _language) in who.items()}
        clocks = {seat: clock for seat, (_address, clock, _language) in who.items()}
        languages = {seat: language for seat, (_address, _clock, language) in who.items()}
        told = {"event": event.name, "names": " – ".join(pair)}
        title = _("{event}: {names}, bids", **told) if wanted.bids else _("{event}: {names}", **told)
        with self.office.store.decision():
            number = open_game(
                self.office.robot.post, wanted.game, options, posts, title, terms, self.fresh(), at, clocks, languages
            )
            self.office.store.put_note(note, number)
        return number

    def _unknown(self, event: Event, number: int, pair: Encounter, lost: list[str]) -> str:
        """Say that nobody knows where letters to some of those who are paired go, and what can be done."""
        return _(
            "{event}, round {n}, {names}: no address is known for {lost}, so this game is not open. "
"Write the address into the file that “addresses” names. {otherwise}",
            event=event.name, n=number, names=" – ".join(pair), lost=", ".join(lost), otherwise=_otherwise(event, number),
        )  # fmt: skip

    def _comes_back(self, event: Event, number: int, pair: Encounter, game: int) -> Iterator[str]:
        """Yield, for a game that has not begun, the players with bouncing letters, those who left the club, and the remedies."""
        row = self.office.store.get(GameRow, id=game)
        if row is None:
            yield _(
                "{event}, round {n}, {names}: game {game} was opened and is not in the store any more. “pbem host mend {game} "
                "--from BACKUP” brings it back. {otherwise}",
                event=event.name, n=number, names=" – ".join(pair), game=game, otherwise=_otherwise(event, number),
            )  # fmt: skip
        if row is None or row.stage != "joining":
            return
        for seat in self.office.robot.house.game(game).seats.values():
            mark = self.office.store.get(Marked, address=seat.address.lower())
            if seat.key:
                continue
            if has_left(self.office.store, seat.address):
                yield _(
                    "{event}, round {n}, {names}: game {game} is open but has not begun, and {address} has left "
"the club without taking a seat in it. Call the game off (“pbem host cancel {game}”), so "
"that his stored data is erased. {otherwise}",
                    event=event.name, n=number, names=" – ".join(pair), game=game, address=seat.address,
                    otherwise=_otherwise(event, number),
                )  # fmt: skip
            elif mark is not None:
                yield _(
                    "{event}, round {n}, {names}: game {game} is open and has not begun, for letters to {address} come back "
                    "({why}). Is the address another one, call the game off (“pbem host cancel {game}”) and open it by the "
                    "command that “pbem event” prints. {otherwise}",
                    event=event.name, n=number, names=" – ".join(pair), game=game, address=seat.address, why=mark.why,
                    otherwise=_otherwise(event, number),
                )  # fmt: skip

    def _reached(self, event: Event, name: str) -> _Reached:
        """Return where a player's letters go, "" where nobody knows, when time counts for him, and his language."""
        key = next(player.key for player in event.players if player.name == name)
        members = [one for one in self.office.store.find(Member) if one.confirmed]
        address = self._addresses().get(name) or next((one.address for one in members if key in self._keys(one)), "")
        if not is_address(address):
            return "", ALWAYS, ""
        for one in members:
            if one.address == address.lower():
                return one.address, Hours(one.zone, one.quiet, one.weekends), one.language
        return address, ALWAYS, ""

    def _keys(self, member: Member) -> set[str]:
        played = (
            seat.key for seat in self.office.robot.house.seats_at(member.address) if seat.key and seat.kept != KEPT
        )
        return {fingerprint(key) for key in (*played, *keys_of(self.office.store, member.address))}

    def _addresses(self) -> dict[str, str]:
        if not self.held.addresses:
            return {}
        path: Path = self.office.folder / self.held.addresses
        try:
            told = tomllib.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise UsageError(_("{path} cannot be read: {why}.", path=path, why=error)) from error
        return {name: str(address) for name, address in told.items()}

    def _is_of(self, event: Event, number: int) -> bool:
        """Return whether a game with a damaged log belongs to an event, if its entry 0 or a note of its opening still shows it."""
        for kind in (OPENED, BIDDING):
            if str(number) in map(str, self.office.store.notes(f"{kind}{event.full_name} ").values()):
                return True
        try:
            first = self.office.robot.house.game(number).ledger.entry(0)
            return bool(first["terms"].get("event") == event.full_name)
        except (ValueError, LookupError, TypeError, AttributeError):
            return False

    def _decided(self, event: Event) -> Iterator[RatedGame | LeftOut]:
        """Go through what the games of an event that are over give; each is audited once."""
        house = self.office.robot.house
        wanted = [event.game, *([game_of_bids(event.game).rules.id] if event.bids else [])]
        for row in (row for game in wanted for row in self.office.store.find(GameRow, stage="ended", game=game)):
            if row.id not in self._results:
                game = house.game(row.id)
                if why := log_fault(self.office.store, row):
                    if self._is_of(event, row.id):
                        raise UsageError(_("{event} is paused. {why}", event=event.name, why=damaged(row, why)))
                    continue
                if game.ledger.entry(0)["terms"].get("event") != event.full_name:
                    continue
                self._results[row.id] = result_of(game.exported().dump(), self.find)
            yield self._results[row.id]


def _otherwise(event: Event, number: int) -> str:
    """Say what an event's file can say of a game that cannot be played."""
    if event.kind in ("round robin", "knock-out"):
        return _(
            "Or decide it in the event's file: write a ruling for this game, or a withdrawal for a "
            "player who has left (“after = {n}”). He then loses this game and all games that he does not "
            "play.",
            n=number - 1,
        )
    return _(
        "Or decide it in the event's file: write a ruling for this game, and a withdrawal for a "
        "player who has left (“after = {n}”). He is then no longer paired.",
        n=number,
    )
