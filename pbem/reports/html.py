"""The report of one seat as HTML: for the mail, and as a standalone page. The order is that of the text (DESIGN 5).

Both are made from the same data as the text, by one template. The mail has its style in its elements. It has no script, SVG or
data: URIs, because mail programs remove them; its map is an attached PNG, referenced by a Content-ID. The page includes the map as
SVG and the fonts, and needs no other file. Each is light or dark according to the reader's setting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.i18n import _
from pbem.look.markup import joined, markup, of_ours
from pbem.look.picture import font_faces
from pbem.records import dataclass

from .policy import of_sheets
from .text import WIDTH, Item, environment

if TYPE_CHECKING:
    from jinja2 import Environment, Template
    from markupsafe import Markup

    from pbem.games.pack import GamePack
    from pbem.kernel import Json, View
    from pbem.look import PageTable

    from .reckoned import Reckoned

MAP = "map"
"""The Content-ID by which the mail calls its picture, before the `@` that the letter adds."""

LARGEST = 98_000
"""A large provider clips a mail if its HTML is above 102 KB."""

PALETTES = {
    "light": {
        "desk": "#e9dfc6", "paper": "#fdf8ec", "ink": "#2c2013", "soft": "#5d4a30", "mark": "#8c2f1b", "rule": "#cdbb95",
        "box": "#f4e9cf", "head": "#efe3c4", "on_mark": "#fff8ea",
    },
    "dark": {
        "desk": "#15120d", "paper": "#221c15", "ink": "#f0e6d0", "soft": "#cdbc9a", "mark": "#eaa487", "rule": "#5a4b33",
        "box": "#30281d", "head": "#382e20", "on_mark": "#221c15",
    },
}  # fmt: skip
PAIRS = [
    ("ink", "paper"), ("soft", "paper"), ("mark", "paper"), ("ink", "box"), ("soft", "box"), ("ink", "head"), ("on_mark", "mark"),
]  # fmt: skip
"""Pairs of text and background colours: a test checks their contrast in both palettes."""


class TextLine(NamedTuple):
    """A line of a text, unfolded; `depth` says how far it was set in: 0, 1 or 2."""

    text: str
    depth: int


@dataclass(frozen=True, slots=True)
class BoardShown:
    """The position as one seat sees it; `title` names the seat where there are several."""

    title: str
    tables: Sequence[PageTable]
    text: str
    hand: Sequence[TextLine]
    question: Sequence[TextLine] = ()


def mail(made: Reckoned, picture: str = "", env: Environment | None = None) -> str:
    """Return the report as HTML for mail, of at most `LARGEST` bytes; `picture` is the Content-ID of the map that goes with it.

    Where very much has happened the earliest of it is left out, and the mail says so: the text has it all.
    """
    source = f"cid:{picture}" if picture else ""
    pack, told = made.pack, _told(made)
    happened = told["happened"]
    whole = _inlined(_fill(pack, env, inline=True, source=source, svg="", **told))
    while len(whole.encode()) > LARGEST and happened:
        del happened[: max(1, len(happened) // 4)]
        whole = _inlined(_fill(pack, env, inline=True, source=source, svg="", cut=True, **told))
    return whole


def _inlined(page: str) -> str:
    import css_inline

    return css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False, minify_css=True).inline(page)


def page(made: Reckoned, env: Environment | None = None, links: Sequence[tuple[str, str]] = ()) -> str:
    """Return the report as a standalone page; `links` are files next to it, each with its name."""
    told = _told(made) | {"whole": True}
    return _fill(made.pack, env, inline=False, source="", svg=made.picture, links=links, **told)


def position(pack: GamePack, views: Mapping[str, View], facts: Sequence[Json] = ()) -> str:
    """Return a page with the map of all that these seats ("": the public) know together, and how each of them sees the position."""
    several = len(views) > 1
    boards = [
        board(pack, view, _("Seen by {seat}", seat=pack.look.seat_name(seat)) if several else "", asks=True)
        for seat, view in views.items()
    ]
    svg = pack.look.picture(list(views.values()), facts)
    return _fill(
        pack,
        None,
        inline=False,
        source="",
        svg=svg,
        whole=True,
        title=_("{game}: a position", game=pack.rules.title),
        boards=boards,
    )


def _told(made: Reckoned) -> dict[str, Any]:
    """Return what the template needs of a report."""
    game = {"game": made.pack.rules.title, "id": made.report.game_id[:8]}
    if made.over:
        title = _("{game} {id}: the game is over", **game)
    else:
        title = _("{game} {id}: your move", **game) if made.mine else _("{game} {id}: the current position", **game)
    return made.parts | {
        "title": title,
        "report": made.report,
        "question": lines(made.parts["question"]),
        "details": lines(made.parts["details"]),
        "choices": made.choices,
        "happened": chapters(made.happened),
        "boards": [BoardShown("", made.tables, "" if made.tables else made.board, lines(made.hand))],
        "seen": made.seen,
        "whole": made.is_whole,
    }


def board(pack: GamePack, view: View, title: str, *, asks: bool) -> BoardShown:
    """Return how a seat sees the position and, with `asks`, its question."""
    look = pack.look
    tables = look.tables(view)
    text = "" if tables else look.board(view)
    return BoardShown(title, tables, text, lines(look.hand(view)), lines(look.question(view)) if asks else ())


def _fill(pack: GamePack, env: Environment | None, **values: object) -> str:
    fonts = "" if values["inline"] else font_faces()
    style = _style(fonts) if env in (None, environment()) else of_ours(_sheet(fonts, env))
    allowed = "" if values["inline"] else policy(style, str(values["svg"]))
    return template("report.html.j2", env).render(
        game=pack.rules.title, style=style, policy=allowed, **{**_EMPTY, **values}
    )


@cache
def _style(fonts: str) -> Markup:
    return of_ours(_sheet(fonts))


def _sheet(fonts: str, env: Environment | None = None) -> str:
    return template("report.css.j2", env).render(**PALETTES, fonts=fonts)


def policy(style: str, drawing: str, script: str = "") -> str:
    """Return the Content-Security-Policy of a page: only its own style sheets, fonts and script."""
    return of_sheets([style, *re.findall(r"<style>(.*?)</style>", drawing, re.DOTALL)], script)


def template(name: str, env: Environment | None = None) -> Template:
    """Return a template of a page; `env` can have other templates than pbem's own."""
    env = env or environment()
    env.filters.setdefault("dice", dice)
    return env.get_template(name)


_EMPTY = {
    "report": None, "seat": "", "over": "", "mine": False, "others": (), "question": (), "details": (), "choices": (),
    "happened": None, "summed": (), "seen": None, "head": "", "register": (), "cut": False, "ways": (), "links": (), "reply": "",
}  # fmt: skip


def chapters(story: Sequence[Item]) -> list[tuple[str, list[str]]]:
    """Return a story in chapters: a heading, "" before the first, and the items below it."""
    found: list[tuple[str, list[str]]] = []
    for item in story:
        if item.heads:
            found.append((item.text, []))
        else:
            if not found:
                found.append(("", []))
            found[-1][1].append(item.text)
    return found


def lines(text: str) -> list[TextLine]:
    r"""Return the lines of a text of 72 columns, those that were folded in one again.

    >>> lines("Who goes?\n  Fife: Wallace\n        Keith")
    [TextLine(text='Who goes?', depth=0), TextLine(text='Fife: Wallace Keith', depth=1)]
    """
    found: list[TextLine] = []
    last, hangs = "", 0
    for line in text.split("\n") if text else ():
        bare = line.strip()
        inset = len(line) - len(line.lstrip(" "))
        full = bool(last and bare) and len(last) + 1 + len(bare.split(" ")[0]) > WIDTH
        full = full or last.endswith((",", ";"))
        below = (
            0 < inset < len(last) and last[inset - 2 : inset] in (": ", "  ") and last[inset] != " "
        )  # under a text that hangs
        below = below and not last[:inset].isspace()
        if found and bare and (full or below or (hangs and inset == hangs)):
            found[-1] = TextLine(f"{found[-1].text} {bare}", found[-1].depth)
            hangs = inset if below else hangs
        elif bare:
            found.append(TextLine(bare, 0 if not inset else 1 if inset < 8 else 2))
            hangs = 0
        last = line
    return found


def dice(text: str) -> Markup:
    """Return a text with its dice drawn: a hit keeps its brackets, so that it is told from a miss without colour, too.

    >>> dice("Wallace fires: [1] 5  1 hit.")
    Markup('Wallace fires: <b class="die hit">[1]</b> <span class="die">5</span>  1 hit.')
    """
    return joined((joined(_drawn(line)) for line in text.split("\n")), markup("<br>"))


def _drawn(line: str) -> Iterator[str]:
    """Yield the parts of a line: dice as markup, and the text between them."""
    at = 0
    for found in _dice().finditer(line):
        yield line[at : found.start()]
        for no, die in enumerate(found[0].split(" ")):
            yield " " if no else ""
            hits = die.startswith("[")
            yield (
                markup('<b class="die hit">{die}</b>', die=die)
                if hits
                else markup('<span class="die">{die}</span>', die=die)
            )
        at = found.end()
    yield line[at:]


@cache
def _dice() -> re.Pattern[str]:
    """The pattern of dice: a row before two blanks, or a single hit."""
    die = r"(?:\[\d\]|\d)"
    return re.compile(rf"(?<=: ){die}(?: {die})*(?=  )|\[\d\]")
