"""Continuing under another host, from the players' copies, after the former host has vanished.

It decides from which head a game can continue, which of its lines the new host has, and the host's proposal to the players. The
game is in the state at the end of its log, replayed by its rules. Cards that no seat knew are dealt again once everybody has agreed
and is ready (`Referee.move`). It knows no mail, no clock and no addresses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any

from pbem.errors import RecordError
from pbem.i18n import _
from pbem.kernel import Json, unseen
from pbem.ledger import (
    REACH,
    Attachment,
    Course,
    Entry,
    Log,
    PrivateKey,
    after,
    agreed_host,
    cj,
    merge,
    redact,
    sha256_hex,
)
from pbem.records import dataclass

from .audit import replayed
from .chains import HostChains
from .referee import Referee
from .replaying import Find, Shelf
from .scribe import Key


@dataclass(frozen=True, slots=True)
class Taken:
    """A game as another host takes it over: the content of the copies up to the head from which it continues, and its state
    there."""

    log: Log
    referee: Referee
    course: Course
    copies: Mapping[str, Log]
    """Each seat's lines of the log."""
    lost: int
    """The number of entries in the copies after that head; they are void."""
    mark: int
    """The mark with which all will say again that they are ready: higher than any for which a link may have been given."""

    def propose(self, key: PrivateKey, chains: HostChains) -> dict[str, Json]:
        """Return what all are to agree to: the key of the new host, and the anchors of his chains."""
        published = chains.published(self.course.order, self.course)
        what = {"key": key.key_line, **published, "mark": self.mark, "seen": list(self.log.head)}
        return agreed_host(what)


def take_over(copies: Log, find_game: Find, shelf: Shelf | None = None) -> Taken:
    """Return the game in the players' merged copies, if another host can continue it. Raises RecordError.

    It ends at the last head of the former host up to which all lines due to the seats are there.
    """
    if copies.finished:
        raise RecordError(_("The game is over, so nobody can continue it."))
    n = common_head(copies)
    log = copies.cut(n)
    standing = replayed(log, find_game, shelf)
    if unseen(standing.referee.game, standing.referee.state) is None:
        title = standing.referee.game.title
        raise RecordError(
            _("{title} does not define which facts nobody knows, so another host cannot continue it.", title=title)
        )
    seats = standing.referee.seats
    held = {seat: redact(log, seat, standing.shown.get(seat)) for seat in seats}
    marks = [entry.fields["mark"] for entry in copies.entries if "mark" in entry.fields]
    links = [entry.fields["say"].get("link_n", 0) for entry in copies.entries if "say" in entry.fields]
    return Taken(
        reduce(merge, held.values()),
        standing.referee,
        standing.course,
        held,
        len(copies.entries) - 1 - n,
        max((standing.course.mark, *marks, *links)) + REACH + 1,
    )


def common_head(log: Log) -> int:
    """Return the last entry with a head, an open question or ready round, and all its players' openings in the copies."""
    opened = {attachment.digest for attachment in log.attachments if attachment.k == "seal"}
    heads = {attachment.fields[2] for attachment in log.attachments if attachment.k == "head"}
    course, told, found = Course(), False, -1
    for entry in log.entries:
        if not opened.issuperset(of_players(entry)):
            break
        course = after(course, entry.fields)
        told = told or entry.k == "tell"
        if told and entry.n in heads and course.phase in ("asked", "called"):
            found = entry.n
    if found < 0:
        raise RecordError(
            _(
                "These copies together do not reach a question of the game, so nobody can continue from "
                "them. The copies of all seats are needed, each with everything that its player was sent. "
                "Let all players read all their mails of the game (“pbem read”) and then hand over their "
                "copies. If the game has not begun, start it again."
            )
        )
    return found


def of_players(entry: Entry) -> Iterator[str]:
    """Return the digests of the seals with an opening in some player's copy."""
    fields = entry.fields
    if entry.k == "order":
        yield from fields["say"]["seals"].values()
    elif entry.k == "tell":
        yield from (digest for name, digest in fields["seals"].items() if name != "state")
    elif entry.k == "rand" and fields["chain"].startswith("priv:"):
        yield from fields["seals"].values()


def keyed(log: Log) -> Iterator[tuple[Key, Attachment]]:
    """Go through the attachments of a log, with the keys under which a ledger keeps them."""
    # one that was sent ahead does not name its question, by which its lines are kept
    signed: dict[str, tuple[str, int]] = {}
    sealed: dict[str, int] = {}
    ask = 0
    for entry in log.entries:
        if entry.k == "ask":
            ask = entry.n
        elif entry.k == "order":
            signed[sha256_hex(cj(entry.fields["say"]))] = entry.fields["by"], ask
            sealed |= dict.fromkeys(entry.fields["say"]["seals"].values(), ask)
        elif "say" in entry.fields:
            signed[sha256_hex(cj(entry.fields["say"]))] = entry.fields["by"], entry.n
    for attachment in log.attachments:
        f: list[Any] = attachment.fields
        match f[0]:
            case "seal":
                yield ("seal", f[2], sealed.get(attachment.digest, f[3]), f[4]), attachment
            case "link":
                yield ("link", f[2], f[3], ""), attachment
            case "head":
                yield ("head", "", f[2], ""), attachment
            case _:
                yield ("got", *signed[f[2]], ""), attachment
