"""Copies laid before the program: with other line ends, altered, side by side; and what hands they open."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.ledger import Log, redact, verify
from tests.cli.odd_uses import pbem, the_example_game_is_found
from tests.cli.program import Program
from tests.ledger.files import found

__all__ = ["pbem", "the_example_game_is_found"]
GOLDEN = Path(__file__).parents[1] / "golden"
LOG = (GOLDEN / "logs" / "tiny-1.pbem").read_bytes()
HAMMER = (GOLDEN / "logs" / "hammer-1.pbem").read_bytes()
OF_TWO = next(iter(sorted((GOLDEN / "logs-of-two").glob("*.pbem")))).read_bytes()

Change = Callable[[bytes], bytes]
CHANGED: dict[str, tuple[Change, list[str]]] = {
    "CRLF": (lambda data: data.replace(b"\n", b"\r\n"), ["line ends"]),
    "CR CR LF": (lambda data: data.replace(b"\n", b"\r\r\n"), ["line ends"]),
    "CR": (lambda data: data.replace(b"\n", b"\r"), ["line ends"]),
    "some lines alone": (lambda data: data.replace(b"\n", b"\r\n", 7), ["line ends"]),
    "a mark": (lambda data: b"\xef\xbb\xbf" + data, ["mark"]),
    "no last line end": (lambda data: data[:-1], ["last line end"]),
    "Ctrl-Z": (lambda data: data + b"\x1a", ["last line end"]),
    "an empty line at the end": (lambda data: data + b"\n", ["empty lines"]),
    "an empty line between all": (lambda data: data.replace(b"\n", b"\n\n"), ["empty lines"]),
    "a mark, CRLF, no last one": (
        lambda data: b"\xef\xbb\xbf" + data[:-1].replace(b"\n", b"\r\n"), ["mark", "line ends", "last line end"],
    ),
    "UTF-16": (lambda data: data.decode().encode("utf-16"), ["encoding"]),
}  # fmt: skip


def a_file(folder: Path, data: bytes, name: str = "copy.pbem") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.variants
@pytest.mark.parametrize("how", CHANGED)
@pytest.mark.parametrize("command", ["verify", "audit"])
def test_a_copy_with_other_line_ends_blames_nobody(tmp_path: Path, pbem: Program, command: str, how: str) -> None:
    """A program wrote CRLF, CR CR LF, a byte-order mark, UTF-16, empty lines or no last line end. The verdict adds
    `repaired`; the exit code is 3."""
    change, changed = CHANGED[how]
    data = change(LOG)
    path = a_file(tmp_path, data)
    code, said = pbem(command, path, "--json")
    verdict = json.loads(said)
    assert code == 3
    assert (verdict["entry"], verdict["code"], verdict["party"]) == found(verify(data))
    assert (verdict["code"], verdict["party"]) == ("FORM", "supplier")
    assert (verdict["repaired"]["changed"], verdict["repaired"]["verdict"]) == (changed, "clean")
    code, said = pbem(command, path)
    assert code == 3
    assert "Nobody who played is to blame" in " ".join(said.split())
    assert "Repaired, the file is clean." in said
    assert "The person who gave you this file can have done it" not in " ".join(said.split())


@pytest.mark.slow
def test_a_log_of_two_with_other_line_ends_blames_nobody(tmp_path: Path, pbem: Program) -> None:
    code, said = pbem("verify", a_file(tmp_path, OF_TWO.replace(b"\n", b"\r\n")), "--json")
    assert (code, json.loads(said)["repaired"]["verdict"]) == (3, "clean")


def test_another_fault_below_other_line_ends_is_a_fault(tmp_path: Path, pbem: Program) -> None:
    """A forger hopes that line ends excuse him. Exit code 1."""
    forged = LOG.replace(b"BANK", b"DANK")
    path = a_file(tmp_path, forged.replace(b"\n", b"\r\n"))
    code, said = pbem("verify", path, "--json")
    verdict = json.loads(said)
    assert (code, verdict["code"], verdict["repaired"]["verdict"]) == (1, "FORM", "fault")
    assert (verdict["repaired"]["entry"], verdict["repaired"]["code"]) == found(verify(forged))[:2]
    code, said = pbem("verify", path)
    assert (code, "was altered or exchanged" in said) == (1, True)
    assert "Nobody who played is to blame" not in said


def test_what_has_the_line_ends_of_a_log_says_nothing_of_a_repair(tmp_path: Path, pbem: Program) -> None:
    for data in (LOG, LOG.replace(b"BANK", b"DANK"), LOG.replace(b'"k":"join"', b'"k": "join"', 1)):
        assert "repaired" not in json.loads(pbem("verify", a_file(tmp_path, data), "--json")[1])


def test_a_copy_with_other_line_ends_is_read_as_it_is_meant(tmp_path: Path, pbem: Program) -> None:
    """`show`, `replay`, `merge` and `diff` judge nothing, so they need not refuse what a mail program has done."""
    path, whole = a_file(tmp_path, CHANGED["UTF-16"][0](LOG)), a_file(tmp_path, LOG, "whole.pbem")
    assert pbem("show", path) == pbem("show", whole)
    assert pbem("merge", path, path, "--out", tmp_path / "repaired.pbem")[0] == 0
    assert (tmp_path / "repaired.pbem").read_bytes() == Log.parse(LOG).tidy().dump()
    code, said = pbem("diff", path, whole)
    assert (code, "other line ends" in said) == (0, True)
    for words in (b"Sent from my phone\n", b"\r\n--\r\nAnn, Hill Street 5"):
        assert pbem("show", a_file(tmp_path, LOG + words)) == pbem("show", whole)
    assert pbem("show", a_file(tmp_path, LOG[:-300] + b"\n" + LOG[-200:]))[0] != 0, (
        "what may be a line of the log is no word below it"
    )


def test_lines_that_no_log_has_so_are_told_though_they_say_the_same(tmp_path: Path, pbem: Program) -> None:
    whole = a_file(tmp_path, LOG, "whole.pbem")
    for odd in (LOG.replace(b"\n", b" \n"), LOG.replace(b'"k":"join"', b'"k": "join"', 1), LOG + b"nonsense\n"):
        code, said = pbem("diff", a_file(tmp_path, odd), whole)
        assert (code, "that no log has so" in " ".join(said.split())) == (1, True)
        assert "contradicts" not in said
        assert pbem("verify", a_file(tmp_path, odd))[0] == 1
    code, said = pbem("diff", whole, whole)
    assert (code, "that no log has so" in said) == (0, False)


@pytest.mark.parametrize("log", [LOG, OF_TWO], ids=["with a host", "of two"])
def test_a_file_that_is_cut_off_within_a_line_is_not_said_to_have_other_line_ends(
    tmp_path: Path, pbem: Program, log: bytes
) -> None:
    cut = a_file(tmp_path, log[:-40])
    code, said = pbem("verify", cut)
    assert (code, "The file ends in the middle of a line: it was cut off." in said) == (1, True)
    assert "line ends" not in said.lower()
    if log is LOG:  # copies of two are not compared line by line
        code, said = pbem("diff", cut, a_file(tmp_path, LOG, "whole.pbem"))
        assert (code, "line ends" in said) == (1, False)


# -- what stands where -----------------------------------------------------------------------------------------------------


def altered(data: bytes, n: int, change: Change) -> bytes:
    lines = data.split(b"\n")
    at = [i for i, line in enumerate(lines) if line.startswith(b"{")][n]
    lines[at] = change(lines[at])
    return b"\n".join(line for line in lines if line) + b"\n"


def a_die(line: bytes) -> bytes:
    fields = json.loads(line)
    fields["res"][0][0] = 1 + fields["res"][0][0] % 6
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


DIE = 28


def no_head_below(data: bytes) -> bytes:
    """A changed die, and the file ends with the entry behind it."""
    lines = altered(data, DIE, a_die).split(b"\n")
    last = [at for at, line in enumerate(lines) if line.startswith(b"{")][DIE + 1]
    return b"\n".join([*lines[: last + 1], b""])


def gone(data: bytes) -> bytes:
    return altered(data, DIE, lambda _line: b"")


def twice(data: bytes) -> bytes:
    return altered(data, DIE, lambda line: line + b"\n" + line)


def another_number(data: bytes) -> bytes:
    return altered(data, DIE, lambda line: line.replace(b'"n":28,', b'"n":78,'))


def another_die(data: bytes) -> bytes:
    return altered(data, DIE, a_die)


ALTERED: dict[str, tuple[Change, int, str]] = {
    "a die": (
        another_die,
        29,
        "Entry 28 (a roll of dice) was altered or exchanged: entry 29 (a roll of dice) is as the host",
    ),
    "an entry is gone": (
        gone,
        28,
        "1 entry is missing in this file: entry 27 (a roll of dice) is followed by entry 29",
    ),
    "another number": (
        another_number,
        28,
        "By its hash, entry 78 (a roll of dice) is the next one after entry 27 (a roll of dice): nothing is missing, but",
    ),
    "an entry twice": (twice, 29, "Entries occur twice in this file, or in another order: entry 28"),
    "a die, and no head below": (
        no_head_below,
        29,
        "Entry 28 (a roll of dice) or entry 29 (a roll of dice) was altered",
    ),
}


@pytest.mark.parametrize("how", ALTERED)
def test_a_verdict_names_both_entries_where_the_chain_breaks(tmp_path: Path, pbem: Program, how: str) -> None:
    """Signed heads show which of the two was altered, or that entries are missing or doubled."""
    change, entry, words = ALTERED[how]
    path = a_file(tmp_path, change(HAMMER))
    assert found(verify(path.read_bytes())) == (entry, "CHAIN", "supplier"), "as pbem-log/1 fixes it"
    code, said = pbem("verify", path)
    assert (code, words in " ".join(said.split())) == (1, True), said


# -- how two copies differ -------------------------------------------------------------------------------------------------


def said_otherwise(n: int, here: bytes, there: bytes) -> Change:
    return lambda data: altered(data, n, lambda line: line.replace(here, there))


DIFFERENT: dict[str, tuple[Change, str]] = {
    "a die": (another_die, "Entry 28, the dice of Douglas, C3: 3 6 1 here, 4 6 1 there."),
    "a card": (
        lambda data: data.replace(b'"Move 3 b"]', b'"Move 9 b"]'),
        "Entry 6, card 1 of the deal: Move 3 b here, Move 9 b there.",
    ),
    "an entry is gone": (gone, "Entry 28 (a roll of dice) is missing there."),
    "an entry twice": (twice, "Entry 28 (a roll of dice) appears twice there."),
    "a result": (said_otherwise(84, b'"winner":"', b'"winner":"x'), "Entry 84 (the end of the game), result:"),
    "a moment": (said_otherwise(8, b'"at":"2', b'"at":"3'), "Entry 8 (a question), at:"),
    "a signature": (said_otherwise(9, b'"sig":"', b'"sig":"A'), "Entry 9 (an order of the English), sig:"),
}


@pytest.mark.variants
@pytest.mark.parametrize("how", DIFFERENT)
def test_two_copies_that_differ_are_told_apart_in_words(tmp_path: Path, pbem: Program, how: str) -> None:
    """`pbem diff` names the difference. A shorter copy, or one with fewer openings, contradicts nothing."""
    change, words = DIFFERENT[how]
    here, there = a_file(tmp_path, HAMMER), a_file(tmp_path, change(HAMMER), "other.pbem")
    code, said = pbem("diff", here, there)
    told = said.splitlines()
    assert code == 1
    assert told[1].startswith(words), said
    assert "pbem verify" in told[-1]
    assert len(told) <= 4, "what follows from it is not told"
    assert len(json.loads(pbem("diff", there, here, "--json")[1])["differences"]) == 1


def test_copies_of_one_history_contradict_nothing(tmp_path: Path, pbem: Program) -> None:
    """The honest twin: one goes further, one opens less."""
    log = Log.parse(HAMMER)
    whole = a_file(tmp_path, HAMMER)
    for other in (log.cut(40), redact(log, "english").cut(60), redact(log.cut(50), "scottish")):
        code, said = pbem("diff", whole, a_file(tmp_path, other.dump(), "other.pbem"))
        assert (code, said.splitlines()[-1]) == (0, "Nothing in one copy contradicts the other.")
        assert "The first ends with entry 84" in said
    code, said = pbem("diff", whole, a_file(tmp_path, LOG, "other.pbem"))
    assert (code, "copies of two games" in said) == (2, True)


def test_copies_whose_rules_are_not_here_are_told_apart_by_fields(tmp_path: Path, pbem: Program) -> None:
    here, there = (data.replace(b'"id":"hammer"', b'"id":"nobody"') for data in (HAMMER, altered(HAMMER, DIE, a_die)))
    code, said = pbem("diff", a_file(tmp_path, here), a_file(tmp_path, there, "other.pbem"))
    assert (code, "Entry 28, the dice: 3 6 1 here, 4 6 1 there." in said) == (1, True)


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"[1]\n", b"{}\n", b'{"k":"game","n":true}\n', b'{"n":1e999,"k":[]}\n', b"\xff\xfe\n"]
)
def test_what_is_no_log_is_compared_or_refused_in_a_sentence(tmp_path: Path, pbem: Program, data: bytes) -> None:
    for pair in ((data, LOG), (LOG, data), (data, data)):
        code, said = pbem("diff", a_file(tmp_path, pair[0]), a_file(tmp_path, pair[1], "other.pbem"))
        assert (code in (0, 1, 2), "Traceback" in said) == (True, False)


@pytest.mark.parametrize("command", ["show", "replay"])
def test_a_log_of_another_format_is_not_called_damaged(tmp_path: Path, pbem: Program, command: str) -> None:
    first = (
        LOG.split(b"\n")[0].replace(b'"pbem-log/1"', b'"pbem-log/0"').replace(b'"pbem-log/1-rc"', b'"pbem-log/0"')
        + b"\n"
    )
    code, said = pbem(command, a_file(tmp_path, first))
    said = " ".join(said.split())
    assert (code, "The log is written in pbem-log/0, but this program reads pbem-log/1. The" in said) == (1, True)
    assert "damaged" not in said


# -- hands -----------------------------------------------------------------------------------------------------------------


def test_opened_hands_are_shown(tmp_path: Path, pbem: Program) -> None:
    whole = a_file(tmp_path, HAMMER)
    code, said = pbem("show", whole, "--hand", "english", "--year", "1306")
    assert (code, said.splitlines()[0]) == (0, "The English, 1306 (entry 7):")
    assert "Cards:     Move 3, Move 1, Move 2, Move 2 and Move 2." in said
    assert pbem("show", whole, "--hand", "english") == (0, said), "there is one year"
    code, deal = pbem("show", whole, 6)
    assert deal.splitlines()[0].endswith(
        "10 cards are dealt: Move 3 b, Move 1 g, Move 2 i, Move 2 g, Move 2 d, Move 1 d, Pillage, Move 1 e, Sea Move, Move 2 e."
    )
    assert "The English, after entry 7:\nCards:     Move 3, Move 1, Move 2, Move 2 and Move 2." in deal
    assert "The Scots, after entry 7:\nCards:     Move 1, Pillage, Move 1, Sea Move and Move 2." in deal


def test_a_hand_that_a_copy_does_not_open_is_not_shown(tmp_path: Path, pbem: Program) -> None:
    copy = a_file(tmp_path, redact(Log.parse(HAMMER).cut(42), "english").dump())
    assert "Cards:     Move 3" in pbem("show", copy, "--hand", "english")[1]
    code, said = pbem("show", copy, "--hand", "scottish")
    assert (code, "does not open what the Scots was told" in said or "does not open" in said) == (2, True)
    deal = pbem("show", copy, 6)[1]
    assert "10 cards are dealt, each sealed." in deal or "of them are sealed." in deal
    assert "The Scots, after" not in deal
    for wrong, why in (
        (["--hand", "english", "--year", "1297"], "1306"),
        (["--hand", "french"], "french"),
        (["--year", "1306"], "--hand"),
    ):
        code, said = pbem("show", copy, *wrong)
        assert (code, why in said) == (2, True), said


def test_a_replay_names_the_entry_that_was_asked_for(tmp_path: Path, pbem: Program) -> None:
    path = a_file(tmp_path, HAMMER)
    assert "\nAfter entry 9, as the report in entry 7 left it:\n" in pbem("replay", path, "--at", 9)[1]
    assert "\nAfter entry 7:\n" in pbem("replay", path, "--at", 7)[1]


# -- rules of other bytes ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_rules_of_other_bytes_that_agree_are_named(tmp_path: Path, pbem: Program) -> None:
    """An old log names older bytes. The present rules judge it, and the audit says so beside “clean”."""
    code, said = pbem("audit", a_file(tmp_path, HAMMER), "--json")
    named = Log.parse(HAMMER).entries[0].fields["rules"]["sha256"]
    verdict = json.loads(said)
    assert (code, verdict["verdict"]) == (0, "clean")
    assert named in verdict["reason"]
    assert "other bytes" in verdict["reason"]
