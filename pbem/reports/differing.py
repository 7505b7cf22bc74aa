"""The differences between two copies of one game, entry by entry, in words.

Nothing is verified, so that copies with a broken chain can be compared; `pbem verify` says which of the two is right. Mere
consequences of a change, such as the later hashes, are not listed. Openings in only one copy are only counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pbem.errors import PbemError, UsageError
from pbem.games import find
from pbem.i18n import N_, _, _n
from pbem.kernel.digits import whole
from pbem.ledger import cj, repaired, sha256_hex

from .apart import apart, field_name, shown, signed_both
from .text import items, readable, sentence
from .told import NONSENSE
from .verdict_details import names_in
from .verdicts import named

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.look.shown import Rolled

Fields: TypeAlias = Mapping[str, Any]
_CHAINED = ("n", "prev", "sig", "seals", "opens", "seen", "path", "anchor", "x")
"""Fields that change with other parts of a log: listed only if an entry has no other differences."""


class Difference(NamedTuple):
    """One difference between two copies: the entry, the thing in words, and its value in each; None: it is missing."""

    entry: int
    says: str
    here: Any
    there: Any


class _Copy:
    """The lines of one file, read leniently: invalid lines are skipped."""

    def __init__(self, data: bytes) -> None:
        mended, self.changed = repaired(data)
        self.odd = sum(not _is_of_a_log(line) for line in mended.split(b"\n") if line)
        """The number of lines that are not written as a log writes them."""
        self.entries: list[Fields] = []
        self.by_number: dict[int, Fields] = {}
        """The first entry that bears a number."""
        self.attached: dict[tuple[Any, ...], list[Any]] = {}
        self.opened: dict[str, Any] = {}
        self.hashes: list[str] = []
        for line in mended.split(b"\n"):
            with suppress(ValueError, RecursionError):
                value = json.loads(line)
                if isinstance(value, dict):
                    self.entries.append(value)
                    if type(value.get("n")) is int:
                        self.by_number.setdefault(value["n"], value)
                    self.hashes.append(sha256_hex(line))
                elif isinstance(value, list) and len(value) > 3 and value[0] in _KEYS:
                    self.attached.setdefault((value[0], *(str(value[i]) for i in _KEYS[value[0]])), value)
                    if value[0] == "seal" and len(value) == 7:
                        self.opened[sha256_hex(line)] = value[6]

    @property
    def last(self) -> int:
        return max(self.by_number, default=-1)

    def order_of(self, seat: str, ref: int) -> int:
        """Return the entry of a seat's order to a question, or for a negated mark; `ref` itself if there is none."""
        for n, entry in self.by_number.items():
            say = _dict(entry.get("say"))
            if (
                entry.get("k") == "order"
                and entry.get("by") == seat
                and ref in (say.get("ask"), -_number(say.get("link_n")))
            ):
                return n
        return ref


def _is_of_a_log(line: bytes) -> bool:
    """Is this line JSON, written as a log writes it?"""
    with suppress(PbemError, ValueError, TypeError, RecursionError):
        return cj(json.loads(line)) == line
    return False


_KEYS = {"seal": (2, 3, 4), "link": (2, 3), "head": (2,), "got": (2,)}
"""Of each kind of line beside the chain, the places of the values by which it is known."""


class Differing:
    """Two copies laid side by side."""

    def __init__(self, one: bytes, other: bytes) -> None:
        self.here, self.there = _Copy(one), _Copy(other)
        self._both = one, other
        self.pack = _pack(self.here) or _pack(self.there)
        self.name = names_in(repaired(one if _pack(self.here) else other)[0])
        for copy, which in ((self.here, _("the first")), (self.there, _("the second"))):
            if not copy.entries:
                raise UsageError(_("There is no game entry in {which} of these files.", which=which))
        if not _one_game(self.here, self.there):
            raise UsageError(
                _("These are copies of two games, {one}… and {other}…: there is nothing to compare.",
                  one=self.here.hashes[0][:12], other=self.there.hashes[0][:12])
            )  # fmt: skip

    @property
    def odd(self) -> int:
        """How many lines of the two have not the bytes that a line of a log has, whatever they say."""
        return self.here.odd + self.there.odd

    def signed_both(self) -> str:
        """Return who has signed both histories, and what to do then; "" where that is not shown."""
        return signed_both(*self._both, self.name)

    def found(self) -> Iterator[Difference]:
        """Yield what differs, in the order of the entries."""
        said: set[str] = set()
        for one in self._found():
            if one.says not in said:
                said.add(one.says)
                yield one._replace(says=sentence(one.says))

    def _found(self) -> Iterator[Difference]:
        beside = self._beside()
        for n in range(max(self.here.last, self.there.last) + 1):
            one, other = self.here.by_number.get(n), self.there.by_number.get(n)
            if one is not None and other is not None:
                yield from self._entry(n, one, other)
            elif n <= min(self.here.last, self.there.last):
                entry = one if one is not None else other
                what = named(n, entry or {}, self.name)
                says = (
                    _("{what} is missing there.", what=what)
                    if one is not None
                    else _("{what} is missing here.", what=what)
                )
                yield Difference(n, says, one, other)
            yield from beside.get(n, ())
        yield from self._twice()

    def beside(self) -> list[str]:
        """Return the harmless differences, in sentences: which copy is longer, lines that only one has, other line ends."""
        said = []
        here, there = self.here.last, self.there.last
        if here != there:
            said.append(_("The first ends with entry {here}, the second with entry {there}.", here=here, there=there))
        for copy, which in ((self.here, N_("The first")), (self.there, N_("The second"))):
            other = self.there if copy is self.here else self.here
            more = len(copy.attached.keys() - other.attached.keys())
            if more:
                said.append(
                    _n(
                        "{which} has {n} line beside the entries that the other lacks.",
                        "{which} has {n} lines beside the entries that the other lacks.",
                        more,
                        which=_(which),
                    )
                )
            if copy.changed:
                said.append(_("{which} has other line ends than a log has; that changes nothing.", which=_(which)))
            if copy.odd:
                said.append(
                    _n(
                        "{which} has {n} line that no log has so, whatever it says: “pbem verify” tells more.",
                        "{which} has {n} lines that no log has so, whatever they say: “pbem verify” tells more.",
                        copy.odd,
                        which=_(which),
                    )
                )
        return said

    # -- entries ----------------------------------------------------------------------------------------------------------

    def _entry(self, n: int, one: Fields, other: Fields) -> Iterator[Difference]:
        if _same(dict(one), dict(other)):
            return
        if one.get("k") != other.get("k"):
            what = {"here": named(n, one, self.name), "there": named(n, other, self.name)}
            yield Difference(n, _("{here} here, {there} there.", **what), one, other)
            return
        found = list(self._by_kind(n, one, other))
        if not found:
            parts = [name for name in sorted({*one, *other} & {*_CHAINED}) if not _same(one.get(name), other.get(name))]
            if parts != ["prev"]:  # that follows from what stands above
                found = [self._field(n, one, name, one.get(name), other.get(name)) for name in parts if name != "prev"]
        yield from found

    def _by_kind(self, n: int, one: Fields, other: Fields) -> Iterator[Difference]:
        match one.get("k"):
            case "rand" if "res" in one and not _same(one["res"], other.get("res")):
                yield Difference(n, self._dice(n, one, other), one["res"], other.get("res"))
                return
            case "tell":
                yield from self._told(n, one, other)
                one, other = ({**e, "pub": {**_dict(e.get("pub")), "facts": []}} for e in (one, other))
            case "order" | "say" | "join" | "ready" | "rekey":
                said, otherwise = _dict(one.get("say")), _dict(other.get("say"))
                for name in sorted({*said, *otherwise} - {*_CHAINED}):
                    if _same(said.get(name), otherwise.get(name)):
                        continue
                    if name == "pub":
                        here, there = (_dict(part.get("pub")).get("order") for part in (said, otherwise))
                        yield Difference(n, self._answer("order", n, one.get("by"), here, there), here, there)
                    else:
                        yield self._field(n, one, name, said.get(name), otherwise.get(name))
                one, other = ({**e, "say": {}} for e in (one, other))
        for name in sorted({*one, *other} - {*_CHAINED}):
            if not _same(one.get(name), other.get(name)):
                yield self._field(n, one, name, one.get(name), other.get(name))

    def _field(self, n: int, entry: Fields, name: str, here: Any, there: Any) -> Difference:
        mine, its = apart(here, there)
        what = {"what": named(n, entry, self.name), "field": field_name(name), "here": mine, "there": its}
        return Difference(n, _("{what}, {field}: {here} here, {there} there.", **what), here, there)

    def _dice(self, n: int, one: Fields, other: Fields) -> str:
        """Say whose dice they are, by the next report: its facts tell of rolls in the order in which they fell."""
        here, there = _fallen(one.get("res")), _fallen(other.get("res"))
        says = {"n": n, "here": here, "there": there}
        for copy in (self.here, self.there):
            if whose := self._whose(copy, n, (here, there)):
                return _("Entry {n}, the dice of {whose}: {here} here, {there} there.", whose=whose, **says)
        return _("Entry {n}, the dice: {here} here, {there} there.", **says)

    def _whose(self, copy: _Copy, n: int, fallen: Sequence[str]) -> str:
        if self.pack is None:
            return ""
        before, report = 0, None
        for number, entry in sorted(copy.by_number.items()):
            if entry.get("k") == "tell":
                report = entry
                if number > n:
                    break
                before = 0
            before += number < n and entry.get("k") == "rand" and "res" in entry
        facts = _dict(_dict(report).get("pub")).get("facts")
        told = [roll for fact in facts if (roll := self._rolled(fact))] if isinstance(facts, list) else []
        fit = [roll for roll in told if " ".join(str(die.shows) for die in roll.dice) in fallen]
        if before < len(told) and told[before] in fit:
            return told[before].name
        return fit[0].name if fit else ""

    def _rolled(self, fact: Any) -> Rolled | None:
        with suppress(*NONSENSE):
            return self.pack.look.rolled(fact) if self.pack else None
        return None

    def _told(self, n: int, one: Fields, other: Fields) -> Iterator[Difference]:
        mine, others = (list(_dict(entry.get("pub")).get("facts") or []) for entry in (one, other))
        only_here = [fact for fact in mine if not any(_same(fact, its) for its in others)]
        only_there = [fact for fact in others if not any(_same(fact, its) for its in mine)]
        for no in range(max(len(only_here), len(only_there))):
            here, there = (facts[no] if no < len(facts) else None for facts in (only_here, only_there))
            says = {"n": n, "here": self._fact(here), "there": self._fact(there)}
            yield Difference(n, _("Entry {n}, a report: “{here}” here, “{there}” there.", **says), here, there)

    def _fact(self, fact: Any) -> str:
        if fact is None:
            return _("nothing")
        text = readable(fact, None, self.pack) if self.pack else None
        return " ".join(item.text for item in items([text])) if text else shown(fact)

    # -- what stands beside them --------------------------------------------------------------------------------------------

    def _beside(self) -> dict[int, list[Difference]]:
        """What both copies have beside the chain, and otherwise, by the entry to which it belongs."""
        found: dict[int, list[Difference]] = {}
        for key, mine in self.here.attached.items():
            its = self.there.attached.get(key)
            if its is None or _same(mine, its):
                continue
            what = self._attached(key[0], mine, its)
            if what is not None:
                found.setdefault(what.entry, []).append(what)
        return found

    def _attached(self, kind: str, mine: list[Any], its: list[Any]) -> Difference | None:
        n = mine[3] if kind == "seal" else mine[2] if kind == "head" else -1
        if kind == "seal" and mine[2] != "host":
            n = self.here.order_of(str(mine[2]), _number(n))
        if kind == "seal" and len(mine) == len(its) == 7:
            if _same(mine[6], its[6]):
                return None
            return Difference(n, self._seal(n, mine, its), mine[6], its[6])
        if kind == "head" and len(mine) == len(its) == 5:
            if mine[3] == its[3]:
                return None
            return Difference(n, _("The host's signed head over entry {n} is another.", n=n), mine[3], its[3])
        return None

    def _seal(self, n: int, mine: list[Any], its: list[Any]) -> str:
        who, ref, name = mine[2], mine[3], str(mine[4])
        says = {"n": n, "here": shown(mine[6]), "there": shown(its[6]), "name": name}
        if who != "host":
            return self._answer(name, n, who, mine[6], its[6])
        entry = self.here.by_number.get(ref, {})
        if entry.get("k") == "tell" and name != "state":
            return _("Entry {n}, what {who} alone was told: {here} here, {there} there.", who=self.name(name), **says)
        if entry.get("k") == "rand" and (place := whole(name[1:])) is not None:
            return _("Entry {n}, card {place} of the deal: {here} here, {there} there.", place=place + 1, **says)
        return _("Entry {n}, “{name}” as it was opened: {here} here, {there} there.", **says)

    def _answer(self, name: str, n: int, who: Any, here: Any, there: Any) -> str:
        text = {
            "order": N_("Entry {n}, the answer of {who}: {here} here, {there} there."),
            "plans": N_("Entry {n}, the plans of {who}: {here} here, {there} there."),
        }.get(name, N_("Entry {n}, “{name}” of {who}: {here} here, {there} there."))
        return _(text, n=n, name=name, who=self.name(str(who)), here=shown(here), there=shown(there))

    def _twice(self) -> Iterator[Difference]:
        for copy, text in (
            (self.here, N_("{what} appears twice here.")),
            (self.there, N_("{what} appears twice there.")),
        ):
            seen: set[Any] = set()
            for entry in copy.entries:
                n = entry.get("n")
                if type(n) is int and n in seen:
                    yield Difference(n, _(text, what=named(n, entry, self.name)), None, None)
                seen.add(n if type(n) is int else None)


def _one_game(here: _Copy, there: _Copy) -> bool:
    """Return whether these are copies of one game. The first entry may have been changed in one of them."""
    alike = [here.entries[0].get(field) == there.entries[0].get(field) is not None for field in ("nonce", "seats")]
    if here.hashes[0] == there.hashes[0] or all(alike):
        return True
    one, other = (copy.by_number.get(1, {}).get("prev") for copy in (here, there))
    return one == other is not None


def _pack(copy: _Copy) -> GamePack | None:
    with suppress(PbemError, *NONSENSE):
        return find(str(copy.entries[0]["rules"]["id"]))
    return None


def _same(one: Any, other: Any) -> bool:
    """Are two values alike as they are written? They need not be canonical."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _number(value: Any) -> int:
    return value if type(value) is int else 0


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _fallen(res: Any) -> str:
    if not isinstance(res, list) or not all(isinstance(one, list) for one in res):
        return shown(res)
    return "; ".join(" ".join(map(str, one)) for one in res)
