"""Plans that both pledge in a battle: it is over in two letters, and what came of it is the hosted battle of the same decisions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.kernel import Json
from pbem.referee.pair import PairPlay, audit_pair

from .hosted import PLEDGES, Watched, equal_to_hosted, find
from .many import HAMMER


def played(options: Json, seed: str, i: int) -> Watched:
    """A whole game in which both pledge plans."""
    couple = Watched(find("hammer"), options, seed, {0: "sensible", 1: "sensible"})
    couple.pledge(i)
    assert couple.play(couple.answer)
    return couple


def said(couple: Watched, act: str) -> Iterator[tuple[int, Json]]:
    """Go through all acts of a kind, each with its entry."""
    for entry in couple.entries[3:]:
        for one in entry.fields["say"]["acts"]:
            if one["do"] == act:
                yield entry.n, one


def over_behind(couple: Watched) -> list[int]:
    """Return of each battle that both had pledged how many letters behind the second pledge it was over."""
    news = couple.plays[couple.seats[0]].news
    ends = [n for n, fact in news if fact["f"] in ("battle over", "end")]
    met = [n for n, act in said(couple, "meet") if act["text"]]
    return [min((end for end in ends if end >= n), default=n) - n for n in met]


@pytest.mark.slow
def test_battles_that_plans_cover_are_over_in_two_letters() -> None:
    """In the one that shows the second plans, and the one that opens the first."""
    couple = played({"scenario": "bruce"}, "letters again", 0)
    took = over_behind(couple)
    assert len(took) > 10
    assert sum(letters <= 1 for letters in took) > len(took) * 4 // 5, took
    assert len([*said(couple, "pledge")]) == len([*said(couple, "meet")]) == len(took)


@pytest.mark.slow
@pytest.mark.parametrize("i", range(len(PLEDGES)))
def test_pledged_plans_make_the_hosted_game(i: int) -> None:
    couple = played(HAMMER[3 * i % len(HAMMER)] | {"years": 2}, f"pledged {i}", i + len(PLEDGES))
    assert equal_to_hosted(couple) > 50
    assert audit_pair(couple.dump(), lambda _rules: couple.pack.knowing).verdict == "clean"
    assert any(act["text"] for _n, act in said(couple, "meet"))


@pytest.mark.slow
def test_a_program_that_begins_anew_finds_the_same_battle() -> None:
    """At every entry, from the log and from what was kept there: what it owes, sees and has heard is the same."""
    couple = played({"years": 1}, "anew", 1)
    seat = couple.seats[1]
    again = PairPlay.of(couple.pack.knowing, couple.entries[:3], couple.keys[seat])  # type: ignore[arg-type]
    contests = 0
    for entry in couple.entries[3:]:
        again.take_entry(entry)
        kept = again.kept()
        assert kept is not None
        if again.contest is not None or again.given.pledges:
            contests += 1
            again = PairPlay.again(again.knowing, again.course, again.vault, kept)
            assert again.kept() == kept
    assert contests > 3
    assert again.news == couple.plays[seat].news


@pytest.mark.slow
def test_who_does_not_pledge_is_asked_as_always() -> None:
    """One alone pledges: his is met with nothing, stays shut, and costs no letter."""
    alone, without = (Watched(find("hammer"), {"years": 1}, "alone", {0: "sensible", 1: "sensible"}) for _ in range(2))
    alone.plans[alone.seats[0]] = PLEDGES[0]
    for couple in (alone, without):
        assert couple.play(couple.answer)
    assert [act["text"] for _n, act in said(alone, "meet")] == [""] * len([*said(alone, "pledge")])
    assert [*said(alone, "pledge")]
    assert (alone.mails, alone.decisions) == (without.mails, without.decisions)
    assert equal_to_hosted(alone) > 50
