"""Commands for a player's own settings, whatever the game: key, rekey, language."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from pbem import private
from pbem.errors import PbemError, UsageError
from pbem.i18n import _, languages, spoken

from . import screen
from .common import HOME, Yes, check_address, fresh_key, now, passphrase, read_bytes
from .desk import Home, desk_in
from .language import ask_for


def key(
    address: Annotated[str, typer.Option(help="Your e-mail address; without one you play by relays alone.")] = "",
    post: Annotated[
        str, typer.Option(help="The host's Maildir, if you can write to it. Without it, send with your mail program.")
    ] = "",
    smtp: Annotated[
        str, typer.Option(help="Your mail server for sending; the password is read from PBEM_SMTP_PASSWORD.")
    ] = "",
    take: Annotated[Path | None, typer.Option("--import", help="An ed25519 key of OpenSSH that you have.")] = None,
    recovery: Annotated[
        Path | None, typer.Option(help="Where to write a second key, to be kept elsewhere in case this one is lost.")
    ] = None,
    forget: Annotated[
        str,
        typer.Option(
            metavar="WHO", help="Make no key: let the next one of this player or host be trusted, as it is new."
        ),
    ] = "",
    home: Home = HOME,
) -> None:
    """Make your key, or import one. Keep it safe: with key and log you can continue anywhere."""
    from pbem.ledger import PrivateKey, to_compare
    from pbem.player import Desk, PlayerSettings
    from pbem.player.partners import forget as forget_keys
    from pbem.player.tray import post_box

    if forget:
        forget_keys(desk_in(home), forget)
        screen.echo(_("pbem trusts the next key of {who}.", who=forget))
        return
    if address:
        check_address(address)
    else:
        screen.say(
            _("You name no e-mail address. For a game by a relay you need none; “pbem address ADDRESS” names it later.")
        )
    if post:
        post_box(post)
    if recovery is not None and recovery.exists():
        raise UsageError(_("{path} is there already; it is not written over.", path=recovery))
    made = PrivateKey.load(read_bytes(str(take)), passphrase()) if take else fresh_key()
    server = {"host": smtp, "user": address, "password_env": "PBEM_SMTP_PASSWORD"} if smtp else {}
    spare = fresh_key()
    with _written_first(recovery, spare.dump(passphrase())):
        Desk.create(
            home, made, PlayerSettings(address, str(Path(post).resolve()) if post else "", server), passphrase()
        )
    screen.echo(
        _(
            "Your key is in {path}. Compare its fingerprint by telephone:\n  {fingerprint}",
            path=home / "key",
            fingerprint=to_compare(made.key_line),
        )
    )
    if recovery is not None:
        private.put(home / "recovery.pub", f"{spare.key_line}\n".encode())
        screen.echo(
            _(
                "Keep {recovery} away from this machine: with it, “pbem rekey --recovery” takes your seats back.",
                recovery=recovery,
            )
        )
    if passphrase() is None:
        screen.say(_("It has no passphrase; set PBEM_PASSPHRASE before making a key to protect it with one."))


@contextmanager
def _written_first(path: Path | None, data: bytes) -> Iterator[None]:
    """Write a file, if one is named, before the work that needs it. If the work fails, delete the file."""
    if path is None:
        yield
        return
    private.write(path, data)
    try:
        yield
    except (PbemError, OSError):
        path.unlink()
        raise


def rekey(
    recovery: Annotated[
        Path | None, typer.Option(help="Your recovery key, if the key itself is lost or in other hands.")
    ] = None,
    renew: Annotated[
        str, typer.Option(metavar="GAME", help="Keep the key, but take other links in this game, where few are left.")
    ] = "",
    back: Annotated[
        bool, typer.Option("--back", help="Take the key before again, as the host has refused the change.")
    ] = False,
    yes: Yes = False,
    home: Home = HOME,
) -> None:
    """Replace your key by a new one in all unfinished games. All players then confirm again."""
    from pbem.ledger import PrivateKey, to_compare
    from pbem.player.meanings import NO_GAME, means

    desk, made = desk_in(home, keyless=recovery is not None), fresh_key()
    if back:
        screen.sure(means("key back"), yes=yes, by_script=True)
        under_way = desk.keys.key_back()
        screen.echo(_("Your key is again the one that counts:\n  {fingerprint}", fingerprint=to_compare(desk.key_line)))
        if under_way:
            screen.echo(
                _(
                    "But the change was already sent, and no signed answer has come. If the host still accepts "
                    "it, the other key counts. Read the host's letter; “pbem rekey --back” then takes that key "
                    "again."
                )
            )
        return
    if renew:
        screen.sure(means("renew"), yes=yes)
        desk.keys.renew(desk.notes(renew), now())
        screen.echo(_("“pbem send” tells the host; then everybody says again that he is ready."))
        return
    spare = PrivateKey.load(read_bytes(str(recovery)), passphrase()) if recovery else None
    if spare is not None and spare.key_line != desk.recovery_line:
        raise UsageError(_("{recovery} is not the recovery key that your seats were taken with.", recovery=recovery))
    friends = [one.notes.title for one in desk.friends(going=True)]
    going_on = ", ".join([*desk.keys.games(), *friends]) or _(NO_GAME)
    screen.sure(means("key lost") if spare else means("rekey", games=going_on), yes=yes)
    games = desk.keys.rekey(made, now(), spare)
    screen.echo(_("Your new key, to be compared by telephone:\n  {fingerprint}", fingerprint=to_compare(made.key_line)))
    if games:
        screen.echo(_("“pbem send” tells the host: {games}.", games=", ".join(games)))
    if friends:
        screen.say(
            _(
                "Without a host, in {games}: your next turn carries the new key. Until your friend has it, "
                "the previous key counts. Keep that one ({before}) until your friend has answered.",
                games=", ".join(friends),
                before=home / "key.before",
            )
        )
    if not games and not friends:
        screen.echo(_("No game is going on."))


def language(
    wanted: Annotated[
        str | None,
        typer.Argument(metavar="[LANGUAGE]", callback=ask_for, help="en or fr; without it the present one is named."),
    ] = None,
    home: Home = HOME,
) -> None:
    """Choose the language in which pbem answers you; your letters ask every host to write to you in it."""
    desk = desk_in(home)
    if wanted is None:
        screen.echo(
            _("pbem answers in “{language}”; it has {languages}.", language=spoken(), languages=", ".join(languages()))
        )
        return
    desk.change_settings(language=wanted)
    # Translators: say it of your own language
    screen.echo(_("pbem answers you in English from now on, and your letters ask each host to write in English."))
