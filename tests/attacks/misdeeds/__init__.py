"""The misdeeds of PROTOCOL 7 that a log shows, one function each: it changes a `Forger` and returns the entry found at fault.

`AT_ONCE` holds those that every copy shows with the next report, `BY_THE_RULES` those for which the rules must be replayed.
"""

from . import chance, contents, orders, turns  # noqa: F401 - whoever imports them lists their misdeeds
from .book import (
    AT_ONCE,
    BY_THE_RULES,
    IDENTITY_KEY,
    MIXED_KEY,
    Misdeed,
    a_deal,
    a_draw,
    a_marked_ask,
    a_roll,
    an_ask,
    an_ask_of_several,
)

__all__ = [
    "AT_ONCE", "BY_THE_RULES", "IDENTITY_KEY", "MIXED_KEY", "Misdeed", "a_deal", "a_draw", "a_marked_ask", "a_roll", "an_ask",
    "an_ask_of_several",
]  # fmt: skip
