"""Whatever one signs, the other's program says Fault of it or takes it: it never stops otherwise, and blames nobody but who signed.

Turns of whole games are changed at random: values exchanged for others, keys left out, acts doubled and moved.
"""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from pbem.errors import Fault
from pbem.games import GamePack, find
from pbem.games.hammer.game import GAME as HAMMER
from pbem.games.hammer.rules import BLOCKS
from pbem.games.hammer.views import HammerView
from pbem.kernel import Json
from pbem.ledger import Entry, cj
from pbem.ledger.canon import read_line, sha256_hex
from pbem.ledger.pair import signed_turn, verify_pair
from pbem.referee.pair import audit_pair

from .cheating import finished
from .hosted import TINY
from .playing import Couple, at_random
from .twins import clone

ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    7,
    2**53 - 1,
    "",
    "x",
    "\u0000",
    [],
    {},
    [[]],
    {"k": {}},
    "A" * 43,
    "A" * 684,
    ["f"],
    {"f": 1},
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a value."""
    found = [path] if path else []
    if isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            found += places(inner, (*path, key))
    return found


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def changed(acts: list[Any], rng: random.Random) -> list[Any]:
    acts = copy.deepcopy(acts)
    for _i in range(rng.randrange(1, 3)):
        spots = places(acts)
        if not spots:
            return [rng.choice(ODD)]
        path = rng.choice(spots)
        above, key = at(acts, path[:-1]), path[-1]
        match rng.randrange(4):
            case 0:
                above[key] = copy.deepcopy(rng.choice(ODD))
            case 1:
                above[key] = copy.deepcopy(at(acts, rng.choice(spots)))
            case 2:
                del above[key]
            case _:
                acts.insert(rng.randrange(len(acts) + 1), copy.deepcopy(rng.choice(acts)))
    return acts


def entry_of(couple: Couple, seat: str, head: tuple[int, str], no: int, acts: list[Any]) -> Entry:
    """The entry as a program would write that looks at no form."""
    play = couple.plays[seat]
    fields = signed_turn(couple.keys[seat], play.vault, no, head, acts)
    line = cj({**fields, "n": head[0] + 1, "prev": head[1]})
    return Entry(head[0] + 1, sha256_hex(line), read_line(line), line)


def _blames(found: Fault, seat: str) -> None:
    if found.party != seat:
        raise AssertionError(str(found))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pack", "options", "most", "tries"),
    [
        (TINY, {"players": 2, "turns": 3}, 1000, 12),
        (find("swords"), {"players": 2}, 40, 5),
        (find("hammer"), {}, 60, 5),
    ],
)
def test_no_garbage_stops_a_program_or_blames_the_honest(pack: GamePack, options: Json, most: int, tries: int) -> None:
    """A player tells, hands over or seals garbage. The other program names a fault or continues."""
    couple, rng, answer = Couple(pack, options, "garbage"), random.Random(f"garbage {pack.rules.id}"), at_random(7)
    taken = refused = 0
    for _mail in range(most):
        course = next(iter(couple.plays.values())).course
        if course.is_over:
            break
        seat, head = course.baton, course.head
        play, no = couple.plays[seat], course.seats[seat].turns + 1
        made = play.turn(couple.keys[seat])
        while not made:
            made = play.turn(couple.keys[seat], answer(pack.rules, play.view))
        honest = couple.plays[play.other]
        for _try in range(tries):
            entry = entry_of(couple, seat, head, no, changed(made[0].fields["say"]["acts"], rng))
            reader = clone(honest)
            try:
                reader.take_entry(entry)
                taken += 1
            except Fault as found:
                _blames(found, seat)
                refused += 1
                continue
            try:
                goes_on = clone(reader)
                assert goes_on.turn(couple.keys[honest.seat]) or goes_on.question is not None or goes_on.course.is_over
                if taken % 7 == 0 and not reader.course.seats[seat].secret:
                    entries = finished(couple, reader, answer, [*couple.entries, entry])
                    log = b"".join(one.line + b"\n" for one in entries)
                    for verdict in (verify_pair(log), audit_pair(log, lambda _rules: pack.knowing)):
                        assert verdict.party in (None, seat), verdict
            except Fault as found:  # what it took cannot go on: found one act later
                _blames(found, seat)
        couple.give(seat, made)
    assert refused > 10 * min(taken, 3)


@pytest.mark.parametrize("number", [len(BLOCKS) + 1, 2**53 - 1])
def test_no_list_is_made_as_long_as_a_friend_says(number: int) -> None:
    """Hammer guesses a block for each that its view counts: a number that cannot be is refused before any is made."""
    view = HAMMER.read_view(HAMMER.view(HAMMER.start({}).state, "scottish"))
    assert isinstance(view, HammerView)
    area, counts = next(iter(view.occupancy.items()))
    told = view.model_copy(update={"occupancy": {**view.occupancy, area: {**counts, "english": number}}})
    with pytest.raises(ValueError, match="more blocks than there are"):
        HAMMER.determinise(told, random.Random(1))
