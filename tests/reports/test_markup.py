"""Markup made from values: each is escaped where it stands, and stands nowhere else."""

from __future__ import annotations

import pytest
from markupsafe import Markup

from pbem.look.markup import joined, markup, of_ours, plain, stylesheet

EVIL = "\"><script>alert('&')</script>\n\x1b"
ESCAPED = "&quot;&gt;&lt;script&gt;alert(&#x27;&amp;&#x27;)&lt;/script&gt;␊␛"


def test_a_value_is_escaped_in_a_text_and_in_an_attribute() -> None:
    assert markup('<text id="{x}">{x}</text>', x=EVIL) == f'<text id="{ESCAPED}">{ESCAPED}</text>'
    assert markup("{x}", x=3.5) == "3.5"


def test_markup_stays_as_it_is_in_a_text_alone() -> None:
    inner = markup("<b>{x}</b>", x="1")
    assert markup("<g>{x}</g>", x=inner) == "<g><b>1</b></g>"
    assert markup('<g id="{x}"/>', x=inner) == '<g id="&lt;b&gt;1&lt;/b&gt;"/>'


def test_what_is_kept_for_markup_is_not_given_out_for_the_same_letters() -> None:
    for _ in range(2):
        assert markup("<p>{x}</p>", x=Markup("<b>")) == "<p><b></p>"
        assert markup("<p>{x}</p>", x="<b>") == "<p>&lt;b&gt;</p>"
        assert markup("<p>{x}</p>", x=1) == "<p>1</p>"
        assert markup("<p>{x}</p>", x=True) == "<p>True</p>"


@pytest.mark.parametrize(
    "template",
    [
        "<g {x}>", "<{x}>", "</{x}>", "<g id={x}>", "<g id='{x}'>", '<g {x}="1">', '<g onload="{x}">', '<g style="{x}">',
        '<a href="{x}">', '<a href="javascript:{x}">', '<a xlink:href="{x}">', '<img src="{x}">', "<style>{x}</style>",
        "<script>{x}</script>", '<g id="{x}', "<g", '<g\nonload="{x}"/>',
    ],
)  # fmt: skip
def test_no_field_stands_where_escaping_would_not_help(template: str) -> None:
    with pytest.raises(ValueError, match=r"takes no value|outside of quotes|not a template"):
        markup(template, x="1")


def test_a_reference_within_the_drawing_may_be_a_value() -> None:
    assert markup('<use href="#hm-{x}"/>', x="a b") == '<use href="#hm-a b"/>'


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        markup("<p>{x}</p>")


def test_what_is_joined_is_escaped_unless_it_is_markup() -> None:
    assert joined(["<", markup("<b>"), "\n"], "|") == "&lt;|<b>|␊"
    assert type(joined()) is Markup
    assert plain("a b") == "a b"


def test_a_sheet_of_ours_does_not_end_its_element() -> None:
    assert stylesheet('a>b{content:"x"}') == '<style>a>b{content:"x"}</style>'
    for text in ("</style><p>", "</STYLE >", "</script>", "<!--"):
        with pytest.raises(ValueError, match="does not end"):
            of_ours(text)
