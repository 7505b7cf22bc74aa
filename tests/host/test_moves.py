"""Another address for a seat: signed, confirmed from there, known to the old one; and no letters to strangers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.host import moves
from pbem.ledger import ADDRESS, SAY, cj
from pbem.mail import read_message, write_block
from pbem.player import Desk, settled
from pbem.referee import Envelope, Pen
from tests.stored import stored_row, stored_rows

from .post import Club, a_club, key_of
from .requests import request

NEW = "ann@example.net"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=3) as club:
        yield club.begin()


def change(club: Club, desk: Desk, address: str, number: int | None = None) -> bytes:
    settled.move(desk.speaker(desk.notes()), address, number, club.now())
    (letter,) = club.letters(desk)
    return letter


def mails(club: Club) -> list[tuple[str, str]]:
    """All letters of the host: to whom, and of what kind."""
    return [
        (row["address"], row["kind"])
        for row in stored_rows(club.office.store, "select address, kind from outbox order by id")
    ]


def address(club: Club, seat: str = "ann") -> str:
    return str((stored_row(club.office.store, "select address from seats where seat = ?", seat) or {})["address"])


def asked(club: Club, to: str = NEW) -> str:
    """The last letter that asks an address."""
    row = stored_row(
        club.office.store, "select raw from outbox where address = ? and kind = 'moving' order by id desc", to
    )
    assert row is not None
    return read_message(row["raw"]).text


def code(club: Club, to: str = NEW) -> str:
    (found,) = re.findall("CONFIRM ([0-9a-f]{32})", asked(club, to))
    return str(found)


def confirmed(club: Club, text: str, sender: str = NEW, **headers: str) -> str:
    return club.take(request(text, sender, **headers))


def test_letters_go_to_another_address_once_it_is_confirmed_from_there(club: Club) -> None:
    log, before = club.log().dump(), len(mails(club))
    assert club.take(change(club, club.desks["ann"], NEW)) == "address: ann, to be confirmed"
    assert address(club) == "ann@example.org"
    assert mails(club)[before:] == [(NEW, "moving"), ("ann@example.org", "moved")]
    old = read_message((stored_row(club.office.store, "select raw from outbox order by id desc") or {})["raw"]).text
    assert NEW in old
    assert code(club) not in old, "who reads the old address alone cannot confirm the new one"
    assert "ann@example.org" not in asked(club), "a stranger is not told where a player lives"
    assert confirmed(club, f"CONFIRM {code(club)}\n> CONFIRM and what he quotes") == "moved: ann"
    assert address(club) == NEW
    assert mails(club)[before + 2 :] == [(NEW, "moved"), ("ann@example.org", "moved")]
    assert club.log().dump() == log, "addresses stand in no log"
    club.take(club.order("ann"))
    assert mails(club)[-1] == (NEW, "receipt")


def test_nothing_else_confirms_it(club: Club) -> None:
    club.take(change(club, club.desks["ann"], NEW))
    before = mails(club)
    good = code(club)
    for no, (text, headers) in enumerate([
        (f"CONFIRM {'0' * 32}", {}),
        (f"CONFIRM {good[:-1]}", {}),
        (f"I am on holiday.\n\nCONFIRM {good}", {}),
        (f"> CONFIRM {good}", {}),
        (f"CONFIRM {good}", {"Auto_Submitted": "auto-replied"}),
        (f"CONFIRM {good}", {"Return_Path": "<>"}),
    ]):  # fmt: skip
        outcome = confirmed(club, text, Message_ID=f"<{no}@x>", **headers)
        assert outcome.startswith(("ignored", "refused")), outcome
    assert address(club) == "ann@example.org"
    assert mails(club) == before, "and a stranger hears nothing more"
    assert confirmed(club, f"confirm {good.upper()}.", "ann@elsewhere.example") == "moved: ann", "From proves nothing"
    assert confirmed(club, f"CONFIRM {good}", Message_ID="<again@x>") == "ignored: CONFIRM of nothing that is asked"


@pytest.mark.slow
def test_200_changes_bring_few_letters(club: Club) -> None:
    """A player names strangers' addresses. Each gets one letter, three a day in all, and nothing more until it confirms."""
    desk, before = club.desks["ann"], len(mails(club))
    outcomes = [club.take(change(club, desk, f"stranger{no}@example.net")) for no in range(200)]
    assert [outcome[:8] for outcome in outcomes] == ["address:"] * moves.A_DAY + ["refused:"] * (200 - moves.A_DAY)
    sent = mails(club)[before:]
    assert len([one for one in sent if one[0] != "ann@example.org"]) == moves.A_DAY
    assert len(sent) == 2 * moves.A_DAY + 1, "one letter says that they were too many"
    club.minute += 24 * 60
    assert club.take(change(club, desk, NEW)) == "address: ann, to be confirmed"
    assert confirmed(club, f"CONFIRM {code(club)}") == "moved: ann"


def test_one_address_is_asked_so_often_whoever_names_it(club: Club) -> None:
    """By the players of many games, each of whom may name a few."""
    known = stored_row(club.office.store, "select raw from outbox where id = 1") or {}
    for no in range(10):
        club.office.store.insert(
            "outbox", message_id=f"{no}@x", game=1, seat="ann", address=NEW, at=club.now(), kind="moving", token=None,
            sender="", sent=1, attempts=0, not_before="", last_error="", raw=known["raw"],
        )  # fmt: skip
    before = len(mails(club))
    assert club.take(change(club, club.desks["ann"], NEW)).startswith("refused: ASK: Other addresses have been named")
    assert mails(club)[before:] == [("ann@example.org", "refusal")]


def test_an_old_change_sent_again_moves_nothing(club: Club) -> None:
    desk = club.desks["ann"]
    first, second = change(club, desk, NEW), change(club, desk, "ann@example.com")
    club.take(first)
    former = code(club)
    assert club.take(second) == "address: ann, to be confirmed"
    assert confirmed(club, f"CONFIRM {former}").startswith("ignored")
    assert confirmed(club, f"CONFIRM {code(club, 'ann@example.com')}") == "moved: ann"
    before = mails(club)
    assert club.take(b"X-Again: yes\r\n" + first).startswith("refused: DOUBLE: Change 2 of your address is here")
    assert club.take(b"X-Again: yes\r\n" + second) == "duplicate: that address is known"
    assert address(club) == "ann@example.com"
    assert [one for one in mails(club)[len(before) :] if one[1] != "refusal"] == []


def test_who_stays_withdraws_what_he_named(club: Club) -> None:
    desk = club.desks["ann"]
    club.take(change(club, desk, NEW))
    asked_before = code(club)
    assert club.take(change(club, desk, "Ann@example.org")) == "address: ann, stays"
    assert mails(club)[-1] == ("ann@example.org", "moved")
    assert confirmed(club, f"CONFIRM {asked_before}").startswith("ignored")
    assert address(club) == "ann@example.org"


def test_with_another_key_nothing_is_confirmed_that_the_old_one_named(club: Club) -> None:
    """A thief of the key names an address; its owner gets another key, and the letters stay his."""
    club.take(change(club, club.desks["ann"], "thief@example.net"))
    stolen = code(club, "thief@example.net")
    desk = club.desks["ann"]
    desk.keys.rekey(key_of("ann anew"), club.now())
    assert [club.take(letter) for letter in club.letters(desk)] == ["rekey: ann"]
    assert confirmed(club, f"CONFIRM {stolen}").startswith("ignored")
    assert address(club) == "ann@example.org"


def test_a_new_machine_is_told_which_number_comes_next(club: Club) -> None:
    club.take(change(club, club.desks["ann"], NEW))
    new = club.new_desk("ann", "new")
    for raw in club.received["ann"]:
        new.read(raw)
    outcome = club.take(change(club, new, "ann@example.com"))
    assert "“pbem address ann@example.com --number 2”" in outcome
    assert club.take(change(club, new, "ann@example.com", 2)) == "address: ann, to be confirmed"


@pytest.mark.variants
@pytest.mark.parametrize(
    ("key", "change", "code"),
    [
        ("bob", {}, "SIG"),
        ("ann", {"seat": "bob"}, "SIG"),
        ("ann", {"seat": "eve"}, "BIND"),
        ("ann", {"address": "no address"}, "FORM"),
        ("ann", {"address": "a@x\r\nBcc: b@y"}, "FORM"),
        ("ann", {"address": "host@example.org"}, "FORM"),
        ("ann", {"address": "Host+g1@Example.org"}, "FORM"),
        ("ann", {"no": 0}, "FORM"),
        ("ann", {"no": True}, "FORM"),
        ("ann", {"also": 1}, "FORM"),
    ],
)
def test_what_is_no_change_of_address_changes_none(club: Club, key: str, change: dict[str, object], code: str) -> None:
    game = club.log().entries[0]
    say = {**Pen(key_of(key), game.hash, "ann").address("ann@example.net", 1).say, **change}
    block = write_block(Envelope(say, key_of(key).sign(ADDRESS, cj(say))))
    before = club.state(), mails(club)
    assert club.take(request(block)).startswith(f"refused: {code}: ")
    assert (club.state(), [one for one in mails(club) if one[1] != "refusal"]) == before


def test_the_signature_fits_nothing_that_a_log_could_hold(club: Club) -> None:
    """The same statement signed as players sign what is logged is refused, and the other way round."""
    game = club.log().entries[0]
    say = Pen(key_of("ann"), game.hash, "ann").address("ann@example.net", 1).say
    block = write_block(Envelope(say, key_of("ann").sign(SAY, cj(say))))
    assert club.take(request(block)).startswith("refused: SIG")
    assert address(club) == "ann@example.org"
