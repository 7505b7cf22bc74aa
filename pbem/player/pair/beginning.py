"""How a game of two begins: one makes it and invites, the other is told what both agree on, and joins.

Each signs what both agree on with his join, and sees both keys, to be compared with the friend in some other way than these mails.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from pbem.errors import UsageError
from pbem.games import manifest
from pbem.i18n import _
from pbem.ledger import Entry, player_root, to_compare
from pbem.ledger.of_two import is_of_two_friends
from pbem.ledger.pair import Vault, append, first_entry, joined
from pbem.ledger.pair.vault import secret_of
from pbem.player.partners import Met, Partner, met
from pbem.player.reading import opened
from pbem.player.seat import told_rules
from pbem.referee.pair import why_unfit

from .busy import in_turn
from .letters import agreed_on, game_of, keys_to_compare
from .notes import PairNotes
from .table import PairTable, check_pair_lines
from .talking import PairTalking

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.kernel import Json
    from pbem.ledger.pair import PairCourse
    from pbem.mail import Incoming


class Invited(NamedTuple):
    """What a letter invites to: who invites has the seat `theirs` and the key; `agreed` is what both would have signed."""

    game: str
    pack: GamePack
    theirs: str
    seat: str
    agreed: tuple[str, ...]
    key: str
    friend: str = ""
    """The address of who invites."""


class PairBeginning(PairTalking):
    """Makes games of two, and joins them."""

    def begin(
        self,
        pack: GamePack,
        options: Mapping[str, Json],
        seat: str,
        friend: str,
        terms: Mapping[str, Json],
        nonce: str,
        at: str,
        *,
        witness: str = "",
    ) -> str:
        """Make a game, take a seat, and lay the invitation ready; return what is to be said. Raises UsageError."""
        if pack.knowing is None:
            raise UsageError(
                _("{game} cannot be played without a host: its rules do not say who knows what.", game=pack.rules.title)
            )
        many = pack.rules.options_model.model_fields.get("players")
        two = {"players": 2} if many is not None and many.annotation is int else {}
        whole = pack.complete({**two, **options})
        seats = pack.rules.seats(whole)
        if len(seats) != 2:
            raise UsageError(
                _(
                    "{game} with these options is played by {seats}: without a host it is two who play. “pbem host new” makes a "
                    "game for others.",
                    game=pack.rules.title,
                    seats=", ".join(map(pack.look.seat_name, seats)),
                )
            )
        if friend.lower() == self.folder.settings.address.lower():
            raise UsageError(
                _("{friend} is your own address. Name your friend's; “pbem play” is for one alone.", friend=friend)
            )
        seat = seat or seats[0]
        if seat not in seats:
            raise UsageError(_("There is no seat “{seat}”; the seats are {seats}.", seat=seat, seats=", ".join(seats)))
        rules = {"id": pack.rules.id, "ver": pack.rules.version, "sha256": manifest(pack)[1]}
        first = append((-1, "0" * 64), first_entry(rules, whole, seats, nonce, terms))
        notes = PairNotes(first.hash, seat, pack.rules.title, friend, at, witness=witness)
        with self.alone():
            table = self.lying(notes.game)
            self.remember(notes.game)
            self.keep(notes)
            table.grow([first, self._joined(pack, [first], seat)])
            self.invite(notes, at)
        lines = [
            _(
                "{title}, game {game}. You play {seat}.",
                title=notes.title,
                game=notes.game[:8],
                seat=pack.look.seat_name(seat),
            ),
            _("You have signed this:"),
            *self._agreed_on(table),
            _("Your key, for your friend to compare with what his program shows:"),
            "  " + to_compare(table.entries[1].fields["say"]["key"]),
            _("When {friend} has joined, his answer begins the game.", friend=friend),
        ]
        return "\n".join(lines)

    @in_turn
    def withdraw(self, notes: PairNotes) -> str:
        """Forget an own invitation; its log is kept beside the games. Once the friend has joined, take back what was said and has
        not left. Return what is to be said. Raises UsageError where nothing can be.
        """
        if not self.table(notes).waits:
            return self.unsay(notes)
        self.tray.lay_aside(*(one for one in self.tray.unsent() if one.name.startswith(f"{notes.game[:8]}.")))
        self.path(notes.game, "two").unlink()
        log = self.path(notes.game, "pbem")
        log.replace(log.with_suffix(".withdrawn"))
        del self._tables[notes.game]
        return _("Withdrawn. Tell your friend, if the invitation has left: no letter does.")

    def _joined(self, pack: GamePack, entries: list[Entry], seat: str) -> Entry:
        key, first, last = self.folder.key, entries[0], entries[-1]
        vault = Vault(first.hash, seat, secret_of(player_root(key), first.hash, seat))
        cards = pack.knowing.next_deck() if pack.knowing else ()
        said = joined(key, vault, (last.n, last.hash), first.fields["seats"], cards)
        return append((last.n, last.hash), said)

    def _agreed_on(self, table: PairTable) -> list[str]:
        pack = table.pack
        rules = told_rules(pack, table.entries[0].fields["rules"])
        course, knowing = table.beginning, table.knowing  # which says so where the rules are not known here
        if why := why_unfit(knowing, course):
            raise UsageError(_("This game cannot be played: {why}.", why=why))
        return agreed_on(course, pack, rules or "")

    def join(self, raw: bytes, at: str, friend: str = "") -> str:
        """Take up an invitation, and lay the answer ready; return what is to be said, with the keys to compare.

        `friend` is the address of who invites, where the letter itself is not here. Raises UsageError, RecordError or Fault.
        """
        with self.alone():
            return self._join(opened(raw)[0], at, friend)

    def _join(self, mail: Incoming, at: str, friend: str) -> str:
        table = self._invitation(mail)
        sender = friend or mail.sender
        if not sender:
            raise UsageError(
                _("Who invites you? This is only the file that was attached: name his address with --host ADDRESS.")
            )
        course = table.beginning
        (theirs,) = course.seats
        seat = course.other(theirs)
        agreed = self._agreed_on(table)
        if course.seats[theirs].key == self.folder.key_line:
            raise UsageError(_("This is your own invitation: your friend is to join by it."))
        notes = PairNotes(table.game, seat, table.pack.rules.title, sender, at)
        friend_met = self.met(notes, course.seats[theirs].key, table)
        mine = self._joined(table.pack, table.entries, seat)
        made = PairTable(self.path(table.game, "pbem"), self.path(table.game, "seen"))
        self.remember(notes.game)
        made.grow([*table.entries, mine])
        self.keep(notes)
        self._tables[notes.game] = made
        self.go_on(notes, at)
        lines = [
            _(
                "{title}, game {game}. You play {seat}.",
                title=notes.title,
                game=notes.game[:8],
                seat=table.pack.look.seat_name(seat),
            ),
            _("You have signed this:"),
            *agreed,
            *told_keys(friend_met, self.table(notes).beginning, seat, table.pack),
        ]
        return "\n".join(lines)

    def met(self, notes: PairNotes, key: str, table: PairTable) -> Met:
        """Hold the friend's key against those of other games with him. Raises KeyChanged."""
        name = table.pack.look.seat_name
        (theirs,) = (seat for seat in table.entries[0].fields["seats"] if seat != notes.seat)
        return met(self.folder, notes.game, [Partner(notes.friend, name(theirs), key)])

    def invited(self, raw: bytes) -> Invited:
        """Return what a letter invites to, before anything is signed. Raises UsageError, RecordError or Fault."""
        mail = opened(raw)[0]
        table = self._invitation(mail)
        course, pack = table.beginning, table.pack
        (theirs,) = course.seats
        agreed = tuple(line.strip() for line in self._agreed_on(table))
        return Invited(table.game, pack, theirs, course.other(theirs), agreed, course.seats[theirs].key, mail.sender)

    def told_invitation(self, raw: bytes) -> str:
        """Say what a letter invites to, before anything is signed. Raises UsageError, RecordError or Fault."""
        found = self.invited(raw)
        return "\n".join(
            [
                _(
                    "An invitation to a game of two, without a host: {title}, game {game}. You would play {seat}.",
                    title=found.pack.rules.title,
                    game=found.game[:8],
                    seat=found.pack.look.seat_name(found.seat),
                ),
                _("By joining you agree to this:"),
                *(f"  {line}" for line in found.agreed),
            ]
        )

    def _invitation(self, mail: Incoming) -> PairTable:
        """Return the log of an invitation, in memory alone."""
        if mail.problem:
            raise UsageError(mail.problem)
        if not mail.log or not is_of_two_friends(mail.log):
            raise UsageError(_("This letter invites to no game of two."))
        check_pair_lines(mail.log)
        if game_of(mail.log):
            raise UsageError(_("This letter invites to no game of two: read it with “pbem read”."))
        table = PairTable(self.folder.home / "games" / "nowhere", self.folder.home / "games" / "nowhere")
        table.entries = table.brought(mail.log).entries
        if not table.entries or table.entries[0].k != "game" or len(table.entries) != 2:
            raise UsageError(_("This letter invites to no game of two: read it with “pbem read”."))
        _judged = table.beginning
        if self.named(table.game):
            raise UsageError(_("You play this game already."))
        if self.has_had(table.game):
            raise UsageError(
                _(
                    "You have played this game before (its first entry is the same): your program would keep the same "
                    "secrets as then, which may be known by now. Nothing has been signed. Let your friend make a new game "
                    "with “pbem with”; if you have lost your copy of one that goes on, ask him for the whole log: “pbem "
                    "copy” sends it."
                )
            )
        return table


def told_keys(friend: Met, course: PairCourse, own: str, pack: GamePack) -> list[str]:
    """Return what is to be said of the keys: both are compared in the third game, and nothing is said in a later one."""
    if not friend.due:
        return friend.lines
    said = _(
        "Compare these with your friend, by telephone or in some other way than these mails; they have to be the same at both:"
    )
    return [said, keys_to_compare(course, own, pack)]
