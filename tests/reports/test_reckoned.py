"""Text, mail and page of one report ask its game once for what they tell alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pbem.games import find
from pbem.games.hammer.look import HammerLook
from pbem.reports.html import mail, page
from pbem.reports.reckoned import Reckoned, brief, render
from pbem.reports.report import Report, Ways
from tests.hammer.recorded import SEATS, reports

ASKED_ONCE = ("about", "choices", "picture", "question", "story", "tables")


def _counted(name: str, calls: Counter[str]) -> Callable[..., Any]:
    method = getattr(HammerLook, name)

    def counted(*args: Any, **more: Any) -> Any:
        calls[name] += 1
        return method(*args, **more)

    return counted


def _asking(seat: str) -> Report:
    found = [report for report in reports(seat) if report.seat in report.asked]
    return replace(found[len(found) // 2], ways=Ways("https://pbem.example.org/", "default"))


def _all_forms(made: Reckoned) -> tuple[str, ...]:
    return render(made), brief(made), mail(made, "map@example.org"), page(made)


@pytest.mark.parametrize("seat", SEATS)
def test_a_game_is_asked_once_for_all_forms_of_a_report(seat: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[str] = Counter()
    for name in (*ASKED_ONCE, "seen"):
        monkeypatch.setattr(HammerLook, name, _counted(name, calls))
    read = find("hammer").rules.read_view
    monkeypatch.setattr(find("hammer").rules, "read_view", lambda view: (calls.update(["read_view"]), read(view))[1])
    assert all(_all_forms(Reckoned(_asking(seat), find("hammer"))))
    assert calls.pop("seen") in (1, 2), "what is new of the enemy is what was not seen before"
    assert calls == dict.fromkeys((*ASKED_ONCE, "read_view"), 1)


def test_each_form_is_the_same_whether_others_were_made_before_it_or_none() -> None:
    report, pack = _asking("english"), find("hammer")
    alone = tuple(
        make(Reckoned(report, pack)) for make in (render, brief, lambda one: mail(one, "map@example.org"), page)
    )
    assert alone == _all_forms(Reckoned(report, pack))
