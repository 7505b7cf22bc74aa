"""What several tests need of plans: Typed, Remembered, spoken, Stopped, stops."""

from __future__ import annotations

from typing import Any

import pytest

from pbem import private

from .planners import Answer, AtDesk


class Typed:
    """Types what he is told to, one answer after the other."""

    def __init__(self, answers: list[str], along: str = "") -> None:
        self.answers, self.along = iter(answers), along

    def __call__(self, _view: Any, _what: str) -> str:
        return next(self.answers) + self.along


class Remembered:
    """Answers a question that was put before as he did then: so does who is asked again after his machine stood still."""

    def __init__(self, answer: Answer) -> None:
        self.answer, self.said = answer, dict[str, str]()

    def __call__(self, view: Any, what: str) -> str:
        seen = view.model_dump_json()
        if seen not in self.said:
            self.said[seen] = self.answer(view, what)
        return self.said[seen]


def spoken(desk: AtDesk) -> list[dict[str, str]]:
    return [fact for _n, _heard, fact in desk.notes.spoken]


class Stopped(Exception):
    """The machine stands still."""


def stops(patch: pytest.MonkeyPatch, at: int) -> list[int]:
    """Let the writing of files end with the one that is number `at`; return how many there were."""
    count = [0]
    for name in ("put", "write"):
        was = getattr(private, name)

        def write(*given: Any, was: Any = was) -> None:
            count[0] += 1
            if count[0] == at:
                raise Stopped
            was(*given)

        patch.setattr(private, name, write)
    return count
