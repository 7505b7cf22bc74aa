"""Newcomers who have a mailbox and nothing else: JOIN gives them the seat of a player who has vanished, once all others agree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.errors import UsageError
from pbem.games import find, manifest
from pbem.host.rereading import reread, written
from pbem.host.store.kept_rows import Doubt, MoreAddress
from pbem.host.store.rows import KEPT
from pbem.ledger import Log
from pbem.ledger.kept import KeptSeats, look_at
from pbem.mail import Maildir
from pbem.player import Desk, PlayerSettings
from pbem.referee.audit import audit
from tests.ledger.verify_mjs import node_is_new_enough, of_node

from .mailboxes import Mailboxes, parsed, send, text_of, with_a_desk
from .post import key_of

DAN = "dan"


def vanishes(boxes: Mailboxes, gone: str) -> None:
    """Let time run until a player has vanished, and the host invite Dan in his place."""
    for _ in range(12):
        if boxes.robot.house.game(boxes.number).course.vanished(gone, boxes.now()):
            break
        for seat in [one for one in boxes.asked if one != gone]:
            boxes.say(seat, "1", to=boxes.put_to(seat))
        boxes.minute += 25 * 60
        boxes.robot.tick(boxes.now())
        boxes.fetch()
    boxes.robot.replace(boxes.number, gone, "dan@example.org", boxes.now())
    boxes.fetch(DAN)


def answers(boxes: Mailboxes, said: str) -> str:
    """Let Dan reply to the invitation."""
    outcome = boxes.say(DAN, said, to=boxes.letters[DAN][0])
    boxes.fetch(DAN)
    return outcome


def agree(boxes: Mailboxes, *seats: str) -> None:
    for seat in seats:
        letter = next(raw for raw in reversed(boxes.letters[seat]) if ".proposal." in str(parsed(raw)["Message-ID"]))
        assert boxes.say(seat, "AGREE", to=letter) == f"agree: {seat}"
    boxes.fetch(DAN)


def found_in(boxes: Mailboxes) -> KeptSeats:
    found = look_at(Log.parse(boxes.robot.house.game(boxes.number).exported().dump()))
    assert found is not None
    return found


def plays_on(boxes: Mailboxes, gone: str) -> None:
    """Let all play to the end, Dan in the place of who has gone."""
    for _ in range(60):
        if not boxes.asked:
            return
        seat = boxes.asked[0]
        who = DAN if seat == gone else seat
        assert boxes.say(who, "1", to=boxes.put_to(who)) == f"order: {seat}"
        boxes.fetch(DAN)


@pytest.mark.slow
def test_a_newcomer_takes_a_kept_seat_by_a_reply_and_plays_to_the_end(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, options={"players": 3, "turns": 4}, hours=24) as boxes:
        ann, bob, cat = boxes.begin().seats
        vanishes(boxes, cat)
        assert "Reply with JOIN" in text_of(boxes.letters[DAN][0])
        assert answers(boxes, "What is this?") == "ignored: not JOIN"
        assert answers(boxes, f"JOIN some words of {cat}") == "refused: BIND: words that were used"
        assert answers(boxes, "JOIN nine larks") == f"newcomer: {cat}"
        assert "nine larks" in boxes.last(DAN)
        assert answers(boxes, "JOIN ten larks") == "duplicate: joined"
        assert "this host keeps that key" in " ".join(boxes.last(ann).split())
        agree(boxes, ann, bob)
        game = boxes.robot.house.game(boxes.number)
        assert (game.seats[cat].kept, game.seats[cat].address) == (KEPT, "dan@example.org")
        assert sum("spare.json" in text_of(raw) for raw in boxes.letters[DAN]) == 1
        assert game.stage == "playing"
        assert not game.course.missing
        old = boxes.put_to(cat)
        assert boxes.say(cat, "2", to=old).startswith("ignored: in doubt"), "who had the seat has it no more"
        plays_on(boxes, cat)
        found = found_in(boxes)
        exported = boxes.robot.house.game(boxes.number).exported().dump()
        files = written(boxes.office.store, boxes.number)
    assert (found.seed, found.odd) == ("fits", [])
    (former,) = found.seats[cat].before
    assert (former.words, former.chain, bool(former.taken)) == (f"some words of {cat}", "fits", True)
    last = found.seats[cat]
    assert (last.words, last.chain, last.taken, last.orders) == ("nine larks", "fits", 0, last.mailed)
    verdict = audit(exported, lambda name: (find(name).rules, manifest(find(name))[1])).verdict
    assert verdict.verdict == "clean"
    assert {(one.digest, one.read) for one in reread(Log.parse(exported), files, find)} == {("fits", "same")}
    if node_is_new_enough():
        (said,) = of_node(tmp_path, [exported])
        assert said["kept"] == found.to_json()


@pytest.mark.slow
def test_what_a_player_had_yet_to_confirm_is_not_a_newcomers(tmp_path: Path) -> None:
    """A player asked to resign and vanished. His late YES, or mail from his other address, does not affect the newcomer."""
    with Mailboxes(tmp_path, options={"players": 3, "turns": 4}, hours=24) as boxes:
        ann, bob, cat = boxes.begin().seats
        boxes.say(cat, "1", to=boxes.put_to(cat), sender="cat@elsewhere.example")
        assert boxes.say(cat, "YES ALWAYS") == f"order: {cat}"
        for seat in (ann, bob):
            boxes.say(seat, "1", to=boxes.put_to(seat))
        boxes.say(cat, "RESIGN", to=boxes.put_to(cat))
        doubt = boxes.letters[cat][-1]
        vanishes(boxes, cat)
        answers(boxes, "JOIN nine larks")
        agree(boxes, ann, bob)
        for table in (Doubt, MoreAddress):
            assert boxes.office.store.find(table, seat=cat) == []
        assert not boxes.say(cat, "YES", to=doubt).startswith("resign")
        assert boxes.say(cat, "1", to=boxes.put_to(DAN), sender="cat@elsewhere.example").startswith("in doubt")


@pytest.mark.slow
def test_of_two_the_host_asks_the_newcomer_for_his_words(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, options={"players": 2, "turns": 4}, hours=24) as boxes:
        ann, bob = boxes.begin().seats
        vanishes(boxes, bob)
        assert answers(boxes, "JOIN nine larks") == f"newcomer: {bob}, to be confirmed"
        (matter,) = [said for said in boxes.office.status()["troubles"] if "nine larks" in str(said)]
        key = str(matter).split("SHA256:")[1].split()[0]
        boxes.robot.confirm(boxes.number, bob, key, boxes.now())
        boxes.fetch()
        agree(boxes, ann)
        plays_on(boxes, bob)
        assert found_in(boxes).seats[bob].words == "nine larks"


@pytest.mark.slow
def test_a_newcomer_can_take_his_seat_over_and_the_one_before_him_cannot(tmp_path: Path) -> None:
    """The former player's `spare.json` is refused."""
    with Mailboxes(tmp_path, options={"players": 3, "turns": 6}, hours=24) as boxes:
        ann, bob, cat = boxes.begin().seats
        vanishes(boxes, cat)
        answers(boxes, "JOIN nine larks")
        agree(boxes, ann, bob)
        spares = []
        for who in (cat, DAN):
            (keep,) = [raw for raw in boxes.letters[who] if "keep this" in str(parsed(raw)["Subject"])]
            (file,) = [part for part in parsed(keep).iter_attachments() if part.get_filename() == "spare.json"]
            spares.append(json.loads(file.get_content()))
        assert spares[0]["key"] != spares[1]["key"]
        assert spares[0]["top"] != spares[1]["top"]
        assert boxes.say(DAN, "RESEND", to=boxes.put_to(DAN)) == "answered: RESEND"
        boxes.fetch(DAN)
        for spare, fits in zip(spares, (False, True), strict=True):
            settings = PlayerSettings("dan@example.org", str(Maildir(boxes.folder / "post").path))
            desk = Desk.create(boxes.folder / f"desk {fits}", key_of(f"Dan himself {fits}"), settings)
            desk.read(boxes.letters[DAN][-1])
            if not fits:
                with pytest.raises(UsageError, match="does not keep the key"):
                    desk.join(json.dumps(spare).encode(), boxes.now())
                continue
            desk.join(json.dumps(spare).encode(), boxes.now())
            assert send(boxes, desk) == [f"rekey: {cat}"]
        assert found_in(boxes).seats[cat].taken


def test_a_newcomer_needs_a_key_where_the_seat_is_not_one_that_may_be_kept(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, ("ann", "bob"), options={"players": 3, "turns": 4}, hours=24) as boxes:
        cat = boxes.seats[-1]
        with_a_desk(boxes, cat)
        vanishes(boxes, cat)
        assert "JOIN" not in text_of(boxes.letters[DAN][0])
        assert not answers(boxes, "JOIN nine larks").startswith("newcomer")
