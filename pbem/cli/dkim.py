"""The command host dkim: the key that signs a host's letters for its domain, and the DNS record for the key."""

from __future__ import annotations

from pbem.i18n import _

from . import screen
from .host import HERE, Dir


def dkim(dir: Dir = HERE) -> None:  # noqa: A002
    """Make the key for signing letters (DKIM) if it is missing. Print what the DNS and the settings have to contain."""
    from pbem.host.settings import Settings
    from pbem.mail.signing import Dkim, domain_of, in_a_zone, make_key, public_half, record

    settings = Settings.of(dir / "host.toml")
    chosen = settings.out.dkim or Dkim()
    path, domain = dir / chosen.key, domain_of(chosen, settings.address)
    if make_key(path):
        screen.echo(_("The new key is in {path}. Nobody else may read it.", path=path))
    screen.echo(_("Write this into the zone of {domain}:", domain=domain))
    screen.echo(f"\n{chosen.selector}._domainkey.{domain}. IN TXT ( {in_a_zone(record(public_half(path)))} )\n")
    if settings.out.dkim is None:
        screen.echo(
            _(
                "Once it can be read there, write this into {settings}, and letters are signed:",
                settings=dir / "host.toml",
            )
        )
        screen.echo(f'\n[out.dkim]\nselector = "{chosen.selector}"\n')
    screen.echo(_("“pbem host check” compares the two."))
