"""Standings of a host's events for its pages: rows of text, made from the public notes (`event_json`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.i18n import N_, _
from pbem.look import PageTable
from pbem.records import dataclass

from .event_course import MEAN

KINDS = {
    "round robin": N_("everybody meets everybody"),
    "swiss": N_("Swiss rounds"),
    "knock-out": N_("knock-out"),
    "tables": N_("rounds at tables"),
}
_SIGNS = {Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}


@dataclass(frozen=True)
class EventPairing:
    """A pairing or a table of a round: its number, its players with their points, a remark, and the game's page."""

    number: str
    who: str
    said: str
    page: str = ""


@dataclass(frozen=True)
class EventListed:
    """An event as its host shows it to everybody. `pages` has the pages of games that are shown, by the ids of their logs."""

    told: Mapping[str, Any]
    pages: Mapping[str, str]

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.told["name"])

    @property
    def under(self) -> str:
        """The game, in which kind of rounds, and how far it is."""
        kind, count = KINDS[self.told["kind"]], len(self.told["rounds"])
        far = _("The event is over.") if self.told["over"] else _("Round {n}", n=count) if count else ""
        return " · ".join(filter(None, (self.told["game"], _(kind), far)))

    @property
    def table(self) -> PageTable:
        """The table of the standings."""
        tables = self.told["kind"] == "tables"
        heads = ["", _("Player"), _("Points"), _("Tables won") if tables else _("Won"), _("Games"), "Buchholz"]
        rows = [
            (
                f"{place}", row["name"], mixed(row["half_points"], 2), f"{row['won']}", f"{row['games']}",
                mixed(row["buchholz"], 2 * MEAN if tables else 2),
                *([] if tables else [mixed(row["sonneborn_berger"], 4)]),
            )
            for place, row in enumerate(self.told["table"], 1)
        ]  # fmt: skip
        return PageTable(_("Table"), (*heads, *([] if tables else ["Sonneborn-Berger"])), tuple(rows))

    @property
    def teams(self) -> PageTable | None:
        """The table of teams, where there are any."""
        rows = [
            (f"{place}", row["name"], mixed(row["half_points"], 2), f"{row['won']}", f"{row['games']}")
            for place, row in enumerate(self.told["teams"], 1)
        ]
        heads = ("", _("Team"), _("Points"), _("Won"), _("Games"))
        return PageTable(_("Teams"), heads, tuple(rows)) if rows else None

    @property
    def rounds(self) -> list[tuple[str, list[EventPairing]]]:
        """Its rounds, the last one first."""
        found = [(_("Round {n}", n=n), list(self._met(one))) for n, one in enumerate(self.told["rounds"], 1)]
        return found[::-1]

    def _met(self, played: Sequence[Mapping[str, Any]]) -> Iterator[EventPairing]:
        for number, one in enumerate(played, 1):
            names, points = one["players"], one["half_points"]
            if len(names) < 2:
                yield EventPairing("–", names[0], _("rests"))
                continue
            shown = [f"{name} {mixed(had, 2)}" for name, had in zip(names, points, strict=True)] if points else names
            missing, bid = one.get("missing", ()), one.get("bids", {}).get("bid", "")
            open_ = (
                _("not open: no address of {names} is known", names=", ".join(missing)) if missing else _("not decided")
            )
            said = (
                "" if points else open_,
                _("bid {bid}", bid=bid) if bid else "",
                _("by the organiser") if one["ruled"] else "",
            )
            yield EventPairing(
                f"{number}", " – ".join(shown), " · ".join(filter(None, said)), self.pages.get(one["game"], "")
            )


def mixed(parts: int, of: int) -> str:
    """Return `parts` divided by `of` as a mixed number.

    >>> mixed(5, 2), mixed(1, 4), mixed(0, 2), mixed(52, 24)
    ('2½', '¼', '0', '2 1/6')
    """
    whole, rest = divmod(parts, of)
    part = Fraction(rest, of)
    if part in _SIGNS:
        return f"{whole or ''}{_SIGNS[part]}"
    return f"{whole} {part}" if whole and rest else f"{part if rest else whole}"
