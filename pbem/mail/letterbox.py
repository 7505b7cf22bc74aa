"""A person's own mailbox (IMAP): the heads of new mails, and whole mails by their numbers. The mailbox is not changed.

The folder is opened read-only, so no mail can be marked or moved, unless its owner wants mails filed. A mail that was read then
goes to a separate folder. A server that renumbers the mails reports another `validity`.
"""

from __future__ import annotations

import imaplib
import re
from typing import NamedTuple

from pbem.errors import WorldError

from .imap import CUTS, ImapBox, _MailBox
from .incoming import MAX_FROM_HOST

MOST_HEADS = 5000
"""The maximum number of mails examined the first time, the newest ones: a mailbox may contain a lifetime's letters."""
_AT_ONCE = 500
_WANTED = "(BODY.PEEK[HEADER.FIELDS (FROM SUBJECT X-PBEM-SEAT)])"
_UID = re.compile(rb"\bUID (\d{1,10})\b")


class Head(NamedTuple):
    """The part of a mail that is looked at before it is fetched: its number, and the lines of some headers."""

    number: int
    lines: bytes


class Letterbox(ImapBox):
    """One folder of a person's mailbox."""

    files = False
    """Whether mails that were read are moved to the folder for processed mail."""

    @property
    def name(self) -> str:
        """What tells this folder from others."""
        to = self.settings
        return f"{to.user}@{to.host}/{to.folder}"

    def validity(self) -> int:
        """Return by which numbering its numbers count; 0 where the server names none."""
        with self._talking():
            self._open()
            return self._validity

    def heads(self, after: int) -> tuple[list[Head], int]:
        """Return the heads of the mails above a number, and how many older ones were passed over."""
        with self._talking():
            found = self._open().uids(f"UID {after + 1}:*", charset=None)
        numbers = sorted(number for number in map(int, found) if number > after)
        looked = numbers[-MOST_HEADS:]
        heads: list[Head] = []
        for at in range(0, len(looked), _AT_ONCE):
            part = looked[at : at + _AT_ONCE]
            with self._talking():
                said, answer = self._open().client.uid("FETCH", f"{part[0]}:{part[-1]}", _WANTED)
                if said != "OK":
                    raise imaplib.IMAP4.error(f"FETCH: {said}")
                heads += _heads(answer)
        return sorted(heads), len(numbers) - len(looked)

    def fetch(self, number: int, most: int = MAX_FROM_HOST) -> bytes | None:
        """Return the bytes of a mail, at most one more than `most`; None where it is not there any more."""
        self._cuts = CUTS  # a line that is cut is said at once: the mail is fetched by the next look
        fetched = self._mail(str(number), most)
        return fetched[0] if fetched else None

    def done(self, number: str) -> None:
        """Move a mail to the folder for processed mail. Raises WorldError if the server refuses."""
        super().done(number)
        if self.unmoved:
            raise WorldError(self.unmoved)

    def _choose(self, box: _MailBox) -> None:
        self._check_folder(box)
        if self.files:
            self._make_processed(box)
        box.folder.set(self.settings.folder, readonly=not self.files)
        self._note_validity(box)


def _heads(answer: list[object]) -> list[Head]:
    """The heads in the answer to FETCH; a server may say the number behind the lines."""
    found = []
    for no, part in enumerate(answer):
        if isinstance(part, tuple):
            behind = answer[no + 1] if no + 1 < len(answer) else b""
            said = _UID.search(part[0]) or (_UID.search(behind) if isinstance(behind, bytes) else None)
            if said:
                found.append(Head(int(said[1]), part[1]))
    return found
