"""Calling the desk's service as a page does."""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter

from pbem.page.listing import ALL
from pbem.page.service import Service


def answer(service: Service, call: str, **more: Any) -> dict[str, Any]:
    """Call, and return the whole answer."""
    found = json.loads(service.answer(json.dumps({"call": call, **more})))
    assert isinstance(found, dict)
    return found


def ok(service: Service, call: str, **more: Any) -> Any:
    """Call, and return what came out, which is what its model says."""
    found = answer(service, call, **more)
    assert "ok" in found, found
    TypeAdapter(ALL[call].comes_out).validate_json(json.dumps(found["ok"]), strict=False)
    return found["ok"]


def refused(service: Service, call: str, **more: Any) -> tuple[str, str]:
    """Call what cannot be done, and return the kind of refusal and its sentence."""
    found = answer(service, call, **more)
    assert "error" in found, found
    return found["error"]["kind"], found["error"]["text"]
