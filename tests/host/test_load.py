"""The bench of a full host measures what it says: orders in games that are clones are taken like any others."""

from __future__ import annotations

import random
from pathlib import Path

from bench.load import ORDERS, Town, percentile
from pbem.games import find
from pbem.host.store.keeping import Wanted, overview
from tests.a_postgres import of_a_file


@of_a_file("the bench clones games in SQLite's words")
def test_orders_in_cloned_games_are_taken(tmp_path: Path) -> None:
    town = Town(find("hammer"), tmp_path, 1)
    town.grow(4)
    rows = overview(town.robot.store, Wanted())
    assert [row.number for row in rows] == [1, 2, 3, 4]
    assert len({row.id for row in rows}) == 4
    assert {row.entry for row in rows} == {rows[0].entry}
    assert len(town.first.took) >= ORDERS
    mails = town.orders(3, random.Random(1))
    assert [town.robot.take(raw, at).partition(":")[0] for raw, at in mails] == ["order"] * 3
    town.store.db.close()


def test_the_slowest_of_a_hundred() -> None:
    assert percentile([1.0] * 99 + [100.0], 50) == 1.0
    assert percentile(list(map(float, range(101))), 99) == 99.0
