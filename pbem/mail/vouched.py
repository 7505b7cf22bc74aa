"""A provider's signature (DKIM, RFC 6376) on a mail received: it was sent for that domain, and is unchanged.

It is evidence, not a requirement: forwarders and lists break signatures, so an invalid one counts as missing. A signature vouches
for a mail if it is valid, belongs to the domain of the only From, and covers the whole text. With `l=` it would not: anybody could
add text after it. dkimpy checks the signature; the key comes from the DNS, or from a saved copy.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from email.utils import parseaddr
from typing import Literal, NamedTuple, TypeAlias

from pbem.kernel.digits import whole

Verdict: TypeAlias = Literal["vouches", "not aligned", "in part", "broken", "no key"]
MOST = 5
"""The maximum number of signatures of a mail that are examined."""
_NAME = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){0,12}")


class Signature(NamedTuple):
    """The signer of a mail, and the name of the key in the DNS; "" for what the signature does not say."""

    domain: str
    selector: str

    @property
    def place(self) -> str:
        """Where the DNS has the key."""
        return f"{self.selector}._domainkey.{self.domain}"


def signatures(raw: bytes) -> list[Signature]:
    """Return the first signatures of a mail, in their order.

    >>> signatures(b"DKIM-Signature: v=1; d=Example.org;\\r\\n s=one; b=xyz\\r\\nFrom: a@example.org\\r\\n\\r\\nHi")
    [Signature(domain='example.org', selector='one')]
    """
    tags = [dict(re.findall(r"(?:^|;)\s*([a-z]+)\s*=\s*([^;]*)", text)) for text in _heads(raw, "dkim-signature")]
    return [Signature(_named(one.get("d", "")), _named(one.get("s", ""))) for one in tags[:MOST]]


def can_judge() -> bool:
    """Is the library there that checks signatures?"""
    try:
        import dkim  # noqa: F401
    except ImportError:
        return False
    return True


def judged(raw: bytes, no: int, record: str, at: str) -> Verdict:
    """Return the worth of the signature `no` of a mail that came `at` a time, by its key's record in the DNS ("": none)."""
    import dkim

    if not record:
        return "no key"
    try:
        reader = dkim.DKIM(raw)
        head = [one for one in reader.headers if one[0].lower() == b"dkim-signature"][no]
        tags = dkim.parse_tag_value(head[1])
        dkim.validate_signature_fields({name: value for name, value in tags.items() if name not in (b"t", b"x")})
        signed = [name.strip().lower() for name in tags[b"h"].split(b":")]
        fits = _is_in_time(tags, at) and reader.verify_sig(tags, signed, head, _answering(record))
    except Exception:  # noqa: BLE001 - whoever wrote it may have written anything: it vouches for nothing
        return "broken"
    senders = _heads(raw, "from")
    if not fits or b"from" not in signed or len(senders) != 1:
        return "broken"
    domain, ours = tags[b"d"].decode().lower(), parseaddr(senders[0])[1].rpartition("@")[2].lower()
    if "." not in domain or not f".{ours}".endswith(f".{domain}"):
        return "not aligned"
    return "in part" if b"l" in tags else "vouches"


def _answering(record: str) -> Callable[..., bytes]:
    return lambda *_name, **_more: record.encode()


def _is_in_time(tags: dict[bytes, bytes], at: str) -> bool:
    """Was a signature no older than it says, when its mail came?"""
    from datetime import datetime

    until = whole(tags.get(b"x", b"").decode("latin-1"))
    return until is None or datetime.fromisoformat(at).timestamp() <= until


def _named(text: str) -> str:
    name = "".join(text.split()).lower().rstrip(".")
    return name if _NAME.fullmatch(name) and len(name) < 254 else ""


def _heads(raw: bytes, name: str) -> list[str]:
    head = re.split(rb"\r?\n\r?\n", raw[:262_144], maxsplit=1)[0]
    unfolded = re.sub(r"\r?\n[ \t]+", " ", head.decode("latin-1"))
    lines = (line.partition(":") for line in re.split(r"\r?\n", unfolded))
    return [value for found, _colon, value in lines if found.strip().lower() == name]
