"""The program needs nothing that Windows lacks: neither modules nor signals, nor names of files, nor renaming what is open.

It is run here with all that taken away. What Windows itself does cannot be tried on another system.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

LIKE_WINDOWS = r"""
import os, re, signal, sys
from pathlib import Path

folder = sys.argv[1]
for name in ("fcntl", "pwd", "grp", "termios", "tty", "pty", "resource", "readline", "syslog", "curses"):
    sys.modules[name] = None
for name in ("SIGHUP", "SIGUSR1", "SIGUSR2", "SIGALRM"):
    delattr(signal, name)
for name in ("getuid", "geteuid", "mkfifo", "chown", "fork", "EX_NOUSER", "EX_DATAERR", "EX_NOHOST"):
    delattr(os, name)
REFUSED = re.compile(r'[<>:"|?*\\\x00-\x1f]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)', re.IGNORECASE)

def below(path):
    return isinstance(path, (str, os.PathLike)) and os.fspath(path).startswith(folder)

def is_open(path):
    for fd in os.listdir("/proc/self/fd"):
        try:
            if os.readlink("/proc/self/fd/" + fd) == os.path.abspath(path):
                return True
        except OSError:
            pass
    return False

def watch(event, args):
    if event in ("open", "os.mkdir", "os.rename", "os.link", "os.symlink"):
        for path in filter(below, args[:2]):
            for part in Path(os.path.normpath(path)).relative_to(folder).parts:
                if REFUSED.search(part):
                    raise OSError(22, "Windows has no such name", part)
    if event in ("os.rename", "os.remove"):
        for path in filter(below, args[:2]):
            if is_open(path):
                raise PermissionError(13, "it is open", path)

sys.addaudithook(watch)
exec(sys.argv[2])
"""

PLAYS = """
from pbem.cli import main
def run(*words):
    sys.argv = ["pbem", *words]
    try:
        main()
    except SystemExit as end:
        assert not end.code, words
run("demo", "--game", "tiny", "--seed", "5", "--out", folder + "/demo")
run("key", "--home", folder + "/eve", "--address", "eve@example.org", "--smtp", "smtp.example.org")
run("time", "-h")
import pbem.host, pbem.player, pbem.mail.imap, pbem.mail.lmtp, pbem.mail.sendmail, pbem.mail.smtp
"""


def like_windows(folder: Path, program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LIKE_WINDOWS, str(folder), program],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PBEM_GAMES": str(EXAMPLES)},
    )


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is open is read from /proc")


@pytest.mark.slow
def test_the_program_needs_nothing_that_windows_lacks(tmp_path: Path) -> None:
    done = like_windows(tmp_path, PLAYS)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "demo" / "game.pbem").is_file()


@pytest.mark.parametrize(
    "program",
    [
        "import fcntl",
        "open(folder + '/a:2,S', 'w')",
        "f = open(folder + '/a', 'w'); os.replace(folder + '/a', folder + '/b')",
        "f = open(folder + '/a', 'w'); os.remove(folder + '/a')",
        "signal.SIGHUP",
    ],
)
def test_what_windows_lacks_is_found(tmp_path: Path, program: str) -> None:
    assert like_windows(tmp_path, program).returncode == 1


def test_no_clone_gives_a_log_other_line_ends() -> None:
    """`.gitattributes` tells git to leave signed and compared files alone."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("this is no clone")
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "*.pbem", "tests/golden"], check=True, capture_output=True
    ).stdout
    done = subprocess.run(
        ["git", "-C", ROOT, "check-attr", "-z", "--stdin", "text"], input=listed, check=True, capture_output=True
    )
    fields = done.stdout.decode().split("\0")[:-1]
    said = dict(zip(fields[::3], fields[2::3], strict=True))
    assert {Path(name).suffix for name in said} >= {".pbem", ".txt"}
    assert set(said.values()) == {"unset"}
