"""What is foreseen of an order: it comes to pass, whatever is hidden; and positions that look alike foresee the same."""

from __future__ import annotations

import random
from typing import Any

from pbem.kernel import Fact
from pbem.kernel.knowing import one_step
from pbem.ledger.patch import diff
from pbem.reports.foreseen import foreseen

from .suite import Suite


class Foreseeing(Suite):
    """The preview of a draft."""

    def test_what_is_foreseen_of_an_order_comes_to_pass(self) -> None:
        """Whatever an order is sure to change for its seat, it changes so in the true position."""
        surely = 0
        for record, index, seat, view in self.asked(self.slow_stride):
            given: Any = record.givens[index]
            before = self.game.view(record.stops[index].state, seat)
            found = foreseen(self.game, seat, before, given[seat])
            if found is None:
                continue
            surely += 1
            after, events = one_step(record.stops[index].state, given)
            heard = [event.heard_by(seat) for event in events if isinstance(event, Fact)]
            assert all(fact in heard for fact in found.facts), (
                f"{record.at(index)} asked {seat}, {given[seat]}: {found.facts}"
            )
            wrong = list(_against(found.patch, diff(before, self.game.view(after, seat))))
            assert not wrong, f"{record.at(index)} asked {seat}, {given[seat]}: {wrong}"
            assert view == self.game.read_view(before), "the view was changed"
        assert bool(surely) == self.foresees, surely

    def test_positions_that_look_alike_foresee_the_same(self) -> None:
        rng = random.Random(self.seed)
        for record, index, seat, view in self.asked(self.slow_stride * 5):
            given: Any = record.givens[index]
            twin = self.game.view(self.game.determinise(view, rng), seat)
            here = foreseen(self.game, seat, self.game.view(record.stops[index].state, seat), given[seat])
            assert foreseen(self.game, seat, twin, given[seat]) == here, record.at(index)


def _against(patch: dict[str, Any], true: dict[str, Any]) -> list[str]:
    """Return the keys whose change the true position does not have."""
    found = []
    for key, value in patch.items():
        if key not in true:
            found.append(f"{key}: stays")
        elif isinstance(value, dict) and isinstance(true[key], dict):
            found += [f"{key}.{inner}" for inner in _against(value, true[key])]
        elif value != true[key]:
            found.append(f"{key}: {value} and not {true[key]}")
    return found
