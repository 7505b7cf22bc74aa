"""PROTOCOL 7: what one hands to others, and complaints about orders left out or given twice."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pbem.errors import UsageError
from pbem.ledger import GOT, SAY, Log, cj, complaint, seal, sha256_hex, verify, verify_sig, write_evidence
from tests.ledger.builder import TIMED, Table
from tests.ledger.files import bad, bad_index, sample


@pytest.mark.variants
@pytest.mark.parametrize("case", bad_index("verify"), ids=lambda case: case["file"].removesuffix(".pbem"))
def test_the_evidence_shows_the_same_fault_in_no_more_bytes(case: dict[str, Any]) -> None:
    data = bad(case["file"])
    files = write_evidence(data, verify(data))
    again = verify(files["evidence.pbem"])
    assert (again.entry, again.code, again.party) == (case["expect_entry"], case["code"], case["party"])
    assert len(files["evidence.pbem"]) <= len(data)
    assert json.loads(files["verdict.json"])["code"] == case["code"]


def test_evidence_of_an_early_fault_leaves_the_later_game_out() -> None:
    data = bad("HEADSIG_by_a_player.pbem")
    assert len(write_evidence(data, verify(data))["evidence.pbem"]) < len(data) / 2


def test_the_evidence_of_two_histories_is_two_heads_that_the_host_signed() -> None:
    data = bad("FORK_at_the_end.pbem")
    game, *heads = map(json.loads, write_evidence(data, verify(data))["contradiction.jsonl"].splitlines())
    assert len(heads) == 2
    assert heads[0][2] == heads[1][2]
    assert heads[0][3] != heads[1][3]
    assert all(verify_sig(game["host"], "pbem-head-v1", cj(head[:4]), head[4]) for head in heads)


def test_of_a_log_in_order_there_is_no_evidence() -> None:
    with pytest.raises(UsageError, match="no fault"):
        write_evidence(sample("trio"), verify(sample("trio")))


# --- complaints -------------------------------------------------------------------------------------------------------

DUE = "2030-01-02T00:00:00Z"


class Dispute:
    """Ann is asked, has sent an order and holds the host's receipt; the host's log shows something else."""

    def __init__(self, logged: str = "skip", receipt_at: str = "2030-01-01T01:00:00Z", due: str | None = DUE) -> None:
        self.t = Table(("ann", "bob"), terms=TIMED if due else None)
        self.t.begin().tell()
        self.ask = self.t.ask("ann", due=due)
        self.envelope = self.sign("GO", rev=1)
        self.receipt = self.receipt_for(self.envelope["say"], receipt_at)
        self.t.minute = 2000
        if logged == "skip":
            self.t.skip("ann")
        elif logged == "lower":
            self.t.order("ann", "STAY", rev=0)
        elif logged == "higher":
            self.t.order("ann", "STAY", rev=2)
        elif logged == "it":
            self.t.chain({"k": "order", "at": self.t.at(), "by": "ann", **self.envelope})
        if logged != "open":
            if logged == "it":
                self.t.to_open = [self.envelope["say"]["seals"]["order"]]
                for opening in self.openings:
                    self.t.log.attach(opening)
            self.t.tell()
            self.t.ask("bob")

    def sign(self, text: str, rev: int, seat: str = "ann", **other: Any) -> dict[str, Any]:
        game, ask = self.t.log.game, self.ask.n
        seals = {name: seal(game, seat, ask, name, "0" * 32, value) for name, value in (("order", text), ("plans", ""))}
        self.openings = [s.line for s in seals.values()]
        say: dict[str, Any] = {"act": "order", "game": game, "seat": seat, "ask": ask, "rev": rev}
        say |= {"seen": [ask, self.ask.hash], "pub": {"order": text}}
        say |= {"seals": {name: s.digest for name, s in seals.items()}} | other
        return {"say": say, "sig": self.t.players[seat].sign(SAY, cj(say))}

    def receipt_for(self, say: dict[str, Any], at: str) -> list[Any]:
        receipt = ["got", self.t.log.game, sha256_hex(cj(say)), at]
        return [*receipt, self.t.host.sign(GOT, cj(receipt))]


@pytest.mark.parametrize("logged", ["skip", "lower"])
def test_an_order_with_a_receipt_in_time_that_is_not_logged_was_dropped(logged: str) -> None:
    d = Dispute(logged)
    verdict = complaint(d.envelope, d.receipt, d.t.log)
    assert (verdict.verdict, verdict.entry, verdict.code, verdict.party) == ("fault", d.ask.n + 1, "DROPPED", "host")


def test_an_order_that_arrived_at_the_very_moment_was_in_time() -> None:
    d = Dispute(receipt_at=DUE)
    assert complaint(d.envelope, d.receipt, d.t.log).code == "DROPPED"


@pytest.mark.parametrize(
    ("dispute", "outcome", "why"),
    [
        (lambda: Dispute(receipt_at="2030-01-02T00:00:01Z"), "unfounded", "after the time to answer"),
        (lambda: Dispute("higher"), "unfounded", "same or a higher revision"),
        (lambda: Dispute("it"), "unfounded", "not left out: it is entry"),
        (lambda: Dispute("open"), "cannot_judge", "still open"),
        (lambda: Dispute("lower", "2031-01-01T00:00:00Z", due=None), "unfounded", "closed by the last answer"),
    ],
    ids=["late", "superseded", "logged", "open", "closed"],
)
def test_an_order_that_was_not_dropped(dispute: Any, outcome: str, why: str) -> None:
    d = dispute()
    verdict = complaint(d.envelope, d.receipt, d.t.log)
    assert verdict.verdict == outcome
    assert why in verdict.reason
    assert (verdict.entry is None) == (outcome == "cannot_judge"), "where the log tells, it is said where"


def test_papers_that_prove_nothing() -> None:
    d = Dispute()
    other = d.sign("STAY", rev=1)
    forged = {"say": d.envelope["say"], "sig": other["sig"]}
    own_receipt = ["got", *d.receipt[1:4], d.t.players["ann"].sign(GOT, cj(d.receipt[:4]))]
    cases: list[tuple[dict[str, Any], Any, str]] = [
        (forged, d.receipt, "not signed by ann"),
        (d.envelope, d.receipt_for(other["say"], DUE), "not this host's receipt"),
        (d.envelope, own_receipt, "not this host's receipt"),
        (d.envelope, ["got"], "not a receipt"),
        ({}, d.receipt, "not well formed"),
        (d.sign("GO", 1, "bob"), d.receipt, "puts no question"),
        (d.sign("GO", 1, game="ab" * 32), d.receipt, "another game"),
        (d.sign("GO", 1, seen=[d.ask.n, "ab" * 32]), d.receipt, "another history"),
    ]
    for envelope, paper, why in cases:
        verdict = complaint(envelope, paper, d.t.log)
        assert (verdict.verdict, why in verdict.reason) == ("cannot_judge", True), verdict.reason


def test_two_orders_that_do_not_contradict_each_other() -> None:
    d = Dispute()
    for paper in (d.envelope, d.sign("STAY", rev=2)):
        verdict = complaint(d.envelope, paper, d.t.log)
        assert (verdict.verdict, "not two orders" in verdict.reason) == ("unfounded", True)


def test_two_orders_with_one_revision_are_shown() -> None:
    d = Dispute("lower")
    verdict = complaint(d.envelope, d.sign("STAY", rev=1), d.t.log)
    assert (verdict.verdict, verdict.entry, verdict.code, verdict.party) == ("fault", d.ask.n + 1, "DOUBLE", "ann")


def test_a_complaint_with_a_faulty_log_is_answered_by_its_own_fault() -> None:
    d = Dispute()
    cut = Log(d.t.log.lines[:-1])
    assert complaint(d.envelope, d.receipt, cut).code == "HEADSIG"
