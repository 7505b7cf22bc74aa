"""The law of peers finds what it is there to find: who tells too much, or too little, of who knows what fails it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from tiny_game.knowing import TinyKnowing
from tiny_game.rules import GAME as TINY

from pbem.games.hammer import GAME as HAMMER
from pbem.games.hammer.knowing import KNOWING, HammerKnowing
from pbem.kernel import Ask, Json, Order
from pbem.kernel.knowing import ALL, Parts, Publicly, is_going
from tests.conformance import play
from tests.conformance.peers import steps_together
from tests.conformance.playing import Record


class DealsToAllAlike(TinyKnowing):
    def who(self, frame: Any, board: Any) -> str:
        return ALL if frame.step == "deal" else super().who(frame, board)


class ShowsToEverybody(TinyKnowing):
    def shows(self, state: Any) -> Mapping[tuple[str, int], str]:
        return dict.fromkeys(super().shows(state), "ann")


class NamesNoCard(TinyKnowing):
    def played(self, state: Any, given: Mapping[str, Order]) -> Mapping[str, str]:
        return {}


class LeavesCardsWhereTheyWereGuessed(TinyKnowing):
    def laid(self, state: Any, label: str, place: int, card: str) -> Any:
        return state


class ShowsMoreThanAHost(TinyKnowing):
    def view(self, state: Any, seat: str | None) -> dict[str, Json]:
        return {**self.game.view(state, "ann"), "seat": seat or ""}


class CountsOnlyItsOwn(TinyKnowing):
    def joined(self, told: Publicly, parts: Parts) -> Publicly:
        return told


class SaysWhatItGuesses(TinyKnowing):
    def part(self, seat: str, told: Publicly) -> dict[str, Json]:
        return super().part(seat, told) | {"score": told.view["result"]["score"]}


@pytest.mark.parametrize(
    "broken",
    [
        DealsToAllAlike, ShowsToEverybody, NamesNoCard, LeavesCardsWhereTheyWereGuessed, ShowsMoreThanAHost, CountsOnlyItsOwn,
        SaysWhatItGuesses,
    ],
)  # fmt: skip
def test_who_knows_too_much_or_too_little_fails(broken: type[TinyKnowing]) -> None:
    records = [play(TINY, {"players": 2}, seed) for seed in range(1, 5)]
    with pytest.raises(AssertionError) as failed:
        sum(steps_together(broken(TINY), record) for record in records)
    said = str(failed.value)
    assert " and should be " in said or " == " in said, "it shows what differs"


class OpensSealedBuilds(HammerKnowing):
    """Both orders, which stay sealed to the end, are taken to be known to both."""

    def knower(self, state: Any) -> str:
        frame = state.stack[-1]
        return ALL if (frame.at, frame.step) == ("builds", "choose") else super().knower(state)


def _until_both_build() -> Record:
    record = play(HAMMER, {}, 1, 400)
    wanted = Ask(("english", "scottish"), "build", "until end")
    index = next(i for i, stop in enumerate(record.stops) if stop.wants == wanted)
    return replace(record, givens=record.givens[: index + 2])


@pytest.mark.slow
def test_a_sealed_answer_is_not_given_to_the_other() -> None:
    record = _until_both_build()
    assert steps_together(KNOWING, record)
    with pytest.raises((AssertionError, KeyError)):
        steps_together(OpensSealedBuilds(HAMMER), record)


def test_where_somebody_would_land_is_known_to_the_scots_alone() -> None:
    """An order says where Norse and French land if they are drawn: a host's tells never have it, but positions on the way do."""
    record = play(HAMMER, {"inland_landing": True}, 3, 200)
    state, givens, found = record.stops[0].state, iter(record.givens), 0
    while state.result is None and (given := None if is_going(state) else next(givens, ())) != ():
        state, _events = KNOWING.go(state, given)
        seen = {seat: KNOWING.view(state, seat)["frames"].get("builds", {}) for seat in (None, "english", "scottish")}
        assert "landing" not in {**seen[None], **seen["english"]}
        found += "landing" in seen["scottish"]
    assert found


@pytest.mark.parametrize("text", ["CORONATION Bruce", "CORONATION Comyn", "RETURN"])
def test_an_open_order_is_read_whatever_is_guessed_of_hidden_blocks(text: str) -> None:
    """Whether Bruce is in Fife, or the French are on the map, the English do not know when they read that a king is crowned."""
    state = HAMMER.start({}).state
    assert str(KNOWING.read(state, "scottish", text)) == text
