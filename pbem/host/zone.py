"""What a large provider would object to in a host's letters, by the DNS records of its domain: SPF, DKIM, DMARC, MX.

It judges what `Look` returns for a name and a type; the function that asks the real DNS is at the end. Nothing here can know the
address from which the server sends (PTR), nor the opinion of a filter. References: RFC 7208, 6376, 7489, 7505.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from pbem.errors import installing
from pbem.i18n import _

Look = Callable[[str, str], Sequence[str]]
"""Returns the records of a name and a type: TXT in one piece each, MX as “10 mx.example.org.”; empty if there are none.

Raises Unanswered if nobody could be asked.
"""
Found = tuple[bool, str]

LOOKUPS = 10
"""The maximum number of names that an SPF record may have looked up (RFC 7208, 4.6.4)."""
_RESERVED = re.compile(r"(^|\.)(example(\.(com|net|org))?|test|invalid|localhost|local)$")
_ASKS = re.compile(r"^[+?~-]?(include|a|mx|ptr|exists|redirect)(?:[:=/](.*))?$")


class Unanswered(Exception):
    """Nobody answered for a name."""


def is_of_nobody(domain: str) -> bool:
    """Is it a domain that is in no DNS, for examples and tests (RFC 2606, 6761)?"""
    return "." not in domain or bool(_RESERVED.search(domain.lower()))


def judged(look: Look, domain: str, dkim: tuple[str, str, str] | None) -> Iterator[Found]:
    """Yield the findings about a domain that letters come from: whether it is well, and why.

    `dkim` are the signing domain, its selector and the public half of the key; None if the host does not sign.
    """
    for part in (
        _spf,
        lambda look, domain: _dkim(look, domain, dkim),
        lambda look, domain: _dmarc(look, domain, dkim),
        _mx,
    ):
        try:
            yield from part(look, domain)
        except Unanswered as error:
            yield True, _("What the DNS says of {domain} cannot be seen from here: {why}.", domain=domain, why=error)
            return


def _spf(look: Look, domain: str) -> Iterator[Found]:
    records = [text for text in look(domain, "TXT") if re.match(r"v=spf1( |$)", text, re.IGNORECASE)]
    if not records:
        yield (
            False,
            _(
                "{domain} has no SPF record: nobody can tell which servers send for it. Write a TXT record “v=spf1 … -all”.",
                domain=domain,
            ),
        )
        return
    if len(records) > 1:
        yield (
            False,
            _("{domain} has {n} SPF records, so none counts: merge them into one.", domain=domain, n=len(records)),
        )
        return
    words = records[0].split()[1:]
    if any(word.lower() in ("all", "+all") for word in words):
        yield (
            False,
            _(
                "The SPF record of {domain} lets everybody send for it (“+all”): providers hold that against you.",
                domain=domain,
            ),
        )
        return
    if (asked := _lookups(look, words, {domain.lower()})) > LOOKUPS:
        yield False, _(
            "The SPF record of {domain} needs {n} name lookups, but only {most} are allowed: beyond "
"that, the record counts as faulty.",
            domain=domain, n=asked, most=LOOKUPS,
        )  # fmt: skip
        return
    ends = words[-1].lower() if words else ""
    if not (ends in ("-all", "~all") or ends.startswith("redirect=")):
        yield (
            False,
            _(
                "The SPF record of {domain} does not end with “-all” or “~all”, so it says nothing of strangers.",
                domain=domain,
            ),
        )
        return
    yield True, _("{domain} says which servers send for it (SPF).", domain=domain)


def _lookups(look: Look, words: Sequence[str], seen: set[str]) -> int:
    """Return the number of DNS lookups for these words, including those of included records; past the bound, counting stops."""
    count = 0
    for word in words:
        found = _ASKS.match(word.lower())
        if found is None:
            continue
        count += 1
        target = (found[2] or "").rstrip(".")
        if (
            found[1] in ("include", "redirect")
            and target
            and target not in seen
            and len(seen) <= 2 * LOOKUPS
            and "%" not in target
        ):
            seen.add(target)
            for text in look(target, "TXT"):
                if text.lower().startswith("v=spf1"):
                    count += _lookups(look, text.split()[1:], seen)
        if count > LOOKUPS:
            break
    return count


def _dkim(look: Look, domain: str, dkim: tuple[str, str, str] | None) -> Iterator[Found]:
    if dkim is None:
        yield (
            True,
            _(
                "This host signs no letter (DKIM). See that the server that sends them does, for {domain}; or “pbem host dkim”.",
                domain=domain,
            ),
        )
        return
    signing, selector, public = dkim
    name = f"{selector}._domainkey.{signing}"
    tags = [_tags(text) for text in look(name, "TXT")]
    keys = [tag["p"] for tag in tags if "p" in tag]
    if not keys:
        yield (
            False,
            _(
                "There is no key at {name}: every signature fails. “pbem host dkim” prints the record to write there.",
                name=name,
            ),
        )
    elif len(keys) > 1:
        yield (
            False,
            _(
                "There are {n} keys at {name}, and nobody can tell which is valid: leave only one.",
                n=len(keys),
                name=name,
            ),
        )
    elif not keys[0]:
        yield False, _("The key at {name} is taken back (“p=” is empty): every signature fails.", name=name)
    elif re.sub(r"\s", "", keys[0]) != public:
        yield (
            False,
            _(
                "The key at {name} is another than this host's: every signature fails. “pbem host dkim” prints the right record.",
                name=name,
            ),
        )
    elif "y" in next(tag.get("t", "") for tag in tags if "p" in tag).split(":"):
        yield (
            False,
            _(
                "The key at {name} is marked as a test (“t=y”): providers behave as if nothing was signed.",
                name=name,
            ),
        )
    else:
        yield True, _("The key at {name} is this host's (DKIM).", name=name)


def _dmarc(look: Look, domain: str, dkim: tuple[str, str, str] | None) -> Iterator[Found]:
    above = ".".join(domain.split(".")[-2:])  # the organisation's domain, where its suffix has one label
    where, policies = domain, list[str]()
    for where in dict.fromkeys((domain, above)):
        policies = [text for text in look(f"_dmarc.{where}", "TXT") if re.match(r"v=DMARC1\s*(;|$)", text)]
        if policies:
            break
    if not policies:
        yield (
            False,
            _(
                "There is no DMARC record at _dmarc.{domain}: large providers ask for one. Begin with “v=DMARC1; p=none”.",
                domain=domain,
            ),
        )
        return
    tags = _tags(policies[0])
    if len(policies) > 1 or tags.get("p", "").lower() not in ("none", "quarantine", "reject"):
        yield (
            False,
            _(
                "The DMARC record at _dmarc.{domain} is faulty: one record, with p=none, p=quarantine or p=reject.",
                domain=where,
            ),
        )
        return
    if dkim is not None and not _is_aligned(domain, dkim[0], strict=tags.get("adkim", "r").lower() == "s"):
        yield (
            False,
            _(
                "Letters from {domain} are signed for {signing}, and DMARC does not count that: sign for {domain}.",
                domain=domain,
                signing=dkim[0],
            ),
        )
        return
    yield (
        True,
        _(
            "_dmarc.{domain} says what becomes of letters that nobody vouches for: {policy} (DMARC).",
            domain=where,
            policy=tags["p"].lower(),
        ),
    )


def _is_aligned(domain: str, signing: str, *, strict: bool) -> bool:
    """Does a signature of one domain count for letters of another?"""
    return domain == signing or (not strict and (domain.endswith(f".{signing}") or signing.endswith(f".{domain}")))


def _mx(look: Look, domain: str) -> Iterator[Found]:
    servers = [record.split()[-1].rstrip(".") for record in look(domain, "MX") if record.split()]
    if servers == [""]:
        yield (
            False,
            _(
                "{domain} says that it accepts no mail (MX “.”). Players cannot write to it, and their "
                "providers do not believe letters from it.",
                domain=domain,
            ),
        )
    elif not servers and not (look(domain, "A") or look(domain, "AAAA")):
        yield (
            False,
            _(
                "{domain} names no server for its mail (MX): players cannot write, and nothing comes back.",
                domain=domain,
            ),
        )
    else:
        yield (
            True,
            _("Mail to {domain} goes to {servers}.", domain=domain, servers=", ".join(sorted(servers)) or domain),
        )


def _tags(text: str) -> dict[str, str]:
    """The tags of a record, as “v=DKIM1; p=…”."""
    pairs = (part.partition("=") for part in text.split(";"))
    return {name.strip().lower(): value.strip() for name, sign, value in pairs if sign}


def dns(seconds: float = 5) -> Look:
    """Return a lookup in the DNS. Raises Unanswered if the library for it is missing."""
    try:
        from dns.exception import DNSException
        from dns.resolver import NXDOMAIN, NoAnswer, resolve
    except ImportError:
        raise Unanswered(_("it needs a library. {how}", how=installing("dkim").rstrip("."))) from None

    def look(name: str, kind: str) -> Sequence[str]:
        try:
            answer = resolve(name, kind, lifetime=seconds)
        except (NXDOMAIN, NoAnswer):
            return []
        except (DNSException, OSError, ValueError) as error:
            raise Unanswered(str(error).rstrip(".")) from error
        if kind == "TXT":
            return [b"".join(record.strings).decode("utf-8", "replace") for record in answer]
        return [record.to_text() for record in answer]

    return look
