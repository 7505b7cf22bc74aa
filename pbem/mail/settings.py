"""The settings of a host or a player for mail servers: the models, their sentences, and how a secret is found.

The descriptions below are used as comments in `host.toml` and on the reference page: they are written once. The settings never
contain a password; `secrets` finds it when it is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pbem.errors import UsageError
from pbem.i18n import N_, _
from pbem.i18n.misfits import near

from . import secrets

Tls = Literal["tls", "starttls", "none"]
BY_PORT: dict[int, Tls] = {25: "starttls", 143: "starttls", 465: "tls", 587: "starttls", 993: "tls"}
"""How TLS begins at the ports that have a usual way."""


class Section(BaseModel):
    """A part of the settings; unknown lines are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    @classmethod
    def read(cls, data: Any, where: str) -> Self:
        """Return the settings in `data`. Raises UsageError, which names `where` and every bad line."""
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            raise UsageError(
                _(
                    "{where} cannot be used: {names}.",
                    where=where,
                    names="; ".join(_said(one, list(_names(cls))) for one in error.errors()),
                )
            ) from None


def _names(model: type[BaseModel], section: str = "") -> Iterator[tuple[str, str]]:
    """Go through the names that settings have, each with the section that it belongs to; "" is above all sections."""
    for name, field in model.model_fields.items():
        yield field.alias or name, section
        for part in (field.annotation, *get_args(field.annotation)):
            if isinstance(part, type) and issubclass(part, BaseModel):
                yield from _names(part, f"{section}.{field.alias or name}".lstrip("."))


_MISTAKES = {
    "password": N_("{section}password: a password does not belong here; name a password_file, or a password_env"),
    "near": N_("{section}{name}: pbem does not know it; is {near} meant?"),
    "elsewhere": N_("{section}{name}: it does not belong here; write it {places}"),
    "extra_forbidden": N_("{section}{name}: pbem does not know it"),
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), N_("{section}{name}: must be a whole number")),
    **dict.fromkeys(("float_type", "float_parsing"), N_("{section}{name}: must be a number")),
    **dict.fromkeys(("bool_type", "bool_parsing"), N_("{section}{name}: it is true or false")),
    "string_type": N_("{section}{name}: must be a text in quotation marks"),
    "string_pattern_mismatch": N_("{section}{name}: must be an e-mail address, such as club@example.org"),
    "string_too_short": N_("{section}{name}: it is empty"),
    "list_type": N_('{section}{name}: must be a list, such as ["one", "two"]'),
    "greater_than": N_("{section}{name}: must be more than {least}"),
    "literal_error": N_("{section}{name}: it is {values}"),
    "model_type": N_("{section}{name}: it is a section, [{whole}]"),
    "missing": N_("{section}{name}: it is missing"),
}
"""The messages for an error, by its pydantic type."""


def _said(error: Any, known: Sequence[tuple[str, str]]) -> str:
    """One sentence for one mistake; the value is not shown, as it may be a secret. `known`: the names, and where each belongs."""
    *place, name = map(str, error["loc"] or ("",))
    section, whole = f"[{'.'.join(place)}] " if place else "", ".".join([*place, name])
    kind, meant, places = error["type"], near(name, dict(known)), [where for one, where in known if one == name]
    if kind == "value_error":
        return f"[{whole}] {error['ctx']['error']}" if whole else str(error["ctx"]["error"])
    if kind == "extra_forbidden" and name == "password":
        kind = "password"
    elif kind == "extra_forbidden" and places:
        kind = "elsewhere"
    elif kind == "extra_forbidden" and meant:
        kind = "near"
    if kind in _MISTAKES:
        more = error.get("ctx", {})
        told = {
            "whole": whole,
            "near": meant,
            "least": more.get("gt"),
            "values": more.get("expected"),
            "places": _(" or ").join(
                _("in [{section}]", section=one) if one else _("above all sections") for one in places
            ),
        }
        return _(_MISTAKES[kind], section=section, name=name, **told)
    return f"{section}{name}: {error['msg'][0].lower()}{error['msg'][1:]}"


class Account(Section):
    """A mail server and how to log in there."""

    host: str = Field(description="The server's name, as in its certificate.", min_length=1)
    port: int | None = None
    tls: Tls = Field(
        "tls",
        description='"tls": from the first byte on; "starttls": after a greeting; "none": on this machine only. Without '
        "this line the port decides: starttls at 25, 143 and 587.",
    )
    ca_file: str = Field("", description="The file with the certificate to trust, if the server made its own.")
    user: str = Field("", description="The name for the login. Empty: no login.")
    password_file: str = Field("", description="The file with the password, readable by you alone.")
    password_env: str = Field("", description="Or the environment variable with the password.")
    password_command: str = Field("", description="Or a command that prints the password, such as a password manager.")
    password_keyring: str = Field("", description="Or the name of the password in the system's keyring.")
    token_command: str = Field(
        "",
        description="Or a command that prints a token, for a server without passwords (OAuth 2.0, login by XOAUTH2).",
    )
    timeout: float = Field(60, description="The seconds that the server has for an answer.", gt=0)
    longest: float = Field(
        300,
        description="The seconds that it may take for one mail or letter in all, even if it keeps sending.",
        gt=0,
    )

    @model_validator(mode="before")
    @classmethod
    def _by_port(cls, data: Any) -> Any:
        """Let the port decide how TLS begins, unless the settings say it."""
        is_at = data.get("port") if isinstance(data, dict) else None
        return next(({"tls": tls, **data} for port, tls in BY_PORT.items() if port == is_at), data)

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        ways = (self.password_file, self.password_env, self.password_command, self.password_keyring, self.token_command)
        if sum(map(bool, ways)) != bool(self.user):
            raise ValueError(
                _(
                    "user goes with one of password_file, password_env, password_command, password_keyring and token_command"
                )
            )
        if self.user and self.tls == "none" and not is_here(self.host):
            raise ValueError(
                _(
                    'tls = "none" would show the password to everybody between here and {host}; use "tls" or "starttls"',
                    host=self.host,
                )
            )
        return self

    def password(self, folder: Path) -> str:
        """Read the password, or fetch the token. Raises UsageError or WorldError that says where it was looked for."""
        if command := self.password_command or self.token_command:
            return secrets.from_command(command, self.user)
        if self.password_keyring:
            return secrets.from_keyring(self.password_keyring, self.user)
        if self.password_env:
            return secrets.from_environment(self.password_env, self.user)
        return secrets.from_file(folder / self.password_file, self.user)

    @property
    def kept(self) -> str:
        """Where the password is, for a sentence."""
        if command := self.password_command or self.token_command:
            return _("what “{command}” prints", command=command)
        if self.password_keyring:
            return _("the system's keyring")
        if self.password_env:
            return _("the variable {name}", name=self.password_env)
        return _("the file {file}", file=self.password_file)


def is_here(host: str) -> bool:
    """Return whether a name or number always means this machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class Smtp(Account):
    """A mail server takes the letters, as from a mail program (submission)."""

    port: int | None = Field(
        None, description="Without it: 465 for tls, 587 for starttls, 25 for none.", gt=0, lt=65536
    )

    @property
    def at_port(self) -> int:
        """The port that is meant."""
        return self.port or {"tls": 465, "starttls": 587, "none": 25}[self.tls]


class Sendmail(Section):
    """This machine's own mail system takes the letters, through its program."""

    command: list[str] = Field(
        ["/usr/sbin/sendmail", "-i", "-f", "{sender}", "--", "{address}"],
        description="The program and its arguments. The letter goes to its standard input.",
        min_length=1,
    )
    timeout: float = Field(60, description="The seconds that it may take for a letter.", gt=0)


class Imap(Account):
    """The host fetches mail from a mailbox. A server with IDLE announces new mail at once."""

    port: int | None = Field(None, description="Without it: 993 for tls, 143 otherwise.", gt=0, lt=65536)
    user: str = Field(description="The name for the login.", min_length=1)
    folder: str = Field("INBOX", description="The folder where mail to the host arrives.", min_length=1)
    processed: str = Field(
        "Processed",
        description="The folder for mails with a stored decision; the host creates it. Some servers want "
        '"INBOX.Processed".',
        min_length=1,
    )
    every: int = Field(60, description="The seconds between two looks, if the server has no IDLE.", gt=0)

    @property
    def at_port(self) -> int:
        """The port that is meant."""
        return self.port or (993 if self.tls == "tls" else 143)


class Lmtp(Section):
    """A mail server on this machine delivers mail and gets an answer: 250 for taken, 451 for later, 550 for no."""

    host: str = Field("127.0.0.1", description="The address to listen at, on this machine only.")
    port: int = Field(8024, description="The port to listen at.", ge=0, lt=65536)
    longest: float = Field(
        300, description="The seconds that the mail server may take for one command or mail in all.", gt=0
    )

    @model_validator(mode="after")
    def _is_for_here(self) -> Self:
        if not is_here(self.host):
            raise ValueError(
                _(
                    "{host} can be reached from other machines, and anyone who reaches it could deliver mail to it",
                    host=self.host,
                )
            )
        return self
