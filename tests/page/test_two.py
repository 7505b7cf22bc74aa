"""Games of two, without a host, by the calls of a page: all of it, as the commands would have it."""

from __future__ import annotations

import random
import re
from base64 import b64decode, b64encode
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.ledger import PrivateKey
from pbem.page.service import Service
from pbem.player import Desk
from tests.page.calling import answer, ok, refused
from tests.page.held import about, glances
from tests.page.two_pages import AtPage, asked, played, seated
from tests.pair.friends import Friend


def log(one: AtPage) -> bytes:
    return b64decode(one.says("log", game=one.game)["data"])


@pytest.mark.slow
def test_a_whole_game_by_touches_is_what_audit_finds_in_order(tmp_path: Path) -> None:
    ann, bob = seated(tmp_path, options={"turns": 2})
    letters = played(bob, ann, random.Random(3))
    assert letters > 6
    assert ann.state() == bob.state() == "over"
    assert log(ann) == log(bob)
    for audit in (False, True):
        said = ann.says("check", data=b64encode(log(ann)).decode(), audit=audit)
        assert said["outcome"] == "clean", said
    for command in ("verify", "audit"):
        done = CliRunner().invoke(app, [command, str(ann.home / "games" / f"{ann.game[:16]}.pbem")])
        assert done.output.startswith("clean\n"), done.output
    position = ann.says("position", game=ann.game)
    assert position["over"]
    assert position["mode"] == "two"
    assert not position["asked"]
    assert ann.says("closing", game=ann.game) is not None
    assert ann.says("opinion", game=ann.game) == {"drawings": [], "tables": []}, "nobody judges Tiny"
    assert ann.says("sayings", game=ann.game)["says"] == []


@pytest.mark.slow
def test_some_turns_of_hammer(tmp_path: Path) -> None:
    ann, bob = seated(tmp_path, "hammer", seat="scottish", hours=72, odds=False)
    assert played(bob, ann, random.Random(5), 14) == 14
    for one in (ann, bob):
        shown = one.says("position", game=one.game)
        assert shown["drawing"]["svg"]
        assert shown["cards"]
        assert one.says("story", game=one.game)["moments"]
        then = one.says("position", game=one.game, n=one.says("story", game=one.game)["moments"][0]["n"])
        assert not then["asked"]
        assert then["n"] < shown["n"]
        assert one.says("odds", game=one.game)["tables"][0]["title"].startswith("It was agreed")
        assert len(one.says("keys", game=one.game)["keys"]) == 2
        assert one.says("entries", game=one.game)["lines"][0].startswith("    0  Hammer of the Scots")
        assert shown["ahead"]
        assert one.says("opinion", game=one.game)["tables"] == [], "as long as it goes on"
    assert len(log(ann).splitlines()) > 10
    secret = Desk(ann.home).pairs
    told = secret.seat(secret.named("")[0]).play().vault.secret
    assert told not in str(
        [answer(bob.service, "position", game=bob.game), answer(ann.service, "position", game=ann.game)]
    )


@pytest.mark.slow
def test_one_at_the_page_and_one_at_the_commands(tmp_path: Path) -> None:
    ann, bob = AtPage(tmp_path / "ann", "ann@example.org"), Friend(tmp_path / "bob", "bob@example.org")
    ann.says("invite", game="tiny", friend=bob.address, options={"turns": 2})
    letter, rng = tmp_path / "letter", random.Random(7)
    letter.write_bytes(ann.sends())
    bob.does("join", letter)
    while True:
        bob.answers(rng)
        if (sent := bob.posts()) is None:
            break
        ann.reads(sent.read_bytes())
        ann.answers(rng)
        if not ann.says("letters")["letters"]:
            break
        letter.write_bytes(ann.sends())
        bob.does("read", letter)
    assert ann.state() == "over"
    assert log(ann) == bob.log
    assert CliRunner().invoke(app, ["audit", str(bob.table.path)]).output.startswith("clean\n")


def test_what_is_attached_is_enough_for_whoever_writes_his_mails_himself(tmp_path: Path) -> None:
    ann, bob = AtPage(tmp_path / "ann", "ann@example.org"), AtPage(tmp_path / "bob", "bob@example.org")
    ann.says("invite", game="tiny", friend=bob.address)
    (letter,) = ann.says("letters")["letters"]
    assert letter["mailto"].startswith("mailto:bob@example.org?subject=")
    assert letter["attached"]["name"] == f"{ann.game[:8]}.pbem"
    bob.reads(ann.sends(attached=True))
    (asks,) = bob.says("games")["asks"]
    assert asks["mode"] == "two"
    assert (asks["sender"], asks["subject"], asks["title"]) == ("", "", "Tiny"), (
        "what is not said the page does not name"
    )
    kind, said = refused(bob.service, "join", game=asks["game"])
    assert kind == "player"
    assert "Who invites you?" in said
    bob.says("join", game=asks["game"], host=ann.address)
    assert ann.reads(bob.sends(attached=True))["text"].startswith("Your friend has joined")


def test_an_invitation_says_what_is_agreed_on_and_can_be_withdrawn(tmp_path: Path) -> None:
    ann, bob = AtPage(tmp_path / "ann", "ann@example.org"), AtPage(tmp_path / "bob", "bob@example.org")
    ann.says("invite", game="hammer", friend=bob.address, seat="scottish", hours=48)
    assert ann.state() == "joining"
    assert refused(ann.service, "position", game=ann.game)[0] == "player"
    raw = ann.sends()
    assert bob.reads(raw)["kind"] == "asks"
    (asks,) = bob.says("games")["asks"]
    assert asks["terms"][0] == "Hammer of the Scots, without a host. You would play the English."
    assert "48 hours for an answer, as a courtesy: nobody enforces it" in asks["terms"]
    assert (asks["keys"], asks["met"].startswith("You meet ann@example.org for the first time.")) == ([], True)
    again = ann.says("again", game=ann.game)["letters"]
    assert len(again) == 1
    (said,) = ann.says("sayings", game=ann.game)["says"]
    assert said["what"] == "withdraw"
    ann.says("say", game=ann.game, what="withdraw")
    assert ann.says("games")["games"] == ann.says("letters")["letters"] == []
    bob.says("join", game=asks["game"])
    assert ann.reads(bob.sends())["kind"] == "left"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"friend": "bob"}, "is not an e-mail address"),
        ({"friend": "ann@example.org"}, "is your own address"),
        ({"game": "lords"}, "cannot be played without a host"),
        ({"seat": "welsh"}, "There is no seat"),
        ({"options": {"players": 4}}, "it is two who play"),
        ({"game": "go"}, "There is no game"),
    ],
)
def test_what_is_no_game_of_two_is_not_begun(tmp_path: Path, more: dict[str, object], said: str) -> None:
    ann = AtPage(tmp_path / "ann", "ann@example.org")
    asked: dict[str, Any] = {"game": "tiny", "friend": "bob@example.org", **more}
    kind, why = refused(ann.service, "invite", **asked)
    assert kind == "player"
    assert said in why
    assert not list((ann.home / "games").glob("*"))


def test_what_two_can_play_is_offered_with_its_options(tmp_path: Path) -> None:
    service = Service(tmp_path / "nobody")
    games = {one["game"]: one for one in ok(service, "pairable")["games"]}
    assert {"hammer", "swords", "tiny"} == set(games)
    assert all(len(one["seats"]) == 2 for one in games.values())
    assert not [each for one in games.values() for each in one["settings"] if each["name"] == "players"]
    (bruce,) = ok(service, "pairable", game="hammer", options={"scenario": "bruce"})["games"]
    assert [one["name"] for one in bruce["seats"]] == ["the English", "the Scots"]


@pytest.mark.slow
def test_a_draw_is_offered_and_agreed_to(tmp_path: Path) -> None:
    one, other = asked(tmp_path, rng := random.Random(1))
    assert [saying["what"] for saying in one.says("sayings", game=one.game)["says"]] == ["draw", "resign"]
    assert "Your next order takes the offer along." in one.says("say", game=one.game, what="draw")["said"]
    assert one.says("sayings", game=one.game)["says"][0]["why_not"]
    assert one.says("sayings", game=one.game)["says"][-1]["what"] == "withdraw"
    assert "Taken back" in one.says("say", game=one.game, what="withdraw")["said"]
    one.says("say", game=one.game, what="draw")
    one.answers(rng)
    text = other.reads(one.sends())["text"]
    assert "Your friend offers a draw." in text
    assert other.says("position", game=other.game)["offers"] == 1
    assert other.says("sayings", game=other.game)["says"][0]["what"] == "agree"
    other.says("say", game=other.game, what="agree")
    one.reads(other.sends())
    other.reads(one.sends())
    assert one.state() == other.state() == "over"
    assert log(one) == log(other)


@pytest.mark.slow
def test_who_resigns_in_the_others_turn_sends_a_word(tmp_path: Path) -> None:
    mine, waits = asked(tmp_path, random.Random(1))
    assert "quotes it in his next turn" in waits.says("say", game=waits.game, what="resign")["said"]
    word = waits.says("letters")["letters"][0]
    assert word["kind"] == "word"
    said = mine.reads(waits.sends())
    assert "Your friend resigns." in said["text"]
    played(mine, waits, random.Random(1), 4)
    assert mine.state() == waits.state() == "over"
    said = mine.says("check", data=b64encode(log(mine)).decode(), audit=True)
    assert said["outcome"] == "clean"


@pytest.mark.slow
def test_an_answer_is_asked_back_let_go_and_given_anew(tmp_path: Path) -> None:
    other, one = seated(tmp_path, "swords", options={"players": 2})
    rng, letter = random.Random(4), b""
    while True:
        one.answers(rng)
        letter = one.sends()
        says = {saying["what"]: saying for saying in one.says("sayings", game=one.game)["says"]}
        if not says.get("takeback", {"why_not": "not now"})["why_not"]:
            break
        other.reads(letter)
        one, other = other, one
    assert "you ask to take back your last answers" in one.says("say", game=one.game, what="takeback")["said"]
    Desk(other.home).read(letter, "2026-01-02T03:04:05Z")
    assert "asks to take back what he answered last. You may let him" in other.reads(one.sends())["text"]
    assert other.says("position", game=other.game)["offers"] == 1
    says = {saying["what"]: saying for saying in other.says("sayings", game=other.game)["says"]}
    assert says["let"]["label"] == "Let your friend take back what he answered last"
    assert "is asked again" in other.says("say", game=other.game, what="let")["said"]
    text = one.reads(other.sends())["text"]
    assert "you are asked again" in text
    position = one.says("position", game=one.game)
    assert position["asked"]
    moment = one.says("story", game=one.game)["moments"][-1]
    assert "took back" in str(moment)
    for at in range(position["n"], position["n"] - 3, -1):
        assert one.says("position", game=one.game, n=at)["n"] <= at
    played(one, other, rng, 6)
    assert log(one).startswith(log(other)) or log(other).startswith(log(one))


@pytest.mark.slow
def test_what_only_games_with_a_host_have_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    one, _other = asked(tmp_path, random.Random(1))
    before = {path: path.read_bytes() for path in one.home.rglob("*") if path.is_file()}
    calls: list[tuple[str, dict[str, Any]]] = [
        ("say", {"what": "takeback", "number": 3}), ("say", {"what": "claim"}), ("press", {"text": "hello", "to": "nobody"}),
        ("visit", {}), ("renew", {}), ("left", {}), ("write_to", {"friend": "bob"}),
        ("witness", {"address": "eve"}), ("read_instead", {"data": b64encode(b"{}").decode()}),
        ("touches", {"draft": [], "ask": 1}),
    ]  # fmt: skip
    for call, more in calls:
        kind, said = refused(one.service, call, game=one.game, **more)
        assert kind in ("player", "moved"), (call, said)
    assert {path: path.read_bytes() for path in one.home.rglob("*") if path.is_file()} == before
    assert "go to carol@example.org" in one.says("write_to", game=one.game, friend="carol@example.org")["said"]


@pytest.mark.slow
def test_what_waits_goes_to_a_friend_who_has_moved(tmp_path: Path) -> None:
    one, _other = asked(tmp_path, random.Random(1))
    one.says("copy", game=one.game)
    one.says("write_to", game=one.game, friend="carol@example.org")
    (letter,) = one.says("letters", game=one.game)["letters"]
    assert letter["to"] == "carol@example.org"


@pytest.mark.slow
def test_who_plays_with_friends_alone_names_his_own_address(tmp_path: Path) -> None:
    """No host has to confirm it: letters come from there at once, and also the one that waits."""
    one, other = asked(tmp_path, random.Random(1))
    one.says("copy", game=one.game)
    said = one.says("address", new="ann@example.net")
    assert (said["letters"], one.says("me")["address"]) == ([], "ann@example.net")
    assert "come from ann@example.net from now on" in said["said"]
    assert message_from_bytes(one.sends())["From"].endswith("ann@example.net")
    assert "e-mail address" in refused(other.service, "address", new="nowhere")[1]


def seats_on(one: AtPage) -> list[str]:
    """Whose views the page holds that steps through a game."""
    made = b64decode(one.says("replay", game=one.game)["data"]).decode()
    return re.findall(r'<option value="([a-z*]*)">', made)


@pytest.mark.slow
def test_a_page_that_steps_through_it_holds_the_own_view_until_the_end(tmp_path: Path) -> None:
    ann, bob = seated(tmp_path, options={"turns": 2})
    played(bob, ann, random.Random(3), 5)
    assert [seats_on(one) for one in (ann, bob)] == [["ann"], ["bob"]]
    played(ann, bob, random.Random(4))
    assert ann.state() == "over"
    assert seats_on(ann) == ["*", "ann", "bob", ""]


@pytest.mark.slow
def test_looking_writes_nothing(tmp_path: Path) -> None:
    """A browser's worker keeps nothing after such calls."""
    for one in asked(tmp_path, random.Random(1)):
        for again in (one.service, Service(one.home)):
            before = {path: path.read_bytes() for path in one.home.rglob("*") if path.is_file()}
            for call in glances():
                for of in about(call, one.game):
                    found = answer(again, call, **of)
                    assert "ok" in found, (call, found)
            assert {path: path.read_bytes() for path in one.home.rglob("*") if path.is_file()} == before


@pytest.mark.slow
def test_a_lost_browser_goes_on_from_the_saved_desk_or_from_key_and_the_friends_log(tmp_path: Path) -> None:
    """For a game of two."""
    one, other = asked(tmp_path, rng := random.Random(4))
    saved = Service(tmp_path / "saved", one.service.now)
    ok(saved, "restore", data=one.says("save")["data"])
    position = one.says("position", game=one.game)
    assert ok(saved, "position", game=one.game) == position
    key = b64encode((one.home / "key").read_bytes()).decode()
    by_key = Service(tmp_path / "by-key", one.service.now)
    ok(by_key, "key", address=one.address, take=key)
    other.says("copy", game=other.game)
    (came,) = ok(by_key, "read", data=b64encode(other.sends()).decode())["came"]
    assert "is here again" in came["text"], came
    assert {**ok(by_key, "position", game=one.game), "since": ""} == {**position, "since": ""}
    one.service = by_key
    played(one, other, rng)
    assert ok(by_key, "games")["games"][0]["state"] == "over"


@pytest.mark.slow
def test_a_key_that_is_locked_is_asked_for_before_a_letter_is_read(tmp_path: Path) -> None:
    one, other = asked(tmp_path, random.Random(1))
    one.answers(random.Random(1))
    place = other.home / "key"
    place.write_bytes(PrivateKey.load(place.read_bytes()).dump(b"open sesame"))
    raw, locked = b64encode(one.sends()).decode(), Service(other.home, other.service.now)
    assert answer(locked, "read", data=raw)["error"]["kind"] == "locked"
    ok(locked, "unlock", passphrase="open sesame")
    (came,) = ok(locked, "read", data=raw)["came"]
    assert came["kind"] == "pair"
    assert came["text"]


def test_an_attackers_letters_are_left_alone_and_named(tmp_path: Path) -> None:
    """A stranger sends the page letters of a game of two that are cut off, changed, unsigned or have markup."""
    ann, bob = seated(tmp_path)
    raw = bob.sends()
    before = log(ann)
    lines = b64decode(bob.says("log", game=bob.game)["data"])
    evil = [
        raw.replace(b'"bind":"', b'"bind":"00', 1),
        lines.replace(b'"seat":', b'"seat" :', 1),
        lines[: len(lines) // 2],
        lines.replace(b'"deck"', b'"deck\\u202e<script>alert(1)</script>"'),
        b'{"do":"word","say":{"act":"word"},"sig":"x"}\n',
    ]
    for one in evil:
        if one not in (raw, lines):
            assert ann.reads(one)["kind"] in ("left", "strange", "old")
        assert log(ann) == before
    assert ann.reads(raw)["kind"] == "pair"
    assert log(ann).startswith(lines)


@pytest.mark.slow
def test_logs_of_two_are_judged_united_and_their_signatures_taken(tmp_path: Path) -> None:
    one, other = asked(tmp_path, random.Random(1))
    whole, nobody = log(one), Service(tmp_path / "nobody")
    earlier = b"".join(whole.splitlines(keepends=True)[:5])
    given = {"first": b64encode(earlier).decode(), "second": b64encode(whole).decode()}
    assert b64decode(ok(nobody, "merge", **given)["data"]) == whole
    assert "ssh-keygen -Y verify" in ok(nobody, "signature", data=given["second"], entry=3)["command"]
    assert ok(nobody, "check", data=given["second"], audit=True)["outcome"].startswith("unfinished")
    worse = whole.replace(b'"seat":"ann"', b'"seat":"bob"', 1)
    said = ok(nobody, "check", data=b64encode(worse).decode())
    assert said["outcome"].startswith("fault")
    assert ok(nobody, "proof", data=b64encode(worse).decode())["name"] == "evidence.zip"
    assert log(other) == whole


@pytest.mark.slow
def test_another_key_goes_along_with_the_next_turn(tmp_path: Path) -> None:
    one, other = asked(tmp_path, rng := random.Random(1))
    assert "your next turn carries the new key" in one.says("rekey")["said"]
    played(one, other, rng)
    assert one.state() == other.state() == "over"
    assert log(one) == log(other)
    assert b'"do":"rekey"' in log(one)


def test_words_for_the_friend_go_with_a_turn_that_waits_or_alone(tmp_path: Path) -> None:
    ann, bob = seated(tmp_path)
    assert ann.says("sayings", game=ann.game)["others"] == [], "nobody has joined as far as she knows"
    (friend,) = bob.says("sayings", game=bob.game)["others"]
    assert friend["seat"] == "ann"
    said = bob.says("press", game=bob.game, text="  Good luck!  ")
    assert said["said"] == "Signed. It goes along with your turn, which waits to be sent."
    assert "  | Good luck!" in ann.reads(bob.sends(attached=True))["text"]
    before = log(ann)
    said = bob.says("press", game=bob.game, text="<b>Still there?</b>\x1b[2J")
    assert [one["kind"] for one in said["letters"]] == ["talk"]
    raw = bob.sends(attached=True)
    assert "  | <b>Still there?</b>[2J" in ann.reads(raw)["text"]
    assert "Still there?" not in ann.reads(raw)["text"], "each is shown once"
    assert log(ann) == before
    kind, why = refused(bob.service, "press", game=bob.game, text="x" * 4001)
    assert (kind, "at least one" in why) == ("player", True)


@pytest.mark.slow
def test_a_witness_is_named_at_the_page_and_his_copy_is_not_laid_aside(tmp_path: Path) -> None:
    one, _other = asked(tmp_path, random.Random(1))
    said = one.says("witness", game=one.game, address="eve@example.net")
    assert "go to eve@example.net" in said["said"]
    (copy,) = (letter for letter in said["letters"] if letter["kind"] == "seen")
    assert copy["to"] == "eve@example.net"
    kind, why = refused(one.service, "lay_aside", name=copy["name"])
    assert (kind, "copy for the witness" in why) == ("player", True)
    assert "no copies" in one.says("witness", game=one.game)["said"]
    assert not [letter for letter in one.says("letters", game=one.game)["letters"] if letter["kind"] == "seen"]
    kind, why = refused(one.service, "witness", game="0" * 64, address="eve@example.net")
    assert (kind, "no game" in why) == ("player", True)


@pytest.mark.slow
def test_the_friends_whole_log_takes_the_place_of_ones_own_at_the_page(tmp_path: Path) -> None:
    one, other = asked(tmp_path, random.Random(1))
    before = log(one)
    assert one.answers(random.Random(2))
    refused_turn = log(one)
    assert len(refused_turn) > len(before)
    other.says("copy", game=other.game)
    (whole,) = (letter for letter in other.says("letters")["letters"] if letter["kind"] == "whole")
    said = one.says("read_instead", game=one.game, data=whole["eml"])
    assert "you can sign that turn again" in said["said"]
    assert log(one) == before
    assert (one.home / "games" / f"{one.game[:16]}.fork").read_bytes() == refused_turn
    assert one.answers(random.Random(3))
    kind, why = refused(one.service, "read_instead", game=one.game, data=b64encode(b"{}").decode())
    assert (kind, "not a letter of a game of two" in why) == ("player", True), why


@pytest.mark.slow
def test_a_complaint_about_a_friend_is_judged_at_the_page(tmp_path: Path) -> None:
    one, other = asked(tmp_path, random.Random(1))
    before = log(other)
    assert one.answers(random.Random(2))
    papers = {"log": b64encode(before).decode(), "letter": b64encode(one.sends()).decode()}
    assert one.says("complain", **papers)["outcome"] == "cannot_judge"
    papers["log"] = b64encode(log(one)).decode()
    assert one.says("complain", **papers)["outcome"] == "unfounded"
    for more in ({"receipts": papers["log"]}, {"other": papers["letter"]}, {"mark": 3}):
        refused = answer(one.service, "complain", **papers, **more)["error"]
        assert "A game for two has no host and no receipts" in refused["text"]


@pytest.mark.slow
def test_plans_and_orders_ahead_are_written_kept_and_used_at_a_page(tmp_path: Path) -> None:
    mine, friend = seated(tmp_path, "hammer")
    one, other, rng = friend, mine, random.Random(5)
    while not one.says("position", game=one.game)["asked"]:
        one, other = _passed_on(one, other, rng)
    game, ask = one.game, one.says("position", game=one.game)["ask"]
    order, _ask = one.order(rng)
    draft = [*order.split("\n"), "PLAN ANY: FIGHT; REGROUP STAY", "AHEAD ACT: PASS"]
    found = one.says("touches", game=game, draft=draft, ask=ask)
    assert found["closed"]
    assert found["order"].endswith("PLAN BATTLE ANY: FIGHT; REGROUP STAY\nAHEAD 2 IF YEAR 1297: PASS")
    kind, _said = refused(one.service, "sign", game=game, text=f"{order}\nPLAN DANCE", ask=ask)
    assert kind == "order"
    one.says("sign", game=game, text=found["order"], ask=ask)
    position = one.says("position", game=game)
    assert (position["asked"], position["ahead"]) == (False, ["act", "card"])
    aside = one.says("touches", game=game, draft=["AHEAD CARD: ASK"])
    assert aside["closed"]
    assert refused(one.service, "sign", game=game, text=aside["order"], plans="DANCE")[0] == "order"
    one.says("sign", game=game, text=aside["order"])
    assert one.says("plans", game=game, text="PLAN NEXT ANY")["said"] == "NEXT ANY"
    assert one.says("position", game=game)["plans"] == "NEXT ANY"
    me, told = one, ""
    for _letter in range(12):
        one, other = _passed_on(one, other, rng)
        told = str(me.says("story", game=game)["moments"])
        if "Your order sent ahead was used" in told:
            break
    assert "Your order sent ahead was used for “act”: PASS." in told
    they = friend if me is mine else mine
    assert "sent ahead" not in str(they.says("story", game=game)["moments"])
    assert b"AHEAD" not in log(they)


def test_plans_are_shown_in_battles_by_a_switch_beside_them(tmp_path: Path) -> None:
    ann, bob = seated(tmp_path, "hammer")
    game = ann.game
    ann.reads(bob.sends())
    for one in (ann, bob):
        assert one.says("position", game=game)["plans_shown"] is False
    assert ann.says("plans", game=game, text="PLAN NEXT ANY", shown=True)["said"] == "NEXT ANY"
    assert ann.says("position", game=game)["plans_shown"] is True
    assert ann.says("plans", game=game, text="PLAN ANY: FIGHT")["said"] == "BATTLE ANY: FIGHT"
    assert ann.says("position", game=game)["plans_shown"] is True
    assert refused(ann.service, "plans", game=game, text="DANCE", shown=False)[0] == "order"
    assert ann.says("position", game=game)["plans_shown"] is True
    ann.says("plans", game=game, text="", shown=False)
    assert ann.says("position", game=game)["plans_shown"] is False
    assert bob.says("position", game=game)["plans_shown"] is False


def test_a_game_without_battles_has_no_such_switch(tmp_path: Path) -> None:
    ann, bob = seated(tmp_path)
    ann.reads(bob.sends())
    assert ann.says("position", game=ann.game)["plans_shown"] is None
    kind, said = refused(ann.service, "plans", game=ann.game, text="", shown=True)
    assert kind == "player"
    assert "has no battles that both players' plans could fight out at once" in said


def _passed_on(one: AtPage, other: AtPage, rng: random.Random) -> tuple[AtPage, AtPage]:
    """Let one answer and the other read; return whose turn it is then, and the other."""
    one.answers(rng)
    other.reads(one.sends())
    return other, one
