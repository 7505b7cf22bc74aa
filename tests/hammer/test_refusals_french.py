"""What the rules and the readers of orders, plans and positions say, in French: kept as a file, which a Frenchman should read.

That nothing of it stands outside the catalogues is seen at every refusal of these tests: `Table.refused` looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from pbem.errors import OrderError
from pbem.games import find
from pbem.games.hammer import GAME
from pbem.games.hammer.rules.printed import SCOTTISH, SIDES
from pbem.games.hammer.rules.variants import OPTIONS
from pbem.games.hammer.setting_up import HammerPositions
from pbem.i18n import speaking
from pbem.kernel import Ask
from tests.i18n import BRACKETS, outside

from .builder import NAMES, Table
from .golden import compare
from .winter_builder import WinterTable


def moving() -> Table:
    places = {"Angus": "Angus, York Knights", "Mentieth": "Lancaster Archers, Lancaster Infantry"}
    return Table(places, {"Fife": "Wallace, Douglas, Barclay", "Carrick": "Norse"}).turn("Move 1", "Move 2")


def fighting() -> Table:
    places = {"Annan": "York Infantry, Durham Infantry", "Lennox": "Hobelars"}
    table = Table(places, {"Lanark": "Wallace, King, Norse, Bruce", "Fife": "Douglas"}).turn("Move 2", "Move 1")
    return table.order("MOVE Annan: ALL > Lanark").order("PASS")


def victuals() -> Table:
    return Table({"Ross": "Ross"}, {"Fife": "Wallace 2, Douglas 3"}).turn("Move 1", "Victuals")


def disbanding() -> Table:
    return WinterTable({"Mentieth": "York Infantry, Durham Infantry, Cumbria Infantry, Edward"}).disbanding()


def building() -> Table:
    return WinterTable({}, {"Fife": "Wallace, Douglas 2", "Mar": "Keith"}).builds(SCOTTISH)


ORDERS: list[tuple[Callable[[], Table], list[str]]] = [
    (
        moving,
        [
            "MOVE Fife: Wallace > Narnia", "MOVE Fife: Lanc > Angus", "MOVE Fife: Wallace > Lothian",
            "MOVE Fife: Douglas > Angus > Buchan", "MOVE Fife: Wallace > Atholl > Badenoch > Moray > Ross",
            "MOVE Norse > England", "MOVE Carrick: Norse, Wallace > Ross", "MOVE Fife: Wallace > Atholl MAIN",
            "MOVE Fife: Wallace > Atholl\nMOVE Norse > Ross\nMOVE Fife: Douglas > Mentieth\nMARCH",
            "HERALD Ross", "PASS\nMOVE Fife: Wallace > Atholl",
        ],
    ),
    (
        fighting,
        [
            "NEXT Fife", "BATTLE Lanark: Wallace", "BATTLE Fife: Wallace FIRE", "BATTLE Lanark: Douglas FIRE",
            "BATTLE Lanark: Wallace RETREAT Lennox", "BATTLE Lanark: Wallace RETREAT Ross",
            "BATTLE Lanark: Wallace FIRE, Wallace PASS",
        ],
    ),
    (victuals, ["VICTUALS Fife: Wallace 3", "VICTUALS Fife: Ross 1", "CORONATION Bruce", "RETURN"]),
    (disbanding, ["DONE", "EDWARD sleeps", "EDWARD STAYS\nDISBAND Edward", "DISBAND Mentieth", "DISBAND Wallace,"]),
    (building, ["DRAW Ross", "DRAW Fife, Fife, Fife", "BUILD Fife: Douglas 3", "BUILD Mar: Keith 0", "BUILD Fife"]),
]  # fmt: skip

PLANS = [
    "PLAN BATTLE Lanark", "PLAN BATTLE Lanark: RETREAT", "PLAN BATTLE Lanark: SING", "PLAN BATTLE ANY: FIGHT 5 ROUNDS",
    "PLAN BATTLE ANY: RETREAT Fife IF RAIN", "PLAN BATTLE ANY: REGROUP Wallace", "PLAN NEXT", "PLAN RAID York Infantry, York Inf",
    "PLAN HOME Bruce", "PLAN BUILD Fife: CASTLES", "PLAN KEEP ANY\nPLAN KEEP Wallace", "PLAN EDWARD SLEEPS",
]  # fmt: skip

POSITIONS = [
    "CHESS 1", "HAMMER 2 flodden", "HAMMER 2 braveheart dragons\nYEAR 1297", "HAMMER 2 braveheart\nENGLISH Fife: Edward",
    "HAMMER 2 braveheart\nYEAR 1297\nENGLISH Fife Edward\nENGLISH Fife: Wallace, Edward 9, Hobelars, Hobelars\nEDWARD 3",
    "HAMMER 2 braveheart\nYEAR 1297 TURN 1", "HAMMER 2 braveheart E1\nYEAR 1297\nENGLISH Fife: Edward",
    "HAMMER 2 braveheart\nYEAR 1297\nENGLISH Fife: Edward\nSCOTTISH Fife: Wallace",
]  # fmt: skip


OPTIONS_IN_WORDS = {word for name in (*OPTIONS, "years") for word in outside(name)}


def refused(read: Callable[[str], object], text: str) -> str:
    with pytest.raises(OrderError) as caught:
        read(text)
    return str(caught.value)


def descriptions() -> Iterator[str]:
    """Go through what is legal, in words, and what options and editions change."""
    for table, _orders in ORDERS:
        game = table()
        assert isinstance(game.stop.wants, Ask)
        yield str(GAME.options(game.view(game.stop.wants.seats[0])))
    yield from find("hammer").told({**dict.fromkeys(OPTIONS, True), "edition": "2.3", "bid": "E1"})


@pytest.mark.slow
def test_refusals_in_french() -> None:
    said = []
    with speaking("fr"):
        for table, texts in ORDERS:
            said += [text + "\n" + table().refused(text) for text in texts]
        said += [text + "\n" + refused(GAME.read_plans, text) for text in PLANS]
        said += [text + "\n" + refused(HammerPositions().read, text) for text in POSITIONS]
        said += descriptions()
    compare("french_refusals.txt", "\n\n".join(said))


@pytest.mark.parametrize(("read", "texts"), [(GAME.read_plans, PLANS), (HammerPositions().read, POSITIONS)])
def test_what_is_said_of_plans_and_positions_is_in_the_catalogues(
    read: Callable[[str], object], texts: list[str]
) -> None:
    for text in texts:
        with speaking(BRACKETS), pytest.raises(OrderError) as caught:
            read(text)
        for problem in caught.value.problems:
            assert not outside(problem.why), problem
            assert {word for word in outside(problem.legal) if not word.isupper()} <= NAMES | {
                *OPTIONS_IN_WORDS,
                *SIDES,
            }


def test_what_is_described_is_in_the_catalogues() -> None:
    with speaking(BRACKETS):
        for text in descriptions():
            assert {word for word in outside(text) if not word.isupper()} <= NAMES, text
