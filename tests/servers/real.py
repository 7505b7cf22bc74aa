"""Dovecot and Postfix on loopback, in a folder, at free ports: real servers for the tests, started by root.

    python -m tests.servers.real DIR        starts them, says where, and stops them at the end of standard input

Postfix takes letters at the submission port (STARTTLS, login). It hands mail for …@players.test and …@club.test to Dovecot,
which has a mailbox for each name and speaks IMAP (TLS, STARTTLS); mail for host+lmtp@club.test to the port `door` (LMTP), and
for host+pipe@club.test to the program DIR/pipe. Every password is `secret`; the certificate is their own making.
"""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PASSWORD = "secret"
HOST = "host@club.test"
NEEDED = ("dovecot", "postfix", "openssl")
_ON_ITS_WAY = ("maildrop", "incoming", "active", "deferred")
"""Postfix's folders for mail that has not come to its mailbox."""
LIMIT = 600
"""Seconds after which even a hanging server is left alone."""


@dataclass(frozen=True)
class Servers:
    """Where they are."""

    folder: Path
    imaps: int
    imap: int
    submission: int
    door: int

    @property
    def certificate(self) -> Path:
        return self.folder / "cert.pem"

    @property
    def postfix(self) -> Path:
        """The folder of Postfix's settings."""
        return self.folder / "postfix" / "etc"

    @property
    def pipe(self) -> Path:
        """The program that gets what is piped; written by the test."""
        return self.folder / "pipe"

    def deliver(self) -> None:
        """Wait until Postfix has brought all that it has taken to its mailboxes."""
        queue = self.postfix.parent / "queue"
        for _ in range(3000):
            if not any(path.is_file() for name in _ON_ITS_WAY for path in (queue / name).rglob("*")):
                return
            time.sleep(0.02)
        raise RuntimeError(f"Postfix does not bring its mail:\n{self.log()}")

    def log(self) -> str:
        """What both say of themselves."""
        return "".join(
            path.read_text("utf-8", "replace") for path in sorted(self.folder.rglob("*.log")) if path.is_file()
        )


def missing() -> str:
    """Why they cannot be started here, or ""."""
    import os

    if absent := [name for name in NEEDED if shutil.which(name) is None]:
        return f"{', '.join(absent)} not installed"
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return "Dovecot and Postfix are started by root only"
    return ""


def free_ports(count: int) -> list[int]:
    """Ports of loopback that nothing listens at."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(one.getsockname()[1]) for one in sockets]
    for one in sockets:
        one.close()
    return ports


def certificate(folder: Path, *names: str) -> None:
    """Write `cert.pem` and `key.pem`, valid for the names."""
    alternative = ",".join(f"{'IP' if name[0].isdigit() else 'DNS'}:{name}" for name in names)
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-days", "30", "-subj", f"/CN={names[0]}", "-addext", f"subjectAltName={alternative}"]
    command += ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run(command, check=True, capture_output=True)


@contextlib.contextmanager
def running(folder: Path, *users: str) -> Iterator[Servers]:
    """Both servers, with a mailbox for each user, until the end of the context."""
    imaps, imap, lmtp, sasl, submission, door = free_ports(6)
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    for above in folder.parents:  # the servers' own users must come through
        if above != Path("/") and not above.stat().st_mode & 0o001:
            above.chmod(above.stat().st_mode | 0o011)
    certificate(folder, "localhost", "127.0.0.1")
    servers = Servers(folder, imaps, imap, submission, door)
    dovecot = _dovecot(folder, servers, lmtp, sasl, users)
    postfix = _postfix(folder, servers, lmtp, sasl)
    started: list[subprocess.Popen[bytes]] = []
    try:
        for command in (["dovecot", "-F", "-c", str(dovecot)], ["postfix", "-c", str(postfix), "start-fg"]):
            # each in a group of its own: its children end with it
            with (folder / "console.log").open("ab") as log:
                started.append(subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL))
        for port in (imaps, imap, lmtp, sasl, submission):
            _listens(port, started, folder)
        yield servers
    finally:
        for server in reversed(started):
            server.terminate()
            server.wait(LIMIT)


def _listens(port: int, servers: list[subprocess.Popen[bytes]], folder: Path) -> None:
    """Wait until something listens at the port."""
    for _ in range(1000):
        with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), 5):
            return
        if any(server.poll() is not None for server in servers):
            break
        time.sleep(0.02)
    logs = "".join(path.read_text("utf-8", "replace") for path in folder.rglob("*.log"))
    raise RuntimeError(f"A server did not start:\n{logs}")


def _dovecot(folder: Path, servers: Servers, lmtp: int, sasl: int, users: tuple[str, ...]) -> Path:
    home = folder / "home"
    for user in users:
        (home / user / "Maildir").mkdir(parents=True)
    for path in (home, *home.rglob("*")):
        shutil.chown(path, "mail", "mail")
    (folder / "users").write_text("".join(f"{user}:{{PLAIN}}{PASSWORD}::::::\n" for user in users), "utf-8")
    (folder / "users").chmod(0o644)
    config = folder / "dovecot.conf"
    config.write_text(
        f"""\
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/dovecot.log
instance_name = pbem-{servers.imaps}
protocols = imap lmtp
listen = 127.0.0.1
ssl = yes
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
disable_plaintext_auth = yes
auth_mechanisms = plain login
mail_location = maildir:~/Maildir
mail_home = {home}/%n
mail_uid = mail
mail_gid = mail
first_valid_uid = 1
first_valid_gid = 1
recipient_delimiter = +
lmtp_save_to_detail_mailbox = no
auth_username_format = %Ln
passdb {{
  driver = passwd-file
  args = username_format=%n {folder}/users
}}
userdb {{
  driver = passwd-file
  args = username_format=%n {folder}/users
  override_fields = uid=mail gid=mail home={home}/%n
}}
service imap-login {{
  inet_listener imap {{
    port = {servers.imap}
  }}
  inet_listener imaps {{
    port = {servers.imaps}
    ssl = yes
  }}
}}
service auth {{
  inet_listener sasl {{
    port = {sasl}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
protocol lmtp {{
  postmaster_address = postmaster@localhost
}}
""",
        "utf-8",
    )
    return config


def _postfix(folder: Path, servers: Servers, lmtp: int, sasl: int) -> Path:
    place = folder / "postfix"
    for name in ("etc", "queue", "data"):
        (place / name).mkdir(parents=True)
    shutil.chown(place / "data", "postfix")
    for name in ("postfix-files", "dynamicmaps.cf"):
        with contextlib.suppress(FileNotFoundError):
            shutil.copy(f"/etc/postfix/{name}", place / "etc")
    dovecot = f"lmtp:inet:127.0.0.1:{lmtp}"
    (place / "etc" / "main.cf").write_text(
        f"""\
compatibility_level = 3.6
queue_directory = {place}/queue
data_directory = {place}/data
mail_owner = postfix
setgid_group = postdrop
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
myhostname = localhost
mydomain = localdomain
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mydestination =
mynetworks = 127.0.0.0/8
local_recipient_maps =
alias_maps =
alias_database =
virtual_mailbox_domains = club.test, players.test
virtual_mailbox_maps = static:ok
virtual_transport = {dovecot}
transport_maps = inline:{{ {{host+lmtp@club.test = lmtp:inet:127.0.0.1:{servers.door}}}, {{host+pipe@club.test = pbem:}} }}
default_transport = error:5.1.2 no mail leaves this machine
relay_transport = error:5.1.2 no mail leaves this machine
recipient_delimiter = +
smtp_dns_support_level = disabled
message_size_limit = 30000000
mailbox_size_limit = 0
minimal_backoff_time = 1s
maximal_backoff_time = 2s
queue_run_delay = 1s
smtpd_tls_security_level = may
smtpd_tls_chain_files = {folder}/key.pem, {folder}/cert.pem
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:{sasl}
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions = permit_sasl_authenticated, reject
""",
        "utf-8",
    )
    (place / "etc" / "master.cf").write_text(
        f"""\
127.0.0.1:{servers.submission} inet n - n - - smtpd
  -o smtpd_tls_security_level=encrypt
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_tls_auth_only=yes
  -o smtpd_client_restrictions=permit_sasl_authenticated,reject
pickup unix n - n 1 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
tlsmgr unix - - n 1000? 1 tlsmgr
postlog unix-dgram n - n - 1 postlogd
pbem unix - n n - 1 pipe
  flags=q user=mail null_sender= argv={folder}/pipe ${{sender}} ${{original_recipient}}
""",
        "utf-8",
    )
    return place / "etc"


if __name__ == "__main__":
    with running(Path(sys.argv[1]).resolve(), "host", "ann", "bob") as servers:
        print(servers, flush=True)
        sys.stdin.read()
