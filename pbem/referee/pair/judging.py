"""The audit of a log of two: once both secrets are there, the whole game is played again from what each had decided.

It goes by the true position, which no player had: so it finds what they could only believe each other. The verdict names the first
entry that says what was not so, and who signed it. While a secret is missing nothing is judged that needs it: only what
everybody sees (`onlooking`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from pbem.errors import EndlessError, Fault, FormError
from pbem.i18n import _
from pbem.kernel import Chance, Event, Fact, Json, Order, Outcome
from pbem.kernel.knowing import Knowing, Publicly, is_going
from pbem.ledger import Entry, Verdict, heard, same
from pbem.ledger.deck import Shuffler
from pbem.ledger.pair import KnownCourse, PairCourse, Spoken, Vault, verify_pair_checked
from pbem.ledger.pair.course import JOINS
from pbem.ledger.pair.papers import NO_PAPERS, Papers
from pbem.ledger.patch import diff, fold
from pbem.referee.peer import released_by

from .one_secret import with_secrets
from .onlooking import looked_on
from .steps import PairSteps, WayBack, deck_no, is_own_part, taken_back, why_unfit

Lent: TypeAlias = Callable[[Mapping[str, Json]], Knowing | None]
"""Gives who knows what in the rules that a log names; None where those are not here."""


class TrueSteps(PairSteps):
    """The game as it was, known from both secrets."""

    def __init__(self, knowing: Knowing, course: PairCourse, vaults: Mapping[str, Vault]) -> None:
        super().__init__(knowing, course)
        self.vaults = vaults
        stop = self.game.start(course.first["opts"])
        self._state = self.stood = stop.state
        """`stood`: where the rules stood still last; on the way between two questions no view can be shown."""
        self.happened: list[Event] = list(stop.events)
        """All that has come of the steps so far."""
        self.result = self._state.result
        self.parts_at: dict[str, Spoken] = {}
        self._of = (0, 0)
        """The entry that is gone through, and how much had happened before it."""
        self.lying: Mapping[int, Mapping[int, str]] = {}
        self.opened: Mapping[Spoken, str] = {}
        """What lies where in the decks, and what is sealed, as far as somebody has reckoned it before."""
        self._seen: tuple[Any, dict[str | None, Any]] = (None, {})
        """The state that was looked at last, and what is seen of it."""
        self._go_on()

    @property
    def state(self) -> Any:
        return self._state

    def take(self, at: Spoken, act: Mapping[str, Json]) -> None:
        if self._of[0] != at.n:
            self._of = at.n, len(self.happened)
        super().take(at, act)

    def _known(self) -> Any:
        return self._state, self.stood, self.happened[self._of[1] :]

    def _know_again(self, way: WayBack) -> None:
        self._state, self.stood, before = way.known
        tells = {seat: taken_back(way, len(heard_by(before, seat))) for seat in self.seats}
        self.happened.append(Fact(taken_back(way, len(heard_by(before, None))), tells))

    def _view(self, state: Any, who: str | None) -> Any:
        if self._seen[0] is not state:
            self._seen = (state, {})
        views = self._seen[1]
        if who not in views:
            views[who] = self.knowing.view(state, who)
        return views[who]

    def _read(self, at: Spoken, text: str) -> Order:
        return self._lawful(at, self.game.own_view(self._view(self._state, at.seat)), text)

    def _all_hear(self, fact: Json) -> None:
        self.happened.append(Fact(fact))

    def _unsealed(self, at: Spoken, hidden: str) -> str | None:
        if at in self.opened:
            return self.opened[at]
        try:
            return str(self.vaults[at.seat].read(at.no, at.index, hidden))
        except FormError as why:
            raise Fault(at.n, "SEALBIND", at.seat, str(why)) from None

    def _private(self, seat: str, i: int) -> str:
        return self.vaults[seat].private(i)

    def _dealt(self, no: int, place: int, seat: str) -> None:
        """What lies where follows from both secrets."""

    def _card(self, no: int, place: int) -> str:
        if no in self.lying:
            return self.lying[no][place]
        deck, owner = self.course.decks[no], self.course.owners.get((no, place), self.seats[0])
        half = {seat: Shuffler(deck.name, seat, self.vaults[seat].deck(no), deck.below(seat)) for seat in self.seats}
        lies = deck.shares.get(place) or half[self.course.other(owner)].taken_off(deck.lies(place))
        return half[owner].look(place, lies)

    def _cards(self, chance: Chance) -> Outcome:
        no = deck_no(chance.label)
        return (tuple(self._card(no, place) for place in range(chance.requests[0].n)),)

    def _heard_part(self, at: Spoken, part: dict[str, Json]) -> None:
        self.parts_at[at.seat] = at

    def _told(self, at: Spoken, act: Mapping[str, Json]) -> None:
        before, other = self._state, self.course.other(at.seat)
        public, others = self._view(before, None), self._view(before, other)
        after, events = self.knowing.go(before, self._inputs())
        facts = heard_by(events, None)
        self._must(at, act["facts"], facts)
        self._must(at, act["view"], diff(public, self._view(after, None)))
        own: Json = {"facts": list(range(len(facts))), "view": {}}
        if "hand" in act:
            mix = self.course.seats[at.seat].mix
            own = self.vaults[other].read_hand(mix, at.seat, at.no, at.index, act["hand"])
        try:
            told = heard({"facts": facts}, own) if is_own_part(own, self.knowing.follows) else None
            sees = self._less(fold(fold(others, act["view"]), own["view"]))
        except (FormError, LookupError, TypeError, AttributeError):
            told, sees = None, {}
        self._must(at, told, heard_by(events, other))
        self._must(at, sees, self._less(self._view(after, other)))
        self._went(after, events)

    def _went(self, after: Any, events: Sequence[Event]) -> None:
        self._state = after
        self.happened += events
        if not is_going(after):
            self.stood = after

    def _less(self, view: dict[str, Json]) -> dict[str, Json]:
        return {key: value for key, value in view.items() if key not in self.knowing.follows}

    def _must(self, at: Spoken, said: Json, was: Json) -> None:
        if not same(said, was):
            raise Fault(at.n, "TELL", at.seat, _("What {seat} tells of this step was not so.", seat=at.seat))

    def _go(self, given: Mapping[str, Order] | Outcome | None) -> tuple[str, ...]:
        after, events = self.knowing.go(self._state, given)
        self._went(after, events)
        return released_by(events)

    def _go_together(self, given: Mapping[str, Order] | Outcome | None) -> tuple[str, ...]:
        after, events = self.knowing.go(self._state, given)
        told = Publicly(tuple(heard_by(events, None)), self.knowing.view(after, None))
        for seat, part in self.given.parts.items():
            self._must(self.parts_at[seat], part, self.knowing.due(self._state, seat, given, told))
        self._went(after, events)
        return released_by(events)


def heard_by(events: Sequence[Event], seat: str | None) -> list[Json]:
    """Return the facts that a seat (None: everybody) hears of what happened."""
    return [told for event in events if isinstance(event, Fact) and (told := event.heard_by(seat)) is not None]


def missing_rules(rules: Mapping[str, Json]) -> str:
    """Say which rules a log names that are not here, and what helps."""
    return _(
        "This log names version {ver} of the rules of {game}, which is not here. A log of two takes none from the shelf: "
        "the pbem of its time judges it.",
        ver=rules["ver"],
        game=rules["id"],
    )


def other_rules(entry: int, rules: Mapping[str, Json]) -> str:
    """Say that rules of the same version in other bytes see another game from an entry on."""
    return _(
        "At entry {entry} the rules here see another game, and they are not the bytes that the log names: judge it with the "
        "pbem whose rules of {game} have the manifest with SHA-256 {sha256}.",
        entry=entry,
        game=rules["id"],
        sha256=rules["sha256"],
    )


def _so_far(
    verdict: Verdict,
    course: PairCourse,
    entries: Sequence[Entry],
    lent: Lent,
    alike: Callable[[Mapping[str, Json]], bool],
) -> Verdict:
    """Judge by the rules what everybody can judge of a game that goes on, and say what waits for the secrets."""
    rules = course.first["rules"]
    knowing = lent(rules)
    if knowing is None:
        more = _("The rules of this log are not here, so nothing was judged by them.")
        return replace(verdict, reason=f"{verdict.reason} {more}")
    if why := why_unfit(knowing, course):
        return Verdict("cannot_judge", 0, "RULES", "nobody", why, course.head)
    seen = with_secrets(looked_on(knowing, entries), knowing, course, entries)
    if seen.fault is not None and not alike(rules):
        why = other_rules(seen.fault.entry, rules)
        return Verdict("cannot_judge", seen.fault.entry, "RULES", "nobody", why, course.head)
    if seen.fault is not None:
        return Verdict.of(seen.fault, course.head)
    if seen.last == entries[-1].n:
        more = _(
            "What everybody sees of it was played by the rules. What is sealed, hands, and what one seat alone can tell wait until "
            "both have shown their secrets."
        )
    else:
        more = _(
            "From what everybody sees, the rules can judge nothing behind entry {n}: that waits until both have shown their "
            "secrets.",
            n=seen.last,
        )
    return replace(verdict, reason=f"{verdict.reason} {more}")


def audit_pair(
    data: bytes,
    lent: Lent,
    called: Callable[[str], str] = str,
    alike: Callable[[Mapping[str, Json]], bool] = lambda _rules: True,
    papers: Papers = NO_PAPERS,
) -> Verdict:
    """Verify a log of two and play it again under its rules: if it is over from both secrets, else as far as everybody sees it.

    `called` tells what a seat is called. `papers` show what the log does not show yet, as a secret.

    Rules that are not known to play `alike` what the log names can find it clean, and find nobody at fault.
    """
    verdict, course, entries = verify_pair_checked(data, called)
    verdict = papers.beside(verdict, course)
    if verdict.verdict == "unfinished" and len(course.seats) == JOINS:
        return _so_far(verdict, course, entries, lent, alike)
    if verdict.verdict != "clean":
        return verdict
    head = course.head
    try:
        knowing = lent(course.first["rules"])
        if knowing is None:
            return Verdict("cannot_judge", 0, "RULES", "nobody", missing_rules(course.first["rules"]), head)
        if why := why_unfit(knowing, course):
            return Verdict("cannot_judge", 0, "RULES", "nobody", why, head)
        again = KnownCourse.of(entries[: JOINS + 1], goes_on=True)
        steps = TrueSteps(knowing, again, {seat: course.vault(seat) for seat in course.names})
        steps.lying, steps.opened = course.lying, course.opened
        for entry in entries[JOINS + 1 :]:
            again.take(entry, steps.take)
            steps.ends_turn(entry)
    except Fault as found:
        if not alike(rules := course.first["rules"]):
            return Verdict("cannot_judge", found.entry, "RULES", "nobody", other_rules(found.entry, rules), head)
        return Verdict.of(found, head)
    except EndlessError as endless:
        return Verdict("cannot_judge", 0, "RULES", "nobody", str(endless), head)
    return Verdict(
        "clean",
        None,
        None,
        None,
        _("The game is finished, and was played by the rules from its first step to its last."),
        head,
    )
