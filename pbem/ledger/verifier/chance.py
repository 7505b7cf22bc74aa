"""Random events: when one may fall, its index, its link, and that its result is what the dice gave (PROTOCOL 5).

Decides EARLY, REQ (the index), LINK and RAND. Whether the rules asked for the event at all is for the audit.
"""

from __future__ import annotations

from typing import Any

from pbem.errors import Fault
from pbem.ledger.canon import cj_read
from pbem.ledger.chains import links_down
from pbem.ledger.log import Entry
from pbem.ledger.stream import event_key, outcome
from pbem.ledger.verifier.checked import Checked
from pbem.ledger.verifier.openings import bear
from pbem.words import _


def check_rand(c: Checked, entry: Entry) -> None:
    """All checks of a random event, in this order; the openings of its seals are among them."""
    _not_early(c, entry)
    _in_turn(c, entry)
    _next_index(c, entry)
    label, i = entry.fields["chain"], entry.fields["i"]
    c.events[label, i] = entry.n
    # 5: for every seat the link of his last closed mark
    c.event_links[entry.n] = [[seat, mark, x] for seat, (mark, x) in c.last_links.items()]
    if label == "pub":
        c.stage.rolls.append(i)
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


def _not_early(c: Checked, entry: Entry) -> None:
    """5, fair 1: no random event before every seat's `ready` link."""
    if c.stage.phase in ("roster", "ready"):
        raise Fault(entry.n, "EARLY", "host", _("A random event fell before every seat had said that it is ready."))


def _in_turn(c: Checked, entry: Entry) -> None:
    """7: no random event while an ask is open; only `say` may stand between a tell and its ask."""
    if c.stage.phase != "play":
        asked = c.stage.phase == "asked"
        reason = (
            _("A random event fell while a question was open.")
            if asked
            else _("A random event fell between a tell and its question.")
        )
        raise Fault(entry.n, "ORDERING", "host", reason)


def _next_index(c: Checked, entry: Entry) -> None:
    """5, fair 3: always the next index of a chain that the game entry names; a deal has one event."""
    label, i = entry.fields["chain"], entry.fields["i"]
    known = label in c.anchors and not (i > 1 and label.startswith("deal:"))
    if not known or (label, i) in c.events or (i > 1 and (label, i - 1) not in c.events):
        reason = _("Event {i} of {label} is not the next one of a chain that this game has.", i=i, label=label)
        raise Fault(entry.n, "REQ", "host", reason)
    if label.startswith("priv:") and label[5:] not in entry.fields["seals"]:
        raise Fault(entry.n, "FORM", "host", _("A draw on {label} is sealed for another seat.", label=label))


def _public_link(c: Checked, entry: Entry) -> None:
    """5: X_{i-1} is the hash of X_i; the first one of a chain leads down to its anchor, X_0."""
    i, x = entry.fields["i"], entry.fields["x"]
    begun, anchor = c.chain_at("pub", i)
    to, below = (i - 1, c.links["pub", i - 1]) if i - 1 > begun else (0, anchor)
    if links_down(c.nonce, "pub", i, x, to) != below:
        raise Fault(entry.n, "LINK", "host", _("Link {i} of the public chain does not lead to its anchor.", i=i))
    c.links["pub", i] = x


def _attached_link(c: Checked, entry: Entry) -> None:
    """5: a link kept beside the chain leads to the anchor, or to the next lower link that is known."""
    label, i = entry.fields["chain"], entry.fields["i"]
    x = c.links.get((label, i))
    if x is None:
        return
    begun, anchor = c.chain_at(label, i)
    to = next((j for j in range(i - 1, begun, -1) if (label, j) in c.links), 0)
    below = c.links[label, to] if to else anchor
    if links_down(c.nonce, label, i, x, to) != below:
        raise Fault(
            entry.n,
            "LINK",
            "supplier",
            _("The file's link {i} of {label} does not lead to its anchor.", i=i, label=label),
        )


def _result(c: Checked, entry: Entry, x: str, req: Any) -> list[list[Any]]:
    key = event_key(x, c.game, entry.fields["chain"], entry.fields["i"], c.event_links[entry.n])
    return outcome(key, req)


def _same(a: Any, b: Any) -> bool:
    # true is no 1
    return bool(a == b) and cj_read(a) == cj_read(b)


def _public_result(c: Checked, entry: Entry) -> None:
    """5: the stream of the event's key gives exactly this."""
    result = _result(c, entry, entry.fields["x"], entry.fields["req"])
    if not _same(result, entry.fields["res"]):
        reason = _("The dice gave {result}, but the log says {res}.", result=result, res=entry.fields["res"])
        raise Fault(entry.n, "RAND", "host", reason)


def _private_result(c: Checked, entry: Entry) -> None:
    """5: the owner checks his own draw at once, with link and opening."""
    digest = next(iter(entry.fields["seals"].values()))
    x = c.links.get((entry.fields["chain"], entry.fields["i"]))
    if x is None or digest not in c.opened:
        return
    req, res = c.opened[digest]
    if not _same(_result(c, entry, x, req), res):
        raise Fault(
            entry.n, "RAND", "host", _("The draw on {chain} is not what the dice gave.", chain=entry.fields["chain"])
        )


def _deal_result(c: Checked, entry: Entry) -> None:
    """5: once the link is out, every place that is open holds what the dice put there."""
    seals = entry.fields["seals"]
    x = c.links.get((entry.fields["chain"], entry.fields["i"]))
    req = entry.fields["req"] if "req" in entry.fields else c.opened.get(seals["req"])
    if req is None:
        return
    if sum(request["n"] for request in req) != len(seals) - ("req" in seals):
        raise Fault(entry.n, "FORM", "host", _("A deal has as many places as its request gives results."))
    if x is None:
        return
    for place, value in enumerate(value for values in _result(c, entry, x, req) for value in values):
        digest = seals[f"p{place}"]
        if digest in c.opened and not _same(c.opened[digest], value):
            reason = _(
                "Place {place} of {chain} is not what the dice put there.", place=place, chain=entry.fields["chain"]
            )
            raise Fault(entry.n, "RAND", "host", reason)
