"""What TLS trusts is read once; a certificate that has changed is read anew, and one that is none is refused each time."""

from __future__ import annotations

import shutil
import ssl
from pathlib import Path

import pytest

from pbem.mail.tls import trust
from tests.servers.real import certificate


def subjects(context: ssl.SSLContext) -> set[str]:
    """The names that the trusted certificates are for, the system's left out."""
    system = {str(one["subject"]) for one in trust().get_ca_certs()}
    return {str(one["subject"]) for one in context.get_ca_certs()} - system


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl, which makes a certificate, is not installed")
def test_a_certificate_is_read_once_and_anew_when_it_has_changed(tmp_path: Path) -> None:
    certificate(tmp_path, "one.example")
    file = str(tmp_path / "cert.pem")
    first = trust(file)
    assert trust(file) is first
    assert "one.example" in str(subjects(first))
    certificate(tmp_path, "another.example")
    assert "another.example" in str(subjects(trust(file)))
    assert "another.example" not in str(subjects(first))


def test_the_system_alone_is_trusted_where_no_file_is_named() -> None:
    assert trust() is trust()
    assert (trust().verify_mode, trust().check_hostname) == (ssl.CERT_REQUIRED, True)


def test_a_file_that_holds_no_certificate_is_refused_until_it_holds_one(tmp_path: Path) -> None:
    file = tmp_path / "cert.pem"
    for text in (None, "no certificate", "nor this"):
        if text:
            file.write_text(text, encoding="utf-8")
        with pytest.raises(OSError, match=r"No such file|NO_CERTIFICATE|no start line"):
            trust(str(file))
