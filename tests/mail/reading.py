"""What several tests need of reading: mail, parts, headers."""

from __future__ import annotations


def mail(body: bytes | str, kind: str = "text/plain; charset=utf-8", **headers: str) -> bytes:
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return f"{head}Content-Type: {kind}\r\n\r\n".encode() + (body.encode() if isinstance(body, str) else body)


def parts(*inner: tuple[str, str], kind: str = "multipart/mixed") -> bytes:
    """A mail of parts: heads without their line end, and bodies."""
    body = "".join(f"--b\r\n{head}\r\n\r\n{text}\r\n" for head, text in inner)
    return mail(f"{body}--b--\r\n", f'{kind}; boundary="b"')


def headers(size: int, each: int = 100) -> bytes:
    """So many bytes of headers, as filters against spam write them."""
    return b"".join(b"X-Filter-%06d: %s\r\n" % (no, b"y" * (each - 20)) for no in range(size // each))
