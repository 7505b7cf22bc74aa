"""Reads orders and plans: from what a player typed to models, with every bad line named. It sees the view for targets only.

Plans are for claims:

- `PLAN CLAIM STRONGEST`: the strongest supporter left
- `PLAN CLAIM Scott 9, Wemyss 12`: the first of these that is left, then the strongest
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from pbem.errors import OrderError, Problem
from pbem.i18n import N_, _
from pbem.kernel import Line, Names, Order, read_each, read_orders

from .orders import Claim, Muster, Pass, Play, TakeRecruit
from .rules.cards import CLANS, NORMAL, ROYAL, SCOTT, clan
from .rules.follower import name
from .views import LordsView

STRONGEST = "STRONGEST"
VERBS: Mapping[str, tuple[str, ...]] = {"turn": ("RECRUIT", "MUSTER", "PASS"), "claim": ("CLAIM",)}
"""The first words of the orders that answer each question."""

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
    verbs = VERBS.get(question or view.question)
    if verbs is None:
        raise OrderError(Problem(0, "", _("you are not asked anything now")))
    lines = read_orders(text)
    found, problems = read_each(lines, lambda line: (line, _read_line(view, line, verbs)))
    plays = tuple(play for _line, order in found if isinstance(order, Muster) for play in order.plays)
    if not lines:
        problems.append(Problem(0, "", _("there is no order here"), legal=", ".join(verbs)))
    if len(found) > max(1, len(plays)):
        problems += [Problem(line.no, line.text, _("one order is enough here")) for line, _order in found[1:]]
    if problems:
        raise OrderError(*sorted(problems, key=lambda problem: problem.line))
    return Muster(plays=plays) if plays else found[0][1]


def read_ahead(view: LordsView, text: str) -> str:
    """Return the canonical text of an order for a later turn. Raises OrderError.

    A recruit that is named by its card stays named so: it may lie elsewhere by then, or be gone.
    """
    (line,) = read_orders(text)[:1] or [Line(0, "")]
    verb, _blank, rest = line.text.partition(" ")
    if _CARD.fullmatch(rest.strip()) and Names(VERBS["turn"], "order").find(verb.rstrip(":"), line) == "RECRUIT":
        return f"RECRUIT {find_card(rest, line)}"
    order = read_order(view, text, "turn")
    for play in order.plays if isinstance(order, Muster) else ():
        if play.use and clan(play.card) == SCOTT and not play.copy_of:
            named = Muster(plays=(play.model_copy(update={"copy_of": CLANS[-1]}),))
            raise line.refusal(
                _("a Scott copies the power of a clan, which has to be named, as in {line}", line=named), str(named)
            )
    return str(order)


@cache
def _verbs(verbs: tuple[str, ...]) -> Names:
    return Names(verbs, N_("order"))


def _read_line(view: LordsView, line: Line, verbs: tuple[str, ...]) -> Order:
    word, _blank, rest = line.text.partition(" ")
    match _verbs(verbs).find(word.rstrip(":"), line):
        case "RECRUIT":
            return TakeRecruit(place=_place(view, line, rest.strip()))
        case "MUSTER":
            return Muster(plays=(_play(view, line, rest),))
        case "CLAIM":
            return Claim(cards=_wishes(line, rest))
    if rest:
        raise line.refusal(_("PASS stands alone"), "PASS")
    return Pass()


def _place(view: LordsView, line: Line, text: str) -> int:
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


def _wishes(line: Line, text: str) -> tuple[str, ...]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if words and STRONGEST.startswith(words[-1].upper()):
        words.pop()
    elif not words:
        raise line.refusal(_("which supporters, best first?"), f"CLAIM {STRONGEST}")
    return tuple(find_card(word, line) for word in words)


# Plans


def read_plans(text: str) -> str:
    """Return the canonical text of typed plans, `CLAIM Scott 12, Wemyss 9` or "" for none. Raises OrderError."""
    found, problems = read_each(read_orders(text), _plan)
    if len(found) > 1:
        problems.append(Problem(0, str(found[1]), _("one plan for claims is enough")))
    if problems:
        raise OrderError(*problems)
    return str(found[0]) if found else ""


def _plan(line: Line) -> Claim:
    verb, _blank, rest = line.text.partition(" ")
    if verb.upper() == "PLAN":
        verb, _blank, rest = rest.strip().partition(" ")
    try:
        Names(VERBS["claim"], N_("plan")).find(verb.rstrip(":"), line)
    except OrderError:
        why = _("plans speak for claims alone: a turn is always asked")
        raise line.refusal(why, f"PLAN CLAIM {STRONGEST}") from None
    return Claim(cards=_wishes(line, rest))


def planned_claim(view: LordsView, plans: str) -> Claim:
    """Return the claim that canonical plans make: what they name and does not lie there is passed over."""
    wishes = _wishes(Line(1, plans), plans.partition(" ")[2])
    return Claim(cards=tuple(card for card in wishes if card in view.supporters))
