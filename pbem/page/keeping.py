"""A whole desk in one file, as a backup or for another machine: key, copies, letters, notes, solo games.

It decides which files belong to a desk. From a saved desk it accepts only a desk's own kinds of files, and of the settings only
address and language. Otherwise a desk sent by somebody could run commands here, as settings may to get a password.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from pbem import private
from pbem.errors import UsageError
from pbem.i18n import _
from pbem.player import PlayerSettings

NAME = "pbem-desk.zip"
NOTED = "saved"
MOST = 64_000_000
"""The maximum size of a saved desk in bytes, unpacked."""
_OURS = re.compile(
    r"key(\.pub|\.before(\.[0-9]{1,4})?)?|recovery\.pub|recovered\.json|settings\.json|mailbox\.json"
    r"|(games|out|sent|signed|given|replaced|asking|alone|notes)/[A-Za-z0-9][A-Za-z0-9@._+-]{0,200}"
)
_NO_DATE = (1980, 1, 1, 0, 0, 0)


def saved(home: Path) -> bytes:
    """Return the desk in a folder as a zip. The key is copied as it is, under its passphrase if it has one.

    Raises UsageError if the desk is larger than `restore` would accept.
    """
    if sum((home / name).stat().st_size for name in _names(home)) > MOST:
        raise UsageError(
            _("The desk is larger than {most} million bytes: copy its folder, {home}.", most=MOST // 10**6, home=home)
        )
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in _names(home):
            archive.writestr(zipfile.ZipInfo(name, _NO_DATE), (home / name).read_bytes(), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _names(home: Path) -> Iterator[str]:
    found = (path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file() and not path.is_symlink())
    yield from sorted(name for name in found if _OURS.fullmatch(name) and not name.endswith(private.PART))


def restore(home: Path, data: bytes) -> None:
    """Copy the desk in a zip into a folder without a key; existing files stay as they are. Raises UsageError.

    The key comes last, so you can repeat a restore that was interrupted.
    """
    if (home / "key").exists():
        raise UsageError(_("This desk already has a key: a saved desk can be loaded only where there is no key."))
    files = _read(data)
    if "key" not in files or "settings.json" not in files:
        raise UsageError(_("This file does not contain a saved desk: it has no key, or no settings."))
    said = PlayerSettings.parse(files.pop("settings.json"), home / "settings.json")
    for name in sorted(files, key=lambda name: (name == "key", name)):
        if name == "key":
            PlayerSettings(said.address, language=said.language).write(home / "settings.json")
        if not (home / name).exists():
            private.make_folder((home / name).parent)
            private.put(home / name, files[name])


def _read(data: bytes) -> dict[str, bytes]:
    """Return the files of a desk in a zip, without trusting the zip's own list of sizes."""
    files, room = dict[str, bytes](), MOST
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            for one in archive.infolist():
                if _OURS.fullmatch(one.filename):
                    with archive.open(one) as file:
                        files[one.filename] = file.read(room + 1)
                    room -= len(files[one.filename])
                if room < 0:
                    raise UsageError(_("The file contains more than a desk does."))
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise UsageError(_("The file is not a saved desk: {why}.", why=error)) from error
    return files


def note(home: Path, key_line: str) -> None:
    """Note that the desk with this key was saved; the note stays here."""
    private.put(home / NOTED, f"{key_line}\n".encode())


def is_noted(home: Path, key_line: str) -> bool:
    """Was the desk saved since it has this key?"""
    place = home / NOTED
    return place.is_file() and place.read_text("utf-8", "replace").strip() == key_line
