"""PROTOCOL 7: the samples and honest games are in order, every bad file is found, and nothing signed upsets the verifier."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import tiny_game

from pbem.errors import FormError
from pbem.i18n import speaking
from pbem.ledger import GOT, HEAD, Entry, Log, cj, redact, sha256_hex, verify, verify_checked
from pbem.ledger.verifier import CODES
from pbem.referee.audit import audit
from tests.attacks.judging import faulted
from tests.i18n import BRACKETS, outside
from tests.ledger.builder import Table, long_game, short_game
from tests.ledger.files import DATA, bad, bad_index, found, sample
from tests.ledger.verify import eventful_game


def test_the_samples_are_in_order() -> None:
    said = {path.stem: verify(path.read_bytes()) for path in (DATA / "samples").glob("*.pbem")}
    assert len(said) == 9
    assert {
        name: v.reason for name, v in said.items() if v.verdict != ("unfinished" if "_mid" in name else "clean")
    } == {}


@pytest.mark.parametrize("name", ["trio", "trio_bob"])
@pytest.mark.parametrize("whose", [None, "ann", "bob", "cat", "host"])
def test_the_samples_of_a_finished_game_are_clean(name: str, whose: str | None) -> None:
    verdict = verify(sample(name), whose)
    assert verdict.verdict == "clean"
    assert verdict.head == Log.parse(sample("trio")).head
    assert verdict.to_json().keys() == {"verdict", "entry", "code", "party", "reason", "head"}


def test_the_sample_cut_short_is_unfinished_and_says_what_is_not_judged() -> None:
    verdict = verify(sample("trio_ann_mid"))
    assert verdict.verdict == "unfinished"
    assert "16 closed seals are not judged" in verdict.reason


def test_a_copy_is_held_to_what_is_due_to_the_seat_that_it_is_said_to_be() -> None:
    assert verify(sample("trio_ann_mid"), "ann").verdict == "unfinished"
    assert found(verify(sample("trio_ann_mid"), "bob")) == (8, "UNOPENED", "supplier")
    assert found(verify(sample("trio_ann_mid"), "host")) == (7, "UNOPENED", "supplier")


@pytest.mark.variants
@pytest.mark.parametrize("case", bad_index("verify"), ids=lambda case: case["file"].removesuffix(".pbem"))
def test_every_bad_file_is_found(case: dict[str, Any]) -> None:
    verdict = verify(bad(case["file"]))
    assert found(verdict) == (case["expect_entry"], case["code"], case["party"])
    assert verdict.verdict == "fault"
    assert verdict.code in CODES
    assert verdict.reason.endswith(".")


@pytest.mark.slow
def test_every_verdict_is_told_in_a_message() -> None:
    with speaking(BRACKETS):
        told = {case["file"]: verify(bad(case["file"])).reason for case in bad_index("verify")}
        told |= {name: verify(sample(name)).reason for name in ("trio", "trio_ann_mid")}
    assert {name: reason for name, reason in told.items() if outside(reason)} == {}


@pytest.mark.parametrize("case", bad_index("audit"), ids=lambda case: case["file"].removesuffix(".pbem"))
def test_what_only_the_rules_can_find_the_audit_finds(case: dict[str, Any]) -> None:
    data = bad(case["file"])
    assert verify(data).verdict in ("clean", "unfinished")
    verdict = audit(data, lambda _: (tiny_game.GAME, Log.parse(data).entries[0].fields["rules"]["sha256"])).verdict
    assert faulted(verdict) == (case["expect_entry"], case["code"], case["party"])


# --- honest games -----------------------------------------------------------------------------------------------------


def test_an_eventful_honest_game_is_clean_in_every_copy() -> None:
    table = eventful_game()
    table.ask("bob")
    for whose in ("ann", "bob", "cat", "host", None):
        assert verify(redact(table.log, whose) if whose in table.seats else table.log, whose).verdict == "unfinished"
    table.order("bob", "PASS")
    table.tell()
    log = table.end()
    for seat in table.seats:
        assert verify(redact(log, seat), seat).verdict == "clean"
    assert verify(log).verdict == "clean"


def test_an_auditor_finds_the_facts_that_were_checked() -> None:
    table = eventful_game()
    table.ask("bob")
    verdict, c = verify_checked(table.log)
    assert verdict.verdict == "unfinished"
    assert [(name, seat.mark, seat.said, seat.link_n) for name, seat in c.course.seats.items()] == [
        ("ann", 3, 1, 3),
        ("bob", 3, 1, 3),
        ("cat", 3, 1, 3),
    ]
    asks = list(c.asks)
    assert [entry.k for entry in c.answers[asks[0]].values()] == ["order", "skip", "order"]
    text = c.answers[asks[1]]["bob"].fields["say"]["seals"]
    assert (c.opened[text["order"]], c.opened[text["plans"]]) == ("GO", "AND ON")
    assert c.event_links[c.events["pub", 1]][1][:2] == ["bob", 1], "a skip leaves the previous link in the key"
    assert c.event_links[c.events["pub", 2]][1][:2] == ["bob", 3]
    assert [seat.key for seat in c.course.seats.values()] == [key.key_line for key in table.players.values()]
    assert c.closed_seals == 0


@pytest.mark.parametrize("other", ["pbem-log/0", "pbem-log/2"])
def test_another_format_is_not_judged_and_what_would_work_is_said(other: str) -> None:
    first = short_game().entries[0].line.replace(b"pbem-log/1", other.encode())
    verdict = verify(first + b"\n")
    assert verdict.verdict == "cannot_judge"
    assert f"written in {other}, but this program reads pbem-log/1" in verdict.reason
    with pytest.raises(FormError, match=f"^The log is written in {other}, .*The program that wrote the log"):
        Log.parse(first + b"\n")


# --- attachments ------------------------------------------------------------------------------------------------------


def test_a_receipt_for_an_order_that_is_not_logged_is_stray() -> None:
    table = Table()
    table.begin().tell()
    table.ask("ann")
    receipt = ["got", table.log.game, sha256_hex(b"another order"), "2030-01-01T00:00:00Z"]
    table.log.attach([*receipt, table.host.sign(GOT, cj(receipt))])
    assert found(verify(table.log)) == (6, "STRAY", "supplier")


@pytest.mark.parametrize("label", ["pub", "seat:ann", "deal:9"])
def test_a_link_that_no_event_asks_for_is_stray(label: str) -> None:
    table = Table()
    table.begin().roll()
    table.tell()
    table.ask("ann")
    table.log.attach(["link", table.log.game, label, 1, "0" * 64])
    assert found(verify(table.log)) == (7, "STRAY", "supplier")


def test_a_head_beyond_the_end_of_the_file_does_not_fit() -> None:
    log = Log.parse(sample("trio"))
    cut = Log([*log.cut(27).lines, log.attachments[-1]])
    assert found(verify(cut)) == (27, "HEADSIG", "supplier")


def test_two_signed_heads_over_one_entry_are_a_fork_wherever_they_stand() -> None:
    table = Table()
    table.begin().tell()
    table.ask("ann")
    for n in (3, 99):
        log = Log(table.log.lines)
        for h in ("ab" * 32, "cd" * 32):
            other = ["head", log.game, n, h]
            log.attach([*other, table.host.sign(HEAD, cj(other))])
        assert found(verify(log)) == (6, "FORK", "host")


def test_late_attachments_are_in_order() -> None:
    log = short_game()
    heads = [line for line in log.attachments if line.k == "head"]
    rest = [line for line in log.attachments if line.k != "head"]
    assert verify(Log([*log.entries, *rest, *heads])).verdict == "clean"


def test_an_opening_is_held_back_only_until_it_is_due() -> None:
    log = short_game()
    seals = [line for line in log.attachments if line.k in ("seal", "link")]
    for seal in seals:
        less = Log(line for line in log.lines if line is not seal)
        assert found(verify(less))[1:] == ("UNOPENED", "supplier")


def test_the_views_of_a_long_game_check() -> None:
    assert verify(long_game(4)).verdict == "clean"


# --- whatever a host may sign -----------------------------------------------------------------------------------------

ODD: list[Any] = [None, True, 0, -1, 2**53 - 1, "", "x", "ab" * 32, [], [1], [[]], {}, {"x": 1}, ["ann", "ann"]]


def spots(x: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place inside a value."""
    items = x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, list) else ()
    return [path] * bool(path) + [spot for key, value in items for spot in spots(value, (*path, key))]


def rechained(table: Table, n: int, spot: tuple[Any, ...], odd: Any) -> bytes:
    """The table's log with another value at one spot of entry n, chained and signed by its host again."""
    prev, hashes, lines = "0" * 64, [], []
    for line in table.log.lines:
        if isinstance(line, Entry):
            fields = json.loads(line.line) | {"prev": prev}
            if line.n == n:
                inner = fields
                for key in spot[:-1]:
                    inner = inner[key]
                inner[spot[-1]] = odd
            data = cj(fields)
            prev = sha256_hex(data)
            hashes.append(prev)
        else:
            f = [line.fields[0], hashes[0], *line.fields[2:]]
            if f[0] == "head":
                f = ["head", hashes[0], f[2], hashes[f[2]]]
                f.append(table.host.sign(HEAD, cj(f)))
            data = cj(f)
        lines.append(data)
    return b"\n".join([*lines, b""])


@pytest.mark.variants
@pytest.mark.parametrize(
    "kind", ["game", "join", "ready", "ask", "order", "rand", "tell", "skip", "say", "extend", "end"]
)
def test_no_value_that_a_host_may_sign_upsets_the_verifier(kind: str) -> None:
    table = eventful_game()
    table.end()
    chance = random.Random(kind)
    entries = [entry for entry in table.log.entries if entry.k == kind]
    for _ in range(60):
        entry = chance.choice(entries)
        spot = chance.choice([s for s in spots(entry.fields) if s != ("prev",)])
        data = rechained(table, entry.n, spot, chance.choice(ODD))
        verdict = verify(data)
        if verdict.verdict == "fault":
            assert verdict.party in ("host", "supplier")
            assert verdict.entry is not None
        else:
            # only what the last tell and the result say is bound by no later signature: the rules judge it
            unchanged = data == table.log.dump()
            assert unchanged or spot[0] in ("result", "pub"), f"after {spot} a later signature should not fit"
