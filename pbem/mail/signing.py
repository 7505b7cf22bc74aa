"""The host's signature on a letter, by which large providers see that its domain vouches for it (DKIM, RFC 6376; RFC 8301 for
keys).

It is made when the letter is sent, over the bytes sent: letters in the outbox are not signed. Signed headers are listed once more
than they occur, so that nobody can add a second From or Subject in front of ours. dkimpy signs. The key is an RSA key of 2,048
bits, which every receiver can check. The signature says nothing about games: those are signed by keys that players compare.
"""

from __future__ import annotations

import base64
import re
import textwrap
from pathlib import Path

from pydantic import Field

from pbem import private
from pbem.errors import UsageError, installing
from pbem.i18n import _

from .settings import Section

BITS = 2048
_OVERSIGNED = (
    b"from", b"to", b"subject", b"date", b"message-id", b"reply-to", b"in-reply-to", b"references", b"mime-version",
    b"content-type", b"content-transfer-encoding", b"auto-submitted",
)  # fmt: skip
"""These can be added to no letter on its way."""


class Dkim(Section):
    """A host that sends its letters itself signs them for their domain (DKIM). “pbem host dkim” makes the key."""

    domain: str = Field("", description="The domain that signs. Empty: that of the address.")
    selector: str = Field(
        "pbem",
        description="The name of the key in the DNS, before ._domainkey.",
        pattern=r"^[A-Za-z0-9][A-Za-z0-9-]{0,62}$",
    )
    key: str = Field("dkim.pem", description="The file with the key, below the host's folder, readable by you alone.")


def signed(raw: bytes, dkim: Dkim, address: str, folder: Path) -> bytes:
    """Return a letter with the signature of its domain before it. Raises UsageError where that cannot be made."""
    try:
        from dkim import DKIM, DKIMException
    except ImportError:
        raise UsageError(
            _("Signing letters (DKIM) needs a library that is not installed. {how}", how=installing("dkim"))
        ) from None
    pem, domain = read_key(folder / dkim.key), domain_of(dkim, address)
    there = {name.lower() for name in re.findall(rb"^([!-9;-~]+):", raw.partition(b"\r\n\r\n")[0], re.MULTILINE)}
    heads = [*(name for name in _OVERSIGNED if name in there), *_OVERSIGNED]
    try:
        made = DKIM(raw).sign(
            dkim.selector.encode(), domain.encode(), pem, canonicalize=(b"relaxed", b"relaxed"), include_headers=heads
        )
    except DKIMException as error:
        raise UsageError(_("The letter cannot be signed by {key}: {why}", key=folder / dkim.key, why=error)) from error
    return bytes(made) + raw


def domain_of(dkim: Dkim, address: str) -> str:
    """Return the domain that signs."""
    return (dkim.domain or address.rpartition("@")[2]).lower()


def make_key(path: Path) -> bool:
    """Make a key if there is none; return whether one was made."""
    if path.exists():
        return False
    from cryptography.hazmat.primitives.asymmetric import rsa
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key = rsa.generate_private_key(65537, BITS)
    private.put(path, key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()))
    return True


def read_key(path: Path) -> bytes:
    """Return the key from its file. Raises UsageError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(
            _(
                "The key for DKIM, {path}, cannot be read: {why}. “pbem host dkim” makes one.",
                path=path,
                why=error.strerror,
            )
        ) from error


def public_half(path: Path) -> str:
    """Return the public half of a key in base64, for the DNS. Raises UsageError if it is not an RSA key."""
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

    try:
        key = load_pem_private_key(read_key(path), None)
    except (ValueError, TypeError) as error:
        raise UsageError(_("{path} contains no private key in PEM without a passphrase.", path=path)) from error
    if not isinstance(key, RSAPrivateKey):
        raise UsageError(_("{path} contains a key that is not RSA; large providers check only RSA.", path=path))
    return base64.b64encode(key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).decode()


def record(public: str) -> str:
    """Return the text of the record in the DNS for a key."""
    return f"v=DKIM1; k=rsa; p={public}"


def in_a_zone(text: str) -> str:
    """Return a text as a zone file writes it: in pieces of at most 255 letters."""
    return " ".join(f'"{piece}"' for piece in textwrap.wrap(text, 250, drop_whitespace=False, break_long_words=True))
