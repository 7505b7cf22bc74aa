"""Random events: the anchor and link of each, and whether its result follows from the dice (PROTOCOL 5).

Decides LINK and RAND. The course checks that an event is due and has the next index. The audit checks whether the rules asked for
it.
"""

from __future__ import annotations

from typing import Any

from pbem.errors import Fault
from pbem.i18n import N_, _
from pbem.ledger.canon import same
from pbem.ledger.chains import chain_length, links_down
from pbem.ledger.entries import work
from pbem.ledger.log import Entry
from pbem.ledger.stream import event_key, outcome
from pbem.ledger.tree import LEAVES, climb
from pbem.ledger.verifier.checked import Checked
from pbem.ledger.verifier.openings import bear
from pbem.ledger.verifier.verdict import blame_if, host_fault


def check_rand(c: Checked, entry: Entry) -> None:
    """All checks of a random event, in this order; the openings of its seals are among them."""
    label, i = entry.fields["chain"], entry.fields["i"]
    if "path" in entry.fields:
        _anchored(c, entry)
    c.events[label, i] = entry.n
    # 5: for every seat the link of his last closed mark
    c.event_links[entry.n] = c.course.links()
    if label == "pub":
        _public_link(c, entry)
        _public_result(c, entry)
    else:
        bear(c, entry, "host", entry.n, entry.fields["seals"])
        check_sealed(c, entry)


def check_sealed(c: Checked, entry: Entry) -> None:
    """What the file shows by now of a draw or deal: its link, and that its open results are what the dice gave."""
    _attached_link(c, entry)
    if entry.fields["chain"].startswith("priv:"):
        _private_result(c, entry)
    else:
        _deal_result(c, entry)


def _anchored(c: Checked, entry: Entry) -> None:
    """5: the path leads from a deal's anchor to the root that was published before."""
    label, anchor = entry.fields["chain"], entry.fields["anchor"]
    after, root = c.course.trees[-1]
    leaf = int(label[5:]) - after - 1
    c.work.hashes += 1 + len(entry.fields["path"])
    blame_if(
        leaf >= LEAVES or climb(label, anchor, leaf, entry.fields["path"]) != root,
        entry,
        "LINK",
        N_("The anchor of {label} does not lead to the root that was published."),
        label=label,
    )
    c.anchors[label] = anchor


def _down(c: Checked, label: str, i: int, x: str, to: int) -> str:
    """The host's link `to` of a chain, from link i; its anchor is the one after which index it was begun."""
    begun, _anchor = c.chain_at(label, i)
    c.work.hashes += i - to
    return links_down(c.bound(label), label, i - begun, x, to - begun) if i - begun <= chain_length(label) else ""


def _public_link(c: Checked, entry: Entry) -> None:
    """5: X_{i-1} is the hash of X_i; the first one of a chain leads down to its anchor, X_0."""
    i, x = entry.fields["i"], entry.fields["x"]
    begun, anchor = c.chain_at("pub", i)
    to, below = (i - 1, c.links["pub", i - 1]) if i - 1 > begun else (begun, anchor)
    blame_if(
        _down(c, "pub", i, x, to) != below,
        entry,
        "LINK",
        N_("Link {i} of the public chain does not lead to its anchor."),
        i=i,
    )
    c.links["pub", i] = x


def _attached_link(c: Checked, entry: Entry) -> None:
    """5: a link kept beside the chain leads to the anchor, or to the next lower link that is known."""
    label, i = entry.fields["chain"], entry.fields["i"]
    x = c.links.get((label, i))
    if x is None:
        return
    begun, anchor = c.chain_at(label, i)
    to = next((j for j in range(i - 1, begun, -1) if (label, j) in c.links), begun)
    below = c.links[label, to] if to > begun else anchor
    if _down(c, label, i, x, to) != below:
        raise Fault(
            entry.n,
            "LINK",
            "supplier",
            _("The file's link {i} of {label} does not lead to its anchor.", i=i, label=label),
        )


def _result(c: Checked, entry: Entry, x: str, req: Any) -> list[list[Any]]:
    key = event_key(x, c.game, entry.fields["chain"], entry.fields["i"], c.event_links[entry.n])
    c.work.drawn += work(req)
    return outcome(key, req)


def _public_result(c: Checked, entry: Entry) -> None:
    """5: the stream of the event's key gives exactly this."""
    result, said = _result(c, entry, entry.fields["x"], entry.fields["req"]), entry.fields["res"]
    if not same(result, said):
        words = {
            name: ", ".join(str(one) for drawn in all_ for one in drawn)
            for name, all_ in (("result", result), ("res", said))
        }
        raise host_fault(entry, "RAND", _("The dice gave {result}, but the log says {res}.", **words))


def _private_result(c: Checked, entry: Entry) -> None:
    """5: the owner checks his own draw at once, with link and opening."""
    digest = next(iter(entry.fields["seals"].values()))
    x = c.links.get((entry.fields["chain"], entry.fields["i"]))
    if x is None or digest not in c.opened:
        return
    req, res = c.opened[digest]
    blame_if(
        not same(_result(c, entry, x, req), res),
        entry,
        "RAND",
        N_("The draw on {chain} is not what the dice gave."),
        chain=entry.fields["chain"],
    )


def _deal_result(c: Checked, entry: Entry) -> None:
    """5: once the link is out, every open place has the dice's value."""
    seals = entry.fields["seals"]
    x = c.links.get((entry.fields["chain"], entry.fields["i"]))
    req = entry.fields["req"] if "req" in entry.fields else c.opened.get(seals["req"])
    if req is None:
        return
    blame_if(
        sum(request["n"] for request in req) != len(seals) - ("req" in seals),
        entry,
        "FORM",
        N_("A deal has as many places as its request gives results."),
    )
    if x is None:
        return
    for place, value in enumerate(value for values in _result(c, entry, x, req) for value in values):
        digest = seals[f"p{place}"]
        blame_if(
            digest in c.opened and not same(c.opened[digest], value),
            entry,
            "RAND",
            N_("Place {place} of {chain} is not what the dice put there."),
            place=place,
            chain=entry.fields["chain"],
        )
