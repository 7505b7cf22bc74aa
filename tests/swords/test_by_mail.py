"""Swords Over Scotland by mail: what the others have before all numbers are in, and plans that spare letters."""

from __future__ import annotations

from pathlib import Path

import pytest

import pbem.player.saying
from tests.host.post import a_club
from tests.swords.by_mail import copies, seen, to_the_first_battle


@pytest.mark.slow
def test_nobody_has_a_number_before_all_are_in(tmp_path: Path) -> None:
    with a_club(tmp_path, game="swords") as club:
        to_the_first_battle(club)
        first, *others = club.asked()
        assert others
        said, before = "COMMIT 3", {seat: len(raws) for seat, raws in club.received.items()}
        club.take(club.order(first, said))
        club.read_all()
        for seat in others:
            assert said.encode() not in copies(club, seat)
            battle = seen(club, seat).battle
            assert battle
            assert not battle.fallen
            assert len(club.received[seat]) == before[seat], "and no letter came"
        for seat in others:
            club.take(club.order(seat, "COMMIT 0"))
        club.read_all()
        (loser,) = club.asked()
        battle = seen(club, loser).battle
        assert battle
        assert battle.fallen[first].total == 3, "then everybody sees it"


@pytest.mark.slow
def test_first_cubes_with_plans_cost_a_letter_each(tmp_path: Path) -> None:
    with a_club(tmp_path, game="swords") as club:
        to_the_first_battle(club)
        asked = [club.signed(raw).say["act"] for _minute, raw in club.sent]
        assert asked.count("order") == 4 + 4, "a cube of each, and a placing of each"


@pytest.mark.variants
@pytest.mark.parametrize("plans", ["GLORY ,", "KILL , ,", "RETREAT ,"])
def test_plans_that_hold_nothing_are_refused_and_hold_no_game_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plans: str
) -> None:
    """Another player's program sends plans over which the reader stumbles. The host answers, and the deadline runs."""
    with a_club(tmp_path, game="swords", hours=24) as club:
        club.begin()
        (seat,) = club.asked()
        with monkeypatch.context() as other:
            other.setattr(pbem.player.saying, "read_plans", lambda _rules, text: text)
            assert club.take(club.order(seat, "CUBE Isles", plans)).startswith("refused: ")
        assert club.asked() == [seat]
        club.minute += 60 * 25
        assert club.robot.tick(club.now()) == 1
        assert club.asked() != [seat]
