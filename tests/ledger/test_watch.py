"""A copy that is verified as it grows is judged as the whole copy is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pbem.errors import Fault
from pbem.ledger import Log, Watch, redact
from pbem.ledger.verifier import verify
from tests.ledger.builder import Table
from tests.ledger.files import bad, bad_index, sample
from tests.ledger.verify import eventful_game


def growth(data: bytes) -> Iterator[bytes]:
    """The file in the parts in which mails bring it: each ends with a signed head."""
    part: list[bytes] = []
    for line in data.split(b"\n")[:-1]:
        part.append(line)
        if line.startswith(b'["head",'):
            yield b"\n".join([*part, b""])
            part = []
    if part:
        yield b"\n".join([*part, b""])


def watch(seat: str, data: bytes) -> None:
    """Verifies a file as it grows."""
    watching = Watch(seat)
    for part in growth(data):
        watching.grow(part)


@pytest.mark.parametrize("seat", ["ann", "bob", "cat"])
def test_an_honest_copy_grows_without_a_fault(seat: str) -> None:
    for game in (Log.parse(sample("trio")), eventful_game().end()):
        data = redact(game, seat).dump()
        watch(seat, data)
        assert verify(data, seat).verdict == "clean"


@pytest.mark.parametrize("case", bad_index("verify"), ids=lambda case: case["file"].removesuffix(".pbem"))
def test_a_bad_file_is_found_as_it_grows(case: dict[str, Any]) -> None:
    with pytest.raises(Fault) as found:
        watch("host", bad(case["file"]))
    assert found.value.entry <= case["expect_entry"]


@pytest.mark.parametrize("seat", ["ann", "bob", "cat"])
@pytest.mark.parametrize("name", ["SEALBIND_pub_differs_from_seal", "RAND_die"])
def test_a_players_copy_shows_what_all_were_told(name: str, seat: str) -> None:
    copy = redact(Log.parse(bad(f"{name}.pbem")), seat).dump()
    with pytest.raises(Fault) as found:
        watch(seat, copy)
    assert found.value.code == name.partition("_")[0]


@pytest.mark.parametrize("seat", ["ann", "bob", "cat"])
def test_what_is_shown_to_a_seat_late_is_checked_late(seat: str) -> None:
    """A stacked deal: nobody sees more of it than seals until it is opened, at the end."""
    table = Table(("ann", "bob", "cat")).begin()
    honest = table._event

    def stacked(label: str, requests: list[dict[str, Any]]) -> tuple[int, str, list[list[Any]]]:
        i, x, res = honest(label, requests)
        return i, x, [res[0][::-1]]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "_event", stacked)
        places = table.deal(1, ["a", "b", "c", "d"])
    table.tell()
    table.ask("bob")
    watch(seat, redact(table.log, seat).dump())
    table.order("bob", "GO")
    table.tell(opens=list(places.values()), links=[["deal:1", 1]])
    with pytest.raises(Fault) as found:
        watch(seat, redact(table.end(), seat).dump())
    assert found.value.code == "RAND"
