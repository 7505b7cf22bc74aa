"""Entries of a log in readable form: a sentence each, or one entry with everything that belongs to it.

Content that the copy does not open is described as sealed. If the rules of a game are not installed, facts are only counted.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pbem.errors import FormError
from pbem.i18n import N_, _, _n
from pbem.i18n.visible import escaped, in_a_line
from pbem.ledger import TAKEBACK, Entry, Log, fingerprint
from pbem.ledger.log import seal_order

from .text import groups, items, readable, result_text, sentence
from .told import NONSENSE, said, told

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.kernel import Json

_SECRECY = {
    "until resolved": N_("The answer is sealed until it is carried out."),
    "until end": N_("The answer is sealed until the end."),
}
_SKIPPED = {
    "due": N_("{seat} did not answer in time: the default answer was taken."),
    "late": N_("{seat} did not answer in time: out of the game."),
    "only": N_("{seat} had one legal answer only, and it was taken."),
    "out": N_("{seat}, out of the game: the default answer was taken."),
}


class EntryReader:
    """Reads the entries of one log aloud; `pack` is its game, None where that is not here."""

    def __init__(self, pack: GamePack | None) -> None:
        self.pack = pack

    def line(self, entry: Entry) -> str:
        """Return one line: the number of an entry and its content, including what this copy opens."""
        text = self._said(entry)
        return in_a_line(f"{entry.n:5}  {text[:1].upper()}{text[1:]}").rstrip()

    def whole(self, entry: Entry) -> str:
        """Return an entry with its hash, and with all that belongs to it."""
        return "\n".join([self.line(entry), "", _("hash  {hash}", hash=groups(entry.hash))])

    def _seat(self, seat: str) -> str:
        return self.pack.look.seat_name(seat) if self.pack else seat

    def _said(self, entry: Entry) -> str:
        raise NotImplementedError


class Reader(EntryReader):
    """Reads the entries of the log of a game with a host."""

    def __init__(self, log: Log, pack: GamePack | None) -> None:
        super().__init__(pack)
        self.log = log
        self._opened = {line.digest: line.fields[6] for line in log.attachments if line.k == "seal"}

    def whole(self, entry: Entry) -> str:
        """Return an entry with its time, its hash, and the openings, links, heads and receipts that belong to it."""
        lines = [self.line(entry), ""]
        lines += [_("time  {at}", at=entry.fields["at"])] if "at" in entry.fields else []
        lines.append(_("hash  {hash}", hash=groups(entry.hash)))
        mentioned = entry.line.decode()
        for attachment in self.log.attachments:
            found = attachment.fields
            match attachment.k:
                case "seal" if attachment.digest in mentioned:
                    lines.append(
                        _("opens “{name}” of {who}: {value}", name=found[4], who=found[2], value=_opened(found[6]))
                    )
                case "link" if entry.k == "rand" and found[2:4] == [entry.fields["chain"], entry.fields["i"]]:
                    lines.append(_("link  {label} {i}: {link}", label=found[2], i=found[3], link=found[4]))
                case "head" if found[2] == entry.n:
                    lines.append(_("head  signed by the host"))
                case "got" if entry.k == "order" and found[3] == entry.fields["at"]:
                    lines.append(_("got   the host's receipt, {at}", at=found[3]))
        return "\n".join([*lines, *(self._hands(entry) if entry.k == "rand" else ())])

    def _seats(self, seats: list[str]) -> str:
        return ", ".join(map(self._seat, seats))

    def _said(self, entry: Entry) -> str:
        fields = entry.fields
        match entry.k:
            case "game":
                return self._opening(fields)
            case "join":
                key = fingerprint(fields["say"]["key"])
                return _("{seat} took the seat, with the key {key}.", seat=self._seat(fields["by"]), key=key)
            case "ready":
                return _("Ready: {seat}.", seat=self._seat(fields["by"]))
            case "ask":
                return self._question(fields)
            case "order":
                return self._answer(fields)
            case "skip":
                return _(_SKIPPED.get(fields["why"], _SKIPPED["due"]), seat=self._seat(fields["to"]))
            case "rand":
                return self._chance(fields)
            case "tell":
                return self._told(fields["pub"]["facts"])
            case "renew":
                return _(
                    "The host's numbers for dice and cards continue from new starting values; all confirm again "
                    "that they are ready."
                )
            case "amend" if "rules" in fields["what"]:
                return _(
                    "All have agreed to continue by version {ver} of the rules.", ver=fields["what"]["rules"]["ver"]
                )
            case "amend" if TAKEBACK in fields["what"]:
                return _(
                    "The answers from question {n} on are taken back, as all have agreed.", n=fields["what"][TAKEBACK]
                )
            case "extend":
                return _("There is time until {due} ({why}).", due=fields["due"], why=fields["why"])
            case "end":
                return _("The game is over. {result}", result=self._result(fields["result"]))
        fact = said(entry.n, fields)
        return (self._fact(fact) if fact else None) or entry.k

    def _opening(self, fields: Json) -> str:
        rules = fields["rules"]
        return _(
            "{game}, version {ver} of its rules, is opened for {seats}, by the host with the key {key}.",
            game=self.pack.rules.title if self.pack else rules["id"], ver=rules["ver"],
            seats=self._seats(fields["seats"]), key=fingerprint(fields["host"]),
        )  # fmt: skip

    def _question(self, fields: Json) -> str:
        asked = self.pack.look.asked(fields["what"]) if self.pack else fields["what"]
        parts = [_("Asked of {seats}: {what}.", seats=self._seats(fields["to"]), what=asked)]
        parts += [_(_SECRECY[fields["secret"]])] if fields["secret"] in _SECRECY else []
        parts += [_("There is time until {due}.", due=fields["due"])] if "due" in fields else []
        return " ".join(parts)

    def _answer(self, fields: Json) -> str:
        say, seat = fields["say"], self._seat(fields["by"])
        order = self._opened.get(say["seals"]["order"])
        if say["act"] == "ahead":
            if order is None:
                return _("{seat} had sent the answer ahead, sealed.", seat=seat)
            return _("{seat} had sent the answer ahead: {order}.", seat=seat, order=_one_line(order))
        if order is None:
            return _("{seat} answered question {ask}, sealed.", seat=seat, ask=say["ask"])
        return _("{seat} answered question {ask}: {order}.", seat=seat, ask=say["ask"], order=_one_line(order))

    def _chance(self, fields: Json) -> str:
        label, seals = fields["chain"], fields.get("seals", {})
        if "res" in fields:
            fallen = "; ".join(" ".join(map(str, one)) for one in fields["res"])
            return _("The dice: {fallen}.", fallen=fallen)
        if not label.startswith("priv:"):
            return self._deal([seals[name] for name in seal_order(fields) if name != "req"])
        seat = label.removeprefix("priv:")
        drawn = self._opened.get(next(iter(seals.values()), ""))
        if not (isinstance(drawn, list) and len(drawn) == 2 and isinstance(drawn[1], list)):
            return _("{seat} drew, sealed.", seat=self._seat(seat))
        names = "; ".join(" ".join(map(str, one)) if isinstance(one, list) else str(one) for one in drawn[1])
        return _("{seat} drew: {drawn}.", seat=self._seat(seat), drawn=names)

    def _deal(self, places: list[str]) -> str:
        """The dealt cards in the order of their places, those that are open."""
        cards = [str(self._opened[digest]) for digest in places if digest in self._opened]
        if not cards:
            return _n("{n} card is dealt, sealed.", "{n} cards are dealt, each sealed.", len(places))
        sealed, listed = len(places) - len(cards), ", ".join(cards)
        text = _n("{n} card is dealt: {cards}.", "{n} cards are dealt: {cards}.", len(places), cards=listed)
        shut = _n("{n} of them is sealed.", "{n} of them are sealed.", sealed)
        return f"{text} {shut}" if sealed else text

    def _hands(self, entry: Entry) -> list[str]:
        """Return each seat's hand after a deal, for seats with reports that this copy opens."""
        if self.pack is None or not entry.fields["chain"].startswith(("deal:", "anew:")):
            return []
        lines = []
        for seat in self.log.entries[0].fields["seats"]:
            with suppress(FormError, *NONSENSE):
                after = next((one for one in told(self.log, seat) if one.n > entry.n), None)
                held = self.pack.look.hand(self.pack.rules.read_view(after.view)) if after else ""
                if after and held:
                    lines += ["", sentence(_("{seat}, after entry {n}:", seat=self._seat(seat), n=after.n)), held]
        return lines

    def _told(self, facts: list[Json]) -> str:
        texts = [text for text in map(self._fact, facts) if text]
        if texts and len(texts) == len(facts):
            return _("Everybody hears: {news}", news=" ".join(_closed(_one_line(item.text)) for item in items(texts)))
        return _n("Everybody hears {n} thing.", "Everybody hears {n} things.", len(facts))

    def _fact(self, fact: Json) -> str | None:
        return readable(fact, None, self.pack) if self.pack else None

    def _result(self, result: Json) -> str:
        try:
            return result_text(result, self.pack) if self.pack else _json(result)
        except (LookupError, TypeError, ValueError, AttributeError):
            return _json(result)


def _closed(text: str) -> str:
    """A headline becomes a sentence among others."""
    return text if text.endswith((".", ":", "!", "?", ";")) else f"{text}."


def _one_line(order: object) -> str:
    return str(order).replace("\n", "; ")


def _opened(value: Json) -> str:
    """Return the content of a seal: an order or plans as they were typed, views as JSON."""
    return (_one_line(escaped(value)) or _("nothing")) if isinstance(value, str) else _json(value)


def _json(value: Json, **form: Any) -> str:
    return escaped(json.dumps(value, ensure_ascii=False, **form))
