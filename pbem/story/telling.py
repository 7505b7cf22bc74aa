"""A game told again for people who did not follow it: part by part, in short, as one seat, the public or everybody saw it.

It is made from what a copy opens (`pbem.reports.replay.Opened`), so it shows nothing that the copy hides. Take-backs have not
happened. The game supplies its words (`pbem.look.tale`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, cast

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.i18n.visible import in_a_line
from pbem.ledger import TAKEBACK
from pbem.look import PageTable
from pbem.look.tale import GameTale, Passage, tale_of
from pbem.reports.course import Steps, step
from pbem.reports.replay import PUBLIC, Opened, by_all
from pbem.reports.text import fact_text, readable, result_text, sentence, unknown

if TYPE_CHECKING:
    from pbem.games.pack import GamePack
    from pbem.kernel import Json, View

RULE = re.compile(r"\s\(\d+\.\d+\)")
"""The number of a rule behind a sentence."""
ALL = "all"
"""The name of everybody together on a command line."""


class TalePart(NamedTuple):
    """A part of a game: its name and result, the entries at which it begins and ends, and the facts.

    `start` counts earlier facts.
    """

    name: str
    came: str
    n: int
    last: int
    facts: Sequence[Json]
    start: int

    @property
    def title(self) -> str:
        """The name with the result."""
        return _("{chapter}: {what}", chapter=self.name, what=self.came) if self.came else self.name


class LogHead(NamedTuple):
    """The last entry of a signed log, and its hash: spectators check a tale by them."""

    n: int
    hash: str

    def __str__(self) -> str:
        return _("entry {n}, head {head}…", n=self.n, head=self.hash[:16])


class ToldGame:
    """A game as `seat` saw it ("": the public, “all”: everybody together)."""

    def __init__(self, opened: Opened, pack: GamePack, seat: str = PUBLIC) -> None:
        """Raises UsageError if the copy does not open that."""
        self.opened, self.pack, self.seat = opened, pack, seat
        self.seats = opened.seats if seat == ALL else [seat]
        wanted = {*self.seats, PUBLIC}
        if seat == ALL and opened.end is None and not opened.unsigned:
            raise UsageError(_("This game is not over. Everything can be shown once it is."))
        if not wanted <= opened.told.keys() or opened.told[self.seats[0]][-1].n < opened.told[PUBLIC][-1].n:
            raise UsageError(_("This copy does not open all that was told there."))
        self.hears = None if seat in (PUBLIC, ALL) else seat
        self._read: dict[int, list[View]] = {}

    @cached_property
    def tale(self) -> GameTale:
        """How the game tells its past."""
        return tale_of(self.pack.package)

    @cached_property
    def steps(self) -> dict[int, Sequence[Json]]:
        """The facts of each step that was not taken back; what the rules here do not know stays in, and is said so."""
        told = self.opened.told
        facts = by_all(told, self.seats) if self.seat == ALL else {tell.n: tell.facts for tell in told[self.seats[0]]}
        found: Steps = {}
        for n, those in facts.items():
            step(found, n, cast("View", None), [fact for fact in those if isinstance(fact, dict) and "f" in fact])
        return {n: those for n, (_view, those) in found.items()}

    @cached_property
    def _views(self) -> Mapping[str, Mapping[int, Json]]:
        return {seat: {tell.n: tell.view for tell in self.opened.told[seat]} for seat in self.seats}

    def views(self, n: int) -> list[View]:
        """Return the position after the entry as these seats saw it."""
        if n not in self._read:
            self._read[n] = [self.pack.rules.read_view(self._views[seat][n]) for seat in self.seats]
        return self._read[n]

    @cached_property
    def parts(self) -> list[TalePart]:
        """The parts of the game, its turns."""
        found: list[TalePart] = []
        name, came, first, last, start, count = "", "", 0, 0, 0, 0
        here: list[Json] = []

        def end() -> None:
            if here:
                found.append(TalePart(name, came, first, last, tuple(here), start))

        for n, facts in self.steps.items():
            for fact in facts:
                chapter = self.pack.look.chapter(fact) if self.knows(fact) else None
                if chapter is not None and not chapter.depth and chapter.adds:
                    came = in_a_line(chapter.name)
                elif chapter is not None and not chapter.depth:
                    end()
                    here.clear()
                    name, came, first, start = in_a_line(chapter.name), "", n, count
                here.append(fact)
                count, last = count + 1, n
        end()
        return found

    def knows(self, fact: Json) -> bool:
        """Return whether the rules here have words for a fact."""
        return readable(fact, self.hears, self.pack) is not None

    @cached_property
    def facts(self) -> list[Json]:
        """All facts that the rules here know, in order."""
        return [fact for facts in self.steps.values() for fact in facts if self.knows(fact)]

    def say(self, fact: Json) -> str:
        """Return the sentence for a fact, without the numbers of rules: who was not there has no rule book at hand."""
        return unknown(fact) if not self.knows(fact) else RULE.sub("", fact_text(fact, self.hears, self.pack))

    def passages(self, part: TalePart) -> Sequence[Passage]:
        """Return a part in short: what its turn's own tale says, then what the game has no words for in it."""
        ours = [fact for fact in part.facts if self.knows(fact) and fact["f"] not in OUTSIDE | LEFT_OUT]
        beside = [self.say(fact) for fact in part.facts if not self.knows(fact) or fact["f"] in OUTSIDE]
        view = self.views(part.last)[-1]
        found = [*self.tale.passages(ours, view, self.say)]
        told = tuple(line for text in beside for line in text.split("\n") if line.strip())
        heads = {part.name.casefold()}
        found = [one._replace(head="") if one.head.casefold() in heads else one for one in found]
        return [one for one in (*found, Passage("", told)) if (one.lines or one.head) and [*one.lines] != [self.result]]

    def tables(self) -> Sequence[PageTable]:
        """Return the tables of a game that is over: how it went."""
        if self.opened.end is None:
            return ()
        course = [(self.views(n)[-1], self._known(facts)) for n, facts in self.steps.items()]
        return [one for one in self.pack.look.closing(course) if isinstance(one, PageTable)]

    def _known(self, facts: Sequence[Json]) -> list[Json]:
        return [fact for fact in facts if self.knows(fact)]

    def summary(self) -> Sequence[str]:
        """Return the game in short, a few lines."""
        return self.pack.look.summary(self.facts, 0) if self.facts else ()

    @property
    def result(self) -> str:
        """The result in a sentence; "" for a game that is not over."""
        return RULE.sub("", result_text(self.opened.end[1], self.pack)) if self.opened.end else ""

    @property
    def names(self) -> dict[str, str]:
        """The seats' names, as a sentence begins."""
        return {seat: sentence(self.pack.look.seat_name(seat)) for seat in self.opened.seats}

    @property
    def seen_by(self) -> str:
        """The view of this tale, in a sentence."""
        if self.seat == ALL:
            return _("Told with everything that the players had and saw.")
        if self.seat == PUBLIC:
            return _("Told as everybody could see it.")
        return _("Told as {seat} saw it.", seat=self.pack.look.seat_name(self.seat))


OUTSIDE = {"skip", "say", "extend", "player", "rekey", "another host", "host", "rules"}
"""The facts of any game: they are told behind a part."""
LEFT_OUT = {"plan", "pledge", "ahead", "plans", TAKEBACK}
"""The facts of any game about the way in which orders came: nobody misses them."""
