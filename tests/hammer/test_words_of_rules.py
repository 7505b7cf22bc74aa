"""Rules are named by the number that they have in the book that is played by, and sentences say whom and why."""

from __future__ import annotations

import re

from pbem.games.hammer.game import _numbered
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.look.board import score
from pbem.games.hammer.look.words import block
from pbem.games.hammer.rules.variants import chosen
from pbem.kernel import Refusal
from tests.hammer.builder import Table


def test_in_a_game_of_the_older_edition_the_numbers_are_those_of_that_book() -> None:
    places = {"Dunbar": "Dunbar"}, {"Ross": "Ross"}
    older, newer = (
        Table(*places, variants=chosen((), it)).turn("Move 1", "Move 1").view("english") for it in ("2.3", "4.0")
    )
    refusal = Refusal("no room", "7.62")
    assert _numbered(refusal, older).rule == "7.61"
    assert _numbered(refusal, newer).rule == "7.62"
    assert _numbered(Refusal("no", "4.6"), older).rule == "4.6"


def test_moray_stays_when_bruce_is_crowned_and_a_noble_with_two_homes_has_his_own_number() -> None:
    crowned = LOOK.fact({"f": "coronation", "area": "Fife", "king": "Bruce"}, None)
    assert "Comyn nobles of the Scots, except Moray, go over" in crowned
    assert "Moray" not in LOOK.fact({"f": "coronation", "area": "Fife", "king": "Comyn"}, None)


def test_7_12_a_noble_whose_homes_are_both_held_is_told_by_the_paragraph_of_two_homes() -> None:
    """Also 2.22 and 6.21 for the Comyn faction, and “except Moray” when Bruce is crowned."""
    both = LOOK.fact({"f": "turned", "noble": "Bruce", "to": "english", "strength": 2}, None)
    assert "finds both his homes held by the English" in both
    assert both.endswith("(7.12).")


def test_the_comyn_faction_is_named_by_the_paragraphs_that_tell_of_it() -> None:
    view = Table({"Dunbar": "Dunbar"}, {"Ross": "Ross"}).turn("Move 1", "Move 1").view("english")
    assert "* Comyn faction (2.22, 6.21)" in LOOK.board(view)


def test_whoever_is_revealed_is_rated_at_home_too_since_the_reader_sees_where_he_stands() -> None:
    said = LOOK.fact({"f": "reveal", "side": "scottish", "blocks": {"bruce": 4, "wallace": 3}}, None)
    assert "Bruce 4 (B2, at home B3)" in said
    assert "Wallace 3 (A3)" in said


def test_who_is_known_retreats_by_name_and_others_by_number() -> None:
    """“Etterick retreats to Atholl”."""
    own = {"f": "retreat", "area": "Fife", "side": "scottish", "to": {"atholl": ["Etterick"]}, "lost": []}
    assert LOOK.fact(own, "scottish") == "Etterick retreats to Atholl."
    assert LOOK.fact({**own, "to": {"atholl": 1}}, None) == "The Scots retreat, 1 block to Atholl."


def test_a_noble_at_home_has_both_ratings_and_the_reason() -> None:
    """“Bruce 4 (B2, at home B3)”, “fires 3 dice at B3 at home”."""
    assert block("Bruce", 4, (), "Annan").endswith("(B2,\ue000at\ue000home\ue000B3)")
    assert "home" not in block("Bruce", 4, (), "Fife")


def test_the_number_of_nobles_is_the_same_in_text_and_picture() -> None:
    table = Table({"Dunbar": "Dunbar"}, {"Ross": "Moray"}).turn("Move 1", "Move 1")
    for seat in ("scottish", "english"):
        seen = table.view(seat)
        said = re.search(r"English (\d+), Scots (\d+)", score(seen))
        drawn = re.findall(r'<text class="number mid" x="127" y="\d+">(\d+)</text>', str(LOOK.picture([seen], ())))
        assert said
        assert list(said.groups()) == drawn
