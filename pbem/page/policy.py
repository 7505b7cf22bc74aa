"""What a server says of the page's files: nothing comes from elsewhere, nothing goes elsewhere, no text becomes a program.

Python for browsers needs `'wasm-unsafe-eval'`, to compile WebAssembly, and no `'unsafe-eval'`. A worker has the policy that it is
served with, not that of its page: so every file is served with these headers.
"""

from __future__ import annotations

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
POLICY = "; ".join(f"{name} {what}" for name, what in _RULES.items())
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""What stands with every file."""
TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json"}
"""What a server may not know of endings."""
