"""What was learned of sources is kept, believed for the same bytes alone, and never needed."""

from __future__ import annotations

import ast
import json
import sys
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from pbem.games import manifests
from pbem.games.manifests import Imported, Source

ONE = b"import json\nfrom . import board as b\nfrom ..law import *\n\nPOINTS = 3\n"
OTHER = ONE.replace(b"3", b"4")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    _again(monkeypatch)
    return Path(cache_from_source(manifests.__file__)).with_suffix(".json")


def _again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process begins."""
    monkeypatch.setattr(manifests, "_KEPT", manifests._Kept())


def _learned(data: bytes) -> tuple[bool, list[Imported], str]:
    source = Source(data)
    return source.hands_on, source.imports, source.normal


def _unread(_source: object) -> ast.Module:
    raise AssertionError("a source was read")


def test_what_was_learned_is_not_learned_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = _learned(ONE)
    assert first[:2] == (False, [Imported(2, "law", "*"), Imported(1, "", "board"), Imported(0, "json", "")])
    manifests._KEPT.keep()
    assert place.is_file()
    _again(monkeypatch)
    monkeypatch.setattr(ast, "parse", _unread)
    assert _learned(ONE) == first


def test_another_source_is_learned_by_itself(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = _learned(ONE)
    manifests._KEPT.keep()
    _again(monkeypatch)
    assert _learned(OTHER)[2] != first[2]
    assert _learned(b"# the same\n" + ONE)[2] == first[2]


@pytest.mark.parametrize("said", ["", "{", "[]", "{}", '{"way": "another", "known": {}}', '{"way": "another"}'])
def test_what_cannot_be_read_is_learned_anew(place: Path, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    first = _learned(ONE)
    place.parent.mkdir(parents=True)
    place.write_text(said)
    _again(monkeypatch)
    assert _learned(ONE) == first
    manifests._KEPT.keep()
    assert json.loads(place.read_text())["known"]


def test_sources_read_in_another_way_do_not_count(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = _learned(ONE)[2]
    manifests._KEPT.keep()
    kept = json.loads(place.read_text())
    (known,) = kept["known"].values()
    known["normal"] = "0" * 64
    place.write_text(json.dumps({**kept, "way": "another"}))
    _again(monkeypatch)
    assert _learned(ONE)[2] == right


def test_where_python_keeps_nothing_nothing_is_kept(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    _learned(ONE)
    manifests._KEPT.keep()
    assert not place.exists()


def test_where_nothing_can_be_written_all_goes_on(place: Path) -> None:
    place.parent.mkdir(parents=True)
    place.mkdir()
    first = _learned(ONE)
    manifests._KEPT.keep()
    assert _learned(ONE) == first
    assert list(place.parent.iterdir()) == [place], "nothing is left beside it"
