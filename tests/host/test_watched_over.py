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
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from pbem.cli.commands import OF_A_HOST
from pbem.host import metrics
from pbem.host.checking import check as check_host
from pbem.host.condition import BACKED_UP, note_well
from pbem.host.store.backup import back_up

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
        == {"run", "backup", "check", "audit", "drill", "pages", "status", "init"}
        <= set(OF_A_HOST)
    )
    for unit in HERE.glob("*.service"):
        read = configparser.ConfigParser(strict=False, interpolation=None)
        read.optionxform = str  # type: ignore[assignment, method-assign]
        read.read_string(unit.read_text("utf-8"))
        assert read["Service"]["User"] == "club", "never root"
        starts = shlex.split(read["Service"]["ExecStart"])[0]
        if unit.name == "pbem-failed@.service":
            assert starts == "/bin/sh"
            continue
        assert starts.startswith("/home/club/")
        assert read["Unit"]["OnFailure"] == "pbem-failed@%n.service"


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


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not here")
@pytest.mark.parametrize("unit", sorted(path.name for path in HERE.glob("*.service")))
def test_a_unit_lets_a_break_in_reach_little(unit: str) -> None:
    """What systemd calls the exposure of a service, from 0 to 10. A step beyond the ceiling is one that somebody has to explain."""
    told = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", HERE / unit],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "unrecognized option" in told.stderr:
        pytest.skip("this systemd-analyze judges no files")
    (exposure,) = re.findall(r"Overall exposure level for \S+: ([0-9.]+)", told.stdout)
    assert float(exposure) <= 2, told.stdout


def test_an_image_takes_the_program_alone_and_all_that_a_host_can_use() -> None:
    project = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    text = (HERE / "Containerfile").read_text("utf-8")
    (extras,) = re.findall(r"'/src\[([a-z,]+)\]'", text)
    assert set(extras.split(",")) == set(project["optional-dependencies"]) - {"dev"}
    assert "HEALTHCHECK " in text
    assert "--restart=always" in text
    lines = (HERE.parents[1] / ".dockerignore").read_text("utf-8").splitlines()
    let_in = {line.removeprefix("!") for line in lines if line.startswith("!")}
    assert "*" in lines
    assert let_in == {
        "pbem",
        "schemas",
        "templates",
        "shelf",
        "pyproject.toml",
        "constraints.txt",
        "README.md",
        "LICENSE",
    }


@pytest.fixture
def program(tmp_path: Path) -> dict[str, str]:
    """An environment in which “pbem” is the program that is tried."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "pbem"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m pbem "$@"\n', "utf-8")
    program.chmod(0o755)
    return os.environ | {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.slow
@pytest.mark.parametrize("way", ["age", "gpg"])
def test_a_backup_goes_elsewhere_encrypted_and_old_ones_go(
    club: Club, program: dict[str, str], tmp_path: Path, way: str
) -> None:
    """What is there can be decrypted with the secret half alone, and is the backup."""
    if not shutil.which(way):
        pytest.skip(f"{way} is not here")
    kept, away = tmp_path / "kept", tmp_path / "away"
    for made in (kept, away):
        made.mkdir()
    back_up(club.office.store, kept / "Mon.sqlite")
    env = program | {"PBEM_KEPT": str(kept), "PBEM_AWAY": str(away), "GNUPGHOME": tempfile.mkdtemp(prefix="pbem-gpg-")}
    if way == "age":
        subprocess.run(["age-keygen", "-o", tmp_path / "secret"], check=True, capture_output=True)
        env["PBEM_RECIPIENT"] = re.findall(r"age1\w+", (tmp_path / "secret").read_text("utf-8"))[0]
        opens = ["age", "-d", "-i", str(tmp_path / "secret")]
    else:
        made_key = ["gpg", "--batch", "--passphrase", "", "--quick-generate-key", "operator@example.org"]
        subprocess.run(made_key, env=env, check=True, capture_output=True)
        env["PBEM_RECIPIENT"], opens = "operator@example.org", ["gpg", "--batch", "-d"]
    for days, day in ((3, "02-10"), (20, "01-20"), (40, "01-01"), (500, "03-01")):
        old = away / f"club-2020-{day}.sqlite.{way}"
        old.write_bytes(b"")
        os.utime(old, (time.time() - days * 86400,) * 2)
    told = subprocess.run([HERE / "away.sh"], env=env, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert "Audited and right: 1" in told.stdout
    *old_ones, new = sorted(path.name for path in away.iterdir())
    assert old_ones == [f"club-2020-01-01.sqlite.{way}", f"club-2020-02-10.sqlite.{way}"]
    assert b"SQLite" not in (away / new).read_bytes()
    opened = subprocess.run([*opens, str(away / new)], env=env, capture_output=True, check=True).stdout
    assert opened == (kept / "Mon.sqlite").read_bytes()
    told = subprocess.run(
        [HERE / "away.sh"], env=env | {"PBEM_RECIPIENT": "nobody"}, capture_output=True, text=True, check=False
    )
    assert told.returncode == 1
    assert "could not be encrypted, and has not been sent" in told.stderr
    shutil.rmtree(env["GNUPGHOME"])


@pytest.mark.slow
def test_the_care_of_an_hour_leaves_backups_pages_and_numbers(
    club: Club, program: dict[str, str], tmp_path: Path
) -> None:
    host = club.office.folder
    with (host / "host.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[pages]\nfolder = "pages"\n')
    there = {"PBEM_HOST": str(host), "PBEM_KEPT": str(tmp_path / "kept"), "PBEM_NUMBERS": str(tmp_path / "pbem.prom")}
    told = subprocess.run([HERE / "care.sh"], env=program | there, capture_output=True, text=True, check=False)
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
        [HERE / "care.sh"], env=program | there | {"PBEM_HOST": str(tmp_path / "nothing")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert gone.returncode == 1, "what fails is not passed over"
