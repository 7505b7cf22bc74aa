"""A drill with a backup: it is restored into a scratch folder, read there, and every game in it is audited by the rules.

No host is needed for it, and no key, so another machine can do it. It sends nothing, and the backup stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem import private
from pbem.errors import PbemError, UsageError
from pbem.i18n import _

from .auditing import audited
from .store import Store

OLDEST = 26
"""The number of hours after which last night's backup is missing."""


def newest(saved: Path) -> Path:
    """Return a backup, or the newest one of a folder of them. Raises UsageError if there is none."""
    if saved.is_file():
        return saved
    found = sorted((one for one in saved.glob("*.sqlite") if one.is_file()), key=lambda one: one.stat().st_mtime)
    if not found:
        raise UsageError(_("{saved} has no backup (FILE.sqlite).", saved=saved))
    return found[-1]


def drilled(saved: Path, now: str) -> Iterator[tuple[bool, str]]:
    """Restore a backup into a scratch folder and look at everything there; yield for each thing whether it is well, and why."""
    made = datetime.fromtimestamp(saved.stat().st_mtime, tz=datetime.fromisoformat(now).tzinfo)
    age = datetime.fromisoformat(now) - made
    yield (
        age <= timedelta(hours=OLDEST),
        _("{saved} is {n} hours old.", saved=saved, n=int(age.total_seconds() // 3600)),
    )
    with TemporaryDirectory(prefix="pbem-drill-") as scratch:
        copy = Path(scratch, "pbem.sqlite")
        with private.opened(copy, "wb") as written, saved.open("rb") as lines:
            written.writelines(lines)
        try:
            with closing(Store(copy, older="update")) as store:
                store.check()
                yield from _looked_at(store)
        except PbemError as error:
            yield False, str(error).replace(str(copy), str(saved))


def _looked_at(store: Store) -> Iterator[tuple[bool, str]]:
    """Audit every game in a restored store, and what is stored beside the logs."""
    found = [one for one in audited(store) if one.number or one.damage]
    for one in found:
        if one.damage:
            yield False, one.damage
        elif one.verdict == "cannot_judge":
            yield (
                False,
                _(
                    "Game {number} ({title}) cannot be judged: {why}",
                    number=one.number,
                    title=one.title,
                    why=one.reason,
                ),
            )
    right = [one for one in found if one.verdict in ("clean", "unfinished") and not one.damage]
    games = len({one.number for one in found} - {0})
    yield True, _("Games in it: {games}. Audited and right: {well}.", games=games, well=len(right))
