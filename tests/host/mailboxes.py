"""People who have nothing but a mailbox, and the host whose letters they reply to, as their mail programs do it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Self

from pbem.games import find
from pbem.host import Office, Robot, StoredLedger
from pbem.host.store.keeping import Wanted, overview
from pbem.kernel import Json
from pbem.ledger import Log
from pbem.ledger.terms import terms as terms_of
from pbem.mail import Maildir
from pbem.player import Desk, PlayerSettings

from .post import HOST, key_of, moment


def address(name: str) -> str:
    return f"{name}@example.org"


def parsed(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def text_of(raw: bytes) -> str:
    """The text of a letter, as a mail program shows it."""
    body = parsed(raw).get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def quoted(raw: bytes) -> str:
    """A letter as a mail program quotes it below a reply."""
    lines = "\n".join(f"> {line}".rstrip() for line in text_of(raw).split("\n"))
    return f"On Tue, 1 Jan 2030 at 12:00, pbem <{HOST}> wrote:\n{lines}\n"


class Mailboxes:
    """A host, one game, and a mailbox for each of its players; the seats `kept` may be kept."""

    def __init__(
        self,
        folder: Path,
        kept: Iterable[str] | None = None,
        *,
        game: str = "tiny",
        options: Json = None,
        hours: int = 0,
        terms: Mapping[str, Json] | None = None,
        languages: Mapping[str, str] | None = None,
    ) -> None:
        self.folder, self.minute = folder, 0
        self.office = Office.create(folder / "host", key_of("host"), HOST)
        options = options if options is not None else {"players": 2, "turns": 2}
        rules = find(game).rules
        self.seats = rules.seats(rules.options_model.model_validate(options).model_dump(mode="json"))
        self.number = self.robot.new_game(
            game, options, {seat: address(seat) for seat in self.seats}, "A test", terms_of(hours, **(terms or {})), "fresh",
            self.now(), languages=languages or {}, kept=tuple(self.seats if kept is None else kept),
        )  # fmt: skip
        self.letters: dict[str, list[bytes]] = {seat: [] for seat in self.seats}
        """What has come to each mailbox, in order."""
        self.sent = 0
        self.fetch()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.office.close()

    @property
    def robot(self) -> Robot:
        return self.office.robot

    def now(self) -> str:
        self.minute += 1
        return moment(self.minute)

    # -- mail -------------------------------------------------------------------------------------------------------------

    def fetch(self, *names: str) -> dict[str, list[bytes]]:
        """Let the host send; return the new letters by mailbox."""
        self.office.send(moment(self.minute))
        new: dict[str, list[bytes]] = {}
        for name in (*self.seats, *names):
            box = Maildir(self.office.folder / "mail" / name)
            found = [(path, raw) for path, raw, _ in list(box.new())]
            for path, _raw in found:
                box.done(path)
            new[name] = [raw for _path, raw in sorted(found, key=lambda one: one[0].name)]
            self.letters.setdefault(name, []).extend(new[name])
        return new

    def reply(
        self,
        name: str,
        said: str,
        to: bytes | None = None,
        *,
        sender: str = "",
        quote: bool = True,
        code: bool = True,
        headers: Mapping[str, str] | None = None,
    ) -> bytes:
        """A reply of somebody to a letter, his last one; without its `code` it is a new mail with the same subject."""
        letter = parsed(to or self.letters[name][-1])
        mail, self.sent = EmailMessage(), self.sent + 1
        mail["From"] = sender or address(name)
        mail["To"] = (letter["Reply-To"] or letter["From"]) if code else HOST
        mail["Subject"] = f"Re: {letter['Subject']}"
        mail["Message-ID"] = f"<{self.sent}.{name}@mailer.example.net>"
        if code:
            mail["In-Reply-To"] = letter["Message-ID"]
            mail["References"] = f"{letter['References'] or ''} {letter['Message-ID']}".strip()
        for header, value in (headers or {}).items():
            mail[header] = value
        mail.set_content(f"{said}\n\n{quoted(to or self.letters[name][-1])}" if quote and code else f"{said}\n")
        return mail.as_bytes()

    def take(self, raw: bytes, at: str = "") -> str:
        """Let the host take a mail, and send what comes of it."""
        outcome = self.robot.take(raw, at or self.now())
        self.fetch()
        return outcome

    def say(self, name: str, said: str, **how: object) -> str:
        """Let somebody reply to his last letter; return what the host decided."""
        return self.take(self.reply(name, said, **how))  # type: ignore[arg-type]

    def last(self, name: str) -> str:
        """The text of the last letter to somebody."""
        return text_of(self.letters[name][-1])

    def put_to(self, name: str) -> bytes:
        """The last letter to somebody that puts a question."""
        kinds = ((raw, str(parsed(raw)["Message-ID"]).split(".")[1]) for raw in reversed(self.letters[name]))
        return next(raw for raw, kind in kinds if kind == "report")

    # -- the game ---------------------------------------------------------------------------------------------------------

    def begin(self, words: Mapping[str, str] | None = None) -> Self:
        """Let all answer JOIN, with some words each."""
        for seat in self.seats:
            self.say(seat, f"JOIN {(words or {}).get(seat, f'some words of {seat}')}")
        return self

    @property
    def asked(self) -> Sequence[str]:
        return overview(self.robot.store, Wanted())[0].waiting

    def play(self, most: int = 1000) -> Self:
        """Let everybody answer with the first number of the list, until the game is over."""
        for _ in range(most):
            if not self.asked:
                return self
            seat = self.asked[0]
            outcome = self.say(seat, "1", to=self.put_to(seat))
            assert outcome.startswith("order"), (outcome, self.last(seat))
        raise AssertionError("it does not end")

    def log(self) -> Log:
        """The host's log."""
        return StoredLedger(self.office.store, self.number, tuple(self.seats)).whole()

    def entry(self, kind: str, by: str = "") -> Json:
        """The last entry of a kind, of a seat."""
        found = [one.fields for one in self.log().entries if one.k == kind and by in ("", one.fields.get("by"))]
        return found[-1]


def with_a_desk(boxes: Mailboxes, seat: str) -> Desk:
    """Let a seat join with a key of its own, and all others by a reply."""
    settings = PlayerSettings(address(seat), str(Maildir(boxes.folder / "post").path))
    desk = Desk.create(boxes.folder / "desk", key_of(f"{seat} himself"), settings)
    desk.join(boxes.letters[seat][-1], boxes.now())
    send(boxes, desk)
    for other in boxes.seats:
        if other != seat:
            boxes.say(other, "JOIN some words")
    desk.join(boxes.letters[seat][-1], boxes.now())
    send(boxes, desk)
    return desk


def send(boxes: Mailboxes, desk: Desk) -> list[str]:
    return [boxes.take(desk.tray.sent(path).read_bytes()) for path in desk.tray.unsent()]
