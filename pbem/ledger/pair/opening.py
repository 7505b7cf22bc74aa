"""The things opened by the secrets of a log of two, as soon as each is shown: seals and decks of its seat, and both hands.

`course` is the `PairCourse` that has taken the log so far. The first fault in the order of entries counts.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

from pbem.errors import Fault, FormError
from pbem.i18n import _
from pbem.ledger.deck import Deck, DeckError, Shuffler
from pbem.ledger.pair.vault import Vault
from pbem.ledger.patch import changed


def open_all(course: Any, seat: str) -> Any:
    """Open what the secrets open that were shown so far, the last by `seat`, in the order of entries. Raises Fault there.

    That is what these seats have sealed and laid, and every hand of both: who knows one half of the common key reads them. Returns
    the course that knows it.
    """
    if course.is_known:
        return course
    seated, vault = course.seats[seat], course.vault(seat)
    if vault.chain.anchor != seated.anchor or vault.mix.text != seated.mix.text:
        n = next(n for n, name in enumerate(course.seats, 1) if name == seat)
        raise Fault(n, "SEALBIND", seat, _("Chain and half of the common key do not follow from the secret."))
    found: list[tuple[Any, partial[None]]] = []
    opened = dict(course.opened)
    for one in course.seats.values():
        found += [(at, partial(_open_hand, course, vault, at, hidden)) for at, hidden in one.hands]
        if one.secret:
            found += [(at, partial(_open_seal, course, opened, at, digest, hidden)) for at, digest, hidden in one.seals]
            found += [(at, partial(_open_layer, course, at, no)) for at, no in one.decks]
    for _at, opening in sorted(found, key=lambda one: (one[0].n, one[0].index)):
        opening()
    lying = {
        no: deck.reckoned({one: _half(course, deck, one).open() for one in course.names})
        for no, deck in course.decks.items()
        if course.is_over and len(deck.laid) == len(course.names) and no not in course.dead
    }
    seats = {
        name: changed(one, hands=(), **({"seals": (), "decks": ()} if one.secret else {}))
        for name, one in course.seats.items()
    }
    return course.but(seats=seats, opened=opened, lying={**course.lying, **lying})


def _open_hand(course: Any, vault: Vault, at: Any, hidden: str) -> None:
    try:
        vault.read_hand(course.seats[course.other(vault.seat)].mix, at.seat, at.no, at.index, hidden)
    except FormError as why:
        raise Fault(at.n, "SEALBIND", at.seat, str(why)) from None


def _open_seal(course: Any, opened: dict[Any, str], at: Any, digest: str, hidden: str) -> None:
    vault, text = course.vault(at.seat), None
    with suppress(FormError):
        text = vault.read(at.no, at.index, hidden)
    if type(text) is not str or vault.sealed(at.no, at.index, text) != digest:
        raise Fault(at.n, "SEALBIND", at.seat, _("The seal does not match the hidden value given with it."))
    opened[at] = text


def _open_layer(course: Any, at: Any, no: int) -> None:
    deck = course.decks[no]
    half = _half(course, deck, at.seat)
    if half.key != deck.keys[at.seat]:
        raise Fault(at.n, "CARD", at.seat, _("The deck was not hidden by the number that follows from the secret."))
    try:
        if no not in course.dead:
            deck.layer(at.seat, half.open())
    except DeckError as why:
        raise Fault(at.n, "CARD", at.seat, str(why)) from None


def _half(course: Any, deck: Deck, seat: str) -> Shuffler:
    return Shuffler(deck.name, seat, course.vault(seat).deck(deck.name.no), deck.below(seat))
