"""The seat of a player who has vanished goes to no puppet: token, fingerprint and agreement are needed, by mail as in the log.

What a log may hold of it `test_replace` tries; here the host and the desks are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import tiny_game

from pbem.errors import UsageError
from pbem.host.newcomers import proposed
from pbem.host.succession import vanished
from pbem.ledger import GOT, cj, fingerprint, read_line, sha256_hex, verify_sig
from pbem.mail import read_block, read_message
from pbem.referee import Envelope, Pen, proof_of
from pbem.referee.audit import audit
from tests.attacks.newcomers import (
    _vanished,
    agree,
    holder,
    miss,
    takes,
    three,
    token,
    trio,
)
from tests.host.post import Club, a_club, key_of, letter_of

from .seats import matters, texts

__all__ = ["three", "trio"]  # fixtures

# -- puppets ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    yield from _vanished(tmp_path_factory.mktemp("two"), 2)


@pytest.fixture
def club(two: Club, tmp_path: Path) -> Iterator[Club]:
    """Ann is there, Bob has vanished, and Dora is invited in his place."""
    twin = two.copy_to(tmp_path / "club")
    twin.robot.replace(twin.number, "bob", "dora@example.org", twin.now())
    yield twin
    twin.office.close()


@pytest.mark.variants
@pytest.mark.parametrize("whose", ["", "ann", "bob"])
def test_without_the_token_nobody_comes_in(club: Club, whose: str) -> None:
    """Neither before the newcomer nor after; and who was invited hears of it, once. Former invitations open nothing."""
    before = club.log().dump()
    brings = read_message(club.received[whose][0]).token if whose else ""
    assert bool(brings) == bool(whose)
    assert takes(club, "puppet", brings).startswith("refused: BIND: a join for bob")
    invitation, told = club.box("dora")
    assert fingerprint(key_of("puppet").key_line) in texts([told])[0]
    assert matters(club) == ["Somebody without an invitation asked for the seat Bob and was refused."]
    right = read_message(invitation).token
    assert takes(club, "dora", right) == "newcomer: bob, to be confirmed"
    assert takes(club, "puppet2", brings).startswith("refused: BIND"), "never “duplicate” to another key"
    assert club.box("dora") == []
    assert club.log().dump() == before
    assert not [raw for raw in club.deliver()["ann"] if b"pbem welcome" in raw], "nobody is asked to agree to anybody"


def test_a_join_that_was_refused_comes_in_no_later_either(trio: Club) -> None:
    """He sends it again and again; it fits once the seat is free, but he is not who was invited."""
    game = trio.log().game
    early = Pen(key_of("puppet"), game, "bob").join()
    for no in range(3):
        assert trio.take(letter_of("puppet", early, f"Try {no}.")).startswith("refused: BIND")
    dora = token(trio)
    assert takes(trio, "dora", dora) == "newcomer: bob"
    assert trio.take(letter_of("puppet", early, "Once more.")).startswith("refused: BIND")
    assert agree(trio) == ["agree: ann", "agree: cat"]
    assert holder(trio) == key_of("dora").key_line
    assert trio.take(letter_of("puppet", early, "And again.")).startswith("refused: BIND")


def test_a_puppet_cannot_have_the_reports_sent_to_him(club: Club) -> None:
    """Only the key that has the seat signs changes of address or clock."""
    puppet = Pen(key_of("puppet"), club.log().game, "bob")
    takes(club, "puppet", token(club))
    before = club.robot.house.game(club.number).seats["bob"]
    assert club.take(letter_of("puppet", puppet.address("puppet@example.org", 1))).startswith("refused: SIG")
    assert club.take(letter_of("puppet", puppet.time("UTC", "", "", 1))).startswith("refused")
    assert club.robot.house.game(club.number).seats["bob"] == before


def test_the_one_opponent_agrees_to_nobody_whom_the_operator_has_not_confirmed(club: Club) -> None:
    """An opponent would bring a puppet. A newcomer needs the token, the operator's confirmation of the key, or all
    other players."""
    takes(club, "puppet", token(club))
    ann, before = club.desks["ann"], club.log().dump()
    join = Pen(key_of("puppet"), club.log().game, "bob").join()
    what = {"player": {"say": join.say, "sig": join.sig}}
    ann.speaker(ann.notes()).say("agree", club.now(), what=sha256_hex(cj(what)))
    (letter,) = club.letters(ann)
    assert club.take(letter).startswith("refused: BIND")
    assert club.log().dump() == before
    assert proposed(club.robot.house.game(club.number)) == {}


def test_a_wrong_fingerprint_confirms_nobody(club: Club) -> None:
    right, number = token(club), club.number
    with pytest.raises(UsageError, match="Nobody has taken up an invitation"):
        club.robot.confirm(number, "bob", fingerprint(key_of("dora").key_line), club.now())
    takes(club, "dora", right)
    for wrong in (fingerprint(key_of("puppet").key_line), fingerprint(key_of("bob").key_line), "", "SHA256:"):
        with pytest.raises(UsageError, match=r"The newcomer's key is SHA256:.*, not the one you gave"):
            club.robot.confirm(number, "bob", wrong, club.now())
    assert agree(club) == []
    assert len(matters(club)) == 1


def test_with_the_right_one_the_opponent_is_asked_and_the_game_goes_on(club: Club) -> None:
    """The honest twin, to the end of the game."""
    club.office.send(club.now())
    invitation = club.box("dora")[0]
    desk = club.new_desk("dora")
    desk.join(invitation, club.now())
    (letter,) = club.letters(desk)
    assert club.take(letter) == "newcomer: bob, to be confirmed"
    (matter,) = matters(club)
    assert fingerprint(desk.key_line) in matter
    assert f"pbem host replace {club.number} bob --confirm" in matter
    assert agree(club) == []
    club.robot.confirm(club.number, "bob", fingerprint(desk.key_line), club.now())
    assert matters(club) == []
    assert agree(club) == ["agree: ann"]
    for name, one, raws in (("ann", club.desks["ann"], club.deliver()["ann"]), ("bob", desk, club.box("dora"))):
        one.join(next(raw for raw in raws if b"compare the keys" in raw), club.now())
        assert [club.take(letter) for letter in club.letters(one)] == [f"ready: {name}"]
    verdict = audit(club.log().dump(), lambda _: (tiny_game.GAME, "0" * 64)).verdict
    assert verdict.verdict == "unfinished", verdict
    assert holder(club) == desk.key_line


def test_of_three_one_of_whom_is_out_the_operator_confirms_as_well(trio: Club) -> None:
    """With Cat gone there is one opponent left, who would agree alone."""
    trio.say("cat", "resign")
    assert takes(trio, "dora", token(trio)) == "newcomer: bob, to be confirmed"


def test_of_three_the_two_others_agree_and_one_alone_is_not_enough(trio: Club) -> None:
    takes(trio, "dora", token(trio))
    raws = trio.deliver()
    (asked,) = [raw for raw in raws["ann"] if b"pbem welcome" in raw]
    trio.desks["ann"].newcomers.welcome(asked, trio.now())
    assert [trio.take(letter) for letter in trio.letters(trio.desks["ann"])] == ["agree: ann"]
    assert holder(trio) == key_of("bob").key_line
    (asked,) = [raw for raw in raws["cat"] if b"pbem welcome" in raw]
    trio.desks["cat"].newcomers.welcome(asked, trio.now())
    assert [trio.take(letter) for letter in trio.letters(trio.desks["cat"])] == ["agree: cat"]
    assert holder(trio) == key_of("dora").key_line


def test_a_desk_agrees_to_no_newcomer_who_has_not_signed(trio: Club) -> None:
    """The host, or the mail, puts another key in the place of his."""
    takes(trio, "dora", token(trio))
    (asked,) = [raw for raw in trio.deliver()["ann"] if b"pbem welcome" in raw]
    block = read_block(read_message(asked).text)
    assert block
    forged = Envelope({**block.say, "key": key_of("puppet").key_line}, block.sig)
    with pytest.raises(Exception, match="The newcomer has not signed this"):
        trio.desks["ann"].newcomers.welcome(letter_of("host", forged), trio.now())
    assert trio.desks["ann"].tray.unsent() == []


# -- two with the same invitation ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", ["club", "trio"])
def test_two_keys_with_its_token_wait_for_another_invitation(request: pytest.FixtureRequest, seats: str) -> None:
    club: Club = request.getfixturevalue(seats)
    stolen = token(club)
    assert takes(club, "puppet", stolen).startswith("newcomer: bob")
    assert takes(club, "dora", stolen) == "contested: bob"
    assert proposed(club.robot.house.game(club.number)) == {}, "nobody's agreement to either counts"
    for outcome in agree(club):
        assert outcome.startswith("refused: BIND"), "though they had been asked about the first"
    (told,) = texts(club.box("dora"))
    assert fingerprint(key_of("puppet").key_line) in told
    club.robot.replace(club.number, "bob", "dora@example.org", club.now())
    again = token(club)
    assert again != stolen
    assert takes(club, "puppet2", stolen).startswith("refused: BIND"), "the old token is void"
    assert takes(club, "dora", again).startswith("newcomer: bob")
    if seats == "club":
        club.robot.confirm(club.number, "bob", fingerprint(key_of("dora").key_line), club.now())
    assert agree(club) == [f"agree: {seat}" for seat in club.desks if seat != "bob"]
    assert holder(club) == key_of("dora").key_line


def test_the_same_key_once_more_is_the_same_newcomer(trio: Club) -> None:
    right = token(trio)
    assert takes(trio, "dora", right) == "newcomer: bob"
    again = Pen(key_of("dora"), trio.log().game, "bob").join(token=right)
    assert trio.take(letter_of("dora", again, "From my laptop.")).startswith("duplicate")
    assert matters(trio) == []
    assert agree(trio) == ["agree: ann", "agree: cat"]


# -- who has vanished ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_one_missed_deadline_is_no_vanishing(tmp_path: Path) -> None:
    with a_club(tmp_path, turns=4, hours=24) as club:
        club.begin()
        miss(club)
        with pytest.raises(UsageError, match="Vanished: nobody"):
            club.robot.replace(club.number, "bob", "dora@example.org", club.now())
        miss(club)
        club.robot.replace(club.number, "bob", "dora@example.org", club.now())


@pytest.mark.variants
@pytest.mark.parametrize("how", ["an order", "a word", "a word behind a lost order", "an order sent ahead"])
def test_who_writes_again_before_all_have_agreed_keeps_his_seat(club: Club, how: str) -> None:
    """He has the host's receipt as proof that he was present."""
    takes(club, "dora", token(club))
    club.robot.confirm(club.number, "bob", fingerprint(key_of("dora").key_line), club.now())
    bob = club.desks["bob"]
    while "bob" not in club.asked():
        club.turn()
    match how:
        case "an order":
            said = club.order("bob")
        case "an order sent ahead":
            mark, head = min(bob.speaker(bob.notes()).next_marks().values()), bob.copy(bob.notes()).log.head
            said = letter_of("bob", Pen(bob.key, bob.notes().game, "bob").ahead(mark + 1, head, "CARD c1"))
        case _:
            if "lost" in how:
                club.order("bob")
            bob.speaker(bob.notes()).say("draw", club.now())
            (said,) = club.letters(bob)
    outcome = club.take(said)
    assert outcome.startswith(("order", "draw", "waits", "ahead")), outcome
    assert vanished(club.robot.house.game(club.number), club.now()) == []
    for answer in agree(club):
        assert answer.startswith("refused: BIND: Bob is there again"), answer
    assert holder(club) == key_of("bob").key_line
    assert proves(club, club.signed(said))


def proves(club: Club, envelope: Envelope) -> bool:
    """Has the host signed, in a mail to Bob, that it has what he signed: by a receipt, or by an entry under its head?"""
    digest = sha256_hex(cj(envelope.say))
    host = key_of("host").key_line
    club.minute += 15  # a receipt may have waited for a report that it could go with
    club.deliver()
    for raw in club.received["bob"]:
        club.desks["bob"].read(raw)
    copy = club.desks["bob"].copy(club.notes("bob"))
    assert copy.verdict().verdict != "fault"
    if any(entry.fields.get("say") == envelope.say for entry in copy.log.entries):
        return True
    (path,) = (club.folder / "bob" / "games").glob("*.receipts")
    lines = [read_line(line) for line in path.read_bytes().splitlines()]
    return any(line[2] == digest and verify_sig(host, GOT, cj(line[:4]), line[4]) for line in lines)


def test_every_say_has_a_receipt_or_stands_in_the_copy_that_comes_back(trio: Club) -> None:
    """Whoever said it can prove that the host has it."""
    bob = trio.desks["bob"]
    for act in ("draw", "resign"):
        bob.speaker(bob.notes()).say(act, trio.now())
        (letter,) = trio.letters(bob)
        assert trio.take(letter) == f"{act}: bob"
        trio.deliver()
        assert proves(trio, trio.signed(letter)), act


def test_a_proof_of_a_newcomer_fits_no_other_seat_and_no_later_invitation(trio: Club) -> None:
    first = token(trio)
    trio.robot.replace(trio.number, "bob", "dora@example.org", trio.now())
    second = token(trio)
    join = Pen(key_of("dora"), trio.log().game, "bob").join()
    old = Envelope(join.say, join.sig, proof=proof_of(first, join.say))
    assert trio.take(letter_of("dora", old)).startswith("refused: BIND")
    new = Envelope(join.say, join.sig, proof=proof_of(second, join.say))
    assert trio.take(letter_of("dora", new)) == "newcomer: bob"


def test_what_the_former_player_signs_counts_no_more(trio: Club) -> None:
    """His letters go to the newcomer, and he cannot have them sent elsewhere."""
    takes(trio, "dora", token(trio))
    agree(trio)
    moved = Pen(key_of("bob"), trio.log().game, "bob").address("bob2@example.org", 1)
    assert trio.take(letter_of("bob", moved)).startswith("refused: SIG")
    assert trio.box("bob2") == []
