"""What several tests need of verify: eventful_game."""

from __future__ import annotations

from tests.ledger.builder import TIMED, Table


def eventful_game() -> Table:
    """A hidden request, private draws, gaps in the marks, offers, agreement: nothing is wrong with any of it."""
    t = Table(("ann", "bob", "cat"), terms=TIMED).begin()
    t.deal(1, ["a", "b", "c"], hidden=True)
    t.tell()
    t.ask("ann", "bob", "cat", mark=True, secret="until end")
    t.say("cat", "draw")
    more = {"ask": t.log.head[0] - 1, "due": "2030-01-01T12:00:00Z", "why": "holidays"}
    t.chain({"k": "extend", "at": t.at(), **more})
    t.order("ann", "GO")
    t.skip("bob")
    t.order("cat", "GO", rev=3)
    t.draw("bob", 2, ["x", "y", "z"])
    t.roll()
    t.draw("bob", 1, ["x", "y", "z"])
    t.tell()
    offer = t.say("ann", "draw").n
    t.say("bob", "agree", about=offer)
    t.ask("ann", "bob", "cat", mark=True, secret="until end")
    for seat in t.seats:
        t.order(seat, "GO", "AND ON")
    t.deal(2, ["a"])
    t.roll(2, 20)
    t.tell(links=[["deal:2", 1]])
    return t
