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
"""What everybody may look at: nothing; games that are over, the whole of them; and, of games that go on, what all may know."""

Days = Annotated[int, Field(ge=0, le=3650)]


class WaysIn(Section):
    """Where mail to the host comes from; several may stand beside each other."""

    authserv_id: str = Field(
        "",
        description="The name by which your own mail server writes Authentication-Results into mail; a reply whose sender it calls "
        "forged (DMARC) is asked about. Empty: these lines are not read.",
    )
    maildir: str = Field("", description="A folder (Maildir) where mail to the host arrives; empty: none.")
    imap: Imap | None = None
    lmtp: Lmtp | None = None


class WaysOut(Section):
    """How letters go out: one way, and only one."""

    maildir: str = Field(
        "",
        description="A folder (Maildir) for each player's letters; {local} is what stands before the @ of the address.",
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
                    "“{sign}” stands only in {local}, the part of the address before the @",
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
    """A door for players' pages and programs, beside the mail: it speaks HTTP on this machine, and a proxy before it TLS."""

    address: str = Field(
        description="Where players reach it, as the proxy has it: an https address of its own that ends with a /, as "
        "https://desk.club.example/."
    )
    host: str = Field("127.0.0.1", description="The address to listen at; the proxy is on this machine.")
    port: int = Field(8025, description="The port to listen at.", ge=0, lt=65536)
    page: str = Field("", description="A folder with the page that it shows; empty: none, and only programs come.")
    watch: Literal["nothing", "finished", "all"] = Field(
        "nothing",
        description='What everybody may look at there, without a key: "nothing"; "finished": games that are over, with everything; '
        '"all": these, and of games that go on what all their players know. It holds for games whose players are invited from then '
        "on: the invitation tells them.",
    )
    longest: float = Field(30, description="How many seconds a request may take to come.", gt=0)

    @model_validator(mode="after")
    def _is_for_here(self) -> Self:
        if not is_here(self.host):
            raise ValueError(
                _("{host} can be reached from elsewhere, and the door speaks no TLS: a proxy does", host=self.host)
            )
        if why := fault_of(self.address):
            raise ValueError(_("address: {address} is none for a door: {why}", address=self.address, why=why))
        return self


class ClubPages(Section):
    """Pages of the club for everybody, as files in a folder that a web server shows; “pbem host pages” writes them."""

    folder: str = Field(description="Where they go: a folder of their own, that nothing else lies in.")
    title: str = Field("A club", description="What the club is called.")
    watch: Literal["finished", "all"] = Field(
        "all",
        description='Which games they show: "finished": those that are over, with everything; "all": these, and of games that go '
        "on what all their players know. It holds for games whose players are invited from then on: the invitation tells them.",
    )
    names: str = Field(
        "",
        description="A file that says whose key is which: a fingerprint and a name in each line. Empty: nobody is named.",
    )
    address: str = Field(
        "",
        description="Where everybody reaches them, if the host shows them itself, as the proxy has it: an https address that ends "
        "with a /, as https://club.example/, and never of the door's name. Empty: another web server shows the folder.",
    )
    host: str = Field("127.0.0.1", description="The address to listen at then; the proxy is on this machine.")
    port: int = Field(8026, description="The port to listen at, another than the door's.", ge=0, lt=65536)
    metrics: bool = Field(
        default=False,
        description="Are numbers for a monitor shown there, too, below the address as metrics? They name nobody.",
    )
    longest: float = Field(30, description="How many seconds a request may take to come.", gt=0)

    @model_validator(mode="after")
    def _is_shown_from_here(self) -> Self:
        if not is_here(self.host):
            raise ValueError(
                _("{host} can be reached from elsewhere, and the host speaks no TLS: a proxy does", host=self.host)
            )
        if self.address and (why := fault_of(self.address)):
            raise ValueError(_("address: {address} is none for pages: {why}", address=self.address, why=why))
        return self


class ClubByMail(Section):
    """A club that people join by mail: they write REGISTER, open tables (NEW), sit down (JOIN), and games begin by themselves."""

    may_open: list[str] = Field(
        ["everybody"],
        description='Who may open tables: ["everybody"], that is each member; names of members; []: nobody, the host opens games.',
    )
    games: list[str] = Field(
        [], description="The games that tables can be opened for, by their ids; empty: all that come with pbem."
    )
    hours: int = Field(72, description="The hours for an answer at a table where nothing else is said.", ge=1, le=8760)
    tables: int = Field(3, description="So many tables that wait a member may have opened.", ge=1)
    most_games: int = Field(20, description="In so many games, and at so many tables, a member may be at once.", ge=1)
    built_in: bool = Field(
        default=True, description="Can seats be filled by built-in players? Such games are not rated."
    )
    own_keys: bool = Field(
        default=False,
        description="Does each player sign with a key of his own at every table? Else whoever has none may answer by replying, "
        "in games that are not rated.",
    )
    table_days: int = Field(30, description="So many days a table waits for its players.", ge=1, le=3650)
    join_days: int = Field(
        14,
        description="So many days after its table is full a game is called off that not all have taken up.",
        ge=1,
        le=3650,
    )
    strangers: int = Field(
        100, description="So many letters in a day go to addresses that are no member's, whoever asks for them.", ge=0
    )
    refused: list[str] = Field(
        [], description='Addresses that cannot become members, as "eve@example.org", or domains as "@example.org".'
    )

    def opened_by(self, name: str) -> bool:
        """May the member of that name open tables?"""
        return "everybody" in self.may_open or name.casefold() in map(str.casefold, self.may_open)

    def refuses(self, address: str) -> bool:
        """Is it an address that cannot become a member?"""
        own = address.lower()
        return any(own == one.lower() or (one.startswith("@") and own.endswith(one.lower())) for one in self.refused)


class HeldEvents(Section):
    """Events whose rounds the host opens by itself: when all games of a round are decided, those of the next are opened."""

    files: list[str] = Field(
        description='The files of the events, as ["cup.toml"]; “pbem event” says what stands in one.'
    )
    addresses: str = Field(
        "",
        description='A file that says where letters go, a line "Ann Boyd" = "ann@example.org" for each player; not needed for '
        "members of the club who have played here with the key that the event names.",
    )
    hours: int = Field(72, description="The time for an answer, in hours.", ge=1, le=8760)
    grace: int = Field(0, description="Hours on top of each deadline.", ge=0, le=8760)
    leave: int = Field(0, description="How many days of leave each player may take in a game.", ge=0, le=365)
    show: bool = Field(
        default=False,
        description="Show everybody at the door, and on the pages of the club, how these events stand, under the names that their "
        "players have in them.",
    )


class Settings(Section):
    """A pbem host. Whoever runs it sees every hand: a third person or a club, never a player."""

    address: str = Field(description="The address that players write to.", pattern="@")
    also: list[str] = Field(
        [], description="More addresses that are the host's, beside that one (with anything after a +)."
    )
    store: str = Field(
        "",
        description="Where the host keeps everything but its key; empty: in the file pbem.sqlite of its folder. An address as "
        "postgresql://pbem@localhost/club: in a PostgreSQL database (in your clone: pip install '.[postgres]').",
    )
    every: int = Field(
        60,
        description="How many seconds “pbem host run” waits until it looks at folders, deadlines and letters again.",
        gt=0,
    )
    hold_days: Days | Literal["never"] = Field(
        7,
        description="A question is closed when all mail has been read that came in its time. Where a way in cannot be read, or the "
        'program stumbles over a mail, it is held for so many days at most, then closed all the same; "never": held without end.',
    )
    keep_mails: Days = Field(
        90,
        description="So many days after a game the mails are kept by which players answered whose keys the host keeps.",
    )
    queue_minutes: int = Field(
        90,
        description="After a standstill, mail that the mail server kept meanwhile (LMTP, pipe) may come for so many minutes: what "
        "answers a question whose time ran out in the standstill is in time.",
        ge=0,
    )
    tags: bool = Field(
        default=True,
        description="Mail to the address with a part after a + comes too: so answers name their game, and bounces their letter.",
    )
    pictures: bool = Field(
        default=False,
        description="Reports as HTML beside the text, with the map, and a page to open: half a megabyte each.",
    )
    language: str = Field(
        ENGLISH,
        description="The language of letters to players who have chosen none with “pbem language” or a line LANGUAGE: "
        "en or fr.",
    )
    templates: str = Field(
        "",
        description="A folder with templates of the host's own, for the words of its letters; empty: none. “pbem host templates” "
        "copies pbem's own to begin from.",
    )
    program: str = Field(
        "",
        description="Where players find the program pbem, an address of the web: invitations name it. Empty: they ask you.",
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
                    "there are no words for “{language}”; there are: {names}",
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
        """Read the file; UsageError says what is missing, wrong or unknown."""
        try:
            data = tomllib.loads(path.read_text("utf-8"))
        except FileNotFoundError as error:
            raise UsageError(_missing(path)) from error
        except UnicodeDecodeError as error:
            raise UsageError(_("{path} cannot be read: save it as UTF-8.", path=path)) from error
        except ValueError as error:  # TOMLDecodeError, and a number that is too long for Python
            raise UsageError(
                _(
                    "{path} cannot be read: {why}. A text stands in quotation marks, as in: {example}",
                    path=path,
                    why=error,
                    example='address = "club@example.org"',
                )
            ) from error
        except OSError as error:
            raise UsageError(_("{path} cannot be read: {why}.", path=path, why=error.strerror)) from error
        return cls.read(data, str(path))


def _missing(path: Path) -> str:
    """What to do where there is no `host.toml`: there was one, it lies in a folder below, or nobody has made one."""
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
            "There is no host in “{folder}”, but there is one below it: say --dir {below}.",
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
"""What is shown for lines whose own value says nothing."""


def shown(section: str, name: str, field: FieldInfo) -> Json:
    """Return the value of a line that is not written, or an example of one."""
    return _SHOWN.get((section, name), field.default)


def toml(value: Json) -> str:
    """Return a value as TOML writes it."""
    return json.dumps(value, ensure_ascii=False)


def sections() -> Iterator[tuple[str, type[BaseModel]]]:
    """Go through the sections of the file: name ("" for what stands above them) and model."""
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
    """Go through the lines of a section: name, and what the model says of it."""
    for name, field in model.model_fields.items():
        if field.description:
            yield name, field
