"""The evidence for a complaint that other players support: what was sent, their acknowledgements, and whether the order counted.

This module finds the evidence for an order, and checks by the rules whether the host had to take it; `pbem.ledger.in_time` judges.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pbem.errors import FormError, OrderError, PlayerError, UsageError
from pbem.i18n import _
from pbem.kernel import read_plans
from pbem.ledger import Log, cj, sha256_hex
from pbem.ledger.course import read
from pbem.ledger.in_time import unheard
from pbem.mail import read_block, read_message
from pbem.mail.block import envelope_in, payload_of
from pbem.referee import AskSeen, check_order
from pbem.referee.intake import History
from pbem.referee.replaying import Find, Library, NoRules, Shelf
from pbem.reports.told import NONSENSE, view_at

if TYPE_CHECKING:
    from pbem.ledger import Verdict
    from pbem.referee import Envelope


def acknowledgements(data: bytes) -> list[dict[str, Any]]:
    """Return the acknowledgements in a file: one a line, or a letter with one. Other lines are skipped."""
    found = []
    for line in data.splitlines():
        with suppress(ValueError, RecursionError):
            found.append(json.loads(line))
    with suppress(FormError):
        if not found and (envelope := read_block(read_message(data).text)):
            found.append({"say": envelope.say, "sig": envelope.sig})
    return [one for one in found if isinstance(one, dict) and isinstance(one.get("say"), dict)]


def of_order(name: str, data: bytes, say: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return those of a file that are of an order. Raises UsageError where none is."""
    digest = sha256_hex(cj(dict(say)))
    if found := [one for one in acknowledgements(data) if one["say"].get("order") == digest]:
        return found
    raise UsageError(_("{path} contains no acknowledgement of this order.", path=name))


def judged(sent: Envelope, papers: list[dict[str, Any]], log: bytes, find_game: Find, shelf: Shelf) -> Verdict:
    """Judge that an order is not in a log, though others had acknowledged it."""
    return unheard(payload_of(sent), papers, log, why_unfit(log, find_game, shelf))


def why_unfit(data: bytes, find_game: Find, shelf: Shelf) -> Callable[[Mapping[str, Any]], str | None]:
    """Return a function that gives the reason why no host had to take an order, by a log and its rules. It returns "" if the host
    had to, None if that is unknown.

    A host checks openings and rules in the same way: an order that it would refuse was not left out.
    """
    library = Library(find_game, shelf)

    def unfit(payload: Mapping[str, Any]) -> str | None:
        envelope, log = envelope_in(cj(dict(payload))), Log.parse(data)
        say = envelope.say
        ask, upto = log.entries[say["ask"]], max(say["ask"], say["seen"][0])
        course = read(entry.fields for entry in log.entries[: upto + 1])
        try:
            history = History(log.game, course, lambda n: log.entries[n].hash if n <= upto else None)
            check_order(envelope, history, AskSeen.of(ask.n, ask.fields, ask.hash))
            rules = library.get(dict(course.rules), ask.n)[0]
            if (view := view_at(log, say["seat"], ask.n)) is None:
                return None
            seen = rules.read_view(view)
            refusal = rules.why_not(seen, rules.parse(seen, str(envelope.openings[0][6])))
            read_plans(rules, str(envelope.openings[1][6]))
        except NoRules:
            return None
        except (PlayerError, OrderError) as why:
            return str(why)
        except NONSENSE:  # what these rules do not know they do not judge
            return None
        return refusal.why if refusal else ""

    return unfit
