"""What players save of their mail: the attachment alone, a folder, an archive, many mails in one file; and what strangers write."""

from __future__ import annotations

import io
import re
import sys
import zipfile
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.cli.app import app
from pbem.host.outbox import WAITS_FOR
from pbem.mail import first_entry, read_message, saved
from pbem.mail.mime import take_apart
from tests.host.post import HOST, Club, a_club
from tests.project.source import ROOT

from . import program


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))
    monkeypatch.delenv("PBEM_HOME", raising=False)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as made:
        yield made


class Program:
    """The program of one player, run as from a shell."""

    def __init__(self, patch: pytest.MonkeyPatch, printed: pytest.CaptureFixture[str]) -> None:
        self.run = program.Program(patch, printed).run

    def __call__(self, home: Path, command: str, *arguments: object, typed: bytes = b"") -> tuple[int, str, str]:
        """Return the exit code, what was printed, and what was said of it."""
        return self.run(command, "--home", home, *arguments, typed=typed)


@pytest.fixture
def pbem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(monkeypatch, capsys)


def fresh(club: Club, seat: str = "ann") -> Path:
    """The home of a player who has his key and nothing else."""
    return club.new_desk(seat, f"{seat}-anew").home


def lines(raw: bytes) -> bytes:
    """The lines of the log that are attached to a letter."""
    return read_message(raw).log


def attached(raw: bytes) -> bytes:
    """The file that is attached to a letter, as a mail program saves it."""
    (file,) = (leaf.content for leaf in take_apart(raw)[1] if leaf.filename.endswith(".pbem"))
    return file


def archive(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as zipped:
        for name, content in files.items():
            zipped.writestr(name, content)
    return made.getvalue()


def mbox(*raws: bytes) -> bytes:
    return b"".join(
        b"From host@example.org Tue Jan  1 11:00:%02d 2030\n" % (no % 60)
        + raw.replace(b"\r\n", b"\n").replace(b"\nFrom ", b"\n>From ") + b"\n"
        for no, raw in enumerate(raws)
    )  # fmt: skip


# --- the attachment alone -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "dress",
    [
        bytes,
        lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
        bytes.rstrip,
        lambda data: data + b"\r\nSent from my phone\r\n",
        lambda data: data.rstrip() + b"\n--\nAnn\n\x1a",
    ],
)
def test_a_saved_attachment_is_read_like_the_mail(club: Club, pbem: Program, tmp_path: Path, dress: object) -> None:
    """The same checks apply, and the program says what an attachment alone cannot show. Words or Ctrl-Z below the lines
    do no harm."""
    club.begin()
    report = club.received["ann"][-1]
    whole = pbem(club.folder / "ann", "read", "-", typed=report)
    (tmp_path / "3f29.pbem").write_bytes(dress(lines(report)))  # type: ignore[operator]
    code, out, err = pbem(club.folder / "ann", "read", tmp_path / "3f29.pbem")
    assert (code, out) == (0, whole[1])
    assert "The rest of the mail, its seat and its date are not known here." in err


@pytest.mark.slow
def test_an_attachment_in_a_mail_may_have_words_below_its_lines(club: Club, pbem: Program) -> None:
    club.begin()
    report = club.received["ann"][-1]
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = HOST, "ann@example.org", "your move"
    made.set_content("Look at this.")
    data = lines(report) + b"\nSent from my phone\n"
    made.add_attachment(data, maintype="application", subtype="x-pbem", filename="3f29.pbem")
    whole = pbem(club.folder / "ann", "read", "-", typed=report)
    code, out, err = pbem(club.folder / "ann", "read", "-", typed=made.as_bytes())
    assert (code, out) == (1, whole[1])
    assert "The text of the mail is not what the log says" in err, "and nothing is said of its lines"


@pytest.mark.slow
def test_a_damaged_attachment_is_refused_like_the_mail(club: Club, pbem: Program, tmp_path: Path) -> None:
    club.begin()
    club.take(club.order("ann"))
    club.take(club.order("bob"))
    seat, report = next(
        (seat, letter) for seat, got in club.deliver().items() for letter in got if b'"k":"tell"' in lines(letter)
    )
    before = (club.desks[seat].copy(club.notes(seat))).path.read_bytes()
    (tmp_path / "3f29.pbem").write_bytes(lines(report).replace(b'"at":"2030', b'"at":"2031', 1))
    code, _out, err = pbem(club.folder / seat, "read", tmp_path / "3f29.pbem")
    assert code != 0
    assert err
    assert (club.desks[seat].copy(club.notes(seat))).path.read_bytes() == before


@pytest.mark.slow
def test_what_was_attached_to_anothers_report_is_not_taken(club: Club, pbem: Program, tmp_path: Path) -> None:
    club.begin()
    club.take(club.order("ann"))
    club.take(club.order("bob"))
    club.minute += WAITS_FOR  # a receipt waits for a report
    (tmp_path / "3f29.pbem").write_bytes(lines(club.deliver()["bob"][-1]))
    assert pbem(club.folder / "ann", "read", tmp_path / "3f29.pbem")[0] != 0


def receipts(club: Club) -> dict[str, list[bytes]]:
    """Return the receipt of an order of Ann's, once it has waited for a report with its lines."""
    club.take(club.order("ann"))
    club.minute += WAITS_FOR
    return club.deliver()


@pytest.mark.slow
def test_a_receipt_alone_says_what_it_is_for(club: Club, pbem: Program, tmp_path: Path) -> None:
    club.begin()
    letters = receipts(club)
    (tmp_path / "receipt.pbem").write_bytes(lines(letters["ann"][0]))
    code, out, _err = pbem(club.folder / "ann", "read", tmp_path / "receipt.pbem")
    assert code == 0
    assert out.startswith(f"Kept: the host's receipt for your order in game {club.notes('ann').game[:8]} (question ")


def test_one_joins_with_the_attachment_alone_who_says_what_else_the_mail_holds(
    club: Club, pbem: Program, tmp_path: Path
) -> None:
    invitation = read_message(club.deliver()["ann"][0])
    home = club.folder / "ann"
    (tmp_path / "invitation.pbem").write_bytes(invitation.log)
    code, _out, err = pbem(home, "join", tmp_path / "invitation.pbem")
    assert code == 2
    assert "Which seat is yours (ann, bob), the token and the host's address" in err.replace("\n", " ")
    more = ("--seat", "ann", "--token", invitation.token, "--host", HOST)
    code, out, _err = pbem(home, "join", tmp_path / "invitation.pbem", *more)
    assert code == 0
    assert f"You meet {HOST} for the first time." in out
    assert club.take(club.letters(club.desks["ann"])[0]).startswith("join")


def test_the_list_of_keys_needs_no_more_than_the_attachment(club: Club, pbem: Program, tmp_path: Path) -> None:
    for seat, raws in club.deliver().items():
        more = {"seat": seat, "token": read_message(raws[0]).token, "host": HOST}
        club.desks[seat].join(lines(raws[0]), club.now(), **more)
    for desk in club.desks.values():
        for letter in club.letters(desk):
            club.take(letter)
    (tmp_path / "keys.pbem").write_bytes(lines(club.deliver()["ann"][-1]))
    code, out, _err = pbem(club.folder / "ann", "join", tmp_path / "keys.pbem")
    assert code == 0
    assert "Before you continue, compare each key with its owner" in out, (
        "the lines of its invitation did not say who plays"
    )


@pytest.mark.variants
@pytest.mark.parametrize(
    "dress",
    [
        lambda raw: b"%d      \n%b<?xml version='1.0'?>\n<plist/>\n" % (len(raw), raw),
        lambda raw: b"\xef\xbb\xbf" + raw,
        lambda raw: b"\r\n\n" + raw,
        lambda raw: raw.decode().encode("utf-16"),
    ],
    ids=["emlx", "mark", "blank lines", "UTF-16"],
)
def test_what_a_program_puts_round_a_mail_is_taken_off(
    club: Club, pbem: Program, tmp_path: Path, dress: Callable[[bytes], bytes]
) -> None:
    """Added lines, marks or encodings."""
    (tmp_path / "invitation").write_bytes(dress(club.deliver()["ann"][0]))
    code, out, err = pbem(club.folder / "ann", "join", tmp_path / "invitation")
    assert code == 0, err
    assert "You play Ann" in out


def test_the_file_of_an_invitation_is_enough_to_join(club: Club, pbem: Program, tmp_path: Path) -> None:
    """It holds seat, token and the host's address below the lines of the log; who reads the lines alone passes over these words."""
    for seat, raws in club.deliver().items():
        (file := tmp_path / f"{seat}.pbem").write_bytes(attached(raws[0]))
        code, out, err = pbem(club.folder / seat, "join", file)
        assert (code, err) == (0, "")
        assert f"You play {seat.title()}" in out
        (letter,) = club.letters(club.desks[seat])
        assert read_message(letter).to == (HOST,)
        assert club.take(letter) == f"joined: {seat}"
        token = read_message(raws[0]).token
        assert token.encode() not in b"".join(
            path.read_bytes() for path in (club.folder / seat / "games").glob("*.pbem")
        )
    assert club.notes("ann").players == {"bob": "bob@example.org"}


@pytest.mark.parametrize("dress", [lambda raw: raw.replace(b"\n", b"\r\n"), lambda raw: raw.decode().encode("utf-16")])
def test_the_file_of_an_invitation_is_read_as_a_program_saves_it(
    club: Club, pbem: Program, tmp_path: Path, dress: Callable[[bytes], bytes]
) -> None:
    (tmp_path / "it.txt").write_bytes(dress(attached(club.deliver()["ann"][0])))
    assert pbem(club.folder / "ann", "join", tmp_path / "it.txt")[0] == 0
    assert club.take(club.letters(club.desks["ann"])[0]) == "joined: ann"


def test_the_file_of_anothers_invitation_is_not_signed_by_a_slip(club: Club, pbem: Program, tmp_path: Path) -> None:
    (tmp_path / "ann.pbem").write_bytes(attached(club.deliver()["ann"][0]))
    code, _out, err = pbem(club.folder / "bob", "join", tmp_path / "ann.pbem")
    assert (code, "addressed to ann@example.org, but you are bob@example.org" in err.replace("\n", " ")) == (2, True)
    assert club.letters(club.desks["bob"]) == []


def test_the_file_of_an_invitation_is_verified_as_its_lines_are(club: Club, pbem: Program, tmp_path: Path) -> None:
    raw = club.deliver()["ann"][0]
    said = []
    for name, data in (("file.pbem", attached(raw)), ("lines.pbem", lines(raw))):
        (tmp_path / name).write_bytes(data)
        said.append(pbem.run("verify", tmp_path / name))
    assert said[0] == said[1]


@pytest.mark.parametrize("word", ["TOKEN", "SEAT"])
def test_words_that_lack_seat_or_token_are_none(club: Club, pbem: Program, tmp_path: Path, word: str) -> None:
    file = attached(club.deliver()["ann"][0])
    (tmp_path / "it.pbem").write_bytes(
        b"\n".join(line for line in file.split(b"\n") if not line.startswith(word.encode()))
    )
    code, _out, err = pbem(club.folder / "ann", "join", tmp_path / "it.pbem")
    assert (code, "add what it says: --seat SEAT" in err.replace("\n", " ")) == (2, True)


def test_an_invitation_without_its_head_goes_to_the_host_that_its_file_names(
    club: Club, pbem: Program, tmp_path: Path
) -> None:
    """Somebody passed on its words and its attachment. The answer must not go to him."""
    body = club.deliver()["ann"][0].replace(b"\r\n", b"\n").partition(b"\n\n")[2]
    head = b"From: eve@example.net\nTo: ann@example.org\nContent-Type: multipart/mixed; boundary=%b\n\n"
    boundary = body.partition(b"\n")[0].removeprefix(b"--")
    (tmp_path / "a.eml").write_bytes(head % (b'"' + boundary + b'"') + body)
    home = club.folder / "ann"
    code, _out, err = pbem(home, "join", tmp_path / "a.eml")
    assert (code, err) == (0, "")
    (letter,) = club.letters(club.desks["ann"])
    assert read_message(letter).to == (HOST,)
    assert club.take(letter).startswith("join")


def test_a_mail_that_was_handed_on_as_an_attachment_is_the_hosts(club: Club, pbem: Program, tmp_path: Path) -> None:
    invitation = club.deliver()["ann"][0]
    head = b"From: ann@example.net\r\nSubject: Fwd: invitation\r\nContent-Type: multipart/mixed; boundary=fwd\r\n\r\n"
    part = b"--fwd\r\nContent-Type: message/rfc822\r\n\r\n" + invitation + b"\r\n--fwd--\r\n"
    (tmp_path / "forwarded.eml").write_bytes(head + part)
    assert pbem(club.folder / "ann", "join", tmp_path / "forwarded.eml")[0] == 0
    assert club.desks["ann"].notes().host == HOST
    assert club.take(club.letters(club.desks["ann"])[0]).startswith("join")


def test_a_mistyped_token_is_refused_and_the_right_one_taken(club: Club, pbem: Program, tmp_path: Path) -> None:
    """You can also correct a mistyped address of the host."""
    invitation, home = read_message(club.deliver()["ann"][0]), club.folder / "ann"
    (tmp_path / "invitation.pbem").write_bytes(invitation.log)

    def join(token: str, host: str) -> tuple[int, str, str]:
        more = ("--seat", "ann", "--token", token, "--host", host)
        return pbem(home, "join", tmp_path / "invitation.pbem", *more)

    for wrong in ("x", "3ad3", invitation.token[:-1] + "é"):
        code, _out, err = join(wrong, HOST)
        assert (code, "is not a token. A token has 32 characters" in err) == (2, True)
    assert join(invitation.token, "hots@example.org")[0] == 0
    assert join(invitation.token, HOST)[0] == 0
    (letter,) = club.letters(club.desks["ann"])
    assert read_message(letter).to == (HOST,)
    assert club.take(letter).startswith("join")


def test_with_the_attachment_no_other_seat_is_taken_by_the_token_of_one(
    club: Club, pbem: Program, tmp_path: Path
) -> None:
    invitation, home = read_message(club.deliver()["ann"][0]), club.folder / "ann"
    (tmp_path / "invitation.pbem").write_bytes(invitation.log)
    more = ("--token", invitation.token, "--host", HOST)
    assert pbem(home, "join", tmp_path / "invitation.pbem", "--seat", "ann", *more)[0] == 0
    assert pbem(home, "join", tmp_path / "invitation.pbem", "--seat", "bob")[0] == 2
    assert club.desks["ann"].notes().seat == "ann"


@pytest.mark.parametrize("command", ["read", "join"])
def test_a_mail_that_was_cut_off_says_so(club: Club, pbem: Program, tmp_path: Path, command: str) -> None:
    """The program takes nothing from it."""
    invitation = club.deliver()["ann"][0]
    for name, whole in (("a.eml", invitation), ("a.pbem", lines(invitation))):
        (tmp_path / name).write_bytes(whole.rstrip()[: -(len(whole) // 5)])
        code, _out, err = pbem(club.folder / "ann", command, tmp_path / name)
        assert code == 1
        assert "are damaged, or not all of them came" in err.replace("\n", " ")
    assert list(club.desks["ann"].games()) == []


def test_an_empty_file_is_named(club: Club, pbem: Program, tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(b"\r\n")
    code, _out, err = pbem(club.folder / "ann", "read", tmp_path / "a.eml")
    assert (code, err) == (2, f"pbem: {tmp_path / 'a.eml'} is empty. Save the mail once more.\n")


def stripped(raw: bytes, instead: bytes = b"") -> bytes:
    """A letter from which a gateway has taken what was attached to it."""
    head, _blank, _body = raw.partition(b"\n\n")
    left_out = (b"Content-", b"MIME-", *([b"Message-ID"] if b"Message-ID" in instead else []))
    kept = [line for line in head.split(b"\n") if not line.startswith(left_out)]
    return b"\n".join(kept) + b"\n" + (instead or b"\nYOUR MOVE\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("instead", "said"),
    [
        (b"", "nothing was taken"),
        (b"Content-Type: application/ms-tnef\n\nx", "winmail.dat"),
        (b"Message-ID: <1@gateway.example.net>\n\n" + b"0a1b " * 8, "nothing was taken"),
    ],
)
def test_a_letter_that_comes_without_its_lines_says_what_helps(
    club: Club, pbem: Program, instead: bytes, said: str
) -> None:
    """The program ends with 1."""
    club.begin()
    code, _out, err = pbem(club.folder / "ann", "read", "-", typed=stripped(club.received["ann"][-1], instead))
    assert code == 1
    assert said in err
    assert "run “pbem resend”" in " ".join(err.split())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["3f29.pbem.txt", "3f29.dat"])
def test_the_lines_are_read_whatever_a_gateway_calls_their_file(club: Club, pbem: Program, name: str) -> None:
    """The content decides."""
    club.begin()
    raw, _sign, last = club.received["ann"][-1].rpartition(b"application/x-pbem")
    _disposition, _blank, body = last.partition(b"\n\n")
    head = f"application/octet-stream\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename={name}\n\n"
    whole = pbem(club.folder / "ann", "read", "-", typed=club.received["ann"][-1])
    assert pbem(club.folder / "ann", "read", "-", typed=raw + head.encode() + body) == whole


@pytest.mark.slow
def test_an_answer_of_the_host_is_no_alarm(club: Club, pbem: Program) -> None:
    club.begin()
    _, letters = club.answer_to(b"From: ann@example.org\r\nMessage-ID: <1@x>\r\nSubject: HELP\r\n\r\n")
    code, out, err = pbem(club.folder / "ann", "read", "-", typed=letters["ann"][0])
    assert code == 0
    assert f"This letter says that it is of {HOST}, your host. It brings nothing of the log" in err
    assert "if somebody forwarded" not in err.lower()
    assert "|   STATUS " in out


# --- many ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def letters(club: Club) -> list[bytes]:
    """All that Ann got in a game that has gone on for a while, the latest first."""
    club.begin().turn()
    return club.received["ann"][::-1]


def in_a_folder(place: Path, raws: list[bytes]) -> list[Path]:
    (place / "mails").mkdir()
    for no, raw in enumerate(raws):
        (place / "mails" / f"{no}.eml").write_bytes(raw)
    (place / "mails" / "map.png").write_bytes(b"\x89PNG\0")
    return [place / "mails"]


def in_an_archive(place: Path, raws: list[bytes]) -> list[Path]:
    files = {f"{no}.eml": raw for no, raw in enumerate(raws[:2])} | {
        f"{no}.pbem": lines(raw) for no, raw in enumerate(raws[2:], 2)
    }
    (place / "mails.zip").write_bytes(archive({**files, "map.png": b"\x89PNG\0", "report.html": b"<html>"}))
    return [place / "mails.zip"]


def in_an_mbox(place: Path, raws: list[bytes]) -> list[Path]:
    (place / "mails").write_bytes(mbox(*raws))
    return [place / "mails"]


def one_by_one(place: Path, raws: list[bytes]) -> list[Path]:
    (folder,) = in_a_folder(place, raws)
    return sorted(folder.glob("*.eml"))


@pytest.mark.slow
@pytest.mark.parametrize("way", [in_a_folder, in_an_archive, in_an_mbox, one_by_one])
def test_many_mails_are_read_in_the_order_of_their_entries(
    club: Club, letters: list[bytes], pbem: Program, tmp_path: Path, way: object
) -> None:
    """They come as a folder, a zip file or an mbox."""
    home = fresh(club)
    invitation = min(letters, key=first_entry)
    assert pbem(home, "join", "-", typed=invitation)[0] == 0
    code, out, err = pbem(home, "read", *way(tmp_path, letters))  # type: ignore[operator]
    assert code == 0, err
    assert len(re.findall(r"(?m)^--- (?!Reply above)", out)) == len(letters)
    assert "already read a later mail of this game" not in out
    desk = club.desks["ann"]
    copies = [path.read_bytes() for path in (*home.glob("games/*.pbem"), desk.copy(desk.notes()).path)]
    assert copies[0] == copies[1]


def test_the_invitation_is_taken_up_out_of_a_folder(club: Club, pbem: Program, tmp_path: Path) -> None:
    (folder,) = in_a_folder(tmp_path, club.deliver()["ann"])
    assert pbem(club.folder / "ann", "join", folder)[0] == 0


def test_what_cannot_be_read_in_a_folder_is_said_and_stops_no_other(club: Club, pbem: Program, tmp_path: Path) -> None:
    (folder,) = in_a_folder(tmp_path, club.deliver()["ann"])
    (folder / "a.msg").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
    code, out, err = pbem(club.folder / "ann", "join", folder)
    assert (code, "You meet" in out, "a.msg is a mail in Outlook's own format" in err) == (1, True, True)


def test_a_folder_without_mails_is_said_to_be_one(club: Club, pbem: Program, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    code, _out, err = pbem(club.folder / "ann", "read", tmp_path / "empty")
    assert (code, "It also contains no mail" in " ".join(err.split())) == (2, True)


# --- what is none -------------------------------------------------------------------------------------------------------


@pytest.mark.variants
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500, "a mail in Outlook's own format (.msg)"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is neither a mail nor an attached file"),
        (b"%PDF-1.4\n% a text\n1 0 obj <</Type /Catalog>> endobj\n", "is neither a mail nor an attached file"),
        (b"{\\rtf1\\ansi Hello}", "is neither a mail nor an attached file"),
        (b"hello \x01\x02 there", "is neither a mail nor an attached file"),
        (b"PK\x03\x04" + b"\0" * 50, "is a zip that cannot be unpacked"),
        (archive({"a.png": b"\x89PNG\0"}), "contains no mail"),
        (archive({"a.pbem": b'{"'}, zipfile.ZIP_BZIP2), "is a zip that cannot be unpacked"),
        (archive({f"{no}.eml": b"A: b" for no in range(saved.MAX_MAILS + 1)}), "contains more than 500 mails"),
        (mbox(*[b"A: b\n\nc\n"] * (saved.MAX_MAILS + 1)), "contains more than 500 mails"),
        (archive({"a.msg": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"}), "a mail in Outlook's own format (.msg)"),
        (archive({"a.zip": archive({"a.pbem": b'{"'})}), "contains no mail"),
    ],
    ids=["msg", "picture", "pdf", "rtf", "bytes", "broken zip", "zip without mails", "zip of a kind",
         "zip of many", "mbox of many",
         "msg in a zip", "zip in a zip"],
)  # fmt: skip
def test_a_file_that_is_no_mail_is_named(club: Club, pbem: Program, tmp_path: Path, data: bytes, said: str) -> None:
    """A player names a PDF, an Outlook file or another file. The program says what to save instead, and the command fails."""
    (tmp_path / "saved").write_bytes(data)
    for command in ("read", "join"):
        code, out, err = pbem(club.folder / "ann", command, tmp_path / "saved")
        assert (code, out) == (2, "")
        assert said in " ".join(err.split())


def test_an_archive_that_grows_without_end_is_not_unpacked(
    club: Club, pbem: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pbem unpacks only as much as it reads."""
    monkeypatch.setattr(saved, "MAX_FROM_HOST", 100_000)
    (tmp_path / "one.zip").write_bytes(archive({"a.eml": b"A: " + b"x" * 1_000_000}))
    monkeypatch.setattr(saved, "MAX_UNPACKED", 400_000)
    (tmp_path / "many.zip").write_bytes(archive({f"{no}.eml": b"A: " + b"x" * 99_000 for no in range(5)}))
    for name in ("one.zip", "many.zip"):
        code, _out, err = pbem(club.folder / "ann", "read", tmp_path / name)
        assert (code, "contains more than pbem unpacks" in err) == (2, True)


def test_an_archive_of_many_mboxes_holds_no_more_mails_than_one(
    club: Club, pbem: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger multiplies mails by nesting."""
    monkeypatch.setattr(saved, "MAX_MAILS", 5)
    mbox = b"From a@b Tue Jan  1 00:00:00 2030\nSubject: x\n\n" * 4
    (tmp_path / "many.zip").write_bytes(archive({"a.mbox": mbox, "b.mbox": mbox}))
    code, _out, err = pbem(club.folder / "ann", "read", tmp_path / "many.zip")
    assert (code, "contains more than 5 mails" in err) == (2, True)


# --- what strangers write -----------------------------------------------------------------------------------------------

HOSTILE = "\x1b]0;gone\x07\x1b[2J\x1b[31mThe host says:\r send\u202e your key\x9b31m\nWARNING: all is well"


def test_words_of_strangers_stand_behind_a_mark_and_below_a_warning(club: Club, pbem: Program) -> None:
    """A stranger's text imitates the program or carries terminal commands. Control characters appear as signs."""
    raw = b"From: eve@example.org\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + HOSTILE.encode()
    code, out, err = pbem(club.folder / "ann", "read", "-", typed=raw)
    assert code == 0
    assert all(line.startswith("| ") for line in out.splitlines())
    assert not set(out + err) & set("\x1b\x07\r\x9b\u202e")
    assert "anybody may have written them" in err


def test_the_warning_stands_before_the_words(club: Club, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    both = io.StringIO()
    (tmp_path / "mail.eml").write_bytes(b"From: eve@example.org\r\n\r\nHello!")
    monkeypatch.setattr(sys, "stdout", both)
    monkeypatch.setattr(sys, "stderr", both)
    app(["read", "--home", str(club.folder / "ann"), str(tmp_path / "mail.eml")], standalone_mode=False)
    said = both.getvalue()
    assert 0 <= said.index("Nothing in this mail is signed") < said.index("| Hello!")


@pytest.mark.slow
def test_words_around_what_the_host_has_signed_stand_behind_a_mark(club: Club, pbem: Program) -> None:
    """A stranger adds words to a true receipt or a known invitation. The player's copy tells the signed part; the rest
    gets the mark."""
    club.begin()
    letters = receipts(club)
    for raw in (letters["ann"][0], club.received["ann"][0]):
        log = lines(raw)
        head = b"From: host@example.org\r\nX-Pbem-Seat: ann\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n"
        made = head + HOSTILE.encode() + b"\r\n--b\r\nContent-Type: application/x-pbem\r\n\r\n" + log + b"\r\n--b--\r\n"
        _code, out, _err = pbem(club.folder / "ann", "read", "-", typed=made)
        assert "WARNING: all is well" not in out.splitlines()
        assert "\x1b" not in out


@pytest.mark.slow
def test_a_file_name_reaches_no_terminal_as_it_is(club: Club, pbem: Program, tmp_path: Path) -> None:
    club.begin()
    (tmp_path / "mails.zip").write_bytes(
        archive({f"\x1b[2J{no}.eml": raw for no, raw in enumerate(club.received["ann"])})
    )
    _code, out, err = pbem(club.folder / "ann", "read", tmp_path / "mails.zip")
    assert "␛[2J" in out
    assert "\x1b" not in out + err
