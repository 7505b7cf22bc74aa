"""Orders that other players were given as well: sealed ones, which they pass on to the host, and replies of kept seats.

What lay in a box is judged as if its writer's letter had come with it, by his signature, at the moment at which it came here. A
player whose program passes on what is no order is told so: he had acknowledged it unseen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pbem.errors import FormError
from pbem.i18n import N_, _
from pbem.ledger import Log, Verdict
from pbem.ledger.in_time import reply_unheard
from pbem.ledger.sealed import paper_fault, unboxed
from pbem.mail import read_message
from pbem.mail.block import envelope_in

from .sent_mail import read_sent

if TYPE_CHECKING:
    from pbem.referee import Envelope

    from .essence import Case
    from .hosted import House


NO_ORDER = N_(
    "What you passed on, sealed, was no order that counts. That you acknowledged it unseen binds you to nothing."
)
"""What is said to who passed it on: why, its writer alone may know, as it tells of his hand."""
_OVERTAKEN = ("ASK", "DOUBLE", "SEEN")


def overtaken(code: str) -> str:
    """Return what is noted where an order that was passed on comes too late to matter, or ""; nobody is told."""
    return f"ignored: passed on, {code}" if code in _OVERTAKEN else ""


def opened(house: House, envelope: Envelope | None, case: Case) -> Envelope | None:
    """Return what a player has signed, taken out of its box where it lies in one: then the words of the mail are another's.

    Raises FormError for a box with no order in it, or one for another host.
    """
    if envelope is None or envelope.say.get("act") != "sealed":
        return envelope
    paper = {"say": envelope.say, "sig": envelope.sig}
    try:
        if why := paper_fault(paper, "sealed"):
            raise FormError(why)
        found = envelope_in(unboxed(house.key, envelope.say["box"]))
        named = ("game", "seat", "ask", "rev")
        if found.say.get("act") != "order" or any(found.say.get(name) != envelope.say[name] for name in named):
            raise FormError(_("it is no order to the question that it names"))
    except FormError as why:
        raise FormError(
            _(
                "What {seat} gave you sealed for the host cannot be taken: {why}. Nothing of it counts. That you acknowledged it "
                "unseen binds you to nothing.",
                seat=envelope.say.get("seat"),
                why=why,
            )
        ) from why
    case.mail = replace(case.mail, text="", wants="")
    return found


def reply_judged(raw: bytes, papers: Sequence[Mapping[str, Any]], data: bytes) -> Verdict:
    """Judge that a reply of a kept seat, as it lies in its writer's folder, is not in a log, though others had acknowledged it.

    Raises UsageError for a mail that answers no question of this log.
    """
    log = Log.parse(data)
    seat, ask, wrote, _has = read_sent(raw, log)
    if not wrote:
        reason = _("No order can be read in this mail: its host had nothing to take.")
        return Verdict("unfounded", ask, None, None, reason, log.head)
    return reply_unheard(seat, ask, read_message(raw).own, papers, data)
