"""Reading a friend's letters in games of two: a letter is taken only if it is new and in order.

This module decides what is wrong with a letter, and names the cause and the remedy. It knows no mailbox: letters are passed in.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.errors import Fault, PbemError, RecordError, UsageError
from pbem.i18n import N_, _
from pbem.ledger import Entry, cj, read_line, sha256_hex
from pbem.ledger.aloud import to_compare
from pbem.ledger.first_line import WORD
from pbem.ledger.pair.course import JOINS
from pbem.ledger.statements import is_consent
from pbem.player.copy import check_lines
from pbem.player.reading import Reading

from .beginning import met_in, told_keys
from .laying import name_witness
from .letters import game_of
from .notes import PairNotes
from .proving import told
from .table import PairTable, Parted, damaged, replaced_in
from .talk import apart, check_word, keys_of_friend
from .turns import heard_back

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.kernel import Json
    from pbem.ledger import PrivateKey
    from pbem.mail import Incoming

    from .shelf import Pairs, PairSeat


_HAD = N_("You have already read this letter or a later one. The game now:")
_OWN = N_("This letter is your own, for your friend to read. It contains nothing new for you. The game now:")
_OWN_WORDS = N_(
    "This letter says that its words are your own: your friend reads them, and nothing is taken from it here."
)
_OTHER_KEY = N_(
    "Your friend has another key from now on; the one before has signed that. Compare it with him, by telephone or in some other "
    "way than these mails:"
)


class PairInbox:
    """Where a desk reads the letters of friends."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs

    def read(
        self, _raw: bytes, mail: Incoming, at: str, *, bare: bool, instead: bool, game: str, fetched: bool
    ) -> Reading:
        """Read a friend's letter, which must belong to `game` if that is named; `instead`: a whole log may replace a conflicting
        one. The other arguments are for the mails of hosts.

        Raises RecordError or UsageError with the reason; then nothing has been taken.
        """
        if mail.problem:
            raise UsageError(mail.problem)
        if game and (game_of(mail.log) or sha256_hex(mail.log.split(b"\n", 1)[0])) != game:
            raise UsageError(_("This is not a letter of this game: nothing has been changed."))
        with self.pairs.alone():
            read = self._read_in(mail, mail.arrived or at, instead=instead)
        return replace(read, goes_on=not read.invites)

    def _read_in(self, mail: Incoming, at: str, *, instead: bool) -> Reading:
        check_lines(mail.log, damaged)
        log, words = apart(mail.log)
        if not words:
            return self._taken(mail, at, instead=instead)
        if not log:
            return self._words_alone(words, at)
        read = self._taken(replace(mail, log=log), at, instead=instead)
        return read if read.invites else self._with_words(read, words, at)

    def _words_alone(self, words: list[bytes], at: str) -> Reading:
        """Take a letter without a part of a log. Raises RecordError if nothing in it is the friend's."""
        game = game_of(words[0])
        if (notes := self.pairs.found(game)) is None:
            raise UsageError(_("These words are of a game that is not on this desk: they are not shown."))
        seat = self.pairs.seat(notes)
        shown, wrong = seat.talk.hear(seat.notes, words, keys_of_friend(seat.table, seat.notes.seat), at)
        if wrong and not shown:
            raise RecordError(wrong)
        text = "\n".join([*shown, *filter(None, [wrong])]) or _("You have read this letter already.")
        if not shown and not wrong and all(read_line(line)["say"]["seat"] == seat.notes.seat for line in words):
            text = _(_OWN_WORDS)
        return Reading(seat.notes.game, text, is_new=bool(shown))

    def _with_words(self, read: Reading, words: list[bytes], at: str) -> Reading:
        """Show the friend's words with his turn above the result. Words that are not his are reported."""
        seat = self.pairs.seat(self.pairs.named(read.game)[0])
        try:
            shown, wrong = seat.talk.hear(seat.notes, words, keys_of_friend(seat.table, seat.notes.seat), at)
        except RecordError as why:  # the turn has been taken
            shown, wrong = [], str(why)
        return replace(
            read, text="\n".join(filter(None, [*shown, wrong, read.text])), is_new=read.is_new or bool(shown)
        )

    def _taken(self, mail: Incoming, at: str, *, instead: bool) -> Reading:
        """Take what is new in a letter: lines of a log, or a statement."""
        first = read_line(mail.log.split(b"\n", 1)[0])
        if isinstance(first, dict) and first.get("do") == WORD:
            return self._hear(first)
        game = game_of(mail.log)
        if not game:
            whole = self.pairs.whole(mail.log)
            game = whole.game
            if not self.pairs.named(game) or not self.pairs.lying(game).entries:
                if not whole.waits:  # the invitation alone is taken up again
                    self._must_not_be_withdrawn(game)
                return self._taken_up(whole, mail.sender, at)
        found = self.pairs.found(game)
        if found is None:
            self._must_not_be_withdrawn(game)
            raise UsageError(
                _(
                    "This letter is of game {game}, which is not on this desk. If you have lost your copy, ask your "
                    "friend for the whole "
                    "log: his program sends it with “pbem copy”.",
                    game=game[:8],
                )
            )
        seat = self.pairs.seat(found)
        try:
            return _grown(seat, mail, at, instead=instead)
        except Parted as parted:
            if parted.by != found.seat:
                raise
            return _signed_twice(seat, mail, parted, at, instead=instead)

    def _must_not_be_withdrawn(self, game: str) -> None:
        """Raise UsageError where the invitation to a game that is not on the desk was withdrawn, and the friend has joined."""
        beside = self.pairs.path(game, "withdrawn")
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

    def _taken_up(self, whole: PairTable, sender: str, at: str) -> Reading:
        """A log of which nothing is here: an invitation, or what this desk has lost and its key plays a seat of."""
        if whole.waits:  # its answer may be a letter of one's own, which the friend has not got yet
            whole.entries += self.pairs.mended(whole)
        folder = self.pairs.folder
        try:
            key = self.pairs.key(whole)
        except UsageError:
            if len(whole.entries) == 2:
                return Reading(whole.game, "", invites=True)
            if replaced_in(whole.entries, folder.key.key_line) is not None:
                raise
            raise UsageError(
                _(
                    "This is a game between two other players: your key has no seat in it. “pbem verify” reads "
                    "it. Perhaps you made a new key with “pbem rekey”, and no turn of yours has announced it "
                    "yet. If so, put the previous key into {home} too, as key.before.",
                    home=folder.home,
                )
            ) from None
        _judged = whole.beginning
        friend = sender if sender.lower() != folder.settings.address.lower() else ""
        notes = PairNotes(whole.game, _seat_of(whole, key), whole.pack.rules.title, friend, at)
        seat, table = self.pairs.seat(notes), self.pairs.lying(whole.game)
        if table.entries:  # the notes alone were lost
            seat.keep()
            return Reading(seat.notes.game, _("The notes of this game are here again."))
        for kept in self.pairs.named(whole.game):  # the log alone was lost
            notes.friend, notes.witness, notes.told = kept.friend, kept.witness, kept.told
            notes.plans, notes.shows = kept.plans, kept.shows
        _take_whole(seat, table, whole, key)
        self.pairs.remember(notes.game)
        seat.keep()
        seat.path("withdrawn").unlink(missing_ok=True)  # it is taken up again
        if whole.waits:
            said = _(
                "Your invitation to {title}, game {game}, is here again.",
                title=seat.notes.title,
                game=seat.notes.game[:8],
            )
        else:
            said = _(
                "Your copy of {title}, game {game}, is here again, up to entry {last}. If you have signed a turn behind "
                "that, ask your "
                "friend whether he has it before you answer: another one would be a fork.",
                title=seat.notes.title,
                game=seat.notes.game[:8],
                last=table.head[0],
            )
        return Reading(seat.notes.game, "\n".join([said, *_unaddressed(seat)]))

    def _hear(self, word: dict[str, Json]) -> Reading:
        """Keep what a friend has said while it is this player's turn, to be quoted in the next turn."""
        game = game_of(cj(word))
        notes = self.pairs.found(game)
        if notes is None:
            self._must_not_be_withdrawn(game)
            raise UsageError(_("This word is of a game that is not on this desk."))
        seat = self.pairs.seat(notes)
        table = seat.table
        if any(word in entry.fields["say"].get("acts", ()) for entry in table.entries[1:]):
            return Reading(
                seat.notes.game, _("You have read this letter already; your turn quotes what it says."), is_new=False
            )
        if isinstance(say := word.get("say"), dict) and say.get("seat") == seat.notes.seat:
            return Reading(seat.notes.game, _(_OWN_WORDS), is_new=False)
        what = check_word(word, table, seat.notes.seat)
        if what == "back" and not (play := seat.play()).course.can_go_back(play.other):
            raise RecordError(
                _("Your friend asks back an answer that cannot be taken back any more: nothing has been taken from it.")
            )
        if word in seat.notes.heard:
            return Reading(seat.notes.game, "", is_new=False)
        seat.notes.heard.append(word)
        seat.keep()
        if what == "resign":
            return Reading(
                seat.notes.game, _("Your friend resigns. Your next turn, which asks nothing more, ends the game.")
            )
        return Reading(seat.notes.game, "")  # `told_offer` says it, as long as it stands


def _signed_twice(seat: PairSeat, mail: Incoming, parted: Parted, at: str, *, instead: bool) -> Reading:
    """Report that this player has signed two turns for one entry; or take the friend's log, which continues from the other."""
    table = seat.table
    if not instead:
        raise RecordError(
            _(
                "You have signed two different entries {n}: one in your log, and one that this letter "
                "contains or follows. Perhaps you used another machine or an older folder. Nothing was "
                "taken; only one of the two can count. If your friend has the other one, ask him for the "
                "whole log (“pbem copy” sends it). “pbem read MAIL --instead” replaces your log with his; "
                "yours is kept next to it. From then on, play on one machine only.",
                n=parted.n,
            )
        ) from parted
    whole = _whole(seat, mail)
    theirs = [entry.fields["by"] for entry in whole.entries[parted.n : parted.n + 1]]
    if theirs != [seat.notes.seat] or whole.entries[: parted.n] != table.entries[: parted.n]:
        raise parted
    _put_instead(seat, whole, parted.n, at)
    return Reading(
        seat.notes.game,
        _(
            "Your log is your friend's now, up to entry {last}. The one that you had parts from it at entry {n}, by two turns "
            "of yours; it is kept as {path}.",
            last=table.head[0],
            n=parted.n,
            path=table.path.with_suffix(".fork").name,
        ),
    )


def _whole(seat: PairSeat, mail: Incoming) -> PairTable:
    """Return the friend's whole log, judged, in memory alone. Raises UsageError if the letter has only a part."""
    if game_of(mail.log):  # it does not begin with the first entry
        raise UsageError(_("That takes the whole log: ask your friend for it (“pbem copy” sends it)."))
    whole = seat.table.nothing()
    try:
        whole.entries = whole.brought(mail.log).entries
        whole.look(seat.pairs.key(whole))
    except Fault as why:
        raise _at_fault(seat, whole, [], why) from why
    return whole


def _put_instead(seat: PairSeat, whole: PairTable, n: int, at: str) -> None:
    seat.put_instead(whole, n)
    seat.notes.since, seat.notes.heard, seat.notes.says = at, [], []
    seat.notes.void(n - 1)
    seat.notes.behind = -1
    seat.keep()
    if seat.notes.witness:  # what waits for him holds the turn that counts no more
        name_witness(seat, seat.notes.witness, at)


def _gone_back(seat: PairSeat, mail: Incoming, table: PairTable, at: str) -> Reading:
    """Replace the log by the friend's whole log, if the extra turns are the player's alone and the friend has refused them."""
    whole = _whole(seat, mail)
    n = len(whole.entries)
    if whole.waits or {entry.fields["by"] for entry in table.entries[n:]} != {seat.notes.seat}:
        raise UsageError(
            _("Your log does not end with a turn of yours that is missing from this letter: nothing has been changed.")
        )
    if any(act["do"] == "over" for entry in table.entries[n:] for act in entry.fields["say"]["acts"]):
        raise UsageError(
            _(
                "The turn that you had signed shows your secret, so nobody can play on from before it: nothing has been "
                "changed. Agree with your friend on how the game ends."
            )
        )
    _put_instead(seat, whole, n, at)
    return Reading(
        seat.notes.game,
        _(
            "Your log now ends with entry {last}, as your friend's does in this letter. Everything that "
            "you had signed after that is kept as {path}, and you can sign that turn again. If your "
            "friend accepted it after all, another one is a fork by you.",
            last=n - 1,
            path=table.path.with_suffix(".fork").name,
        ),
    )


def _grown(seat: PairSeat, mail: Incoming, at: str, *, instead: bool) -> Reading:
    table = seat.table
    brought = table.brought(mail.log)
    if not brought.entries and table.waits:
        return Reading(
            seat.notes.game, _("This is your own invitation: your friend has not joined by it yet."), is_new=False
        )
    if not brought.entries and instead:
        return _gone_back(seat, mail, table, at)
    if not brought.entries:
        had = table.entries[brought.since + 1 : brought.last + 1]
        own = all(entry.fields.get("by", seat.notes.seat) == seat.notes.seat for entry in had)
        return Reading(seat.notes.game, _(_OWN) if own else _(_HAD), is_new=False)
    waited, lapsed = table.waits, ""
    if waited:
        friend = met_in(seat, str(brought.entries[0].fields["say"].get("key", "")), table)
        _begun(seat, table, brought.entries)
    else:
        _take(seat, table, brought.entries)
        lapsed = heard_back(seat, brought.entries[0].n)
        theirs = [entry for entry in brought.entries if entry.fields["by"] != seat.notes.seat]
        if any(is_consent(entry.fields["say"]) for entry in theirs):
            said = _let_go_back(seat, table)
            lapsed = said if is_consent(table.entries[-1].fields["say"]) else lapsed
    seat.notes.since, seat.notes.heard = at, []
    seat.keep()
    text = lapsed
    if waited:
        text = "\n".join(
            [
                _("Your friend has joined: the game has begun."),
                *told_keys(friend, table.beginning, seat.notes.seat, table.pack),
            ]
        )
    known = (seat.notes.friend.lower(), seat.folder.settings.address.lower())  # one's own: from another machine
    text = "\n".join(filter(None, [text, _told_key(brought.entries, seat.notes.seat), *_unaddressed(seat)]))
    if seat.notes.friend and mail.sender and mail.sender.lower() not in known:
        text += "\n" * bool(text) + _(
            "This letter came from {sender}, and your friend has signed its contents. Your letters still "
            "go to {friend}; “pbem address --friend ADDRESS” changes that.",
            sender=mail.sender,
            friend=seat.notes.friend,
        )
    if brought.entries[-1].fields["say"].get("more"):
        text += "\n" * bool(text) + _(
            "Not all of this turn has come: ask your friend to send it again (“pbem resend” does)."
        )
    return Reading(seat.notes.game, text)


def _let_go_back(seat: PairSeat, table: PairTable) -> str:
    """Forget what followed from answers that are taken back; say so."""
    held = bool(seat.notes.along or seat.notes.ahead)
    seat.notes.void(table.head[0])
    seat.notes.behind = -1
    said = _("Your friend lets you take back what you answered last: you are asked again.")
    return said + (" " + _("Plans that went with it, and what you had sent ahead, hold no longer.") if held else "")


def _begun(seat: PairSeat, table: PairTable, entries: list[Entry]) -> None:
    """Take the friend's join, and what he says with it."""
    before = list(table.entries)
    trial = PairTable(table.path, table.kept)
    trial.entries = [*before, entries[0]]
    try:
        trial.take(trial.play(seat.pairs.key(trial)), entries[1:])
    except Fault as why:
        raise _at_fault(seat, table, entries, why) from why
    table.entries = trial.entries


def _take(seat: PairSeat, table: PairTable, entries: list[Entry]) -> None:
    play = seat.play()
    try:
        table.take(play, entries)
    except Fault as why:
        raise _at_fault(seat, table, entries, why) from why


def _at_fault(seat: PairSeat, table: PairTable, entries: list[Entry], why: Fault) -> RecordError:
    """Say in words who is at fault, and what to do."""
    if why.party == "supplier":
        return RecordError(
            _(
                "Part of this letter was not signed in this form (entry {entry}, {code}): it was damaged on "
                "the way, or somebody else wrote it. {reason} Nothing was taken from it. Ask your friend to "
                "send it again.",
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
        + f" {told(table, entries, seat.pairs.key(table), beside.name)}"
    )


def _unaddressed(seat: PairSeat) -> list[str]:
    return (
        []
        if seat.notes.friend or seat.notes.relay
        else [_("Name where your letters go with “pbem address --friend ADDRESS”.")]
    )


def _take_whole(seat: PairSeat, table: PairTable, whole: PairTable, key: PrivateKey) -> None:
    """Take a whole log to replace a missing one, and add the turns in the player's own letters.

    The key may appear only in a later entry, so the log is checked from its end. Raises RecordError; then nothing has been taken.
    """
    table.entries = list(whole.entries)
    try:
        if not whole.waits:
            table.entries += seat.pairs.mended(table)
            table.look(key)
            seat.must_be_whole()
        made, table.entries = table.entries, []
        table.grow(made)
    except Fault as why:
        table.entries = whole.entries[: JOINS + 1]
        raise _at_fault(seat, table, whole.entries[JOINS + 1 :], why) from why
    except PbemError:
        table.entries = []
        raise


def _seat_of(table: PairTable, key: PrivateKey) -> str:
    for entry in reversed(table.entries):
        say = entry.fields.get("say", {})
        keys = [say.get("key"), *(act.get("key") for act in say.get("acts", ()) if act["do"] == "rekey")]
        if key.key_line in keys:
            return str(say["seat"])
    raise UsageError(_("This key plays no seat of this game."))


def _told_key(entries: Sequence[Entry], seat: str) -> str:
    """Show the key to which the friend of `seat` has gone over in entries, to be compared; "" where he has not."""
    theirs = [entry.fields["say"] for entry in entries if entry.fields.get("by", seat) != seat]
    keys = [act["key"] for say in theirs for act in say.get("acts", ()) if act["do"] == "rekey"]
    return "\n".join([_(_OTHER_KEY), f"  {to_compare(keys[-1])}"]) if keys else ""
