"""What tests cost, and which of them a run takes.

A test that needs more than a second of a processor is marked slow; `make test` leaves those out. `variants` marks a test with many
parameters that all prove one thing: the first two are for every run, the others are slow.

    pytest --costs=FILE       write what each test cost, as JSON
    pytest --hold-costs       fail if a test that is not marked slow needs clearly more than a second
    pytest --part=K/N         only the files of part K of N

Costs are seconds of a processor, children that have ended with it, as on the machine that LOOP was measured on. What a module or a
session makes for several tests is counted apart.
"""

from __future__ import annotations

import json
import os
import time
import zlib
from collections.abc import Generator, Mapping
from pathlib import Path

import pytest

LOOP = 0.050
"""Seconds that `_loop` takes where a second is a second."""

MOST = 1.0
"""Seconds that a test may need which is not marked slow."""

SPREAD = 1.2
"""A test's cost differs by so much from run to run: where costs are held, what needs no more than that is named, and no failure."""

LIMITS: dict[bool, float] = {False: 240, True: 1200}
"""Seconds on the wall that a test may take, and one that is slow: then it is named as failed, with its stacks. `--timeout` says
otherwise for a run; 0 sets none."""

OF_EVERY_RUN = 2
"""How many variants of a test every run takes."""

_BEGAN: pytest.StashKey[float] = pytest.StashKey()
_SHARED: pytest.StashKey[dict[str, float]] = pytest.StashKey()


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("costs")
    group.addoption("--costs", default="", metavar="FILE", help="write what each test cost to FILE (--costs=FILE)")
    group.addoption(
        "--hold-costs", action="store_true", help="fail if a test that is not marked slow needs over a second"
    )
    group.addoption("--part", default="", metavar="K/N", help="only the files of part K of N")


def begin(config: pytest.Config) -> None:
    """Count from now on; in the process that hears all reports, reckon too."""
    meter = Meter()
    config.pluginmanager.register(meter)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Account(config, meter))


def sort_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark further variants as slow, give each test its limit, and leave out the files of other parts."""
    seen: dict[str, int] = {}
    for item in items:
        name = item.nodeid.partition("[")[0]
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > OF_EVERY_RUN and item.get_closest_marker("variants"):
            item.add_marker(pytest.mark.slow)
        if not item.get_closest_marker("timeout") and config.getoption("timeout", None) is None:
            item.add_marker(pytest.mark.timeout(LIMITS[_is_slow(item)]))
    if part := config.getoption("--part"):
        number, parts = (int(one) for one in part.split("/"))
        kept = [item for item in items if zlib.crc32(item.nodeid.partition("::")[0].encode()) % parts == number % parts]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = kept


def _is_slow(item: pytest.Item) -> bool:
    return item.get_closest_marker("slow") is not None


def _spent() -> float:
    """Return the seconds of a processor that this process has had, and its children that have ended."""
    return sum(os.times()[:4])


def _loop() -> int:
    """Do what takes LOOP: whole numbers, texts and a table."""
    table: dict[str, int] = {}
    for number in range(200_000):
        name = f"{number % 1000}"
        table[name] = table.get(name, 0) + number * 7 % 13
    return len(table)


def _pace() -> float:
    """Return how many times LOOP the loop takes here: the least of three tries."""
    took = []
    for _ in range(3):
        began = time.process_time()
        _loop()
        took.append(time.process_time() - began)
    return min(took) / LOOP


class Meter:
    """Writes into a test's last report what it cost."""

    def __init__(self) -> None:
        self.pace = _pace()
        self._shared = 0.0  # of it, what the test that runs made for others too
        self._within = 0.0  # of a fixture, what others cost that it asked for
        self._gathered = 0.0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self) -> None:
        self._gathered = _spent()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["spent"] = self.account()

    def account(self) -> tuple[float, float]:
        """Return what this process has cost till now, and what of it went to gather the tests."""
        return _spent() / self.pace, self._gathered / self.pace

    def alone(self) -> tuple[float, float]:
        """Return the same without children: those that ran tests give an account of their own."""
        return sum(os.times()[:2]) / self.pace, 0.0

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
    ) -> Generator[None, object, object]:
        if fixturedef.scope == "function":
            return (yield)
        began, outer, self._within = _spent(), self._within, 0.0
        try:
            return (yield)
        finally:
            whole = _spent() - began
            self._shared += whole - self._within
            made = request.config.stash.setdefault(_SHARED, {})
            made[f"{fixturedef.baseid}::{fixturedef.argname}"] = (whole - self._within) / self.pace
            self._within = outer + whole

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._shared = self._within = 0.0
        item.stash[_BEGAN] = _spent()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.when == "teardown":
            report.user_properties += [
                ("cost", (_spent() - item.stash[_BEGAN] - self._shared) / self.pace),
                ("slow", _is_slow(item)),
                ("shared", item.config.stash.get(_SHARED, {})),
            ]
            item.config.stash[_SHARED] = {}
        return report


class Account:
    """Adds up what all processes tell, and says it at the end."""

    def __init__(self, config: pytest.Config, meter: Meter) -> None:
        self._file = config.getoption("--costs")
        self._held = config.getoption("--hold-costs")
        self._meter = meter
        self._tests: dict[str, float] = {}
        self._shared: dict[str, float] = {}
        self._dear: list[str] = []
        self._workers: list[tuple[float, float]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "teardown":
            return
        told: Mapping[str, object] = dict(report.user_properties)
        cost, shared = told.get("cost"), told.get("shared")
        assert isinstance(cost, float)
        assert isinstance(shared, dict)
        self._tests[report.nodeid] = cost
        for name, made in shared.items():
            self._shared[name] = self._shared.get(name, 0) + made
        if cost > MOST and not told["slow"]:
            self._dear.append(report.nodeid)

    def _fails(self, name: str) -> bool:
        return self._tests[name] > MOST * SPREAD

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        spent = getattr(node, "workeroutput", {}).get("spent")
        if spent:
            self._workers.append(tuple(spent))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._held and any(map(self._fails, self._dear)) and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if self._file:
            whole = {"tests": self._tests, "shared": self._shared, "dear": self._dear}
            Path(self._file).write_text(json.dumps(whole, indent=0), encoding="utf-8")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        spent = [*self._workers, self._meter.alone()] if self._workers else [self._meter.account()]
        say = terminalreporter.write_line
        say(
            f"{sum(one for one, _ in spent):.0f} s of a processor, {sum(one for _, one in spent):.0f} of them to gather the tests;"
            f" {sum(self._shared.values()):.0f} for what several share. Pace {self._meter.pace:.2f}."
        )
        for name in self._dear:
            word = "FAILED" if self._held and self._fails(name) else "WARNING"
            say(f"{word}: {name} needs {self._tests[name]:.1f} s of a processor and is not marked slow")
