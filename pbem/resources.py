"""Where the files beside the code lie: `templates/`, `schemas/` and `shelf/`, in a checkout and in an installed wheel alike."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pbem.errors import WorldError
from pbem.i18n import _

_PACKAGE = Path(__file__).resolve().parent


def folder(name: Literal["templates", "schemas", "shelf"]) -> Path:
    """Return the folder of that name: inside the package (wheel), or beside it (checkout)."""
    for place in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if place.is_dir():
            return place
    raise WorldError(_("The folder “{name}” that belongs to pbem is missing. Install pbem again.", name=name))
