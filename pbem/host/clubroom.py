"""The commands of club members to the host (REGISTER, GAMES, NEW, JOIN, WITHDRAW, WATCH, LEAVE CLUB), and what time alone causes.

Such mail is not signed, so it makes no move: it sets up tables. The resulting games are joined with keys, each with the token of
its own invitation. Answers go to confirmed addresses. A stranger is only told how to become a member, and only a few such letters
are sent a day. At the web address a member is identified by his key and answered there; an unknown key can only ask for
membership. The host's settings say who may open which games, and how many.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from pbem.errors import UsageError
from pbem.games import find, shipped
from pbem.i18n import _, speaking
from pbem.kernel import Json
from pbem.mail import Command, Incoming
from pbem.referee import Refused

from . import banned, members, observers, tables
from .kept_seating import that_may_be
from .moments import later
from .outbox import TOLD_HOW
from .post import WATCHED, Post
from .roster import call_off, open_game
from .settings import ClubByMail
from .store import Store
from .store.people import member_at, strangers_written_to
from .store.rows import ClubTable, GameRow, Member

BUILT_IN = "built-in seat "
"""So the notes begin of seats that wait for their built-in player; game and seat follow."""
_MOST = 40
"""The maximum number of tables and games that a letter lists."""


class ClubRoom:
    """The club of one host, as its settings have it. `fresh` reads randomness from the system, once for each game."""

    def __init__(self, post: Post, rules: ClubByMail, fresh: Callable[[], str] = lambda: secrets.token_hex(32)) -> None:
        self.post, self.rules, self.fresh = post, rules, fresh
        self.house, self.store = post.house, post.house.store
        self.post.playable = rules.games or shipped()
        self._said = ""

    def answer(self, mail: Incoming, command: Command, digest: str, at: str) -> str:
        """Carry out the command of a mail and answer it, including refusals; return what was done."""
        member = member_at(self.store, mail.sender)
        if member is None:
            return self._stranger(mail, command, at)
        if not self.post.may_answer("club", member.address, at):
            return f"ignored: {command.word}, one too many"
        with speaking(self.post.at_hand(member.language)):
            try:
                with self.store.decision():
                    said = self._done(member, command, at)
            except (Refused, UsageError) as error:
                self.post.club(member.address, str(error), digest, at, **self._shown(member, command.word))
                return f"refused: FORM: {error}"
            self.post.club(member.address, said, digest, at, **self._shown(member, command.word))
        return f"answered: {command.word}"

    def at_door(self, mail: Incoming, command: Command | None, key: str, digest: str, at: str) -> str:
        """Carry out the command of a letter brought to the web address by this key; return what was done.

        `said_at_door` hands out the answer; no letter goes by mail.
        """
        member = members.member_of(self.store, key)
        with speaking(self.post.at_hand(member.language if member else mail.wants)):
            try:
                with self.store.decision():
                    outcome, self._said = self._asked_at_door(mail, command, member, key, digest, at)
            except (Refused, UsageError) as error:
                self._said = str(error)
                return f"refused: FORM: {error}"
        return outcome

    def said_at_door(self) -> str:
        """Return what the last letter at the door was answered, once."""
        said, self._said = self._said, ""
        return said

    def _asked_at_door(
        self, mail: Incoming, command: Command | None, member: Member | None, key: str, digest: str, at: str
    ) -> tuple[str, str]:
        """Return what was done, and the answer. Raises Refused or UsageError."""
        if command is not None and command.word == "CONFIRM":
            outcome = self.confirm(command.code, digest, at)
            if outcome is None:
                raise Refused("FORM", _("Nobody here is waiting for this code: a code works once, and for a week."))
            return outcome, _("Done: a letter to your address says what is valid now.")
        if command is None or command.word not in banned.WORDS:
            raise Refused(
                "FORM", _("At the door a club takes {words}, and CONFIRM with a code.", words=", ".join(banned.WORDS))
            )
        if member is not None and member.address == mail.sender.lower():
            members.has_shown(self.store, key, member)
            said = self._done(member, command, at, key)
            return f"answered: {command.word}", self.post.club_said(said, at, **self._shown(member, command.word))
        if command.word != "REGISTER":
            raise Refused(
                "FORM",
                _(
                    "With this key nobody of your address is known here: REGISTER with a name, and send the code back that "
                    "comes by mail."
                ),
            )
        if f" key={key.partition(' ')[2]} " not in f"{command.to} ":
            raise Refused("FORM", _("A REGISTER at the door names the key that brings it."))
        if self.rules.refuses(mail.sender) or not self._may_ask(mail.sender, at):
            raise Refused(
                "FORM", _("To this address no letter goes now. Try again tomorrow, or write to the host by mail.")
            )
        said = _(
            "A letter with a code goes to {address}: your request takes effect when the code is sent back.",
            address=mail.sender,
        )
        return members.ask(self.post, command.to, mail.sender, at, key), said

    def confirm(self, code: str, digest: str, at: str) -> str | None:
        """Admit or release the sender of a code; return what was done, or None if it is not a code of the club."""
        member = members.confirm(self.post, code, at)
        if member is None:
            return None
        with speaking(self.post.at_hand(member.language)):
            if not member.confirmed:
                return self._let_go(member, digest, at)
            said = _("You are a member of this club, {name}.", name=member.name)
            self.post.club(member.address, said, digest, at, **self._shown(member, "GAMES"))
        return "member: confirmed"

    def tick(self, at: str) -> None:
        """Close tables and call off games that nobody takes up, and forget who was asked and has not answered."""
        with self.store.decision():
            members.let_lapse(self.store, at)
            for table in tables.waiting(self.store):
                if table.until <= at:
                    self._close(table, at)
            for table in self.store.find(ClubTable, order="id"):
                if table.opened and later(table.at, hours=24 * self.rules.join_days) <= at:
                    self._call_off(table, at)

    # -- what is asked ------------------------------------------------------------------------------------------------

    def _done(self, member: Member, command: Command, at: str, key: str = "") -> str:
        """Carry out a member's command; return a sentence about it. `key` has signed it. Raises Refused or UsageError."""
        words = command.to.split()
        match command.word:
            case "REGISTER" | "LEAVE" if not self.post.may_answer("register", member.address, at):
                raise Refused(
                    "FORM",
                    _("You have received enough such letters for today. Answer one, or write tomorrow."),
                )
            case "REGISTER":
                members.ask(self.post, command.to, member.address, at, key)
                return _(
                    "A letter with a code comes to this address: your request takes effect when the code is sent back."
                )
            case "NEW":
                return self._new(member, words, at)
            case "JOIN":
                return self._join(member, words, at)
            case "WITHDRAW":
                table = tables.table_at(self.store, _numbered(words))
                closed = tables.stand_up(self.store, table, member)
                return (
                    _("Table {number} is closed: nobody sits at it any more.", number=table.id)
                    if closed
                    else _("You do not sit at table {number} any more.", number=table.id)
                )
            case "WATCH":
                return self._watch(member, _numbered(words), at)
            case "LEAVE":
                members.ask_leaving(self.post, member, at)
                return _("A letter with a code comes to this address: you leave the club when the code is sent back.")
            case _:
                if not tables.waiting(self.store) and not self._watched():
                    return _("No table is open here now, and there is no game to look at.")
                return _("Open tables, and games you can look at:")

    def _new(self, member: Member, words: list[str], at: str) -> str:
        games = self.post.playable
        if not self.rules.opened_by(member.name):
            raise Refused("FORM", _("Here the host opens tables. GAMES lists those that wait."))
        if not words or words[0].lower() not in games:
            said = words[0] if words else ""
            raise Refused(
                "FORM", _("“{game}” is not played here; there are: {games}.", game=said, games=", ".join(games))
            )
        if tables.has_opened(self.store, member) >= self.rules.tables:
            raise Refused(
                "FORM", _("You have opened {n} tables that wait, and that is enough for now.", n=self.rules.tables)
            )
        self._may_play(member)
        pack = find(words[0].lower())
        wanted = tables.read(self.store, pack, words[1:], self.rules.hours, built_in=self.rules.built_in)
        if any(other.id == member.id for other in wanted.kept.values()):
            raise Refused("FORM", _("To keep a seat for yourself write side=SEAT."))
        seats, until = pack.rules.seats(wanted.options), later(at, hours=24 * self.rules.table_days)
        number = tables.open_table(self.store, pack.rules.id, wanted, member, seats, at, until)
        for seat, other in wanted.kept.items():
            with speaking(self.post.at_hand(other.language)):
                said = _(
                    "{name} keeps the seat {seat} at table {number} for you: JOIN {number} takes it.",
                    name=member.name, seat=pack.look.seat_name(seat), number=number,
                )  # fmt: skip
                self.post.club(
                    other.address, said, f"kept.{number}.{seat}", at, unasked=True, **self._shown(other, "", number)
                )
        opened = self._open_if_full(number, at)
        return opened or _("Table {number} is open. It waits until {day}.", number=number, day=until[:10])

    def _join(self, member: Member, words: list[str], at: str) -> str:
        table = tables.table_at(self.store, _numbered(words))
        self._may_play(member)
        tables.sit_down(self.store, table, member, words[1].lower() if len(words) > 1 else "")
        return self._open_if_full(table.id, at) or _("You sit at table {number}.", number=table.id)

    def _watch(self, member: Member, number: int, at: str) -> str:
        row = self.store.get(GameRow, id=number)
        if row is None or row.stage != "playing" or self.store.note(f"{WATCHED}{number}") != "all":
            raise Refused(
                "FORM", _("Nobody can look on at game {number}. GAMES lists those where everybody may.", number=number)
            )
        observers.observe(self.house.game(number), member.address, self.post, at, member.language)
        return _("You look on at game {number}: a letter says more.", number=number)

    def _may_play(self, member: Member) -> None:
        if tables.plays(self.store, member) >= self.rules.most_games:
            raise Refused(
                "FORM", _("You are in {n} games and at tables, and that is the most here.", n=self.rules.most_games)
            )

    def _open_if_full(self, number: int, at: str) -> str:
        """Open the game of a full table; return the message, or "" if seats are still free."""
        table = tables.table_at(self.store, number)
        if not tables.is_full(self.store, table):
            return ""
        fresh = self.fresh()
        posts, clocks, languages = tables.addresses(self.store, table, tables.seating(self.store, table, fresh))
        title = _("{game}, table {number}", game=self.house.pack(table.game).rules.title, number=table.id)
        game = open_game(
            self.post, table.game, table.opts, posts, title, table.terms, fresh, at, clocks, languages,
            () if self.rules.own_keys else that_may_be(table.terms, posts),
        )  # fmt: skip
        self.store.change("tables", table.id, opened=game, at=at)
        for seat in table.terms.get("built_in", {}):
            self.store.put_note(f"{BUILT_IN}{game} {seat}", "waits")
        return _(
            "Table {number} is full, and has become game {game}: invitations go out now.", number=table.id, game=game
        )

    # -- strangers, and who leaves ------------------------------------------------------------------------------------

    def _stranger(self, mail: Incoming, command: Command, at: str) -> str:
        """Answer a stranger: tell him how to become a member, or ask whether he wants to."""
        if self.rules.refuses(mail.sender):
            return "ignored: an address that this club does not take"
        why = ""
        if command.word == "REGISTER":
            if not self._may_ask(mail.sender, at):
                return f"ignored: {command.word} of a stranger, one too many"
            try:
                return members.ask(self.post, command.to, mail.sender, at)
            except Refused as error:
                why = str(error)
        if command.word not in ("REGISTER", "GAMES", "JOIN", "NEW"):
            return f"ignored: {command.word} from an address that is no member's"
        if _to_strangers(self.store, at)[0] >= self.rules.strangers:
            return f"ignored: {command.word} of a stranger, one too many"
        self.post.how_to_register(mail.sender.lower(), why, at, own_keys=self.rules.own_keys)
        return f"told: how one becomes a member ({command.word})"

    def _may_ask(self, address: str, at: str) -> bool:
        """Return whether one more letter with a code may go to an address that does not belong to a member."""
        return _to_strangers(self.store, at)[1] < self.rules.strangers and self.post.may_answer(
            "register", address.lower(), at
        )

    def _let_go(self, member: Member, digest: str, at: str) -> str:
        for table in tables.waiting(self.store):
            if any(one.id == member.id for one in tables.sitting(self.store, table)):
                tables.stand_up(self.store, table, member)
        if members.let_go(self.store, member, at):
            said = _("You are no longer a member, and your address is erased here. This is the last letter.")
        else:
            said = _(
                "You are no longer a member. Your games continue, and their letters come as before. Your "
                "address is erased here with the last game."
            )
        self.post.club(member.address, said, digest, at, tables=[], games=[], commands=False)
        return "member: left"

    # -- what comes of time -------------------------------------------------------------------------------------------

    def _close(self, table: ClubTable, at: str) -> None:
        for member in list(tables.sitting(self.store, table)):
            with speaking(self.post.at_hand(member.language)):
                said = _("Table {number} is closed: not everybody came in time.", number=table.id)
                self.post.club(
                    member.address, said, f"closed.{table.id}", at, unasked=True, **self._shown(member, "GAMES")
                )
        tables.close(self.store, table)

    def _call_off(self, table: ClubTable, at: str) -> None:
        """Call off the game of a table, if it has not begun; take the table away."""
        row = self.store.get(GameRow, id=table.opened)
        if row is not None and row.stage in ("joining", "readying"):
            if self.store.note(f"still {row.id}"):
                return
            call_off(self.house.game(row.id), self.post, at)
        tables.close(self.store, table)

    def _shown(self, member: Member, word: str, number: int = 0) -> dict[str, Any]:
        """What a letter shows beside its sentence."""
        listed = tables.waiting(self.store)
        if word not in ("GAMES", ""):
            listed = [
                table for table in listed if any(one.id == member.id for one in tables.sitting(self.store, table))
            ]
        if number:
            listed = [table for table in listed if table.id == number]
        games = self._watched() if word == "GAMES" else []
        return {
            "tables": [tables.told(self.house, table) for table in listed[:_MOST]],
            "games": games[:_MOST],
            "commands": word in ("GAMES", ""),
        }

    def _watched(self) -> list[dict[str, Any]]:
        """The games that everybody may look on at, by mail."""
        return [
            {"number": row.id, "title": row.title}
            for row in self.store.find(GameRow, order="id desc", stage="playing")
            if self.store.note(f"{WATCHED}{row.id}") == "all"
        ]


def _numbered(words: list[str]) -> int:
    """The number that a mail names. Raises Refused."""
    if not words or not (words[0].isascii() and words[0].isdecimal()) or len(words[0]) > 9:
        raise Refused("FORM", _("Write the number behind it, as GAMES lists it."))
    return int(words[0])


def _to_strangers(store: Store, at: str) -> tuple[int, int]:
    """Return how many letters have gone to strangers in a day: those that say how to join, and those with a code."""
    return strangers_written_to(store, later(at, hours=-24), TOLD_HOW)


def exhausted(store: Store, rules: ClubByMail, at: str) -> list[dict[str, Json]]:
    """Return which of the two budgets for strangers is used up, as the host's status shows it."""
    why = _(
        "Within a day, {n} letters have gone to addresses that belong to no member: “strangers” allows no more.",
        n=rules.strangers,
    )
    return [
        {"budget": word, "since": later(at, hours=-24), "why": why}
        for word, count in zip(("GAMES", "REGISTER"), _to_strangers(store, at), strict=True)
        if count >= rules.strangers
    ]
