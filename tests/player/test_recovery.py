"""One who lost his machine and kept his key; one who plays from two machines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.errors import RecordError, UsageError
from pbem.host.outbox import WAITS_FOR
from pbem.ledger import cj, read_line, verify
from pbem.mail import read_message
from pbem.player import Desk
from tests.host.post import Club, a_club, key_of
from tests.host.requests import request
from tests.player.desk import changed


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


def revision(club: Club, letter: bytes) -> int:
    rev: int = club.signed(letter).say["rev"]
    return rev


def brought_back(club: Club, home: str = "new") -> Desk:
    """A new machine with the old key: it asks for everything, and reads what comes."""
    desk = club.new_desk("ann", home)
    _, letters = club.answer_to(request("RESEND", Message_ID=f"<{home}@x>"))
    for raw in letters["ann"]:
        desk.read(raw)
    return desk


# --- a lost machine ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_with_the_key_alone_the_game_goes_on_to_its_end(club: Club) -> None:
    """The player's machine is lost. The key and a mail with the line RESEND restore the game."""
    new = brought_back(club)
    assert new.copy(new.notes()).verdict().verdict == "unfinished"
    club.desks["ann"] = new
    club.play()
    assert verify(new.copy(new.notes()).log.dump(), "ann").verdict == "clean"


@pytest.mark.slow
def test_an_order_from_before_the_loss_is_replaced_by_the_next_revision(club: Club) -> None:
    one, two = legal(club.desks["ann"])[:2]
    assert club.take(club.order("ann", one)) == "order: ann"
    new = brought_back(club)
    letter = written(club, new, two)
    assert revision(club, letter) == 1
    assert club.take(letter) == "order: ann"


@pytest.mark.slow
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
    assert revision(club, letter) == 1
    assert club.take(letter) == "order: ann"


def test_a_gap_in_the_copy_is_filled_by_the_request_that_the_program_names(club: Club) -> None:
    """A mail from the host is lost. The program says “RESEND since N”."""
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


@pytest.mark.slow
def test_a_second_machine_learns_of_an_order_from_the_receipt(club: Club, laptop: Desk) -> None:
    """One player orders from two machines."""
    one, two = legal(laptop)[:2]
    club.take(club.order("ann", one))
    club.minute += WAITS_FOR
    for raw in club.deliver()["ann"]:
        laptop.read(raw)
    letter = written(club, laptop, two)
    assert revision(club, letter) == 1
    assert club.take(letter) == "order: ann"
    club.minute += WAITS_FOR
    for raw in club.deliver()["ann"]:
        club.desks["ann"].read(raw)
    assert revision(club, written(club, club.desks["ann"], one)) == 2


@pytest.mark.slow
def test_an_order_that_waits_on_the_other_is_laid_aside_and_said_so(club: Club, laptop: Desk) -> None:
    one, two = legal(laptop)[:2]
    laptop.order(laptop.notes(), two, "", club.now())
    club.take(club.order("ann", one))
    club.minute += WAITS_FOR
    (receipt,) = club.deliver()["ann"]
    reading = laptop.read(receipt)
    assert len(reading.warnings) == 1
    assert "was not written here" in reading.warnings[0]
    assert laptop.tray.unsent() == []
    assert laptop.read(receipt).warnings == (), "said once"
    assert revision(club, written(club, laptop, two)) == 1


@pytest.mark.slow
def test_a_later_revision_that_waits_is_kept(club: Club, laptop: Desk) -> None:
    one, two = legal(laptop)[:2]
    club.take(club.order("ann", one))
    club.minute += WAITS_FOR
    (receipt,) = club.deliver()["ann"]
    for text in (one, two):
        laptop.order(laptop.notes(), text, "", club.now())
    assert laptop.read(receipt).warnings == ()
    assert len(laptop.tray.unsent()) == 1


def test_ones_own_receipt_is_no_news(club: Club) -> None:
    desk = club.desks["ann"]
    desk.order(desk.notes(), legal(desk)[0], "", club.now())
    (letter,) = desk.tray.unsent()
    club.take(letter.read_bytes())
    club.minute += WAITS_FOR
    (receipt,) = club.deliver()["ann"]
    assert desk.read(receipt).warnings == ()
    assert desk.tray.unsent() == [letter], "it was sent by hand; nothing is known of that"


@pytest.mark.slow
def test_the_log_tells_the_other_what_was_closed(club: Club, laptop: Desk) -> None:
    club.turn()
    for raw in club.received["ann"][-4:]:
        laptop.read(raw)
    assert laptop.copy(laptop.notes()).log.head == club.desks["ann"].copy(club.notes("ann")).log.head


@pytest.mark.slow
def test_an_order_that_the_player_has_not_signed_is_not_believed(club: Club, laptop: Desk) -> None:
    """Whoever writes such a letter could else make a player's program number wrongly."""
    club.take(club.order("ann"))
    club.minute += WAITS_FOR
    (receipt,) = club.deliver()["ann"]

    def forged(lines: list[bytes]) -> list[bytes]:
        order = read_line(lines[1])
        order["say"]["rev"] = 40
        return [lines[0], cj(order)]

    before = {path.name: path.read_bytes() for path in (laptop.home / "games").iterdir()}
    with pytest.raises(RecordError, match="what you have signed, but you have not"):
        laptop.read(changed(receipt, log=forged))
    assert {path.name: path.read_bytes() for path in (laptop.home / "games").iterdir()} == before


@pytest.mark.slow
def test_an_order_under_a_former_key_is_known_again(club: Club, laptop: Desk) -> None:
    """His key may have changed since; the log says which ones the seat has had."""
    club.take(club.order("ann"))
    club.minute += WAITS_FOR
    (receipt,) = club.deliver()["ann"]
    (laptop.home / "key.pub").write_text(key_of("ann later").key_line + "\n", "utf-8")
    assert laptop.read(receipt).warnings == ()
    ask = club.log().entries[-1].n
    assert laptop.notes().revisions == {str(ask): 0}
