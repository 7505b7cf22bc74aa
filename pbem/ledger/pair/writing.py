"""How a log of two grows: the bytes of an entry, and what a seat signs in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from pbem.ledger.canon import cj
from pbem.ledger.deck import DeckName, Shuffler
from pbem.ledger.first_line import PEER_PROTO
from pbem.ledger.keys import SAY, PrivateKey
from pbem.ledger.log import Entry, make_entry
from pbem.ledger.pair.forms import malformed
from pbem.ledger.pair.vault import Vault

ROOM = 40_000
"""The number of bytes of acts after which another turn is started; one more act still fits into the line."""
WIDE = 100
"""A deck of more cards begins a turn of its own: with its proof it needs most of a line."""


def append(head: tuple[int, str], fields: Mapping[str, Any]) -> Entry:
    """Return the entry behind a head. Raises FormError where it has not the form of its kind, or no room in a line."""
    return make_entry(head[0] + 1, head[1], fields, partial(malformed, fields["k"]))


def first_entry(
    rules: Mapping[str, Any], options: Mapping[str, Any], seats: Sequence[str], nonce: str, terms: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields of entry 0."""
    said = {"rules": dict(rules), "opts": dict(options), "seats": list(seats), "terms": dict(terms)}
    return {"k": "game", "proto": PEER_PROTO, "nonce": nonce, **said}


def _signed(kind: str, key: PrivateKey, say: dict[str, Any]) -> dict[str, Any]:
    return {"k": kind, "by": say["seat"], "say": say, "sig": key.sign(SAY, cj(say))}


def joined(
    key: PrivateKey, vault: Vault, head: tuple[int, str], seats: Sequence[str] = (), cards: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the fields of the entry with which a seat is taken, behind a head.

    The first of the `seats` lays out the first deck with it, if its `cards` are known.
    """
    said: dict[str, Any] = {
        "act": "join",
        "game": vault.game,
        "seat": vault.seat,
        "seen": list(head),
        "key": key.key_line,
    }
    said |= {"bound": vault.bound, "anchor": vault.chain.anchor, "mix": vault.mix.text}
    if cards and vault.seat == seats[0]:
        name = DeckName(vault.game, 1, tuple(cards), (seats[0], seats[1]))
        below = [name.elements[card] for card in name.cards]
        said["deck"] = {"cards": list(cards), **Shuffler(name, vault.seat, vault.deck(1), below).shuffle()}
    return _signed("join", key, said)


def signed_turn(
    key: PrivateKey,
    vault: Vault,
    no: int,
    head: tuple[int, str],
    acts: Sequence[Mapping[str, Any]],
    *,
    more: bool = False,
) -> dict[str, Any]:
    """Return the fields of a seat's turn `no`, behind a head."""
    said = {"act": "turn", "game": vault.game, "seat": vault.seat, "no": no, "seen": list(head), "acts": list(acts)}
    return _signed("turn", key, said | ({"more": True} if more else {}))


def signed_word(key: PrivateKey, vault: Vault, head: tuple[int, str], what: str) -> dict[str, Any]:
    """Return a seat's words during the other's turn, in the form that the other quotes."""
    say = {"act": "word", "game": vault.game, "seat": vault.seat, "seen": list(head), "what": what}
    return {"do": "word", "say": say, "sig": key.sign(SAY, cj(say))}
