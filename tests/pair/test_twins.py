"""Secrecy on every byte that leaves a player's program, by twins.

At points of whole games the hidden things of who sends are exchanged for others of which the other seat has seen just the same.
Then both send. Where what everybody is told of it is the same, the bytes differ in nothing but what is encrypted, or is a digest, a
signature, a proof or an element, and that has the same length; and the other's program is none the wiser.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.errors import Fault, OrderError, UsageError
from pbem.games import GamePack, find
from pbem.kernel import Json
from pbem.ledger import Entry, cj
from pbem.referee.pair import PairPlay
from tests.pair.twins import clone, masked

from .hosted import TINY
from .playing import Couple, at_random


def twin_of(play: PairPlay, other: PairPlay, rng: random.Random) -> PairPlay:
    """The same program where hidden things of its own are others, of which `other` has seen the same."""
    twin, knowing = clone(play), play.knowing
    state = knowing.guess(other.peer.own, rng)
    twin.peer.own = knowing.view(state, play.seat)
    twin.peer._state = knowing.guess(twin.peer.own, rng)
    twin.peer.own = knowing.view(twin.peer._state, play.seat)
    return twin


def told(entries: list[Entry]) -> bytes:
    """What everybody is told in it: facts, views, parts, orders and cards in the open."""
    keys = ("facts", "view", "part", "text", "card", "what")
    acts = [act for entry in entries for act in entry.fields["say"]["acts"]]
    return cj([{key: act[key] for key in keys if key in act} for act in acts if any(key in act for key in keys)])


def wiser(other: PairPlay, entries: list[Entry]) -> bytes:
    """What the other's program makes of it."""
    reader = clone(other)
    for entry in entries:
        reader.take_entry(entry)
    return cj([reader.peer.own, reader.peer.public, [fact for _n, fact in reader.news], reader.needs()])


CASES: dict[str, tuple[GamePack, Json, int, int, str]] = {
    "tiny": (TINY, {"players": 2, "turns": 4}, 1000, 1, ""),
    "swords": (find("swords"), {"players": 2}, 1000, 3, ""),
    "hammer": (find("hammer"), {}, 110, 2, ""),
    "hammer, both pledge": (find("hammer"), {}, 110, 1, "BATTLE ANY: RETREAT Fife, Lanark IF LOST 2; FIGHT; HITS ANY"),
    "hammer, plans that leave questions": (find("hammer"), {"edition": "2.3"}, 110, 1, "BATTLE ANY: FIGHT"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_what_leaves_a_program_tells_nothing_that_is_hidden(name: str) -> None:
    """Letters differ in nothing but the length of a long sealed order."""
    pack, options, most, stride, plans = CASES[name]
    couple, rng, answer = Couple(pack, options, "twins 2"), random.Random(f"twins {name}"), at_random(5)
    alike = other_orders = 0
    pledged = 0
    for mail in range(most):
        course = next(iter(couple.plays.values())).course
        if course.is_over:
            break
        seat = course.baton
        play, key = couple.plays[seat], couple.keys[seat]
        other = couple.plays[play.other]
        twin = twin_of(play, other, rng) if mail % stride == 0 else None
        before, in_contest = clone(other), play.contest is not None or bool(play.given.pledges)
        made = play.turn(key, plans=plans)
        if not made:
            text = answer(pack.rules, play.view)
            if twin is not None and not _owes_alike(twin, key, plans):
                twin = None
            made = play.turn(key, text, plans=plans)
        else:
            text = ""
        if (
            twin is not None
            and (sent := _sent_by(twin, key, text, made, rng, plans)) is not None
            and told(sent) == told(made)
        ):
            assert masked(sent) == masked(made)
            if not any("hand" in act for entry in made for act in entry.fields["say"]["acts"]):
                assert wiser(before, sent) == wiser(before, made)
            alike += 1
            pledged += in_contest
            other_orders += [e.line for e in sent] != [e.line for e in made]
        couple.give(seat, made)
    assert alike > 5
    assert other_orders > 1
    assert not plans or pledged > 1


def _owes_alike(twin: PairPlay, key: Any, plans: str) -> bool:
    """Can the twin say what it owes before it answers? What is sealed already may not go with its hand."""
    try:
        twin.turn(key, plans=plans)
    except Fault:
        return False
    return True


def _sent_by(
    twin: PairPlay, key: Any, text: str, made: list[Entry], rng: random.Random, plans: str
) -> list[Entry] | None:
    """What the twin sends: some order of its own where that stays sealed, else the same; None where that cannot be."""
    acts = [act["do"] for entry in made for act in entry.fields["say"]["acts"]]
    try:
        if text and "seal" in acts and "open" not in acts and twin.question is not None:
            text = str(twin.game.options(twin.view).sample(rng))
        return twin.turn(key, text or None, plans=plans) or None
    except (OrderError, UsageError, Fault):
        return None  # what is sealed already, or said in the open, does not go with it
