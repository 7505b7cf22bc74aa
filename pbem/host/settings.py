"""What `host.toml` may hold: the model, the list of all lines, and reading the file.

“pbem host settings” and the page of the reference are made from the models' own descriptions.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, field_validator, model_validator
from pydantic.fields import FieldInfo

from pbem.errors import UsageError
from pbem.i18n import ENGLISH, _, languages
from pbem.kernel import Json
from pbem.mail.door import fault_of
from pbem.mail.settings import Imap, Lmtp, Section, Sendmail, Smtp, is_here
from pbem.mail.signing import Dkim

from .arrivals import HANDED
from .store import is_server

WATCH = ("nothing", "finished", "all")
"""The public part of games: nothing, whole games that are over, or also the public facts of running games."""

Days = Annotated[int, Field(ge=0, le=3650)]


class WaysIn(Section):
    """How mail reaches the host. You can use several ways at once."""

    authserv_id: str = Field(
        "",
        description="The name in your own mail server's Authentication-Results headers. The host asks about a reply "
        "that they call forged (DMARC). Empty: it ignores these headers.",
    )
    maildir: str = Field("", description="The folder (Maildir) where mail to the host arrives. Empty: none.")
    imap: Imap | None = None
    lmtp: Lmtp | None = None


class WaysOut(Section):
    """How letters leave the host: exactly one way."""

    maildir: str = Field(
        "",
        description="A folder (Maildir) for each player's letters. {local} is the part of the address before the @.",
    )
    smtp: Smtp | None = None
    sendmail: Sendmail | None = None
    dkim: Dkim | None = None

    @field_validator("maildir")
    @classmethod
    def _has_one_blank(cls, maildir: str) -> str:
        if strange := re.search(r"[{}]", maildir.replace("{local}", "")):
            raise ValueError(
                _(
                    "“{sign}” may occur only in {local}, the part of the address before the @",
                    sign=strange[0],
                    local="{local}",
                )
            )
        return maildir

    @property
    def way(self) -> Smtp | Sendmail | str:
        """The one way."""
        return self.smtp or self.sendmail or self.maildir

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if sum(map(bool, (self.maildir, self.smtp, self.sendmail))) != 1:
            raise ValueError(
                _("letters go out one way: write maildir, [out.smtp] or [out.sendmail], and one of them only")
            )
        return self


class WebDoor(Section):
    """The host's web address for players' pages and programs. It speaks HTTP on this machine, behind a proxy that speaks TLS."""

    address: str = Field(
        description="The address that the proxy shows to players: https, a name of its own, and a / at the end, as in "
        "https://desk.club.example/."
    )
    host: str = Field("127.0.0.1", description="The address to listen at. The proxy is on this machine.")
    port: int = Field(8025, description="The port to listen at.", ge=0, lt=65536)
    page: str = Field("", description="The folder with the page to show. Empty: no page, for programs only.")
    watch: Literal["nothing", "finished", "all"] = Field(
        "nothing",
        description='What everybody may see there without a key. "nothing"; "finished": finished games, complete; '
        '"all": also what all players of an unfinished game know. A change applies to games with later '
        "invitations, because the invitation tells the players.",
    )
    longest: float = Field(30, description="The seconds that a request may take to arrive.", gt=0)
    relay: bool = Field(
        default=False, description="Whether the address is also a relay: a mailbox for friends who play without a host."
    )
    proxied: bool = Field(
        default=False,
        description="Whether the proxy names each caller's address, as the last in X-Forwarded-For. If not, all callers "
        "of the relay share the limits of one address.",
    )

    @model_validator(mode="after")
    def _is_for_here(self) -> Self:
        if not is_here(self.host):
            raise ValueError(
                _("{host} can be reached from elsewhere, and the door speaks no TLS: a proxy does", host=self.host)
            )
        if why := fault_of(self.address):
            raise ValueError(_("address: {address} is not usable for a door: {why}", address=self.address, why=why))
        return self


class ClubPages(Section):
    """Public pages of the club: files in a folder for a web server. “pbem host pages” writes them."""

    folder: str = Field(description="The folder for the pages, with nothing else in it.")
    title: str = Field("A club", description="The name of the club.")
    watch: Literal["finished", "all"] = Field(
        "all",
        description='The games on the pages. "finished": finished games, complete; "all": also what all players of an '
        "unfinished game know. A change applies to games with later invitations, because the invitation "
        "tells the players.",
    )
    names: str = Field(
        "",
        description="A file with a fingerprint of a key and a name in each line. Empty: the pages name nobody.",
    )
    address: str = Field(
        "",
        description="If the host serves the pages itself, the address that the proxy shows: https, a / at the end, as "
        "in https://club.example/, and another name than the door's. Empty: another web server shows the "
        "folder.",
    )
    host: str = Field("127.0.0.1", description="The address to listen at in that case. The proxy is on this machine.")
    port: int = Field(8026, description="The port to listen at, another than the door's.", ge=0, lt=65536)
    metrics: bool = Field(
        default=False,
        description="Whether the pages have numbers for a monitor, below the address as metrics. They name nobody.",
    )
    longest: float = Field(30, description="The seconds that a request may take to arrive.", gt=0)

    @model_validator(mode="after")
    def _is_shown_from_here(self) -> Self:
        if not is_here(self.host):
            raise ValueError(
                _("{host} can be reached from elsewhere, and the host speaks no TLS: a proxy does", host=self.host)
            )
        if self.address and (why := fault_of(self.address)):
            raise ValueError(_("address: {address} is not usable for pages: {why}", address=self.address, why=why))
        return self


class ClubByMail(Section):
    """A club by mail: people write REGISTER, open games (NEW) and take seats (JOIN), and full games start by themselves."""

    may_open: list[str] = Field(
        ["everybody"],
        description='Who may open games: ["everybody"] for all members, names of members, or [] for the host alone.',
    )
    games: list[str] = Field(
        [], description="The ids of the games that members can open. Empty: all games that come with pbem."
    )
    hours: int = Field(72, description="The hours for an answer, unless the member names others.", ge=1, le=8760)
    tables: int = Field(3, description="The number of open games that a member may have waiting for players.", ge=1)
    most_games: int = Field(20, description="The number of games, open ones included, that a member may be in.", ge=1)
    built_in: bool = Field(
        default=True, description="Whether built-in players can take seats. Such games are not rated."
    )
    own_keys: bool = Field(
        default=False,
        description="Whether every player must sign with his own key. Otherwise players without a key may answer by "
        "reply, in games that are not rated.",
    )
    table_days: int = Field(30, description="The days that an open game waits for players.", ge=1, le=3650)
    join_days: int = Field(
        14,
        description="The days that players of a full game have to take up their seats. After that the host calls the "
        "game off.",
        ge=1,
        le=3650,
    )
    strangers: int = Field(
        100, description="The letters a day that go to addresses of non-members, whoever asks for them.", ge=0
    )
    refused: list[str] = Field(
        [], description='Addresses that cannot become members, as "eve@example.org", or domains, as "@example.org".'
    )

    def opened_by(self, name: str) -> bool:
        """May the member of that name open tables?"""
        return "everybody" in self.may_open or name.casefold() in map(str.casefold, self.may_open)

    def refuses(self, address: str) -> bool:
        """Is it an address that cannot become a member?"""
        own = address.lower()
        return any(own == one.lower() or (one.startswith("@") and own.endswith(one.lower())) for one in self.refused)


class HeldEvents(Section):
    """Events with rounds that the host opens by itself, each when all games of the last one are decided."""

    files: list[str] = Field(description='The files of the events, as ["cup.toml"]. “pbem event” shows one.')
    addresses: str = Field(
        "",
        description='A file with the players\' addresses, a line "Ann Boyd" = "ann@example.org" for each. Members who '
        "have played here with the key in the event need no line.",
    )
    hours: int = Field(72, description="The hours for an answer.", ge=1, le=8760)
    grace: int = Field(0, description="The hours added to each deadline.", ge=0, le=8760)
    leave: int = Field(0, description="The days of leave that each player may take in a game.", ge=0, le=365)
    show: bool = Field(
        default=False,
        description="Whether the web address and the club's pages show the standings to everybody, under the players' "
        "names in the event.",
    )


class Settings(Section):
    """A pbem host. Its operator sees every hand, so let a third person or a club run it, never a player."""

    address: str = Field(description="The address that players write to.", pattern="@")
    also: list[str] = Field([], description="Further addresses of the host (with anything after a +).")
    store: str = Field(
        "",
        description="Where the host keeps everything but its key. Empty: in the file pbem.sqlite of its folder. An "
        "address such as postgresql://pbem@localhost/club: in a PostgreSQL database (in your clone: pip "
        "install '.[postgres]').",
    )
    every: int = Field(
        60,
        description="The seconds between two looks of “pbem host run” at folders, deadlines and letters.",
        gt=0,
    )
    hold_days: Days | Literal["never"] = Field(
        7,
        description="The host closes a question when it has read all mail of the time to answer. If it cannot read a "
        'mailbox or a mail, it holds the deadline for at most this many days; "never": without a limit.',
    )
    keep_mails: Days = Field(
        90,
        description="The days after a game for which the host keeps the mails of players without a key of their own.",
    )
    queue_minutes: int = Field(
        90,
        description="The minutes after a standstill in which the mail server (LMTP, pipe) may deliver the mail that it "
        "kept. Such answers are in time if the deadline passed in the standstill.",
        ge=0,
    )
    tags: bool = Field(
        default=True,
        description="Whether mail to the address with a + and more arrives, too. Answers then name their game, and "
        "bounces their letter.",
    )
    pictures: bool = Field(
        default=False,
        description="Whether reports come as HTML beside the text, with the map, and with a page to open: half a "
        "megabyte each.",
    )
    language: str = Field(
        ENGLISH,
        description="The language of letters to players who have not chosen one by “pbem language” or a line LANGUAGE: "
        "en or fr.",
    )
    templates: str = Field(
        "",
        description="The folder with your own templates of letters. Empty: none. “pbem host templates” copies pbem's "
        "own.",
    )
    program: str = Field(
        "",
        description="The web address where players find pbem, for invitations. Empty: players ask you.",
    )
    in_: WaysIn = Field(WaysIn(), alias="in")
    out: WaysOut
    door: WebDoor | None = None
    pages: ClubPages | None = None
    club: ClubByMail | None = None
    events: HeldEvents | None = None

    @property
    def watch(self) -> str:
        """What everybody may look at, at the door or on the club's pages: players are told this."""
        return max((part.watch for part in (self.door, self.pages) if part), key=WATCH.index, default=WATCH[0])

    @field_validator("store")
    @classmethod
    def _is_a_place(cls, store: str) -> str:
        if store and not is_server(store):
            raise ValueError(_("it is empty, or begins with postgresql://"))
        return store

    @field_validator("language")
    @classmethod
    def _has_words(cls, language: str) -> str:
        if language not in languages():
            raise ValueError(
                _(
                    "there is no translation into “{language}”; the languages are: {names}",
                    language=language,
                    names=", ".join(languages()),
                )
            )
        return language

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways in, as it is noted up to when they are read; where none is named, mail is handed over by a pipe."""
        named = (("maildir", self.in_.maildir), ("imap", self.in_.imap), (HANDED, self.in_.lmtp))
        return tuple(way for way, there in named if there) or (HANDED,)

    def is_ours(self, recipient: str) -> bool:
        """Is an address of an envelope the host's?"""
        known = {address.lower() for address in (self.address, *self.also)}
        local, _at, domain = recipient.lower().rpartition("@")
        return f"{local}@{domain}" in known or f"{local.partition('+')[0]}@{domain}" in known

    @classmethod
    def of(cls, path: Path) -> Self:
        """Read the file. Raises UsageError that names missing, wrong or unknown settings."""
        try:
            data = tomllib.loads(path.read_text("utf-8"))
        except FileNotFoundError as error:
            raise UsageError(_missing(path)) from error
        except UnicodeDecodeError as error:
            raise UsageError(_("{path} cannot be read: save it as UTF-8.", path=path)) from error
        except ValueError as error:  # TOMLDecodeError, and a number that is too long for Python
            raise UsageError(
                _(
                    "{path} cannot be read: {why}. Write a text in quotation marks, as in: {example}",
                    path=path,
                    why=error,
                    example='address = "club@example.org"',
                )
            ) from error
        except OSError as error:
            raise UsageError(_("{path} cannot be read: {why}.", path=path, why=error.strerror)) from error
        return cls.read(data, str(path))


def _missing(path: Path) -> str:
    """Return advice for a missing `host.toml`: it was lost, is in a folder below, or was never made."""
    folder, made = path.parent, f"pbem host init {quote(str(path.parent))} --address club@example.org"
    if (folder / "key").exists():
        return _(
            "There is a host's key in “{folder}”, but no host.toml: bring that back, or “{made}” writes a new one "
            "and keeps the key.",
            folder=folder,
            made=made,
        )
    if below := sorted(toml.parent for toml in folder.glob(f"*/{path.name}")):
        return _(
            "There is no host in “{folder}”, but there is one below it: use --dir {below}.",
            folder=folder,
            below=quote(str(below[0])),
        )
    return _(
        "There is no host in “{folder}”. Name its folder with --dir, or make one: “{made}”.", folder=folder, made=made
    )


_SHOWN: dict[tuple[str, str], Json] = {
    ("in.imap", "port"): 993,
    ("out.smtp", "port"): 465,
    ("in.imap", "password_env"): "PBEM_IMAP_PASSWORD",
    ("out.smtp", "password_env"): "PBEM_SMTP_PASSWORD",
    ("door", "address"): "https://desk.club.example/",
    ("pages", "folder"): "/var/www/club",
    ("events", "files"): ["cup.toml"],
}
"""The example values for lines with an empty or obvious default."""


def shown(section: str, name: str, field: FieldInfo) -> Json:
    """Return the value of a line that is not written, or an example of one."""
    return _SHOWN.get((section, name), field.default)


def toml(value: Json) -> str:
    """Return a value as TOML writes it."""
    return json.dumps(value, ensure_ascii=False)


def sections() -> Iterator[tuple[str, type[BaseModel]]]:
    """Yield the sections of the file: name ("" for the lines above them) and model."""
    yield "", Settings
    yield "in", WaysIn
    yield "in.imap", Imap
    yield "in.lmtp", Lmtp
    yield "out", WaysOut
    yield "out.smtp", Smtp
    yield "out.sendmail", Sendmail
    yield "out.dkim", Dkim
    yield "door", WebDoor
    yield "pages", ClubPages
    yield "club", ClubByMail
    yield "events", HeldEvents


def fields(model: type[BaseModel]) -> Iterator[tuple[str, FieldInfo]]:
    """Go through the lines of a section: each name, with the model's description."""
    for name, field in model.model_fields.items():
        if field.description:
            yield name, field
