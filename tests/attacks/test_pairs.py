"""Two things at once: what the one does while the other stands open. The game goes on, and is clean in every copy.

Each of `ACTS` is begun in a game of three and left as far from its end as it can be: nobody is ready, or has agreed, or answered.
Then the other is tried. It is taken, or refused with a code: `pairs.toml` has the codes, and `docs/reference/pairs.md` its table.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from unittest.mock import patch

import pytest
import tiny_game

from pbem.kernel import Json
from pbem.ledger import Log, objection, redact, verify
from pbem.ledger.canon import cj, sha256_hex
from pbem.ledger.fields import plus_hours
from pbem.referee import Refused
from pbem.referee.audit import audit
from pbem.referee.table import MemoryLedger, Table

from .other_rules import NEW as LATER
from .other_rules import SHA, WHAT
from .recorded import take_turn
from .rekey import SPARE, a_key


def rekey(table: Table) -> None:
    table.change_key("ann", a_key(f"ann {table.ledger.next_n}"))


def recover(table: Table) -> None:
    """By the recovery key."""
    table.change_key("ann", a_key(f"spare {table.ledger.next_n}"), SPARE)


def rules(table: Table) -> None:
    """One of those who have to agree does."""
    table.say("ann", "agree", what=sha256_hex(cj(WHAT)))


def draw(table: Table) -> None:
    table.say("ann", "draw")


def resign(table: Table) -> None:
    table.say("cat", "resign")


def leave(table: Table) -> None:
    table.say("cat", "leave", hours=2)


def claim(table: Table) -> None:
    call = table.course.call
    due = call.due if table.course.phase == "called" and call else table.course.due
    table.say("cat", "claim", at=due)


def extend(table: Table) -> None:
    call = table.course.call
    due = call.due if table.course.phase == "called" and call else table.course.due
    more = plus_hours(due, 1)
    assert more
    table.scribe.extend(more, "the host", table.now)


def ahead(table: Table) -> None:
    mark = table.course.seats["ann"].mark + 1
    table.ahead("ann", mark, f"CARD t{mark}", rev=len(table.kept))


def replace(table: Table) -> None:
    with patch.object(Table, "ready", lambda *_: None):
        table.replace("bob", a_key(f"dora {table.ledger.next_n}"))


def adopt(table: Table) -> None:
    with patch.object(Table, "ready", lambda *_: None), patch("pbem.referee.table.MemoryLedger", Strict):
        table.move(f"host {table.ledger.next_n}")


ACTS: dict[str, Callable[[Table], None]] = {
    act.__name__: act for act in (rekey, recover, rules, draw, resign, leave, claim, extend, ahead, replace, adopt)
}


KEPT = "kept"
"""The row of games in which the host keeps the keys of two seats."""


TABLE = tomllib.loads(Path(__file__).with_name("pairs.toml").read_text("utf-8"))
EXPECTED = {
    (first, then): TABLE["refused"].get(first, {}).get(then, "yes") for first, then in product((*ACTS, KEPT), ACTS)
}


class Strict(MemoryLedger):
    """Takes no entry to which a verifier would object: what a table's host writes by itself, too."""

    def append(self, fields: Mapping[str, Json]) -> str:
        if found := self.log.entries and objection(self.course, {"n": self.next_n, **fields}):
            raise Refused(found.code, found.reason)
        return super().append(fields)


def a_game(late: str, kept: Mapping[str, str] | None = None) -> Table:
    """All three are asked; Bob has been late twice, or, where one may claim, is about to be. The host keeps some seats."""
    options = {"players": 3, "turns": 6}
    with patch("pbem.referee.table.MemoryLedger", Strict):
        table = Table(
            tiny_game.GAME, options, f"pairs {late}", hours=24, late=late, leave=48, recovery=SPARE.key_line, kept=kept
        )
    while table.open and (
        len(table.open.to) < 3 or (late == "default" and not table.course.vanished("bob", table.now))
    ):
        take_turn(table, ("bob",) if late == "default" and "bob" in table.open.to else ())
    assert table.open
    return table


def tried(act: str, table: Table) -> str:
    """What comes of it: "", or the code with which it is refused."""
    before = table.whole()
    try:
        ACTS[act](table)
    except Refused as why:
        assert table.whole() == before or act in ("replace", "adopt"), "what is refused leaves nothing behind"
        return why.code
    return ""


def ended(table: Table) -> None:
    """Whoever is called is ready, whoever is asked answers, to the end."""
    for _ in range(200):
        for seat in table.course.missing:
            table.ready(seat)
        if table.open is None:
            return
        claimed = table.course.claim
        table.kept.clear()
        take_turn(
            table, [seat for seat in table.waiting if claimed and seat != claimed[1]], claimed[0] if claimed else None
        )
    raise AssertionError("the game does not end")


def test_the_table_has_each_act_and_no_other() -> None:
    assert tuple(TABLE["acts"]) == (*ACTS, KEPT)
    assert {pair for pair, wanted in EXPECTED.items() if wanted != "yes"} == {
        (first, then) for first, refused in TABLE["refused"].items() for then in refused
    }


@pytest.mark.variants
@pytest.mark.parametrize(("first", "then"), list(product((*ACTS, KEPT), ACTS)), ids=lambda name: name)
def test_one_while_the_other_stands_open(first: str, then: str) -> None:
    seats = {"bob": "some words", "cat": ""} if first == KEPT else None
    table = a_game("claim" if "claim" in (first, then) else "default", seats)
    if EXPECTED[first, then] == "—":
        assert tried(first, table), "it cannot be begun"
        return
    assert first == KEPT or tried(first, table) == ""
    assert (tried(then, table) or "yes") == EXPECTED[first, then]
    ended(table)
    whole = table.whole()
    assert verify(whole).verdict == "clean"
    for seat in table.seats:
        assert verify(redact(Log.parse(whole), seat), seat).verdict == "clean"
    assert audit(whole, lambda _: (LATER, SHA), {("tiny", 1): (tiny_game.GAME, SHA)}).verdict.verdict == "clean"
