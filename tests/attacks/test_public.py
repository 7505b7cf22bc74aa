"""A host that tells one seat about public matters what it tells nobody else is found with the mail that brings it.

All of it is signed and chained as it should be; what differs is what all see, and what one of them does.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import RecordError
from pbem.ledger import Log, cj, sha256_hex
from pbem.mail import read_message
from tests.host.post import Club, a_club
from tests.player.desk import copy_of, next_report, retold

from .desk_looks import answer


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path / "club", turns=3) as club:
        yield club.begin()


def of_public(pub: dict[str, Any], own: dict[str, Any], how: str) -> None:
    """All others are told something else."""
    match how:
        case "all see another score":
            pub["view"].setdefault("sides", {}).setdefault("bob", {})["score"] = 40
            own["view"].setdefault("sides", {})["bob"] = {"score": 0}
        case "all hear of a card that she does not":
            pub["facts"].append({"f": "play", "seat": "bob", "card": "c5"})


def of_own(_pub: dict[str, Any], own: dict[str, Any], how: str) -> None:
    """She is told something else."""
    match how:
        case "she sees another score":
            own["view"].setdefault("sides", {})["bob"] = {"score": 40}
        case "she sees another winner":
            own["view"]["winner"] = "bob"
        case "she does not hear the last":
            own["facts"].pop()
        case "she hears the first otherwise":
            own["facts"][0] = {"f": "bank", "seat": "bob", "points": 9}
        case "she hears it in another order":
            own["facts"].reverse()


LIES = {
    "all see another score": of_public,
    "all hear of a card that she does not": of_public,
    "she sees another score": of_own,
    "she sees another winner": of_own,
    "she does not hear the last": of_own,
    "she hears the first otherwise": of_own,
    "she hears it in another order": of_own,
}


@pytest.mark.variants
@pytest.mark.parametrize("how", ["", *LIES])
def test_a_lie_to_one_seat_about_public_matters_is_found_with_the_mail_that_brings_it(club: Club, how: str) -> None:
    """The program keeps the evidence and signs nothing more. It reads the same letter without the lie."""
    raw = next_report(club)
    anew: dict[str, Any] = {}
    whole = Log.parse(copy_of(club, "ann") + read_message(raw).log)
    seal = [entry for entry in whole.entries if entry.k == "tell"][-1].fields["seals"]["ann"]
    opened = next(attachment for attachment in whole.attachments if attachment.digest == seal)

    def tell(fields: dict[str, Any]) -> None:
        if how and fields["k"] == "tell" and fields["seals"]["ann"] == seal:
            own = copy.deepcopy(opened.fields[6])
            LIES[how](fields["pub"], own, how)
            anew[seal] = [*opened.fields[:6], own]
            fields["seals"]["ann"] = sha256_hex(cj(anew[seal]))

    lie = retold(club, raw, tell, lambda fields: anew.get(sha256_hex(cj(fields)), fields))
    desk = club.desks["ann"]
    if not how:
        assert desk.read(lie).game
        answer(desk, club.now())
        return
    with pytest.raises(
        RecordError, match="DO NOT GO ON: the host's report to you differs from its report to everybody"
    ):
        desk.read(lie)
    assert desk.copy(desk.notes()).path.read_bytes().endswith(read_message(lie).log.splitlines()[-1] + b"\n")
    with pytest.raises(RecordError, match="differs from its report to everybody"):
        desk.speaker(desk.notes()).say("resign", club.now())
    assert desk.tray.unsent() == []
