"""Letters left at a web address that was removed: a player who wanted little mail is sent his copy, so that he misses nothing.

The host does not know what he has fetched; his program takes from the copy what it lacks.
"""

from __future__ import annotations

from .hosted import House
from .post import Post
from .troubles import apart

_OPEN = "had a door"


def back_to_mail(house: House, post: Post, at: str) -> None:
    """Where a host has no door, but had one, send who had letters there instead of by mail his copy once more; once."""
    had_one = bool(house.store.note(_OPEN))
    if bool(post.door) == had_one:
        return
    for number, seat, upto in [] if post.door else house.store.left_at_door():
        with apart(house.store, f"door {number}", at):
            post.resend(house.game(number), seat, at, -1, f"closed.{upto}.{seat}")
            house.store.empty_at_door(number, seat)
    if post.door or not house.store.left_at_door():  # else one of them is tried again
        with house.store.decision():
            house.store.put_note(_OPEN, "yes" if post.door else "")
