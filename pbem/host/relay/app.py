"""A relay's calls as ASGI routes.

A request shows the token of a box. The relay reads no body before it, and no more of a body than a letter may have.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from base64 import b64encode
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from pbem.errors import StoreError
from pbem.i18n import _
from pbem.kernel.digits import whole
from pbem.ledger import sha256_hex
from pbem.mail.relay import (
    CALLS,
    LARGEST_SEALED,
    PROTOCOL,
    SMALLEST_SEALED,
    WAIT,
    Posted,
    is_sealed_length,
)

from ..settings import WebDoor
from .limits import DAY, Counts, RelayLimits, caller
from .store import FILE, FullStore, RelayStore, Room

_TOKEN = re.compile(r"Bearer ([0-9a-f]{64})", re.ASCII)
_ID = re.compile(r"[0-9a-f]{64}", re.ASCII)


class _Refused(Exception):
    """A request that is not done."""

    def __init__(self, status: int, error: str, why: str, **headers: str) -> None:
        self.status, self.error, self.why, self.headers = status, error, why, headers
        super().__init__(error)


Call = Callable[[Request, str], Awaitable[Response]]


class RelayRoutes:
    """The calls of one relay. `clock` gives the seconds since 1970; `proxied`: a proxy names the caller's address."""

    def __init__(
        self, store: RelayStore, limits: RelayLimits, clock: Callable[[], float], report: Callable[[str], None], *, proxied: bool
    ) -> None:  # fmt: skip
        self.store, self.limits, self.clock, self.report, self.proxied = store, limits, clock, report, proxied
        self.counts = Counts()
        self._bells: dict[str, set[asyncio.Event]] = {}
        self._begin_day()

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route(f"/{CALLS}", self._greeting, methods=["GET"]),
            Route(f"/{CALLS}letters", self._asked(self._post), methods=["POST"]),
            Route(f"/{CALLS}letters", self._asked(self._fetch), methods=["GET"]),
            Route(f"/{CALLS}letters/{{id}}", self._asked(self._delete), methods=["DELETE"]),
        ]

    def _asked(self, call: Call) -> Callable[[Request], Awaitable[Response]]:
        """Wrap a call so that every caller gets an answer, also after an error."""

        async def answer(request: Request) -> Response:
            try:
                shown = _TOKEN.fullmatch(request.headers.get("authorization", ""))
                if shown is None:
                    raise _Refused(401, "token", _("The request shows no token of a box."))
                self._begin_day()
                return await call(request, sha256(bytes.fromhex(shown[1])).hexdigest())
            except _Refused as no:
                return _json({"error": no.error, "why": no.why}, no.status, no.headers)
            except FullStore as full:
                why = _("{why} Send the letter by mail or as a file, or try again later.", why=full)
                return _json({"error": "full", "why": why}, 507)
            except ClientDisconnect:
                return Response(status_code=400)  # nobody is there to read it
            except Exception as error:  # noqa: BLE001 - a stranger is told nothing of it
                self.report(str(error) if isinstance(error, StoreError) else type(error).__name__)
                why = _("The relay cannot use its store at present. Try again later, or send the letter by mail.")
                return _json({"error": "store", "why": why}, 500)

        return answer

    async def _greeting(self, request: Request) -> Response:
        room, most = self.store.room, self.limits
        return _json(
            {
                "relay": PROTOCOL,
                "limits": {
                    "letter": LARGEST_SEALED, "letters": room.letters, "box": room.box, "all": room.all, "posts": most.posts,
                    "boxes": most.boxes, "waits": most.waits, "days": most.days,
                },
            }
        )  # fmt: skip

    async def _post(self, request: Request, box: str) -> Response:
        who = caller(request.scope, proxied=self.proxied)
        if self.counts.posts[who] >= self.limits.posts:
            raise self._too_often()
        sealed = await self._body(request)
        is_first = self.store.is_empty(box)
        if is_first and self.counts.boxes[who] >= self.limits.boxes:
            raise self._too_often()
        name, is_new = self.store.post(box, sealed, self.counts.day)
        if is_new:
            self.counts.posts[who] += 1
            self.counts.boxes[who] += is_first
            for bell in self._bells.get(box, ()):
                bell.set()
        return _json(Posted(id=name).model_dump(), 201 if is_new else 200)

    async def _fetch(self, request: Request, box: str) -> Response:
        wait = whole(request.query_params.get("wait", "0"), WAIT)
        if wait is None:
            raise _Refused(400, "form", _("“wait” is a number of seconds, at most {most}.", most=WAIT))
        if wait and self.store.is_empty(box):
            await self._wait(caller(request.scope, proxied=self.proxied), box, wait)
        found, more = self.store.fetch(box)
        return _json(
            {"letters": [{"id": sha256_hex(one), "raw": b64encode(one).decode()} for one in found], "more": more}
        )

    async def _delete(self, request: Request, box: str) -> Response:
        if not _ID.fullmatch(name := str(request.path_params["id"])):
            raise _Refused(400, "form", _("A letter is named by 64 hexadecimal digits."))
        self.store.delete(box, name)
        return Response(status_code=204)

    async def _wait(self, who: str, box: str, seconds: int) -> None:
        """Wait until a letter comes into a box, or the time is over."""
        waits = self.counts.waits
        if waits[who] >= self.limits.waits:
            raise _Refused(
                429, "often", _("Too many requests of your address wait here already."), **{"retry-after": "30"}
            )
        bell = asyncio.Event()
        waits[who] += 1
        self._bells.setdefault(box, set()).add(bell)
        try:
            async with asyncio.timeout(seconds):
                await bell.wait()
        except TimeoutError:
            pass
        finally:
            self._bells[box].discard(bell)
            if not self._bells[box]:
                del self._bells[box]
            waits[who] -= 1
            if not waits[who]:
                del waits[who]

    async def _body(self, request: Request) -> bytes:
        """The body, once it is complete. Raises _Refused if it is too large, too slow, or no sealed letter."""
        large = _Refused(
            413, "large", _("A letter has at most {most} bytes here. Send it by mail or as a file.", most=LARGEST_SEALED),
            connection="close",
        )  # fmt: skip
        if whole(request.headers.get("content-length") or "0", LARGEST_SEALED) is None:
            raise large
        parts, size = [], 0
        try:
            async with asyncio.timeout(self.limits.longest):
                async for part in request.stream():
                    size += len(part)
                    if size > LARGEST_SEALED:
                        raise large
                    parts.append(part)
        except TimeoutError:
            raise _Refused(408, "slow", _("The letter took too long to arrive."), connection="close") from None
        if not is_sealed_length(size):
            raise _Refused(
                400, "form", _("A sealed letter has another length, and {n} bytes at least.", n=SMALLEST_SEALED)
            )
        return b"".join(parts)

    def _too_often(self) -> _Refused:
        left = str(int(DAY - self.clock() % DAY) + 1)
        why = _("Too many letters have come from your address today. Send this one by mail, or try again tomorrow.")
        return _Refused(429, "often", why, **{"retry-after": left})

    def _begin_day(self) -> None:
        """With a new day counting begins again, and old letters are forgotten."""
        if self.counts.began(int(self.clock() // DAY)):
            self.store.forget(self.counts.day - self.limits.days)


def beside_door(folder: Path, report: Callable[[str], None], settings: WebDoor) -> list[BaseRoute]:
    """Return the routes of a relay, if a host's door is to be one, too; its file is in the host's folder."""
    if not settings.relay:
        return []
    store, limits = RelayStore(folder / FILE, Room()), RelayLimits(longest=settings.longest)
    return RelayRoutes(store, limits, time.time, report, proxied=settings.proxied).routes()


def _json(told: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(json.dumps(told, ensure_ascii=False), status, headers or {}, media_type="application/json")
