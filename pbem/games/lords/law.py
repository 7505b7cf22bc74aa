"""What a seat may order in its turn, from its own view: which cards, which powers, which targets, and why not.

"On your turn", "Clan powers" and their clarifications. A turn is a line of plays: each but the last is a Makgill that is used, or a
Scott that copies one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from pbem.i18n import N_, _
from pbem.kernel import Chooser, Order, Refusal
from pbem.kernel.slots import NotYet

from .orders import Claim, Muster, Pass, Play, TakeRecruit
from .rules.cards import COCKBURN, FERGUSON, LIMIT, MAKGILL, SCOTT, WEMYSS, clan
from .rules.follower import every
from .views import LordsView

TURN, TURN_A, TURN_B = N_("On your turn"), N_("On your turn, A"), N_("On your turn, B")
POWERS, CLAIMS = N_("Clan powers"), N_("The end of the round")
ALTERNATIVE = N_("Alternative rules")
"""Headings of the rule book, which has no numbers."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """The cards that a played card meets: the rest of the hand, and the face-up followers."""

    hand: tuple[str, ...]
    face_up: tuple[str, ...]

    @staticmethod
    def begin(view: LordsView) -> Meeting:
        """Return what the first card of a turn meets, itself still in the hand."""
        return Meeting(tuple(view.hand), view.face_up)

    def after(self, card: str) -> Meeting:
        """Return what comes after a card was played face-up."""
        return Meeting(tuple(other for other in self.hand if other != card), (*self.face_up, card))


def may_recruit(view: LordsView) -> bool:
    """May this seat recruit: is there a recruit, and room in the hand?"""
    return bool(view.recruits) and len(view.hand) < LIMIT


def uses(view: LordsView, meeting: Meeting, card: str) -> Iterator[Play]:
    """Go through the ways to use the power of a card of the hand, mustered face-up now; none where it does not activate."""
    if not view.terms.may_activate(card, meeting.face_up):
        return
    for copied in _copied(meeting) if clan(card) == SCOTT else [""]:
        for target in _targets(view, meeting, copied or clan(card)):
            yield Play(card=card, use=True, copy_of=copied, target=target)


def _copied(meeting: Meeting) -> list[str]:
    """Return the clans with a power that a Scott can copy: of any face-up follower except Scotts, which have no power of their
    own."""
    return sorted({clan(other) for other in meeting.face_up} - {SCOTT})


def _targets(view: LordsView, meeting: Meeting, power: str) -> list[str]:
    """Return what a power can be turned on; [""] for those that need no target."""
    if power == COCKBURN:
        return view.supporters
    if power == FERGUSON:
        return list(every(view.armies, view.others))
    if power == WEMYSS:
        followers = list(every(view.armies, view.seats))
        return followers + [card for card in meeting.face_up if card not in view.face_up]
    return [] if power == MAKGILL and len(meeting.hand) == 1 else [""]


def goes_on(play: Play) -> bool:
    """Does another card follow in the same turn?"""
    return play.use and MAKGILL in (play.copy_of, clan(play.card))


# What may come next in a turn


def may_muster(view: LordsView, order: Muster) -> Sequence[str]:
    """Return the cards that may be mustered after the plays of an order."""
    *before, _last = order.plays
    return _meeting(view, before).hand if not before or goes_on(before[-1]) else ()


def ways(view: LordsView, order: Muster) -> list[Play]:
    """Return the ways to use the power of the card that an order plays last."""
    *before, last = order.plays
    return [] if last.down else list(uses(view, _meeting(view, before), last.card))


def _meeting(view: LordsView, plays: Sequence[Play]) -> Meeting:
    return reduce(lambda meeting, play: meeting.after(play.card), plays, Meeting.begin(view))


def _ways(view: LordsView, meeting: Meeting, card: str) -> Iterator[Play]:
    yield Play(card=card)
    yield Play(card=card, down=True)
    yield from uses(view, meeting, card)


def sample_turn(view: LordsView, chooser: Chooser) -> Order:
    """Return a random order for a turn."""
    places = len(view.recruits) if may_recruit(view) else 0
    chosen = chooser.randrange(places + len(view.hand))
    if chosen < places:
        return TakeRecruit(place=chosen + 1)
    plays: list[Play] = []
    meeting = Meeting.begin(view)
    card = view.hand[chosen - places]
    while True:
        ways = list(_ways(view, meeting, card))
        plays.append(ways[chooser.randrange(len(ways))])
        if not goes_on(plays[-1]):
            return Muster(plays=tuple(plays))
        meeting = meeting.after(card)
        card = meeting.hand[chooser.randrange(len(meeting.hand))]


# Why not


def why_not_recruit(view: LordsView, order: TakeRecruit) -> Refusal | None:
    """Return why a recruit cannot be taken, or None."""
    if not view.recruits:
        return Refusal(_("there are no recruits"), _(TURN_A))
    if len(view.hand) >= LIMIT:
        return Refusal(_("you hold {n} cards, so you may not recruit", n=LIMIT), _(TURN_A))
    if not 1 <= order.place <= len(view.recruits):
        return Refusal(_("there is no recruit {place}", place=order.place), _(TURN_A))
    return None


def why_not_pass(view: LordsView, _order: Pass) -> Refusal | None:
    """Return why a seat cannot pass, or None."""
    return Refusal(_("you must recruit or muster"), _(TURN)) if view.hand or may_recruit(view) else None


def no_turn(_view: LordsView, order: Order) -> Refusal:
    """Return the refusal of an order of another kind."""
    return Refusal(_("“{order}” is no turn", order=order), _(TURN))


def why_not_muster(view: LordsView, order: Muster) -> Refusal | None:
    """Return why cards cannot be mustered so, or what is missing; None if they can."""
    meeting, plays = Meeting.begin(view), order.plays
    for no, play in enumerate(plays):
        if no and not goes_on(plays[no - 1]):
            why = _("{card} is one card too many: only a Makgill that you USE musters another", card=play.card)
            return Refusal(why, MAKGILL)
        if refusal := _why_not_play(view, meeting, play):
            return refusal
        meeting = meeting.after(play.card)
    if goes_on(plays[-1]):
        why = _("{card} is used, so another card of your hand follows", card=plays[-1].card)
        return NotYet(why, MAKGILL)
    return None


def _why_not_play(view: LordsView, meeting: Meeting, play: Play) -> Refusal | None:
    card = play.card
    if card not in meeting.hand:
        return Refusal(_("{card} is not in your hand", card=card), _(TURN_B))
    if not play.use:
        if not play.copy_of and not play.target:
            return None
        return Refusal(_("a power that is not used has no target"), _(TURN_B))
    if play.down:
        why = _("cards which are played face-down do not activate their powers")
        return Refusal(why, _(POWERS))
    if not view.terms.may_activate(card, meeting.face_up):
        return Refusal(_hindered(view, card), _(ALTERNATIVE if view.terms.condition == "clan" else POWERS))
    possible = list(uses(view, meeting, card))
    if play in possible:
        return None
    begun = any(not play.target and play.copy_of in ("", use.copy_of) for use in possible)
    return (NotYet if begun else Refusal)(_no_such_use(play, meeting, possible), clan(card))


def _hindered(view: LordsView, card: str) -> str:
    if view.terms.condition == "clan":
        return _(
            "{card} does not activate: another face-up follower of clan {clan} is not stronger",
            card=card,
            clan=clan(card),
        )
    return _("{card} does not activate: another face-up follower has a lower strength", card=card)


def _no_such_use(play: Play, meeting: Meeting, possible: list[Play]) -> str:
    if clan(play.card) == SCOTT and play.copy_of not in _copied(meeting):
        if not _copied(meeting):
            return _("there is no face-up follower whose power a Scott could copy")
        if not play.copy_of:
            line = Muster(plays=(next(iter(possible), Play(card=play.card, use=True, copy_of=_copied(meeting)[0])),))
            return _("a Scott copies the power of a clan, which has to be named, as in {line}", line=line)
        return _("no face-up follower has the power of {clan}", clan=play.copy_of)
    if play.target:
        return _("{target} is nothing that the power can be turned on", target=play.target)
    if any(use.copy_of == play.copy_of for use in possible):
        return _("the power needs a target")
    return _("there is nothing that the power can be turned on")


# Claims


def wishes(view: LordsView) -> int:
    """Return how many supporters a claim can name to any effect: one's own, and as many as others may take before."""
    before = view.placing[: view.placing.index(view.seat)] if view.terms.claims == "together" else []
    return min(len(view.supporters), sum(map(view.claims, [*before, view.seat])))


def claims(view: LordsView) -> Iterator[Order]:
    """Go through some claims: none, each supporter alone, and as many as can have an effect."""
    yield from (Claim(cards=cards) for cards in ((), *zip(view.supporters), tuple(view.supporters[: wishes(view)])))


def sample_claim(view: LordsView, chooser: Chooser) -> Order:
    """Return a random claim."""
    left, named = list(view.supporters), chooser.randrange(wishes(view) + 1)
    return Claim(cards=tuple(left.pop(chooser.randrange(len(left))) for _time in range(named)))


def why_not_claim(view: LordsView, order: Claim) -> Refusal | None:
    """Return why a claim cannot be made, or None."""
    for card in order.cards:
        if card not in view.supporters:
            why = _("{card} is no supporter on the table", card=card)
            return Refusal(why, _(CLAIMS))
        if order.cards.count(card) > 1:
            return Refusal(_("{card} is named twice", card=card), _(CLAIMS))
    return None


def no_claim(_view: LordsView, order: Order) -> Refusal:
    """Return the refusal of an order of another kind."""
    return Refusal(_("“{order}” claims nothing", order=order), _(CLAIMS))
