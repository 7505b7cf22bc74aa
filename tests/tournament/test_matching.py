"""Tournament Play: how bids are matched."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games.tournament.matching import BIDS, match
from pbem.games.tournament.told import Pairing


def pairs(*bids: str, lots: str = "") -> list[tuple[str, str, str]]:
    """Match bids of players a, b, c … and return each pairing as bids, English first, and the net bid."""
    bidders = dict(zip("abcdefgh", bids, strict=False))
    found = match(bidders, lots or "".join(bidders))
    return [(bidders[p.english], bidders[p.scottish], p.bid) for p in found]


def test_opposite_bids_cancel_each_other_out() -> None:
    assert pairs("E3", "S3") == [("E3", "S3", "")]


def test_the_book_s_example_e2_against_s1_has_a_net_of_e1() -> None:
    assert pairs("S1", "E2") == [("E2", "S1", "E1")]


@pytest.mark.parametrize(("english", "scottish", "net"), [("E3", "S1", "E2"), ("E1", "S3", "S2"), ("E2", "S3", "S1")])
def test_the_net_effect_is_the_higher_bidder_s(english: str, scottish: str, net: str) -> None:
    assert pairs(english, scottish) == [(english, scottish, net)]


def test_opposite_bids_come_before_near_ones_whatever_the_lots() -> None:
    for lots in permutations("abcd"):
        assert sorted(pairs("E3", "E2", "S3", "S1", lots="".join(lots))) == [("E2", "S1", "E1"), ("E3", "S3", "")]


def test_near_bids_come_before_far_ones() -> None:
    for lots in permutations("abcd"):
        found = pairs("E1", "E2", "S3", "E1", lots="".join(lots))
        assert ("E2", "S3", "S1") in found


def test_the_lots_decide_between_equal_bids() -> None:
    bids = {"ann": "E2", "bob": "E2", "cat": "S2", "dan": "S1"}
    assert match(bids, ["bob", "ann", "cat", "dan"])[0] == Pairing("bob", "cat", "")
    assert match(bids, ["ann", "bob", "cat", "dan"])[0] == Pairing("ann", "cat", "")


def test_of_two_bids_for_one_side_the_higher_gets_it_at_its_whole_price() -> None:
    assert pairs("E1", "E3") == [("E3", "E1", "E3")]
    assert pairs("S2", "S1") == [("S1", "S2", "S2")]
    assert match({"ann": "S2", "bob": "S2"}, ["bob", "ann"]) == (Pairing("ann", "bob", "S2"),)


def test_bids_for_one_side_meet_the_nearest() -> None:
    assert pairs("E1", "E3", "E1", "E3") == [("E3", "E3", "E3"), ("E1", "E1", "E1")]


@st.composite
def rounds(draw: st.DrawFn) -> tuple[dict[str, str], list[str]]:
    n = 2 * draw(st.integers(1, 5))
    names = [f"p{i}" for i in range(n)]
    bids = dict(zip(names, draw(st.lists(st.sampled_from(BIDS), min_size=n, max_size=n)), strict=True))
    return bids, draw(st.permutations(names))


@given(rounds())
def test_everybody_plays_once_and_nobody_bears_more_than_he_bid(found: tuple[dict[str, str], list[str]]) -> None:
    bids, lots = found
    pairings = match(bids, lots)
    assert sorted(name for p in pairings for name in (p.english, p.scottish)) == sorted(bids)
    for pair in pairings:
        bearer = pair.english if pair.bid.startswith("E") else pair.scottish
        assert not pair.bid or (bids[bearer][0] == pair.bid[0] and bids[bearer][1] >= pair.bid[1])


@given(rounds())
def test_no_two_pairs_could_be_matched_more_closely_by_a_swap(found: tuple[dict[str, str], list[str]]) -> None:
    bids, lots = found
    opposed = [p for p in match(bids, lots) if bids[p.english][0] == "E" and bids[p.scottish][0] == "S"]

    def apart(english: str, scottish: str) -> int:
        return abs(int(bids[english][1]) - int(bids[scottish][1]))

    for p in opposed:
        for q in opposed:
            now = sorted((apart(p.english, p.scottish), apart(q.english, q.scottish)))
            swapped = sorted((apart(p.english, q.scottish), apart(q.english, p.scottish)))
            assert now <= swapped or sum(now) <= sum(swapped)


@given(rounds())
def test_as_many_as_can_play_the_side_they_bid_for(found: tuple[dict[str, str], list[str]]) -> None:
    bids, lots = found
    for_english = sum(bid[0] == "E" for bid in bids.values())
    opposed = sum(bids[p.english][0] == "E" and bids[p.scottish][0] == "S" for p in match(bids, lots))
    assert opposed == min(for_english, len(bids) - for_english)
