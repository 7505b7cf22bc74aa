"""A game rebuilt from its full notation: the rules play it again with the written dice, cards and orders.

The result is what a signed log opens at its end (`pbem.reports.replay.Opened`): what each seat and everybody was told, step by
step. So everything that shows a log shows it as well, marked as unsigned.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence

from pbem.errors import EndlessError, FormError, OrderError, UsageError
from pbem.i18n import _
from pbem.kernel import Chance, Draw, Json, Outcome, Request, Roll
from pbem.ledger import TAKEBACK, Stream, cj
from pbem.referee.referee import PUBLIC, Answer, AnswersDue, AskDue, EndDue, RandDue, Referee, TellDue
from pbem.referee.replaying import Library, NoRules
from pbem.reports.replay import Opened
from pbem.reports.told import MOST_KEPT, NONSENSE, Told

from .notation import (
    AskLine,
    ChangeLine,
    Line,
    Notation,
    NoteLine,
    OrderLine,
    RollLine,
    RulesLine,
    SkipLine,
    TellLine,
    unsigned,
)

_TRIES = 64
"""How many ways to lay unknown cards are tried for each deal."""


def rebuilt(game: Notation, library: Library, *, guess: int = 0) -> Opened:
    """Return what a game in full notation tells. Raises FormError, which names the line where it does not fit its rules.

    Cards that nobody knew are laid for the `guess`-th time.
    """
    again = _Replayed(game, library, guess)
    for no, line in enumerate(game.lines):
        with named(game, no):
            again.take(no, line)
    with named(game, len(game.lines)):
        return again.opened()


class named:  # noqa: N801 - it reads as a word of the statement
    """Names the line of the file in what is raised inside."""

    def __init__(self, game: Notation, no: int) -> None:
        self.game, self.no = game, no

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, NoRules):
            raise UsageError(_("This game cannot be rebuilt here: {why}.", why=error.reason)) from error
        if isinstance(error, (OrderError, EndlessError, FormError, *NONSENSE)):
            said = str(error) if isinstance(error, (OrderError, EndlessError, FormError)) else type(error).__name__
            raise FormError(_("line {no}: {why}", no=self.game.place(self.no), why=said.removesuffix("."))) from error


class _Replayed:
    """The game up to the last line that was taken."""

    def __init__(self, game: Notation, library: Library, guess: int) -> None:
        self.lines, self.library, self.guess = game.lines, library, guess
        head = game.head
        rules = {"id": head.game, "ver": head.ver, "sha256": head.sha256}
        self.game = library.get(rules, 0)[0] if head.ver else library.newest(head.game)
        self.referee = Referee.start(self.game, head.options)
        self.told: dict[str, list[Told]] = {key: [] for key in (*self.referee.seats, PUBLIC)}
        self.log = head.log
        self.n, self.last, self.kept = 0, 0, 0
        self.answers: dict[str, Answer] = {}
        self.skipped: set[str] = set()

    # -- one line ---------------------------------------------------------------------------------------------------

    def take(self, no: int, line: Line) -> None:
        """Take the next line in. What it leaves out between (a tell, a question) comes of itself."""
        if isinstance(line, (RollLine, OrderLine, SkipLine)):
            self._settle()
        elif isinstance(line, AskLine) and isinstance(self.referee.due(), TellDue):
            self._tell(self._next(None))
        n = self.n = self._next(line.n) if line.n != self.n else self.n
        match line:
            case RollLine():
                self._roll(no, line)
            case OrderLine() | SkipLine():
                self._answer(line)
            case TellLine():
                self._tell(n, line.state)
            case AskLine():
                self._ask(n, line)
            case ChangeLine():
                self._change(line.change)
            case RulesLine():
                rules = {"id": line.game, "ver": line.ver, "sha256": line.sha256}
                self.game = self.library.get(rules, n)[0]
                self.referee.renew(self.game, line.ver)
            case NoteLine():
                self._note(line.fact)

    def _next(self, n: int | None) -> int:
        """Return the number of the next entry. Raises FormError if it is lower than that of the one before."""
        if n is not None and n < self.n:
            raise FormError(_("entry {n} comes after entry {last}", n=n, last=self.n))
        return self.n + 1 if n is None else n

    def _settle(self) -> None:
        """Let come what needs nothing from outside: a tell, then a question."""
        for _time in range(2):
            due = self.referee.due()
            if isinstance(due, TellDue):
                self.n = self._next(None)
                self._tell(self.n)
            elif isinstance(due, AskDue):
                self.n = self._next(None)
                self._ask(self.n, AskLine())

    def _tell(self, n: int, state: str = "") -> None:
        due = self.referee.due()
        if not isinstance(due, TellDue):
            raise FormError(_("nothing is told here: {due}", due=in_words(due)))
        if state and not due.state.startswith(state):
            raise FormError(_("the rules come to another position here than the notation says"))
        views, self.last = self.referee.views(), n
        for key, tells in self.told.items():
            self._keep(views[key])
            tells.append(Told(n, tuple(_as_read(due.facts[key])), _as_read(views[key])))
        self.referee.told()

    def _keep(self, view: Json) -> None:
        """Count the names that are kept, as for a log."""
        self.kept += len(view)
        if self.kept > MOST_KEPT:
            raise FormError(_("this game is too long"))

    def _ask(self, n: int, line: AskLine) -> None:
        due = self.referee.due()
        if not isinstance(due, AskDue):
            raise FormError(_("no question is put here: {due}", due=in_words(due)))
        if (line.to and tuple(line.to) != due.to) or line.what not in ("", due.what):
            raise FormError(_("the rules put another question: {due}", due=in_words(due)))
        self.referee.asked(n)
        self.answers, self.skipped = {}, set()

    def _answer(self, line: OrderLine | SkipLine) -> None:
        due = self.referee.due()
        if not isinstance(due, AnswersDue):
            raise FormError(_("no answer is wanted here: {due}", due=in_words(due)))
        wanted = {*due.to, *due.out}
        if line.seat not in wanted or line.seat in self.answers:
            raise FormError(_("{seat} is not asked here: {due}", seat=line.seat, due=in_words(due)))
        if isinstance(line, SkipLine):
            self.answers[line.seat] = self.referee.silence(line.seat)
            self.skipped.add(line.seat)
        else:
            read = self.referee.ahead if line.k == "ahead" else self.referee.read
            self.answers[line.seat] = read(line.seat, line.order, line.plans)
        if wanted <= self.answers.keys() and not isinstance(self.referee.due(), EndDue):
            self.referee.answered(self.answers, frozenset(self.skipped))

    def _change(self, change: Json) -> None:
        seats = {*change.get("out", ()), *change.get("gone", ())}
        form = {name: type(value) for name, value in sorted(change.items())}
        if form not in _CHANGES or not seats <= set(self.referee.seats) or change.get("why") not in _WHY:
            raise FormError(_("this is not a change that a game knows"))
        self.referee.change(change)

    def _note(self, fact: Json) -> None:
        for tells in self.told.values():
            if tells:
                tells.append(Told(self.n, (fact,), tells[-1].view))

    # -- chance -----------------------------------------------------------------------------------------------------

    def _roll(self, no: int, line: RollLine) -> None:
        due = self.referee.due()
        if not isinstance(due, RandDue):
            raise FormError(_("nothing falls here by chance: {due}", due=in_words(due)))
        requests = due.chance.requests
        if line.chain not in ("", due.chance.label) or len(line.res) != sum(one.n for one in requests):
            raise FormError(_("chance does not give that here: {due}", due=in_words(due)))
        self.referee.rolled(self._outcome(no, due.chance, line.res), self.n)

    def _outcome(self, no: int, chance: Chance, res: Sequence[Json]) -> Outcome:
        rest = list(res)
        parts = [(request, [rest.pop(0) for _place in range(request.n)]) for request in chance.requests]
        if None not in res:
            for request, drawn in parts:
                check_drawn(request, drawn)
            return tuple(tuple(drawn) for _request, drawn in parts)
        for time in range(_TRIES):
            seed = hashlib.sha256(f"{self.guess} {no} {time}".encode()).digest()
            made = tuple(laid(request, drawn, Stream(seed)) for request, drawn in parts)
            if self._goes_on(no, chance, made):
                return made
        raise FormError(_("no way to lay the unknown cards fits what follows"))

    def _goes_on(self, no: int, chance: Chance, made: Outcome) -> bool:
        """Does the game want next the line that is written next? Rules do not tell it for cards that another host deals again."""
        if not chance.listed:
            return True
        following = next((line for line in self.lines[no + 1 :] if isinstance(line, (RollLine, AskLine))), None)
        wants = self.game.step(self.referee.state, made).wants
        label = following.chain if isinstance(following, RollLine) else ""
        return wants.label == label if isinstance(wants, Chance) else not label.startswith("deal:")

    # -- the whole --------------------------------------------------------------------------------------------------

    def opened(self) -> Opened:
        """Return what the game has told. Raises FormError if it stops before anything was told, or between two questions."""
        self._settle()
        due = self.referee.due()
        if isinstance(due, RandDue):
            raise FormError(_("the game stops where chance is to give something: {due}", due=in_words(due)))
        end = (self.n + 1, due.result) if isinstance(due, EndDue) else None
        name = self.log.id if self.log else hashlib.sha256(repr(self.lines).encode()).hexdigest()
        return Opened(name, self.referee.seats, self.told, end, self.last, unsigned())


def _as_read(value: Json) -> Json:
    """Return JSON as a log gives it: with its names in order, and shared with nobody."""
    return json.loads(cj(value))


_WHY = (None, "resigned", "late")
_CHANGES: list[dict[str, type]] = [
    {"by": int, "out": list, "why": str}, {"agreed": int}, {TAKEBACK.removeprefix("take"): int}, {"call": int, "gone": list},
    {"moved": str},
]  # fmt: skip


def laid(request: Request, drawn: Sequence[Json], stream: Stream) -> tuple[Json, ...]:
    """Return drawn cards with the unknown ones taken from the rest."""
    if isinstance(request, Roll):
        raise FormError(_("dice are never unknown"))
    rest = list(request.of)
    for card in drawn:
        if card in rest:
            rest.remove(card)
    cards: Iterator[Json] = iter(stream.draw(min(list(drawn).count(None), len(rest)), rest))
    made = [next(cards, card) if card is None else card for card in drawn]
    check_drawn(request, made)
    return tuple(made)


def check_drawn(request: Request, drawn: Sequence[Json]) -> None:
    """Raise FormError if that is not what chance can give."""
    if isinstance(request, Roll):
        good = all(type(one) is int and 1 <= one <= request.sides for one in drawn)
    else:
        good = Counter(map(str, drawn)) <= Counter(map(str, request.of)) and all(one in request.of for one in drawn)
    if not good:
        raise FormError(_("chance cannot give {res} here: it is {wanted}", res=list(drawn), wanted=_request(request)))


def _request(request: Request) -> str:
    if isinstance(request, Draw):
        some = ", ".join(map(str, request.of[:6])) + (", …" if len(request.of) > 6 else "")
        return _("{n} of {all} cards ({some})", n=request.n, all=len(request.of), some=some)
    return _("{n} dice of {sides} sides", n=request.n, sides=request.sides)


def in_words(due: object) -> str:
    """Return what the rules want, in words for who writes a notation."""
    match due:
        case RandDue(chance=chance):
            return _("due is roll {chain}: {what}", chain=chance.label, what=", ".join(map(_request, chance.requests)))
        case AskDue(to=to, what=what):
            return _("due is the question “{what}” to {seats}", what=what, seats=", ".join(to))
        case AnswersDue(to=to, out=out):
            return _("due are answers of {seats}", seats=", ".join((*to, *out)))
        case EndDue():
            return _("the game is over")
        case _:
            return _("due is a tell")
