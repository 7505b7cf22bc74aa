"""What a log of two tells a reader: its entries, a sentence each, and, when the game is over, its story and positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from pbem.errors import Fault, UsageError
from pbem.games.without_host import knowing_by_version, play_alike
from pbem.i18n import N_, _
from pbem.ledger import Entry, Log, fingerprint
from pbem.ledger.pair import PairCourse, read_pair
from pbem.ledger.pair.course import is_consent
from pbem.player.tales import Shown, Tale
from pbem.referee.pair import missing_rules, other_rules, retold
from pbem.reports.entries import EntryReader
from pbem.reports.replay import PUBLIC, Opened, page, together
from pbem.reports.text import readable
from pbem.reports.told import Told

_ACTS = {
    "seal": N_("a sealed answer"),
    "open": N_("opens what it had sealed: {text}"),
    "pledge": N_("seals its plans for the battle that begins"),
    "meet": N_("shows its plans for the battle that begins: {text}"),
    "order": N_("answers: {text}"),
    "link": N_("its share in the dice"),
    "part": N_("its part of what came of a step"),
    "deck": N_("shuffles deck {no}"),
    "share": N_("shows the other a card of deck {no}"),
    "play": N_("turns up {card}"),
    "number": N_("shows its number of deck {no}"),
    "rekey": N_("has another key from now on"),
    "over": N_("the game is over, with its secret"),
}
_SAYS = {
    "resign": N_("resigns"),
    "draw": N_("offers a draw"),
    "agree": N_("agrees to a draw"),
    "back": N_("asks back what it answered last"),
}


class PairReader(EntryReader):
    """Reads the entries of a log of two: what they say to everybody."""

    def _said(self, entry: Entry) -> str:
        fields = entry.fields
        if entry.k == "game":
            rules = fields["rules"]
            return _(
                "{game}, version {ver} of its rules, for {seats}, without a host.",
                game=self.pack.rules.title if self.pack else rules["id"],
                ver=rules["ver"],
                seats=", ".join(map(self._seat, fields["seats"])),
            )
        seat, say = self._seat(fields["by"]), fields["say"]
        if entry.k == "join":
            return _("{seat} took the seat, with the key {key}.", seat=seat, key=fingerprint(say["key"]))
        if is_consent(say):
            return _(
                "{seat}, turn {no}: lets {other} take back what it answered last.",
                seat=seat,
                no=say["no"],
                other=self._seat(say["acts"][0]["say"]["seat"]),
            )
        acts = "; ".join(self._acts(say["acts"], fields["by"]))
        return _("{seat}, turn {no}: {acts}.", seat=seat, no=say["no"], acts=acts or _("nothing"))

    def _acts(self, acts: Sequence[Mapping[str, Any]], seat: str) -> Iterator[str]:
        """Yield the descriptions of acts; consecutive shown cards of one deck are counted."""
        for no, found in groupby(acts, lambda act: act["no"] if act["do"] == "share" else None):
            several = list(found)
            if no is not None and len(several) > 1:
                yield _("shows the other {n} cards of deck {no}", n=len(several), no=no)
            else:
                yield from (self._act(act, seat) for act in several)

    def _act(self, act: Mapping[str, Any], seat: str) -> str:
        match act["do"]:
            case "say":
                said = _SAYS[act["what"]]
                return _(said)
            case "word":
                said = _SAYS[act["say"]["what"]]
                return " ".join([self._seat(act["say"]["seat"]), _(said)])
            case "tell":
                told = [readable(fact, None, self.pack) for fact in act["facts"]] if self.pack else []
                said = " ".join(text for text in told if text)
                return said.removesuffix(".") or _("tells what came of a step")
            case "meet" if not act["text"]:
                return _("shows no plans for the battle that begins")
        said = _ACTS[act["do"]]
        return _(said, **{name: _one_line(value) for name, value in act.items()})


def _one_line(value: Any) -> str:
    return value.replace("\n", ", ") if isinstance(value, str) else str(value)


class PairTale(Tale):
    """What a log of two tells: the story only when the game is over and both have shown their secrets."""

    def __init__(self, data: bytes) -> None:
        self.course, entries = read_pair(data)
        super().__init__(Log(entries), is_over=self.course.is_over)

    def check_at(self, at: int) -> None:
        """Raise UsageError if nobody saw anything after entry `at`."""
        if not 2 <= at < len(self.entries):
            raise UsageError(_("The log has entries 0 to {last}, not {n}.", last=len(self.entries) - 1, n=at))

    def opened(self, last: int) -> Opened:
        """Return what both had and saw, up to entry `last`. Raises UsageError before the end."""
        if not self.is_over:
            raise UsageError(
                _(
                    "This game is not over: each player's view is hidden until the end, when both show their "
                    "secrets. “pbem board” shows your own game."
                )
            )
        return opened_at_the_end(self.course, self.entries, last)

    def shown(self, at: int | None, seat: str | None) -> Shown:
        """Return the story up to entry `at` as one seat saw it, or as both did together. Raises UsageError before the end."""
        last, seats, name = (
            self.entries[-1].n if at is None else at,
            (seat,) if seat else self.seats,
            self.pack.look.seat_name,
        )
        tale = self.opened(last)
        heard = [tale.told[one] for one in seats]
        facts = [
            (tell.n, heard[0][i].facts if seat else tuple(together(tell.facts, [told[i].facts for told in heard])))
            for i, tell in enumerate(tale.told[PUBLIC])
        ]
        views = {one: told[-1].view for one, told in zip(seats, heard, strict=True)}
        return Shown(
            facts if at is None else facts[-1:],
            tale.end and tale.end[1],
            {_("After entry {n}, seen by {seat}:", n=last, seat=name(one)): view for one, view in views.items()},
            lambda: (views, [fact for told in heard for tell in told for fact in tell.facts]),
            lambda judged: page(tale, self.pack, seat, judged=judged),
            is_public=True,
        )


def opened_at_the_end(course: PairCourse, entries: Sequence[Entry], last: int) -> Opened:
    """Play a game again that is over, up to entry `last`, as each seat and everybody saw it.

    Raises UsageError where its rules are not here, and Fault where they find one.
    """
    if (knowing := knowing_by_version(course.first["rules"])) is None:
        raise UsageError(missing_rules(course.first["rules"]))
    told: dict[str, list[Told]] = {one: [] for one in (*course.names, PUBLIC)}
    try:
        for tell in retold(knowing, course, entries, last):
            for one, tells in told.items():
                tells.append(Told(tell.n, tell.facts[one or None], tell.views[one or None]))
    except Fault as found:
        if play_alike(rules := course.first["rules"]):
            raise
        raise UsageError(other_rules(found.entry, rules)) from found
    result = next((act["result"] for act in entries[-1].fields["say"]["acts"] if act["do"] == "over"), None)
    return Opened(
        course.game, course.names, told, (last, result) if last == entries[-1].n else None, told[PUBLIC][-1].n
    )
