"""What mail takes of other packages besides their public names: where a new version calls it otherwise, this fails."""

from __future__ import annotations

import imaplib
import smtplib
import socket
from collections.abc import Callable

import pytest
from imap_tools.mailbox import BaseMailBox


class _CalledError(Exception):
    """Our own way was taken."""


def _ours(*_given: object, **_more: object) -> socket.socket:
    raise _CalledError


@pytest.mark.parametrize(
    ("library", "hook", "use"),
    [
        (imaplib.IMAP4, "_create_socket", lambda: imaplib.IMAP4("localhost", 1, timeout=1)),
        (smtplib.SMTP, "_get_socket", lambda: smtplib.SMTP("localhost", 1, timeout=1)),
        (BaseMailBox, "_get_mailbox_client", BaseMailBox),
    ],
    ids=["imaplib", "smtplib", "imap_tools"],
)
def test_a_connection_is_made_where_we_go_in(
    library: type, hook: str, use: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hook in vars(library)
    monkeypatch.setattr(library, hook, _ours)
    with pytest.raises(_CalledError):
        use()


@pytest.mark.parametrize("name", ["send", "readline", "socket"])
def test_what_idle_is_spoken_by_is_public(name: str) -> None:
    assert callable(getattr(imaplib.IMAP4, name))
