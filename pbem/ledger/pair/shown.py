"""Secrets and numbers that a log shows after its decks, used to check earlier messages about the decks faster.

They are read in advance from the whole file. Nothing's form has been checked yet, and nothing is taken on trust: see `ShownDeck`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pbem.errors import FormError
from pbem.ledger.deck import DeckName, Shuffler
from pbem.ledger.group import known_element, number
from pbem.ledger.log import Entry
from pbem.ledger.pair.vault import Vault

_SECRET = re.compile(r"[0-9a-f]{64}")


class ShownNumbers:
    """The numbers and secrets that entries show, whatever they are."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._secrets: dict[str, str] = {}
        self._numbers: dict[tuple[int, str], object] = {}
        self._first: dict[int, list[object]] = {}
        """The elements that the first seat laid for each deck, on which the second seat's half depends."""
        for seat, act in _acts(entries):
            match act:
                case {"do": "over", "secret": str(secret)} if _SECRET.fullmatch(secret):
                    self._secrets[seat] = secret
                case {"do": "number", "no": int(no), "x": x}:
                    self._numbers[no, seat] = x
                case {"do": "deck", "no": int(no), "cards": list(), "deck": list(texts)}:
                    self._first[no] = texts

    def numbers(self, name: DeckName) -> Mapping[str, int] | None:
        """Return by seat the number of a deck; None where one of the two is not there."""
        found = {}
        for seat in name.seats:
            told = self._numbers.get((name.no, seat))
            try:
                if told is None and seat in self._secrets:
                    below = (
                        [known_element(text) for text in self._first.get(name.no, ())]
                        if seat == name.seats[1]
                        else [*name.elements.values()]
                    )
                    told = Shuffler(name, seat, Vault(name.game, seat, self._secrets[seat]).deck(name.no), below).open()
                found[seat] = number(told)
            except FormError:
                return None
        return found


def _acts(entries: Iterable[Entry]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for entry in entries:
        match entry.fields:
            case {"k": "join", "by": str(seat), "say": {"deck": dict(laid)}}:
                yield seat, {"do": "deck", "no": 1, **laid}
            case {"k": "turn", "by": str(seat), "say": {"acts": list(acts)}}:
                yield from ((seat, act) for act in acts if isinstance(act, dict))
