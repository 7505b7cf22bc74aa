"""The replay: the rules' own game next to the logged one, entry by entry, up to the first difference.

It stops if the rules need an opening that is not in the file. Information lost with a former host (places of deals that nobody had
seen) is guessed: nobody saw it, so no report can depend on it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import ClassVar, TypeAlias

from pbem.errors import EndlessError, Fault, FormError, OrderError, UsageError
from pbem.i18n import N_, _
from pbem.kernel import Chance, Draw, Game, Json
from pbem.ledger import TAKEBACK, Checked, Course, Entry, Progress, Stream, heard, host_fault, same, seen
from pbem.ledger.verifier.verdict import blame_if

from .differing import RequestsDiffer, ViewsDiffer
from .referee import PUBLIC, Answer, AnswersDue, AskDue, Due, EndDue, OrderRef, PlaceRef, RandDue, Referee, TellDue

HOST = "host"
_LOST = object()
_FITTING = 64
"""The number of guessed deals to try for one that continues as the log does."""


class NoRules(Exception):
    """The rules that the log names are not at hand, from this entry on."""

    def __init__(self, entry: int, reason: str) -> None:
        self.entry, self.reason = entry, reason


class NotOpen(Exception):
    """The next input of the rules is not open in this file."""

    def __init__(self, entry: int, what: str) -> None:
        self.entry, self.what = entry, what


Find: TypeAlias = Callable[[str], tuple[Game, str]]
"""Returns the rules of a game and the SHA-256 of their manifest; raises UsageError where they are not at hand."""
Shelf: TypeAlias = Mapping[tuple[str, int] | tuple[str, int, str], tuple[Game, str]]
"""Rules of other versions that are at hand, by id and version; those of certain bytes by id, version and SHA-256."""


class Library:
    """The rules that are at hand."""

    def __init__(self, find_game: Find, shelf: Shelf) -> None:
        self._find, self._shelf = find_game, shelf

    def get(self, rules: Json, entry: int) -> tuple[Game, str]:
        """Return the rules of that version, and the SHA-256 of their manifest. Raises NoRules.

        Rules with exactly the bytes that the log names come before others of their version, and the shelf before installed rules.
        """
        version = (rules["id"], rules["ver"])
        exactly = self._shelf.get((*version, rules["sha256"]))
        try:
            game, sha256 = exactly or self._installed(rules) or self._shelf.get(version) or self._find(rules["id"])
        except UsageError as missing:
            raise NoRules(
                entry, _("the rules of “{game}” are not here: {why}", game=rules["id"], why=missing)
            ) from missing
        if rules["ver"] != game.version:
            found = {"ver": rules["ver"], "title": game.title, "version": game.version}
            if entry:
                reason = _(
                    "the log was played from entry {entry} on under version {ver} of the rules of {title}; here is {version}",
                    entry=entry,
                    **found,
                )
            else:
                reason = _("the log was played under version {ver} of the rules of {title}; here is {version}", **found)
            raise NoRules(entry, reason)
        return game, sha256

    def newest(self, name: str) -> Game:
        """Return the installed rules of a game. Raises UsageError."""
        return self._find(name)[0]

    def _installed(self, rules: Json) -> tuple[Game, str] | None:
        """Return the rules that are installed, if they are just those that the log names."""
        try:
            game, sha256 = self._find(rules["id"])
        except UsageError:
            return None
        return (game, sha256) if (game.version, sha256) == (rules["ver"], rules["sha256"]) else None


class Replay:
    """One pass of the rules over the entries after the last `ready`, with lost cards laid for the `guess`-th time."""

    def __init__(self, library: Library, checked: Checked, guess: int) -> None:
        self.library, self.checked, self.guess = library, checked, guess
        self.guessed: set[tuple[int, int]] = set()
        """Places of deals, by entry and number, that were lost with a former host and are guessed, for the `guess`-th time."""
        self.shown: dict[str, dict[str, int]] = {}
        """By seat and digest, the places that the seat alone was shown, and with which tell."""
        start = checked.entries[0].fields
        self.others = ""
        """The SHA-256 of the rules that the log names, of the first that are other bytes here."""
        self.game: Game
        self.seats = tuple(start["seats"])
        self.told: dict[str, Json] = {key: {} for key in (PUBLIC, *self.seats)}
        self.course = Course()
        self.answers: dict[str, Answer] = {}
        self.skipped: set[str] = set()
        self.decisions = 0
        self.referee: Referee

    def _rules(self, rules: Json, entry: int) -> Game:
        game, sha256 = self.library.get(rules, entry)
        self.others = self.others or (rules["sha256"] if rules["sha256"] != sha256 else "")
        return game

    def run(self, told: Progress | None = None) -> None:
        """Go through the whole log. Raises Fault, NoRules or NotOpen, where it stops.

        `told` is called before each entry with how much is done of verifying and replaying.
        """
        count = len(self.checked.entries)
        for _before, behind, entry in self.checked.followed():
            if told:
                told(count + entry.n, 2 * count)
            try:
                self._go_on(entry, behind)
            except EndlessError as endless:
                raise host_fault(entry, "FORM", _("more work than the format allows: {why}", why=endless)) from endless

    def _go_on(self, entry: Entry, behind: Course) -> None:
        before, self.course = self.course, behind
        if entry.k == "game":
            self._start(entry.fields)
        if entry.k in self._CHECKS:
            form, check = self._CHECKS[entry.k]
            if not isinstance(due := self.referee.due(), form):
                raise self._out_of_turn(entry, due)
            check(self, entry, due)
        elif entry.k == "amend":
            self._amend(entry)
        self.referee.follow(before, self.course)
        if entry.k in ("order", "skip") and self.course.phase == "play" and not isinstance(self.referee.due(), EndDue):
            self.referee.answered(self.answers, frozenset(self.skipped))

    def _start(self, fields: Mapping[str, Json]) -> None:
        self.game = game = self._rules(fields["rules"], 0)
        options = fields["opts"]
        try:
            due = game.seats(options)
            if due != self.seats:
                why = _("{title} with these options is played by {seats}", title=game.title, seats=", ".join(due))
                raise Fault(0, "ORDERING", HOST, why)
            self.referee = Referee.start(game, options)
        except UsageError as wrong:
            raise Fault(0, "ORDERING", HOST, _("the options do not fit the rules: {why}", why=wrong)) from wrong

    def _opened(self, entry: Entry, digest: str, what: str, **values: object) -> Json:
        if digest not in self.checked.opened:
            raise NotOpen(entry.n, _(what, **values))
        return self.checked.opened[digest]

    def _out_of_turn(self, entry: Entry, due: Due) -> Fault:
        """Return the fault of an entry of a kind that is not due: PLAN if plans explain it, otherwise one of order."""
        if self._plans_differ(entry):
            return host_fault(
                entry, "PLAN", _("the host let a plan speak where it does not cover, or kept it silent where it does")
            )
        names = {
            RandDue: _("a random event"),
            TellDue: _("a tell"),
            AskDue: _("an ask"),
            AnswersDue: _("an answer"),
            EndDue: _("the end"),
        }
        code = "REQ" if entry.fields["k"] == "rand" else "ORDERING"
        return host_fault(
            entry,
            code,
            _("there is a “{kind}” entry where the rules require {due}", kind=entry.fields["k"], due=names[type(due)]),
        )

    # -- random events ----------------------------------------------------------------------------------------------

    def _rand(self, entry: Entry, due: RandDue) -> None:
        fields, chance = entry.fields, due.chance
        want = [request.json() for request in chance.requests]
        if fields["chain"] != chance.label or fields["i"] != due.index:
            found = f"{fields['chain']} {fields['i']}"
            raise host_fault(
                entry,
                "REQ",
                _(
                    "the rules ask for event {index} of {label}, here is {found}",
                    index=due.index,
                    label=chance.label,
                    found=found,
                ),
            )
        if chance.owner:
            req, res = self._opened(entry, fields["seals"][chance.owner], N_("a private draw"))
        elif chance.is_deal:
            blame_if(
                chance.listed != ("req" in fields),
                entry,
                "REQ",
                N_("the list that was dealt from is sealed where it is public, or open where it is not"),
            )
            req = fields["req"] if chance.listed else self._dealt_from(entry, want)
            res = self._deal(entry, chance)
        else:
            req, res = fields["req"], fields["res"]
        blame_if(
            not same(req, want),
            entry,
            "REQ",
            N_("These are not the dice or cards that the rules ask for: {what}."),
            what=RequestsDiffer(req, want),
        )
        self.referee.rolled(tuple(tuple(drawn) for drawn in res), entry.n)

    def _is_lost(self, digest: str) -> bool:
        """Is a seal not open, and was lost with a former host?"""
        checked = self.checked
        return digest not in checked.opened and digest in checked.bearers and checked.is_lost(digest)

    def _dealt_from(self, entry: Entry, want: list[Json]) -> Json:
        digest = entry.fields["seals"]["req"]
        return want if self._is_lost(digest) else self._opened(entry, digest, N_("the set that was dealt from"))

    def _deal(self, entry: Entry, chance: Chance) -> list[list[Json]]:
        seals, res, place = entry.fields["seals"], [], 0
        for request in chance.requests:
            drawn = []
            for _place in range(request.n):
                digest = seals.get(f"p{place}", "")
                if self._is_lost(digest):
                    self.guessed.add((entry.n, place))
                    drawn.append(_LOST)
                else:
                    drawn.append(self._opened(entry, digest, N_("place {place} of the deal"), place=place))
                place += 1
            res.append(drawn)
        return self._guess(entry, chance, res) if any(_LOST in drawn for drawn in res) else res

    def _guess(self, entry: Entry, chance: Chance, res: list[list[Json]]) -> list[list[Json]]:
        """Put unseen cards at the places where nobody has looked, so that the game continues as the log does."""
        following = next((e for e in self.checked.entries[entry.n + 1 :] if e.k not in ("say", "extend")), entry)
        for number in range(_FITTING):
            stream = Stream(hashlib.sha256(f"{self.guess} {entry.n} {number}".encode()).digest())
            laid = []
            for request, drawn in zip(chance.requests, res, strict=True):
                rest = list(request.of) if isinstance(request, Draw) else []
                for card in drawn:
                    if card in rest:
                        rest.remove(card)
                cards = iter(stream.draw(min(drawn.count(_LOST), len(rest)), rest))
                laid.append([next(cards, card) if card is _LOST else card for card in drawn])
            # what is dealt anew by another host is asked for by no rule of the game
            if not chance.listed:
                return laid
            wants = self.game.step(self.referee.state, tuple(map(tuple, laid))).wants
            chain = following.fields.get("chain", "")
            if wants.label == chain if isinstance(wants, Chance) else not chain.startswith("deal:"):
                return laid
        raise NotOpen(entry.n, _("what was lost with the former host"))

    # -- tells ------------------------------------------------------------------------------------------------------

    def _tell(self, entry: Entry, due: TellDue) -> None:
        fields = entry.fields
        for seat, place in self.referee.shown:
            self._was_shown(entry, seat, place)
        nothing: dict[str, Json] = {"facts": [], "view": {}}
        before = self.told[PUBLIC]
        self._compare(entry, PUBLIC, nothing, fields["pub"], due)
        shown = before, self.told[PUBLIC]
        # what all have heard has been compared: what a seat has heard of it is one object with what it ought to hear
        public = {**fields["pub"], "facts": due.facts[PUBLIC]}
        for seat in self.seats:
            value = self._opened(entry, fields["seals"][seat], N_("what {seat} was told"), seat=seat)
            self._compare(entry, seat, public, value, due, shown)
        blame_if(
            fields["opens"] != [self._digest(ref) for ref in due.opens],
            entry,
            "TELL",
            N_("the tell does not open the seals that the rules reveal here, or it opens others"),
        )
        blame_if(
            fields["links"] != [[label, 1] for label in due.links],
            entry,
            "TELL",
            N_("the tell does not release the links that the rules release here"),
        )
        state = fields["seals"]["state"]
        # the fingerprint of a position in which cards were lost is itself as good as lost
        blind = bool(self.guessed) and entry.n <= self.checked.lost_to
        blame_if(
            not (blind or self._is_lost(state))
            and self._opened(entry, state, N_("the fingerprint of the position")) != due.state,
            entry,
            "TELL",
            N_("the position the host sealed is not the one the rules come to"),
        )
        self.referee.told()

    def _was_shown(self, entry: Entry, seat: str, place: PlaceRef) -> None:
        """Note a place that a seat was shown; its copy held it, so it cannot be lost."""
        self.shown.setdefault(seat, {}).setdefault(self._digest(place), entry.n)
        if (place.n, place.place) in self.guessed:
            what = _("a dealt card that {seat} was shown (entry {n})", seat=seat, n=place.n)
            if not self.checked.finished:
                raise NotOpen(entry.n, what)
            raise Fault(
                entry.n, "UNOPENED", "supplier", _("Missing, and not lost with the former host: {what}.", what=what)
            )

    def _compare(
        self, entry: Entry, key: str, public: Json, value: Json, due: TellDue, shown: tuple[Json, Json] | None = None
    ) -> None:
        blame_if(
            not isinstance(value, dict) or set(value) != {"facts", "view"} or not isinstance(value["view"], dict),
            entry,
            "TELL",
            N_("what {who} is told is not of the form facts and view"),
            who=key or _("everybody"),
        )
        if not same(heard(public, value), due.facts[key]):
            if self._plans_differ(entry):
                raise self._out_of_turn(entry, due)
            raise host_fault(
                entry, "TELL", _("the facts told to {who} are not what happened", who=key or _("everybody"))
            )
        view = self.referee.views()[key]
        blame_if(
            not same(found := seen(public, value, self.told[key], shown), view),
            entry,
            "TELL",
            N_("The view told to {who} is not what may be seen: {what}."),
            who=key or _("everybody"),
            what=ViewsDiffer(found, view),
        )
        self.told[key] = view  # what the next one leaves as it is, is then one object with what it was

    def _digest(self, ref: OrderRef | PlaceRef) -> str:
        if isinstance(ref, PlaceRef):
            return str(self.checked.entries[ref.n].fields["seals"][f"p{ref.place}"])
        return str(self.checked.answers[ref.ask][ref.seat].fields["say"]["seals"]["order"])

    def _plans_differ(self, entry: Entry) -> bool:
        """Do other seats' plans speak in the log than by the rules, between the last tell and the next?"""
        told = next((e for e in self.checked.entries[entry.n :] if e.fields["k"] in ("tell", "ask", "end")), None)
        if told is None or told.fields["k"] != "tell":
            return False
        for seat in self.seats:
            value = self.checked.opened.get(told.fields["seals"][seat])
            if isinstance(value, dict) and isinstance(value.get("facts"), list):
                facts = heard(told.fields["pub"], value)
                if _planning(facts) != _planning(self.referee.heard(seat)):
                    return True
        return False

    # -- asks, answers, end -----------------------------------------------------------------------------------------

    def _ask(self, entry: Entry, due: AskDue) -> None:
        fields = entry.fields
        found = (tuple(fields["to"]), fields["what"], fields["secret"], fields.get("mark"))
        want = (due.to, due.what, due.secret, due.mark)
        blame_if(
            found != want, entry, "ORDERING", N_("the rules ask {want}, the host asked {found}"), want=want, found=found
        )
        self.referee.asked(entry.n)
        self.answers, self.skipped = {}, set()

    def _amend(self, entry: Entry) -> None:
        what = entry.fields["what"]
        if "rules" in what:
            self.game = self._rules(what["rules"], entry.n)
            try:
                self.referee.renew(self.game, what["rules"]["ver"])
            except FormError as wrong:
                raise host_fault(
                    entry, "ORDERING", _("the new rules cannot continue from this position: {why}", why=wrong)
                ) from wrong
        elif TAKEBACK in what and self.referee.trail.back_to(what[TAKEBACK]) is None:
            raise host_fault(
                entry, "ORDERING", _("an answer is taken back after something was shown that cannot be made unseen")
            )

    def _answer(self, entry: Entry, _due: AnswersDue) -> None:
        fields = entry.fields
        if fields["k"] == "skip":
            seat = fields["to"]
            blame_if(
                fields["why"] == "only" and self.referee.has_choice(seat),
                entry,
                "ORDERING",
                N_("{seat} was skipped as having one legal answer only, but had more"),
                seat=seat,
            )
            self.answers[seat] = self.referee.silence(seat)
            self.skipped.add(seat)
        else:
            seat, seals = fields["by"], fields["say"]["seals"]
            order = self._opened(entry, seals["order"], N_("the order of {seat}"), seat=seat)
            plans = self._opened(entry, seals["plans"], N_("the plans of {seat}"), seat=seat)
            ahead = fields["say"]["act"] == "ahead"
            try:
                self.answers[seat] = (self.referee.ahead if ahead else self.referee.read)(seat, order, plans)
            except OrderError as wrong:
                if ahead:
                    why = _("the host took an order sent ahead where it does not fit: {why}", why=wrong)
                else:
                    why = _("the host took an order that is not legal: {why}", why=wrong)
                raise host_fault(entry, "ILLEGAL", why) from wrong
            self.decisions += 1

    def _end(self, entry: Entry, due: EndDue) -> None:
        if entry.fields.get("cause") != due.cause:
            raise self._out_of_turn(entry, due)
        blame_if(
            not same(entry.fields["result"], due.result),
            entry,
            "TELL",
            N_("the result is {result}, the host wrote {found}"),
            result=due.result,
            found=entry.fields["result"],
        )

    _CHECKS: ClassVar[dict[str, tuple[type[Due], Callable[..., None]]]] = {
        "rand": (RandDue, _rand),
        "tell": (TellDue, _tell),
        "ask": (AskDue, _ask),
        "order": (AnswersDue, _answer),
        "skip": (AnswersDue, _answer),
        "end": (EndDue, _end),
    }
    """By kind of entry: the type that must be due, and the function that compares the two."""


def _planning(facts: list[Json]) -> list[Json]:
    """Return the seats with plans that answered, in order; the clauses are for the report."""
    return [fact["seat"] for fact in facts if isinstance(fact, dict) and fact.get("f") == "plan"]
