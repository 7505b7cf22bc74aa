"""The commands page …: what others serve as the page held against this release's, and the page as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem import __version__
from pbem.errors import WorldError, system_said
from pbem.i18n import _

from . import screen

Folder = Annotated[
    Path | None,
    typer.Option("--page", metavar="FOLDER", help="The page of another release, in that folder (default: this one's)."),
]
_MOST = 20
"""The maximum number of differences listed one by one."""


def check(
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="Of the page, or a file pbem.html on this machine.")
    ],
    page: Folder = None,
) -> None:
    """Compare the page that an address serves with this release's, file by file.

    It checks only the page that it gets itself, here and now. Another visitor may get a different page, and so may you tomorrow.
    """
    from pbem.page.comparing import PageDifference, compare
    from pbem.page.single import NAME, single

    files = _files(page)
    if Path(address).is_file():
        same = _bytes(Path(address)) == single(files)
        found = [] if same else [PageDifference(NAME, _("it is another file than the one that this release makes"))]
    else:
        found = list(compare(address, files))
    for path, why in found[:_MOST]:
        screen.say(f"{path}: {why}." if path else f"{why}.")
    if found[_MOST:]:
        screen.say(_("And {count} more.", count=len(found) - _MOST))
    if found:
        screen.say(_("{address} is not the page of pbem {version}.", address=address, version=__version__))
        raise typer.Exit(1)
    screen.say(_("{address} is the page of pbem {version}, byte for byte.", address=address, version=__version__))
    if not Path(address).is_file():
        screen.say(
            _(
                "So it was served to this program, now. Another visitor may be served another page, and so may you tomorrow."
            )
        )


def file(
    out: Annotated[Path, typer.Argument(metavar="FILE", help="Where it is written.")] = Path("pbem.html"),
    page: Folder = None,
) -> None:
    """Write the page as one file, that a browser opens from a disk."""
    from pbem.page.single import single

    made = single(_files(page))
    try:
        out.write_bytes(made)
    except OSError as error:
        raise WorldError(_("{file} cannot be written: {why}.", file=out, why=system_said(error))) from error
    screen.say(_("Written to {file}. Open it in a browser; nothing else is needed.", file=out))


def _files(page: Path | None) -> dict[str, bytes]:
    from pbem.page.single import BUILT, read

    return read(page or BUILT)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise WorldError(_("{file} cannot be read: {why}.", file=path, why=system_said(error))) from error
