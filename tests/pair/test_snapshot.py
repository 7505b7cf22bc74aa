"""A play that goes on from its snapshot is the play that has gone through the whole log."""

from __future__ import annotations

import hmac
import json
from functools import reduce

import pytest

from pbem.errors import Fault
from pbem.ledger import cj
from pbem.ledger.pair import PairCourse, append, checked, known_course
from pbem.player.pair.snapshot import restored, snapshot
from pbem.referee.pair import PairPlay
from pbem.referee.pair.play import vault_of
from tests.pair.playing import Couple, at_random, find


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options", "mails"), [("tiny", {"players": 2, "turns": 2}, 400), ("hammer", {}, 24)])
def test_what_a_snapshot_brings_back_is_what_the_log_tells(game: str, options: dict[str, int], mails: int) -> None:
    couple = Couple(find(game), options)
    couple.play(at_random(5), mails)
    knowing = couple.pack.knowing
    assert knowing is not None
    for seat in couple.seats:
        vault, course = vault_of(couple.entries, couple.keys[seat]), reduce(checked, couple.entries[:3], PairCourse())
        play = PairPlay(knowing, course, vault)
        kept = snapshot(play)
        for n, entry in enumerate(couple.entries[3:], 3):
            play.take_entry(entry)
            assert kept is not None
            again = restored(kept, knowing, couple.entries[: n + 1], vault)
            assert again is not None
            assert cj(again.kept()) == cj(play.kept())
            kept = snapshot(again)


def test_a_snapshot_counts_for_its_seat_game_and_entry_alone() -> None:
    couple, other = (Couple(find("tiny"), {"players": 2, "turns": 2}, seed) for seed in "12")
    couple.play(at_random(5), 12)
    one, two = couple.seats
    knowing, entries = couple.pack.knowing, couple.entries
    assert knowing is not None
    vault, kept = vault_of(entries, couple.keys[one]), snapshot(couple.plays[one])
    assert kept is not None
    assert restored(kept, knowing, entries, vault) is not None
    assert restored(kept, knowing, entries, vault_of(entries, couple.keys[two])) is None
    assert restored(kept, knowing, other.entries, vault_of(other.entries, other.keys[one])) is None
    assert restored(kept, knowing, entries[:-1], vault) is None
    assert restored(kept[:-9] + b"\n", knowing, entries, vault) is None
    assert restored(b"", knowing, entries, vault) is None


def test_a_snapshot_that_was_made_before_the_program_changed_counts_for_nothing() -> None:
    """The program reads the whole log instead."""
    couple = Couple(find("tiny"), {"players": 2, "turns": 2})
    couple.play(at_random(5), 12)
    seat = couple.seats[0]
    knowing, vault = couple.pack.knowing, vault_of(couple.entries, couple.keys[seat])
    whole = snapshot(couple.plays[seat])
    assert knowing is not None
    assert whole is not None
    kept = json.loads(whole.partition(b" ")[2])
    lacks = {name: value for name, value in kept["play"].items() if name != "news"}
    for changed in (lacks, kept["play"] | {"hand": 1}, kept["play"] | {"links": {seat: []}}):
        data = cj(kept | {"play": changed})
        made = hmac.digest(bytes.fromhex(vault.secret), b"pbem snapshot\n" + data, "sha256").hex().encode()
        assert restored(made + b" " + data + b"\n", knowing, couple.entries, vault) is None


def test_behind_what_is_known_everything_is_judged() -> None:
    couple = Couple(find("tiny"), {"players": 2, "turns": 2})
    couple.play(at_random(5), 12)
    course = known_course(couple.entries[:-1])
    assert not course.is_known
    last = couple.entries[-1]
    assert checked(course, last).head == (last.n, last.hash)
    forged = append(course.head, {**last.fields, "sig": couple.entries[-2].fields["sig"]})
    with pytest.raises(Fault, match=f"The signature of entry {last.n} is not that of"):
        checked(course, forged)
