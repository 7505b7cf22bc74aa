"""How many letters two need who play without a host: what nobody decides by goes along with what somebody has decided."""

from __future__ import annotations

import pytest

from bench.of_two import Letters, play
from pbem.games import find, manifests
from pbem.kernel import Json
from tests.host.conftest import as_ever

from .planners import MODES
from .playing import Couple

FIRST, QUIET, WINTER = 1, 4, 7
"""Letters before anybody is asked for a card, in a turn without a battle (three where who sealed acts first), in a winter."""
HAMMER = find("hammer")


def of_silence(letters: int) -> Letters:
    """Count them in a game of Hammer in which everybody answers as silence does."""
    couple, cards, facts, asked = Couple(HAMMER, {}, "letters"), list[int](), list[tuple[int, str]](), dict[str, int]()

    def answer(game: Json, view: Json) -> str:
        seat = next(iter(couple.plays.values())).course.baton
        question = couple.plays[seat].question
        if question is not None and question.what == "card":
            asked[seat] = asked.get(seat, 0) + 1
            if asked[seat] > len(cards):
                cards.append(couple.mails)
        return str(game.default(view))

    told = couple.plays[couple.seats[0]].news
    while couple.mails < letters:
        heard = len(told)
        assert not couple.play(answer, 1)
        facts += [(couple.mails, str(fact["f"])) for _n, fact in told[heard:]]
    return Letters.of(cards, facts)


@pytest.mark.slow
def test_a_year_of_peace_takes_few_letters() -> None:
    found = of_silence(30)
    assert found.first == FIRST
    assert sorted(set(found.quiet)) == [3, QUIET], found.quiet
    assert found.winters == [WINTER]


def test_no_deck_is_laid_for_a_year_that_is_not_played() -> None:
    couple = Couple(HAMMER, {"scenario": "bruce", "years": 1}, "one year")
    couple.play(lambda game, view: str(game.default(view)), 8)
    course = couple.plays[couple.seats[0]].course
    assert [tuple(deck.laid) for deck in course.decks.values()] == [couple.seats], (
        "that of the join is shuffled at once"
    )


@pytest.mark.slow
def test_two_who_plan_and_show_it_need_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """At their desks, with plans everywhere and acts sent ahead."""
    monkeypatch.setattr(manifests, "_manifest", as_ever)  # what is dealt hangs on the hash of the rules
    letters = play(HAMMER, MODES[3], 4, {"scenario": "bruce", "years": "2"}, shows=True).letters
    assert letters is not None
    assert letters.first == FIRST
    assert letters.quiet
    assert max(letters.quiet) <= QUIET
    assert letters.winters == [WINTER]
