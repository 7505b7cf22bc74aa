"""The course of a game of two, act by act: what each seat owes before the rules can take their next step.

A log of two does not record questions or dice: they follow from the rules. `needs` determines from public knowledge which act each
seat owes next; `take` refuses any other. A seat's program (`play`) and the audit (`judging`) both use it. They know different
things, so each implements taking a step itself.

Dice: each seat shows its next link once everything before the roll has been decided. All dice until the next decision come from
these two links, so that a battle's dice need no mails of their own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any, TypeAlias

from pbem.errors import Fault, OrderError, UsageError
from pbem.i18n import N_, _
from pbem.kernel import Ask, Chance, Json, Order, Outcome, read_plans
from pbem.kernel.knowing import ALL, EACH, Knowing, is_going
from pbem.ledger import AGREED_DRAW, TAKEBACK, Entry, event_key, outcome, same, sha256_hex
from pbem.ledger.pair import PairCourse, Spoken
from pbem.ledger.pair.course import JOINS, acts_in, blame_if, check_turn, ended, said
from pbem.ledger.patch import changed
from pbem.records import dataclass

from .ahead import deck_no, is_ahead, shown_ahead

ANSWER, OPEN, LINK, TELL, PART, PLEDGE, MEET, DECK, SHARE, PLAY, NUMBER, OVER = (
    "answer", "open", "link", "tell", "part", "pledge", "meet", "deck", "share", "play", "number", "over",
)  # fmt: skip
_OWED = {"seal": ANSWER, "order": ANSWER} | {
    name: name for name in (OPEN, LINK, TELL, PART, PLEDGE, MEET, DECK, SHARE, PLAY, NUMBER, OVER)
}
TakesAct: TypeAlias = Callable[[Spoken, dict[str, Json]], None]
_BESIDES = ("say", "word", "rekey", NUMBER)


@dataclass(frozen=True)
class Replied:
    """A seat's answer: the order, if it is known here, and the place of its seal until that is opened."""

    order: Order | None
    shut: bool = False
    at: Spoken | None = None


@dataclass(frozen=True)
class Pledge:
    """The plans that a seat lets answer in the contest that begins: "" for nothing, None if they are sealed and unknown here."""

    text: str | None
    shut: bool = False
    at: Spoken | None = None


@dataclass(frozen=True)
class Contest:
    """A contest in which both have pledged their plans, which answer from then on."""

    about: str
    pledges: Mapping[str, str]
    links: Mapping[str, tuple[int, str]]
    """The links that were shown for it, until a pledge has answered first: what falls from then on comes of them."""
    shown: frozenset[str]
    """The seats with a public last answer in it: a pledge's, or none yet."""


@dataclass(frozen=True)
class Given:
    """The input for the next step of the rules so far."""

    answers: Mapping[str, Replied] = field(default_factory=dict)
    played: Mapping[str, tuple[int, int, str]] = field(default_factory=dict)
    """By seat, the card that it has shown: deck, place, card."""
    parts: Mapping[str, dict[str, Json]] = field(default_factory=dict)
    pledges: Mapping[str, Pledge] = field(default_factory=dict)
    """By seat, what it has pledged, who did first before the other."""
    links: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """By seat, the link that it has shown for a contest in which both have pledged."""

    def and_of(self, seat: str, **said: Any) -> Given:
        """Return this with a seat's further input: a value for each named field."""
        return changed(self, **{name: {**getattr(self, name), seat: value} for name, value in said.items()})


@dataclass(frozen=True)
class WayBack:
    """The state of a game before a seat's answer, restored if the answer is taken back."""

    n: int
    seat: str
    given: Given
    links: Mapping[str, tuple[int, str]]
    events: Mapping[str, int]
    released: frozenset[int]
    contest: Contest | None
    known: Any
    """Further knowledge, in the form that the subclass keeps it."""


class PairSteps(ABC):
    """A game of two on its way, from the entry behind the joins on."""

    def __init__(self, knowing: Knowing, course: PairCourse) -> None:
        self.knowing, self.game, self.course = knowing, knowing.game, course
        self.seats = course.names
        self.given = Given()
        self.links: Mapping[str, tuple[int, str]] = {}
        """By seat, the link that it has shown since somebody decided last, and its number."""
        self.events: Mapping[str, int] = {}
        """How many random events have fallen, by chain."""
        self.released: frozenset[int] = frozenset()
        """Decks of which nothing is hidden any longer, by the rules."""
        self.contest: Contest | None = None
        self.result: Json | None = None
        self.way_back: WayBack | None = None
        """The state before the last answers, if the course says that they can be taken back."""

    @property
    @abstractmethod
    def state(self) -> Any:
        """A state that tells all that everybody knows of this one."""

    # -- what is owed -----------------------------------------------------------------------------------------------

    def needs(self) -> dict[str, str]:
        """Return what each seat owes now; nobody who owes nothing."""
        if self.result is not None:
            return {seat: OVER for seat in self.seats if not self.course.seats[seat].secret}
        if is_going(self.state):
            return self._lacking_shares(self.knowing.shows(self.state)) or self._lacking_words()
        match self.game.wants(self.state):
            case Ask() as ask:
                owed = self._for_answers(ask)
            case Chance() as chance:
                owed = self._for_chance(chance)
        return owed or self._lacking_words()

    def _for_answers(self, ask: Ask) -> dict[str, str]:
        answers = self.given.answers
        shut = {seat for seat, answer in answers.items() if answer.shut and ask.secret != "until end"}
        owed = {seat: ANSWER for seat in ask.seats if seat not in answers}
        if not owed:
            owed = dict.fromkeys(shut, OPEN)
        if ask.secret != "until end":
            # who has shown his order shows his card at once
            owed |= {seat: PLAY for seat in self._to_play() if seat not in self.given.played}
        return owed

    def _to_play(self) -> Mapping[str, str]:
        """Return the name of the card that each seat has to show, for seats with a public order."""
        seen = {seat: answer.order for seat, answer in self.given.answers.items() if not answer.shut and answer.order}
        return self.knowing.played(self.state, seen)

    def _for_chance(self, chance: Chance) -> dict[str, str]:
        if not chance.is_deal:
            seats = self.seats if chance.owner is None else (self.course.other(chance.owner),)
            return {seat: LINK for seat in seats if seat not in self.links}
        no, decks = deck_no(chance.label), self.course.decks
        if no - 1 in self.released and no - 1 not in self.course.dead:
            shown = self.course.numbers.get(no - 1, {})
            return {seat: NUMBER for seat in self.seats if seat not in shown}
        laid = len(decks[no].laid) if no in decks else 0
        if laid < len(self.seats):
            return {self.seats[laid]: DECK}
        return self._lacking_shares({(chance.label, place): seat for place, seat in self.knowing.whose(chance).items()})

    def _lacking_shares(self, shown: Mapping[tuple[str, int], str]) -> dict[str, str]:
        return {self.course.other(seat): SHARE for _no, _place, seat in self.lacking(shown)}

    def lacking(self, shown: Mapping[tuple[str, int], str]) -> list[tuple[int, int, str]]:
        """Return the places without a share so far: deck, place, and the seat that is to see it."""
        named = [(deck_no(label), place, seat) for (label, place), seat in shown.items()]
        return [(no, place, seat) for no, place, seat in named if place not in self.course.decks[no].shares]

    def _lacking_words(self) -> dict[str, str]:
        """Return the seats that have to disclose the result of the step, once all its input is there."""
        knowing, contest = self.knowing, self.contest
        knower = knowing.openly(self.state, contest.shown) if contest else knowing.knower(self.state)
        if knower == ALL:
            return {}
        if knower == EACH:
            return {seat: PART for seat in self.seats if seat not in self.given.parts} or self._lacking_pledges()
        return {knower: TELL}

    def _lacking_pledges(self) -> dict[str, str]:
        """Return the next acts after one seat sealed its plans: the other meets them or declines, then plans are opened and links
        shown.

        Nobody sees the other's plans, or a link, before being bound to their own plans.
        """
        pledges = self.given.pledges
        if not pledges:
            return {}
        first = next(iter(pledges))
        second = self.course.other(first)
        if second not in pledges:
            return {second: MEET}
        if not pledges[second].text:
            return {}
        opens = {first: OPEN} if pledges[first].shut else {}
        return {seat: LINK for seat in self.seats if seat not in self.given.links} | opens

    def begins_contest(self, seat: str) -> str:
        """Return the contest that begins with the next step, if a seat may now be the first to pledge; otherwise "".

        That is after its own part, while the other still owes a part, so it costs no mail.
        """
        parts = self.given.parts
        if seat not in parts or self.course.other(seat) in parts or self.given.pledges:
            return ""
        return self.knowing.contest(self.state, self._orders())

    # -- what is said -----------------------------------------------------------------------------------------------

    def take(self, at: Spoken, act: Mapping[str, Json]) -> None:
        """Take an act of a seat, and every step that is then complete. Raises Fault."""
        what = act["do"]
        blame_if(
            what == NUMBER and act["no"] not in self.released,
            at,
            "CARD",
            N_("Cards of deck {no} are hidden still."),
            no=act.get("no"),
        )
        blame_if(what in ("say", "word") and self.result is not None, at, "ORDERING", N_("The game is over."))
        if what in _BESIDES:
            self.course = said(self.course, at, act)
            if self.course.gone_back == at.n:
                self._go_back()
            self._close()
            self._go_on()
            return
        goes_ahead = is_ahead(self, at, act)
        owed = self.needs().get(at.seat)
        begins = what == PLEDGE and bool(self.begins_contest(at.seat))
        if not goes_ahead and not begins and _OWED[what] != owed:
            raise Fault(at.n, "ORDERING", at.seat, said_out_of_turn(at.seat, what, owed))
        if self.course.begins_to_decide(at, act):
            self.way_back = self._stands(at)
        self.course = said(self.course, at, act)
        if what != DECK:
            getattr(self, f"_take_{what}")(at, act)
        self._go_on()

    def go_through(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Take entries behind the joins that were verified, one after the other. Raises Fault."""
        for entry in entries:
            self.take_turn(entry)
            yield entry

    def take_turn(self, entry: Entry, take: TakesAct | None = None) -> None:
        """Take a turn with valid signature, place and form; `take` handles its acts instead of this object, and passes them on.

        Raises Fault, also if the seat ends its turn with it while it still owes an act.
        """
        check_turn(self.course, entry)
        for at, act in acts_in(entry):
            (take or self.take)(at, act)
        self.course = ended(self.course, entry)
        n, seat = entry.n, entry.fields["by"]
        if self.course.baton == seat or self.course.gone_back == n:
            return
        if owed := self.needs().get(seat):
            why = _("{seat} ends its turn, and owes “{owed}”.", seat=seat, owed=owed)
            raise Fault(n, "ORDERING", seat, why)

    def _stands(self, at: Spoken) -> WayBack:
        known = self._known()
        return WayBack(at.n, at.seat, self.given, self.links, self.events, self.released, self.contest, known)

    def _go_back(self) -> None:
        """Restore the state before the answers that are taken back. No link was shown since, so the dice will be the same."""
        way, self.way_back = self.way_back, None
        assert way is not None  # noqa: S101 - the course has such answers
        self.given, self.links, self.events, self.released = way.given, way.links, way.events, way.released
        self.contest = way.contest
        self._know_again(way)

    def _go_on(self) -> None:
        """Take all steps for which nothing is missing."""
        self._answer_as_pledged()
        while self.result is None and not self.needs():
            self._step()
            self._answer_as_pledged()

    def _answer_as_pledged(self) -> None:
        """Let a pledge answer a question in a contest. It was bound before any link was shown, so no new links are needed."""
        if self.contest is None or self.result is not None or is_going(self.state):
            return
        match self.game.wants(self.state):
            case Ask(seats=(seat,)) as ask if seat not in self.given.answers:
                contest = self.contest
                planned = self.knowing.pledged(self.state, seat, contest.pledges[seat], contest.shown)
                if planned is not None:
                    self.given = self.given.and_of(seat, answers=Replied(planned.order))
                    self.links = contest.links or self.links
                    self.contest = replace(contest, links={}, shown=contest.shown | {seat})
                    self._pledge_spoke(
                        {
                            "f": "plan", "seat": seat, "what": ask.what, "order": str(planned.order),
                            "clause": planned.clause,
                        }
                    )  # fmt: skip

    def _close(self) -> None:
        how, seat = self.course.closed
        if self.result is not None or not how:
            return
        if how == "agreed":
            self.result = AGREED_DRAW
        else:
            winner = self.game.resigned(self.state, (seat,), (self.course.other(seat),))
            self.result = {"winner": winner, "why": how, "seats": [seat]}

    def _take_order(self, at: Spoken, act: Mapping[str, Json]) -> None:
        ask = self._ask()
        others = [seat for seat in ask.seats if seat != at.seat]
        blame_if(
            ask.secret == "until end" or any(seat not in self.given.answers for seat in others),
            at,
            "ORDERING",
            N_("This answer has to be sealed."),
        )
        self._answered(at, Replied(self._read(at, act["text"])))

    def _take_seal(self, at: Spoken, act: Mapping[str, Json]) -> None:
        ask = self._ask()
        blame_if(
            ask.secret == "no" or (ask.secret == "until resolved" and self.given.answers),
            at,
            "ORDERING",
            N_("This answer has to be open."),
        )
        text = self._unsealed(at, act["c"])
        self._answered(at, Replied(None if text is None else self._read(at, text), shut=True, at=at))

    def _answered(self, at: Spoken, answer: Replied) -> None:
        self.given = self.given.and_of(at.seat, answers=answer)
        self.links = {}  # the dice that come now are of links that nobody has seen
        if self.contest is not None:
            self.contest = replace(self.contest, links={}, shown=self.contest.shown - {at.seat})

    def _take_pledge(self, at: Spoken, act: Mapping[str, Json]) -> None:
        """A seat pledges its plans, sealed, as the first."""
        self.given = self.given.and_of(at.seat, pledges=Pledge(self._unsealed(at, act["c"]), shut=True, at=at))
        self._told_of_pledge(at.seat)

    def _take_meet(self, at: Spoken, act: Mapping[str, Json]) -> None:
        """The other pledges its plans as well, in the open, or lets it be."""
        if act["text"]:
            self._check_pledge(at, act["text"])
        self.given = self.given.and_of(at.seat, pledges=Pledge(act["text"]))
        self._told_of_pledge(at.seat, act["text"])

    def _told_of_pledge(self, seat: str, text: str | None = None) -> None:
        """Let everybody hear of a pledge: that it was sealed, or what it says; "" for one that its seat does not give."""
        about = self.knowing.contest(self.state, self._orders())
        fact = {"f": "pledge", "seat": seat, "other": self.course.other(seat), "about": about}
        self._all_hear(fact if text is None else {**fact, "text": text})

    def _check_pledge(self, at: Spoken, text: str) -> None:
        """Look whether this is what plans can say of the contest that begins, in its one form. Raises Fault."""
        about = self.knowing.contest(self.state, self._orders())
        try:
            if text and self.knowing.pledge(about, read_plans(self.game, text)) == text:
                return
        except (OrderError, UsageError) as why:
            raise Fault(at.n, "ILLEGAL", at.seat, str(why)) from None
        raise Fault(
            at.n,
            "ILLEGAL",
            at.seat,
            _("These are not plans, in canonical form, for the battle that begins here: “{plans}”.", plans=text),
        )

    def _take_open(self, at: Spoken, act: Mapping[str, Json]) -> None:
        if (pledge := self.given.pledges.get(at.seat)) is not None and pledge.shut:
            self._check_pledge(at, act["text"])
            self.given = self.given.and_of(at.seat, pledges=replace(pledge, text=act["text"], shut=False))
            self._told_of_pledge(at.seat, act["text"])
            return
        answer = replace(self.given.answers[at.seat], order=self._read(at, act["text"]), shut=False)
        self.given = self.given.and_of(at.seat, answers=answer)

    def _take_link(self, at: Spoken, act: Mapping[str, Json]) -> None:
        # links that stand when a contest begins may show what falls before the first answer: pledges, or none, change nothing of it
        shown = (self.course.seats[at.seat].links, act["x"])
        if self.given.pledges:
            self.given = self.given.and_of(at.seat, links=shown)
        else:
            self.links = {**self.links, at.seat: shown}

    def _take_part(self, at: Spoken, act: Mapping[str, Json]) -> None:
        self._heard_part(at, act["part"])
        self.given = self.given.and_of(at.seat, parts=act["part"])

    def _take_share(self, at: Spoken, act: Mapping[str, Json]) -> None:
        no, place = act["no"], act["place"]
        due = {**shown_ahead(self), **self.shown_next()}
        blame_if(
            (no, place, self.course.other(at.seat))
            not in [(deck_no(one), where, seat) for (one, where), seat in due.items()],
            at,
            "CARD",
            N_("Place {place} of deck {no} is not to be shown."),
            place=place,
            no=no,
        )
        self._dealt(no, place, self.course.other(at.seat))

    def shown_next(self) -> Mapping[tuple[str, int], str]:
        """Return which dealt places the next step shows to which seat."""
        if is_going(self.state):
            return self.knowing.shows(self.state)
        wanted = self.game.wants(self.state)
        if isinstance(wanted, Chance) and wanted.is_deal:
            return {(wanted.label, place): seat for place, seat in self.knowing.whose(wanted).items()}
        return {}

    def _take_play(self, at: Spoken, act: Mapping[str, Json]) -> None:
        blame_if(
            self.knowing.called(act["card"]) != self._to_play()[at.seat],
            at,
            "CARD",
            N_("This is not the card that was ordered."),
        )
        blame_if(
            act["no"] < self.knowing.hands_from(self.state),
            at,
            "CARD",
            N_("Cards of deck {no} are in no hand any longer."),
            no=act["no"],
        )
        self.given = self.given.and_of(at.seat, played=(act["no"], act["place"], act["card"]))

    def _take_over(self, at: Spoken, act: Mapping[str, Json]) -> None:
        blame_if(not same(act["result"], self.result), at, "TELL", N_("The game has ended otherwise."))

    def _take_tell(self, at: Spoken, act: Mapping[str, Json]) -> None:
        falls = self._falls()
        self._told(at, act)
        self._next(falls)

    def _ask(self) -> Ask:
        wanted = self.game.wants(self.state)
        if not isinstance(wanted, Ask):
            raise TypeError("no question stands open")
        return wanted

    # -- how a step is taken ----------------------------------------------------------------------------------------

    def _falls(self) -> str:
        """Return the chain on which something falls with the next step, or ""."""
        wanted = None if is_going(self.state) else self.game.wants(self.state)
        return wanted.label if isinstance(wanted, Chance) and not wanted.is_deal else ""

    def _next(self, fallen: str) -> None:
        if fallen:
            self.events = {**self.events, fallen: self.events.get(fallen, 0) + 1}
        self.given = Given()
        self.result = self.state.result
        if self.contest is not None and not self.knowing.is_contested(self.state, self.contest.about):
            self.contest = None

    def _step(self) -> None:
        """Take a step that all can work out, or of which each has said his part."""
        given, falls = self._inputs(), self._falls()
        pledges = {seat: pledge.text for seat, pledge in self.given.pledges.items() if pledge.text and not pledge.shut}
        if len(pledges) == len(self.seats):
            about, links = self.knowing.contest(self.state, self._orders()), self.given.links
            self.contest = Contest(about, pledges, links, frozenset(self.seats))
            self.links = self.links if len(self.links) == len(self.seats) else links
        released = self._go_together(given) if self.given.parts else self._go(given)
        if self.knowing.decks_die:
            self.released |= {deck_no(label) for label in released}
        self._next(falls)

    def _inputs(self) -> Mapping[str, Order] | Outcome | None:
        """Return the input of the next step, including only what is known here."""
        if is_going(self.state):
            return None
        wanted = self.game.wants(self.state)
        if isinstance(wanted, Chance):
            return self._drawn(wanted)
        return self._orders()

    def _orders(self) -> dict[str, Order]:
        """Return the known answers to the open question, in the order of the asked seats."""
        wanted, answers = None if is_going(self.state) else self.game.wants(self.state), self.given.answers
        seats = [seat for seat in wanted.seats if seat in answers] if isinstance(wanted, Ask) else []
        return {seat: order for seat in seats if (order := answers[seat].order) is not None}

    def _drawn(self, chance: Chance) -> Outcome:
        if chance.is_deal:
            return self._cards(chance)
        i = self.events.get(chance.label, 0) + 1
        seats = self.seats if chance.owner is None else (self.course.other(chance.owner),)
        links = [[seat, *self.links[seat]] for seat in seats]
        if chance.owner is None:
            x = sha256_hex("".join(str(link[2]) for link in links).encode())
        else:
            x = self._private(chance.owner, i)
        key = event_key(x, self.course.game, chance.label, i, links)
        drawn = outcome(key, [request.json() for request in chance.requests])
        return tuple(tuple(one) for one in drawn)

    def _lawful(self, at: Spoken, view: Any, text: str) -> Order:
        """Read an order by what its seat sees. Raises Fault where it cannot be read, or is not legal."""
        order = self._in_one_form(at, text, lambda: self.game.parse(view, text))
        if refusal := self.game.why_not(view, order):
            raise Fault(at.n, "ILLEGAL", at.seat, f"{refusal.why} ({refusal.rule})")
        return order

    def _in_one_form(self, at: Spoken, text: str, read: Callable[[], Order]) -> Order:
        """Read an order, which is written in one way alone. Raises Fault."""
        try:
            order = read()
        except OrderError as why:
            raise Fault(at.n, "ILLEGAL", at.seat, str(why)) from None
        blame_if(str(order) != text, at, "ILLEGAL", N_("The order is not in its one form: “{order}”."), order=order)
        return order

    @abstractmethod
    def _known(self) -> Any:
        """Return what is known here beyond `given`; it must not change afterwards."""

    @abstractmethod
    def _know_again(self, way: WayBack) -> None:
        """Restore the knowledge from the start of the way back, and note that something was taken back."""

    @abstractmethod
    def _read(self, at: Spoken, text: str) -> Order:
        """Read a seat's order, and refuse it if it is known here to be illegal."""

    def _pledge_spoke(self, fact: Json) -> None:
        """A pledge has answered."""
        self._all_hear(fact)

    @abstractmethod
    def _all_hear(self, fact: Json) -> None:
        """Everybody may hear of a pledge, and of what it has answered."""

    @abstractmethod
    def _unsealed(self, at: Spoken, hidden: str) -> str | None:
        """Read what a seat has sealed, if that can be read here."""

    @abstractmethod
    def _private(self, seat: str, i: int) -> str:
        """Return a seat's own share in its i-th private draw."""

    @abstractmethod
    def _dealt(self, no: int, place: int, seat: str) -> None:
        """A place of a deck can be seen by a seat from now on."""

    @abstractmethod
    def _cards(self, chance: Chance) -> Outcome:
        """Return the outcome of a deal, with "" for each card that is not known here."""

    @abstractmethod
    def _heard_part(self, at: Spoken, part: dict[str, Json]) -> None:
        """Check a seat's part of a step against what is known here."""

    @abstractmethod
    def _told(self, at: Spoken, act: Mapping[str, Json]) -> None:
        """Take the step that a seat has worked out."""

    @abstractmethod
    def _go(self, given: Mapping[str, Order] | Outcome | None) -> tuple[str, ...]:
        """Take a step that all can work out; return the deals of which nothing is hidden any longer."""

    @abstractmethod
    def _go_together(self, given: Mapping[str, Order] | Outcome | None) -> tuple[str, ...]:
        """Take a step of which each has said his part; return the same."""


def is_own_part(own: Any, follows: Collection[str]) -> bool:
    """Return whether one seat's own part has its form, without anything that follows from the rest."""
    if not isinstance(own, dict) or own.keys() != {"facts", "view"}:
        return False
    facts, view = own["facts"], own["view"]
    return isinstance(facts, list) and isinstance(view, dict) and not view.keys() & set(follows)


def why_unfit(knowing: Knowing, course: PairCourse) -> str:
    """Say why a game cannot be played by these rules: its options, its seats, or the deck of its first join; "" where it can."""
    why = _unfit(knowing, course)
    return _("This game cannot be played: {why}.", why=why) if why else ""


def _unfit(knowing: Knowing, course: PairCourse) -> str:
    options, game = course.first["opts"], knowing.game
    try:
        due = game.seats(options)
        game.start(options)
    except UsageError as wrong:
        return _("the options do not fit the rules: {why}", why=wrong)
    if tuple(due) != course.names:
        return _("{title} with these options is played by {seats}", title=game.title, seats=", ".join(due))
    if course.laid.get((1, course.names[0]), JOINS + 1) <= JOINS and course.decks[1].name.cards != knowing.next_deck():
        return _(
            "the deck in the join of {seat} does not hold the cards of {title}; you can only begin another game",
            seat=course.names[0],
            title=game.title,
        )
    return ""


def taken_back(way: WayBack, stand: int) -> Json:
    """Return the fact about answers that were taken back; `stand` is the number of earlier facts of their entry that remain
    valid."""
    return {"f": TAKEBACK, "seat": way.seat, "ask": way.n, "stand": stand}


def said_out_of_turn(seat: str, what: str, owed: str | None) -> str:
    """Describe the fault of a seat that performed an act that was not due."""
    if owed is None:
        return _("{seat} says “{what}”, and nothing is due from it.", seat=seat, what=what)
    return _("{seat} says “{what}”, and owes “{owed}”.", seat=seat, what=what, owed=owed)
