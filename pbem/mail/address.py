"""Addresses: finding them in headers, and the part after `+` by which a host recognises the subject of a mail.

::

    host+g42@example.org            about game 42
    host+b-3f29c1…@example.org      the way back of one letter, only for mails about that letter (VERP)
    host+r-7F3K9QWX2M4P@example.org the answer to one question, named by its reply code

An address does not show who wrote a mail. Each character is read once: text in quotes or comments is skipped, however deeply it is
nested.
"""

from __future__ import annotations

import re
import unicodedata

from pbem.errors import UsageError
from pbem.i18n import _

_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"\\@]{1,64}@[^\s<>()\[\],;:\"\\@]{1,255}")
_WRITABLE = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9.-]+")
_GAME = re.compile(r"\+g([0-9a-z]{1,64})@", re.IGNORECASE)
_TOKEN = re.compile(r"\+b-([0-9a-z]{1,64})@", re.IGNORECASE)


# what a letter names in place of an address that nobody has named: it goes by a relay, or as a file
NOWHERE = "nobody@pbem.invalid"


def is_address(text: str) -> bool:
    """Is this one address that a letter can go to: ASCII, without quotes, names and comments?

    >>> [is_address(text) for text in ("ann@example.org", "ann,bob@example.org", "ann@example.org\\n", "änn@example.org")]
    [True, False, False, False]
    """
    if len(text) > 254 or len(text.partition("@")[0]) > 64 or not _WRITABLE.fullmatch(text):
        return False
    return all(text.replace("@", ".").split("."))  # no dot at an end, nor two together


def check_address(text: str) -> None:
    """Check that a letter can go to an address; the error says how to write an international domain. Raises UsageError."""
    if is_address(text):
        return
    why = _("“{address}” is not an e-mail address; one looks like alice@example.org.", address=text)
    if ascii_form := _in_ascii(text):
        why += " " + _("Mail servers know this domain by other letters: write {address}.", address=ascii_form)
    raise UsageError(why)


def _in_ascii(text: str) -> str:
    """Return an address whose international domain is written as mail servers know it (RFC 5891), "" where that makes none.

    >>> _in_ascii("ann@Bücher.example")
    'ann@xn--bcher-kva.example'
    """
    local, _sign, domain = text.rpartition("@")
    labels = unicodedata.normalize("NFKC", domain.lower()).replace("\u3002", ".").split(".")
    if not all(
        letter.isalnum() or letter == "-" or unicodedata.category(letter)[0] == "M" for letter in "".join(labels)
    ):
        return ""
    try:
        found = ".".join(label if label.isascii() else f"xn--{label.encode('punycode').decode()}" for label in labels)
    except UnicodeError:
        return ""
    return f"{local}@{found}" if is_address(f"{local}@{found}") else ""


def addresses(value: str) -> tuple[str, ...]:
    """Return the addresses in the value of a header, as they are written there.

    >>> addresses('"bob@example.org" <mallory@example.net>, (ann@example.org) club: cat@example.org;')
    ('mallory@example.net', 'cat@example.org')
    """
    found: list[str] = []
    for piece in _pieces(value):
        inside = piece.rpartition("<")[2].partition(">")[0].strip() if "<" in piece else ""
        if fits := _ADDRESS.fullmatch(inside) if inside else _ADDRESS.search(piece):
            found.append(fits[0].rstrip("."))
    return tuple(found)


def plain_address(address: str) -> str:
    """Return what tells two mailboxes apart: an address in small letters, without the part after “+”.

    >>> plain_address("Ann+games@Example.org")
    'ann@example.org'
    """
    local, _sign, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def _pieces(value: str) -> list[str]:
    """The parts of a list of addresses, without quoted strings and comments."""
    pieces: list[list[str]] = [[]]
    quoted, deep, skip = False, 0, False
    for letter in value:
        if skip:
            skip = False
        elif letter == "\\":
            skip = True
        elif quoted:
            quoted = letter != '"'
        elif letter == "(":
            deep += 1
        elif letter == ")":
            deep = max(0, deep - 1)
        elif deep:
            continue
        elif letter == '"':
            quoted = True
        elif letter in ",;:":  # a list, and a group in it
            pieces.append([])
        else:
            pieces[-1].append(letter)
    return ["".join(piece) for piece in pieces]


def game_address(address: str, game: int) -> str:
    """Return the host's address for one of its games.

    >>> game_address("host@example.org", 42)
    'host+g42@example.org'
    """
    return _tagged(address, f"g{game}")


def way_back(address: str, token: str) -> str:
    """Return the envelope sender of one letter, `token` being what the host knows it by: letters and digits.

    >>> way_back("host@example.org", "3f29c1")
    'host+b-3f29c1@example.org'
    """
    return _tagged(address, f"b-{token}")


def reply_address(address: str, code: str) -> str:
    """Return the host's address for the answer to one question.

    >>> reply_address("host@example.org", "7F3K9QWX2M4P")
    'host+r-7F3K9QWX2M4P@example.org'
    """
    return _tagged(address, f"r-{code}")


def _tagged(address: str, tag: str) -> str:
    local, _sign, domain = address.rpartition("@")
    return f"{local}+{tag}@{domain}"


def game_in(address: str) -> str:
    """Return the game that an address names, or ""."""
    found = _GAME.search(address)
    return found[1].lower() if found else ""


def token_in(address: str) -> str:
    """Return the token of the letter to which an address is the way back, or ""."""
    found = _TOKEN.search(address)
    return found[1].lower() if found else ""
