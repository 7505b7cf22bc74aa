"""Answers taken back by consent: never past chance or what was shown, never without everybody, with the same marks and links."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.hammer.game import Hammer
from pbem.ledger import verify
from pbem.referee.table import Table
from tests.attacks.takeback import CODES, _taken_back, a_game, the

from .forger import Forger
from .judging import every_copy_shows, faulted, judged, stands_in_every_copy
from .recorded import Recorded


@pytest.fixture(scope="module")
def recorded() -> Recorded:
    return a_game()


def test_the_honest_game_is_in_order_in_every_copy(recorded: Recorded) -> None:
    f = Forger(recorded)
    assert f.write().tidy().dump() == recorded.whole
    assert judged("hammer", recorded.whole).verdict == "unfinished"
    stands_in_every_copy(recorded, "unfinished")
    first, again = f.asked(the(f, "takeback")), f.next("ask", f.first("amend"))
    names = ("to", "what", "secret", "mark")
    assert [first.fields[name] for name in names] == [again.fields[name] for name in names]
    one, two = f.answers(first)[0].fields["say"], f.answers(again)[0].fields["say"]
    assert (one["link"], one["link_n"]) == (two["link"], two["link_n"])


test_every_copy_shows_it_with_the_next_report = every_copy_shows(CODES, a_game)


class Forgetful(Hammer):
    """Rules under which nothing is ever a secret told: those of a host who lets blocks be seen and the move taken back."""

    def told_secret(self, before: Any, after: Any) -> bool:
        return False


def test_a_move_is_not_taken_back_after_blocks_were_turned_up() -> None:
    """ORDERING, by the rules: the enemy's blocks are visible, although no die has fallen."""

    def in_battle(table: Table) -> bool:
        return str(table.ledger.log.entries[-1].fields["what"]) == "battle action"

    table = _taken_back(Forgetful(), in_battle)
    amend = next(entry for entry in table.ledger.log.entries if entry.k == "amend")
    assert verify(table.whole()).verdict == "unfinished"
    assert faulted(judged("hammer", table.whole())) == (amend.n, "ORDERING", "host")


def test_dice_between_are_found_by_the_rules() -> None:
    """REQ: nobody asked for a roll while the position goes back."""
    f = Forger(a_game())
    tell = f.next("tell", f.first("amend"))
    rolls = list(f.all("rand", lambda fields: fields["chain"] == "pub"))
    i = 1 + sum(f.pieces.index(earlier) < f.pieces.index(tell) for earlier in rolls)
    roll = f.roll(i, [{"op": "roll", "n": 1, "sides": 6}], before=tell)
    tell.fields["rolls"] = [i]
    f.cut(roll)
    assert faulted(judged("hammer", f.write().tidy().dump())) == (roll.n, "REQ", "host")
