"""What a release has, tried as a visitor does: `python -m tests.downloads DIST`, the folder that `make dist` leaves.

The checksums are right. pipx installs the wheel; then `pbem demo`, `pbem audit` and `pbem web` work in an empty folder
and an empty home. (`tests/page/single_file.mjs` opens `pbem.html` in a browser.)
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

CONSTRAINTS = Path(__file__).parent.parent / "constraints.txt"


def summed(dist: Path) -> list[str]:
    """The names of the files whose checksums stand in SHA256SUMS, each right."""
    names = []
    for line in (dist / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((dist / name).read_bytes()).hexdigest() == digest, name
        names.append(name)
    assert {path.name for path in dist.iterdir()} == {*names, "SHA256SUMS"} | {
        path.name for path in dist.glob("SHA256SUMS.sig")
    }
    return names


def install(wheel: Path, place: Path) -> dict[str, str]:
    """Install a wheel by pipx, into a home of its own; return the environment in which it is a command."""
    home = place / "home"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "LANG", "LC_"))}
    env = kept | {
        "HOME": str(home),
        "PATH": f"{home}/.local/bin:/usr/local/bin:/usr/bin:/bin",
        "PIP_CONSTRAINT": str(CONSTRAINTS),
    }
    subprocess.run([sys.executable, "-m", "venv", str(place / "pipx")], check=True)
    python = place / "pipx" / "bin" / "python"
    subprocess.run([str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check", "pipx"], check=True)
    subprocess.run([str(python), "-m", "pipx", "install", "--python", sys.executable, str(wheel)], env=env, check=True)
    return env


def web_answers(env: dict[str, str], folder: Path) -> str:
    """What “pbem web” serves first."""
    with subprocess.Popen(
        ["pbem", "web", "--no-open"], cwd=folder, env=env, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        address = next(word for line in running.stdout for word in line.split() if word.startswith("http://"))
        with urllib.request.urlopen(address, timeout=60) as answer:  # noqa: S310 - our own, on this machine
            page: str = answer.read().decode()
        running.send_signal(signal.SIGINT)
    return page


def tried(dist: Path) -> None:
    """Try what lies in a folder that `make dist` has made. Raises AssertionError or CalledProcessError."""
    names = summed(dist)
    (wheel,) = (name for name in names if name.endswith(".whl"))
    assert set(names) == {"pbem.html", wheel}
    with tempfile.TemporaryDirectory() as scratch:
        env = install(dist / wheel, Path(scratch))
        folder = Path(scratch) / "empty"
        folder.mkdir()

        def pbem(*words: str) -> str:
            done = subprocess.run(
                ["pbem", *words], cwd=folder, env=env, stdout=subprocess.PIPE, text=True, check=True, timeout=300
            )
            return done.stdout

        assert "Play now" in pbem()
        assert "What to do next" in pbem("demo", "--game", "lords")
        assert "clean" in pbem("audit", "demo/game.pbem")
        assert "<title>pbem</title>" in web_answers(env, folder)
    print(f"   {wheel}: pipx installs it, and it plays in an empty home")


if __name__ == "__main__":
    tried(Path(sys.argv[1]))
