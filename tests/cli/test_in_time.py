"""That an order was sent in time, by mails in and answers out: copies sealed for the host, acknowledgements, claims, complaints.

Each attack stands beside its honest twin.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.ledger import PrivateKey, cj, sha256_hex
from pbem.ledger.sealed import SEALED, boxed, number_for, unboxed
from pbem.mail import read_block, read_message
from pbem.mail.block import payload_of
from pbem.page.service import Service
from pbem.player import Desk, PlayerSettings
from pbem.player.tray import signed_in
from pbem.referee import Envelope
from tests.host.conftest import the_example_game_is_found
from tests.host.mailboxes import Mailboxes
from tests.host.post import HOST, key_of, letter_of, moment
from tests.page.calling import ok
from tests.stored import stored_rows

from .a_player import Player, no_keyring, player, playing
from .in_time import Players, came, claims, defaults, paper_in, ruled, signed_anew, with_paper

__all__ = ["claims", "defaults", "no_keyring", "player", "playing", "the_example_game_is_found"]

BOB = "bob@example.org"


def acknowledged(players: Players, *, later: int = 0) -> dict[str, dict[str, bytes]]:
    """Ann orders with a copy to Bob, whose program reads it so many minutes later; Ann reads what it signs. The host has none."""
    assert players.pbem("ann", "cc", BOB)[0] == 0
    letters = {"ann": players.order("ann")}
    arrived = players.club.minute
    players.club.minute += later
    assert players.read("bob", letters["ann"]["sealed"], arrived)[0] == 0
    letters["bob"] = players.out("bob")
    assert players.read("ann", letters["bob"]["reached"])[0] == 0
    return letters


def claimed(players: Players, *anyway: str) -> None:
    """Bob has answered, the time is over, and he claims the game."""
    players.club.take(players.order("bob")["order"])
    players.wait(30)
    assert players.pbem("bob", "say", "claim", "--yes", *anyway)[0] == 0
    players.club.take(players.out("bob")["claim"])
    players.read_all()


# -- copies and acknowledgements ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_copy_is_acknowledged_and_passed_on_without_being_asked(claims: Players) -> None:
    letters = acknowledged(claims)
    assert sorted(letters["ann"]) == ["order", "sealed"]
    assert sorted(letters["bob"]) == ["passed", "reached"], "what is passed on goes first"
    assert read_message(letters["bob"]["passed"]).to == (HOST,)
    assert read_message(letters["bob"]["reached"]).to == ("ann@example.org",)
    assert claims.club.take(letters["bob"]["passed"]) == "order: ann"
    assert claims.club.take(letters["ann"]["order"]).startswith("duplicate")
    sent = claims.sent("ann")
    claims.club.take(claims.order("bob")["order"])
    claims.told("ann")
    assert ruled(claims.complain(letter=sent)) == ("unfounded", None, None), "it is in the log"


def test_who_wants_none_sends_none(claims: Players) -> None:
    assert sorted(claims.order("ann")) == ["order"]


@pytest.mark.slow
def test_whom_copies_go_to_is_chosen_for_each_game(claims: Players) -> None:
    assert "no copies" in claims.pbem("ann", "cc")[1]
    desk = claims.desk("ann")
    notes = desk.notes()
    notes.players = {"bob": "Bob"}
    desk.keep(notes)
    assert "told no address" in claims.pbem("ann", "cc", "--all")[1]
    notes.players = {"bob": BOB, "cat": "Cat"}
    desk.keep(notes)
    assert BOB in claims.pbem("ann", "cc", "--all")[1]
    assert claims.pbem("ann", "cc", "no address")[0] == 2
    assert claims.pbem("ann", "cc", BOB, "--none")[0] == 2
    assert claims.desk("ann").notes().cc == [BOB]
    assert "no copies" in claims.pbem("ann", "cc", "--none")[1]
    claims.desk("ann").change_settings(post=str(claims.club.folder / "post"))
    assert "nothing brings a copy" in claims.pbem("ann", "cc", BOB)[1]


@pytest.mark.slow
def test_copies_go_in_every_game_for_who_wants_that(claims: Players) -> None:
    assert claims.pbem("ann", "cc", "--always")[0] == 2
    assert "From now on" in claims.pbem("ann", "cc", "--all", "--always")[1]
    assert sorted(claims.order("ann")) == ["order", "sealed"]
    assert claims.pbem("ann", "cc", "--none")[0] == 0
    assert sorted(claims.order("ann")) == ["order"], "for this game he has said otherwise"
    assert "only where" in claims.pbem("bob", "cc", "--none", "--always")[1]
    assert sorted(claims.order("bob")) == ["order"]


@pytest.mark.slow
def test_an_order_that_is_replaced_before_it_is_sent_takes_its_copy_along(claims: Players) -> None:
    claims.pbem("ann", "cc", BOB)
    desk = claims.desk("ann")
    _to, view, pack = desk.question(desk.notes())
    first, second = [str(one) for one in pack.rules.options(view)][:2]
    claims.pbem("ann", "order", "-", typed=first)
    claims.pbem("ann", "order", "-", typed=second)
    letters = claims.out("ann")
    order, paper = signed_in(claims.sent("ann")), paper_in(letters["sealed"])
    assert order is not None
    assert (paper.say["rev"], paper.say["order"]) == (1, sha256_hex(cj(order.say)))


@pytest.mark.slow
def test_what_others_get_tells_them_nothing_of_an_order(claims: Players) -> None:
    """Bob tries to read Ann's order from its copy. All copies have the same length and show only the time."""
    claims.pbem("ann", "cc", BOB)
    desk = claims.desk("ann")
    _to, view, pack = desk.question(desk.notes())
    orders = [str(one) for one in pack.rules.options(view)]
    sizes = set()
    for text in (orders[0], orders[-1]):
        letter = claims.order("ann", text)["sealed"]
        sent, paper = signed_in(claims.sent("ann")), paper_in(letter)
        assert sent is not None
        shown = cj([paper.say, paper.sig]).decode()
        hidden = [
            sent.say["link"],
            *sent.say["seals"].values(),
            *(str(line[5]) for line in sent.openings),
            text,
            sent.sig,
        ]
        assert not [one for one in hidden if one in shown or one in read_message(letter).text]
        assert set(paper.say) == {"act", "game", "seat", "ask", "rev", "order", "box"}
        with pytest.raises(Exception, match="another host, or damaged"):
            unboxed(key_of("bob"), paper.say["box"])
        assert unboxed(key_of("host"), paper.say["box"]) == cj(payload_of(sent))
        sizes.add(len(paper.say["box"]))
        number = json.loads(claims.copy("ann").with_suffix(".copies").read_text().splitlines()[-1])["number"]
        assert number not in shown
    assert len(sizes) == 1, "one order is no longer than the other"


@pytest.mark.slow
def test_a_paper_that_comes_again_keeps_its_first_moment(claims: Players) -> None:
    letters = acknowledged(claims)
    claims.club.minute += 50 * 60
    assert claims.read("bob", letters["ann"]["sealed"])[0] == 0
    assert claims.out("bob")["reached"] == letters["bob"]["reached"]
    assert len(claims.copy("bob").with_suffix(".held").read_bytes().splitlines()) == 1


@pytest.mark.slow
def test_no_more_than_a_few_papers_a_day_are_acknowledged(claims: Players, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.player.in_time.MOST", 1)
    letters = acknowledged(claims)
    assert claims.read("bob", letters["ann"]["sealed"])[0] == 0, "the same once more"
    assert claims.read("bob", claims.order("ann")["sealed"])[1].endswith("no further copies are acknowledged.")


@pytest.mark.slow
def test_what_another_signed_is_not_acknowledged(claims: Players) -> None:
    """A stranger sends a forged copy, Bob's own, one of an unknown game or a damaged one. A repeated copy keeps its
    first time."""
    claims.pbem("ann", "cc", BOB)
    letter = claims.order("ann")["sealed"]
    paper = paper_in(letter)
    forged = replace(paper, sig=key_of("eve").sign(SEALED, cj(paper.say)))
    assert "not signed by the key of Ann" in claims.read("bob", with_paper(letter, forged))[1]
    own = {**paper.say, "seat": "bob"}
    assert (
        "no other seat" in claims.read("bob", with_paper(letter, Envelope(own, key_of("bob").sign(SEALED, cj(own)))))[1]
    )
    other = {**paper.say, "game": "0" * 64}
    said = claims.read("bob", with_paper(letter, Envelope(other, key_of("ann").sign(SEALED, cj(other)))))[1]
    assert "Nothing in this mail is signed" in said
    short = {**paper.say, "box": "AAAA"}
    said = claims.read("bob", with_paper(letter, Envelope(short, key_of("ann").sign(SEALED, cj(short)))))[1]
    assert "is not well formed" in said
    assert claims.out("bob") == {}
    assert claims.read("bob", letter)[0] == 0
    assert sorted(claims.out("bob")) == ["passed", "reached"]


@pytest.mark.slow
def test_one_turn_answers_without_a_word(playing: Player) -> None:
    """Ann fetches her mail: what Bob's program has sent her is acknowledged and passed on before she is asked anything."""
    desk = playing.club.desks["bob"]
    notes = desk.notes()
    notes.cc = ["ann@example.org"]
    desk.keep(notes)
    _to, view, pack = desk.question(notes)
    desk.order(notes, str(next(iter(pack.rules.options(view)))), "", playing.club.now())
    for raw in playing.club.letters(desk):
        if read_message(raw).to == ("ann@example.org",):
            playing.imap.arrive(came(raw, playing.club.minute))
    code, said = playing.turn("quit\n")
    assert code == 0, said
    assert "Your program acknowledges it, and passes it on to the host." in " ".join(said.split())
    assert "Send them now?" not in said
    assert [to for _sender, to, _raw in playing.smtp.letters] == [HOST, BOB]
    assert playing.club.take(playing.smtp.letters[0][2]) == "order: bob"
    assert playing.turn("quit\n")[0] == 0
    assert len(playing.smtp.letters) == 2, "once"


@pytest.mark.slow
def test_what_is_passed_on_too_late_to_matter_bothers_nobody(claims: Players) -> None:
    """Ann orders twice; the host has her second order when Bob's program passes the first one on, in another language."""
    letters = acknowledged(claims)
    assert claims.club.take(claims.order("ann")["order"]) == "order: ann"
    claims.club.deliver()
    passed = letters["bob"]["passed"].replace(b"This copy of an order", b"LANGUAGE fr\r\n\r\nThis copy of an order")
    assert passed != letters["bob"]["passed"]
    assert claims.club.take(passed) == "ignored: passed on, DOUBLE"
    claims.club.take(claims.order("bob")["order"])
    claims.club.deliver()
    assert claims.club.take(letters["bob"]["passed"]) == "ignored: passed on, ASK"
    assert not any(claims.club.deliver().values())
    assert not stored_rows(claims.club.office.store, "select language from seats where seat = 'ann'")[0]["language"]


# -- claims ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_no_claim_is_signed_against_ones_own_acknowledgement(claims: Players) -> None:
    """A player acknowledged a copy and claims that the order was late. His own program refuses; another program gets
    DENIED."""
    acknowledged(claims)
    claims.club.take(claims.order("bob")["order"])
    claims.wait(30)
    code, said = claims.pbem("bob", "say", "claim", "--yes")
    assert code == 2
    assert "You have acknowledged that you received Ann's answer to question 7 at " in said
    again = claims.out("bob")
    assert sorted(again) == ["passed"], "nothing is signed, and the order is passed on once more"
    assert claims.club.take(again["passed"]).startswith("order: ann"), "late it is, and nobody has claimed"


@pytest.mark.slow
def test_a_claim_where_nothing_had_come_is_signed_as_ever(claims: Players) -> None:
    claims.order("ann")
    claimed(claims)
    assert claims.desk("ann").copy(claims.desk("ann").notes()).log.finished


@pytest.mark.slow
def test_who_claims_against_his_acknowledgement_is_named(claims: Players) -> None:
    """The claimant who denies; and the others' program names him by nothing but papers."""
    acknowledged(claims)
    claimed(claims, "--anyway")
    found = claims.complain()
    assert ruled(found) == ("fault", "DENIED", "bob")
    entry = claims.club.log().entries[found["entry"]]
    assert entry.fields["say"]["act"] == "claim"
    shown = claims.club.folder / "shown"
    words = claims.copy("ann"), claims.sent("ann"), "--heard", claims.heard("ann"), "--out", shown
    assert "Only the owner of the key of Bob can have signed both." in claims.pbem("", "complain", *words)[1]
    assert ruled(claims.complain(heard=shown)) == ("fault", "DENIED", "bob"), "what is shown to others is enough"
    assert "en faute : bob" in claims.pbem("", "--language", "fr", "complain", *words)[1]


@pytest.mark.slow
def test_an_answer_that_came_too_late_to_the_other_is_no_denial(claims: Players) -> None:
    """A complaint about it is unfounded."""
    claims.pbem("ann", "cc", BOB)
    letters = claims.order("ann")
    claims.club.take(claims.order("bob")["order"])
    claims.wait(30)
    assert claims.read("bob", letters["sealed"])[0] == 0
    assert claims.read("ann", claims.out("bob")["reached"])[0] == 0
    assert claims.pbem("bob", "say", "claim", "--yes")[0] == 0, "it came when the time was over"
    claims.club.take(claims.out("bob")["claim"])
    claims.read_all()
    assert ruled(claims.complain()) == ("unfounded", None, None)


# -- hosts -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_order_that_others_had_in_time_and_the_log_has_not_names_the_host(defaults: Players) -> None:
    """WITNESSED, on two players' words. A made-up complaint is unfounded."""
    acknowledged(defaults)
    defaults.club.take(defaults.order("bob")["order"])
    defaults.wait(30)
    defaults.told("ann")
    found = defaults.complain()
    assert ruled(found) == ("fault", "WITNESSED", "host")
    assert defaults.club.log().entries[found["entry"]].k == "skip"
    assert "Only the word of ann and bob says that the host had it." in found["reason"]


@pytest.mark.slow
def test_the_page_acknowledges_and_judges_as_the_commands_do(defaults: Players) -> None:
    defaults.pbem("ann", "cc", BOB)
    letters, arrived = defaults.order("ann"), defaults.club.minute
    bob = Service(defaults.home("bob"), lambda: moment(defaults.club.minute))
    (news,) = ok(bob, "read", data=base64.b64encode(came(letters["sealed"], arrived)).decode(), name="x.eml")["came"]
    assert news["kind"] == "paper"
    assert "Your program acknowledges it" in news["text"]
    (again,) = ok(bob, "read", data=base64.b64encode(came(letters["sealed"], arrived)).decode(), name="x.eml")["came"]
    assert again["kind"] == "old"
    waiting = ok(bob, "letters", game="")["letters"]
    assert [(one["kind"], one["to"]) for one in waiting] == [("passed", HOST), ("reached", "ann@example.org")]
    assert defaults.read("ann", defaults.out("bob")["reached"])[0] == 0
    defaults.club.take(defaults.order("bob")["order"])
    defaults.wait(30)
    defaults.told("ann")
    ann = Service(defaults.home("ann"), lambda: moment(defaults.club.minute))
    game = defaults.desk("ann").notes().game
    (left,) = ok(ann, "left", game=game)["letters"]
    assert left["has_receipt"], "there is something to complain with"
    found = ok(ann, "complain", game=game, name=left["name"])
    words = "complain", defaults.copy("ann"), defaults.sent("ann"), "--heard", defaults.heard("ann")
    assert " ".join(found["text"].split()) == defaults.pbem("", *words)[1]
    assert (found["code"], found["party"]) == ("WITNESSED", "host")


@pytest.mark.slow
def test_an_honest_host_takes_what_is_passed_on(defaults: Players) -> None:
    letters = acknowledged(defaults)
    sent = defaults.sent("ann")
    defaults.club.take(letters["bob"]["passed"])
    defaults.club.take(defaults.order("bob")["order"])
    defaults.told("ann")
    assert ruled(defaults.complain(letter=sent)) == ("unfounded", None, None)


@pytest.mark.slow
def test_what_was_passed_on_when_the_time_was_over_names_no_host(defaults: Players) -> None:
    """It came to Bob's mailbox in time; his program saw it two days later. So may the host's letter have been lost."""
    defaults.club.take(defaults.order("bob")["order"])
    acknowledged(defaults, later=48 * 60)
    defaults.wait(1)
    defaults.told("ann")
    found = defaults.complain()
    assert ruled(found) == ("unfounded", None, None)
    assert "after the time to answer" in found["reason"]


@pytest.mark.slow
def test_what_no_host_had_to_take_accuses_nobody(defaults: Players) -> None:
    """Ann's program is another: its order is not legal, and lies sealed and acknowledged in time."""
    letters = acknowledged(defaults)
    desk = defaults.desk("ann")
    to, view, pack = desk.question(desk.notes())
    seat, legal = desk.seat(desk.notes()), str(next(iter(pack.rules.options(view))))
    shown: list[tuple[Path, Path]] = []
    for order, plans in (("card 99", ""), (legal, "no plan at all")):
        envelope = seat.pen.order(to, order, plans, 7)
        payload = cj(payload_of(envelope))
        number = number_for("ab" * 32, payload)
        say = {**paper_in(letters["ann"]["sealed"]).say, "rev": 7, "order": sha256_hex(cj(envelope.say))}
        say["box"] = boxed(seat.course.host, number, payload)
        paper = Envelope(say, key_of("ann").sign(SEALED, cj(say)))
        assert defaults.read("bob", with_paper(letters["ann"]["sealed"], paper))[0] == 0
        reached = defaults.out("bob")
        defaults.club.minute += 30
        defaults.club.deliver()
        assert defaults.club.take(reached["passed"]).startswith("refused: ILLEGAL: The sealed copy that you passed on")
        told = defaults.club.deliver()
        assert (len(told["ann"]), len(told["bob"])) == (0, 1)
        assert not [one for one in ("card 99", legal, "no plan at all") if one in read_message(told["bob"][0]).text]
        heard = paper_in(reached["reached"])
        file = defaults.club.folder / f"own{len(plans)}.heard"
        file.write_bytes(cj({"say": heard.say, "sig": heard.sig, "number": number}) + b"\n")
        own = defaults.club.folder / f"own{len(plans)}.eml"
        own.write_bytes(letter_of("ann", envelope))
        shown.append((file, own))
    defaults.club.take(defaults.order("bob")["order"])
    defaults.wait(30)
    defaults.told("ann")
    for file, own in shown:
        found = defaults.complain(heard=file, letter=own)
        assert ruled(found) == ("unfounded", None, None), found
        assert "No host had to take this order" in found["reason"]


@pytest.mark.slow
def test_a_box_with_no_order_in_it_binds_nobody(claims: Players) -> None:
    """Ann's program gives Bob a box that nobody can open, or an illegal order. The host tells Bob, who may claim; Ann
    proves nothing."""
    letters = acknowledged(claims)
    honest, order = paper_in(letters["ann"]["sealed"]), signed_in(claims.sent("ann"))
    assert order is not None
    for key in (key_of("eve"), key_of("host")):
        box = boxed(key.key_line, number_for("00" * 32, b"{}"), b"{}")
        say = {**honest.say, "rev": 5, "box": box}
        letter = with_paper(letters["ann"]["sealed"], Envelope(say, key_of("ann").sign(SEALED, cj(say))))
        assert claims.read("bob", letter)[0] == 0
        reached = claims.out("bob")
        claims.club.minute += 30
        claims.club.deliver()
        assert claims.club.take(reached["passed"]).startswith(
            "refused: FORM: The host cannot take the sealed copy that ann gave you"
        )
        (answer,) = claims.club.deliver()["bob"]
        assert "does not bind you" in " ".join(read_message(answer).text.split())
        heard = paper_in(reached["reached"])
        (claims.club.folder / "false").write_bytes(
            cj({"say": heard.say, "sig": heard.sig, "number": number_for("ab" * 32, cj(payload_of(order)))}) + b"\n"
        )
    claimed(claims, "--anyway")
    found = claims.complain(heard=claims.club.folder / "false")
    assert ruled(found) == ("cannot_judge", None, None)
    assert "did not hold this order" in found["reason"]
    assert ruled(claims.complain()) == ("fault", "DENIED", "bob"), "the true one still does"


# -- papers that show nothing -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_forged_acknowledgements_show_nothing(defaults: Players) -> None:
    """A stranger or Ann signs them, for another game, seat, order or box, or dated before the question. The true one is
    beside each."""
    acknowledged(defaults)
    defaults.club.take(defaults.order("bob")["order"])
    defaults.wait(30)
    defaults.told("ann")
    true = json.loads(defaults.heard("ann").read_text())
    bob, file = key_of("bob"), defaults.club.folder / "forged"
    forged: list[tuple[dict[str, object], PrivateKey]] = [
        ({}, key_of("eve")),
        ({"seat": "ann"}, key_of("ann")),
        ({"game": "0" * 64}, bob),
        ({"of": "bob"}, bob),
        ({"ask": true["say"]["ask"] + 1}, bob),
        ({"box": "0" * 64}, bob),
        ({"came": moment(-60), "at": moment(-60)}, bob),
        ({"at": "2030-02-30T00:00:00Z"}, bob),
    ]
    for changes, key in forged:
        file.write_bytes(cj(signed_anew(true, key, **changes)) + b"\n")
        assert ruled(defaults.complain(heard=file)) == ("cannot_judge", None, None), changes
    file.write_bytes(cj({**true, "number": number_for("cd" * 32, b"x")}) + b"\n")
    assert ruled(defaults.complain(heard=file)) == ("cannot_judge", None, None), "another number"
    file.write_bytes(b"hello\n" + cj([1]) + b"\n")
    assert "no acknowledgement of this order" in defaults.complain(heard=file)["verdict"]
    file.write_bytes(cj(signed_anew(true, bob, order="0" * 64)) + b"\n")
    assert "no acknowledgement of this order" in defaults.complain(heard=file)["verdict"]
    assert ruled(defaults.complain()) == ("fault", "WITNESSED", "host")


@pytest.mark.slow
def test_an_acknowledgement_that_is_withheld_leaves_nothing_to_show(defaults: Players) -> None:
    """The host and the opponent in league: both are silent, and no paper exists. The log is clean; the trust page says so."""
    defaults.pbem("ann", "cc", BOB)
    defaults.order("ann")
    defaults.club.take(defaults.order("bob")["order"])
    defaults.wait(30)
    defaults.told("ann")
    empty = defaults.club.folder / "empty"
    empty.write_bytes(b"")
    assert "no acknowledgement of this order" in defaults.complain(heard=empty)["verdict"]
    assert defaults.pbem("", "verify", defaults.copy("ann"))[0] == 0


@pytest.mark.slow
def test_an_acknowledgement_of_what_was_not_sent_is_not_kept(claims: Players) -> None:
    letters = acknowledged(claims)
    paper = paper_in(letters["bob"]["reached"])
    for changes in ({"order": "0" * 64}, {"box": "0" * 64}, {"of": "bob"}):
        made = signed_anew({"say": paper.say, "sig": paper.sig}, key_of("bob"), **changes)
        letter = with_paper(letters["bob"]["reached"], Envelope(made["say"], made["sig"]))
        assert "that this desk has not sent" in claims.read("ann", letter)[1]
    assert claims.read("ann", letters["bob"]["reached"])[0] == 0
    assert len(claims.heard("ann").read_bytes().splitlines()) == 1


def test_a_paper_in_a_letter_is_read_by_nobody_as_an_order(claims: Players) -> None:
    claims.pbem("ann", "cc", BOB)
    letter = claims.order("ann")["sealed"]
    found = read_block(read_message(letter).text)
    assert found is not None
    assert found.say["act"] == "sealed"
    assert not found.openings


# -- kept seats --------------------------------------------------------------------------------------------------------


@pytest.fixture
def replies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Mailboxes, Players]]:
    """Ann replies to her letters, and the host keeps her key; Bob has a program."""
    with Mailboxes(tmp_path, ("ann",), hours=24) as boxes:
        desk = Desk.create(tmp_path / "bob", key_of("bob"), PlayerSettings(BOB))
        boxes.say("ann", "JOIN some words")
        for _join_and_ready in range(2):
            desk.join(boxes.letters["bob"][-1], boxes.now())
            for path in desk.tray.unsent():
                boxes.take(desk.tray.sent(path).read_bytes())
        players = Players.__new__(Players)
        players.club, players.files = boxes, 0  # type: ignore[assignment]
        for module in ("desk", "orders", "letters"):
            monkeypatch.setattr(f"pbem.cli.{module}.now", lambda: moment(boxes.minute))
        for raw in boxes.letters["bob"][1:]:
            desk.read(raw)
        yield boxes, players


def complained(players: Players, sent: bytes, heard: bytes) -> dict[str, object]:
    boxes = players.club
    for name, data in (
        ("sent.eml", sent),
        ("heard.eml", heard),
        ("game.pbem", boxes.robot.house.game(boxes.number).exported().dump()),
    ):
        (boxes.folder / name).write_bytes(data)
    words = (
        boxes.folder / "game.pbem",
        "--sent",
        boxes.folder / "sent.eml",
        "--heard",
        boxes.folder / "heard.eml",
        "--json",
    )
    found: dict[str, object] = json.loads(players.pbem("", "complain", *words)[1])
    return found


@pytest.mark.slow
def test_a_reply_that_others_were_sent_a_copy_of_is_acknowledged_and_not_shown(
    replies: tuple[Mailboxes, Players],
) -> None:
    boxes, players = replies
    letter = boxes.put_to("ann")
    sent = boxes.reply("ann", "1", letter, headers={"Cc": BOB})
    code, said = players.read("bob", sent)
    assert code == 0
    assert "A copy of Ann's reply for question 7 came at" in said
    assert "Hand" not in said, "the letter that she quotes"
    reached = players.out("bob")
    assert list(reached) == ["passed", "reached"]
    assert read_message(reached["reached"]).to == ("ann@example.org",)
    boxes.minute += 30 * 60
    boxes.robot.tick(boxes.now())
    found = complained(players, sent, reached["reached"])
    assert (found["verdict"], found["code"], found["party"]) == ("fault", "WITNESSED", "host")
    other = boxes.reply("ann", "2", letter, headers={"Cc": BOB})
    assert complained(players, other, reached["reached"])["verdict"] == "cannot_judge", (
        "another reply than the one that came"
    )
    prose = boxes.reply("ann", "Hello!", letter)
    assert complained(players, prose, reached["reached"])["verdict"] == "unfounded", "no host can read an order in it"


@pytest.mark.slow
def test_a_reply_that_the_host_took_accuses_nobody(replies: tuple[Mailboxes, Players]) -> None:
    boxes, players = replies
    sent = boxes.reply("ann", "1", boxes.put_to("ann"), headers={"Cc": BOB})
    players.read("bob", sent)
    reached = players.out("bob")["reached"]
    assert boxes.take(sent).startswith("order")
    boxes.take(players.order("bob")["order"])
    assert complained(players, sent, reached)["verdict"] == "unfounded"


@pytest.mark.slow
def test_a_reply_that_was_passed_on_counts_when_its_writer_says_so(replies: tuple[Mailboxes, Players]) -> None:
    """The host does not take Bob's word for it: it asks Ann."""
    boxes, players = replies
    players.read("bob", boxes.reply("ann", "1", boxes.put_to("ann"), headers={"Cc": BOB}))
    outcome = boxes.take(players.out("bob")["passed"])
    assert not outcome.startswith("order")
    assert "YES" in boxes.last("ann")
    assert boxes.say("ann", "YES").startswith("order")


@pytest.mark.slow
def test_a_reply_from_another_address_is_not_acknowledged(replies: tuple[Mailboxes, Players]) -> None:
    boxes, players = replies
    sent = boxes.reply("ann", "1", boxes.put_to("ann"), sender="eve@example.org")
    assert "Nothing in this mail is signed" in players.read("bob", sent)[1]
    assert players.out("bob") == {}
