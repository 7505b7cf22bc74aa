"""What entry 0 may hold for games to come: named terms, data as an option, and room under `x:`. None of it changes a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.errors import FormError
from pbem.ledger import Log, verify
from pbem.player.terms import told_terms
from tests.ledger.builder import TERMS, Table

from .verify_mjs import node_is_new_enough, run

BOT = {"player": "sensible", "ver": 3, "playouts": 2000}
NAMED: dict[str, Any] = {"rated": True, "event": "The Border Cup", "built_in": {"bob": BOT}, "odds": False}
GOOD: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "all named terms": (NAMED, {}),
    "a term of our own": ({"x:beer": {"who": "ann", "pints": 2}}, {}),
    "a field of our own": ({}, {"x:note": "for the archive"}),
    "fields of our own, as many as fit": ({}, {"x:note": "n" * 4080}),
    "data as an option": ({}, {"opts": {"map": "m" * 30_000}}),
}
BAD: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "a term that nobody knows": ({"beer": 2}, {}, "beer is not a term that this format knows"),
    "a built-in player without a version": ({"built_in": {"bob": {"player": "sensible", "playouts": 1}}}, {}, "ver"),
    "an event without a name": ({"event": ""}, {}, "event"),
    "odds that are a number": ({"odds": 1}, {}, "odds"),
    "more of our own than fits": ({}, {"x:note": "n" * 4090}, "more than 4096 bytes"),
    "more data than fits": ({}, {"opts": {"map": "m" * 32_760}}, "more than 32768 bytes"),
}


def game(terms: dict[str, Any], fields: dict[str, Any]) -> Log:
    """A game to its end, with more in its entry 0."""
    table = Table(terms={**TERMS, **terms})
    table.edit["game"] = lambda entry: entry.update(fields)
    table.begin()
    table.tell()
    table.ask("ann")
    table.order("ann", "GO")
    table.tell()
    return table.end()


@pytest.mark.variants
@pytest.mark.parametrize("what", GOOD)
def test_it_may_stand_there(what: str, tmp_path: Path) -> None:
    log = game(*GOOD[what])
    assert verify(log).verdict == "clean"
    if node_is_new_enough():
        assert run(tmp_path, log.dump())[1]["verdict"] == "in order"


@pytest.mark.parametrize("what", BAD)
def test_it_may_not(what: str) -> None:
    terms, fields, why = BAD[what]
    with pytest.raises(FormError, match=why):
        game(terms, fields)


def test_a_player_is_told_what_he_agrees_on() -> None:
    told = told_terms(
        {**TERMS, "hours": 24, "most": 750, "grace": 6, "late": "claim", "leave": 48, **NAMED, "x:beer": 2}
    )
    assert told == [
        "at least 24 and at most 750 hours for an answer", "6 hours of grace on top", "then an opponent may claim the game",
        "48 hours of leave in the whole game", "a rated game", "part of The Border Cup", "programs show no chances",
        "bob is the built-in player sensible, version 3, with 2000 playouts",
        "against a built-in player, the host is both host and opponent", "and, unknown here: x:beer",
    ]  # fmt: skip
    assert told_terms(TERMS) == ["no limit of time"]
    assert told_terms({**TERMS, "odds": True, "rated": False}) == ["no limit of time", "programs show chances"]
