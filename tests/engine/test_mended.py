"""Programs that only ask whether an order is legal do not pay for what could stand there."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from pbem.engine import Engine
from pbem.games import touching

from .refusals import spoilt
from .talking import ask


def problems(answers: list[dict[str, Any]]) -> list[Any]:
    """What is wrong, without what could stand there."""
    return [
        (
            one["legal"],
            one.get("order"),
            [{n: v for n, v in p.items() if n != "legal"} for p in one.get("problems", ())],
        )
        for one in answers
    ]


@pytest.mark.variants
@pytest.mark.parametrize(
    ("game", "options"), [("hammer", {"years": 1}), ("lords", {"players": 2, "rounds": 1}), ("swords", {"players": 2})]
)
def test_a_refusal_that_is_not_mended_says_the_same_and_looks_for_nothing(
    game: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, chance, pool, refused = Engine(), random.Random(28), ["PASS"], 0
    looked: list[str] = []
    possible = vars(touching)["possible"]

    def watched(*args: Any) -> str:
        looked.append("")
        return str(possible(*args))

    monkeypatch.setattr(touching, "possible", watched)
    wants = ask(engine, "new", game=game, options=options)["wants"]
    for step in range(30):
        if wants["k"] == "end":
            break
        if wants["k"] == "chance":
            wants = ask(engine, "step", seed=step)["wants"]
            continue
        orders = {}
        for seat in wants["seats"]:
            orders[seat] = ask(engine, "options", seat=seat, samples=1, seed=step)["orders"][0]
            pool.append(orders[seat])
            tries = [orders[seat], spoilt(orders[seat], pool, chance), "XYZZY"]
            dear = ask(engine, "why_not", seat=seat, orders=tries)["answers"]
            before = len(looked)
            quick = ask(engine, "why_not", seat=seat, orders=tries, mended=False)["answers"]
            alone = [ask(engine, "why_not", seat=seat, order=one, mended=False) for one in tries]
            bad = dict.fromkeys(wants["seats"], "XYZZY")
            told = engine.answer(json.dumps({"id": 1, "do": "step", "orders": bad, "mended": False}).encode())
            assert told["error"]["code"] == "order"
            assert len(looked) == before, "nobody looked for what could stand there"
            assert not any("legal" in problem for one in (*quick, *alone) for problem in one.get("problems", ()))
            assert not any("legal" in problem for problem in told["error"]["problems"])
            assert problems(dear) == problems(quick) == problems(alone)
            refused += sum(not one["legal"] for one in quick)
        wants = ask(engine, "step", orders=orders)["wants"]
    assert refused > 5
    assert looked
