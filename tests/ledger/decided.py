"""What the page of the format left open, or told otherwise than the programs, and how it was decided: misdeeds with honest twins.

Each row is one point, a misdeed at a table of `builder`, what has to be found, and its twin, the same game without the misdeed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pbem.ledger import Log, PrivateKey, agreed_host, cj, sha256_hex
from pbem.ledger.course import read
from pbem.referee import signed_head
from tests.ledger.builder import TIMED, Table, key_of

Mount = Callable[[], tuple[Table | bytes, int]]
"""Makes a log, and says at which entry the fault has to be found."""
CLAIMED = {**TIMED, "late": "claim"}
THREE = ("ann", "bob", "cat")


class Decided(NamedTuple):
    """One decision: its point, a misdeed with code and party, and the honest twin."""

    point: str
    misdeed: Mount
    code: str
    party: str
    twin: Mount


def bytes_of(made: Table | bytes) -> bytes:
    return made if isinstance(made, bytes) else made.log.dump()


def _asked(seats: tuple[str, ...] = ("ann", "bob"), terms: dict[str, Any] | None = None, *to: str) -> Table:
    table = Table(seats, terms=terms)
    table.begin().tell()
    table.ask(*(to or seats), secret="until end")
    return table


def _course(table: Table) -> Any:
    return read(entry.fields for entry in table.log.entries)


def _late(table: Table) -> None:
    """Let the time to answer go by."""
    while table.at() < _course(table).due:
        pass


def _headed(table: Table, n: int) -> tuple[Table, int]:
    table.head()
    return table, n


def _why(table: Table, seat: str, why: str) -> int:
    table.edit["skip"] = lambda entry: entry.update(why=why)
    return table.skip(seat).n


# -- (a) the reason of a skip ---------------------------------------------------------------------------------------------


def skipped_in_time(why: str) -> Mount:
    return lambda: _headed(table := _asked(terms=TIMED), _why(table, "ann", why))


def skipped_under_a_claim(why: str) -> Mount:
    def mount() -> tuple[Table, int]:
        table = _asked(THREE, CLAIMED)
        _late(table)
        table.say("ann", "claim")
        for seat in ("ann", "bob"):
            table.order(seat, "GO")
        return _headed(table, _why(table, "cat", why))

    return mount


def skipped_when_out(why: str) -> Mount:
    def mount() -> tuple[Table, int]:
        table = _asked(THREE, TIMED)
        table.say("ann", "resign")
        return _headed(table, _why(table, "ann", why))

    return mount


# -- (b) the result -------------------------------------------------------------------------------------------------------


def ended(**result: Any) -> Mount:
    def mount() -> tuple[bytes, int]:
        table = Table().begin()
        table.tell()
        n, prev = len(table.log.entries), table.log.head[1]
        end = cj({"k": "end", "n": n, "prev": prev, "at": table.at(), "result": result})
        head = cj(signed_head(table.host, table.log.game, n, sha256_hex(end)))
        return b"".join([table.log.dump(), end, b"\n", head, b"\n"]), n

    return mount


# -- (c) one seat is left -------------------------------------------------------------------------------------------------


def _end(table: Table, cause: int | None, why: str = "resigned", winner: str = "bob") -> int:
    more = {} if cause is None else {"cause": cause}
    result = {"winner": winner, "why": why, "seats": ["ann"]}
    return table.chain({"k": "end", "at": table.at(), "result": result, **more}).n


def _order(table: Table, cause: int) -> int:
    return table.order("bob", "GO").n


def _says(table: Table, cause: int) -> int:
    return table.say("bob", "draw").n


def left_by_resigning(then: Callable[[Table, int], int]) -> Mount:
    def mount() -> tuple[Table, int]:
        table = _asked()
        return _headed(table, then(table, table.say("ann", "resign").n))

    return mount


def left_by_a_claim(then: Callable[[Table, int], int]) -> Mount:
    def mount() -> tuple[Table, int]:
        table = _asked(terms=CLAIMED)
        _late(table)
        claim = table.say("bob", "claim").n
        _why(table, "ann", "late")
        table.order("bob", "GO")
        return _headed(table, then(table, claim))

    return mount


def left_in_a_call(then: Callable[[Table, int], int]) -> Mount:
    def mount() -> tuple[Table, int]:
        table = _asked()
        _rekeyed(table, "bob", 1)
        return _headed(table, then(table, table.say("ann", "resign").n))

    return mount


def draw_agreed(*, named: bool) -> Mount:
    def mount() -> tuple[Table, int]:
        table = Table().begin()
        table.tell()
        table.head()
        offer = table.say("ann", "draw").n
        table.head()
        cause = table.say("bob", "agree", about=offer).n
        more = {"cause": cause} if named else {}
        n = table.chain({"k": "end", "at": table.at(), "result": {"winner": "", "why": "agreed"}, **more}).n
        return _headed(table, n)

    return mount


# -- (d) another host -----------------------------------------------------------------------------------------------------


def another_host(name: str, *signs: str) -> Mount:
    """A host comes in by the word of all, with the key of a name; heads are signed below him by these."""

    def mount() -> tuple[Table, int]:
        table = _asked()
        seen, course = list(table.log.head), _course(table)
        labels = ["pub", *(f"priv:{seat}" for seat in table.seats), "anew:1"]
        fields = {
            "key": key_of(name).key_line, "chains": {label: sha256_hex(label.encode()) for label in labels},
            "deals": sha256_hex(b"deals"), "mark": course.next_mark_of_call, "seen": seen,
        }  # fmt: skip
        what = sha256_hex(cj(agreed_host(fields)))
        agreed = [table.say(seat, "agree", seen=seen, what=what).n for seat in table.seats]
        n = table.chain({"k": "host", "at": table.at(), **fields, "agreed": agreed}).n
        for signer in signs:
            table.host = key_of(signer)
            table.head()
        return table, n

    return mount


# -- (e) a file that begins with an attachment ----------------------------------------------------------------------------


def begins_with(attachment: Callable[[Log], bytes]) -> Mount:
    def mount() -> tuple[bytes, int]:
        log = _asked().log
        return attachment(log) + b"\n" + log.dump(), 0

    return mount


def _its_head(log: Log) -> bytes:
    return next(line.line for line in log.lines if line.line.startswith(b"["))


def as_it_stands() -> tuple[Table, int]:
    return _asked(), 0


# -- (f) how often a key is changed ---------------------------------------------------------------------------------------


def _rekeyed(table: Table, seat: str, time: int) -> int:
    """Let a seat take its next key, by the one that it has."""
    key: PrivateKey = key_of(f"{seat}, key {time}")
    table.says[seat] += 1
    say = {
        "no": table.says[seat], "seen": list(table.log.head), "after": table.after(seat), "key": key.key_line,
        "chain": sha256_hex(key.key_line.encode()), "next": "",
    }  # fmt: skip
    n = table.signed("rekey", seat, say).n
    table.players[seat] = key
    return n


def rekeyed(times: int) -> Mount:
    def mount() -> tuple[Table, int]:
        table = _asked()
        n = [_rekeyed(table, "ann", time) for time in range(1, times + 1)][-1]
        return _headed(table, n)

    return mount


_IN_TIME, _CLAIM, _OUT = skipped_in_time("due"), skipped_under_a_claim("late"), skipped_when_out("out")
_NOBODY, _RESIGNED = ended(winner="", why="draw"), left_by_resigning(_end)
_OTHER = another_host("another host", "another host")
DECIDED: dict[str, Decided] = {
    "late without a claim": Decided("a", skipped_in_time("late"), "ORDERING", "host", _IN_TIME),
    "out and is not": Decided("a", skipped_in_time("out"), "ORDERING", "host", _IN_TIME),
    "due under a claim": Decided("a", skipped_under_a_claim("due"), "ORDERING", "host", _CLAIM),
    "out under a claim": Decided("a", skipped_under_a_claim("out"), "ORDERING", "host", _CLAIM),
    "due and is out": Decided("a", skipped_when_out("due"), "ORDERING", "host", _OUT),
    "only and is out": Decided("a", skipped_when_out("only"), "ORDERING", "host", _OUT),
    "no winner": Decided("b", ended(draw=True, why="draw"), "FORM", "host", _NOBODY),
    "no why": Decided("b", ended(winner=""), "FORM", "host", _NOBODY),
    "a winner who has no seat": Decided("b", ended(winner="eve", why="won"), "FORM", "host", ended(winner="bob", why="won")),
    "a winner who is no text": Decided("b", ended(winner=None, why="won"), "FORM", "host", _NOBODY),
    "a winner who is state": Decided("b", ended(winner="state", why="won"), "FORM", "host", _NOBODY),
    "an order behind the end": Decided("c", left_by_resigning(_order), "ORDERING", "host", _RESIGNED),
    "a say behind the end": Decided("c", left_by_resigning(_says), "ORDERING", "host", _RESIGNED),
    "an end without its cause": Decided("c", left_by_resigning(lambda t, n: _end(t, None)), "ORDERING", "host", _RESIGNED),
    "a tell after a claim": Decided(
        "c", left_by_a_claim(lambda t, n: t.tell().n), "ORDERING", "host", left_by_a_claim(lambda t, n: _end(t, n, "late"))
    ),
    "a say in a call": Decided("c", left_in_a_call(_says), "ORDERING", "host", left_in_a_call(_end)),
    "a draw that does not name its cause": Decided("c", draw_agreed(named=False), "ORDERING", "host", draw_agreed(named=True)),
    "the former host's own key": Decided("d", another_host("host", "host"), "BIND", "host", _OTHER),
    "a player's key, signed by the host": Decided("d", another_host("ann", "host"), "BIND", "host", _OTHER),
    "a stranger": Decided("d", another_host("ann", "ann"), "BIND", "supplier", _OTHER),
    "a head first": Decided("e", begins_with(_its_head), "FORM", "supplier", as_it_stands),
    "a malformed one first": Decided("e", begins_with(lambda log: b'["head"]'), "FORM", "supplier", as_it_stands),
    "no JSON first": Decided("e", begins_with(lambda log: b"["), "FORM", "supplier", as_it_stands),
    "a second change": Decided("f", rekeyed(2), "ORDERING", "host", rekeyed(1)),
}  # fmt: skip
