"""Every benchmark has a smallest size, at which `.ci/run` tries it, and one that breaks is told."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from bench import __main__ as bench

ROOT = Path(__file__).resolve().parents[2]


def test_every_benchmark_has_a_smallest_size() -> None:
    programs = {
        path.stem for path in (ROOT / "bench").glob("*.py") if '\nif __name__ == "__main__":' in path.read_text("utf-8")
    }
    named = [name for name, _said in bench.SMALLEST]
    assert sorted(named) == sorted(programs - {"__main__"}), (
        "bench/__main__.py says how small a benchmark can be: SMALLEST"
    )
    assert {name for name, _said in bench.USUAL} <= programs


def test_what_an_earlier_one_prints_has_an_earlier_one() -> None:
    seen = set[str]()
    for name, said in bench.SMALLEST:
        assert set(re.findall(r"\{(\w+)\}", said)) <= seen, name
        seen.add(name)


def test_ci_runs_them_all() -> None:
    text = (ROOT / ".ci" / "run").read_text("utf-8")
    left_out = set(re.findall(r"bench SIZE=smallest BUT=(\w+)", text))
    assert len(left_out) == 1
    assert left_out == set(re.findall(r"bench SIZE=smallest ONLY=(\w+)", text))


def test_a_broken_benchmark_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert bench.run([("deck", "--nonsense"), ("nowhere", "")], tmp_path) == ["deck", "nowhere"]
    assert "unrecognized arguments: --nonsense" in capfd.readouterr().err


def test_what_one_prints_is_kept_for_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "main_of", lambda name: ["-c", f"import sys; print({name!r}, *map(open, sys.argv[1:]))"])
    assert bench.run([("one", ""), ("two", "{one}")], tmp_path) == []
    assert (tmp_path / "one").read_text("utf-8") == "one\n"
    assert str(tmp_path / "one") in (tmp_path / "two").read_text("utf-8")


def test_a_name_that_is_no_benchmarks_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "keyes"])
    with pytest.raises(SystemExit):
        bench.main()
    assert "there is no keyes; there are " in capsys.readouterr().err
