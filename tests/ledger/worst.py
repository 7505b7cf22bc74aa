"""Files that ask of their reader as much work as the format lets them: each builder makes one of about so many bytes.

They are written by a host and players who work together, so that all is signed that has to be. `WORST` names them; the tests look
at the work that is counted, `bench.worst` at time and memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pbem.ledger import HEAD, Entry, HashChain, cj, player_root, sha256_hex
from pbem.ledger.canon import MAX_DEPTH, MAX_LINE
from pbem.ledger.course.calls import FAR
from pbem.ledger.course.steps import agreed_host
from pbem.ledger.fields import MAX_DRAWN
from tests.ledger.builder import TIMED, Table, key_of

ZERO, NOBODY = "0" * 64, "A" * 86 + "=="
Builder = Callable[[int], bytes]


class Grown(Table):
    """A table whose log is to come to a size."""

    def __init__(self, seats: int = 1, terms: dict[str, Any] | None = None, *, short: bool = True) -> None:
        super().__init__([f"s{i:02}" for i in range(seats)], short, terms)
        self.size = self.looked = 0

    def is_full(self, size: int) -> bool:
        """Has the log come to that size?"""
        self.size += sum(len(line.line) + 1 for line in self.log.lines[self.looked :])
        self.looked = len(self.log.lines)
        return self.size >= size


def _begun(seats: int = 1) -> Grown:
    table = Grown(seats)
    table.begin()
    return table


def _long(seats: int = 1, terms: dict[str, Any] | None = None) -> Grown:
    """One whose chains have their full length."""
    table = Grown(seats, terms, short=False)
    table.begin()
    return table


def _ended(table: Table) -> bytes:
    table.head()
    return table.log.dump()


def _followed_by(line: bytes, size: int, start: bytes = b"") -> bytes:
    """A beginning that is in order, and below it one line over and over."""
    begun = start or _ended(_begun())
    return begun + (line + b"\n") * ((size - len(begun)) // (len(line) + 1))


# -- lines -------------------------------------------------------------------------------------------------------------


def nothing_beside(size: int) -> bytes:
    return _followed_by(b"[]", size)


def seals_of_nothing(size: int) -> bytes:
    return _followed_by(b'["seal"]', size)


def empty_lines(size: int) -> bytes:
    return _followed_by(b"", size)


def no_line_feeds(size: int) -> bytes:
    return b'{"k":"' + b"a" * size


def nested(size: int) -> bytes:
    """One line, as deep as it is long."""
    return _followed_by(b"[" * (MAX_LINE // 2) + b"]" * (MAX_LINE // 2), size)


def nested_and_too_long(size: int) -> bytes:
    return b"[" * (size // 2) + b"]" * (size // 2) + b"\n"


def as_deep_as_may_be(size: int) -> bytes:
    """Seals of no entry, whose values hold lists in lists as deep as the format lets them."""
    table = _begun()
    inner = "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1)
    value = "[" + ",".join([inner] * (60_000 // (len(inner) + 1))) + "]"
    line = f'["seal","{table.log.game}","host",1,"p0","{"0" * 32}",{value}]'.encode()
    return _followed_by(line, size, _ended(table))


def empty_objects(size: int) -> bytes:
    table = _begun()
    line = cj(["seal", table.log.game, "host", 1, "p0", "0" * 32, [{}] * 21_000])
    return _followed_by(line, size, _ended(table))


def a_number_of_many_digits(size: int) -> bytes:
    return _followed_by(b'["link",' + b"9" * 60_000 + b"]", size)


def strings(size: int) -> bytes:
    table = _begun()
    return _followed_by(cj(["seal", table.log.game, "host", 1, "p0", "0" * 32, "é" * 32_000]), size, _ended(table))


def facts_that_are_no_facts(size: int) -> bytes:
    """A part of a tell with an error in every item."""
    table = _begun()
    own = {"facts": [None] * MAX_DRAWN, "view": {}}
    while not table.is_full(size):
        _tell(table, dict.fromkeys(table.seats, own))
        table.ask("s00")
        table.order("s00", "GO")
    return _ended(table)


# -- heads -------------------------------------------------------------------------------------------------------------


def _heads(table: Table, size: int) -> bytes:
    n, h = table.log.head
    return (json.dumps(["head", table.log.game, n, h, NOBODY], separators=(",", ":")) + "\n").encode() * (size // 240)


def heads_of_nobody_over_a_broken_line(size: int) -> bytes:
    """An entry that is malformed, and many heads over the one above it, which say whose fault that is."""
    table = _begun()
    start = _ended(table)
    broken = b'{"k": 1}'
    n, h = table.log.head[0] + 1, sha256_hex(broken)
    head = json.dumps(["head", table.log.game, n, h, NOBODY], separators=(",", ":")).encode()
    return start + broken + b"\n" + _followed_by(head, size, b"\n")[1:]


def heads_of_nobody_over_a_misdeed(size: int) -> bytes:
    table = _begun()
    table.chain({"k": "ask", "at": table.at(), "to": ["s00"], "what": "act", "secret": "no"})
    return table.log.dump() + _heads(table, size)


def heads_that_differ(size: int) -> bytes:
    """A head that does not fit, signed; and many others over the same entry, by nobody."""
    table = _begun()
    start = _ended(table)
    n, game = table.log.head[0] + 1, table.log.game
    other = ["head", game, n, "1" * 64]
    signed = cj([*other, table.host.sign(HEAD, cj(other))])
    nobody = cj(["head", game, n, "2" * 64, NOBODY])
    return start + signed + b"\n" + (nobody + b"\n") * ((size - len(start)) // (len(nobody) + 1))


def heads_over_every_entry(size: int) -> bytes:
    table = _begun()
    while not table.is_full(size):
        table.say("s00", "draw")
        table.head()
    return table.log.dump()


# -- chance ------------------------------------------------------------------------------------------------------------


def _rolls(size: int, sides: int, n: int = MAX_DRAWN) -> bytes:
    table = _long()
    while not table.is_full(size):
        table.roll(n, sides)
    return _ended(table)


def many_dice(size: int) -> bytes:
    """As many as may be asked for, of as many sides as are seldom hit."""
    return _rolls(size, 129)


def dice_of_many_sides(size: int) -> bytes:
    return _rolls(size, 32_769)


def dice_of_one_side(size: int) -> bytes:
    return _rolls(size, 1)


def single_dice(size: int) -> bytes:
    """Events of one die, and no tell that reports them."""
    return _rolls(size, 6, 1)


def private_draws_shown_at_last(size: int) -> bytes:
    """Many draws, of which one link alone is shown: the last, from which the whole chain is walked."""
    table = _long()
    while not table.is_full(size):
        table.draw("s00", 1, [1, 2])
    lines = table.log.dump().split(b"\n")[:-1]
    links = [line for line in lines if line.startswith(b'["link"')]
    kept = [line for line in lines if line not in set(links[:-1])]
    table.log = type(table.log).parse(b"\n".join([*kept, b""]))
    return _ended(table)


def draws_of_one(size: int) -> bytes:
    table = _long()
    while not table.is_full(size):
        table.draw("s00", 1, [0] * MAX_DRAWN)
    return _ended(table)


def deals(size: int) -> bytes:
    table = _begun()
    number = 0
    while not table.is_full(size):
        number += 1
        table.deal(number, [0])
    return _ended(table)


# -- what players and hosts sign ---------------------------------------------------------------------------------------


def many_seats(size: int) -> bytes:
    """A tell to each of 64 seats, over and over, each opened for everybody."""
    table = _begun(64)
    while not table.is_full(size):
        table.tell(facts=["a fact"] * 20)
        table.ask("s00")
        table.order("s00", "GO")
    return _ended(table)


def everybody_is_skipped(size: int) -> bytes:
    """64 seats that leave out as many marks as fit, until one answers."""
    table = _long(64, TIMED)
    while not table.is_full(size):
        table.tell()
        table.ask(*table.seats, secret="until end", mark=True)
        assert table.ask_entry is not None
        ask, due = table.ask_entry.n, str(table.ask_entry.fields["due"])
        for seat in table.seats:
            table.chain({"k": "skip", "at": due, "to": seat, "ask": ask, "why": "due"})
        while due >= table.at():
            pass
    table.tell()
    table.ask("s00", secret="until end", mark=True)
    table.order("s00", "GO")
    return _ended(table)


def statements(size: int) -> bytes:
    """Offers that never lapse."""
    table = _begun(2)
    while not table.is_full(size):
        table.say("s00", "draw")
        table.say("s01", "draw")
    return _ended(table)


def hosts(size: int) -> bytes:
    """One host after the other, each with a key of his own and a mark as high as it may be; then a link through the whole chain."""
    table = _long()
    mark, base, number, chain = 1, 0, 0, table.chains["seat:s00"]
    table.tell()
    table.ask("s00")
    while not table.is_full(size):
        while mark + 3 + FAR - base <= chain.length:
            number, mark = number + 1, mark + 3 + FAR
            called = _another_host(table, number, mark)
        table.signed("ready", "s00", {"link": chain.x(mark - base), "link_n": mark, "seen": [called.n, called.hash]})
        table.tell()
        table.ask("s00")
        base, chain = mark + 2, _renewed(table, mark + 3)
        mark += 3
    return _ended(table)


def _another_host(table: Table, number: int, mark: int) -> Entry:
    key, labels = key_of(f"host {number}"), ["pub", "priv:s00", f"anew:{number}"]
    if table.log.lines[-1].k != "head":
        table.head()
    what: dict[str, Any] = {
        "key": key.key_line, "chains": dict.fromkeys(labels, ZERO), "deals": ZERO, "mark": mark, "seen": list(table.log.head),
    }  # fmt: skip
    agreed = table.say("s00", "agree", what=sha256_hex(cj(agreed_host(what))))
    table.host = key
    return table.chain({"k": "host", "at": table.at(), "agreed": [agreed.n], **what})


def _renewed(table: Table, mark: int) -> HashChain:
    """The seat goes on from another anchor, with the same key: few links are left."""
    table.says["s00"] += 1
    no, key = table.says["s00"], table.players["s00"]
    chain = player_root(key).chain(table.log.game, "seat:s00", no)
    say = {"key": key.key_line, "chain": chain.anchor, "next": "", "no": no, "after": [], "seen": list(table.log.head)}
    table.signed("rekey", "s00", say)
    return chain


def _tell(table: Table, own: dict[str, Any], pub: list[Any] | None = None) -> None:
    n = len(table.log.entries)
    values = {**own, "state": ZERO}
    sealed = {name: table._seal(n, name, value) for name, value in values.items()}
    table.chain(
        {
            "k": "tell", "pub": {"facts": pub or [], "view": {}}, "opens": table.to_open, "links": [], "rolls": [],
            "seals": {name: digest for name, (digest, _line) in sealed.items()},
        }
    )  # fmt: skip
    for _digest, line in sealed.values():
        table.log.attach(line)
    table.to_open = []


def one_fact_told_a_thousand_times(size: int) -> bytes:
    """A part that names a fact of 60 kB as often as it may: each line would swell to 240 MB."""
    table = _begun()
    while not table.is_full(size):
        _tell(table, {"s00": {"facts": [0] * MAX_DRAWN, "view": {}}}, ["a" * 60_000])
        table.ask("s00")
        table.order("s00", "GO")
    return _ended(table)


def long_orders(size: int) -> bytes:
    table = _begun()
    while not table.is_full(size):
        table.tell()
        table.ask("s00", secret="until end")
        table.order("s00", "\n" * 30_000, "x" * 60_000)
    return _ended(table)


def wide_views(size: int) -> bytes:
    """Each tell adds a thousand keys to the view."""
    table = _begun()
    number = 0
    while not table.is_full(size):
        number += 1
        _tell(table, {"s00": {"facts": [], "view": {f"k{number}x{i}": 1 for i in range(4000)}}})
        table.ask("s00")
        table.order("s00", "GO")
    return _ended(table)


WORST: dict[str, Builder] = {
    builder.__name__: builder
    for builder in (
        nothing_beside, seals_of_nothing, empty_lines, no_line_feeds, nested, nested_and_too_long, as_deep_as_may_be, empty_objects,
        a_number_of_many_digits, strings, facts_that_are_no_facts, heads_of_nobody_over_a_broken_line,
        heads_of_nobody_over_a_misdeed, heads_that_differ, heads_over_every_entry, many_dice, dice_of_many_sides, dice_of_one_side,
        single_dice, private_draws_shown_at_last, draws_of_one, deals, many_seats, everybody_is_skipped, statements, hosts,
        one_fact_told_a_thousand_times, long_orders, wide_views,
    )
}  # fmt: skip
