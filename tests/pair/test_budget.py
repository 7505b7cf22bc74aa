"""No file of two hangs a reader or breaks one: whatever it holds there is a verdict, and the work for it follows from its bytes.

`PBEM_MUTANTS` says how many mutants are looked at."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from pbem.errors import Fault, PbemError
from pbem.games import find
from pbem.ledger import CODES, cj, curve, group, shuffle
from pbem.ledger.canon import MAX_DEPTH
from pbem.ledger.makers import ladder, sodium
from pbem.ledger.modes import mode_of
from pbem.ledger.pair import read_pair, verify_pair
from pbem.ledger.pair.forms import MAX_ACTS, MAX_CARDS
from pbem.referee.pair import PairPlay, audit_pair
from tests.ledger.mutants import written
from tests.pair.author import FIRST as BEGUN
from tests.pair.author import MEANT, Author, a_join, a_turn, an_author
from tests.pair.golden import FOLDER
from tests.pair.mutants import bases, mutant
from tests.pair.playing import forgotten

FILES = int(os.environ.get("PBEM_MUTANTS", "60"))
BYTES = 15
"""One multiplication of a point for so many bytes, as the page says."""


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many multiplications of points there are from now on; nothing of before is known any longer."""
    found: Counter[str] = Counter()

    def counted(plain: Callable[..., Any], as_many: float) -> Callable[..., Any]:
        def run(*about: Any) -> Any:
            found["points"] += as_many  # type: ignore[assignment]
            return plain(*about)

        return run

    monkeypatch.setattr(sodium, "_library", lambda: None)  # what libsodium does is done as often, and sooner
    plain = curve.sum_of

    def sum_of(*terms: Any) -> Any:
        """The doublings are made once for all terms: what each adds to them is a fifth."""
        found["points"] += 0.8 + 0.2 * len(terms)  # type: ignore[assignment]
        return plain(*terms)

    for module in (curve, shuffle):
        monkeypatch.setattr(module, "sum_of", sum_of)
    for name, as_many in {"multiple": 0.2, "is_of_order_l": 0.1}.items():  # what X25519 takes
        monkeypatch.setattr(ladder, name, counted(getattr(ladder, name), as_many))
    forgotten()
    return found


def meant(author: Author, *turns: tuple[str, list[Any]]) -> list[Any]:
    return [
        dict(BEGUN),
        a_join(author, "ann"),
        a_join(author, "bob"),
        *(a_turn(author, seat, *acts) for seat, acts in turns),
    ]


def begun(author: Author, *turns: tuple[str, list[Any]]) -> bytes:
    """A log without rules: both joins, and these turns."""
    entries = meant(author, *turns)
    author.written_out(entries)
    return author.signed(entries)


def knowing_here(rules: Any) -> Any:
    try:
        return find(str(rules["id"])).knowing
    except PbemError:
        return None


# --- work ---------------------------------------------------------------------------------------------------------------


def swollen(cards: int = 40, *, strange: bool = False) -> bytes:
    """Decks as large as may be, of cards with short names, one upon the other; at the end all are reckoned again.

    Of the last one, if it is `strange`, the keys alone are those of the numbers: what follows from these is reckoned in vain.
    """
    names = [chr(0x61 + at % 26) + chr(0x61 + at // 26) for at in range(cards)]
    turns: list[tuple[str, list[Any]]] = [("bob", [])]
    for no in (1, 2, 3):
        turns.append(("ann", [{"do": "deck", "no": no, "cards": names}]))
        share = {"do": "share", "no": no, "place": 0}
        turns.append(("bob", [{"do": "deck", "no": no}, *([] if strange and no == 3 else [share])]))
    turns += [("ann", [{"do": "over", "result": {}}]), ("bob", [{"do": "over", "result": {}}])]
    author = an_author()
    entries = meant(author, *turns)
    author.written_out(entries)
    for entry in entries[3:] if strange else ():
        for act in entry["say"]["acts"]:
            if act["do"] == "deck" and act["no"] == 3:
                act["deck"] = [group.multiple(5, group.element(text)).text for text in act["deck"]]
    return author.signed(entries)


@pytest.mark.slow
def test_decks_upon_decks_cost_what_their_bytes_pay_for(work: Counter[str]) -> None:
    """FORM, beyond the bounds. The readers count the work per byte."""
    data = swollen()
    forgotten()
    work.clear()
    assert verify_pair(data).verdict == "clean"
    assert 0.04 * len(data) / BYTES < work["points"] < len(data) / BYTES


@pytest.mark.slow
def test_numbers_that_lead_to_nothing_cost_what_their_bytes_pay_for(work: Counter[str]) -> None:
    data = swollen(strange=True)
    forgotten()
    work.clear()
    found = verify_pair(data)
    assert (found.verdict, found.code) == ("fault", "CARD")
    assert work["points"] < len(data) / BYTES


def test_an_honest_game_costs_far_less(work: Counter[str]) -> None:
    data = (FOLDER / "hammer-bruce.pbem").read_bytes()
    assert verify_pair(data).verdict == "clean"
    assert work["points"] < len(data) / 200


def test_the_secret_is_shown_once_and_no_act_follows_the_second(work: Counter[str]) -> None:
    """ORDERING. Otherwise each repetition in a turn would open the whole game again."""
    over = {"do": "over", "result": {}}
    author = an_author()
    twice = begun(author, ("bob", [over, over]))
    found = verify_pair(twice)
    assert (found.entry, found.code, found.party) == (3, "ORDERING", "bob")
    for more in (over, {"do": "seal", "text": "GO"}, {"do": "link"}):
        found = verify_pair(begun(an_author(), ("bob", [over]), ("ann", [over, more])))
        assert (found.entry, found.code, found.party) == (4, "ORDERING", "ann")


def test_a_number_that_is_not_that_of_the_deck_is_found_when_it_is_shown() -> None:
    """CARD, so that the player who shows his number second is not suspected."""
    author = an_author()
    acts = [
        ("bob", []),
        ("ann", [{"do": "deck", "no": 1, "cards": ["a", "b"]}]),
        ("bob", [{"do": "deck", "no": 1}, {"do": "number", "no": 1}]),
    ]
    entries = [
        dict(BEGUN),
        a_join(author, "ann"),
        a_join(author, "bob"),
        *(a_turn(author, seat, *said) for seat, said in acts),
    ]
    author.written_out(entries)
    entries[-1]["say"]["acts"][1]["x"] = "AQ" + "A" * 41
    found = verify_pair(author.signed(entries))
    assert (found.entry, found.code, found.party) == (5, "CARD", "bob")


def test_who_laid_other_cards_answers_where_he_did() -> None:
    """Both numbers are right, and one card of the second is another: found with the second number, at his deck."""
    author = an_author()
    turns: list[tuple[str, list[Any]]] = [
        ("bob", []), ("ann", [{"do": "deck", "no": 1, "cards": ["a", "b"]}]),
        ("bob", [{"do": "deck", "no": 1}, {"do": "number", "no": 1}]),
        ("ann", [{"do": "number", "no": 1}]),
    ]  # fmt: skip
    entries = [
        dict(BEGUN),
        a_join(author, "ann"),
        a_join(author, "bob"),
        *(a_turn(author, seat, *said) for seat, said in turns),
    ]
    author.written_out(entries)
    entries[-2]["say"]["acts"][0]["deck"][1] = group.BASE.text
    found = verify_pair(author.signed(entries))
    assert (found.entry, found.code, found.party) == (5, "CARD", "bob")


@pytest.mark.parametrize(
    "acts",
    [
        [{"do": "deck", "no": 1, "cards": ["x"] * (MAX_CARDS + 1), "key": "A" * 43, "deck": ["A" * 43]}],
        [{"do": "deck", "no": 4097, "cards": ["x"], "key": "A" * 43, "deck": ["A" * 43]}],
        [{"do": "share", "no": 1, "place": MAX_CARDS, "share": "A" * 43, "proof": f"{'A' * 43}.{'A' * 43}"}],
        [{"do": "share", "no": 2**53 - 1, "place": 0, "share": "A" * 43, "proof": f"{'A' * 43}.{'A' * 43}"}],
        [{"do": "order", "text": "x" * 16_385}],
        [{"do": "seal", "d": "0" * 64, "c": "A" * 60_001}],
        [{"do": "part", "part": {"n": 10**20}}],
        [{"do": "say", "what": "draw"}] * (MAX_ACTS + 1),
        [{"do": "leave"}],
        [[]],
        [{"do": []}],
    ],
)  # fmt: skip
def test_what_is_beyond_the_bounds_is_malformed(acts: list[Any], work: Counter[str]) -> None:
    author = an_author()
    entries = [dict(BEGUN), a_join(author, "ann"), a_join(author, "bob"), a_turn(author, "bob")]
    author.written_out(entries)
    entries[-1]["say"]["acts"] = acts
    entries[-1].pop(MEANT)
    data = author.signed(entries)
    forgotten()
    work.clear()
    found = verify_pair(data)
    assert (found.entry, found.code) == (3, "FORM")
    assert round(work["points"], 1) in (0, 4 * 0.1), (
        "none for a line that is none; else two halves of a key, and two keys, each by X25519"
    )


def test_what_lies_too_deep_is_malformed() -> None:
    value: Any = {}
    for _level in range(MAX_DEPTH):
        value = {"of": value}
    lines = (FOLDER / "tiny-begun.pbem").read_bytes().splitlines(keepends=True)
    for odd in (
        written({"k": "turn", "of": value}),
        b'{"k":' + b"[" * 65_000,
        b"[" * 65_536,
        b'{"n":' + b"9" * 65_000 + b"}",
    ):
        found = verify_pair(b"".join(lines[:3]) + odd + b"\n")
        assert (found.verdict, found.entry, found.code, found.party) == ("fault", 3, "FORM", "supplier")


# --- whatever the bytes are ---------------------------------------------------------------------------------------------


def looked_at(data: bytes, keys: Any = ()) -> str:
    """Let everything that reads a log of two read these bytes; return the verdict's code."""
    found = verify_pair(data)
    assert (found.verdict == "fault") == (found.code is not None)
    assert found.code is None or found.code in CODES
    audited = audit_pair(data, knowing_here)
    assert audited.code is None or audited.code in CODES
    assert (
        audited.code == found.code
        if found.code
        else audited.verdict in ("clean", "unfinished", "fault", "cannot_judge")
    )
    mode_of(data)
    try:
        entries = read_pair(data)[1]
    except Fault:
        return str(found.code)
    knowing = knowing_here(entries[0].fields["rules"])
    for key in keys if knowing is not None else ():
        try:
            PairPlay.of(knowing, entries, key)
        except PbemError:
            continue
    return str(audited.code)


@pytest.mark.slow
def test_every_mutant_gets_a_verdict_from_everybody_who_reads_it() -> None:
    """Any bytes, and changed logs of two that both keys signed again. `verify`, `audit`, both players' programs and
    both verifiers agree."""
    real = [base for name, base in bases() if name != "all acts"]
    codes = set()
    for no in range(FILES):
        base = real[no % len(real)]
        codes.add(looked_at(mutant(base, random.Random(f"budget {no}")).data, base.author().keys.values()))
    assert len(codes) > 4


def test_any_bytes_get_a_verdict() -> None:
    chance = random.Random(1)
    good = (FOLDER / "tiny-begun.pbem").read_bytes()
    head = good.split(b"\n")[0] + b"\n"
    for _no in range(200):
        garbage = chance.randbytes(chance.randrange(200))
        at = chance.randrange(len(good))
        for data in (
            garbage,
            head + garbage,
            head + garbage + b"\n",
            good[:at] + garbage + good[at:],
            good[:at] + garbage + b"\n",
        ):
            looked_at(data)
    odd: list[Any] = [None, 1, "x", [], {}, {"k": "turn"}, {"k": []}, {"k": "join", "n": 1, "say": 7}]
    for value in odd:
        looked_at(head + cj(value) + b"\n")
