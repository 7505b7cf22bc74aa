"""Bringing a host's store up to this pbem: the plan, a copy as it was, a trial on the copy, and the update itself.

Only the command “pbem host upgrade” does this. Every other command refuses an older store, and each decision looks again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from pbem import private
from pbem.errors import StoreError, UsageError
from pbem.i18n import _
from pbem.records import dataclass

from .backup import back_up, thrown_away
from .memory import Store
from .older import OlderStore
from .schema import names, statements, tables
from .words import is_server, shown

_AT_WORK = (
    "select count(*)::bigint as n from pg_stat_activity where pid <> pg_backend_pid() "
    "and datname = current_database() and application_name = current_setting('application_name')"
)
"""The query for the number of other connections to this store; where it is a file, a lock in the folder keeps others away."""


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What an upgrade does to a store: where it is, the migrations that it lacks, and how their statements begin."""

    place: Path | str
    lacking: Sequence[str]
    changes: Sequence[str]

    @property
    def shown(self) -> str:
        """The place, without a password."""
        return shown(str(self.place))


def planned(place: Path | str) -> Upgrade:
    """Return what a store lacks. Raises StoreError or WorldError."""
    try:
        Store(place, reading=True).close()
    except OlderStore as error:
        begins = [" ".join(sql.partition("(")[0].replace('"', "").split()) for sql, _values in statements(error.found)]
        return Upgrade(
            place, names()[len(error.found) :], [one for one in begins if not one.lower().startswith("insert")]
        )
    return Upgrade(place, (), ())


def upgrade(plan: Upgrade, saved: Path, faults: Callable[[Store], Iterable[str]]) -> list[str]:
    """Save a store as it is, try the upgrade on a copy of that, then upgrade the store; return the damage that `faults` finds.

    Where it raises an error, nothing has changed: UsageError while another program works with the store, otherwise WorldError.
    """
    with closing(Store(plan.place, older="leave")) as store:
        with store.decision():
            pass  # it may have been moved
        if is_server(plan.place) and (others := next(store.db.query(_AT_WORK))["n"]):
            raise UsageError(
                _(
                    "Other programs work with the store {path} (connections: {n}). Stop every host and command that uses it, "
                    "on all machines.",
                    path=plan.shown,
                    n=others,
                )
            )
        back_up(store, saved)
        with _tried(saved) as trial:
            found = list(faults(trial))
    Store(plan.place, older="update").close()
    return found


@contextmanager
def _tried(saved: Path) -> Iterator[Store]:
    """Open a copy of a saved store, upgraded; it is thrown away afterwards. Raises StoreError where a table has lost rows."""
    part = saved.with_name(f"{saved.name}.trial")
    try:
        with closing(Store(saved, older="leave", reading=True)) as store:
            before = _rows(store)
        with private.opened(part, "wb") as written, saved.open("rb") as lines:
            written.writelines(lines)
        with closing(Store(part, older="update")) as trial:
            after = _rows(trial)
            if lost := [name for name, count in before.items() if after.get(name) != count]:
                raise StoreError(
                    _(
                        "In a copy of the store the upgrade changed the number of rows ({tables}). The store itself is as it was.",
                        tables=", ".join(lost),
                    )
                )
            yield trial
    finally:
        thrown_away(part)


def _rows(store: Store) -> dict[str, int]:
    """Return how many rows each table of a store has."""
    return {name: store.read(f"select count(*) from {name}")[0][0] for name in tables(store.db)}  # noqa: S608 - our own words
