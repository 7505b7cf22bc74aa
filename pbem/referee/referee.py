"""The referee: drives any game's rules from a ledger, and determines its next entry.

It decides which entry is due (a random event, a tell, an ask, the end), and its content. Both follow from nothing but the options
and the earlier orders and outcomes. The host asks it what to write, and the audit what should have been written; both get the same
answer. It may not know keys, salts, files, mail or time.

Between two asks the rules run freely. Facts gather until the next tell; half-answered questions never reach the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import islice
from typing import Any, TypeAlias

from pbem.errors import EndlessError, OrderError, Problem
from pbem.i18n import _
from pbem.kernel import (
    Ask,
    Chance,
    ChangingHosts,
    Draw,
    End,
    Fact,
    Fit,
    Game,
    Json,
    Order,
    Outcome,
    Planning,
    Release,
    Secret,
    Show,
    Stop,
    Unseen,
    View,
    choose,
    read_plans,
    unseen,
)
from pbem.kernel import Open as OpenPlace
from pbem.ledger import AGREED_DRAW, TAKEBACK, Course
from pbem.ledger.patch import diff
from pbem.records import dataclass

from .trail import Trail, TrailPoint

MOST_PLANNED = 200
"""The maximum number of consecutive questions that plans alone may answer; then the seats answer themselves."""
MOST_EVENTS = 4_096
"""The maximum number of random events between two tells."""
PUBLIC = ""
"""The key of the public among seats: nobody's private view."""


@dataclass(frozen=True, slots=True)
class RandDue:
    """A random event: its chain, its index there, and its requests."""

    chance: Chance
    index: int


@dataclass(frozen=True, slots=True)
class OrderRef:
    """The `order` seal of a seat's answer to an ask."""

    seat: str
    ask: int


@dataclass(frozen=True, slots=True)
class PlaceRef:
    """A sealed place of the deal at entry `n`."""

    n: int
    place: int


@dataclass(frozen=True, slots=True)
class TellDue:
    """The public facts before the next ask or the end (PROTOCOL 3, Tells)."""

    facts: Mapping[str, list[Json]]
    """What every seat hears, and the public under `PUBLIC`."""
    opens: tuple[OrderRef | PlaceRef, ...]
    links: tuple[str, ...]
    rolls: tuple[int, ...]
    state: str


@dataclass(frozen=True, slots=True)
class AskDue:
    """A question to be put: `mark` is its number, or None."""

    to: tuple[str, ...]
    what: str
    secret: Secret
    mark: int | None


@dataclass(frozen=True, slots=True)
class AnswersDue:
    """The question at entry `ask` is open: the seats that still have to answer, and the asked seats that are out of the game."""

    ask: int
    to: tuple[str, ...]
    out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EndDue:
    """The game is over: by the rules, or by a say: its entry, the `cause`."""

    result: Json
    cause: int | None = None


Due: TypeAlias = RandDue | TellDue | AskDue | AnswersDue | EndDue


@dataclass(frozen=True, slots=True)
class Answer:
    """A seat's answer to an ask: a legal order, and the canonical text of the plans sent with it.

    Of one that was sent ahead, `line` is the line that spoke; where it has others, which nobody is to see yet, it is `hidden`.
    """

    order: Order
    plans: str = ""
    line: str = ""
    hidden: bool = False


@dataclass(slots=True)
class Referee:
    """One game on its way. Use `Referee.start`, or `Referee.resume` from a snapshot."""

    game: Game
    seats: tuple[str, ...]
    state: Any
    wants: Ask | Chance | End
    marks: dict[str, int]
    """The number of each seat's last mark; 1 is its `ready`."""
    indices: dict[str, int] = field(default_factory=dict)
    """The last index used on each chain."""
    deal_entries: dict[str, int] = field(default_factory=dict)
    """The entry of each deal, by label: it contains the deal's places."""
    plans: dict[str, str] = field(default_factory=dict)
    gone: dict[str, str] = field(default_factory=dict)
    """The seats that are out, and why: “resigned” or “late”."""
    shown: list[tuple[str, PlaceRef]] = field(default_factory=list)
    """Dealt places shown to one seat since the last tell: the log's writer hands over the openings."""
    _views: dict[str, Json] = field(default_factory=dict)
    _facts: dict[str, list[Json]] = field(default_factory=dict)
    _opens: list[OrderRef | PlaceRef] = field(default_factory=list)
    _links: list[str] = field(default_factory=list)
    _rolls: list[int] = field(default_factory=list)
    _fallen: int = 0
    """How many random events have fallen since the last tell."""
    _planned: dict[str, Order] = field(default_factory=dict)
    _now: dict[str, Json] | None = None
    _told: bool = False
    _ask: int | None = None
    _end: EndDue | None = None
    lost: set[str] = field(default_factory=set)
    """Deals with a link that was lost with a former host."""
    anew: dict[tuple[str, int], PlaceRef] = field(default_factory=dict)
    """Places dealt again by another host, and where they are sealed now."""
    _deals_anew: str = ""
    """The chain on which cards that no seat knows are dealt again now."""
    trail: Trail = field(default_factory=Trail)
    """The questions with answers that may be taken back."""

    def __post_init__(self) -> None:
        self._facts = {key: [] for key in (PUBLIC, *self.seats)}

    @classmethod
    def start(cls, game: Game, options: Json) -> Referee:
        """Set a game up, all seats being ready."""
        seats = game.seats(options)
        stop = game.start(options)
        referee = cls(game, seats, stop.state, stop.wants, dict.fromkeys(seats, 1))
        referee._views = {key: {} for key in (PUBLIC, *seats)}
        referee._arrive(stop)
        return referee

    # -- what is due ------------------------------------------------------------------------------------------------

    def due(self) -> Due:
        """Return what the ledger must hold next."""
        if self._end is not None:
            return self._end
        if self._deals_anew:
            draws = tuple(Draw(len(group.names), group.names) for group in self._unseen())
            return RandDue(Chance(self._deals_anew, draws, listed=False), 1)
        wants = self.wants
        if isinstance(wants, Chance):
            return RandDue(wants, self.indices.get(wants.label, 0) + 1)
        if not self._told:
            return self._tell()
        if isinstance(wants, End):
            return EndDue(wants.result)
        to = tuple(seat for seat in wants.seats if seat not in self._planned)
        if self._ask is not None:
            there = tuple(seat for seat in to if seat not in self.gone)
            return AnswersDue(self._ask, there, tuple(seat for seat in to if seat in self.gone))
        mark = max(self.marks[seat] for seat in to) + 1 if wants.mark else None
        return AskDue(to, wants.what, wants.secret, mark)

    @property
    def open_mark(self) -> int | None:
        """The mark of the open question, or None where it has none, or none is open."""
        ask = self.wants
        if self._ask is None or not isinstance(ask, Ask) or not ask.mark:
            return None
        return self.marks[ask.seats[0]]

    def _tell(self) -> TellDue:
        state = self.game.fingerprint(self.state)
        return TellDue(self._facts, tuple(self._opens), tuple(self._links), tuple(self._rolls), state)

    def patch(self, key: str) -> Json:
        """Return the merge patch from the view last told to a seat (or `PUBLIC`) to the present one."""
        return diff(self._views[key], self.views()[key])

    def told_before(self, key: str) -> Json:
        """Return the view last told to a seat (or `PUBLIC`)."""
        return self._views[key]

    def views(self) -> dict[str, Json]:
        """Return the views of the present state: the public's under `PUBLIC`, and every seat's."""
        if self._now is None:
            self._now = {key: self.game.view(self.state, key or None) for key in (PUBLIC, *self.seats)}
        return self._now

    def view(self, seat: str) -> View:
        """Return what `seat` sees now, typed."""
        return self.game.own_view(self.views()[seat])

    def heard(self, seat: str) -> list[Json]:
        """Return the facts that `seat` has to be told, so far."""
        return list(self._facts[seat])

    # -- what has been written --------------------------------------------------------------------------------------

    def told(self) -> None:
        """Note that the due tell is in the ledger."""
        self._views = self.views()
        self._facts = {key: [] for key in self._facts}
        self._opens, self._links, self._rolls, self.shown = [], [], [], []
        self._told, self._fallen = True, 0

    def asked(self, n: int) -> None:
        """Note that the due ask is in the ledger as entry `n`."""
        due = self.due()
        if isinstance(due, AskDue):
            here = TrailPoint(n, "" if len(due.to) > 1 else due.to[0], self.state, dict(self.marks), dict(self.plans))
            self.trail.asked(here, self.game.told_secret)
            if due.mark is not None:
                self.marks |= dict.fromkeys(due.to, due.mark)
        self._ask = n

    def rolled(self, outcome: Outcome, n: int) -> None:
        """Continue with the outcome of the due random event, which is entry `n` of the ledger.

        Raises EndlessError if the rules request random events without end.
        """
        self._fallen += 1
        if self._fallen > MOST_EVENTS:
            raise EndlessError(_("{most} random events have fallen, and nobody was told of them", most=MOST_EVENTS))
        if self._deals_anew:
            self._dealt_anew(outcome, n)
            return
        chance = self.wants
        if not isinstance(chance, Chance):
            raise TypeError("no random event is due")
        self.trail.block()
        index = self.indices[chance.label] = self.indices.get(chance.label, 0) + 1
        if chance.label == "pub":
            self._rolls.append(index)
        if chance.is_deal:
            self.deal_entries[chance.label] = n
        self._arrive(self.game.step(self.state, outcome))

    def answered(self, answers: Mapping[str, Answer], skipped: frozenset[str] = frozenset()) -> None:
        """Continue with the answers of all asked seats; for the `skipped` seats, `answers` contains their defaults."""
        ask = self.wants
        if not isinstance(ask, Ask) or self._ask is None:
            raise TypeError("no question stands open")
        self.trail.answered([seat for seat in answers if seat not in skipped], ask.secret)
        for seat in self.seats:
            if seat in answers and seat not in skipped:
                self.plans[seat] = answers[seat].plans
                if ask.secret != "until end" and not answers[seat].hidden:
                    self._opens.append(OrderRef(seat, self._ask))
                if answers[seat].line:
                    self.trail.block()
                    self._hear_ahead(seat, ask.what, answers[seat])
            if seat in skipped:
                why = {"why": self.gone[seat]} if seat in self.gone else {}
                self._hear(Fact({"f": "skip", "seat": seat} | why))
        orders = {seat: answers[seat].order if seat in answers else self._planned[seat] for seat in ask.seats}
        self._arrive(self.game.step(self.state, orders))

    def _hear_ahead(self, seat: str, what: str, answer: Answer) -> None:
        """Everybody sees in the log that an order was sent ahead; which of its lines spoke is told to its owner."""
        said = {"f": "ahead", "seat": seat, "what": what}
        self._hear(Fact(said, {seat: {**said, "order": str(answer.order), "clause": answer.line}}))

    def follow(self, before: Course, course: Course) -> None:
        """Apply the entry between these two courses, apart from the rules: seats that are out, take-backs, ready rounds.

        Writers and replayers of a log pass in the course of each entry, so that both continue alike. Raises LookupError if an
        answer that cannot be taken back is taken back.
        """
        for change in changes(self.seats, before, course):
            self.change(change)

    def change(self, change: Json) -> None:
        """Apply one of the `changes` that an entry makes. Raises LookupError if a take-back is not possible."""
        match change:
            case {"out": list(seats), "why": why, "by": cause}:
                self._leave(seats, why, cause)
            case {"agreed": cause}:
                self._end = EndDue(AGREED_DRAW, cause)
            case {"back": ask}:
                self._take_back(ask)
            case {"call": mark, "gone": list(gone)}:
                self.gone = {seat: why for seat, why in self.gone.items() if seat in gone}
                self._call(mark)
            case {"moved": label}:
                self._move(label)

    def _leave(self, seats: Sequence[str], why: str, cause: int) -> None:
        """Seats are out by the say at entry `cause`, with which the game may be over."""
        self.trail.block()
        for seat in seats:
            self.gone[seat], self.plans[seat] = why, ""
        left = tuple(seat for seat in self.seats if seat not in self.gone)
        winner = self.game.resigned(self.state, tuple(seat for seat in self.seats if seat in self.gone), left)
        if winner is not None:
            self._end = EndDue({"winner": winner, "why": why, "seats": list(seats)}, cause)

    def _take_back(self, ask: int) -> None:
        """The question that was put at entry `ask` is put again, after a tell, as everything stood then."""
        point = self.trail.back_to(ask)
        if point is None:
            raise LookupError(f"there is no way back to entry {ask}")
        self._put_again(point.state, point.marks)
        self.plans, self._planned = dict(point.plans), {}
        self.trail.points = [earlier for earlier in self.trail.points if earlier.ask < ask]
        self._hear(Fact({"f": TAKEBACK, "seat": point.seat, "ask": ask}))

    def _put_again(self, state: Any, marks: Mapping[str, int]) -> None:
        self.state, self.wants, self.marks = state, self.game.wants(state), dict(marks)
        self._told, self._ask, self._now = False, None, None

    def _call(self, mark: int) -> None:
        """All say again that they are ready, with that mark; the open question is void and is put again.

        Seats that stood a mark ahead of others, having answered in this round, do so still.
        """
        due = self.due()
        if isinstance(due, AnswersDue) and isinstance(self.wants, Ask) and self.wants.mark:
            self.marks.update({seat: self.marks[seat] - 1 for seat in (*due.to, *due.out)})
        least = min(self.marks.values())
        self.marks = {seat: mark + stood - least for seat, stood in self.marks.items()}
        self._ask = None
        self.trail.block()

    def _move(self, label: str) -> None:
        """Another host has taken over, and everybody is ready: deal again, on the chain `label`, the cards that no seat knew.

        Then, after a tell, the question is put again.
        """
        self.lost |= self.deal_entries.keys()
        self._put_again(self.state, self.marks)
        self._deals_anew = label if self._unseen() else ""
        self._hear(Fact({"f": "host"}))

    def _unseen(self) -> tuple[Unseen, ...]:
        return unseen(self.game, self.state) or ()

    def _dealt_anew(self, outcome: Outcome, n: int) -> None:
        places = [place for group in self._unseen() for place in group.places]
        self.anew |= {place: PlaceRef(n, number) for number, place in enumerate(places)}
        self.deal_entries[self._deals_anew], self.indices[self._deals_anew] = n, 1
        if isinstance(self.game, ChangingHosts):
            self.state = self.game.dealt_anew(self.state, outcome)
        self._now, self._deals_anew = None, ""

    def renew(self, game: Game, version: int) -> None:
        """Continue under another version of the rules, from the same position; the open question is put again, after a tell.

        Raises FormError if the new rules cannot read the position.
        """
        here, state = self.trail.here, game.load(self.game.dump(self.state))
        self.game = game
        self._put_again(state, here.marks if here else self.marks)
        self.trail.block()
        self._hear(Fact({"f": "rules", "ver": version}))

    def _arrive(self, stop: Stop) -> None:
        """Take in a stop of the rules. If plans answer every question there, continue with them, up to a limit."""
        for time in range(MOST_PLANNED + 1):
            self.state, self.wants = stop.state, stop.wants
            self._told, self._ask, self._now = False, None, None
            self._planned = {}
            for event in stop.events:
                if isinstance(event, Fact):
                    self._hear(event)
                    continue
                self.trail.block()
                if isinstance(event, Show):
                    self.shown.append((event.seat, self._place(event)))
                elif isinstance(event, OpenPlace):
                    self._opens.append(self._place(event))
                elif isinstance(event, Release) and event.label not in self.lost:
                    self._links.append(event.label)
            if not isinstance(self.wants, Ask) or self.wants.mark:
                return
            if time == MOST_PLANNED:
                self._hear(Fact({"f": "plans", "most": MOST_PLANNED}))
                return
            self._ask_plans(self.wants)
            if len(self._planned) < len(self.wants.seats):
                return
            stop = self.game.step(self.state, dict(self._planned))

    def _place(self, event: Show | OpenPlace) -> PlaceRef:
        dealt = PlaceRef(self.deal_entries[event.label], event.place)
        return self.anew.get((event.label, event.place), dealt)

    def _ask_plans(self, ask: Ask) -> None:
        for seat in ask.seats:
            if plans := self.plans.get(seat, ""):
                planned = self.game.planned(self.view(seat), plans) if isinstance(self.game, Planning) else None
                if planned is not None:
                    self.trail.block()
                    self._planned[seat] = planned.order
                    said = {
                        "f": "plan", "seat": seat, "what": ask.what, "order": str(planned.order), "clause": planned.clause,
                    }  # fmt: skip
                    self._hear(Fact(said if ask.secret == "no" else None, {seat: said}))

    def _hear(self, fact: Fact) -> None:
        for key, heard in self._facts.items():
            said = fact.heard_by(key or None)
            if said is not None:
                heard.append(said)

    # -- orders -----------------------------------------------------------------------------------------------------

    def read(self, seat: str, order: str, plans: str = "") -> Answer:
        """Read a seat's typed answer to the open question; raise OrderError, and change nothing, if it is not legal."""
        due = self.due()
        if not isinstance(due, AnswersDue) or seat not in due.to:
            raise OrderError(Problem(0, "", _("nothing is asked of {seat} now", seat=seat)))
        view = self.view(seat)
        parsed = self.game.parse(view, order)
        if refusal := self.game.why_not(view, parsed):
            raise OrderError(Problem(0, str(parsed), refusal.why, refusal.rule, refusal.legal))
        return Answer(parsed, read_plans(self.game, plans))

    def ahead(self, seat: str, text: str, plans: str = "") -> Answer:
        """Return what an order sent ahead (canonical) answers to the open question; raise OrderError where it answers nothing."""
        due = self.due()
        if not isinstance(due, AnswersDue) or seat not in due.to:
            raise OrderError(Problem(0, "", _("nothing is asked of {seat} now", seat=seat)))
        found = choose(self.game, self.view(seat), text)
        if not isinstance(found, Fit):
            raise OrderError(*found or [Problem(0, "", _("it was taken back"))])
        return Answer(found.order, read_plans(self.game, plans), found.line, hidden="\n" in text)

    def silence(self, seat: str) -> Answer:
        """Return the answer taken for a seat that stays silent."""
        return Answer(self.game.default(self.view(seat)), self.plans.get(seat, ""))

    def has_choice(self, seat: str) -> bool:
        """Has a seat that is asked more than one legal answer?"""
        return len(list(islice(self.game.options(self.view(seat)), 2))) > 1

    # -- snapshots --------------------------------------------------------------------------------------------------

    def snapshot(self) -> Json:
        """Return all that `resume` needs, as JSON; only when everything has been told."""
        due = self.due()
        if not isinstance(due, AnswersDue | AskDue | EndDue):
            raise TypeError(f"a snapshot between two entries would lose facts ({type(due).__name__})")
        seldom = {
            "end": [self._end.result, self._end.cause] if self._end else None,
            "gone": dict(self.gone) or None,
            "lost": sorted(self.lost) or None,
            "anew": [[*place, ref.n, ref.place] for place, ref in self.anew.items()] if self.lost else None,
        }
        return {name: value for name, value in seldom.items() if value is not None} | {
            "ask": self._ask or 0,
            "deal_entries": dict(self.deal_entries),
            "indices": dict(self.indices),
            "marks": dict(self.marks),
            "plans": dict(self.plans),
            "planned": {seat: str(order) for seat, order in self._planned.items()},
            "position": self.game.dump(self.state),
            "trail": self.trail.dump(self.game),
        }

    @classmethod
    def resume(cls, game: Game, options: Json, snapshot: Json) -> Referee:
        """Return the referee that made `snapshot`."""
        seats = game.seats(options)
        state = game.load(snapshot["position"])
        referee = cls(
            game,
            seats,
            state,
            game.wants(state),
            marks=dict(snapshot["marks"]),
            indices=dict(snapshot["indices"]),
            deal_entries=dict(snapshot["deal_entries"]),
            plans=dict(snapshot["plans"]),
            gone=dict(snapshot.get("gone", {})),
            lost=set(snapshot.get("lost", ())),
            anew={(label, place): PlaceRef(n, number) for label, place, n, number in snapshot.get("anew", ())},
            trail=Trail.load(game, snapshot.get("trail", ()), state),
            _told=True,
            _ask=snapshot["ask"] or None,
            _end=EndDue(*snapshot["end"]) if "end" in snapshot else None,
        )
        referee._views = referee.views()
        referee._planned = {seat: game.parse(referee.view(seat), text) for seat, text in snapshot["planned"].items()}
        return referee


def changes(seats: Sequence[str], before: Course, course: Course) -> Iterator[Json]:
    """Yield what the entry between these two courses changes apart from the rules, in order, each a JSON object:

    - `{"out": [seat, …], "why": "resigned" | "late", "by": entry}`: seats are out of the game.
    - `{"agreed": entry}`: the game ends in an agreed draw.
    - `{"back": ask}`: the answer to the question at entry `ask` is taken back.
    - `{"call": mark, "gone": [seat, …]}`: the open question is void, and all seats but those gone confirm that they are ready.
    - `{"moved": label}`: another host continues; cards that nobody knew are dealt again on the chain `label`.
    """
    out = [seat for seat in seats if course.seats[seat].gone and not before.seats[seat].gone]
    if out:
        yield {"out": out, "why": "late" if course.seats[out[0]].late else "resigned", "by": course.ends}
    elif course.ends:
        yield {"agreed": course.ends}
    if before.owed and before.owed.takeback and not course.owed:
        yield {"back": before.owed.takeback}
    if course.call and (before.call is None or before.call.n != course.call.n):
        yield {"call": course.call.mark, "gone": [seat for seat in seats if course.seats[seat].gone]}
    if before.phase == "called" and course.phase == "play":
        yield {"moved": course.dealt_anew_on}
