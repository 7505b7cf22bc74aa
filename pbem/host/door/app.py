"""The host's web address as an ASGI application: its calls, the check of the caller, and the headers of every answer.

It believes nothing before `hearing` has checked it. It reads no body of an unknown caller, and no more of a body than a mail may
have. It uses no cookies and no redirects, and serves no other origins (CORS). Apart from the calls, it shows the files of one
folder.
"""

from __future__ import annotations

import asyncio
import json
import mimetypes
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbem.kernel.digits import whole
from pbem.ledger import sha256_hex
from pbem.mail.door import CALLS, SIGNED_HEADER, Greeting
from pbem.mail.incoming import MAX_RAW
from pbem.reports.policy import BESIDE, NOTHING, POLICY, TYPES

from ..settings import WebDoor
from .calls import Calls
from .hearing import Caller, Turned, turned
from .shown import Shown

_MOST_SINCE = 10**9
_EVERYWHERE = {name.lower(): what for name, what in BESIDE.items()}
_OF_CALLS = {"cache-control": "no-store", "content-security-policy": NOTHING}
_OF_PAGES = {"cache-control": "no-cache", "content-security-policy": POLICY}
"""A page that a door serves speaks to that door alone, and nothing in it comes from elsewhere."""

Call = Callable[[Request, Caller, bytes], Awaitable[Response]]


class CallRoutes:
    """The calls of one door as routes."""

    def __init__(self, calls: Calls, shown: Shown, settings: WebDoor) -> None:
        self.calls, self.shown, self.settings = calls, shown, settings
        parts = urlsplit(settings.address)
        self._origin = f"{parts.scheme}://{parts.netloc}"

    def routes(self) -> list[BaseRoute]:
        """Return the routes of the calls."""
        return [
            Route(f"/{CALLS}greeting", self._greeting, methods=["GET"]),
            Route(f"/{CALLS}health", self._seen(self._health), methods=["GET"]),
            Route(f"/{CALLS}letters", self._heard(self._fetch), methods=["GET"]),
            Route(f"/{CALLS}letters", self._heard(self._bring), methods=["POST"]),
            Route(f"/{CALLS}events", self._heard(self._events), methods=["GET"]),
            Route(f"/{CALLS}standings", self._seen(self._standings), methods=["GET"]),
            Route(f"/{CALLS}club", self._seen(self._club), methods=["POST"]),
            *([] if self.settings.watch == "nothing" else self._for_everybody()),
        ]

    def _for_everybody(self) -> list[BaseRoute]:
        return [
            Route(f"/{CALLS}shown", self._seen(self._games), methods=["GET"]),
            Route(f"/{CALLS}shown/{{game}}", self._seen(self._log), methods=["GET"]),
        ]

    def _seen(self, call: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """Wrap a call so that every caller gets an answer, also after an error."""

        async def answer(request: Request) -> Response:
            try:
                return await call(request)
            except Turned as error:
                return self._turned(error)
            except ClientDisconnect:
                return Response(status_code=400)  # nobody is there to read it
            except Exception as error:  # noqa: BLE001 - a stranger is told nothing of it
                return self._stumbled(error)

        return answer

    def _heard(self, call: Call) -> Callable[[Request], Awaitable[Response]]:
        """Let only those be answered who are heard."""

        async def answer(request: Request) -> Response:
            try:
                self._check_origin(request)
                brings = request.method == "POST"
                header, target = request.headers.get(SIGNED_HEADER, ""), self._target(request)
                who, knock = self.calls.hearing.hear(header, request.method, target, brings=brings)
                body = await self._body(request) if brings else b""
                who.check_body(body, knock.body)
                return await call(request, who, body)
            except Turned as error:
                return self._turned(error)
            except ClientDisconnect:
                return Response(status_code=400)  # nobody is there to read it
            except Exception as error:  # noqa: BLE001 - a stranger is told nothing of it
                return self._stumbled(error)

        return answer

    def _target(self, request: Request) -> str:
        """The request target relative to the web address, whether or not the proxy passes on that address's path."""
        query = request.scope["query_string"].decode("ascii", "replace")
        path = request.scope["path"].lstrip("/")
        return f"{path}?{query}" if query else path

    def _check_origin(self, request: Request) -> None:
        origin = request.headers.get("origin")
        if origin is not None and origin != self._origin:
            raise turned("origin")

    async def _body(self, request: Request) -> bytes:
        """The body, once it is complete. Raises Turned if it is too large or too slow."""
        if whole(request.headers.get("content-length") or "0", MAX_RAW) is None:
            raise turned("large", most=MAX_RAW)
        parts, size = [], 0
        try:
            async with asyncio.timeout(self.settings.longest):
                async for part in request.stream():
                    size += len(part)
                    if size > MAX_RAW:
                        raise turned("large", most=MAX_RAW)
                    parts.append(part)
        except TimeoutError:
            raise turned("slow") from None
        return b"".join(parts)

    async def _greeting(self, request: Request) -> Response:
        hearing = self.calls.hearing
        now = hearing.now()
        told = Greeting(host=hearing.host, address=self.settings.address, time=now, opened=hearing.opened)
        return _json(told.model_dump_json())

    async def _health(self, request: Request) -> Response:
        well = self.calls.is_well()
        return _json(json.dumps({"well": well}), 200 if well else 503)

    async def _games(self, request: Request) -> Response:
        return _json((await self.shown.games()).model_dump_json())

    async def _standings(self, request: Request) -> Response:
        return Response(await self.shown.standings(), headers=_OF_CALLS, media_type="application/json")

    async def _log(self, request: Request) -> Response:
        game = str(request.path_params["game"])
        named = {"content-disposition": f"attachment; filename={game[:16]}.pbem"}
        return Response(await self.shown.log(game), headers=named, media_type="application/octet-stream")

    async def _fetch(self, request: Request, who: Caller, body: bytes) -> Response:
        return _json(self.calls.fetch(who, _since(request)).model_dump_json())

    async def _bring(self, request: Request, who: Caller, body: bytes) -> Response:
        since = _since(request)
        return _json((await self.calls.bring(who, as_mail(body), since)).model_dump_json())

    async def _club(self, request: Request) -> Response:
        self._check_origin(request)
        header, target = request.headers.get(SIGNED_HEADER, ""), self._target(request)
        knock = self.calls.hearing.hear_for_club(header, request.method, target)
        body = await self._body(request)
        if sha256_hex(body) != knock.body:
            raise turned("body")
        return _json((await self.calls.ask_club(knock.key, body)).model_dump_json())

    async def _events(self, request: Request, who: Caller, body: bytes) -> Response:
        async def told() -> AsyncIterator[bytes]:
            async for number in self.calls.numbers(who):
                yield b":\n\n" if number is None else b"data: %d\n\n" % number

        return StreamingResponse(told(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    def _stumbled(self, error: Exception) -> Response:
        self.calls.report(f"{type(error).__name__}: {error}")
        return self._turned(turned("store"))

    def _turned(self, error: Turned) -> Response:
        now = self.calls.hearing.now()
        told = {"error": error.error, "why": error.why, "time": now, "opened": self.calls.hearing.opened}
        close = {"connection": "close"} if error.error in ("large", "slow") else {}
        return _json(json.dumps(told, ensure_ascii=False), error.status, close)


def as_mail(body: bytes) -> bytes:
    """Return a letter that was brought: the very bytes, or, where a signed block came alone, the block as the text of a mail."""
    if body.lstrip()[:5].upper() == b"BEGIN":
        return b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + body
    return body


def _since(request: Request) -> int:
    said = request.query_params.get("since", "0")
    if (since := whole(said, _MOST_SINCE - 1)) is None:
        raise turned("form")
    return since


def _json(text: str, status: int = 200, more: dict[str, str] | None = None) -> Response:
    return Response(text, status, {**(more or {})}, media_type="application/json")


class WithHeaders:
    """An application that adds headers to every answer, to keep the page to itself. A proxy's base is removed from the path."""

    def __init__(self, app: ASGIApp, base: str, *, secure: bool) -> None:
        self.app, self.base = app, base
        self._secure = {"strict-transport-security": "max-age=31536000"} if secure else {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and self.base != "/" and scope["path"].startswith(self.base):
            path = scope["path"][len(self.base) - 1 :]
            scope = {**scope, "path": path, "raw_path": path.encode()}
        headers = {**_EVERYWHERE, **self._secure}
        headers |= _OF_CALLS if scope.get("path", "").startswith((f"/{CALLS}", "/relay/")) else _OF_PAGES

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *((k.encode(), v.encode()) for k, v in headers.items())]
            await send(message)

        await self.app(scope, receive, with_headers)


async def _no(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _json(json.dumps({"error": "call", "why": ""}), status)


def app(routes: Sequence[BaseRoute], address: str, page: str = "") -> ASGIApp:
    """Return an application at an address: its routes, and the files of a folder; "" for none."""
    for ending, kind in TYPES.items():
        mimetypes.add_type(kind, ending)
    files = [Mount("/", StaticFiles(directory=page, html=True))] if page else []
    inner = Starlette(routes=[*routes, *files], exception_handlers={HTTPException: _no})
    inner.router.redirect_slashes = False
    base = urlsplit(address)
    return WithHeaders(inner, base.path, secure=base.scheme == "https")
