"""How many clicks a turn of Hammer takes on the page, for somebody who answers as the built-in player does."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.page.chair import Chair
from pbem.page.service import Service
from tests.page.alone import begun
from tests.page.calling import ok

CEILING = 23
"""Of the game turn with most battles in three years: it was 30 when no touch was a whole answer, and 18 is the aim."""
BESIDE = ("choice:PLAN", "choice:AHEAD", "end")


def clicks(service: Service, game: str, order: str) -> int:
    """Return how many clicks make an order and sign it: by its number in the list, else touch by touch."""
    found = ok(service, "touches", game=game)
    for one in found["answers"]:
        if one["draft"] == order.split("\n"):
            return 1 if is_whole(service, game, one["draft"]) else 2
    draft: list[str] = []
    n = 0
    while "\n".join(draft) != order:
        fits = [one for one in found["touches"] if order.startswith("\n".join(one["draft"]))]
        draft = max(fits, key=lambda one: len("\n".join(one["draft"])))["draft"]
        n += 1
        found = ok(service, "touches", game=game, draft=draft)
    return n if n == 1 and is_whole(service, game, draft) else n + 1


def is_whole(service: Service, game: str, draft: list[str]) -> bool:
    """Is an answer signed by itself: nothing can be added to it but plans?"""
    found = ok(service, "touches", game=game, draft=draft)
    return found["closed"] and all(one["at"] in BESIDE for one in found["touches"])


@pytest.mark.slow
def test_a_turn_with_many_battles_takes_few_clicks(tmp_path: Path) -> None:
    service = Service(tmp_path)
    name = begun(service, "hammer", seat="scottish", seed="5eed")
    turns: dict[tuple[int, int], list[tuple[str, int]]] = {}
    while True:
        position = ok(service, "position", game=name)
        if not position["asked"]:
            if not ok(service, "go_on", game=name)["more"] and ok(service, "position", game=name)["over"]:
                break
            continue
        chair = Chair.of(service.alone.get(name))
        view = chair.view()
        if view.year > 1299:  # type: ignore[attr-defined]
            break
        order = str(chair.pack.look.advice(view))
        if "winter" not in view.frames:  # type: ignore[attr-defined]
            of_turn = turns.setdefault((view.year, view.turn), [])  # type: ignore[attr-defined]
            of_turn.append((view.ask["what"], clicks(service, name, order)))  # type: ignore[attr-defined]
        ok(service, "sign", game=name, text=order)
    heavy = max(turns.values(), key=lambda asked: sum(what == "battle action" for what, _n in asked))
    assert sum(n for _what, n in heavy) <= CEILING, heavy
    of_battles = [n for asked in turns.values() for what, n in asked if what == "battle action"]
    assert of_battles.count(1) >= 0.9 * len(of_battles), of_battles
