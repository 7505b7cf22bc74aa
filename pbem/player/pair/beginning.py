"""How a game of two begins: one player creates it and invites, the other reads the terms and joins.

Each player signs the terms with the join. Each also sees both keys, to compare with the friend by some way other than these mails.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from pbem.errors import UsageError
from pbem.games import manifest
from pbem.i18n import _
from pbem.ledger import Entry, player_root, to_compare
from pbem.ledger.first_line import TWO, mode_of_lines
from pbem.ledger.pair import Vault, append, first_entry, joined
from pbem.ledger.pair.vault import secret_of
from pbem.player.copy import check_lines
from pbem.player.partners import Met, Partner, met
from pbem.player.reading import opened
from pbem.player.seat import told_rules
from pbem.referee.pair import why_unfit

from .laying import invite
from .letters import agreed_on, game_of, keys_to_compare
from .notes import PairNotes
from .table import damaged
from .turns import go_on

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.kernel import Json
    from pbem.ledger.pair import PairCourse
    from pbem.mail import Incoming

    from .shelf import Pairs, PairSeat
    from .table import PairTable


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


class PairJoiner:
    """Makes games of two, and joins them."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs

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
        relay: str = "",
    ) -> str:
        """Make a game, take a seat, and put the invitation in the tray; return the message to show. Raises UsageError.

        `relay` is the invitation's link, if letters go by a relay.
        """
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
        if friend.lower() == self.pairs.folder.settings.address.lower() != "" or not (friend or relay):
            raise UsageError(
                _("{friend} is your own address. Name your friend's; “pbem play” is for one alone.", friend=friend)
                if friend
                else _(
                    "Name your friend's e-mail address, or a relay, which needs none: pbem with --relay "
                    "https://relay.example.org"
                )
            )
        seat = seat or seats[0]
        if seat not in seats:
            raise UsageError(_("There is no seat “{seat}”; the seats are {seats}.", seat=seat, seats=", ".join(seats)))
        rules = {"id": pack.rules.id, "ver": pack.rules.version, "sha256": manifest(pack)[1]}
        first = append((-1, "0" * 64), first_entry(rules, whole, seats, nonce, terms))
        notes = PairNotes(
            first.hash, seat, pack.rules.title, friend, at, witness=witness, relay=relay, invites=bool(relay)
        )
        mine = self.pairs.seat(notes)
        with self.pairs.alone():
            table = self.pairs.lying(notes.game)
            self.pairs.remember(notes.game)
            mine.keep()
            table.grow([first, _joined(mine, pack, [first])])
            invite(mine, at)
        return "\n".join(
            [
                _(
                    "{title}, game {game}. You play {seat}.",
                    title=notes.title,
                    game=notes.game[:8],
                    seat=pack.look.seat_name(seat),
                ),
                _("You have signed this:"),
                *_agreed_on(table),
                _("Your key, for your friend to compare with what his program shows:"),
                "  " + to_compare(table.entries[1].fields["say"]["key"]),
                _("When {friend} has joined, his answer begins the game.", friend=friend or _("your friend")),
            ]
        )

    def join(
        self, raw: bytes, at: str, rules: str = "", *, seat: str = "", token: str = "", host: str = "", relay: str = ""
    ) -> str:
        """Accept an invitation, and put the answer in the tray; return the message to show, with the keys to compare.

        `host` is the address of the inviting player if the letter itself is not here, `relay` the link that led to it. Raises
        UsageError, RecordError or Fault.
        """
        if rules or seat or token:
            raise UsageError(
                _("--rules, --seat and --token are for a host's invitation. This one is a friend's: leave them out.")
            )
        with self.pairs.alone():
            return self._join(opened(raw)[0], at, host, relay)

    def _join(self, mail: Incoming, at: str, friend: str, relay: str) -> str:
        table = self._invitation(mail)
        sender = friend or mail.sender
        if not (sender or relay):
            raise UsageError(
                _("Who invites you? This is only the file that was attached: name his address with --host ADDRESS.")
            )
        course = table.beginning
        (theirs,) = course.seats
        agreed = _agreed_on(table)
        if course.seats[theirs].key == self.pairs.folder.key_line:
            raise UsageError(_("This is your own invitation: your friend is to join by it."))
        notes = PairNotes(table.game, course.other(theirs), table.pack.rules.title, sender, at, relay=relay)
        seat = self.pairs.seat(notes)
        friend_met = met_in(seat, course.seats[theirs].key, table)
        self.pairs.remember(notes.game)
        self.pairs.lying(notes.game).grow([*table.entries, _joined(seat, table.pack, table.entries)])
        seat.keep()
        go_on(seat, at)
        return "\n".join(
            [
                _(
                    "{title}, game {game}. You play {seat}.",
                    title=notes.title,
                    game=notes.game[:8],
                    seat=table.pack.look.seat_name(notes.seat),
                ),
                _("You have signed this:"),
                *agreed,
                *told_keys(friend_met, seat.table.beginning, notes.seat, table.pack),
            ]
        )

    def invited(self, raw: bytes) -> Invited:
        """Return what a letter invites to, before anything is signed. Raises UsageError, RecordError or Fault."""
        mail = opened(raw)[0]
        table = self._invitation(mail)
        (theirs,) = (course := table.beginning).seats
        agreed, key = tuple(map(str.strip, _agreed_on(table))), course.seats[theirs].key
        return Invited(table.game, table.pack, theirs, course.other(theirs), agreed, key, mail.sender)

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
        if mode_of_lines(mail.log) != TWO:
            raise UsageError(_("This letter invites to no game of two."))
        check_lines(mail.log, damaged)
        if game_of(mail.log):
            raise UsageError(_("This letter invites to no game of two: read it with “pbem read”."))
        table = self.pairs.whole(mail.log)
        if not table.entries or table.entries[0].k != "game" or len(table.entries) != 2:
            raise UsageError(_("This letter invites to no game of two: read it with “pbem read”."))
        _judged = table.beginning
        if self.pairs.named(table.game):
            raise UsageError(_("You play this game already."))
        if self.pairs.has_had(table.game):
            raise UsageError(
                _(
                    "You have played this game before (its first entry is the same). Your program would use the "
                    "same secrets again, which may be known by now. Nothing was signed. Let your friend make a "
                    "new game with “pbem with”. If you have lost your copy of a current game, ask him for the "
                    "whole log: “pbem copy” sends it."
                )
            )
        return table


def met_in(seat: PairSeat, key: str, table: PairTable) -> Met:
    """Hold the friend's key against those of other games with him. Raises KeyChanged."""
    name = table.pack.look.seat_name
    (theirs,) = (one for one in table.entries[0].fields["seats"] if one != seat.notes.seat)
    return met(seat.folder, seat.notes.game, [Partner(seat.notes.friend, name(theirs), key)])


def _joined(seat: PairSeat, pack: GamePack, entries: list[Entry]) -> Entry:
    key, last, game, own = seat.folder.key, entries[-1], seat.notes.game, seat.notes.seat
    vault = Vault(game, own, secret_of(player_root(key), game, own))
    head, cards = (last.n, last.hash), pack.knowing.next_deck() if pack.knowing else ()
    return append(head, joined(key, vault, head, entries[0].fields["seats"], cards))


def _agreed_on(table: PairTable) -> list[str]:
    pack = table.pack
    course, knowing = table.beginning, table.knowing  # which says so where the rules are not known here
    if why := why_unfit(knowing, course):
        raise UsageError(why)
    return agreed_on(course, pack, told_rules(pack, table.entries[0].fields["rules"]) or "")


def told_keys(friend: Met, course: PairCourse, own: str, pack: GamePack) -> list[str]:
    """Return the lines to show about the keys: compare both in the third game, and nothing in later ones."""
    if not friend.due:
        return friend.lines
    return [
        _(
            "Compare these with your friend, by telephone or in some other way than these mails; they have to be the same at both:"
        ),
        keys_to_compare(course, own, pack),
    ]
