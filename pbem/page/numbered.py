"""The numbered answers of a letter as a page offers them: beside the touches, which stay on the map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pbem.look.touches import Touch, parts
from pbem.reports.choices import choices
from pbem.reports.listed import Offered, offered

from . import playing
from .called import Lines, in_words

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.kernel import View


class ListShown(NamedTuple):
    """What may be touched, and the answers beside it, as the page is sent them."""

    touches: tuple[playing.OneTouch, ...]
    """All touches. Those that an answer covers are marked: the page lists them once, but still highlights them."""
    answers: tuple[playing.OneTouch, ...]
    """In the order of the letter, so that their places are its numbers."""


def shown(
    pack: GamePack,
    view: View | None,
    draft: Lines,
    found: tuple[Touch, ...],
    further: Callable[[Sequence[str]], Iterable[Touch]],
) -> ListShown:
    """Return the touches of a draft that were found, and the answers, where an order may be begun in a view.

    Without a view there is no list. `further` makes the touches of other drafts.
    """
    both = Offered((), found)

    # Making them takes time, and those of the draft itself are made already.
    touched = cache(lambda lines: found if lines == draft else tuple(further(lines)))
    if view is not None and not parts(draft).order:
        both = offered(pack, view, choices(pack, view), draft, touched)
    return ListShown(
        tuple(_sent(one, listed=one not in both.further) for one in found),
        tuple(
            _sent(one._replace(label=one.label[:1].upper() + one.label[1:]), listed=True)
            for one in in_words(both.answers, touched)
        ),
    )


def _sent(one: Touch, *, listed: bool) -> playing.OneTouch:
    return playing.OneTouch(
        at=one.at,
        label=one.label,
        draft=tuple(one.draft),
        note=one.note,
        closes=one.closes,
        listed=listed,
    )
