"""The suite that every game must pass, written against `pbem.kernel.Game` and nothing behind it.

A game is tested by a class of its own:

    from tests.conformance import Conformance

    class TestTiny(Conformance):
        game = tiny_game.GAME
        where = "tiny_game:GAME"
        plans = ("ACT BANK",)

It is played at random to the end a few times; the checks then go over the recorded games, each with a stride, so that a
game of thousands of steps can be checked in seconds. Every failure names seed and step, so it can be played again:
`play(game, options, seed)`.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pbem.errors import FormError, OrderError, Problem, UsageError
from pbem.kernel import (
    Ask,
    Chance,
    End,
    Fact,
    Game,
    Json,
    Open,
    Order,
    Outcome,
    Release,
    Roll,
    Show,
    Stop,
    View,
    Wants,
    diff,
    fold,
)

_KEY = re.compile(r"[a-z][a-z0-9_:.]{0,47}")
_SEAT = re.compile(r"[a-z][a-z0-9_]{0,39}")
_NO_SEATS = {"host", "state", "pub", "req", "order", "plans"}
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
_MOST = 2**53 - 1

Given = Mapping[str, Order] | Outcome


# Playing and recording


@dataclass(frozen=True)
class Record:
    """A recorded game: `stops[i + 1]` came from `stops[i]` through `givens[i]`."""

    game: Game
    options: Json
    seed: int
    seats: tuple[str, ...]
    stops: tuple[Stop, ...]
    givens: tuple[Given, ...]

    def at(self, index: int) -> str:
        """Say where we are, for a failing assertion."""
        return f"{self.game.id} {self.options} seed {self.seed} step {index}: {self.stops[index].wants}"

    def every(self, stride: int) -> Iterator[int]:
        """Go through every `stride`-th step, beginning elsewhere in each game, and the last."""
        last = len(self.stops) - 1
        return iter(sorted({*range(self.seed % stride, last, stride), last}))

    def view(self, index: int, seat: str | None) -> View:
        return self.game.read_view(self.game.view(self.stops[index].state, seat))


def outcome(chance: Chance, rng: random.Random) -> Outcome:
    """Return what chance could give, as dice and drawn names."""
    return tuple(
        tuple(rng.randrange(request.sides) + 1 for _ in range(request.n))
        if isinstance(request, Roll)
        else tuple(rng.sample(request.of, request.n))
        for request in chance.requests
    )


def answers(game: Game, stop: Stop, rng: random.Random) -> Given:
    """Return something that `stop` could be given: legal orders at random, now and then the default, or an outcome."""
    wanted = stop.wants
    if isinstance(wanted, Chance):
        return outcome(wanted, rng)
    assert isinstance(wanted, Ask)
    given: dict[str, Order] = {}
    for seat in wanted.seats:
        view = game.read_view(game.view(stop.state, seat))
        silent = rng.randrange(12) == 0
        given[seat] = game.default(view) if silent else game.options(view).sample(rng)
        assert not silent or game.why_not(view, given[seat]) is None, f"the default {given[seat]} is not legal"
    return given


def play(game: Game, options: Json, seed: int, limit: int | None = None) -> Record:
    """Play a random game to its end, or for `limit` steps."""
    rng = random.Random(f"{game.id} {seed}")
    stops, givens = [game.start(options)], list[Given]()
    while not isinstance(stops[-1].wants, End) and (limit is None or len(givens) < limit):
        givens.append(answers(game, stops[-1], rng))
        stops.append(game.step(stops[-1].state, givens[-1]))
    return Record(game, options, seed, game.seats(options), tuple(stops), tuple(givens))


def take(game: Game, view: View, text: str) -> Order:
    """Read a typed order and judge it, as a driver does. Raises OrderError."""
    order = game.parse(view, text)
    refusal = game.why_not(view, order)
    if refusal is not None:
        raise OrderError(Problem(0, str(order), *refusal))
    return order


def canonical(value: Json) -> bytes:
    """Return canonical JSON (PROTOCOL 2)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def flaws(value: Json, path: str = "", depth: int = 0, null: bool = False) -> Iterator[str]:
    """Go through what is wrong with a value that shall stand in a log; `null` may stand in patches only."""
    if depth > 12:
        yield f"{path} is nested too deep for a log"
    elif isinstance(value, dict):
        for key, inner in value.items():
            if not (isinstance(key, str) and _KEY.fullmatch(key)):
                yield f"the key {key!r} in {path or 'the top'} has not the form of a key"
            yield from flaws(inner, f"{path}/{key}", depth + 1, null)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from flaws(inner, f"{path}/{index}", depth + 1, null)
    elif type(value) is str:
        if any("\ud800" <= letter <= "\udfff" for letter in value):
            yield f"{path} holds a lone surrogate"
    elif type(value) is int:
        if abs(value) > _MOST:
            yield f"{path} is too large a number"
    elif not (type(value) is bool or (null and value is None)):
        yield f"{path} is {value!r} of type {type(value).__name__}"


def visible(wanted: Wants, seat: str | None) -> Json:
    """Return what `seat` may know of what is wanted: another seat's draw tells its chain only."""
    if isinstance(wanted, End):
        return wanted.result
    hides = isinstance(wanted, Chance) and (wanted.owner not in (None, seat) or not wanted.listed)
    return {"label": wanted.label} if isinstance(wanted, Chance) and hides else wanted.json()


def transcript(record: Record, stride: int = 1) -> str:
    """Return a digest over everything that a recorded game shows: positions, views, facts, wants, answers."""
    game, digest = record.game, hashlib.sha256()
    for index in record.every(stride):
        stop = record.stops[index]
        shown = {
            "dump": game.dump(stop.state),
            "views": [game.view(stop.state, seat) for seat in (None, *record.seats)],
            "events": [repr(event) for event in stop.events],
            "wants": repr(stop.wants),
            "options": _options_in_words(record, index),
        }
        digest.update(canonical(shown))
    digest.update(repr(record.givens).encode())
    return digest.hexdigest()


def _options_in_words(record: Record, index: int) -> dict[str, str]:
    wanted = record.stops[index].wants
    seats = wanted.seats if isinstance(wanted, Ask) else ()
    return {seat: str(record.game.options(record.view(index, seat))) for seat in seats}


@lru_cache(maxsize=64)
def _recorded(game: Game, options: str, seed: int, limit: int) -> Record:
    return play(game, json.loads(options), seed, limit)


# The suite


class Conformance:
    """The checks. A subclass names its game, and tunes how much is played and looked at."""

    game: ClassVar[Game]
    where: ClassVar[str]
    """Where another Python finds the game: `module:NAME`."""
    options: ClassVar[tuple[Json, ...]] = ({},)
    """Each is played `games` times."""
    plans: ClassVar[tuple[str, ...]] = ()
    """Some canonical plans; empty for a game without plans."""
    games: ClassVar[int] = 3
    seed: ClassVar[int] = 1
    limit: ClassVar[int] = 20_000
    """A random game that is not over after so many steps fails."""
    stride: ClassVar[int] = 1
    """For the cheap checks every so many steps are looked at."""
    slow_stride: ClassVar[int] = 3
    """The same for those that make positions up or play on from them."""
    hash_limit: ClassVar[int] = 300
    """So many steps are played anew by another Python."""

    def records(self) -> Iterator[Record]:
        for options in self.options:
            for seed in range(self.seed, self.seed + self.games):
                yield _recorded(self.game, json.dumps(options), seed, self.limit)

    def asked(self, stride: int) -> Iterator[tuple[Record, int, str, View]]:
        """Go through questions: the record, the step, an asked seat and its view."""
        for record in self.records():
            for index in record.every(stride):
                wanted = record.stops[index].wants
                for seat in wanted.seats if isinstance(wanted, Ask) else ():
                    yield record, index, seat, record.view(index, seat)

    # The course of a game

    def test_random_play_comes_to_an_end(self) -> None:
        for record in self.records():
            last = record.stops[-1].wants
            assert isinstance(last, End), f"{record.at(len(record.givens))}: not over after {self.limit} steps"
            assert not list(flaws(last.result)), record.at(len(record.givens))
            assert last.result["winner"] in (*record.seats, ""), record.at(len(record.givens))
            assert last.result["why"], record.at(len(record.givens))

    def test_seats_and_options(self) -> None:
        assert re.fullmatch("[a-z]+", self.game.id)
        for options in self.options:
            seats = self.game.seats(options)
            assert len(set(seats)) == len(seats)
            assert all(_SEAT.fullmatch(seat) and seat not in _NO_SEATS for seat in seats), seats
            full = self.game.options_model.model_validate(options).model_dump(mode="json")
            assert not list(flaws(full))
            assert self.game.start(full) == self.game.start(options), "options that are left out are the defaults"
        with pytest.raises(UsageError):
            self.game.start({"no_such_option_anywhere": 1})

    def test_what_is_wanted_follows_from_the_state_alone(self) -> None:
        for record in self.records():
            for index in record.every(self.stride):
                stop = record.stops[index]
                assert self.game.wants(stop.state) == stop.wants, record.at(index)

    def test_questions_keep_the_protocol(self) -> None:
        for record in self.records():
            marks = dict.fromkeys(record.seats, 0)
            for index, stop in enumerate(record.stops):
                wanted, at = stop.wants, record.at(index)
                if not isinstance(wanted, Ask):
                    continue
                assert wanted.seats, at
                assert list(wanted.seats) == [seat for seat in record.seats if seat in wanted.seats], (
                    f"{at}: seat order"
                )
                assert wanted.secret in ("no", "until resolved", "until end"), at
                assert wanted.secret != "no" or len(wanted.seats) == 1, f"{at}: an open question has one seat"
                if wanted.mark:
                    assert len({marks[seat] for seat in wanted.seats}) == 1, f"{at}: marks stand at different numbers"
                    marks.update({seat: marks[seat] + 1 for seat in wanted.seats})
                if wanted.secret == "no":
                    count = self.game.options(record.view(index, wanted.seats[0])).count()
                    assert count != 1, f"{at}: one legal answer to an open question is not asked for"

    def test_chance_keeps_the_protocol(self) -> None:
        for record in self.records():
            dealt: list[str] = []
            for index, stop in enumerate(record.stops):
                wanted, at = stop.wants, record.at(index)
                if not isinstance(wanted, Chance):
                    continue
                assert wanted.requests, at
                assert wanted.listed or wanted.is_deal, f"{at}: only a deal's list may be hidden"
                for request in wanted.requests:
                    if isinstance(request, Roll):
                        assert request.n >= 1, at
                        assert 1 <= request.sides <= 65536, at
                    else:
                        assert 1 <= request.n <= len(request.of) <= 65536, at
                        assert len(set(request.of)) == len(request.of), f"{at}: a name stands in the list twice"
                if wanted.is_deal:
                    dealt.append(wanted.label)
                    assert wanted.label == f"deal:{len(dealt)}", f"{at}: deals are numbered from 1"
                    assert len(dealt) <= self.game.deals_for(record.options), f"{at}: more deals than the game promised"
                else:
                    assert wanted.label == "pub" or wanted.owner in record.seats, at

    def test_events_keep_the_protocol(self) -> None:
        for record in self.records():
            places: dict[str, int] = {}
            shown: set[tuple[str, str, int]] = set()
            opened: set[tuple[str, int]] = set()
            released: set[str] = set()
            for index, stop in enumerate(record.stops):
                at = record.at(index)
                before = record.stops[index - 1].wants if index else None
                if isinstance(before, Chance) and before.is_deal:
                    places[before.label] = sum(request.n for request in before.requests)
                for event in stop.events:
                    if isinstance(event, Fact):
                        _check_fact(event, record, at)
                        continue
                    assert event.label in places, f"{at}: {event} comes before its deal"
                    if isinstance(event, Release):
                        assert event.label not in released, f"{at}: {event} comes twice"
                        released.add(event.label)
                        every = {(event.label, place) for place in range(places[event.label])}
                        over = isinstance(stop.wants, End)
                        assert over or every <= opened, f"{at}: {event} tells places that are still hidden"
                        continue
                    assert 0 <= event.place < places[event.label], f"{at}: {event} has no such place"
                    if isinstance(event, Show):
                        assert event.seat in record.seats, at
                        assert (event.seat, event.label, event.place) not in shown, f"{at}: {event} comes twice"
                        shown.add((event.seat, event.label, event.place))
                    elif isinstance(event, Open):
                        assert (event.label, event.place) not in opened, f"{at}: {event} comes twice"
                        opened.add((event.label, event.place))

    # Positions

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

    def test_the_same_bytes_under_other_hash_seeds(self) -> None:
        options = json.dumps(self.options[-1])
        record = play(self.game, json.loads(options), self.seed, self.hash_limit)
        script = (
            "import json, sys; from tests.conformance import play, transcript, game_at\n"
            "where, options, seed, limit, stride = sys.argv[1:]\n"
            "print(transcript(play(game_at(where), json.loads(options), int(seed), int(limit)), int(stride)))"
        )
        args = [self.where, options, str(self.seed), str(self.hash_limit), str(self.slow_stride)]
        root = Path(__file__).resolve().parent.parent
        path = os.pathsep.join([str(root), str(root / "examples")])
        for hash_seed in ("1", "2"):
            done = subprocess.run(
                [sys.executable, "-P", "-c", script, *args],
                env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path},
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            assert done.stdout.strip() == transcript(record, self.slow_stride), f"PYTHONHASHSEED={hash_seed}"

    # Views

    def test_views_have_the_form_of_their_model(self) -> None:
        for record in self.records():
            for index in record.every(self.stride):
                for seat in (None, *record.seats):
                    view, at = self.game.view(record.stops[index].state, seat), f"{record.at(index)} seen by {seat}"
                    assert not list(flaws(view)), at
                    read = self.game.read_view(view)
                    assert isinstance(read, self.game.view_model), at
                    assert json.loads(canonical(view)) == view, at
                    assert read.model_dump(mode="json", exclude_none=True, by_alias=True) == view, at

    def test_folding_the_patches_gives_the_views(self) -> None:
        for record in self.records():
            for seat in (None, *record.seats):
                folded: Json = {}
                for index in record.every(self.stride):
                    view = self.game.view(record.stops[index].state, seat)
                    patch = diff(folded, view)
                    assert not list(flaws(patch, null=True)), record.at(index)
                    folded = fold(folded, json.loads(canonical(patch)))
                    assert canonical(folded) == canonical(view), f"{record.at(index)} seen by {seat}"

    # Secrecy

    def test_a_made_up_position_fits_the_view_it_was_made_from(self) -> None:
        """Twins, positions that differ only in what a seat cannot see, give that seat the same view, question and choices."""
        rng = random.Random(self.seed)
        for record in self.records():
            for index in record.every(self.slow_stride):
                stop = record.stops[index]
                for seat in record.seats:
                    at = f"{record.at(index)} seen by {seat}"
                    json_view = self.game.view(stop.state, seat)
                    view = self.game.read_view(json_view)
                    twin = self.game.determinise(view, rng)
                    assert canonical(self.game.view(twin, seat)) == canonical(json_view), at
                    wanted = self.game.wants(twin)
                    assert visible(wanted, seat) == visible(stop.wants, seat), at
                    assert self.game.load(json.loads(canonical(self.game.dump(twin)))) == twin, at
                    if isinstance(stop.wants, Ask) and seat in stop.wants.seats:
                        twins_view = self.game.read_view(self.game.view(twin, seat))
                        assert str(self.game.options(twins_view)) == str(self.game.options(view)), at
                        assert self.game.default(twins_view) == self.game.default(view), at

    def test_a_game_can_be_played_on_from_a_made_up_position(self) -> None:
        rng = random.Random(self.seed)
        for record in self.records():
            for index in islice(record.every(max(self.slow_stride, len(record.stops) // 20)), 20):
                for seat in record.seats:
                    state = self.game.determinise(record.view(index, seat), rng)
                    stop = Stop(state, (), self.game.wants(state))
                    for _ in range(6):
                        if not isinstance(stop.wants, End):
                            stop = self.game.step(stop.state, answers(self.game, stop, rng))

    def test_the_public_knows_no_more_than_any_seat(self) -> None:
        """A public view follows from each seat's view: positions that look the same to a seat look the same to the public."""
        rng = random.Random(self.seed)
        for record in self.records():
            for index in record.every(self.slow_stride):
                public = canonical(self.game.view(record.stops[index].state, None))
                for seat in record.seats:
                    twin = self.game.determinise(record.view(index, seat), rng)
                    assert canonical(self.game.view(twin, None)) == public, f"{record.at(index)} guessed by {seat}"

    def test_what_one_seat_draws_tells_the_others_nothing(self) -> None:
        rng = random.Random(self.seed)
        for record in self.records():
            for index in record.every(self.stride):
                stop = record.stops[index]
                if not (isinstance(stop.wants, Chance) and stop.wants.owner):
                    continue
                drawn = outcome(stop.wants, rng)
                if any(self.lies_open(stop, given) for given in (drawn, record.givens[index])):
                    continue
                other = self.game.step(stop.state, drawn)
                for seat in (None, *record.seats):
                    if seat != stop.wants.owner:
                        at = f"{record.at(index)} heard by {seat}"
                        assert _heard(other, seat) == _heard(record.stops[index + 1], seat), at
                        views = [self.game.view(s.state, seat) for s in (other, record.stops[index + 1])]
                        assert canonical(views[0]) == canonical(views[1]), at

    def lies_open(self, stop: Stop, drawn: Given) -> bool:
        """Say of a draw that by the rules it is seen what was drawn: a subclass names such draws."""
        return False

    # Orders

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
                    _check_problems(error, at)
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
                    _check_problems(error, at)
                else:  # an empty order may be an order: "I pass", "I move nothing"
                    assert rubbish == text, f"{at} was taken"
                    assert order in self.game.options(view), at

    def test_a_seat_that_is_not_asked_cannot_order(self) -> None:
        for record in self.records():
            for index in record.every(self.slow_stride):
                wanted = record.stops[index].wants
                asked = wanted.seats if isinstance(wanted, Ask) else ()
                for seat in set(record.seats) - set(asked):
                    with pytest.raises(OrderError):
                        take(self.game, record.view(index, seat), "XYZZY plugh")

    # Plans

    def test_plans_have_one_text(self) -> None:
        assert self.game.read_plans("") == ""
        assert self.game.read_plans("# nothing planned\n") == ""
        for text in self.plans:
            assert self.game.read_plans(text) == text
            assert self.game.read_plans(f"  {text.lower()}  # in case") == text
        with pytest.raises(OrderError) as caught:
            self.game.read_plans("XYZZY plugh")
        _check_problems(caught.value, "a plan of rubbish")

    def test_plans_answer_as_their_owner_could(self) -> None:
        spoke = dict.fromkeys(self.plans, 0)
        for record, index, seat, view in self.asked(self.stride):
            at, wanted = f"{record.at(index)} asked {seat}", record.stops[index].wants
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


def game_at(where: str) -> Game:
    """Return the game at `module:NAME`."""
    module, _, name = where.partition(":")
    game: Any = getattr(import_module(module), name)
    assert isinstance(game, Game)
    return game


def _heard(stop: Stop, seat: str | None) -> list[Json]:
    return [
        event.heard_by(seat) for event in stop.events if isinstance(event, Fact) and event.heard_by(seat) is not None
    ]


def _check_fact(fact: Fact, record: Record, at: str) -> None:
    assert fact.public is not None or fact.private, f"{at}: a fact that nobody hears"
    assert set(fact.private) <= set(record.seats), at
    for told in [told for told in (fact.public, *fact.private.values()) if told is not None]:
        assert not list(flaws(told)), f"{at}: {told}"
        assert isinstance(told, dict), f"{at}: {told}"
        assert isinstance(told.get("f"), str), f"{at}: {told}"
        assert told["f"], f"{at}: {told}"


def _check_problems(error: OrderError, at: str) -> None:
    assert error.problems, at
    for problem in error.problems:
        assert problem.why.strip(), at
        assert problem.line >= 0, at
