"""Write what uv has pinned, read from standard input, below a head into the file that is named."""

from __future__ import annotations

import sys
from pathlib import Path

HEAD = """\
# What {what}, with the SHA-256 of every file of each version: pip takes no other.
# The versions are those of constraints.txt. Written by “make pins”; do not edit it.
"""
WHAT = {
    "requirements.txt": "pbem needs to be built and to run",
    "requirements-dev.txt": "pbem, its tests and its checks need",
}

if __name__ == "__main__":
    name = sys.argv[1]
    pins = sys.stdin.read()
    if not pins.strip():
        raise SystemExit("nothing was pinned")
    Path(name).write_text(HEAD.format(what=WHAT[name]) + pins, "utf-8")
