"""`host.toml`: what `init` writes can be read, every line of the list can be used, what is wrong is said without the value."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from pbem.errors import UsageError
from pbem.host import Settings
from pbem.host.new_settings import USED, by_folders, every_line, written
from pbem.host.settings import fields, sections
from pbem.mail.settings import Imap, Sendmail, Smtp

ACCOUNT = 'host = "mail.example.org"\nuser = "club"\npassword_file = "password"\n'
OUT = '[out]\nmaildir = "mail/{local}"\n'


def read(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "host.toml"
    path.write_text(text, "utf-8")
    return Settings.of(path)


def test_what_init_writes_uses_folders(tmp_path: Path) -> None:
    settings = read(tmp_path, written({"address": "club@example.org", **by_folders("mail")}))
    assert settings.address == "club@example.org"
    assert settings.in_.maildir == "mail/host"
    assert settings.out.way == "mail/{local}"


def test_a_new_host_has_ten_lines(tmp_path: Path) -> None:
    account = {"host": "mail.example.org", "user": "club", "password_file": "password"}
    lines = {
        "address": "club@example.org",
        "pictures": True,
        "in": {"imap": account},
        "out": {"smtp": account | {"port": 587}},
    }
    text = written(lines)
    assert sum(bool(line) and line[0] != "#" for line in text.split("\n")) == 11
    settings = read(tmp_path, text)
    assert isinstance(settings.out.way, Smtp)
    assert (settings.out.way.port, settings.out.way.tls, settings.pictures) == (587, "starttls", True)
    assert read(tmp_path, written({"address": "a@b", "out": {"sendmail": {}}})).out.way == Sendmail()
    with pytest.raises(UsageError, match="out: it is missing"):
        written({"address": "club@example.org"})


def test_the_list_has_every_line(tmp_path: Path) -> None:
    text = every_line()
    assert read(tmp_path, text).out.way == "mail/{local}"
    for section, model in sections():
        part = (
            text.partition(f"\n[{section}]\n" if f"\n[{section}]\n" in text else f"# [{section}]\n")[2]
            if section
            else text
        )
        for name, _field in fields(model):
            assert re.search(rf"(?m)^(# )*{name} = ", part.partition("\n\n")[0] if section else part), (
                f"[{section}] {name}"
            )


def test_the_short_list_has_the_twenty_that_people_use(tmp_path: Path) -> None:
    text = every_line(experts=False)
    assert read(tmp_path, text).out.way == "mail/{local}"
    names = re.findall(r"(?m)^(?:# )*([a-z_]+) = ", text)
    assert names == [name for used in USED.values() for name in sorted(used, key=names.index)]
    assert len(names) == 20


@pytest.mark.parametrize("part", ["in.imap", "in.lmtp", "out.smtp", "out.sendmail"])
def test_each_part_can_be_taken_out_of_its_comments(tmp_path: Path, part: str) -> None:
    lines = every_line().split("\n")
    start = lines.index(f"# [{part}]")
    end = next(no for no in range(start, len(lines)) if not lines[no])
    lines[start:end] = [line.removeprefix("# ") for line in lines[start:end]]
    if part.startswith("out"):
        lines = [line for line in lines if not line.startswith('maildir = "mail/{local}"')]
    settings = read(tmp_path, "\n".join(lines))
    side = settings.in_ if part.startswith("in") else settings.out
    assert getattr(side, part.partition(".")[2]) is not None


def test_every_line_in_comments_is_the_default(tmp_path: Path) -> None:
    text = every_line()
    data = tomllib.loads(re.sub(r"(?m)^# (?:# )?(?=[a-z_]+ = |\[)", "", text).replace('maildir = "mail/{local}"', ""))
    del data["in"]["imap"]["password_env"], data["out"]["smtp"]["password_env"], data["out"]["sendmail"]
    settings = Settings.read(data, "host.toml")
    account = {"host": "mail.example.org", "user": "club@example.org", "password_file": "password"}
    plain = Settings.read({"address": "club@example.org", "out": {"smtp": account}}, "host.toml")
    assert settings.out.smtp is not None
    assert plain.out.smtp is not None
    assert settings.out.smtp.model_dump() == plain.out.smtp.model_dump() | {"port": plain.out.smtp.at_port}
    assert settings.every == plain.every


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "address: it is missing; out: it is missing"),
        ('address = "x@y"\ncolour = "red"\n' + OUT, "colour: pbem does not know it"),
        ('adress = "x@y"\n' + OUT, "adress: pbem does not know it; is address meant?"),
        (
            '[in]\naddress = "x@y"\n' + OUT,
            "[in] address: it does not belong here; write it above all sections or in [door]",
        ),
        (f'address = "x@y"\n{OUT}[in]\nuser = "me"\n', "write it in [in.imap] or in [out.smtp]"),
        (f'address = "x@y"\n{OUT}[in.imp]\n', "[in] imp: pbem does not know it; is imap meant?"),
        ('address = "club"\n' + OUT, "address: must be an e-mail address, such as club@example.org"),
        ('address = "x@y"\nevery = "soon"\n' + OUT, "every: must be a whole number"),
        ('address = "x@y"\nevery = 0\n' + OUT, "every: must be more than 0"),
        ('address = "x@y"\ntags = "maybe"\n' + OUT, "tags: it is true or false"),
        ('address = "x@y"\nalso = "z@y"\n' + OUT, "also: must be a list"),
        (f'address = "x@y"\n{OUT}[in]\nmaildir = 3\n', "[in] maildir: must be a text in quotation marks"),
        (f'address = "x@y"\n[out.smtp]\n{ACCOUNT}tls = "yes"\n', "[out.smtp] tls: it is 'tls', 'starttls' or 'none'"),
        ('address = "x@y"\nout = "mail"\n', "out: it is a section, [out]"),
        ('address = "x@y"\n[out]\nmaildir = "mail/{locl}"\n', "“{” may occur only in {local}"),
        ("address = x@y\n" + OUT, "Write a text in quotation marks"),
        ('address = "x@y"\n[out]\n', "letters go out one way"),
        (f'address = "x@y"\n{OUT}[out.smtp]\n{ACCOUNT}', "one of them only"),
        (f'address = "x@y"\n[out.smtp]\n{ACCOUNT}password = "opensesame"\n', "a password does not belong here"),
        (f'address = "x@y"\n[out.smtp]\n{ACCOUNT}tls = "none"\n', "would show the password"),
        (f'address = "x@y"\n[out.smtp]\n{ACCOUNT}port = "many"\n', "[out.smtp] port: "),
        ('address = "x@y"\n[out.smtp]\nhost = "here"\nuser = "me"\n', "user goes with one of"),
        (f'address = "x@y"\n{OUT}[in.lmtp]\nhost = "0.0.0.0"\n', "can be reached from other machines"),
        ("address = \n", "cannot be read"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, text)
    assert said in str(caught.value)
    assert "opensesame" not in str(caught.value)


def test_a_file_in_other_letters_is_to_be_saved_anew(tmp_path: Path) -> None:
    (tmp_path / "host.toml").write_bytes('address = "café@example.org"\n'.encode("latin-1"))
    with pytest.raises(UsageError, match="save it as UTF-8"):
        Settings.of(tmp_path / "host.toml")


def test_a_password_from_file_or_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret").write_text("opensesame\nmore\n", "utf-8")
    assert Smtp(host="x", user="me", password_file="secret").password(tmp_path) == "opensesame"
    from_environment = Imap(host="x", user="me", password_env="PBEM_TEST_PASSWORD")
    with pytest.raises(UsageError, match="variable PBEM_TEST_PASSWORD is not set"):
        from_environment.password(tmp_path)
    monkeypatch.setenv("PBEM_TEST_PASSWORD", "opensesame")
    assert from_environment.password(tmp_path) == "opensesame"


@pytest.mark.parametrize(
    ("recipient", "ours"),
    [
        ("club@example.org", True),
        ("CLUB+g4@Example.org", True),
        ("old@example.org", True),
        ("clubs@example.org", False),
        ("", False),
    ],
)
def test_whose_mail_it_is(recipient: str, ours: bool) -> None:
    data = {"address": "club@example.org", "also": ["old@example.org"], "out": {"maildir": "x"}}
    assert Settings.read(data, "host.toml").is_ours(recipient) == ours


@pytest.mark.parametrize(
    ("settings", "port"),
    [
        (Smtp(host="x"), 465),
        (Smtp(host="x", tls="starttls"), 587),
        (Smtp(host="x", tls="none"), 25),
        (Smtp(host="x", tls="tls", port=587), 587),
        (Smtp(host="x", port=2525), 2525),
        (Imap(host="x", user="u", password_env="P"), 993),
        (Imap(host="x", user="u", password_env="P", tls="starttls"), 143),
    ],
)
def test_the_port_follows_from_tls(settings: Smtp | Imap, port: int) -> None:
    assert settings.at_port == port


@pytest.mark.parametrize(
    ("kind", "port", "tls"),
    [
        (Smtp, 587, "starttls"),
        (Smtp, 25, "starttls"),
        (Smtp, 465, "tls"),
        (Smtp, 2525, "tls"),
        (Imap, 143, "starttls"),
        (Imap, 993, "tls"),
    ],
)
def test_tls_follows_from_the_port(kind: type[Smtp | Imap], port: int, tls: str) -> None:
    found = kind.read({"host": "x", "port": port, "user": "me", "password_env": "P"}, "host.toml")
    assert (found.at_port, found.tls) == (port, tls)


@pytest.mark.parametrize("model", [Settings, Imap, Smtp])
def test_no_name_is_asked_for_that_was_typed(model: type[Settings | Imap | Smtp]) -> None:
    """Whatever known name stands in a wrong place: it is told where it belongs."""
    names = {name for _section, part in sections() for name, _field in fields(part)}
    for name in names | {"in", "out", "imap", "door"}:
        for data in ({name: {"x": 1}}, {"in": {name: {"x": 1}}}, {"in": {"imap": {name: {"x": 1}}}}):
            with pytest.raises(UsageError) as caught:
                model.read(data, "host.toml")
            assert f"is {name} meant" not in str(caught.value)


def test_a_program_that_sends(tmp_path: Path) -> None:
    from pbem.errors import NotTaken, WorldError
    from pbem.mail.sendmail import SendmailCarrier

    def ending(code: int) -> SendmailCarrier:
        script = f'cat > "{tmp_path}/$1.$2"; echo why >&2; exit {code}'
        return SendmailCarrier(Sendmail(command=["sh", "-c", script, "sh", "{sender}", "{address}"]))

    ending(0).carry("host@here", "ann@there", b"Subject: x\r\n\r\nhello\r\n")
    assert (tmp_path / "host@here.ann@there").read_bytes() == b"Subject: x\n\nhello\n"
    with pytest.raises(NotTaken, match="ended with 75: why") as caught:
        ending(75).carry("", "ann@there", b"")
    assert not caught.value.for_good
    with pytest.raises(NotTaken) as caught:
        ending(67).carry("", "ann@there", b"")
    assert caught.value.for_good
    with pytest.raises(WorldError, match="There is no program"):
        SendmailCarrier(Sendmail(command=["no-such-program"])).carry("", "ann@there", b"")
