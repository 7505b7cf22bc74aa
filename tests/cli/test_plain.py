"""Texts and paths of a command line are read as Typer reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.core import TyperCommand
from typer.testing import CliRunner

from pbem.cli.helping import ToldCommand
from pbem.cli.plain import Plain

LINES: tuple[list[str], ...] = (
    ["a", "b"], ["", "x", "y", "z"], ["a", "/nowhere"], ["a", "b", "--text", "", "--many", "1", "--many", "é"],
    ["a", "b", "--place", "x/../y", "--n", "3"], ["a", "b", "--n", "three"], ["a"], [], ["a", "b", "--text"],
    ["a", "b", "--kind", "no"],
)  # fmt: skip


def _said(cls: type[TyperCommand], words: list[str]) -> tuple[int, str]:
    app = typer.Typer(rich_markup_mode=None)

    @app.command(cls=cls)
    def command(
        name: str,
        file: Path,
        others: Annotated[list[Path] | None, typer.Argument()] = None,
        text: str | None = None,
        many: Annotated[list[str] | None, typer.Option()] = None,
        place: Path = Path("here"),
        n: Annotated[int, typer.Option(max=9)] = 0,
        flag: bool = False,
    ) -> None:
        typer.echo(repr((name, file, others, text, many, place, n, flag)))

    result = CliRunner().invoke(app, words, env={"LC_ALL": "C", "PBEM_LANGUAGE": "en"})
    return result.exit_code, result.output


@pytest.mark.parametrize("words", LINES, ids=" ".join)
def test_what_is_typed_means_what_it_means_to_typer(words: list[str]) -> None:
    assert _said(ToldCommand, words) == _said(TyperCommand, words)


def test_a_path_that_is_there_and_cannot_be_read_is_refused_by_typer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    code, said = _said(ToldCommand, ["a", str(tmp_path)])
    assert (code, "is not readable" in said) == (2, True)


def test_it_is_we_who_read() -> None:
    """A Typer that has no such place any more reads in its own way, only slower; then this fails, to be looked at."""
    read: list[Any] = []

    class Watched(ToldCommand):
        def parse_args(self, ctx: Any, args: Any) -> Any:
            made = super().parse_args(ctx, args)
            read.extend(getattr(param, "_runtime_param", None) for param in self.get_params(ctx))
            return made

    assert _said(Watched, ["a", "b"])[0] == 0
    assert read
    assert all(isinstance(one, Plain) for one in read)
