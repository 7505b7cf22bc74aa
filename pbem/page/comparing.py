"""Check whether an address serves this release's page: fetch each file, and compare it with the one built here.

“The same” means that every file is equal, byte for byte, and so are its required headers. The check covers only what is served to
it now. A server can serve another page to another visitor, or tomorrow. A strange server is not trusted: no redirects are followed,
each file may take one minute, and no more bytes are read than our file has.
"""

from __future__ import annotations

import http.client
import json
import re
import socket
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from http import HTTPStatus
from threading import Timer
from typing import NamedTuple, NoReturn
from urllib.parse import quote, urlsplit

from pbem.errors import UsageError, WorldError, system_said
from pbem.i18n import _
from pbem.mail.tls import trust
from pbem.records import dataclass
from pbem.reports.policy import BESIDE, POLICY

from .single import NAME, single

SECONDS = 60
"""So long one file is waited for, in all."""
_AT_ONCE = 20
_PIECE = 65_536
_ANY = 47
"""For zlib: gzip or deflate, whichever it is."""
_HEADERS = {"Accept-Encoding": "identity", "Cache-Control": "no-cache"}
_MOST_TOLD = 200_000
_TOLD = "page.json"
_UNSERVED = ("licences/", "file/")
"""What a server may leave out: no page asks for it."""
_STRANGE = ("refresh", "link", "set-cookie", "service-worker-allowed", "x-dns-prefetch-control")
"""What leads a browser elsewhere, or keeps something in it."""
_HARMLESS = {"upgrade-insecure-requests", "report-uri", "report-to"}
_VERSION = re.compile(r"[0-9][0-9A-Za-z.+-]{0,30}")


class PageDifference(NamedTuple):
    """A difference from the release: a path ("" for the page as a whole), and a sentence."""

    path: str
    why: str


class Served(NamedTuple):
    """What a server has answered: what differs as a sentence, "" for nothing; and the headers, by small letters."""

    why: str
    headers: dict[str, str]


@dataclass(frozen=True)
class PageServer:
    """Where a page is said to be. `path` ends with a slash, or is that of the single file."""

    scheme: str
    host: str
    port: int | None
    path: str

    @classmethod
    def at(cls, address: str) -> PageServer:
        """Read an address. Raises UsageError."""
        try:
            parts = urlsplit(address)
            port = parts.port
        except ValueError:
            _no_address(address)
        if (
            parts.scheme not in ("http", "https")
            or not parts.hostname
            or parts.username
            or parts.query
            or parts.fragment
        ):
            _no_address(address)
        path = parts.path.removesuffix("index.html") or "/"
        if not path.endswith(("/", NAME)):
            path += "/"
        return cls(parts.scheme, parts.hostname, port, quote(path, safe="/%~"))

    def line(self) -> http.client.HTTPConnection:
        """Return a connection that is not open yet."""
        if self.scheme == "http":
            return http.client.HTTPConnection(self.host, self.port, timeout=_AT_ONCE)
        return http.client.HTTPSConnection(self.host, self.port, timeout=_AT_ONCE, context=trust())


def _no_address(address: str) -> NoReturn:
    raise UsageError(
        _("“{address}” is not the address of a page; one looks like https://desk.example.org/.", address=address)
    )


def compare(address: str, files: Mapping[str, bytes], seconds: float = SECONDS) -> Iterator[PageDifference]:
    """Go through what an address serves otherwise than the page with these files. `seconds`: how long one may take.

    An address that ends with `pbem.html` is held against the single file. Raises UsageError where it is no address, and WorldError
    where nobody answers there.
    """
    server = PageServer.at(address)
    asking = _Asking(server, seconds)
    if server.path.endswith(NAME):
        yield from _differs(NAME, asking.whether("", single(files)))
        return
    yield from _version(asking, files)
    headers: Counter[str] = Counter()
    for path in ["", *sorted(files)]:
        if path.startswith(_UNSERVED) or path == _TOLD:
            continue
        said = asking.whether(path, files[path or "index.html"])
        yield from _differs(path or "/", said)
        headers.update(_wrong_headers(said.headers) if not said.why else ())
    for why, count in sorted(headers.items()):
        yield PageDifference("", _("{why} (with {count} files)", why=why, count=count))


def _differs(path: str, said: Served) -> Iterator[PageDifference]:
    if said.why:
        yield PageDifference(path, said.why)


def _version(asking: _Asking, files: Mapping[str, bytes]) -> Iterator[PageDifference]:
    """Yield a difference if the page is of another release, which explains its other files."""
    why, data, _headers = asking.ask(_TOLD, _MOST_TOLD)
    try:
        told = str(json.loads(data)["pbem"]) if not why else ""
    except (ValueError, LookupError, TypeError, RecursionError):
        told = "?"
    ours = str(json.loads(files[_TOLD])["pbem"])
    if told != ours and _VERSION.fullmatch(told):
        yield PageDifference(
            _TOLD, _("it says that it is of pbem {told}, and this is pbem {ours}", told=told, ours=ours)
        )
    elif told != ours:
        yield PageDifference(_TOLD, why or _("it does not say which pbem it comes from"))


def _wrong_headers(headers: Mapping[str, str]) -> Iterator[str]:
    """Go through the headers that differ from those that our page needs."""
    wanted, found = _directives(POLICY), _directives(headers.get("content-security-policy", ""))
    if any(found.get(name) != what for name, what in wanted.items()) or found.keys() - wanted.keys() - _HARMLESS:
        yield _("The policy is missing, or is another one: nothing keeps the page from speaking to strangers")
    for name, what in BESIDE.items():
        if headers.get(name.lower(), "").replace(" ", "") != what.replace(" ", ""):
            yield _("The header {name} is missing, or is another one", name=name)
    for name in _STRANGE:
        if name in headers:
            yield _("There is a header that no page of ours has: {name}", name=name)


def _directives(policy: str) -> dict[str, frozenset[str]]:
    parts = (part.split() for part in policy.split(";"))
    return {name: frozenset(what) for name, *what in (part for part in parts if part)}


class _Asking:
    """The requests to one server, each over a line of its own that is cut when its time is over."""

    def __init__(self, server: PageServer, seconds: float) -> None:
        self._server, self._seconds = server, seconds

    def whether(self, path: str, ours: bytes) -> Served:
        """Say whether the server's file is ours."""
        why, data, headers = self.ask(path, len(ours))
        if not why and len(data) > len(ours):
            why = _("it is another file: longer than ours, which has {size} bytes", size=len(ours))
        elif not why and data != ours:
            theirs, known = sha256(data).hexdigest()[:16], sha256(ours).hexdigest()[:16]
            why = _("it is another file: its SHA-256 begins with {theirs}, ours with {ours}", theirs=theirs, ours=known)
        return Served(why, headers)

    def ask(self, path: str, most: int) -> tuple[str, bytes, dict[str, str]]:
        """Request a file; return an error message, at most `most` + 1 bytes of the file, and the headers.

        Raises WorldError if the server does not answer at all.
        """
        line = self._connected()
        late = Timer(self._seconds, _cut, [line.sock])
        late.daemon = True
        late.start()
        try:
            line.request("GET", self._server.path + quote(path, safe="/@"), headers=_HEADERS)
            return _answered(line.getresponse(), most)
        except (OSError, http.client.HTTPException, zlib.error):
            return _("it breaks off, does not come in time, or is not an answer"), b"", {}
        finally:
            late.cancel()
            line.close()

    def _connected(self) -> http.client.HTTPConnection:
        line = self._server.line()
        try:
            line.connect()
        except OSError as error:
            host, why = self._server.host, system_said(error)
            raise WorldError(_("There is no page to compare at {host}: {why}.", host=host, why=why)) from error
        return line


def _cut(line: socket.socket) -> None:
    """Close a connection for good, even if somebody waits for it."""
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)


def _answered(answer: http.client.HTTPResponse, most: int) -> tuple[str, bytes, dict[str, str]]:
    headers = {name.lower(): value for name, value in answer.getheaders()}
    coding = headers.get("content-encoding", "identity").lower()
    if 300 <= answer.status < 400:
        return _("it leads elsewhere, where nobody has looked"), b"", headers
    if answer.status != HTTPStatus.OK:
        return _("it is not served: the answer is {status}", status=answer.status), b"", headers
    if coding not in ("identity", "gzip", "deflate"):
        return _("it comes compressed in a way that was not asked for"), b"", headers
    unpack = None if coding == "identity" else zlib.decompressobj(_ANY)
    data = bytearray()
    while len(data) <= most and (piece := answer.read1(_PIECE)):
        data += unpack.decompress(piece, most + 1 - len(data)) if unpack else piece
    if unpack is None and len(data) <= most and answer.length:
        return _("it breaks off, does not come in time, or is not an answer"), b"", headers
    return "", bytes(data[: most + 1]), headers
