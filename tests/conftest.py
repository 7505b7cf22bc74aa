"""The tests are told everything in English, whatever the machine speaks; French is asked for by those that read it."""

from __future__ import annotations

import os

for name in ("PBEM_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
    os.environ.pop(name, None)
