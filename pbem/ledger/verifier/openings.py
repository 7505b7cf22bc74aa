"""Seals: the required content of an opening, and when a file must have it (PROTOCOL 3 and 7).

Decides SEALBIND and UNOPENED. The openings in a file show which seats own the copy, unless the caller names them: see `owners`.
"""

from __future__ import annotations

from typing import Any, Literal

from pbem.errors import Fault
from pbem.i18n import N_, _
from pbem.ledger.forms import entry_fault, value_fault
from pbem.ledger.log import Entry
from pbem.ledger.telling import names_what_is_there
from pbem.ledger.verifier.checked import Bearer, Checked
from pbem.ledger.verifier.verdict import blame_if


def bear(c: Checked, entry: Entry, who: str, ref: int, seals: dict[str, str]) -> None:
    """Takes note of the seals of an entry, and checks their openings in the file."""
    n, bearers, openings = entry.n, c.bearers, c.openings
    for name, digest in seals.items():
        bearer = Bearer(n, who, ref, name)
        # 3: a digest binds one place; a second one could never be opened
        blame_if(
            bearers.setdefault(digest, bearer) is not bearer,
            entry,
            "SEALBIND",
            N_("The seal “{name}” repeats a digest of entry {n}."),
            name=name,
            n=bearers[digest].n,
        )
        if digest in openings:
            check_opening(c, bearer, digest)


def check_opening(c: Checked, bearer: Bearer, digest: str) -> None:
    """An opening says what the place of its digest asks for; its value is taken into `c`."""
    _seal, game, who, ref, name, _salt, value = c.openings[digest].fields
    # 3: ["seal",G,who,ref,name,salt,value], with who, ref and name of the place where the digest stands
    if (game, who, ref, name) != (c.game, bearer.who, bearer.ref, bearer.name):
        reason = _(
            "The seal “{name}” opens as “{found}” of {who}, {ref}, but something else was bound.",
            name=bearer.name,
            found=name,
            who=who,
            ref=ref,
        )
        raise Fault(bearer.n, "SEALBIND", "host", reason)
    entry = c.entries[bearer.n]
    kind = entry.k
    form = _form_of(kind, entry, name)
    # what is a text need not be asked
    if form and not (form == "text" and type(value) is str) and (why := value_fault(form, value)):
        raise Fault(
            bearer.n, "FORM", "host", _("The sealed value “{name}” is malformed: {why}.", name=bearer.name, why=why)
        )
    if form == "report" and not names_what_is_there(entry.fields["pub"], value):
        why = _("The sealed value “{name}” names a public fact that is not there.", name=bearer.name)
        raise Fault(bearer.n, "FORM", "host", why)
    # 3: where the order stands in the open, it is the one that was sealed
    if kind == "order" and name == "order" and entry.fields["say"].get("pub", {}).get("order", value) != value:
        raise Fault(
            bearer.n, "SEALBIND", "host", _("{who} gave another order in the open than the one he sealed.", who=who)
        )
    c.opened[digest] = value


def _form_of(kind: str, entry: Entry, name: str) -> Literal["report", "request", "draw", "text"] | None:
    match kind:
        case "order":
            return "text"
        case "tell":
            return "text" if name == "state" else "report"
        case _ if name == "req":
            return "request"
        case _:
            return "draw" if entry.fields["chain"].startswith("priv:") else None


def owners(c: Checked, seat: str | None) -> dict[str, int]:
    """Return the seats with openings due at their entry ("host": all openings), each with the last entry for which this applies.

    The caller may name the owner of the copy. Otherwise a finished file has no owner: everything is due at its end. In an
    unfinished file, a seat is an owner if its part of some tell is opened, and so is "host" if some `state` is. For a single owner,
    openings are due to the end of the file. With several owners (a merged file) the copies may end at different heads: each one's
    openings are due up to the last tell opened for that owner, as long as one of them reaches the last tell.
    """
    whole = len(c.entries)
    if seat is not None:
        return {seat: whole}
    if c.finished:
        return {}
    last_opened: dict[str, int] = {}
    last_tell = 0
    for entry in c.entries:
        if entry.fields.get("k") == "tell" and isinstance(seals := entry.fields.get("seals"), dict):
            last_tell = entry.n
            for name, digest in seals.items():
                if isinstance(digest, str) and digest in c.openings:
                    last_opened["host" if name == "state" else name] = entry.n
    if len(last_opened) == 1 or last_tell not in last_opened.values():
        return dict.fromkeys(last_opened, whole)
    return last_opened


def check_due(c: Checked, entry: Entry, own: dict[str, int]) -> None:
    """7: check that the file contains everything that becomes due with this entry."""
    f = entry.fields
    match entry.k:
        case "order":
            if _owned(own, entry, f["by"]):
                _due(c, entry, f["say"]["seals"].values(), N_("an opening of the order"))
        case "tell":
            _due(c, entry, f["opens"], N_("an opening that this tell names"))
            _links_due(c, entry, ((label, i) for label, i in f["links"]))
            if _owned(own, entry, "host"):
                _due(c, entry, f["seals"].values(), N_("an opening of the tell"))
            for seat in own:
                if seat in f["seals"] and _owned(own, entry, seat):
                    _due(c, entry, [f["seals"][seat]], N_("{seat}'s part of the tell"), seat)
        case "rand" if f["chain"] != "pub":
            if _owned(own, entry, f["chain"].removeprefix("priv:")):
                _due(c, entry, f["seals"].values(), N_("an opening of the draw"))
                _links_due(c, entry, [(f["chain"], f["i"])])
        case "end":
            _due(c, entry, c.bearers, N_("an opening of a seal"))
            _links_due(c, entry, (event for event in c.events if event[0] != "pub"))


def lost_to(c: Checked) -> int:
    """The last entry of a former host from which everybody agreed to continue, or -1: openings that only that host had are not due
    up to there.
    """
    moves = [
        entry.fields["seen"][0]
        for entry in c.entries
        if entry.fields.get("k") == "host" and not entry_fault(entry.fields)
    ]
    return max(moves, default=-1)


def _owned(own: dict[str, int], entry: Entry, seat: str) -> bool:
    return own.get(seat, -1) >= entry.n or own.get("host", -1) >= entry.n


def _due(c: Checked, entry: Entry, digests: Any, what: str, seat: str = "") -> None:
    for digest in digests:
        if digest not in c.openings and not c.is_lost(digest):
            b = c.bearers[digest]
            reason = _(
                "Due at entry {n} and missing: {what} (“{name}” of entry {above}).",
                n=entry.n,
                what=_(what, seat=seat),
                name=b.name,
                above=b.n,
            )
            raise Fault(entry.n, "UNOPENED", "supplier", reason)


def _links_due(c: Checked, entry: Entry, links: Any) -> None:
    for label, i in links:
        if (label, i) not in c.links and not c.is_lost_link(label, i):
            raise Fault(
                entry.n,
                "UNOPENED",
                "supplier",
                _("Due at entry {n} and missing: link {i} of {label}.", n=entry.n, i=i, label=label),
            )
