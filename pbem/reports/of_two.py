"""Entries of a log of two as people read them: a sentence each, or one entry with all that is said in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from pbem.i18n import N_, _
from pbem.i18n.visible import in_a_line
from pbem.ledger import Entry, fingerprint
from pbem.ledger.pair.course import is_consent

from .text import groups, readable

if TYPE_CHECKING:
    from pbem.games import GamePack

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


class PairReader:
    """Reads the entries of one log aloud; `pack` is its game, None where that is not here."""

    def __init__(self, pack: GamePack | None) -> None:
        self.pack = pack

    def line(self, entry: Entry) -> str:
        """Return one line: the number of an entry, and what it says to everybody."""
        said = self._said(entry)
        return in_a_line(f"{entry.n:5}  {said[:1].upper()}{said[1:]}").rstrip()

    def whole(self, entry: Entry) -> str:
        """Return an entry and its hash."""
        return "\n".join([self.line(entry), "", _("hash  {hash}", hash=groups(entry.hash))])

    def _seat(self, seat: str) -> str:
        return self.pack.look.seat_name(seat) if self.pack else seat

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
