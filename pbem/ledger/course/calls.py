"""The causes of a ready round (PROTOCOL 3 and 5): another key or chain, another player, another host, renewed chains.

After a new anchor, everybody confirms again, so that no random event depends on links that somebody knew when the anchor was
chosen. A ready round has a time of its own. Key changes are limited, because each one brings other dice. Each check raises
Objection.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.i18n import N_, _
from pbem.ledger.chains import chain_length
from pbem.ledger.course.says import check_speaks
from pbem.ledger.course.state import FEW, REST, Course, Objection, object_if
from pbem.ledger.course.steps import agreed_host, pledged
from pbem.ledger.course.times import check_call_due

Fields = Mapping[str, Any]

FAR = 1000
"""So far beyond the least one the mark may lie with which a new host calls."""


def _check_untouched(course: Course, else_said: str) -> None:
    object_if(course.phase not in ("asked", "called"), "ORDERING", else_said)


def _check_new_holding(course: Course, seat: str, say: Fields, who: str) -> None:
    """5: a key that was used in this game, or a chain that the seat has had, is known to somebody."""
    object_if(
        say["key"] in course.keys, "BIND", N_("{who} takes a key that a seat or host of this game has or had."), who=who
    )
    _check_new_chain(course, seat, say, who)


def _check_new_chain(course: Course, seat: str, say: Fields, who: str) -> None:
    object_if(
        say["chain"] in course.seats[seat].anchors,
        "BIND",
        N_("{who} takes a chain that the seat has had before."),
        who=who,
    )


def check_rekey(course: Course, f: Fields) -> None:
    """A seat may change its key or chain now."""
    seat, say = f["by"], f["say"]
    check_speaks(course, seat, say)
    _check_untouched(course, _("{seat} changes the key while no question is open.", seat=seat))
    holder = course.seats[seat]
    object_if(
        "recovery" not in say and holder.next not in ("", say["next"]),
        "BIND",
        N_("{seat} binds another recovery key without the one that was bound."),
        seat=seat,
    )
    # a thief who has the key is undone by the recovery key, and cannot exchange that
    undoes = "recovery" in say and holder.by_key
    if say["key"] == holder.key:
        _check_renewed_seat(course, seat, say)
    elif holder.rested < REST and not undoes:
        why = _(
            "{seat} changes the key again, having answered {n} marked questions since; {least} are the least.",
            seat=seat, n=holder.rested, least=REST,
        )  # fmt: skip
        raise Objection("ORDERING", why)
    else:
        _check_new_holding(course, seat, say, seat)
    check_call_due(course, f)


def _check_renewed_seat(course: Course, seat: str, say: Fields) -> None:
    """5: when few links are left, a seat continues with the same key from a new anchor."""
    holder = course.seats[seat]
    left = chain_length("seat") - (max(holder.link_n, holder.base) - holder.base)
    object_if(
        left > FEW["seat"] or "recovery" in say or say["next"] != holder.next,
        "BIND",
        N_("{seat} changes to the key that it has."),
        seat=seat,
    )
    _check_new_chain(course, seat, say, seat)


def check_newcomer(course: Course, f: Fields) -> None:
    """A seat may be given to another player: its own has vanished, and all have agreed."""
    n, what = course.next, f["what"]
    say = what["player"]["say"]
    object_if(
        say["seat"] not in course.seats or not course.vanished(say["seat"], f["at"]),
        "BIND",
        N_("Entry {n} gives away a seat that is not in this game, or its player has not vanished."),
        n=n,
    )
    object_if(
        course.owed is not None or f["agreed"] != pledged(course, what),
        "BIND",
        N_("Entry {n} amends what not every seat agreed to since the last order."),
        n=n,
    )
    _check_untouched(course, _("Entry {n} amends the game while no question is open.", n=n))
    _check_new_holding(course, say["seat"], say, _("The newcomer"))
    check_call_due(course, f)


def check_host(course: Course, f: Fields) -> None:
    """Another host may continue: every seat has agreed to his key, anchors and beginning."""
    n, agreed = course.next, f["agreed"]
    object_if(
        agreed != pledged(course, agreed_host(f)) or agreed != list(range(f["seen"][0] + 1, n)),
        "BIND",
        N_("Entry {n} names another host than every seat agreed to right above."),
        n=n,
    )
    _check_untouched(course, _("Entry {n} names another host while no question is open.", n=n))
    # what he signed before, beyond the place from which the game goes on, would be a second history of his
    object_if(
        f["key"] in course.keys,
        "BIND",
        N_("Entry {n} makes a host of a key that a seat or host of this game has or had."),
        n=n,
    )
    # 5, fair 1: a link of a lower mark may have been sent ahead
    object_if(
        not (least := course.next_mark_of_call) <= f["mark"] <= least + FAR,
        "ORDERING",
        N_("Entry {n} calls all to be ready with mark {mark}; {least} to {most} are allowed."),
        n=n,
        mark=f["mark"],
        least=least,
        most=least + FAR,
    )
    # 5: a chain for the public, one for each seat, and one to deal anew on
    expected = {"pub", *(f"priv:{seat}" for seat in course.order), f"anew:{course.moves + 1}"}
    if set(f["chains"]) != expected:
        labels = ", ".join(sorted(expected))
        raise Objection("FORM", _("The chains of the new host should be {labels}.", labels=labels))
    check_call_due(course, f)


def check_renew(course: Course, f: Fields) -> None:
    """The host may continue from new anchors: only where few links are left."""
    n = course.next
    _check_untouched(course, _("Entry {n} renews chains while no question is open.", n=n))
    object_if(not f["chains"] and "deals" not in f, "FORM", N_("Entry {n} renews no chain."), n=n)
    for label in f["chains"]:
        kind = label.partition(":")[0]
        object_if(
            label not in course.chains or kind == "anew" or course.links_left(label) > FEW[kind],
            "REQ",
            N_("Entry {n} renews {label}, which has enough links left, or is not a chain of this game."),
            n=n,
            label=label,
        )
    object_if(
        "deals" in f and course.links_left("deals") > FEW["deal"],
        "REQ",
        N_("Entry {n} renews the anchors of deals, although enough of them are left."),
        n=n,
    )
    check_call_due(course, f)
