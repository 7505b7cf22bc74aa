"""What show, replay and export-sig do with a log of two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.errors import UsageError
from pbem.i18n import _

from . import screen
from .common import Pictures, check_seat, echo_json

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.ledger import Entry
    from pbem.referee.pair import PairPlay


def show_entries(data: bytes, n: int | None, *, as_json: bool) -> None:
    """Tell what the entries say, or one of them with all that belongs to it."""
    from pbem.ledger.pair import read_pair
    from pbem.reports.of_two import PairReader

    _course, entries = read_pair(data)
    if n is not None and not 0 <= n < len(entries):
        raise UsageError(_("The log has entries 0 to {last}, not {n}.", last=len(entries) - 1, n=n))
    if as_json:
        fields = [entry.fields for entry in entries]
        echo_json(fields if n is None else fields[n])
        return
    reader = PairReader(_pack_of(entries))
    if n is not None:
        screen.echo(reader.whole(entries[n]))
        return
    for entry in entries:
        screen.echo(reader.line(entry))


def _pack_of(entries: list[Entry]) -> GamePack | None:
    from pbem.games import find

    try:
        return find(entries[0].fields["rules"]["id"])
    except UsageError:
        return None


def replay_pair(data: bytes, at: int | None, seat: str | None, pictures: Pictures) -> None:
    """Tell a game that is over, as one seat saw it or as both did together, and show the position, or draw it."""
    from pbem.games import find
    from pbem.ledger.pair import read_pair

    from .board import draw

    course, entries = read_pair(data)
    check_seat(course.names, seat)
    if at is not None and not 2 <= at < len(entries):
        raise UsageError(_("The log has entries 0 to {last}, not {n}.", last=len(entries) - 1, n=at))
    if not course.is_over:
        raise UsageError(
            _(
                "This game goes on: what each sees of it is hidden until its end, when both show their secrets. “pbem board” shows "
                "your own game."
            )
        )
    pack = find(course.first["rules"]["id"])
    last = len(entries) - 1 if at is None else at
    seats = (seat,) if seat else course.names
    plays = {one: _played(entries[: last + 1], course.seats[one].secret, one) for one in seats}
    if pictures:
        views = {one: pack.rules.read_view(play.shown) for one, play in plays.items()}
        facts = [fact for play in plays.values() for _n, fact in play.news]
        draw(pack, views, pictures, facts)
        return
    play = next(iter(plays.values()))
    screen.echo(_story(pack, play, seat))
    for one, shown in plays.items():
        screen.echo("\n".join(["", _("After entry {n}, seen by {seat}:", n=last, seat=pack.look.seat_name(one)), ""]))
        screen.show_position(pack.look, pack.rules.read_view(shown.shown))


def _played(entries: list[Entry], secret: str, seat: str) -> PairPlay:
    from pbem.games.without_host import knowing_of
    from pbem.ledger.pair import PairCourse, Vault, check_entry
    from pbem.referee.pair import PairPlay

    knowing = knowing_of(entries[0].fields["rules"])
    if knowing is None:
        raise UsageError(_("The rules of this log are not here."))
    course = PairCourse()
    for entry in entries[:3]:
        check_entry(course, entry)
    play = PairPlay(knowing, course, Vault(course.game, seat, secret))
    for entry in entries[3:]:
        play.take_entry(entry)
    return play


def _story(pack: GamePack, play: PairPlay, seat: str | None) -> str:
    from pbem.reports.text import readable, result_text, unknown, wrap

    lines: list[str] = []
    last: Any = None
    for n, fact in play.news:
        text = readable(fact, seat, pack)
        if text == "":
            continue
        lines += [f"[{n}]"] if n != last else []
        lines.append(wrap(unknown(fact) if text is None else text, "  ", "- "))
        last = n
    if play.result is not None:
        lines.append(result_text(play.result, pack))
    return "\n".join(lines)
