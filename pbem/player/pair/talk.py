"""The words that two friends write to each other next to their game: signed, in their letters, and in no log.

This module decides which words are the friend's, and shows each of them once, however many letters bring it. Words prove nothing,
and no verdict considers them. `games/<id>.press` can be lost without harm, except that letters read again show their words again.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from pbem import private
from pbem.errors import FormError, RecordError, UsageError
from pbem.i18n import _
from pbem.kernel import tidy
from pbem.ledger import PRESS, SAY, cj, read_line, verify_sig
from pbem.ledger.fields import seconds_between
from pbem.ledger.first_line import WORDS
from pbem.ledger.pair.forms import malformed
from pbem.mail.press import A_DAY, marked, why_unfit
from pbem.player.tray import digits
from pbem.records import dataclass

from .table import keys_in

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from pbem.ledger import PrivateKey

    from .notes import PairNotes
    from .table import PairTable

_BEGINS = f'{{"do":"{WORDS}",'.encode()
_FIELDS = {"act", "game", "no", "seat", "text", "to"}
_MOST = 2**53


def apart(log: bytes) -> tuple[bytes, list[bytes]]:
    """Part the lines of a letter: those of the log, and those that bring words."""
    lines = log.removesuffix(b"\n").split(b"\n")
    words = [line for line in lines if line.startswith(_BEGINS)]
    return (b"".join(line + b"\n" for line in lines if not line.startswith(_BEGINS)), words) if words else (log, [])


def numbers_of(words: Sequence[bytes]) -> set[int]:
    """Return the numbers of words that a letter of one's own brings."""
    return {int(read_line(line)["say"]["no"]) for line in words}


@dataclass(frozen=True, slots=True)
class Written:
    """Written words, and when they were signed here or came. `behind` is the friend's last entry then, for the player's own."""

    at: str
    behind: int
    say: dict[str, Any]
    sig: str

    def signed_by(self, key: PrivateKey) -> Written:
        """The same, signed by a key."""
        return replace(self, sig=key.sign(PRESS, cj(self.say)))

    @property
    def line(self) -> bytes:
        """The line by which a letter brings it."""
        return cj({"do": WORDS, "say": self.say, "sig": self.sig}) + b"\n"

    @property
    def text(self) -> str:
        """Its form for display, in which no line can pose as another's."""
        return marked(tidy(str(self.say["text"])))


class Talk:
    """All that was written in a game, in the file `path`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def words(self) -> list[Written]:
        """All lines, in the order in which they were signed here or came. Raises RecordError if the file is damaged."""
        if not self.path.is_file():
            return []
        try:
            return [Written(**json.loads(line)) for line in self.path.read_text("utf-8").splitlines()]
        except (TypeError, ValueError) as why:
            raise RecordError(
                _(
                    "What you and your friend have written to each other ({path}) is damaged: {why}. Move the file away; the log "
                    "is not touched by it.",
                    path=self.path,
                    why=why,
                )
            ) from why

    def _keep(self, words: Sequence[Written]) -> None:
        private.put(self.path, "".join(f"{json.dumps(asdict(one))}\n" for one in words).encode())

    def own_since(self, seat: str, behind: int, waiting: Collection[int], unsent: Collection[int]) -> list[Written]:
        """Return this player's words that the friend may not have got, at most as many as fit in a letter.

        These are the words written since the friend's last entry, and those `waiting`, by number. Words that have never left have
        priority.
        """
        own = [one for one in self.words if one.say["seat"] == seat]
        found = [one.say["no"] for one in own if one.behind == behind or one.say["no"] in waiting]
        goes = sorted(found, key=lambda no: (no in unsent, no))[-A_DAY:]
        return [one for one in own if one.say["no"] in goes]

    def write(self, notes: PairNotes, key: PrivateKey, text: str, behind: int, at: str, waiting: int) -> None:
        """Sign words for the friend, and keep them; `waiting` is the number of words not yet sent.

        Raises UsageError if the text is too long, or if it exceeds the limit per day or per letter: waiting words must not be
        pushed out.
        """
        if why := why_unfit(text):
            raise UsageError(why)
        kept = self.words
        own = [one for one in kept if one.say["seat"] == notes.seat]
        if sum(seconds_between(one.at, at) < 24 * 3600 for one in own) >= A_DAY:
            raise UsageError(_("You have written {n} times within a day, and more is not sent. Wait a while.", n=A_DAY))
        if waiting >= A_DAY:
            raise UsageError(
                _(
                    "{n} of your messages wait to be sent, and a letter has no room for more. Send them first "
                    "(“pbem send”), then write this one.",
                    n=A_DAY,
                )
            )
        no = max(int(digits(at)), max((one.say["no"] for one in own), default=0) + 1)
        self._keep(
            [
                *kept,
                Written(
                    at,
                    behind,
                    {"act": "press", "game": notes.game, "no": no, "seat": notes.seat, "text": text, "to": ""},
                    "",
                ).signed_by(key),
            ]
        )

    def hear(self, notes: PairNotes, lines: Sequence[bytes], keys: Collection[str], at: str) -> tuple[list[str], str]:
        """Keep the friend's new words; return them to be shown, and why others were rejected ("" if none were).

        `keys` are the keys by which the friend may have signed. The player's own words, from another machine, are skipped.
        """
        kept, wrong = self.words, ""
        had = {(one.say["seat"], one.say["no"]) for one in kept}
        found = []
        for line in lines[:A_DAY]:
            said = read_line(line)
            if problem := _problem(said, notes, keys):
                wrong = problem
            elif (say := said["say"])["seat"] != notes.seat and (say["seat"], say["no"]) not in had:
                had.add((say["seat"], say["no"]))
                found.append(Written(at, -1, say, said["sig"]))
        if len(lines) > A_DAY:
            wrong = _("A letter can contain at most {n} pieces of press; the others are not shown.", n=A_DAY)
        if found:
            self._keep([*kept, *found])
        shown = [_("Your friend writes:") + f"\n\n{one.text}\n" for one in sorted(found, key=lambda one: one.say["no"])]
        return shown, wrong


def _problem(said: dict[str, Any], notes: PairNotes, keys: Collection[str]) -> str:
    """Why words are not shown; "" where they can be, or are one's own."""
    say = said.get("say")
    if set(said) != {"do", "say", "sig"} or not isinstance(say, dict) or set(say) != _FIELDS:
        return _("Words in this letter are damaged: they are not shown.")
    no, text = say["no"], say["text"]
    if (
        type(no) is not int
        or not 0 < no < _MOST
        or not isinstance(text, str)
        or (say["act"], say["to"]) != ("press", "")
    ):
        return _("Words in this letter are damaged: they are not shown.")
    if say["seat"] == notes.seat:
        return ""
    try:
        is_his = any(verify_sig(key, PRESS, cj(say), str(said["sig"])) for key in keys)
    except FormError:
        is_his = False
    if not is_his or say["game"] != notes.game:
        return _(
            "Some words in this letter were not signed by your friend for this game, so they are not "
            "shown. If he has made a new key, first read his turn that announces it."
        )
    return why_unfit(text)


def keys_of_friend(table: PairTable, seat: str) -> set[str]:
    """Return the key by which the friend of `seat` signs now."""
    return {key for one, key in keys_in(table.entries).items() if one != seat}


def check_word(word: dict[str, Any], table: PairTable, seat: str) -> str:
    """Return what a word says that counts now, to the player of `seat` or a witness (""). Raises RecordError, with the reason."""
    say = word.get("say")
    if set(word) != {"do", "say", "sig"} or malformed("word", say) or not isinstance(say, dict):
        raise RecordError(_("This word is damaged: nothing has been taken from it."))
    keys = keys_in(table.entries)
    try:
        signed = say["seat"] != seat and verify_sig(keys.get(say["seat"], ""), SAY, cj(say), str(word["sig"]))
    except FormError:
        signed = False
    if not signed:
        if not seat:
            raise RecordError(_("Neither of the two players signed this statement. Nothing was taken from it."))
        raise RecordError(_("This word was not signed by your friend: nothing has been taken from it."))
    if say["seen"] != list(table.head) and not seat:
        raise RecordError(
            _(
                "This statement was made after entry {n}, and the log has grown since. It is no longer valid.",
                n=say["seen"][0],
            )
        )
    if say["seen"] != list(table.head):
        raise RecordError(
            _(
                "This statement was made after entry {n}, and the log has grown since. It is no longer "
                "valid. Your friend can make it again in his turn.",
                n=say["seen"][0],
            )
        )
    return str(say["what"])
