"""One who lost his machine and kept his key; one who plays from two machines; one whose address changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.errors import RecordError, UsageError
from pbem.ledger import ADDRESS, SAY, cj, read_line, verify
from pbem.mail import read_block, read_message, write_block
from pbem.player import Desk
from pbem.referee import Envelope, Pen
from tests.host.post import Club, a_club, key_of
from tests.host.test_requests import request
from tests.player.test_desk import changed


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=3) as club:
        club.begin().turn()
        while len(club.asked()) < 2:
            club.turn()
        yield club


def legal(desk: Desk) -> list[str]:
    _, view, pack = desk.question(desk.notes())
    return list(map(str, pack.rules.options(view)))


def written(club: Club, desk: Desk, text: str) -> bytes:
    desk.order(desk.notes(), text, "", club.now())
    (letter,) = club.letters(desk)
    return letter


def revision(letter: bytes) -> int:
    envelope = read_block(read_message(letter).text)
    assert envelope is not None
    rev: int = envelope.say["rev"]
    return rev


def brought_back(club: Club, home: str = "new") -> Desk:
    """A new machine with the old key: it asks for everything, and reads what comes."""
    desk = club.new_desk("ann", home)
    _, letters = club.answer_to(request("RESEND", Message_ID=f"<{home}@x>"))
    for raw in letters["ann"]:
        desk.read(raw)
    return desk


# --- a lost machine ---------------------------------------------------------------------------------------------------


def test_with_the_key_alone_the_game_goes_on_to_its_end(club: Club) -> None:
    new = brought_back(club)
    assert new.copy(new.notes()).verdict().verdict == "unfinished"
    club.desks["ann"] = new
    club.play()
    assert verify(new.copy(new.notes()).log.dump(), "ann").verdict == "clean"


def test_an_order_from_before_the_loss_is_replaced_by_the_next_revision(club: Club) -> None:
    one, two = legal(club.desks["ann"])[:2]
    assert club.take(club.order("ann", one)) == "order: ann"
    new = brought_back(club)
    letter = written(club, new, two)
    assert revision(letter) == 1
    assert club.take(letter) == "order: ann"


def test_who_orders_before_he_has_asked_learns_from_the_refusal(club: Club) -> None:
    """He had his mails, but not the receipt: revision 0 again."""
    one, two = legal(club.desks["ann"])[:2]
    club.take(club.order("ann", one))
    new = club.new_desk("ann", "new")
    for raw in club.received["ann"]:
        new.read(raw)
    outcome, letters = club.answer_to(written(club, new, two))
    assert outcome.startswith("refused: DOUBLE")
    (refusal,) = letters["ann"]
    assert "let your program read this mail" in " ".join(read_message(refusal).text.split())
    new.read(refusal)
    letter = written(club, new, two)
    assert revision(letter) == 1
    assert club.take(letter) == "order: ann"


def test_a_gap_in_the_copy_is_filled_by_what_the_desk_says_to_ask_for(club: Club) -> None:
    new = club.new_desk("ann", "new")
    *_, last = club.received["ann"]
    for raw in club.received["ann"][:2]:
        new.read(raw)
    with pytest.raises(UsageError) as refused:
        new.read(last)
    wanted = str(refused.value).partition("“")[2].partition("”")[0]
    assert wanted == "RESEND since 2", "his copy ends with all keys"
    _, letters = club.answer_to(request(wanted))
    for raw in letters["ann"]:
        new.read(raw)
    assert legal(new) == legal(club.desks["ann"])


# --- two machines -----------------------------------------------------------------------------------------------------


@pytest.fixture
def laptop(club: Club) -> Desk:
    """A second machine with the same key, which reads the same mails."""
    desk = club.new_desk("ann", "laptop")
    for raw in club.received["ann"]:
        desk.read(raw)
    return desk


def test_what_is_ordered_on_one_is_learned_by_the_other_from_the_receipt(club: Club, laptop: Desk) -> None:
    one, two = legal(laptop)[:2]
    club.take(club.order("ann", one))
    for raw in club.deliver()["ann"]:
        laptop.read(raw)
    letter = written(club, laptop, two)
    assert revision(letter) == 1
    assert club.take(letter) == "order: ann"
    for raw in club.deliver()["ann"]:
        club.desks["ann"].read(raw)
    assert revision(written(club, club.desks["ann"], one)) == 2


def test_an_order_that_waits_on_the_other_is_laid_aside_and_said_so(club: Club, laptop: Desk) -> None:
    one, two = legal(laptop)[:2]
    laptop.order(laptop.notes(), two, "", club.now())
    club.take(club.order("ann", one))
    (receipt,) = club.deliver()["ann"]
    reading = laptop.read(receipt)
    assert len(reading.warnings) == 1
    assert "was not written here" in reading.warnings[0]
    assert laptop.unsent() == []
    assert laptop.read(receipt).warnings == (), "said once"
    assert revision(written(club, laptop, two)) == 1


def test_a_later_revision_that_waits_is_kept(club: Club, laptop: Desk) -> None:
    one, two = legal(laptop)[:2]
    club.take(club.order("ann", one))
    (receipt,) = club.deliver()["ann"]
    for text in (one, two):
        laptop.order(laptop.notes(), text, "", club.now())
    assert laptop.read(receipt).warnings == ()
    assert len(laptop.unsent()) == 1


def test_ones_own_receipt_is_no_news(club: Club) -> None:
    desk = club.desks["ann"]
    desk.order(desk.notes(), legal(desk)[0], "", club.now())
    (letter,) = desk.unsent()
    club.take(letter.read_bytes())
    (receipt,) = club.deliver()["ann"]
    assert desk.read(receipt).warnings == ()
    assert desk.unsent() == [letter], "it was sent by hand; nothing is known of that"


def test_the_log_tells_the_other_what_was_closed(club: Club, laptop: Desk) -> None:
    club.turn()
    for raw in club.received["ann"][-4:]:
        laptop.read(raw)
    assert laptop.copy(laptop.notes()).log.head == club.desks["ann"].copy(club.notes("ann")).log.head


def test_an_order_that_the_player_has_not_signed_is_not_believed(club: Club, laptop: Desk) -> None:
    """Whoever writes such a letter could else make a player's program number wrongly."""
    club.take(club.order("ann"))
    (receipt,) = club.deliver()["ann"]

    def forged(lines: list[bytes]) -> list[bytes]:
        order = read_line(lines[1])
        order["say"]["rev"] = 40
        return [lines[0], cj(order)]

    before = {path.name: path.read_bytes() for path in (laptop.home / "games").iterdir()}
    with pytest.raises(RecordError, match="you have not signed it"):
        laptop.read(changed(receipt, log=forged))
    assert {path.name: path.read_bytes() for path in (laptop.home / "games").iterdir()} == before


def test_an_order_under_a_former_key_is_known_again(club: Club, laptop: Desk) -> None:
    """His key may have changed since; the log says which ones the seat has had."""
    club.take(club.order("ann"))
    (receipt,) = club.deliver()["ann"]
    (laptop.home / "key.pub").write_text(key_of("ann later").key_line + "\n", "utf-8")
    assert laptop.read(receipt).warnings == ()
    ask = club.log().entries[-1].n
    assert laptop.notes().revisions == {str(ask): 0}


# --- another address --------------------------------------------------------------------------------------------------


def moved(club: Club, desk: Desk, address: str, number: int | None = None) -> bytes:
    desk.move(desk.notes(), address, number, club.now())
    (letter,) = club.letters(desk)
    return letter


def addresses(club: Club) -> dict[str, str]:
    return {row["seat"]: row["address"] for row in club.office.store.rows("select seat, address from seats")}


def test_a_signed_mail_moves_the_letters_and_both_addresses_hear_of_it(club: Club) -> None:
    log, known = club.log().dump(), club.office.store.row("select max(id) as id from outbox")
    assert known is not None
    assert club.take(moved(club, club.desks["ann"], "ann@example.net")) == "address: ann"
    assert addresses(club) == {"ann": "ann@example.net", "bob": "bob@example.org"}
    told = club.office.store.rows("select address, kind from outbox where id > ? order by id", known["id"])
    assert told == [{"address": "ann@example.net", "kind": "moved"}, {"address": "ann@example.org", "kind": "moved"}]
    assert club.log().dump() == log, "addresses stand in no log"
    club.take(club.order("ann"))
    receipt = club.office.store.row("select address from outbox where kind = 'receipt' order by id desc")
    assert receipt == {"address": "ann@example.net"}


def test_an_old_change_sent_again_moves_nothing(club: Club) -> None:
    desk = club.desks["ann"]
    first = moved(club, desk, "ann@example.net")
    second = moved(club, desk, "ann@example.com")
    assert club.take(first) == "address: ann"
    assert club.take(second) == "address: ann"
    assert club.take(b"X-Again: yes\r\n" + first).startswith("refused: DOUBLE: Change 2 of your address is here")
    assert addresses(club)["ann"] == "ann@example.com"
    assert club.take(b"X-Again: yes\r\n" + second) == "duplicate: that address is here"


def test_a_new_machine_is_told_which_number_comes_next(club: Club) -> None:
    club.take(moved(club, club.desks["ann"], "ann@example.net"))
    new = club.new_desk("ann", "new")
    for raw in club.received["ann"]:
        new.read(raw)
    outcome = club.take(moved(club, new, "ann@example.com"))
    assert "“pbem address ann@example.com --number 2”" in outcome
    assert club.take(moved(club, new, "ann@example.com", 2)) == "address: ann"


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
    say = {**Pen(key_of(key), game.hash, game.fields["nonce"], "ann").address("ann@example.net", 1).say, **change}
    block = write_block(Envelope(say, key_of(key).sign(ADDRESS, cj(say))))
    before = club.state()
    assert club.take(request(block)).startswith(f"refused: {code}: ")
    assert club.state() == before


def test_the_signature_fits_nothing_that_a_log_could_hold(club: Club) -> None:
    """The same statement signed as players sign what is logged is refused, and the other way round."""
    game = club.log().entries[0]
    say = Pen(key_of("ann"), game.hash, game.fields["nonce"], "ann").address("ann@example.net", 1).say
    block = write_block(Envelope(say, key_of("ann").sign(SAY, cj(say))))
    assert club.take(request(block)).startswith("refused: SIG")
    assert addresses(club)["ann"] == "ann@example.org"
