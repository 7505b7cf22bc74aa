"""A tale as text for a forum, a mailing list or a blog: Markdown, BBCode, HTML or plain text, from the same blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from pbem.i18n import _
from pbem.i18n.visible import visible
from pbem.look.markup import of_ours
from pbem.reports.html import PALETTES, template
from pbem.reports.policy import hashed, rules
from pbem.reports.text import WIDTH, heading, set_out, wrap

from .telling import LogHead

if TYPE_CHECKING:
    from pbem.look import PageTable
    from pbem.look.tale import Passage

    from .telling import ToldGame

Form: TypeAlias = Literal["markdown", "bbcode", "html", "text"]


class TaleBlock(NamedTuple):
    """A piece of a page: a heading of level 1 to 3, a paragraph, a list, a picture or a table."""

    kind: Literal["h1", "h2", "h3", "p", "mark", "list", "image", "table"]
    text: str = ""
    lines: Sequence[str] = ()
    table: PageTable | None = None
    """`text` is the place of a picture, and its only line says what it shows."""


def tale(told: ToldGame, head: LogHead | None = None, pictures: Sequence[str] = ()) -> list[TaleBlock]:
    """Return a whole game as blocks; `pictures` are the places of one picture for each part."""
    blocks = [*opening(told, head)]
    if lines := told.summary():
        blocks += [TaleBlock("h2", _("The game in short")), TaleBlock("list", lines=lines)]
    for no, part in enumerate(told.parts):
        blocks.append(TaleBlock("h2", part.title or _("Before the first turn")))
        if no < len(pictures):
            blocks.append(TaleBlock("image", pictures[no], (part.title,)))
        for passage in told.passages(part):
            blocks += of_passage(passage)
    if told.result:
        blocks += [TaleBlock("h2", _("The end")), TaleBlock("p", told.result)]
    return [*blocks, *(TaleBlock("table", table=one) for one in told.tables())]


def of_passage(passage: Passage, name: str = "") -> Iterator[TaleBlock]:
    """Yield a passage as blocks: whole sentences as a paragraph, other lines as a list; `name` replaces its heading."""
    if head := name or passage.head:
        yield TaleBlock("h3", head)
    if all(line.endswith((".", "!", "?", "…", "»", "”")) for line in passage.lines):
        yield from [TaleBlock("p", " ".join(passage.lines))] if passage.lines else []
    else:
        yield TaleBlock("list", lines=passage.lines)


def opening(told: ToldGame, head: LogHead | None) -> Iterator[TaleBlock]:
    """Yield the head of a page: the game, its result, the view, and how to check it."""
    yield TaleBlock("h1", told.pack.rules.title)
    if told.opened.unsigned:
        yield TaleBlock("mark", told.opened.unsigned)
    if told.result:
        yield TaleBlock("p", told.result)
    said = [told.seen_by]
    if head and not told.opened.unsigned:
        said.append(_("Game {game}, {head}", game=told.opened.game[:8], head=head))
    yield TaleBlock("p", " ".join(said))


def written(blocks: Iterable[TaleBlock], form: Form) -> str:
    """Return blocks in a form; control characters are shown, and no text becomes markup."""
    return {"markdown": _markdown, "bbcode": _bbcode, "html": _html, "text": _plain}[form](list(blocks))


# Markdown


_HASHES = {"h1": "#", "h2": "##", "h3": "###"}


def _markdown(blocks: Sequence[TaleBlock]) -> str:
    return "\n\n".join(filter(None, map(_in_markdown, blocks))) + "\n"


def _in_markdown(block: TaleBlock) -> str:
    text = _md(block.text)
    match block.kind:
        case "h1" | "h2" | "h3":
            return f"{_HASHES[block.kind]} {text}"
        case "mark":
            return f"> **{text}**"
        case "list":
            return "\n".join(f"- {_md(item)}" for item in block.lines)
        case "image":
            return f"![{_md(block.lines[0])}]({block.text})"
        case "table" if block.table:
            rows = [block.table.heads, tuple("---" for _head in block.table.heads), *block.table.rows]
            lines = ["| " + " | ".join(_md(cell).replace("|", r"\|") for cell in row) + " |" for row in rows]
            lines[1] = lines[1].replace("\\", "")
            note = [f"\n{_md(block.table.note)}"] if block.table.note else []
            return "\n".join([f"**{_md(block.table.title)}**\n", *lines, *note])
        case _:
            return text


_SPECIAL = re.compile(r"([\\`*_<>#~]|\[(?![0-9]\])|(?<=[^0-9])\]|&(?=\w+;|#)|!(?=\[)|^(?=[-+](?: |$)))")


def _md(text: str) -> str:
    r"""Return a text that Markdown shows as it is; dice keep their brackets.

    >>> _md("[3] 5  1 hit, *no* <b> [x](y)"), _md("1. Angus")
    ('[3] 5  1 hit, \\*no\\* \\<b\\> \\[x\\](y)', '1\\. Angus')
    """
    escaped = _SPECIAL.sub(r"\\\1", visible(" ".join(text.split("\n"))))
    return re.sub(r"^([0-9]{1,9})([.)] )", r"\1\\\2", escaped)


# BBCode


def _bbcode(blocks: Sequence[TaleBlock]) -> str:
    return "\n\n".join(filter(None, map(_in_bbcode, blocks))) + "\n"


def _in_bbcode(block: TaleBlock) -> str:
    text = _bb(block.text)
    match block.kind:
        case "h1":
            return f"[size=150][b]{text}[/b][/size]"
        case "h2" | "mark":
            return f"[b]{text}[/b]"
        case "h3":
            return f"[i]{text}[/i]"
        case "list":
            return "\n".join(["[list]", *(f"[*]{_bb(item)}" for item in block.lines), "[/list]"])
        case "image":
            return f"[img]{block.text}[/img]"
        case "table" if block.table:
            return f"[code]{_bb(set_out(block.table))}[/code]"
        case _:
            return text


def _bb(text: str) -> str:
    """Return a text in which a forum finds no tag of its own; dice keep their brackets.

    >>> _bb("[3] 5 [/b][url=x]") == "[3] 5 [\u200b/b][\u200burl=x]"
    True
    """
    return re.sub(r"\[(?![0-9]\])", "[\u200b", "\n".join(visible(line) for line in text.split("\n")))


# HTML


def _html(blocks: Sequence[TaleBlock]) -> str:
    style = template("report.css.j2").render(**PALETTES, fonts="") + "img{max-width:100%;height:auto}"
    policy = rules(
        script_src="", worker_src="", connect_src="", style_src=hashed(style), img_src="'self' data: file:", font_src="",
        manifest_src="", frame_ancestors="", require_trusted_types_for="", trusted_types="",
    )  # fmt: skip
    title = next((block.text for block in blocks if block.kind == "h1"), "")
    page: str = template("tale.html.j2").render(title=title, style=of_ours(style), policy=policy, blocks=blocks)
    return page


# Plain text


def _plain(blocks: Sequence[TaleBlock]) -> str:
    return "\n\n".join(filter(None, map(_in_text, blocks))) + "\n"


def _in_text(block: TaleBlock) -> str:
    text = wrap(" ".join(visible(line) for line in block.text.split("\n")))
    match block.kind:
        case "h1":
            return f"{heading(text)}\n{'=' * min(len(text), WIDTH)}"
        case "h2":
            return f"{text}\n{'-' * max(map(len, text.split(chr(10))))}"
        case "list":
            return "\n".join(wrap(visible(item), "  ", "- ") for item in block.lines)
        case "image":
            return f"[{block.text}]"
        case "table" if block.table:
            return set_out(block.table)
        case _:
            return text
