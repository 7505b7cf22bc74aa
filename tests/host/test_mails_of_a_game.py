"""A whole first game as a dialogue of mails: what two players are sent, and what they reply, from the invitation to the end.

It is kept in `tests/golden/tiny/`, to be read; PBEM_GOLDEN=write writes it anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.hammer.golden import compare

from .mailboxes import Mailboxes, parsed, text_of

_CHANGES = re.compile(
    r"SHA256:\S+|(?<=TOKEN )[0-9a-f]{32}|\b[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}\b|\b[0-9a-f]{4}(?: [0-9a-f]{4}){7}\b"
    r"|(?<=[Gg]ame )[0-9a-f]{8}\b|(?<=artie )[0-9a-f]{8}\b|\b[a-z]{5}(?:-[a-z]{5}){5}\b"
)
"""Keys, tokens, codes, heads and ids, which say nothing to who reads the dialogue."""


class Dialogue:
    """What has passed between a host and its players, in order."""

    def __init__(self, boxes: Mailboxes) -> None:
        self.boxes, self.lines = boxes, list[str]()
        self.read = dict.fromkeys(boxes.seats, 0)
        self._listen()

    def _listen(self) -> None:
        for seat in self.boxes.seats:
            for raw in self.boxes.letters[seat][self.read[seat] :]:
                files = [part.get_filename() for part in parsed(raw).iter_attachments()]
                kept = "".join(f"[{name}]\n" for name in files if name and name.endswith(".json"))
                self.lines.append(f"##### To {seat}: {parsed(raw)['Subject']}\n\n{text_of(raw).strip()}\n{kept}")
            self.read[seat] = len(self.boxes.letters[seat])

    def says(self, seat: str, said: str, to: bytes | None = None) -> str:
        """Let somebody reply, and note the reply, what the host decided, and what it wrote."""
        outcome = self.boxes.say(seat, said, to=to)
        self.lines.append(f"##### {seat} replies ({outcome})\n\n{said}\n")
        self._listen()
        return outcome

    @property
    def text(self) -> str:
        return _CHANGES.sub("…", "\n".join(self.lines)).rstrip("\n")


@pytest.mark.slow
def test_a_first_game_by_nothing_but_replies(tmp_path: Path) -> None:
    """Ann reads English, Bob French. Ann asks for help, changes an answer and takes care of her time zone; Bob makes mistakes."""
    with Mailboxes(tmp_path, hours=72, terms={"leave": 72}, languages={"bob": "fr"}) as boxes:
        ann, bob = boxes.seats
        all_ = Dialogue(boxes)
        all_.says(ann, "JOIN\nseven small goats")
        all_.says(bob, "Bonjour ! Oui, volontiers.")
        all_.says(bob, "JOIN trois moutons sur la colline")
        said = iter(
            [
                (ann, "HELP"), (ann, "1"), (ann, "2"), (ann, "ZONE Europe/London"), (bob, "9"), (bob, "ABSENT 1 JOUR"),
                (bob, "1, merci\n\nBob"),
            ]
        )  # fmt: skip
        for seat, words in said:
            all_.says(seat, words, boxes.put_to(seat))
        while boxes.asked:
            seat = boxes.asked[0]
            assert all_.says(seat, "1", boxes.put_to(seat)).startswith("order")
        assert all_.says(ann, "AGAIN") == "again: game 2"
        compare("replies.txt", all_.text, "tiny")
