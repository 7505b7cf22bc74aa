"""The possible next touches: recruits, cards of the hand, powers and targets, supporters. Additional lines are in `ahead`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from pbem.games.touching import beside
from pbem.i18n import _
from pbem.look.touches import Touch, parts

from .. import law
from ..game import GAME
from ..orders import Play, TakeRecruit
from ..reading import STRONGEST
from ..rules.cards import clan
from ..rules.follower import every
from ..views import LordsView
from .ahead import ahead_touches, plan_touches
from .words import follower

Lines = tuple[str, ...]


def touches(view: LordsView, draft: Sequence[str]) -> Sequence[Touch]:
    """Return what may be touched after a draft; () for a seat that is not asked."""
    if not view.question:
        return ()
    asked = {"turn": _turn, "claim": _claim}[view.question]
    drafted = [" ".join(line.split()) for line in draft]
    return beside(
        GAME, view, drafted,
        order=lambda lines: asked(view, lines),
        plan=partial(plan_touches, view),
        ahead=partial(ahead_touches, view, _left(view, parts(drafted).order)),
    )  # fmt: skip


# A turn


def _turn(view: LordsView, lines: Lines) -> list[Touch]:
    """Return the touches of a turn: a recruit, or a card; the card's ways, and a line more for each Makgill that is used."""
    none = Touch("choice:PASS", _("Pass"), ("PASS",), closes=True)
    return _mustering(view, lines) if lines else [*_recruits(view), *_mustering(view, lines)] or [none]


def _recruits(view: LordsView) -> Iterator[Touch]:
    for place, recruit in enumerate(view.recruits if law.may_recruit(view) else (), 1):
        order = (str(TakeRecruit(place=place)),)
        if recruit.up:
            yield Touch(f"card:{recruit.card}", _("Recruit {card}", card=recruit.card), order, closes=True)
        else:
            yield _from_place(place, _("Recruit the face-down card at place {place}", place=place))


def _from_place(place: int, label: str) -> Touch:
    return Touch(f"recruit:{place}", label, (str(TakeRecruit(place=place)),), closes=True)


def _mustering(view: LordsView, lines: Lines) -> list[Touch]:
    """Return the touches that continue lines that play cards: a card, or the ways of the last one."""
    meeting = law.Meeting.begin(view)
    for no, line in enumerate(lines):
        play = _played(view, meeting, line)
        if play is None or not law.goes_on(play):
            return _ways(view, meeting, lines[:no], line) if no == len(lines) - 1 else []
        meeting = meeting.after(play.card)
    return [
        Touch(f"card:{card}", _("Muster {card}", card=card), (*lines, str(Play(card=card))), closes=True)
        for card in meeting.hand
    ]


def _played(view: LordsView, meeting: law.Meeting, line: str) -> Play | None:
    """Return the play of a line, if it is a complete way to play a card of the hand; otherwise None."""
    return next((path[-1].play for path in _paths(view, meeting, line) if _same(path[-1].line, line)), None)


def _ways(view: LordsView, meeting: law.Meeting, before: Lines, line: str) -> list[Touch]:
    """Return the continuations of a line that plays a card: each next step of a path that this line is on."""
    found: dict[str, Touch] = {}
    for path in _paths(view, meeting, line):
        on = next((no for no, step in enumerate(path[:-1]) if _same(step.line, line)), None)
        if on is not None:
            step, whole = path[on + 1], on + 2 == len(path) and not law.goes_on(path[-1].play)
            found.setdefault(step.line, Touch(step.at, step.label, (*before, step.line), closes=whole))
    return list(found.values())


class _Step(NamedTuple):
    """A partial line on the way to a play, with the touch that wrote its last part."""

    line: str
    at: str
    label: str
    play: Play


def _paths(view: LordsView, meeting: law.Meeting, line: str) -> Iterator[list[_Step]]:
    """Go through the ways to play the card that a line names, each as the steps by which it is written."""
    for card in meeting.hand:
        begin = str(Play(card=card))
        if _begins(line, begin):
            first = _Step(begin, f"card:{card}", "", Play(card=card))
            yield [first]
            down = Play(card=card, down=True)
            yield [first, _Step(str(down), "choice:DOWN", _("{card} face-down", card=card), down)]
            lies = _lies(view)
            for play in law.uses(view, meeting, card):
                yield [first, *_using(play, lies)]


def _using(play: Play, lies: Mapping[str, str]) -> Iterator[_Step]:
    """Go through the steps by which a power is used: USE, for a Scott the clan, the target."""
    line = f"{Play(card=play.card)} USE"
    yield _Step(line, "choice:USE", _("Use the power of {card}", card=play.card), play)
    if play.copy_of:
        line = f"{line} {play.copy_of}"
        yield _Step(line, f"choice:{play.copy_of}", _("Copy the power of {clan}", clan=play.copy_of), play)
    if play.target:
        at = lies.get(play.target, f"card:{play.target}")
        label = _("Use {clan} on {target}", clan=play.copy_of or clan(play.card), target=follower(play.target))
        yield _Step(f"{line} {play.target}", at, label, play)


def _lies(view: LordsView) -> dict[str, str]:
    """Return where face-down followers are touched, by what an order calls them: "angus 2" at "follower:angus/2"."""
    found = every(view.armies, view.seats).items()
    return {name: f"follower:{seat}/{place + 1}" for name, (seat, place) in found if name.islower()}


def _same(line: str, other: str) -> bool:
    return line.upper() == other.upper()


def _begins(line: str, begin: str) -> bool:
    return f"{line} ".upper().startswith(f"{begin} ".upper())


# Claims


def _claim(view: LordsView, lines: Lines) -> list[Touch]:
    line = lines[0] if lines else ""
    names = [word.strip().upper() for word in line[len("CLAIM") :].split(",") if word.strip()]
    named = [card for name in names for card in view.supporters if card.upper() == name]
    if len(lines) > 1 or len(named) < len(names) or not _begins(line or "CLAIM", "CLAIM"):
        return []
    wishes = [_wish(named, card) for card in view.supporters if card not in named and len(named) < law.wishes(view)]
    strongest = Touch(f"choice:{STRONGEST}", _("Claim the strongest"), (f"CLAIM {STRONGEST}",), closes=True)
    return wishes if named else [strongest, *wishes]


def _wish(named: Sequence[str], card: str) -> Touch:
    """Return the touch of a supporter that is wanted next after those named."""
    return Touch(f"card:{card}", _("Claim {card}", card=card), (f"CLAIM {', '.join([*named, card])}",), closes=True)


# Turns sent ahead


def _left(view: LordsView, order: Lines) -> list[str]:
    """Return the hand that is left after the lines of an order so far."""
    hand = [card for card in view.hand if not any(_begins(line, str(Play(card=card))) for line in order)]
    for place, recruit in enumerate(view.recruits, 1):
        if recruit.up and any(_same(line, str(TakeRecruit(place=place))) for line in order):
            hand.append(recruit.card)
    return hand
