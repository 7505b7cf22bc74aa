"""Questions of whole games by built-in players: what each seat saw, and what it answered; and numbered lists of answers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import NamedTuple

from bench.games import Players
from pbem.games import GamePack, find
from pbem.host.answers import AskedByMail
from pbem.kernel import Json, View
from pbem.referee.table import Table

FEW = 3


class Choice(NamedTuple):
    """A line of a numbered list."""

    order: str
    words: str
    plans: str = ""


class Answered(NamedTuple):
    """A question as a seat saw it, and the order with which a built-in player answered it."""

    pack: GamePack
    seat: str
    view: View
    order: str
    mark: int = 0
    """0: the question bears no mark."""
    what: str = ""
    """The name of the question."""


class _EnoughError(Exception):
    """So many questions are enough."""


@cache
def answered(game: str, seed: int, most: int = 10_000) -> Sequence[Answered]:
    """Return the questions of a game with their answers: all, or the first."""
    pack = find(game)
    table = Table(pack.rules, pack.ending({}), f"replies {seed}", "0" * 64)
    players, found = Players(pack, table.seats, seed), list[Answered]()

    def say(seat: str, view: Json) -> str:
        if len(found) == most:
            raise _EnoughError
        order = players.say(seat, view)
        ask = next(entry.fields for entry in reversed(table.ledger.log.entries) if entry.k == "ask")
        found.append(Answered(pack, seat, pack.rules.read_view(view), order, ask.get("mark", 0), ask["what"]))
        return order

    with suppress(_EnoughError):
        table.play(say)
    return found


def a_list(one: Answered, most: int = 8) -> tuple[Choice, ...]:
    """Return a list of answers: the default, the one that was meant, and some others."""
    options = one.pack.rules.options(one.view)
    others = islice(options, FEW if options.count() is None else most)
    texts = dict.fromkeys(map(str, (one.pack.rules.default(one.view), one.order, *others)))
    return tuple(Choice(text, "; ".join(text.split("\n"))) for text in list(texts)[:most])


def first(game: str, verb: str, most: int = 80) -> AskedByMail:
    """Return a question that was answered with an order of that verb, the first of the first ones of a game."""
    one = next(one for one in answered(game, 1, most) if one.order.startswith(verb))
    return AskedByMail(one.pack, one.view, a_list(one))
