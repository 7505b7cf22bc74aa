"""A host's folder: its settings, its key, its store, and the mail folders it reads and writes.

::

    host.toml     who the host is and where mail comes and goes
    key           the host's private key (OpenSSH); all its chains and salts come from it
    pbem.sqlite   everything else
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from email.utils import parseaddr
from pathlib import Path

from pbem.errors import KeyFileError, UsageError
from pbem.ledger import PrivateKey
from pbem.mail import Maildir

from .robot import Robot
from .store import SENT, WAITING, Store

_TOML = """\
# A pbem host. Whoever runs it sees every hand: a third person or a club, never a player.

# The address that players write to.
address = "{address}"

# Reports as HTML beside the text, with the map, and a page for the browser: half a megabyte each.
pictures = {pictures}

[in]
# The folder (Maildir) where mail to the host arrives.
maildir = "{mail}/host"

[out]
# The folder (Maildir) for each player's mail; {{local}} is what stands before the @ of the address.
maildir = "{mail}/{{local}}"
"""


@dataclass(frozen=True, slots=True)
class Config:
    """What stands in `host.toml`. Paths are relative to the host's folder."""

    address: str
    in_maildir: str
    out_maildir: str
    pictures: bool = False

    @classmethod
    def read(cls, path: Path) -> Config:
        """Read the file; UsageError says what is missing or unknown."""
        try:
            data = tomllib.loads(path.read_text("utf-8"))
        except FileNotFoundError as error:
            raise UsageError(
                f"There is no host in {path.parent}. Make one with “pbem host init {path.parent}”."
            ) from error
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"{path} cannot be read: {error}.") from error
        pictures = data.pop("pictures", False) is True
        try:
            config = cls(data.pop("address"), data.pop("in")["maildir"], data.pop("out")["maildir"], pictures)
        except (KeyError, TypeError) as error:
            raise UsageError(
                f"{path} must hold address, [in] maildir and [out] maildir; not found: {error}."
            ) from error
        if data:
            raise UsageError(f"{path} holds what pbem does not know: {', '.join(sorted(data))}.")
        return config


class Office:
    """One host at work."""

    def __init__(self, folder: Path, passphrase: bytes | None = None) -> None:
        self.folder = folder
        self.config = Config.read(folder / "host.toml")
        try:
            key = PrivateKey.load((folder / "key").read_bytes(), passphrase)
        except OSError as error:
            raise KeyFileError(f"The host's key {folder / 'key'} cannot be read: {error.strerror}.") from error
        self.store = Store(folder / "pbem.sqlite")
        self.robot = Robot(self.store, key, self.config.address, pictures=self.config.pictures)
        self.inbox = Maildir(folder / self.config.in_maildir)

    @classmethod
    def create(
        cls,
        folder: Path,
        key: PrivateKey,
        address: str,
        passphrase: bytes | None = None,
        mail: str = "mail",
        pictures: bool = False,
    ) -> Office:
        """Set a host up, its mail folders below `mail`. Raises UsageError where there is one already."""
        if (folder / "host.toml").exists():
            raise UsageError(f"There is a host in {folder} already.")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "key").touch(mode=0o600)
        (folder / "key").write_bytes(key.dump(passphrase))
        (folder / "host.toml").write_text(
            _TOML.format(address=address, mail=mail, pictures=str(pictures).lower()), "utf-8"
        )
        return cls(folder, passphrase)

    def close(self) -> None:
        """Close the store."""
        self.store.db.close()

    def work(self, now: str) -> list[str]:
        """Take all mail that waits, close what is overdue at `now`, send what is to be sent; return what was decided.

        A mail is moved out of the inbox only when its decision is stored, so whatever is cut short is done again, once.
        """
        self.robot.catch_up()
        outcomes = []
        for path, raw, at in self.inbox.new():
            outcomes.append(self.robot.take(raw, at, "maildir"))
            self.inbox.done(path)
        self.robot.tick(now)
        self.send()
        return outcomes

    def send(self) -> int:
        """Deliver the letters of the outbox; return how many. One that was delivered before a crash is the same file."""
        waiting = self.store.rows("select id, address, raw from outbox where sent = ? order by id", WAITING)
        for row in waiting:
            Maildir(self.folder / self._folder_of(row["address"])).deliver(row["raw"])
            self.store.change("outbox", row["id"], sent=SENT)
        return len(waiting)

    def _folder_of(self, address: str) -> str:
        local = "".join(c if c.isalnum() or c in "-_" else "_" for c in parseaddr(address)[1].partition("@")[0])
        return self.config.out_maildir.replace("{local}", local or "unknown")
