"""A store in a file and one in a database are the same to the rest of the host: few operations, of the same names and arguments.

What rows are and how decisions are made differs below these names alone. So a third kind of place would have to offer them, and no
more; whoever reads the host's code has to know these, and no SQL.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from pbem.host.store.batches import Batches
from pbem.host.store.file import StoreFile
from pbem.host.store.server import StoreServer

MOST = 25
"""So many operations at most."""
OF_PLACES = {"gathered", "part", "at_once"}
"""What a place alone asks of its rows: to make a decision, a part of one, and a row with a number."""


def operations(kind: type) -> dict[str, Callable[..., Any]]:
    """The operations of a class, by their names."""
    return {name: of for name, of in vars(kind).items() if inspect.isfunction(of) and not name.startswith("_")}


def arguments(of: Callable[..., Any]) -> list[str]:
    return [one.lstrip("_") for one in inspect.signature(of).parameters]


def test_a_file_and_a_database_have_the_same_operations() -> None:
    here, there = operations(StoreFile), operations(StoreServer)
    assert here.keys() == there.keys()
    assert [name for name in here if arguments(here[name]) != arguments(there[name])] == []


def test_a_store_has_few_operations() -> None:
    rows = operations(Batches)
    assert rows.keys() > OF_PLACES
    found = operations(StoreFile).keys() | (rows.keys() - OF_PLACES)
    assert len(found) <= MOST, sorted(found)


def test_each_operation_says_what_it_does() -> None:
    for kind in (StoreFile, StoreServer, Batches):
        for name, of in operations(kind).items():
            assert of.__doc__, f"{kind.__name__}.{name}"


def test_a_decision_is_made_by_operations_with_a_way_back() -> None:
    """`decision`, `in_part` and `if_free` are all that begins one; what is written outside of them happens at once."""
    begins = {name for name, of in operations(StoreServer).items() if "_transaction" in inspect.getsource(of)}
    assert begins == {"decision", "note_moved"}
    assert {"in_part", "if_free"} < operations(StoreServer).keys()
