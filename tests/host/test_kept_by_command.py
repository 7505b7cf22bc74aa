"""Players who have only replied to mails, when papers are needed: two copies are merged, and another host goes on, by the commands
that they type, from the letters that they have saved.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from tests.servers.games import pbem

from .mailboxes import Mailboxes, address, parsed, text_of

pytestmark = pytest.mark.slow


def run(home: Path, *words: object, typed: str = "") -> str:
    """What a command says that a player types, whose folder that is; it ends well."""
    env = {"PBEM_HOME": str(home), "PBEM_PASSPHRASE": ""}
    done = CliRunner().invoke(app, [str(word) for word in words], env=env, input=typed)
    assert done.exit_code == 0, f"{words}\n{done.output}"
    return done.output


def save(boxes: Mailboxes, seat: str, folder: Path) -> Path:
    """Save all letters of a seat, and the files attached to them."""
    folder.mkdir()
    for no, raw in enumerate(boxes.letters[seat]):
        (folder / f"{no:02}.eml").write_bytes(raw)
        for file in parsed(raw).iter_attachments():
            data = file.get_payload(decode=True)
            assert isinstance(data, bytes)
            (folder / f"{no:02}.{file.get_filename()}").write_bytes(data)
    return folder


def test_copies_that_two_have_asked_for_by_reply_are_merged_and_judged(tmp_path: Path) -> None:
    """In the middle of the game each opens what its seat may see; together they open more, and the mails are read again."""
    with Mailboxes(tmp_path, options={"players": 2, "turns": 3}) as boxes:
        boxes.begin()
        for seat in list(boxes.asked):
            boxes.say(seat, "1", to=boxes.put_to(seat))
        copies = []
        for seat in boxes.seats:
            boxes.say(seat, "RESEND", to=boxes.put_to(seat))
            found = save(boxes, seat, tmp_path / f"saved by {seat}")
            copies.append(max(found.glob("*.pbem"), key=lambda path: path.stat().st_size))
        number, host = boxes.number, boxes.folder / "host"
    both = tmp_path / "both.pbem"
    pbem("merge", *map(str, copies), "--out", str(both))
    pbem("host", "mails", str(number), str(tmp_path / "mails"), "--dir", str(host))
    for path in (*copies, both):
        assert json.loads(pbem("verify", str(path), "--json"))["verdict"] == "unfinished"
    found = json.loads(pbem("audit", str(both), "--mails", str(tmp_path / "mails"), "--json"))
    assert found["verdict"] == "unfinished"
    assert sorted(found["kept"]["seats"]) == sorted(boxes.seats)
    assert {(one["digest"], one["read"]) for one in found["mails"]} == {("fits", "same")}
    assert sum(path.read_bytes().count(b'["seal"') for path in (both,)) > max(
        path.read_bytes().count(b'["seal"') for path in copies
    )


class Players:
    """Those of a game whose host is gone, each with a folder of his own, and the folders of the other host's mail."""

    def __init__(self, folder: Path, boxes: Mailboxes) -> None:
        self.folder, self.seats, self.host = folder, boxes.seats, folder / "other"
        for seat in self.seats:
            saved = save(boxes, seat, folder / f"saved by {seat}")
            (spare,) = saved.glob("*.spare.json")
            self.run(seat, "key", "--address", address(seat))
            said = self.run(seat, "read", *sorted(saved.glob("*.eml")))
            assert "WARNING" not in said, "a letter to a seat that replies is as its host should write it"
            assert "Keep this mail." in said
            assert "Your own key takes over the seat" in self.run(seat, "join", spare)

    def run(self, seat: str, *words: object, typed: str = "") -> str:
        return run(self.folder / f"home of {seat}", *words, typed=typed)

    def copy(self, seat: str) -> Path:
        return next((self.folder / f"home of {seat}" / "games").glob("*.pbem"))

    def deliver(self) -> list[str]:
        """Bring what lies in the players' trays to the host; return what it decided."""
        for seat in self.seats:
            for letter in sorted((self.folder / f"home of {seat}" / "out").glob("*.eml")):
                (self.host / "mail" / "host" / "new" / f"{seat}.{letter.name}").write_bytes(letter.read_bytes())
                (letter.parent.parent / "sent").mkdir(exist_ok=True)
                letter.rename(letter.parent.parent / "sent" / letter.name)
        said = run(self.folder, "host", "run", "--once", "--dir", self.host)
        return [line for line in said.split("\n") if re.match(r"[a-z]+: ", line)]

    def letters(self, seat: str) -> list[Path]:
        """The new letters to a seat, from now on old ones."""
        box = self.host / "mail" / seat
        (box / "read").mkdir(exist_ok=True)
        new = sorted((box / "new").glob("*.eml"), key=lambda path: path.stat().st_mtime_ns)
        return [path.rename(box / "read" / path.name) for path in new]


def test_another_host_goes_on_from_the_letters_that_were_saved(tmp_path: Path) -> None:
    """The host vanishes with all keys. Another host uses `spare.json`."""
    with Mailboxes(tmp_path, options={"players": 2, "turns": 2}) as boxes:
        boxes.begin()
        for seat in list(boxes.asked):
            boxes.say(seat, "1", to=boxes.put_to(seat))
        boxes.minute += 15
        boxes.fetch()
        players = Players(tmp_path, boxes)
    run(tmp_path, "host", "init", players.host, "--address", "other@example.org")
    seats = [word for seat in players.seats for word in ("--seat", f"{seat}={address(seat)}")]
    run(tmp_path, "host", "adopt", *map(players.copy, players.seats), *seats, "--dir", players.host, "--yes")
    run(tmp_path, "host", "run", "--once", "--dir", players.host)
    for seat in players.seats:
        assert "type “pbem join spare.json”" in players.run(seat, "welcome", "--yes", players.letters(seat)[-1])
    assert players.deliver() == [f"agree: {seat}" for seat in players.seats]
    for seat in players.seats:
        players.run(seat, "join", players.letters(seat)[-1])
    assert players.deliver() == [f"ready: {seat}" for seat in players.seats]
    ann, bob = players.seats
    players.run(ann, "read", *players.letters(ann))
    players.run(ann, "join", *(tmp_path / f"saved by {ann}").glob("*.spare.json"))
    assert players.deliver() == [f"rekey: {ann}"], "from now on the former host has no key of hers"
    for seat in (ann, bob):
        letters = players.letters(seat)
        players.run(seat, "read", *letters)
        players.run(seat, "join", next(path for path in letters if ".keys." in path.name))
    assert players.deliver() == [f"ready: {ann}", f"ready: {bob}"]
    for _ in range(40):
        for seat in players.seats:
            letters = players.letters(seat)
            if letters:
                players.run(seat, "read", *letters)
            text = text_of(letters[-1].read_bytes()) if letters else ""
            if "YOUR CHOICE" in text and (found := re.search(r"^  1  ([A-Z].*)$", text, re.MULTILINE)):
                (tmp_path / "order").write_text(found[1] + "\n", "utf-8")
                players.run(seat, "order", tmp_path / "order", typed="y\n")
        if not players.deliver():
            break
    log = tmp_path / "game.pbem"
    pbem("host", "export", "1", "--out", str(log), "--dir", str(players.host))
    found = json.loads(pbem("audit", str(log), "--json"))
    assert found["verdict"] == "clean", found
    assert (found["kept"]["seed"], sorted(found["kept"]["seats"])) == ("not shown", sorted(players.seats))
    assert {seat: bool(one["taken"]) for seat, one in found["kept"]["seats"].items()} == {ann: True, bob: False}
