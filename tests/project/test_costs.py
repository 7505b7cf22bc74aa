"""The selection by cost: what it takes, what it names, and that nothing is lost by it."""

from __future__ import annotations

import pytest

from tests import costs

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


def test_a_test_that_does_not_end_fails_by_its_name_and_with_its_stack(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costs, "LIMITS", {False: 0.05, True: 0.05})
    pytester.makepyfile("import threading\ndef test_hangs():\n    threading.Event().wait()\ndef test_next(): pass\n")
    said = pytester.runpytest_inprocess("-o", "timeout_method=signal")
    said.assert_outcomes(failed=1, passed=1)
    said.stdout.fnmatch_lines(["*threading.Event().wait()*", "E *Timeout*", "FAILED *::test_hangs*"])
