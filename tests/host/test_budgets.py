"""How many letters one receiver gets, whoever makes the host write: a law over all kinds of letters, and the ways that broke it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.host import Store, budgets
from pbem.host.moments import later
from pbem.host.outbox import CAPS, Draft
from pbem.host.store.rows import LetterRow
from pbem.referee import Refused
from tests.stored import stored_row

from .club_by_mail import Host
from .post import Club, a_club, moment

KINDS = sorted({*budgets.BUDGETS, "something-new"})


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with a_club(tmp_path_factory.mktemp("club"), players=3) as club:
        yield club.begin()


@contextmanager
def undone(store: Store) -> Iterator[None]:
    """What is written inside is gone afterwards."""
    with suppress(ZeroDivisionError), store.decision():
        yield
        raise ZeroDivisionError


@pytest.mark.slow
@given(kind=st.sampled_from(KINDS), steps=st.lists(st.integers(0, 50), min_size=1, max_size=90), alone=st.booleans())
def test_no_kind_of_letter_comes_more_often_than_its_budget(
    club: Club, kind: str, steps: list[int], alone: bool
) -> None:
    """A member triggers letters to another member, or sends 200 revisions. The last letter and `status` say so; the
    valid receipt follows."""
    store, post, to, minute = club.office.store, club.robot.post, "eve@example.org", 10_000
    budget, game = budgets.BUDGETS.get(kind, budgets.OTHERS), club.robot.house.game(1)
    with undone(store):
        for no, step in enumerate(steps):
            minute += step
            if alone:
                post.lay_alone(kind, f"{no}", to, "a letter", "words", moment(minute))
            else:
                post.lay(game, "ann", moment(minute), Draft(f"{kind}.{no}", "a letter", "words", to=to))
        sent = [row.at for row in store.find(LetterRow, address=to, kind=kind)]
        for at in sent:
            assert sum(later(at, minutes=-budget.minutes) < then <= at for then in sent) <= budget.few
            assert sum(later(at, hours=-24) < then <= at for then in sent) <= budget.many
        if minute < 10_000 + 24 * 60:
            held = [one for one in budgets.exhausted(store, moment(minute)) if str(one["budget"]).endswith(to)]
            assert bool(held) == (len(sent) < len(steps))


def test_each_kind_of_letter_is_counted_somewhere() -> None:
    """Answers are counted before they are made. What is left in `COURSE` follows from a game, or from its operator."""
    assert not budgets.COURSE & set(budgets.BUDGETS)
    assert set(CAPS) <= budgets.COURSE | set(budgets.BUDGETS)


@pytest.mark.slow
def test_two_hundred_revisions_of_an_order_make_few_letters_and_the_last_one_has_its_receipt(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        seat, start, store = club.asked()[0], club.minute, club.office.store
        address, few = club.robot.house.game(1).seats[seat].address, budgets.BUDGETS["receipt"].few
        for _ in range(200):
            club.minute = start
            assert club.take(club.order(seat)).startswith("order")
        letters = store.find(LetterRow, address=address, kind="receipt", order="id")
        assert len(letters) == few
        assert b"This is the last receipt for now" in store.raw("outbox", letters[-1].id)
        assert b"This is the last receipt for now" not in store.raw("outbox", letters[-2].id)
        (row,) = [one for one in club.office.status(moment(start + 2))["troubles"] if "budget" in one]
        assert row["budget"] == f"receipt {address}"
        club.robot.tick(moment(start + 90))
        (*_before, last) = letters = store.find(LetterRow, address=address, kind="receipt", order="id")
        assert len(letters) == few + 1
        order = club.robot.house.game(1).order_here(seat)
        assert order is not None
        assert order.got[2][:16] in last.message_id
        assert list(budgets.owed(store)) == []


def test_a_member_cannot_make_the_host_write_to_another_again_and_again(tmp_path: Path) -> None:
    """Eve keeps a seat for Ann, withdraws, and keeps it again, nine times within a minute."""
    host = Host(tmp_path)
    host.member("ann")
    host.member("eve")
    for no in range(1, 10):
        host.minute -= 122
        assert host.write("eve", "NEW tiny players=2 turns=2 hours=48 side=bob ann=Ann").startswith("answered")
        assert host.write("eve", f"WITHDRAW {no}").startswith("answered")
    assert len(host.texts("ann")) == budgets.BUDGETS["table"].few
    (row,) = [one for one in host.office.status(moment(host.minute))["troubles"] if "budget" in one]
    assert row["budget"] == "table ann@example.org"
    host.office.close()


def test_who_only_looks_around_uses_up_nothing_of_those_who_register(tmp_path: Path) -> None:
    """Strangers' GAMES and REGISTER have separate budgets; `status` shows an exhausted one."""
    host = Host(tmp_path, strangers=3)

    def told() -> list[str]:
        return [str(one["budget"]) for one in host.office.status(moment(host.minute))["troubles"] if "budget" in one]

    for no in range(5):
        host.write(f"x{no}", "GAMES")
    assert told() == ["GAMES"]
    for no in range(5):
        host.write(f"y{no}", "REGISTER Somebody")
    assert told() == ["GAMES", "REGISTER"]
    assert stored_row(host.store, "select count(*) as n from outbox") == {"n": 6}
    assert len(host.box("y0")) == 1
    assert host.write("ann", "GAMES").endswith("one too many")
    host.office.close()


def test_a_seat_that_changes_its_key_again_and_again_is_told_to_wait(tmp_path: Path) -> None:
    """Each change or offer sends letters to all players; a few an hour are possible."""
    with a_club(tmp_path) as club:
        club.begin()
        moments = [moment(club.minute)] * budgets.MOST_KEYS.few
        with pytest.raises(Refused, match="too many statements"):
            budgets.check_said(moments, budgets.MOST_KEYS, moment(club.minute + 1))
        budgets.check_said(moments, budgets.MOST_KEYS, moment(club.minute + 61))
