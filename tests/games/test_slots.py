"""A question that is stated once: its text, reader, verdicts, steps, options and touches, for orders of no real game."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest

from pbem.errors import OrderError
from pbem.kernel import Names, Order, OrderPart, Refusal, View
from pbem.kernel.slots import NotYet, Question, Slot, Way, of_these
from pbem.look.filling import Says, touches

FRUIT = ("apple", "cherry", "plum")


class Basket(View):
    """What lies there, and how many pieces must be named."""

    fruit: tuple[str, ...] = FRUIT
    least: int = 0


class Wish(Order, form="WISH {fruit:NOTHING}"):
    """Some fruit, best first."""

    fruit: tuple[str, ...] = ()


class Eat(Order, form="EAT {fruit} WITH {other}"):
    """Two pieces of fruit."""

    fruit: str
    other: str


class Bite(OrderPart, form="BITE {fruit}[ AGAIN|again][ {other}]"):
    """A bite; AGAIN says that another bite follows."""

    fruit: str
    again: bool = False
    other: str = ""


class Bites(Order, form="{bites}"):
    """A bite on each line."""

    bites: tuple[Bite, ...]


class Leave(Order, form="LEAVE"):
    """Nothing at all."""


def _fruit(view: Basket, _order: Any) -> Sequence[str]:
    return view.fruit


def _law(_view: Basket, order: Bites) -> Refusal | None:
    *before, last = order.bites
    if not all(bite.again for bite in before):
        return Refusal("that was the last bite")
    return NotYet("another bite follows") if last.again else None


FIND = of_these(Names(FRUIT, "fruit"))
NAME: Slot[Basket] = Slot(_fruit, FIND, "fruit", but=lambda _view, _order, name: Refusal(f"no {name} is left"))
WISH: Slot[Basket] = Slot(_fruit, FIND, "fruit", several=True, count=lambda view, _order: (view.least, 2))
BITE: Way[Basket] = Way(
    Bite,
    {
        "fruit": Slot(lambda view, order: view.fruit if all(bite.again for bite in order.bites[:-1]) else (), FIND),
        "again": Slot(lambda _view, _order: (True,)),
        "other": Slot(),
    },
)
ASKED: Question[Basket] = Question(
    (
        Way(Wish, {"fruit": WISH}),
        Way(
            Eat,
            {
                "fruit": NAME,
                "other": Slot(lambda view, order: [f for f in view.fruit if f != order.fruit], FIND, "fruit"),
            },
        ),
        Way(Bites, {"bites": Slot(part=BITE)}, _law),
        Way(Leave, {}),
    ),
    lambda _view: Leave(),
    lambda _view, order: Refusal(f"{order} is no meal"),
    ("DRINK",),
)
SAYS = dict.fromkeys(
    ("fruit", "other", "again", ""),
    Says(lambda _view, _order, name: f"take {name}", lambda _view, _order, name: f"choice:{name}"),
)


def offered(*draft: str, view: Basket | None = None, before: str = "") -> list[str]:
    """Return the drafts that touches make, with a mark where they are not whole."""
    found = touches(ASKED, SAYS, view or Basket(), draft, before)
    return ["; ".join(touch.draft) + ("" if touch.closes else " …") for touch in found]


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (Wish(), "WISH NOTHING"),
        (Wish(fruit=("plum", "apple")), "WISH plum, apple"),
        (Bite(fruit="plum"), "BITE plum"),
        (Bite(fruit="plum", again=True, other="apple"), "BITE plum AGAIN apple"),
        (Bites(bites=(Bite(fruit="plum", again=True), Bite(fruit="apple"))), "BITE plum AGAIN\nBITE apple"),
        (Leave(), "LEAVE"),
    ],
)
def test_the_form_of_a_class_makes_its_text(order: OrderPart, text: str) -> None:
    assert str(order) == text


@pytest.mark.parametrize(
    "text", ["WISH NOTHING", "wish pl, apple", "WISH: plum, nothing", "EAT plum with ch", "eat plum WITH plum", "LEAVE"]
)
def test_what_is_typed_is_read_by_the_form(text: str) -> None:
    order = ASKED.read(Basket(), text)
    assert ASKED.read(Basket(), str(order)) == order


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "there is no order here"),
        ("WISH", "the fruit is missing"),
        ("EAT plum", "the fruit is missing"),
        ("WISH pear", "there is no such fruit here"),
        ("LEAVE now", "LEAVE stands alone"),
        ("DRINK plum", "that is not what is asked"),
        ("SING", "there is no such order here"),
        ("LEAVE\nWISH plum", "line 2: “WISH plum”: one order is enough here"),
    ],
)
def test_what_cannot_be_read_is_told(text: str, why: str) -> None:
    with pytest.raises(OrderError, match=why):
        ASKED.read(Basket(), text)


def test_without_a_law_the_slots_judge() -> None:
    view = Basket(fruit=("apple", "plum"), least=1)
    assert ASKED.why_not(view, Wish(fruit=("plum",))) is None
    assert isinstance(ASKED.why_not(view, Wish()), NotYet)
    assert ASKED.why_not(view, Wish(fruit=("cherry",))) == Refusal("cherry cannot be named here")
    assert ASKED.why_not(view, Eat(fruit="cherry", other="plum")) == Refusal("no cherry is left")
    assert ASKED.why_not(view, Eat(fruit="plum", other="plum")) == Refusal("plum cannot be named here")
    too_many = ASKED.why_not(view, Wish(fruit=("apple", "plum", "apple")))
    assert too_many
    assert not isinstance(too_many, NotYet)


def test_an_order_grows_step_by_step() -> None:
    assert offered()[:4] == ["WISH NOTHING", "WISH apple", "WISH cherry", "WISH plum"]
    assert offered("WISH plum") == ["WISH plum, apple", "WISH plum, cherry"]
    assert offered("WISH plum, apple") == []
    assert offered("WISH NOTHING") == []
    assert offered("wish") == ["WISH NOTHING", "WISH apple", "WISH cherry", "WISH plum"]
    assert offered("WISH pl") == [] == offered("WISH pear")
    assert offered(view=Basket(least=2))[:2] == ["WISH apple …", "WISH cherry …"]
    assert offered("PLAN", before="PLAN ")[1] == "PLAN WISH apple"


def test_a_field_that_must_follow_is_missing_until_it_is_there() -> None:
    """An order without it is none: it is not judged before."""
    assert "EAT apple …" in offered()
    assert offered("EAT plum") == ["EAT plum WITH apple", "EAT plum WITH cherry"]
    assert offered("EAT plum WITH apple") == []


def test_parts_have_a_line_each() -> None:
    assert offered("BITE plum") == ["BITE plum AGAIN …"]
    assert offered("BITE plum AGAIN") == [f"BITE plum AGAIN; BITE {fruit}" for fruit in FRUIT]
    assert offered("BITE plum AGAIN", "bite apple") == ["BITE plum AGAIN; BITE apple AGAIN …"]


def test_options_are_all_paths_and_a_random_order_is_one_of_them() -> None:
    closed = Question(ASKED.ways[:2] + ASKED.ways[3:], ASKED.silence, ASKED.otherwise)
    orders = list(closed.options(Basket()))
    assert len(orders) == 1 + 3 + 6 + 6 + 1
    assert all(closed.why_not(Basket(), order) is None for order in orders)
    rng = random.Random(1)
    assert {str(closed.at_random(Basket(), rng)) for _time in range(400)} == set(map(str, orders))
    open_end = Question(ASKED.ways, ASKED.silence, ASKED.otherwise, words=lambda _view: "a meal")
    assert open_end.options(Basket()).count() is None
    assert len(list(islice(open_end.options(Basket()), 60))) == 60
    assert all(ASKED.why_not(Basket(), open_end.options(Basket()).sample(rng)) is None for _time in range(50))


def test_a_plan_is_read_without_a_view() -> None:
    assert ASKED.read_plan(None, "plan wish plum") == "WISH plum"
    assert ASKED.read_plan(None, "") == ""
