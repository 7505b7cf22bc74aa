"""The text of a report: its sentences for facts and results, stories, tables and headings, 72 columns wide."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pbem.i18n import N_, _, _n, spoken
from pbem.i18n.visible import escaped, visible
from pbem.ledger import TAKEBACK, held_for

from .told import NONSENSE

if TYPE_CHECKING:
    from jinja2 import Environment

    from pbem.games.pack import GamePack
    from pbem.kernel import Json
    from pbem.look import PageTable

WIDTH = 72


_LONGEST = 300
"""The maximum number of letters shown of an unknown fact."""

VOIDED = N_("A question was voided after it was signed: send it again if you still want it.")
"""Why an order sent ahead does not count any more."""


_KERNEL = {
    "player": N_("Somebody else plays {who} from now on, with the key {key}. All confirm again that they are ready."),
    "rekey": N_("The key of {who} has changed: {key}. All say again that they are ready."),
    "another host": N_(
        "Another host continues the game from entry {n}, as all agreed; the new host's key is {key}. "
        "All confirm again that they are ready."
    ),
    "host": N_(
        "All are ready: the game continues under the other host. Any cards that nobody knew have been dealt again."
    ),
    "rules": N_("All agreed to continue by version {ver} of the rules."),
    "plans": N_("Plans have answered {most} questions in a row. This one needs a player's answer."),
    TAKEBACK: N_("All agreed that {who} may take an answer back: question {ask} is put again."),
    "extend": N_("There is more time to answer, until {due} ({why})."),
}
"""The kernel's own facts of which a sentence tells with the fact's values, and `who` for its seat."""


_OUT = N_("Out of the game: {who}. The default answer was taken.")
_TAKEN_BACK = N_("By consent, {who} took back the answer in entry {n}. The question is put again.")
_SILENT = N_("No answer of {who} was read in time; the default answer was taken.")
_HELD = N_("A mail of {who} could not be read. There is more time to answer, until {due}.")


def fact_text(fact: Json, seat: str | None, pack: GamePack) -> str:
    """Return the sentence for a fact, the kernel's own or the game's."""
    look = pack.look
    name = look.seat_name
    match fact.get("f"):
        case "plan":
            return _spoken(fact, seat, pack)
        case "pledge":
            return _pledged(fact, seat, pack)
        case "ahead" if fact["seat"] == seat:
            return _spoken(fact, seat, pack)
        case "ahead":
            text = _("{who} had sent the answer to “{question}” ahead.", who=name(fact["seat"]), question=fact["what"])
        case "skip":
            silent = _OUT if "why" in fact else _SILENT
            text = _(silent, who=name(fact["seat"]))
        case "say":
            text = _said(name(fact["seat"]), fact)
        case "extend" if held := held_for(fact["why"]):
            text = _(_HELD, who=name(held), due=fact["due"])
        case kind if kind == TAKEBACK and "stand" in fact:
            text = _(_TAKEN_BACK, who=name(fact["seat"]), n=fact["ask"])
        case kind if kind in _KERNEL:
            text = _(_KERNEL[kind], **fact, **({"who": name(fact["seat"])} if "seat" in fact else {}))
        case _:
            return look.fact(fact, seat)
    return sentence(text)


def readable(fact: Json, seat: str | None, pack: GamePack) -> str | None:
    """Return the sentence for a fact that anybody may have made up; None where the rules here know no such thing."""
    try:
        return fact_text(fact, seat, pack)
    except NONSENSE:
        return None


def unknown(fact: Json) -> str:
    """Return the sentence for a fact that is not `readable`."""
    said = escaped(json.dumps(fact, ensure_ascii=False))
    return _(
        "Something that these rules do not know: {fact}", fact=said if len(said) <= _LONGEST else f"{said[:_LONGEST]} …"
    )


_ENDED = {
    ("agreed", False): N_("A draw was agreed."),
    ("resigned", True): N_("{lost} resigned; {winner} won."),
    ("resigned", False): N_("{lost} resigned."),
    ("late", True): N_("{lost} did not answer in time; {winner} won."),
    ("late", False): N_("{lost} did not answer in time."),
}
"""How a game ended that its rules did not end: why, and whether somebody won."""


def result_text(result: Json, pack: GamePack) -> str:
    """Return the sentence for the end of the game: by a player's statement, or by the game's rules."""
    seats = [pack.look.seat_name(seat) for seat in result.get("seats", ())]
    winner = pack.look.seat_name(result["winner"]) if result["winner"] else ""
    said = _ENDED.get((result["why"], winner != ""))
    return sentence(_(said, lost=", ".join(seats), winner=winner)) if said else pack.look.result(result)


def _spoken(fact: Json, seat: str | None, pack: GamePack) -> str:
    """Return that a plan spoke, or an order sent ahead, and by which of its lines."""
    order, clause = (fact[part].replace("\n", "; ") for part in ("order", "clause"))
    if fact["f"] == "ahead":
        said = _("Your order sent ahead was used for “{question}”: {order}.", question=fact["what"], order=order)
    elif fact["seat"] == seat:
        said = _("Your plan answers {question}: {order}.", question=pack.look.asked(fact["what"]), order=order)
    else:
        asked, who = pack.look.asked(fact["what"]), pack.look.seat_name(fact["seat"])
        said = _("The plan of {who} answers {question}: {order}.", who=who, question=asked, order=order)
    if clause == order:
        return said
    so = _("So says: {clause}.", clause=_(clause))  # what a plan says unasked is a message, its own lines are none
    return f"{said} {so}"


def _pledged(fact: Json, seat: str | None, pack: GamePack) -> str:
    """Return what became of plans that a seat may pledge for a battle: they are sealed, kept, or lie open from here on."""
    who, other = pack.look.seat_name(fact["seat"]), pack.look.seat_name(fact["other"])
    own, about, text = fact["seat"] == seat, fact["about"], fact.get("text")
    if text and own:
        return "\n".join(["\n" + _("Your plans for the battle of {about}", about=about), text])
    if text:
        return "\n".join(["\n" + _("The plans of {who} for the battle of {about}", who=who, about=about), text])
    if text == "" and own:
        return _("You showed no plans for the battle of {about}: it is fought order by order.", about=about)
    if text == "":
        said = _("{who} showed no plans for the battle of {about}: it is fought order by order.", who=who, about=about)
    elif own:
        return _("Your plans for the battle of {about} are sealed: they answer if your friend shows his.", about=about)
    elif seat is not None:
        said = _("{who} sealed plans for the battle of {about}: they answer if yours are shown.", who=who, about=about)
    else:
        said = _(
            "{who} sealed plans for the battle of {about}, to answer if {other} showed plans as well.",
            who=who,
            about=about,
            other=other,
        )
    return sentence(said)


_SAID = {
    "resign": N_("{who} resigned."),
    "draw": N_("{who} offered a draw (entry {n}). The offer is open until the next order."),
    TAKEBACK: N_("{who} asked to go back to question {ask} (entry {n})."),
    "amendment": N_("{who} agreed to the amendment {what}."),
    "agree": N_("{who} agreed to entry {n}."),
    "leave": N_("{who} took {hours} hours of leave."),
    "claim": N_("{who} claimed the game, the time to answer being over."),
}
"""What a statement of a player says, by its act."""


def _said(who: str, fact: Json) -> str:
    act = "amendment" if fact["act"] == "agree" and "what" in fact else fact["act"]
    named = {"n": fact["about"]} if act == "agree" else {"ask": fact.get("about"), "what": str(fact.get("what"))[:8]}
    return _(_SAID.get(act, _SAID["claim"]), **{**fact, **named, "who": who})


def sentence(text: str) -> str:
    """Return a text with its first letter as a sentence begins."""
    return text[:1].upper() + text[1:]


def story(texts: Iterable[str]) -> str:
    """Set the texts of facts one under the other, each as its beginning says (see `Look.fact`).

    >>> print(story(["The Scots attack.", "\\nRound 1", "Wallace fires: [1] 5  1 hit.", " Angus is captured."]))
    - The Scots attack.
    <BLANKLINE>
    Round 1
    - Wallace fires: [1] 5  1 hit. Angus is captured.
    """
    return listed(items(texts))


def listed(found: Iterable[Item]) -> str:
    """Set the items of a story one under the other."""
    lines = [wrap("\n" + item.text) if item.heads else wrap(item.text, "  ", "- ") for item in found]
    return "\n".join(lines).lstrip("\n")


class Item(NamedTuple):
    """One item of a story; one that `heads` is the heading of those that follow."""

    text: str
    heads: bool = False


def items(texts: Iterable[str]) -> list[Item]:
    """Return the items of a story, from the texts of facts."""
    found: list[Item] = []
    for text in filter(None, texts):
        if text.startswith(" ") and found and not found[-1].heads:
            found[-1] = Item(found[-1].text + text)
        elif text.startswith("\n"):
            head, *rest = text[1:].split("\n")
            found += [Item(head, heads=True), *map(Item, rest)]
        else:
            found.append(Item(text.lstrip(" ")))
    return found


def groups(digest: str) -> str:
    """Return the first 32 letters of a digest in groups of four, to be compared by telephone.

    >>> groups("3f29aa001122334455667788990011223344")
    '3f29 aa00 1122 3344 5566 7788 9900 1122'
    """
    return " ".join(digest[i : i + 4] for i in range(0, 32, 4))


def wrap(text: str, indent: str = "", first: str = "") -> str:
    """Fold every line of `text` that is too long at 72 columns; lines that fit stay, and each keeps its own indent."""
    lines = []
    for no, line in enumerate(text.split("\n")):
        own = line[: len(line) - len(line.lstrip(" "))]
        lead = first if no == 0 and first else indent
        if line.isprintable() and 0 < len(line) - len(own) <= WIDTH - len(lead + own):
            lines.append((lead + line).rstrip(" "))  # as folding would leave it, which takes a while
            continue
        lines += textwrap.wrap(
            line[len(own) :], WIDTH, initial_indent=lead + own, subsequent_indent=(indent or " " * len(first)) + own
        ) or [""]
    return "\n".join(lines)


def set_out(table: PageTable) -> str:
    """Return a table in plain letters: its title, the rows below their heads, its note.

    >>> from pbem.look import PageTable
    >>> print(set_out(PageTable("Seen", ("Block", "Where"), (("Wallace", "Fife"), ("Norse", "–")), "As it was then.")))
    Seen
      Block    Where
      Wallace  Fife
      Norse    -
    As it was then.
    """
    rows = [[cell.replace("–", "-") for cell in row] for row in (table.heads, *table.rows)]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, wide)).rstrip() for row in rows]
    return "\n".join([wrap(table.title), *(wrap(f"  {line}") for line in lines), wrap(table.note)]).rstrip("\n")


def heading(text: str) -> str:
    """Return the line that begins a part of a report.

    >>> heading("Your choice")
    'YOUR CHOICE'
    """
    return text.upper()


def _shown(value: object) -> object:
    """What every value of a template becomes: a text with all control characters to be seen; markup was made so."""
    return value if type(value) is not str or value.isprintable() else visible(value)


def _as_it_is(value: object) -> object:
    """The filter `safe`: markup shows itself as it is (`pbem.look.markup`), and no text becomes markup by being called safe."""
    return value


@cache
def environment(own: Path | None = None) -> Environment:
    """Return the Jinja environment for `templates/`; files in the folder `own` take precedence."""
    import jinja2

    from pbem.cached import compiled_templates
    from pbem.resources import folder

    made = jinja2.Environment(
        bytecode_cache=compiled_templates(
            Path(__file__).read_bytes() if Path(__file__).is_file() else b""
        ),  # what is set here is compiled in
        loader=jinja2.FileSystemLoader([*([own] if own else []), folder("templates")]),
        autoescape=jinja2.select_autoescape((), (".txt.j2", ".css.j2"), default=True, default_for_string=True),
        finalize=_shown,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        cache_size=0 if own else 400,  # a file may come, change and go while the host runs
    )
    made.filters |= {"wrap": wrap, "heading": heading, "safe": _as_it_is}
    made.globals |= {"_": _, "_n": _n, "spoken": spoken}
    return made
