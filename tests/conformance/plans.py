"""Plans: one text each, and they answer as their owner could."""

from __future__ import annotations

import random

import pytest

from pbem.errors import OrderError
from pbem.kernel import (
    Ask,
    Planning,
    read_plans,
)

from .orders import check_problems
from .suite import Suite
from .torn import torn

TORN = 3000
"""So many torn plans are read."""


class Plans(Suite):
    """Instructions for what may be asked next."""

    def test_plans_have_one_text(self) -> None:
        assert read_plans(self.game, "") == ""
        assert read_plans(self.game, "# nothing planned\n") == ""
        for text in self.plans:
            assert read_plans(self.game, text) == text
            assert read_plans(self.game, f"  {text.lower()}  # in case") == text
        with pytest.raises(OrderError) as caught:
            read_plans(self.game, "XYZZY plugh")
        check_problems(caught.value, "a plan of rubbish")

    def test_whatever_is_planned_is_refused_or_has_one_text(self) -> None:
        """Lines that were torn; what is read of them can be asked for an answer to any question."""
        rng = random.Random(self.seed)
        lines = [line for text in self.plans for line in text.split("\n")]
        views = [view for _record, _index, _seat, view in self.asked(self.slow_stride)]
        for _time in range(TORN if lines else 0):
            text = torn(lines, rng)
            try:
                read = read_plans(self.game, text)
            except OrderError as error:
                check_problems(error, repr(text))
                continue
            assert read_plans(self.game, read) == read, repr(text)
            if isinstance(self.game, Planning):
                self.game.planned(rng.choice(views), read)

    def test_plans_answer_as_their_owner_could(self) -> None:
        spoke = dict.fromkeys(self.plans, 0)
        for record, index, seat, view in self.asked(self.stride):
            at, wanted = f"{record.at(index)} asked {seat}", record.stops[index].wants
            if not isinstance(self.game, Planning):
                continue
            assert self.game.planned(view, "") is None, f"{at}: no plan covers nothing"
            for text in self.plans:
                planned = self.game.planned(view, text)
                if planned:
                    assert isinstance(wanted, Ask)
                    assert not wanted.mark, f"{at}: marked questions are always put"
                    assert planned.clause.strip(), at
                    assert self.game.why_not(view, planned.order) is None, at
                    spoke[text] += 1
        assert all(spoke.values()), f"some plans never spoke: {spoke}"
