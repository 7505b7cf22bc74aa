"""What several tests need of alone: service, begun."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.page.service import Service
from tests.page.calling import ok


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service(tmp_path)


def begun(service: Service, game: str = "tiny", **more: Any) -> str:
    return str(ok(service, "begin", game=game, seed="5eed", **more)["game"])
