"""Set-Up: tokens, glory cards, the first player, the first cubes; and where the printed parts come from."""

from __future__ import annotations

import pytest

from pbem.errors import UsageError
from pbem.games.swords.game import GAME
from pbem.games.swords.rules.names import FIRST_GAME, GLORY
from pbem.games.swords.rules.parts import STANDARD
from pbem.kernel import Chance, Draw, Json, Roll
from tests.swords.set_up import own, start


@pytest.mark.parametrize(("players", "moray"), [(2, 7), (3, 7), (4, 9)])
def test_setup_the_lower_side_of_a_token_for_two_and_three_the_higher_for_four(players: int, moray: int) -> None:
    game = start(players=players)
    assert game.board.tokens["Moray"] == moray
    assert set(game.board.tokens) == set(STANDARD.names)


def test_setup_the_book_s_numbers_of_parts() -> None:
    assert len(STANDARD.regions) == 10
    assert (STANDARD.cubes, STANDARD.first_cubes, STANDARD.picts) == (21, 4, 7)
    assert (len(STANDARD.deployment_cards), STANDARD.last_number, STANDARD.rounds) == (12, 4, 3)
    assert len(GLORY) == 12


def test_setup_tokens_may_be_dealt_over_the_regions_by_chance() -> None:
    game = start(players=2, tokens="drawn")
    names = STANDARD.names
    assert game.stop.wants == Chance("pub", (Draw(10, names),))
    game.go_on((tuple(reversed(names)),))
    assert game.board.tokens["Galloway"] == STANDARD.token("Sutherland", 2)
    assert game.told("tokens")[0]["tokens"][-1] == 4


def test_setup_twenty_one_cubes_and_a_player_board_for_each() -> None:
    game = start(players=3)
    assert dict(game.board.supply) == {"pink": 21, "yellow": 21, "black": 21}
    assert all(not covered for covered in game.board.boards.values())


def test_setup_three_of_twelve_glory_cards_by_chance() -> None:
    game = start(players=2)
    assert game.stop.wants == Chance("pub", (Draw(3, GLORY),))
    game.go_on((("Quaich", "Bagpipes", "Druid"),))
    assert list(game.board.glory) == ["Bagpipes", "Druid", "Quaich"]
    assert game.told("glory") == [{"f": "glory", "cards": ["Bagpipes", "Druid", "Quaich"]}]


def test_setup_the_three_of_a_first_game() -> None:
    assert set(start(glory="first").board.glory) == set(FIRST_GAME)


def test_setup_three_cards_may_be_agreed_on_by_name() -> None:
    assert list(start(glory=["crown", "drums", "quaich"]).board.glory) == ["The Crown", "Drums", "Quaich"]
    for wrong in (["crown", "crown", "drums"], ["crown"], ["crown", "drums", "xyzzy"], "some"):
        with pytest.raises(UsageError):
            start(glory=wrong)


def test_setup_blue_components_lie_aside_only_with_their_card() -> None:
    assert start(glory="first").board.aside == 7
    game = start(glory=["Cardinal", "Hadrian's Wall", "Drums"])
    assert (game.board.aside, game.board.cardinal, game.board.wall) == (0, "", ())


def test_setup_the_dice_or_the_players_say_who_is_first() -> None:
    game = start(players=3, glory="first")
    assert game.stop.wants == Chance("pub", (Roll(1, 3),))
    game.go_on(((2,),))
    assert game.board.leader == "yellow"
    assert game.told("first") == [{"f": "first", "seat": "yellow", "die": 2}]
    assert start(players=3, glory="first", first="black").board.leader == "black"
    with pytest.raises(UsageError, match="white does not play"):
        start(players=3, first="white")


def test_setup_four_cubes_each_one_at_a_time_clockwise() -> None:
    game = start(players=3, glory="first", first="yellow")
    order = []
    for _cube in range(12):
        order.append(game.asked[0])
        assert game.what == "setup"
        game.order("CUBE Moray")
    assert order == ["yellow", "black", "pink"] * 4
    assert game.there("Moray") == {"pink": 4, "yellow": 4, "black": 4}
    assert game.board.supply["pink"] == 17
    assert game.what == "Chance", "no battle before the first flip"


def test_setup_cubes_go_anywhere_also_to_opponents() -> None:
    game = start(players=2, glory="first", first="pink")
    game.order("CUBE Isles", "CUBE Isles", "CUBE mor", "CUBE Fife")
    assert game.there("Isles") == {"pink": 1, "yellow": 1}
    assert (game.there("Moray"), game.there("Fife")) == ({"pink": 1}, {"yellow": 1})
    game.refused("CUBE Xyzzy", "no such region")


# Parts of one's own


def test_parts_of_ones_own_copy_may_be_entered() -> None:
    small = own(
        regions=[{"name": "Nord", "token": [2, 3]}, {"name": "Île Basse", "token": [3, 4]}],
        land=[["Nord", "Île Basse"]], sea=[], castles=[{"name": "Fort", "border": ["Nord", "Île Basse"]}],
    )  # fmt: skip
    game = start(players=2, glory="first", first="pink", parts=small)
    game.order("CUBE îl", "CUBE nord")
    assert game.there("Île Basse") == {"pink": 1}
    assert game.view("pink").board.cubes == {"ile_basse": {"pink": 1}, "nord": {"yellow": 1}}
    assert "SHA-256" in GAME.remarks({"parts": small})[0]
    assert GAME.remarks({}) == ()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        pytest.param({"sea": [["Argyll", "Galloway"]], "castles": []}, "in pieces: Isles", id="a map in pieces"),
        pytest.param(
            {"castles": [{"name": "Fort", "border": ["Ross", "Fife"]}]}, "on no border", id="a castle on none"
        ),
        pytest.param({"castles": [{"name": "Fort", "border": ["Ross", "Xyzzy"]}]}, "no region", id="no region"),
        pytest.param({"castles": [{"name": "Moray", "border": ["Ross", "Moray"]}]}, "too like", id="one name twice"),
        pytest.param({"player_board": [["stag", "harp", "sword"]] * 3}, "has no thistle", id="an icon without squares"),
        pytest.param({"player_board": [["stag", "harp", "thistle", "sword"]] * 2}, "3 to 8, not of 2", id="two rows"),
        pytest.param({"player_board": [["stag", "harp", "thistle", "sword"]] * 9}, "3 to 8, not of 9", id="nine rows"),
        pytest.param({"deployment_cards": [{"icon": "stag", "number": 1}] * 12}, "has no", id="a card for every icon"),
        pytest.param({"regions": [{"name": "Nord", "token": [0, 3]}]}, "regions", id="a token of nothing"),
        pytest.param({"icons": ["stag", "stag", "harp", "sword"]}, "differ", id="an icon twice"),
        pytest.param({"source": "x" * 1001}, "source", id="a long story"),
        pytest.param({"xyzzy": 1}, "xyzzy", id="more than parts"),
    ],
)
def test_parts_that_do_not_fit_are_refused_with_a_reason(changes: Json, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        GAME.read_options({"parts": own(**changes)})


@pytest.mark.parametrize("name", ["<b>", "Moray\n", "Isle to Ross", "a" * 25, "", "Moray  Firth", "ß", "Druid", "Ṁ"])
def test_names_of_parts_are_a_stranger_s_text(name: str) -> None:
    regions = own()["regions"]
    with pytest.raises(UsageError):
        GAME.read_options(
            {"parts": own(regions=[*regions, {"name": name, "token": [3, 3]}], land=[*own()["land"], [name, "Fife"]])}
        )


def test_parts_have_at_most_so_many_bytes() -> None:
    many = [
        {"name": f"Fort {'é' * 18}{'abcdefghijklmnopqrstuvwxyz'[n % 26]}", "border": ["Ross", "Moray"]}
        for n in range(41)
    ]
    with pytest.raises(UsageError):
        GAME.read_options({"parts": own(castles=many)})
