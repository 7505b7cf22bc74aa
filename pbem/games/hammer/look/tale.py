"""Hammer's past in short: the acts of a turn, each battle by its turning points, luck, awards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import comb
from typing import TYPE_CHECKING, NamedTuple, cast

from pbem.look.tale import Award, GameTale, Passage, Say, ToldBattle, most, passages_of

from ..rules import BLOCK_OF, SIDES
from ..rules.said import _, named
from .board import followers, score
from .summary import _losses
from .words import SIDE, capital, dice, hits, listed, loose, steps, the

if TYPE_CHECKING:
    from pbem.kernel import Json, View

    from ..views import HammerView

LEFT_OUT = {"main attack", "battles", "dealt again", "round", "stays"}
"""What a tale outside of battles does not mention."""
PACE = dict.fromkeys(("turn", "cards", "round", "homes", "turned", "winter move", "pillage", "pillage losses"), ("leads", "")) | {
    "fire": ("leads", "hits"), "hit": ("trails", ""), "regroup": ("trails", "to"),
}  # fmt: skip
"""The facts that have no step of their own in a replay (`pbem.reports.pace`)."""
TURNS = {"killed", "edward", "captured", "unity", "withdraw", "retreat", "control"}
"""The facts that may turn a battle, apart from a volley."""
GOOD = 2
"""The least number of hits of a volley that is told."""
PIPS = 6


class HammerTale(GameTale):
    """See `GameTale`."""

    def passages(self, facts: Sequence[Json], view: View | None, say: Say) -> Sequence[Passage]:
        found: list[Passage] = []
        acts: list[str] = []
        for fought, those in _in_battles(facts):
            if fought:
                found += [*passages_of(acts), _fight(those, say).passage]
                acts = []
            else:
                acts += [say(fact) for fact in those if fact["f"] not in LEFT_OUT]
        found += passages_of(acts)
        if view is not None and any(fact["f"] in ("year ends", "victory") for fact in facts):
            found.append(_holdings(cast("HammerView", view)))
        return found

    def fights(self, facts: Sequence[Json], say: Say) -> Sequence[ToldBattle]:
        return [_fight(those, say) for fought, those in _in_battles(facts) if fought]

    def luck(self, facts: Sequence[Json]) -> Sequence[str]:
        volleys = [_volley(fact) for fact in facts if fact["f"] == "fire" and fact["dice"]]
        if not volleys:
            return ()
        best = min(volleys, key=lambda one: one.chance(at_least=True))
        worst = min(volleys, key=lambda one: one.chance(at_least=False))
        told = [_("The best volley: {volley}.", volley=best.told(at_least=True))]
        if worst.hits * PIPS < worst.dice * worst.rating:
            told.append(_("The worst volley: {volley}.", volley=worst.told(at_least=False)))
        return told

    def awards(self, facts: Sequence[Json]) -> Sequence[Award]:
        return [*_awards(facts)]


TALE = HammerTale()


def _in_battles(facts: Sequence[Json]) -> Iterator[tuple[bool, list[Json]]]:
    """Go through the facts in stretches, those of a battle apart."""
    here: list[Json] = []
    fought = False
    for fact in facts:
        if fact["f"] == "battle":
            if here:
                yield fought, here
            here, fought = [fact], True
        else:
            here.append(fact)
            if fought and fact["f"] == "battle over":
                yield True, here
                here, fought = [], False
    if here:
        yield fought, here


def _fight(facts: Sequence[Json], say: Say) -> ToldBattle:
    """Return a battle by its turning points: who met whom, what turned it, who won, and what it cost."""
    _empty, head, *begins = say(facts[0]).split("\n")
    volleys = [fact for fact in facts if fact["f"] == "fire" and fact["hits"] >= GOOD]
    best = max((fact["hits"] for fact in volleys), default=0)
    by_round: dict[int, list[str]] = {0: []}
    no = 0
    for fact in facts[1:]:
        if fact["f"] == "round":
            no = fact["round"]
            by_round.setdefault(no, [])
        elif fact["f"] == "reveal" or (fact["f"] in TURNS and fact.get("gone", True)):
            by_round[no] += [capital(line.strip()) for line in say(fact).split("\n")]
        elif fact in volleys and fact["hits"] == best:
            by_round[no].append(_volley(fact).sentence(fact))
    rounds = [
        _("Round {round}: {what}", round=n, what=" ".join(what)) if n > 1 else " ".join(what)
        for n, what in by_round.items()
        if what
    ]
    lost = _losses(facts)
    cost = [
        _("{who} lost {steps}", who=the(side), steps=steps(n))
        for side in SIDES
        if (n := sum(lost.steps[side].values()))
    ]
    end = [say(fact).strip() for fact in facts if fact["f"] == "battle over"]
    close = " ".join([*end, *([capital(_("; ").join(cost)) + "."] if cost else [])])
    killed = sum(fact["f"] in ("killed", "captured") for fact in facts)
    weight = sum(sum(lost.steps[side].values()) for side in SIDES) + 4 * killed + no
    return ToldBattle(Passage(head, tuple(filter(None, [" ".join(begins), *rounds, close]))), weight)


class _ToldVolley(NamedTuple):
    """The dice of a block: how many, the highest number that hits, and the hits."""

    block: str
    dice: int
    rating: int
    hits: int

    def chance(self, *, at_least: bool) -> float:
        """Return the chance of this number or more; otherwise of this number or fewer."""
        p = self.rating / PIPS
        counts = range(self.hits, self.dice + 1) if at_least else range(self.hits + 1)
        return sum(comb(self.dice, k) * p**k * (1 - p) ** (self.dice - k) for k in counts)

    def told(self, *, at_least: bool) -> str:
        """Return it in words, with its chance."""
        percent = max(1, round(100 * self.chance(at_least=at_least)))
        said = {"block": named(self.block), "hits": hits(self.hits), "dice": self.dice, "percent": percent}
        return _("{block}, {hits} with {dice} dice (a chance of {percent} %)", **said)

    def sentence(self, fact: Json) -> str:
        """Return it in words, with its dice."""
        rolled = dice(fact["dice"], fact["rating"])
        return _("{block}: {rolled}, {hits}.", block=named(self.block), rolled=rolled, hits=hits(self.hits))


def _volley(fact: Json) -> _ToldVolley:
    return _ToldVolley(fact["block"], len(fact["dice"]), fact["rating"], fact["hits"])


def _holdings(view: HammerView) -> Passage:
    """Return the holdings: the nobles of each side, and the score."""
    lines = [_("{side}: {nobles}.", side=_(SIDE[side]), nobles=loose(followers(view, side))) for side in SIDES]
    return Passage(_("Who holds what"), (*lines, loose(score(view))))


def _awards(facts: Sequence[Json]) -> Iterator[Award]:
    hit, rolled, lost, moved, fought, turned = (Counter[str]() for _kind in range(6))
    for fact in facts:
        match fact["f"]:
            case "fire":
                hit[fact["block"]] += fact["hits"]
                rolled[fact["block"]] += len(fact["dice"])
            case "battle":
                fought[fact["area"]] += 1
            case "move" | "sea move":
                moved.update(fact.get("blocks", ()))
            case "captured" | "defection" | "turned":
                turned[fact["noble"]] += 1
    for by_block in _losses(facts).steps.values():
        lost.update(by_block)
    if best := most(hit, 2):
        yield Award(
            _("The sharpest sword"),
            named(best[0]),
            _("{hits} with {dice} dice", hits=hits(best[1]), dice=rolled[best[0]]),
        )
    if best := most(lost, 2):
        yield Award(_("The thickest skin"), named(best[0]), _("{steps} lost in battle", steps=steps(best[1])))
    if best := most(moved, 3):
        yield Award(_("The longest road"), named(best[0]), _("moved {n} times", n=best[1]))
    if best := most(turned, 2):
        yield Award(_("The turning coat"), named(best[0]), _("changed sides {n} times", n=best[1]))
    if best := most(fought, 2):
        yield Award(_("The trampled field"), named(best[0]), _("{n} battles", n=best[1]))
    safe = [BLOCK_OF[key] for key in _seen_strong(facts) if not lost[BLOCK_OF[key]]]
    if len(safe) in (1, 2):
        yield Award(_("Not a scratch"), listed(safe), _("fought in three battles or more, and lost no step"))


def _seen_strong(facts: Sequence[Json]) -> list[str]:
    """Return the keys of the blocks that were revealed in three battles or more."""
    shown = Counter(key for fact in facts if fact["f"] == "reveal" for key in fact["blocks"])
    return [key for key, n in shown.items() if n >= 3]
