"""libsodium, where PyNaCl is installed, changes no verdict: on edges, on mutants, without it, and where it takes more for good."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pbem.errors import FormError
from pbem.ledger import PrivateKey, curve, group
from pbem.ledger.keys import SAY, _signed_blob
from pbem.ledger.makers import native, sodium
from tests.ledger import edges

pytestmark = pytest.mark.skipif(not sodium.is_here(), reason="PyNaCl is not installed")


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where PyNaCl is not installed."""
    monkeypatch.setattr(sodium, "_library", lambda: None)


def reference(key: bytes, signature: bytes, message: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def mutant(chance: random.Random, data: bytes) -> bytes:
    """With one bit flipped, or a piece from elsewhere in it, or as it is."""
    changed = bytearray(data)
    match chance.randrange(3):
        case 0:
            changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        case 1:
            at, to = chance.randrange(len(data)), chance.randrange(len(data))
            changed[at] = data[to]
    return bytes(changed)


def test_on_the_edge_of_what_counts_the_verdict_is_the_references() -> None:
    for case in edges.cases():
        message = _signed_blob(SAY, case.message)
        said = native.PublicKey(case.key).verifies(case.sig, message)
        assert said == reference(case.key, case.sig, message), case.name


def test_what_libsodium_takes_for_good_of_a_usable_key_counts() -> None:
    """It takes less: one of the table that must count it refuses, and the reference is asked."""
    refused = set()
    for case in edges.cases():
        taken = sodium.verifies(case.key, case.sig, _signed_blob(SAY, case.message))
        assert not (taken and case.usable) or case.counts, case.name
        if case.usable and case.counts and not taken:
            refused.add(case.name)
    assert refused == {"R neutral"}


@pytest.mark.parametrize("many", [200, pytest.param(10_000, marks=pytest.mark.slow)])
def test_mutants_of_signatures_are_judged_alike(many: int) -> None:
    chance, counted = random.Random(many), 0
    keys = [PrivateKey.from_seed(bytes([n]) * 32) for n in range(8)]
    for no in range(many):
        key, message = keys[no % 8], b"order %d" % no
        raw = key._key.public
        signature = mutant(chance, key._key.sign(message))
        message = mutant(chance, message)
        said = native.PublicKey(raw).verifies(signature, message)
        assert said == reference(raw, signature, message)
        counted += said
    assert 0 < counted < many


@pytest.mark.parametrize("many", [40, pytest.param(2_000, marks=pytest.mark.slow)])
def test_bytes_are_an_element_for_both_or_for_neither(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Elements, mutants of them, points with a part of low order, what is not canonical."""
    chance, eighth = random.Random(many), edges._torsion()
    tried = [(curve.P + n).to_bytes(32, "little") for n in range(19)] + [curve.encode(curve.NEUTRAL)]
    for no in range(many):
        one = group.hashed("one", no)
        tried += [one.data, mutant(chance, one.data), curve.encode(edges.add(one.point, eighth))]
    texts = [group._written(data) for data in tried]

    def judged(text: str) -> bytes | str:
        try:
            return group._element.__wrapped__(text).data
        except FormError as error:
            return str(error)

    with_it = [judged(text) for text in texts]
    monkeypatch.setattr(sodium, "_library", lambda: None)
    assert [judged(text) for text in texts] == with_it
    assert len({type(one) for one in with_it}) == 2


def test_multiples_and_proofs_are_the_same_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(1)
    numbers = [1, 2, curve.L - 1, *(chance.randrange(1, curve.L) for _ in range(8))]
    of = [group.BASE, group.hashed("a"), group.hashed("b")]

    def reckoned() -> list[object]:
        for kept in (group.multiple, group._holds, group._element):
            kept.cache_clear()
        found: list[object] = [group.multiple(n, one).data for n in numbers for one in of]
        known = group.KnownMultiples()
        for n in numbers:
            pairs = [(one, known.multiple(n, one)) for one in of]
            said = group.prove(n, pairs, "about", "5" * 64)
            other = said._replace(answer=(said.answer + 1) % curve.L)
            nothing = said._replace(answer=0, challenge=0)
            for holds in (group.holds, known.holds):
                found += [holds(one, pairs, "about") for one in (said, other, nothing)]
            found += [said, *(second.data for _first, second in pairs)]
        return found

    with_it = reckoned()
    assert with_it.count(True) == 2 * len(numbers)
    monkeypatch.setattr(sodium, "_library", lambda: None)
    assert reckoned() == with_it


@pytest.mark.usefixtures("without")
def test_without_it_everything_works() -> None:
    key = PrivateKey.from_seed(b"k" * 32)
    assert native.PublicKey(key._key.public).verifies(key._key.sign(b"go"), b"go")
    assert group.element(group.hashed("card").text) == group.hashed("card")


def test_a_library_that_multiplies_by_the_cofactor_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Later releases of libsodium may: then R with a part of low order would count here and nowhere else."""

    def takes_all(_signed: bytes, _key: bytes) -> bytes:
        return b""

    calls = SimpleNamespace(
        crypto_sign_open=takes_all, has_crypto_core_ed25519=True, has_crypto_scalarmult_ed25519=True
    )
    modules = {"nacl.bindings": calls, "nacl.exceptions": SimpleNamespace(CryptoError=ValueError)}
    monkeypatch.setattr(sodium, "import_module", modules.__getitem__)
    assert sodium._library.__wrapped__() is None
