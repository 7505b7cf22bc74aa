"""What a page of ours may do: nothing comes from elsewhere, nothing goes elsewhere, no text becomes a program.

This is the one place where it is written. A door, `pbem web`, any web server and the single file say it to the browser, each with
what it needs and no more. Python for browsers needs `'wasm-unsafe-eval'`, to compile WebAssembly, and no `'unsafe-eval'`. A worker
has the policy that it is served with, not that of its page, so every file of a page is served with these headers; a worker that a
single file makes of itself has the file's.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256

_RULES = {
    "default-src": "'none'",
    "script-src": "'self' 'wasm-unsafe-eval'",
    "worker-src": "'self'",
    "connect-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "pbem pbem-worker",
}


def rules(**otherwise: str) -> str:
    """Return the policy, with what is said otherwise for a directive (`script_src="'self'"`); "" leaves it to `default-src`."""
    other = {name.replace("_", "-"): what for name, what in otherwise.items()}
    return "; ".join(f"{name} {what}" for name, what in {**_RULES, **other}.items() if what)


@lru_cache(8)
def hashed(text: str) -> str:
    """Return what lets this style or script be taken, and no other."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def of_file(style: str, script: str) -> str:
    """Return the policy of the single file: its own style and script, modules that it makes of itself, and no request at all.

    What only a server can say (`frame-ancestors`) is not in it: the file looks for itself whether it is framed.
    """
    return rules(
        script_src=f"{hashed(script)} blob: 'wasm-unsafe-eval'",
        worker_src="blob:",
        connect_src="",
        style_src=hashed(style),
        img_src="data: blob:",
        font_src="data:",
        manifest_src="",
        frame_ancestors="",
        trusted_types="pbem pbem-worker pbem-file",
    )


def of_sheets(sheets: Iterable[str], script: str = "") -> str:
    """Return the policy of a page that stands by itself, as in a mail: these style sheets and this script, and nothing else.

    So a handler or script that found its way into the page would not be run, and nothing is fetched from anywhere.
    """
    return rules(
        script_src=hashed(script) if script else "",
        worker_src="",
        connect_src="",
        style_src=" ".join(map(hashed, sheets)),
        img_src="",
        font_src="data:",
        manifest_src="",
        frame_ancestors="",
        require_trusted_types_for="",
        trusted_types="",
    )


POLICY = rules()
"""Of the page that runs by itself, in any folder of a web server and at a door."""
ASKING = rules(script_src="'self'", worker_src="", img_src="'self' data:", font_src="'self'", trusted_types="pbem")
"""Of the face that asks a program on this machine: it needs neither a worker nor WebAssembly."""
NOTHING = "default-src 'none'; frame-ancestors 'none'"
"""Of an answer that is no page."""
BESIDE = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""What stands beside the policy, with every answer."""
HEADERS = {"Content-Security-Policy": POLICY, **BESIDE}
"""What stands with every file of the page."""
TYPES = {
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}
"""What a server may not know of endings."""
