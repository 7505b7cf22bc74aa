"""Orders sent ahead: each marked question can be answered before it is put, and only as its owner could."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from pbem.errors import OrderError
from pbem.kernel import Ask, Fit, SendingAhead, choose, next_marks, read_ahead, typed

from .orders import check_problems
from .suite import Suite
from .torn import torn


class Ahead(Suite):
    """What is typed for a marked question that comes later."""

    @property
    def marked(self) -> tuple[str, ...]:
        """What can be sent ahead in this game."""
        return self.game.marked if isinstance(self.game, SendingAhead) else ()

    def test_each_seat_is_asked_its_marked_questions_in_turn(self) -> None:
        for record in self.records():
            for seat in record.seats if self.marked else ():
                wants = (stop.wants for stop in record.stops)
                put = [w.what for w in wants if isinstance(w, Ask) and w.mark and seat in w.seats]
                cycle = self.marked * (len(put) // len(self.marked) + 1)
                assert tuple(put) == cycle[: len(put)], f"{record.at(0)}: {seat}"

    def test_what_is_sent_ahead_answers_as_if_it_had_come_when_asked(self) -> None:
        answered = 0
        for record, index, seat, view in self.asked(self.stride):
            wanted = record.stops[index].wants
            assert isinstance(wanted, Ask)
            if not wanted.mark or not self.marked:
                continue
            given = record.givens[index]
            order = given[seat] if isinstance(given, dict) else self.game.default(view)
            text = str(order).replace("\n", "; ")
            (mark, sent), *more = read_ahead(self.game, view, {wanted.what: 9}, f"AHEAD {wanted.what}: {text}").items()
            assert (mark, more) == (9, [])
            found = choose(self.game, view, sent)
            assert isinstance(found, Fit), f"{record.at(index)}: {seat}: {sent}: {list(map(str, found))}"
            assert found.order == order
            assert sent.endswith(text), "an order has one text"
            again = "\n".join(typed(9, sent))
            assert read_ahead(self.game, view, {wanted.what: 9}, again.lower()) == {9: sent}
            answered += 1
        assert answered or not self.marked

    def test_a_line_that_does_not_fit_is_passed_over(self) -> None:
        for record, index, seat, view in self.asked(self.stride * 3):
            wanted = record.stops[index].wants
            assert isinstance(wanted, Ask)
            given = record.givens[index]
            if not wanted.mark or not self.marked or not isinstance(given, dict):
                continue
            text = str(given[seat]).replace("\n", "; ")
            for wrong in ("XYZZY plugh", f"IF XYZZY: {text}", "IF ", "IF : :"):
                found = choose(self.game, view, wrong)
                assert not isinstance(found, Fit), f"{record.at(index)}: {wrong}"
                assert len(found) == 1
                second = choose(self.game, view, f"{wrong}\n{text}")
                assert isinstance(second, Fit)
                assert second.line == text

    def test_what_cannot_be_sent_ahead_is_said(self) -> None:
        view = next(iter(self.asked(1)))[3]
        marks = next_marks(self.game, 1, "", 2)
        assert bool(marks) == bool(self.marked)
        name = self.marked[0] if self.marked else "card"
        for line in (
            "AHEAD",
            f"AHEAD {name} XYZZY",
            "AHEAD XYZZY: PASS",
            f"AHEAD {name}: XYZZY",
            f"AHEAD {name} IF XYZZY: PASS",
            "AHEAD 99: PASS",
        ):
            with pytest.raises(OrderError) as caught:
                read_ahead(self.game, view, marks, line)
            check_problems(caught.value, line)

    def test_whatever_is_sent_ahead_is_refused_or_has_one_text(self) -> None:
        """Torn lines, and names alone, for each marked question, from whatever question the seat is asked now."""
        rng, lines = random.Random(self.seed), self._answers()
        for record, index, seat, view in self.asked(self.stride * 3):
            for name in self.marked if lines else ():
                said = rng.choice([torn(lines, rng), rng.choice(rng.choice(lines).split())])
                text = f"AHEAD {name}: {said}"
                at = f"{record.at(index)} asked {seat}: {text!r}"
                try:
                    (sent,) = read_ahead(self.game, view, {name: 9}, text).values()
                except OrderError as error:
                    check_problems(error, at)
                    continue
                again = "\n".join(typed(9, sent))
                assert read_ahead(self.game, view, {name: 9}, again) == {9: sent}, at

    def _answers(self) -> list[str]:
        """The lines of all answers to marked questions."""
        found = []
        for record in self.records():
            for stop, given in zip(record.stops, record.givens, strict=False):
                if isinstance(stop.wants, Ask) and stop.wants.mark and isinstance(given, Mapping):
                    found += [line for order in given.values() for line in str(order).split("\n")]
        return found
