"""The engine: any game of the kernel, played and tested by a program in any language, over lines of JSON (ring 3).

No log, no keys, no mail: whoever talks to the engine sees everything and may dictate chance. `docs/reference/engine.md` says
what goes over the line.
"""

from __future__ import annotations

from .client import Client, EngineRefused
from .engine import Engine, serve
from .program import ProgramFailed

__all__ = ["Client", "Engine", "EngineRefused", "ProgramFailed", "serve"]
