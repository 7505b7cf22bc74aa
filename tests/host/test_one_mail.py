"""All that is open to a seat goes in one mail: whole games through the host, looked at after every letter that it takes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.games import find
from pbem.mail import read_message

from .post import Club, a_club, moment

HOURS = 48
YOUR_MOVE = "your move"


class Desk:
    """What has come to one seat: is a question before it that it has not answered?"""

    def __init__(self) -> None:
        self.open = False
        self.questions = self.reminders = 0

    def came(self, letters: list[bytes], seat: str) -> None:
        """Take the letters of one moment."""
        subjects = [read_message(raw).subject for raw in letters]
        questions = sum(YOUR_MOVE in subject for subject in subjects)
        reminders = sum("awaited" in subject for subject in subjects)
        assert questions + reminders <= 1, f"{seat} is asked by several letters of one moment: {subjects}"
        assert not (questions and self.open), f"{seat} is asked a second time before the first question is answered"
        assert not (reminders and not self.open), f"{seat} is reminded of nothing"
        self.open |= bool(questions)
        self.questions += questions
        self.reminders += reminders


def watch(club: Club, answer: Callable[[str], tuple[str, str]], most: int = 10_000) -> dict[str, Desk]:
    """Play, and look at every letter; who is asked and who holds a question are the same at any time."""
    found = {seat: Desk() for seat in club.desks}
    come = {seat: sum(YOUR_MOVE in read_message(raw).subject for raw in club.received[seat]) for seat in found}
    for seat, desk in found.items():
        desk.open = come[seat] == 1
    while club.asked() and most:
        if most % 7 == 0:  # half of the time goes by
            club.minute += 60 * HOURS // 2 + 60
            club.robot.tick(moment(club.minute))
            _read(club, found)
        for seat in club.asked():
            assert found[seat].open
            letter = club.order(seat, *answer(seat))
            found[seat].open = False
            assert club.take(letter).startswith("order")
            _read(club, found)
            most -= 1
        assert {seat for seat, desk in found.items() if desk.open} == set(club.asked())
    return found


def _read(club: Club, found: dict[str, Desk]) -> None:
    for seat, letters in club.deliver().items():
        found[seat].came(letters, seat)
        for raw in letters:
            club.desks[seat].read(raw)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players", "most"),
    [("tiny", 2, 10_000), ("tiny", 4, 10_000), ("hammer", 2, 45)],
    ids=str,
)
def test_no_seat_ever_holds_two_questions(tmp_path: Path, game: str, players: int, most: int) -> None:
    """Tiny to its end, Hammer of the Scots into its second year, asked when it matters: there plans answer for many."""
    pack, whims = find(game), random.Random(1)
    with a_club(tmp_path, game=game, players=players, turns=4, hours=HOURS) as club:
        club.begin()
        bots = {seat: pack.bots["planning" if game == "hammer" else "sensible"]() for seat in club.desks}

        def answer(seat: str) -> tuple[str, str]:
            desk = club.desks[seat]
            _, view, _ = desk.question(desk.notes())
            plans = "ASK WHEN IT MATTERS\n" + bots[seat].plans(view) if game == "hammer" else ""
            return str(bots[seat].answer(view, whims)), plans

        found = watch(club, answer, most)
        asked = Counter({seat: desk.questions for seat, desk in found.items()})
        assert min(asked.values()) > 1
        assert any(desk.reminders for desk in found.values())
