"""Orders that other players hold as well: sealed orders that they pass on to the host, and replies of kept seats.

The content of a box is judged as if its writer's letter had brought it: by his signature, at the moment it arrived here. If a
player's program passes on something that is not an order, the player is told so, as he acknowledged it unseen.
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
    "The sealed copy that you passed on was not a valid order. You acknowledged it unseen, and that does not bind you."
)
"""The message to the player who passed it on. Only its writer may know the reason, which would reveal his hand."""
_OVERTAKEN = ("ASK", "DOUBLE", "SEEN")


def overtaken(code: str) -> str:
    """Return the outcome noted for a passed-on order that comes too late to matter, or ""; nobody is told."""
    return f"ignored: passed on, {code}" if code in _OVERTAKEN else ""


def opened(house: House, envelope: Envelope | None, case: Case) -> Envelope | None:
    """Return a player's signed statement, taken out of its box if it is in one. The words of the mail are then another player's.

    Raises FormError if the box has no order, or is for another host.
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
            raise FormError(_("it is not an order to the question that it names"))
    except FormError as why:
        raise FormError(
            _(
                "The host cannot take the sealed copy that {seat} gave you: {why}. Nothing in it counts. You "
                "acknowledged it unseen, and that does not bind you.",
                seat=envelope.say.get("seat"),
                why=why,
            )
        ) from why
    case.mail = replace(case.mail, text="", wants="")
    return found


def reply_judged(raw: bytes, papers: Sequence[Mapping[str, Any]], data: bytes) -> Verdict:
    """Judge whether a kept seat's reply, from its writer's folder, is missing in a log although others had acknowledged it.

    Raises UsageError for a mail that answers no question of this log.
    """
    log = Log.parse(data)
    seat, ask, wrote, _has = read_sent(raw, log)
    if not wrote:
        reason = _("No order can be read in this mail: its host had nothing to take.")
        return Verdict("unfounded", ask, None, None, reason, log.head)
    return reply_unheard(seat, ask, read_message(raw).own, papers, data)
