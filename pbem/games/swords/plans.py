"""Plans: a seat's answers to the unmarked questions that may come before its next order.

- `PLAN CUBE Moray, Moray, Fife`: the first cubes: the first region with fewer of yours than named so far
- `PLAN DEPLOY A1 B1 A2 B2 PULL A1 B1 TO Moray THEN ADD Fife`: this deployment; of several, the first legal one
- `PLAN DEPLOY ANY TO Moray, ANY`: the first formation and its first cubes, to the first possible region; no special action
- `PLAN KILL black, ANY`: whom your castles remove; `ANY`: whoever has most there
- `PLAN COMMIT Moray: 3`, `PLAN COMMIT ANY: HALF`: how many you commit: a number (your own before Picts), `ALL`, `HALF` (rounded
  up), `NONE`
- `PLAN RETREAT Ross, ANY`: all cubes go to the first open region; `ANY`: where you have most
- `PLAN GLORY 2 Drums, 1 The Crown`, `PLAN GLORY NONE`: committed cubes for glory cards, while they last
- `PLAN HEAL YES`, `PLAN HEAL PICT`, `PLAN HEAL NO`: your Druid
- `PLAN NEXT Moray, ANY`: the next battle
- `PLAN SWORD NO`, `PLAN MERCHANT STAY`, `PLAN CARDINAL STAY`, `PLAN WALL Ross - Moray`, `PLAN TAPESTRY stag`: the order itself, if
  legal

A plan answers if it covers the whole question; otherwise its owner is asked. Its text is read without a table. So a name that is
not one of our regions is kept as typed until a question is put, and then means what it would in an order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from pbem.errors import OrderError, Problem
from pbem.i18n import N_, _
from pbem.kernel import Line, Names, Order, Planned, read_each, read_orders

from . import law
from .orders import NONE, Bid, Choose, Commit, Cube, Deploy, Heal, Kill, PutWall, Retreat, RetreatTo
from .reading import EXAMPLE, LineReader, listed
from .rules import battle_law, deploy_law
from .rules.names import ALSO, COLOURS, GLORY
from .rules.parts import STANDARD
from .rules.troops import Troops
from .views import SwordsView

ANY, ALL, HALF = "ANY", "ALL", "HALF"
EXAMPLES: Mapping[str, str] = {
    **EXAMPLE, "CUBE": "CUBE Moray, Fife", "KILL": "KILL black, ANY", "COMMIT": "COMMIT Moray: 3", "RETREAT": "RETREAT Ross, ANY",
    "NEXT": "NEXT Moray, ANY",
}  # fmt: skip
VERBS = (
    "CUBE", "DEPLOY", "KILL", "COMMIT", "RETREAT", "GLORY", "HEAL", "NEXT", "SWORD", "MERCHANT", "CARDINAL", "WALL", "TAPESTRY",
)  # fmt: skip
OFTEN = ("DEPLOY", "COMMIT")
"""The clauses of which there may be several."""
_COLOURS = Names((*COLOURS, ANY), N_("colour"))
_COMMIT = re.compile(r"(.+?)\s*:\s*(ALL|HALF|NONE|\d{1,2})", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿ]+(?:[ '-][A-Za-zÀ-ÖØ-öø-ÿ]+){0,5}")


class PlanClause(NamedTuple):
    """A line of a plan: its verb, what it says, its canonical text."""

    verb: str
    said: str

    @property
    def text(self) -> str:
        return f"{self.verb} {self.said}"


# Reading, without a table


class _AnyName:
    """A list of names that knows ours, and takes any other as it is typed."""

    def __init__(self, names: tuple[str, ...], also: Mapping[str, str] | None = None) -> None:
        self._ours = {name.casefold(): name for name in names} | {k.casefold(): v for k, v in (also or {}).items()}

    def find(self, word: str, line: Line | None = None) -> str:
        said = " ".join(word.split())
        if said.casefold() in self._ours:
            return self._ours[said.casefold()]
        if not _WORD.fullmatch(said) or len(said) > 24:
            raise (line or Line(0, word)).refusal(_("this is no name"), read=word)
        return said


class _PlanReader(LineReader):
    """Reads lines of orders before their names can be looked up."""

    def __init__(self) -> None:
        super().__init__(STANDARD)
        places = _AnyName((*STANDARD.names, *STANDARD.strongholds, *GLORY), ALSO)
        self.regions = self.castles = self.places = self.icons = places  # type: ignore[assignment]
        self.icons = _AnyName(STANDARD.icons)  # type: ignore[assignment]

    def wall(self, line: Line, ends: list[str]) -> Order:
        return PutWall(border=tuple(ends))


def read_plans(text: str) -> str:
    """Return the canonical text of typed plans, a clause on each line; "" for none. Raises OrderError with all bad lines."""
    found, problems = read_each(read_orders(text), lambda line: (line, _read(line)))
    seen: set[str] = set()
    for line, clause in found:
        if clause.verb in seen and clause.verb not in OFTEN:
            problems.append(Problem(line.no, line.text, _("one plan with {verb} is enough", verb=clause.verb)))
        seen.add(clause.verb)
    if problems:
        raise OrderError(*sorted(problems, key=lambda problem: problem.line))
    return "\n".join(dict.fromkeys(clause.text for _line, clause in found))


def _read(line: Line) -> PlanClause:
    word, _blank, said = line.text.partition(" ")
    if word.upper() == "PLAN":
        word, _blank, said = said.strip().partition(" ")
    verb = Names(VERBS, N_("plan")).find(word.rstrip(":"), line)
    said = said.strip()
    if not said:
        raise line.refusal(_("{verb} says nothing", verb=verb), EXAMPLES[verb])
    return PlanClause(verb, _READ[verb](line, said))


def _list_of(names: Callable[[str, Line], str]) -> Callable[[Line, str], str]:
    def read(line: Line, said: str) -> str:
        found = [ANY if word.upper() == ANY else names(word, line) for word in listed(said)]
        if not found or ANY in found[:-1]:
            raise line.refusal(_("a list of names, and ANY at most at its end"))
        return ", ".join(found)

    return read


def _as_order(verb: str) -> Callable[[Line, str], str]:
    """Return a reader that reads the text like an order with the same verb."""

    def read(line: Line, said: str) -> str:
        _verb, order = _PlanReader().part(Line(line.no, f"{verb} {said}"), (verb,))
        return _without(verb, order)

    return read


def _without(verb: str, order: Order) -> str:
    """Return the words of an order behind its verb."""
    lines = str(order).split("\n")
    return next(line for line in lines if line.startswith(verb)).partition(" ")[2]


def _region(word: str, line: Line) -> str:
    return _AnyName(STANDARD.names).find(word, line)


def _deploy(line: Line, said: str) -> str:
    found = re.fullmatch(r"ANY\s+TO\s+(.+)", said, re.IGNORECASE)
    return f"{ANY} TO {_list_of(_region)(line, found[1])}" if found else _as_order("DEPLOY")(line, said)


def _commit(line: Line, said: str) -> str:
    found = _COMMIT.fullmatch(said)
    if not found:
        raise line.refusal(_("say for which battle, and how many"), f"{EXAMPLES['COMMIT']}; COMMIT ANY: HALF")
    where = ANY if found[1].upper() == ANY else _region(found[1], line)
    return f"{where}: {found[2].upper() if not found[2].isdecimal() else int(found[2])}"


def _glory(line: Line, said: str) -> str:
    return NONE if said.upper() == NONE else _as_order("GLORY")(line, said)


_READ: Mapping[str, Callable[[Line, str], str]] = {
    "CUBE": _list_of(_region), "DEPLOY": _deploy, "KILL": _list_of(_COLOURS.find), "COMMIT": _commit,
    "RETREAT": _list_of(_region), "GLORY": _glory, "NEXT": _list_of(_region),
    **{verb: _as_order(verb) for verb in ("HEAL", "SWORD", "MERCHANT", "CARDINAL", "WALL", "TAPESTRY")},
}  # fmt: skip


# What they answer


def planned(view: SwordsView, plans: str) -> Planned | None:
    """Return the answer of canonical plans to the question in a view, or None if they do not cover the whole question."""
    speak = _SPEAK.get(view.question)
    if not plans or not speak:
        return None
    clauses = [PlanClause(*line.split(" ", 1)) for line in plans.split("\n")]
    try:
        for order, clause in speak(_Speaking(view, clauses)):
            if law.ANSWERING[view.question].why_not(view, order) is None:
                return Planned(order, clause)
    except OrderError:
        pass
    return None


class _Speaking:
    """Plans before a question: orders that they would answer with, those first that come first."""

    def __init__(self, view: SwordsView, clauses: list[PlanClause]) -> None:
        self.view, self.table, self.seat = view, view.table, view.seat
        self.clauses = clauses
        self.reader = LineReader(self.table.parts)

    def of(self, verb: str) -> Iterator[PlanClause]:
        return (clause for clause in self.clauses if clause.verb == verb)

    def region(self, word: str) -> str:
        """Return the region that a word means, "" for none."""
        fits = self.reader.regions.fits(word)
        return fits[0] if len(fits) == 1 else ""

    def same(self, verb: str) -> Iterator[tuple[Order, str]]:
        """Go through the clauses that say the order itself."""
        for clause in self.of(verb):
            try:
                yield self.reader.part(Line(1, clause.text), (verb,))[1], clause.text
            except OrderError:
                continue

    def cubes(self) -> Iterator[tuple[Order, str]]:
        for clause in self.of("CUBE"):
            named = list(map(self.region, listed(clause.said)))
            for no, region in enumerate(named, 1):
                if region and self.table.count(region, self.seat) < named[:no].count(region):
                    yield Cube(region=region), clause.text

    def deployments(self) -> Iterator[tuple[Order, str]]:
        at = law.formation(self.view)
        for clause in self.of("DEPLOY"):
            if not clause.said.startswith(f"{ANY} TO "):
                yield from _Speaking(self.view, [clause]).same("DEPLOY")
                continue
            four = deploy_law.fours(self.table, at)[0]
            pulled = deploy_law.left(self.table, at.seat, four)[: deploy_law.must_pull(self.table, at.seat, four)]
            for region in self.wished(clause.said.removeprefix(f"{ANY} TO "), deploy_law.goals(self.table, at.seat)):
                yield Deploy(squares=four, pulled=pulled, region=region), clause.text

    def wished(self, said: str, possible: tuple[str, ...]) -> Iterator[str]:
        """Go through the regions of a list that are possible; ANY is the one in which one has most cubes."""
        for word in listed(said):
            if word == ANY:
                yield from sorted(possible, key=lambda name: -self.table.troops(self.seat, name).total)
            elif (region := self.region(word)) in possible:
                yield region

    def next_battle(self) -> Iterator[tuple[Order, str]]:
        standing = self.table.battles()
        for clause in self.of("NEXT"):
            for region in self.wished(clause.said, standing):
                yield Choose(region=region), clause.text

    def kills(self) -> Iterator[tuple[Order, str]]:
        fight = law.fight(self.view)
        _others, own = battle_law.targets(self.table, fight.region, self.seat, fight.fighting)
        for clause in self.of("KILL"):
            *first, last = listed(clause.said)
            wished = first if last == ANY else [*first, last]
            legal = law.kills(self.view)
            if last != ANY:
                legal = [order for order in legal if set(order.colours) <= {*wished}]

            def worth(order: Kill, wished: list[str] = wished) -> tuple[list[int], int, int]:
                counts = [order.colours.count(colour) for colour in wished]
                spared = -sum(colour in own for colour in order.colours)
                return counts, spared, sum(self.table.count(fight.region, colour) for colour in order.colours)

            yield from ((order, clause.text) for order in sorted(legal, key=worth, reverse=True)[:1])

    def commitments(self) -> Iterator[tuple[Order, str]]:
        fight = law.fight(self.view)
        troops = self.table.troops(self.seat, fight.region)
        fewest = battle_law.least(self.table, fight.region, self.seat, fight.present(self.table))
        clauses = sorted(self.of("COMMIT"), key=lambda clause: clause.said.startswith(f"{ANY}:"))
        for clause in clauses:
            where, _colon, number = clause.said.rpartition(": ")
            if where != ANY and self.region(where) != fight.region:
                continue
            words = {ALL: troops.total, HALF: (troops.total + 1) // 2, NONE: 0}
            n = max(fewest, min(troops.total, words[number] if number in words else int(number)))
            yield Commit(troops=Troops(min(n, troops.own), n - min(n, troops.own))), clause.text

    def retreats(self) -> Iterator[tuple[Order, str]]:
        """All must be said: RETREAT where there is a way to choose, GLORY where cubes may go, HEAL where one can be healed."""
        region, fallen = law.fight(self.view).region, law.fallen(self.view)
        ways = self.table.ways(self.seat, region)
        for heal, healing in self._heals(fallen, ways):
            going = self.table.troops(self.seat, region) + battle_law.healed(heal)
            dead = fallen.own - battle_law.healed(heal).own
            for glory, bidding in self._bids(dead):
                for goal, going_to in self._goals(ways if going.total else ()):
                    way = (RetreatTo(troops=going, region=goal),) if goal else ()
                    said = [text for text in (going_to, bidding, healing) if text]
                    yield Retreat(ways=way, glory=glory, heal=heal.heal), "; ".join(said)

    def _heals(self, fallen: Troops, ways: tuple[str, ...]) -> Iterator[tuple[Heal, str]]:
        legal = battle_law.heals(self.table, self.seat, fallen) if ways else [Heal(heal="NO")]
        if len(legal) == 1:
            yield legal[0], ""
        for order, text in self.same("HEAL"):
            if order in legal and len(legal) > 1 and isinstance(order, Heal):
                yield order, text

    def _bids(self, dead: int) -> Iterator[tuple[tuple[Bid, ...], str]]:
        if not dead or not self.table.glory:
            yield (), ""
            return
        for clause in self.of("GLORY"):
            left, found = dead, []
            wished = [] if clause.said == NONE else [item.split(" ", 1) for item in listed(clause.said)]
            for number, card in wished:
                n = min(left, int(number)) if card in self.table.glory else 0
                left -= n
                found += [Bid(cubes=n, card=card)] if n else []
            yield tuple(found), clause.text

    def _goals(self, ways: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        if len(ways) < 2:
            yield "".join(ways), ""
        for clause in self.of("RETREAT"):
            yield from ((region, clause.text) for region in self.wished(clause.said, ways))


_SPEAK: Mapping[str, Callable[[_Speaking], Iterator[tuple[Order, str]]]] = {
    "setup": _Speaking.cubes,
    "deploy": _Speaking.deployments,
    "battle": _Speaking.next_battle,
    "castles": _Speaking.kills,
    "commit": _Speaking.commitments,
    "retreat": _Speaking.retreats,
    "druid": lambda plans: plans.same("HEAL"),
    **{
        question: lambda plans, verb=verb: plans.same(verb)  # type: ignore[misc]
        for question, verb in (
            ("sword", "SWORD"), ("merchant", "MERCHANT"), ("cardinal", "CARDINAL"), ("wall", "WALL"), ("tapestry", "TAPESTRY"),
        )
    },
}  # fmt: skip
"""Every question that plans may answer, and what they answer it with."""
