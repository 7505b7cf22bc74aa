"""The possible continuations of lines that accompany an order, word by word: plans for claims (PLAN), premoves for turns (AHEAD).

Nobody knows which cards will be there by then. So every card of the game can be named: seen cards and the hand first, then all
others by clan. A face-down card can be named by its present place. All of this follows from the seat's view alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.touching import room_ahead
from pbem.i18n import N_
from pbem.look.grammar import Word, Words, choice, touched, walk
from pbem.look.touches import AHEAD, PLAN, Touch

from ..game import GAME
from ..orders import TakeRecruit
from ..reading import STRONGEST
from ..rules.cards import COCKBURN, FERGUSON, MAKGILL, RECRUITS, SCOTT, WEMYSS, clan
from ..rules.follower import every
from ..views import LordsView
from .words import follower

Lines = tuple[str, ...]
_TURN = " TURN: "


def _called(
    view: LordsView, cards: Sequence[str], before: str, says: str, what: str, *, whole: bool = True
) -> list[Word]:
    """Return the words for cards, and, for `what` is done with all others, for their clans; the message `says` it: `{card}`."""
    named = [Word(f"{before}{card}", f"card:{card}", says, {"card": card}, whole) for card in cards]
    known = frozenset(cards)
    clans = dict.fromkeys(clan(card) for card in view.terms.cards if card not in known)
    return [*named, *(choice(f"{before}{name}", _CLANS[what], name=f"{what} {name}", clan=name) for name in clans)]


_CLANS = {
    "CLAIM": N_("Claim another {clan}"),
    "RECRUIT": N_("Recruit another {clan}"),
    "MUSTER": N_("Muster another {clan}"),
    "TARGET": N_("Use it on another {clan}"),
}


def _card(view: LordsView, word: Word, cards: Sequence[str], says: str, *, whole: bool = True) -> Words[Word]:
    """Put the cards of a clan, where the word is one; return the word of the card."""
    if word.at.startswith("choice:"):
        name = word.name.split()[-1]
        left = [card for card in view.terms.cards if clan(card) == name and card not in cards]
        word = yield [Word(f" {card.split()[-1]}", f"card:{card}", says, {"card": card}, whole) for card in left]
    return word


# Plans for claims


def plan_touches(view: LordsView, lines: Lines) -> tuple[Touch, ...]:
    """Return what may come next in a plan for claims; one is enough."""
    reached = walk(_plan(view), " ".join("".join(lines).split())) if len(lines) == 1 else None
    return tuple(touched(reached, (), N_("Plan: {what}"))) if reached else ()


def _plan(view: LordsView) -> Words[None]:
    yield [Word(PLAN, f"choice:{PLAN}", "")]
    says, before = N_("Claim {card}"), " CLAIM "
    strongest = [choice(f"{before}{STRONGEST}", N_("Claim the strongest"), whole=True, name=STRONGEST)]
    named: list[str] = []
    while len(named) < len(view.terms.cards):
        near = [card for card in view.supporters if card not in named]
        word = yield [*strongest, *_called(view, near, before, says, "CLAIM")]
        if word.name == STRONGEST:
            return
        word = yield from _card(view, word, (*near, *named), says)
        named.append(word.name)
        strongest, before = [], ", "


# Turns sent ahead


def ahead_touches(view: LordsView, hand: Sequence[str], lines: Lines) -> tuple[Touch, ...]:
    """Return the possible continuations of lines for the next turn; the first line that is then legal counts.

    `hand` is the hand that the accompanying order leaves, as far as it is written.
    """
    *before, last = lines
    room = room_ahead(GAME, view, view.question, before)
    reached = walk(_ahead(view, hand, first=room["turn"]), " ".join(last.split())) if room else None
    return tuple(touched(reached, before, N_("Next turn: {what}"))) if reached else ()


def _ahead(view: LordsView, hand: Sequence[str], *, first: bool) -> Words[None]:
    yield [Word(AHEAD, f"choice:{AHEAD}", "")]
    recruits = [recruit.card for recruit in view.recruits if recruit.up and recruit.card not in hand]
    ask = [choice(f"{_TURN}ASK", N_("Ask me then"), whole=True, name="ASK")] if first else []
    word = yield [
        *_called(view, recruits, f"{_TURN}RECRUIT ", _RECRUIT, "RECRUIT"),
        *_places(),
        *_called(view, hand, f"{_TURN}MUSTER ", _MUSTER, "MUSTER"),
        choice(f"{_TURN}PASS", N_("Pass"), whole=True, name="PASS"),
        *ask,
    ]
    if word.text.startswith(f"{_TURN}MUSTER"):
        yield from _muster(view, word, list(hand))
    elif word.text.startswith(f"{_TURN}RECRUIT"):
        yield from _card(view, word, recruits, _RECRUIT)


_RECRUIT, _MUSTER = N_("Recruit {card}"), N_("Muster {card}")


def _places() -> Iterator[Word]:
    for place in range(1, RECRUITS + 1):
        says = N_("Recruit the card at place {place}")
        yield Word(f"{_TURN}{TakeRecruit(place=place)}", f"recruit:{place}", says, {"place": place}, whole=True)


def _muster(view: LordsView, word: Word, hand: list[str]) -> Words[None]:
    """Put the words for how a card is played; and for another card, where a Makgill is used."""
    while True:
        word = yield from _card(view, word, hand, _MUSTER)
        card = word.name
        hand = [other for other in hand if other != card]
        whole = clan(card) not in (SCOTT, MAKGILL, *_AIMED)
        use = choice(f" {_USE}", N_("Use the power of {card}"), whole=whole, card=card)
        word = yield [choice(f" {_DOWN}", N_("{card} face-down"), whole=True, card=card), use]
        if word.name == _DOWN:
            return
        power = yield from _power(view, card)
        if power in _AIMED:
            yield from _target(view, power)
        if power != MAKGILL:
            return
        word = yield _called(view, hand, "; MUSTER ", _MUSTER, "MUSTER")


_USE, _DOWN = "USE", "DOWN"
_AIMED = (COCKBURN, FERGUSON, WEMYSS)
"""The powers that are turned on something."""


def _power(view: LordsView, card: str) -> Words[str]:
    """Return the power that is used; of a Scott, the clan is put that it copies."""
    if clan(card) != SCOTT:
        return clan(card)
    clans = dict.fromkeys(name for name in map(clan, view.terms.cards) if name != SCOTT)
    says = N_("Copy the power of {clan}")
    word = yield [choice(f" {name}", says, whole=name not in (MAKGILL, *_AIMED), clan=name) for name in clans]
    return word.name


def _target(view: LordsView, power: str) -> Words[None]:
    """Put what a power can be turned on: supporters, or followers, as they lie now; and any other card."""
    seats = [] if power == COCKBURN else view.others if power == FERGUSON else view.seats
    lying = every(view.armies, seats)
    up = [name for name in lying if not name.islower()] if power != COCKBURN else list(view.supporters)
    says, down = N_("Use it on {card}"), N_("Use it on {target}")
    hidden = [
        Word(f" {name}", f"follower:{seat}/{place + 1}", down, {"target": follower(name)}, whole=True)
        for name, (seat, place) in lying.items()
        if name.islower()
    ]
    word = yield [*hidden, *_called(view, up, " ", says, "TARGET")]
    yield from _card(view, word, up, says)
