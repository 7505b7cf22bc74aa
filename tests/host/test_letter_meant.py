"""Several letters put one question: a reply means the list of the one that it answers, and that letter is its evidence."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.games import find
from pbem.host import believed, kept_letters
from pbem.host.rereading import reread, written
from pbem.ledger import Log
from pbem.reports import answering
from pbem.reports.choices import Listing, choices
from tests.stored import stored_rows

from .mailboxes import Mailboxes, parsed, text_of


def letter_behind(boxes: Mailboxes, seat: str) -> str:
    """The letter that the evidence for the last order of a seat names."""
    sql = (
        "select raw, seat from evidence_parts join evidence on evidence.id = evidence_parts.evidence where name = 'letter' "
        "order by evidence.id, no"
    )
    rows = stored_rows(boxes.office.store, sql)
    return bytes(next(row["raw"] for row in reversed(rows) if row["seat"] == seat)).decode()


def read_again(boxes: Mailboxes) -> set[tuple[str, str]]:
    found = reread(
        Log.parse(boxes.robot.house.game(boxes.number).exported().dump()),
        written(boxes.office.store, boxes.number),
        find,
    )
    return {(one.digest, one.read) for one in found}


def test_the_letter_that_was_answered_is_the_evidence_and_not_the_last_one(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, hours=24) as boxes:
        ann, bob = boxes.begin().seats
        first = boxes.put_to(ann)
        boxes.minute += 13 * 60
        boxes.robot.tick(boxes.now())
        boxes.fetch()
        assert ".reminder." in str(parsed(boxes.letters[ann][-1])["Message-ID"])
        assert boxes.say(ann, "1", to=first) == f"order: {ann}"
        assert letter_behind(boxes, ann).split() == text_of(first).split()
        assert boxes.say(bob, "1") == f"order: {bob}", "he answers the reminder"
        assert letter_behind(boxes, bob).split() == text_of(next(
            raw for raw in reversed(boxes.letters[bob]) if ".reminder." in str(parsed(raw)["Message-ID"])
        )).split()  # fmt: skip
        boxes.play()
        assert read_again(boxes) == {("fits", "same")}


def test_a_number_in_the_answer_to_a_receipt_means_the_list_before_it(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.begin().seats
        report = boxes.put_to(ann)
        assert boxes.say(ann, "1", to=report) == f"order: {ann}"
        receipt = boxes.letters[ann][-1]
        assert "Reply again to change it" in text_of(receipt)
        assert boxes.say(ann, "2", to=receipt) == f"order: {ann}"
        assert letter_behind(boxes, ann).split() == text_of(report).split()
        assert boxes.say(bob, "1", to=boxes.put_to(bob)) == f"order: {bob}"
        boxes.play()
        assert read_again(boxes) == {("fits", "same")}


def test_lines_of_a_receipt_are_no_words_of_its_reader(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann = boxes.begin().seats[0]
        assert boxes.say(ann, "1", to=boxes.put_to(ann)) == f"order: {ann}"
        receipt = boxes.letters[ann][-1]
        below = text_of(receipt).partition("\n")[2]
        assert boxes.say(ann, f"2\n{below}", to=receipt, quote=False).startswith("refused: FORM")
        assert "I cannot tell your words from mine" in " ".join(boxes.last(ann).split())


def test_an_old_list_counts_for_nothing_though_a_new_one_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an update the answers are in another order. The host refuses each answer to the old letter."""
    with Mailboxes(tmp_path) as boxes:
        ann = boxes.begin().seats[0]
        before = boxes.put_to(ann)
        for module in (believed, kept_letters, answering):
            monkeypatch.setattr(module, "choices", lambda *about: Listing(choices(*about)[::-1]))
        assert boxes.say(ann, "1", to=before).startswith("refused: FORM: “1”: A number counts only")
        new = boxes.letters[ann][-1]
        assert boxes.say(ann, "2", to=before).startswith("refused: FORM: “2”: A number counts only")
        assert boxes.say(ann, "1", to=new) == f"order: {ann}"
        assert letter_behind(boxes, ann).split() == text_of(new).split()


def test_a_reply_that_names_no_letter_means_the_last_list(tmp_path: Path) -> None:
    """Some programs write neither In-Reply-To nor References: the address alone has the code."""
    with Mailboxes(tmp_path) as boxes:
        ann = boxes.begin().seats[0]
        report = boxes.put_to(ann)
        boxes.say(ann, "1", to=report)
        mail = parsed(boxes.reply(ann, "2", boxes.letters[ann][-1]))
        del mail["In-Reply-To"], mail["References"]
        assert boxes.take(mail.as_bytes()) == f"order: {ann}"
        assert letter_behind(boxes, ann).split() == text_of(report).split()
