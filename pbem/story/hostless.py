"""A game of two without a host, played again from its full notation (`pbem.player.pair.notation` writes it).

The rules go step by step, as both players' programs did: each step has its orders or its dice, or is told without either. So the
steps tell the same at the same entries as by the log.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pbem.errors import FormError, UsageError
from pbem.games import find
from pbem.i18n import _
from pbem.kernel import Ask, Chance, Event, Fact, Json, Order, Outcome
from pbem.kernel.knowing import Knowing, is_going
from pbem.ledger import AGREED_DRAW, TAKEBACK, Stream
from pbem.referee.referee import AnswersDue, EndDue, RandDue, TellDue
from pbem.reports.replay import PUBLIC, Opened
from pbem.reports.told import MOST_KEPT, Told

from .notation import ChangeLine, Line, Notation, NoteLine, OrderLine, RollLine, TellLine, unsigned
from .rebuilt import check_drawn, in_words, laid, named

MOST_STEPS = 4_096
"""The maximum number of steps without a line of their own, one after the other."""
JOINS = 2
"""The entry behind which a game of two begins."""
BACK = TAKEBACK.removeprefix("take")
HEARD = ("say", "pledge", "plan")
"""The facts that a note may have: statements of players, and what they hear of pledged plans."""


def line_by_line(game: Notation) -> Notation:
    """Return the game with a number of its own for each line: so it can be seen what was told before which order."""
    lines: list[Line] = []
    for no, line in enumerate(game.lines):
        change: Json = line.change if isinstance(line, ChangeLine) else {}
        if (back := change.get(BACK)) is not None:
            stays = [at for at, one in enumerate(game.lines[:no]) if (one.n or 0) < back]
            here = [at for at, one in enumerate(game.lines[:no]) if one.n == back and not _is_said(one)]
            kept = [*stays, *here[: change["kept"]]]
            change = {**change, BACK: JOINS + 2 + max(kept, default=-1), "kept": 0}
            lines.append(ChangeLine(n=JOINS + 1 + no, change=change))
        else:
            lines.append(line.model_copy(update={"n": JOINS + 1 + no}))
    return Notation(game.head, lines, game.places)


_CHANGES: list[dict[str, type]] = [
    {"by": int, "out": list, "why": str}, {"agreed": int}, {BACK: int, "kept": int, "seat": str},
]  # fmt: skip


class _Moment(NamedTuple):
    """The game after a line: its entry, the position, the last one that can be shown, and the events of the entry so far."""

    n: int
    state: Any
    stood: Any
    events: tuple[Event, ...]


def rebuilt_hostless(game: Notation, *, guess: int = 0) -> Opened:
    """Return what a game of two in full notation tells. Raises FormError, which names the line where it does not fit its rules.

    Cards that nobody knew are laid for the `guess`-th time. Raises UsageError if the rules are not here.
    """
    pack = find(game.head.game)
    if game.head.ver not in (0, pack.rules.version):
        raise UsageError(
            _(
                "This notation was made by version {ver} of the rules of {game}; here is {version}. A game without a host takes no "
                "other rules.",
                ver=game.head.ver,
                game=pack.rules.title,
                version=pack.rules.version,
            )
        )
    if pack.knowing is None:
        raise UsageError(_("{game} has no games without a host; leave “host: none” out.", game=pack.rules.title))
    with named(game, 0):
        again = _PlayedAgain(game, pack.knowing, guess)
    for no, line in enumerate(game.lines):
        with named(game, no):
            again.take(no, line)
    with named(game, len(game.lines)):
        return again.opened()


class _PlayedAgain:
    """The game up to the last line that was taken."""

    def __init__(self, game: Notation, knowing: Knowing, guess: int) -> None:
        self.head, self.lines, self.guess = game.head, game.lines, guess
        self.knowing, self.rules = knowing, knowing.game
        self.seats = self.rules.seats(game.head.options)
        stop = self.rules.start(game.head.options)
        self.result = stop.state.result
        self.said: list[Json] = []
        self.now = _Moment(JOINS, stop.state, stop.state, tuple(stop.events))
        self.moments = [self.now]
        self.answers: dict[str, Order] = {}
        self.told: dict[str, list[Told]] = {seat: [] for seat in (*self.seats, PUBLIC)}
        self.kept = 0

    def take(self, no: int, line: Line) -> None:
        """Take the next line in; steps without an input come by themselves before an order or a roll.

        Before a change they do so only where lines have no numbers, because a player may resign before a step.
        """
        if isinstance(line, (RollLine, OrderLine)) or (line.n is None and isinstance(line, ChangeLine)):
            self._settle()
        n = self.now.n + 1 if line.n is None else line.n
        if n < self.now.n:
            raise FormError(_("entry {n} comes after entry {last}", n=n, last=self.now.n))
        if n > self.now.n:
            self._end_entry()
            self.now = self.now._replace(n=n, events=())
        match line:
            case RollLine():
                self._go(self._outcome(no, line))
            case OrderLine(k="order"):
                self._answer(line)
            case TellLine(state=""):
                self._tell()
            case ChangeLine():
                self._change(line.change)
            case NoteLine():
                self._note(line.fact)
            case _:
                raise FormError(_("a game of two without a host has no such line: {k}", k=line.k))
        if not _is_said(line):
            self.moments.append(self.now)

    def _due(self) -> str:
        """Return what the rules want, in words."""
        if self.result is not None:
            return in_words(EndDue(self.result))
        if is_going(self.now.state):
            return in_words(TellDue({}, (), (), (), ""))
        wants = self.rules.wants(self.now.state)
        if isinstance(wants, Chance):
            return in_words(RandDue(wants, 0))
        seats = wants.seats if isinstance(wants, Ask) else ()
        return in_words(AnswersDue(0, tuple(seat for seat in seats if seat not in self.answers)))

    def _settle(self) -> None:
        for _step in range(MOST_STEPS):
            if self.result is not None or not is_going(self.now.state):
                return
            self._go(None)
        raise FormError(_("the rules come to no question here"))

    def _go(self, given: Mapping[str, Order] | Outcome | None) -> None:
        after, events = self.knowing.go(self.now.state, given)
        stood = self.now.stood if is_going(after) else after
        self.now = _Moment(self.now.n, after, stood, (*self.now.events, *events))
        self.result, self.answers = after.result, {}

    def _tell(self) -> None:
        if self.result is not None or not is_going(self.now.state):
            raise FormError(_("nothing is told here: {due}", due=self._due()))
        self._go(None)

    def _answer(self, line: OrderLine) -> None:
        wants = None if self.result is not None else self.rules.wants(self.now.state)
        if not isinstance(wants, Ask) or line.seat not in wants.seats or line.seat in self.answers:
            raise FormError(_("{seat} is not asked here: {due}", seat=line.seat, due=self._due()))
        view = self.rules.own_view(self.knowing.view(self.now.state, line.seat))
        order = self.rules.parse(view, line.order)
        if refusal := self.rules.why_not(view, order):
            raise FormError(f"{refusal.why} ({refusal.rule})")
        self.answers[line.seat] = order
        if len(self.answers) == len(wants.seats):
            self._go({seat: self.answers[seat] for seat in wants.seats})

    def _outcome(self, no: int, line: RollLine) -> Outcome:
        wants = None if self.result is not None else self.rules.wants(self.now.state)
        if not isinstance(wants, Chance):
            raise FormError(_("nothing falls here by chance: {due}", due=self._due()))
        if line.chain not in ("", wants.label) or len(line.res) != sum(one.n for one in wants.requests):
            raise FormError(_("chance does not give that here: {due}", due=self._due()))
        rest = list(line.res)
        stream = Stream(hashlib.sha256(f"{self.guess} {no}".encode()).digest())
        made = []
        for request in wants.requests:
            drawn = [rest.pop(0) for _place in range(request.n)]
            made.append(laid(request, drawn, stream) if None in drawn else tuple(drawn))
            check_drawn(request, made[-1])
        return tuple(made)

    def _change(self, change: Json) -> None:
        form = {name: type(value) for name, value in sorted(change.items())}
        seats = [*change.get("out", ()), *([change["seat"]] if "seat" in change else [])]
        known = len(seats) <= 1 and all(seat in self.seats for seat in seats)
        if self.result is not None or form not in _CHANGES or not known:
            raise FormError(_("this is not a change that a game knows"))
        if BACK in change:
            self._back(change[BACK], change["seat"], change["kept"])
        elif "agreed" in change:
            self.result = AGREED_DRAW
        elif change["why"] == "resigned" and seats:
            others = tuple(seat for seat in self.seats if seat not in seats)
            winner = self.rules.resigned(self.now.state, tuple(seats), others)
            self.result = {"winner": winner, "why": "resigned", "seats": seats}
        else:
            raise FormError(_("this is not a change that a game knows"))

    def _back(self, n: int, seat: str, kept: int) -> None:
        """Return to the position before an answer at entry `n`, of which `kept` lines stay."""
        before = [one for one in self.moments if one.n < n]
        here = [one for one in self.moments if one.n == n][:kept]
        if not before or not 0 <= kept <= len(here) or n > self.now.n:
            raise FormError(_("no such answer can be taken back"))
        stay = here[-1] if here else before[-1]._replace(events=())
        heard = {who: len(_heard_by(stay.events, who)) for who in (*self.seats, None)}
        tells = {who: {"f": TAKEBACK, "seat": seat, "ask": n, "stand": stand} for who, stand in heard.items()}
        public = tells.pop(None)
        back = Fact(public, {who: tell for who, tell in tells.items() if who})
        self.now = _Moment(self.now.n, stay.state, stay.stood, (*self.now.events, back))
        self.answers = {}

    def _note(self, fact: Json) -> None:
        if fact.get("f") not in HEARD:
            raise FormError(_("the “f” of a note is one of {words}", words=", ".join(HEARD)))
        if fact["f"] == "say":
            self.said.append(fact)
        else:
            self.now = self.now._replace(events=(*self.now.events, Fact(fact)))

    def _end_entry(self) -> None:
        """Tell what the entry brought; the beginning is told even if it brought nothing."""
        now, views = self.now, {}
        facts = {seat: (*self.said, *_heard_by(now.events, seat or None)) for seat in self.told}
        if now.n == JOINS or any(facts.values()):
            for seat, tells in self.told.items():
                views[seat] = self.knowing.view(now.stood, seat or None)
                tells.append(Told(now.n, facts[seat], views[seat]))
                self.kept += len(views[seat])
        if self.kept > MOST_KEPT:
            raise FormError(_("this game is too long"))
        self.said = []

    def opened(self) -> Opened:
        """Return what the game has told. Raises FormError if it stops where chance is to give something."""
        if self.result is None:
            self._settle()
        if self.result is None and isinstance(self.rules.wants(self.now.state), Chance):
            raise FormError(_("the game stops where chance is to give something: {due}", due=self._due()))
        self._end_entry()
        log, last = self.head.log, self.told[PUBLIC][-1].n
        end = None if self.result is None else (log.n if log else self.now.n + 1, self.result)
        name = log.id if log else hashlib.sha256(repr(self.lines).encode()).hexdigest()
        return Opened(name, self.seats, self.told, end, last, unsigned())


def _heard_by(events: Sequence[Event], seat: str | None) -> list[Json]:
    """Return the facts that a seat (None: everybody) hears of what happened."""
    facts = (event.heard_by(seat) for event in events if isinstance(event, Fact))
    return [fact for fact in facts if fact is not None]


def _is_said(line: Line) -> bool:
    return isinstance(line, NoteLine) and line.fact.get("f") == "say"
