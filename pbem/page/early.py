"""The texts that the face needs before it can call the service, as a module of the face: `python -m pbem.page.early` writes it.

It is generated from the catalogues for all languages, and is next to the face's other modules, so every carrier has it.
"""

from __future__ import annotations

import json
from pathlib import Path

from pbem.i18n import ENGLISH, _, languages, speaking

from .words import EARLY

PLACE = Path(__file__).with_name("face") / "early.js"
_HEAD = "// Written by `make words` from the catalogues: what may have to be said before the service can be asked, by language."


def early() -> str:
    """Return the module: the texts by language and name."""
    told = {language: _in(language) for language in (ENGLISH, *(one for one in languages() if one != ENGLISH))}
    return f"{_HEAD}\n\nexport default {json.dumps(told, ensure_ascii=False, indent=1)};\n"


def _in(language: str) -> dict[str, str]:
    with speaking(language):
        return {name: _(text) for name, text in EARLY.items()}


if __name__ == "__main__":
    PLACE.write_text(early(), "utf-8")
