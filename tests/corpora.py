"""Fetch mail that others have collected, for the tests that read it: nasty messages, bounces of many mail servers, and replies as
twenty mail programs have written them.

    python tests/corpora.py

They come from Debian's package of Python's own tests and from the sources of flufl.bounce and talon, through apt-get and pip, into
`.cache/mail/`. They are other people's, so they are not kept with pbem; where they cannot be fetched the tests that need them
are skipped. What is there already is not fetched again.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CACHE = Path(__file__).resolve().parents[1] / ".cache" / "mail"
DEBIAN, SOURCE = "libpython3.11-testsuite", "flufl.bounce==6.0.0"
REPLIES, SAID = "talon==1.4.4", ("Hello", "Hi. I am fine.\n\nThanks,\nAlex")
"""Replies to a letter, as programs have written them; and what each says: the first in mails, the second in pages."""


def messages(name: str) -> list[Path]:
    """Return the files of a corpus, `python`, `bounces` or `replies`; none where it was not fetched."""
    return sorted(path for path in (CACHE / name).glob("*") if path.is_file())


@contextmanager
def _filling(name: str) -> Iterator[tuple[Path, Path]]:
    """A place to work in, and the folder of a corpus to fill, which is there whole or not at all."""
    with tempfile.TemporaryDirectory() as scratch:
        work, made = Path(scratch, "work"), Path(scratch, "made")
        work.mkdir()
        made.mkdir()
        yield work, made
        if any(made.iterdir()):
            CACHE.mkdir(parents=True, exist_ok=True)
            shutil.move(made, CACHE / name)


def _run(*command: str, cwd: Path) -> None:
    subprocess.run(command, cwd=cwd, check=True, capture_output=True, timeout=120)


def fetch_python() -> None:
    """Fetch the messages that Python's package `email` is tested with."""
    with _filling("python") as (work, made):
        _run("apt-get", "download", DEBIAN, cwd=work)
        (package,) = work.glob("*.deb")
        _run("dpkg-deb", "-x", package.name, "unpacked", cwd=work)
        for path in (work / "unpacked").glob("usr/lib/python3*/test/test_email/data/*"):
            if path.is_file() and path.suffix != ".py":
                shutil.copy(path, made / path.name)


def fetch_bounces() -> None:
    """Fetch the bounces that flufl.bounce is tested with."""
    with _filling("bounces") as (work, made):
        _run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", SOURCE, cwd=work)
        (archive,) = work.glob("*.tar.gz")
        with tarfile.open(archive) as packed:
            for member in packed:
                place, content = Path(member.name), packed.extractfile(member) if member.isfile() else None
                if content and place.parts[-3:-1] == ("tests", "data") and place.suffix != ".py":
                    (made / place.name).write_bytes(content.read())


def fetch_replies() -> None:
    """Fetch the replies that talon is tested with."""
    with _filling("replies") as (work, made):
        _run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "talon", REPLIES, cwd=work)
        (archive,) = work.glob("*.tar.gz")
        with tarfile.open(archive) as packed:
            for member in packed:
                place, content = Path(member.name), packed.extractfile(member) if member.isfile() else None
                if (
                    content
                    and place.parts[-2] in ("standard_replies", "html_replies")
                    and place.suffix in (".eml", ".html")
                ):
                    (made / place.name).write_bytes(content.read())


def main() -> int:
    """Fetch what is missing; say what could not be had, and return how many."""
    missing = 0
    for name, fetch in (("python", fetch_python), ("bounces", fetch_bounces), ("replies", fetch_replies)):
        if not messages(name):
            try:
                fetch()
            except (OSError, subprocess.SubprocessError, ValueError, tarfile.TarError) as error:
                print(f"The messages “{name}” could not be fetched: {error}", file=sys.stderr)
                missing += 1
        print(f"{name}: {len(messages(name))} messages")
    return missing


if __name__ == "__main__":
    sys.exit(main())
