"""Lines to type over, and what could stand in place of a refused line, made from touches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.look.offers import LINES, WIDTH, possible, template
from pbem.look.touches import Touch, listed

Touching = Callable[[tuple[str, ...]], Sequence[Touch]]
AREAS = ("Angus", "Atholl", "Mentieth", "Buchan", "Mar")


def of(*orders: str) -> Touching:
    return lambda draft: listed(orders, draft)


def moves(draft: tuple[str, ...]) -> list[Touch]:
    """A move of six groups, each of several blocks; where a block is touched, where it goes to."""
    if draft:
        return [Touch(f"area:{to}", to, (f"{draft[0]} > {to}",), closes=True) for to in AREAS if ">" not in draft[0]]
    found = [Touch("choice:PASS", "Pass", ("PASS",), closes=True)]
    for no in range(6):
        names = f"Block {no}", f"Guard {no}", f"Knight {no}"
        found.append(Touch(f"area:A{no}", f"all in {no}", (f"MOVE A{no}: {', '.join(names)}",)))
        found += [Touch(f"block:{name}", name, (f"MOVE A{no}: {name}",)) for name in names]
    return found


def test_few_orders_stand_each_on_a_line_of_its_own() -> None:
    assert template(of("CARD Move 1", "CARD Herald"), "CARD Herald") == "CARD Herald\n# CARD Move 1"


def test_a_group_has_one_line_and_what_else_may_stand_at_its_end_behind_it() -> None:
    shown = template(moves, "PASS").split("\n")
    assert shown[:3] == [
        "PASS",
        "# MOVE A0: Block 0, Guard 0, Knight 0 > Angus",
        "#     # or Atholl, Mentieth, Buchan, Mar",
    ]
    assert len(shown) == 1 + 2 * 6, "a block that goes alone needs no line beside its group"


def test_of_very_many_orders_it_is_said_that_there_are_others() -> None:
    shown = template(of(*(f"CARD c{no}" for no in range(40))), "CARD c0").split("\n")
    assert len(shown) == LINES + 1
    assert shown[-1] == "# ... and others like these"


def test_what_is_too_long_is_folded_and_reads_as_one_line() -> None:
    long = "HITS " + ", ".join(f"York Infantry {no}" for no in range(9))
    lines = template(of(long), long).split("\n")
    assert len(lines) > 1
    assert all(len(line) <= WIDTH for line in lines)
    assert " ".join(line.strip() for line in lines) == long


def test_an_example_is_shown_if_touches_make_it() -> None:
    plans = "PLAN KEEP ANY", "PLAN KEEP Wallace"

    def touching(draft: tuple[str, ...]) -> Sequence[Touch]:
        return listed(plans, draft[1:]) if draft[1:] else listed(["DONE"], draft)

    assert template(touching, "DONE", ["PLAN KEEP ANY", "PLAN DANCE ALL"]) == "DONE\n# PLAN KEEP ANY"


def test_the_nearest_that_could_stand_there_comes_first() -> None:
    assert possible(moves, (), "MOVE A3: Block 3 > Menteeth").startswith("MOVE A3: Block 3 > Mentieth, or ")
    assert possible(of("CARD Move 1", "CARD Herald"), (), "CARD Heraldd") == "CARD Herald, or Move 1"


def test_where_nothing_can_be_added_nothing_is_possible() -> None:
    assert possible(of("CARD Herald"), ("CARD Herald",), "CARD Herald") == ""
    assert possible(lambda draft: (), (), "CARD Herald") == ""


def test_touches_are_asked_for_a_few_times_only() -> None:
    asked = []

    def endless(draft: tuple[str, ...]) -> list[Touch]:
        asked.append(draft)
        return [Touch(f"choice:{no}", str(no), (f"{''.join(draft)} {no}".strip(),)) for no in range(3)]

    assert possible(endless, (), "0 0 0 0 0 0 0 0 0 0 0 0 0") == ""
    assert len(asked) == 10


def test_a_semicolon_stands_between_lines_of_one_order_and_nowhere_else() -> None:
    several = of("FIGHT A FIRE, B FIRE", "FIGHT A FIRE, B PASS", "FIGHT A PASS, B FIRE")
    assert possible(several, (), "FIGHT A FIRE") == "FIGHT A PASS, B FIRE, or FIRE, B FIRE, or FIRE, B PASS"
    assert possible(of("HEAL A\nHEAL B", "HEAL A\nHEAL C"), (), "HEAL A; HEAL D") == "HEAL A; HEAL B, or C"
