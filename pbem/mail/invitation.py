"""The words below the log lines in an invitation's attachment: the invited seat, and the other players.

They look like words that gateways add there, so every program can read the lines above them. They are not signed: they are as
trustworthy as the text of the invitation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pbem.ledger.line_ends import repaired

from .kinds import is_log
from .mime import take_apart

if TYPE_CHECKING:
    from .incoming import Incoming

_HEAD = "pbem invitation: save this file and type “pbem join FILE”. Let nobody read it: the token opens the seat."
_MOST = 20_000
"""So much of a file's end is looked at."""
_LINE = re.compile(r"(SEAT|TOKEN|HOST|TO|PLAYS) (\S.{0,300})")
_TOKEN = re.compile(r"[0-9a-f]{32}")
_BREAKS = re.compile(r"[\"{}\[\]\x00-\x1f]")
"""What could be taken for a part of the log."""


class InvitationWords(NamedTuple):
    """The receiver's data in an invitation: the seat, its token, the host's address, the player's, and the other seats' players."""

    seat: str
    token: str
    host: str
    to: str
    players: Mapping[str, str] = {}


def invitation_words(invited: InvitationWords) -> bytes:
    """Return the words below the lines of an invitation."""
    plays = (f"PLAYS {seat} {who}" for seat, who in invited.players.items())
    lines = [f"SEAT {invited.seat}", f"TOKEN {invited.token}", f"HOST {invited.host}", f"TO {invited.to}", *plays]
    return "".join(f"{line}\n" for line in (_HEAD, *(_BREAKS.sub("", line) for line in lines))).encode()


def read_invitation(data: bytes) -> InvitationWords | None:
    """Return the content of the words below the lines of a log; None if they are not an invitation's.

    >>> words = invitation_words(InvitationWords("ann", "0" * 32, "club@here", "ann@here", {"bob": "bob@here"}))
    >>> read_invitation(b'{"k":"game"}\\n' + words).players
    {'bob': 'bob@here'}
    """
    text = repaired(data)[0][-_MOST:].decode("utf-8", "replace")
    found = [line for line in map(_LINE.fullmatch, map(str.strip, _below(text))) if line]
    said = {line[1]: line[2].strip() for line in found if line[1] != "PLAYS"}
    if not _TOKEN.fullmatch(said.get("TOKEN", "")) or not said.get("SEAT"):
        return None
    players = dict(line[2].strip().split(" ", 1) for line in found if line[1] == "PLAYS" and " " in line[2].strip())
    return InvitationWords(said["SEAT"], said["TOKEN"], said.get("HOST", ""), said.get("TO", ""), players)


def file_in(raw: bytes) -> bytes:
    """Return the file with log lines that is attached to a mail; b"" without such a file."""
    return next((leaf.content for leaf in take_apart(raw)[1] if is_log(leaf)), b"")


def with_invitation(mail: Incoming, file: bytes) -> Incoming:
    """Return a mail with what its file says of an invitation, where it does not say that itself."""
    if (said := read_invitation(file)) is None or mail.token not in ("", said.token):
        return mail
    mail = replace(mail, token=said.token, players=tuple(said.players.items()))
    # without the head of the host's own letter, who sent it on is not the host
    return mail if mail.seat else replace(mail, seat=said.seat, sender=said.host, to=(said.to,))


def without_invitation(data: bytes) -> bytes:
    """Return the bytes of a log without the words of an invitation below it; all others as they are."""
    lines, head, _words = data.partition(_HEAD.encode())
    return lines if head and lines.endswith(b"\n") and read_invitation(data) else data


def _below(text: str) -> Iterable[str]:
    """The lines behind the last one of a log."""
    lines = text.split("\n")
    last = max((no for no, line in enumerate(lines) if line.startswith(('{"', '["'))), default=-1)
    return lines[last + 1 :]
