"""Copies of a log: the contents of a seat's copy, and how to merge two copies.

The rules decide which places of a deal a seat may see, so the caller passes them in. If two copies diverge, the verifier decides
which host was rightly in charge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from pbem.errors import ForkError, RecordError, UsageError
from pbem.i18n import _
from pbem.ledger.log import Attachment, Log, Place, arrange, is_signed, place_of
from pbem.ledger.verifier import verify_checked


def redact(log: Log, seat: str, shown: Mapping[str, int] | None = None) -> Log:
    """The copy for one seat: everything the seat may have, each attachment placed at the entry at which the seat may have it.

    - with their entry: the seat's own orders, tells and draws, heads and receipts;
    - with a tell: everything it opens;
    - at the end: everything.

    `shown` adds places of deals that the rules show this seat: by digest, the entry from which they do. A copy of a longer log
    begins with the copy of a shorter one.
    """
    place = place_of(log.entries)
    end = log.head[0] if log.finished else None
    named: dict[Any, int] = {}
    for entry in log.entries:
        if entry.k == "tell":
            for key in (*entry.fields["opens"], *map(tuple, entry.fields["links"])):
                named.setdefault(key, entry.n)

    def release(attachment: Attachment, home: int) -> int | None:
        f = attachment.fields
        match f[0]:
            case "link":
                due = home if f[2] == f"priv:{seat}" else named.get((f[2], f[3]))
            case "seal":
                own = f[2] == seat or (f[2] == "host" and f[4] == seat)
                due = home if own else named.get(attachment.digest)
                if shown and attachment.digest in shown and (due is None or shown[attachment.digest] < due):
                    due = shown[attachment.digest]
            case _:
                due = home
        return end if due is None else due

    def released() -> Iterator[tuple[int, Place, Attachment]]:
        for attachment in log.attachments:
            where = place(attachment)
            due = release(attachment, where[0]) if where else None
            if where and due is not None:
                yield due, where, attachment

    return arrange(log.entries, released())


def merge(a: Log, b: Log) -> Log:
    """The union of two copies of one game, tidy; the chain is the longer of the two.

    Raises UsageError for copies of two games, and ForkError with the two signed heads if the host signed two histories. Raises
    RecordError if the chains differ without such a proof.
    """
    if a.game != b.game:
        raise UsageError(
            _(
                "These are copies of two games, {one}… and {other}…; only one game's can be merged.",
                one=a.game[:12],
                other=b.game[:12],
            )
        )
    for mine, other in zip(a.entries, b.entries, strict=False):
        if mine.hash != other.hash:
            _refuse_fork(a, b, mine.n)
    longer = max(a, b, key=lambda log: len(log.entries))
    place = place_of(longer.entries)
    united: dict[Any, tuple[int, Place, Attachment]] = {}
    for attachment in (*a.attachments, *b.attachments):
        where = place(attachment)
        if where is None:
            raise RecordError(
                _(
                    "A line belongs to no entry of this game: {line}… Verify each copy by itself first.",
                    line=attachment.line[:100].decode(errors="replace"),
                )
            )
        # of two receipts for one order, or two signatures over one head, one is enough
        f = attachment.fields
        key = ("got", f[2]) if f[0] == "got" else ("head", f[2], f[3]) if f[0] == "head" else attachment.line
        known = united.get(key)
        if known is None or (f[0] == "got" and f[3] < known[2].fields[3]):
            united[key] = (where[0], where, attachment)
    return arrange(longer.entries, united.values())


def _refuse_fork(a: Log, b: Log, n: int) -> NoReturn:
    if any(entry.k == "host" for log in (a, b) for entry in log.entries[n:]):
        raise RecordError(
            _(
                "The two copies differ from entry {n} on, where one of them continues under another host. "
                "The entries of the former host from there on are void. Let the other player read the new "
                "host's mails first.",
                n=n,
            )
        )
    key = _in_office(a, n)
    mine, others = _heads(a, n, key), _heads(b, n, key)
    for (m, h), other in others.items():
        for (above, its_hash), line in mine.items():
            if above == m and its_hash != h:
                raise ForkError(m, line, other)
    raise RecordError(
        _(
            "The two copies differ from entry {n} on, and hold no two signed heads that prove two "
            "histories: one of them was altered. Verify each by itself.",
            n=n,
        )
    )


def _heads(log: Log, n: int, key: str) -> dict[tuple[int, str], bytes]:
    """The lines of the heads over entry n and later ones that this key signed, by entry and hash."""
    heads = [x for x in log.attachments if x.k == "head" and x.fields[1] == log.game and x.fields[2] >= n]
    return {(x.fields[2], x.fields[3]): x.line for x in heads if key and is_signed(x, key)}


def _in_office(log: Log, n: int) -> str:
    """The key line of the host who leads a game at entry n, having rightly come into office: a `host` entry is quickly made up."""
    return verify_checked(log.cut(n - 1))[1].host_at(n)
