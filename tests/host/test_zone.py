"""What a large provider would hold against a host, by records that the test dictates: whole, missing, torn, hostile."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pbem.host.zone import LOOKUPS, Unanswered, is_of_nobody, judged

KEY = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A"
GOOD = {
    ("club.net", "TXT"): ["some-verification=1", "v=spf1 include:_spf.mail.net -all"],
    ("_spf.mail.net", "TXT"): ["v=spf1 ip4:192.0.2.0/24 -all"],
    ("pbem._domainkey.club.net", "TXT"): [f"v=DKIM1; k=rsa; p={KEY}"],
    ("_dmarc.club.net", "TXT"): ["v=DMARC1; p=quarantine"],
    ("club.net", "MX"): ["10 mx.club.net."],
}
SIGNS = ("club.net", "pbem", KEY)
Records = dict[tuple[str, str], list[str]]


def found(
    records: Records, domain: str = "club.net", dkim: tuple[str, str, str] | None = SIGNS
) -> list[tuple[bool, str]]:
    def look(name: str, kind: str) -> Sequence[str]:
        return records.get((name, kind), [])

    return list(judged(look, domain, dkim))


def test_a_zone_in_order_is_well() -> None:
    assert [well for well, _said in found(GOOD)] == [True] * 4


@pytest.mark.parametrize(
    ("name", "kind", "records", "said"),
    [
        ("club.net", "TXT", [], "has no SPF record"),
        ("club.net", "TXT", ["v=spf10 -all"], "has no SPF record"),
        ("club.net", "TXT", ["v=spf1 -all", "v=spf1 ~all"], "has 2 SPF records"),
        ("club.net", "TXT", ["v=spf1 +all"], "lets everybody send"),
        ("club.net", "TXT", ["v=spf1 all"], "lets everybody send"),
        ("club.net", "TXT", ["v=spf1 mx ?all"], "does not end with"),
        ("club.net", "TXT", ["v=spf1"], "does not end with"),
        ("club.net", "TXT", ["v=spf1 " + " ".join(f"a:h{n}.net" for n in range(11)) + " -all"], "needs 11 name lookups"),
        ("pbem._domainkey.club.net", "TXT", [], "There is no key at"),
        ("pbem._domainkey.club.net", "TXT", ["v=DKIM1; p="], "is taken back"),
        ("pbem._domainkey.club.net", "TXT", ["v=DKIM1; p=AAAA"], "is another than this host's"),
        ("pbem._domainkey.club.net", "TXT", [f"v=DKIM1; p={KEY}", "v=DKIM1; p=AAAA"], "nobody can tell which is valid"),
        ("pbem._domainkey.club.net", "TXT", [f"v=DKIM1; t=y; p={KEY}"], "marked as a test"),
        ("pbem._domainkey.club.net", "TXT", ["\x00;;;=;p"], "There is no key at"),
        ("_dmarc.club.net", "TXT", [], "There is no DMARC record"),
        ("_dmarc.club.net", "TXT", ["v=DMARC1"], "is faulty"),
        ("_dmarc.club.net", "TXT", ["v=DMARC1; p=maybe"], "is faulty"),
        ("_dmarc.club.net", "TXT", ["v=DMARC1; p=none", "v=DMARC1; p=none"], "is faulty"),
        ("club.net", "MX", [], "names no server for its mail"),
        ("club.net", "MX", ["0 ."], "accepts no mail"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_and_nothing_else_is(name: str, kind: str, records: list[str], said: str) -> None:
    told = found({**GOOD, (name, kind): records})
    wrong = [sentence for well, sentence in told if not well]
    assert len(wrong) == 1, told
    assert said in wrong[0]


def test_a_key_in_pieces_with_blanks_is_the_same_key() -> None:
    spaced = {**GOOD, ("pbem._domainkey.club.net", "TXT"): [f"v=DKIM1; k=rsa; p={KEY[:9]} {KEY[9:]}"]}
    assert all(well for well, _said in found(spaced))


def test_includes_are_followed_without_end_in_sight() -> None:
    """DNS records form a ring or a growing tree. The lookups are bounded."""
    ring = {
        **GOOD,
        ("club.net", "TXT"): ["v=spf1 include:club.net include:_spf.mail.net -all"],
        ("_spf.mail.net", "TXT"): ["v=spf1 include:club.net -all"],
    }
    assert all(well for well, _said in found(ring))
    asked: list[str] = []

    def endless(name: str, kind: str) -> Sequence[str]:
        asked.append(name)
        return [f"v=spf1 include:a.{name} include:b.{name} -all"] if kind == "TXT" and not name.startswith("_") else []

    told = list(judged(endless, "club.net", None))
    assert "needs 26 name lookups" in told[0][1]
    assert len(asked) < 10 * LOOKUPS


@pytest.mark.parametrize(
    ("signing", "adkim", "well"),
    [("club.net", "s", True), ("mail.club.net", "r", True), ("mail.club.net", "s", False), ("other.net", "r", False)],
)
def test_a_signature_counts_for_its_own_domain(signing: str, adkim: str, well: bool) -> None:
    records = {
        **GOOD,
        (f"pbem._domainkey.{signing}", "TXT"): [f"p={KEY}"],
        ("_dmarc.club.net", "TXT"): [f"v=DMARC1; p=none; adkim={adkim}"],
    }
    told = found(records, dkim=(signing, "pbem", KEY))
    assert told[2][0] is well


def test_a_policy_of_the_domain_above_counts() -> None:
    records = {**GOOD, ("play.club.net", "TXT"): ["v=spf1 mx -all"], ("play.club.net", "MX"): ["10 mx.club.net."]}
    assert [well for well, _said in found(records, "play.club.net")] == [True] * 4


def test_who_cannot_ask_says_so_and_finds_nothing_wrong() -> None:
    def look(name: str, kind: str) -> Sequence[str]:
        raise Unanswered(f"no answer for {name}")

    ((well, said),) = judged(look, "club.net", None)
    assert well
    assert "cannot be seen from here: no answer for club.net" in said


def test_nobody_is_asked_for_names_that_are_in_no_dns() -> None:
    assert all(map(is_of_nobody, ("example.org", "mail.example.com", "host.test", "localhost", "x.invalid", "machine")))
    assert not any(map(is_of_nobody, ("club.net", "example.net.club.org", "notexample.org")))
