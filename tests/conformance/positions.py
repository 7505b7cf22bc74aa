"""Positions: written and read, played anew, and the same under other hash seeds."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from itertools import product

import pytest

from pbem.errors import FormError
from pbem.i18n import languages, speaking
from pbem.kernel import (
    Ask,
    Json,
    fingerprint,
    read_plans,
    written,
)

from .forms import canonical, flaws
from .playing import play, run_elsewhere, take, transcript
from .suite import Suite


class Positions(Suite):
    """A state is its dump, and nothing else."""

    def test_a_position_comes_back_from_its_dump(self) -> None:
        for record in self.records():
            for index in record.every(self.stride):
                state, at = record.stops[index].state, record.at(index)
                position = self.game.dump(state)
                assert not list(flaws(position)), at
                read = json.loads(canonical(position))
                assert read == position, at
                again = self.game.load(read)
                assert again == state, at
                assert self.game.fingerprint(again) == self.game.fingerprint(state), at
                assert self.game.wants(again) == record.stops[index].wants, at

    def test_a_fingerprint_is_that_of_the_dump_whatever_was_written_before(self) -> None:
        rng = random.Random(self.seed)
        for record in self.records():
            for index in rng.sample(range(len(record.stops)), min(len(record.stops), 40)):
                stop = record.stops[index]
                anew = fingerprint(written(self.game.dump(stop.state)), stop.wants)
                assert self.game.fingerprint(stop.state) == anew, record.at(index)

    def test_a_position_with_more_or_less_in_it_is_refused(self) -> None:
        position = self.game.dump(self.game.start(self.options[0]).state)
        every_broken: list[Json] = [{}, [], "position", {**position, "no_such_part": 1}]
        for broken in every_broken:
            with pytest.raises(FormError):
                self.game.load(broken)

    def test_a_replay_gives_the_same_game_step_by_step(self) -> None:
        for record in self.records():
            stop = self.game.start(record.options)
            assert stop == record.stops[0], record.at(0)
            for index, given in enumerate(record.givens, 1):
                stop = self.game.step(stop.state, given)
                assert stop == record.stops[index], record.at(index)

    def test_a_game_goes_on_the_same_from_its_dump_and_its_texts(self) -> None:
        """Nothing is remembered outside the position, no order of seats or keys matters, and no step changes its argument."""
        for record in self.records():
            for index in record.every(self.slow_stride):
                if index == len(record.givens):
                    continue
                stop, given, at = record.stops[index], record.givens[index], record.at(index)
                before = canonical(self.game.dump(stop.state))
                state = self.game.load(json.loads(before))
                if isinstance(stop.wants, Ask):
                    assert isinstance(given, Mapping)
                    views = {seat: self.game.read_view(self.game.view(state, seat)) for seat in given}
                    given = {seat: take(self.game, views[seat], str(given[seat])) for seat in reversed(list(given))}
                assert self.game.step(state, given) == record.stops[index + 1], at
                assert canonical(self.game.dump(state)) == before, f"{at}: the step changed its argument"

    def test_a_game_is_the_same_in_every_language(self) -> None:
        """States, views, facts, questions and the texts of orders know no language; refusals and descriptions may."""
        for language, options in product(languages()[1:], self.options):
            record = play(self.game, options, self.seed, self.hash_limit)
            shown = transcript(record, self.slow_stride, described=False)
            with speaking(language):
                told = play(self.game, options, self.seed, self.hash_limit)
                assert told == record
                assert transcript(told, self.slow_stride, described=False) == shown
                for index in told.every(self.slow_stride):
                    at = told.at(index)
                    given = told.givens[index] if index < len(told.givens) else ()
                    for seat, order in given.items() if isinstance(given, Mapping) else ():
                        assert take(self.game, told.view(index, seat), str(order)) == order, at
                assert [read_plans(self.game, plans) for plans in self.plans] == list(self.plans)

    def test_the_same_bytes_under_other_hash_seeds(self) -> None:
        options = json.dumps(self.options[-1])
        record = play(self.game, json.loads(options), self.seed, self.hash_limit)
        script = (
            "import json, sys; from tests.conformance import play, transcript, game_at\n"
            "where, options, seed, limit, stride = sys.argv[1:]\n"
            "print(transcript(play(game_at(where), json.loads(options), int(seed), int(limit)), int(stride)))"
        )
        args = [self.where, options, str(self.seed), str(self.hash_limit), str(self.slow_stride)]
        for hash_seed in self.hash_seeds:
            there = run_elsewhere(script, args, hash_seed)
            assert there == transcript(record, self.slow_stride), f"PYTHONHASHSEED={hash_seed}"
