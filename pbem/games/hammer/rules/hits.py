"""On whom hits fall: always on the strongest, the owner choosing among equals. Rule 5.41, and the options with one target."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from .variants import ONE_TARGET, SIMULTANEOUS_FIRE


def has_one_target(variants: Container[str]) -> bool:
    """Do hits that are applied together all fall on one block, by either option?"""
    return ONE_TARGET in variants or SIMULTANEOUS_FIRE in variants


def forced_and_tied(strength: Mapping[str, int], hits: int) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """Return the hits that fall where they must, one name for each, then the equals and how many of them are hit at last.

    >>> forced_and_tied({"Wallace": 4, "Douglas": 4, "Barclay": 2}, 3)
    (('Wallace', 'Douglas'), ('Wallace', 'Douglas'), 1)
    >>> forced_and_tied({"Wallace": 1}, 3)
    (('Wallace',), (), 0)
    """
    left = {name: steps for name, steps in strength.items() if steps}
    forced: list[str] = []
    while hits and left:
        most = max(left.values())
        strongest = [name for name, steps in left.items() if steps == most]
        if len(strongest) > hits:
            return tuple(forced), tuple(strongest), hits
        for name in strongest:
            forced.append(name)
            left[name] -= 1
            if not left[name]:
                del left[name]
        hits -= len(strongest)
    return tuple(forced), (), 0


def on_the_strongest(strength: Mapping[str, int], hits: int) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """Return the same where all hits fall on one: with equals, those of whom one takes them all (options).

    Hits that he has no steps for are lost.

    >>> on_the_strongest({"Wallace": 4, "Douglas": 3}, 2)
    (('Wallace', 'Wallace'), (), 0)
    >>> on_the_strongest({"Wallace": 4, "Douglas": 4}, 2)
    ((), ('Wallace', 'Douglas'), 2)
    """
    most = max(strength.values(), default=0)
    strongest = tuple(name for name, steps in strength.items() if steps == most)
    if len(strongest) > 1:
        return (), strongest, hits
    return strongest * min(hits, most), (), 0


def take_hits(strength: Mapping[str, int], hits: Iterable[str]) -> dict[str, int]:
    """Return the strengths after these hits; blocks without any left are removed."""
    left = dict(strength)
    for name in hits:
        left[name] -= 1
    return {name: steps for name, steps in left.items() if steps}
