"""What a player reads in his games of two: his friend's letters, of which he takes what is new and in order, or nothing.

It decides what is wrong with a letter, and says whose fault it is and what to do. It knows no mailbox: letters are handed in.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.errors import Fault, PbemError, RecordError, UsageError
from pbem.i18n import N_, _
from pbem.ledger import Entry, cj, read_line
from pbem.ledger.aloud import to_compare
from pbem.ledger.of_two import WORD
from pbem.ledger.pair.course import JOINS, is_consent
from pbem.player.reading import opened
from pbem.records import dataclass

from .beginning import PairBeginning, told_keys
from .letters import game_of
from .notes import PairNotes
from .proving import told
from .table import PairTable, Parted, check_pair_lines, replaced_in
from .talk import apart, keys_of_friend
from .words import check_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.kernel import Json
    from pbem.ledger import PrivateKey
    from pbem.mail import Incoming


_HAD = N_("You have read this letter already, or a later one. This is how it stands now:")
_OWN = N_("This letter is your own, for your friend to read: nothing in it is new here. This is how it stands now:")
_OWN_WORDS = N_(
    "This letter says that its words are your own: your friend reads them, and nothing is taken from it here."
)
_OTHER_KEY = N_(
    "Your friend has another key from now on; the one before has signed that. Compare it with him, by telephone or in some other "
    "way than these mails:"
)


@dataclass(frozen=True, slots=True)
class PairReading:
    """What came of a letter: the game, what is to be said of it, and whether anything was new. `invites`: it is not joined."""

    game: str
    text: str
    is_new: bool = True
    invites: bool = False


class Pairs(PairBeginning):
    """The games of two on one desk, with the letters that come for them."""

    def read(self, raw: bytes, at: str, *, instead: bool = False) -> PairReading:
        """Read a letter of a friend, and take what is new in it; a whole log `instead` of one's own that parts from it.

        Raises RecordError or UsageError, with what is wrong; then nothing has been taken.
        """
        mail, _bare = opened(raw)
        if mail.problem:
            raise UsageError(mail.problem)
        return self.take(mail, mail.arrived or at, instead=instead)

    def take(self, mail: Incoming, at: str, *, instead: bool = False) -> PairReading:
        """Take what is new in a letter that came at a moment."""
        with self.alone():
            return self._read_in(mail, at, instead=instead)

    def _read_in(self, mail: Incoming, at: str, *, instead: bool) -> PairReading:
        check_pair_lines(mail.log)
        log, words = apart(mail.log)
        if not words:
            return self._taken(mail, at, instead=instead)
        if not log:
            return self._words_alone(words, at)
        read = self._taken(replace(mail, log=log), at, instead=instead)
        return read if read.invites else self._with_words(read, words, at)

    def _words_alone(self, words: list[bytes], at: str) -> PairReading:
        """Take a letter that holds nothing of a log. Raises RecordError where nothing in it is the friend's."""
        game = game_of(words[0])
        if (notes := next((one for one in self.games() if one.game == game), None)) is None:
            raise UsageError(_("These words are of a game that is not on this desk: they are not shown."))
        shown, wrong = self.talk(notes).hear(notes, words, keys_of_friend(self.table(notes), notes.seat), at)
        if wrong and not shown:
            raise RecordError(wrong)
        text = "\n".join([*shown, *filter(None, [wrong])]) or _("You have read this letter already.")
        if not shown and not wrong and all(read_line(line)["say"]["seat"] == notes.seat for line in words):
            text = _(_OWN_WORDS)
        return PairReading(notes.game, text, is_new=bool(shown))

    def _with_words(self, read: PairReading, words: list[bytes], at: str) -> PairReading:
        """Show what the friend writes with his turn above what came of it; whose words they are not, is said."""
        notes = self.named(read.game)[0]
        try:
            shown, wrong = self.talk(notes).hear(notes, words, keys_of_friend(self.table(notes), notes.seat), at)
        except RecordError as why:  # the turn has been taken
            shown, wrong = [], str(why)
        text = "\n".join(filter(None, [*shown, wrong, read.text]))
        return replace(read, text=text, is_new=read.is_new or bool(shown))

    def _taken(self, mail: Incoming, at: str, *, instead: bool) -> PairReading:
        """Take what is new in the lines of a log, or a word, in a letter."""
        first = read_line(mail.log.split(b"\n", 1)[0])
        if isinstance(first, dict) and first.get("do") == WORD:
            return self._hear(first)
        game = game_of(mail.log)
        if not game:
            whole = PairTable(self.folder.home / "games" / "nowhere", self.folder.home / "games" / "nowhere")
            whole.entries = whole.brought(mail.log).entries
            game = whole.game
            if not self.named(game) or not self.lying(game).entries:
                if not whole.waits:  # the invitation alone is taken up again
                    self._must_not_be_withdrawn(game)
                return self._taken_up(whole, mail.sender, at)
        found = [notes for notes in self.games() if notes.game == game]
        if not found:
            self._must_not_be_withdrawn(game)
            raise UsageError(
                _(
                    "This letter is of game {game}, which is not on this desk. If you have lost your copy, ask your "
                    "friend for the whole "
                    "log: his program sends it with “pbem copy”.",
                    game=game[:8],
                )
            )
        try:
            return self._grown(found[0], mail, at, instead=instead)
        except Parted as parted:
            if parted.by != found[0].seat:
                raise
            return self._signed_twice(found[0], mail, parted, at, instead=instead)

    def _must_not_be_withdrawn(self, game: str) -> None:
        """Raise UsageError where the invitation to a game that is not on the desk was withdrawn, and the friend has joined."""
        beside = self.path(game, "withdrawn")
        if not beside.is_file():
            return
        raise UsageError(
            _(
                "Your friend has joined by an invitation that you had withdrawn: nothing has been taken from his letter. Tell "
                "him so. If you want to play after all, “pbem read {beside}” takes the invitation up again; then read this "
                "letter once more.",
                beside=beside,
            )
        )

    def _signed_twice(self, notes: PairNotes, mail: Incoming, parted: Parted, at: str, *, instead: bool) -> PairReading:
        """This player has signed two turns in one place: say so; or take the friend's whole log, which goes on from the other."""
        table = self.table(notes)
        if not instead:
            raise RecordError(
                _(
                    "Entry {n} of your log you have signed, and another one in its place, which this letter has or goes on from: "
                    "on another machine, perhaps, or in an older folder. Nothing has been taken. Only one of them counts. If it is "
                    "the one that your friend has, ask him for the whole log (“pbem copy” sends it): “pbem read MAIL --instead” "
                    "puts it in the place of yours, which is kept beside it. Then play on one machine alone.",
                    n=parted.n,
                )
            ) from parted
        whole = self._whole(mail, table)
        theirs = [entry.fields["by"] for entry in whole.entries[parted.n : parted.n + 1]]
        if theirs != [notes.seat] or whole.entries[: parted.n] != table.entries[: parted.n]:
            raise parted
        self._put_instead(notes, table, whole, parted.n, at)
        return PairReading(
            notes.game,
            _(
                "Your log is your friend's now, up to entry {last}. The one that you had parts from it at entry {n}, by two turns "
                "of yours; it is kept as {path}.",
                last=table.head[0],
                n=parted.n,
                path=table.path.with_suffix(".fork").name,
            ),
        )

    def _whole(self, mail: Incoming, table: PairTable) -> PairTable:
        """Return the friend's whole log, judged, in memory alone. Raises UsageError where the letter holds a part of it."""
        if game_of(mail.log):  # it does not begin with the first entry
            raise UsageError(_("That takes the whole log: ask your friend for it (“pbem copy” sends it)."))
        whole = table.nothing()
        try:
            whole.entries = whole.brought(mail.log).entries
            whole.look(self.key(whole))
        except Fault as why:
            raise self._at_fault(whole, [], why) from why
        return whole

    def _put_instead(self, notes: PairNotes, table: PairTable, whole: PairTable, n: int, at: str) -> None:
        self.put_instead(notes, table, whole, n)
        notes.since, notes.heard, notes.says = at, [], []
        notes.void(n - 1)
        notes.behind = -1
        self.keep(notes)
        if notes.witness:  # what waits for him holds the turn that counts no more
            self.name_witness(notes, notes.witness, at)

    def _gone_back(self, notes: PairNotes, mail: Incoming, table: PairTable, at: str) -> PairReading:
        """Put the friend's whole log in the place of one that goes further by turns of this player alone, which he has refused."""
        whole = self._whole(mail, table)
        n = len(whole.entries)
        if whole.waits or {entry.fields["by"] for entry in table.entries[n:]} != {notes.seat}:
            raise UsageError(
                _(
                    "There is no turn of yours at the end of your log that is not in this letter, too: nothing has been changed."
                )
            )
        if any(act["do"] == "over" for entry in table.entries[n:] for act in entry.fields["say"]["acts"]):
            raise UsageError(
                _(
                    "The turn that you had signed shows your secret, so nobody can play on from before it: nothing has been "
                    "changed. Agree with your friend on how the game ends."
                )
            )
        self._put_instead(notes, table, whole, n, at)
        return PairReading(
            notes.game,
            _(
                "Your log ends with entry {last} now, as your friend's does in this letter. What you had signed behind that is "
                "kept as {path}, and you can sign that turn again. If he has taken it after all, another one is a fork by you.",
                last=n - 1,
                path=table.path.with_suffix(".fork").name,
            ),
        )

    def _grown(self, notes: PairNotes, mail: Incoming, at: str, *, instead: bool) -> PairReading:
        table = self.table(notes)
        brought = table.brought(mail.log)
        if not brought.entries and table.waits:
            return PairReading(
                notes.game, _("This is your own invitation: your friend has not joined by it yet."), is_new=False
            )
        if not brought.entries and instead:
            return self._gone_back(notes, mail, table, at)
        if not brought.entries:
            had = table.entries[brought.since + 1 : brought.last + 1]
            own = all(entry.fields.get("by", notes.seat) == notes.seat for entry in had)
            return PairReading(notes.game, _(_OWN) if own else _(_HAD), is_new=False)
        waited, lapsed = table.waits, ""
        if waited:
            friend = self.met(notes, str(brought.entries[0].fields["say"].get("key", "")), table)
            self._begun(table, brought.entries)
        else:
            self._take(notes, table, brought.entries)
            lapsed = self.heard_back(notes, brought.entries[0].n)
            theirs = [entry for entry in brought.entries if entry.fields["by"] != notes.seat]
            if any(is_consent(entry.fields["say"]) for entry in theirs):
                said = self._let_go_back(notes, table)
                lapsed = said if is_consent(table.entries[-1].fields["say"]) else lapsed
        notes.since, notes.heard = at, []
        self.keep(notes)
        text = lapsed
        if waited:
            text = "\n".join(
                [
                    _("Your friend has joined: the game has begun."),
                    *told_keys(friend, table.beginning, notes.seat, table.pack),
                ]
            )
        known = (notes.friend.lower(), self.folder.settings.address.lower())  # one's own: from another machine
        text = "\n".join(filter(None, [text, _told_key(brought.entries, notes.seat), *self._unaddressed(notes)]))
        if notes.friend and mail.sender and mail.sender.lower() not in known:
            text += "\n" * bool(text) + _(
                "This letter came from {sender}; your friend has signed what is in it. Your letters go on to {friend}; "
                "“pbem address "
                "--friend ADDRESS” changes that.",
                sender=mail.sender,
                friend=notes.friend,
            )
        if brought.entries[-1].fields["say"].get("more"):
            text += "\n" * bool(text) + _(
                "Not all of this turn has come: ask your friend to send it again (“pbem resend” does)."
            )
        return PairReading(notes.game, text)

    def _let_go_back(self, notes: PairNotes, table: PairTable) -> str:
        """Forget what followed from answers that are taken back; say so."""
        held = bool(notes.along or notes.ahead)
        notes.void(table.head[0])
        notes.behind = -1
        said = _("Your friend lets you take back what you answered last: you are asked again.")
        return said + (" " + _("Plans that went with it, and what you had sent ahead, hold no longer.") if held else "")

    def _begun(self, table: PairTable, entries: list[Entry]) -> None:
        """Take the friend's join, and what he says with it."""
        before = list(table.entries)
        trial = PairTable(table.path, table.kept)
        trial.entries = [*before, entries[0]]
        try:
            play = trial.play(self.key(trial))
            trial.take(play, entries[1:])
        except Fault as why:
            raise self._at_fault(table, entries, why) from why
        table.entries = trial.entries

    def _take(self, notes: PairNotes, table: PairTable, entries: list[Entry]) -> None:
        play = self.play(table)
        try:
            table.take(play, entries)
        except Fault as why:
            raise self._at_fault(table, entries, why) from why

    def _at_fault(self, table: PairTable, entries: list[Entry], why: Fault) -> RecordError:
        """Say in words whose fault it is, and what to do."""
        if why.party == "supplier":
            return RecordError(
                _(
                    "Something in this letter was not signed as it stands there (entry {entry}, {code}): it was damaged "
                    "on its way, or "
                    "somebody else has written it. {reason} Nothing has been taken from it; ask your friend to send it again.",
                    entry=why.entry,
                    code=why.code,
                    reason=why,
                )
            )
        beside = table.evidence(entries)
        return RecordError(
            _(
                "This turn is at fault: entry {entry}, {code}, signed by {party}. {reason} Nothing has been taken from "
                "it, and the game "
                "waits as it did. It is kept as {beside}. Tell your friend: it may be an error of his program or of "
                "yours, so first use "
                "the same newest version both. Then send him your whole log (“pbem copy”): “pbem read MAIL --instead” lets him "
                "sign that turn again, and yours will take it.",
                entry=why.entry,
                code=why.code,
                party=table.pack.look.seat_name(why.party),
                reason=why,
                beside=beside.name,
            )
            + f" {told(table, entries, self.key(table), beside.name)}"
        )

    def _taken_up(self, whole: PairTable, sender: str, at: str) -> PairReading:
        """A log of which nothing is here: an invitation, or what this desk has lost and its key plays a seat of."""
        if whole.waits:  # its answer may be a letter of one's own, which the friend has not got yet
            whole.entries += self.mended(whole.game, whole)
        try:
            key = self.key(whole)
        except UsageError:
            if len(whole.entries) == 2:
                return PairReading(whole.game, "", invites=True)
            if replaced_in(whole.entries, self.folder.key.key_line) is not None:
                raise
            raise UsageError(
                _(
                    "This is a game of two others: your key plays no seat of it. “pbem verify” reads it. If you have made another "
                    "key with “pbem rekey”, and no turn of yours has told it yet, put the one before into {home}, too, as "
                    "key.before.",
                    home=self.folder.home,
                )
            ) from None
        _judged = whole.beginning
        seat = self._seat_of(whole, key)
        friend = sender if sender.lower() != self.folder.settings.address.lower() else ""
        notes = PairNotes(whole.game, seat, whole.pack.rules.title, friend, at)
        table = self.lying(whole.game)
        if table.entries:  # the notes alone were lost
            self.keep(notes)
            return PairReading(notes.game, _("The notes of this game are here again."))
        for kept in self.named(whole.game):  # the log alone was lost
            notes.friend, notes.witness, notes.told = kept.friend, kept.witness, kept.told
            notes.plans, notes.shows = kept.plans, kept.shows
        self._take_whole(notes, table, whole, key)
        self.remember(notes.game)
        self.keep(notes)
        self.path(notes.game, "withdrawn").unlink(missing_ok=True)  # it is taken up again
        if whole.waits:
            said = _("Your invitation to {title}, game {game}, is here again.", title=notes.title, game=notes.game[:8])
        else:
            said = _(
                "Your copy of {title}, game {game}, is here again, up to entry {last}. If you have signed a turn behind "
                "that, ask your "
                "friend whether he has it before you answer: another one would be a fork.",
                title=notes.title,
                game=notes.game[:8],
                last=table.head[0],
            )
        return PairReading(notes.game, "\n".join([said, *self._unaddressed(notes)]))

    def _unaddressed(self, notes: PairNotes) -> list[str]:
        return [] if notes.friend else [_("Name where your letters go with “pbem address --friend ADDRESS”.")]

    def _take_whole(self, notes: PairNotes, table: PairTable, whole: PairTable, key: PrivateKey) -> None:
        """Take a whole log in place of one that is not here, with what own letters add to it.

        The key may be one that stands only in a later entry: so it is judged from its end. Raises RecordError; then nothing is
        taken.
        """
        table.entries = list(whole.entries)
        try:
            if not whole.waits:
                table.entries += self.mended(notes.game, table)
                table.look(key)
                self.must_be_whole(notes, table)
            made, table.entries = table.entries, []
            table.grow(made)
        except Fault as why:
            table.entries = whole.entries[: JOINS + 1]
            raise self._at_fault(table, whole.entries[JOINS + 1 :], why) from why
        except PbemError:
            table.entries = []
            raise

    def _seat_of(self, table: PairTable, key: PrivateKey) -> str:
        for entry in reversed(table.entries):
            say = entry.fields.get("say", {})
            keys = [say.get("key"), *(act.get("key") for act in say.get("acts", ()) if act["do"] == "rekey")]
            if key.key_line in keys:
                return str(say["seat"])
        raise UsageError(_("This key plays no seat of this game."))

    def _hear(self, word: dict[str, Json]) -> PairReading:
        """Keep what a friend has said while it is this player's turn, to be quoted in the next turn."""
        game = game_of(cj(word))
        notes = next((one for one in self.games() if one.game == game), None)
        if notes is None:
            self._must_not_be_withdrawn(game)
            raise UsageError(_("This word is of a game that is not on this desk."))
        table = self.table(notes)
        if any(word in entry.fields["say"].get("acts", ()) for entry in table.entries[1:]):
            return PairReading(
                notes.game, _("You have read this letter already; your turn quotes what it says."), is_new=False
            )
        if isinstance(say := word.get("say"), dict) and say.get("seat") == notes.seat:
            return PairReading(notes.game, _(_OWN_WORDS), is_new=False)
        what = check_word(word, table, notes.seat)
        if what == "back" and not (play := self.play(table)).course.can_go_back(play.other):
            raise RecordError(
                _("Your friend asks back an answer that cannot be taken back any more: nothing has been taken from it.")
            )
        if word in notes.heard:
            return PairReading(notes.game, "", is_new=False)
        notes.heard.append(word)
        self.keep(notes)
        if what == "resign":
            return PairReading(
                notes.game, _("Your friend resigns. Your next turn, which asks nothing more, ends the game.")
            )
        return PairReading(notes.game, "")  # `told_offer` says it, as long as it stands


def _told_key(entries: Sequence[Entry], seat: str) -> str:
    """Show the key to which the friend of `seat` has gone over in entries, to be compared; "" where he has not."""
    theirs = [entry.fields["say"] for entry in entries if entry.fields.get("by", seat) != seat]
    keys = [act["key"] for say in theirs for act in say.get("acts", ()) if act["do"] == "rekey"]
    return "\n".join([_(_OTHER_KEY), f"  {to_compare(keys[-1])}"]) if keys else ""
