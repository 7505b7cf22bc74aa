"""A log read aloud: a sentence for each entry, of what is open in the copy and no more."""

from __future__ import annotations

from pathlib import Path

import pytest
import tiny_game

from pbem.games import GamePack
from pbem.i18n import speaking
from pbem.ledger import Log
from pbem.ledger.entries import KINDS
from pbem.reports.entries import Reader
from tests.attacks.recorded import a_log

SAID = Path(__file__).parents[1] / "ledger" / "data" / "said"
TINY = GamePack(tiny_game.GAME, "tiny_game")


def lines(data: bytes, pack: GamePack | None = TINY) -> list[str]:
    log = Log.parse(data)
    return [Reader(log, pack).line(entry) for entry in log.entries]


@pytest.mark.parametrize("pack", [TINY, None])
@pytest.mark.parametrize("path", sorted(SAID.glob("*.pbem")), ids=lambda path: path.stem)
def test_every_entry_is_a_sentence(path: Path, pack: GamePack | None) -> None:
    for line in lines(path.read_bytes(), pack):
        number, said = line.split(maxsplit=1)
        assert number.isdecimal()
        assert "{" not in said.replace('{"', "")
        if pack:
            assert said[0].isupper() or not said[0].isalpha()
            assert said.endswith((".", ")", "”"))


def test_the_recorded_talk_has_entries_of_every_kind() -> None:
    kinds = {entry.k for path in SAID.glob("*.pbem") for entry in Log.parse(path.read_bytes()).entries}
    assert kinds >= set(KINDS) - {"renew"}


def test_what_is_sealed_in_a_copy_is_not_told() -> None:
    recorded = a_log("tiny")
    whole, copy = (
        lines(recorded.whole),
        lines(recorded.copies["ann"][: len(recorded.copies["ann"]) // 3].rpartition(b"\n")[0] + b"\n"),
    )
    drawn = {line.split()[0] for line in whole if "Bob drew: " in line} & {line.split()[0] for line in copy}
    assert drawn, "the copy goes far enough"
    for line in copy:
        if line.split()[0] in drawn:
            assert line.endswith("Bob drew, sealed.")


def test_it_is_told_in_french() -> None:
    with speaking("fr"):
        said = lines((SAID / "talk.pbem").read_bytes())
    assert not any("answered question" in line or "took the seat" in line for line in said)
