"""Why nothing was found in a mail that may hold something: encrypted, packed, cut in pieces, a picture.

It decides which cause a reader of the answer can do something about. It opens nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pbem.i18n import N_, _

from .kinds import is_rtf
from .mime import MimePart


class Obstacle(NamedTuple):
    """Why nothing was found: a sentence, and the name of the file that it is about. `str` says it in the language spoken then."""

    why: str
    name: str = ""

    def __str__(self) -> str:
        return _(self.why, name=self.name)


_WINMAIL = N_(
    "Outlook has packed its text and files into “winmail.dat”, which only Outlook reads. Send it as plain text "
    "(in Outlook: Format Text, Plain Text)."
)
_PARTIAL = N_("It is one piece of a mail that was cut up (message/partial). Send the whole as one mail.")
_ELSEWHERE = N_("Its content is stored elsewhere (message/external-body). Put the content into the mail itself.")
_ENCRYPTED = N_("It is encrypted (PGP or S/MIME), and nobody here has the key. Send it without encryption.")
_WRAPPED = N_(
    "Its text is packed into an S/MIME signature (smime.p7m). Send it without that, or as clear text that is signed."
)
_RTF = N_("Its text is RTF (rich text), which is not read here. Send it as plain text.")
_OFFICE = N_("“{name}” is a document of an office program, which is not opened. Put the text into the mail itself.")
_PDF = N_("“{name}” is a PDF, which is not opened. Put the text into the mail itself.")
_ARCHIVE = N_("“{name}” is an archive, which is not opened. Put the text into the mail itself.")
_OUTLOOK = N_(
    "“{name}” is a mail as Outlook saves it (.msg), which only Outlook reads. Put the text into the mail itself."
)
_PICTURE = N_("It contains a picture and no text. Text in a picture is not read: put it into the mail itself.")

_PGP = re.compile(rb"(?:\A|\n)-----BEGIN PGP MESSAGE-----")
_BY_CONTENT = (
    (b"\x78\x9f\x3e\x22", _WINMAIL),
    (b"%PDF", _PDF),
    (b"PK\x03\x04", _ARCHIVE),
    (b"Rar!", _ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", _ARCHIVE),
    (b"\x1f\x8b", _ARCHIVE),
    (b"\xd0\xcf\x11\xe0", _OUTLOOK),
)
_BY_NAME = (
    (re.compile(r"winmail\.dat"), _WINMAIL),
    (re.compile(r".*\.(?:docx?|docm|odt|pages|xlsx?|ods)"), _OFFICE),
    (re.compile(r".*\.(?:pgp|gpg)"), _ENCRYPTED),
    (re.compile(r".*\.rtf"), _RTF),
    (re.compile(r".*\.(?:zip|7z|rar|gz|tar)"), _ARCHIVE),
    (re.compile(r".*\.pdf"), _PDF),
    (re.compile(r".*\.msg"), _OUTLOOK),
)
_BY_TYPE = (
    (re.compile(r"application/(?:vnd\.)?ms-tnef"), _WINMAIL),
    (re.compile(r"message/partial"), _PARTIAL),
    (re.compile(r"message/external-body"), _ELSEWHERE),
    (re.compile(r"application/pgp-encrypted"), _ENCRYPTED),
    (re.compile(r"(?:text|application)/(?:rtf|richtext|x-rtf)"), _RTF),
    (re.compile(r"application/(?:zip|x-zip.*|gzip|x-7z.*|x-rar.*|x-tar)"), _ARCHIVE),
    (re.compile(r"application/pdf"), _PDF),
    (re.compile(r"application/(?:msword|vnd\.(?:openxml|oasis).*)"), _OFFICE),
    (re.compile(r"application/vnd\.ms-outlook"), _OUTLOOK),
)


def why_unread(leaves: Sequence[MimePart], text: str) -> Obstacle | None:
    """Return why a mail with the given parts has no usable content, or None if nothing explains it; `text` is the text read in
    it."""
    for leaf in leaves:
        if why := _cause(leaf):
            return Obstacle(why, leaf.filename or leaf.type)
    if not text.strip() and any(leaf.type.startswith("image/") for leaf in leaves):
        return Obstacle(_PICTURE)
    return None


def _cause(leaf: MimePart) -> str:
    if leaf.type in ("application/pkcs7-mime", "application/x-pkcs7-mime") or leaf.filename.lower() == "smime.p7m":
        signed = leaf.parameter("content-type", "smime-type").lower() == "signed-data"
        return _WRAPPED if signed else _ENCRYPTED
    if is_rtf(leaf):
        return _RTF
    name = leaf.filename.lower()
    named = next((why for form, why in _BY_NAME if form.fullmatch(name)), "")
    by_type = next((why for form, why in _BY_TYPE if form.fullmatch(leaf.type)), "")
    begun = next((why for first, why in _BY_CONTENT if leaf.content.startswith(first)), "")
    return by_type or named or begun or (_ENCRYPTED if _PGP.search(leaf.content[:100_000]) else "")
