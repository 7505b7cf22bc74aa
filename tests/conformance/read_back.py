"""What is put before a reader stands for one order, and its text reads back as that order, with no word that means another one."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from pbem.games import GamePack
from pbem.kernel import Order, View, next_marks, read_ahead, read_plans, typed
from pbem.look.touches import parts

from .numbered import Numbered
from .playing import take
from .suggested import _alternatives
from .touching import _problems, _spoiled


class ReadBack(Numbered):
    """Suggestions, touches and numbered lines are read back."""

    def test_what_is_offered_reads_back_to_the_order_that_it_stands_for(self) -> None:
        """Every order that is suggested or numbered; every line that a touch or a refusal writes is a line of its order."""
        rng, pack = random.Random(self.seed), GamePack(self.game, self.where.partition(":")[0])
        for record, index, seat, view in self._kinds():
            at = f"{record.at(index)} asked {seat}"
            for order, plans in self._stood_for(view):
                assert self.game.parse(view, str(order)) == order, f"{at}: {order}"
                assert read_plans(self.game, plans) == plans, f"{at}: {plans}"
            for _walk in range(self.walks):
                for touch in self._walk(view, rng, at, aside=1 / 2):
                    if touch.closes:
                        self._check_written(view, touch.draft, f"{at}: {touch}")
            default = str(self.game.default(view)).split("\n")
            for problem in _problems(pack, view, _spoiled(default[0], rng)):
                first = _alternatives(problem.legal)[0]
                self._check_written(view, first.split("; "), f"{at}: {problem}")

    def _stood_for(self, view: View) -> Iterator[tuple[Order, str]]:
        """Go through the orders that a look puts before the reader, with the plans that go along."""
        assert self.look is not None
        if advice := self.look.advice(view):
            yield advice, ""
        yield from ((order, plans) for order, _words, plans in self.look.choices(view))

    def _check_written(self, view: View, lines: Sequence[str], at: str) -> None:
        """Each line is one of the order that the lines make, in its own words; lines beside an order have one text, too.

        A line may have another text where it says what would come of silence: then the order is the same without it.
        """
        said = parts(lines)
        order = take(self.game, view, "\n".join(said.order))
        own = [line for line in said.order if line in str(order).split("\n")]
        assert len(own) == len(said.order) or self._order(view, tuple(own)) == order, f"{at} makes {order}"
        plans = read_plans(self.game, "\n".join(said.plans)).split("\n") if said.plans else []
        assert list(dict.fromkeys(line.removeprefix("PLAN ") for line in said.plans)) == plans, f"{at} makes {plans}"
        marks = next_marks(self.game, 1, "", 2)
        sent = read_ahead(self.game, view, marks, "\n".join(said.ahead))
        again = [line for mark, text in sent.items() for line in typed(mark, text)]
        assert read_ahead(self.game, view, marks, "\n".join(again)) == sent, f"{at} makes {again}"
        bare = [f"{line.partition(': ')[2]} " for line in again]
        for line in said.ahead:  # a number may be left out at the end of a line
            assert any(text.startswith(f"{line.partition(': ')[2]} ") for text in bare), f"{at} makes {again}"
