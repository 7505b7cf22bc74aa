"""The players of Swords that try orders out: legal, the same for the same view, and better than the easy one."""

from __future__ import annotations

import random

import pytest

from pbem.engine.match import Match
from pbem.games import find
from pbem.games.searching import Urn
from pbem.games.swords.bots import BOTS, SensibleBot
from pbem.games.swords.bots.rough import Rough, atlas
from pbem.games.swords.bots.trying import FEW, Trials, TryingOut, candidates
from pbem.games.swords.game import GAME
from pbem.games.swords.rules import shapes
from pbem.games.swords.rules.names import GLORY
from pbem.games.swords.rules.parts import STANDARD
from tests.swords.bots import asked


@pytest.mark.variants
@pytest.mark.parametrize("no", range(4))
def test_all_that_is_tried_is_legal_and_the_easy_answer_is_of_it(no: int) -> None:
    questions = set()
    for view, order in asked(20 + no, players=2 + no % 3, glory=list(GLORY[3 * no : 3 * no + 3]))[no::7]:
        found = candidates(view, order, FEW, Urn(no))
        assert found[0] == order
        assert 1 <= len(found) <= FEW
        assert len(set(found)) == len(found)
        assert all(GAME.why_not(view, other) is None for other in found), view.question
        questions.add(view.question)
    assert {"place", "deploy"} <= questions


@pytest.mark.slow
def test_the_same_view_and_seed_give_the_same_legal_answer() -> None:
    tried = 0
    for view, easy in asked(31, players=3)[5::29]:
        again = GAME.read_view(view.model_dump(mode="json"))
        one, two = (TryingOut(12, 2, 6).answer(seen, random.Random(4)) for seen in (view, again))
        assert one == two
        assert GAME.why_not(view, one) is None
        tried += one != easy
    assert tried, "it does not only repeat the easy player"


@pytest.mark.slow
def test_in_which_order_a_view_names_those_who_are_asked_changes_no_answer() -> None:
    """A desk puts a view together from what it was told, and an audit sorts it: the answer is the same player's."""
    looked = 0
    for view, _easy in asked(51, players=4):
        if view.question == "commit" and len(view.waiting) > 2:
            turned = view.model_copy(update={"waiting": dict(reversed(view.waiting.items()))})
            one, two = (BOTS["normal"]().answer(seen, random.Random(looked)) for seen in (view, turned))
            assert one == two
            looked += 1
    assert looked > 10


def test_what_another_seat_is_about_to_answer_is_guessed_from_the_view_alone() -> None:
    """All place at once: a trial makes its own answers of the others, and what they really answer is nowhere to be had."""
    view, order = next(pair for pair in asked(33, players=2) if pair[0].question == "place")
    assert set(view.waiting) == {"pink", "yellow"}
    assert Trials(view, 5, 3).worth(2, order, 0) == Trials(view, 5, 3).worth(2, order, 0)


def test_the_rough_table_keeps_its_cubes_and_ends() -> None:
    """Cubes go from supply to board, map and castles and back; so many flips are a game."""
    for seed, (view, _order) in enumerate(asked(41, players=3, glory=["Crown", "Drums", "Druid"])[12::60]):
        table, urn = Rough(view.table), Urn(seed)
        cubes = [_cubes(table, seat) for seat in range(3)]
        flips = 0
        while not table.over:
            table.flip(urn)
            flips += 1
            assert [_cubes(table, seat) for seat in range(3)] == cubes
            assert min(min(there) for there in (*table.cubes, table.supply)) >= 0
        assert flips <= 36
        assert table.points != [view.table.points[seat] for seat in view.table.seats] or not flips


def _cubes(table: Rough, seat: int) -> int:
    return sum(table.cubes[seat]) + table.castles.count(seat) + table.boards[seat].bit_count() + table.supply[seat]


def test_the_atlas_knows_groups_and_formations() -> None:
    view = asked(3, players=2)[0][0]
    ground = atlas(view.table.parts)
    covered = sum(ground.number[square] for square in ("A1", "A2", "B2"))
    at = ground.squares.index("B3")
    group = ground.group(covered, at)
    assert group == covered | 1 << at
    assert [four for four, _good in ground.fours(group, at)] == [group]
    assert shapes.shape(["A1", "A2", "B2", "B3"]) == shapes.S
    assert ground.pulled(group, group, 4) == 0
    assert ground.pulled(group, group, 1).bit_count() == 3
    assert ground.promise(covered) > ground.promise(0)


@pytest.mark.slow
def test_it_beats_the_easy_player() -> None:
    players = find("swords").bots
    assert isinstance(players["sensible"](), SensibleBot)
    parts = STANDARD.model_dump(mode="json") | {"rounds": 1}
    every = list(Match(find("swords"), {"first": "pink", "parts": parts}, ("normal", "sensible"), "1", 60).play(2))
    assert not any(one.fault for one in every)
    assert sum(one.winner == "A" for one in every) == 2
