"""A letter's story of battles in few lines, and the results of a turn, a year and the game: battles, losses, changes of side.

Everything follows from the facts told to a seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.kernel import Json

from ..rules import BLOCK_OF, BLOCKS, SIDES
from ..rules.said import _, named
from .words import capital, dice, hits, listed, steps, the

_LINES = 10
"""The summary of a game has at most this many lines."""


# the story


def story(told: Sequence[tuple[Json, str]]) -> list[str]:
    """Return the texts of facts, those of a battle in short: a round begins a line, and a block that fires has one."""
    found: list[str] = []
    for fact, text in told:
        match fact["f"]:
            case "battle" if len(lines := text.split("\n")) > _HEADED:
                found += ["\n".join(lines[:_HEADED]), " ".join(lines[_HEADED:])]
            case "round":
                found.append(_("Round {round}.", round=fact["round"]))
            case "reveal":
                found.append(f" {text}")
            case "fire":
                n = fact["hits"]
                said = {"block": fact["block"], "rolled": dice(fact["dice"], fact["rating"])}
                found.append(_("{block}: {rolled}  {hits}.", hits=hits(n) if n else _("no hit"), **said))
            case _:
                found.append(text)
    return found


_HEADED = 2
"""The text of a battle has its empty line and its heading, then who attacks and who defends."""


# what came of it


class Losses(NamedTuple):
    """The steps that each block lost in battle, by side, and the blocks of each side that are gone."""

    steps: Mapping[str, Mapping[str, int]]
    gone: Mapping[str, Sequence[str]]


def summary(facts: Sequence[Json], start: int) -> list[str]:
    """Return what came of a turn; behind a winter, of its year; of the whole game where it starts with the first fact."""
    if not start:
        return _of_the_game(facts)
    if facts[start]["f"] == "year ends":
        begins = [at for at, fact in enumerate(facts[:start]) if fact["f"] == "year"]
        return [*_of_a_part(facts[begins[-1] if begins else 0 :])]
    return [*_of_a_part(facts[start:])]


def _of_a_part(facts: Sequence[Json]) -> Iterator[str]:
    """Go through what came of some turns: battles, losses, who changed sides."""
    for side in SIDES:
        if won := [fact["area"] for fact in facts if fact["f"] == "battle over" and fact.get("winner") == side]:
            yield capital(_("{who} won in {areas}.", who=the(side), areas=listed(won)))
    lost = _losses(facts)
    for side in SIDES:
        by_block = lost.steps[side]
        if n := sum(by_block.values()):
            row = ", ".join(f"{named(name)} {k}" for name, k in by_block.items())
            yield capital(_("{who} lost {steps} in battle: {blocks}.", who=the(side), steps=steps(n), blocks=row))
        if gone := lost.gone[side]:
            yield capital(_("{who} lost these blocks: {blocks}.", who=the(side), blocks=listed(gone)))
    for side in SIDES:
        if came := [name for name, to in _turned(facts).items() if to == side]:
            yield capital(_("Over to {who}: {nobles}.", who=the(side), nobles=listed(came)))


def _losses(facts: Iterable[Json]) -> Losses:
    side_of: dict[str, str] = {}
    at: dict[str, int] = {}
    lost: dict[str, dict[str, int]] = {side: {} for side in SIDES}
    gone: dict[str, list[str]] = {side: [] for side in SIDES}
    for fact in facts:
        match fact["f"]:
            case "reveal":
                for key, strength in fact["blocks"].items():
                    side_of[key], at[key] = fact["side"], strength
            case "hit":
                for key, strength in fact["blocks"].items():
                    if key in at and at[key] > strength:
                        name, of = BLOCK_OF[key], lost[side_of[key]]
                        of[name] = of.get(name, 0) + at[key] - strength
                        at[key] = strength
            case "killed":
                gone[fact["side"]].append(fact["block"])
    return Losses(lost, gone)


def _turned(facts: Iterable[Json]) -> dict[str, str]:
    """Return the nobles that changed sides, each with the side that has him at the end; who came back is left out."""
    found: dict[str, str] = {}
    for fact in facts:
        noble, to = fact.get("noble"), ""
        match fact["f"]:
            case "captured":
                to = fact["by"]
            case "defection" | "turned":
                to = fact["to"]
        if to and noble in found and found[noble] != to:
            del found[noble]
        elif to and noble in BLOCKS:
            found[noble] = to
    return found


def _of_the_game(facts: Sequence[Json]) -> list[str]:
    """Return the game in short: a line a year, then all losses."""
    begins = [at for at, fact in enumerate(facts) if fact["f"] == "year"]
    lines = [_of_a_year(facts[start:end]) for start, end in zip(begins, [*begins[1:], len(facts)], strict=True)]
    lost = _losses(facts)
    told = {side: steps(sum(lost.steps[side].values())) for side in SIDES}
    both = _("Lost in battle: the English {english}, the Scots {scottish}.", **told)
    return [*lines[1 - _LINES :], both]


def _of_a_year(facts: Sequence[Json]) -> str:
    won = {side: sum(fact["f"] == "battle over" and fact.get("winner") == side for fact in facts) for side in SIDES}
    came = {side: [name for name, to in _turned(facts).items() if to == side] for side in SIDES}
    said = _("{year}: battles won by the English {english}, by the Scots {scottish}", year=facts[0]["year"], **won)
    parts = [
        said,
        *(_("{nobles} over to {who}", nobles=listed(came[side]), who=the(side)) for side in SIDES if came[side]),
    ]
    return _("; ").join(parts) + "."
