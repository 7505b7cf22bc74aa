"""The words of letters, made from templates: those in the host's own folder, and pbem's for all others.

A host's own template can fail, for example by naming something that does not exist. Then the letter is made with pbem's own and is
still sent, and the fault is noted as a trouble of the host.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.reports.text import environment

from .store import Store
from .troubles import note

if TYPE_CHECKING:
    from jinja2 import Environment


class Wording:
    """The templates of one host; `own` is its folder of them, None where it has none."""

    def __init__(self, store: Store, own: Path | None = None) -> None:
        self.store, self.own = store, own

    def has(self, name: str) -> bool:
        """Has the host a template of its own by that name?"""
        return self.own is not None and (self.own / name).is_file()

    def text(self, letter: str, at: str, /, **values: object) -> str:
        """Return the text of a letter, by `mail/LETTER.txt.j2`."""
        name = f"mail/{letter}.txt.j2"
        return self.made(name, lambda env: env.get_template(name).render(**values), at)

    def page(self, letter: str, at: str, /, **values: object) -> str:
        """Return a letter as HTML, by `mail/LETTER.html.j2`."""
        name = f"mail/{letter}.html.j2"
        return self.made(name, lambda env: env.get_template(name).render(**values), at)

    def made(self, name: str, make: Callable[[Environment], str], at: str) -> str:
        """Return the text made with the host's own templates, or with pbem's if these fail. `name` is that of the first
        template."""
        if self.own is None:
            return make(environment())
        try:
            made = make(environment(self.own))
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a template, the letter goes out
            made = make(environment())  # where this fails too, it is not the template
            note(self.store, f"template {name}", f"{type(error).__name__}: {error}", at)
            return made
        note(self.store, f"template {name}", "", at)
        return made
