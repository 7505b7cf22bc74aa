"""Reads orders and plans: from what a player typed to models, with every bad line named. It sees the view for targets only.

Plans are for claims:

- `PLAN CLAIM STRONGEST`: the strongest supporter left
- `PLAN CLAIM Scott 9, Wemyss 12`: the first of these that is left, then the strongest
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pbem.errors import OrderError, Problem
from pbem.i18n import N_, _
from pbem.kernel import Line, Names, Order, read_each, read_orders
from pbem.kernel.slots import Question, Slot, Way

from . import law
from .orders import Claim, Muster, Pass, Play, TakeRecruit
from .rules.cards import CLANS, NORMAL, ROYAL, SCOTT, clan
from .rules.follower import name
from .views import LordsView

STRONGEST = "STRONGEST"

_CLANS = Names((*CLANS, "Bruce"), N_("clan"))
_CARDS = frozenset((*NORMAL, *ROYAL))
_LYING = {"DOWN": True, "FACE-DOWN": True, "FACEDOWN": True, "UP": False, "FACE-UP": False, "FACEUP": False}
_CARD = re.compile(r"([A-Za-z]+)\s*(\d+|[ab])", re.IGNORECASE)


def find_card(text: str, line: Line) -> str:
    """Return the card that a text means: a clan, which may be cut short, and a number.

    >>> find_card("mac 12", Line(1, ""))
    'MacDonnell 12'
    """
    found = _CARD.fullmatch(text.strip())
    if not found:
        raise line.refusal(_("a card is a clan and a strength"), "Scott 8", read=text)
    whose = _CLANS.find(found[1], line)
    card = f"{whose} {found[2].lower()}"
    if card not in _CARDS:
        own = [other for other in (*NORMAL, *ROYAL) if clan(other) == whose]
        between = _("{first} to {last}", first=own[0], last=own[-1])
        raise line.refusal(_("there is no such card"), between, read=text.strip())
    return card


def read_order(view: LordsView, text: str, question: str = "") -> Order:
    """Return the order that a text means, for the open question or another one. Raises OrderError with every bad line."""
    if (asked := QUESTIONS.get(question or view.question)) is None:
        raise OrderError(Problem(0, "", _("you are not asked anything now")))
    return asked.read(view, text)


def read_ahead(view: LordsView, text: str) -> str:
    """Return the canonical text of an order for a later turn. Raises OrderError.

    A recruit that is named by its card stays named so: it may lie elsewhere by then, or be gone.
    """
    (line,) = read_orders(text)[:1] or [Line(0, "")]
    verb, _blank, rest = line.text.partition(" ")
    if _CARD.fullmatch(rest.strip()) and Names(TURN.by_verb, "order").find(verb.rstrip(":"), line) == "RECRUIT":
        return f"RECRUIT {find_card(rest, line)}"
    order = read_order(view, text, "turn")
    for play in order.plays if isinstance(order, Muster) else ():
        if play.use and clan(play.card) == SCOTT and not play.copy_of:
            named = Muster(plays=(play.model_copy(update={"copy_of": CLANS[-1]}),))
            raise line.refusal(
                _("a Scott copies the power of a clan, which has to be named, as in {line}", line=named), str(named)
            )
    return str(order)


def _find_place(view: LordsView, line: Line, text: str) -> int:
    if re.fullmatch(r"[1-9]\d?", text):
        return int(text)
    legal = _("RECRUIT 1 to {n}", n=len(view.recruits))
    if not _CARD.fullmatch(text):
        raise line.refusal(_("which recruit? They are counted from the left"), legal)
    card, row = find_card(text, line), [recruit.card for recruit in view.recruits]
    if card not in row:
        why = _("{card} does not lie face-up among the recruits", card=card)
        raise line.refusal(why, legal)
    return row.index(card) + 1


def _play(view: LordsView, line: Line, text: str) -> Play:
    words = text.split()
    at = next((at for at, word in enumerate(words) if word.upper() == "USE"), len(words))
    use, named, said = at < len(words), words[:at], words[at + 1 :]
    down = bool(named) and _LYING.get(named[-1].upper(), False)
    if named and named[-1].upper() in _LYING:
        named.pop()
    card, copy_of = find_card(" ".join(named), line), ""
    if use and clan(card) == SCOTT and said:  # the law says what is missing where no clan is named
        copy_of = _CLANS.find(said.pop(0).rstrip(":"), line)
    target = _target(view, line, " ".join(said)) if said else ""
    return Play(card=card, down=down, use=use, copy_of=copy_of, target=target)


_DOWN = re.compile(r"([A-Za-z]+):?\s+(?:DOWN\s+)?(\d{1,2})", re.IGNORECASE)


def _target(view: LordsView, line: Line, text: str) -> str:
    """Return the follower or supporter that a text means: a card, or a seat and the number of a follower in its army."""
    found = _DOWN.fullmatch(text)
    if found:
        try:
            seat = Names(view.seats, N_("seat")).find(found[1], line)
        except OrderError:
            return find_card(text, line)
        place = int(found[2]) - 1
        if 0 <= place < len(view.armies[seat]):
            return name(seat, place, view.armies[seat][place])
        raise line.refusal(_("{seat} has no follower {place}", seat=seat, place=found[2]))
    return find_card(text, line)


# Questions


def _default_turn(view: LordsView) -> Order:
    """Return the first recruit, face-up if there is one; with a full hand the weakest card, mustered face-down."""
    if law.may_recruit(view):
        row = [recruit.up for recruit in view.recruits]
        return TakeRecruit(place=row.index(True) + 1 if True in row else 1)
    if view.hand:
        return Muster(plays=(Play(card=min(view.hand, key=view.terms.worth), down=True),))
    return Pass()


def _turn_in_words(view: LordsView) -> str:
    words = []
    if law.may_recruit(view):
        words.append(_("Say RECRUIT and the place of a card, 1 to {n}.", n=len(view.recruits)))
    if view.hand:
        words.append(
            _(
                "Say MUSTER and one of these, with DOWN to lay it face-down, or with USE where its power activates: {cards}.",
                cards=", ".join(view.hand),
            )
        )
    return "\n".join(words)


def _claim_in_words(view: LordsView) -> str:
    return _("Say CLAIM STRONGEST, or CLAIM and any of these, best first: {cards}.", cards=", ".join(view.supporters))


_PLAYS: Way[LordsView] = Way(
    Play,
    {
        "card": Slot(law.may_muster),
        "down": Slot(lambda _view, _order: (True,)),
        "use": Slot(lambda view, order: (True,) if law.ways(view, order) else ()),
        "copy_of": Slot(lambda view, order: _further(view, order, lambda use: use.copy_of)),
        "target": Slot(lambda view, order: _further(view, order, lambda use: use.target)),
    },
    read=_play,
)


def _further(view: LordsView, order: Muster, named: Callable[[Play], str]) -> list[str]:
    """Return what may be named next of a power that is used."""
    last = order.plays[-1]
    able = (use for use in law.ways(view, order) if last.use and last.copy_of in ("", use.copy_of))
    return [name for name in dict.fromkeys(map(named, able)) if name]


TURN: Question[LordsView] = Question(
    ways=(
        Way(
            TakeRecruit,
            {"place": Slot(lambda view, _order: range(1, len(view.recruits) + 1), _find_place, missing="")},
            law.why_not_recruit,
        ),
        Way(Muster, {"plays": Slot(part=_PLAYS)}, law.why_not_muster),
        Way(Pass, {}, law.why_not_pass),
    ),
    silence=_default_turn,
    otherwise=law.no_turn,
    sample=law.sample_turn,
    words=_turn_in_words,
)
CLAIM: Question[LordsView] = Question(
    ways=(
        Way(
            Claim,
            {
                "cards": Slot(
                    lambda view, _order: view.supporters,
                    lambda _view, line, text: find_card(text, line),
                    missing=N_("which supporters, best first?"),
                    several=True,
                    count=lambda view, _order: (0, law.wishes(view)),
                )
            },
            law.why_not_claim,
        ),
    ),
    silence=lambda _view: Claim(),
    otherwise=law.no_claim,
    few=law.claims,
    sample=law.sample_claim,
    words=_claim_in_words,
)
QUESTIONS = {"turn": TURN, "claim": CLAIM}
"""Every question by its name."""


# Plans


def read_plans(text: str) -> str:
    """Return the canonical text of typed plans, `CLAIM Scott 12, Wemyss 9` or "" for none. Raises OrderError."""
    found, problems = read_each(read_orders(text), _plan)
    if len(found) > 1:
        problems.append(Problem(0, str(found[1]), _("one plan for claims is enough")))
    if problems:
        raise OrderError(*problems)
    return str(found[0]) if found else ""


def _plan(line: Line) -> Order:
    verb, _blank, rest = line.text.partition(" ")
    if verb.upper() == "PLAN":
        verb, _blank, rest = rest.strip().partition(" ")
    try:
        Names(CLAIM.by_verb, N_("plan")).find(verb.rstrip(":"), line)
    except OrderError:
        why = _("plans speak for claims alone: a turn is always asked")
        raise line.refusal(why, "PLAN CLAIM STRONGEST") from None
    return CLAIM.read(None, f"CLAIM {rest}")


def planned_claim(view: LordsView, plans: str) -> Claim:
    """Return the claim that canonical plans make: what they name and does not lie there is passed over."""
    cards = plans.removeprefix("CLAIM ").split(", ")
    return Claim(cards=tuple(card for card in cards if card in view.supporters))
