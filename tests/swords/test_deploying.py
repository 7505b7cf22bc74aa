"""2 Deploy: formations of every shape, what they let one do, several at a time; the silent."""

from __future__ import annotations

import pytest

from pbem.games.swords.rules import shapes
from pbem.kernel import Ask
from tests.swords.table import deploying, table

MORAY = {"Moray": "pink 2", "Fife": "yellow 2"}


def turned(squares: str) -> list[tuple[str, ...]]:
    """A formation, turned and mirrored, moved to the corner of a board."""
    points = [(ord(square[0]) - 65, int(square[1:]) - 1) for square in squares.split()]
    found = set()
    for _turn in range(4):
        points = [(-y, x) for x, y in points]
        for mirror in (1, -1):
            some = [(mirror * x, y) for x, y in points]
            left, top = min(x for x, _y in some), min(y for _x, y in some)
            found.add(tuple(sorted(f"{chr(65 + x - left)}{1 + y - top}" for x, y in some)))
    return sorted(found)


@pytest.mark.parametrize(
    ("kind", "squares", "ways"),
    [
        ("L", "A1 A2 A3 B3", 8), ("S", "A1 B1 B2 C2", 4), ("box", "A1 B1 A2 B2", 1), ("T", "A1 B1 C1 B2", 4),
        ("line", "A1 B1 C1 D1", 2),
    ],
)  # fmt: skip
def test_formation_a_turned_and_mirrored_shape_is_the_same_shape(kind: str, squares: str, ways: int) -> None:
    found = turned(squares)
    assert len(found) == ways
    assert {shapes.shape(some) for some in found} == {kind}


def test_formation_the_fourth_cube_of_an_orthogonal_group() -> None:
    assert deploying(square="B2", boards={"pink": "A2 B1 C1"}, cubes=MORAY).what == "deploy"
    assert deploying(square="B2", boards={"pink": "A1 B3 C1"}, cubes=MORAY).told("deploy") == [], (
        "diagonals do not count"
    )
    assert deploying(square="B2", boards={"pink": "A2 B1"}, cubes=MORAY).told("deploy") == [], "three are none"


def test_formation_only_with_the_cube_just_placed() -> None:
    game = deploying(square="F4", boards={"pink": "A1 A2 A3 A4"}, cubes=MORAY)
    assert game.told("deploy") == []


def test_formation_of_a_larger_group_four_connected_cubes_are_chosen_the_new_one_included() -> None:
    game = deploying(square="C1", boards={"pink": "A1 B1 D1 C2"}, cubes=MORAY, number=1)
    game.refused("DEPLOY A1 B1 C2 D1 PULL A1 TO Moray", "four connected cubes, and C1 one of them")
    game.refused("DEPLOY A1 B1 C1 E1 PULL A1 TO Moray", "four connected")
    game.order("DEPLOY B1 C1 C2 D1 PULL B1 TO Moray")
    assert game.told("deploy")[0]["shape"] == "T"


def test_deploy_in_turn_clockwise_from_the_leader() -> None:
    boards = dict.fromkeys(("pink", "yellow", "black"), "A1 B1 A2")
    game = table(
        players=3, icon="harp", leader="yellow", boards=boards, cubes={"Moray": "pink, yellow, black"}, number=2
    )
    game.place(pink="PLACE B2", yellow="PLACE B2", black="PLACE B2")
    order = []
    while game.what == "deploy":
        order.append(game.asked[0])
        game.order("DEPLOY A1 B1 A2 B2 PULL A1 B1 TO Moray")
    assert order == ["yellow", "black", "pink"]


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_deploy_first_the_number_on_the_card_is_pulled_and_placed_in_one_region(number: int) -> None:
    game = deploying(boards={"pink": "A1 B1 A2"}, cubes=MORAY, number=number)
    pulled = ["A1", "B1", "A2", "B2"][:number]
    game.refused(f"DEPLOY A1 B1 A2 B2 PULL {' '.join(pulled[1:] or ['C3'])} TO Moray", f"{number} of these cubes")
    game.order(f"DEPLOY A1 B1 A2 B2 PULL {' '.join(pulled)} TO Moray")
    assert game.there("Moray") == {"pink": 2 + number}
    assert set(game.board.boards["pink"]) == {"A1", "B1", "A2", "B2"} - set(pulled)


def test_deploy_to_a_region_where_one_has_a_cube() -> None:
    game = deploying(boards={"pink": "A1 B1 A2"}, cubes={"Moray": "pink", "Fife": "yellow", "Ross": "pink"})
    game.refused("DEPLOY A1 B1 A2 B2 PULL A1 B1 TO Fife", "you have no cube in Fife")
    game.order("DEPLOY A1 B1 A2 B2 PULL A1 B1 TO Ross")
    assert game.there("Ross") == {"pink": 3}


def test_deploy_anywhere_where_one_has_no_cube_at_all() -> None:
    game = deploying(boards={"pink": "A1 B1 A2"}, cubes={"Fife": "yellow"})
    game.order("DEPLOY A1 B1 A2 B2 PULL A1 B1 TO Isles")
    assert game.there("Isles") == {"pink": 2}


def test_deploying_is_not_optional_and_asked_only_where_there_is_a_choice() -> None:
    game = deploying(square="A4", boards={"pink": "A2 A3 B4"}, cubes={"Moray": "pink"}, number=4)
    assert game.told("deploy")[0]["shape"] == "L"
    assert game.there("Moray") == {"pink": 5}, "all four, one region, no action: nothing is asked"
    game = deploying(boards={"pink": "A1 B1 A2"}, cubes=MORAY)
    game.refused("NOTHING", "no such order")


def test_l_shape_has_no_special_ability() -> None:
    game = deploying(square="A4", boards={"pink": "A2 A3 B4"}, cubes=MORAY)
    game.refused("DEPLOY A2 A3 A4 B4 PULL A2 A3 TO Moray THEN ADD Fife", "an L-shape has no special action")


S_LAID = {"square": "B2", "boards": {"pink": "A1 B1 C2"}, "number": 1}
S_ORDER = "DEPLOY A1 B1 B2 C2 PULL A1 TO Moray"


def test_s_shape_any_number_moves_between_the_region_and_an_adjacent_one() -> None:
    game = deploying(**S_LAID, cubes=MORAY).order(f"{S_ORDER} THEN MOVE 3 Moray > Ross")
    assert (game.there("Moray"), game.there("Ross")) == ({}, {"pink": 3})
    game = deploying(**S_LAID, cubes={"Moray": "pink", "Ross": "pink 3"}).order(f"{S_ORDER} THEN MOVE 2 Ross > Moray")
    assert (game.there("Moray"), game.there("Ross")) == ({"pink": 4}, {"pink": 1})


def test_s_shape_a_dashed_line_over_water_is_adjacent() -> None:
    order = S_ORDER.replace("Moray", "Isles")
    game = deploying(**S_LAID, cubes={"Isles": "pink"}).order(f"{order} THEN MOVE 1 Isles > Galloway")
    assert game.there("Galloway") == {"pink": 1}


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("MOVE 1 Moray > Fife", "Fife is not adjacent to Moray"),
        ("MOVE 4 Moray > Ross", "not so many cubes in Moray"),
        ("MOVE 1 Ross > Buchan", "one end of the move is Moray"),
        ("MOVE 1 PICTS Moray > Ross", "not so many cubes"),
        ("ADD Fife", "the action of an S-shape is MOVE"),
        ("MOVE Moray > Ross", "how many cubes"),
        ("MOVE 1 Moray", "from where to where"),
    ],
)
def test_s_shape_what_does_not_fit_is_refused(move: str, why: str) -> None:
    deploying(**S_LAID, cubes=MORAY).refused(f"{S_ORDER} THEN {move}", why)


def test_box_shape_a_cube_from_the_supply_to_any_region() -> None:
    game = deploying(boards={"pink": "A1 B1 A2"}, cubes=MORAY)
    game.order("DEPLOY A1 B1 A2 B2 PULL A1 B1 TO Moray THEN ADD Galloway")
    assert game.there("Galloway") == {"pink": 1}
    assert game.board.supply["pink"] == 21 - 2 - 4 - 1
    assert game.told("add") == [{"f": "add", "seat": "pink", "region": "Galloway"}]


def test_box_shape_with_an_empty_supply_there_is_nothing_to_place() -> None:
    game = deploying(boards={"pink": "A1 B1 A2"}, cubes={"Moray": "pink 2", "Isles": "pink 15"}, kept="")
    game.refused("DEPLOY A1 B1 A2 B2 PULL A1 B1 TO Moray THEN ADD Galloway", "no such cube in your supply")


T_LAID = {"square": "B1", "boards": {"pink": "A1 C1 B2"}, "number": 1}
T_ORDER = "DEPLOY A1 B1 C1 B2 PULL A1 TO Moray"


def test_t_shape_a_cube_of_the_region_takes_a_castle_on_its_border() -> None:
    game = deploying(**T_LAID, cubes=MORAY).order(f"{T_ORDER} THEN TAKE Inverness")
    assert dict(game.board.castles) == {"Inverness": "pink"}
    assert game.there("Moray") == {"pink": 2}


def test_t_shape_throws_out_only_where_no_castle_is_empty() -> None:
    two = {"Inverness": "yellow", "Kildrummy": "yellow"}
    deploying(**T_LAID, cubes=MORAY, castles_=two).refused(f"{T_ORDER} THEN TAKE Inverness", "Inverness is not empty")
    game = deploying(**T_LAID, cubes=MORAY, castles_={**two, "Blair": "pink"})
    game.refused(f"{T_ORDER} THEN TAKE Blair", "Blair is not empty")
    game.order(f"{T_ORDER} THEN TAKE Inverness")
    assert game.board.castles["Inverness"] == "pink"
    assert game.board.supply["yellow"] == 21 - 2 - 2 - 1 + 1, "it returns to its owner's supply; one was placed"
    assert game.told("take")[0]["out"] == "yellow"


def test_t_shape_not_a_castle_elsewhere() -> None:
    deploying(**T_LAID, cubes=MORAY).refused(f"{T_ORDER} THEN TAKE Perth", "Perth is not on the border of Moray")


@pytest.mark.parametrize("special", ["MOVE 1 Moray > Ross", "ADD Fife", "TAKE Blair", ""])
def test_line_shape_any_of_the_bonuses(special: str) -> None:
    game = deploying(square="D1", boards={"pink": "A1 B1 C1"}, cubes=MORAY, number=1)
    game.order("DEPLOY A1 B1 C1 D1 PULL D1 TO Moray" + (f" THEN {special}" if special else ""))
    kinds = {"MOVE": "shift", "ADD": "add", "TAKE": "take", "": ""}
    assert bool(game.told(kinds[special[:4].strip()])) == bool(special) or not special


def test_a_special_action_may_be_declined() -> None:
    game = deploying(**T_LAID, cubes=MORAY).order(T_ORDER)
    assert game.told("take") == []


# Several at a time

# C2 completes A2 B2 C2 + C1 … and D2 E2 F2: two formations that share it alone
TWO = {"square": "C2", "boards": {"pink": "A2 B2 B1 D2 E2 E1"}, "cubes": MORAY}


def test_several_formations_deploy_one_after_the_other() -> None:
    game = deploying(**TWO, number=1)
    game.order("DEPLOY A2 B1 B2 C2 PULL A2 TO Moray")
    assert game.stop.wants == Ask(("pink",), "deploy", "no")
    game.refused("DEPLOY B2 C2 D2 E2 PULL B2 TO Moray", "four connected cubes")
    game.order("DEPLOY C2 D2 E1 E2 PULL E1 TO Moray")
    assert [fact["pulled"] for fact in game.told("deploy")] == [["A2"], ["E1"]]
    assert game.what != "deploy"


def test_several_formations_share_the_new_cube_which_is_pulled_only_once() -> None:
    game = deploying(**TWO, number=4).order("DEPLOY A2 B1 B2 C2 PULL A2 B1 B2 C2 TO Moray")
    assert game.there("Moray") == {"pink": 9}, "of the second, what is left: three"
    assert game.told("deploy")[1]["pulled"] == ["E1", "D2", "E2"]


def test_several_formations_may_affect_different_regions() -> None:
    game = deploying(**{**TWO, "cubes": {"Moray": "pink", "Fife": "pink"}}, number=1)
    game.order("DEPLOY A2 B1 B2 C2 PULL A2 TO Moray", "DEPLOY C2 D2 E1 E2 PULL E1 TO Fife")
    assert (game.there("Moray"), game.there("Fife")) == ({"pink": 2}, {"pink": 2})


def test_deploy_the_silent_pull_the_first_to_where_they_have_most() -> None:
    game = deploying(boards={"pink": "A1 B1 A2"}, cubes={"Ross": "pink", "Moray": "pink 2"})
    from pbem.games.swords.game import GAME

    assert str(GAME.default(game.view("pink"))) == "DEPLOY A1 B1 A2 B2 PULL A1 B1 TO Moray"
