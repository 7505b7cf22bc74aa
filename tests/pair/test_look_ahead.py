"""Nobody decides with dice, draws or cards in sight: what falls comes of links that were shown after the last decision."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest

from pbem.games import GamePack, find
from pbem.kernel import Chance, Json, Outcome
from pbem.ledger.pair import PairCourse, Spoken, check_signed, checked
from pbem.referee.pair.as_it_was import TrueSteps

from .hosted import TINY
from .playing import Couple, at_random


class Watching(TrueSteps):
    """Keeps where each link was shown, and where somebody decided last."""

    def __init__(self, *about: Any) -> None:
        self.at_links: dict[str, tuple[int, int]] = {}
        self.fallen: dict[str, int] = {}
        self.decided = (0, 0)
        super().__init__(*about)

    def _take_link(self, at: Spoken, act: Any) -> None:
        self.at_links[at.seat] = (at.n, at.index)
        super()._take_link(at, act)

    def _answered(self, at: Spoken, answer: Any) -> None:
        self.decided = (at.n, at.index)
        super()._answered(at, answer)

    def _drawn(self, chance: Chance) -> Outcome:
        if not chance.is_deal:
            seats = self.seats if chance.owner is None else (self.course.other(chance.owner),)
            assert all(self.at_links[seat] > self.decided for seat in seats), chance
            self.fallen[chance.label] = self.fallen.get(chance.label, 0) + 1
        return super()._drawn(chance)


@pytest.mark.variants
@pytest.mark.parametrize(
    ("pack", "options", "most"),
    [(TINY, {"players": 2, "turns": 6}, 1000), (find("swords"), {"players": 2}, 1000), (find("hammer"), {}, 150)],
)
def test_no_link_is_shown_before_what_it_decides_is_decided(pack: GamePack, options: Json, most: int) -> None:
    """Otherwise a player would know dice or draws before his decision."""
    couple = Couple(pack, options, "ahead")
    couple.play(at_random(6), most)
    course = reduce(checked, couple.entries[:3], PairCourse())
    assert pack.knowing is not None
    steps = Watching(pack.knowing, course, {seat: play.vault for seat, play in couple.plays.items()})
    for entry in couple.entries[3:]:
        check_signed(steps.course, entry)
        steps.take_turn(entry)
    assert steps.fallen["pub"] > 2


def test_a_deck_is_laid_before_any_of_its_cards_can_be_known() -> None:
    """Shares are given of places that both have shuffled, each by who does not get the card."""
    couple = Couple(TINY, {"players": 2, "turns": 6}, "cards")
    assert couple.play(at_random(6))
    laid: dict[int, set[str]] = {}
    for entry in couple.entries[3:]:
        for act in entry.fields["say"]["acts"]:
            if act["do"] == "deck":
                laid.setdefault(act["no"], set()).add(entry.fields["by"])
            if act["do"] in ("share", "play"):
                assert laid[act["no"]] == set(couple.seats)
    course = couple.plays[couple.seats[0]].course
    shared = {no: deck.shares.keys() for no, deck in course.decks.items()}
    for no, deck in course.decks.items():
        assert deck.played.keys() <= shared[no]
