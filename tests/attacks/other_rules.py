"""What several tests need of other rules: Later, a_game, without_one_seats_agreement, …."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import tiny_game
from tiny_game.rules import Tiny

from pbem.ledger import cj, sha256_hex
from pbem.referee.table import Table

from .forger import Forger, Piece
from .recorded import Recorded, record, take_turn

SHA = "0" * 64


class Later(Tiny):
    """Tiny as it is played in version 2."""

    version = 2


NEW = Later()
WHAT = {"rules": {"id": "tiny", "ver": 2, "sha256": SHA}}


@cache
def a_game() -> Recorded:
    """Of three, one has resigned; the others agree to version 2 in mid-game."""
    table = Table(tiny_game.GAME, {"players": 3, "turns": 3}, "rules", hours=24)
    table.say("cat", "resign")
    take_turn(table)
    table.go_by(NEW)
    while table.open:
        take_turn(table)
    return record(table)


def without_one_seats_agreement(f: Forger) -> Piece:
    f.drop(list(f.all("say"))[-1])
    amend = f.first("amend")
    amend.fields["agreed"] = amend.fields["agreed"][:-1]
    return amend


def with_other_rules_than_were_agreed_on(f: Forger) -> Piece:
    amend = f.first("amend")
    amend.fields["what"] = {"rules": {**WHAT["rules"], "sha256": "7" * 64}}
    return amend


def with_other_agreements(f: Forger) -> Piece:
    amend = f.first("amend")
    amend.fields["agreed"] = [*amend.fields["agreed"], f.first("say")]
    return amend


def agreed_twice(f: Forger) -> Piece:
    agreed = f.first("say", lambda fields: fields["say"]["act"] == "agree")
    again = Piece({**agreed.fields, "say": {**agreed.fields["say"], "no": 2}})
    return f.insert(again, before=f.first("amend"))


def agreed_before_an_order(f: Forger) -> Piece:
    """An agreement lapses like an offer."""
    agreed = f.first("say", lambda fields: fields["say"]["act"] == "agree")
    f.drop(agreed)
    agreed.fields["say"]["seen"] = f.first("ask")
    f.insert(agreed, before=f.first("order"))
    return f.first("amend")


def an_amendment_comes_twice(f: Forger) -> Piece:
    amend = f.first("amend")
    return f.insert(Piece(dict(amend.fields)), before=f.next("order", amend))


def _to(f: Forger, rules: dict[str, Any]) -> Piece:
    what = {"rules": rules}
    for agreed in f.all("say", lambda fields: "what" in fields["say"]):
        agreed.fields["say"]["what"] = sha256_hex(cj(what))
    amend = f.first("amend")
    amend.fields["what"] = what
    return amend


def to_another_game(f: Forger) -> Piece:
    return _to(f, {**WHAT["rules"], "id": "hammer"})


def to_an_older_version(f: Forger) -> Piece:
    return _to(f, {**WHAT["rules"], "ver": 1})


CODES: dict[str, list[Callable[[Forger], Piece]]] = {
    "BIND": [
        without_one_seats_agreement, with_other_rules_than_were_agreed_on, with_other_agreements, agreed_twice,
        agreed_before_an_order, an_amendment_comes_twice,
    ],
    "ORDERING": [to_another_game, to_an_older_version],
}  # fmt: skip
