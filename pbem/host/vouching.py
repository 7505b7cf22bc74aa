"""Signatures of providers (DKIM) on the mails behind kept seats: the keys that the DNS had when they came, and what they are worth.

That a mail is signed is noted as it counts (`evidence`); the DNS is asked a little later, when nothing waits for it. What it says
decides nothing: no mail is refused for a signature, or for want of one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cache
from typing import Any

from pbem.errors import installing
from pbem.i18n import _, _n
from pbem.kernel import Json
from pbem.mail.vouched import Signature, can_judge, judged
from pbem.records import dataclass

from .moments import later
from .store import Store
from .store.kept_rows import Vouched, parts_behind
from .zone import Look, Unanswered, dns

_AGAIN = 600
"""The number of seconds before the DNS is asked again, if it did not answer."""


@dataclass(slots=True)
class Vouching:
    """What asks the DNS for the keys of signatures; `look` does it."""

    store: Store
    look: Look | None = None
    not_before: str = ""
    known: dict[str, str] = field(default_factory=dict)

    def work(self, now: str) -> None:
        """Look at ten signatures of the last three days that nobody has looked at; after a silence of the DNS none for a while."""
        asked = self.store.find(Vouched, since=later(now, hours=-72), verdict="")[:10] if now >= self.not_before else ()
        for one in asked if asked and can_judge() else ():  # the library is loaded only where a mail is signed
            try:
                key = self._key(Signature(one.domain, one.selector))
            except Unanswered:
                self.not_before = later(now, seconds=_AGAIN)
                return
            raw = parts_behind(self.store, one.game, one.evidence)[one.no][1]
            with self.store.decision():
                place = (one.game, one.evidence, one.no, one.which)
                self.store.change("vouched", place, key=key, verdict=judged(raw, one.which, key, one.at))
        self.known.clear()

    def _key(self, one: Signature) -> str:
        """Return the record of a key, as the DNS has it now; "" where it has none."""
        if not (one.domain and one.selector):
            return ""
        if one.place not in self.known:
            self.look = self.look or dns(3)
            found = [text for text in self.look(one.place, "TXT") if "p=" in text]
            self.known[one.place] = found[0] if len(found) == 1 else ""
        return self.known[one.place]


def asking() -> Look:
    """Return a lookup in the DNS that asks for each name once; a name without an answer counts as not there."""

    @cache
    def look(name: str, kind: str) -> Sequence[str]:
        try:
            return dns(3)(name, kind)
        except Unanswered:
            return ()

    return look


def kept(store: Store, game: int) -> dict[int, list[list[Json]]]:
    """Return the stored signatures, by the row of the signed evidence: in the form of the index of the mails behind a game."""
    found: dict[int, list[list[Json]]] = {}
    for one in store.find(Vouched, game=game, order="evidence, no, which"):
        found.setdefault(one.evidence, []).append([one.no, one.which, one.domain, one.selector, one.key])
    return found


def looked_at(
    record: Mapping[str, Any], parts: Sequence[tuple[str, bytes]], look: Look | None
) -> list[dict[str, Json]]:
    """Return what the signatures behind an entry are worth by the keys that its host kept; `look`: does the DNS still have them?"""

    def is_there(key: str, domain: str, selector: str) -> bool:
        return bool(key) and look is not None and key in look(Signature(domain, selector).place, "TXT")

    return [
        {
            "mail": parts[no][0], "domain": domain, "selector": selector,
            "verdict": judged(parts[no][1], which, key, record["at"]),
            "key": "in the DNS" if is_there(key, domain, selector) else "as the host kept it",
        }
        for no, which, domain, selector, key in record.get("dkim", ()) if can_judge()
    ]  # fmt: skip


def told(found: Sequence[Sequence[Mapping[str, Json]]]) -> list[str]:
    """Say of the mails behind each entry how many their providers have signed, and who says so."""
    good = [max((str(one["key"]) for one in mails if one["verdict"] == "vouches"), default="") for mails in found]
    if not can_judge():
        return [_("Signatures of providers (DKIM) were not looked at. {how}", how=installing("dkim"))]
    if not any(good):
        return []
    there = sum(key == "in the DNS" for key in good)
    said = _n(
        "{n} entry has a mail with a good signature of its sender’s provider (DKIM): {there} by a key that the DNS still has, "
        "{kept} by a key as the host kept it.",
        "{n} entries have a mail with a good signature of its sender’s provider (DKIM): {there} by a key that the DNS still has, "
        "{kept} by a key as the host kept it.",
        len([key for key in good if key]),
        there=there,
        kept=sum(key == "as the host kept it" for key in good),
    )
    return [said]
