"""Lords of Scotland in another language: all that is told is a message, what is typed stays, and French is told in French."""

from __future__ import annotations

import pytest

from pbem.errors import OrderError
from pbem.games import find
from pbem.games.lords import GAME
from pbem.games.lords.rules.cards import CLANS
from pbem.games.lords.setting_up import POSITIONS
from pbem.i18n import speaking
from pbem.kernel import Ask, End, Fact, Stop, View
from tests.conformance import play
from tests.i18n import BRACKETS, outside
from tests.lords.setting_up import PUZZLE

LOOK = find("lords").look
TYPED = {"RECRUIT", "MUSTER", "DOWN", "USE", "PASS", "CLAIM", "STRONGEST", "PLAN", "AHEAD", "TURN"}
NAMES = {*CLANS, "Bruce", *GAME.seats({"players": 5})} | {seat.capitalize() for seat in GAME.seats({"players": 5})}


@pytest.fixture(scope="module")
def stops() -> list[Stop]:
    """A short game of five with everything in it."""
    options = {"players": 5, "goal": 20, "bruce": True, "claims": "in turn"}
    return list(play(GAME, options, 7).stops)


@pytest.mark.slow
def test_all_that_a_look_says_is_a_message(stops: list[Stop]) -> None:
    seen = set()
    with speaking(BRACKETS):
        for stop in stops:
            for event in stop.events:
                for seat in ("angus", None):
                    if isinstance(event, Fact) and (fact := event.heard_by(seat)):
                        seen.add(fact["f"])
                        assert set(outside(LOOK.fact(fact, seat))) <= NAMES, fact
            seats = stop.wants.seats if isinstance(stop.wants, Ask) else ("angus",)
            view = GAME.read_view(GAME.view(stop.state, seats[0]))
            tables = [text for table in LOOK.tables(view) for text in (table.title, *table.heads, *sum(table.rows, ()))]
            for text in (LOOK.board(view), LOOK.hand(view), LOOK.question(view), *tables):
                assert set(outside(text)) <= NAMES, text
            assert set(outside(LOOK.template(view))) <= NAMES | TYPED
            if isinstance(stop.wants, End):
                assert set(outside(LOOK.result(stop.wants.result))) <= NAMES
    assert {"recruit", "muster", "power", "armies", "claim", "flip"} <= seen


def _refused(view: View, text: str) -> list[str]:
    """The sentences with which an order is refused, none for one that is legal."""
    try:
        refusal = GAME.why_not(view, GAME.parse(view, text))
    except OrderError as error:
        return [problem.why for problem in error.problems]
    return [] if refusal is None else [f"{refusal.why} {refusal.rule}"]


def test_what_is_refused_is_refused_in_messages(stops: list[Stop]) -> None:
    orders = ("RECRUIT 9", "MUSTER Scott 3 USE", "MUSTER Wemyss 12 DOWN USE", "CLAIM Scott 1, Scott 1", "PASS")
    said: list[str] = []
    with speaking(BRACKETS):
        for stop in stops:
            if isinstance(stop.wants, Ask):
                view = GAME.read_view(GAME.view(stop.state, stop.wants.seats[0]))
                said += [why for text in orders for why in _refused(view, text)]
    assert len(said) > 100
    assert {word for why in said for word in outside(why)} <= NAMES | TYPED


def test_the_game_is_the_same_in_every_language() -> None:
    english = [GAME.fingerprint(stop.state) for stop in play(GAME, {"players": 2, "goal": 10}, 3).stops]
    with speaking("fr"):
        french = [GAME.fingerprint(stop.state) for stop in play(GAME, {"players": 2, "goal": 10}, 3).stops]
    assert french == english


def test_in_french() -> None:
    state = POSITIONS.read(PUZZLE)[1]
    view = GAME.read_view(GAME.view(state, "carrick"))
    with speaking("fr"):
        board, question = LOOK.board(view), LOOK.question(view)
        fact = {
            "f": "power",
            "seat": "angus",
            "card": "Ferguson 3",
            "power": "Ferguson",
            "from": "buchan",
            "target": "angus 2",
        }
        power = LOOK.fact(fact, None)
        refusal = GAME.why_not(view, GAME.parse(view, "MUSTER Wemyss 3 USE angus 2"))
        with pytest.raises(OrderError) as caught:
            POSITIONS.read(PUZZLE.replace("Scott 12", "Scott 13"))
    assert "Manche 2, tour 4 sur 5. Buchan détient l’Initiative du vainqueur." in board
    assert "Partisans\u00a0: Scott 12, Wemyss 9, Makgill 2" in board
    assert question.startswith("Tour 4 sur 5\u00a0: recrutez une carte (RECRUTER)")
    assert power == " Ferguson 3 passe chez Buchan en échange du fidèle caché 2 d’Angus."
    assert refusal is not None
    assert refusal.why == "Wemyss 3 ne s’active pas\u00a0: un autre fidèle face visible a une force inférieure"
    assert (
        str(caught.value)
        == "ligne 4\u00a0: «\u00a0Scott 13\u00a0»\u00a0: il n’y a pas de carte de ce nom. Possible\u00a0: de Scott 1 à Scott 12"
    )
