"""A deck that two seats shuffle together without a third person. Each sees only its own cards.

Each card is an element that follows from game, deck and card. The first seat multiplies all elements by a secret number and puts
them in an order of its choice; the second does the same with the result. The rules of the game say which places belong to which
seat. To deal a place, the other seat removes its number (a `share`, with a proof); the owner removes its own and sees the card. The
owner plays the card with a proof of its identity. When no card is hidden any longer, both show their numbers, and everything is
checked again.

Each deck carries a proof that it is the deck below it, shuffled (`pbem.ledger.shuffle`), so anybody can refuse a false one at once.
`Deck` checks every message with public knowledge; `Shuffler` is one seat's half, with its secret. The place and time of the
messages in a log are not decided here. docs/reference/deck.md specifies their form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from functools import cached_property
from typing import Any

from pbem.errors import FormError, PbemError
from pbem.i18n import N_, _
from pbem.ledger.group import (
    BASE,
    Element,
    KnownMultiples,
    LogProof,
    element,
    hashed,
    holds,
    inverse,
    known_element,
    multiple,
    number,
    of_number,
    proof,
    prove,
)
from pbem.ledger.patch import changed
from pbem.ledger.shuffle import PROTO, DeckHalf, ShuffleProofs, Statement, proves
from pbem.records import dataclass


class DeckError(PbemError):
    """Something said of a deck that is not right: in one word what, and the seat at fault."""

    def __init__(self, code: str, seat: str, why: str) -> None:
        super().__init__(why)
        self.code, self.seat = code, seat


def _must(holds: bool, code: str, by: str, why: str, /, **values: object) -> None:
    if not holds:
        raise DeckError(code, by, _(why, **values))


@contextmanager
def _formed(code: str, seat: str) -> Iterator[None]:
    """Turn a FormError inside the block into a DeckError that names the seat."""
    try:
        yield
    except FormError as error:
        raise DeckError(code, seat, str(error)) from error


@dataclass(frozen=True)
class DeckName:
    """Which deck of which game it is, which cards are in it, and the two seats in the order in which they shuffle."""

    game: str
    no: int
    cards: tuple[str, ...]
    seats: tuple[str, str]

    @cached_property
    def elements(self) -> Mapping[str, Element]:
        """Each card's element."""
        return {card: hashed(PROTO, "card", self.game, self.no, card) for card in self.cards}

    @cached_property
    def by_bytes(self) -> Mapping[bytes, str]:
        """Each card by the bytes of its element."""
        return {found.data: card for card, found in self.elements.items()}

    def about(self, what: str, seat: str, place: int, card: str = "") -> list[object]:
        """Return the subject of a proof."""
        return [PROTO, what, self.game, self.no, seat, place, card]

    def other(self, seat: str) -> str:
        """The other seat."""
        return self.seats[1 - self.seats.index(seat)]


class Shuffler:
    """One seat's half of a deck. `seed` is his secret for this deck alone, 64 hex digits, and all he has to keep.

    `below` is the deck that he shuffles, which he has judged: the cards, or what the first seat has laid.
    """

    def __init__(self, deck: DeckName, seat: str, seed: str, below: Sequence[Element]) -> None:
        self.deck, self.seat, self._seed = deck, seat, seed
        self._half = DeckHalf((deck.game, deck.no, seat), seed, below)
        self._number = self._half.number

    def shuffle(self) -> dict[str, Any]:
        """Return his word: the deck below, shuffled and hidden, with the proof of that."""
        return self._half.word(self.key)

    def share(self, place: int, lies: Element) -> dict[str, Any]:
        """Take one's own number off a place that is the other seat's, so that he alone sees it."""
        share = self.taken_off(lies)
        said = prove(
            self._number, [(BASE, self.key), (share, lies)], self.deck.about("share", self.seat, place), self._seed
        )
        return {"place": place, "share": share.text, "proof": said.text}

    def taken_off(self, lies: Element) -> Element:
        """Return an element with this seat's own number removed."""
        return multiple(inverse(self._number), lies)

    def look(self, place: int, share: Element) -> str:
        """Return the card at one of this seat's places, by the other's share. Raises DeckError if it is not a card of the deck."""
        card = self.deck.by_bytes.get(multiple(inverse(self._number), share).data)
        if card is None:
            why = _("The value at place {place} is not a card of this deck.", place=place)
            raise DeckError("FOREIGN", self.deck.other(self.seat), why)
        return card

    def play(self, place: int, share: Element) -> dict[str, Any]:
        """Show the card at one of this seat's places. Raises DeckError if it is not a card of this deck."""
        card = self.look(place, share)
        pairs = [(BASE, self.key), (self.deck.elements[card], share)]
        said = prove(self._number, pairs, self.deck.about("play", self.seat, place, card), self._seed)
        return {"place": place, "card": card, "proof": said.text}

    def open(self) -> str:
        """Show one's number, once the deck is dead."""
        return of_number(self._number)

    @cached_property
    def key(self) -> Element:
        """What everybody sees of his number."""
        return multiple(self._number, BASE)


@dataclass(frozen=True)
class Deck:
    """What everybody knows of a deck: a value. Each word is judged as it comes, and gives the next one."""

    name: DeckName
    keys: Mapping[str, Element] = field(default_factory=dict)
    laid: Mapping[str, tuple[Element, ...]] = field(default_factory=dict)
    shares: Mapping[int, Element] = field(default_factory=dict)
    played: Mapping[int, str] = field(default_factory=dict)
    proofs: ShuffleProofs | None = field(default=None, repr=False)
    """Where the proofs of a whole log are judged together; None: each as it comes."""

    def below(self, seat: str) -> tuple[Element, ...]:
        """Return the deck that a seat shuffles: the cards, or what the first has laid."""
        return tuple(self.name.elements.values()) if seat == self.name.seats[0] else self.laid[self.name.seats[0]]

    def take_deck(self, seat: str, said: Mapping[str, Any]) -> Deck:
        """Take a seat's word that lays the deck out, or shuffles it. Raises DeckError."""
        _must(self._is_next(seat), "TURN", seat, N_("It is not the turn of {seat} to shuffle."), seat=seat)
        texts, n = said.get("deck"), len(self.name.cards)
        is_whole = isinstance(texts, list) and len(texts) == n
        _must(is_whole, "COUNT", seat, N_("A deck of {n} cards was expected."), n=n)
        key, deck = self._element(seat, said.get("key")), tuple(self._element(seat, text) for text in texts or ())
        _must(len(set(deck)) == len(deck), "TWICE", seat, N_("The same card is in the deck twice."))
        claim = Statement(self.name.game, self.name.no, seat, self.below(seat), key, deck)
        with _formed("PROOF", seat):
            is_proved = self._is_proved(claim, str(said.get("proof")))
        _must(is_proved, "PROOF", seat, N_("The proof does not hold: this is not the deck below it, shuffled."))
        return changed(self, keys={**self.keys, seat: key}, laid={**self.laid, seat: deck})

    def _is_next(self, seat: str) -> bool:
        return len(self.laid) < 2 and seat == self.name.seats[len(self.laid)]

    def lies(self, place: int) -> Element:
        """Return the element at a place of the deck that both have shuffled."""
        return self.laid[self.name.seats[1]][place]

    def take_share(self, seat: str, said: Mapping[str, Any], owner: str) -> Deck:
        """Take a seat's share of a place that is `owner`'s. Raises DeckError."""
        place = self._place(seat, said)
        _must(
            seat != owner, "OWNER", seat, N_("Place {place} is one's own: the other seat gives the share."), place=place
        )
        share = self._share(seat, place, said.get("share"))
        if place in self.shares:
            again = N_("Another share of place {place} was given before.")
            _must(self.shares[place] == share, "SHARE", seat, again, place=place)
            return self
        pairs = [(BASE, self.keys[seat]), (share, self.lies(place))]
        self._check(seat, said, pairs, self.name.about("share", seat, place))
        return changed(self, shares={**self.shares, place: share})

    def take_play(self, seat: str, said: Mapping[str, Any], owner: str) -> Deck:
        """Take a seat's word that shows a card. Raises DeckError."""
        place, card = self._place(seat, said), str(said.get("card"))
        _must(seat == owner, "OWNER", seat, N_("Place {place} is another's."), place=place)
        _must(card in self.name.elements, "CARD", seat, N_("“{card}” is not a card of this deck."), card=card)
        _must(place in self.shares, "SHARE", seat, N_("Of place {place} no share was given."), place=place)
        is_new = place not in self.played and card not in self.played.values()
        _must(is_new, "PLAYED", seat, N_("“{card}” or place {place} was played before."), card=card, place=place)
        pairs = [(BASE, self.keys[seat]), (self.name.elements[card], self.shares[place])]
        self._check(seat, said, pairs, self.name.about("play", seat, place, card))
        return changed(self, played={**self.played, place: card})

    def number_of(self, seat: str, text: object) -> int:
        """Return the number that a seat shows, if it is the one with which it has shuffled. Raises DeckError."""
        with _formed("OPEN", seat):
            secret = number(text)
        is_own = self._multiple(secret, BASE) == self.keys[seat]
        _must(is_own, "OPEN", seat, N_("This is not the number with which {seat} shuffled."), seat=seat)
        return secret

    def reckoned(self, opened: Mapping[str, Any]) -> dict[int, str]:
        """Return the card at each place of a dead deck, computed from both seats' numbers. Raises DeckError for the first fault."""
        lying = {element.data: card for card, element in self.name.elements.items()}
        for seat in self.name.seats:
            lying = {data: lying[below] for data, below in self.layer(seat, opened.get(seat)).items()}
        return {place: lying[one.data] for place, one in enumerate(self.laid[self.name.seats[1]])}

    def layer(self, seat: str, text: object) -> dict[bytes, bytes]:
        """Check a seat's layer with the number it shows; return, by element, the element below it. Raises DeckError."""
        secret = self.number_of(seat, text)
        hidden = {self._multiple(secret, one).data: one.data for one in self.below(seat)}
        is_whole = hidden.keys() == {one.data for one in self.laid[seat]}
        _must(is_whole, "DECK", seat, N_("{seat} has laid other cards than there are."), seat=seat)
        return hidden

    def _place(self, seat: str, said: Mapping[str, Any]) -> int:
        place = said.get("place")
        _must(len(self.laid) == 2, "TURN", seat, N_("The deck is not shuffled yet."))
        if type(place) is not int or not 0 <= place < len(self.name.cards):
            raise DeckError("PLACE", seat, _("“{place}” is not a place of this deck.", place=place))
        return place

    def _element(self, seat: str, text: object) -> Element:
        with _formed("POINT", seat):
            return self._read(text)

    def _read(self, text: object) -> Element:
        return element(text)

    def _is_proved(self, said: Statement, text: str) -> bool:
        if self.proofs is None:
            return proves(said, text)
        self.proofs.add(said, text, self._origin)
        return True

    def _origin(self, of: Element) -> tuple[Element, int]:
        return of, 1

    def _share(self, seat: str, place: int, text: object) -> Element:
        return self._element(seat, text)

    def _multiple(self, n: int, of: Element) -> Element:
        return multiple(n, of)

    def _holds(self, said: LogProof, pairs: list[tuple[Element, Element]], about: object) -> bool:
        return holds(said, pairs, about)

    def _check(self, seat: str, said: Mapping[str, Any], pairs: list[tuple[Element, Element]], about: object) -> None:
        with _formed("PROOF", seat):
            given: LogProof = proof(said.get("proof"))
        why = N_("The proof does not hold: it is of another place, card, deck or game, or of none.")
        _must(self._holds(given, pairs, about), "PROOF", seat, why)


@dataclass(frozen=True)
class ShownDeck(Deck):
    """A deck for a log that shows the numbers later: they are read first, so that correct messages are recognised.

    It accepts and refuses the same as `Deck`, for the same reasons, but faster. Nothing is taken on trust: messages that do not
    follow from the numbers are checked as usual, and so are the numbers, in their place.
    """

    numbers: Mapping[str, int] = field(default_factory=dict)
    known: KnownMultiples = field(default_factory=KnownMultiples, repr=False)

    def take_deck(self, seat: str, said: Mapping[str, Any]) -> Deck:
        # who is not to shuffle yet has nothing below him; and of what was hidden by another number nothing else follows either
        if self._is_next(seat) and self._multiple(self.numbers[seat], BASE).text == said.get("key"):
            for below in self.below(seat):
                self._multiple(self.numbers[seat], below)
        return super().take_deck(seat, said)

    def _origin(self, of: Element) -> tuple[Element, int]:
        return self.known.origin(of)

    def _read(self, text: object) -> Element:
        return self.known.element(text)

    def _share(self, seat: str, place: int, text: object) -> Element:
        self._multiple(inverse(self.numbers[seat]), self.lies(place))
        return super()._share(seat, place, text)

    def _multiple(self, n: int, of: Element) -> Element:
        return self.known.multiple(n, of)

    def _holds(self, said: LogProof, pairs: list[tuple[Element, Element]], about: object) -> bool:
        return self.known.holds(said, pairs, about)


@dataclass(frozen=True)
class KnownDeck(Deck):
    """A deck with messages that were checked before: while `is_known` is true, they are accepted without a check."""

    is_known: bool = True

    def take_share(self, seat: str, said: Mapping[str, Any], owner: str) -> Deck:
        if not self.is_known:
            return super().take_share(seat, said, owner)
        return changed(self, shares={**self.shares, said["place"]: known_element(said["share"])})

    def take_play(self, seat: str, said: Mapping[str, Any], owner: str) -> Deck:
        if not self.is_known:
            return super().take_play(seat, said, owner)
        return changed(self, played={**self.played, said["place"]: str(said["card"])})

    def number_of(self, seat: str, text: object) -> int:
        return number(text) if self.is_known else super().number_of(seat, text)

    def reckoned(self, opened: Mapping[str, Any]) -> dict[int, str]:
        return {} if self.is_known else super().reckoned(opened)

    def _is_proved(self, said: Statement, text: str) -> bool:
        return self.is_known or super()._is_proved(said, text)

    def _read(self, text: object) -> Element:
        return known_element(text) if self.is_known else super()._read(text)
