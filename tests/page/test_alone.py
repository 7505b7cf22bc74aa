"""Games alone: begun, played to the end, kept from order to order."""

from __future__ import annotations

import base64
import errno
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import UsageError
from pbem.games import find, installed
from pbem.ledger import Log
from pbem.page.alone import Shelf, Solo, beginning
from pbem.page.service import Service
from pbem.referee.audit import audit
from pbem.reports.choices import choices
from pbem.reports.text import fact_text
from pbem.reports.told import told
from tests.page.alone import begun
from tests.page.calling import ok, refused


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service(tmp_path)


def play(service: Service, game: str, most: int = 1000) -> dict[str, Any]:
    """Play by the first touch, over and over, so many times at the most; return the position then."""
    position = ok(service, "position", game=game)
    for _time in range(most):
        if position["over"]:
            break
        if position["asked"]:
            ok(service, "sign", game=game, text="\n".join(closed_draft(service, game)))
        else:
            ok(service, "go_on", game=game)
        position = ok(service, "position", game=game)
    return dict(position)


def closed_draft(service: Service, game: str) -> list[str]:
    """Touch the first of what may be touched until the draft is a whole order."""
    draft: list[str] = []
    while True:
        found = ok(service, "touches", game=game, draft=draft)
        if found["closed"]:
            return draft
        draft = found["touches"][0]["draft"]


def test_a_game_alone_is_played_to_its_end_by_touches(service: Service) -> None:
    game = begun(service, options={"players": 2, "turns": 2})
    over = play(service, game)
    assert "points" in over["over"] or "wins" in over["over"]
    (row,) = ok(service, "games")["games"]
    assert (row["state"], row["says"], row["alone"]) == ("over", over["over"], True)
    data = base64.b64decode(ok(service, "log", game=game)["data"])
    assert audit(data, installed).verdict.verdict == "clean"


@pytest.mark.slow
def test_a_game_alone_goes_on_where_it_was_left(service: Service) -> None:
    game = begun(service)
    before = play(service, game, 5)
    story = ok(service, "story", game=game)
    again = Service(service.home)
    assert ok(again, "position", game=game) == before
    assert ok(again, "story", game=game) == story
    assert play(service, game) == play(again, game)


@pytest.mark.slow
def test_a_line_that_was_cut_off_costs_one_answer(service: Service) -> None:
    game = begun(service)
    play(service, game, 4)
    path = service.home / "alone" / f"{game}.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    again = Service(service.home)
    play(again, game, 3)
    kept = path.read_bytes()
    assert kept.startswith(whole[: whole[:-1].rfind(b"\n") + 1])
    assert ok(Service(service.home), "position", game=game) == ok(again, "position", game=game)


def order(service: Service, game: str) -> str:
    """The first whole order that may be given now; the built-in players answer before it."""
    while ok(service, "go_on", game=game)["more"]:
        pass
    return "\n".join(closed_draft(service, game))


@pytest.mark.slow
def test_a_game_that_is_open_twice_goes_on_in_both_by_turns(service: Service) -> None:
    game, other = begun(service), Service(service.home)  # the page, and “pbem play --go-on” or another page
    for one in (service, other) * 3:
        ok(one, "sign", game=game, text=order(one, game))
        position = ok(one, "position", game=game)
        assert ok(Service(service.home), "position", game=game) == position


@pytest.mark.slow
def test_who_holds_a_game_that_was_played_on_elsewhere_is_told_and_spoils_nothing(service: Service) -> None:
    game = begun(service)
    held = Shelf(service.home).get(game)  # in a terminal, where its player still thinks
    text = order(service, game)
    ok(service, "sign", game=game, text=text)
    kept = (service.home / "alone" / f"{game}.jsonl").read_bytes()
    with pytest.raises(UsageError, match="elsewhere"):
        held.answer(text)
    assert (service.home / "alone" / f"{game}.jsonl").read_bytes() == kept
    ok(Service(service.home), "position", game=game)


@pytest.mark.slow
def test_who_holds_a_game_that_was_thrown_away_makes_no_other_of_it(service: Service) -> None:
    game, other = begun(service), Service(service.home)
    text = order(other, game)
    ok(service, "forget", game=game)
    assert refused(other, "sign", game=game, text=text)[0] == "player"
    assert ok(other, "games")["games"] == []


@pytest.mark.slow
def test_an_answer_that_cannot_be_kept_was_not_played(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun(service)
    before, text = ok(service, "position", game=game), order(service, game)
    path = service.home / "alone" / f"{game}.jsonl"
    kept = path.read_bytes()

    def full(_fd: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        kind, said = refused(service, "sign", game=game, text=text)
    assert (kind, "No space left" in said) == ("world", True)
    assert path.read_bytes() == kept
    assert ok(service, "position", game=game) == before, "what was not kept is not shown"
    ok(service, "sign", game=game, text=text)
    assert ok(Service(service.home), "position", game=game) == ok(service, "position", game=game)


@pytest.mark.slow
def test_to_look_at_a_game_changes_nothing_of_its_file(service: Service) -> None:
    game = begun(service)
    play(service, game, 3)
    path = service.home / "alone" / f"{game}.jsonl"
    path.write_bytes(path.read_bytes()[:-9])  # as another program finds it that is writing it just now
    kept = path.read_bytes()
    ok(Service(service.home), "position", game=game)
    assert path.read_bytes() == kept


@pytest.mark.slow
@pytest.mark.parametrize("line", ["[" * 100_000, '{"ann": 5}', '{"ann": ["x"]}', "7", '{"ann": null}'])
def test_a_line_that_is_no_answer_is_the_last(service: Service, line: str) -> None:
    game = begun(service)
    position = play(service, game, 3)
    with (service.home / "alone" / f"{game}.jsonl").open("a") as file:
        file.write(f"{line}\n")
    again = Service(service.home)
    assert ok(again, "position", game=game) == position
    play(again, game)
    assert ok(Service(service.home), "position", game=game) == ok(again, "position", game=game)


@pytest.mark.variants
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "it cannot be read"),
        ('{"zoe": ["CARD c1", ""]}', "it answers a question that was not asked"),
        ('{"ann": ["CARD c99", ""]}', "an order in it is not legal"),
    ],
)
def test_a_damaged_line_before_others_is_named_and_nothing_behind_it_is_thrown_away(
    service: Service, line: str, why: str
) -> None:
    game = begun(service)
    play(service, game, 4)
    path = service.home / "alone" / f"{game}.jsonl"
    first, _damaged, *others = path.read_text("utf-8").split("\n")
    path.write_text("\n".join([first, line, *others]), "utf-8")
    kept = path.read_bytes()
    kind, said = refused(Service(service.home), "position", game=game)
    assert (kind, f"{path} is damaged in line 2: {why}" in said) == ("player", True), said
    assert path.read_bytes() == kept


@pytest.mark.variants
@pytest.mark.parametrize(
    ("was", "written", "said"),
    [
        ('"against":"sensible"', '"against":"hrad"', "There is no built-in player “hrad”"),
        ('"seat":"ann"', '"seat":"zoe"', "There is no seat “zoe”"),
        ('"players":3', '"players":9', "players is 2 to 4"),
    ],
)
def test_a_game_that_was_begun_with_what_there_is_not_is_refused_when_it_is_opened(
    service: Service, was: str, written: str, said: str
) -> None:
    game = begun(service)
    path = service.home / "alone" / f"{game}.jsonl"
    text = path.read_text("utf-8")
    assert was in text
    path.write_text(text.replace(was, written), "utf-8")
    kind, why = refused(Service(service.home), "position", game=game)
    assert (kind, said in why) == ("player", True), why


@pytest.mark.slow
def test_an_answer_is_kept_before_those_asked_with_the_player_have_thought(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, whole = begun(service), Service(service.home)
    solo = service.alone.get(game)
    while solo.more:
        solo.go_on()
    assert len(solo.asked) > 1, "all are asked at once"
    text = order(service, game)
    before = (service.home / "alone" / f"{game}.jsonl").read_bytes()

    def broken_off(*_args: Any) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(type(solo._bot), "answer", broken_off)
        with pytest.raises(KeyboardInterrupt):
            solo.answer(text)
    again = Service(service.home)
    position = ok(again, "position", game=game)
    assert (position["asked"], position["over"]) == (False, "")
    assert refused(again, "sign", game=game, text=text)[0] == "player", "it is answered"
    ok(again, "go_on", game=game)
    then = ok(again, "position", game=game)
    (service.home / "alone" / f"{game}.jsonl").write_bytes(before)
    ok(whole, "sign", game=game, text=text)
    assert ok(whole, "position", game=game) == then, "as it would have gone on"


@pytest.mark.slow
def test_a_draft_is_not_played_for_a_question_that_came_meanwhile(service: Service) -> None:
    game, other = begun(service), Service(service.home)
    text, was = order(service, game), ok(service, "position", game=game)
    ok(other, "sign", game=game, text=text)
    order(other, game)
    assert refused(service, "sign", game=game, text=text, ask=was["ask"])[0] == "moved"
    assert ok(service, "position", game=game) == ok(other, "position", game=game)


def test_an_order_that_is_not_legal_is_refused_and_changes_nothing(service: Service) -> None:
    game = begun(service)
    before = (service.home / "alone" / f"{game}.jsonl").read_bytes()
    kind, text = refused(service, "sign", game=game, text="CARD c99")
    assert kind == "order"
    assert "c99" in text
    assert (service.home / "alone" / f"{game}.jsonl").read_bytes() == before


def test_nothing_is_told_of_the_others_hands(service: Service) -> None:
    game = begun(service)
    solo = service.alone.get(game)
    sides = solo.table.referee.state.board.sides.items()
    others = [
        f"{seat.capitalize()} takes {card.name}." for seat, side in sides if seat != solo.seat for card in side.hand
    ]
    said = str([ok(service, name, game=game) for name in ("position", "story", "touches")])
    assert others
    assert "Bob takes a card." in said
    assert not [text for text in others if text in said]
    log = Log.parse(base64.b64decode(ok(service, "log", game=game)["data"]))
    assert [bool(told(log, seat)) for seat in ("ann", "bob", "cat")] == [True, False, False]


def with_plans(seed: str) -> tuple[Solo, list[dict[str, Any]]]:
    """Play a game of three alone; return it, and the facts of its log that say whose plan answered."""
    pack = find("lords")
    solo = Solo(None, beginning(pack, {"players": 3}, "", "sensible", seed))
    while sum(tell.n > 0 for tell in solo.tells()) < 40 and solo.asked:
        if solo.more:
            solo.go_on()
        else:
            solo.answer(str(pack.rules.default(solo.view)), "CLAIM STRONGEST")
    heard = told(Log.parse(solo.table.copy(solo.seat)), solo.seat)
    return solo, [fact for tell in heard for fact in tell.facts if fact["f"] == "plan"]


def test_the_plans_of_built_in_players_are_not_told_in_the_words_of_orders() -> None:
    """The game tells their acts; the log records that a plan answered. In which game one does, the cards decide."""
    games = (with_plans(str(seed)) for seed in range(20))
    solo, spoke = next((solo, spoke) for solo, spoke in games if {fact["seat"] for fact in spoke} - {solo.seat})
    pack = find("lords")
    heard = [fact for tell in solo.tells() for fact in tell.facts]
    assert [fact for fact in heard if fact["f"] == "plan"] == [fact for fact in spoke if fact["seat"] == solo.seat]
    assert "The plan of" not in "\n".join(filter(None, (fact_text(fact, solo.seat, pack) for fact in heard)))


# What is not asked, and what is taken back


def solo_game(tmp_path: Path | None = None, seed: str = "5eed") -> Solo:
    """Begin a short game of Hammer as the Scots, kept in a folder or not at all."""
    if tmp_path is None:
        return Solo(None, beginning(find("hammer"), {"years": 1}, "scottish", "sensible", seed))
    return Shelf(tmp_path).begin("hammer", {"years": 1}, "scottish", "sensible", seed)


def goes(solo: Solo) -> Iterator[Solo]:
    """Play on by what is advised; yield the game wherever its player is asked."""
    while solo.asked:
        if solo.more:
            solo.go_on()
        else:
            yield solo
            solo.answer(str(solo.pack.look.advice(solo.view)))


@pytest.mark.slow
def test_what_has_one_answer_is_not_asked() -> None:
    """In a game alone the program gives the only answer and shows it."""
    solo, given, asked = solo_game(seed="2"), list[str](), 0
    while solo.asked:
        if solo.more:
            given += filter(None, [solo.go_on()])
        else:
            asked += 1
            view = solo.view
            assert len([*islice(solo.pack.rules.options(view), 2)]) == 2
            solo.answer(str(solo.pack.look.advice(view)))
    orders = [
        entry for entry in Log.parse(solo.log()).entries if entry.k == "order" and entry.fields["by"] == solo.seat
    ]
    assert len(orders) == asked + len(given)
    assert [text for text in given if text.startswith("CARD ")]


@pytest.mark.slow
def test_the_page_asks_nothing_that_has_one_answer(service: Service) -> None:
    game = begun(service, "hammer", "5eee", options={"years": 1}, against="random")
    said = []
    for _time in range(400):
        position = ok(service, "position", game=game)
        if position["over"]:
            break
        if position["asked"]:
            ok(service, "sign", game=game, text="\n".join(closed_draft(service, game)))
        else:
            said.append(ok(service, "go_on", game=game)["said"])
    assert position["over"]
    assert [text for text in said if text.startswith("CARD ")]


@pytest.mark.slow
def test_the_last_answer_is_taken_back_as_long_as_nothing_was_revealed(tmp_path: Path) -> None:
    """Everything stands as before the question; another program reads the file alike; the log is clean and says so."""
    solo, before, taken = solo_game(tmp_path), "", 0
    path = solo.path
    assert path
    for at in goes(solo):
        if at.back is not None and not taken:
            now, state = at.view, at.table.referee.state
            at.take_back()
            taken += 1
            assert at.view.model_dump_json() == before
            assert at.table.referee.state.board.dealt == state.board.dealt
            assert Shelf(tmp_path).get(path.stem).view == at.view
            at.answer(str(at.pack.look.advice(at.view)))
            assert at.view == now
        before = at.view.model_dump_json()
    assert taken
    assert audit(solo.log(), installed).verdict.verdict == "clean"
    assert b'{"takeback":' in path.read_bytes()
    assert Shelf(tmp_path).get(path.stem).log() == solo.log()


@pytest.mark.slow
def test_nothing_is_taken_back_behind_what_was_revealed() -> None:
    """Whatever comes between two questions: dice, cards, blocks turned up, or an answer of the other side."""
    looked_at = backs = 0
    telling = {"fire", "reveal", "cards", "year", "levy", "captured", "killed", "herald answer", "draw", "unity"}
    for seed in ("1", "2", "3"):
        solo, heard = solo_game(seed=seed), 0
        for at in goes(solo):
            facts = [fact for tell in at.tells() for fact in tell.facts]
            new, heard = facts[heard:], len(facts)
            others = any(fact.get("side") == "english" for fact in new)
            if telling & {fact["f"] for fact in new} or others:
                looked_at += 1
                assert at.back is None, new
            backs += at.back is not None
    assert looked_at > 20
    assert backs


def test_what_cannot_be_taken_back_is_refused_and_changes_nothing(service: Service) -> None:
    game = begun(service, "hammer", options={"years": 1}, against="random")
    position = ok(service, "position", game=game)
    assert not position["back"]
    assert "cannot take your last answer back" in refused(service, "say", game=game, what="takeback")[1]
    assert ok(service, "position", game=game) == position


@pytest.mark.slow
def test_the_page_takes_the_last_answer_back(service: Service) -> None:
    for seed in map(str, range(20)):  # the cards decide whether anything can be taken back
        game, before = begun(service, "hammer", seed, options={"years": 1}, seat="scottish"), None
        for _time in range(400):
            position = ok(service, "position", game=game)
            if position["back"] or position["over"]:
                break
            if position["asked"]:
                before = position
                ok(service, "sign", game=game, text="\n".join(closed_draft(service, game)))
            else:
                ok(service, "go_on", game=game)
        if position["back"]:
            break
    assert before
    ok(service, "say", game=game, what="takeback")
    again = ok(service, "position", game=game)
    assert (again["asked"], again["question"]) == (before["asked"], before["question"])


def test_a_take_back_line_that_goes_too_far_is_named(tmp_path: Path) -> None:
    """The kept file stays as it is."""
    solo = solo_game(tmp_path)
    assert solo.path
    with solo.path.open("ab") as file:
        file.write(b'{"takeback":7}\n{}\n')
    with pytest.raises(UsageError, match="line 2: it takes back what cannot be taken back"):
        Shelf(tmp_path).get(solo.path.stem)


def test_nothing_can_be_sent_ahead_where_nobody_keeps_it(service: Service) -> None:
    game = begun(service)
    assert not [one for one in ok(service, "touches", game=game)["touches"] if one["at"] == "choice:AHEAD"]
    (wrong,) = ok(service, "touches", game=game, draft=["AHEAD CARD: CARD c1"])["wrong"]
    assert "ahead" in wrong["text"]
    assert "ahead" in refused(service, "sign", game=game, text="CARD c1\nAHEAD CARD: CARD c2")[1]


def test_a_game_of_other_rules_is_not_played_on(service: Service) -> None:
    game = begun(service)
    path = service.home / "alone" / f"{game}.jsonl"
    path.write_text(path.read_text("utf-8").replace('"version":1', '"version":7', 1), "utf-8")
    kind, text = refused(Service(service.home), "position", game=game)
    assert (kind, "version 7" in text) == ("player", True)


def test_a_damaged_file_holds_up_no_other_game(service: Service) -> None:
    broken, whole = begun(service), begun(service)
    (service.home / "alone" / f"{broken}.jsonl").write_bytes(b"\xff{")
    states = {row["game"]: row["state"] for row in ok(Service(service.home), "games")["games"]}
    assert states == {broken: "broken", whole: "mine"}
    ok(service, "forget", game=broken)
    assert [row["game"] for row in ok(service, "games")["games"]] == [whole]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"game": "chess"}, "There is no game “chess” here."),
        ({"game": "tiny", "seat": "zoe"}, "There is no seat “zoe”; the seats are ann, bob, cat."),
        ({"game": "tiny", "against": "genius"}, "There is no built-in player “genius”; the built-in players are"),
        ({"game": "tiny", "against": "Rnadom"}, "the built-in players are random, sensible (easy). Is random meant?"),
        ({"game": "tiny", "options": {"turns": 99}}, "turns is 1 to 8"),
        ({"game": "tiny", "options": {"colour": "red"}}, "there is no option “colour”"),
    ],
)
def test_what_there_is_not_is_named(service: Service, more: dict[str, Any], said: str) -> None:
    kind, text = refused(service, "begin", **more)
    assert (kind, said in text) == ("player", True), text


def test_the_choices_are_a_form_and_who_sits_there_follows_from_it(service: Service) -> None:
    found = {one["game"]: one for one in ok(service, "choices")["games"]}
    assert {"hammer", "lords", "tiny"} <= found.keys()
    scenario = next(one for one in found["hammer"]["settings"] if one["name"] == "scenario")
    assert (scenario["kind"], scenario["values"]) == ("one of", ["braveheart", "bruce", "campaign"])
    players = next(one for one in found["tiny"]["settings"] if one["name"] == "players")
    assert (players["kind"], players["least"], players["most"]) == ("number", 2, 4)
    (tiny,) = ok(service, "choices", game="tiny", options={"players": 2})["games"]
    assert [one["seat"] for one in tiny["seats"]] == ["ann", "bob"]


def test_private_notes_are_kept(service: Service) -> None:
    game = begun(service)
    assert ok(service, "notes", game=game)["said"] == ""
    ok(service, "notes", game=game, text="Bob digs.")
    assert ok(Service(service.home), "notes", game=game)["said"] == "Bob digs."


def test_any_moment_of_it_can_be_looked_at(service: Service) -> None:
    game = begun(service)
    first = ok(service, "position", game=game)
    play(service, game, 6)
    then = ok(service, "position", game=game, n=first["n"])
    assert (then["text"], then["hand"], then["asked"]) == (first["text"], first["hand"], False)


def test_the_numbered_answers_of_a_letter_stand_beside_the_touches(service: Service) -> None:
    """Each closes a whole order with its plans; what a touch does as well is marked, and stays to be touched on the map."""
    game = begun(service, game="hammer", options={"years": 1})
    plans = 0
    for _time in range(4):
        while not ok(service, "position", game=game)["asked"]:
            ok(service, "go_on", game=game)
        solo = service.alone.get(game)
        found, listed = ok(service, "touches", game=game, draft=[]), choices(solo.pack, solo.view)
        worded = {
            n: one.words[0].upper() + one.words[1:]
            for n, one in enumerate(listed)
            if one.words != one.order.replace("\n", "; ")
        }
        assert worded.items() <= dict(enumerate(one["label"] for one in found["answers"])).items()
        for answer, one in zip(found["answers"], listed, strict=True):
            text = "\n".join([one.order, *(f"PLAN {line}" for line in one.plans.splitlines())])
            read = ok(service, "touches", game=game, draft=answer["draft"])
            assert (read["order"], read["answers"]) == (text, [])
            plans += bool(one.plans)
        own = {one.order for one in listed if not one.plans}
        assert all("\n".join(touch["draft"]) in own for touch in found["touches"] if touch["listed"])
        ok(service, "sign", game=game, text="\n".join(found["answers"][0]["draft"]))
    assert plans


def test_an_answer_that_the_game_has_no_words_for_is_called_as_the_touch_that_does_the_same(service: Service) -> None:
    game = begun(service, game="swords")
    while not ok(service, "position", game=game)["asked"]:
        ok(service, "go_on", game=game)
    found = ok(service, "touches", game=game, draft=[])
    assert found["answers"][0]["draft"] == ["CUBE Sutherland"]
    assert found["answers"][0]["label"] == "A cube to Sutherland"
