"""Complaints that a log alone cannot show (PROTOCOL 7): something signed that was left out, and two orders to one question.

Decides DROPPED and DOUBLE from an envelope, which anyone may see, and the host's receipt or a second envelope: for orders in
`orders`, for all else that a player signs in `says`. What the papers disprove is unfounded; what they do not show cannot be judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.errors import FormError
from pbem.ledger.complaint.orders import Fits, double, dropped
from pbem.ledger.complaint.papers import Unfounded, Unproven, check_envelope
from pbem.ledger.complaint.says import left_out
from pbem.ledger.log import Log
from pbem.ledger.verifier import Verdict, verify_checked

__all__ = ["Fits", "complaint"]


def complaint(
    envelope: Mapping[str, Any],
    other: Mapping[str, Any] | list[Any],
    log: bytes | Log,
    fits: Fits | None = None,
    later: Mapping[str, Any] | None = None,
) -> Verdict:
    """Judges a complaint about what a player signed.

    `envelope` is {"say", "sig"}. With the host's receipt, ["got",…], as `other` the complaint is that it was left out:
    DROPPED, the host's. With a second envelope of an order it is that the seat signed two orders with one revision
    number: DOUBLE, the seat's, shown and not called cheating. Papers by which it is not so give `unfounded`, papers
    that show nothing `cannot_judge`; a faulty log gives its own verdict.

    An order that was sent ahead, and whose seat was skipped, has its `openings` too, and is judged by `fits`. The host's answer may
    be a `later` envelope, by which the seat had replaced it.
    """
    verdict, c = verify_checked(log)
    if verdict.verdict in ("fault", "cannot_judge"):
        return verdict
    try:
        for paper in (envelope, *([] if isinstance(other, list) else [other]), *([] if later is None else [later])):
            check_envelope(paper)
        is_order = envelope["say"].get("act") in ("order", "ahead")
        if not isinstance(other, list):
            return double(c, envelope, other)
        return dropped(c, envelope, other, fits, later) if is_order else left_out(c, envelope, other)
    except Unfounded as why:
        return Verdict("unfounded", why.entry, None, None, str(why), c.head)
    except (Unproven, FormError) as why:
        return Verdict("cannot_judge", None, None, None, str(why), c.head)
