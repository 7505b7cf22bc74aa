"""What calls all to be ready again (PROTOCOL 3 and 5): another key or chain, another player, another host, renewed chains.

With a new anchor all say again that they are ready, so that no random event hangs on links that somebody knew when the anchor was
chosen. A call has a time of its own. How often one may change a key is bounded, because each change brings other dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.ledger.chains import chain_length
from pbem.ledger.course.says import speaks
from pbem.ledger.course.state import FEW, REST, Course, Objection
from pbem.ledger.course.steps import agreed_host, pledged
from pbem.ledger.course.times import call_due_objection
from pbem.ledger.tree import LEAVES
from pbem.words import _

Fields = Mapping[str, Any]

FAR = 1000
"""So far beyond the least one the mark may lie with which a new host calls."""


def _untouched(course: Course, else_said: str) -> Objection | None:
    return None if course.phase in ("asked", "called") else Objection("ORDERING", else_said)


def _new_holding(course: Course, seat: str, say: Fields, who: str) -> Objection | None:
    """5: a key that was used in this game, or a chain that the seat has had, is known to somebody."""
    if say["key"] in course.keys:
        return Objection("BIND", _("{who} takes a key that a seat or host of this game has or had.", who=who))
    if say["chain"] in course.seats[seat].anchors:
        return Objection("BIND", _("{who} takes a chain that the seat has had before.", who=who))
    return None


def rekey_objection(course: Course, f: Fields) -> Objection | None:
    """Return why a seat may not change its key or chain now."""
    seat, say = f["by"], f["say"]
    if found := speaks(course, seat, say) or _untouched(
        course, _("{seat} changes the key while no question stands open.", seat=seat)
    ):
        return found
    holder = course.seats[seat]
    if "recovery" not in say and holder.next not in ("", say["next"]):
        why = _("{seat} binds another recovery key without the one that was bound.", seat=seat)
        return Objection("BIND", why)
    if say["key"] == holder.key:
        return _renewed_seat(course, seat, say) or call_due_objection(course, f)
    # a thief who has the key is undone by the recovery key, and cannot exchange that
    undoes = "recovery" in say and holder.by_key
    if holder.rested < REST and not undoes:
        why = _(
            "{seat} changes the key again, having answered {n} marked questions since; {least} are the least.",
            seat=seat, n=holder.rested, least=REST,
        )  # fmt: skip
        return Objection("ORDERING", why)
    return _new_holding(course, seat, say, seat) or call_due_objection(course, f)


def _renewed_seat(course: Course, seat: str, say: Fields) -> Objection | None:
    """5: with the key that it has a seat goes on from a new anchor, where few links are left."""
    holder = course.seats[seat]
    left = chain_length("seat") - (max(holder.link_n, holder.base) - holder.base)
    if left > FEW["seat"] or "recovery" in say or say["next"] != holder.next:
        return Objection("BIND", _("{seat} changes to the key that it has.", seat=seat))
    if say["chain"] in holder.anchors:
        return Objection("BIND", _("{who} takes a chain that the seat has had before.", who=seat))
    return None


def newcomer_objection(course: Course, f: Fields) -> Objection | None:
    """Return why a seat may not be given to another player."""
    n, what = course.next, f["what"]
    say = what["player"]["say"]
    if say["seat"] not in course.seats or not course.vanished(say["seat"], f["at"]):
        why = _("Entry {n} gives away a seat that is not one of this game, or whose player has not vanished.", n=n)
        return Objection("BIND", why)
    if course.owed is not None or f["agreed"] != pledged(course, what):
        return Objection("BIND", _("Entry {n} amends what not every seat agreed to since the last order.", n=n))
    return (
        _untouched(course, _("Entry {n} amends the game while no question stands open.", n=n))
        or _new_holding(course, say["seat"], say, _("The newcomer"))
        or call_due_objection(course, f)
    )


def host_objection(course: Course, f: Fields) -> Objection | None:
    """Return why another host may not go on: every seat has agreed to his key, anchors and beginning."""
    n, agreed = course.next, f["agreed"]
    if agreed != pledged(course, agreed_host(f)) or agreed != list(range(f["seen"][0] + 1, n)):
        return Objection("BIND", _("Entry {n} names another host than every seat agreed to right above.", n=n))
    if found := _untouched(course, _("Entry {n} names another host while no question stands open.", n=n)):
        return found
    # what he signed before, beyond the place from which the game goes on, would be a second history of his
    if f["key"] in course.keys:
        why = _("Entry {n} makes a host of a key that a seat or host of this game has or had.", n=n)
        return Objection("BIND", why)
    # 5, fair 1: a link of a lower mark may have been sent ahead
    if not (least := course.next_mark_of_call) <= f["mark"] <= least + FAR:
        marks = {"n": n, "mark": f["mark"], "least": least, "most": least + FAR}
        why = _("Entry {n} calls all to be ready with mark {mark}; {least} to {most} may stand there.", **marks)
        return Objection("ORDERING", why)
    # 5: a chain for the public, one for each seat, and one to deal anew on
    expected = {"pub", *(f"priv:{seat}" for seat in course.order), f"anew:{course.moves + 1}"}
    if set(f["chains"]) != expected:
        labels = ", ".join(sorted(expected))
        return Objection("FORM", _("The chains of the new host should be {labels}.", labels=labels))
    return call_due_objection(course, f)


def renew_objection(course: Course, f: Fields) -> Objection | None:
    """Return why the host may not go on from new anchors: only where few links are left."""
    n = course.next
    if found := _untouched(course, _("Entry {n} renews chains while no question stands open.", n=n)):
        return found
    if not f["chains"] and "deals" not in f:
        return Objection("FORM", _("Entry {n} renews no chain.", n=n))
    for label in f["chains"]:
        begun = course.chains.get(label, ((0, ""),))[-1][0]
        left = chain_length(label) - (course.indices.get(label, 0) - begun)
        if label not in course.chains or label.startswith("anew:") or left > FEW[label.partition(":")[0]]:
            why = _("Entry {n} renews {label}, which has links enough, or is no chain of this game.", n=n, label=label)
            return Objection("REQ", why)
    if "deals" in f and LEAVES - (course.dealt - course.trees[-1][0]) > FEW["deal"]:
        return Objection("REQ", _("Entry {n} renews the anchors of deals, of which there are enough.", n=n))
    return call_due_objection(course, f)
