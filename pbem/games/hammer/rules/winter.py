"""The Winter Turn: nobles go home, blocks disband, replacements and the levy come. Rules 7.0-7.8."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from .frame import Procedure

if TYPE_CHECKING:
    from pbem.kernel import Run

    from .board import Board


@dataclass(frozen=True, slots=True)
class Winter(Procedure):
    """The whole Winter Turn, called once at the end of each year; done when the next year may be dealt."""

    at: ClassVar[str] = "winter"

    def do_begin(self, run: Run[Board]) -> None:
        run.done()
