"""What several tests need of requests: club, request, answer."""

from __future__ import annotations

from pbem.mail import read_message

from .post import HOST, Club


def request(text: str, sender: str = "ann@example.org", **headers: str) -> bytes:
    head = {"From": sender, "To": HOST, "Subject": "hm"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    return "".join(f"{name}: {value}\r\n" for name, value in head.items()).encode() + f"\r\n{text}\r\n".encode()


def answer(club: Club, text: str, **headers: str) -> str:
    outcome, letters = club.answer_to(request(text, **headers))
    assert outcome == f"answered: {text.split(maxsplit=1)[0]}"
    (letter,) = letters["ann"]
    assert not letters["bob"]
    return read_message(letter).text
