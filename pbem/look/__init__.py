"""What a game brings along to be shown to people: its words and its drawings (ring 3).

The reports set the order and the frame (DESIGN 5); a game's look fills in what only the game can say. A look sees facts
and views, never a state, so it cannot show a seat more than that seat may know. Its text has lines of at most 72 columns,
without trailing spaces, without an empty line at the end; where there is nothing to say it is "". The same view gives the
same text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple, Protocol

from markupsafe import Markup

from pbem.i18n import _
from pbem.kernel import Chooser, Happening, Json, Order, View

from .offers import template
from .pieces import SaidBeside
from .shown import Afterwards, CardRow, Rolled, Struck
from .touches import Touch

_STOP = re.compile(r"[:?!.;](?:\s|$)")
_SUBJECT = 60
"""So long is what a question is about at the most."""


class PageTable(NamedTuple):
    """A table as a page shows it: each row has a cell for each head, and the first cell names the row."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


class Chapter(NamedTuple):
    """A part of a game as a list of its turns names it: a turn, or, one deeper, what is told at length within one.

    With `adds` none begins: its name is what came of the last of that depth, such as who won a battle.
    """

    name: str
    depth: int = 0
    adds: bool = False


class Span(NamedTuple):
    """A stretch of a line for a terminal.

    Its style are words: bold, dim, reverse, and the colours red, blue, green, yellow, cyan; "" is the terminal's own. No style is
    ever the only sign of a thing.
    """

    text: str
    style: str = ""


class Look(Protocol):
    """The words and drawings of one game. Derive from it to take what has a default."""

    facts: ClassVar[type[Happening] | None] = None
    """The base of all facts of the game, where they have types."""
    order_words: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """For a language the words of orders in it, each with the English one that it stands for; none is a name of the game.

    Who speaks the language may type and answer by mail with them, in full; `str(order)` and the log have the English ones.
    """

    beside: ClassVar[type[SaidBeside]] = SaidBeside
    """What tells of a view what a reply may say beside a number of the list."""

    def fact(self, fact: Json, seat: str | None) -> str:
        """Return a sentence or a few lines for a fact as `seat` heard it; "" leaves it out.

        Raises LookupError, or what a wrong form makes it raise, for a fact that is none of the game's: anybody may have made it up.
        With None it is told to nobody in particular: to the public, or, where a game lies open, with what a seat alone heard.

        Dice show hit or miss without colour. A game is shown its own facts only, by their key `f`. A report sets each text
        as an item of a list, unless it begins with an empty line: then its first line is a heading, and every further
        one an item below it; or with a blank: then it goes on in the line of the item before.
        """

    def story(self, told: Sequence[tuple[Json, str]]) -> Sequence[str]:
        """Return the sentences of a letter for facts in a row, each with its text; a game may put what belongs together shortly."""
        return [text for _fact, text in told]

    def summary(self, facts: Sequence[Json], start: int) -> Sequence[str]:
        """Return in a few lines what came of the part of the game that begins at a place among the facts and ends with the last.

        Where it begins with the first fact it is the whole game, in ten lines at most. () says nothing.
        """
        return ()

    def question(self, view: View) -> str:
        """Return what is asked of this view's seat, in the rule book's terms; "" if nothing is."""

    def about(self, view: View) -> str:
        """Return in a few words when and what is asked, as the subject of a mail has it: nothing that others may not read.

        By default how the question begins, up to its first stop.
        """
        return said if len(said := _STOP.split(" ".join(self.question(view).split()))[0].strip()) <= _SUBJECT else ""

    def matter(self, view: View) -> Mapping[str, Json]:
        """Return what the question of this view's seat is about, for programs: the area, the blocks, the card …; {} for nothing.

        Plain JSON, from the view alone; whatever is named has the name that orders have for it, in no language.
        """
        return {}

    def asked(self, what: str) -> str:
        """Return what this kind of question is called, in quotation marks; a game whose names are messages tells them."""
        return _("“{what}”", what=what)

    def advice(self, view: View) -> Order | None:
        """Return the answer that stands in front of a template: a legal and sensible one, as of a built-in player.

        It is owed from the seat's view alone, the same each time, within 50 ms. None: the first that touches close. What the
        rules take for a seat that is silent (`Game.default`) is another matter, and may differ.
        """
        return None

    def template(self, view: View, advice: Order | None = None) -> str:
        """Return order lines to type over: legal as they stand, or with `#` in front; "" if nothing is asked.

        They are made from touches (`pbem.look.offers`); in front stands what `advice` says of the view: given by who has asked
        it already.
        """
        return template(lambda draft: self.touches(view, draft), str(advice or self.advice(view) or ""))

    def unsaid(self, view: View, text: str) -> Sequence[str]:
        """Return what a legal order means beyond its text, a sentence each: what was filled in, what becomes of who is not named.

        It is shown before the order is signed, and in the host's answer. `text` is what was typed, or its canonical form.
        """
        return ()

    def afterwards(self, view: View, after: View, text: str) -> Afterwards:
        """Return what a page says of an order beside the position to which it leads; `after` is what its seat is sure to see then.

        `text` is a legal order, perhaps the beginning of the one that is being made.
        """
        return Afterwards()

    def choices(self, view: View) -> Sequence[tuple[Order, str, str]]:
        """Return the answers that a numbered list shows, the suggestion first; () lists the default and the first legal orders.

        Each has an order, what it means in a few words ("": its text tells it), and canonical plans that go with it ("" for none).
        They follow from the view alone, without a built-in player: a host lists them for every letter. Each is legal. Of a
        question with too many answers these are a few sensible ones.
        """
        return ()

    def offered(self, view: View) -> str:
        """Return the order that Enter alone gives in a terminal: where most answer so, and a slip costs little; "" elsewhere."""
        return ""

    def board(self, view: View) -> str:
        """Return the board in plain text, complete without pictures."""

    def hand(self, view: View) -> str:
        """Return what this seat alone has before it: hand, pools, what it played; "" for the public."""

    def brief_hand(self, view: View) -> str:
        """Return the same as a letter tells it that does not tell the board: what changes from question to question."""
        return self.hand(view)

    def cards(self, view: View) -> Sequence[CardRow]:
        """Return what `hand` tells as cards that a page lays out; none, and the page sets the text of `hand`."""
        return ()

    def rolled(self, fact: Json) -> Rolled | None:
        """Return the dice that a fact tells of, if any; a page lets them fall where `fact` has them in words."""
        return None

    def struck(self, fact: Json) -> Sequence[Struck]:
        """Return whom a fact costs something, such as steps; a page marks them on the drawing."""
        return ()

    def odds(self, view: View, chooser: Chooser) -> Sequence[PageTable]:
        """Return what may come of what is going on, such as a battle: chances, for a seat that wants to know them; () for none.

        From the view alone, so they tell what that seat could reckon up itself. Trials take their luck from `chooser`, are some
        thousand at the most, and take a second at the most.
        """
        return ()

    def terminal(self, view: View) -> Sequence[Sequence[Span]]:
        """Return the board for a terminal, line by line, in at most 100 columns; without a drawing the text of `board`."""
        return [[Span(line)] if line else [] for line in self.board(view).split("\n")]

    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        """Return what may be touched next, after a draft: order lines, of which the last may be unfinished.

        In the order in which the board or a list is read; () where nothing is asked, where nothing can be added, or where the
        draft is none that can be gone on with. A draft may also hold lines that begin with PLAN or AHEAD; where the last line
        begins so, or "choice:PLAN", "choice:AHEAD" was touched, it goes on with that. These are owed, and the conformance suite
        looks at them:

        - sound: from each draft that touches reach, more touches lead to one that `closes`, and what is closed is legal;
        - complete: every legal order can be made by touches alone, up to spelling and the order of its moves;
        - secret: from the seat's view alone, so positions that look alike to it give the same;
        - quick: 50 ms at the most, on any position; and the same each time.

        Labels are not empty, and differ among the touches of a draft. A game without touches is played by typed lines.
        """
        return ()

    def picture(self, views: Sequence[View], facts: Sequence[Json]) -> Markup:
        """Return a drawing of the position as SVG, made by `pbem.look.markup`; empty from a game that has none.

        It shows what `views` know together, all of one and the same moment: one seat's view, or those of all seats for the
        whole position; and how the pieces moved in the last turn that `facts` tell of. Letters are of the families of
        `pbem.look.picture`; style comes from classes under one class of the drawing. A ground that is always the same stands
        between the marks `STILL` and `MOVING` of `pbem.look.picture`. After it each line begins a layer (`<g …>`), ends one
        (`</g>`), or holds whole elements: a page that steps through a game exchanges those lines that differ, and lets an
        element that has an `id` and a `transform` glide to its new place. What several places show by `<use>` gets its colours
        from attributes, or from a class of the `<use>`: on a page no class under another reaches into it. On a wide screen a page
        takes `data-wide` of the `<svg>` as its view box, and of what has one besides as its transform.
        """
        return Markup()

    def chapter(self, fact: Json) -> Chapter | None:
        """Return the part of the game that begins with this fact, for a list of its turns; or what it adds to one."""
        return None

    def scene(self, views: Sequence[View]) -> Markup:
        """Return what goes on within the position as a drawing of its own, such as a battle; empty where nothing does.

        It stands on one page with `picture` of the same views, and may refer to what that defines. It has no ids.
        """
        return Markup()

    def closing(self, course: Sequence[tuple[View, Sequence[Json]]]) -> Sequence[PageTable | Markup]:
        """Return what is shown at the end of a game: tables and drawings of how it went. `course` has each step that was
        not taken back: the position as one seat or the public saw it, and the facts heard that led there."""
        return ()

    def tables(self, view: View) -> Sequence[PageTable]:
        """Return the board as tables that tell what `board` tells, in its order; none, and a page sets the text of `board`."""
        return ()

    def seen(self, view: View, facts: Sequence[Json]) -> PageTable | None:
        """Return what the seat of `view` has seen of the others' hidden pieces, by all facts that it has ever heard."""
        return None

    def seat_name(self, seat: str) -> str:
        """Return what a seat is called in a sentence: "the English"."""

    def result(self, result: Json) -> str:
        """Return a sentence for the end of the game."""
