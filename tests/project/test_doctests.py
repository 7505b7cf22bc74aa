"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import pbem

ELSEWHERE = {"pbem.ledger.makers.page"}
"""What runs in a browser only."""
NAMES = {found.name for found in pkgutil.walk_packages(pbem.__path__, "pbem.")} - ELSEWHERE
MODULES = sorted(name for name in NAMES if not name.endswith("__main__"))


@pytest.mark.slow
def test_examples() -> None:
    assert [name for name in MODULES if doctest.testmod(import_module(name)).failed] == []


def test_there_are_examples() -> None:
    tests = doctest.DocTestFinder().find(import_module("pbem.kernel.order"))
    assert sum(bool(test.examples) for test in tests) >= 4
