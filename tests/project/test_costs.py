"""The selection by cost: what it takes, what it names, and that nothing is lost by it."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests import costs
from tests.project.source import ROOT

pytest_plugins = ["pytester"]

CONFTEST = """
import pytest
from tests import costs
from tests.costs import add_options as pytest_addoption, begin as pytest_configure

@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    costs.sort_out(config, items)
"""
INI = """
[pytest]
addopts = --strict-markers -p no:cacheprovider -p no:xdist -p no:hypothesispytest
markers =
    slow: it is
    variants: they are
"""


@pytest.fixture(autouse=True)
def a_project(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makefile(".ini", pytest=INI)


def test_a_test_over_the_most_is_named_and_fails_where_costs_are_held(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costs, "MOST", -1.0)  # what is measured is never less
    pytester.makepyfile("import pytest\ndef test_dear(): pass\n@pytest.mark.slow\ndef test_marked(): pass\n")
    free = pytester.runpytest_inprocess()
    assert free.ret == 0
    free.stdout.fnmatch_lines(["WARNING: *::test_dear needs *"])
    held = pytester.runpytest_inprocess("--hold-costs")
    assert held.ret == 1
    held.stdout.fnmatch_lines(["FAILED: *::test_dear needs *"])
    held.stdout.no_fnmatch_line("*::test_marked needs*")


def test_a_test_little_over_the_most_is_named_and_is_no_failure(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costs, "MOST", -1.0)
    monkeypatch.setattr(costs, "SPREAD", -1e6)
    pytester.makepyfile("def test_dear(): pass\n")
    held = pytester.runpytest_inprocess("--hold-costs")
    assert held.ret == 0
    held.stdout.fnmatch_lines(["WARNING: *::test_dear needs *"])


def test_every_run_takes_two_variants_and_all_are_taken_together(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import pytest\n@pytest.mark.variants\n@pytest.mark.parametrize('n', range(7))\ndef test_it(n): pass\n"
        "@pytest.mark.parametrize('n', range(7))\ndef test_other(n): pass\n"
    )
    pytester.runpytest_inprocess("-m", "not slow").assert_outcomes(passed=9, deselected=5)
    pytester.runpytest_inprocess("-m", "slow").assert_outcomes(passed=5, deselected=9)


def test_each_file_is_in_one_part(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(**{f"test_{name}": "def test_it(): pass" for name in "abcdefgh"})
    taken = [pytester.runpytest_inprocess(f"--part={part}/2", "-v").stdout.str().count("PASSED") for part in range(2)]
    assert sum(taken) == 8
    assert max(taken) < 8


def test_a_run_may_set_its_own_limit(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "LIMITS", {False: 0.05, True: 0.05})
    pytester.makepyfile("import threading\ndef test_waits():\n    threading.Event().wait(0.2)\n")
    pytester.runpytest_inprocess().assert_outcomes(failed=1)
    pytester.runpytest_inprocess("--timeout=0").assert_outcomes(passed=1)


def test_a_test_that_does_not_end_fails_by_its_name_and_with_its_stack(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costs, "LIMITS", {False: 0.05, True: 0.05})
    pytester.makepyfile("import threading\ndef test_hangs():\n    threading.Event().wait()\ndef test_next(): pass\n")
    said = pytester.runpytest_inprocess("-o", "timeout_method=signal")
    said.assert_outcomes(failed=1, passed=1)
    said.stdout.fnmatch_lines(["*threading.Event().wait()*", "E *Timeout*", "FAILED *::test_hangs*"])


HANGS = """
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

@pytest.mark.timeout(1, method="signal")
def test_hangs():
    with ThreadPoolExecutor(1) as pool:
        pool.submit(threading.Event().wait)
        threading.Event().wait()
"""


@pytest.mark.slow
def test_a_test_that_its_limit_cannot_end_is_named_once_and_the_others_go_on(pytester: pytest.Pytester) -> None:
    """By the Makefile's own words; only the last limit is a shorter one here."""
    words = re.search(r"^TRY := .* -m pytest (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    held = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]["ini_options"]
    assert words
    assert held["faulthandler_timeout"] > max(costs.LIMITS.values())
    ends = held["faulthandler_exit_on_timeout"]
    pytester.makeconftest("")
    pytester.makefile(".ini", pytest=f"[pytest]\nfaulthandler_timeout = 3\nfaulthandler_exit_on_timeout = {ends}\n")
    pytester.makepyfile(test_hangs=HANGS, test_well="def test_well(): pass\n")
    found = pytester.runpytest_subprocess(*words[1].replace("-n auto", "-n 2").split(), timeout=100)
    found.assert_outcomes(passed=1, failed=1)
    found.stdout.fnmatch_lines(["FAILED test_hangs.py::test_hangs*crashed*"])
