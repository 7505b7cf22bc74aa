"""A host writes out short blocks from its own log, and says so where it cannot; what comes of them is what comes of full ones."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.host.essence import as_read
from pbem.host.short import HeldBlock
from pbem.ledger import SAY, cj, verify_sig
from pbem.mail import Short, read_message, short_blocks, write_block, write_short
from pbem.player import Desk
from pbem.player.tray import signed_in
from pbem.referee import Envelope
from tests.stored import stored_rows

from .post import Club, a_club, key_of


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club.begin()


def short_in(raw: bytes) -> Short:
    (found,) = short_blocks(read_message(raw).text)
    return found


def full_of(club: Club, seat: str) -> bytes:
    """The full form of the last letter of a seat."""
    home = club.desks[seat].home
    return max((home / "signed").iterdir(), key=lambda path: path.stat().st_mtime_ns).read_bytes()


def with_block(raw: bytes, said: Short) -> bytes:
    """A letter with this short block, in which nothing is packed by a dictionary."""
    text = write_short(said, b"")
    return b"From: ann@example.org\nTo: host@example.org\n\n" + text.encode() + b"\n"


def signed_again(envelope: Envelope, who: str, **changed: object) -> Envelope:
    say = envelope.say | changed
    return replace(envelope, say=say, sig=key_of(who).sign(SAY, cj(say)))


# --- it is what orders go in ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_order_goes_in_a_short_block_and_its_full_form_is_kept(club: Club) -> None:
    raw = club.order("ann")
    block = read_message(raw).text.partition("BEGIN")[2]
    assert len(block) < 350
    kept = signed_in(club.desks["ann"].home / "sent" / next((club.desks["ann"].home / "signed").iterdir()).name)
    assert kept == club.signed(raw)
    assert verify_sig(key_of("ann").key_line, SAY, cj(kept.say), kept.sig)
    assert read_message(full_of(club, "ann")).message_id != read_message(raw).message_id, (
        "else a server drops the second"
    )
    assert club.take(raw) == "order: ann"


@pytest.mark.slow
def test_the_full_form_of_what_is_here_is_no_other_order(club: Club) -> None:
    assert club.take(club.order("ann")) == "order: ann"
    before = club.state()
    assert club.take(full_of(club, "ann")) == "duplicate: that order is here"
    assert club.state() == before


@pytest.mark.slow
def test_the_log_is_the_same_whichever_form_came(tmp_path: Path) -> None:
    """Byte for byte, with plans, orders sent ahead, revisions and says."""

    def played(folder: Path, form: str) -> bytes:
        with a_club(folder, players=3, turns=4) as club:
            for desk in club.desks.values():
                desk.change_settings(block=form)
            club.begin()
            club.desks["bob"].speaker(club.notes("bob")).plan("PLAN ACT BANK")
            for turn in range(100):
                for seat in club.asked():
                    letters = [club.order(seat) for _ in range(1 + (turn == 1))]
                    assert all(bool(short_blocks(read_message(raw).text)) != bool(form) for raw in letters)
                    for raw in letters[::-1] if turn == 1 else letters:
                        club.take(raw)
                club.read_all()
                if turn == 2:
                    club.say("ann", "draw")
                if not club.asked():
                    break
            assert club.log().finished
            return club.log().dump()

    assert played(tmp_path / "short", "") == played(tmp_path / "full", "full")


@pytest.mark.slow
def test_orders_sent_ahead_go_in_the_same_block(club: Club) -> None:
    desk = club.desks["ann"]
    _, view, pack = desk.question(desk.notes())
    one, two = list(map(str, pack.rules.options(view)))[:2]
    desk.order(desk.notes(), f"{one}\nAHEAD CARD: {two}", "", club.now())
    (raw,) = club.letters(desk)
    assert [part.ahead for part in short_in(raw).parts] == [False, True]
    assert club.take(raw) == "order: ann"
    assert [row["mark"] for row in stored_rows(club.office.store, "select mark from ahead")] == [
        one.say["link_n"] for one in club.signed(raw).ahead
    ]


@pytest.mark.slow
def test_plans_as_in_the_last_order_are_known_to_the_host(club: Club) -> None:
    club.desks["ann"].speaker(club.notes("ann")).plan("PLAN ACT BANK")
    club.turn()
    while "ann" not in club.asked():
        club.turn()
    raw = club.order("ann")
    assert short_in(raw).parts[0].plans.name == "LAST"
    assert club.signed(raw).openings[1][6] == "ACT BANK"
    assert club.take(raw) == "order: ann"


@pytest.mark.slow
def test_says_joins_and_keys_go_in_full(club: Club) -> None:
    desk = club.desks["ann"]
    desk.speaker(club.notes("ann")).say("draw", club.now())
    desk.keys.rekey(key_of("another"), club.now())
    for raw in (*club.letters(desk), *(raw for _, raw in club.sent)):
        assert not short_blocks(read_message(raw).text)


# --- how a desk knows ----------------------------------------------------------------------------------------------------


def test_a_host_says_in_every_letter_to_a_seat_that_it_reads_short_blocks(club: Club) -> None:
    for raws in club.received.values():
        assert {read_message(raw).reads for raw in raws} == {(1, 0)}


def older(raw: bytes) -> bytes:
    """A letter as a host writes it that knows no short blocks."""
    return b"".join(line for line in raw.splitlines(keepends=True) if not line.startswith(b"X-Pbem-Short"))


@pytest.mark.slow
def test_an_older_host_gets_full_blocks(tmp_path: Path) -> None:
    """Also if the player's program read only an attachment; otherwise the host's last letter decides."""
    with a_club(tmp_path) as club:
        for seat, raws in club.deliver().items():
            for raw in raws:
                club.desks[seat].join(older(raw), club.now())
                club.take(*club.letters(club.desks[seat]))
        for seat, raws in club.deliver().items():
            for raw in raws:
                club.desks[seat].join(older(raw), club.now())
                club.take(*club.letters(club.desks[seat]))
        for seat, raws in club.deliver().items():
            for raw in raws:
                club.desks[seat].read(older(raw))
        raw = club.order("ann")
        assert not short_blocks(read_message(raw).text)
        assert club.take(raw) == "order: ann"


@pytest.mark.slow
def test_what_was_attached_alone_says_nothing_of_the_host(club: Club) -> None:
    desk = club.desks["ann"]
    assert club.notes("ann").reads == [1, 0]
    club.turn()
    desk.read(read_message(club.received["ann"][-1]).log or b"")
    assert club.notes("ann").reads == [1, 0]


@pytest.mark.slow
def test_who_wants_full_blocks_says_so_in_his_settings(club: Club) -> None:
    club.desks["ann"].change_settings(block="full")
    desk = Desk(club.desks["ann"].home)
    club.desks["ann"] = desk
    raw = club.order("ann")
    assert not short_blocks(read_message(raw).text)
    assert club.take(raw) == "order: ann"


# --- where it cannot be written out --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_block_of_another_history_is_asked_for_in_full(club: Club) -> None:
    """A short block names an unknown or different entry. The host accuses nobody; the player's program sends the full
    form with its next letters."""
    raw = club.order("ann")
    said = short_in(raw)
    part = replace(said.parts[0], head="0" * 16)
    before = club.state()
    outcome, letters = club.answer_to(with_block(raw, replace(said, dictionary=0, parts=(part,))))
    assert outcome.startswith("refused: FORM: You have seen entry ")
    assert club.state() == before
    (asked,) = letters["ann"]
    text = " ".join(read_message(asked).text.split())
    assert "our histories differ" in text
    assert "pbem send --again --full" in text
    assert "forge" not in text
    desk = club.desks["ann"]
    desk.read(asked)
    (again,) = club.letters(desk)
    assert not short_blocks(read_message(again).text)
    assert club.take(again) == "order: ann"


@pytest.mark.slow
def test_a_full_block_that_names_another_history_is_kept(club: Club) -> None:
    """The host keeps the mail as evidence; `status` says so."""
    envelope = club.signed(club.order("ann"))
    other = signed_again(envelope, "ann", seen=[envelope.say["seen"][0], "7" * 64])
    raw = b"From: ann@example.org\n\n" + write_block(other).encode()
    assert club.take(raw).startswith("refused: SEEN")
    number = stored_rows(club.office.store, "select max(id) as id from inbox")[0]["id"]
    assert club.office.store.raw("inbox", number) == raw
    assert any("two histories" in trouble for trouble in club.office.store.notes("trouble ").values())
    false = signed_again(envelope, "bob", seen=[envelope.say["seen"][0], "8" * 64])
    club.take(b"From: ann@example.org\n\n" + write_block(false).encode())
    number = stored_rows(club.office.store, "select max(id) as id from inbox")[0]["id"]
    assert club.office.store.raw("inbox", number) == b"", "nobody else fills the store"


@pytest.mark.slow
def test_only_a_few_blocks_of_other_histories_are_kept(club: Club) -> None:
    """A player fills the disk with blocks of another history. The host keeps five per seat."""
    envelope = club.signed(club.order("ann"))
    for no in range(9):
        other = signed_again(envelope, "ann", seen=[envelope.say["seen"][0], f"{no}" * 64])
        club.take(b"From: ann@example.org\n\n" + write_block(other).encode())
    rows = stored_rows(
        club.office.store, "select count(*) as n from inbox where length(raw) > 0 and outcome like 'refused%'"
    )
    assert rows[0]["n"] == 5


@pytest.mark.slow
def test_a_block_for_an_entry_that_is_not_here_stops_no_game(club: Club) -> None:
    """Anybody can write one, so the host asks for the full form."""
    said = short_in(club.order("ann"))
    part = replace(said.parts[0], seen=said.parts[0].number + 50)
    outcome, letters = club.answer_to(with_block(b"", replace(said, dictionary=0, parts=(part,))))
    assert outcome.startswith("refused: FORM: You have seen entry")
    assert not club.robot.house.game(1).stands_still
    assert len(letters["ann"]) == 1


@pytest.mark.slow
def test_a_signature_that_fits_nothing_here_is_not_called_forged(club: Club) -> None:
    said = short_in(club.order("ann"))
    for changed in (replace(said.parts[0], rev=7), replace(said.parts[0], seed="0" * 32)):
        outcome = club.take(with_block(b"", replace(said, dictionary=0, parts=(changed,))))
        assert outcome.startswith("refused: FORM: What it says cannot be written out here as you have signed it")


@pytest.mark.slow
def test_plans_that_are_not_here_are_asked_for_in_full(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short block names the plans of an earlier order, and the host lacks them."""
    club.desks["ann"].speaker(club.notes("ann")).plan("PLAN ACT BANK")
    club.turn()
    while "ann" not in club.asked():
        club.turn()
    raw = club.order("ann")
    monkeypatch.setattr(HeldBlock, "last_plans", lambda *_: None)
    assert club.take(raw).startswith("refused: FORM: The plans of your last order go with it, and those are not here")
    monkeypatch.setattr(HeldBlock, "last_plans", lambda *_: "ACT DIG")
    assert club.take(b"X-Again: 1\n" + raw).startswith("refused: FORM: What it says cannot be written out here")
    assert club.take(full_of(club, "ann")) == "order: ann"


@pytest.mark.slow
def test_a_stranger_makes_the_host_write_few_letters_and_to_the_seat_alone(club: Club) -> None:
    """The host cannot expand the short blocks. It writes one letter in ten minutes."""
    said = short_in(club.order("ann"))
    club.deliver()
    for no in range(30):
        part = replace(said.parts[0], rev=no + 5)
        raw = with_block(b"", replace(said, dictionary=0, parts=(part,))).replace(b"ann@", b"eve@")
        assert club.take(raw).startswith("refused")
    new = club.deliver()
    assert len(new["ann"]) <= 4
    assert not new["bob"]
    assert not club.box("eve")


@pytest.mark.slow
def test_what_a_person_signed_is_answered_whatever_brought_it(club: Club) -> None:
    said = short_in(club.order("ann"))
    raw = with_block(b"", replace(said, dictionary=0, parts=(replace(said.parts[0], rev=9),)))
    assert club.take(b"Auto-Submitted: auto-replied\n" + raw).startswith("refused: FORM")


@pytest.mark.slow
@pytest.mark.parametrize("seat", [2, 63, 100_000])
def test_a_seat_that_is_none_is_refused(club: Club, seat: int) -> None:
    said = short_in(club.order("ann"))
    assert club.take(with_block(b"", replace(said, dictionary=0, seat=seat))).startswith("refused: FORM")


def test_a_game_that_is_not_here_is_refused(club: Club) -> None:
    said = short_in(club.order("ann"))
    outcome = club.take(with_block(b"", replace(said, dictionary=0, game="0" * 16)))
    assert outcome == "refused: FORM: It is signed for a game that this host does not know."


@pytest.mark.slow
def test_one_for_an_earlier_question_is_told_as_such(club: Club) -> None:
    raw = club.order("ann")
    club.take(raw)
    club.turn()
    while "ann" not in club.asked():
        club.turn()
    assert "which is closed" in club.take(b"X-Again: 1\n" + raw)


@pytest.mark.slow
def test_a_second_order_of_one_revision_is_told_as_such(club: Club) -> None:
    desk = club.desks["ann"]
    _, view, pack = desk.question(desk.notes())
    one, two = map(str, pack.rules.options(view))
    twin = club.folder / "twin"
    shutil.copytree(desk.home, twin)
    assert club.take(club.order("ann", one)) == "order: ann"
    club.desks["ann"] = Desk(twin)
    assert club.take(club.order("ann", two)).startswith("refused: DOUBLE")


@pytest.mark.slow
def test_a_waiting_letter_goes_in_full_where_that_is_wanted(club: Club) -> None:
    desk = club.desks["ann"]
    _, view, pack = desk.question(desk.notes())
    desk.order(desk.notes(), str(next(iter(pack.rules.options(view)))), "", club.now())
    (path,) = desk.tray.unsent()
    desk.tray.in_full(path)
    (raw,) = club.letters(desk)
    assert not short_blocks(read_message(raw).text)
    assert club.take(raw) == "order: ann"


@pytest.mark.slow
def test_a_false_host_gets_a_letter_sent_twice_and_no_more(club: Club) -> None:
    """A stranger asks for full blocks and gets the same order in more letters."""
    desk = club.desks["ann"]
    raw = club.order("ann")
    assert club.take(raw) == "order: ann"
    club.minute += 11  # receipts wait for a report that may follow
    club.read_all()
    thread = club.notes("ann").game[:16]
    false = f"From: host@example.org\nX-Pbem-Short: 0.0\nIn-Reply-To: <{thread}.x@example.org>\n\nIn full!\n"
    desk.read(false.encode())
    assert club.letters(desk) == [], "its receipt is here"
    desk.read(false.replace("host@", "eve@").encode())
    assert desk.notes().reads == []


def test_what_a_letter_says_it_reads_changes_no_mark_of_a_mail() -> None:
    """A host reads nothing of it in what players send."""
    raw = b"From: ann@example.org\nX-Pbem-Short: 1.1\n\nSTATUS\n"
    assert read_message(raw).reads == (1, 1)
    assert as_read(read_message(raw)).reads == ()


@pytest.mark.parametrize("value", ["", "1", "1.2.3", "-1.1", "x", "1.1111", "１.１"])
def test_nonsense_in_a_header_is_no_promise(value: str) -> None:
    assert read_message(f"X-Pbem-Short: {value}\n\nhello\n".encode()).reads == ()
