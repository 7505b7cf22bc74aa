"""Twins by mail: a game played twice, from positions that differ only in what one seat cannot see, sends that seat the same mails.

The conformance suite proves it of views and facts. Here the whole host is in between: who is asked and who is passed over by a
plan, receipts, reminders, replaced orders, and when each letter goes. The other side orders something else where it makes no
difference that can be seen; the twins part when something hidden comes to light, at the latest when blocks are revealed in a
battle. Two mails are the same if they are byte for byte, but for what `masked` names.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from unittest.mock import patch

import pytest

from pbem.errors import OrderError
from pbem.games.hammer import GAME, Hammer
from pbem.games.hammer.bots import BOTS
from pbem.games.hammer.rules.printed import SLUG
from pbem.games.hammer.views import HammerView
from pbem.host import observers
from pbem.kernel import Ask, Fact, Json, Order, Planned, Stop, View
from tests.conformance.forms import canonical, visible
from tests.conformance.playing import play
from tests.stored import stored_rows

from .post import Club, a_club, moment

pytestmark = pytest.mark.slow

EVE = "eve@example.org"
HOURS = 48
QUESTIONS = 14
"""So many questions are answered at most: a winter, and what comes of the next year."""
SAMPLES = 20
"""So many orders are tried to find two that look alike."""
PLANS = """ASK WHEN IT MATTERS
BATTLE ANY DEFENDING: RETREAT Fife, Angus, Mentieth, Lothian IF ODDS BELOW 1:2; FIGHT; HITS ANY; REGROUP STAY
BATTLE ANY: FIGHT; HITS ANY; REGROUP STAY
NEXT ANY
RAID WEAKEST
GAINS WEAKEST
"""
WINTER = """KEEP ANY
EDWARD GOES
WALLACE STAYS
BUILD ANY: NOTHING
"""

MUST_DIFFER = {
    r"(?<=, head )(?:[0-9a-f]{4} ){7}[0-9a-f]{4}": "the head of the log, in words",
    r"(?<=\.receipt\.)[0-9a-f]{16}(?=@)": "the name of a receipt, a hash of the order that it is for",
    r"(?<=boundary=\"=_)[0-9a-f]{24}": "the boundary of the parts, a hash of them",
    r"(?<=\")[0-9a-f]{64}(?=\")": "in lines of the log: heads, links and seals",
    r"(?<=\")[A-Za-z0-9+/]{86}==(?=\")": "in lines of the log: signatures",
}
"""What cannot be alike in two logs that hold different things."""


def masked(raw: bytes) -> list[str]:
    """Return a mail, header for header and part for part as it is read, without what must differ."""
    found = []
    for part in message_from_bytes(raw, policy=default).walk():
        content = "" if part.is_multipart() else (part.get_payload(decode=True) or b"").decode()  # type: ignore[union-attr]
        said = "\n".join([*(f"{name}: {value}" for name, value in part.items()), "", content.replace("\r\n", "\n")])
        for pattern, what in MUST_DIFFER.items():
            said = re.sub(pattern, f"({what})", said)
        found.append(said)
    return found


@dataclass
class Twin:
    """One of the two games, and what it has sent."""

    club: Club
    got: int = 0

    @property
    def state(self) -> Json:
        return self.club.robot.house.game(self.club.number).resume().state

    def letters(self, *to: str) -> list[tuple[str, str, Json]]:
        """Return what has been sent to these addresses since the last look: when, to whom, what."""
        rows = stored_rows(
            self.club.office.store, "select id, at, address, raw from outbox where id > ? order by id", self.got
        )
        self.got = max((row["id"] for row in rows), default=self.got)
        return [(row["at"], row["address"], masked(row["raw"])) for row in rows if row["address"] in to]

    def told(self, seat: str) -> list[Json]:
        """Return all that a seat, or the public, has heard."""
        ledger = self.club.robot.house.game(self.club.number).ledger
        return [fact for facts in ledger.told(seat, 0) for fact in facts]

    def send(self, seat: str, text: str, plans: str) -> None:
        assert self.club.take(self.club.order(seat, text, plans)).startswith("order")
        self.club.read_all()


@dataclass
class Watch:
    """What was compared: letters by their subjects, those to who looks on; orders that differed, what plans answered."""

    letters: Counter[str] = field(default_factory=Counter)
    looking_on: int = 0
    differed: Counter[str] = field(default_factory=Counter)
    planned: set[str] = field(default_factory=set)


class Pair:
    """Two games, seen by one seat."""

    def __init__(self, seed: int, seat: str, plans: str, folder: Path, stack: ExitStack) -> None:
        self.seat, self.other = seat, "scottish" if seat == "english" else "english"
        self.plans, self.rng, self.watch = plans, random.Random(f"{seed} {seat}"), Watch()
        winter = _winter(seed)
        twin = GAME.determinise(GAME.read_view(GAME.view(winter, seat)), self.rng)
        assert GAME.dump(twin) != GAME.dump(winter)
        self.twins = tuple(
            Twin(_begun(state, folder / name, stack)) for name, state in (("one", winter), ("two", twin))
        )
        self.bot = BOTS["sensible"]()

    def play(self) -> Watch:
        for _ in range(QUESTIONS):
            if not self.twins[0].club.asked() or not self.compare():
                break
            self.pass_time()
            asked = self.twins[0].club.asked()
            answers = self.answers(asked)
            if answers is None:
                break
            if len(asked) > 1:
                self.think_twice()
            for seat in (seat for seat in (self.other, self.seat) if seat in asked):
                for twin, given in zip(self.twins, answers, strict=True):
                    twin.send(seat, given[seat], self.plans)
                assert self.compare() or seat == self.seat or len(asked) == 1
        return self.watch

    def compare(self) -> bool:
        """Compare what both games have sent; False once they have told different things."""
        one, two = self.twins
        for seat in (self.seat, ""):
            alike = [a == b for a, b in zip(one.told(seat), two.told(seat), strict=False)]
            if not all(alike):
                return False  # something hidden came to light
        self.watch.planned |= {fact["what"] for fact in one.told(self.other) if fact["f"] == "plan"}
        assert one.club.asked() == two.club.asked()
        found = [twin.letters(f"{self.seat}@example.org", EVE) for twin in self.twins]
        assert [entry[:2] for entry in found[0]] == [entry[:2] for entry in found[1]]
        for (at, to, letter), (*_, same) in zip(*found, strict=True):
            assert letter == same, f"{to}, {at}"
            subject = letter[0].partition("Subject: ")[2].partition("\n")[0]
            self.watch.letters["your move" if ": your move" in subject else subject.rpartition(": ")[2]] += 1
            self.watch.looking_on += to == EVE
        return True

    def pass_time(self) -> None:
        """Half of the time goes by, and who is asked is reminded."""
        for twin in self.twins:
            twin.club.minute += 60 * HOURS // 2 + 60
            twin.club.robot.tick(moment(twin.club.minute))
            twin.club.read_all()
        assert self.compare()

    def think_twice(self) -> None:
        """Before all have answered the other side orders something at random, to be replaced: a receipt, and nothing else."""
        for n, twin in enumerate(self.twins):
            view = GAME.read_view(GAME.view(twin.state, self.other))
            order = GAME.options(view).sample(random.Random(f"{self.rng.random()} {n}"))
            twin.send(self.other, str(order), "PLAN NEXT ANY" if n else "")
        assert self.compare()

    def answers(self, asked: list[str]) -> tuple[dict[str, str], ...] | None:
        """Return orders for both games: the seat's are the same, the other side's look alike to it. None where none are found."""
        given: dict[str, Order] = {}
        if self.seat in asked:
            view = GAME.read_view(GAME.view(self.twins[0].state, self.seat))
            given[self.seat] = self.bot.answer(view, self.rng)
        if self.other not in asked:
            return tuple({seat: str(order) for seat, order in given.items()} for _ in self.twins)
        views = [GAME.read_view(GAME.view(twin.state, self.other)) for twin in self.twins]
        ones, twos = ([GAME.options(view).sample(self.rng) for _ in range(SAMPLES)] for view in views)
        twos += [order for one in ones for order in self._by_others(one, *views)]
        first, second = (
            self._looks(twin.state, given, orders) for twin, orders in zip(self.twins, (ones, twos), strict=True)
        )
        pairs = [(one, two) for look, alike in first.items() for one in alike for two in second.get(look, ())]
        if not pairs:
            return None
        one, two = max(pairs, key=lambda pair: (str(pair[0]) != str(pair[1]), len(str(pair[0]))))
        self.watch.differed[type(one).__name__] += str(one) != str(two)
        seat_s = {seat: str(order) for seat, order in given.items()}
        return {**seat_s, self.other: str(one)}, {**seat_s, self.other: str(two)}

    def _by_others(self, order: Order, view: View, twin: View) -> Iterator[Order]:
        """Go through legal orders of the twin that are this one, or this one given to other blocks of the same areas."""
        assert isinstance(view, HammerView)
        assert isinstance(twin, HammerView)
        instead: dict[str, str] = {}
        for area, names in view.groups.items():
            others = list(twin.groups.get(area, ()))
            self.rng.shuffle(others)
            instead |= dict(zip(names, others, strict=False))
        longest = sorted(instead, key=len, reverse=True)
        text = str(order)
        if longest:
            blocks = rf"(?<=[ ,])({'|'.join(longest)})(?=[ ,]|$)"
            text = re.sub(blocks, lambda name: instead[name[0]], text, flags=re.MULTILINE)
        for said in (text, str(order)):
            with suppress(OrderError):
                yield GAME.parse(twin, said)

    def _looks(self, state: Json, given: Mapping[str, Order], orders: Iterable[Order]) -> dict[bytes, list[Order]]:
        """Return orders of the other side by what the seat and the public hear and see of them."""
        found: dict[bytes, list[Order]] = {}
        for order in {str(order): order for order in orders}.values():
            stop = GAME.step(state, {**given, self.other: order})
            found.setdefault(canonical([_look(stop, seat) for seat in (self.seat, None)]), []).append(order)
        return found


def _look(stop: Stop, seat: str | None) -> Json:
    heard = [e.heard_by(seat) for e in stop.events if isinstance(e, Fact) and e.heard_by(seat) is not None]
    return [heard, GAME.view(stop.state, seat), visible(stop.wants, seat)]


def _winter(seed: int) -> Json:
    """Return the first question of a random game's first winter when all are home, as if nothing had been dealt before.

    While nobles go home, everybody sees by the blocks that leave who stood where: twins part there.
    """
    for stop in play(GAME, {}, seed, 800).stops:
        winter = any(frame.at == "winter" for frame in stop.state.stack)
        if winter and isinstance(stop.wants, Ask) and stop.wants.what != "home":
            return replace(stop.state, board=replace(stop.state.board, deal=0))
    raise AssertionError("no winter")


def _begun(state: Json, folder: Path, stack: ExitStack) -> Club:
    """Return a club whose game begins in this position, and at which somebody looks on."""
    club = stack.enter_context(a_club(folder, game="hammer", hours=HOURS))
    with patch.object(Hammer, "start", lambda *_: Stop(state, (), GAME.wants(state))):
        club.begin()
    with club.office.store.decision():
        observers.observe(club.robot.house.game(club.number), EVE, club.robot.post, club.now())
    return club


def watched(folder: Path, seed: int, seat: str, plans: str) -> Watch:
    with ExitStack() as stack:
        return Pair(seed, seat, plans, folder, stack).play()


@pytest.fixture(scope="module")
def seen(letters_kept: None) -> Watch:
    """What all the pairs of this module have shown."""
    return Watch()


@pytest.mark.parametrize(
    ("seed", "seat", "plans"),
    [
        (2, "scottish", PLANS + WINTER),
        (6, "english", PLANS),
        (10, "scottish", PLANS + WINTER),
        (17, "english", PLANS + WINTER),
    ],
)
def test_what_a_seat_cannot_see_changes_none_of_its_mails(
    tmp_path: Path, seed: int, seat: str, plans: str, seen: Watch
) -> None:
    watch = watched(tmp_path, seed, seat, plans)
    assert watch.letters["your move"]
    assert watch.looking_on
    seen.letters += watch.letters
    seen.differed += watch.differed
    seen.planned |= watch.planned


def test_much_was_hidden_and_much_was_compared(seen: Watch) -> None:
    assert seen.letters.total() > 50, seen
    assert {"your move", "your answer is awaited", "your order is here", "what happened"} <= set(seen.letters)
    assert seen.differed.total() > 2, seen
    assert {"build", "battle action", "regroup", "next battle"} <= seen.planned, seen


def test_that_a_seat_is_asked_by_what_is_hidden_would_be_seen(tmp_path: Path, letters_kept: None) -> None:
    honest = Hammer.planned

    def leaking(game: Hammer, view: HammerView, plans: str) -> Planned | None:
        hidden = sum(view.blocks[SLUG[name]].strength for names in view.groups.values() for name in names)
        return honest(game, view, plans) if hidden % 2 else None

    with patch.object(Hammer, "planned", leaking), pytest.raises(AssertionError):
        watched(tmp_path, 3, "english", PLANS + WINTER)
