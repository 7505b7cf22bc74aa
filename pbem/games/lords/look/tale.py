"""Lords' past in short: what everybody mustered, the skirmish, the claims; luck of the deal; awards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pbem.i18n import _, _n
from pbem.look.tale import Award, GameTale, Passage, Say, ToldBattle, most

from .words import both, cards, lord

if TYPE_CHECKING:
    from pbem.kernel import Json, View

BEFORE = {"first", "supporters", "same", "shuffle"}
POWERS = {"power"}
AFTER = {"claim", "unclaimed", "stay"}


class LordsTale(GameTale):
    """See `GameTale`."""

    def passages(self, facts: Sequence[Json], view: View | None, say: Say) -> Sequence[Passage]:
        told = [_one(say(fact)) for fact in facts if fact["f"] in BEFORE]
        told += [*_musters(facts)]
        told += [_one(say(fact)) for fact in facts if fact["f"] in POWERS]
        hands = [_one(say(fact)) for fact in facts if fact["f"] == "show hand"]
        fights = [fight.passage for fight in self.fights(facts, say)]
        return [Passage("", tuple(told)), *fights, Passage("", tuple(hands))]

    def fights(self, facts: Sequence[Json], say: Say) -> Sequence[ToldBattle]:
        found: list[ToldBattle] = []
        turned: list[str] = []
        no = 0
        for fact in facts:
            if fact["f"] == "round":
                no = fact["round"]
            elif fact["f"] == "flip":
                turned.append(_one(say(fact)))
            elif fact["f"] == "armies" and fact["armies"]:
                totals = [army["total"] for army in fact["armies"]]
                close = max(0, 20 - (totals[0] - totals[1])) if len(totals) > 1 else 0
                row = ", ".join(f"{lord(army['seat'])} {army['total']}" for army in fact["armies"])
                head = _("The skirmish of round {round}", round=no)
                found.append(
                    ToldBattle(Passage(head, (*turned, _("Armies: {armies}.", armies=row))), sum(totals[:2]) + close)
                )
                turned = []
            elif fact["f"] in AFTER and found:
                last = found[-1]
                found[-1] = ToldBattle(Passage(last.passage.head, (*last.passage.lines, _one(say(fact)))), last.weight)
        return found

    def luck(self, facts: Sequence[Json]) -> Sequence[str]:
        return [*_luck(facts)]

    def awards(self, facts: Sequence[Json]) -> Sequence[Award]:
        return [*_awards(facts)]


TALE = LordsTale()
_RANKS = {str(rank): rank for rank in range(1, 13)}


def _one(text: str) -> str:
    return " ".join(text.split())


def _musters(facts: Sequence[Json]) -> Iterator[str]:
    """Say of everybody what was mustered, and how many recruits were taken."""
    army: dict[str, list[str]] = {}
    taken = Counter(fact["seat"] for fact in facts if fact["f"] == "recruit")
    for fact in facts:
        if fact["f"] == "muster":
            card = fact.get("card") or _("a card")
            army.setdefault(fact["seat"], []).append(card if fact.get("up") else _("{card} face-down", card=card))
    for seat in dict.fromkeys((*army, *taken)):
        said = {"lord": lord(seat), "cards": both(army.get(seat, ())), "recruits": cards(taken[seat])}
        yield _("{lord} musters {cards}, and recruits {recruits}.", **said)


def _strengths(named: Sequence[str]) -> list[int]:
    return [_RANKS.get(name.rpartition(" ")[2], 0) for name in named]


def _luck(facts: Sequence[Json]) -> Iterator[str]:
    """Say which first hand was strongest, where all are known."""
    hands = {
        fact["seat"]: sum(_strengths(fact["cards"])) for fact in facts if fact["f"] == "hand" and fact.get("cards")
    }
    if len(hands) > 1 and (best := most(hands)):
        rest = ", ".join(f"{lord(seat)} {n}" for seat, n in hands.items() if seat != best[0])
        yield _("The best first hand: {lord}, with {n} in all ({rest}).", lord=lord(best[0]), n=best[1], rest=rest)


def _awards(facts: Sequence[Json]) -> Iterator[Award]:
    powers, down, claimed, close = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    wins: list[tuple[int, str]] = []
    for fact in facts:
        match fact["f"]:
            case "armies" if fact["armies"]:
                first = fact["armies"][0]
                wins.append((first["total"], first["seat"]))
                if len(fact["armies"]) > 1 and first["total"] - fact["armies"][1]["total"] <= 2:
                    close[first["seat"]] += 1
            case "power":
                powers[fact["seat"]] += 1
            case "muster" if not fact.get("up"):
                down[fact["seat"]] += 1
            case "claim":
                claimed[fact["seat"]] = max(claimed[fact["seat"]], len(fact["cards"]))
    if wins:
        (least, modest), (host, greatest) = min(wins), max(wins)
        yield Award(_("The greatest host"), lord(greatest), _("an army of {n}", n=host))
        if least < host:
            yield Award(_("Enough is enough"), lord(modest), _("won a skirmish with an army of {n}", n=least))
    if found := most(powers, 2):
        yield Award(_("The schemer"), lord(found[0]), _("used {n} powers", n=found[1]))
    if found := most(down, 2):
        yield Award(_("The closed visor"), lord(found[0]), _("mustered {cards} face-down", cards=cards(found[1])))
    if found := most(claimed, 2):
        yield Award(_("The full hall"), lord(found[0]), _("claimed {cards} in one round", cards=cards(found[1])))
    if found := most(close):
        yield Award(
            _("By a hair"),
            lord(found[0]),
            _n("won {n} skirmish by two or less", "won {n} skirmishes by two or less", found[1]),
        )
