"""Mails as they come out of other people's programs: larger than they went in, and the same in all that counts.

Each function takes a mail whose lines end in LF, or CR LF, and returns it with lines that end in LF.
"""

from __future__ import annotations

ICON = b"Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n"


def photo(size: int) -> bytes:
    """A part with so many bytes."""
    return b"Content-Type: image/jpeg\nContent-Transfer-Encoding: base64\n\n" + b"/9j/4AAQ\n" * (size // 9)


def with_headers(raw: bytes, size: int) -> bytes:
    """A mail below so many bytes of headers, as filters against spam write them."""
    return b"".join(b"X-Filter-%06d: %s\n" % (no, b"y" * 180) for no in range(size // 200 + 1)) + raw.replace(
        b"\r\n", b"\n"
    )


def to_many(raw: bytes, many: int) -> bytes:
    """A mail that goes to so many people as well."""
    return (
        b"Cc: "
        + b",\n ".join(b"player.%d@example.org" % no for no in range(many))
        + b"\n"
        + raw.replace(b"\r\n", b"\n")
    )


def among(raw: bytes, before: list[bytes], behind: list[bytes]) -> bytes:
    """A mail whose own text stands between other parts."""
    head, _blank, text = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    lines = head.split(b"\n")
    at = next(no for no, line in enumerate(lines) if line.lower().startswith(b"content-type:"))
    last = next((no for no in range(at + 1, len(lines)) if lines[no][:1] not in (b" ", b"\t")), len(lines))
    coded = [line for line in lines if line.lower().startswith(b"content-transfer-encoding:")]
    outer = [line for line in (*lines[:at], *lines[last:]) if line not in coded]
    own = b"\n".join([*lines[at:last], *coded]) + b"\n\n" + text + b"\n"
    parts = b"".join(b"--outer\n" + part for part in (*before, own, *behind))
    return b"\n".join([*outer, b"Content-Type: multipart/mixed; boundary=outer", b"", parts]) + b"--outer--\n"
