"""The signed block comes through whatever mail programs do to a text; where a letter is lost or changed, that is found."""

from __future__ import annotations

import re
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import FormError
from pbem.mail import read_block, read_message, said_otherwise, write_block
from pbem.referee import Envelope
from tests.mail.block import BLOCK, ENVELOPE, MANGLED, order, quoted


@pytest.mark.parametrize("how", MANGLED)
def test_a_block_comes_through(how: str) -> None:
    incoming = read_message(MANGLED[how])
    assert incoming.problem == ""
    assert read_block(incoming.text) == ENVELOPE


def test_a_block_is_narrow_and_plain() -> None:
    assert max(map(len, BLOCK.split("\n"))) <= 59
    assert re.fullmatch(r"[0-9A-Z \n]+", BLOCK)


def test_a_text_without_a_block_has_none() -> None:
    assert read_block("CARD Herald\nEND\n") is None


# --- several blocks in one mail ----------------------------------------------------------------------------------------


def test_ones_own_block_counts_before_a_quoted_one() -> None:
    old, new = write_block(order(rev=7)), write_block(order(rev=0))
    assert read_block(f"{quoted(old)}\n\n{new}\n") == order(rev=0)
    assert read_block(f"{new}\n\n{quoted(old)}\n") == order(rev=0)


def test_of_several_own_blocks_the_one_for_the_latest_question_and_revision_counts() -> None:
    blocks = [write_block(made) for made in (order(rev=1), order(rev=2), order(rev=0), order(rev=5, ask=4))]
    assert read_block("\n\n".join(blocks)) == order(rev=2)


def test_the_same_block_twice_is_one() -> None:
    assert read_block(f"{BLOCK}\n\n{BLOCK.lower()}") == ENVELOPE


def test_blocks_of_several_seats_are_refused() -> None:
    with pytest.raises(FormError, match="several games or seats"):
        read_block(f"{BLOCK}\n\n{write_block(order(seat='scottish'))}")


def test_a_damaged_block_is_not_passed_over_for_an_older_one() -> None:
    damaged = write_block(order(rev=1)).replace("0", "1", 1)
    for other in (BLOCK, quoted(BLOCK)):
        for text in (f"{damaged}\n\n{other}", f"{other}\n\n{damaged}"):
            with pytest.raises(FormError, match="damaged"):
                read_block(text)


def test_words_about_blocks_are_no_block() -> None:
    text = "It stands between BEGIN PBEM ORDERS and END PBEM ORDERS, as you know, so here it is: BEGIN PBEM ORDERS!"
    assert read_block(f"{text}\n\n{BLOCK}") == ENVELOPE


# --- the readable order beside the block --------------------------------------------------------------------------------

SAID = "CARD Herald\nHERALD Angus\nPLANS\nPLAN Lanark: FIGHT"


@pytest.mark.parametrize(
    "text",
    [
        SAID,
        f"{SAID}\nEND\n",
        f"Hello!\n\n{SAID.lower()}   # my move\n\nEND",
        f"{SAID.replace(' ', chr(10))}\nEND",
        f"> CARD Move 2\n{SAID}\nend",
        "END",
        "Nothing is closed here\nCARD Move 2",
        f"{SAID}\nEND\nHERALD Mar",
    ],
)
def test_readable_orders_that_are_those_signed_say_nothing(text: str) -> None:
    assert said_otherwise(f"{text}\n\n{BLOCK}\n", ENVELOPE) == []


@pytest.mark.parametrize(
    "text",
    [
        SAID.replace("Angus", "Mar"),
        SAID.replace("\nPLANS\nPLAN Lanark: FIGHT", ""),
        f"{SAID}\nMOVE Fife: Wallace > Lanark",
        "CARD Move 2",
    ],
)
def test_readable_orders_that_differ_from_those_signed_are_told(text: str) -> None:
    assert said_otherwise(f"{text}\nEND\n\n{BLOCK}\n", ENVELOPE) == text.split("\n")


@pytest.mark.parametrize("openings", [(), ([],), ([], []), ([1, 2, 3, 4, 5, 6, 7], [None] * 7)])
def test_a_block_with_strange_openings_breaks_no_comparison(openings: tuple[list[object], ...]) -> None:
    said_otherwise(f"{SAID}\nEND\n{BLOCK}", Envelope({}, "", openings))


# --- laws ---------------------------------------------------------------------------------------------------------------

ATOMS = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(st.characters(codec="utf-8"), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True), inner),
    max_leaves=10,
)  # fmt: skip
ENVELOPES = st.builds(
    Envelope,
    st.dictionaries(st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True), ATOMS, max_size=5),
    st.text(st.characters(codec="utf-8"), max_size=90),
    st.lists(st.lists(ATOMS, max_size=7), max_size=2).map(tuple),
)


@pytest.mark.slow
@settings(max_examples=60)
@given(ENVELOPES, st.integers(25, 100), st.sampled_from(["", "> ", ">> ", "| ", "\t", "\u00a0"]), st.booleans())
def test_any_block_comes_through_wrapping_quoting_and_small_letters(
    envelope: Envelope, width: int, mark: str, small: bool
) -> None:
    text = textwrap.indent(textwrap.fill(write_block(envelope), width), mark)
    assert read_block(text.lower() if small else text) == envelope


@settings(max_examples=200)
@given(st.integers(0, len(BLOCK) - 1), st.sampled_from("0123456789ABCDEFGHJKMNPQRSTVWXYZ \n>"), st.booleans())
def test_a_letter_lost_or_changed_is_found(at: int, letter: str, lost: bool) -> None:
    """By the words around the block, its length or its CRC: never a wrong reading."""
    text = BLOCK[:at] + ("" if lost else letter) + BLOCK[at + 1 :]
    try:
        found = read_block(text)
    except FormError:
        return
    assert found in (ENVELOPE, None)


@settings(max_examples=60)
@given(st.text())
def test_whatever_stands_between_the_words_is_an_envelope_or_refused(text: str) -> None:
    with pytest.raises(FormError):
        read_block(f"BEGIN PBEM ORDERS\n{text}\nEND PBEM ORDERS")
