"""What replay and story write to share: tales, pictures, animations, a card."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pbem.errors import WorldError, system_said
from pbem.i18n import _

from . import screen
from .common import write_bytes

if TYPE_CHECKING:
    from pbem.player.tales import Tale
    from pbem.story.forms import Form
    from pbem.story.telling import LogHead, ToldGame


ALL = "all"
"""Everybody together, as a seat is named."""


def head_of(tale: Tale) -> LogHead | None:
    """Return the last entry of a signed log and its hash; None for an unsigned game."""
    from pbem.story.telling import LogHead

    return LogHead(tale.entries[-1].n, tale.entries[-1].hash) if tale.entries else None


def folder(out: Path) -> None:
    """Make a folder for files, if it is not there."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorldError(_("{path} cannot be made: {why}.", path=out, why=system_said(error))) from error


class Sharing:
    """What replay writes to share."""

    def __init__(
        self,
        form: Form | None,
        pictures: Path | None,
        gif: Path | None,
        webp: Path | None,
        card: Path | None,
        span: str,
    ) -> None:
        self.form, self.pictures, self.card, self.span = form, pictures, card, span
        self.moving = {name: path for name, path in (("GIF", gif), ("WEBP", webp)) if path}

    def __bool__(self) -> bool:
        return bool(self.form or self.pictures or self.moving or self.card)

    def write(self, tale: Tale, seat: str | None) -> None:
        """Print the tale, or write the pictures. Raises UsageError if that view is not open, or the game draws nothing."""
        from pbem.player.unsigned import opened_of
        from pbem.story.forms import tale as told_again
        from pbem.story.forms import written
        from pbem.story.telling import ToldGame

        told = ToldGame(opened_of(tale), tale.pack, seat or "")
        names = self._draw(told) if self.pictures else []
        if self.moving or self.card:
            self._show(told, tale)
        if self.form:
            screen.echo(written(told_again(told, head_of(tale), names), self.form), nl=False)

    def _draw(self, told: ToldGame) -> list[str]:
        from pbem.story.pictures import maps

        assert self.pictures  # noqa: S101 - the caller asks
        folder(self.pictures)
        names = []
        for name, data in maps(told):
            (self.pictures / name).write_bytes(data)
            names.append(f"{self.pictures.name}/{name}")
        screen.echo(_("Written: {path}", path=f"{self.pictures} ({len(names)})"), err=bool(self.form))
        return names

    def _show(self, told: ToldGame, tale: Tale) -> None:
        from pbem.story.pictures import animation, by_part, card, span

        shots = span(told, self.span) if self.span else by_part(told)
        for name, path in self.moving.items():
            write_bytes(path, animation(told, shots, name), for_all=not told.hears)  # type: ignore[arg-type]
        if self.card:
            write_bytes(self.card, card(told, head_of(tale)), for_all=not told.hears)
