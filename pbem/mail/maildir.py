"""A folder of messages, as mail servers and mail programs keep it (Maildir): `tmp` while writing, `new`, then `cur`.

A message's file is named after its Message-ID, so a message that is delivered twice is one file, and no name has a colon (Windows).
In an outgoing folder, a file names the owner's address. So two addresses never share one, however a file system changes their
names.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from email.parser import BytesHeaderParser
from email.utils import parseaddr
from hashlib import sha256
from pathlib import Path

from pbem import private
from pbem.errors import NotTaken, WorldError
from pbem.i18n import _

_DRAFT = re.compile(r"[0-9]+-[0-9]+\..*\.[0-9a-f]{8}\.eml$")
"""The name of a message that is being written: process, thread, and the name that it is to have."""


class Maildir:
    """One folder, made when it is not there, unless `make` says no."""

    def __init__(self, path: Path, *, make: bool = True) -> None:
        self.path = path
        try:
            for part in ("tmp", "new", "cur") if make or self.is_there else ():
                private.make_folder(path / part)
        except OSError as error:
            raise WorldError(
                _("The mail folder {path} cannot be used: {why}.", path=path, why=error.strerror)
            ) from error

    @property
    def is_there(self) -> bool:
        """Is there a folder of this kind?"""
        return (self.path / "new").is_dir()

    def deliver(self, raw: bytes, at: int | None = None) -> Path:
        """Put a message into `new`, whole or not at all; return its file.

        `at` sets its time of arrival in seconds; if the message is there already, the earlier time counts.

        Its lines end in LF, as in all such folders: mail programs would display the CR as a character.
        """
        name = _name_of(raw)
        # another program may be delivering the same message
        draft = self.path / "tmp" / f"{os.getpid()}-{threading.get_ident()}.{name}"
        place = self.path / "new" / name
        try:
            with private.opened(draft, "wb") as file:
                file.write(raw.replace(b"\r\n", b"\n"))
                file.flush()
                os.fsync(file.fileno())
            draft.chmod(self._mode())
            with contextlib.suppress(FileNotFoundError):
                at = min(int(place.stat().st_mtime), at or 2**40)
            if at is not None:
                os.utime(draft, (at, at))
            private.move(draft, place)
        except OSError as error:
            raise WorldError(
                _(
                    "The mail {name} could not be written to {path}: {why}.",
                    name=name,
                    path=self.path,
                    why=error.strerror,
                )
            ) from error
        return place

    def sweep(self, before: float) -> int:
        """Throw away what a program of ours began to write before that time (seconds) and never ended; return how many.

        The drafts of others, as of a mail server, are theirs.
        """
        count = 0
        for path in (self.path / "tmp").glob("*.eml"):
            with contextlib.suppress(OSError):
                if _DRAFT.match(path.name) and path.stat().st_mtime < before:
                    path.unlink()
                    count += 1
        return count

    def _mode(self) -> int:
        """A letter is for who owns it; only where others write into this folder, it being shared with them, they read, too."""
        shared = (self.path / "new").stat().st_mode & 0o022
        return 0o600 | shared << 1

    def new(self, most: int = -1) -> Iterator[tuple[Path, bytes, str]]:
        """Go through the messages that nobody has taken yet, as they arrived: file, bytes, and time of arrival.

        The time is that of the file (RFC 3339, UTC, whole seconds): so it is the same when a message is looked at again. Of
        each at most one byte more than `most` is read. Raises WorldError when one cannot be read, after all the others.
        """
        waiting = []
        for path in self.in_new():
            with contextlib.suppress(FileNotFoundError):  # taken by another program meanwhile, here and below
                if path.is_file():
                    waiting.append((path.stat().st_mtime_ns, path))
        failed: list[str] = []
        for arrived, path in sorted(waiting):
            at = datetime.fromtimestamp(arrived // 10**9, UTC)
            try:
                with path.open("rb") as file:
                    raw = file.read(most + 1 if most >= 0 else -1)
            except FileNotFoundError:
                continue
            except OSError as error:
                failed.append(_("The mail {path} cannot be read: {why}.", path=path, why=error.strerror))
                continue
            yield path, raw, at.strftime("%Y-%m-%dT%H:%M:%SZ")
        if failed:
            raise WorldError(" ".join(failed[:3]))

    def in_new(self) -> list[Path]:
        """Return the files in `new`. Raises WorldError if the folder does not exist."""
        if not self.is_there:
            raise WorldError(
                _(
                    "The mail folder {path} is missing. Is its disk mounted, and is its name right? To start "
"with an empty one, create the folder {new}.",
                    path=self.path, new=self.path / "new",
                )
            )  # fmt: skip
        try:
            return list((self.path / "new").iterdir())
        except OSError as error:
            raise WorldError(
                _("The mail folder {path} cannot be used: {why}.", path=self.path, why=error.strerror)
            ) from error

    def done(self, path: Path) -> None:
        """Move a message from `new` to `cur`: it has been taken."""
        with contextlib.suppress(FileNotFoundError):
            path.replace(self.path / "cur" / path.name)


OWNER = "pbem-address"
"""The file in a folder that names the address of its letters."""
_NO_FOLDER = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])", re.IGNORECASE)
"""Names that no file can have under Windows; a folder may be carried there."""


def claim(path: Path, address: str) -> bool:
    """Say that a folder is an address's, if it is nobody's yet; is it the address's now? Raises WorldError."""
    wanted, note = address.lower() + "\n", path / OWNER
    try:
        private.make_folder(path)
        draft = path / f"{OWNER}.{os.getpid()}-{threading.get_ident()}"
        if not note.exists():
            private.write(draft, wanted.encode())
            try:
                if not note.exists():  # another program may be claiming it, for the same letter
                    draft.rename(note)
            finally:
                draft.unlink(missing_ok=True)
        return note.read_text("utf-8") == wanted
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise WorldError(_("The mail folder {path} cannot be used: {why}.", path=path, why=why)) from error


class MaildirCarrier:
    """A carrier that puts letters into a folder of each receiver: `pattern`, where {local} is replaced by the part before the @.

    If that folder is another receiver's, or not a valid name, {local} is the whole address.
    """

    def __init__(self, pattern: str, folder: Path, *, make: bool = True) -> None:
        self.pattern, self.folder, self.make = pattern, folder, make

    def carry(self, sender: str, address: str, raw: bytes) -> None:
        """Lay one letter into its receiver's folder. Raises NotTaken when that cannot be written, WorldError where none can."""
        self._check_place()
        try:
            Maildir(self._claimed(address)).deliver(raw)
        except WorldError as error:
            raise NotTaken(str(error), for_good=False) from error

    def check(self, sender: str) -> str:
        """Look whether folders can be made there; return a sentence. Raises WorldError."""
        self._check_place()
        place = self._place(sender)
        above = next(path for path in (place.parent, *place.parent.parents) if path.exists())
        if not os.access(above, os.W_OK) or not above.is_dir():
            raise WorldError(
                _(
                    "Nothing can be written to {above}, where letters are to go. Change its owner, or the name.",
                    above=above,
                )
            )
        return _("Letters go into folders like {place}.", place=place)

    def _check_place(self) -> None:
        """Check that the folder exists: a letter below the mount point of a missing disk reaches nobody. Raises WorldError."""
        start, several, _rest = self.pattern.partition("{local}")
        place = self.folder / (Path(f"{start}_").parent if several else start)
        if not self.make and not place.is_dir():
            raise WorldError(
                _(
                    "The folder {path} for outgoing letters is missing. Is its disk mounted, and is its name "
                    "right? To start with an empty folder, create it.",
                    path=place,
                )
            )

    def objection(self, sender: str, address: str) -> str:
        """A folder asks for no sender: ""."""
        return ""

    def sweep(self, before: float) -> int:
        """Delete unfinished deliveries begun before that time, in the folders of all receivers; return their number."""
        places = glob.glob(glob.escape(str(self.folder / self.pattern)).replace("{local}", "*"))  # noqa: PTH207 - it may be absolute
        return sum(Maildir(place).sweep(before) for place in map(Path, places) if (place / "tmp").is_dir())

    def close(self) -> None:
        """Nothing stays open."""

    def _place(self, address: str) -> Path:
        """The folder that an address has unless it is another's."""
        local = "".join(c if c.isalnum() or c in "-_" else "_" for c in parseaddr(address)[1].partition("@")[0])
        return self._named(whole_name(address) if _NO_FOLDER.fullmatch(local) else local or "unknown")

    def _claimed(self, address: str) -> Path:
        """The folder that is the address's alone; a pattern without {local} names one for all."""
        place = self._place(address)
        if "{local}" not in self.pattern or claim(place, address):
            return place
        place = self._named(whole_name(address))
        if not claim(place, address):
            raise WorldError(_("The mail folder {path} is another address's.", path=place))
        return place

    def _named(self, name: str) -> Path:
        return self.folder / self.pattern.replace("{local}", name)


def whole_name(address: str) -> str:
    """Return a name for a file that no other address has, in whatever letters: every file system takes it.

    >>> whole_name("Ann/B@example.org")
    'ann%2fb@example.org'
    """
    name = re.sub(r"[^a-z0-9@._+-]", lambda found: f"%{ord(found[0]):02x}", address.lower())
    return name if len(name) <= 200 else f"{name[:180]}.{sha256(name.encode()).hexdigest()[:16]}"


def _name_of(raw: bytes) -> str:
    head = raw.split(b"\n\n", 1)[0].split(b"\r\n\r\n", 1)[0][:16384]
    local = str(BytesHeaderParser().parsebytes(head).get("Message-ID", "")).strip("<> ").partition("@")[0]
    safe = re.sub(r"[^A-Za-z0-9._+-]", "_", local)[:80]
    return f"{safe or 'message'}.{sha256(raw).hexdigest()[:8]}.eml"
