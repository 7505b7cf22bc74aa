"""Keys and signatures: Ed25519 in the SSHSIG form of OpenSSH (PROTOCOL 4).

Decides whether a key may be used and whether a signature is valid. Knows nothing of the signed content. The raw 64 bytes of a
signature are kept in base64; `armor` converts them to the file that `ssh-keygen -Y verify` reads.

A signature (R, S) is valid if S < L and the canonical encoding of S·B − k·A is R, byte by byte. `cryptography` and Node check it in
this way. Libraries that multiply by the cofactor accept more signatures and must not be used here.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from functools import lru_cache

from pbem.errors import FormError, KeyFileError, KeyLockedError
from pbem.i18n import N_, _
from pbem.ledger import curve, makers
from pbem.ledger.makers import ladder

SAY = "pbem-say-v1"
"""What players sign: CJ(say)."""
HEAD = "pbem-head-v1"
"""What the host signs: CJ(["head",G,n,h_n])."""
GOT = "pbem-got-v1"
"""The host's receipt: CJ(["got",G,digest,at])."""
ADDRESS = "pbem-address-v1"
"""A player's signature to have his mail go elsewhere: CJ of a statement that is in no log."""
TIME = "pbem-time-v1"
"""What a player signs to say when time counts for him: outside the log, too."""
PRESS = "pbem-press-v1"
"""What a player signs to have the host hand words on to others: outside the log, too."""
COPY = "pbem-copy-v1"
"""What a player signs to send his copy to a host that has lost it: outside the log, too."""
REQUEST = "pbem-request-v1"
"""What a player signs to be sent his copy once more: outside the log, too."""
MOVE = "pbem-move-v1"
"""What a new host signs when he proposes himself to the players: outside the log, too."""
DOOR = "pbem-door-v1"
"""What a program signs when it asks something at a host's door, and a host to say where his door is: outside the log, too."""
POST = "pbem-post-v1"
"""What a player signs to say what he gets by mail beside the door: outside the log, too."""
REGISTER = "pbem-register-v1"
"""The host's signature for a line in its register of rated games: CJ of the line without its signature. It also signs the
register's length in a letter: CJ(["register",G,n,line,h])."""
ROOT = "pbem-root-v1"
"""The fixed text that a player signs to get his root secret; the signature is never sent."""

KEY_PATTERN = r"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-P][A-Za-z0-9+/]{42}"
SIG_PATTERN = r"[A-Za-z0-9+/]{85}[AQgw]=="
"""64 bytes in base64; the last letter has no spare bits to flip."""

_KEY_LINE = re.compile(KEY_PATTERN)
_SIG = re.compile(SIG_PATTERN)


def _string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


@lru_cache(maxsize=16)
def _blob_head(namespace: str) -> bytes:
    return b"SSHSIG" + _string(namespace.encode()) + _string(b"") + _string(b"sha512") + (64).to_bytes(4, "big")


def _signed_blob(namespace: str, message: bytes) -> bytes:
    return _blob_head(namespace) + hashlib.sha512(message).digest()


def _key_blob(key_line: str) -> bytes:
    if not _KEY_LINE.fullmatch(key_line):
        raise FormError(
            _(
                "“{key_line}” is not a key line; it should look like “ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI…”",
                key_line=key_line,
            )
        )
    return base64.b64decode(key_line[12:])


@lru_cache(maxsize=1024)
def _public_key(key_line: str) -> makers.PublicKey | None:
    """The key, or None where it may not be used: nothing counts as its signature."""
    raw = _key_blob(key_line)[-32:]
    return None if _unusable(raw) else makers.PublicKey(raw)


def check_key_line(line: str) -> None:
    """Check that a key may be used. Raises FormError if it is not canonical, not on the curve, or has a part of low order.

    Under such a key, common libraries accept one signature for many messages, or disagree about its validity. Its owner could then
    deny an order.
    """
    if why := _unusable(_key_blob(line)[-32:]):
        raise FormError(_(why))


@lru_cache(maxsize=1024)
def _unusable(raw: bytes) -> str:
    if int.from_bytes(raw, "little") & (2**255 - 1) >= curve.P:
        return N_("the key is not canonically encoded (y ≥ p)")
    point = curve.decode(raw)
    if point is None:
        return N_("the key is not a point of the curve")
    if ladder.is_of_order_l(point):
        return ""
    if curve.is_neutral(point):
        return N_("the key is the neutral point (y = 1), under which one signature verifies for every message")
    if curve.is_neutral(curve.times(8, point)):
        return N_("the key is a point of low order")
    return "" if curve.is_torsion_free(point) else N_("the key has a part of low order")


def verify_sig(key_line: str, namespace: str, message: bytes, sig_b64: str) -> bool:
    """Whether this is the key's signature over the message in this namespace; false too for unreadable base64."""
    if not _SIG.fullmatch(sig_b64):
        return False
    return verify_sig_read(key_line, namespace, message, sig_b64)


def verify_sig_read(key_line: str, namespace: str, message: bytes, sig_b64: str) -> bool:
    """As `verify_sig`, for a signature with a form that has been checked."""
    key = _public_key(key_line)
    return key is not None and key.verifies(binascii.a2b_base64(sig_b64), _signed_blob(namespace, message))


def fingerprint(key_line: str) -> str:
    """What `ssh-keygen -l` prints of a key, to be compared by telephone: "SHA256:…"."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(_key_blob(key_line)).digest()).decode().rstrip("=")


def armor(key_line: str, namespace: str, sig_b64: str) -> str:
    """The signature as the file that `ssh-keygen -Y verify -s` reads."""
    if not _SIG.fullmatch(sig_b64):
        raise FormError(_("“{sig}” is not a signature: 64 bytes in base64 were expected", sig=sig_b64))
    signature = _string(b"ssh-ed25519") + _string(base64.b64decode(sig_b64))
    blob = b"SSHSIG" + (1).to_bytes(4, "big") + _string(_key_blob(key_line)) + _string(namespace.encode())
    text = base64.b64encode(blob + _string(b"") + _string(b"sha512") + _string(signature)).decode()
    lines = [text[i : i + 70] for i in range(0, len(text), 70)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""])


class PrivateKey:
    """An Ed25519 key that signs for a player or a host."""

    def __init__(self, key: makers.SecretKey) -> None:
        self._key = key
        self.key_line = "ssh-ed25519 " + base64.b64encode(_string(b"ssh-ed25519") + _string(key.public)).decode()

    def __repr__(self) -> str:
        return f"PrivateKey({fingerprint(self.key_line)})"

    @classmethod
    def from_seed(cls, seed: bytes) -> PrivateKey:
        """The key of a 32-byte secret."""
        return cls(makers.SecretKey(seed))

    @classmethod
    def load(cls, pem: bytes, passphrase: bytes | None = None) -> PrivateKey:
        """Load a key from a private key file of OpenSSH, or of OpenSSL if not encrypted. Raises KeyFileError with the reason."""
        if b"-----BEGIN OPENSSH PRIVATE KEY-----" not in pem and not makers.is_of_openssl(pem):
            raise KeyFileError(
                _(
                    "This is not an OpenSSH private key file (it has no line “-----BEGIN OPENSSH PRIVATE "
                    "KEY-----”). A key made with “ssh-keygen -t ed25519” would work."
                )
            )
        try:
            if makers.is_of_openssl(pem):
                return cls(makers.SecretKey(makers.read_of_openssl(pem, passphrase)))
            return cls(makers.read_file(pem, passphrase))
        except makers.LockedError:
            raise KeyLockedError(
                _("The key file is locked with a passphrase, and none was given: set PBEM_PASSPHRASE.")
            ) from None
        except makers.UnlockedError:
            why = _("The key file has no passphrase, but one was given, in PBEM_PASSPHRASE.")
        except makers.NotOpenedError:
            why = _("The passphrase does not open this key file, or the file is damaged.")
        except makers.OtherKindError:
            why = _(
                "The key file contains a key of another kind; pbem signs only with ed25519 keys (“ssh-keygen "
                "-t ed25519”)."
            )
        except makers.UnreadableError as error:
            why = _("The key file cannot be read ({why}).", why=_(str(error)))
        raise KeyFileError(why)

    def dump(self, passphrase: bytes | None = None) -> bytes:
        """The key as an OpenSSH private key file, locked when a passphrase is given."""
        return makers.write_file(self._key, passphrase)

    @property
    def scalar(self) -> int:
        """The number of which the public key is the multiple of the base point (RFC 8032, 5.1.5): as secret as the key."""
        return int.from_bytes(hashlib.sha512(self._key.seed).digest()[:32], "little") & (2**254 - 8) | 2**254

    def sign(self, namespace: str, message: bytes) -> str:
        """The signature over a message, as base64 of its 64 raw bytes."""
        return base64.b64encode(self._key.sign(_signed_blob(namespace, message))).decode()
