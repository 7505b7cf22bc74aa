"""What several tests need of desk looks: answer."""

from __future__ import annotations

from pbem.player import Desk


def answer(desk: Desk, at: str, *, anyway: bool = False) -> None:
    """Let a desk answer with the first legal order that there is."""
    _, view, pack = desk.question(desk.notes())
    desk.order(desk.notes(), str(next(iter(pack.rules.options(view)))), "", at, anyway=anyway)
