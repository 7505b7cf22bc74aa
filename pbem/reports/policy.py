"""The permissions of our pages: nothing comes from elsewhere, nothing is sent elsewhere, no text becomes a program.

This is the only place that defines them. A host's web address, `pbem web`, any web server and the single file send them to the
browser, each with only what it needs. Python in browsers needs `'wasm-unsafe-eval'`, to compile WebAssembly, but no
`'unsafe-eval'`. A worker has the policy of its own file, not of its page, so every file of a page is served with these headers. A
worker that a single file creates has the file's policy.
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
    """Return the policy with other values for some directives (`script_src="'self'"`); "" leaves a directive to `default-src`."""
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
    """Return the policy of a standalone page, as in a mail: only these style sheets and this script.

    An injected handler or script would not run, and nothing is fetched from anywhere.
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
"""For answers other than pages."""
BESIDE = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Further headers sent with every answer."""
HEADERS = {"Content-Security-Policy": POLICY, **BESIDE}
"""The headers sent with every file of the page."""
TYPES = {
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}
"""What a server may not know of endings."""
