"""Orders: what is offered is legal, what is typed is read, all else is refused with a reason."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from itertools import islice

import pytest

from pbem.errors import OrderError
from pbem.kernel import (
    Ask,
    Order,
)

from .forms import canonical
from .playing import take
from .suite import Suite
from .torn import torn

_GARBAGE = (
    "",
    "\n\n# only a comment\n",
    "XYZZY plugh",
    "7",
    ":",
    ">",
    "Ünïcödé ∞ \x00 \t",
    "A" * 5000,
    "END",
    "PLAN",
    ", ,",
)
TORN = 4
"""So many torn texts are read at each question that is looked at."""


class Orders(Suite):
    """Offered, typed, refused."""

    def test_what_is_offered_is_legal(self) -> None:
        rng = random.Random(self.seed)
        for record, index, seat, view in self.asked(self.stride):
            at = f"{record.at(index)} asked {seat}"
            options = self.game.options(view)
            first = list(islice(options, 12))
            for order in (*first, *(options.sample(rng) for _ in range(3)), self.game.default(view)):
                assert self.game.why_not(view, order) is None, f"{at}: {order}"
                assert order in options, f"{at}: {order}"
            assert first, f"{at}: nothing is legal"
            assert str(options).strip(), at
            count = options.count()
            if count is not None:
                every = list(options)
                assert len(every) == count == len(set(map(str, every))), at

    def test_an_order_reads_back_from_its_text(self) -> None:
        rng = random.Random(self.seed)
        for record, index, seat, view in self.asked(self.stride):
            orders = [self.game.options(view).sample(rng), self.game.default(view)]
            for order in orders:
                at, text = f"{record.at(index)} asked {seat}: {order}", str(order)
                assert text == text.strip(), at
                assert self.game.parse(view, text) == order, at
                assert type(order).model_validate(json.loads(canonical(order.model_dump(mode="json")))) == order, at
                lines = [f"  {line.lower().replace(' ', '   ')}  # a remark" for line in text.split("\n")]
                typed = "\r\n".join(["# what I think best", "", *lines, "> quoted", "END", "all the best"])
                assert self.game.parse(view, typed) == order, f"{at}: typed loosely"

    def test_an_order_is_either_offered_or_refused_with_a_reason(self) -> None:
        """Orders of other moments: what is not legal here does not parse here, or is told why; and nothing changes."""
        rng = random.Random(self.seed)
        elsewhere = [str(order) for given in self._orders() for order in given.values()]
        refused = 0
        for record, index, seat, view in self.asked(self.slow_stride):
            before = canonical(self.game.dump(record.stops[index].state))
            for text in rng.sample(elsewhere, min(5, len(elsewhere))):
                at = f"{record.at(index)} asked {seat}: {text!r}"
                try:
                    order = self.game.parse(view, text)
                except OrderError as error:
                    check_problems(error, at)
                    refused += 1
                    continue
                refusal = self.game.why_not(view, order)
                assert (order in self.game.options(view)) == (refusal is None), at
                if refusal:
                    assert refusal.why.strip(), at
                    assert not refusal.why.endswith("."), f"{at}: the full stop comes from the problem"
                    refused += 1
            assert canonical(self.game.dump(record.stops[index].state)) == before
        assert refused, "no order of any other moment was ever refused"

    def _orders(self) -> Iterator[Mapping[str, Order]]:
        for record in self.records():
            for given in record.givens[: self.limit]:
                if isinstance(given, Mapping):
                    yield given

    def test_rubbish_is_refused_with_a_reason(self) -> None:
        for record, index, seat, view in self.asked(self.slow_stride):
            text = _GARBAGE[index % len(_GARBAGE)]
            legal = str(self.game.default(view))
            for rubbish in (text, f"{legal}\nXYZZY plugh", f"XYZZY plugh\n{legal}"):
                at = f"{record.at(index)} asked {seat}: {rubbish!r}"
                try:
                    order = take(self.game, view, rubbish)
                except OrderError as error:
                    check_problems(error, at)
                else:  # an empty order may be an order: "I pass", "I move nothing"
                    assert rubbish == text, f"{at} was taken"
                    assert order in self.game.options(view), at

    def test_whatever_is_typed_is_refused_or_has_one_text(self) -> None:
        """Lines that were torn: what breaks over them at a host is never decided, and holds up its game."""
        rng = random.Random(self.seed)
        lines = [line for given in self._orders() for order in given.values() for line in str(order).split("\n")]
        for record, index, seat, view in self.asked(self.slow_stride):
            for _time in range(TORN):
                text = "\n".join(torn(lines, rng) for _line in range(rng.choice([1, 1, 2])))
                at = f"{record.at(index)} asked {seat}: {text!r}"
                try:
                    order = self.game.parse(view, text)
                except OrderError as error:
                    check_problems(error, at)
                else:
                    assert self.game.parse(view, str(order)) == order, at
                    self.game.why_not(view, order)

    def test_a_seat_that_is_not_asked_cannot_order(self) -> None:
        for record in self.records():
            for index in record.every(self.slow_stride):
                wanted = record.stops[index].wants
                asked = wanted.seats if isinstance(wanted, Ask) else ()
                for seat in set(record.seats) - set(asked):
                    with pytest.raises(OrderError):
                        take(self.game, record.view(index, seat), "XYZZY plugh")


def check_problems(error: OrderError, at: str) -> None:
    assert error.problems, at
    for problem in error.problems:
        assert problem.why.strip(), at
        assert problem.line >= 0, at
