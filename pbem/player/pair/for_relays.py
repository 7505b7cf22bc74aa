"""The letters of a desk's games of two that wait for a relay, and which of them go no other way.

An invitation does not: a friend who got it by mail would not know the relay. Letters of those who named no address do not go by
mail. The players can name the addresses later, or hand a letter over as a file.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import _

if TYPE_CHECKING:
    from pathlib import Path

    from .notes import PairNotes
    from .shelf import Pairs


class ForRelays:
    """The letters that wait for the relays of one desk's games of two."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs

    def with_one(self, game: str = "") -> list[PairNotes]:
        """Return the games of two with a relay, with ids that begin with `game`."""
        return [notes for notes in self.pairs.named(game) if notes.relay]

    def waiting(self, game: str = "", but: Collection[Path] = ()) -> list[Path]:
        """Return the letters to friends that wait and can go by a relay."""
        return [path for notes in self.with_one(game) for path in self.pairs.seat(notes).letters() if path not in but]

    def invitations(self) -> dict[Path, str]:
        """Return the invitations that wait, each with its link."""
        waits = [notes for notes in self.with_one() if self.pairs.seat(notes).table.waits]
        return {path: notes.relay for notes in waits for path in self.waiting(notes.game)}

    def check_goes_by_hand(self, letter: Path) -> None:
        """Raise UsageError if a letter is an invitation."""
        if link := self.invitations().get(letter):
            raise UsageError(
                _(
                    "This invitation goes by its relay: “pbem turn” posts it. Give your friend the link: {link}",
                    link=link,
                )
            )

    def not_by_mail(self) -> dict[Path, str]:
        """Return the letters that do not go by mail, each with what the player can do; "" for an invitation."""
        found: dict[Path, str] = {}
        for notes in self.with_one():
            if notes.friend and self.pairs.folder.settings.address:
                continue
            why = _(
                "{title}: pbem lacks your friend's e-mail address or yours, so your letter waits for the relay. “pbem send --eml "
                "FILE” writes it as a file for you to hand over. Or name the addresses: “pbem address ADDRESS” for yours, “pbem "
                "address --friend ADDRESS” for his.",
                title=notes.title,
            )
            found |= dict.fromkeys(self.waiting(notes.game), why)
        return found | dict.fromkeys(self.invitations(), "")
