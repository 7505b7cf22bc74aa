"""The language of letters to a seat or an observer.

It is in the host's store and in no log; "" is the language of the host's settings. The operator chooses it when he opens a game. A
player chooses it by a line `LANGUAGE fr` in a mail. It needs no signature, because it changes only the words of letters to the
registered address, and one of them says so.
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
            "There is no translation into “{wanted}” here. The languages are: {known}.",
            wanted=wanted, known=", ".join(languages()),
        )
    )  # fmt: skip


def understood(wanted: str) -> str:
    """Return the language that a code means, or "" if it is unknown here."""
    try:
        return known(wanted) if wanted else ""
    except UsageError:
        return ""


def language_of(store: Store, sender: str) -> str:
    """Return the language of an address: as a player in its latest game, otherwise as an observer; "" is the host's.

    For a member without a game, it is the language he chose when he joined.
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
