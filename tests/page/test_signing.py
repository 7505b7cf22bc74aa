"""The page's maker of signatures (noble, here in Node) against the command's (`cryptography`): the same keys, files, verdicts."""

from __future__ import annotations

import base64
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from pbem.ledger import curve
from pbem.ledger.keys import SAY, _signed_blob
from pbem.ledger.makers import native, openssh
from tests.ledger import edges
from tests.project.source import ROOT

BY_NODE = Path(__file__).parent / "by_node"
NAMES = "from pbem.ledger import makers; print(makers.PublicKey.__module__)"
needs_ssh_keygen = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")


@pytest.fixture(scope="session")
def of_page(signing: Path) -> ModuleType:
    """The page's maker, beside the command's."""
    os.environ["PBEM_SIGNING"] = str(signing)
    sys.path.insert(0, str(BY_NODE))
    try:
        from pbem.ledger.makers import page
    finally:
        sys.path.remove(str(BY_NODE))
    return page


def run_by_node(signing: Path, *command: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(BY_NODE), str(ROOT), str(ROOT / "examples")])
    environment = {**os.environ, "PBEM_SIGNING": str(signing), "PYTHONPATH": path}
    return subprocess.run(
        [sys.executable, *command], check=False, cwd=ROOT, env=environment, capture_output=True, text=True
    )


def test_where_the_page_has_laid_its_signing_out_it_is_taken(signing: Path) -> None:
    assert run_by_node(signing, "-c", NAMES).stdout.strip() == "pbem.ledger.makers.page"
    here = subprocess.run([sys.executable, "-c", NAMES], cwd=ROOT, capture_output=True, text=True, check=True)
    assert here.stdout.strip() == "pbem.ledger.makers.native"


def test_all_that_is_tested_of_keys_holds_with_the_pages_signing(signing: Path) -> None:
    run = run_by_node(signing, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:randomly", "tests/ledger/test_keys.py")
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    assert " passed" in run.stdout


def test_all_that_is_tested_of_a_relays_letters_holds_with_the_pages_sealing(signing: Path) -> None:
    run = run_by_node(
        signing, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:randomly", "tests/mail/test_relay_letters.py"
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    assert " passed" in run.stdout


def test_both_sign_alike_and_take_each_others_signatures(of_page: ModuleType) -> None:
    chance = random.Random("both")
    for _more in range(20):
        seed, message = chance.randbytes(32), chance.randbytes(chance.randrange(200))
        here, there = native.SecretKey(seed), of_page.SecretKey(seed)
        assert (there.public, there.sign(message)) == (here.public, here.sign(message))
        assert of_page.PublicKey(here.public).verifies(here.sign(message), message)
        assert not of_page.PublicKey(here.public).verifies(here.sign(message), message + b"!")


def test_both_give_one_verdict_on_the_edge(of_page: ModuleType) -> None:
    """Without the look at the key that comes before, for all keys that are a point."""
    for case in edges.cases():
        if curve.decode(case.key) is not None:
            told = _signed_blob(SAY, case.message)
            here, there = (maker.PublicKey(case.key).verifies(case.sig, told) for maker in (native, of_page))
            assert here == there, case.name
            assert here == case.counts or not case.usable, case.name


def test_both_give_one_verdict_on_signatures_made_to_divide_them(of_page: ModuleType) -> None:
    """R with a part of low order, S beyond L, R not canonical, and single bits: forty of each, no two opinions."""
    chance, small = random.Random("divide"), edges._torsion()
    public = curve.encode(curve.times(edges.SECRET, edges.BASE))
    here, there = native.PublicKey(public), of_page.PublicKey(public)
    for number in range(40):
        message = b"go %d" % number
        shift = curve.times(number % 8, small)
        sig = edges._sign(edges.SECRET, public, message, r=number + 1, shift=shift)
        s = int.from_bytes(sig[32:], "little")
        bit = chance.randrange(512)
        flipped = (int.from_bytes(sig, "little") ^ 1 << bit).to_bytes(64, "little")
        beyond = sig[:32] + (s + curve.L).to_bytes(32, "little")
        told = _signed_blob(SAY, message)
        verdicts = [(here.verifies(one, told), there.verifies(one, told)) for one in (sig, flipped, beyond)]
        assert verdicts == [(number % 8 == 0,) * 2, (False, False), (False, False)]


@needs_ssh_keygen
@pytest.mark.parametrize("cipher", ["aes256-ctr", "aes256-cbc", "aes256-gcm@openssh.com"])
def test_both_open_what_ssh_keygen_has_locked(of_page: ModuleType, tmp_path: Path, cipher: str) -> None:
    path = tmp_path / "id"
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "Bannockburn 1314", "-Z", cipher, "-a", "4", "-f", str(path)]
    subprocess.run([*command, "-C", "ann"], check=True)
    file = path.read_bytes()
    assert of_page.read_file(file, b"Bannockburn 1314").seed == native.read_file(file, b"Bannockburn 1314").seed
    with pytest.raises(openssh.NotOpenedError):
        of_page.read_file(file, b"Bannockburn 1315")


@pytest.mark.parametrize("passphrase", [None, "Roslin – 24 février".encode()])
def test_each_opens_what_the_other_has_written(of_page: ModuleType, passphrase: bytes | None) -> None:
    for writes, reads in ((native, of_page), (of_page, native)):
        file = writes.write_file(writes.SecretKey(b"7" * 32), passphrase)
        assert reads.read_file(file, passphrase).seed == b"7" * 32


def test_neither_opens_a_file_that_was_damaged(of_page: ModuleType) -> None:
    """Each byte of a file in turn: what one refuses the other does, too, and what one takes is the same key."""
    inside = base64.b64decode(b"".join(native.write_file(native.SecretKey(b"7" * 32), None).splitlines()[1:-1]))
    for place in range(len(inside)):
        damaged = inside[:place] + bytes([inside[place] ^ 1]) + inside[place + 1 :]
        file = openssh._BEGIN + b"\n" + base64.b64encode(damaged) + b"\n" + openssh._END + b"\n"
        seeds = [_seed(maker, file) for maker in (native, of_page)]
        assert seeds[1] in (seeds[0], None), place
        assert seeds[1] in (None, b"7" * 32)


def _seed(maker: ModuleType, file: bytes) -> object:
    try:
        return maker.read_file(file, None).seed
    except openssh.KeyFileTrouble:
        return None
