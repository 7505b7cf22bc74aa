"""What several tests need of engine: Talk, talk, moving."""

from __future__ import annotations

import json
from typing import Any

from pbem.engine import Engine


class Talk:
    """A talk with an engine in this process."""

    def __init__(self) -> None:
        self.engine = Engine()
        self.said = 0

    def __call__(self, do: str, **fields: Any) -> Any:
        """Ask for something that must go well."""
        answer = self._ask(do, fields)
        assert "ok" in answer, answer
        return answer["ok"]

    def refused(self, do: str, **fields: Any) -> Any:
        """Ask for something that must be refused, and change nothing."""
        before = self._ask("dump", {})
        answer = self._ask(do, fields)
        assert "error" in answer, answer
        assert self._ask("dump", {}).get("ok") == before.get("ok")
        return answer["error"]

    def _ask(self, do: str, fields: dict[str, Any]) -> Any:
        self.said += 1
        request = json.dumps({"id": self.said, "do": do, **fields})
        answer = json.loads(json.dumps(self.engine.answer(request.encode())))
        assert answer["id"] == self.said
        return answer


def moving(talk: Talk) -> None:
    """Come to the first English moves."""
    talk("new", game="hammer")
    talk("step", outcome=[["Edward", "Hobelars", "York Infantry", "York Knights"]])
    hands = [["Move 3 a", "Herald", "Truce", "Move 1 a", "Move 2 a"], ["Move 2 b", "Pillage", "Move 1 b", "Victuals"]]
    talk("step", outcome=[[*hands[0], *hands[1], "Move 1 c"]])
    talk("step", orders={"english": "CARD Move 3", "scottish": "CARD Move 2"})
