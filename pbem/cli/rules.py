"""The command for what decides a game's play: which rules are here, what counts of them, and which release has them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.errors import UsageError
from pbem.i18n import _

from . import screen
from .common import echo_json
from .disputes import Json

if TYPE_CHECKING:
    from pbem.kernel import Game

MANIFEST = "MANIFEST"


def rules(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Which game (default: all).")] = None,
    rules: Annotated[
        Path | None, typer.Option("--rules", metavar="FOLDER", help="Those of another pbem, in that folder.")
    ] = None,
    show: Annotated[
        str | None,
        typer.Option("--show", metavar="PATH", help="Print the part that counts of one file in the manifest."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Write the manifest there, with the part of each file that counts, for comparison.",
        ),
    ] = None,
    read: Annotated[bool, typer.Option("--read", help="Print the rules in our own words, to learn the game.")] = False,
    json: Json = False,
) -> None:
    """Show the rules that are here: version, SHA-256 of their manifest, and the manifest of one game; or read them."""
    from pbem.games import installed, known

    if read and game:
        from pbem.page.teaching import in_words

        screen.echo(in_words(game))
    elif game is None:
        if rules or show or out or read:
            raise UsageError(_("For which game? The games are: {games}.", games=", ".join(known())))
        found = [_about(*installed(game_id)) for game_id in known()]
        if json:
            echo_json(found)
        else:
            screen.echo("\n".join(_line(about) for about in found))
    elif show is not None or out is not None:
        _counted(game, rules, show, out)
    else:
        _say(*_manifest(game, rules), as_json=json)


def _manifest(game: str, folder: Path | None) -> tuple[dict[str, Any], str]:
    """Return the facts about the rules of a game, and their manifest."""
    from pbem.games import installed, manifest
    from pbem.games.running import rules_in

    if folder is None:
        return _about(*installed(game)), manifest(game)[0]
    with rules_in(folder, game) as (there, sha256):
        return _about(there, sha256), there.manifest


def _about(game: Game, sha256: str) -> dict[str, Any]:
    from pbem.games import releases

    listed = releases.named(sha256)
    release = {"release": listed.release} if listed and (listed.game, listed.version) == (game.id, game.version) else {}
    return {"game": game.id, "title": game.title, "version": game.version, "sha256": sha256, **release}


def _line(about: dict[str, Any]) -> str:
    from pbem.games.releases import said_of

    return _("{title}, version {version}: {sha256} ({known})", **about, known=said_of(about.get("release")))


def _say(about: dict[str, Any], manifest: str, *, as_json: bool) -> None:
    if as_json:
        echo_json({**about, "manifest": manifest})
    else:
        screen.echo(f"{_line(about)}\n{manifest}", nl=False)


def _counted(game: str, folder: Path | None, show: str | None, out: Path | None) -> None:
    """Print or write what counts of the files that decide a game's play."""
    from pbem.games import manifest
    from pbem.games.manifests import counted

    if folder is not None:
        raise UsageError(_("Only the other pbem can say what counts in its files: run the command there."))
    files = counted(game)
    if show is not None:
        found = [file.normal for file in files if file.path == show]
        if not found:
            raise UsageError(_("{path} is not one of the files that count as rules of “{game}”.", path=show, game=game))
        screen.echo(found[0].decode("utf-8", "replace"), nl=False)
    if out is not None:
        for file in files:
            place = out / file.path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.normal)
        (out / MANIFEST).write_bytes(manifest(game)[0].encode())
        screen.echo(
            "\n".join([_("Written: {path}", path=out), _("Check it there with:"), f"sha256sum --check {MANIFEST}"])
        )
