"""The engine: plays and tests any game of the kernel for a program in any language, over lines of JSON (ring 3).

No log, no keys, no mail: the engine's client sees everything and may dictate chance. `docs/reference/engine.md` specifies the
lines.
"""

from __future__ import annotations

from .client import Client, EngineRefused
from .engine import Engine, serve
from .program import ProgramFailed

__all__ = ["Client", "Engine", "EngineRefused", "ProgramFailed", "serve"]
