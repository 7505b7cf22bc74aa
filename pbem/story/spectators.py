"""What a club's pages tell spectators of a game: its story with a feed and, once it is over, each seat's view.

A running game is told from the public's view alone, whatever the copy of the log opens. So the pages show nothing that only one
player knows. Each turn has an entry in the feed, with the same words as on the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.i18n.visible import visible
from pbem.reports.replay import PUBLIC, opened
from pbem.reports.replay import page as replay_page

from .forms import TaleBlock, tale, written
from .session import page_of
from .telling import LogHead, ToldGame

if TYPE_CHECKING:
    from pbem.games.pack import GamePack
    from pbem.ledger import Log

    from .telling import TalePart

NEWS = 40
"""The maximum number of turns in a feed, the latest."""
_ATOM = "http://www.w3.org/2005/Atom"


class SharedFile(NamedTuple):
    """A file of a game's pages: its name, the words of the link to it, and its bytes."""

    name: str
    says: str
    data: bytes


def shared(name: str, log: Log, pack: GamePack) -> Iterator[SharedFile]:
    """Yield the files that tell a game to spectators; `name` begins the names of all of them.

    A running game has its public story. A finished one has its session report, a page that steps through it, and the story of each
    seat. Both have a feed. Raises UsageError for a log that has told nothing.
    """
    public = ToldGame(opened(log, PUBLIC), pack)
    head, story = LogHead(*log.head), f"{name}-story.html"
    if log.entries[-1].k == "end":
        yield SharedFile(f"{name}-replay.html", _("Step through it"), replay_page(log, pack).encode())
        yield SharedFile(story, _("Its story"), page_of(log, pack).encode())
        for seat in log.entries[0].fields["seats"]:
            yield from _seat(f"{name}-story-{seat}.html", log, pack, seat)
    else:
        yield SharedFile(story, _("Its story so far"), _latest_first(public, head).encode())
    yield SharedFile(f"{name}-feed.xml", _("Feed"), feed(public, log, story))


def _seat(name: str, log: Log, pack: GamePack, seat: str) -> Iterator[SharedFile]:
    """Yield the story of a game that is over, as a seat saw it, if the log opens that."""
    try:
        told = ToldGame(opened(log), pack, seat)
    except UsageError:
        return
    text = written(tale(told, LogHead(*log.head)), "html")
    yield SharedFile(name, _("As {seat} saw it", seat=pack.look.seat_name(seat)), text.encode())


def _latest_first(told: ToldGame, head: LogHead) -> str:
    """Return the page of a running game: the same tale, with the latest turn above the others."""
    blocks = tale(told, head)
    starts = [no for no, block in enumerate(blocks) if block.kind == "h2"]
    parts = [blocks[no:end] for no, end in zip(starts, [*starts[1:], len(blocks)], strict=True)]
    mark = TaleBlock("p", _("The game is not over. The latest turn comes first."))
    whole = [*blocks[: starts[0] if starts else len(blocks)], mark, *(one for part in reversed(parts) for one in part)]
    return written(whole, "html")


def feed(told: ToldGame, log: Log, page: str) -> bytes:
    """Return the Atom feed of a game, with an entry for each turn that was told to everybody, the latest first."""
    ET.register_namespace("", _ATOM)
    whole = ET.Element(f"{{{_ATOM}}}feed")
    times = accumulate(log.entries, lambda at, entry: str(entry.fields.get("at", at)), initial="")
    at = dict(zip((entry.n for entry in log.entries), [*times][1:], strict=True))
    _add(whole, "title", f"{told.pack.rules.title} {log.game[:8]}")
    _add(whole, "id", f"urn:pbem:{log.game}")
    _add(whole, "updated", at[log.entries[-1].n])
    _add(whole, "link", href=page)
    _add(_add(whole, "author"), "name", told.pack.rules.title)
    if told.result:
        _entry(whole, f"urn:pbem:{log.game}:end", _("The end"), at[log.entries[-1].n], page, [told.result])
    for part in reversed(told.parts[-NEWS:]):
        title = part.title or _("Before the first turn")
        _entry(whole, f"urn:pbem:{log.game}:{part.n}", title, at[part.last], page, _lines(told, part))
    made: bytes = ET.tostring(whole, "utf-8", xml_declaration=True)
    return made + b"\n"


def _lines(told: ToldGame, part: TalePart) -> Iterator[str]:
    for passage in told.passages(part):
        if passage.head:
            yield passage.head
        yield from passage.lines


def _entry(whole: ET.Element, name: str, title: str, at: str, page: str, lines: Iterator[str] | Sequence[str]) -> None:
    entry = _add(whole, "entry")
    _add(entry, "title", title)
    _add(entry, "id", name)
    _add(entry, "updated", at)
    _add(entry, "link", href=page)
    _add(entry, "content", "\n".join(map(visible, lines)), type="text")


def _add(to: ET.Element, name: str, text: str = "", **attributes: str) -> ET.Element:
    made = ET.SubElement(to, f"{{{_ATOM}}}{name}", attributes)
    made.text = text or None
    return made
