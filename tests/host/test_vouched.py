"""Providers' signatures on the mails of kept seats (DKIM): kept with the key that the DNS has, never a condition, read again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.host import vouching
from pbem.host.rereading import Reread, read_again, reread, write_into, written
from pbem.host.zone import Unanswered
from pbem.ledger import Log
from pbem.mail.signing import record
from pbem.mail.vouched import judged, signatures
from tests.stored import stored_rows

from .mailboxes import Mailboxes

AT = "2030-01-01T00:00:00Z"


class Provider:
    """One with a domain, and a key in the DNS."""

    def __init__(self, domain: str = "example.org", selector: str = "s1") -> None:
        self.domain, self.selector = domain, selector
        self.key = rsa.generate_private_key(65537, 1024)  # noqa: S505 - as short as a checker takes it

    @property
    def name(self) -> str:
        return f"{self.selector}._domainkey.{self.domain}"

    @property
    def record(self) -> str:
        import base64

        public = self.key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return record(base64.b64encode(public).decode())

    def signed(self, raw: bytes, *, length: bool = False) -> bytes:
        pem = self.key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
        heads = [b"from", b"to", b"subject", b"message-id"]
        raw = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        made = dkim.sign(
            raw, self.selector.encode(), self.domain.encode(), pem, include_headers=heads, length=length,
            canonicalize=(b"relaxed", b"relaxed"),
        )  # fmt: skip
        return bytes(made) + raw


class Zone:
    """A DNS that the test dictates; it counts what it is asked."""

    def __init__(self, *providers: Provider) -> None:
        self.records = {one.name: one.record for one in providers}
        self.asked: list[str] = []

    def __call__(self, name: str, kind: str) -> Sequence[str]:
        self.asked.append(f"{kind} {name}")
        return [self.records[name]] if name in self.records else []


@pytest.fixture(scope="module")
def ours() -> Provider:
    return Provider()


@pytest.fixture(scope="module")
def other() -> Provider:
    return Provider("evil.example", "s1")


MAIL = b"From: Ann <ann@example.org>\r\nTo: host@example.org\r\nSubject: Re\r\nMessage-ID: <1@x>\r\n\r\n1\r\n"


def test_a_good_signature_vouches_for_a_mail(ours: Provider) -> None:
    raw = ours.signed(MAIL)
    (one,) = signatures(raw)
    assert one.place == ours.name
    assert judged(raw, 0, ours.record, AT) == "vouches"
    assert judged(raw.replace(b"\r\n", b"\n"), 0, ours.record, AT) == "vouches", "as a mail folder holds it"
    sub = ours.signed(MAIL.replace(b"@example.org>", b"@mail.example.org>"))
    assert judged(sub, 0, ours.record, AT) == "vouches", "a name below that of the domain"


def test_what_does_not_fit_vouches_for_nothing(ours: Provider, other: Provider) -> None:
    raw = ours.signed(MAIL)
    assert judged(raw.replace(b"\r\n1\r\n", b"\r\n2\r\n"), 0, ours.record, AT) == "broken"
    assert judged(raw, 0, other.record, AT) == "broken"
    assert judged(raw, 0, "v=DKIM1; p=", AT) == "broken", "a key that was withdrawn"
    assert judged(raw, 0, "", AT) == "no key"
    assert judged(b"From: Eve <ann@example.org>\r\n" + raw, 0, ours.record, AT) == "broken", "another From above it"
    assert judged(ours.signed(MAIL, length=True), 0, ours.record, AT) == "in part"
    assert judged(other.signed(MAIL), 0, other.record, AT) == "not aligned"
    whole = Provider("org")
    assert judged(whole.signed(MAIL), 0, whole.record, AT) == "not aligned", "nobody vouches for all names"


def test_any_bytes_are_judged(ours: Provider) -> None:
    head, _sign, rest = ours.signed(MAIL).partition(b"s=s1")
    for spoilt in (
        b"DKIM-Signature: \xff\xfe\r\n" + MAIL, b"DKIM-Signature: v=1; d=" + b"a." * 9999 + b"; s=;\r\n" + MAIL,
        head + b"s=../../s1" + rest, head + b"s=s1; x=12" + rest, b"", b"DKIM-Signature:", MAIL,
    ):  # fmt: skip
        for no, one in enumerate(signatures(spoilt)):
            assert "/" not in one.selector
            assert judged(spoilt, no, ours.record, AT) == "broken"
    assert len(signatures(b"DKIM-Signature: d=x.org; s=s\r\n" * 99 + MAIL)) == 5


def answer(boxes: Mailboxes, seat: str, by: Provider | None = None, **how: bool) -> str:
    raw = boxes.reply(seat, "1", to=boxes.put_to(seat))
    return boxes.take(by.signed(raw, **how) if by else raw)


def look(boxes: Mailboxes, zone: object) -> list[str]:
    """Let the host ask the DNS; return what it found of each signature."""
    boxes.office.vouching.look = zone  # type: ignore[assignment]
    boxes.office.vouching.work(boxes.now())
    return [
        str(row["verdict"]) for row in stored_rows(boxes.office.store, "select * from vouched order by evidence, which")
    ]


def again(boxes: Mailboxes, zone: Zone | None = None) -> list[Reread]:
    log = Log.parse(boxes.robot.house.game(boxes.number).exported().dump())
    return [one for one in reread(log, written(boxes.office.store, boxes.number), look=zone) if one.dkim]


def test_a_signature_is_kept_with_its_key_and_an_audit_checks_it(tmp_path: Path, ours: Provider) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.begin().seats
        assert answer(boxes, ann, ours) == f"order: {ann}"
        assert look(boxes, Zone(ours)) == ["vouches"]
        assert answer(boxes, bob) == f"order: {bob}", "an unsigned mail counts as much"
        boxes.play()
        (one,) = again(boxes)
        (found,) = one.dkim
        assert (one.seat, one.read) == (ann, "same")
        assert found == {
            "mail": "mail", "domain": "example.org", "selector": "s1", "verdict": "vouches", "key": "as the host kept it",
        }  # fmt: skip
        assert again(boxes, Zone(ours))[0].dkim[0]["key"] == "in the DNS"
        assert again(boxes, Zone())[0].dkim[0]["key"] == "as the host kept it"
        write_into(tmp_path / "mails", boxes.office.store, boxes.number)
        log = boxes.robot.house.game(boxes.number).exported().dump()
    told = read_again(tmp_path / "mails", log).told
    assert told[-1] == (
        "1 entry has a mail with a good signature of its sender’s provider (DKIM): 0 by a key that the DNS still has, "
        "1 by a key as the host kept it."
    )
    (tmp_path / "game.pbem").write_bytes(log)
    done = CliRunner().invoke(app, ["audit", str(tmp_path / "game.pbem"), "--mails", str(tmp_path / "mails"), "--json"])
    assert [one["dkim"][0]["verdict"] for one in json.loads(done.stdout)["mails"] if "dkim" in one] == ["vouches"]


def test_a_broken_signature_refuses_no_mail_and_vouches_for_none(tmp_path: Path, ours: Provider) -> None:
    """A list or forwarder has added a line, so DKIM fails."""
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.begin().seats
        raw = ours.signed(boxes.reply(ann, "1", to=boxes.put_to(ann)))
        assert boxes.take(raw + b"-- \r\nThis list is run by nobody.\r\n") == f"order: {ann}"
        assert answer(boxes, bob, ours) == f"order: {bob}", "its honest twin"
        assert look(boxes, Zone(ours)) == ["broken", "vouches"]
        assert [one.dkim[0]["verdict"] for one in again(boxes)] == ["broken", "vouches"]
        assert {one.read for one in again(boxes)} == {"same"}


def test_a_signature_by_a_key_that_no_dns_has_vouches_for_nothing(tmp_path: Path, ours: Provider) -> None:
    """The mail has a DKIM signature, but the DNS has no such key."""
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.begin().seats
        invented = Provider("example.org", "invented")
        assert answer(boxes, ann, invented) == f"order: {ann}"
        assert answer(boxes, bob, ours) == f"order: {bob}"
        assert look(boxes, Zone(ours)) == ["no key", "vouches"]


def test_of_a_key_that_a_host_invents_the_audit_says_that_the_host_kept_it(tmp_path: Path, ours: Provider) -> None:
    """A host invents a mail with a DKIM key. The DNS has another key or none."""
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.begin().seats
        invented = Provider()
        assert answer(boxes, ann, invented) == f"order: {ann}"
        look(boxes, Zone(invented))
        assert answer(boxes, bob, ours) == f"order: {bob}"
        look(boxes, Zone(ours))
        found = [(one.dkim[0]["verdict"], one.dkim[0]["key"]) for one in again(boxes, Zone(ours))]
        assert found == [("vouches", "as the host kept it"), ("vouches", "in the DNS")]


@pytest.mark.parametrize("kind", ["in part", "not aligned"])
def test_a_signature_of_a_part_or_of_another_domain_vouches_for_nothing(
    tmp_path: Path, ours: Provider, other: Provider, kind: str
) -> None:
    """DKIM with `l=`, or of another domain."""
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.begin().seats
        assert answer(boxes, ann, ours if kind == "in part" else other, length=kind == "in part") == f"order: {ann}"
        assert answer(boxes, bob, ours) == f"order: {bob}"
        assert look(boxes, Zone(ours, other)) == [kind, "vouches"]
        assert [one.dkim[0]["verdict"] for one in again(boxes)] == [kind, "vouches"]


def test_a_silent_dns_is_asked_again_later_and_nothing_waits_for_it(tmp_path: Path, ours: Provider) -> None:
    def silent(name: str, kind: str) -> Sequence[str]:
        raise Unanswered("no network")

    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.begin().seats
        assert answer(boxes, ann, ours) == f"order: {ann}"
        assert answer(boxes, bob, ours) == f"order: {bob}"
        assert look(boxes, silent) == ["", ""]
        zone = Zone(ours)
        assert look(boxes, zone) == ["", ""], "not at once"
        boxes.minute += 15
        assert look(boxes, zone) == ["vouches", "vouches"]
        assert zone.asked == [f"TXT {ours.name}"], "once for both"


def test_without_the_library_mails_count_and_an_audit_says_what_it_did_not_look_at(
    tmp_path: Path, ours: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann = boxes.begin().seats[0]
        with monkeypatch.context() as patch:
            patch.setattr(vouching, "can_judge", lambda: False)
            assert answer(boxes, ann, ours) == f"order: {ann}"
            assert look(boxes, Zone(ours)) == [""]
            write_into(tmp_path / "mails", boxes.office.store, boxes.number)
            log = boxes.robot.house.game(boxes.number).exported().dump()
            assert "Signatures of providers (DKIM) were not looked at." in read_again(tmp_path / "mails", log).told[-1]
        assert look(boxes, Zone(ours)) == ["vouches"]
