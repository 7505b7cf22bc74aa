"""Trying all that a host needs before mail comes: its folder, its store, every way in and out, its templates.

It sends nothing and takes nothing. Each thing found is a sentence, with whether it is well.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pbem import private
from pbem.errors import UsageError, WorldError
from pbem.i18n import _
from pbem.mail import Maildir, way_back
from pbem.mail.settings import Account, Sendmail, Smtp

from . import beneath, built_in, found_well
from .condition import CHECKED, note_well
from .registering import check_register
from .senders import EMPTY, WAY_BACK

if TYPE_CHECKING:
    from .office import Office
    from .settings import WebDoor


def check(office: Office, now: str) -> Iterator[tuple[bool, str]]:
    """Test every way in and out, without sending or taking mail; yield for each whether it works, and why.

    The senders that the way out accepts are noted, for later letters.
    """
    said = set()  # a password file that is missing is missed on both ways, and by who logs in
    for found in _checked(office, now):
        if found not in said:
            said.add(found)
            yield found
    if all(well for well, _why in said):
        note_well(office.store.path, CHECKED, now)


def _checked(office: Office, now: str) -> Iterator[tuple[bool, str]]:
    yield _is_private(office)
    yield (store := _tried(office.store.check))
    if office.store.last_in_register() is not None:
        yield _tried(lambda: check_register(office.store))
    if store[0]:
        yield from found_well.checked(office.store, now)
    if (free := beneath.free_bytes(office.folder)) < beneath.LITTLE:
        yield False, beneath.no_room(office.folder, free)
    ways, out = office.settings.in_, office.settings.out.way
    for account in (ways.imap, out):
        if isinstance(account, Account) and account.password_file:
            yield _is_secret(office.folder / account.password_file)
    if (inbox := office.inbox) is not None:
        yield _tried(lambda: _inbox_tried(inbox))
    if (box := office.mailbox()) is not None:
        yield _tried(box.check)
        box.close()
    if ways.lmtp is not None:
        from pbem.mail.lmtp import LmtpServer

        yield _tried(LmtpServer(ways.lmtp, office.settings.is_ours, lambda *_mail: Future()).check)
    if (door := office.settings.door) is not None:
        yield from _door_tried(office, door, now)
    if (pages := office.settings.pages) is not None and pages.address:
        from .door import OpenPages

        yield from OpenPages(pages, office.settings.door, office.folder, float, lambda _why: None).check()
    if not (ways.maildir or ways.imap or ways.lmtp):
        yield True, _("No way in is named, so mail comes through “pbem host take” alone.")
    yield (found := _tried(lambda: office.sending.way_out().check(office.settings.address)))
    if found[0]:
        yield from _senders_tried(office, now)
    office.sending.hang_up()
    if isinstance(out, Smtp):
        yield from _is_aligned(office, out)
    if isinstance(out, Smtp | Sendmail):
        yield from _zone_read(office)
    yield from ((False, why) for why in built_in.check(office.robot.house, office.folder))
    if office.templates is not None:
        yield from _templates_tried(office.templates)


def _door_tried(office: Office, settings: WebDoor, now: str) -> Iterator[tuple[bool, str]]:
    """Try whether the door could be opened, and say what cannot be seen from here."""
    from .door import OpenDoor

    key = office.robot.house.key.key_line
    door = OpenDoor(
        settings, office.folder, office.store.path, key, lambda: now, float, lambda _body: Future(), lambda _why: None
    )
    yield from door.check()
    if not settings.page:
        yield True, _("The door shows no page: players come with programs of their own.")


def _senders_tried(office: Office, now: str) -> Iterator[tuple[bool, str]]:
    """Ask whether letters may go with each sender that is in use beside the plain address, and note it."""
    own = office.settings.address
    if isinstance(office.settings.out.way, Sendmail):
        yield True, _(
            "Whether it takes letters with the senders {empty} and {way_back}, beside {address}, is seen when they are sent.",
            empty=office.sending.senders.shown(EMPTY), way_back=office.sending.senders.shown(WAY_BACK), address=own,
        )  # fmt: skip
        return
    in_use = {EMPTY: ""} | ({WAY_BACK: way_back(own, "0")} if office.settings.tags else {})
    for kind, sender in in_use.items():  # each with one as an example
        try:
            why = office.sending.way_out().objection(sender, own)
        except (WorldError, UsageError) as error:
            yield False, str(error)
            continue
        office.sending.senders.note(sender, why, now)
        if why:
            yield True, _(
                "The sender {sender} is refused: {why} Such letters go with {address}, and what comes back of them "
                "comes there.",
                sender=office.sending.senders.shown(kind), why=why, address=own,
            )  # fmt: skip


def _is_aligned(office: Office, out: Smtp) -> Iterator[tuple[bool, str]]:
    """Say so where the letters' address and the account that sends them lie in different domains."""
    domain, of_account = (one.lower().rpartition("@")[2] for one in (office.settings.address, out.user))
    if "@" in out.user and domain != of_account:
        yield True, _(
            "Letters come from {address} through an account at {of_account}. Large providers take them only where "
            "{domain} says so (SPF, DKIM): see that it does; it cannot be seen from here.",
            address=office.settings.address, of_account=of_account, domain=domain,
        )  # fmt: skip


def _zone_read(office: Office) -> Iterator[tuple[bool, str]]:
    """Read what the DNS says of the domain that letters come from; for those in no DNS there is nothing to read."""
    from pbem.mail.signing import domain_of, public_half

    from .zone import Unanswered, dns, is_of_nobody, judged

    settings, own = office.settings, None
    if (dkim := settings.out.dkim) is not None:
        yield _tried(lambda: _signs(office.folder / dkim.key, domain_of(dkim, settings.address)))
        with suppress(UsageError):
            own = (domain_of(dkim, settings.address), dkim.selector, public_half(office.folder / dkim.key))
    domain = settings.address.rpartition("@")[2].lower()
    if is_of_nobody(domain):
        return
    try:
        yield from judged(dns(), domain, own)
    except Unanswered as error:
        yield True, _("What the DNS says of {domain} cannot be seen from here: {why}.", domain=domain, why=error)


def _signs(path: Path, domain: str) -> str:
    """Sign something with the key for DKIM. Raises UsageError."""
    from pbem.mail.signing import Dkim, public_half, signed

    public_half(path)
    signed(b"From: host@localhost\r\n\r\n", Dkim(domain=domain, key=path.name), "", path.parent)
    return _("Letters are signed for {domain} by {path} (DKIM).", domain=domain, path=path)


def _templates_tried(own: Path) -> Iterator[tuple[bool, str]]:
    from .trial import faults, own_in

    if not own.is_dir():
        yield False, _("There is no folder {path} with templates; “pbem host templates” begins one.", path=own)
        return
    found = list(faults(own))
    for fault in found:
        yield False, fault
    if not found:
        names = ", ".join(own_in(own)) or "–"
        yield True, _("The templates in {path} can be used: {names}.", path=own, names=names)


def _inbox_tried(inbox: Maildir) -> str:
    inbox.in_new()
    return _("Mail is taken from {path}.", path=inbox.path)


def _tried(way: Callable[[], str]) -> tuple[bool, str]:
    try:
        return True, way()
    except (WorldError, UsageError) as error:
        return False, str(error)


def _is_private(office: Office) -> tuple[bool, str]:
    """Can others on this machine look into the host's folder?"""
    if bare := list(private.open_to_others(office.folder)):
        return False, _(
            "Others on this machine can look into {paths}: hands, letters and keys lie there. Shut them out: "
            "chmod -R go= {folder}",
            paths=", ".join([*map(str, bare[:3]), *["…"] * (len(bare) > 3)]), folder=office.folder,
        )  # fmt: skip
    return True, _("Nobody else can read {path}.", path=office.folder)


def _is_secret(path: Path) -> tuple[bool, str]:
    try:
        mode = path.stat().st_mode & 0o077 if os.name == "posix" else 0
    except OSError as error:
        return False, _("The password file {path} cannot be read: {why}.", path=path, why=error.strerror)
    if mode:
        return False, _("Others on this machine can read {path}. Shut them out: chmod 600 {path}", path=path)
    return True, _("Nobody else can read {path}.", path=path)
