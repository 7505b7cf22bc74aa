"""What several tests need of door: health."""

from __future__ import annotations

import json

from .doors import DoorHost


def health(host: DoorHost) -> tuple[int, object]:
    """What a monitor is told."""
    status, _headers, told = host.ask("GET", "/door/health")
    return status, json.loads(told)
