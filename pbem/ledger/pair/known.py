"""The course of a log whose beginning this program has judged before: that is gone through again without the costly checks.

Signatures, proofs and orders of elements up to the known entry are taken as they stand; everything behind it is judged as ever. Who
says which entries are known has to know it for certain: by their hash, from a note that nobody else can have made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.ledger.deck import Deck, DeckName
from pbem.ledger.group import Element, known_element
from pbem.ledger.log import Entry
from pbem.ledger.pair.course import PairCourse, Spoken
from pbem.ledger.shuffle import Statement
from pbem.records import dataclass


@dataclass
class KnownDeck(Deck):
    """A deck of which some words were judged before: as long as `is_known`, they are taken as they stand."""

    is_known: bool = True

    def take_share(self, seat: str, said: Mapping[str, Any], owner: str) -> Element:
        if not self.is_known:
            return super().take_share(seat, said, owner)
        self.shares[said["place"]] = share = known_element(said["share"])
        return share

    def take_play(self, seat: str, said: Mapping[str, Any], owner: str) -> str:
        if not self.is_known:
            return super().take_play(seat, said, owner)
        self.played[said["place"]] = card = str(said["card"])
        return card

    def take_openings(self, opened: Mapping[str, Any]) -> dict[int, str]:
        return {} if self.is_known else super().take_openings(opened)

    def _is_proved(self, said: Statement, text: str) -> bool:
        return self.is_known or super()._is_proved(said, text)

    def _read(self, text: object) -> Element:
        return known_element(text) if self.is_known else super()._read(text)


class KnownCourse(PairCourse):
    """The course behind entries that were judged before."""

    is_known = True

    @classmethod
    def of(cls, entries: Sequence[Entry], *, goes_on: bool = False) -> KnownCourse:
        """Go through entries that were judged before, from the first on; it `goes_on` where those behind them were, too."""
        course = cls()
        course.begin(entries[0])
        for entry in entries[1:]:
            course.take(entry)
        if goes_on:
            return course
        course.is_known = False
        for deck in course.decks.values():
            assert isinstance(deck, KnownDeck)  # noqa: S101 - all were made below
            deck.is_known = False
        return course

    def _new_deck(self, name: DeckName) -> Deck:
        return KnownDeck(name) if self.is_known else super()._new_deck(name)

    def _word(self, at: Spoken, seated: Any, act: Mapping[str, Any]) -> None:
        if self.is_known:
            self._said(at, self.other(at.seat), act["say"]["what"])
        else:
            super()._word(at, seated, act)
