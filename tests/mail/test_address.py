"""Addresses and links."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import UsageError
from pbem.mail import addresses, check_address, game_address, is_address, mailto, way_back
from pbem.mail.address import game_in, token_in


@pytest.mark.parametrize(
    ("address", "game", "token"),
    [
        ("host+g42@example.org", "42", ""),
        ("HOST+G42@EXAMPLE.ORG", "42", ""),
        ("host+b-3f29@example.org", "", "3f29"),
        ("Host+B-3F29@example.org", "", "3f29"),
        ("host@example.org", "", ""),
        ("host+g@example.org", "", ""),
        ("host+gone@example.org", "one", ""),
        ("host+b-@example.org", "", ""),
        ("host@example.org+g42", "", ""),
        ("host+g42.x@example.org", "", ""),
    ],
)
def test_an_address_may_name_a_game_or_be_a_way_back(address: str, game: str, token: str) -> None:
    assert (game_in(address), token_in(address)) == (game, token)


def test_what_is_written_into_an_address_is_read_from_it() -> None:
    assert game_in(game_address("host@example.org", 7)) == "7"
    assert token_in(way_back("host@example.org", "3f29c1")) == "3f29c1"


@pytest.mark.parametrize(
    "address", ["a.b+c@x-y.example.org", "a@localhost", "O'Hara_1@example.org", "a" * 64 + "@x.org"]
)
def test_a_letter_can_go_to_an_address(address: str) -> None:
    assert is_address(address)
    assert addresses(f"Ann <{address}>") == (address,)


NOWHERE = [
    "",
    "ann",
    "@x.org",
    "a@",
    "a@b@x.org",
    ".a@x.org",
    "a.@x.org",
    "a..b@x.org",
    "a@x..org",
    "a@x_y.org",
    "a b@x.org",
]
NEITHER = [
    '"a"@x.org',
    "a,b@x.org",
    "<a@x.org>",
    "a@[127.0.0.1]",
    "ä@x.org",
    "a@ä.org",
    "a@x.org\n",
    "a@x.org\r\nBcc: b@x.org",
]


@pytest.mark.parametrize("address", [*NOWHERE, *NEITHER, "a" * 65 + "@x.org", f"a@{'x.' * 130}org"])
def test_a_letter_cannot_go_there(address: str) -> None:
    assert not is_address(address)


@settings(max_examples=300)
@given(st.text(st.sampled_from('ab@.<>()",;:\\ \t[]é'), max_size=60))
def test_whatever_stands_in_a_header_an_address_has_one_sign_and_no_blank(value: str) -> None:
    for address in addresses(value):
        assert address.count("@") == 1
        assert not set(address) & set(' \t<>(),;:"\\')


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("ann@Bücher.example", "write ann@xn--bcher-kva.example."),
        ("ann@пример.рф", "write ann@xn--e1afmkfd.xn--p1ai."),
        ("ann@faß.example", "write ann@xn--fa-hia.example."),
        ("ann@bücher。example", "write ann@xn--bcher-kva.example."),
        ("ann@bu\u0308cher.example", "write ann@xn--bcher-kva.example."),
    ],
)
def test_an_international_domain_is_said_as_mail_servers_know_it(address: str, said: str) -> None:
    """The program names the `xn--` form."""
    with pytest.raises(UsageError, match=re.escape(said)):
        check_address(address)


@pytest.mark.parametrize(
    "address", ["änn@bücher.example", "ann", "ann@", "ann@a..ü", "ann@ü" + "x" * 300, "@ü", "ann@\ud800"]
)
def test_what_is_no_address_in_any_letters_is_not_said_in_others(address: str) -> None:
    with pytest.raises(UsageError, match=r"one looks like alice@example\.org\.$"):
        check_address(address)


# --- links --------------------------------------------------------------------------------------------------------------


def test_a_link_writes_plus_as_2b_and_line_ends_as_crlf() -> None:
    link = mailto("host+g42@example.org", "my move & more", "CARD Herald + 3\nEND\r\n")
    assert (
        link
        == "mailto:host%2Bg42@example.org?subject=my%20move%20%26%20more&body=CARD%20Herald%20%2B%203%0D%0AEND%0D%0A"
    )


def test_a_link_has_less_than_1800_characters_or_is_none() -> None:
    short = len(mailto("a@x.org", body="x"))
    assert len(mailto("a@x.org", body="x" * (1800 - short))) == 1799
    assert mailto("a@x.org", body="x" * (1801 - short)) == ""
    assert mailto("a@x.org", body="\n" * 300) == "", "what counts is the link as it is written"


@pytest.mark.slow
@settings(max_examples=200)
@given(st.text(st.characters(codec="utf-8"), max_size=60), st.text(st.characters(codec="utf-8"), max_size=90))
def test_a_link_opens_the_letter_that_was_meant(subject: str, body: str) -> None:
    link = urlsplit(mailto("host+g42@example.org", subject, body))
    fields = parse_qs(link.query, keep_blank_values=True)
    assert (link.scheme, unquote(link.path)) == ("mailto", "host+g42@example.org")
    assert fields.get("subject", [""]) == [" ".join(subject.split())]
    assert fields.get("body", [""])[0].replace("\r\n", "\n") == body.replace("\r\n", "\n").replace("\r", "\n")
    assert link.fragment == ""
