"""The command ratings, and how a game becomes a rated one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.host import Office
from pbem.ledger.register import Register
from tests.cli.program import Program
from tests.club.games import EXAMPLES, a_register, ended, entered, known, to_its_end
from tests.host.post import HOST, a_club, key_of
from tests.project.source import ROOT

OF_TWO = ROOT / "tests/golden/logs-of-two/tiny.pbem"
GAME = json.loads(OF_TWO.read_text("utf-8").splitlines()[2])["say"]["game"]


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


def test_games_of_two_count_for_nothing_and_keep_no_list_back(tmp_path: Path, program: Program) -> None:
    (tmp_path / "one.pbem").write_bytes(ended("cli one", "rose", "iain"))
    (tmp_path / "two.pbem").write_bytes(OF_TWO.read_bytes())
    code, said = program("ratings", str(tmp_path))
    assert (code, "Games that count: 1." in said) == (0, True), said
    assert f"{tmp_path / 'two.pbem'}: It is a game of two without a host" in said
    assert json.loads(program("ratings", str(tmp_path), "--json")[1])["left_out"][0]["id"] == GAME


def test_what_cannot_be_read_is_named(tmp_path: Path, program: Program) -> None:
    broken, names = tmp_path / "broken.pbem", tmp_path / "names.txt"
    assert f"There is no .pbem file in {tmp_path}." in program("ratings", str(tmp_path))[1]
    broken.write_text("{", "utf-8")
    code, said = program("ratings", str(tmp_path))
    assert code != 0
    assert str(broken) in said
    names.write_text("Rose SHA256:abc\n", "utf-8")
    assert (
        "line 1: “Rose SHA256:abc” is not a fingerprint with a name"
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
        "--hours",
        "72",
        "--event",
        "Winter league",
    ]
    assert program("host", "new", *words, "--dir", tmp_path)[0] == 0
    office = Office(tmp_path)
    terms = office.robot.house.game(1).ledger.entry(0)["terms"]
    assert (terms["rated"], terms["event"]) == (True, "Winter league")
    office.close()
    code, said = program("host", "new", *words[:4], "--rated", "--dir", tmp_path)
    assert (code, "A rated game needs a time limit" in said) == (2, True)
    code, said = program("host", "new", *words[:-1], "x" * 65, "--dir", tmp_path)
    assert (code, said) == (2, "pbem: The name of an event can have up to 64 letters.\n")


@pytest.mark.slow
def test_a_register_says_which_games_count_and_which_are_missing(tmp_path: Path, program: Program) -> None:
    register, logs, names = a_register(), tmp_path / "logs", tmp_path / "names.txt"
    logs.mkdir()
    older = register.dump()
    played = entered(register, "cli in", "rose", "iain")
    gone = entered(register, "cli gone", "rose", "iain", event="cup")
    never = entered(register, "cli never", "rose", "iain", begins=False)
    (logs / "in.pbem").write_bytes(to_its_end(played))
    (logs / "out.pbem").write_bytes(ended("cli out", "rose", "iain"))
    names.write_text(f"{known('rose')} Rose\n{known('iain')} Iain\n", "utf-8")
    file, before = tmp_path / "register.jsonl", tmp_path / "older.jsonl"
    file.write_bytes(register.dump())
    before.write_bytes(older)
    code, said = program("ratings", logs, "--names", names, "--register", file, "--register", before)
    assert code == 0
    assert "Games that count: 1." in said
    assert f"{logs / 'out.pbem'}: No register given here contains the game." in said
    at, head = "2030-01-01T00:00:00Z", register.head[1]
    assert said.endswith(
        f"{file}: in order; its last line is line 6, with the hash {head}.\n"
        f"Begun, but no log was given; these games count for nobody:\n  {at}  {gone.id[:12]}  tiny  cup  Rose – Iain\n"
        f"Opened, and not begun:\n  {at}  {never.id[:12]}  tiny\n"
    )
    found = json.loads(program("ratings", logs, "--register", file, "--event", "cup", "--json")[1])
    assert [one["id"] for one in found["missing"]] == [gone.id]
    assert found["registers"][0]["head"] == head
    assert "registers" not in json.loads(program("ratings", logs, "--json")[1])


def test_the_first_line_of_a_register_that_is_wrong_is_named(tmp_path: Path, program: Program) -> None:
    register, file, log = a_register(), tmp_path / "register.jsonl", tmp_path / "log.pbem"
    entered(register, "cli wrong", "rose", "iain", event="cup")
    log.write_bytes(ended("cli log", "rose", "iain"))
    file.write_bytes(register.dump().replace(b'"event":"cup"', b'"event":"pup"'))
    code, said = program("ratings", log, "--register", file)
    assert code != 0
    assert f'{file} is not a host\'s register, or it was changed: line 2, “{{"at":' in said
    assert f"its signature is not by the key that keeps the register there, {known('the club')}." in said


@pytest.mark.slow
def test_a_host_gives_its_register_out_takes_it_back_and_hands_it_over(tmp_path: Path, program: Program) -> None:
    out, later = tmp_path / "register.jsonl", tmp_path / "later.jsonl"
    with a_club(tmp_path / "club", terms={"rated": True}) as club:
        club.begin()
    host = ("--dir", tmp_path / "club" / "host")
    code, said = program("host", "register", "--out", out, *host)
    assert code == 0
    found = Register.parse(out.read_bytes())
    assert [line.k for line in found.lines] == ["register", "open", "begin"]
    assert f"Lines: 3; games opened: 1, begun: 1; the last line has the hash\n  {found.head[1]}" in said
    assert "0 lines were taken in." in program("host", "register", "--from", out, *host)[1]
    line = key_of("next").key_line
    assert program("host", "register", "--from", out, "--successor", line, "--yes", *host)[0] == 2
    assert program("host", "register", "--successor", line, "--yes", "--out", later, *host)[0] == 0
    assert later.read_bytes().startswith(out.read_bytes())
    assert Register.parse(later.read_bytes()).key == line
    Office.create(tmp_path / "next", key_of("next"), HOST).close()
    code, said = program("host", "register", "--dir", tmp_path / "next")
    assert (code, "it has opened no rated game" in said) == (2, True)
    assert "4 lines were taken in." in program("host", "register", "--from", later, "--dir", tmp_path / "next")[1]


@pytest.mark.slow
def test_a_backup_that_is_brought_back_asks_for_the_register(tmp_path: Path, program: Program) -> None:
    saved, copy = tmp_path / "saved", tmp_path / "copy.pbem"
    with a_club(tmp_path / "club", terms={"rated": True}) as club:
        host = ("--dir", tmp_path / "club" / "host")
        assert program("host", "backup", saved, *host)[0] == 0
        words = [
            "--seat",
            "ann=a@example.org",
            "--seat",
            "bob=b@example.org",
            "--game",
            "tiny",
            "--players",
            "2",
            "--rated",
            "--hours",
            "72",
        ]
        for _ in range(2):
            code, said = program("host", "new", *words, *host)
            assert code == 0, said
        copy.write_bytes(club.robot.house.game(3).exported().dump())
    said = program("host", "restore", saved, "--replace", "--yes", *host)[1]
    assert (
        "The register of rated games now ends with line 2. If a longer one was given out, bring that one back" in said
    )
    said = program("host", "catch-up", copy, *words[:4], *host)[1]
    assert "The game is rated, but the register here has no line for it" in said
