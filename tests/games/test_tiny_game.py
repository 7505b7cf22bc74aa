"""The rules of Tiny by their numbers, its words and its built-in players."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest
import tiny_game
from tiny_game.orders import Act
from tiny_game.rules import TinyView

from pbem.errors import OrderError
from pbem.games.bot import Bot, RandomBot
from pbem.kernel import Ask, Chance, Draw, End, Fact, Json, Open, Order, Outcome, Release, Show, Stop
from pbem.ledger import Log
from pbem.referee.audit import audit
from tests.conformance import Record, outcome, play
from tests.golden_logs import Player

GAME, LOOK, BOTS = tiny_game.GAME, tiny_game.LOOK, tiny_game.BOTS

RECORDED = Path(tiny_game.__file__).parent / "golden" / "tiny.pbem"
"""The recorded game of its own."""

DECK = tuple(f"c{value}" for value in range(1, 11))


def view(stop: Stop, seat: str | None) -> TinyView:
    seen = GAME.read_view(GAME.view(stop.state, seat))
    assert isinstance(seen, TinyView)
    return seen


def told(stop: Stop, seat: str | None = None) -> list[Json]:
    return [e.heard_by(seat) for e in stop.events if isinstance(e, Fact) and e.heard_by(seat)]


def dealt(*names: str, **options: int) -> Stop:
    """Begin a game whose first pile lies in this order: Ann takes places 0 and 3, Bob 1 and 4, Cat 2 and 5."""
    rest = [name for name in DECK if name not in names]
    return GAME.step(GAME.start(options).state, ((*names, *rest),))


def answer(stop: Stop, **texts: str) -> Stop:
    """Go on with typed orders."""
    orders: dict[str, Order] = {}
    for seat, text in texts.items():
        orders[seat] = GAME.parse(view(stop, seat), text)
        assert GAME.why_not(view(stop, seat), orders[seat]) is None
    return GAME.step(stop.state, orders)


def rolled(stop: Stop, *given: Any) -> Stop:
    chance: Outcome = (given,)
    return GAME.step(stop.state, chance)


@pytest.fixture
def ann_won() -> Stop:
    return rolled(
        answer(dealt("c10", "c2", "c3", "c1", "c4", "c5"), ann="CARD c10", bob="CARD c4", cat="CARD c5"), 1, 1, 1
    )


def test_the_recorded_game_is_played_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever bytes the rules had then. With PBEM_GOLDEN=write it is recorded anew, where play is meant to be another."""
    monkeypatch.setenv("PBEM_GAMES", str(RECORDED.parents[2]))
    if os.environ.get("PBEM_GOLDEN") == "write":
        RECORDED.write_bytes(Player("tiny", "tiny", {"players": 3, "turns": 3}).end(lambda no: "ACT BANK").whole())
    data = RECORDED.read_bytes()
    sha256 = Log.parse(data).entries[0].fields["rules"]["sha256"]
    assert audit(data, lambda _game: (GAME, sha256)).verdict.verdict == "clean"
    monkeypatch.setattr("tiny_game.rules.turn.BANKED", 4)
    assert audit(data, lambda _game: (GAME, sha256)).verdict.code == "TELL"


def test_1_2_one_card_each_until_all_hold_two() -> None:
    stop = dealt("c10", "c2", "c3", "c1", "c4", "c5")
    assert view(stop, "ann").mine.hand == ["c10", "c1"]
    assert view(stop, "cat").mine.hand == ["c3", "c5"]
    assert [e for e in stop.events if isinstance(e, Show)][:4] == [
        Show("ann", "deal:1", 0),
        Show("bob", "deal:1", 1),
        Show("cat", "deal:1", 2),
        Show("ann", "deal:1", 3),
    ]


def test_1_2_when_the_pile_runs_out_the_discards_are_shuffled() -> None:
    record = play(GAME, {}, 1)
    shuffles = [s for s in record.stops if isinstance(s.wants, Chance) and s.wants.is_deal]
    assert [s.wants.label for s in shuffles if isinstance(s.wants, Chance)] == ["deal:1", "deal:2", "deal:3"]
    first, second = shuffles[0].wants, shuffles[1]
    assert first == Chance("deal:1", (Draw(10, DECK),))
    assert isinstance(second.wants, Chance)
    assert second.wants.requests == (Draw(6, tuple(view(second, None).discards)),)


def test_2_1_cards_are_turned_up_together() -> None:
    stop = dealt("c10", "c2", "c3", "c1", "c4", "c5")
    assert stop.wants == Ask(("ann", "bob", "cat"), "card", "until resolved", mark=True)
    stop = answer(stop, ann="card c10", bob="CARD c4", cat="CARD c5")
    assert [e for e in stop.events if isinstance(e, Open)] == [Open("deal:1", place) for place in (0, 4, 5)]
    assert view(stop, None).table == {"ann": "c10", "bob": "c4", "cat": "c5"}


@pytest.mark.parametrize(
    ("dice", "winner"),
    [((1, 1, 1), "ann"), ((1, 6, 1), "bob"), ((1, 1, 6), "cat"), ((1, 2, 1), "ann"), ((1, 3, 6), "bob")],
    ids=["highest card", "best die", "lowest card, best die", "equal sums", "equal sums of two others"],
)
def test_3_the_highest_sum_wins_and_of_equals_the_higher_card(dice: tuple[int, ...], winner: str) -> None:
    stop = answer(dealt("c9", "c8", "c5", "c1", "c2", "c3"), ann="CARD c9", bob="CARD c8", cat="CARD c5")
    assert view(rolled(stop, *dice), None).winner == winner


def test_4_1_the_winner_banks(ann_won: Stop) -> None:
    assert ann_won.wants == Ask(("ann",), "act", "no")
    stop = answer(ann_won, ann="ACT BANK")
    assert view(stop, None).sides["ann"].score == 3
    assert view(stop, None).turn == 2


def test_4_2_the_winner_digs_in_secret(ann_won: Stop) -> None:
    stop = answer(ann_won, ann="act dig")
    assert stop.wants == Chance("priv:ann", (Draw(2, ("t1", "t2", "t3", "t4", "t5")),))
    stop = rolled(stop, "t4", "t1")
    assert stop.wants == Ask(("ann",), "keep", "until end")
    assert told(stop, "bob") == []
    assert (view(stop, "ann").drawn, view(stop, "bob").drawn) == (["t4", "t1"], ["?", "?"])
    stop = answer(stop, ann="KEEP t4")
    assert told(stop, "bob")[0] == {"f": "keep", "seat": "ann"}
    assert view(stop, "ann").mine.kept == ["t4"]
    assert view(stop, "ann").mine.chest == ["t1", "t2", "t3", "t5"]
    assert view(stop, "bob").sides["ann"].kept == ["?"]


def test_4_3_with_one_token_left_the_winner_banks_unasked() -> None:
    stop = answer(dealt("c10", "c2", "c3", "c1", "c4", "c5"), ann="CARD c10", bob="CARD c4", cat="CARD c5")
    position = GAME.dump(stop.state)
    position["board"]["sides"]["ann"] |= {"chest": ["t1"], "kept": ["t2", "t3", "t4", "t5"]}
    stop = GAME.step(GAME.load(position), ((1, 1, 1),))
    assert {"f": "bank", "seat": "ann", "points": 3} in told(stop)
    assert stop.wants == Ask(("ann", "bob", "cat"), "card", "until resolved", mark=True)


def test_5_a_plan_answers_the_act_and_nothing_else(ann_won: Stop) -> None:
    plans = GAME.read_plans("plan act dig  # the chest is full")
    assert plans == "ACT DIG"
    planned = GAME.planned(view(ann_won, "ann"), plans)
    assert planned == (Act(act="DIG"), "ACT DIG")
    assert GAME.planned(view(dealt(), "ann"), plans) is None
    with pytest.raises(OrderError, match="not what is asked"):
        GAME.read_plans("KEEP t4")


def test_6_tokens_count_at_the_end(ann_won: Stop) -> None:
    position = GAME.dump(ann_won.state)
    position["board"] |= {"turn": 6}
    position["board"]["sides"]["bob"] |= {"chest": ["t1", "t2", "t3"], "kept": ["t5", "t4"]}
    stop = answer(Stop(state := GAME.load(position), (), GAME.wants(state)), ann="ACT BANK")
    assert stop.wants == End({"winner": "bob", "why": "points", "score": {"ann": 3, "bob": 9, "cat": 0}})
    assert view(stop, "cat").sides["bob"].kept == ["t5", "t4"]
    assert [e for e in stop.events if isinstance(e, Release)] == [Release("deal:1")]


def test_6_equal_points_win_for_nobody(ann_won: Stop) -> None:
    position = GAME.dump(ann_won.state)
    position["board"] |= {"turn": 6}
    position["board"]["sides"]["bob"]["score"] = 3
    stop = answer(Stop(state := GAME.load(position), (), GAME.wants(state)), ann="ACT BANK")
    assert isinstance(stop.wants, End)
    assert (stop.wants.result["winner"], stop.wants.result["why"]) == ("", "tie")


def test_7_silence(ann_won: Stop) -> None:
    assert str(GAME.default(view(dealt("c10", "c2", "c3", "c9"), "ann"))) == "CARD c9"
    assert str(GAME.default(view(ann_won, "ann"))) == "ACT BANK"
    digging = rolled(answer(ann_won, ann="ACT DIG"), "t2", "t5")
    assert str(GAME.default(view(digging, "ann"))) == "KEEP t5"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "there is no order here. Possible: CARD"),
        ("CARD", "line 1: “CARD”: the card is missing. Possible: c10, c1"),
        ("CARD c99", "line 1: “c99”: there is no such card here. Possible: c9, "),
        ("ACT BANK", "line 1: “ACT BANK”: that is not what is asked. Possible: CARD …"),
        ("\nPLAY c10", "line 2: “PLAY”: there is no such order here. Possible: CARD, "),
        ("CARD c10\nCARD c1", "line 2: “CARD c1”: one order is enough here."),
    ],
)
def test_what_cannot_be_read_is_told_line_by_line(text: str, complaint: str) -> None:
    with pytest.raises(OrderError) as caught:
        GAME.parse(view(dealt("c10", "c2", "c3", "c1"), "ann"), text)
    assert str(caught.value).startswith(complaint)


def test_what_is_not_allowed_is_told_with_its_rule(ann_won: Stop) -> None:
    seen = view(dealt("c10", "c2", "c3", "c1"), "ann")
    refusal = GAME.why_not(seen, GAME.parse(seen, "CARD c2"))
    assert refusal == ("c2 is not in your hand", "2.1", "")
    digging = view(rolled(answer(ann_won, ann="ACT DIG"), "t2", "t5"), "ann")
    refusal = GAME.why_not(digging, GAME.parse(digging, "KEEP t4"))
    assert refusal == ("t4 is not one of the two tokens that you drew", "4.2", "")


# Words


def every_text(record: Record) -> list[str]:
    texts = []
    for stop in record.stops:
        for seat in (None, *record.seats):
            seen = view(stop, seat)
            texts += [LOOK.question(seen), LOOK.template(seen), LOOK.board(seen), LOOK.hand(seen)]
            texts += [LOOK.fact(fact, seat) for fact in told(stop, seat)]
    return texts


@pytest.mark.parametrize("options", [{}, {"players": 4, "turns": 8}])
def test_the_words_fit_on_a_page(options: Json) -> None:
    for text in every_text(play(GAME, options, 2)):
        assert text == text.rstrip()
        assert all(len(line) <= 72 for line in text.split("\n")), text


def test_every_fact_has_words_and_no_seat_is_told_what_another_holds() -> None:
    record = play(GAME, {}, 3)
    for stop in record.stops:
        for fact in told(stop, "bob"):
            assert LOOK.fact(fact, "bob"), fact
    heard = [LOOK.fact(fact, "bob") for stop in record.stops for fact in told(stop, "bob")]
    assert "Ann takes a card." in heard
    assert any(line.startswith("You take c") for line in heard)


def test_a_tie_is_told_with_what_decides_it() -> None:
    roll = {"f": "roll", "cards": {"ann": "c9", "bob": "c8"}, "winner": "ann"}
    level = LOOK.fact({**roll, "dice": {"ann": 1, "bob": 2}}, None).split("\n")
    assert level == [
        "Ann 9 + 1 = 10",
        "Bob 8 + 2 = 10",
        "Ann wins the turn: of equal sums the higher card does (3.2).",
    ]
    assert LOOK.fact({**roll, "dice": {"ann": 2, "bob": 1}}, None).endswith("\nAnn wins the turn.")


def test_a_template_is_legal_as_it_stands() -> None:
    record = play(GAME, {}, 4)
    for stop in record.stops:
        for seat in stop.wants.seats if isinstance(stop.wants, Ask) else ():
            seen = view(stop, seat)
            assert GAME.why_not(seen, GAME.parse(seen, LOOK.template(seen))) is None
            assert LOOK.question(seen)


def test_the_result_is_a_sentence() -> None:
    score = {"ann": 3, "bob": 9}
    assert LOOK.result({"winner": "bob", "why": "points", "score": score}) == "Bob wins: Ann 3, Bob 9."
    assert LOOK.result({"winner": "", "why": "tie", "score": score}) == "Nobody wins, the best are level: Ann 3, Bob 9."


# Built-in players


def winner(bots: dict[str, Bot], seed: int) -> str:
    rng, stop = random.Random(seed), GAME.start({})
    while not isinstance(stop.wants, End):
        if isinstance(stop.wants, Chance):
            stop = GAME.step(stop.state, outcome(stop.wants, rng))
            continue
        given = {seat: bots[seat].answer(view(stop, seat), rng) for seat in stop.wants.seats}
        assert all(GAME.why_not(view(stop, seat), order) is None for seat, order in given.items())
        stop = GAME.step(stop.state, given)
    assert isinstance(stop.wants.result["winner"], str)
    return stop.wants.result["winner"]


@pytest.mark.slow
def test_the_sensible_player_wins_far_more_often_than_the_random_ones() -> None:
    bots: dict[str, Bot] = {"ann": RandomBot(GAME), "bob": BOTS["sensible"](), "cat": BOTS["random"]()}
    won = [winner(bots, seed) for seed in range(60)]
    assert won.count("bob") > 1.5 * max(won.count("ann"), won.count("cat"))


def test_the_sensible_player_digs_while_that_promises_more(ann_won: Stop) -> None:
    bot = BOTS["sensible"]()
    assert str(bot.answer(view(ann_won, "ann"), random.Random(1))) == "ACT DIG"
    position = GAME.dump(ann_won.state)
    position["board"]["sides"]["ann"] |= {"chest": ["t1", "t2", "t3"], "kept": ["t5", "t4"]}
    poor = GAME.read_view(GAME.view(GAME.load(position), "ann"))
    assert str(bot.answer(poor, random.Random(1))) == "ACT BANK"
