"""What replay does with a log of two, and what it does alike with every log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pbem.errors import UsageError
from pbem.i18n import _

from . import screen
from .common import Pictures, check_seat, write_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.games import GamePack
    from pbem.kernel import Json


def replay_pair(
    data: bytes,
    at: int | None,
    seat: str | None,
    pictures: Pictures,
    *,
    whole: Path | None = None,
    opinion: bool = False,
) -> None:
    """Tell a game that is over, as one seat saw it or as both did together, and show the position, or draw it; with `whole`,
    write the page that steps through it."""
    from pbem.games import find
    from pbem.ledger.pair import read_pair
    from pbem.player.pair.showing import opened_at_the_end
    from pbem.reports.replay import PUBLIC, page, together

    from .board import draw

    course, entries = read_pair(data)
    check_seat(course.names, seat)
    if at is not None and not 2 <= at < len(entries):
        raise UsageError(_("The log has entries 0 to {last}, not {n}.", last=len(entries) - 1, n=at))
    pack = find(course.first["rules"]["id"])
    if opinion:
        check_opinion(pack, entries[-1].n, fits=whole is not None and not seat, is_over=course.is_over)
    if not course.is_over:
        raise UsageError(
            _(
                "This game is not over: each player's view is hidden until the end, when both show their "
                "secrets. “pbem board” shows your own game."
            )
        )
    last = entries[-1].n if at is None else at
    tale = opened_at_the_end(course, entries, last)
    if whole is not None:
        write_bytes(whole, page(tale, pack, seat, judged=opinion).encode(), for_all=True)
    seats = (seat,) if seat else course.names
    views = {one: pack.rules.read_view(tale.told[one][-1].view) for one in seats}
    if pictures:
        draw(pack, views, pictures, [fact for one in seats for tell in tale.told[one] for fact in tell.facts])
    if whole is not None or pictures:
        return
    heard = [tale.told[one] for one in seats]
    facts = [
        (tell.n, tale.told[seat][i].facts if seat else tuple(together(tell.facts, [told[i].facts for told in heard])))
        for i, tell in enumerate(tale.told[PUBLIC])
    ]
    screen.echo(history(pack, facts if at is None else facts[-1:], seat, tale.end and tale.end[1]))
    for one, view in views.items():
        screen.echo("\n".join(["", _("After entry {n}, seen by {seat}:", n=last, seat=pack.look.seat_name(one)), ""]))
        screen.show_position(pack.look, view)


def check_opinion(pack: GamePack, last: int, *, fits: bool, is_over: bool) -> None:
    """Refuse --opinion with anything but the page of a game that is over, and where nobody judges the game.

    `last` is the number of the last entry that is here.
    """
    if not fits:
        raise UsageError(
            _("--opinion goes with --html, for the whole page of a game that is over, without --at or --seat.")
        )
    if not is_over:
        raise UsageError(
            _("This game is not over: here it ends with entry {n}. --opinion wants one that is over.", n=last)
        )
    if pack.opinion is None:
        raise UsageError(_("{game} has no built-in player that judges a position.", game=pack.rules.title))


def history(pack: GamePack, tells: Sequence[tuple[int, Sequence[Any]]], seat: str | None, result: Json | None) -> str:
    """Return the facts of each entry as text, and finally the result if it is given."""
    from pbem.reports.text import readable, result_text, unknown, wrap

    lines = []
    for n, facts in tells:
        told = [(fact, readable(fact, seat, pack)) for fact in facts]
        said = [unknown(fact) if text is None else text for fact, text in told if text != ""]
        lines += [f"[{n}]", *(wrap(text, "  ", "- ") for text in said)] if said else []
    if result is not None:
        lines.append(result_text(result, pack))
    return "\n".join(lines)
