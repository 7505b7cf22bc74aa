"""A question that is stated once: reading, legality, options and the steps by which an order grows follow from one description.

A `Way` is one kind of order that answers a `Question`. Its `Slot`s say what each field may contain. The form of the order class
gives the words between the fields. A law has three verdicts on an order: None if it is legal, a `Refusal` if it is wrong, and a
`NotYet` if nothing is wrong so far. Then something is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Generic, NamedTuple, TypeVar, cast

from pbem.errors import OrderError, Problem
from pbem.i18n import N_, _

from .forms import Piece, pieces_of
from .game import Refusal
from .options import Chooser, Composed, Listed, Options
from .order import Line, Names, Order, OrderPart, View, read_each, read_orders

V = TypeVar("V", bound=View)
_PLAN = re.compile(r"^PLAN ", re.IGNORECASE)
Find = Callable[[Any, Line, str], Any]
"""Reads a name, from a view and what was typed. The view is None for what may be asked later. Raises OrderError."""


Wanted = Callable[[str], bool]
"""Whether a step with this text is wanted."""


class NotYet(Refusal):
    """Nothing is wrong so far: something added to the end of this order can make it legal."""

    __slots__ = ()


def of_these(names: Names) -> Find:
    """Return the reader of a name from a list."""
    return lambda _view, line, text: names.find(text, line)


def _any_number(_view: View, _order: Order) -> tuple[int, int]:
    return 0, 1_000


@dataclass(frozen=True, slots=True)
class Slot(Generic[V]):
    """What one field may contain.

    `among` are the names that may come next, after the fields before it. `find` reads one; without it the field is a flag, with
    True as its only name. `kind` says of what the names are, and `missing` that there is none (with "" `find` says it).

    With `several` names it is a list of different ones; `count` says the least and the greatest number. With a `part` it
    is a list of parts, each on a line of its own. Their slots see the whole order, with the part that is being written at its end.

    Without a law in its way, `among` also says what is legal, and `but` why another name is not.
    """

    among: Callable[[V, Any], Sequence[Any]] = lambda _view, _order: ()
    find: Find | None = None
    kind: str = N_("name")
    missing: str = N_("the {kind} is missing")
    but: Callable[[V, Any, Any], Refusal] | None = None
    several: bool = False
    count: Callable[[V, Any], tuple[int, int]] = _any_number
    part: Way[V] | None = None

    def judge(self, view: V, before: Any, value: Any) -> Refusal | None:
        """Return what is wrong with a value, after the fields before it; `NotYet` if names are missing."""
        open_to, names = self.among(view, before), value if self.several else (value,)
        for name in names:
            if name not in open_to and not (self.find is None and name is False):
                return (
                    self.but(view, before, name) if self.but else Refusal(_("{name} cannot be named here", name=name))
                )
        least, most = self.count(view, before) if self.several else (0, 1)
        if len(names) < least:
            return NotYet(_("{n} more must be named", n=least - len(names)))
        return Refusal(_("{n} names are the most", n=most)) if len(names) > most else None


def _with(order: Any, field: str, value: Any) -> Any:
    """Return a copy of an order with another value in a field; nothing is checked, and it is faster than `model_copy`."""
    made = object.__new__(type(order))
    object.__setattr__(made, "__dict__", {**order.__dict__, field: value})
    object.__setattr__(made, "__pydantic_fields_set__", {*order.__pydantic_fields_set__, field})
    object.__setattr__(made, "__pydantic_extra__", None)
    object.__setattr__(made, "__pydantic_private__", None)
    return made


def _put(order: Any, field: str, before: tuple[Any, ...], part: Any) -> Any:
    return _with(order, field, (*before, part))


def _behind(wanted: Wanted, above: str, text: str) -> bool:
    return wanted(above + text)


def _parted(text: str, link: str) -> tuple[str, str]:
    """Return the text before and after a link: a sign or a word. An empty link, or one that is not there, parts nothing.

    >>> _parted("Fife from Angus", "FROM"), _parted("Fife: Wallace", ":")
    (('Fife ', ' Angus'), ('Fife', ' Wallace'))
    """
    edge = r"\b" if link.isalpha() else ""
    before, *after = (
        re.split(f"{edge}{re.escape(link)}{edge}", text, maxsplit=1, flags=re.IGNORECASE) if link else [text]
    )
    return before, "".join(after)


class Step(NamedTuple):
    """An order that may be unfinished: its text, its fields, and the piece of its form that comes next."""

    text: str
    way: Way[Any]
    order: Any
    piece: int = 0
    field: str = ""
    name: Any = ""
    """The field that was filled last, and what was added to it."""
    part: Step | None = None
    """The part that was written last, in an order that has parts; `above` is the text of those before it."""
    above: str = ""


@dataclass(frozen=True)
class Way(Generic[V]):
    """One kind of order: its slots by field, and why an order of that kind is not legal, if the slots do not say it.

    `read` reads the text after the verb, where the form alone does not tell how.
    """

    kind: type[OrderPart]
    slots: Mapping[str, Slot[V]]
    law: Callable[[V, Any], Refusal | None] | None = None
    read: Find | None = None

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces of the form."""
        return pieces_of(self.kind)

    @cached_property
    def parts(self) -> Way[V] | None:
        """The way of its parts, if a list of parts is all that it has."""
        return self.slots[self.pieces[0].field].part if self.slots else None

    @cached_property
    def verb(self) -> str:
        """The first word."""
        return (self.parts or self).pieces[0].before.split()[0]

    def verdict(self, view: V, step: Step) -> Refusal | None:
        """Return the same for an unfinished order: a field that must follow is missing until it is there."""
        last = step.part or step
        if last.piece < last.way.needed:
            slot = last.way.slots[last.way.pieces[last.piece].field]
            return (NotYet if slot.among(view, step.order) else Refusal)(_(slot.missing, kind=_(slot.kind)))
        return self.law(view, step.order) if self.law else self._too_few(view, step.order)

    def _too_few(self, view: V, order: Any) -> Refusal | None:
        """Return what is missing in lists; all names of a step are among those that may come."""
        judged = (slot.judge(view, order, getattr(order, field)) for field, slot in self.lists)
        return next((refusal for refusal in judged if refusal), None)

    @cached_property
    def needed(self) -> int:
        """The number of pieces up to the last that must be there; 0 for an order of parts, which its law judges."""
        must = [no for no, piece in enumerate(self.pieces, 1) if piece.field and not piece.optional]
        return must[-1] if must and not self.parts else 0

    @cached_property
    def lists(self) -> tuple[tuple[str, Slot[V]], ...]:
        """The fields with several names, each with its slot."""
        return tuple((field, slot) for field, slot in self.slots.items() if slot.several)

    @cached_property
    def begin(self) -> Step:
        """An order of which nothing is written."""
        return Step("", self, self.kind.model_construct())

    def refusal(self, view: V, order: Any) -> Refusal | None:
        """Return why an order of this kind is not legal, or a `NotYet`."""
        if self.law:
            return self.law(view, order)
        judged = (slot.judge(view, order, getattr(order, field)) for field, slot in self.slots.items())
        return next((refusal for refusal in judged if refusal), None)

    def further(
        self,
        view: V,
        step: Step,
        wanted: Wanted = lambda _text: True,
        whole: Callable[[Any], Any] = lambda order: order,
    ) -> Iterator[Step]:
        """Go through the steps by which an order continues: another name in its list, or the next pieces of its form.

        Only steps with a `wanted` text are made. `whole` puts a part into its order.
        """
        if self.parts:
            yield from self._parts(view, step, self.parts, wanted)
            return
        pieces, seen = self.pieces, whole(step.order)
        if step.piece and self._goes_on(view, pieces[step.piece - 1], step.order, seen):
            yield from self._filled(view, step, step.piece - 1, ", ", seen, wanted)
        for no in range(step.piece, len(pieces)):
            yield from self._filled(view, step, no, pieces[no].before, seen, wanted)
            if not pieces[no].optional:
                return

    def _goes_on(self, view: V, piece: Piece, order: Any, seen: Any) -> bool:
        slot = self.slots.get(piece.field)
        return bool(slot and slot.several and 0 < len(getattr(order, piece.field)) < slot.count(view, seen)[1])

    def _filled(self, view: V, step: Step, no: int, before: str, seen: Any, wanted: Wanted) -> Iterator[Step]:
        """Go through the names that may be added in a piece of the form."""
        piece, last, field = self.pieces[no], len(self.pieces), self.pieces[no].field
        head = step.text + before
        if not field:
            yield from [Step(head, self, step.order, last)] if wanted(head) else []
            return
        slot, old = self.slots[field], getattr(step.order, field, ())
        if piece.none and not old and wanted(head + piece.none) and not slot.count(view, seen)[0]:
            yield Step(head + piece.none, self, step.order, last, field, piece.none)
        for name in slot.among(view, seen):
            text = head if piece.flag else f"{head}{name}"
            if wanted(text) and not (slot.several and name in old):
                order = _with(step.order, field, (*old, name) if slot.several else name)
                yield Step(text, self, order, no + 1, field, name)

    def _parts(self, view: V, step: Step, way: Way[V], wanted: Wanted) -> Iterator[Step]:
        """Go through the steps of the part that is being written, and those by which another part begins."""
        field = self.pieces[0].field
        done = getattr(step.order, field, ())
        begun = [(step.above, step.part, done[:-1])] if step.part else []
        for above, part, before in (*begun, (f"{step.text}\n" if step.part else "", way.begin, done)):
            whole = partial(_put, step.order, field, before)
            for one in way.further(view, part, partial(_behind, wanted, above), whole):
                yield Step(above + one.text, self, whole(one.order), 0, one.field, one.name, one, above)

    def joined(self, said: Sequence[Any]) -> Any:
        """Return the order of lines that were read: an order, or parts of one."""
        return self.kind.model_validate({self.pieces[0].field: tuple(said)}) if self.parts else said[0]

    def form(self, view: V | None, line: Line, rest: str) -> Any:
        """Read the text after the verb. Raises OrderError."""
        if self.read:
            return self.read(view, line, rest)
        pieces = self.pieces
        if not pieces[0].field:
            return self._plain(line, rest)
        found: dict[str, Any] = {}
        for no, piece in enumerate(pieces):
            link = pieces[no + 1].before.strip() if no + 1 < len(pieces) else ""
            said, rest = _parted(rest, link)
            found[piece.field] = self._value(view, line, piece, said.strip(), found)
        return self.kind.model_validate(found)

    def _plain(self, line: Line, rest: str) -> Any:
        order = self.kind()
        if rest:
            raise line.refusal(_("{order} stands alone", order=order), str(order))
        return order

    def _value(self, view: V | None, line: Line, piece: Piece, said: str, found: Mapping[str, Any]) -> Any:
        slot = self.slots[piece.field]
        assert slot.find  # noqa: S101 - flags have a reader of their own
        if not slot.several:
            if not said and slot.missing:
                legal = ", ".join(map(str, slot.among(cast("V", view), self.kind.model_construct(**found))))
                raise line.refusal(_(slot.missing, kind=_(slot.kind)), legal)
            return slot.find(view, line, said)
        words = [word.strip() for word in said.split(",") if word.strip()]
        if piece.none and words and piece.none.startswith(words[-1].upper()):
            words.pop()
        elif not words:
            raise line.refusal(_(slot.missing, kind=_(slot.kind)), f"{piece.before}{piece.none}")
        return tuple(slot.find(view, line, word) for word in words)


@dataclass(frozen=True)
class Question(Generic[V]):
    """One question: the ways to answer it, the order of silence, and what is said of an order of another kind.

    `elsewhere` are the verbs of the game's other questions. `few` names some legal orders instead of all, and `sample` a random
    one. `words` are the options in words where they are too many to list.
    """

    ways: tuple[Way[V], ...]
    silence: Callable[[V], Order]
    otherwise: Callable[[V, Order], Refusal]
    elsewhere: tuple[str, ...] = ()
    few: Callable[[V], Iterator[Order]] | None = None
    sample: Callable[[V, Chooser], Order] | None = None
    words: Callable[[V], str] | None = None

    @cached_property
    def by_verb(self) -> Mapping[str, Way[V]]:
        return {way.verb: way for way in self.ways}

    @cached_property
    def _verbs(self) -> Names:
        return Names((*self.by_verb, *self.elsewhere), N_("order"))

    def read(self, view: V | None, text: str) -> Order:
        """Return the order that a text means, legal or not. Raises OrderError with every bad line."""
        return self._read(view, read_orders(text))

    def read_plan(self, view: V | None, text: str) -> str:
        """Return the canonical text of a plan with or without PLAN in front, "" for none. Raises OrderError."""
        lines = [Line(line.no, _PLAN.sub("", line.text)) for line in read_orders(text)]
        return str(self._read(view, lines)) if lines else ""

    def _read(self, view: V | None, lines: Sequence[Line]) -> Order:
        found, problems = read_each(lines, lambda line: (line, *self._read_line(view, line)))
        joined = len({way.verb for _line, way, _said in found}) == 1 and found[0][1].parts
        if not joined:
            problems += [Problem(line.no, line.text, _("one order is enough here")) for line, _way, _said in found[1:]]
        if not lines:
            problems.append(Problem(0, "", _("there is no order here"), legal=", ".join(self.by_verb)))
        if problems:
            raise OrderError(*sorted(problems, key=lambda problem: problem.line))
        order: Order = found[0][1].joined([said for _line, _way, said in found])
        return order

    def _read_line(self, view: V | None, line: Line) -> tuple[Way[V], Any]:
        word, _blank, rest = line.text.partition(" ")
        verb = self._verbs.find(word.rstrip(":"), line)
        if verb not in self.by_verb:
            raise line.refusal(_("that is not what is asked"), ", ".join(f"{own} …" for own in self.by_verb))
        way = self.by_verb[verb]
        return way, (way.parts or way).form(view, line, rest.strip())

    def why_not(self, view: V, order: Order) -> Refusal | None:
        """Return why an order is not legal, or a `NotYet`; None if it is legal."""
        way = next((way for way in self.ways if isinstance(order, way.kind)), None)
        return way.refusal(view, order) if way else self.otherwise(view, order)

    def steps(
        self, view: V, step: Step | None = None, wanted: Wanted = lambda _text: True
    ) -> Iterator[tuple[Step, Refusal | None]]:
        """Go through the steps by which an answer begins or continues, each with its `NotYet`, or None if it is legal."""
        for one in self.grown(view, step, wanted):
            refusal = one.way.verdict(view, one)
            if refusal is None or isinstance(refusal, NotYet):
                yield one, refusal

    def grown(self, view: V, step: Step | None = None, wanted: Wanted = lambda _text: True) -> Iterator[Step]:
        """Go through the same steps, and those that the law refuses: all with a `wanted` text."""
        for here in [step] if step else [way.begin for way in self.ways]:
            yield from here.way.further(view, here, wanted)

    def every(self, view: V, step: Step | None = None) -> Iterator[Order]:
        """Go through all legal orders that begin so."""
        for one, missing in self.steps(view, step):
            if missing is None:
                yield one.order
            yield from self.every(view, one)

    def options(self, view: V) -> Options:
        """Return the legal orders: listed, or composed where the question has words for them."""
        if self.words is None:
            return Listed([*self.every(view)])
        return Composed(
            lambda chooser: (self.sample or self.at_random)(view, chooser),
            lambda: (self.few or self.every)(view),
            lambda order: self.why_not(view, order) is None,
            self.words(view),
        )

    def at_random(self, view: V, chooser: Chooser) -> Order:
        """Return the order of a random walk over the steps."""
        here: Step | None = None
        while True:
            ways = [*self.steps(view, here)]
            if not ways or (here and here.way.verdict(view, here) is None and not chooser.randrange(3)):
                assert here  # noqa: S101 - a question has an answer
                order: Order = here.order
                return order
            here = ways[chooser.randrange(len(ways))][0]
