"""Kept seats send ahead: `AHEAD` in a reply is signed, used when its question is put, and read again by an audit."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.games import find, manifest
from pbem.host.rereading import reread, written
from pbem.ledger import Log
from pbem.ledger.kept import MAIL
from pbem.referee.audit import audit

from .mailboxes import Mailboxes, text_of


def judged(boxes: Mailboxes) -> str:
    return audit(
        boxes.robot.house.game(boxes.number).exported().dump(), lambda name: (find(name).rules, manifest(find(name))[1])
    ).verdict.verdict


def card_of(boxes: Mailboxes, seat: str, no: int = 2) -> str:
    """A card that stands in the list of the last question, by its number."""
    lines = text_of(boxes.put_to(seat)).split("\n")
    return next(line.split("CARD ")[1].split()[0] for line in lines if line.startswith(f"  {no}  CARD "))


def sent_ahead(log: Log) -> list[dict[str, object]]:
    return [one.fields for one in log.entries if one.k == "order" and one.fields["say"]["act"] == "ahead"]


def test_an_order_sent_ahead_by_a_reply_answers_its_question(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.begin().seats
        card = card_of(boxes, ann)
        assert boxes.say(ann, f"1\nAHEAD CARD: CARD {card}", to=boxes.put_to(ann)) == f"order: {ann}"
        told = "\n".join(text_of(raw) for raw in boxes.letters[ann][-2:])
        assert f"CARD {card}" in told, "she is told what is kept"
        boxes.play()
        log = boxes.log()
        (entry,) = sent_ahead(log)
        assert entry["by"] == ann
        assert MAIL in entry
        assert judged(boxes) == "clean"
        found = reread(log, written(boxes.office.store, boxes.number), find)
        assert {(one.digest, one.read) for one in found} == {("fits", "same")}
        assert bob in boxes.seats


def test_it_may_come_alone_and_be_replaced_and_taken_back(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, _bob = boxes.begin().seats
        question, card, other = boxes.put_to(ann), card_of(boxes, ann, 1), card_of(boxes, ann, 2)
        assert boxes.say(ann, f"AHEAD CARD: CARD {card}", to=question).startswith(f"ahead: {ann}")
        assert boxes.say(ann, f"AHEAD CARD: CARD {card}", to=question).startswith("duplicate")
        assert boxes.say(ann, f"AHEAD CARD: CARD {other}", to=question).startswith(f"ahead: {ann}")
        assert boxes.say(ann, "AHEAD CARD: ASK", to=question).startswith(f"ahead: {ann}")
        assert boxes.asked, "the question waits"
        boxes.play()
        assert not sent_ahead(boxes.log())
        assert judged(boxes) == "clean"


@pytest.mark.parametrize("said", ["AHEAD CARD: CARD nonsense", "AHEAD 99: CARD c1", "1\nAHEAD NOTHING: PASS"])
def test_what_cannot_be_sent_ahead_refuses_the_whole_mail(tmp_path: Path, said: str) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, _bob = boxes.begin().seats
        assert boxes.say(ann, said, to=boxes.put_to(ann)).startswith("refused: FORM")
        assert "AHEAD" in boxes.last(ann)
        assert ann in boxes.asked
