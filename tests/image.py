"""The image of a host, built and run as an operator does: `python -m tests.image`, where podman can run a container.

Its base is made by mmdebstrap, so no registry of images is asked. The host in it is made, works, is killed and started again by
its restart policy, opens a game, and ends well. Where that cannot be tried, a line beginning “skipped: ” says why.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile

from tests.project.source import ROOT

BASE, IMAGE, NAME = "localhost/pbem-base", "localhost/pbem-host-tried", "pbem-host-tried"
PLAIN = ["podman"]
LIMITED = ["podman", "--runtime", "runc"]
LIMITS = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1000:1000"]
"""For a machine on which podman may not raise the limits of a process."""
CERTIFICATES = [
    "-v",
    "/etc/ssl/certs:/etc/ssl/certs:ro",
    "-v",
    "/usr/share/ca-certificates:/usr/share/ca-certificates:ro",
]
"""Those of the machine: its proxy may have one of its own."""
EXTRAS = "import dkim, keyring, nacl, psycopg, starlette, uvicorn"


def done(*words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, input=given, capture_output=True, text=True, check=False)


class Podman:
    """How containers are run on this machine; `why_not` says why none can be."""

    def __init__(self) -> None:
        self.why_not = next(
            (f"there is no {one} here" for one in ("podman", "mmdebstrap") if not shutil.which(one)), ""
        )
        self.command, self.limits = PLAIN, list[str]()
        if self.why_not or not self._base():
            return
        for self.command, self.limits in (PLAIN, []), (LIMITED, LIMITS):
            tried = done(*self.command, "run", "--rm", *self.limits, "--network=host", BASE, "true")
            if tried.returncode == 0:
                self.why_not = self._alone()
                return
        self.why_not = f"podman runs no container here: {tried.stderr.strip().splitlines()[-1]}"

    def _base(self) -> bool:
        """Is there a base, or can one be made?"""
        if done("podman", "image", "exists", BASE).returncode == 0:
            return True
        with tempfile.TemporaryDirectory() as folder:
            packages = "--include=python3,python3-venv,ca-certificates"
            made = done("mmdebstrap", "--variant=minbase", packages, "bookworm", f"{folder}/base.tar")
            if made.returncode == 0:
                made = done("podman", "import", f"{folder}/base.tar", BASE)
        if made.returncode:
            self.why_not = f"no base can be made: {made.stderr.strip()[-300:]}"
        return made.returncode == 0

    def _alone(self) -> str:
        """Why a container gets no packages, or ""."""
        fetch = "python3 -m venv /tmp/v && /tmp/v/bin/pip download -q --no-deps -d /tmp typer"
        words = ["run", "--rm", *self.limits, *CERTIFICATES, "--network=host", BASE, "sh", "-c", fetch]
        tried = done(*self.command, *words)
        return f"a container gets no packages here: {tried.stderr.strip()[-300:]}" if tried.returncode else ""

    def build(self) -> None:
        """Build the image from the file that comes with pbem."""
        words = [
            "build",
            "--format",
            "docker",
            "--network=host",
            *self.limits,
            *CERTIFICATES,
            "--build-arg",
            f"BASE={BASE}",
        ]
        built = done(*self.command, *words, "-t", IMAGE, "-f", str(ROOT / "examples/host/Containerfile"), str(ROOT))
        assert built.returncode == 0, built.stdout[-2000:] + built.stderr[-2000:]

    def said(self, *words: str) -> str:
        """What podman says where all is well."""
        ended = done(*self.command, *words)
        assert ended.returncode == 0, f"{words}: {ended.stdout}{ended.stderr}"
        return ended.stdout.strip()

    def run(self, *words: str) -> str:
        return self.said("run", *self.limits, "--network=host", *words)

    def waits_for_mail(self, times: int) -> None:
        """Follow what the host says until it has said that often that it waits for mail. Between two lives the following ends."""
        for _life in range(20):
            heard = 0
            with subprocess.Popen([*self.command, "logs", "-f", NAME], stdout=subprocess.PIPE, text=True) as logs:
                assert logs.stdout is not None
                for line in logs.stdout:
                    heard += "waiting for mail" in line
                    if heard == times:
                        logs.terminate()
                        return
        raise AssertionError(f"the host has ended: {done(*self.command, 'logs', NAME).stdout}")

    def clean(self) -> None:
        done(*self.command, "rm", "-f", NAME)
        done(*self.command, "volume", "rm", "-f", NAME)


def works(podman: Podman) -> None:
    """Let a host in a container live a day."""
    inside = podman.run("--rm", "--entrypoint", "/opt/pbem/bin/python", IMAGE, "-c",
                        f"{EXTRAS}\nimport os\nprint(os.getuid(), os.path.exists('/src'), os.listdir('/club'))")  # fmt: skip
    assert inside == "1000 False []", inside
    club = ["-v", f"{NAME}:/club"]
    made = podman.run("--rm", *club, IMAGE, "host", "init", "/club/host", "--address", "club@example.org")
    assert "Its key, to compare by telephone" in made
    podman.run("-d", "--name", NAME, "--restart=always", *club, IMAGE)
    podman.waits_for_mail(1)
    podman.said("healthcheck", "run", NAME)
    seats = ["--players", "2", "--seat", "angus=ann@example.org", "--seat", "buchan=bob@example.org"]
    opened = podman.said("exec", NAME, "pbem", "host", "new", "--game", "lords", *seats)
    assert opened == "Game 1 is open; 2 invitations have been sent."
    before = podman.said("inspect", NAME, "--format", "{{.State.Pid}}")
    killed = done("kill", "-9", before)
    assert killed.returncode == 0, killed.stderr
    podman.waits_for_mail(2)
    assert podman.said("inspect", NAME, "--format", "{{.State.Pid}}") != before
    podman.said("healthcheck", "run", NAME)
    assert "/club/host/mail/ann/new/" in podman.said("exec", NAME, "find", "/club/host/mail", "-type", "f")
    podman.said("stop", "-t", "30", NAME)
    assert podman.said("inspect", NAME, "--format", "{{.State.ExitCode}}") == "0"


def main() -> int:
    podman = Podman()
    if podman.why_not:
        print(f"skipped: {podman.why_not}. What it would have told: whether a host works in the image.")
        return 0
    podman.clean()
    try:
        podman.build()
        works(podman)
    finally:
        podman.clean()
    print("A host works in the image: made, killed, started again by itself, stopped.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
