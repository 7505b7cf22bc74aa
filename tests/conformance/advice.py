"""Advice: what stands in front of a template is legal, the same each time, and follows from what its seat sees."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator

from pbem.games import GamePack
from pbem.i18n import languages, speaking
from pbem.kernel import Ask, Json, View
from pbem.look import Look
from pbem.look.touches import parts

from .playing import Record, game_at, play, run_elsewhere, take
from .touching import Touching


def advised(record: Record, look: Look, stride: int) -> str:
    """Return a digest over all that a look advises in a recorded game."""
    digest = hashlib.sha256()
    for index in record.every(stride):
        wanted = record.stops[index].wants
        for seat in wanted.seats if isinstance(wanted, Ask) else ():
            digest.update(f"{look.advice(record.view(index, seat))}\n".encode())
    return digest.hexdigest()


def advised_elsewhere(where: str, options: Json, seed: int, limit: int, stride: int) -> str:
    """Play a game and return that digest; for another Python."""
    game = game_at(where)
    return advised(play(game, options, seed, limit), GamePack(game, where.partition(":")[0]).look, stride)


class Advice(Touching):
    """What a game advises is looked at where it has a look."""

    def test_what_is_advised_is_legal_and_stands_in_front(self) -> None:
        """On the page and in the terminal, the line without `#` is a built-in player's answer from the seat's view."""
        for at, view, look in self._advising(self.stride):
            advice = look.advice(view)
            assert advice is None or self.game.why_not(view, advice) is None, f"{at}: {advice} is not legal"
            if advice is not None:
                shown = [line for line in look.template(view).split("\n") if not line.startswith("#")]
                assert take(self.game, view, "\n".join(parts(shown).order)) == take(self.game, view, str(advice)), (
                    f"{at}: {shown}"
                )

    def test_twins_are_advised_alike_in_every_language_and_each_time(self) -> None:
        rng = random.Random(self.seed)
        for at, view, look in self._advising(self.slow_stride):
            advice = look.advice(view)
            twin = self.game.determinise(view, rng)
            seen = self.game.read_view(self.game.view(twin, str(view.model_dump()["seat"])))
            for language in languages():
                with speaking(language):
                    assert look.advice(seen) == look.advice(view) == advice, at

    def test_advice_is_the_same_under_other_hash_seeds(self) -> None:
        record = next(self._asked(self.stride))[0]
        assert self.look is not None
        script = (
            "import json, sys; from tests.conformance.advice import advised_elsewhere\n"
            "where, options, seed, limit, stride = sys.argv[1:]\n"
            "print(advised_elsewhere(where, json.loads(options), int(seed), int(limit), int(stride)))"
        )
        args = [self.where, json.dumps(record.options), str(record.seed), str(self.hash_limit), str(self.slow_stride)]
        here = advised(play(self.game, record.options, record.seed, self.hash_limit), self.look, self.slow_stride)
        assert run_elsewhere(script, args, hash_seed="1") == here

    def _advising(self, stride: int) -> Iterator[tuple[str, View, Look]]:
        for at, view in self._questions(stride):
            assert self.look is not None
            yield at, view, self.look
