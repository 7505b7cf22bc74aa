"""The page's signing in Node, under the name that `pbem.ledger.makers` looks for: with this on the path, CPython signs by it.

PBEM_SIGNING names the built `signing.mjs`. Each call is a line of JSON to Node and one back.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
from pathlib import Path
from typing import Any

_NODE = subprocess.Popen(
    ["node", str(Path(__file__).with_name("signing.mjs")), Path(os.environ["PBEM_SIGNING"]).resolve().as_uri()],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    text=True,
)


@atexit.register
def close() -> None:
    """Let Node end."""
    _NODE.communicate(timeout=60)


def _call(name: str, *arguments: str | int) -> Any:
    if _NODE.stdin is None or _NODE.stdout is None:
        raise RuntimeError("Node has no ends to speak to.")
    _NODE.stdin.write(json.dumps([name, *arguments]) + "\n")
    _NODE.stdin.flush()
    said = json.loads(_NODE.stdout.readline())
    if "failed" in said:
        raise RuntimeError(said["failed"])
    return said["is"]


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    return lambda *arguments: _call(name, *arguments)
