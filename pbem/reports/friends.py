"""Entries of a log of two players without a host in readable form, a sentence each: what they say to everybody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from pbem.i18n import N_, _
from pbem.ledger import Entry, fingerprint
from pbem.ledger.statements import is_consent

from .entries import EntryReader
from .text import readable

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
