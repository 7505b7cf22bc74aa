"""Compares a player's mail, from his folder of sent mails, with what the log has of his seat, for which the host keeps the key.

Anybody can write such a mail, so it accuses nobody. It shows its writer whether his host has signed what he wrote. A provider may
show that to others. A host that has read another mail, or none, is found out by its own folder (`rereading`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from json import dumps
from typing import Any

from pbem.errors import UsageError
from pbem.games import find
from pbem.i18n import _, languages, speaking, spoken
from pbem.ledger import Log
from pbem.ledger.kept import KEPT, words_of
from pbem.mail import read_message
from pbem.reports.choices import choices

from .answers import AnswerRead, AskedByMail, read_answer
from .evidence import words_behind_join
from .rereading import JOINS, Again, said_in

_ANSWERED = re.compile(rb"<([0-9a-f]{16})\.(?:report|reminder)\.(\d{1,9})\.([a-z][a-z0-9_]*)\.[0-9A-Z]{12}@")
"""The Message-ID of a letter that puts a question: its game, the question's entry, and the seat."""


def compared(raw: bytes, log: Log, *, as_json: bool = False) -> str:
    """Return in a sentence or two, or as JSON, how a sent mail agrees with the log of its game. Raises UsageError where neither
    shows it.
    """
    if not raw:
        raise UsageError(_("Name the letter behind the log, or a mail that you have sent with --sent."))
    if (said := words_behind_join(read_message(raw).own)) is not None:
        words, joins = words_of(said), _words_in(log)
        same = [seat for seat, other in joins if other == words]
        return dumps({"words": words, "seats": same, "same": bool(same)}) if as_json else _joins(words, joins)
    seat, ask, wrote, has = read_sent(raw, log)
    if as_json:
        return dumps({"seat": seat, "question": ask, "mail": wrote, "log": has, "same": bool(wrote) and wrote == has})
    if not wrote:
        return _("No order can be read in this mail; for {seat} the log has “{order}”.", seat=seat, order=has or "-")
    if wrote == has:
        return _("The log has for {seat} what this mail orders: “{order}”.", seat=seat, order=wrote)
    if not has:
        return _("This mail orders “{order}”, and the log has no order of {seat} there.", seat=seat, order=wrote)
    said = _("This mail orders “{order}”, and the log has “{other}” for {seat}.", order=wrote, other=has, seat=seat)
    return (
        said + " " + _("Was there a later mail about the same question? If not, ask your host for “pbem host mails”.")
    )


def read_sent(raw: bytes, log: Log) -> tuple[str, int, str, str]:
    """Return the seat and the question that a mail answers, its order, and the order in the log; "" for nothing.

    Raises UsageError if it answers no question of the log.
    """
    own, again = read_message(raw).own, Again(log, find)
    head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    found = [one for one in _ANSWERED.findall(head) if log.game.startswith(one[0].decode())]
    if not found:
        raise UsageError(
            _("This mail answers no letter of this game that puts a question: its line In-Reply-To names none.")
        )
    ask, seat = int(found[0][1]), found[0][2].decode()
    if ask >= len(log.entries) or log.entries[ask].k != "ask":
        raise UsageError(_("The log has no question at entry {n}: is it the whole one?", n=ask))
    view = again.view(seat, ask)
    reading = AnswerRead()
    for language in sorted(languages(), key=lambda one: one != spoken()):  # nobody knows in which the letter was
        if not reading.order:
            with speaking(language):
                listed = choices(again.pack, view) if view is not None else ()
                reading = read_answer(own, AskedByMail(again.pack, view, listed, language))
    return seat, ask, _shown(reading.order, reading.plans), _in_log(again.opened, log, seat, ask)


def _words_in(log: Log) -> list[tuple[str, str]]:
    """Return the words in a log of those who joined or replaced a player, by seat."""
    joins = [one.fields for one in log.entries if one.k in JOINS and KEPT in one.fields]
    return [(str(said_in(fields)["seat"]), str(fields[KEPT]["words"])) for fields in joins]


def _joins(words: str, joins: Sequence[tuple[str, str]]) -> str:
    """Compare the words of a mail that joins with those that the log has."""
    if same := [seat for seat, other in joins if other == words]:
        return _("Your words “{words}” are those that the log has for {seat}.", words=words, seat=", ".join(same))
    others = "; ".join(f"{seat}: “{other}”" for seat, other in joins)
    return _("Your words “{words}” are in no join of this log: it has {others}.", words=words, others=others or "-")


def _in_log(opened: Mapping[tuple[Any, ...], str], log: Log, seat: str, ask: int) -> str:
    """The order that the log has of a seat for a question, with its plans; "" for none."""
    orders = [one.fields for one in log.entries[ask:] if one.k == "order" and one.fields["by"] == seat]
    if not any(fields["say"].get("ask") == ask for fields in orders):
        return ""
    if (seat, ask, "order") not in opened:
        raise UsageError(_("This copy of the log does not open the order of {seat}.", seat=seat))
    return _shown(opened[seat, ask, "order"], opened.get((seat, ask, "plans"), ""))


def _shown(order: str, plans: str) -> str:
    """An order and its plans in one line."""
    return "; ".join(line for line in (*order.split("\n"), *plans.split("\n")) if line)
