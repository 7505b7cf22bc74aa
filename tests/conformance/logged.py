"""A game's log: what it asks, throws and tells has the form of entries and room in their lines, by the ledger's own checks."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pbem.kernel import Ask, Chance, Fact, Json, Stop
from pbem.ledger.canon import MAX_LINE, cj_read
from pbem.ledger.entries import MAX_OPTIONS, MAX_SEATS
from pbem.ledger.forms import entry_fault, value_fault
from pbem.ledger.patch import diff
from pbem.ledger.telling import own_part, seen

from .forms import canonical
from .playing import Record
from .suite import Suite

_HASH, _AT = "0" * 64, "2030-01-01T00:00:00Z"
_SEAL = 256
"""More bytes than a line has beside what it seals."""


class Logged(Suite):
    """Each entry that a log of the recorded games would have, but for keys, links and signatures."""

    def test_entry_0_has_room_for_options_and_seats(self) -> None:
        for record in self.records():
            full = self.game.read_options(record.options).model_dump(mode="json")
            assert len(cj_read(full)) <= MAX_OPTIONS, record.options
            assert len(record.seats) <= MAX_SEATS

    def test_questions_and_chance_have_the_form_of_entries(self) -> None:
        for record in self.records():
            for index, stop in enumerate(record.stops):
                if entry := _entry(stop.wants):
                    assert entry_fault(entry) is None, f"{record.at(index)}: {entry_fault(entry)}"
                    assert len(cj_read(entry)) <= MAX_LINE, record.at(index)
                if isinstance(stop.wants, Chance):
                    requests = [request.json() for request in stop.wants.requests]
                    assert value_fault("request", requests) is None, record.at(index)

    def test_each_tell_fits_into_its_lines(self) -> None:
        for record in self.records():
            views: dict[str | None, Json] = {seat: {} for seat in (None, *record.seats)}
            for first, last in _tells(record):
                stops, was = record.stops[first : last + 1], views[None]
                public = {"facts": _heard(stops, None), "view": self._moved(views, record, last, None)}
                tell = {
                    "k": "tell", "n": 1, "prev": _HASH, "pub": public, "opens": [], "links": [], "rolls": [],
                    "seals": dict.fromkeys((*record.seats, "state"), _HASH),
                }  # fmt: skip
                assert entry_fault(tell) is None, f"{record.at(last)}: {entry_fault(tell)}"
                assert len(cj_read(tell)) <= MAX_LINE, record.at(last)
                for seat in record.seats:
                    before = views[seat]
                    self._moved(views, record, last, seat)
                    own = own_part(public, _heard(stops, seat), before, views[seat])
                    self._whole_views_say_the_same(
                        public, own, _heard(stops, seat), (before, views[seat]), (was, views[None])
                    )
                    assert value_fault("report", own) is None, f"{record.at(last)}: {value_fault('report', own)}"
                    assert len(cj_read(own)) + _SEAL <= MAX_LINE, record.at(last)

    def _whole_views_say_the_same(
        self, public: Json, own: Json, heard: Json, seen_by_one: tuple[Json, Json], shown: tuple[Json, Json]
    ) -> None:
        """A patch from the parts that are one object with another's is that of whole views, and so is what is made of it."""
        before, view = seen_by_one
        anew = json.loads(canonical([public, before, view]))
        assert canonical(own_part(public, heard, before, view, shown)) == canonical(own)
        assert canonical(own_part(anew[0], heard, *anew[1:])) == canonical(own)
        assert canonical(seen(public, own, before, shown)) == canonical(seen(anew[0], own, anew[1])) == canonical(view)

    def _moved(self, views: dict[str | None, Json], record: Record, index: int, seat: str | None) -> Json:
        """Return the patch to what a seat sees at a stop, and note that it sees it."""
        before, views[seat] = views[seat], self.game.view(record.stops[index].state, seat)
        return diff(before, views[seat])


def _entry(wanted: object) -> dict[str, Json] | None:
    """Return the entry that a log has for what is wanted; None for the end, and where what is wanted is sealed."""
    match wanted:
        case Ask(seats=seats, what=what, secret=secret, mark=mark):
            found = {"k": "ask", "n": 1, "prev": _HASH, "at": _AT, "to": list(seats), "what": what, "secret": secret}
            return found | ({"mark": 1} if mark else {})
        case Chance(label="pub", requests=requests):
            thrown = [request.json() for request in requests]
            return {"k": "rand", "n": 1, "prev": _HASH, "chain": "pub", "i": 1, "x": _HASH, "req": thrown, "res": []}
        case Chance(requests=requests, listed=listed) if wanted.is_deal:
            places = {f"p{no}": _HASH for no in range(sum(request.n for request in requests))}
            asked = {"req": [request.json() for request in requests]} if listed else {}
            seals = places | ({} if listed else {"req": _HASH})
            deal = {
                "k": "rand",
                "n": 1,
                "prev": _HASH,
                "chain": wanted.label,
                "i": 1,
                "anchor": _HASH,
                "path": [_HASH] * 12,
            }
            return {**deal, **asked, "seals": seals}
    return None


def _tells(record: Record) -> Iterator[tuple[int, int]]:
    """Go through what one tell says: the first and the last of its stops. There is one before each question, and at the end."""
    first = 0
    for index, stop in enumerate(record.stops):
        if not isinstance(stop.wants, Chance):
            yield first, index
            first = index + 1


def _heard(stops: tuple[Stop, ...], seat: str | None) -> list[Json]:
    facts = [event for stop in stops for event in stop.events if isinstance(event, Fact)]
    return [heard for fact in facts if (heard := fact.heard_by(seat)) is not None]
