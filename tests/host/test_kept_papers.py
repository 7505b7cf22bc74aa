"""Kept seats and papers: copies from letters united, a complaint with a receipt from a letter; and built-in players beside them."""

from __future__ import annotations

import json
from functools import reduce
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.club.built_in import BuiltIns
from pbem.games import find, manifest
from pbem.host import Office
from pbem.host.store.backup import back_up, restore
from pbem.ledger import Log, complaint, merge, verify
from pbem.ledger.kept import look_at
from pbem.mail import read_message
from pbem.referee.audit import audit

from .mailboxes import Mailboxes, parsed
from .post import key_of


def copy_of(boxes: Mailboxes, seat: str) -> Log:
    """What a player has who has kept all his letters: their lines, one behind the other."""
    found = [read_message(raw).log for raw in boxes.letters[seat] if ".receipt." not in str(parsed(raw)["Message-ID"])]
    return Log.parse(b"".join(log for log in found if log and not log.lstrip().startswith(b'{\n "game"')))


def test_copies_from_letters_are_united(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        boxes.begin().play()
        whole = boxes.robot.house.game(boxes.number).exported().dump()
        copies = [copy_of(boxes, seat) for seat in boxes.seats]
    united = reduce(merge, copies)
    assert verify(united.dump()).verdict == "clean"
    assert merge(united, Log.parse(whole)).entries == united.entries
    one, other = look_at(united), look_at(Log.parse(whole))
    assert one is not None
    assert one == other


@pytest.mark.slow
def test_who_replies_can_show_that_his_order_was_left_out(tmp_path: Path) -> None:
    """The receipt comes with a letter; a host that has forgotten the order lets the time run out."""
    with Mailboxes(tmp_path, hours=24) as boxes:
        ann, bob = boxes.begin().seats
        place = tmp_path / "saved"
        back_up(boxes.office.store, place)
        boxes.say(ann, "1", to=boxes.put_to(ann))
        (receipt,) = [raw for raw in boxes.letters[ann] if ".receipt." in str(parsed(raw)["Message-ID"])]
        got, signed = map(json.loads, read_message(receipt).log.splitlines())
        boxes.office.close()
        restore(place, boxes.folder / "host" / "pbem.sqlite", key_of("host").key_line, replace=True)
        boxes.office = Office(boxes.folder / "host")
        boxes.say(bob, "1", to=boxes.put_to(bob))
        boxes.minute += 25 * 60
        boxes.robot.tick(boxes.now())
        boxes.fetch()
        assert [one.fields["to"] for one in boxes.log().entries if one.k == "skip"] == [ann]
        boxes.play()
        log = boxes.robot.house.game(boxes.number).exported().dump()
    found = complaint(signed, got, log)
    assert (found.verdict, found.code, found.party) == ("fault", "DROPPED", "host"), found
    (tmp_path / "game.pbem").write_bytes(log)
    (tmp_path / "letter.eml").write_bytes(receipt)
    (tmp_path / "attached.pbem").write_bytes(read_message(receipt).log)
    for letter in ("letter.eml", "attached.pbem"):
        words = [
            "complain",
            str(tmp_path / "game.pbem"),
            str(tmp_path / letter),
            "--receipts",
            str(tmp_path / "attached.pbem"),
        ]
        assert "DROPPED" in CliRunner().invoke(app, [*words, "--json"]).output


@pytest.mark.slow
def test_a_kept_seat_plays_against_a_built_in_player(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, ()) as boxes:
        ann, bob = boxes.seats
        words = ["host", "new", "--dir", str(boxes.folder / "host"), "--game", "tiny", "--option", "players=2"]
        seats = ["--option", "turns=2", "--seat", f"{ann}={ann}@example.org", "--seat", f"{bob}=sensible"]
        done = CliRunner().invoke(app, [*words, *seats], env={"PBEM_PASSPHRASE": ""})
        assert done.exit_code == 0, (done.output, done.exception)
        boxes.office.beside = BuiltIns(boxes.office).attend
        boxes.number = 2
        boxes.fetch()
        assert boxes.say(ann, "JOIN me") == f"joined: {ann}"
        for _ in range(20):
            if boxes.log().finished:
                break
            boxes.fetch()
            if ann in boxes.robot.house.game(2).waiting():
                assert boxes.say(ann, "1", to=boxes.put_to(ann)) == f"order: {ann}"
        data = boxes.robot.house.game(2).exported().dump()
    assert audit(data, lambda name: (find(name).rules, manifest(find(name))[1])).verdict.verdict == "clean"
    found = look_at(Log.parse(data))
    assert found is not None
    assert (list(found.seats), found.outside, found.all_kept, found.seed) == ([ann], (), True, "fits")
