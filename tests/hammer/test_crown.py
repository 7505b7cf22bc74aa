"""Coronation and the return of the king. Rules 6.2, 6.21, 6.22."""

from __future__ import annotations

from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from tests.hammer.builder import Table

HOME = {"Dunbar": "Dunbar"}


def scots(event: str = "Herald", english_card: str = "Move 1", year: int = 1297, **places: str) -> Table:
    return Table(HOME, places, year).turn(english_card, event)


def test_6_21_bruce_is_crowned_at_fife_when_wallace_is_dead() -> None:
    table = scots(Fife="Bruce", dead="Wallace", Ross="Ross 2", Moray="Moray", Mar="Mar").order("CORONATION Bruce")
    assert (table.at("King"), table.strength("King")) == ("Fife", 4)
    # the Comyn faction goes over, at its strength; Moray does not
    assert (table.side("Ross"), table.strength("Ross")) == (ENGLISH, 2)
    assert table.side("Moray") == table.side("Mar") == table.side("Bruce") == SCOTTISH
    assert table.asked == (ENGLISH, "act")


def test_6_21_when_comyn_is_crowned_the_bruce_faction_defects() -> None:
    table = scots(Fife="Comyn", dead="Wallace", Mar="Mar", Ross="Ross").order("CORONATION Comyn")
    assert table.side("Mar") == ENGLISH
    assert table.side("Ross") == SCOTTISH


def test_6_21_not_while_wallace_lives_the_pool_is_not_death() -> None:
    for places in ({"Lanark": "Wallace"}, {"pool": "Wallace"}):
        assert "(rule 6.21)" in Table(HOME, {"Fife": "Bruce", **places}).turn("Move 1", "Truce").refused(
            "CORONATION Bruce"
        )


def test_6_21_the_candidate_must_stand_in_fife() -> None:
    assert "(rule 6.21)" in scots(Lanark="Bruce", dead="Wallace").refused("CORONATION Bruce")
    assert "candidates" in scots(Fife="Mar", dead="Wallace").refused("CORONATION Mar")


def test_6_2_only_an_event_card_and_only_the_scots() -> None:
    table = Table(HOME, {"Fife": "Bruce", "dead": "Wallace"}).turn("Truce", "Move 2").order("PASS")
    assert "CORONATION" in table.refused("CORONATION Bruce")


def test_6_2_a_king_is_crowned_once() -> None:
    table = Table(HOME, {"Fife": "Bruce", "dead": "Wallace", "Ross": "King"}, king="Balliol").turn("Move 1", "Truce")
    assert "(rule 6.2)" in table.refused("CORONATION Bruce")


def test_6_22_balliol_returns_to_the_french_knights() -> None:
    table = scots(year=1301, Lanark="French Knights", Fife="Wallace", Mar="Mar, Douglas", Carrick="Bruce", Ross="Ross")
    table.order("RETURN")
    assert (table.at("King"), table.strength("King"), table.board.king) == ("Lanark", 4, "Balliol")
    assert table.side("Bruce") == table.side("Mar") == ENGLISH
    assert table.side("Ross") == SCOTTISH
    # Mar fights at once, as the attacker, without home bonus though he is at home
    (battle,) = table.facts("battle")
    assert (battle["area"], battle["attacker"], battle["english"]) == ("Mar", ENGLISH, 1)
    table.order("BATTLE Mar: Mar FIRE", ENGLISH).dice(3, 3, 3)
    assert table.facts("fire")[0]["hits"] == 0


def test_6_22_conditions() -> None:
    assert "(rule 6.22)" in scots(year=1300, Lanark="French Knights").refused("RETURN")
    assert "(rule 6.22)" in scots(year=1301, pool="French Knights").refused("RETURN OF THE KING")
    assert "(rule 6.2)" in Table(HOME, {"Lanark": "French Knights"}, 1302, king="Bruce").turn(
        "Move 1", "Truce"
    ).refused("RETURN")


def test_6_21_player_1_chooses_the_order_of_the_defection_battles() -> None:
    table = scots(Fife="Bruce, Ross", dead="Wallace", Angus="Angus, Galloway, Douglas").order("CORONATION Bruce")
    assert table.asked == (SCOTTISH, "next battle")
    table.order("NEXT Angus")
    # all defectors in one area form one front
    (battle,) = table.facts("battle")
    assert (battle["english"], battle.get("english_reserve", 0)) == (2, 0)


def test_6_21_with_two_events_the_english_are_player_1() -> None:
    table = scots("Victuals", "Truce", Fife="Bruce, Ross", dead="Wallace", Angus="Angus, Douglas")
    table.order("TRUCE").order("CORONATION Bruce")
    assert table.asked == (ENGLISH, "next battle")


def test_6_2_the_scots_decide_after_the_english_event_and_its_battle() -> None:
    """The Herald wins Ross over among the Scots: that battle is over before the Scots say what their event is."""
    table = Table(HOME, {"Fife": "Bruce", "dead": "Wallace", "Ross": "Ross 1, Douglas"}).turn("Herald", "Truce")
    table.order("HERALD Ross").dice(1).order("BATTLE Ross: Ross PASS").order("BATTLE Ross: Douglas FIRE").dice(
        1, 6, 6, 6
    )
    # Ross is captured back; the Scots regroup, and only then play their card
    table.order("PASS")
    assert table.asked == (SCOTTISH, "act")
    table.order("CORONATION Bruce")
    assert table.side("Ross") == ENGLISH
