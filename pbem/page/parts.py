"""Other people's parts of the page: fetched by npm and pip, and accepted only with the pinned hash.

`pinned.toml` has the version and hash of each part. No address is stored here: the machine's npm and pip know where packages come
from.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from base64 import b64encode
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from pbem.errors import WorldError

PINNED = Path(__file__).with_name("pinned.toml")


class BuildParts:
    """The archives that lie in `folder`, by name; those that are missing there are fetched when they are asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._pinned = tomllib.loads(PINNED.read_text("utf-8"))

    def npm(self, name: str) -> dict[str, bytes]:
        """Return the files of a package of npm by their paths. Raises WorldError where it is not to be had as pinned."""
        pin = next(one for one in self._pinned["npm"] if one["name"] == name)
        file = self._folder / f"{name.removeprefix('@').replace('/', '-')}-{pin['version']}.tgz"
        if not file.exists():
            run("npm", "pack", "--silent", "--pack-destination", str(self._folder), f"{name}@{pin['version']}")
        data = _checked(file, b64encode(hashlib.sha512(file.read_bytes()).digest()).decode(), pin["sha512"])
        with tarfile.open(fileobj=BytesIO(data)) as packed:
            files = ((one.name, packed.extractfile(one)) for one in packed if one.isfile())
            return {path.partition("/")[2]: file.read() for path, file in files if file}

    def wheels(self) -> Iterator[tuple[str, dict[str, bytes]]]:
        """Go through the wheels of Python with their files by paths. Raises WorldError as `npm`."""
        for pin in self._pinned["wheel"]:
            with zipfile.ZipFile(BytesIO(self._wheel(pin))) as packed:
                yield pin["name"], {one: packed.read(one) for one in packed.namelist() if not one.endswith("/")}

    def versions(self) -> dict[str, str]:
        """Return the names of the pinned parts with their versions."""
        return {one["name"]: one["version"] for one in [*self._pinned["npm"], *self._pinned["wheel"]]}

    @property
    def needless(self) -> tuple[str, ...]:
        """How the paths begin of what no page asks of the standard library."""
        return tuple(self._pinned["python"]["needless"])

    def _wheel(self, pin: Mapping[str, Any]) -> bytes:
        start = f"{pin['name']}-{pin['version']}-"
        file = next(self._folder.glob(f"{start}*.whl"), None)
        if file is None:
            self._download(pin)
            file = next(self._folder.glob(f"{start}*.whl"), None)
        if file is None:
            raise WorldError(f"pip has fetched no wheel whose name begins with {start}.")
        return _checked(file, hashlib.sha256(file.read_bytes()).hexdigest(), pin["sha256"])

    def _download(self, pin: Mapping[str, Any]) -> None:
        python = self._pinned["python"]
        asked = self._folder / f"{pin['name']}.txt"
        asked.write_text(f"{pin['name']}=={pin['version']} --hash=sha256:{pin['sha256']}\n", "utf-8")
        run(
            *(sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps"),
            *("--only-binary", ":all:", "--require-hashes", "-r", str(asked), "-d", str(self._folder)),
            *("--platform", pin.get("platform", python["platform"]), "--python-version", python["version"]),
            *("--implementation", "cp", "--abi", python["abi"]),
        )
        asked.unlink()


def run(*command: str) -> None:
    """Run a program of the machine's. Raises WorldError where it is missing, or fails."""
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)  # noqa: S603  # our own words
    except (OSError, subprocess.TimeoutExpired) as error:
        raise WorldError(f"{command[0]} is needed to build the page, and does not run: {error}") from error
    if done.returncode:
        raise WorldError(f"{' '.join(command)} has failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def _checked(file: Path, found: str, pinned: str) -> bytes:
    if found != pinned:
        raise WorldError(f"{file.name} is not what is pinned: its hash is {found}, and should be {pinned}.")
    return file.read_bytes()
