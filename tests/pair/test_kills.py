"""A program of two that is stopped after any write goes on from the log alone: the same questions, and the same bytes next.

So it never signs a second turn behind one entry. And no beginning of an honest game accuses anybody.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from pbem.games import GamePack, find
from pbem.kernel import Json
from pbem.ledger.pair import PairCourse, checked, lines_of, verify_pair
from pbem.referee.pair import PairPlay, audit_pair
from tests.pair.kills import stands

from .hosted import TINY
from .playing import Couple, at_random


class Moment(NamedTuple):
    """How things stood for a seat when so many entries were written, what it ordered then, and what it sent."""

    entries: int
    seat: str
    stands: bytes
    texts: tuple[str, ...]
    sent: tuple[bytes, ...]


def moments(couple: Couple, most: int, seed: int = 1) -> list[Moment]:
    """Play, and keep every moment at which somebody had to go on."""
    found, answer = [], at_random(seed)
    for _mail in range(most):
        course = next(iter(couple.plays.values())).course
        if course.is_over:
            break
        seat, before = course.baton, len(couple.entries)
        play, texts, stood = couple.plays[seat], [], stands(couple.plays[seat])
        made = play.turn(couple.keys[seat])
        while not made:
            texts.append(answer(couple.pack.rules, play.view))
            made = play.turn(couple.keys[seat], texts[-1])
        couple.give(seat, made)
        found.append(Moment(before, seat, stood, tuple(texts), tuple(entry.line for entry in made)))
    return found


def again(couple: Couple, seat: str, n: int) -> PairPlay:
    assert couple.pack.knowing is not None
    return PairPlay.of(couple.pack.knowing, couple.entries[:n], couple.keys[seat])


CASES: dict[str, tuple[GamePack, Json, int, int]] = {
    "tiny": (TINY, {"players": 2, "turns": 3}, 1000, 1),
    "swords": (find("swords"), {"players": 2}, 40, 7),
    "hammer": (find("hammer"), {}, 60, 13),
}  # fmt: skip


@pytest.mark.variants
@pytest.mark.parametrize("name", CASES)
def test_a_program_stopped_after_any_write_continues_with_the_same_bytes(name: str) -> None:
    """The program signs no second turn."""
    pack, options, most, stride = CASES[name]
    couple = Couple(pack, options, "kills")
    for moment in moments(couple, most)[::stride]:
        play = again(couple, moment.seat, moment.entries)
        assert stands(play) == moment.stands
        sent: list[Any] = []
        for text in (None, *moment.texts):
            sent += play.turn(couple.keys[moment.seat], text)
        assert tuple(entry.line for entry in sent) == moment.sent


def test_who_waits_sees_the_same_after_any_entry() -> None:
    """Also between two entries that the other has sent together."""
    couple = Couple(TINY, {"players": 2, "turns": 2}, "kills")
    moments(couple, 1000)
    for seat in couple.seats:
        assert couple.pack.knowing is not None
        going = PairPlay.of(couple.pack.knowing, couple.entries[:3], couple.keys[seat])
        for n, entry in enumerate(couple.entries[3:], 4):
            going.take_entry(entry)
            assert stands(again(couple, seat, n)) == stands(going)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tiny", "swords"])
def test_no_beginning_of_an_honest_game_accuses_anybody(name: str) -> None:
    """A player stops or shows no secret. The programs name him without a verdict."""
    pack, options, _most, _stride = CASES[name]
    couple = Couple(pack, options, "beginnings")
    assert couple.play(at_random(4))
    data = couple.dump()
    course = PairCourse()
    for entry in lines_of(data):
        course = checked(course, entry)
        whole = b"".join(one.line + b"\n" for one in couple.entries[: entry.n + 1])
        expected = "clean" if course.is_over else "unfinished"
        if entry.n < 3 or entry.n % 9 == 0 or course.is_over:
            assert verify_pair(whole).verdict == expected
        if entry.n < 3 or entry.n % 29 == 0 or course.is_over:
            verdict = audit_pair(whole, lambda _rules: pack.knowing)
            assert (verdict.verdict, verdict.code, verdict.party) == (expected, None, None)
    assert course.is_over
