"""What a seat may order in its turn, from its own view: which cards, which powers, which targets, and why not.

"On your turn", "Clan powers" and their clarifications. A turn is a line of plays: each but the last is a Makgill that is used, or a
Scott that copies one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pbem.i18n import N_, _
from pbem.kernel import Chooser, Composed, Listed, Options, Order, Refusal

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


# The options of a turn


def turn(view: LordsView) -> Options:
    """Return what may be ordered in a turn."""
    if not view.hand and not may_recruit(view):
        return Listed([Pass()])
    words = [_recruits(view)] if may_recruit(view) else []
    if view.hand:
        words.append(
            _(
                "Say MUSTER and one of these, with DOWN to lay it face-down, or with USE where its power activates: {cards}.",
                cards=", ".join(view.hand),
            )
        )
    return Composed(
        lambda chooser: _sample(view, chooser),
        lambda: _every(view),
        lambda o: why_not(view, o) is None,
        "\n".join(words),
    )


def _every(view: LordsView) -> Iterator[Order]:
    if may_recruit(view):
        yield from (TakeRecruit(place=place) for place in range(1, len(view.recruits) + 1))
    yield from (Muster(plays=plays) for plays in _plays(view, Meeting.begin(view)))


def _plays(view: LordsView, meeting: Meeting) -> Iterator[tuple[Play, ...]]:
    for card in meeting.hand:
        for play in _ways(view, meeting, card):
            if goes_on(play):
                yield from ((play, *rest) for rest in _plays(view, meeting.after(card)))
            else:
                yield (play,)


def _ways(view: LordsView, meeting: Meeting, card: str) -> Iterator[Play]:
    yield Play(card=card)
    yield Play(card=card, down=True)
    yield from uses(view, meeting, card)


def _sample(view: LordsView, chooser: Chooser) -> Order:
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


def _recruits(view: LordsView) -> str:
    return _("Say RECRUIT and the place of a card, 1 to {n}.", n=len(view.recruits))


def why_not(view: LordsView, order: Order) -> Refusal | None:
    """Return why an order cannot be given in a turn, or None."""
    match order:
        case TakeRecruit(place=place):
            if not view.recruits:
                return Refusal(_("there are no recruits"), _(TURN_A))
            if len(view.hand) >= LIMIT:
                return Refusal(_("you hold {n} cards, so you may not recruit", n=LIMIT), _(TURN_A))
            if not 1 <= place <= len(view.recruits):
                return Refusal(_("there is no recruit {place}", place=place), _(TURN_A))
            return None
        case Muster(plays=plays):
            return _why_not_muster(view, plays)
        case Pass():
            if view.hand or may_recruit(view):
                return Refusal(_("you must recruit or muster"), _(TURN))
            return None
    return Refusal(_("“{order}” is no turn", order=order), _(TURN))


def _why_not_muster(view: LordsView, plays: tuple[Play, ...]) -> Refusal | None:
    meeting = Meeting.begin(view)
    for no, play in enumerate(plays):
        if no and not goes_on(plays[no - 1]):
            why = _("{card} is one card too many: only a Makgill that you USE musters another", card=play.card)
            return Refusal(why, MAKGILL)
        if refusal := _why_not_play(view, meeting, play):
            return refusal
        meeting = meeting.after(play.card)
    if goes_on(plays[-1]):
        why = _("{card} is used, so another card of your hand follows", card=plays[-1].card)
        return Refusal(why, MAKGILL)
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
    return Refusal(_no_such_use(play, meeting, possible), clan(card))


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


def claims(view: LordsView) -> Options:
    """Return what may be claimed: any list of supporters, best first; as many as can have an effect are counted."""

    def every_claim() -> Iterator[Order]:
        yield from (Claim(cards=cards) for cards in ((), *zip(view.supporters), tuple(view.supporters[: wishes(view)])))

    def sample(chooser: Chooser) -> Order:
        left, named = list(view.supporters), chooser.randrange(wishes(view) + 1)
        return Claim(cards=tuple(left.pop(chooser.randrange(len(left))) for _time in range(named)))

    words = _("Say CLAIM STRONGEST, or CLAIM and any of these, best first: {cards}.", cards=", ".join(view.supporters))
    return Composed(sample, every_claim, lambda order: why_not_claim(view, order) is None, words)


def why_not_claim(view: LordsView, order: Order) -> Refusal | None:
    """Return why a claim cannot be made, or None."""
    if not isinstance(order, Claim):
        return Refusal(_("“{order}” claims nothing", order=order), _(CLAIMS))
    for card in order.cards:
        if card not in view.supporters:
            why = _("{card} is no supporter on the table", card=card)
            return Refusal(why, _(CLAIMS))
        if order.cards.count(card) > 1:
            return Refusal(_("{card} is named twice", card=card), _(CLAIMS))
    return None


OPTIONS = {"turn": turn, "claim": claims}
WHY_NOT = {"turn": why_not, "claim": why_not_claim}
"""Every question -> what may be answered, and why an order may not."""
