"""The words of orders for a question, and the names that its seat sees. A line of a reply with them seems to be an order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from pbem.errors import OrderError
from pbem.games import GamePack
from pbem.i18n import ENGLISH, _, in_english, speaking
from pbem.kernel import View
from pbem.kernel.order import distance

WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
CAPITALS = re.compile(r"[A-Z][A-Z-]+")
_ARROWS = re.compile(r"\s*[-=]*>\s*")
_NONSENSE = "Qxzq"


class OrderWords:
    """What one question knows of words; `orders` are those of the list."""

    def __init__(self, pack: GamePack, view: View | None, language: str, orders: Sequence[str]) -> None:
        self.pack, self.view, self.language, self.orders = pack, view, language, orders

    def can_be_read(self, said: str) -> bool:
        """Is a line an answer to the question by itself?"""
        if self.view is None:
            return False
        try:
            self.pack.rules.parse(self.view, self.translated(said))
        except OrderError:
            return False
        return True

    def translated(self, said: str) -> str:
        """A line of an order with the words of this language in English, and ">" for the arrows that people write for it."""
        return _ARROWS.sub(" > ", in_english(said, self.pack.look.order_words, self.language))

    def is_name(self, word: str) -> bool:
        """Is it a word of a name that the seat sees?"""
        return word.casefold() in self.names

    def is_mark(self, word: str) -> bool:
        """Is it a word that orders have in capitals, or nearly one?"""
        upper = word.upper()
        return upper in self.marks or (
            len(upper) > 3 and any(distance(upper, mark) <= 1 for mark in self.marks if len(mark) > 3)
        )

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Orders that answer the question: those of the list, and that of silence."""
        if self.view is None:
            return ()
        return (*self.orders, str(self.pack.rules.default(self.view)))

    @cached_property
    def marks(self) -> frozenset[str]:
        """The words that these orders have in capitals."""
        return frozenset(word for text in self.texts for word in CAPITALS.findall(text))

    @cached_property
    def all(self) -> frozenset[str]:
        """All words of the game's orders that its look lists."""
        return self.marks.union(*(found.values() for found in self.pack.look.order_words.values()))

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The words with which an answer to this question begins."""
        found = {line.split()[0] for text in self.texts for line in text.split("\n") if line.split()}
        with speaking(ENGLISH):
            problems = [*self.problems(""), *self.problems(_NONSENSE)]
            found |= {piece.split()[0] for one in problems for piece in one.legal.split(", ") if piece.split()}
            found |= {word for word in self.all - {"ALL"} if self.is_known(word)}
        return frozenset(word for word in found if CAPITALS.fullmatch(word))

    def is_known(self, word: str) -> bool:
        """Return whether an answer to this question may begin with that word, according to the game's parser."""
        unknown, problems = self.problems(_NONSENSE), self.problems(word)
        return not problems or not (unknown and problems[0].why.startswith(unknown[0].why))

    def problems(self, text: str) -> Sequence[Any]:
        """Return what the game's reader says against a text."""
        if self.view is None:
            return ()
        try:
            self.pack.rules.parse(self.view, text)
        except OrderError as error:
            return error.problems
        return ()

    @cached_property
    def names(self) -> frozenset[str]:
        """The words of the names that the seat sees, in English and in the language that is spoken."""
        names = {name for name in strings(self.view) if name[:1].isupper()}
        return frozenset(
            word.casefold()
            for name in names
            for said in (name, _(name))
            for word in WORD.findall(said)
            if len(word) > 2
        )


def strings(value: Any) -> Iterator[str]:
    """Go through the texts in a view, and the names by which it knows things."""
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from strings(getattr(value, name))
    elif isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from strings(key)
            yield from strings(inner)
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from strings(inner)
