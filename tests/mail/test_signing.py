"""Letters signed for their domain: what leaves is checked by dkimpy's other half, against a DNS that the test dictates."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import dkim
import pytest

from pbem.errors import UsageError
from pbem.host import Office
from pbem.host.settings import Settings
from pbem.mail.signing import Dkim, in_a_zone, make_key, public_half, record, signed

LETTER = (
    b"From: pbem <host@club.example>\r\nTo: ann@example.org\r\nSubject: Your move\r\nDate: Tue, 01 Jan 2030 00:00:00 +0000\r\n"
    b'Message-ID: <1@club.example>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset="utf-8"\r\n\r\nMOVE\r\n'
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("host")
    assert make_key(made / "dkim.pem")
    return made


def dns_of(folder: Path):  # type: ignore[no-untyped-def]
    zone = {b"pbem._domainkey.club.example.": record(public_half(folder / "dkim.pem")).encode()}
    return lambda name, timeout=5: zone.get(name)


def test_a_letter_that_leaves_is_vouched_for(folder: Path) -> None:
    out = signed(LETTER, Dkim(), "host@Club.example", folder)
    assert out.endswith(LETTER)
    assert out.startswith(b"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=club.example;")
    assert dkim.verify(out, dnsfunc=dns_of(folder))


@pytest.mark.variants
@pytest.mark.parametrize(
    ("what", "by"),
    [
        (b"MOVE", b"MOVF"),
        (b"Your move", b"Your m0ve"),
        (b"host@club.example>\r\nTo", b"eve@club.example>\r\nTo"),
        (b"Date: Tue, 01", b"Date: Tue, 02"),
        (b"From: pbem", b"From: eve <eve@evil.example>\r\nFrom: pbem"),
        (b"Subject: Your", b"Subject: Other\r\nSubject: Your"),
        (b"Message-ID", b"Reply-To: eve@evil.example\r\nMessage-ID"),
    ],
)
def test_a_letter_changed_or_extended_on_its_way_is_not_vouched_for(folder: Path, what: bytes, by: bytes) -> None:
    """A stranger changes a letter or adds a second From. The signature covers the body and lists each header once more
    than it occurs."""
    out = signed(LETTER, Dkim(), "host@club.example", folder)
    head, mark, rest = out.partition(b"From: pbem")
    assert what in mark + rest
    assert not dkim.verify(head + (mark + rest).replace(what, by, 1), dnsfunc=dns_of(folder))


def test_the_key_is_private_is_kept_and_fits_its_record(folder: Path) -> None:
    path = folder / "dkim.pem"
    before = path.read_bytes()
    assert not make_key(path)
    assert path.read_bytes() == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    pieces = re.findall(r'"([^"]*)"', in_a_zone(record(public_half(path))))
    assert "".join(pieces) == record(public_half(path))
    assert max(map(len, pieces)) <= 255


@pytest.mark.parametrize(
    "spoilt", [b"", b"no key", b"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n"]
)
def test_a_key_that_is_none_is_said(tmp_path: Path, spoilt: bytes) -> None:
    (tmp_path / "dkim.pem").write_bytes(spoilt)
    with pytest.raises(UsageError, match="cannot be signed"):
        signed(LETTER, Dkim(), "host@club.example", tmp_path)
    with pytest.raises(UsageError, match="contains no private key"):
        public_half(tmp_path / "dkim.pem")


@pytest.mark.slow
def test_without_the_key_letters_wait_and_the_operator_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that is to sign never sends unsigned; when the key is there the letters go, signed."""
    from tests.host.post import Club

    monkeypatch.setenv("PBEM_GAMES", str(Path(__file__).parents[2] / "examples"))
    club = Club(tmp_path)
    settings = club.office.settings
    out = settings.out.model_copy(update={"dkim": Dkim()})
    club.office.sending.settings = Settings.model_validate(
        settings.model_dump(by_alias=True, exclude={"out"}) | {"out": {"maildir": out.maildir, "dkim": {}}}
    )
    (trouble,) = club.office.send("2030-01-01T00:00:00Z")
    assert "“pbem host dkim” makes one" in trouble
    assert make_key(club.office.folder / "dkim.pem")
    club.minute += 60
    received = club.deliver()
    assert all(raws and all(raw.startswith(b"DKIM-Signature:") for raw in raws) for raws in received.values())
    assert isinstance(club.office, Office)
    club.office.close()
