"""A game's presentation for people: its words and its drawings (ring 3).

The reports set the order and the frame (DESIGN 5); a game's look fills in what only the game can say. A look sees facts and views,
never a state, so it cannot show a seat more than that seat may know. Its text has lines of at most 72 columns, without trailing
spaces, and without an empty line at the end. With nothing to say, it is "". The same view gives the same text.
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
"""The maximum length of a question's subject."""


class PageTable(NamedTuple):
    """A table as a page shows it: each row has a cell for each head, and the first cell names the row."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


class Chapter(NamedTuple):
    """A part of a game in the list of its turns: a turn or, one level deeper, a longer episode within a turn.

    With `adds` no part begins: the name is the result of the last part of that depth, such as the winner of a battle.
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
    """The words and drawings of one game. Derive from it to inherit the defaults."""

    facts: ClassVar[type[Happening] | None] = None
    """The base of all facts of the game, where they have types."""
    order_words: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """By language, its words in orders, each with its English word. Names of the game are not among them.

    Players may type and reply with them, in full; `str(order)` and the log use the English words.
    """

    beside: ClassVar[type[SaidBeside]] = SaidBeside
    """What tells of a view what a reply may say beside a number of the list."""

    def fact(self, fact: Json, seat: str | None) -> str:
        """Return a sentence or a few lines for a fact as `seat` heard it; "" omits it.

        Raises LookupError, or any error that a wrong form causes, for a fact that the game does not have: anybody may have invented
        it. With None the reader is nobody in particular: the public or, if a game is open, readers of everything a seat alone
        heard.

        Dice show hit or miss without colour. A game gets only its own facts, by their key `f`. A report shows each text as a list
        item, with two exceptions. If the text begins with an empty line, its first line is a heading, and every further line an
        item below it. If it begins with a blank, it continues the previous item.
        """

    def story(self, told: Sequence[tuple[Json, str]]) -> Sequence[str]:
        """Return the sentences of a letter for facts in a row, each with its text; a game may put what belongs together shortly."""
        return [text for _fact, text in told]

    def summary(self, facts: Sequence[Json], start: int) -> Sequence[str]:
        """Return a few lines that summarise a part of the game, which begins at index `start` of the facts and ends with the last.

        If it begins with the first fact, it is the whole game, in ten lines at most. () means no summary.
        """
        return ()

    def question(self, view: View) -> str:
        """Return the question to this view's seat, in the rule book's terms; "" if there is none."""

    def about(self, view: View) -> str:
        """Return the time and subject of the question in a few words, for the subject of a mail: nothing that others may not read.

        The default is the beginning of the question, up to the first punctuation mark.
        """
        return said if len(said := _STOP.split(" ".join(self.question(view).split()))[0].strip()) <= _SUBJECT else ""

    def matter(self, view: View) -> Mapping[str, Json]:
        """Return what the question of this view's seat is about, for programs: the area, the blocks, the card …; {} for nothing.

        Plain JSON, from the view alone; whatever is named has the name that orders have for it, in no language.
        """
        return {}

    def asked(self, what: str) -> str:
        """Return the name of this kind of question, in quotation marks; a game with messages as names translates them."""
        return _("“{what}”", what=what)

    def advice(self, view: View) -> Order | None:
        """Return the answer at the head of a template: a legal and sensible one, like a built-in player's.

        It must depend only on the seat's view, be the same each time, and take at most 50 ms. None means the first touch that
        closes. It may differ from the answer that the rules use for a silent seat (`Game.default`).
        """
        return None

    def template(self, view: View, advice: Order | None = None) -> str:
        """Return order lines to edit: legal as they are, or with `#` in front; "" without a question.

        They are made from touches (`pbem.look.offers`). The first is the `advice` on the view; pass it in if you have it already.
        """
        return template(lambda draft: self.touches(view, draft), str(advice or self.advice(view) or ""))

    def unsaid(self, view: View, text: str) -> Sequence[str]:
        """Return what a legal order means beyond its text, a sentence each: what was filled in, and the fate of unnamed pieces.

        It is shown before the order is signed, and in the host's answer. `text` is the typed order, or its canonical form.
        """
        return ()

    def afterwards(self, view: View, after: View, text: str) -> Afterwards:
        """Return a page's text on an order, beside the position to which it leads; `after` is the certain part of its seat's view
        then.

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
        """Return the chances in the current situation, such as a battle, for a seat that wants them; () for none.

        They depend only on the view, so the seat could compute them itself. Simulations take their luck from `chooser`. They run
        some thousand trials at most, and take at most a second.
        """
        return ()

    def terminal(self, view: View) -> Sequence[Sequence[Span]]:
        """Return the board for a terminal, line by line, in at most 100 columns; without a drawing the text of `board`."""
        return [[Span(line)] if line else [] for line in self.board(view).split("\n")]

    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        """Return the possible next touches after a draft: order lines, of which the last may be unfinished.

        They are in the reading order of the board or a list. The result is () if there is no question, if nothing can be added, or
        if the draft cannot be continued. A draft may also contain lines that begin with PLAN or AHEAD. If the last line begins so,
        or "choice:PLAN" or "choice:AHEAD" was touched, that line is continued. The conformance suite checks these obligations:

        - sound: from each draft that touches reach, more touches lead to one that `closes`, and closed drafts are legal;
        - complete: every legal order can be made by touches alone, up to spelling and the order of its moves;
        - literal: each line of a closed draft is a line of the order that it makes, in the canonical text;
        - secret: they depend only on the seat's view, so positions that look alike to it give the same touches;
        - quick: at most 50 ms in any position; and the same each time.

        Labels are not empty, and differ among the touches of a draft. A game without touches is played by typed lines.
        """
        return ()

    def picture(self, views: Sequence[View], facts: Sequence[Json]) -> Markup:
        """Return a drawing of the position as SVG, made by `pbem.look.markup`; empty if the game has none.

        It shows the combined knowledge of `views`, all from one moment: one seat's view, or those of all seats for the whole
        position. It also shows the moves of the last turn in `facts`. Use the font families of `pbem.look.picture`, and classes
        below one class of the drawing for style. Put a constant background between the marks `STILL` and `MOVING` of
        `pbem.look.picture`. Each line after it begins a layer (`<g …>`), ends one (`</g>`), or contains whole elements: a page that
        steps through a game exchanges the lines that differ, and lets an element with an `id` and a `transform` glide to its new
        place. Elements shown in several places by `<use>` get their colours from attributes, or from a class of the `<use>`: on a
        page, descendant selectors do not reach into it. On a wide screen a page takes `data-wide` of the `<svg>` as its view box,
        and that of other elements as their transform.
        """
        return Markup()

    def chapter(self, fact: Json) -> Chapter | None:
        """Return the part of the game that begins with this fact, for a list of its turns; or what it adds to one."""
        return None

    def scene(self, views: Sequence[View]) -> Markup:
        """Return a drawing of the current action within the position, such as a battle; empty if there is none.

        It is on the same page as `picture` of the same views, and may refer to definitions there. It has no ids.
        """
        return Markup()

    def closing(self, course: Sequence[tuple[View, Sequence[Json]]]) -> Sequence[PageTable | Markup]:
        """Return tables and drawings of how a game went, shown at its end.

        `course` has each step that was not taken back: the position as one seat or the public saw it, and the facts that led there.
        """
        return ()

    def tables(self, view: View) -> Sequence[PageTable]:
        """Return the board as tables that tell what `board` tells, in its order; none, and a page sets the text of `board`."""
        return ()

    def seen(self, view: View, facts: Sequence[Json]) -> PageTable | None:
        """Return what the seat of `view` has seen of the others' hidden pieces, by all facts that it has ever heard."""
        return None

    def seat_name(self, seat: str) -> str:
        """Return the name of a seat in a sentence: "the English"."""

    def result(self, result: Json) -> str:
        """Return a sentence for the end of the game."""
