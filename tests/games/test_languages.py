"""The small games in other languages: all that their looks say is a message, but for names and what is typed."""

from __future__ import annotations

import pytest

from pbem.games import find
from pbem.i18n import speaking
from pbem.kernel import End, Fact
from tests.conformance import play
from tests.i18n import BRACKETS, outside
from tests.project.source import ROOT

TYPED = {"CARD", "ACT", "BANK", "DIG", "KEEP", "BID"}


@pytest.mark.parametrize("name", ["tiny", "tournament"])
def test_all_that_a_look_says_is_a_message(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))
    pack = find(name)
    game, look, options = pack.rules, pack.look, pack.complete({})
    names = {look.seat_name(seat) for seat in game.seats(options)}
    with speaking(BRACKETS):
        for stop in play(game, options, 3).stops:
            told = [event for event in stop.events if isinstance(event, Fact)]
            said = [look.fact(fact, None) for event in told if (fact := event.heard_by(None))]
            for seat in game.seats(options):
                view = game.read_view(game.view(stop.state, seat))
                said += [look.fact(fact, seat) for event in told if (fact := event.heard_by(seat))]
                said += [look.board(view), look.hand(view), look.question(view), look.template(view)]
            if isinstance(stop.wants, End):
                said.append(look.result(stop.wants.result))
            assert {word for text in said for word in outside(text)} <= names | TYPED


def test_in_french() -> None:
    look = find("tournament").look
    with speaking("fr"):
        said = look.fact({"f": "match", "english": "ann", "scottish": "bob", "bid": "E1"}, None)
    assert said == "Ann joue les Anglais contre Bob\u00a0: l’enchère E1 s’applique."
