"""A host with kept seats is brought back from a backup: their players forward its own letters, and the game goes on."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.games import find, manifest
from pbem.host import Office
from pbem.host.catching_up import WAITS
from pbem.host.store.backup import back_up, restore
from pbem.ledger import Log
from pbem.ledger.kept import look_at
from pbem.referee.audit import audit

from .mailboxes import Mailboxes, address, parsed, text_of
from .post import HOST, key_of


def brought_back(boxes: Mailboxes, place: Path) -> None:
    """The host's store is the one of the backup."""
    boxes.office.close()
    restore(place, boxes.folder / "host" / "pbem.sqlite", key_of("host").key_line, replace=True)
    boxes.office = Office(boxes.folder / "host")


def saved(boxes: Mailboxes) -> Path:
    place = boxes.folder / "saved"
    back_up(boxes.office.store, place)
    return place


def answers(boxes: Mailboxes) -> None:
    """Let every seat that is asked answer once."""
    for seat in list(boxes.asked):
        assert boxes.say(seat, "1", to=boxes.put_to(seat)) == f"order: {seat}"


def forward(boxes: Mailboxes, seat: str, letter: bytes, sender: str = "") -> str:
    """Forward a letter with what is attached to it, as most mail programs do; return what the host decided."""
    old, mail = parsed(letter), EmailMessage()
    boxes.sent += 1
    mail["From"], mail["To"], mail["Subject"] = sender or address(seat), HOST, f"Fwd: {old['Subject']}"
    mail["Message-ID"] = f"<{boxes.sent}.{seat}.forwarded@mailer.example.net>"
    head = f"From: pbem <{HOST}>\nDate: Tue, 1 Jan 2030 12:00\nSubject: {old['Subject']}\nTo: {address(seat)}"
    mail.set_content(f"---------- Forwarded message ---------\n{head}\n\n{text_of(letter)}")
    for part in old.iter_attachments():
        kind, _slash, subtype = part.get_content_type().partition("/")
        data = part.get_payload(decode=True)
        mail.add_attachment(data, maintype=kind, subtype=subtype, filename=part.get_filename())
    return boxes.take(mail.as_bytes())


def with_lines(boxes: Mailboxes, seat: str, since: int = 0) -> list[bytes]:
    """The letters to a seat, from one on, that have lines of the game attached."""
    return [
        raw
        for raw in boxes.letters[seat][since:]
        if any(str(part.get_filename()).endswith(".pbem") for part in parsed(raw).iter_attachments())
    ]


def is_clean(boxes: Mailboxes) -> None:
    log = boxes.robot.house.game(boxes.number).exported().dump()
    assert audit(log, lambda name: (find(name).rules, manifest(find(name))[1])).verdict.verdict == "clean"
    found = look_at(Log.parse(log))
    assert found is not None
    assert (found.seed, found.odd) == ("fits", [])
    assert all(one.orders == one.mailed > 0 for one in found.seats.values())


@pytest.mark.slow
def test_players_forward_their_letters_and_the_log_is_written_again(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, options={"players": 2, "turns": 4}) as boxes:
        ann, bob = boxes.begin().seats
        answers(boxes)
        place, seen = saved(boxes), {seat: len(boxes.letters[seat]) for seat in boxes.seats}
        answers(boxes)
        answers(boxes)
        boxes.minute += 15
        boxes.fetch()
        before, letters = boxes.log().dump(), {seat: with_lines(boxes, seat, seen[seat]) for seat in boxes.seats}
        boxes.office.close()
        words = ["host", "restore", str(place), "--replace", "--yes", "--dir", str(boxes.folder / "host")]
        done = CliRunner().invoke(app, words, env={"PBEM_PASSPHRASE": ""}, input="y\n")
        assert done.exit_code == 0, done.output
        boxes.office = Office(boxes.folder / "host")
        assert boxes.robot.house.game(boxes.number).stands_still
        boxes.fetch()
        for seat in boxes.seats:
            asked = " ".join(boxes.last(seat).split())
            assert f"forward the last letter of this game that you received before this one. Send it to {HOST}" in asked
        assert forward(boxes, ann, letters[ann][-1]) == WAITS, "the letters before it are missing"
        assert "Forward the letter before it, too" in " ".join(boxes.last(ann).split())
        outcomes = [forward(boxes, ann, letter) for letter in reversed(letters[ann][:-1])]
        outcome = next(one for one in outcomes if one != WAITS)
        assert outcome.startswith(f"copy: {ann}; The order of {bob} at entry ")
        assert "Your copy is here" in boxes.last(ann)
        assert ".receipt." in str(parsed(letters[bob][-1])["Message-ID"]), "his last order stands in no copy but this"
        for letter in reversed(letters[bob]):
            outcome = forward(boxes, bob, letter)
        assert outcome == f"copy: {bob}; the game continues"
        assert boxes.log().dump().startswith(before)
        boxes.play()
        is_clean(boxes)


@pytest.mark.slow
def test_a_reply_to_a_letter_that_the_host_does_not_know_stops_the_game(tmp_path: Path) -> None:
    """A host restored a backup silently. A valid code of a later question shows it."""
    with Mailboxes(tmp_path, options={"players": 2, "turns": 4}) as boxes:
        ann, bob = boxes.begin().seats
        place, seen = saved(boxes), {seat: len(boxes.letters[seat]) for seat in boxes.seats}
        answers(boxes)
        answers(boxes)
        boxes.minute += 15
        boxes.fetch()
        letters = {seat: with_lines(boxes, seat, seen[seat]) for seat in boxes.seats}
        before, later = (
            boxes.log().dump(),
            next(raw for raw in reversed(letters[ann]) if ".report." in str(parsed(raw)["Message-ID"])),
        )
        brought_back(boxes, place)
        assert boxes.take(boxes.reply(ann, "1", later, sender="eve@example.org")).startswith("ignored")
        assert not boxes.robot.house.game(boxes.number).stands_still
        answer = boxes.reply(ann, "1", later)
        assert boxes.take(answer) == WAITS
        assert boxes.robot.house.game(boxes.number).stands_still
        assert "please forward" in boxes.last(ann)
        assert forward(boxes, bob, letters[bob][0], "eve@example.org").startswith("refused")
        for seat in (ann, bob):
            for letter in reversed(letters[seat]):
                outcome = forward(boxes, seat, letter)
        assert outcome == f"copy: {bob}; the game continues"
        assert boxes.log().dump().startswith(before)
        boxes.robot.catch_up()
        boxes.fetch()
        assert ann in boxes.robot.house.game(boxes.number).answers(boxes.robot.house.game(boxes.number).row.ask)
        assert not boxes.robot.house.store.note("went on")
        boxes.play()
        is_clean(boxes)


def as_an_attachment(boxes: Mailboxes, seat: str, *letters: bytes, text: str = "See attached.") -> str:
    """Forward letters as messages that are attached, as “Forward as attachment” does; return what the host decided."""
    mail = EmailMessage()
    boxes.sent += 1
    mail["From"], mail["To"], mail["Subject"] = address(seat), HOST, "Fwd: your letters"
    mail["Message-ID"] = f"<{boxes.sent}.{seat}.attached@mailer.example.net>"
    mail.set_content(f"{text}\n")
    for letter in letters:
        mail.add_attachment(parsed(letter))
    return boxes.take(mail.as_bytes())


@pytest.mark.slow
def test_letters_may_be_forwarded_as_attachments_several_in_one_mail(tmp_path: Path) -> None:
    """And who forwards words alone, as some programs do, is told what to do."""
    with Mailboxes(tmp_path, options={"players": 2, "turns": 4}) as boxes:
        ann, bob = boxes.begin().seats
        place, seen = saved(boxes), {seat: len(boxes.letters[seat]) for seat in boxes.seats}
        answers(boxes)
        answers(boxes)
        boxes.minute += 15
        boxes.fetch()
        before, letters = boxes.log().dump(), {seat: with_lines(boxes, seat, seen[seat]) for seat in boxes.seats}
        later = next(raw for raw in reversed(letters[ann]) if ".report." in str(parsed(raw)["Message-ID"]))
        brought_back(boxes, place)
        assert boxes.take(boxes.reply(ann, "1", later)) == WAITS
        assert as_an_attachment(boxes, ann, text=f"Fwd:\n{text_of(letters[ann][-1])}") == WAITS
        assert "If your program leaves the file out, save it and attach it" in " ".join(boxes.last(ann).split())
        for seat in (ann, bob):
            outcome = as_an_attachment(boxes, seat, *letters[seat])
        assert outcome == f"copy: {bob}; the game continues"
        assert boxes.log().dump().startswith(before)
        boxes.robot.catch_up()
        boxes.fetch()
        boxes.play()
        is_clean(boxes)


@pytest.mark.slow
def test_an_old_letter_answers_no_question_of_another_history(tmp_path: Path) -> None:
    """After `host go-on` another question, with another list, may be at the same entry."""
    with Mailboxes(tmp_path, options={"players": 2, "turns": 4}) as boxes:
        ann, bob = boxes.begin().seats
        place = saved(boxes)
        first = {seat: boxes.put_to(seat) for seat in (ann, bob)}
        answers(boxes)
        lost = {seat: boxes.put_to(seat) for seat in (ann, bob) if boxes.put_to(seat) != first[seat]}
        entry = {seat: str(parsed(raw)["Message-ID"]).split(".")[2] for seat, raw in lost.items()}
        brought_back(boxes, place)
        boxes.robot.hold(boxes.now(), "brought back")
        boxes.robot.go_on(boxes.number, boxes.now())
        boxes.fetch()
        for seat in (ann, bob):
            assert boxes.say(seat, "2", to=first[seat]) == f"order: {seat}", "its question is the same in both"
        for seat in boxes.asked:
            new = boxes.put_to(seat)
            assert str(parsed(new)["Message-ID"]).split(".")[2] == entry[seat], "the same entry"
            assert parsed(new)["Reply-To"] != parsed(lost[seat])["Reply-To"]
            outcome = boxes.say(seat, "1", to=lost[seat])
            assert outcome.startswith(("ignored", "refused", "in doubt")), outcome
            assert seat in boxes.asked
        boxes.play()
        is_clean(boxes)


@pytest.mark.slow
def test_an_order_that_no_letter_brings_back_is_found_again_by_its_seal(tmp_path: Path) -> None:
    """The receipt of the last answer had not gone when the store was lost: only the seal of it stands in the other's copy."""
    with Mailboxes(tmp_path, options={"players": 2, "turns": 4}) as boxes:
        ann, bob = boxes.begin().seats
        answers(boxes)
        place, seen = saved(boxes), {seat: len(boxes.letters[seat]) for seat in boxes.seats}
        for _ in range(3):
            seat = boxes.asked[0]
            boxes.say(seat, "1", to=boxes.put_to(seat))
        before, letters = boxes.log().dump(), {seat: with_lines(boxes, seat, seen[seat]) for seat in boxes.seats}
        said = {one.fields["by"]: one.n for one in boxes.log().entries if one.k == "order"}
        brought_back(boxes, place)
        later = next(
            seat for seat in (ann, bob) if any(".report." in str(parsed(raw)["Message-ID"]) for raw in letters[seat])
        )
        other = bob if later == ann else ann
        assert boxes.take(boxes.reply(later, "1", letters[later][-1])) == WAITS
        outcomes = [forward(boxes, seat, letter) for seat in (later, other) for letter in reversed(letters[seat])]
        assert outcomes[-1] == f"copy: {other}; the game continues", outcomes
        assert all(before.split(b"\n")[n] in boxes.log().dump() for n in said.values())
        boxes.robot.catch_up()
        boxes.fetch()
        boxes.play()
        is_clean(boxes)


@pytest.mark.slow
def test_an_older_letter_that_is_forwarded_later_takes_nothing_away(tmp_path: Path) -> None:
    """Who forwards all he has, the last one first, is not worse off than who forwards what is asked."""
    with Mailboxes(tmp_path, options={"players": 3, "turns": 4}) as boxes:
        seats = boxes.begin().seats
        for seat in seats[1:]:
            boxes.say(seat, "1", to=boxes.put_to(seat))
        place = saved(boxes)
        answers(boxes)
        while len(boxes.asked) > 1 or seats[-1] not in boxes.asked:
            answers(boxes)
        boxes.minute += 15
        boxes.fetch()
        before = boxes.log().dump()
        letters = {seat: with_lines(boxes, seat) for seat in seats}
        brought_back(boxes, place)
        boxes.robot.hold(boxes.now(), "brought back")
        boxes.fetch()
        for seat in seats:
            for letter in reversed(letters[seat]):
                forward(boxes, seat, letter)
        assert not boxes.robot.house.game(boxes.number).stands_still
        assert boxes.log().dump().startswith(before)
        boxes.play()
        is_clean(boxes)
