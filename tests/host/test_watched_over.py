"""A host that is watched over: its numbers for a monitor, and what lies in examples/host for whoever runs one."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from pbem.cli.commands import OF_A_HOST
from pbem.host import metrics
from pbem.host.checking import check as check_host
from pbem.host.condition import BACKED_UP, note_well

from .either import can_write, cannot_write
from .post import Club, a_club, moment

HERE = Path(__file__).resolve().parents[2] / "examples" / "host"
LINE = re.compile(r'(pbem_[a-z_]+)(?:\{([a-z]+="[a-z_ ]+")\})? (-?[0-9]+)')


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path / "club", hours=24) as club:
        yield club.begin()


def numbers(text: str) -> dict[tuple[str, str], int]:
    """Read the text as Prometheus does: each number has its help and its type above it."""
    found, described, typed = {}, set(), set()
    for line in text.splitlines():
        if line.startswith("# HELP "):
            described.add(line.split(" ")[2])
        elif line.startswith("# TYPE "):
            assert line.endswith(" gauge")
            typed.add(line.split(" ")[2])
        else:
            read = LINE.fullmatch(line)
            assert read, line
            assert read[1] in described & typed
            found[read[1], read[2] or ""] = int(read[3])
    return found


def test_the_numbers_are_those_of_the_status(club: Club) -> None:
    club.take(b"From: a stranger\n\nNo order.\n")
    status, found = club.office.status(), numbers(club.office.metrics())
    assert found["pbem_games", 'stage="playing"'] == status["games_playing"] == 1
    assert found["pbem_mails", 'what="in"'] == status["mails_in"] > 0
    assert found["pbem_letters", 'what="written"'] == status["mails_out"]
    assert found["pbem_store_bytes", ""] == club.office.store.size() > 0
    momentary = {name for name in metrics._HELP if name.endswith("_timestamp_seconds")}
    assert set(metrics._HELP) - momentary <= {name for name, _ in found} <= set(metrics._HELP)


def test_the_oldest_that_waits_and_the_last_backup_and_check_are_told(club: Club) -> None:
    for number, at in enumerate(("2030-01-01T12:00:00Z", "2030-01-01T11:00:00Z")):
        club.office.store.insert(
            "outbox", message_id=f"<{number}@club>", address="ann@example.org", at=at, kind="ask", sender="", sent=0,
            attempts=0, not_before="", last_error="", raw=b"", seat="ann",
        )  # fmt: skip
    note_well(club.office.store.path, BACKED_UP, "2030-01-02T00:00:00Z")
    status, found = club.office.status(), numbers(club.office.metrics())
    assert status["unsent_since"] == "2030-01-01T11:00:00Z"
    assert found["pbem_since_timestamp_seconds", 'what="unsent"'] == 1893495600
    assert "undecided_since" not in status
    assert status["last_backup"] == "2030-01-02T00:00:00Z"
    assert found["pbem_last_timestamp_seconds", 'what="backup"'] == 1893542400
    assert ("pbem_last_timestamp_seconds", 'what="check"') not in found


def test_alarms_and_dashboard_name_numbers_that_there_are() -> None:
    for name in ("alerts.yml", "dashboard.json"):
        text = (HERE / name).read_text("utf-8")
        named = set(re.findall(r"\bpbem_[a-z_]+", text))
        assert named
        assert named <= set(metrics._HELP)
        kinds = re.findall(r'\{kind=\\?"([a-z]+)', text)
        assert set(kinds) <= set(metrics.TROUBLES)
        whats = re.findall(r'_timestamp_seconds\{what=\\?"([a-z]+)', text)
        assert set(whats) <= {*metrics._MOMENTS.values()}
    assert json.loads(text)["panels"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trouble", "kind"),
    [
        ({"way": "imap", "since": "2030-01-01T00:00:00Z", "why": 'it said "no"'}, "way"),
        ({"mail": 1, "games": [1], "since": "", "tries": 1, "next": "", "why": ""}, "mail"),
        ({"letter": "<1@x>", "to": "ann@example.org", "tries": 1, "why": "", "failed": True}, "letter"),
        ({"held": 1, "due": "", "since": "", "why": ""}, "held"),
        ({"matter": "drawing", "since": "", "why": ""}, "matter"),
    ],
)
def test_a_trouble_is_counted_by_its_kind_and_nobody_is_named(
    club: Club, trouble: dict[str, object], kind: str
) -> None:
    text = metrics.told(club.office.status() | {"troubles": [trouble]}, "2030-01-01T00:00:00Z", 1, 2)
    found = numbers(text)
    assert {kind: n for (name, kind), n in found.items() if name == "pbem_troubles" and n} == {f'kind="{kind}"': 1}
    assert found["pbem_clock_timestamp_seconds", ""] == 1893456000
    assert "example.org" not in text


@pytest.mark.slow
def test_status_says_first_that_nobody_runs_the_host(club: Club) -> None:
    """After an hour without a run, at a lock or a full disk, `status` begins with that."""
    club.office.work(moment(60))
    assert club.office.status(moment(119))["troubles"] == []
    club.office.note("imap", "no", moment(60))
    first, second = club.office.status(moment(121))["troubles"]
    assert first["matter"] == "The host is not at work"
    assert first["since"] == moment(60)
    assert "pbem host run" in first["why"]
    assert second["way"] == "imap"


@pytest.mark.slow
def test_a_nearly_full_disk_is_reported_before_it_is_full(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """`status`, `check`, the monitor's numbers and `door/health` warn in advance, because a full disk takes no notes."""
    monkeypatch.setattr("shutil.disk_usage", lambda _path: SimpleNamespace(free=5_000_000))
    (trouble,) = club.office.status()["troubles"]
    assert trouble["matter"] == "The disk is nearly full"
    assert "4 MB are free" in trouble["why"]
    assert "pbem host tidy" in trouble["why"]
    assert numbers(club.office.metrics())["pbem_disk_free_bytes", ""] == 5_000_000
    assert any("4 MB are free" in said for well, said in check_host(club.office, club.now()) if not well)


@pytest.mark.slow
def test_a_store_that_takes_no_note_has_no_room(club: Club) -> None:
    """As where a database's disk is full, or a quota is used up: the disk of the host's folder has room."""
    club.office.note("imap", "no", moment(60))
    assert club.office.has_room()
    cannot_write(club.office.store)
    club.office.note("letters", "no", moment(61))
    club.office.note("maildir", "", moment(61))
    assert not club.office.has_room()
    can_write(club.office.store)
    club.office.note("letters", "", moment(62))
    assert club.office.has_room()


def test_the_units_call_commands_that_are_there() -> None:
    """What starts the host and what cares for it, and the container: each `pbem host …` is a command of this release."""
    called = set()
    for path in sorted(HERE.iterdir()):
        text = path.read_text("utf-8")
        called |= set(re.findall(r'\bpbem host ([a-z-]+)|"host", "([a-z]+)"|host (init) /', text))
    assert (
        {name for names in called for name in names if name}
        == {"run", "backup", "check", "audit", "pages", "status", "init"}
        <= set(OF_A_HOST)
    )
    for unit in HERE.glob("*.service"):
        read = configparser.ConfigParser(strict=False, interpolation=None)
        read.optionxform = str  # type: ignore[assignment, method-assign]
        read.read_string(unit.read_text("utf-8"))
        assert read["Service"]["User"] == "club", "never root"
        assert shlex.split(read["Service"]["ExecStart"])[0].startswith("/home/club/")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not here")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    """They are judged by systemd itself; programs and accounts that this machine has not are put in their places."""
    for unit in HERE.glob("pbem-*"):
        text = re.sub(r"^(ExecStart)=\S+", "\\1=/bin/true", unit.read_text("utf-8"), flags=re.MULTILINE)
        (tmp_path / unit.name).write_text(re.sub(r"^User=.*$", "User=root", text, flags=re.MULTILINE), "utf-8")
    units = [str(path) for path in sorted(tmp_path.iterdir())]
    told = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, check=False
    )
    assert not [line for line in told.stderr.splitlines() if "pbem-" in line], told.stderr


@pytest.mark.slow
def test_the_care_of_an_hour_leaves_backups_pages_and_numbers(club: Club, tmp_path: Path) -> None:
    host = club.office.folder
    with (host / "host.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[pages]\nfolder = "pages"\n')
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "pbem"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m pbem "$@"\n', "utf-8")
    program.chmod(0o755)
    there = {"PBEM_HOST": str(host), "PBEM_KEPT": str(tmp_path / "kept"), "PBEM_NUMBERS": str(tmp_path / "pbem.prom")}
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    told = subprocess.run(
        [HERE / "care.sh"], env=os.environ | there | {"PATH": path}, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    backups = sorted((tmp_path / "kept").glob("*.sqlite"))
    assert "well   Game 1 (A test): unfinished" in told.stdout
    assert len(backups) == 2
    assert not any(stat.S_IMODE(one.stat().st_mode) & 0o077 for one in [tmp_path / "kept", *backups]), (
        "nobody else reads them"
    )
    for one in backups:
        with sqlite3.connect(one) as store:
            assert store.execute("select count(*) from games").fetchone() == (1,)
    assert (host / "pages" / "index.html").is_file()
    assert numbers((tmp_path / "pbem.prom").read_text("utf-8"))["pbem_games", 'stage="playing"'] == 1
    gone = subprocess.run(
        [HERE / "care.sh"], env=os.environ | there | {"PATH": path, "PBEM_HOST": str(tmp_path / "nothing")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert gone.returncode == 1, "what fails is not passed over"
