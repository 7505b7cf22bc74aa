"""What a release has is signed with the key that somebody names, and anybody can check that with the tools of every system.

The keys here are thrown away. The repository has no private key, and names none.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from tests.project.source import ROOT

pytestmark = pytest.mark.skipif(
    not shutil.which("ssh-keygen") or not shutil.which("make"), reason="ssh-keygen or make is not here"
)
_PRIVATE = re.compile(rb"^-----BEGIN [A-Z ]*PRIVATE KEY-----\r?$\n[A-Za-z0-9+/=]{40}", re.MULTILINE)


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    """A folder as “make dist” leaves it, signed with a key that is thrown away."""
    made = tmp_path / "dist"
    made.mkdir()
    (made / "pbem.whl").write_bytes(b"a wheel")
    (made / "SHA256SUMS").write_text(f"{sha256(b'a wheel').hexdigest()}  pbem.whl\n")
    new_key(tmp_path / "key")
    sign(made, tmp_path / "key")
    return made


def new_key(path: Path) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)


def sign(dist: Path, key: Path) -> None:
    command = ["make", "--no-print-directory", "sign", f"DIST={dist}", f"KEY={key}"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


def verified(dist: Path, public: Path) -> bool:
    """Does somebody who has the public half find the signature right, as the docs tell him to look?"""
    signers = dist.parent / "signers"
    signers.write_text(f"pbem {public.read_text('utf-8')}")
    found = subprocess.run(
        ["ssh-keygen", "-Y", "verify", "-f", signers, "-I", "pbem", "-n", "pbem-release", "-s", dist / "SHA256SUMS.sig"],
        input=(dist / "SHA256SUMS").read_bytes(), capture_output=True, check=False,
    )  # fmt: skip
    return found.returncode == 0


def test_the_checksums_are_signed_with_the_key_that_is_named(dist: Path) -> None:
    assert verified(dist, dist.parent / "key.pub")
    new_key(dist.parent / "other")
    assert not verified(dist, dist.parent / "other.pub")
    (dist / "SHA256SUMS").write_text(f"{sha256(b'another wheel').hexdigest()}  pbem.whl\n")
    assert not verified(dist, dist.parent / "key.pub"), "other checksums are not what was signed"
    sign(dist, dist.parent / "key")
    assert verified(dist, dist.parent / "key.pub"), "it can be signed again"


def test_without_a_key_nothing_is_signed(tmp_path: Path) -> None:
    command = ["make", "--no-print-directory", "sign", f"DIST={tmp_path}"]
    told = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert told.returncode != 0
    assert "make sign KEY=FILE" in told.stdout


def test_the_docs_tell_to_look_in_the_same_way() -> None:
    page = (ROOT / "docs/how-to/keep-a-host-safe.md").read_text("utf-8")
    assert "ssh-keygen -Y verify -f signers -I pbem -n pbem-release -s SHA256SUMS.sig <SHA256SUMS" in page
    assert not re.search(r"SHA256:[A-Za-z0-9+/]{20}|ssh-ed25519 AAAA", page), "no key before somebody publishes one"


def test_no_private_key_is_in_what_a_release_is_made_from() -> None:
    places = ("pbem", "docs", "examples", "schemas", "templates", "bench")
    found = [
        path
        for place in places
        for path in (ROOT / place).rglob("*")
        if path.is_file() and "_data" not in path.parts and _PRIVATE.search(path.read_bytes())
    ]
    assert not found
