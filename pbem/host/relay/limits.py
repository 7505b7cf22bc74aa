"""A relay's limits by address and day, and whose address a request is counted for. The counts are in memory alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from pbem.records import dataclass

DAY = 86_400
_MOST = 100_000
"""The most addresses that are counted; with one more, counting begins again."""


@dataclass(frozen=True, slots=True)
class RelayLimits:
    """Per address: letters and letters into empty boxes in a day, and waits at a time. `days`: letters are forgotten after them.

    `longest` is the seconds that a letter may take to arrive.
    """

    posts: int = 2000
    boxes: int = 1000
    waits: int = 16
    days: int = 180
    longest: float = 30


class Counts:
    """What each address has done: letters and letters into empty boxes on this day, and how many of its requests wait now."""

    def __init__(self) -> None:
        self.posts, self.boxes, self.waits = Counter[str](), Counter[str](), Counter[str]()
        self.day = -1

    def began(self, day: int) -> bool:
        """Has a new day begun? Counting begins again with it."""
        is_new, self.day = day != self.day, day
        if is_new or len(self.posts) > _MOST:
            self.posts.clear()
            self.boxes.clear()
        return is_new


def caller(scope: Mapping[str, Any], *, proxied: bool) -> str:
    """Return the address of who asks; of IPv6 the network of 64 bits, which is one customer's.

    If `proxied`, a proxy adds it as the last in X-Forwarded-For. The caller himself can write what stands
    before, and lines above a proxy's own.
    """
    connected = str((scope.get("client") or ("",))[0])
    said = [value.decode("latin-1") for name, value in scope["headers"] if proxied and name == b"x-forwarded-for"]
    try:
        address = ip_address(said[-1].rpartition(",")[2].strip() if said else connected)
    except ValueError:
        return connected
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((address.packed, 64), strict=False))
    return str(address)
