"""Letters for a relay alone. An invitation goes no other way, and the letters of those who named no address do not go by mail.

A relay needs no address of the player or of the friend. Their letters then name nobody, and no mail server gets them. The player
can name the addresses later, if he wants to go on by mail. Without them he can still hand a letter over as a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import _

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.player import Desk


def invitations(desk: Desk) -> dict[Path, str]:
    """Return the invitations that wait for a relay, with their links: a friend who got one by mail would not know the relay."""
    return {
        path: one.notes.relay
        for one in desk.friends()
        if one.notes.relay and one.seat.table.waits
        for path in desk.relays.waiting(one.notes.game)
    }


def check_goes_by_hand(desk: Desk, letter: Path) -> None:
    """Raise UsageError if a letter is an invitation that waits for a relay."""
    if link := invitations(desk).get(letter):
        raise UsageError(
            _("This invitation goes by its relay: “pbem turn” posts it. Give your friend the link: {link}", link=link)
        )


def not_by_mail(desk: Desk) -> dict[Path, str]:
    """Return the letters that wait for a relay alone, each with what the player can do; "" for an invitation."""
    found = dict.fromkeys(invitations(desk), "")
    for one in desk.friends():
        if one.notes.relay and not (one.notes.friend and desk.settings.address):
            why = _(
                "{title}: pbem knows no e-mail address of your friend's, or none of yours, so your letter waits for the relay. "
                "“pbem send --eml FILE” writes it as a file for you to hand over. Or name the addresses: “pbem address ADDRESS” "
                "for yours, “pbem address --friend ADDRESS” for his.",
                title=one.notes.title,
            )
            found = dict.fromkeys(desk.relays.waiting(one.notes.game), why) | found
    return found
