"""PROTOCOL 4: keys, signatures, and what the tools of OpenSSH say to them."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)

from pbem.errors import FormError, KeyFileError, UsageError
from pbem.ledger import SAY, Log, PrivateKey, armor, check_key_line, export_sig, fingerprint, verify_sig
from tests.ledger import edges
from tests.ledger.files import sample, vectors

needs_ssh_keygen = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="ssh-keygen (OpenSSH) is not installed"
)

P = 2**255 - 19


def key_line(y: int, sign: int = 0) -> str:
    raw = (y | sign << 255).to_bytes(32, "little")
    return "ssh-ed25519 " + base64.b64encode(b"\0\0\0\x0bssh-ed25519\0\0\0 " + raw).decode()


def test_the_vector_of_another_implementation() -> None:
    v = vectors()["sshsig"]
    key = PrivateKey.from_seed(bytes.fromhex(v["secret"]))
    assert key.key_line == v["public"]
    assert key.sign(v["namespace"], v["message"].encode()) == v["sig"]
    assert verify_sig(v["public"], v["namespace"], v["message"].encode(), v["sig"])


def test_a_signature_holds_for_its_key_namespace_and_message_only() -> None:
    key, other = PrivateKey.from_seed(b"1" * 32), PrivateKey.from_seed(b"2" * 32)
    sig = key.sign(SAY, b"CARD Herald")
    assert verify_sig(key.key_line, SAY, b"CARD Herald", sig)
    assert not verify_sig(other.key_line, SAY, b"CARD Herald", sig)
    assert not verify_sig(key.key_line, "pbem-head-v1", b"CARD Herald", sig)
    assert not verify_sig(key.key_line, SAY, b"CARD Truce", sig)


def test_spare_bits_of_base64_are_not_free_to_flip() -> None:
    key = PrivateKey.from_seed(b"1" * 32)
    sig = key.sign(SAY, b"x")
    last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".index(sig[85])
    for spare in range(1, 16):
        twin = sig[:85] + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[last + spare] + "=="
        assert base64.b64decode(twin) == base64.b64decode(sig)
        assert not verify_sig(key.key_line, SAY, b"x", twin)
    assert not verify_sig(key.key_line, SAY, b"x", "")
    assert not verify_sig(key.key_line, SAY, b"x", sig + "\n")


def low_order_points() -> list[tuple[int, int]]:
    """All (y, sign of x) whose eightfold is the neutral point, found by calculation and not by a table."""
    d = -121665 * pow(121666, -1, P) % P

    def add(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
        (x1, y1), (x2, y2) = a, b
        t = d * x1 * x2 * y1 * y2 % P
        x = (x1 * y2 + x2 * y1) * pow(1 + t, -1, P) % P
        y = (y1 * y2 + x1 * x2) * pow(1 - t, -1, P) % P
        return x, y

    def root(a: int) -> int | None:
        r = pow(a, (P + 3) // 8, P)
        if r * r % P != a % P:
            r = r * pow(2, (P - 1) // 4, P) % P
        return r if r * r % P == a % P else None

    order = 2**252 + 27742317777372353535851937790883648493
    for y in range(2, 200):
        x = root((y * y - 1) * pow(d * y * y + 1, -1, P) % P)
        if x is None:
            continue
        small, step, k = (0, 1), (x, y), order
        while k:
            if k & 1:
                small = add(small, step)
            step, k = add(step, step), k >> 1
        found = [(0, 1)]
        while (point := add(found[-1], small)) != (0, 1):
            found.append(point)
        if len(found) == 8:
            return [(y, x & 1) for x, y in found]
    raise AssertionError("no point of order 8 below y = 200")


def test_keys_of_low_order_are_refused() -> None:
    points = low_order_points()
    assert len(points) == 8
    for y, sign in points:
        for bit in (sign, 1 - sign):
            with pytest.raises(FormError, match=r"neutral|order|not a point"):
                check_key_line(key_line(y, bit))


@pytest.mark.parametrize("y", [P, P + 1, P + 18, 2**255 - 1])
@pytest.mark.parametrize("sign", [0, 1])
def test_keys_not_canonically_encoded_are_refused(y: int, sign: int) -> None:
    with pytest.raises(FormError, match="y ≥ p"):
        check_key_line(key_line(y, sign))


def test_a_key_off_the_curve_is_refused() -> None:
    with pytest.raises(FormError, match="curve"):
        check_key_line(key_line(2))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "ssh-ed25519",
        "ssh-rsa AAAA",
        key_line(3) + " ann@home",
        key_line(3) + "\n",
        key_line(3)[:-1],
        key_line(3) + "A",
    ],
)
def test_a_key_line_has_two_fields_and_no_comment(line: str) -> None:
    with pytest.raises(FormError, match="not a key line"):
        check_key_line(line)


def test_honest_keys_are_taken() -> None:
    for n in range(40):
        check_key_line(PrivateKey.from_seed(bytes([n]) * 32).key_line)


@pytest.mark.parametrize("passphrase", [None, b"Bannockburn 1314"])
def test_a_key_file_reads_back(passphrase: bytes | None) -> None:
    key = PrivateKey.from_seed(b"7" * 32)
    assert PrivateKey.load(key.dump(passphrase), passphrase).key_line == key.key_line


@pytest.mark.slow
def test_key_files_that_cannot_be_used_are_explained() -> None:
    key = PrivateKey.from_seed(b"7" * 32)
    with pytest.raises(KeyFileError, match="locked with a passphrase, and none"):
        PrivateKey.load(key.dump(b"secret"), None)
    with pytest.raises(KeyFileError, match="does not open"):
        PrivateKey.load(key.dump(b"secret"), b"wrong")
    with pytest.raises(KeyFileError, match="has no passphrase"):
        PrivateKey.load(key.dump(None), b"secret")
    with pytest.raises(KeyFileError, match="not an OpenSSH private key file"):
        PrivateKey.load(b"hello", None)
    with pytest.raises(KeyFileError, match="cannot be read"):
        PrivateKey.load(b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n", None)
    rsa = generate_private_key(65537, 2048).private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    with pytest.raises(KeyFileError, match="another kind"):
        PrivateKey.load(rsa, None)


def test_a_key_file_of_openssl_is_read_and_others_of_its_kind_are_explained() -> None:
    """For a locked key the program says how to unlock it."""
    key = PrivateKey.from_seed(b"7" * 32)
    made = Ed25519PrivateKey.from_private_bytes(b"7" * 32)

    def file(lock: KeySerializationEncryption) -> bytes:
        return made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, lock)

    plain = file(NoEncryption())
    assert PrivateKey.load(plain).key_line == PrivateKey.load(plain.replace(b"\n", b"\r\n")).key_line == key.key_line
    with_public = (
        b"\x30\x51\x02\x01\x01\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20" + b"7" * 32 + b"\x81\x21\0" + b"p" * 32
    )
    wrapped = b"-----BEGIN PRIVATE KEY-----\n%s-----END PRIVATE KEY-----\n"
    assert PrivateKey.load(wrapped % base64.encodebytes(with_public)).key_line == key.key_line
    with pytest.raises(KeyFileError, match="has no passphrase"):
        PrivateKey.load(plain, b"secret")
    with pytest.raises(KeyFileError, match="locked as OpenSSL does it; “openssl pkey"):
        PrivateKey.load(file(BestAvailableEncryption(b"secret")), b"secret")
    for damaged in (b"", b"AAAA", base64.encodebytes(with_public[:-1]), base64.encodebytes(with_public[:40]), b"=="):
        with pytest.raises(KeyFileError, match="damaged"):
            PrivateKey.load(wrapped % damaged)
    rsa = generate_private_key(65537, 2048).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    with pytest.raises(KeyFileError, match="another kind"):
        PrivateKey.load(rsa)


@needs_ssh_keygen
@pytest.mark.parametrize("passphrase", ["", "Bannockburn 1314"])
def test_keys_made_by_ssh_keygen_sign(tmp_path: Path, passphrase: str) -> None:
    path = tmp_path / "id"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-f", path, "-C", "ann"], check=True)
    key = PrivateKey.load(path.read_bytes(), passphrase.encode() or None)
    assert path.with_suffix(".pub").read_text().startswith(key.key_line + " ")
    printed = subprocess.run(["ssh-keygen", "-l", "-f", path], check=True, capture_output=True, text=True).stdout
    assert fingerprint(key.key_line) in printed.split()
    assert verify_sig(key.key_line, SAY, b"x", key.sign(SAY, b"x"))


@needs_ssh_keygen
@pytest.mark.parametrize("passphrase", [None, b"Bannockburn 1314"])
def test_ssh_keygen_opens_the_keys_that_we_write(tmp_path: Path, passphrase: bytes | None) -> None:
    key = PrivateKey.from_seed(b"7" * 32)
    path = tmp_path / "id"
    path.write_bytes(key.dump(passphrase))
    path.chmod(0o600)
    command = ["ssh-keygen", "-y", "-P", (passphrase or b"").decode(), "-f", str(path)]
    assert (
        subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[:2] == key.key_line.split()
    )


def ssh_keygen_verifies(tmp_path: Path, who: str, namespace: str, message: bytes, signature: str, allowed: str) -> bool:
    (tmp_path / "sig").write_text(signature)
    (tmp_path / "allowed").write_text(allowed)
    command = ["ssh-keygen", "-Y", "verify", "-f", "allowed", "-I", who, "-n", namespace, "-s", "sig"]
    return subprocess.run(command, check=False, cwd=tmp_path, input=message, capture_output=True).returncode == 0


@needs_ssh_keygen
@pytest.mark.parametrize(("n", "who"), [(1, "ann"), (4, "ann"), (10, "ann"), (11, "bob"), (16, "ann"), (9, "host")])
def test_ssh_keygen_verifies_an_exported_signature(tmp_path: Path, n: int, who: str) -> None:
    out = export_sig(Log.parse(sample("trio")), n)
    assert ssh_keygen_verifies(tmp_path, who, out.namespace, out.message, out.signature, out.allowed_signers)
    assert not ssh_keygen_verifies(tmp_path, who, out.namespace, out.message + b" ", out.signature, out.allowed_signers)


@needs_ssh_keygen
def test_ssh_keygen_and_we_sign_alike(tmp_path: Path) -> None:
    key = PrivateKey.from_seed(b"7" * 32)
    (tmp_path / "id").write_bytes(key.dump())
    (tmp_path / "id").chmod(0o600)
    (tmp_path / "message").write_bytes(b"CARD Herald")
    subprocess.run(["ssh-keygen", "-Y", "sign", "-q", "-f", "id", "-n", SAY, "message"], check=True, cwd=tmp_path)
    assert (tmp_path / "message.sig").read_text() == armor(key.key_line, SAY, key.sign(SAY, b"CARD Herald"))


def test_an_entry_that_nobody_signed_cannot_be_exported() -> None:
    with pytest.raises(UsageError, match="Nobody signed entry 8 by itself; the host's signature over entry "):
        export_sig(Log.parse(sample("trio")), 8)
    with pytest.raises(UsageError, match="no entry 31"):
        export_sig(Log.parse(sample("trio")), 31)


# --- the edge of what counts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", json.loads(edges.PATH.read_text()), ids=lambda case: case["name"])
def test_which_keys_and_signatures_count(case: dict[str, Any]) -> None:
    try:
        check_key_line(case["key"])
        usable = True
    except FormError:
        usable = False
    counts = verify_sig(case["key"], case["namespace"], case["message"].encode(), case["sig"])
    assert (usable, counts) == (case["usable"], case["counts"])


def test_the_cases_are_those_that_calculation_gives() -> None:
    assert edges.PATH.read_text() == edges.written()
