"""A host's register: whatever is done to its lines is found and named by its line, but for its end, which another holds."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import FormError
from pbem.ledger import HEAD, PrivateKey, cj, fingerprint, read_line, sha256_hex
from pbem.ledger.keys import REGISTER
from pbem.ledger.register import Register, begun, opening, place_in_register

HOST, NEXT, OTHER = (PrivateKey.from_seed(bytes([n]) * 32) for n in (1, 2, 3))
AT = "2030-01-01T00:00:00Z"


def game(no: int) -> str:
    return sha256_hex(b"game %d" % no)


def opens(no: int) -> dict[str, Any]:
    return {"k": "open", "game": game(no), "rules": "tiny", "at": AT, "event": "Coupe d’hiver"}


def begins(no: int) -> dict[str, Any]:
    keys = {"ann": fingerprint(OTHER.key_line), "bob": fingerprint(NEXT.key_line)}
    return {"k": "begin", "game": game(no), "keys": keys, "roster": [2, game(no)], "at": AT}


def a_register() -> Register:
    """Three games, two of them begun, and another key from the sixth line on."""
    register = Register()
    for said in (opening(HOST.key_line), opens(1), opens(2), begins(2), {"k": "key", "key": NEXT.key_line, "at": AT}):
        register.sign(HOST, said)
    for said in (opens(3), begins(1)):
        register.sign(NEXT, said)
    return register


WHOLE = a_register().dump()
LINES = WHOLE.splitlines(keepends=True)


def refused(data: bytes, line: int) -> str:
    """Return why a register is refused, which has to begin with that line."""
    with pytest.raises(FormError) as error:
        Register.parse(data)
    assert str(error.value).startswith(f"line {line}, “"), error.value
    return str(error.value)


def test_a_register_is_read_as_it_was_written() -> None:
    found = Register.parse(WHOLE)
    assert found.dump() == WHOLE
    assert (list(found.opened), list(found.begun)) == ([game(1), game(2), game(3)], [game(2), game(1)])
    assert found.keys == [HOST.key_line, NEXT.key_line]
    assert [found.key_at(n) for n in (0, 4, 5, 6)] == [HOST.key_line, HOST.key_line, NEXT.key_line, NEXT.key_line]
    assert found.head == (6, sha256_hex(LINES[-1][:-1]))


@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))
def test_any_byte_that_is_changed_is_found_in_its_line(place: int, by: int) -> None:
    """A host or stranger changes, removes, doubles or moves lines. The first wrong line is named."""
    changed = bytearray(WHOLE)
    changed[place] ^= by
    line = WHOLE[:place].count(b"\n") + 1
    if place == len(WHOLE) - 1:
        with pytest.raises(FormError, match="does not end in a line feed"):
            Register.parse(bytes(changed))
    else:
        refused(bytes(changed), line)


@pytest.mark.parametrize("at", range(len(LINES) - 1))
def test_a_line_that_is_left_out_is_missed(at: int) -> None:
    why = refused(b"".join(LINES[:at] + LINES[at + 1 :]), at + 1)
    assert f"it has the number {at + 1}, but {at} was expected: a line is missing" in why


@pytest.mark.parametrize("at", range(len(LINES)))
def test_a_line_that_stands_twice_is_one_too_many(at: int) -> None:
    why = refused(b"".join(LINES[: at + 1] + LINES[at:]), at + 2)
    assert f"it has the number {at}, but {at + 1} was expected" in why


@given(st.permutations(range(len(LINES))))
def test_lines_in_another_order_are_found_where_it_begins(order: list[int]) -> None:
    data = b"".join(LINES[at] for at in order)
    if order == sorted(order):
        assert Register.parse(data).dump() == WHOLE
    else:
        refused(data, next(at for at, line in enumerate(order) if at != line) + 1)


@pytest.mark.parametrize("left", range(1, len(LINES)))
def test_a_register_cut_short_is_noticed_only_with_a_later_one(left: int) -> None:
    """The host removes games from the end. A later register, or the log of a later game, proves it."""
    cut = Register.parse(b"".join(LINES[:left]))
    whole = Register.parse(WHOLE)
    assert cut.parting(whole) is None
    assert (cut.head[0], whole.lines[cut.head[0]].hash) == cut.head
    assert cut.head != whole.head


def test_a_line_that_its_host_signs_anew_does_not_carry_what_stood_below_it() -> None:
    """The next line does not follow the new one."""
    other = Register()
    for said in (opening(HOST.key_line), opens(4)):
        other.sign(HOST, said)
    why = refused(LINES[0] + other.lines[1].line + b"\n" + b"".join(LINES[2:]), 3)
    assert f"it follows on a line with the hash {sha256_hex(LINES[1][:-1])}" in why
    assert other.parting(Register.parse(WHOLE)) == 1


@pytest.mark.parametrize("namespace", [HEAD, "pbem-say-v1", "file"])
def test_a_signature_of_another_kind_is_none(namespace: str) -> None:
    """A head or statement, used as the signature of a line, has another namespace."""
    said = {**opening(HOST.key_line), "n": 0, "prev": "0" * 64}
    line = cj({**said, "sig": HOST.sign(namespace, cj(said))})
    assert "its signature is not by the key that keeps the register there" in refused(line + b"\n", 1)
    assert Register.parse(cj({**said, "sig": HOST.sign(REGISTER, cj(said))}) + b"\n").key == HOST.key_line


def test_a_host_that_has_handed_its_register_over_enters_nothing_more() -> None:
    """A host enters games with a key that it has handed over. Every reader refuses them."""
    register = a_register()
    with pytest.raises(FormError, match=re.escape(f"register there, {fingerprint(NEXT.key_line)}")):
        register.sign(HOST, opens(4))
    with pytest.raises(FormError, match="the key that it names has kept the register before"):
        register.sign(NEXT, {"k": "key", "key": HOST.key_line, "at": AT})
    assert register.dump() == WHOLE


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (opens(1), "its game was opened in line 2 already"),
        (begins(2), "its game began in line 4 already"),
        (begins(9), "its game was not opened in any line above it"),
        (opening(NEXT.key_line), "the line “register” must come first, and only there"),
        ({**opens(9), "result": "won"}, "no such field is known here"),
        ({**opens(9), "at": "2030-02-30T00:00:00Z"}, "at: "),
        ({"k": "close", "at": AT}, "it is not a line of a register; such a line is one of: register, open, begin, key"),
    ],
)
def test_what_does_not_belong_there_is_not_entered(said: dict[str, Any], why: str) -> None:
    register = a_register()
    with pytest.raises(FormError, match=re.escape(why)):
        register.sign(NEXT, said)
    assert register.dump() == WHOLE


@pytest.mark.parametrize("data", [b"", b"\n", b"[]\n", b"1\n", b"{}\n", b'{"k":[]}\n', LINES[1], WHOLE[:-1]])
def test_what_is_no_register_is_refused(data: bytes) -> None:
    with pytest.raises(FormError):
        Register.parse(data)


def test_random_files_made_of_its_parts_are_registers_only_as_beginnings_of_it() -> None:
    chance = random.Random("parts")
    for _ in range(300):
        lines = chance.choices(LINES, k=chance.randint(1, len(LINES)))
        data = b"".join(lines)
        if WHOLE.startswith(data):
            assert Register.parse(data).dump() == data
        else:
            with pytest.raises(FormError):
                Register.parse(data)


def test_a_game_has_begun_when_all_its_seats_are_taken() -> None:
    entries: list[dict[str, Any]] = [{"k": "game", "seats": ["ann", "bob"]}]
    for n, (seat, key) in enumerate((("bob", NEXT), ("ann", OTHER)), 1):
        assert begun(game(1), entries, lambda n: f"{n:064}") is None
        entries.append({"k": "join", "by": seat, "say": {"key": key.key_line}, "at": f"2030-01-0{n}T00:00:00Z"})
    entries.append({"k": "ready", "by": "ann", "at": AT})
    assert begun(game(1), entries, lambda n: f"{n:064}") == {
        **begins(1),
        "roster": [2, f"{2:064}"],
        "at": "2030-01-02T00:00:00Z",
    }


@pytest.mark.parametrize("said", [None, 1, [], [1], ["1", "a"], [True, "a"], [1, 2], {"n": 1}])
def test_a_term_that_names_no_line_names_none(said: object) -> None:
    assert place_in_register({"terms": {"x:register": said}}) is None
    assert place_in_register({"terms": {}}) is None
    assert read_line(LINES[1][:-1])["prev"] == a_register().lines[0].hash
