"""Kept seats: people with nothing but a mailbox join, answer by number and in words, and an audit finds all in order."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from pbem.errors import UsageError
from pbem.games import find, manifest
from pbem.host import believed, kept_letters
from pbem.host.answers import read_answer
from pbem.host.rereading import read_again, reread, write_into, written
from pbem.ledger import Log
from pbem.ledger.kept import MAIL, look_at, words_of
from pbem.mail import Maildir
from pbem.player import Desk, PlayerSettings
from pbem.referee.audit import audit
from pbem.reports import answering
from pbem.reports.choices import Listing, choices

from .mailboxes import Mailboxes, address, parsed, send, text_of, with_a_desk
from .post import key_of


def judged(boxes: Mailboxes) -> str:
    verdict = audit(
        boxes.robot.house.game(boxes.number).exported().dump(), lambda name: (find(name).rules, manifest(find(name))[1])
    ).verdict
    assert verdict.verdict in ("clean", "unfinished"), verdict
    return verdict.verdict


def test_a_whole_game_by_mail_alone(tmp_path: Path) -> None:
    """YOUR CHOICE ends with the way to answer: a reply, if the host keeps the key; otherwise `pbem turn`, `pbem send`
    or the host's page."""
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.seats
        assert "Reply with JOIN" in boxes.last(ann)
        assert boxes.say(ann, "JOIN Sieben kleine Geißlein!") == f"joined: {ann}"
        assert "sieben kleine geisslein" in boxes.last(ann)
        assert boxes.say(bob, "JOIN\n\nthree sheep, on a hill") == f"joined: {bob}"
        assert sum("spare.json" in text_of(raw) for raw in boxes.letters[ann]) == 1
        boxes.play()
        log = boxes.log()
        assert log.finished
        found = look_at(Log.parse(boxes.robot.house.game(boxes.number).exported().dump()))
        assert found is not None
        assert (found.seed, found.odd) == ("fits", [])
        assert {seat: one.words for seat, one in found.seats.items()} == {
            ann: words_of("Sieben kleine Geißlein!"),
            bob: "three sheep on a hill",
        }
        assert all(one.chain == "fits" and one.orders == one.mailed > 0 for one in found.seats.values())
        assert judged(boxes) == "clean"


def test_an_audit_reads_the_mails_again(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        boxes.begin().play()
        files = written(boxes.office.store, boxes.number)
        log = Log.parse(boxes.robot.house.game(boxes.number).exported().dump())
    found = reread(log, files, find)
    assert len(found) == sum(MAIL in entry.fields for entry in log.entries) + 2
    assert {(one.digest, one.read) for one in found} == {("fits", "same")}
    name = next(file for file in sorted(files) if "-mail" in file and b"\n1\n" in files[file])
    others = reread(log, files | {name: files[name].replace(b"\n1\n", b"\n2\n")}, find)
    assert sorted({(one.digest, one.read) for one in others}) == [("differs", "not read"), ("fits", "same")]
    missing = reread(log, {file: raw for file, raw in files.items() if file != name}, find)
    assert sum(one.digest == "missing" for one in missing) == 1


def test_an_audit_finds_an_order_that_no_mail_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host reads 2 for 1. The log is clean; `audit --mails` names the difference."""
    with Mailboxes(tmp_path) as boxes:
        ann, _bob = boxes.begin().seats
        with monkeypatch.context() as patch:
            patch.setattr(believed, "read_answer", lambda own, asked: read_answer(own.replace("1", "2"), asked))
            assert boxes.say(ann, "1", to=boxes.put_to(ann)) == f"order: {ann}"
        boxes.play()
        assert judged(boxes) == "clean"
        files = written(boxes.office.store, boxes.number)
        found = reread(Log.parse(boxes.robot.house.game(boxes.number).exported().dump()), files, find)
    assert [one.seat for one in found if one.read == "differs"] == [ann]


def a_desk(boxes: Mailboxes, seat: str) -> Desk:
    settings = PlayerSettings(address(seat), str(Maildir(boxes.folder / "post").path))
    return Desk.create(boxes.folder / f"desk of {seat}", key_of(f"{seat} himself"), settings)


def sent(desk: Desk) -> list[bytes]:
    return [desk.tray.sent(path).read_bytes() for path in desk.tray.unsent()]


def test_own_and_kept_seats_play_together(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.seats
        desk = a_desk(boxes, ann)
        desk.join(boxes.letters[ann][-1], boxes.now())
        (raw,) = sent(desk)
        assert boxes.take(raw) == f"joined: {ann}"
        assert boxes.say(bob, "JOIN two") == f"joined: {bob}"
        desk.join(boxes.letters[ann][-1], boxes.now())
        (raw,) = sent(desk)
        assert boxes.take(raw) == f"ready: {ann}"
        seen = 0
        while boxes.asked:
            for letter in boxes.letters[ann][seen:]:
                desk.read(letter)
            seen = len(boxes.letters[ann])
            if ann in boxes.asked:
                _, view, pack = desk.question(desk.notes())
                desk.order(desk.notes(), str(next(iter(pack.rules.options(view)))), "", boxes.now())
                (raw,) = sent(desk)
                assert boxes.take(raw) == f"order: {ann}"
            if bob in boxes.asked:
                assert boxes.say(bob, "1", to=boxes.put_to(bob)) == f"order: {bob}"
        found = look_at(Log.parse(boxes.robot.house.game(boxes.number).exported().dump()))
        assert found is not None
        assert (list(found.seats), found.outside, found.all_kept) == ([bob], (ann,), False)
        assert found.unbounded() == (ann,)
        assert judged(boxes) == "clean"


@pytest.mark.slow
def test_a_seat_is_taken_over_in_mid_game(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, options={"players": 2, "turns": 3}) as boxes:
        ann, bob = boxes.begin().seats
        boxes.say(ann, "1", to=boxes.put_to(ann))
        boxes.say(bob, "1", to=boxes.put_to(bob))
        desk = a_desk(boxes, ann)
        (keep,) = [raw for raw in boxes.letters[ann] if "keep this" in str(parsed(raw)["Subject"])]
        (file,) = [part for part in parsed(keep).iter_attachments() if part.get_filename() == "spare.json"]
        spare = file.get_content()
        desk.read(keep)  # as “pbem turn” does with all that lies in a mailbox
        with pytest.raises(UsageError, match="RESEND"):
            desk.join(spare, boxes.now())
        boxes.say(ann, "RESEND", to=boxes.put_to(ann))
        desk.read(boxes.letters[ann][-1])
        seen = len(boxes.letters[ann])
        assert "There is no way back" in desk.join(spare, boxes.now())
        (raw,) = sent(desk)
        assert boxes.take(raw) == f"rekey: {ann}"
        assert boxes.robot.house.game(boxes.number).seats[ann].kept == ""
        desk.join(boxes.letters[ann][-1], boxes.now())
        (raw,) = sent(desk)
        assert boxes.take(raw) == f"ready: {ann}"
        assert boxes.say(ann, "1", to=boxes.put_to(ann)).startswith("refused: FORM")
        while boxes.asked:
            for letter in boxes.letters[ann][seen:]:
                desk.read(letter)
            seen = len(boxes.letters[ann])
            if ann in boxes.asked:
                _, view, pack = desk.question(desk.notes())
                desk.order(desk.notes(), str(next(iter(pack.rules.options(view)))), "", boxes.now())
                (raw,) = sent(desk)
                assert boxes.take(raw) == f"order: {ann}"
            if bob in boxes.asked:
                assert boxes.say(bob, "1", to=boxes.put_to(bob)) == f"order: {bob}"
        found = look_at(Log.parse(boxes.robot.house.game(boxes.number).exported().dump()))
        assert found is not None
        assert found.seats[ann].taken
        assert judged(boxes) == "clean"


def test_the_mails_are_written_into_a_folder_and_that_is_said_once(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        boxes.begin()
        said = write_into(tmp_path / "mails", boxes.office.store, boxes.number)
        log = boxes.robot.house.game(boxes.number).exported().dump()
    count = len(list((tmp_path / "mails").iterdir()))
    assert said == f"{count} files lie in {tmp_path / 'mails'}. While the game is on, show them to nobody."
    again = read_again(tmp_path / "mails", log)
    assert again.told == ["Mails: 2 entries name some; 2 say what the entry says."]
    assert read_again(None, log).to_json() == {}


def test_who_answers_an_invitation_otherwise_is_told_of_join(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann = boxes.seats[0]
        assert boxes.say(ann, "Count me in!") == "ignored: not JOIN"
        assert "To take the seat, reply to the invitation with JOIN" in boxes.last(ann)
        assert boxes.say(ann, "JOIN me in") == f"joined: {ann}"


def test_help_tells_a_kept_seat_what_it_can_reply(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann = boxes.begin().seats[0]
        boxes.say(ann, "HELP", to=boxes.put_to(ann))
        told = boxes.last(ann)
        for word in ("UNDO", "RESIGN", "OFFER DRAW", "AWAY 3 DAYS", "ZONE Europe/Paris", "ADDRESS ann@example.net"):
            assert word in told
        assert "signed by your program" not in told


def test_after_an_update_a_number_counts_only_for_the_list_that_its_player_has_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version of pbem may list the answers otherwise: an old number never meets a new list."""
    with Mailboxes(tmp_path) as boxes:
        ann = boxes.begin().seats[0]
        before = boxes.put_to(ann)
        for module in (believed, kept_letters, answering):
            monkeypatch.setattr(module, "choices", lambda *about: Listing(choices(*about)[::-1]))
        assert boxes.say(ann, "1", to=before).startswith("refused: FORM: “1”: A number counts only")
        assert "  1  " in boxes.last(ann), "the new list"
        assert boxes.say(ann, "1") == f"order: {ann}"


def test_a_number_counts_in_the_language_of_its_letter_and_of_the_mail(tmp_path: Path) -> None:
    """Whoever asks for letters in French has still the English list."""
    with Mailboxes(tmp_path, game="hammer", options={"years": 1}) as boxes:
        seat = boxes.begin().seats[0]
        before = boxes.put_to(seat)
        boxes.say(seat, "LANGUAGE fr")
        assert boxes.say(seat, "1", to=before) == f"order: {seat}"


@pytest.mark.slow
def test_the_seed_is_shown_though_the_seat_was_taken_over(tmp_path: Path) -> None:
    """Else nobody could see whether the dice before that followed from seed and words."""
    with Mailboxes(tmp_path, ("bob",), options={"players": 2, "turns": 3}) as boxes:
        ann, bob = boxes.seats
        desks = {ann: with_a_desk(boxes, ann)}
        boxes.say(bob, "RESEND", to=boxes.put_to(bob))
        desks[bob] = a_desk(boxes, bob)
        desks[bob].read(boxes.letters[bob][-1])
        (keep,) = [raw for raw in boxes.letters[bob] if "keep this" in str(parsed(raw)["Subject"])]
        (file,) = [part for part in parsed(keep).iter_attachments() if part.get_filename() == "spare.json"]
        desks[bob].join(file.get_content(), boxes.now())
        assert send(boxes, desks[bob]) == [f"rekey: {bob}"]
        seen = dict.fromkeys(boxes.seats, 0)
        for _ in range(40):
            for seat, desk in desks.items():
                for letter in boxes.letters[seat][seen[seat] :]:
                    with suppress(UsageError):
                        desk.join(letter, boxes.now()) if ".keys." in str(parsed(letter)["Message-ID"]) else desk.read(
                            letter
                        )
                seen[seat] = len(boxes.letters[seat])
                if seat in boxes.asked and not boxes.robot.house.game(boxes.number).course.missing:
                    with suppress(UsageError):
                        _, view, pack = desk.question(desk.notes())
                        desk.order(desk.notes(), str(next(iter(pack.rules.options(view)))), "", boxes.now())
                send(boxes, desk)
        found = look_at(Log.parse(boxes.robot.house.game(boxes.number).exported().dump()))
        assert found is not None
        assert judged(boxes) == "clean"
        assert (found.seed, found.seats[bob].chain, bool(found.seats[bob].taken)) == ("fits", "fits", True)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("JOIN seven goats\nAnn Miller\n12 Hill Street\n+44 131 496 0123", "seven goats"),
        ("Hi!\n\nJOIN: seven goats\n\nLooking forward to it. My number is 0131 496 0123.\n\nAnn", "seven goats"),
        ("JOIN\n\nseven goats on a hill\n\nKind regards\nAnn Miller", "seven goats on a hill"),
        ("JOIN\n\nBest regards,\nAnn Miller", ""),
        ("JOIN\nAnn Miller", ""),
        ("JOIN seven goats and eleven sheep that stand on a hill near the river\nand look at the moon\nAnn", None),
    ],
)  # fmt: skip
def test_join_publishes_the_words_beside_it_and_nothing_that_stands_below(
    tmp_path: Path, said: str, words: str | None
) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.seats
        assert boxes.say(ann, said) == f"joined: {ann}"
        assert boxes.say(bob, "JOIN six sheep") == f"joined: {bob}"
        wrapped = "seven goats and eleven sheep that stand on a hill near the river and look at the moon"
        assert boxes.entry("join", ann)["x:kept"]["words"] == (wrapped if words is None else words)
