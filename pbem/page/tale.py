"""What happened in a game, for a page: moment by moment in words, with the dice that fell, and the list of its turns.

It is made of what one seat was told. Anybody may have made up what a log tells: what the rules here do not know is named as such,
and rolls no dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from pbem.games import GamePack
from pbem.kernel import Json
from pbem.look import Chapter
from pbem.look.shown import CardRow, Rolled, Struck
from pbem.records import dataclass
from pbem.reports.text import items, readable, unknown
from pbem.reports.told import NONSENSE, Told
from pbem.reports.turns import Turns

from . import playing


@dataclass(frozen=True, slots=True)
class Tale:
    """A seat's news in a game; `end` is the moment after the last of its news, if the game is over."""

    pack: GamePack
    seat: str
    tells: Sequence[Told]
    end: playing.Moment | None

    def told(self, since: int) -> playing.Moments:
        """Return the facts after an entry, and the turns of the whole game."""
        turns, found = Turns(), []
        for tell in self.tells:
            said = [(fact, readable(fact, self.seat or None, self.pack)) for fact in tell.facts]
            known = [fact for fact, text in said if text is not None]
            for chapter in filter(None, map(self.pack.look.chapter, known)):
                turns.note(tell.n, chapter)
            if tell.n > since:
                texts = [unknown(fact) if text is None else text for fact, text in said]
                found.append(self._moment(tell.n, texts, known))
        if self.end:
            turns.note(self.end.n, Chapter(self.end.chapters[0].name))
            found += [self.end] if self.end.n > since else []
        return playing.Moments(
            moments=tuple(found),
            turns=tuple(
                playing.TurnShown(n=one.n, depth=one.depth, name=one.name, came=one.came) for one in turns.found
            ),
        )

    def _moment(self, n: int, texts: Sequence[str], known: Sequence[Json]) -> playing.Moment:
        begun = [one for one in map(self.pack.look.chapter, known) if one and not one.adds]
        return playing.Moment(
            n=n,
            chapters=tuple(playing.StoryPart(name=one.name, depth=one.depth) for one in begun),
            items=tuple(playing.StoryItem(text=item.text, heads=item.heads) for item in items(texts)),
            rolls=tuple(self._rolls(known)),
        )

    def _rolls(self, known: Sequence[Json]) -> list[playing.RolledShown]:
        """The dice of a moment, each roll with those whom it struck."""
        found: list[tuple[Rolled, list[Struck]]] = []
        for fact in known:
            with suppress(*NONSENSE):
                if rolled := self.pack.look.rolled(fact):
                    found.append((rolled, []))
            struck: Sequence[Struck] = ()
            with suppress(*NONSENSE):
                struck = self.pack.look.struck(fact)
            if struck:
                if not found:
                    found.append((_NOTHING, []))
                found[-1][1].extend(struck)
        return [_roll(rolled, struck) for rolled, struck in found]


_NOTHING = Rolled("", "", (), "")


def _roll(rolled: Rolled, struck: Sequence[Struck]) -> playing.RolledShown:
    return playing.RolledShown(
        at=rolled.at,
        name=rolled.name,
        dice=tuple(playing.DieShown(shows=die.shows, counts=die.counts) for die in rolled.dice),
        says=rolled.says,
        struck=tuple(playing.StruckShown(at=one.at, says=one.says, gone=one.gone) for one in struck),
    )


def laid_out(row: CardRow) -> playing.CardsShown:
    """Return cards that lie together, for a page."""
    shown = tuple(playing.CardShown.model_validate(card._asdict()) for card in row.cards)
    return playing.CardsShown(title=row.title, cards=shown, backs=row.backs, small=row.small)
