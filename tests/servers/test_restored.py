"""A host is brought back from a backup: people with nothing but s-nail forward its letters, and the game goes on to its end."""

from __future__ import annotations

import json
import time
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.servers.games import a_host, begin, pbem, running

from .nail import PATIENCE, Reader, kind_of, needs_nail
from .people import words_of
from .real import HOST, Servers

pytestmark = [pytest.mark.slow, needs_nail]


def answer(readers: dict[str, Reader], times: int, over: str = "THE GAME IS OVER") -> None:
    """Let whoever is asked reply with the first number, so many times, or until the game is over for all."""
    silent, done = time.monotonic(), 0
    ended: set[str] = set()
    while done < times and len(ended) < len(readers):
        for name, reader in readers.items():
            for letter in reader.new():
                silent = time.monotonic()
                if kind_of(letter) == "report" and over in words_of(letter):
                    ended.add(name)
                elif kind_of(letter) == "report" and "YOUR CHOICE" in words_of(letter) and done < times:
                    if str(letter["Reply-To"]) not in reader.answered:
                        reader.reply(letter, "1")
                        done += 1
        time.sleep(0.1)
        assert time.monotonic() - silent < PATIENCE, "nothing comes any more"


def has_lines(letter: EmailMessage) -> bool:
    return any(str(file.get_filename()).endswith(".pbem") for file in letter.iter_attachments())


def test_letters_are_forwarded_and_the_game_goes_on_where_it_stood(tmp_path: Path, servers: Servers) -> None:
    home, saved = a_host(tmp_path, servers, "imap smtp"), tmp_path / "saved"
    readers = {name: Reader(tmp_path, servers, name) for name in ("ann", "bob")}
    begin(home, "tiny", {name: name for name in readers}, "--option", "players=2", "--option", "turns=3")
    with running(home):
        for name, reader in readers.items():
            reader.reply(reader.wait("invitation"), f"JOIN some words of {name}")
        answer(readers, 2)
        pbem("host", "backup", str(saved), "--dir", str(home))
        answer(readers, 3)
        time.sleep(2)
    log = tmp_path / "before.pbem"
    pbem("host", "export", "1", "--out", str(log), "--dir", str(home))
    entries = [line for line in log.read_bytes().split(b"\n") if line.startswith(b"{")]
    had = {name: [one for one in reader.letters() if has_lines(one)] for name, reader in readers.items()}
    pbem("host", "restore", str(saved), "--replace", "--yes", "--dir", str(home))
    with running(home):
        for name, reader in readers.items():
            assert "please forward the last letter" in " ".join(words_of(reader.wait("wanted", "copy", "held")).split())
            for letter in reversed(had[name]):
                reader.forward(letter, HOST)
                told = reader.wait("reply", "report")
                if kind_of(told) == "report" or "Your copy is here" in words_of(told):
                    break
        for reader in readers.values():
            reader.there = 0  # the questions that were put before still stand, or are put once more
        answer(readers, 99)
    log = tmp_path / "game.pbem"
    pbem("host", "export", "1", "--out", str(log), "--dir", str(home))
    pbem("host", "mails", "1", str(tmp_path / "mails"), "--dir", str(home))
    found = json.loads(pbem("audit", str(log), "--mails", str(tmp_path / "mails"), "--json"))
    assert (found["verdict"], found["kept"]["seed"], found["kept"]["odd"]) == ("clean", "fits", [])
    assert len(entries) > 10
    assert [entry for entry in entries if entry not in log.read_bytes()] == [], "nothing is lost"
    assert {one["read"] for one in found["mails"] if one["digest"] == "fits"} == {"same"}
    assert {one["digest"] for one in found["mails"]} <= {"fits", "missing"}, "what was lost with the store is said"
