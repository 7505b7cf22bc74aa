"""The three scenarios: who stands where, how long they last, Edward I and II, the King. Rules 8.2, 8.3 and what they touch."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from pbem.errors import FormError, OrderError, UsageError
from pbem.games.hammer import GAME
from pbem.games.hammer.bots.situation import Situation
from pbem.games.hammer.bots.wintering import disband
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.orders import Disband
from pbem.games.hammer.rules.board import Board, State
from pbem.games.hammer.rules.printed import BLOCKS, DECK, ENGLISH, NOBLES, ROSTER, SCOTTISH
from pbem.games.hammer.rules.scenarios import SCENARIOS, last_year
from pbem.games.hammer.rules.winter import Winter, is_last_winter
from pbem.games.hammer.rules.year import GameTurn, Year
from pbem.games.hammer.setting_up import POSITIONS
from pbem.kernel import Chance, Draw, End, Json
from tests.hammer.builder import Table, altered
from tests.hammer.invariants import check_board
from tests.hammer.winter_builder import WinterTable

RED = [name for name, block in BLOCKS.items() if block.owner == ENGLISH]
COMYNS = ("Angus", "Argyll", "Buchan", "Comyn", "Galloway", "Ross")


class Opening(Table):
    """A game from its very beginning."""

    def __init__(self, scenario: str) -> None:
        super().__init__()
        self._go(GAME.start({"scenario": scenario}))

    def dealt(self) -> Opening:
        """Let the English draw the first of their pool, and the first cards be dealt."""
        (request,) = self.requests
        self.draw(*request.of[: request.n]).draw(*DECK[:10])
        return self

    @property
    def requests(self) -> tuple[Draw, ...]:
        wanted = self.stop.wants
        assert isinstance(wanted, Chance)
        return tuple(request for request in wanted.requests if isinstance(request, Draw))


def of(scenario: str, english: dict[str, str], scots: dict[str, str], year: int, **board: Any) -> Table:
    """Return a table of a scenario at which a turn can begin."""
    table = Table(english, scots, year, **board)
    table.start = altered(table.start, scenario=scenario)
    table.stop = replace(table.stop, state=replace(table.stop.state, board=table.start))
    return table


def winter(
    scenario: str, year: int, english: dict[str, str], scots: dict[str, str] | None = None, **board: Any
) -> WinterTable:
    """Return a winter of a scenario, not yet begun: in The Bruce as it is after its setup."""
    if scenario == "bruce":
        dead = {"dead": "Wallace, Moray"}
        scots, board = {**(scots or {}), **dead}, {"king": "Bruce", **board}
    table = WinterTable(english, scots, year, **board)
    table.start = altered(table.start, scenario=scenario, deal=year - SCENARIOS[scenario].first_year + 1)
    return table


def divided(table: WinterTable, english: int) -> WinterTable:
    """Begin the winter after 7.2, with so many English nobles of the thirteen."""
    sides = [ENGLISH] * english + [SCOTTISH] * (len(NOBLES) - english)
    pieces = [table.start[name]._replace(side=side) for name, side in zip(NOBLES, sides, strict=True)]
    table.start = table.start.put(*pieces)
    return table.begin(Winter("homes"))


def result(table: Table) -> Json:
    assert isinstance(table.stop.wants, End)
    return table.stop.wants.result


def placed(board: Board, side: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for piece in board.pieces:
        if piece.side == side:
            found.setdefault(piece.at, set()).add(piece.name)
    return found


# 8.1


def test_8_1_every_block_of_braveheart_has_its_place() -> None:
    table = Opening("braveheart")
    assert placed(table.board, SCOTTISH) == {
        "Annan": {"Bruce"}, "Galloway": {"Galloway"}, "Fife": {"Wallace", "Douglas", "Barclay"},
        "Moray": {"Moray", "Fraser"}, "Strathspey": {"Grant"}, "off": {"King", "French Knights"},
        "pool": {"Campbell", "Graham", "MacDonald", "Lindsay", "Keith", "Etterick", "Norse"},
    }  # fmt: skip
    english = placed(table.board, ENGLISH)
    assert len(english.pop("pool")) == 13
    assert english == {
        "Lothian": {"Cumbria Infantry"}, "Mentieth": {"Mentieth", "Northumber Infantry"}, "Badenoch": {"Comyn"},
        "Lanark": {"Steward"},
        **{name: {name} for name in ("Angus", "Argyll", "Mar", "Lennox", "Buchan", "Ross", "Atholl", "Dunbar")},
    }  # fmt: skip
    assert GAME.start({}).state == table.stop.state


# 8.2: deployment


def test_8_2_every_scottish_block_of_the_bruce_has_its_place() -> None:
    assert placed(Opening("bruce").board, SCOTTISH) == {
        "Dunbar": {"Dunbar"}, "Lennox": {"Lennox", "Campbell"}, "Atholl": {"Atholl"}, "Mar": {"Mar"},
        "Carrick": {"Bruce", "Lindsay"}, "Fife": {"King", "Douglas", "Barclay"},
        "dead": {"Wallace", "Moray"}, "off": {"French Knights"},
        "pool": {"Graham", "MacDonald", "Fraser", "Grant", "Keith", "Etterick", "Norse"},
    }  # fmt: skip


def test_8_2_every_english_block_of_the_bruce_has_its_place() -> None:
    assert placed(Opening("bruce").board, ENGLISH) == {
        "Angus": {"Angus"}, "Argyll": {"Argyll"}, "Buchan": {"Buchan"}, "Badenoch": {"Comyn"},
        "Galloway": {"Galloway"}, "Ross": {"Ross"},
        "Moray": {"Cumbria Infantry"}, "Mentieth": {"Mentieth", "Northumber Infantry"}, "Lothian": {"Durham Infantry"},
        "Lanark": {"Steward", "Westmor Infantry"},
        "pool": {
            "Edward", "Lancaster Archers", "Wales Archers", "Lancaster Knights", "York Knights", "Durham Knights",
            "Hobelars", "York Infantry", "Lancaster Infantry", "Wales Infantry", "Ulster Infantry",
        },
    }  # fmt: skip


def test_8_2_all_on_the_map_have_their_full_strength_and_the_six_comyns_are_english() -> None:
    board = Opening("bruce").board
    check_board(board)
    assert all(board[name].strength == BLOCKS[name].max for name in ROSTER if board[name].on_map)
    assert all(board[name].side == ENGLISH for name in COMYNS)
    assert (len(board.nobles(ENGLISH)), len(board.nobles(SCOTTISH))) == (8, 5)


def test_8_2_the_english_draw_six_of_the_eleven_at_full_strength() -> None:
    table = Opening("bruce")
    (request,) = table.requests
    assert (table.asked, request.n, len(request.of)) == (("chance", "priv:english"), 6, 11)
    table.draw("Edward", "Hobelars", "Wales Archers", "York Infantry", "York Knights", "Ulster Infantry")
    assert table.blocks("England") == {
        "Edward": 4, "Hobelars": 3, "Wales Archers": 3, "York Infantry": 4, "York Knights": 4, "Ulster Infantry": 3,
    }  # fmt: skip
    assert table.facts("levy", SCOTTISH) == [{"f": "levy", "n": 6}]


def test_8_2_it_begins_in_1306_with_deal_1() -> None:
    table = Opening("bruce")
    (request,) = table.requests
    table.draw(*request.of[:6])
    assert (table.asked, table.board.year) == (("chance", "deal:1"), 1306)
    table.draw(*DECK[:10])
    assert (table.board.deal, table.board.turn, table.asked) == (1, 1, ("english+scottish", "card"))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_8_0_a_guessed_position_has_the_deal_of_its_scenario(scenario: str) -> None:
    table = Opening(scenario).dealt()
    for seat in (ENGLISH, SCOTTISH):
        assert GAME.determinise(table.view(seat), random.Random(1)).board.deal == 1


def test_8_0_there_are_three_scenarios() -> None:
    with pytest.raises(UsageError, match="scenario"):
        GAME.start({"scenario": "bannockburn"})
    position = GAME.dump(Opening("bruce").stop.state)
    position["board"] = {**position["board"], "scenario": "bannockburn"}
    with pytest.raises(FormError, match="braveheart, bruce, campaign"):
        GAME.load(position)


@pytest.mark.parametrize("name", ["Stewart", "Steward"])
def test_8_2_stewart_is_steward(name: str) -> None:
    table = Table({"Lanark": "Steward"}, {"Ross": "Ross"}).turn("Move 2", "Move 1")
    table.order(f"MOVE Lanark: {name} > Selkirk")
    assert table.at("Steward") == "Selkirk"


# 8.2: the King, Wallace, the French


def test_6_2_in_the_bruce_the_king_counts_as_crowned() -> None:
    board = Opening("bruce").board
    assert board.king == "Bruce"
    places = {"dead": "Wallace, Moray", "Fife": "King, Bruce", "Mar": "French Knights"}
    table = of("bruce", {"Ross": "Ross"}, places, 1306, king=board.king).turn("Move 1", "Truce")
    assert "only once in a game (rule 6.2)" in table.refused("CORONATION Bruce")
    assert "only once in a game (rule 6.2)" in table.refused("RETURN")


def test_9_1_the_king_of_the_bruce_killed_ends_the_game() -> None:
    table = of("bruce", {"Fife": "York Knights"}, {"Fife": "King 1", "dead": "Wallace, Moray"}, 1306, king="Bruce")
    table.battles(("Fife", SCOTTISH, "", "")).order("BATTLE Fife: King PASS")
    table.order("BATTLE Fife: York Knights FIRE").dice(1, 6, 6, 6)
    assert result(table) == {"winner": ENGLISH, "why": "king killed"}


def test_7_2_the_king_of_the_bruce_may_move_to_a_cathedral() -> None:
    table = winter("bruce", 1306, {"Dunbar": "Hobelars"}, {"Mar": "King"}).winter()
    while table.asked != (SCOTTISH, "home"):
        table.silence()
    table.order("HOME King > Strathspey")
    assert table.at("King") == "Strathspey"


def test_7_5_wallace_who_is_dead_goes_nowhere() -> None:
    table = winter("bruce", 1306, {}, {"Fife": "King, Douglas, Barclay, Keith"}).disbanding("scots")
    assert "Wallace is not on the map (rule 7.5)" in table.refused("WALLACE > Selkirk\nDISBAND Keith")


def test_7_61_the_french_come_into_the_pool_of_the_bruce_too() -> None:
    table = winter("bruce", 1307, {}, {"Fife": "King"})
    board = table.start
    for i, name in enumerate(NOBLES):
        board = board.put(board[name]._replace(side=SCOTTISH if i < 8 else ENGLISH))
    table.start = board
    assert table.builds().at("French Knights") == "pool"
    assert winter("bruce", 1307, {}, {"Fife": "King"}).builds().at("French Knights") == "off"


# 8.2 and 8.3: Edward


@pytest.mark.parametrize("scenario", ["bruce", "campaign"])
def test_6_1_edward_i_lives_until_the_end_of_1306(scenario: str) -> None:
    if scenario == "bruce":
        assert Opening("bruce").board.edward == 1
    everybody = {"Teviot": ", ".join(RED)}
    table = winter(scenario, 1306, everybody).levy()
    assert table.facts("edward ii") == [{"f": "edward ii"}]
    assert (table.board.year, table.board.edward) == (1307, 2)


@pytest.mark.parametrize("scenario", ["bruce", "campaign"])
def test_6_1_edward_killed_in_1306_is_followed_and_from_1307_on_it_is_the_end(scenario: str) -> None:
    def killed(year: int, edward: int) -> Table:
        blocks = {"Lothian": "Edward 1", "Ross": "Ross"}
        table = of(scenario, blocks, {"Lothian": "King", "Mar": "Mar"}, year, edward=edward, king="Bruce")
        table.battles(("Lothian", ENGLISH, "", ""))
        return table.order("BATTLE Lothian: King FIRE").dice(1, 6, 6, 6)

    table = killed(1306, 1)
    assert (table.at("Edward"), table.board.edward) == ("pool", 2)
    assert table.facts("edward") == [{"f": "edward", "area": "Lothian"}]
    assert table.asked[0] != "end"
    assert result(killed(1307, 2)) == {"winner": SCOTTISH, "why": "edward ii killed"}


@pytest.mark.parametrize("year", [1306, 1307, 1313])
def test_8_2_the_english_cannot_winter_in_scotland_but_infantry_garrisons(year: int) -> None:
    blocks = {"Lothian": "Edward, Hobelars, York Infantry, York Knights, Durham Infantry"}
    table = winter("bruce", year, blocks, edward=1 if year == 1306 else 2).disbanding()
    assert "(rule 7.4)" in table.refused("EDWARD STAYS")
    table.order("DONE")
    assert table.on_map(ENGLISH) == {"York Infantry": "Lothian", "Durham Infantry": "Lothian"}


def test_7_7_in_the_bruce_there_is_a_levy_every_winter() -> None:
    for year in range(1306, 1314):
        table = winter("bruce", year, {"Lothian": "York Infantry"}, edward=1 if year == 1306 else 2).levy()
        assert table.asked == ("chance", "priv:english")


def test_8_3_edward_i_who_wintered_in_1305_disbands_in_1306_and_there_is_a_levy() -> None:
    table = winter("campaign", 1305, {"Lothian": "Edward, Hobelars"}).disbanding().order("EDWARD STAYS")
    assert (table.board.wintered, table.at("Hobelars")) == (1305, "Lothian")
    later = winter("campaign", 1306, {"Lothian": "Edward, Hobelars, York Infantry"}, wintered=1305).disbanding()
    assert "Edward I may not winter in Scotland in 1306 (rule 7.4)" in later.refused("EDWARD STAYS")
    later.order("DONE")
    assert later.on_map(ENGLISH) == {"York Infantry": "Lothian"}
    assert winter("campaign", 1306, {}, wintered=1305).levy().asked == ("chance", "priv:english")


def test_8_3_edward_ii_may_not_winter_in_1307() -> None:
    table = winter("campaign", 1307, {"Lothian": "Edward, York Infantry"}, edward=2).disbanding()
    assert "Edward II may not winter in Scotland (rule 7.4)" in table.refused("EDWARD STAYS")


# 8.2 and 8.3: how long


@pytest.mark.parametrize("english", range(14))
def test_9_0_the_bruce_ends_in_1314_by_majority_and_never_in_a_tie(english: int) -> None:
    table = divided(winter("bruce", 1314, {}, {"Fife": "King"}, edward=2), english)
    assert result(table) == {"winner": ENGLISH if english >= 7 else SCOTTISH, "why": "majority"}


def test_8_2_no_other_winter_of_the_bruce_decides() -> None:
    board = Opening("bruce").board
    assert [year for year in range(1306, 1320) if is_last_winter(altered(board, year=year))] == [1314]
    assert divided(winter("bruce", 1313, {}, {"Fife": "King"}, edward=2), 13).asked[0] != "end"


def test_8_3_the_campaign_begins_as_braveheart_does() -> None:
    campaign, braveheart = Opening("campaign").board, Opening("braveheart").board
    assert altered(campaign, scenario="braveheart") == braveheart
    assert Opening("campaign").requests == Opening("braveheart").requests


@pytest.mark.parametrize("year", [1305, 1314, 1320, 1336, 1400])
def test_8_3_nobody_counts_nobles_and_the_next_year_is_dealt(year: int) -> None:
    edward = 1 if year <= 1306 else 2
    table = divided(winter("campaign", year, {"Teviot": ", ".join(RED)}, {"dead": "Moray"}, edward=edward), 9)
    while table.asked != ("chance", f"deal:{year + 1 - 1296}"):
        wanted = table.stop.wants
        if isinstance(wanted, Chance):
            (request,) = wanted.requests
            assert isinstance(request, Draw)
            table.draw(*request.of[: request.n])
        else:
            table.silence()
    assert table.board.year == year + 1


@pytest.mark.parametrize(("scenario", "first"), [("braveheart", 1297), ("bruce", 1306), ("campaign", 1297)])
def test_8_0_by_the_option_nobles_are_counted_after_so_many_years(scenario: str, first: int) -> None:
    counted = divided(winter(scenario, first + 7, {}, {"Fife": "Barclay"}, edward=2, years=8), 8)
    assert result(counted) == {"winner": ENGLISH, "why": "majority"}
    before = divided(winter(scenario, first + 6, {}, {"Fife": "Barclay"}, edward=2, years=8), 8)
    assert before.asked[0] != "end"


def test_8_3_a_tie_of_a_campaign_with_a_last_year_is_broken_as_in_braveheart() -> None:
    tie = divided(winter("campaign", 1336, {}, {"Fife": "Wallace, Moray"}, edward=2, years=40), 7)
    assert result(tie.order("DONE").order("DONE")) == {"winner": SCOTTISH, "why": "tie wallace"}


def test_8_0_the_option_makes_no_scenario_longer() -> None:
    assert [last_year(scenario, 40) for scenario in ("braveheart", "bruce", "campaign")] == [1305, 1314, 1336]
    assert [last_year(scenario, 0) for scenario in ("braveheart", "bruce", "campaign")] == [1305, 1314, None]


def test_8_0_the_option_stands_in_views_positions_and_words() -> None:
    stop = GAME.start({"scenario": "campaign", "years": 9})
    state = stop.state
    assert GAME.load(GAME.dump(state)) == state
    assert GAME.read_view(GAME.view(state, None)).years == 9  # type: ignore[attr-defined]
    assert "years" not in GAME.view(GAME.start({"scenario": "campaign"}).state, None)
    for years in (-1, 101, True, "9"):
        position = GAME.dump(state)
        position["board"]["years"] = years
        with pytest.raises(FormError, match="a number from 0 to 100, not"):
            GAME.load(position)
    board = Opening("campaign").dealt().board
    text = POSITIONS.write(State(altered(board, years=9), (Year("turns"), GameTurn("cards"))))
    assert text.startswith("HAMMER 2 campaign years=9\n")
    assert POSITIONS.read(text)[0]["years"] == 9
    for wrong in ("years=0", "years=101", "years=", "years=1000"):
        with pytest.raises(OrderError, match=f"“{wrong}”: this is not a number you can use here"):
            POSITIONS.read(text.replace("years=9", wrong))


@pytest.mark.parametrize(("scenario", "year"), [("bruce", 1310), ("campaign", 1315)])
def test_9_1_sudden_death_in_every_scenario(scenario: str, year: int) -> None:
    table = of(scenario, {}, {"Mar": "Mar", "Lennox": "Lennox"}, year, edward=2)
    assert result(table.battles()) == {"winner": SCOTTISH, "why": "all nobles"}


# What players see, and the built-in player


def test_8_2_the_board_in_words() -> None:
    table = Opening("bruce").dealt()
    for seat in (ENGLISH, SCOTTISH, None):
        text = " ".join(LOOK.board(table.view(seat)).split())
        assert "1306, Game Turn 1 of 5." in text
        assert "The Bruce: 1306 to 1314." in text
        assert "Dead for good: Wallace and Moray." in text
        assert "Not yet in the game: French Knights." in text
        assert "Bruce is King of Scots." in text
        assert "Nobles: English 8, Scots 5 (Moray is off the map); the English lead." in text
        assert "Edward II" not in text
    later = winter("bruce", 1306, {"Teviot": ", ".join(RED)}).levy()
    assert "Edward II is king of England" in " ".join(LOOK.board(later.view(ENGLISH)).split())


def test_8_3_the_board_in_words() -> None:
    text = " ".join(LOOK.board(Opening("campaign").dealt().view(SCOTTISH)).split())
    assert "Campaign: from 1297, until one side has won (8.3)." in text
    bounded = GAME.view(GAME.start({"scenario": "campaign", "years": 40}).state, SCOTTISH)
    assert "Campaign: 1297 to 1336 at the longest, without a count before (8.3)." in LOOK.board(GAME.read_view(bounded))
    assert "Braveheart: 1297 to 1305." in LOOK.board(Opening("braveheart").dealt().view(SCOTTISH))


@pytest.mark.parametrize(("scenario", "year"), [("braveheart", 1305), ("bruce", 1314), ("campaign", 1336)])
def test_8_0_the_built_in_player_knows_the_last_year(scenario: str, year: int) -> None:
    for now in (year - 1, year):
        view = winter(scenario, now, {"Teviot": "Edward"}, years=40).disbanding().view(ENGLISH)
        assert Situation(view).last_year == (now == year)


def test_8_3_the_built_in_player_may_winter_with_edward_in_1305_where_it_is_not_the_last_year() -> None:
    army = {"Mentieth": "Edward, York Knights, Lancaster Knights", "dead": ", ".join(RED[7:])}
    stays = {}
    for scenario in ("braveheart", "campaign"):
        order = disband(winter(scenario, 1305, army).disbanding().view(ENGLISH))
        assert isinstance(order, Disband)
        stays[scenario] = order.edward
    assert stays == {"braveheart": False, "campaign": True}
