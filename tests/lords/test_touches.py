"""What may be touched in Lords of Scotland, question by question; the conformance suite looks at whole games."""

from __future__ import annotations

import pytest

from pbem.games.lords import GAME
from pbem.games.lords.look import LOOK
from pbem.games.lords.views import LordsView
from pbem.i18n import speaking
from pbem.kernel import read_ahead
from tests.lords.table import table


def offered(view: LordsView, *draft: str) -> list[str]:
    """What may be touched, each with what stands last in the draft that it makes, and a mark where that is whole."""
    touches = LOOK.touches(view, draft)
    return [f"{touch.at}: {touch.draft[-1]}{'' if touch.closes else ' …'}" for touch in touches]


ASIDE = ["choice:PLAN: PLAN …", "choice:AHEAD: AHEAD …"]


def test_a_turn_begins_with_recruits_and_the_hand() -> None:
    game = table(players=2, hands={"angus": "Scott 8"}, recruits="Wemyss 3, Forsyth 1 down")
    first = offered(game.view("angus"))
    assert first[:2] == ["card:Wemyss 3: RECRUIT 1", "recruit:2: RECRUIT 2"]
    assert first[-3:] == ["card:Scott 8: MUSTER Scott 8", *ASIDE]
    assert LOOK.touches(game.view("buchan"), ()) == ()
    assert LOOK.touches(game.view(None), ()) == ()


def test_a_card_lies_open_unless_it_is_touched_again() -> None:
    game = table(players=2, hands={"angus": "Forsyth 1, Scott 8"}, armies={"buchan": "Wemyss 3"})
    ways = offered(game.view("angus"), "MUSTER Forsyth 1")
    assert ways[:3] == [
        "end: MUSTER Forsyth 1",
        "choice:DOWN: MUSTER Forsyth 1 DOWN",
        "choice:USE: MUSTER Forsyth 1 USE",
    ]
    assert "choice:USE: MUSTER Scott 8 USE …" not in offered(game.view("angus"), "MUSTER Scott 8"), "Wemyss 3 is weaker"


def test_a_power_is_turned_on_what_lies_there() -> None:
    game = table(
        players=3, hands={"angus": "Ferguson 1, Scott 2"}, armies={"buchan": "Wemyss 3, Makgill 9 down", "carrick": "Forsyth 7"}
    )  # fmt: skip
    assert offered(game.view("angus"), "MUSTER Ferguson 1 USE") == [
        "card:Wemyss 3: MUSTER Ferguson 1 USE Wemyss 3",
        "follower:buchan/2: MUSTER Ferguson 1 USE buchan 2",
        "card:Forsyth 7: MUSTER Ferguson 1 USE Forsyth 7",
    ]
    assert LOOK.touches(game.view("angus"), ("MUSTER Ferguson 1 USE",))[1].label == (
        "Use Ferguson on Buchan's face-down follower 2"
    )
    copied = offered(game.view("angus"), "muster scott 2 use")
    assert copied == ["choice:Forsyth: MUSTER Scott 2 USE Forsyth", "choice:Wemyss: MUSTER Scott 2 USE Wemyss …"]


def test_a_makgill_musters_another() -> None:
    game = table(players=2, hands={"angus": "Makgill 6, Makgill 4, Scott 9"})
    assert offered(game.view("angus"), "MUSTER Makgill 6")[-3] == "choice:USE: MUSTER Makgill 6 USE …"
    used = offered(game.view("angus"), "MUSTER Makgill 6 USE")
    assert used == ["card:Makgill 4: MUSTER Makgill 4", "card:Scott 9: MUSTER Scott 9"]
    last = LOOK.touches(game.view("angus"), ("MUSTER Makgill 6 USE", "MUSTER Makgill 4 USE"))
    assert [touch.draft for touch in last] == [("MUSTER Makgill 6 USE", "MUSTER Makgill 4 USE", "MUSTER Scott 9")]


def test_who_can_do_nothing_passes() -> None:
    game = table(players=2, all_else="buchan")
    assert offered(game.view("angus"))[0] == "choice:PASS: PASS"


def test_a_plan_for_claims_names_any_card_once() -> None:
    game = table(players=2, hands={"angus": "Scott 8"}, supporters="Wemyss 9", recruits="Forsyth 1")
    begun = offered(game.view("angus"), "RECRUIT 1", "PLAN")
    assert begun[:2] == ["choice:STRONGEST: PLAN CLAIM STRONGEST", "card:Wemyss 9: PLAN CLAIM Wemyss 9"]
    assert "choice:CLAIM Scott: PLAN CLAIM Scott …" in begun
    assert len(begun) == 2 + 8
    more = offered(game.view("angus"), "RECRUIT 1", "PLAN CLAIM Wemyss 9")
    assert more[0] == "end: PLAN CLAIM Wemyss 9"
    assert "choice:CLAIM Wemyss: PLAN CLAIM Wemyss 9, Wemyss …" in more
    last = offered(game.view("angus"), "RECRUIT 1", "plan claim wemyss 9, wemyss")
    assert last[-1] == "card:Wemyss 12: PLAN CLAIM Wemyss 9, Wemyss 12"
    assert len(last) == 11


def test_the_next_turn_is_sent_ahead_with_the_hand_that_is_left() -> None:
    game = table(players=2, hands={"angus": "Scott 8, Forsyth 1"}, recruits="Wemyss 3, Makgill 2 down")
    view = game.view("angus")
    begun = offered(view, "MUSTER Scott 8", "AHEAD")
    assert "card:Forsyth 1: AHEAD TURN: MUSTER Forsyth 1" in begun
    assert "card:Scott 8: AHEAD TURN: MUSTER Scott 8" not in begun
    assert "card:Wemyss 3: AHEAD TURN: RECRUIT Wemyss 3" in begun
    assert "card:Wemyss 3: AHEAD TURN: MUSTER Wemyss 3" in offered(view, "RECRUIT 1", "AHEAD")
    lines = "AHEAD TURN: MUSTER Forsyth 1", "AHEAD TURN: RECRUIT 2"
    assert read_ahead(GAME, view, {"turn": 3}, "\n".join(lines)) == {3: "MUSTER Forsyth 1\nRECRUIT 2"}
    second = offered(view, "MUSTER Scott 8", lines[0], "AHEAD")
    assert f"recruit:2: {lines[1]}" in second
    assert "choice:ASK: AHEAD TURN: ASK" in begun
    assert "choice:ASK: AHEAD TURN: ASK" not in second


def test_what_may_lie_there_by_then_can_be_sent_ahead() -> None:
    """A card that is nowhere to be seen, a power that does not activate now, a follower that is not mustered yet."""
    game = table(players=3, hands={"angus": "Makgill 4, Scott 8"}, armies={"buchan": "Wemyss 3, Makgill 9 down"})
    view = game.view("angus")
    begun = offered(view, "AHEAD")
    assert "choice:MUSTER Ferguson: AHEAD TURN: MUSTER Ferguson …" in begun
    assert "choice:RECRUIT Scott: AHEAD TURN: RECRUIT Scott …" in begun
    assert "card:Ferguson 5: AHEAD TURN: MUSTER Ferguson 5 …" in offered(view, "AHEAD TURN: MUSTER Ferguson")
    targets = offered(view, "AHEAD TURN: MUSTER Ferguson 5 USE")
    assert "follower:buchan/2: AHEAD TURN: MUSTER Ferguson 5 USE buchan 2 …" in targets
    assert "card:Wemyss 3: AHEAD TURN: MUSTER Ferguson 5 USE Wemyss 3 …" in targets
    assert "choice:TARGET Scott: AHEAD TURN: MUSTER Ferguson 5 USE Scott …" in targets
    assert "choice:Forsyth: AHEAD TURN: MUSTER Scott 8 USE Forsyth …" in offered(view, "AHEAD TURN: MUSTER Scott 8 USE")
    musters = offered(view, "AHEAD TURN: MUSTER Makgill 4 USE")
    assert "card:Scott 8: AHEAD TURN: MUSTER Makgill 4 USE; MUSTER Scott 8 …" in musters


def test_touches_are_called_in_the_readers_language() -> None:
    game = table(players=2, hands={"angus": "Scott 8"})
    with speaking("fr"):
        assert "Mobiliser Scott 8" in [touch.label for touch in LOOK.touches(game.view("angus"), ())]


@pytest.mark.parametrize(
    ("claims", "seat", "most"), [("together", "angus", 1), ("together", "buchan", 3), ("in turn", "angus", 1)]
)
def test_as_many_supporters_can_be_claimed_as_can_be_had_and_as_many_more_as_others_can_take_before(
    claims: str, seat: str, most: int
) -> None:
    """Buchan, who is second, has a Cochrane and claims two."""
    game = table(
        players=3, turn=5, acts="carrick", victor="angus", claims=claims, recruits="Forsyth 11",
        supporters="Wemyss 12, Wemyss 9, Wemyss 2, Wemyss 4",
        armies={"angus": "Scott 12", "buchan": "Cochrane 8 active", "carrick": "Scott 5"},
    ).order("RECRUIT 1")  # fmt: skip
    named, draft = 0, tuple[str, ...]()
    while ways := [touch for touch in LOOK.touches(game.view(seat), draft) if touch.at.startswith("card:")]:
        named, draft = named + 1, tuple(ways[0].draft)
    assert named == most
