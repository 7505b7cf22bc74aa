"""The options that change the winter: Andrew de Moray at home, Angus Og's quarters, blocks that land on a coast."""

from __future__ import annotations

from pbem.games.hammer.rules.facts import ENGLISH, SCOTTISH
from tests.hammer.winter_builder import WinterTable

ANDREW = ("andrew_de_moray",)


# Andrew de Moray: the summary of 2.3


def with_moray(place: str, strength: int, variants: tuple[str, ...] = ANDREW) -> WinterTable:
    homes = {"Annan": "Bruce", "Badenoch": "Comyn"}
    table = WinterTable(homes, {place: f"Moray {strength}"}, variants=variants).winter()
    return table.order("HOME Comyn > Badenoch\nHOME Bruce > Annan")


def test_7_1_andrew_de_moray_gains_two_steps_when_he_goes_home() -> None:
    table = with_moray("Fife", 1).order("HOME Moray")
    assert (table.at("Moray"), table.strength("Moray")) == ("Moray", 3)
    public = {"f": "winter move", "side": SCOTTISH, "start": "Fife", "to": "Moray"}
    assert table.facts("winter move", ENGLISH) == [public]
    assert table.facts("winter move", SCOTTISH) == [{**public, "block": "Moray", "strength": 3}]


def test_7_1_andrew_de_moray_gains_no_more_than_he_has_room_for() -> None:
    assert with_moray("Fife", 2).order("HOME Moray").strength("Moray") == 3


def test_7_1_andrew_de_moray_gains_them_at_home_also_when_he_is_there_already() -> None:
    table = with_moray("Moray", 1).order("HOME Moray STAY")
    assert (table.at("Moray"), table.strength("Moray")) == ("Moray", 3)
    assert len(table.facts("winter move")) == 1


def test_7_1_andrew_de_moray_gains_nothing_elsewhere() -> None:
    table = with_moray("Fife", 1).order("HOME Moray STAY")
    assert (table.at("Moray"), table.strength("Moray")) == ("Fife", 1)
    assert table.facts("winter move") == []


def test_7_1_moray_gains_nothing_without_the_option() -> None:
    assert with_moray("Fife", 1, ()).order("HOME Moray").strength("Moray") == 1
