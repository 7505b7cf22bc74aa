"""Commands for a club's members: members, forget."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.i18n import _, _n

from . import screen
from .common import Yes, check_address, echo_json
from .host import HERE, Dir, Json, host_in


def members(
    names: Annotated[
        bool,
        typer.Option("--names", help="Print the owners of the keys, in the form for ratings and the club's pages."),
    ] = False,
    json: Json = False,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """List the members of the club: name, address, language, clock, since when; and who was asked and has not answered."""
    from pbem.host.members import keys_of
    from pbem.host.store.rows import Member
    from pbem.ledger import fingerprint
    from pbem.mail.hours import Hours

    with host_in(dir) as office:
        found = office.store.find(Member, order="id")
        house = office.robot.house
        lines = {
            one.id: {
                *keys_of(office.store, one.address),
                *(seat.key for seat in house.seats_at(one.address) if seat.key),
            }
            for one in found
        }
    keys = {number: sorted(map(fingerprint, own)) for number, own in lines.items()}
    if names:
        for one in found:
            for key in keys[one.id] if one.confirmed else ():
                screen.echo(f"{key} {one.name}")
        return
    rows = [
        {
            "name": one.name or one.wanted,
            "address": one.address,
            "language": one.language,
            "clock": str(Hours(one.zone, one.quiet, one.weekends)),
            "since": one.confirmed,
            "keys": keys[one.id],
        }
        for one in found
    ]
    if json:
        echo_json(rows)
        return
    for row in rows:
        since = str(row["since"])[:10] or _("not confirmed")
        screen.echo(f"{row['name']:<20}  {row['address']:<30}  {since:<13}  {row['clock']}")
    if not rows:
        screen.echo(_("There are no members. With a section [club] in host.toml, people can join by mail: REGISTER."))


def forget(
    address: Annotated[str, typer.Argument(help="The address to erase.")],
    yes: Yes = False,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Erase somebody from the store: membership, address, clock, letters; logs hold no addresses, and stay."""
    from pbem.host.members import forget as erase

    check_address(address)
    screen.sure(
        _("All that is stored of {address} is erased, and cannot be had back but from a backup.", address=address),
        yes=yes,
    )
    with host_in(dir) as office:
        count = erase(office.store, address)
    screen.echo(
        _n(
            "{address} is erased; it had played in {n} game.",
            "{address} is erased; it had played in {n} games.",
            count,
            address=address,
        )
    )
