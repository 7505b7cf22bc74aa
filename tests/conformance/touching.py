"""Touches: what can be touched is legal, what is legal can be touched; from a view alone, the same each time, and well named."""

from __future__ import annotations

import hashlib
import heapq
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import ClassVar

import pytest

from pbem.errors import OrderError, Problem
from pbem.games import GamePack
from pbem.games.touching import taken
from pbem.i18n import languages, speaking
from pbem.kernel import Ask, Fact, Json, Order, View, next_marks, read_ahead, read_plans
from pbem.look import Look
from pbem.look.offers import WIDTH
from pbem.look.touches import AHEAD, END, PLAN, Touch, first_word, parts

from .forms import flaws
from .playing import Record, answers, game_at, play, run_elsewhere, take
from .suite import Suite
from .torn import torn_draft

Draft = tuple[str, ...]
_AT = re.compile(r"[a-z]+(:\S.*)?")
_ASIDE = (f"choice:{PLAN}", f"choice:{AHEAD}")
LONG = 60
"""A walk goes on at random for so many touches at the most, and then takes the first that closes."""
MOST = 3_000
"""A search that asks for touches more often than so has lost its way."""
LISTED = 120
"""Orders are compared with all that touches can reach where there are no more of them."""
ASTRAY = 100
"""So far off is an order when a line of it has ended that is not wanted."""
CLOSED = 6
"""So many of the touches of a draft that close are looked at."""
OTHERS = 20
"""So many answers of those who are asked at the same time are tried."""
ODD = 6
"""So many drafts on a way are torn."""


def touched(record: Record, look: Look, stride: int) -> str:
    """Return a digest over all touches of a recorded game, one way down from each question."""
    digest = hashlib.sha256()
    for index in record.every(stride):
        wanted = record.stops[index].wants
        for seat in wanted.seats if isinstance(wanted, Ask) else ():
            view = record.view(index, seat)
            draft: Draft = ()
            while touches := [touch for touch in look.touches(view, draft) if touch.at != END]:
                digest.update(repr(touches).encode())
                draft = touches[len(draft) % len(touches)].draft
                if len(draft) > 3:
                    break
    return digest.hexdigest()


def touched_elsewhere(where: str, options: Json, seed: int, limit: int, stride: int) -> str:
    """Return the same digest for a game that another Python finds at `module:NAME`."""
    game = game_at(where)
    return touched(play(game, options, seed, limit), GamePack(game, where.partition(":")[0]).look, stride)


class Touching(Suite):
    """What may be done next."""

    walks: ClassVar[int] = 2
    """So many walks are made at each question."""
    spelled_out: ClassVar[tuple[str, ...]] = ()
    """Verbs behind which a word may say what would come of silence, or what only a later line makes a difference of."""

    def test_what_is_touched_to_its_end_is_legal(self) -> None:
        """From each draft on the way more touches lead to one that closes, and what is closed is legal."""
        rng = random.Random(self.seed)
        for at, view in self._questions(self.stride):
            for _ in range(self.walks):
                for touch in self._walk(view, rng, at, aside=1 / 4):
                    if touch.closes:
                        self._check_whole(view, touch, at)

    def test_what_is_legal_can_be_touched(self) -> None:
        """Where the legal orders are few, touches reach these and no others; else every order that is given or found is reached."""
        rng = random.Random(self.seed)
        for record, index, seat, view in self._asked(self.slow_stride):
            at, options = f"{record.at(index)} asked {seat}", self.game.options(view)
            count = options.count()
            if count is not None and count <= LISTED and (found := self._all_reached(view)) is not None:
                assert sorted(found) == sorted(self._normal(order) for order in options), at
                continue
            given = record.givens[index]
            orders = [given[seat]] if isinstance(given, Mapping) and seat in given else []
            for order in (*orders, self.game.default(view), options.sample(rng), *islice(options, 2)):
                self._check_reached(view, order, at)

    def test_what_a_touch_adds_to_an_order_has_an_effect(self) -> None:
        """A whole order, and the same with one touch more: somebody who sees all tells them apart, whatever the others answer."""
        rng = random.Random(self.seed)
        for record, index, seat, view in self._asked(self.slow_stride):
            draft: Draft = ()
            while ways := [touch for touch in self._touches(view, draft) if touch.at not in (END, *_ASIDE)]:
                touch = rng.choice(ways)
                before, after = self._order(view, draft), self._order(view, touch.draft)
                if (
                    before
                    and after
                    and str(before) != str(after)
                    and first_word(touch.draft[-1]) not in self.spelled_out
                ):
                    told = f"{record.at(index)} asked {seat}: {touch} after {draft}"
                    assert self._comes(record, index, seat, before) != self._comes(record, index, seat, after), told
                draft = touch.draft

    def _order(self, view: View, draft: Draft) -> Order | None:
        """Return the order of a draft; None where it is not whole."""
        try:
            return take(self.game, view, "\n".join(parts(draft).order))
        except OrderError:
            return None

    def _comes(self, record: Record, index: int, seat: str, order: Order) -> list[list[Json | None]]:
        """Return what all seats see and hear after an order, with each of several answers of those also asked."""
        rng, stop = random.Random(index), record.stops[index]
        wanted = stop.wants
        given = [
            answers(self.game, stop, rng) for _time in range(OTHERS if len(getattr(wanted, "seats", ())) > 1 else 1)
        ]
        came = [self.game.step(stop.state, {**one, seat: order}) for one in given if isinstance(one, Mapping)]
        return [
            [
                self.game.view(stop.state, one),
                *(event.heard_by(one) for event in stop.events if isinstance(event, Fact)),
            ]
            for stop in came
            for one in record.seats
        ]

    def test_plans_can_be_touched(self) -> None:
        for at, view in islice(self._questions(self.stride), 3):
            for text in self.plans:
                begun = next((touch.draft for touch in self._touches(view, ()) if touch.at == _ASIDE[0]), ())
                drafts = self._towards(view, begun, [f"PLAN {line}" for line in text.split("\n")])
                found = (draft for draft in drafts if self._is_plan(draft, text))
                assert next(found, None), f"{at}: touches do not reach the plan {text}"

    def test_what_is_sent_ahead_can_be_touched(self) -> None:
        """Every order that was given to a marked question, as one that its seat might have sent with the answer before it."""
        tried = 0
        for record in self.records():
            before: dict[str, tuple[View, Order]] = {}
            for index, stop in enumerate(record.stops):
                wanted = stop.wants
                for seat in wanted.seats if isinstance(wanted, Ask) else ():
                    given = record.givens[index]
                    if isinstance(wanted, Ask) and wanted.mark and seat in before and isinstance(given, Mapping):
                        tried += 1
                        if tried % self.slow_stride == 0:
                            self._check_ahead(*before[seat], wanted.what, str(given[seat]), record.at(index))
                    if isinstance(given, Mapping):
                        before[seat] = record.view(index, seat), given[seat]

    def _check_ahead(self, view: View, answer: Order, what: str, order: str, at: str) -> None:
        line = f"AHEAD {what.upper()}: {'; '.join(order.splitlines())}"
        try:
            read_ahead(self.game, view, {what: 9}, line)
        except OrderError:
            return  # it could not have been said by then
        whole = tuple(str(answer).split("\n"))
        todo = [touch.draft for touch in self._touches(view, whole) if touch.at == _ASIDE[1]]
        seen = set(todo)
        while todo:
            ways = [one for one in self._touches(view, todo.pop()) if line.startswith(one.draft[-1])]
            if any(touch.closes and touch.draft[-1] == line for touch in ways):
                return
            further = {touch.draft for touch in ways if first_word(touch.draft[-1]) == AHEAD} - seen
            todo += further  # each draft once: a touch may lead back to a draft of before
            seen |= further
        raise AssertionError(f"{at}: touches do not reach {line!r}")

    def test_touches_follow_from_the_view_alone(self) -> None:
        """Twins, which look alike to a seat, are touched alike; a language changes labels and notes, and nothing else."""
        rng = random.Random(self.seed)
        for record, index, seat, view in self._asked(self.slow_stride):
            at = f"{record.at(index)} asked {seat}"
            twin = self.game.read_view(self.game.view(self.game.determinise(view, rng), seat))
            draft: Draft = ()
            for touch in self._walk(view, rng, at, aside=1 / 8):
                touches = self._touches(view, draft)
                assert self._touches(twin, draft) == touches, f"{at}: {draft} is touched otherwise by a twin"
                for language in languages()[1:]:
                    with speaking(language):
                        told = self._touches(view, draft)
                    assert [_bare(one) for one in told] == [_bare(one) for one in touches], f"{at}: {draft}"
                    _check_names(told, f"{at}: {draft} in {language}")
                draft = touch.draft

    def test_cards_follow_from_the_view_alone(self) -> None:
        """Twins have the same cards before them; what can be touched as a card of theirs is called so in the touch, too."""
        if self.look is None or type(self.look).cards is Look.cards:
            pytest.skip("this game lays no cards out")
        rng = random.Random(self.seed)
        for record, index, seat, view in self._asked(self.slow_stride):
            at = f"{record.at(index)} asked {seat}"
            twin = self.game.read_view(self.game.view(self.game.determinise(view, rng), seat))
            rows = self.look.cards(view)
            assert rows == self.look.cards(twin), f"{at}: a twin has other cards"
            assert all(row.title and row.backs >= 0 and all(card.name for card in row.cards) for row in rows), at
            public = self.game.read_view(self.game.view(record.stops[index].state, None))
            assert not self.look.cards(public), f"{at}: the public has cards before it"

    def test_dice_that_fall_are_those_of_the_facts(self) -> None:
        """Each die stands in the fact that tells of it, and each fact with dice has a sentence."""
        look = self.look
        if look is None or type(look).rolled is Look.rolled:
            pytest.skip("this game lets no dice fall")
        heard = (
            event.public
            for record in self.records()
            for stop in record.stops
            for event in stop.events
            if isinstance(event, Fact)
        )
        for fact in filter(None, heard):
            if rolled := look.rolled(fact):
                assert rolled.dice, fact
                assert all(str(die.shows) in json.dumps(fact) for die in rolled.dice), fact
                assert look.fact(fact, None), fact

    @pytest.mark.slow
    def test_touches_are_the_same_under_other_hash_seeds(self) -> None:
        record = next(self._asked(self.stride))[0]
        script = (
            "import json, sys; from tests.conformance.touching import touched_elsewhere\n"
            "where, options, seed, limit, stride = sys.argv[1:]\n"
            "print(touched_elsewhere(where, json.loads(options), int(seed), int(limit), int(stride)))"
        )
        args = [self.where, json.dumps(record.options), str(record.seed), str(self.hash_limit), str(self.slow_stride)]
        assert self.look is not None
        here = touched(play(self.game, record.options, record.seed, self.hash_limit), self.look, self.slow_stride)
        assert run_elsewhere(script, args, hash_seed="1") == here

    def test_nobody_is_offered_touches_without_a_question(self) -> None:
        for record in self.records():
            for index in record.every(self.slow_stride):
                wanted = record.stops[index].wants
                asked = wanted.seats if isinstance(wanted, Ask) else ()
                for seat in (None, *record.seats):
                    if seat not in asked:
                        assert not self._touches(record.view(index, seat), ()), f"{record.at(index)}: {seat}"

    def test_what_a_question_is_about_is_said_in_no_language(self) -> None:
        """It is plain JSON, from the view alone; who is not asked has none."""
        for record in self.records():
            for index in record.every(self.slow_stride):
                wanted = record.stops[index].wants
                for seat in (None, *record.seats) if self.look else ():
                    said = self._matters(record.view(index, seat))
                    assert not (said and seat not in getattr(wanted, "seats", ())), f"{record.at(index)}: {seat}"

    def _matters(self, view: View) -> Mapping[str, Json]:
        assert self.look is not None
        said = self.look.matter(view)
        assert not [*flaws(said)], said
        again = self.game.read_view(view.model_dump(mode="json", exclude_none=True))
        for language in languages():
            with speaking(language):
                assert self.look.matter(again) == said
        return said

    def test_a_draft_that_is_none_is_touched_no_further(self) -> None:
        for at, view in self._questions(self.slow_stride):
            for draft in (("XYZZY plugh",), ("",), ("XYZZY", "PLAN XYZZY"), ("AHEAD XYZZY: plugh",), (">", ":")):
                for touch in self._touches(view, draft):
                    assert draft in ((), ("",)), f"{at}: {touch} goes on with {draft}"

    def test_no_draft_is_too_odd(self) -> None:
        """Lines that were typed between touches, torn or doubled: at most nothing goes on with them."""
        rng = random.Random(self.seed)
        for at, view in self._questions(self.slow_stride):
            draft: Draft = ()
            for _step in range(ODD):
                _check_names(self._touches(view, odd := torn_draft(draft, rng)), f"{at}: {odd}")
                ways = self._touches(view, draft)
                if not ways:
                    break
                draft = rng.choice(ways).draft

    def test_order_lines_to_type_over_are_legal_as_they_stand(self) -> None:
        """The first lines of a template; and of those behind the mark each can be taken in their place, or beside them."""
        for at, view in self._questions(self.stride):
            assert self.look is not None
            shown = self.look.template(view)
            plain = parts([line for line in shown.split("\n") if not line.startswith("#")])
            assert self._makes(view, plain.order), f"{at}: {shown}"
            read_ahead(self.game, view, next_marks(self.game, 1, "", 2), "\n".join(plain.ahead))
            assert all(len(line) <= WIDTH for line in shown.split("\n")), f"{at}: {shown}"

    def test_what_enter_gives_is_one_touch(self) -> None:
        """What a look offers at a question is a legal order, which one touch makes; so a list can show what Enter is."""
        for at, view in self._questions(self.stride):
            assert self.look is not None
            if offered := self.look.offered(view):
                made = [self._makes(view, touch.draft) for touch in self._touches(view, ()) if touch.closes]
                assert self._makes(view, (offered,)) in made, f"{at}: {offered}"

    def test_what_a_refusal_says_is_possible_is_legal(self) -> None:
        """Whatever a line is spoiled to, the first that could stand there can be typed and goes on to an order."""
        rng, pack = random.Random(self.seed), GamePack(self.game, self.where.partition(":")[0])
        for record, index, seat, view in self._asked(self.slow_stride):
            given = record.givens[index]
            order = str(given[seat] if isinstance(given, Mapping) and seat in given else self.game.default(view))
            typed = _spoiled(order.split("\n", maxsplit=1)[0], rng)
            for problem in _problems(pack, view, typed):
                told = f"{record.at(index)}: {typed!r}: {problem}"
                assert problem.legal, told
                assert self._makes(view, tuple(problem.legal.split(", or ")[0].split("; "))), told

    # how it is looked at

    def _asked(self, stride: int) -> Iterator[tuple[Record, int, str, View]]:
        if self.look is None or type(self.look).touches is Look.touches:
            pytest.skip("this game has no touches")
        return self.asked(stride)

    def _questions(self, stride: int) -> Iterator[tuple[str, View]]:
        for record, index, seat, view in self._asked(stride):
            yield f"{record.at(index)} asked {seat}", view

    def _touches(self, view: View, draft: Draft) -> tuple[Touch, ...]:
        if self.look is None:
            pytest.skip("this game has no touches")
        return tuple(self.look.touches(view, draft))

    def _walk(self, view: View, rng: random.Random, at: str, aside: float) -> Iterator[Touch]:
        """Go through the touches of a walk, until one closes and, now and then, farther. Each draft's touches are well named."""
        draft: Draft = ()
        for step in range(LONG * 2):
            touches = self._touches(view, draft)
            _check_touches(touches, draft, f"{at}: {draft}")
            assert self._touches(view, draft) == touches, f"{at}: {draft} is touched otherwise the second time"
            yield from (touch for touch in _some(touches, rng) if touch.closes)
            ways = [touch for touch in touches if touch.at not in _ASIDE or rng.random() < aside]
            closing = [touch for touch in ways if touch.closes]
            assert ways or step, f"{at}: nothing can be touched"
            assert touches, f"{at}: {draft} is a dead end"
            touch = rng.choice(closing if step > LONG and closing else ways or touches)
            yield touch
            if touch.at == END or (touch.closes and (step > LONG or not rng.randrange(3))):
                return
            if touch.closes and not self._touches(view, touch.draft):
                return
            draft = touch.draft
        raise AssertionError(f"{at}: {draft} is not closed after {LONG * 2} touches")

    def _check_whole(self, view: View, touch: Touch, at: str) -> None:
        """Whoever sends the draft of a touch that closes is not refused."""
        lines = parts(touch.draft)
        try:
            take(self.game, view, "\n".join(lines.order))
            read_plans(self.game, "\n".join(lines.plans))
            read_ahead(self.game, view, next_marks(self.game, 1, "", 2), "\n".join(lines.ahead))
        except OrderError as error:
            raise AssertionError(f"{at}: {touch} closes what is refused") from error

    def _all_reached(self, view: View) -> set[str] | None:
        """Return all orders that touches close, in their normal form; None where there are too many ways to make them."""
        todo, seen, found = list[Draft]([()]), set[Draft]([()]), set[str]()
        while todo:
            for touch in self._touches(view, todo.pop()):
                if touch.at in _ASIDE:
                    continue
                if touch.closes:
                    found.add(self._normal(take(self.game, view, "\n".join(touch.draft))))
                if touch.draft not in seen:
                    seen.add(touch.draft)
                    todo.append(touch.draft)
            if len(seen) > MOST:
                return None
        return found

    def _check_reached(self, view: View, order: Order, at: str) -> None:
        """Touches that are followed towards an order make it."""
        wanted, normal = str(order).split("\n"), self._normal(order)
        nearest: Draft = ()
        for draft in self._towards(view, (), wanted):
            nearest = draft
            if self._makes(view, draft) == normal:
                return
        raise AssertionError(f"{at}: touches do not reach {str(order)!r}; the last tried was {nearest}")

    def _towards(self, view: View, begin: Draft, wanted: Sequence[str]) -> Iterator[Draft]:
        """Go through drafts that close, those first whose lines are more like the wanted ones."""
        todo, seen = [(0, 0, 0, begin)], {begin}
        for asked in range(MOST):
            if not todo:
                return
            for no, touch in enumerate(self._touches(view, heapq.heappop(todo)[-1])):
                aside = touch.at in _ASIDE or parts(touch.draft).ahead or (parts(touch.draft).plans and not begin)
                if touch.closes or begin:
                    yield touch.draft
                if touch.draft not in seen and not aside:
                    seen.add(touch.draft)
                    heapq.heappush(todo, (_distance(touch.draft, wanted), -asked, no, touch.draft))

    def _makes(self, view: View, draft: Draft) -> str | None:
        try:
            return self._normal(take(self.game, view, "\n".join(draft)))
        except OrderError:
            return None

    def _is_plan(self, draft: Draft, text: str) -> bool:
        try:
            return read_plans(self.game, "\n".join(parts(draft).plans)) == text
        except OrderError:
            return False

    def _normal(self, order: Order) -> str:
        """Return the text of an order without what its spelling and the order of its moves add: its lines, sorted."""
        return "\n".join(sorted(str(order).split("\n")))


def _distance(draft: Draft, wanted: Sequence[str]) -> int:
    """Say how far the lines of a draft are from wanted ones: far, where a line before the last is none of them.

    A line that comes before its turn is a little farther.
    """
    left, far = [_words([line]) for line in wanted], 0
    for no, line in enumerate(draft, 1):
        words = _words([line])
        each = [
            _apart(words, other) + (place > 0) + ASTRAY * (no < len(draft) and words != other)
            for place, other in enumerate(left)
        ]
        far += min(each, default=ASTRAY)
        if left:
            del left[each.index(min(each))]
    return far


def _apart(words: Sequence[str], wanted: Sequence[str]) -> int:
    """Say how far a line is from a wanted one: by words too many; the more it has of it, and begins as it does, the nearer."""
    mine, other = Counter(words), Counter(wanted)
    alike = next((n for n, pair in enumerate(zip(words, wanted, strict=False)) if len(set(pair)) > 1), len(words))
    return 3 * (mine - other).total() - (mine & other).total() - alike


def _words(lines: Sequence[str]) -> list[str]:
    return re.findall(r"[^\s,;:>]+|[>]", "\n".join(lines).upper())


def _problems(pack: GamePack, view: View, text: str) -> Sequence[Problem]:
    try:
        taken(pack, view, text)
    except OrderError as error:
        return error.problems
    return ()


def _spoiled(line: str, rng: random.Random) -> str:
    """Return a line that is an order no more: something left out of it, or in place of its last word."""
    at = rng.randrange(len(line))
    return rng.choice([line[:at] + line[at + 3 :], f"{line.rpartition(' ')[0]} Nowhere", "XYZZY"])


def _bare(touch: Touch) -> tuple[object, ...]:
    return touch.at, touch.draft, touch.closes


def _some(touches: Sequence[Touch], rng: random.Random) -> Sequence[Touch]:
    closing = [touch for touch in touches if touch.closes]
    return closing if len(closing) <= CLOSED else rng.sample(closing, CLOSED)


def _check_names(touches: Sequence[Touch], at: str) -> None:
    labels = [touch.label for touch in touches]
    assert all(label == label.strip() != "" and "\n" not in label for label in labels), f"{at}: {labels}"
    twice = [label for label, n in Counter(labels).items() if n > 1]
    assert not twice, f"{at}: two touches are called {twice}"


def _check_touches(touches: Sequence[Touch], draft: Draft, at: str) -> None:
    _check_names(touches, at)
    drafts = [touch.draft for touch in touches]
    assert len(set(drafts)) == len(drafts), f"{at}: two touches make the same draft: {drafts}"
    for touch in touches:
        assert _AT.fullmatch(touch.at), f"{at}: {touch}"
        assert isinstance(touch.draft, tuple), f"{at}: {touch}"
        assert all(line == line.strip() != "" and "\n" not in line for line in touch.draft), f"{at}: {touch}"
        assert (touch.draft == draft) == (touch.at == END), f"{at}: {touch}"
        assert touch.note == touch.note.strip(), f"{at}: {touch}"
