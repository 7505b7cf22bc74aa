"""All calls of the desk's service, by name, and their schema."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from .calls import CALLS, CallRefused, InOut
from .doorway import DOORWAY
from .friends import FRIENDS
from .further_calls import ACTS
from .lessons import LESSONS
from .looking import LOOKING
from .playing import PLAYING
from .puzzles import PUZZLES
from .relays import RELAYS

ALL: dict[str, InOut] = {**CALLS, **PLAYING, **DOORWAY, **FRIENDS, **RELAYS, **ACTS, **LOOKING, **PUZZLES, **LESSONS}
"""By the name of the call: what goes in, and what comes out, as `{"ok": …}`; where it cannot be done, `{"error": CallRefused}`."""


def json_schema() -> dict[str, Any]:
    """Return the schema of all calls: input and output by name, and the form of a refusal."""
    adapters = [
        (f"{name}.{way}", model) for name, pair in ALL.items() for way, model in zip(("in", "out"), pair, strict=True)
    ]
    adapters.append(("refused", CallRefused))
    refs, made = TypeAdapter.json_schemas([(name, "serialization", TypeAdapter(model)) for name, model in adapters])
    found = {name: ref for (name, _mode), ref in refs.items()}
    calls = {
        name: {"type": "object", "properties": {"in": found[f"{name}.in"], "out": found[f"{name}.out"]}} for name in ALL
    }
    return {"type": "object", "properties": {**calls, "refused": found["refused"]}, **made}
