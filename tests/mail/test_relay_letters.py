"""A relay's links, boxes and sealed letters: vectors, and what opens nothing. The page's maker of seals is held to the same."""

from __future__ import annotations

import json

import pytest

from pbem.errors import FormError, UsageError
from pbem.ledger import PrivateKey, makers
from pbem.mail.relay import (
    INVITATION,
    LARGEST,
    LARGEST_SEALED,
    Boxed,
    RelayLink,
    TooLong,
    is_link,
    open_letter,
    read_link,
    relay_address,
    seal_letter,
)
from tests.mail.relay_vectors import ANN, BOB, LINK, VECTORS, made

EVE = PrivateKey.from_seed(b"e" * 32)
OTHER = LINK._replace(secret=b"another game has")


def test_x25519_is_that_of_rfc_7748() -> None:
    bob = bytes.fromhex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    alices = bytes.fromhex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
    assert makers.x25519_public(bob).hex() == "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
    assert makers.x25519(bob, alices).hex() == "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"


@pytest.mark.parametrize("low", [bytes(32), b"\x01" + bytes(31), (2**255 - 20).to_bytes(32, "little")])
def test_a_shared_secret_of_zeros_is_refused(low: bytes) -> None:
    assert makers.x25519(b"7" * 32, low) == b""
    sealed = seal_letter(LINK, BOB.key_line, b"move", ANN)
    assert open_letter(LINK, BOB.key_line, sealed[:1] + low + sealed[33:], BOB) is None


def test_hkdf_is_that_of_rfc_5869() -> None:
    made = makers.hkdf(b"\x0b" * 22, bytes(range(13)), bytes(range(0xF0, 0xFA)))
    assert made.hex() == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"


def test_the_cipher_is_that_of_rfc_8439() -> None:
    key, nonce = bytes(range(0x80, 0xA0)), bytes.fromhex("070000004041424344454647")
    text = b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
    locked = makers.chacha_lock(key, nonce, text, bytes.fromhex("50515253c0c1c2c3c4c5c6c7"))
    assert locked.hex().startswith("d31a8d34648e60db7b86afbc53ef7ec2")
    assert locked.hex().endswith("1ae10b594f09e26a7e902ecbd0600691")
    assert makers.chacha_unlock(key, nonce, locked, bytes.fromhex("50515253c0c1c2c3c4c5c6c7")) == text
    assert makers.chacha_unlock(key, nonce, locked, b"") == b""


def test_links_boxes_and_letters_are_those_of_the_vectors() -> None:
    assert made() == json.loads(VECTORS.read_text("utf-8"))


@pytest.mark.parametrize("letter", [b"", b"x", b"x" * 1020, b"x" * 1021, b"\0" * 4000, bytes(range(256)) * 700])
def test_a_letter_is_opened_by_its_reader_and_nobody_else(letter: bytes) -> None:
    sealed = seal_letter(LINK, BOB.key_line, letter, ANN)
    assert open_letter(LINK, BOB.key_line, sealed, BOB) == letter
    assert open_letter(LINK, BOB.key_line, sealed, EVE) is None
    assert open_letter(LINK, BOB.key_line, sealed) is None
    assert open_letter(LINK, EVE.key_line, sealed, BOB) is None
    assert open_letter(OTHER, BOB.key_line, sealed, BOB) is None
    assert open_letter(LINK, INVITATION, sealed, BOB) is None


def test_an_invitation_is_opened_by_the_link_alone() -> None:
    sealed = seal_letter(LINK, INVITATION, b"Play with me.", ANN)
    assert open_letter(LINK, INVITATION, sealed) == b"Play with me."
    assert open_letter(OTHER, INVITATION, sealed) is None
    assert open_letter(LINK, BOB.key_line, sealed, BOB) is None


def test_the_same_letter_is_the_same_bytes_and_another_shares_none() -> None:
    one, again = (seal_letter(LINK, BOB.key_line, b"move 1", ANN) for _twice in range(2))
    other, by_eve = seal_letter(LINK, BOB.key_line, b"move 2", ANN), seal_letter(LINK, BOB.key_line, b"move 1", EVE)
    assert one == again
    assert len({one[1:33], other[1:33], by_eve[1:33]}) == 3


def test_what_is_sealed_shows_little_of_a_letters_length() -> None:
    sizes = {len(seal_letter(LINK, BOB.key_line, b"x" * n, ANN)) for n in (0, 1, 500, 1020)}
    assert sizes == {1 + 32 + 1024 + 16}
    assert len(seal_letter(LINK, BOB.key_line, b"x" * 1021, ANN)) == 1 + 32 + 2048 + 16


def test_the_longest_letter_goes_and_a_longer_one_is_refused() -> None:
    longest = b"x" * (LARGEST - 4)
    sealed = seal_letter(LINK, BOB.key_line, longest, ANN)
    assert len(sealed) == LARGEST_SEALED
    assert open_letter(LINK, BOB.key_line, sealed, BOB) == longest
    with pytest.raises(TooLong, match=r"at most 524284"):
        seal_letter(LINK, BOB.key_line, longest + b"x", ANN)


def test_a_changed_byte_anywhere_opens_nothing() -> None:
    for name, key in ((BOB.key_line, BOB), (INVITATION, None)):
        sealed = seal_letter(LINK, name, b"Fife: all > Angus", ANN)
        places = [*range(40), *range(40, len(sealed), 97), len(sealed) - 1]
        for place in places:
            changed = sealed[:place] + bytes([sealed[place] ^ 1]) + sealed[place + 1 :]
            assert open_letter(LINK, name, changed, key) is None, place
        for cut in (b"", sealed[:1], sealed[:49], sealed[:-1], sealed + b"\0"):
            assert open_letter(LINK, name, cut, key) is None


@pytest.mark.parametrize(
    "padded", [b"\0\0\0\x02ab" + bytes(506), b"\0\0\0\x02ab" + bytes(1017) + b"x", b"\0\0\x7f\xffab" + bytes(1018)]
)
def test_padding_that_is_not_as_it_should_be_opens_nothing(padded: bytes) -> None:
    """Whoever has the link can seal what he likes."""
    salt = b"7" * 32
    locks = makers.hkdf(LINK.secret, salt, b"pbem-relay-v1 letter")
    good = b"\0\0\0\x02ab" + bytes(1018)
    as_sealed = [b"\1" + salt + makers.chacha_lock(locks, bytes(12), data, b"invitation") for data in (good, padded)]
    assert [open_letter(LINK, INVITATION, sealed) for sealed in as_sealed] == [b"ab", None]


@pytest.mark.parametrize("name", ["", "ssh-ed25519 AAAA", "ssh-rsa x", "invitations"])
def test_no_letter_is_sealed_for_what_is_no_key(name: str) -> None:
    with pytest.raises(FormError):
        seal_letter(LINK, name, b"move", ANN)


def test_tokens_of_boxes_and_games_are_different() -> None:
    tokens = {link.token(name) for link in (LINK, OTHER) for name in (INVITATION, ANN.key_line, BOB.key_line)}
    assert len(tokens) == 6
    assert {len(token) for token in tokens} == {64}


def test_a_link_is_read_as_it_was_written() -> None:
    for secret in (bytes(16), b"\xff" * 16, bytes(range(16))):
        link = RelayLink("https://club.example/pbem/", secret)
        assert read_link(f"  {link}\n") == link
    assert str(LINK) == "https://relay.example.org/#play=AAECAwQFBgcICQoLDA0ODw"


@pytest.mark.parametrize(
    "text",
    [
        "https://relay.example.org/",
        "https://relay.example.org/#play=",
        "https://relay.example.org/#play=AAECAwQFBgcICQoLDA0OD",
        "https://relay.example.org/#play=AAECAwQFBgcICQoLDA0ODx",
        "https://relay.example.org/#play=AAECAwQFBgcICQoLDA0OD/",
        "https://relay.example.org/#AAECAwQFBgcICQoLDA0ODw",
        "http://relay.example.org/#play=AAECAwQFBgcICQoLDA0ODw",
        "https://ann:x@relay.example.org/#play=AAECAwQFBgcICQoLDA0ODw",
        "https://relay.example.org/?x#play=AAECAwQFBgcICQoLDA0ODw",
        "nonsense",
    ],
)
def test_what_is_no_link_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        read_link(text)


def test_an_address_may_lack_its_last_stroke() -> None:
    assert relay_address(" https://relay.example.org ") == "https://relay.example.org/"
    assert relay_address("http://localhost:8075/") == "http://localhost:8075/"
    with pytest.raises(UsageError, match="without TLS"):
        relay_address("http://relay.example.org")


def test_a_link_is_told_from_files_and_words() -> None:
    assert is_link(str(LINK))
    assert not any(map(is_link, ("invitation.eml", "-", "https://relay.example.org/", "C:\\#1.eml")))


def test_a_letter_in_a_box_has_the_id_of_its_bytes() -> None:
    boxed = Boxed.of(b"sealed")
    assert boxed.sealed == b"sealed"
    assert Boxed(id=boxed.id, raw="c2VhbGVk!").sealed == b""
    assert Boxed(id="0" * 64, raw=boxed.raw).sealed == b""
