"""Orders are text that a person can type: one grammar for all games.

An order has one canonical text (`str(order)`, which parses back to the same order) and one JSON form (it is a pydantic
model). This module reads lines and names forgivingly; the verbs are each game's own.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, GetPydanticSchema

from pbem.errors import OrderError, Problem
from pbem.i18n import N_, _

from .forms import Formed

T = TypeVar("T")


class OrderPart(Formed, BaseModel):
    """The base of the parts of orders: frozen, unknown fields refused.

    `str()` is the canonical text, with lines separated by LF and none at the end. It fills the class's form with the fields by
    name; a tuple's values are joined by commas, or have a line each if nothing comes before them. `{cards:STRONGEST}` names
    an empty list, `[ {target}]` is left out where the field is empty, and ` DOWN` of `[ DOWN|down]` appears where the
    flag is true. Classes with another text define `__str__`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Order(OrderPart):
    """The base of all orders: ``class Bid(Order, form="BID {bid}")``."""


class View(BaseModel):
    """The base of all views: frozen, unknown fields refused; what one seat, or the public, may know."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


def one_of(names: Iterable[str]) -> GetPydanticSchema:
    """Return an annotation that limits a view's text to these names: `Annotated[str, one_of(AREAS)]`.

    Views are shown to people, and anybody may have written a log. So every text in a view must be a name from the game.
    """
    kind = Literal[tuple(names)]  # type: ignore[valid-type]
    return GetPydanticSchema(lambda _source, handler: handler(kind))


class Line(NamedTuple):
    """A line of an order as typed, with its number (from 1)."""

    no: int
    text: str

    def refusal(self, why: str, legal: str = "", rule: str = "", read: str = "") -> OrderError:
        """Return the error for this line, or for its part `read`."""
        return OrderError(Problem(self.no, read or self.text, why, rule, legal))


_PLAIN = str.maketrans(
    dict.fromkeys("‐‑‒–—―−", "-") | dict.fromkeys("‘’‚‛′‹›´", "'") | dict.fromkeys("“”„‟«»″", '"') | {"→": ">"}
)
_ENDS = ("END", "FIN", "SIGNOFF")
"""What a line says that nothing comes after it, also in French."""
_MARKS = 30
"""No letter bears more marks; to put thousands in order takes the square of their number."""


def tidy(text: str) -> str:
    """Fold what mail programs do to plain text: compatibility forms, smart quotes and dashes, zero-width characters.

    >>> tidy("card Herald")
    'card Herald'
    >>> tidy("“Angus” – An\u200bgus")
    '"Angus" - Angus'
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", legible(text).translate(_PLAIN)).translate(_PLAIN)


def legible(text: str) -> str:
    """Return what a reader sees of a text: without letters of no width, and without heaps of marks upon one letter.

    >>> legible("l’An\u200bgus")
    'l’Angus'
    """
    if text.isascii():
        return text
    kept, run = [], 0
    for letter in text:
        kind = unicodedata.category(letter)
        if kind == "Cf":
            continue
        run = run + 1 if kind[0] == "M" else 0
        if run <= _MARKS:
            kept.append(letter)
    return "".join(kept)


def read_lines(text: str) -> list[Line]:
    """Return the lines that count: without comments (`#`), quotes (`>` in front) and everything after END or ``-- ``.

    A line that ends in a comma continues on the next line, because mail programs fold long lines.

    >>> read_lines("CARD Move 3   # the big one\\n> quoted\\nEND\\nCARD Move 2")
    [Line(no=1, text='CARD Move 3')]
    """
    found: list[Line] = []
    for no, raw in enumerate(text.splitlines(), 1):
        line = tidy(raw)
        if line.rstrip("\r") == "-- " or line.strip().upper() in _ENDS:
            break
        said = " ".join(line.split("#", 1)[0].split())
        if not said or said.startswith(">"):
            continue
        if found and found[-1].text.endswith(","):
            said, no = f"{found[-1].text} {said}", found.pop().no
        found.append(Line(no, said))
    return found


def read_orders(text: str) -> list[Line]:
    """Return the lines of an order: those of `read_lines`, also split at semicolons.

    >>> read_orders("HOME Bruce > Annan; KING STAY")
    [Line(no=1, text='HOME Bruce > Annan'), Line(no=1, text='KING STAY')]
    """
    found: list[Line] = []
    for line in read_lines(text):
        for part in line.text.split(";"):
            if part.strip().upper() in _ENDS:
                return found
            if part.strip():
                found.append(Line(line.no, part.strip()))
    return found


def read_each(lines: Iterable[Line], read: Callable[[Line], T]) -> tuple[list[T], list[Problem]]:
    """Return the results of `read` for each line, and the problems of the lines for which it raises OrderError, with their
    numbers."""
    found: list[T] = []
    problems: list[Problem] = []
    for line in lines:
        try:
            found.append(read(line))
        except OrderError as error:
            problems += [Problem(line.no, p.read or line.text, p.why, p.rule, p.legal) for p in error.problems]
    return found, problems


def folded(head: str, items: Iterable[str], width: int = 72) -> str:
    """Return a line with a list, laid out on lines that `read_lines` reads as one.

    >>> print(folded("CARDS: ", ["Move 3", "Herald", "Truce"], 20))
    CARDS: Move 3,
        Herald, Truce
    """
    lines, line = [], head
    for item in items:
        if len(line) + len(item) >= width and line.strip() and line != head:
            lines.append(line.rstrip())
            line = "    "
        line += f"{item}, "
    return "\n".join([*lines, line.removesuffix(", ")])


class Sheet(NamedTuple):
    """A typed order taken apart: the game that its head names ("" for none), its own lines, its plans, what it sends ahead."""

    game: str
    order: str
    plans: str
    ahead: str = ""


def take_apart(text: str) -> Sheet:
    """Part the lines of an order: a head `GAME …`, lines that begin with PLAN or AHEAD, and the rest; line numbers stay as typed.

    >>> take_apart("GAME 3f29 TURN 1298.3\\nCARD Herald\\nPLAN Lanark: FIGHT\\nAHEAD CARD: CARD Move 3")
    Sheet(game='3f29', order='\\nCARD Herald\\n\\n', plans='PLAN Lanark: FIGHT', ahead='\\n\\n\\nAHEAD CARD: CARD Move 3')
    """
    game, order, plans, ahead = "", [], [], []
    for raw in text.splitlines():
        verb, _blank, rest = tidy(raw).strip().partition(" ")
        kind = verb.upper() if rest else ""
        if kind == "GAME" and not game:
            game = rest.split()[0].lower()
            raw = ""
        order.append("" if kind in ("PLAN", "AHEAD") else raw)
        ahead.append(raw if kind == "AHEAD" else "")
        if kind == "PLAN":
            plans.append(raw)
    return Sheet(game, "\n".join(order), "\n".join(plans), "\n".join(ahead) if any(ahead) else "")


def _fold(word: str) -> str:
    return "".join(word.casefold().split())


def _plain(word: str) -> str:
    """Return a word without accents, and with the apostrophe that a keyboard has: "d’Épée" and "d'epee" are the same."""
    letters = unicodedata.normalize("NFD", word.replace("’", "'"))
    return _fold("".join(letter for letter in letters if not unicodedata.combining(letter)))


_LONG = 40
"""Nobody means a name by more letters; to compare two words takes the product of their lengths."""
_FEW = 8
"""The maximum number of names in a message; if there are more, those most like the word are shown."""
_TYPED_WRONG = 4
"""One wrong letter is allowed for every four."""


def distance(one: str, other: str) -> int:
    """Return how many letters have to be put in, left out, changed, or exchanged with the next to make a word of another.

    >>> distance("anan", "annan"), distance("agnus", "angus"), distance("fife", "fife")
    (1, 1, 0)
    """
    above: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one):
        above, row, last = row, [i + 1], above
        for j, wanted in enumerate(other):
            steps = [above[j] + (letter != wanted), above[j + 1] + 1, row[j] + 1]
            if i and j and letter == other[j - 1] and wanted == one[i - 1]:
                steps.append(last[j - 1] + 1)
            row.append(min(steps))
    return row[-1]


def nearest(word: str, names: Iterable[str]) -> list[str]:
    """Return names, those first that are most like a word; as they stood, where they are equally far from it.

    >>> nearest("anan", ["Angus", "Annan", "Fife"])
    ['Annan', 'Angus', 'Fife']
    """
    wanted = _fold(word)[:_LONG]
    return sorted(names, key=lambda name: distance(wanted, _fold(name)[:_LONG])) if wanted else list(names)


class Names:
    """A list of names that may be cut short as long as it is clear which is meant; `kind` says of what, as a message.

    >>> Names(["Mar", "Moray", "Mentieth"]).find("mor")
    'Moray'
    >>> Names(["Mar", "Moray", "Mentieth"]).find("mar")
    'Mar'

    `abroad` has names of other languages, each with the one that it stands for: they are read where none of ours fits.

    >>> Names(["Truce", "Herald"], abroad={"Trêve": "Truce"}).find("treve")
    'Truce'
    """

    def __init__(
        self,
        names: Iterable[str],
        kind: str = N_("name"),
        also: Mapping[str, str] | None = None,
        abroad: Mapping[str, str] | None = None,
    ) -> None:
        self.kind = kind
        self._abroad = {_plain(other): name for other, name in (abroad or {}).items()}
        self.names = tuple(names)
        self._by_fold = {_fold(name): name for name in self.names}
        self._by_fold.update({_fold(other): name for other, name in (also or {}).items()})

    def find(self, word: str, line: Line | None = None) -> str:
        """Return the name that `word` means; raise OrderError when none or several fit."""
        fits = self.fits(word)
        if len(fits) == 1:
            return fits[0]
        no = line.no if line else 0
        kind = _(self.kind)
        if fits:
            why = _("this {kind} could be any of {names}", kind=kind, names=", ".join(fits))
            raise OrderError(Problem(no, word, why))
        near = nearest(word, self.names)
        if near and len(word) <= _LONG and distance(_fold(word), _fold(near[0])) <= len(word) // _TYPED_WRONG:
            why = _("there is no such {kind} here (did you mean {name}?)", kind=kind, name=near[0])
        else:
            why = _("there is no such {kind} here", kind=kind)
        raise OrderError(Problem(no, word, why, legal=", ".join(near[:_FEW] if len(near) > _FEW else self.names)))

    def fits(self, word: str) -> list[str]:
        """Return the names that `word` could mean: the one that it is, or all that begin with it."""
        key = _fold(word)
        return _fitting(key, self._by_fold) or _fitting(_plain(word), self._abroad)


def _fitting(key: str, by_key: Mapping[str, str]) -> list[str]:
    if key in by_key:
        return [by_key[key]]
    return sorted({name for other, name in by_key.items() if key and other.startswith(key)})
