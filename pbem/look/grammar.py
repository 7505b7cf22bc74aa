"""A line that is made word by word: a grammar offers the possible next words, and the line so far is walked through it.

A grammar is written as a generator: each `yield` offers words and returns the one that was taken. So the next words follow from the
line's text alone, and a word is taken back by leaving it out. Knows no plan and no order.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from pbem.i18n import _

from .touches import Touch

R = TypeVar("R")
_NONE: Mapping[str, object] = MappingProxyType({})


class Word(NamedTuple):
    """What may come next in a line: the text with what parts it from the line so far (", Wallace"), and where it is touched."""

    text: str
    at: str
    says: str
    """Its name: a message, filled with its `values` when it is shown."""
    values: Mapping[str, object] = _NONE
    whole: bool = False
    """Is the line a whole one behind it?"""
    note: str = ""

    @property
    def name(self) -> str:
        """The area, block or choice that is touched.

        >>> Word(", York Infantry", "block:York Infantry", "").name
        'York Infantry'
        """
        return self.at.partition(":")[2]


Words = Generator[Sequence[Word], Word, R]
"""A grammar: puts words, is sent the one that was taken, and returns something to the grammar that it is part of."""


class Reached(NamedTuple):
    """How far a line has come: its text in the grammar's own spelling, whether it is whole, and the words that may come next."""

    text: str
    whole: bool
    words: Sequence[Word]


def choice(text: str, says: str, *, whole: bool = False, name: str = "", **values: object) -> Word:
    """Return a word for a choice outside the board: it is touched as `choice:` and its name, by default its own last letters.

    >>> choice("; HITS", "").at
    'choice:HITS'
    """
    return Word(text, f"choice:{name or text.lstrip(' ,;:>')}", says, values, whole)


def several(words: Sequence[Word], before: str, link: str, further: Sequence[Word] = ()) -> Words[Word]:
    """Put words one after the other, each once: the first behind `before`, the others behind `link`, with `further` words then.

    Returns which of the further words was taken; without any it ends when all words are named.
    """
    left, named = {word.at: word for word in words}, False
    while left or further:
        more = (word._replace(text=f"{link if named else before}{word.text}") for word in left.values())
        word = yield [*(further if named else ()), *more]
        if word.at not in left:
            break
        del left[word.at]
        named = True
    return word


def walk(grammar: Words[None], line: str) -> Reached | None:
    """Return how far a line has come in a grammar; None if the line does not fit it.

    Upper and lower case are equal. A line may end within a word: then the next words are those that begin so.
    """
    said, rest, whole = "", line, False
    try:
        words = next(grammar)
        while rest:
            word = max((w for w in words if _begins(w.text, rest)), key=lambda w: len(w.text), default=None)
            if word is None:
                begun = [w for w in words if w.text.casefold().startswith(rest.casefold())]
                return Reached(said, whole=False, words=begun) if begun else None
            said, rest, whole = said + word.text, rest[len(word.text) :], word.whole
            words = grammar.send(word)
    except StopIteration:
        return None if rest else Reached(said, whole, ())
    return Reached(said, whole, words)


def _begins(text: str, rest: str) -> bool:
    """Does the rest of a line begin with this text, and not in the middle of a longer word?"""
    after = rest[len(text) : len(text) + 1]
    return rest[: len(text)].casefold() == text.casefold() and not (text[-1].isalnum() and after.isalnum())


def touched(reached: Reached, before: Sequence[str], called: str) -> Iterator[Touch]:
    """Go through the touches of a line's next words, in the language that is spoken; `before` are the lines above it.

    `called` is a message that tells of what kind of line the word is: `{what}`.
    """
    for word in reached.words:
        draft = (*before, reached.text + word.text)
        yield Touch(word.at, _(called, what=_(word.says, **word.values)), draft, word.note, word.whole)
