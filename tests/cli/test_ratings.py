"""The command ratings, and how a game becomes a rated one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.host import Office
from tests.cli.program import Program
from tests.club.games import EXAMPLES, ended, known
from tests.host.post import HOST, key_of


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES))
    return Program(monkeypatch, capsys)


def test_a_folder_of_logs_gives_a_list(tmp_path: Path, program: Program) -> None:
    (tmp_path / "logs").mkdir()
    for no in range(3):
        (tmp_path / "logs" / f"{no}.pbem").write_bytes(ended(f"cli {no}", "rose", "iain", rated=no > 0, event="cup"))
    names = tmp_path / "names.txt"
    names.write_text(f"{known('rose')} Rose\n\n{known('iain')}  Iain of the Isles \n", "utf-8")
    code, said = program("ratings", str(tmp_path / "logs"), "--names", str(names))
    assert code == 0
    assert "Rose" in said
    assert "Iain of the Isles" in said
    assert "Games that count: 2." in said
    assert f"{tmp_path / 'logs' / '0.pbem'}: Its players have not agreed that it is rated." in said
    code, said = program("ratings", str(tmp_path / "logs"), "--event", "cup", "--host", known("the club"), "--json")
    found = json.loads(said)
    assert [row["games"] for row in found["games"]["tiny"]] == [2, 2]
    assert {row["key"] for row in found["games"]["tiny"]} == {known("rose"), known("iain")}
    assert len(found["left_out"]) == 1


def test_what_cannot_be_read_is_named(tmp_path: Path, program: Program) -> None:
    broken, names = tmp_path / "broken.pbem", tmp_path / "names.txt"
    assert f"There is no .pbem file in {tmp_path}." in program("ratings", str(tmp_path))[1]
    broken.write_text("{", "utf-8")
    code, said = program("ratings", str(tmp_path))
    assert code != 0
    assert str(broken) in said
    names.write_text("Rose SHA256:abc\n", "utf-8")
    assert (
        "line 1: “Rose SHA256:abc” is no fingerprint with a name"
        in program("ratings", str(broken), "--names", str(names))[1]
    )


def test_a_host_opens_a_rated_game_of_an_event(tmp_path: Path, program: Program) -> None:
    Office.create(tmp_path, key_of("host"), HOST).close()
    words = [
        "--seat",
        "english=a@example.org",
        "--seat",
        "scottish=b@example.org",
        "--rated",
        "--event",
        "Winter league",
    ]
    assert program("host", "new", *words, "--dir", tmp_path)[0] == 0
    office = Office(tmp_path)
    terms = office.robot.house.game(1).ledger.entry(0)["terms"]
    assert (terms["rated"], terms["event"]) == (True, "Winter league")
    office.close()
    code, said = program("host", "new", *words[:-1], "x" * 65, "--dir", tmp_path)
    assert (code, said) == (2, "pbem: The name of an event has 64 letters at the most.\n")
