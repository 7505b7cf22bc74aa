"""Kept seats beside what others do: another seat's key, a host that stood still, a door, plans, built-in players, newcomers."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

import pytest

from pbem.errors import UsageError
from pbem.games import find, manifest
from pbem.host import Office, kept_seats
from pbem.host.catching_up import WAITS
from pbem.host.rereading import reread, written
from pbem.ledger import Log, PrivateKey, merge
from pbem.ledger.kept import look_at
from pbem.ledger.terms import terms as terms_of
from pbem.mail import Maildir
from pbem.player import Desk, PlayerSettings
from pbem.referee.audit import audit

from .mailboxes import Mailboxes, address, parsed, send, text_of, with_a_desk
from .post import key_of


def test_when_another_seat_changes_its_key_the_host_is_ready_for_the_kept_ones(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.seats
        desk = with_a_desk(boxes, ann)
        for letter in boxes.letters[ann][2:]:
            desk.read(letter)
        desk.keys.rekey(PrivateKey.from_seed(bytes(range(32))), boxes.now())
        assert send(boxes, desk) == [f"rekey: {ann}"]
        assert boxes.robot.house.game(boxes.number).course.missing == (ann,)
        desk.join(boxes.letters[ann][-1], boxes.now())
        assert send(boxes, desk) == [f"ready: {ann}"]
        assert boxes.say(bob, "1", to=boxes.put_to(bob)) == f"order: {bob}"


def test_nobody_is_told_to_wait_until_a_kept_seat_is_ready(tmp_path: Path) -> None:
    """The host says so for that seat, whose player has nothing to do; only the player with a key of his own is named."""
    with Mailboxes(tmp_path, options={"players": 3, "turns": 2}) as boxes:
        ann, bob, carl = boxes.seats
        desk = Desk.create(tmp_path / "desk", key_of(ann), PlayerSettings(address(ann), str(tmp_path / "post")))
        desk.join(boxes.letters[ann][-1], boxes.now())
        send(boxes, desk)
        boxes.say(bob, "JOIN some words")
        boxes.say(carl, "JOIN other words")
        desk.join(boxes.letters[ann][-1], boxes.now())
        (speaker,) = desk.speakers()
        assert (speaker.seat.overview().state, speaker.seat.overview().seats) == ("ready", ())
        boxes.say(bob, "STATUS")
        assert "Waiting until all are ready: Ann.\n" in boxes.last(bob)


def test_a_reply_to_a_game_that_stands_still_waits_and_counts_when_it_goes_on(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, _bob = boxes.begin().seats
        letter = boxes.put_to(ann)
        boxes.robot.hold(boxes.now(), "a backup was brought back")
        assert boxes.say(ann, "1", to=letter) == WAITS
        boxes.robot.go_on(boxes.number, boxes.now())
        game = boxes.robot.house.game(boxes.number)
        assert ann in game.answers(game.row.ask)


def test_a_host_with_a_door_still_mails_a_kept_seat_its_letters(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        boxes.robot.post.door = "https://host.example.org/"
        boxes.begin().play()
        assert boxes.log().finished


@pytest.mark.slow
def test_plans_go_along_with_a_reply_and_are_read_again(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, game="hammer", options={"scenario": "bruce", "years": 1}) as boxes:
        boxes.begin()
        for seat in list(boxes.asked):
            assert boxes.say(seat, "1\nPLAN BATTLE ANY: FIGHT", to=boxes.put_to(seat)) == f"order: {seat}"
        boxes.play()
        log = Log.parse(boxes.robot.house.game(boxes.number).exported().dump())
        plans = [line.fields[6] for line in log.attachments if line.k == "seal" and line.fields[4] == "plans"]
        assert plans.count("BATTLE ANY: FIGHT") >= 2
        found = reread(log, written(boxes.office.store, boxes.number), find)
        assert {(one.digest, one.read) for one in found} == {("fits", "same")}


def test_until_says_what_is_to_be_written_instead(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, _bob = boxes.begin().seats
        assert boxes.say(ann, "UNTIL Friday 18:00", to=boxes.put_to(ann)) == "ignored: UNTIL"
        assert "a condition that the letter offers" in " ".join(boxes.last(ann).split())
        assert boxes.say(ann, "1\nuntil one of mine is at 1", to=boxes.put_to(ann)).startswith("refused: FORM")
        assert "not a condition that the letter offers" in " ".join(boxes.last(ann).split())


def test_the_key_of_a_built_in_player_is_not_kept() -> None:
    terms = terms_of(0, built_in={"bob": {"player": "first", "ver": 1, "playouts": 0}})
    with pytest.raises(UsageError, match="bob"):
        kept_seats.check(terms, ["ann", "bob"])
    kept_seats.check(terms, ["ann"])


def test_a_host_that_chooses_another_seed_at_the_end_is_told_of(tmp_path: Path) -> None:
    """The end shows the seed alone that entry 0 fixed: another host's root shows none."""
    with Mailboxes(tmp_path) as boxes:
        boxes.begin().play()
        game = boxes.robot.house.game(boxes.number)
        assert game.ledger.entry(game.ledger.n)["x:kept"]["seed"] == boxes.robot.house.root.secret_for(
            "kept", game.row.nonce
        )
        found = look_at(boxes.log())
        assert found is not None
        assert found.seed == "fits"


def test_agree_takes_the_one_thing_that_is_offered(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.begin().seats
        assert boxes.say(bob, "AGREE", to=boxes.put_to(bob)) == "ignored: nothing to agree to"
        boxes.say(ann, "OFFER DRAW", to=boxes.put_to(ann))
        assert boxes.say(ann, "YES") == f"draw: {ann}"
        assert boxes.say(bob, "AGREE", to=boxes.put_to(bob)) == f"agree: {bob}"
        log = Log.parse(boxes.robot.house.game(boxes.number).exported().dump())
        assert log.entries[-1].fields["result"] == {"winner": "", "why": "agreed"}
        found = reread(log, written(boxes.office.store, boxes.number), find)
        assert {one.read for one in found} == {"same"}


@pytest.mark.slow
def test_kept_seats_agree_to_a_newcomer_who_has_his_own_key(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, options={"players": 3, "turns": 4}, hours=24) as boxes:
        ann, bob, cat = boxes.begin().seats
        for _ in range(12):
            if boxes.robot.house.game(boxes.number).course.vanished(cat, boxes.now()):
                break
            for seat in (ann, bob):
                if seat in boxes.asked:
                    boxes.say(seat, "1", to=boxes.put_to(seat))
            boxes.minute += 25 * 60
            boxes.robot.tick(boxes.now())
            boxes.fetch()
        boxes.robot.replace(boxes.number, cat, "dan@example.org", boxes.now())
        boxes.fetch("dan")
        settings = PlayerSettings("dan@example.org", str(Maildir(boxes.folder / "post").path))
        desk = Desk.create(boxes.folder / "desk of dan", key_of("dan"), settings)
        desk.join(boxes.letters["dan"][-1], boxes.now())
        assert send(boxes, desk) == [f"newcomer: {cat}"]
        for seat in (ann, bob):
            assert any("reply AGREE" in " ".join(text_of(raw).split()) for raw in boxes.letters[seat])
            assert boxes.say(seat, "AGREE") == f"agree: {seat}"
        boxes.fetch("dan")
        game = boxes.robot.house.game(boxes.number)
        assert (game.seats[cat].kept, game.seats[cat].address, game.course.missing) == ("", "dan@example.org", (cat,))
        found = look_at(Log.parse(boxes.robot.house.game(boxes.number).exported().dump()))
        assert found is not None
        assert found.seats[cat].taken


@pytest.mark.slow
def test_kept_seats_go_on_under_another_host_with_their_spare_files(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, options={"players": 2, "turns": 3}) as boxes:
        boxes.begin()
        for seat in list(boxes.asked):
            boxes.say(seat, "1", to=boxes.put_to(seat))
        desks = {}
        for seat in boxes.seats:
            settings = PlayerSettings(address(seat), str(Maildir(boxes.folder / "post").path))
            desks[seat] = desk = Desk.create(boxes.folder / f"desk of {seat}", key_of(f"{seat} himself"), settings)
            (keep,) = [raw for raw in boxes.letters[seat] if "keep this" in str(parsed(raw)["Subject"])]
            (file,) = [part for part in parsed(keep).iter_attachments() if part.get_filename() == "spare.json"]
            boxes.say(seat, "RESEND", to=boxes.put_to(seat))
            desk.read(boxes.letters[seat][-1])
            desk.join(file.get_content(), boxes.now())
        former = boxes.office
        boxes.office = Office.create(boxes.folder / "other", key_of("other"), "other@example.org")
        former.close()
        copies = reduce(merge, (desk.copy(desk.notes()).log for desk in desks.values()))
        boxes.number = boxes.robot.adopt(copies, {seat: address(seat) for seat in boxes.seats}, "A test", boxes.now())
        boxes.fetch()
        outcomes = []
        for seat, desk in desks.items():
            desk.newcomers.welcome(boxes.letters[seat][-1], boxes.now())
            outcomes += send(boxes, desk)
        assert outcomes == [f"agree: {seat}" for seat in boxes.seats]
        for seat, desk in desks.items():
            desk.join(boxes.letters[seat][-1], boxes.now())
        assert [one for desk in desks.values() for one in send(boxes, desk)] == [
            f"ready: {seat}" for seat in boxes.seats
        ]
        read = {seat: len(boxes.letters[seat]) - 1 for seat in desks}
        while boxes.asked:
            for seat, desk in desks.items():
                for letter in boxes.letters[seat][read[seat] :]:
                    desk.read(letter)
                read[seat] = len(boxes.letters[seat])
            for seat in list(boxes.asked):
                desk = desks[seat]
                _, view, pack = desk.question(desk.notes())
                desk.order(desk.notes(), str(next(iter(pack.rules.options(view)))), "", boxes.now())
                assert send(boxes, desk) == [f"order: {seat}"]
        log = boxes.robot.house.game(boxes.number).exported().dump()
        assert audit(log, lambda name: (find(name).rules, manifest(find(name))[1])).verdict.verdict == "clean"
        found = look_at(Log.parse(log))
        assert found is not None
        assert found.seed == "not shown"


def test_a_program_reads_the_letters_to_a_seat_that_replied_without_a_doubt(tmp_path: Path) -> None:
    """Who takes his seat over has only them: none looks changed, and the file in one of them is no log."""
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.begin().seats
        for seat in (ann, bob):
            boxes.say(seat, "1", to=boxes.put_to(seat))
        desk = Desk.create(
            tmp_path / "desk", key_of("ann himself"), PlayerSettings(address(ann), str(Maildir(tmp_path / "post").path))
        )
        said = [desk.read(raw) for raw in boxes.letters[ann]]
        assert [reading.warnings for reading in said if reading.warnings] == []
        assert any("Keep this mail." in reading.words for reading in said)
