"""In which language a seat, or somebody who looks on, is written to.

It stands in the host's store and in no log: "" is the language of the host's settings. Whoever runs the host chooses it when he
opens a game, and a player by a line `LANGUAGE fr` in a mail, which needs no signature: it changes no more than the words of
letters to the address that is registered, and one of them says so.
"""

from __future__ import annotations

from pbem.errors import UsageError
from pbem.i18n import _, languages

from .hosted import HostedGame
from .store import Store
from .store.rows import Member


def known(wanted: str) -> str:
    """Return the language that a code means, however it is written. Raises UsageError where it has no words.

    >>> known("FR"), known("fr-CA")
    ('fr', 'fr')
    """
    code = wanted.casefold().replace("-", "_")
    for language in languages():
        if language.casefold() in (code, code.partition("_")[0]):
            return language
    raise UsageError(
        _(
            "There are no words here for the language “{wanted}”. There are: {known}.",
            wanted=wanted, known=", ".join(languages()),
        )
    )  # fmt: skip


def understood(wanted: str) -> str:
    """Return the language that a code means, or "" where it is none that is known here."""
    try:
        return known(wanted) if wanted else ""
    except UsageError:
        return ""


def language_of(store: Store, sender: str) -> str:
    """Return the language of an address: as a player's in its latest game, else as that of one who looks on; "" is the host's.

    That of a member is what he said when he came.
    """
    played = sorted(store.registered(sender), key=lambda seat: (seat.stage in ("ended", "cancelled"), -seat.game))
    at = played or store.looking_on(sender)[::-1]
    if not at and (member := store.get(Member, address=sender.lower())):
        return member.language
    return at[0].language if at else ""


def choose(game: HostedGame, address: str, language: str) -> None:
    """Write to all seats of an address in this language, and to the address where it looks on."""
    for seat, row in game.seats.items():
        if row.address.lower() == address.lower():
            game.change_seat(seat, language=language)
    for at in game.house.store.looking_on(address):
        if at.game == game.id:
            game.house.store.change("observers", (game.id, at.address), language=language)
