"""What may come in the mail besides a good order: each has a clear answer, and the game does not move.

The answers stand in `cases/<case>.reply.txt`, written anew with PBEM_GOLDEN=write and then to be reviewed like code.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pbem.ledger import SAY, cj, sha256_hex
from pbem.ledger.fields import is_seen
from pbem.mail import KnownLog, read_message, shorten, write_block, write_short
from pbem.referee import Envelope

from .bad_input import club, hand, letter, order, pen, question, second_turn
from .post import HOST, Club, key_of

__all__ = ["club", "second_turn"]


CASES = Path(__file__).parent / "cases"
REWRITE = os.environ.get("PBEM_GOLDEN") == "write"


def no_signed_block(club: Club) -> bytes:
    return letter(f"{hand(club, 'bob')[0]}\nEND\n")


def words_that_are_no_order(club: Club) -> bytes:
    return order(club, "XYZZY plugh\nCARD queen of hearts\nGO NORTH")


def a_card_not_in_hand(club: Club) -> bytes:
    return order(club, hand(club, "cat")[0])


def two_orders_in_one(club: Club) -> bytes:
    return order(club, "\n".join(hand(club, "bob")))


def plans_that_are_none(club: Club) -> bytes:
    return order(club, plans="ACT LATER\nPLAN SLEEP")


def for_a_game_unknown_here(club: Club) -> bytes:
    return order(club, game=sha256_hex(b"another game"))


def for_a_closed_question(club: Club) -> bytes:
    first = next(entry for entry in club.log().entries if entry.k == "ask")
    return order(club, ask=first.n)


def for_a_question_not_yet_put(club: Club) -> bytes:
    return order(club, ask=99)


def after_another_history(club: Club) -> bytes:
    return order(club, seen=[question(club).ask, "7" * 64])


def signed_with_another_key(club: Club) -> bytes:
    made = pen(club, "bob", key="mallory").order(question(club), hand(club, "bob")[0])
    return letter(write_block(made))


def signed_for_another_seat(club: Club) -> bytes:
    return order(club, seat="ann")


def for_a_seat_that_is_not_there(club: Club) -> bytes:
    return order(club, seat="dan")


def with_the_link_of_another_mark(club: Club) -> bytes:
    return order(club, link_n=9, link=pen(club, "bob").chain.x(9))


def with_a_link_from_nowhere(club: Club) -> bytes:
    return order(club, link="7" * 64)


def without_its_link(club: Club) -> bytes:
    made = pen(club, "bob").order(replace(question(club), mark=None), hand(club, "bob")[0])
    return letter(write_block(made))


def shown_in_the_open(club: Club) -> bytes:
    return order(club, pub={"order": hand(club, "bob")[0]})


def without_openings(club: Club) -> bytes:
    made = pen(club, "bob").order(question(club), hand(club, "bob")[0])
    return letter(write_block(replace(made, openings=())))


def with_the_opening_of_another_order(club: Club) -> bytes:
    made, other = (pen(club, "bob").order(question(club), text) for text in hand(club, "bob"))
    return letter(write_block(replace(made, openings=(other.openings[0], made.openings[1]))))


def _with_a_letter_changed(text: str) -> bytes:
    at = text.index("BEGIN PBEM ORDERS") + 100
    return letter(text[:at] + ("Z" if text[at] != "Z" else "Y") + text[at + 1 :])


def a_block_with_a_letter_changed(club: Club) -> bytes:
    return _with_a_letter_changed(read_message(order(club)).text)


def a_block_cut_short(club: Club) -> bytes:
    text = read_message(order(club)).text
    half = text.index("BEGIN PBEM ORDERS") + 300
    return letter(text[:half] + "\nEND PBEM ORDERS\n")


def a_block_without_its_end(club: Club) -> bytes:
    return letter(read_message(order(club)).text.split("END PBEM ORDERS")[0])


def short(club: Club, words: bytes = b"", **changed: Any) -> bytes:
    """Bob's order in a short block, in which something is changed."""
    log = club.log()
    made = shorten(pen(club, "bob").order(question(club), hand(club, "bob")[0]), KnownLog(log, {0: b""}.get), 0)
    assert made is not None
    whole = {name: changed.pop(name) for name in ("game", "seat", "dictionary") if name in changed}
    return letter(write_short(replace(made, parts=(replace(made.parts[0], **changed),), **whole), words))


def a_short_block_with_a_letter_changed(club: Club) -> bytes:
    return _with_a_letter_changed(read_message(short(club)).text)


def a_short_block_after_another_history(club: Club) -> bytes:
    return short(club, head="7" * 16)


def a_short_block_for_an_entry_not_yet_there(club: Club) -> bytes:
    return short(club, number=99)


def a_short_block_for_a_closed_question(club: Club) -> bytes:
    first = next(entry for entry in club.log().entries if entry.k == "ask")
    return short(club, number=first.n, head=first.hash[:16])


def a_short_block_signed_with_another_key(club: Club) -> bytes:
    made = pen(club, "bob", key="mallory").order(question(club), hand(club, "bob")[0])
    return short(club, sig=made.sig)


def a_short_block_with_another_text(club: Club) -> bytes:
    return short(club, order=hand(club, "bob")[1])


def a_short_block_by_an_unknown_dictionary(club: Club) -> bytes:
    return short(club, dictionary=7)


def a_short_block_for_a_game_unknown_here(club: Club) -> bytes:
    return short(club, game="0" * 16)


def an_empty_block(club: Club) -> bytes:
    return letter("BEGIN PBEM ORDERS\nEND PBEM ORDERS\n")


def a_block_of_something_else(club: Club) -> bytes:
    return letter(write_block(Envelope({"act": "order", "game": club.log().game, "seat": ["bob"]}, "x", ())))


def an_act_unknown_here(club: Club) -> bytes:
    say = {"act": "shout", "game": club.log().game, "seat": "bob", "no": 1, "seen": list(club.log().head)}
    return letter(write_block(Envelope(say, key_of("bob").sign(SAY, cj(say)))))


def a_rude_stranger(club: Club) -> bytes:
    return letter("Buy my cards!", sender="mallory@example.net")


def a_stranger_with_a_block(club: Club) -> bytes:
    made = pen(club, "bob", key="mallory").order(question(club), "CARD c1")
    return letter(write_block(made), sender="mallory@example.net")


def a_vacation_notice(club: Club) -> bytes:
    return letter("I am on holiday.", **{"Auto-Submitted": "auto-replied"})


def a_mailing_list(club: Club) -> bytes:
    return letter("Minutes of the club", **{"List-Id": "<club.example.org>"})


def a_mail_of_our_own(club: Club) -> bytes:
    return letter("Your mail was read.", **{"X-Loop": f"pbem {HOST}"})


def a_bounce(club: Club) -> bytes:
    return (
        b"From: MAILER-DAEMON@example.org\r\nTo: host@example.org\r\nSubject: Undelivered\r\n"
        b'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        b"--b\r\nContent-Type: text/plain\r\n\r\nbob@example.org: no such user\r\n--b--\r\n"
    )


def an_empty_mail(club: Club) -> bytes:
    return b"\n"


def a_mail_of_a_megabyte(club: Club) -> bytes:
    return letter("x" * 1_000_001)


Case = Callable[[Club], bytes]
EXPECTED: dict[Case, str] = {
    no_signed_block: "refused: FORM",
    words_that_are_no_order: "refused: ILLEGAL",
    a_card_not_in_hand: "refused: ILLEGAL",
    two_orders_in_one: "refused: ILLEGAL",
    plans_that_are_none: "refused: ILLEGAL",
    for_a_game_unknown_here: "refused: FORM",
    for_a_closed_question: "refused: ASK",
    for_a_question_not_yet_put: "refused: ASK",
    after_another_history: "refused: SEEN",
    signed_with_another_key: "refused: SIG",
    signed_for_another_seat: "refused: SIG",
    for_a_seat_that_is_not_there: "refused: BIND",
    with_the_link_of_another_mark: "refused: LINK",
    with_a_link_from_nowhere: "refused: LINK",
    without_its_link: "refused: LINK",
    shown_in_the_open: "refused: FORM",
    without_openings: "refused: UNOPENED",
    with_the_opening_of_another_order: "refused: SEALBIND",
    a_block_with_a_letter_changed: "refused: FORM",
    a_block_cut_short: "refused: FORM",
    a_block_without_its_end: "refused: FORM",
    a_short_block_with_a_letter_changed: "refused: FORM",
    a_short_block_after_another_history: "refused: FORM",
    a_short_block_for_an_entry_not_yet_there: "refused: FORM",
    a_short_block_for_a_closed_question: "refused: FORM",
    a_short_block_signed_with_another_key: "refused: FORM",
    a_short_block_with_another_text: "refused: FORM",
    a_short_block_by_an_unknown_dictionary: "refused: FORM",
    a_short_block_for_a_game_unknown_here: "refused: FORM",
    an_empty_block: "refused: FORM",
    a_block_of_something_else: "refused: BIND",
    an_act_unknown_here: "refused: FORM",
    a_rude_stranger: "refused: FORM",
    a_stranger_with_a_block: "refused: SIG",
    a_vacation_notice: "ignored",
    a_mailing_list: "ignored",
    a_mail_of_our_own: "ignored",
    a_bounce: "ignored",
    an_empty_mail: "refused: FORM",
    a_mail_of_a_megabyte: "unreadable",
}
SILENT = {a_rude_stranger, a_stranger_with_a_block, a_vacation_notice, a_mailing_list, a_mail_of_our_own, a_bounce,
          an_empty_mail}  # fmt: skip


@pytest.mark.variants
@pytest.mark.parametrize("case", EXPECTED, ids=lambda case: case.__name__)
def test_bad_input_has_a_clear_answer_and_the_game_does_not_move(club: Club, case: Case) -> None:
    """The answer goes to the address of the seat, and to nobody else."""
    raw = case(club)
    before = club.state()
    outcome, letters = club.answer_to(raw)
    assert outcome.startswith(EXPECTED[case]), outcome
    assert club.state() == before
    assert sum(map(len, letters.values())) == (case not in SILENT)
    assert not letters["ann"], "the answer goes to the address of the seat"
    assert not letters["cat"]
    for answer in letters["bob"]:
        _agrees(f"{case.__name__}.reply.txt", read_message(answer).text)
    # the same mail once more, as after a mail server's hiccup: nothing comes of it
    assert club.answer_to(raw) == ("duplicate", {"ann": [], "bob": [], "cat": []})
    assert club.state() == before
    # and a good order is taken as if nothing had been
    assert club.take(club.order("bob")) == "order: bob"


def _agrees(name: str, text: str) -> None:
    if REWRITE:
        CASES.mkdir(exist_ok=True)
        (CASES / name).write_text(text, "utf-8")
    assert text == (CASES / name).read_text("utf-8"), f"{name}: see PBEM_GOLDEN=write"


def test_the_answers_kept_are_those_of_the_cases() -> None:
    answered = {f"{case.__name__}.reply.txt" for case in EXPECTED if case not in SILENT}
    assert {path.name for path in CASES.iterdir()} == answered


UNREAD = {
    "winmail.dat": b"Content-Type: application/ms-tnef; name=winmail.dat\r\n\r\nx",
    "It is encrypted (PGP or S/MIME)": b"Content-Type: text/plain\r\n\r\n-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA\r\n",
    "message/partial": b"Content-Type: message/partial; id=1; number=1; total=3\r\n\r\nx",
    "RTF": b"Content-Type: application/rtf\r\n\r\n{\\rtf1 x}",
    'Here it comes below "CAUTION: External email."': b"\r\nCAUTION: External email.\r\n\r\nSTATUS\r\n",
}


@pytest.mark.parametrize("said", UNREAD)
def test_a_refusal_names_why_nothing_could_be_read(club: Club, said: str) -> None:
    """The mail is winmail.dat, encrypted, RTF, in pieces or a picture, or a gateway put a warning above a request. The
    answer names the remedy."""
    outcome, letters = club.answer_to(b"From: bob@example.org\r\nTo: host@example.org\r\n" + UNREAD[said])
    assert outcome.startswith("refused: FORM")
    (answer,) = letters["bob"]
    assert said in " ".join(read_message(answer).text.split())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 99) | st.text(st.characters(codec="utf-8"), max_size=9)
    | st.sampled_from(["ann", "bob", "order", "join", "ready", "say", "0" * 64]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["order", "plans", "zz"]), inner, max_size=2),
    max_leaves=6,
)  # fmt: skip


@pytest.fixture(scope="module")
def patient(second_turn: Club, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """The same game, for a hundred mails."""
    twin = second_turn.copy_to(tmp_path_factory.mktemp("patient"))
    yield twin
    twin.office.close()


@pytest.mark.slow
@settings(max_examples=120)
@given(st.data())
def test_a_signed_block_of_anything_is_answered_and_stops_nothing(patient: Club, data: st.DataObject) -> None:
    """Whoever has a key can sign any nonsense; no mail may stop a host that serves many games."""
    made = pen(patient, "bob").order(question(patient), hand(patient, "bob")[0])
    say, openings = dict(made.say), [list(line) for line in made.openings]
    for _ in range(data.draw(st.integers(1, 3))):
        if data.draw(st.booleans()):
            say[data.draw(st.sampled_from([*sorted(made.say.keys() - {"rev"}), "chain", "key", "next", "no"]))] = (
                data.draw(JSON)
            )
        else:
            line = data.draw(st.sampled_from(openings))
            line[data.draw(st.integers(0, 6))] = data.draw(JSON)
    if (say, openings) == (made.say, [list(line) for line in made.openings]):
        return
    # what comes of an entry that is not here is tried in test_catching_up.py
    assume(not is_seen(say["seen"]) or say["seen"] == made.say["seen"])
    before = patient.state()
    raw = letter(write_block(Envelope(say, key_of("bob").sign(SAY, cj(say)), tuple(openings))))
    outcome = patient.robot.take(raw, patient.now())
    assert outcome.startswith(("refused: ", "duplicate"))
    assert patient.state() == before
