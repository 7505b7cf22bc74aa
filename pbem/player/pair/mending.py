"""What a desk has signed in a game of two behind the end of its log, and when nothing may be signed.

Who signs behind an end that is none signs the same turn twice. So this brings the log up to what the own letters hold, or refuses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import RecordError
from pbem.i18n import _
from pbem.ledger.of_two import WORD

from .busy import in_turn
from .shelf import FOLDERS

if TYPE_CHECKING:
    from pbem.referee.pair import PairPlay

    from .shelf import PairSeat
    from .table import PairTable


def words_to(seat: PairSeat, n: int) -> list[str]:
    """Return what this player has said besides his turns to entry `n`, as his letters are called."""
    names = [
        path.name.split(".")
        for one in FOLDERS
        for path in (seat.folder.home / one).glob(f"{seat.notes.game[:8]}.{WORD}.*.eml")
    ]
    return sorted({name[2] for name in names if name[3] == str(n)})


@in_turn
def mend(seat: PairSeat) -> PairPlay:
    """Return the play of a game whose log was brought up to what was signed here.

    Raises RecordError where that cannot be: then nothing may be signed.
    """
    table = seat.table
    play = seat.play()
    if seat.pairs.letters_behind(seat.notes.game, table.head[0]) and (new := seat.pairs.mended(table)):
        table.take(play, new)
        seat.notes.answers, seat.notes.says, seat.notes.heard = [], [], []
        seat.keep()
    must_be_whole(seat, table)
    return play


def put_instead(seat: PairSeat, table: PairTable, whole: PairTable, n: int) -> None:
    """Let a log that was judged take the place of one's own, which parts from it at entry `n`; that is kept as evidence."""
    table.keep_beside(b"".join(entry.line + b"\n" for entry in table.entries))
    for path in seat.pairs.letters_behind(seat.notes.game, n - 1):
        path.rename(path.with_suffix(".parted"))  # it holds turns that count no more
    table.kept.unlink(missing_ok=True)
    table.later, table.entries = -1, []
    table.grow(whole.entries)


def must_be_whole(seat: PairSeat, table: PairTable) -> None:
    """Raise RecordError where more was signed or taken here than the log holds."""
    last = table.head[0]
    letters = seat.pairs.letters_behind(seat.notes.game, last)
    if not letters and table.later <= last:
        return
    what = letters[0] if letters else table.kept
    raise RecordError(
        _(
            "Your log of {title} ends with entry {last}, and you have been further: {path} shows it. What you sign "
            "behind that would be a second turn in the same place, and a fork by you; so nothing is signed. Ask your "
            "friend for the whole log (“pbem copy” sends it) and read that letter. If he has no more than you, your "
            "turn never left: move that file away.",
            title=seat.notes.title,
            last=last,
            path=what.relative_to(seat.folder.home),
        )
    )
