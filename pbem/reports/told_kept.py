"""A log's facts about kept seats, as sentences: matches, mismatches, and how far such a seat can be trusted.

It blames nobody: a kept seat rests on the host's word, and this says how far.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.i18n import N_, _, _n

_SEED = {
    "fits": N_("The seed of the kept seats is the one that the host fixed when it opened the game."),
    "differs": N_("The seed of the kept seats is NOT the one that the host fixed when it opened the game."),
    "not shown": N_(
        "The seed of the kept seats is not shown in this log (the host that opened the game shows it at the end)."
    ),
}
_CHAIN = {
    "fits": N_("its dice follow from the words “{words}”"),
    "differs": N_("its dice do NOT follow from the words “{words}”"),
    "not shown": N_("its player’s words are “{words}”"),
}
_NO_WORDS = {
    "fits": N_("its player wrote no words, so the host alone chose its share of the dice"),
    "differs": N_("its dice do NOT follow from the seed"),
    "not shown": N_("its player wrote no words"),
}


def told_of_kept(found: Mapping[str, Any] | None, name: Callable[[str], str]) -> list[str]:
    """Return what an audit says of kept seats, as sentences; none where no seat was kept."""
    if not found or not found["seats"]:
        return []
    seats: Mapping[str, Mapping[str, Any]] = found["seats"]
    of_seed = _SEED[found["seed"]]
    lines = [_(of_seed)]
    for seat, one in [(seat, one) for seat, last in seats.items() for one in (*last.get("before", []), last)]:
        chain = (_CHAIN if one["words"] else _NO_WORDS)[one["chain"]]
        said = [_(chain, words=one["words"])]
        said.append(
            _n(
                "the host signed {n} answer or statement, and {mailed} name mails",
                "the host signed {n} answers or statements, and {mailed} name mails",
                one["orders"],
                mailed=one["mailed"],
            )
        )
        if one["next"] != "empty":
            said.append(_("its join binds a SPARE KEY, by which the host could take the seat back"))
        if one["taken"]:
            said.append(_("its key was taken over with entry {n}", n=one["taken"]))
        lines.append(_("{seat}: the host kept the key; {said}.", seat=name(seat), said=_("; ").join(said)))
    if found["odd"]:
        numbers = ", ".join(map(str, found["odd"]))
        lines.append(_("The fields that say so are malformed or misplaced in entries {numbers}.", numbers=numbers))
    lines += what_it_is_worth(all_kept=bool(found.get("all")))
    return lines


def what_it_is_worth(*, all_kept: bool) -> list[str]:
    """Return in plain words how far a kept seat can be trusted."""
    lines = []
    if all_kept:
        lines.append(_("No player held a key of his own: the host knew every die of this game once all had joined."))
    lines.append(_("That an order of a kept seat is its player’s is the host’s word, backed by mails."))
    return lines
