"""What several tests need of alone: service, begun."""

from __future__ import annotations

from typing import Any

from pbem.page.service import Service
from tests.page.calling import ok


def begun(service: Service, game: str = "tiny", seed: str = "5eed", **more: Any) -> str:
    return str(ok(service, "begin", game=game, seed=seed, **more)["game"])
