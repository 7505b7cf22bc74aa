"""The dice do not look at how an order came: sent ahead or when it was asked for, the same orders make the same game."""

from __future__ import annotations

import pytest

from pbem.errors import OrderError
from pbem.kernel import next_marks, read_ahead, typed
from pbem.ledger import REACH, cj
from pbem.referee.table import Table
from tests.referee.ahead import HAMMER, both


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tiny", "hammer"])
def test_the_dice_are_the_same(name: str) -> None:
    """Every roll, draw and deal, with its link, at the same entry."""
    asked, ahead = ([entry for entry in table.ledger.log.entries if entry.k == "rand"] for table in both(name))
    chance = [[{key: e.fields[key] for key in e.fields if key != "prev"} for e in found] for found in (asked, ahead)]
    shorter = min(map(len, chance))
    assert shorter > 5
    assert chance[0][:shorter] == chance[1][:shorter]


@pytest.mark.parametrize("name", ["tiny", "hammer"])
def test_each_mark_has_one_order_with_the_same_link(name: str) -> None:
    given = []
    for table in both(name):
        says = [entry.fields["say"] for entry in table.ledger.log.entries if entry.k == "order"]
        links = [(say["seat"], say["link_n"], say["link"]) for say in says if "link" in say]
        assert len({link[:2] for link in links}) == len(links)
        given.append(links)
    shorter = min(map(len, given))
    assert given[0][:shorter] == given[1][:shorter]
    used = [e for e in both(name)[1].ledger.log.entries if e.k == "order" and e.fields["say"]["act"] == "ahead"]
    assert len(used) > 5


@pytest.mark.parametrize("name", ["tiny", "hammer"])
def test_what_is_told_is_the_same_but_for_how_it_came(name: str) -> None:
    def told(table: Table) -> list[bytes]:
        tells = [entry.fields["pub"] for entry in table.ledger.log.entries if entry.k == "tell"]
        return [cj([[fact for fact in pub["facts"] if fact["f"] != "ahead"], pub["view"]]) for pub in tells]

    asked, ahead = map(told, both(name))
    shorter = min(len(asked), len(ahead))
    assert asked[:shorter] == ahead[:shorter]


# what is typed


def read(text: str) -> dict[int, str]:
    table = Table(HAMMER.rules, {"scenario": "braveheart"}, "read")
    hand = {"hand": ("Move 2", "Herald")}
    view = table.referee.view("english").model_copy(update=hand)
    return read_ahead(HAMMER.rules, view, next_marks(HAMMER.rules, 2, "card", REACH), text)


@pytest.mark.slow
def test_lines_are_read_as_a_player_writes_them() -> None:
    found = read(
        "ahead next card : card mo   # the last one\n> quoted\n"
        "AHEAD act if first and FIRST: move england: edward > annan ;MOVE England: Hobelars > Annan\nAHEAD ACT ELSE: pass"
    )
    assert found == {
        4: "IF YEAR 1297: CARD Move 2",
        3: "IF YEAR 1297 AND FIRST: MOVE England: Edward > Annan; MOVE England: Hobelars > Annan\nIF YEAR 1297: PASS",
    }
    assert [read("\n".join(typed(mark, text))) for mark, text in found.items()] == [{m: t} for m, t in found.items()]


@pytest.mark.variants
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("AHEAD CARD: CARD Truce", "there is no such card in your hand here"),
        ("AHEAD ACT IF MOONLIT: PASS", "this is no condition that can be told. Possible: FIRST, SECOND"),
        ("AHEAD ACT: MOVE England: Edward > Annan; PASS", "one order is wanted here"),
        ("AHEAD ACT: MOVE England: Nobody > Annan", "there is no such block here"),
        ("AHEAD WINTER: PASS", "there is no such question here. Possible: act, card"),
        ("AHEAD 2: CARD Move 2", "for this mark nothing can be sent ahead now. Possible: 3 (act), 4 (card)"),
        ("AHEAD ACT:", "names its question and an order"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(text: str, why: str) -> None:
    with pytest.raises(OrderError) as caught:
        read(f"# first\n{text}")
    assert str(caught.value).startswith("line 2: ")
    assert why in str(caught.value)
