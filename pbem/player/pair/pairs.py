"""What a player does in his games of two: he makes one, joins one, reads his friend's letters, answers, and says what else there is.

It decides when something is signed: what holds no decision by itself, all else when its player has said it. What is signed stands in
the log before it lies in the tray, and is never signed otherwise. It knows no mailbox: letters are handed in, and laid ready.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem import private
from pbem.errors import Fault, FormError, RecordError, UsageError
from pbem.games import manifest
from pbem.i18n import N_, _
from pbem.ledger import Entry, cj, player_root, read_line
from pbem.ledger.pair import PairCourse, Vault, append, first_entry, joined, signed_word
from pbem.ledger.pair.vault import kept_under, secret_of
from pbem.player.reading import opened
from pbem.player.seat import told_rules

from .letters import (
    NAME,
    WORD,
    agreed_on,
    game_of,
    is_of_two_friends,
    keys_to_compare,
    lines_behind,
    write,
)
from .notes import PairNotes
from .table import PairTable, key_among
from .words import check_word

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.games import GamePack
    from pbem.kernel import Json, View
    from pbem.ledger import PrivateKey
    from pbem.mail import Incoming
    from pbem.player.folder import Folder
    from pbem.player.tray import Tray
    from pbem.referee.pair import PairPlay

_NAMED = 16
SAYS = ("resign", "draw", "agree")

_INVITES = N_(
    "I would like to play {title} with you, by mail and without a host: our two programs deal, roll and keep everything secret that is "
    "to be secret, and both check everything.\n\n"
    "Save this mail, and type in the terminal:\n\n    pbem join MAIL\n\nOr let pbem turn fetch it. Before you sign, the program tells "
    "what we agree on. If you have no pbem yet, its first pages say how it is installed.\n\n"
    "My key, for you to compare with what your program shows, by telephone or in some other way than this mail:\n\n  {key}\n"
)
_TURN = N_(
    "My turn in {title} is attached, entries {first} to {last} of our log.\n\nSave this mail and type pbem read MAIL, then pbem order "
    "and pbem send; or let pbem turn do all of that.\n\nHead of the log: {head}\n"
)
_NOTHING = N_(
    "This letter of {title} holds no decision of mine: my program sent it by itself, as yours waits for what is in it. Entries {first} to "
    "{last} of our log are attached.\n\nSave this mail and type pbem read MAIL, or let pbem turn fetch it.\n\nHead of the log: {head}\n"
)
_WHOLE = N_(
    "Our whole log of {title}, entries 0 to {last}, is attached. Save this mail and type pbem read MAIL, or let pbem turn fetch it: what "
    "you have of it stays as it is.\n\nHead of the log: {head}\n"
)
_WORD = {
    "resign": N_(
        "I resign our game of {title}. What I have signed is attached; save this mail and type pbem read MAIL, or let pbem turn fetch it."
    ),
    "draw": N_(
        "I offer a draw in our game of {title}. What I have signed is attached; save this mail and type pbem read MAIL, or let pbem turn "
        "fetch it. You may agree with pbem say agree, or play on."
    ),
}


@dataclass(frozen=True, slots=True)
class PairReading:
    """What came of a letter: the game, what is to be said of it, and whether anything in it was new. `invites`: it is not joined."""

    game: str
    text: str
    is_new: bool = True
    invites: bool = False


class Pairs:
    """The games of two on one desk."""

    def __init__(self, folder: Folder, tray: Tray) -> None:
        self.folder, self.tray = folder, tray
        self._tables: dict[str, PairTable] = {}

    # -- which there are --------------------------------------------------------------------------------------------

    def games(self) -> Iterator[PairNotes]:
        """Go through the games."""
        for path in sorted((self.folder.home / "games").glob("*.two")):
            yield PairNotes.read(path)

    def named(self, game: str) -> list[PairNotes]:
        """Return the games whose id begins so."""
        return [notes for notes in self.games() if notes.game.startswith(game.lower())]

    def path(self, game: str, ending: str) -> Path:
        """Return a file of a game: “pbem” its log, “two” the notes, “seen” the snapshot."""
        return self.folder.home / "games" / f"{game[:_NAMED]}.{ending}"

    def keep(self, notes: PairNotes) -> None:
        """Write the notes of a game."""
        notes.write(self.path(notes.game, "two"))

    def table(self, notes: PairNotes) -> PairTable:
        """Return the log of a game."""
        if notes.game not in self._tables:
            self._tables[notes.game] = self._open(notes.game)
        return self._tables[notes.game]

    def _open(self, game: str) -> PairTable:
        return PairTable(self.path(game, "pbem"), self.path(game, "seen"))

    def key(self, table: PairTable) -> PrivateKey:
        """Return the key that signs in a game: the desk's own, or the one before it, until the next turn has told of the change."""
        own = self.folder.key
        try:
            return key_among(table.entries, [own])
        except UsageError:
            return key_among(table.entries, [*self.folder.keys_before()])

    # -- making one, and joining ------------------------------------------------------------------------------------

    def begin(
        self,
        pack: GamePack,
        options: Mapping[str, Json],
        seat: str,
        friend: str,
        terms: Mapping[str, Json],
        nonce: str,
        at: str,
    ) -> str:
        """Make a game, take a seat, and lay the invitation ready; return what is to be said. Raises UsageError."""
        two = {"players": 2} if "players" in pack.rules.options_model.model_fields else {}
        whole = pack.complete({**two, **options})
        seats = pack.rules.seats(whole)
        if pack.knowing is None or len(seats) != 2:
            raise UsageError(
                _(
                    "{game} cannot be played without a host so: that is for two, in games whose rules say who knows what.",
                    game=pack.rules.title,
                )
            )
        seat = seat or seats[0]
        if seat not in seats:
            raise UsageError(
                _("There is no seat “{seat}”; the seats are {seats}.", seat=seat, seats=", ".join(seats))
            )
        rules = {"id": pack.rules.id, "ver": pack.rules.version, "sha256": manifest(pack)[1]}
        first = append((-1, "0" * 64), first_entry(rules, whole, seats, nonce, terms))
        notes = PairNotes(first.hash, seat, pack.rules.title, friend, at)
        table = self.table(notes)
        self.keep(notes)
        table.grow([first, self._joined(first, [first], seat)])
        self._invite(notes, at)
        lines = [
            _("{title}, game {game}. You play {seat}.", title=notes.title, game=notes.game[:8], seat=pack.look.seat_name(seat)),
            _("You have signed this:"),
            *self._agreed_on(table),
            _("Your key, for your friend to compare with what his program shows:"),
            "  " + to_compare_line(table.entries[1].fields["say"]["key"]),
            _("When {friend} has joined, his answer begins the game.", friend=friend),
        ]
        return "\n".join(lines)

    def _joined(self, first: Entry, entries: list[Entry], seat: str) -> Entry:
        key, last = self.folder.key, entries[-1]
        vault = Vault(first.hash, seat, secret_of(player_root(key), first.hash, seat))
        return append((last.n, last.hash), joined(key, vault, (last.n, last.hash)))

    def _invite(self, notes: PairNotes, at: str) -> None:
        key = to_compare_line(self.table(notes).entries[1].fields["say"]["key"])
        self._lay(notes, _("invitation to a game of two"), _(_INVITES, title=notes.title, key=key), at, whole=True)

    def _agreed_on(self, table: PairTable) -> list[str]:
        pack = table.pack
        rules = told_rules(pack, table.entries[0].fields["rules"])
        if rules is None:
            _unknown = table.knowing  # says why, and what to do
        return agreed_on(table.beginning, pack, rules or "")

    def join(self, raw: bytes, at: str, friend: str = "") -> str:
        """Take up an invitation, and lay the answer ready; return what is to be said, with the keys to compare.

        `friend` is the address of who invites, where the letter itself is not here. Raises UsageError, RecordError or Fault.
        """
        mail, _bare = opened(raw)
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
        _knows = table.knowing
        notes = PairNotes(table.game, seat, table.pack.rules.title, sender, at)
        mine = self._joined(table.entries[0], table.entries, seat)
        made = PairTable(self.path(table.game, "pbem"), self.path(table.game, "seen"))
        made.grow([*table.entries, mine])
        self.keep(notes)
        self._tables[notes.game] = made
        self.go_on(notes, at)
        lines = [
            _("{title}, game {game}. You play {seat}.", title=notes.title, game=notes.game[:8], seat=table.pack.look.seat_name(seat)),
            _("You have signed this:"),
            *agreed,
            self.compared(notes),
        ]
        return "\n".join(lines)

    def compared(self, notes: PairNotes) -> str:
        """Return both keys, and that they are to be compared."""
        table = self.table(notes)
        said = _("Compare these with your friend, by telephone or in some other way than these mails; they have to be the same at both:")
        return f"{said}\n{keys_to_compare(table.beginning, notes.seat, table.pack)}"

    def told_invitation(self, raw: bytes) -> str:
        """Say what a letter invites to, before anything is signed. Raises UsageError, RecordError or Fault."""
        table = self._invitation(opened(raw)[0])
        course, pack = table.beginning, table.pack
        (theirs,) = course.seats
        return "\n".join(
            [
                _(
                    "An invitation to a game of two, without a host: {title}, game {game}. You would play {seat}.",
                    title=pack.rules.title,
                    game=table.game[:8],
                    seat=pack.look.seat_name(course.other(theirs)),
                ),
                _("By joining you agree to this:"),
                *self._agreed_on(table),
                _("The key of who invites you, to be compared with him:"),
                "  " + to_compare_line(course.seats[theirs].key),
            ]
        )

    def _invitation(self, mail: Incoming) -> PairTable:
        """Return the log of an invitation, in memory alone."""
        if mail.problem:
            raise UsageError(mail.problem)
        if not mail.log or not is_of_two_friends(mail.log):
            raise UsageError(_("This letter invites to no game of two."))
        table = PairTable(self.folder.home / "games" / "nowhere", self.folder.home / "games" / "nowhere")
        table.entries = table.brought(mail.log).entries
        if not table.entries or table.entries[0].k != "game" or len(table.entries) != 2:
            raise UsageError(_("This letter invites to no game of two: read it with “pbem read”."))
        _judged = table.beginning
        if self.named(table.game):
            raise UsageError(_("You play this game already."))
        return table

    # -- reading ----------------------------------------------------------------------------------------------------

    def read(self, raw: bytes, at: str) -> PairReading:
        """Read a letter of a friend, and take what is new in it.

        Raises RecordError or UsageError, with what is wrong; then nothing has been taken.
        """
        mail, _bare = opened(raw)
        if mail.problem:
            raise UsageError(mail.problem)
        return self.take(mail, mail.arrived or at)

    def take(self, mail: Incoming, at: str) -> PairReading:
        """Take what is new in a letter that came at a moment."""
        first = read_line(mail.log.split(b"\n", 1)[0])
        if isinstance(first, dict) and first.get("do") == WORD:
            return self._hear(first)
        game = game_of(mail.log)
        if not game:
            whole = PairTable(self.folder.home / "games" / "nowhere", self.folder.home / "games" / "nowhere")
            whole.entries = whole.brought(mail.log).entries
            game = whole.game
            if not self.named(game):
                return self._taken_up(whole, mail.sender, at)
        found = [notes for notes in self.games() if notes.game == game]
        if not found:
            raise UsageError(
                _(
                    "This letter is of game {game}, which is not on this desk. If you have lost your copy, ask your friend for the whole "
                    "log: his program sends it with “pbem copy”.",
                    game=game[:8],
                )
            )
        return self._grown(found[0], mail, at)

    def _grown(self, notes: PairNotes, mail: Incoming, at: str) -> PairReading:
        table = self.table(notes)
        brought = table.brought(mail.log)
        if not brought.entries:
            return PairReading(notes.game, _("You have read this letter already, or a later one. This is how it stands now:"), is_new=False)
        waited = table.waits
        if waited:
            self._begun(table, brought.entries)
        else:
            self._take(notes, table, brought.entries)
        notes.since, notes.heard, notes.answers = at, [], []
        self.keep(notes)
        text = ""
        if waited:
            text = f"{_('Your friend has joined: the game has begun.')}\n{self.compared(notes)}"
        if mail.sender and mail.sender.lower() != notes.friend.lower():
            text += "\n" * bool(text) + _(
                "This letter came from {sender}; your friend has signed what is in it. Your letters go on to {friend}; “pbem address "
                "--friend ADDRESS” changes that.",
                sender=mail.sender,
                friend=notes.friend,
            )
        if brought.entries[-1].fields["say"].get("more"):
            text += "\n" * bool(text) + _("Not all of this turn has come: ask your friend to send it again (“pbem resend” does).")
        return PairReading(notes.game, text)

    def _begun(self, table: PairTable, entries: list[Entry]) -> None:
        """Take the friend's join, and what he says with it."""
        before = list(table.entries)
        trial = PairTable(table.path, table._kept)
        trial.entries = [*before, entries[0]]
        try:
            play = trial.play(self.key(trial))
            trial.take(play, entries[1:])
        except Fault as why:
            raise self._at_fault(table, entries, why) from why
        table.entries = trial.entries

    def _take(self, notes: PairNotes, table: PairTable, entries: list[Entry]) -> None:
        play = table.play(self.key(table))
        try:
            table.take(play, entries)
        except Fault as why:
            raise self._at_fault(table, entries, why) from why

    def _at_fault(self, table: PairTable, entries: list[Entry], why: Fault) -> RecordError:
        """Say in words whose fault it is, and what to do."""
        if why.party == "supplier":
            return RecordError(
                _(
                    "Something in this letter was not signed as it stands there (entry {entry}, {code}): it was damaged on its way, or "
                    "somebody else has written it. {reason} Nothing has been taken from it; ask your friend to send it again.",
                    entry=why.entry,
                    code=why.code,
                    reason=why,
                )
            )
        beside = table.evidence(entries)
        return RecordError(
            _(
                "This turn is at fault: entry {entry}, {code}, signed by {party}. {reason} Nothing has been taken from it, and the game "
                "waits as it did. It is kept as {beside}. Tell your friend: it may be an error of his program or of yours, so first use "
                "the same newest version both; he can then sign that turn again, and yours will take it.",
                entry=why.entry,
                code=why.code,
                party=why.party,
                reason=why,
                beside=beside.name,
            )
        )

    def _taken_up(self, whole: PairTable, sender: str, at: str) -> PairReading:
        """A log of which nothing is here: an invitation, or what this desk has lost and its key plays a seat of."""
        try:
            key = self.key(whole)
        except UsageError:
            if len(whole.entries) == 2:
                return PairReading(whole.game, "", invites=True)
            raise UsageError(_("This is a game of two others: your key plays no seat of it. “pbem verify” reads it.")) from None
        course = whole.beginning
        seat = self._seat_of(whole, key)
        friend = sender if sender.lower() != self.folder.settings.address.lower() else ""
        notes = PairNotes(whole.game, seat, whole.pack.rules.title, friend, at)
        table = PairTable(self.path(whole.game, "pbem"), self.path(whole.game, "seen"))
        if table.entries:  # the notes alone were lost
            self._tables[notes.game] = table
            self.keep(notes)
            return PairReading(notes.game, _("The notes of this game are here again."))
        table.entries = whole.entries[: 2 if whole.waits else 3]
        if not whole.waits:
            try:
                table.take(table.play(key), whole.entries[3:])
            except Fault as why:
                raise self._at_fault(table, whole.entries[3:], why) from why
        else:
            table.grow([])
        _judged = course
        self._tables[notes.game] = table
        self.keep(notes)
        return PairReading(
            notes.game,
            _(
                "Your copy of {title}, game {game}, is here again, up to entry {last}. If you have signed a turn behind that, ask your "
                "friend whether he has it before you answer: another one would be a fork.",
                title=notes.title,
                game=notes.game[:8],
                last=table.head[0],
            ),
        )

    def _seat_of(self, table: PairTable, key: PrivateKey) -> str:
        for entry in reversed(table.entries):
            say = entry.fields.get("say", {})
            keys = [say.get("key"), *(act.get("key") for act in say.get("acts", ()) if act["do"] == "rekey")]
            if key.key_line in keys:
                return str(say["seat"])
        raise UsageError(_("This key plays no seat of this game."))

    def _hear(self, word: dict[str, Json]) -> PairReading:
        """Keep what a friend has said while it is this player's turn, to be quoted in the next turn."""
        notes = next((one for one in self.games() if one.game == game_of(cj(word))), None)
        if notes is None:
            raise UsageError(_("This word is of a game that is not on this desk."))
        table = self.table(notes)
        what = check_word(word, table, notes.seat)
        if word in notes.heard:
            return PairReading(notes.game, "", is_new=False)
        notes.heard.append(word)
        self.keep(notes)
        if what == "resign":
            return PairReading(notes.game, _("Your friend resigns. Your next turn, which asks nothing more, ends the game."))
        return PairReading(notes.game, _("Your friend offers a draw: “pbem say agree” accepts it; or play on."))

    # -- this player's turn -----------------------------------------------------------------------------------------

    def go_on(self, notes: PairNotes, at: str) -> PairPlay | None:
        """Sign what holds no decision, and lay it ready; return the play where something is asked now."""
        table = self.table(notes)
        if table.waits:
            return None
        key = self.key(table)
        play = table.play(key)
        if play.course.baton != notes.seat or play.course.is_over:
            return None
        made = play.turn(key, besides=self._besides(notes, table, play))
        self._sign(notes, play, made)
        for text in list(notes.answers):
            if play.question is None:
                break
            made = play.turn(key, text)
            self._sign(notes, play, made)
        if play.question is None:
            self._lay_turn(notes, play, at, decided=False)
            return None
        return play

    def _sign(self, notes: PairNotes, play: PairPlay, made: list[Entry]) -> None:
        if not made:
            return
        self.table(notes).signed(play, made)
        given = sum(act["do"] in ("seal", "order") for entry in made for act in entry.fields["say"]["acts"])
        notes.answers, notes.heard, notes.says = notes.answers[given:], [], []
        self.keep(notes)

    def _besides(self, notes: PairNotes, table: PairTable, play: PairPlay) -> list[dict[str, Json]]:
        """What stands first in this turn: quoted words, what the player says, another key."""
        quoted = [dict(word) for word in notes.heard if word["say"]["seen"] == list(table.head)]
        says = [{"do": "say", "what": what} for what in notes.says]
        if any(word["say"]["what"] == "resign" for word in quoted):
            says = []
        own = self.folder.key
        if play.course.seats[notes.seat].key != own.key_line and not play.course.seats[notes.seat].secret:
            kept = kept_under(player_root(own), notes.game, notes.seat, play.vault.secret)
            says.append({"do": "rekey", "key": own.key_line, "kept": kept})
        return [*quoted, *says]

    def asked(self, notes: PairNotes, at: str) -> PairPlay:
        """Return the play in which something is asked. Raises UsageError where nothing is."""
        play = self.go_on(notes, at)
        if play is None:
            raise UsageError(_("You are not asked anything now."))
        return play

    def order(self, notes: PairNotes, play: PairPlay, text: str, at: str) -> str:
        """Answer what a play that goes on asks; sign the turn if it asks no more. Return the order in its one form.

        Raises OrderError where it is not legal: then nothing has changed.
        """
        key = self.key(self.table(notes))
        parsed = str(play.game.parse(play.view, text))
        made = play.turn(key, text)
        notes.answers.append(parsed)
        self.keep(notes)
        self._sign(notes, play, made)
        if play.question is None:
            self._lay_turn(notes, play, at, decided=True)
        return parsed

    def say(self, notes: PairNotes, what: str, at: str) -> str:
        """Say something besides an order: in this player's turn with it, in the other's by a letter of its own. Return what is told."""
        table = self.table(notes)
        if table.waits:
            raise UsageError(_("The game has not begun: your friend has not joined yet."))
        key = self.key(table)
        play = table.play(key)
        course = play.course
        if course.is_over or play.result is not None:
            raise UsageError(_("The game is over."))
        if course.baton != notes.seat:
            if what == "agree":
                raise UsageError(_("It is your friend's turn: nothing can be agreed to now. You may offer a draw yourself."))
            word = signed_word(key, play.vault, course.head, what)
            self._put(notes, f"{WORD}.{what}.{course.head[0]}", _("a word"), _(_WORD[what], title=notes.title), cj(word) + b"\n", at)
            return _("Signed: {said}. Your friend's program quotes it in his next turn.", said=what)
        offered = course.offer == course.other(notes.seat) or any(word["say"]["what"] == "draw" for word in notes.heard)
        if what == "agree" and not offered:
            raise UsageError(_("Your friend has offered no draw."))
        notes.says = [*(one for one in notes.says if one != what), what]
        if what == "resign":
            notes.answers, notes.says = [], [what]
        self.keep(notes)
        if what == "draw":
            return _("Your next order takes the offer along.")
        self.go_on(notes, at)
        return _("Signed: {said}", said=what)

    # -- letters ----------------------------------------------------------------------------------------------------

    def _lay_turn(self, notes: PairNotes, play: PairPlay, at: str, *, decided: bool) -> None:
        about = _("my turn") if decided else _("nothing to decide, sent by the program")
        if play.course.is_over or play.result is not None:
            about = _("the game is over")
        notes.since = at
        self.keep(notes)
        self._lay(notes, about, "", at, decided=decided)

    def _lay(
        self, notes: PairNotes, about: str, text: str, at: str, *, whole: bool = False, decided: bool = True
    ) -> Path:
        """Lay a letter ready with what the friend has not got for certain; one that waited is in it, and goes no more."""
        table = self.table(notes)
        first, log = lines_behind(table.entries, notes.seat, whole=whole)
        last, head = table.head
        said = _TURN if decided else _NOTHING
        text = text or _(said, title=notes.title, first=first, last=last, head=head[:16])
        waiting = [path for path in self.tray.unsent() if path.name.startswith(f"{notes.game[:8]}.{NAME}.")]
        self.tray.lay_aside(*waiting)
        return self._put(notes, f"{NAME}.{last}", about, text, log, at)

    def _put(self, notes: PairNotes, name: str, about: str, text: str, log: bytes, at: str) -> Path:
        if not notes.friend:
            raise UsageError(_("Where does your friend read his mail? Name it with “pbem address --friend ADDRESS”."))
        path = self.folder.home / "out" / f"{notes.game[:8]}.{name}.eml"
        private.put(path, write(self.folder.settings.address, notes, name, about, text, log, at))
        return path

    def again(self, notes: PairNotes, at: str, *, whole: bool = False) -> None:
        """Lay the last letter ready once more, as it was signed; or the `whole` log."""
        table = self.table(notes)
        if table.waits:
            self._invite(notes, at)
        elif whole:
            last, head = table.head
            text = _(_WHOLE, title=notes.title, last=last, head=head[:16])
            self._lay(notes, _("the whole log"), text, at, whole=True)
        else:
            _first, log = lines_behind(table.entries, notes.seat)
            if not log:
                raise UsageError(_("It is your turn: there is no letter of yours that your friend has not answered."))
            self._lay(notes, _("my turn"), "", at)

    # -- what is shown ----------------------------------------------------------------------------------------------

    def state(self, notes: PairNotes) -> tuple[str, str]:
        """Return how a game stands: “joining”, “mine”, “theirs” or “over”, and the seat whose turn it is."""
        table = self.table(notes)
        if table.waits:
            return "joining", ""
        last = table.entries[-1]
        overs = {e.fields["by"] for e in table.entries[3:][-8:] for act in e.fields["say"].get("acts", ()) if act["do"] == "over"}
        if len(overs) == len(table.entries[0].fields["seats"]):
            return "over", ""
        seats, by = table.entries[0].fields["seats"], str(last.fields["by"])
        keeps = last.k == "join" or last.fields["say"].get("more", False)
        baton = by if keeps else next(seat for seat in seats if seat != by)
        return ("mine" if baton == notes.seat else "theirs"), baton


def to_compare_line(key_line: str) -> str:
    """Return what is read out of a key, as two lines that are set in."""
    from pbem.ledger import to_compare

    return to_compare(key_line)


__all__ = ["SAYS", "PairCourse", "PairReading", "Pairs"]
