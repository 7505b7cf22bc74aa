"""Positions in words: what they mean, that canonical text comes back, and what is refused."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine import Engine
from pbem.errors import OrderError, UsageError
from pbem.games.lords import GAME
from pbem.games.lords.rules.reign import State
from pbem.games.lords.setting_up import POSITIONS, WORDS
from pbem.kernel import Ask, Chance
from tests.conformance import play
from tests.lords.setting_up import CLAIMS, PUZZLE
from tests.project.source import ROOT

ALL = {"bruce": True, "claims": "in turn", "activation": "clan", "goal": 25, "bruce_ranks": [0, 100]}


def read(text: str) -> State:
    return POSITIONS.read(text)[1]


def complaint(text: str) -> str:
    with pytest.raises(OrderError) as caught:
        read(text)
    return str(caught.value)


def test_a_text_says_who_is_asked_and_what_lies_where() -> None:
    state = read(PUZZLE)
    wanted, board = GAME.wants(state), state.board
    assert isinstance(wanted, Ask)
    assert (wanted.seats, wanted.what, board.round, board.turn) == (("carrick",), "turn", 2, 4)
    assert board.supporters == ("Scott 12", "Wemyss 9", "Makgill 2")
    assert [(recruit.card, recruit.up) for recruit in board.recruits][:2] == [
        ("Ferguson 2", True),
        ("Forsyth 8", False),
    ]
    assert board.hands["carrick"] == ("Wemyss 3", "Ferguson 4", "MacDonnell 11")
    assert [(f.card, f.up, f.power, f.seen) for f in board.armies["buchan"]] == [
        ("Cochrane 3", True, "Cochrane", ()),
        ("Scott 10", False, "", ("buchan", "carrick")),
        ("Scott 1", True, "MacDonnell", ()),
    ]
    assert (board.points("angus"), board.in_turn) == (7, ("buchan", "carrick", "angus"))


def test_what_no_line_names_lies_in_the_pile_below_what_is_named_and_is_mixed() -> None:
    pile = read(PUZZLE).board.pile
    assert pile[:2] == ("Cockburn 12", "Scott 2")
    assert len(pile) == 96 - 20
    assert pile == read(PUZZLE).board.pile
    assert len({card.split()[0] for card in pile[2:10]}) > 2


def test_among_the_discards_it_waits_for_a_shuffle() -> None:
    text = PUZZLE.replace(", rest", "") + "DISCARDS: rest\n"
    board = read(text).board
    assert (len(board.pile), len(board.discards)) == (2, 96 - 22)
    stop = GAME.step(read(text), {"carrick": GAME.parse(GAME.read_view(GAME.view(read(text), "carrick")), "RECRUIT 1")})
    assert isinstance(stop.wants, Ask)
    empty = read(text.replace("PILE: Cockburn 12, Scott 2\n", ""))
    stop = GAME.step(empty, {"carrick": GAME.parse(GAME.read_view(GAME.view(empty, "carrick")), "RECRUIT 1")})
    assert isinstance(stop.wants, Chance)
    assert stop.wants.label == "deal:2"


def test_a_seat_sees_what_the_text_lets_it_see() -> None:
    state = read(PUZZLE)
    seen = {seat: json.dumps(GAME.view(state, seat)) for seat in ("angus", "buchan", "carrick")}
    assert [seat for seat, view in seen.items() if "Scott 10" in view] == ["buchan", "carrick"]
    assert [seat for seat, view in seen.items() if "Forsyth 4" in view] == ["angus"]
    assert not [seat for seat, view in seen.items() if "Forsyth 8" in view]


def test_when_supporters_are_claimed_the_armies_say_who_is_first() -> None:
    state = read(CLAIMS)
    wanted = GAME.wants(state)
    assert isinstance(wanted, Ask)
    assert (wanted.seats, wanted.what) == (("buchan",), "claim"), "the second gets what is left"
    assert (state.board.placing, state.board.victor) == (("buchan", "angus"), "buchan")


def test_claims_in_turn_name_who_claims() -> None:
    text = CLAIMS.replace("for 2", "for 3\nOPTION claims=in turn").replace("CLAIMS\n", "CLAIMS angus\n")
    wanted = GAME.wants(read(text))
    assert isinstance(wanted, Ask)
    assert wanted.seats == ("angus",)


def test_options_are_those_of_the_command_line() -> None:
    text = CLAIMS.replace(
        "ROUND", "ARMY buchan: Bruce a\nOPTION goal=25\nOPTION bruce=true\nOPTION bruce_ranks=[0, 100]\nROUND"
    )
    options, state = POSITIONS.read(text)
    assert (options["players"], options["goal"], options["bruce_ranks"]) == (2, 25, [0, 100])
    assert GAME.read_options(options).terms == state.board.terms


@pytest.mark.parametrize("text", [PUZZLE, CLAIMS])
def test_canonical_text_comes_back_as_it_is(text: str) -> None:
    canonical = POSITIONS.write(read(text))
    assert read(canonical) == read(text)
    assert POSITIONS.write(read(canonical)) == canonical
    assert all(len(line) <= 72 for line in canonical.splitlines())


@pytest.mark.variants
@pytest.mark.parametrize("options", [{}, ALL], ids=["usual", "options"])
@pytest.mark.parametrize("players", [2, 5])
def test_every_question_of_a_game_has_a_text(players: int, options: dict[str, Any]) -> None:
    asked: dict[str, int] = {}
    for stop in play(GAME, {"players": players, **options}, players).stops:
        if isinstance(stop.wants, Ask):
            asked[stop.wants.what] = asked.get(stop.wants.what, 0) + 1
            if asked[stop.wants.what] % 3 == 1:
                assert read(POSITIONS.write(stop.state)) == stop.state
    assert set(asked) == {"turn", "claim"}


def test_what_waits_for_a_shuffle_or_is_over_has_no_words() -> None:
    stops = play(GAME, {"players": 2, "goal": 5}, 1).stops
    for stop in (stops[0], stops[-1]):
        with pytest.raises(UsageError, match="a JSON form only"):
            POSITIONS.write(stop.state)


def test_one_can_play_on_from_words() -> None:
    engine = Engine()

    def ask(**request: Any) -> Any:
        return engine.answer(json.dumps({"id": 1, **request}).encode())["ok"]

    assert ask(do="new", game="lords", position=PUZZLE)["wants"]["seats"] == ["carrick"]
    assert ask(do="step", orders={"carrick": "MUSTER Wemyss 3 DOWN"})["wants"]["seats"] == ["angus"]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("lords 1", "chess 1", "line 1: “chess 1 for 3”: a position begins with the game"),
        ("lords 1", "lords 7", "line 1: “lords 7 for 3”: a position begins with the game"),
        ("for 3", "for 6", "line 1: “for 6”: this is not a number you can use here. Possible: 2 to 5"),
        ("ROUND 2 TURN 4 carrick\n", "", "who is asked, and when, is missing. Possible: ROUND 2 TURN 3 angus"),
        ("TURN 4", "TURN 6", "line 2: “TURN 6”: this is not a number you can use here. Possible: 1 to 5"),
        ("TURN 4 carrick", "TURN 4 douglas", "line 2: “douglas”: there is no such seat here"),
        ("TURN 4", "TURN 5", "RECRUITS”: in turn 5 at most 0 lie face-down"),
        ("INITIATIVE", "OPTION weather=rain\nINITIATIVE", "line 3: “OPTION weather=rain”: this names no option"),
        ("INITIATIVE", "OPTION goal=99\nINITIATIVE", "Possible: 1 to 40"),
        ("INITIATIVE", "DEAL 2\nINITIATIVE", "line 3: “DEAL 2”: this cannot be read. Possible: DEAL 2 of 61"),
        ("INITIATIVE", "WEATHER fine\nINITIATIVE", "line 3: “WEATHER”: there is no such line here"),
        ("SUPPORTERS:", "SUPPORTERS", "what lies there stands behind a colon. Possible: SUPPORTERS: …"),
        ("Scott 12,", "Scott 12, Scott 11,", "there are at most 3 cards"),
        ("Scott 12", "Scott 13", "line 4: “Scott 13”: there is no such card. Possible: Scott 1 to Scott 12"),
        ("Scott 12", "Scott 12 down", "line 4: “Scott 12 down”: a card alone stands here. Possible: Scott 12"),
        ("Scott 12", "Lancelot 12", "line 4: “Lancelot”: there is no such clan here"),
        ("Wemyss 3", "Wemyss 9", "line 8: “Wemyss 9”: Wemyss 9 is named already: SUPPORTERS"),
        ("Wemyss 3", "Bruce a", "“Bruce a”: the royal cards are set aside. Possible: OPTION bruce=true"),
        ("Wemyss 1", "Wemyss 1 active", "line 5: “Wemyss 1 active”: a recruit lies face-up, or down"),
        ("Forsyth 8 down", "Forsyth 8 down 2.3", "“Forsyth 8 down 2.3”: it cannot have come from there"),
        ("Cockburn 5", "Cockburn 5, Cockburn 6", "there are at most 5 recruits"),
        ("Forsyth 9", "Forsyth 9 active", "only powers of the end of a round stay active (rule Clan powers)"),
        ("Forsyth 9", "Forsyth 9 asleep", "this does not say how it lies. Possible: Forsyth 9, Forsyth 9 active"),
        ("seen buchan", "seen zoe", "line 10: “zoe”: there is no such seat here"),
        ("HAND carrick:", "HAND carrick: " + "".join(f"Makgill {n}, " for n in range(5, 13)), "there are at most 10 cards"),
        ("WON angus: ", "WON angus: Cochrane 9, Cochrane 10, Cochrane 11, Makgill 4, ", "with 40 points the game is over"),
        ("TAKEN angus: Makgill 3", "TAKEN angus: Wemyss 3", "it is neither in that hand, nor did that seat muster it"),
        ("TAKEN", "OLD: Scott 8\nTAKEN", "before the first shuffle no card was out of sight"),
        ("TAKEN", "OLD: Scott 12\nTAKEN", "an old card is out of sight since before the last shuffle"),
        ("TAKEN", "DEAL 2 of 80\nTAKEN", "“DEAL 2 of 80”: more cards came from it than it had"),
        ("TAKEN", "PLACING: angus, angus\nTAKEN", "“PLACING”: a seat is named twice"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(old: str, new: str, says: str) -> None:
    assert old in PUZZLE
    assert says in complaint(PUZZLE.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("CLAIMS", "CLAIMS buchan", "with OPTION claims=in turn one seat is asked, else all together"),
        ("Wemyss 5", "Wemyss 5 down", "supporters are claimed when every follower and recruit lies face-up"),
        ("Scott 12, Wemyss 9", "Scott 12", "nobody has a choice"),
        ("ARMY angus: Wemyss 5\nARMY buchan: Cockburn 6\n", "", "nobody has an army"),
        ("for 2\nROUND 3 CLAIMS", "for 3\nOPTION claims=in turn\nROUND 3 CLAIMS carrick", "carrick has no army"),
    ],
)
def test_claims_need_a_choice(old: str, new: str, says: str) -> None:
    assert old in CLAIMS
    assert says in complaint(CLAIMS.replace(old, new))


def test_all_that_is_wrong_is_said_at_once() -> None:
    said = complaint(PUZZLE.replace("Scott 12", "Scott 13").replace("carrick\n", "zoe\n").replace("WON", "LOST"))
    assert re.findall(r"^line (\d+)", said, re.MULTILINE) == ["2", "4", "12"]


@given(st.lists(st.sampled_from([*WORDS.names, *PUZZLE.split(), ",", ":", "\n"]), max_size=30))
def test_whatever_is_written_is_read_or_refused(words: list[str]) -> None:
    try:
        state = read("LORDS 1 for 3\nROUND 1 TURN 1 angus\n" + " ".join(words))
    except OrderError:
        return
    assert isinstance(GAME.wants(state), Ask)
    assert GAME.load(GAME.dump(state)) == state


def test_the_example_of_the_page_is_a_position() -> None:
    page = (ROOT / "docs" / "reference" / "positions.md").read_text("utf-8")
    (example,) = re.findall(r"^```position\n(LORDS.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert read(example).board.hands == read(PUZZLE).board.hands
    wrong = example.replace("Scott 12", "Scott 13").replace("Forsyth 9,", "Ferguson 4,")
    assert f"\npbem: {complaint(wrong)}\n" in page


def test_the_schema_names_every_field_of_a_position() -> None:
    schema: Any = POSITIONS.schema()
    defs = schema["$defs"]
    kinds = {kind["properties"]["at"]["const"]: kind for name, kind in defs.items() if "at" in kind["properties"]}
    for stop in play(GAME, {"players": 3}, 1).stops:
        position = GAME.dump(stop.state)
        assert set(position["board"]) == set(schema["properties"]["board"]["properties"])
        for frame in position["stack"]:
            assert set(frame) == set(kinds[frame["at"]]["properties"])
