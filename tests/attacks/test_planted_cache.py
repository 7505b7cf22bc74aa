"""Compiled templates are code: they are read only from a folder in which nobody but the user can put anything.

Each attack has its honest twin: the same folder, private, is used.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from pbem import cached
from pbem.reports.text import environment
from tests.counted import calls

pytestmark = pytest.mark.skipif(os.name != "posix", reason="only there have folders modes")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache folder of its own, which nobody has looked at yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir(mode=0o700)
    cached._private_folder.cache_clear()
    yield tmp_path / "cache"
    cached._private_folder.cache_clear()


def _is_used() -> bool:
    """Is what is written here read again?"""
    cached.write("templates", ["a name"], b"code")
    return cached.read("templates", ["a name"]) is not None


def test_a_private_folder_is_used(home: Path) -> None:
    assert _is_used()
    assert (home / "pbem").stat().st_mode & 0o777 == 0o700
    assert cached.read("templates", ["another name"]) is None
    assert all(place.stat().st_mode & 0o077 == 0 for place in (home / "pbem").rglob("*"))


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o720, 0o702, 0o750, 0o705])
def test_a_folder_that_others_can_use_is_left_alone(home: Path, mode: int) -> None:
    """Another user of the machine plants compiled templates, which are code, in a cache folder that he can write to."""
    (home / "pbem" / "templates").mkdir(parents=True)
    (home / "pbem").chmod(mode)
    assert not _is_used()
    assert not list((home / "pbem" / "templates").iterdir())
    (home / "pbem").chmod(0o700)
    cached._private_folder.cache_clear()
    assert _is_used(), "the honest twin"


@pytest.mark.parametrize("mode", [0o777, 0o775])
def test_a_folder_that_others_can_replace_is_left_alone(home: Path, mode: int) -> None:
    home.chmod(mode)
    assert not _is_used()
    home.chmod(mode | 0o1000)  # as /tmp: nobody renames what is another's
    cached._private_folder.cache_clear()
    assert _is_used(), "the honest twin"


def test_a_link_to_another_folder_is_left_alone(home: Path) -> None:
    (home.parent / "planted").mkdir(mode=0o700)
    (home / "pbem").symlink_to(home.parent / "planted")
    assert not _is_used()
    assert not list((home.parent / "planted").iterdir())


def test_a_folder_of_another_user_is_left_alone(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "pbem").mkdir(mode=0o700)
    monkeypatch.setattr(os, "getuid", partial(int, os.getuid() + 1))
    assert not _is_used()


def test_no_home_and_no_room_are_no_failure(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home.rmdir()
    home.write_bytes(b"a file where the folder should be")
    assert not _is_used()
    monkeypatch.setenv("XDG_CACHE_HOME", "~nobody-of-that-name/cache")
    assert not _is_used()
    assert cached.kept("drawings", ["one"], lambda: b"made") == b"made"


def test_a_damaged_file_counts_as_missing(home: Path) -> None:
    assert _is_used()
    (place,) = (home / "pbem" / "templates").iterdir()
    whole = place.read_bytes()
    for damaged in (b"", whole[:10], whole[:-1], whole[:-1] + b"X", whole + b"X"):
        place.write_bytes(damaged)
        assert cached.read("templates", ["a name"]) is None
    assert cached.kept("templates", ["a name"], lambda: b"again") == b"again"
    assert cached.read("templates", ["a name"]) == b"again"


def test_a_template_is_compiled_once_and_a_changed_one_again(home: Path, tmp_path: Path) -> None:
    """The second process finds it compiled; a changed byte of the template makes it compile."""

    def said(text: str) -> tuple[str, int]:
        (tmp_path / "own").mkdir(exist_ok=True)
        (tmp_path / "own" / "report.txt.j2").write_text(text, "utf-8")
        environment.cache_clear()
        found: list[str] = []
        made = environment(tmp_path / "own")
        compiled = calls(lambda: found.append(made.get_template("report.txt.j2").render(n=50)), "jinja2/parser.py")
        return found[0], compiled

    first, again, changed = said("{{ n }} a"), said("{{ n }} a"), said("{{ n }} b")
    assert (first[0], again[0], changed[0]) == ("50 a", "50 a", "50 b")
    assert first[1] > 0
    assert again[1] == 0
    assert changed[1] > 0
    environment.cache_clear()


def test_the_oldest_go_when_there_are_too_many(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached, "MOST", 10)
    monkeypatch.setattr(cached, "_COUNTS", "")
    for n in range(11):
        cached.write("drawings", [str(n)], b"x")
        for age, file in enumerate(
            sorted((home / "pbem" / "drawings").iterdir(), key=lambda one: one.stat().st_mtime_ns)
        ):
            os.utime(file, (age, age))
    assert len(list((home / "pbem" / "drawings").iterdir())) == 6
    assert cached.read("drawings", ["10"]) == b"x"


def test_what_is_kept_is_not_counted_each_time(home: Path) -> None:
    for n in range(20):
        cached.write("drawings", [str(n)], b"x")
    few = calls(lambda: cached.write("drawings", ["20"], b"x"), "pathlib")
    for n in range(30, 60):
        cached.write("drawings", [str(n)], b"x")
    assert calls(lambda: cached.write("drawings", ["21"], b"x"), "pathlib") == few
