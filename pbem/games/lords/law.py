"""What a seat may order in its turn, from its own view: which cards, which powers, which targets, and why not.

"On your turn", "Clan powers" and their clarifications. A turn is a line of plays: each but the last is a Makgill that is used, or a
Scott that copies one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pbem.kernel import Chooser, Composed, Listed, Options, Order, Refusal

from .orders import Claim, Muster, Pass, Play, TakeRecruit
from .rules.cards import COCKBURN, FERGUSON, LIMIT, MAKGILL, SCOTT, WEMYSS, clan
from .rules.follower import every
from .views import LordsView

TURN_A, TURN_B = "On your turn, A", "On your turn, B"
POWERS, CLAIMS = "Clan powers", "The end of the round"


class Use(NamedTuple):
    """A way to use a card's power: the clan that a Scott copies, or "", and the target, or ""."""

    copy_of: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Meeting:
    """What a card meets when it is played: the rest of the hand, and the face-up followers there are."""

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


def uses(view: LordsView, meeting: Meeting, card: str) -> Iterator[Use]:
    """Go through the ways to use the power of a card of the hand, mustered face-up now; none where it does not activate."""
    if not view.terms.may_activate(card, meeting.face_up):
        return
    left = [other for other in meeting.hand if other != card]
    if clan(card) != SCOTT:
        yield from (Use("", target) for target in _targets(view, meeting, clan(card), left))
        return
    for copied in _copied(meeting):
        yield from (Use(copied, target) for target in _targets(view, meeting, copied, left))


def _copied(meeting: Meeting) -> list[str]:
    """Return the clans whose power a Scott can copy: of any face-up follower; a Scott has none of its own to give."""
    return sorted({clan(other) for other in meeting.face_up} - {SCOTT})


def _targets(view: LordsView, meeting: Meeting, power: str, left: list[str]) -> list[str]:
    """Return what a power can be turned on; [""] for those that need no target."""
    if power == COCKBURN:
        return view.supporters
    if power == FERGUSON:
        return list(every(view.armies, view.others))
    if power == WEMYSS:
        followers = list(every(view.armies, view.seats))
        return followers + [card for card in meeting.face_up if card not in view.face_up]
    if power == MAKGILL:
        return [""] if left else []
    return [""]


def goes_on(play: Play) -> bool:
    """Does another card follow in the same turn?"""
    return play.use and MAKGILL in (play.copy_of, clan(play.card))


# The options of a turn


def turn(view: LordsView) -> Options:
    """Return what may be ordered in a turn."""
    if not view.hand and not may_recruit(view):
        return Listed([Pass()])
    words = []
    if may_recruit(view):
        words.append(f"RECRUIT 1 to {len(view.recruits)}")
    if view.hand:
        words.append(f"MUSTER one of {', '.join(view.hand)}, face-up, DOWN, or USE its power where it activates")
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
    yield from (Play(card=card, use=True, **use._asdict()) for use in uses(view, meeting, card))


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


def why_not(view: LordsView, order: Order) -> Refusal | None:
    """Return why an order cannot be given in a turn, or None."""
    match order:
        case TakeRecruit(place=place):
            if not view.recruits:
                return Refusal("there are no recruits", TURN_A)
            if len(view.hand) >= LIMIT:
                return Refusal(f"you hold {LIMIT} cards, so you may not recruit", TURN_A, "MUSTER …")
            if not 1 <= place <= len(view.recruits):
                return Refusal(f"there is no recruit {place}", TURN_A, f"RECRUIT 1 to {len(view.recruits)}")
            return None
        case Muster(plays=plays):
            return _why_not_muster(view, plays)
        case Pass():
            if view.hand or may_recruit(view):
                return Refusal("you must recruit or muster", "On your turn", "RECRUIT …, MUSTER …")
            return None
    return Refusal(f"“{order}” is no turn", "On your turn", "RECRUIT …, MUSTER …")


def _why_not_muster(view: LordsView, plays: tuple[Play, ...]) -> Refusal | None:
    meeting = Meeting.begin(view)
    for no, play in enumerate(plays):
        if no and not goes_on(plays[no - 1]):
            return Refusal(f"{play.card} is one card too many: only a Makgill that you USE musters another", MAKGILL)
        refusal = _why_not_play(view, meeting, play)
        if refusal:
            return refusal
        meeting = meeting.after(play.card)
    if goes_on(plays[-1]):
        return Refusal(f"{plays[-1].card} is used, so another card of your hand follows", MAKGILL, "a MUSTER line more")
    return None


def _why_not_play(view: LordsView, meeting: Meeting, play: Play) -> Refusal | None:
    card = play.card
    if card not in meeting.hand:
        return Refusal(f"{card} is not in your hand", TURN_B, ", ".join(meeting.hand))
    if not play.use:
        bare = not play.copy_of and not play.target
        return None if bare else Refusal("a power that is not used has no target", TURN_B, f"{Play(card=card)} USE …")
    if play.down:
        return Refusal("cards which are played face-down do not activate their powers", POWERS, f"MUSTER {card} DOWN")
    if not view.terms.may_activate(card, meeting.face_up):
        return Refusal(f"{card} does not activate: {_stronger(view, card)}", POWERS, f"MUSTER {card}")
    possible = list(uses(view, meeting, card))
    if Use(play.copy_of, play.target) in possible:
        return None
    return Refusal(_no_such_use(play, meeting, possible), play.copy_of or clan(card), _shown(card, possible))


def _stronger(view: LordsView, card: str) -> str:
    if view.terms.condition == "clan":
        return f"another face-up follower of clan {clan(card)} is not stronger"
    return "another face-up follower has a lower strength"


def _no_such_use(play: Play, meeting: Meeting, possible: list[Use]) -> str:
    if clan(play.card) == SCOTT and play.copy_of not in _copied(meeting):
        return (
            f"no face-up follower has the power of {play.copy_of}" if play.copy_of else "a Scott copies a clan's power"
        )
    if play.target:
        return f"{play.target} is nothing that the power can be turned on"
    meant = any(use.copy_of == play.copy_of for use in possible)
    return "the power needs a target" if meant else "there is nothing that the power can be turned on"


def _shown(card: str, possible: list[Use]) -> str:
    return ", ".join(str(Play(card=card, use=True, **use._asdict())) for use in possible[:6]) or f"MUSTER {card}"


# Claims


def claims(view: LordsView) -> Options:
    """Return what may be claimed: any list of supporters, best first."""

    def every_claim() -> Iterator[Order]:
        yield Claim()
        yield from (Claim(cards=(card,)) for card in view.supporters)
        yield Claim(cards=tuple(view.supporters))

    def sample(chooser: Chooser) -> Order:
        left = list(view.supporters)
        named = chooser.randrange(len(left) + 1)
        return Claim(cards=tuple(left.pop(chooser.randrange(len(left))) for _ in range(named)))

    words = f"CLAIM any of {', '.join(view.supporters)}, best first; or CLAIM STRONGEST"
    return Composed(sample, every_claim, lambda order: why_not_claim(view, order) is None, words)


def why_not_claim(view: LordsView, order: Order) -> Refusal | None:
    """Return why a claim cannot be made, or None."""
    if not isinstance(order, Claim):
        return Refusal(f"“{order}” claims nothing", CLAIMS, "CLAIM STRONGEST")
    for card in order.cards:
        if card not in view.supporters:
            return Refusal(f"{card} is no supporter on the table", CLAIMS, ", ".join(view.supporters))
        if order.cards.count(card) > 1:
            return Refusal(f"{card} is named twice", CLAIMS)
    return None
