"""The password of a mail account: from a file, the environment, the system's keyring, or a command that prints it.

This module decides how a secret is stored and fetched, and how it is removed from a server's messages. Settings, our own messages
and exceptions never contain a secret. A command's output is not repeated, not even if the command fails.
"""

from __future__ import annotations

import importlib
import os
import re
import shlex
import subprocess
from base64 import b64encode
from pathlib import Path
from typing import Any

from pbem.errors import UsageError, WorldError
from pbem.i18n import _

SERVICE = "pbem"
"""The name of the passwords in the system's keyring."""
_PATIENCE = 120
"""The maximum time of a command in seconds: it may ask its owner something."""
_SHORT = 4


def from_file(path: Path, user: str) -> str:
    """Return the first line of a file. Raises UsageError."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise UsageError(_("The password file {path} cannot be read: {why}.", path=path, why=why)) from None
    if not lines or not lines[0]:
        raise UsageError(
            _(
                "The password file {path} is empty. Its first line must be the password of {user}.",
                path=path,
                user=user,
            )
        )
    return lines[0]


def from_environment(name: str, user: str) -> str:
    """Return the value of a variable. Raises UsageError."""
    if not (found := os.environ.get(name, "")):
        raise UsageError(
            _(
                "The environment variable {password_env} is not set. It must contain the password of {user}.",
                password_env=name,
                user=user,
            )
        )
    return found


def from_command(command: str, user: str) -> str:
    """Return the first line that a command prints; it may ask at the terminal. Raises UsageError."""
    try:
        done = subprocess.run(  # noqa: S603 - the player's own settings name it
            shlex.split(command, posix=os.name == "posix"), stdout=subprocess.PIPE, timeout=_PATIENCE, check=False
        )
        said = done.stdout.decode("utf-8").splitlines()
        why = _("it ended with code {code}", code=done.returncode) if done.returncode else ""
    except UnicodeDecodeError:
        said, why = [], _("it is not text")
    except subprocess.TimeoutExpired:
        said, why = [], _("it took longer than {seconds} seconds", seconds=_PATIENCE)
    except (OSError, ValueError, IndexError) as error:
        said, why = [], str(getattr(error, "strerror", "") or error)
    if not why and (not said or not said[0].strip()):
        why = _("it printed nothing")
    if why:
        raise UsageError(
            _(
                "The command “{command}” gave no password for {user}: {why}. Its first line must be the "
                "password or the token.",
                command=command,
                user=user,
                why=why,
            )
        )
    return said[0].strip()


def from_keyring(service: str, user: str) -> str:
    """Return the password in the system's keyring. Raises UsageError if there is none."""
    ring = _keyring()
    try:
        found = ring.get_password(service, user) if ring is not None else None
    except Exception as error:  # noqa: BLE001 - each keyring has errors of its own, and their texts are nobody's to read
        raise WorldError(
            _(
                "The system's keyring does not open ({kind}). Unlock it, or let “pbem setup” keep the password otherwise.",
                kind=type(error).__name__,
            )
        ) from None
    if not found:
        raise UsageError(
            _("The system's keyring has no password for {user}. “pbem setup” asks for it again.", user=user)
        )
    return str(found)


def keep_in_keyring(service: str, user: str, secret: str) -> bool:
    """Lay a secret into the system's keyring; was there one that took it, and gives it back?"""
    ring = _keyring()
    if ring is None:
        return False
    try:
        ring.set_password(service, user, secret)
        return bool(ring.get_password(service, user) == secret)
    except Exception:  # noqa: BLE001 - as above: there is none that can be used
        return False


def _keyring() -> Any:
    """The package keyring, or None where it is not installed."""
    try:
        return importlib.import_module("keyring")
    except ImportError:
        return None


def bearer(user: str, token: str) -> bytes:
    """Return what XOAUTH2 says to a server.

    >>> bearer("ann@example.org", "t0ken")
    b'user=ann@example.org\\x01auth=Bearer t0ken\\x01\\x01'
    """
    return f"user={user}\x01auth=Bearer {token}\x01\x01".encode()


def struck(text: str, secret: str) -> str:
    """Remove a secret from a text: plain, between quotes of IMAP, or in the base64 of a login.

    >>> struck("535 no: AGFubgBvcGVuc2VzYW1l, opensesame", "opensesame")
    '535 no: …, …'
    """
    if not secret:
        return text
    forms = {secret, secret.replace("\\", "\\\\").replace('"', '\\"'), " ".join(secret.split())}
    for form in sorted(filter(None, forms), key=len, reverse=True):
        text = text.replace(form, "…")
    for before in range(3):  # a login puts something before it, so base64 has it in three ways
        whole = b64encode(b"\0" * before + secret.encode()).decode()
        core = whole[(0, 2, 3)[before] : len(whole) - (0, 3, 2)[(before + len(secret.encode())) % 3]]
        if len(core) >= _SHORT:
            text = re.sub(rf"[A-Za-z0-9+/]*{re.escape(core)}[A-Za-z0-9+/]*=*", "…", text)
    return text
