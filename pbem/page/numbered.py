"""The numbered answers of a letter as a page offers them: beside the touches, which stay on the map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pbem.look.touches import Touch, parts
from pbem.reports.choices import choices
from pbem.reports.listed import Offered, offered

from . import playing

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.kernel import View


class ListShown(NamedTuple):
    """What may be touched, and the answers beside it, as the page is sent them."""

    touches: tuple[playing.OneTouch, ...]
    """All of them: what an answer does as well is marked, so that the page lists it once and lights it up all the same."""
    answers: tuple[playing.OneTouch, ...]
    """In the order of the letter, so that their places are its numbers."""


def shown(
    pack: GamePack,
    view: View | None,
    draft: tuple[str, ...],
    found: tuple[Touch, ...],
    further: Callable[[Sequence[str]], Iterable[Touch]],
) -> ListShown:
    """Return the touches of a draft that were found, and the answers, where an order may be begun in a view.

    Without a view there is no list. `further` makes the touches of other drafts.
    """
    both = Offered((), found)
    if view is not None and not parts(draft).order:

        def touched(lines: tuple[str, ...]) -> tuple[Touch, ...]:
            """The touches of the draft itself are made already, and making them takes time."""
            return found if lines == draft else tuple(further(lines))

        both = offered(pack, view, choices(pack, view), draft, touched)
    return ListShown(
        tuple(_sent(one, listed=one not in both.further) for one in found),
        tuple(
            _sent(one._replace(label=one.label[:1].upper() + one.label[1:]), listed=True)
            for one in _in_words(both.answers, [one for one in found if one not in both.further])
        ),
    )


def _in_words(answers: Iterable[Touch], twins: Sequence[Touch]) -> Iterator[Touch]:
    """Go through the answers; one that the game has no words for is called as the one touch that does the same."""
    called = {one.at: one.label for one in twins if [twin.at for twin in twins].count(one.at) == 1}
    for one in answers:
        wordless = one.label == "; ".join(parts(one.draft).order)
        yield one._replace(label=called.get(one.at, one.label)) if wordless else one


def _sent(one: Touch, *, listed: bool) -> playing.OneTouch:
    return playing.OneTouch(
        at=one.at,
        label=one.label,
        draft=tuple(one.draft),
        note=one.note,
        closes=one.closes,
        listed=listed,
    )
