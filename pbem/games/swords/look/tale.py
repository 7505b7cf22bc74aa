"""Swords' past in short: deployments by player, each battle, the score of a round; luck and awards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pbem.i18n import _
from pbem.look.tale import Award, GameTale, Passage, Say, ToldBattle, most, passages_of

from .luck import luck
from .words import both, cubes, place, player, points

if TYPE_CHECKING:
    from pbem.kernel import Json, View

TOLD = {"kill", "commit", "won", "all lost", "no way", "bonus", "sword"}
"""The facts of a battle that its passage tells."""
BESIDE = {"hold", "cardinal", "wall", "picts", "tokens", "glory", "first"}
"""The facts that are told one by one."""


class SwordsTale(GameTale):
    """See `GameTale`."""

    def passages(self, facts: Sequence[Json], view: View | None, say: Say) -> Sequence[Passage]:
        beside = (" ".join(say(fact).split()) for fact in facts if fact["f"] in BESIDE)
        lines = (*beside, *_first_cubes(facts), *_deployments(facts))
        found = [Passage("", lines)] if lines else []
        found += [fight.passage for fight in self.fights(facts, say)]
        return [*found, *passages_of(say(fact) for fact in facts if fact["f"] == "score")]

    def fights(self, facts: Sequence[Json], say: Say) -> Sequence[ToldBattle]:
        found: list[tuple[str, list[str], int]] = []
        for fact in facts:
            if fact["f"] == "battle":
                there = sum(one["n"] for one in fact["present"])
                weight = fact["token"] + there + 4 * (len(fact["present"]) - 1)
                found.append((say(fact).strip("\n"), [], weight))
            elif fact["f"] in TOLD and found:
                found[-1][1].append(" ".join(say(fact).split()))
        return [ToldBattle(Passage(head, (" ".join(lines),)), weight) for head, lines, weight in found]

    def luck(self, facts: Sequence[Json]) -> Sequence[str]:
        return [*luck(facts)]

    def awards(self, facts: Sequence[Json]) -> Sequence[Award]:
        return [*_awards(facts)]


PACE = {"battle": ("leads", ""), "first": ("leads", "")}
TALE = SwordsTale()


def _first_cubes(facts: Sequence[Json]) -> Iterator[str]:
    """Say where everybody has placed the first cubes."""
    placed: dict[str, list[str]] = {}
    for fact in facts:
        if fact["f"] == "cube":
            placed.setdefault(fact["seat"], []).append(fact["region"])
    for seat, regions in placed.items():
        yield _("{who} begins in {regions}.", who=player(seat), regions=both(regions))


def _deployments(facts: Sequence[Json]) -> Iterator[str]:
    """Say of everybody how many cubes went where, and which castles were taken."""
    sent: dict[str, Counter[str]] = {}
    taken: dict[str, list[str]] = {}
    for fact in facts:
        if fact["f"] == "deploy":
            sent.setdefault(fact["seat"], Counter())[fact["region"]] += len(fact["pulled"])
        elif fact["f"] == "take":
            taken.setdefault(fact["seat"], []).append(fact["castle"])
    for seat, to in sent.items():
        where = both(_("{cubes} to {region}", cubes=cubes(n), region=region) for region, n in to.items())
        yield _("{who} deploys {where}.", who=player(seat), where=where)
        if castles := taken.get(seat):
            yield _("{who} occupies {castles}.", who=player(seat), castles=both(map(place, castles)))


def _awards(facts: Sequence[Json]) -> Iterator[Award]:
    killed, fought, carried, alone = (Counter[str]() for _kind in range(4))
    best: tuple[int, str, str] = (0, "", "")
    small: tuple[int, int, str, str] = (9, 0, "", "")
    numbers: dict[str, Json] = {}
    for fact in facts:
        match fact["f"]:
            case "battle":
                fought[fact["region"]] += 1
                numbers = {}
            case "kill":
                killed[fact["seat"]] += 1
            case "shift":
                carried[fact["seat"]] += fact["n"]
            case "commit":
                numbers |= {one["seat"]: one for one in fact["numbers"]}
            case "won":
                alone[fact["seat"]] += fact["how"] == "unopposed"
                best = max(best, (fact["points"], fact["seat"], fact["region"]))
                if (one := numbers.get(fact["seat"])) and len(numbers) > 1:
                    small = min(small, (one["n"], -one["of"], fact["seat"], fact["region"]))
    if best[0]:
        yield Award(
            _("The richest prize"),
            player(best[1]),
            _("{points} for a battle in {region}", points=points(best[0]), region=best[2]),
        )
    if small[2]:
        yield Award(
            _("The best bluff"),
            player(small[2]),
            _("won in {region} with {cubes} of {of}", region=small[3], cubes=cubes(small[0]), of=-small[1]),
        )
    if found := most(killed, 2):
        yield Award(
            _("The lord of castles"), player(found[0]), _("castles that removed {cubes}", cubes=cubes(found[1]))
        )
    if found := most(carried, 2):
        yield Award(
            _("The longest march"), player(found[0]), _("shifted {cubes} from region to region", cubes=cubes(found[1]))
        )
    if found := most(alone, 2):
        yield Award(_("Nobody at home"), player(found[0]), _("{n} battles won unopposed", n=found[1]))
    if found := most(fought, 2):
        yield Award(_("The trampled field"), found[0], _("{n} battles", n=found[1]))
