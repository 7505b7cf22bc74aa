"""A request to an engine in this process that must go well."""

from __future__ import annotations

import json
from typing import Any

from pbem.engine import Engine


def ask(engine: Engine, do: str, **fields: Any) -> Any:
    """Return what is answered."""
    answer = json.loads(json.dumps(engine.answer(json.dumps({"id": 0, "do": do, **fields}).encode())))
    assert "ok" in answer, answer
    return answer["ok"]
