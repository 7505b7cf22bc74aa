"""The tables of a host's store, as numbered steps from nothing to what they are today.

A store notes how many steps it has taken. Opening it takes those that are missing, each in one transaction of its own, so
that a store of an older pbem goes on and one that is cut short stands at a whole step. A step that has been released is
never changed: a table changes by a further step. A store of a newer pbem is left alone.

Large columns (`raw`, `snapshot`) stand last in their tables: what stands before them is read without them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from sqlite_utils import Database

from pbem.errors import StoreError
from pbem.i18n import _

from ..essence import essence

_FIRST = """
create table meta (name text primary key, value text) strict;
create table games (id integer primary key, g text, game text, opts text, nonce text, stage text, hours integer,
    title text, made text, snapshot text, result text) strict;
create table seats (game integer, seat text, address text, key text, link_n integer, link text, sent_n integer,
    primary key (game, seat)) strict;
create table chains (game integer, label text, checkpoints text, primary key (game, label)) strict;
create table inbox (id integer primary key, sha256 text, raw blob, at text, outcome text) strict;
create table entries (game integer, n integer, hash text, line blob, primary key (game, n)) strict;
create table attachments (game integer, key text, n integer, digest text, line blob, primary key (game, key)) strict;
create table held (game integer, seat text, key text, after_n integer, primary key (game, seat, key)) strict;
create table answers (game integer, ask integer, seat text, rev integer, say text, sig text, openings text, at text,
    primary key (game, ask, seat)) strict;
create table outbox (id integer primary key, message_id text, game integer, seat text, address text, raw blob, at text,
    sent integer) strict;
create unique index idx_inbox_sha256 on inbox (sha256);
create unique index idx_games_g on games (g);
create unique index idx_outbox_message_id on outbox (message_id);
create index idx_outbox_sent on outbox (sent);
create index idx_outbox_address_at on outbox (address, at);
create index idx_attachments_game_n on attachments (game, n);
"""

_GAMES = """
create table games_new (id integer primary key, g text not null, game text not null, opts text not null,
    nonce text not null, stage text not null, hours integer not null, title text not null, made text not null,
    at text not null, ask integer, asked text not null, due text, result text, snapshot text) strict;
insert into games_new
    select id, g, game, opts, nonce, stage, hours, title, made, made, null, '[]', null, result, snapshot from games;
drop table games;
alter table games_new rename to games;
update games set ask = json_extract(snapshot, '$.ask') where stage = 'playing';
update games set
    at = coalesce((select max(answers.at) from answers where answers.game = games.id), made),
    asked = coalesce((select json_extract(cast(line as text), '$.to') from entries where game = id and n = ask), '[]'),
    due = (select json_extract(cast(line as text), '$.due') from entries where game = id and n = ask);
create unique index games_by_g on games (g);
create index games_by_due on games (due) where due is not null;
create index games_by_stage on games (stage);
"""

_INBOX = """
create table inbox_new (id integer primary key, sha256 text not null, essence text not null, said text not null,
    at text not null, door text not null, sender text, recipient text, game integer, outcome text not null,
    raw blob not null) strict;
insert into inbox_new select id, sha256, essence(raw), '', at, '', null, null, null, outcome, raw from inbox
    where id in (select min(id) from inbox group by essence(raw));
drop table inbox;
alter table inbox_new rename to inbox;
create unique index inbox_by_essence on inbox (essence);
create index inbox_by_said on inbox (said) where said <> '';
create index inbox_by_outcome on inbox (outcome);
create index inbox_by_game on inbox (game) where game is not null;
"""

_OUTBOX = """
create table outbox_new (id integer primary key, message_id text not null, game integer, seat text not null,
    address text not null, at text not null, kind text not null, token text, sender text not null, sent integer not null,
    attempts integer not null, not_before text not null, last_error text not null, raw blob not null) strict;
insert into outbox_new select id, message_id, game, seat, address, at,
    case when message_id like '%.refusal.%' then 'refusal' else 'letter' end, null, '', sent, 0, '', '', raw from outbox;
drop table outbox;
alter table outbox_new rename to outbox;
create unique index outbox_by_message_id on outbox (message_id);
create unique index outbox_by_token on outbox (token) where token is not null;
create index outbox_by_address on outbox (address, kind, at);
create index outbox_by_game on outbox (game, at);
create index outbox_by_sent on outbox (sent, address);
"""

_ADDRESSES = """
alter table seats add column moves integer not null default 0;
create index seats_by_address on seats (lower(address));
create table bounces (id integer primary key, address text not null, at text not null, hard integer not null,
    why text not null) strict;
create index bounces_by_address on bounces (address, at);
create table marks (address text primary key, at text not null, why text not null) strict;
"""

_TIME = """
create table paces (game integer primary key, grace integer not null, promised text not null, forced text not null) strict;
insert into paces select id, 0, coalesce(due, ''), '[]' from games;
alter table seats add column zone text not null default 'UTC';
alter table seats add column quiet text not null default '';
alter table seats add column weekends text not null default '';
alter table seats add column clocks integer not null default 0;
alter table seats add column late integer not null default 0;
create table reminders (game integer not null, seat text not null, kind text not null, ask integer not null,
    at text not null, primary key (game, seat, kind)) strict;
create index reminders_by_at on reminders (at);
"""

_PRESS = """
create table press (id integer primary key, game integer not null, seat text not null, no integer, at text not null) strict;
create unique index press_by_no on press (game, seat, no) where no is not null;
create index press_by_at on press (game, seat, at);
create table observers (game integer not null, address text not null, at text not null, sent_n integer not null,
    primary key (game, address)) strict;
"""

_LANGUAGE = """
alter table seats add column language text not null default '';
alter table observers add column language text not null default '';
"""

_AHEAD = """
create table ahead (game integer not null, seat text not null, mark integer not null, rev integer not null,
    say text not null, sig text not null, openings text not null, at text not null, primary key (game, seat, mark)) strict;
"""

_LOOKING = """
create index observers_by_address on observers (lower(address));
"""

_COURSES = """
create table courses (game integer primary key, n integer not null, course text not null) strict;
create table joins (game integer not null, seat text not null, key text not null, say text not null, sig text not null,
    at text not null, language text not null, primary key (game, seat, key)) strict;
create table kept_says (game integer not null, seat text not null, no integer not null, say text not null, sig text not null,
    at text not null, primary key (game, seat)) strict;
create table copies (game integer not null, seat text not null, log blob not null, primary key (game, seat)) strict;
alter table seats add column invited integer not null default 0;
alter table seats add column requests integer not null default 0;
alter table paces drop column grace;
create table moves (game integer not null, seat text not null, no integer not null, address text not null,
    code text not null, at text not null, primary key (game, seat, no)) strict;
create index moves_by_code on moves (code) where code <> '';
drop index inbox_by_essence;
create unique index inbox_by_essence on inbox (essence) where essence <> '';
update games set stage = 'former', due = null, asked = '[]' where stage in ('joining', 'readying', 'moving', 'playing');
delete from reminders;
"""

_LEAN = """
create table attachments_new (id integer primary key, game integer not null, key text not null, n integer not null,
    line blob not null) strict;
insert into attachments_new (game, key, n, line) select game, key, n, line from attachments order by attachments.rowid;
create unique index attachments_by_key on attachments_new (game, key);
create table held_new (game integer not null, seat text not null, after_n integer not null, no integer not null,
    attachment integer not null, primary key (game, seat, after_n, no)) strict, without rowid;
insert into held_new select held.game, seat, after_n,
    row_number() over (partition by held.game, seat, after_n order by held.rowid), attachments_new.id
    from held join attachments_new using (game, key);
drop table held;
drop table attachments;
alter table attachments_new rename to attachments;
alter table held_new rename to held;
create index attachments_by_n on attachments (game, n);
alter table seats add column pictures text not null default '';
create unique index held_by_attachment on held (attachment, seat);
delete from answers where ask < (select ask from games where id = answers.game)
    or game in (select id from games where stage in ('ended', 'cancelled', 'former'));
update outbox set raw = x'' where sent = 1 and raw <> x'';
update inbox set raw = x'' where raw <> x'' and outcome <> ''
    and not (outcome like 'failed:%' or outcome = 'waits: the game stands still');
"""

_DOOR = """
create table doorstep (id integer primary key autoincrement, game integer not null, seat text not null, no integer not null,
    key text not null, at text not null, raw blob not null) strict;
create unique index doorstep_by_no on doorstep (game, seat, no);
alter table seats add column mail text not null default 'all';
alter table seats add column mails integer not null default 0;
"""

_REGISTER = """
create table register (n integer primary key, line blob not null) strict;
"""

_CLUB = """
create table members (id integer primary key autoincrement, address text not null, name text not null, language text not null,
    zone text not null, quiet text not null, weekends text not null, made text not null, confirmed text not null,
    wanted text not null, times integer not null, code text not null, code_at text not null, zone_wanted text not null,
    language_wanted text not null) strict;
create unique index members_by_address on members (address);
create index members_by_code on members (code) where code <> '';
create table tables (id integer primary key autoincrement, game text not null, opts text not null, terms text not null,
    opener integer not null, at text not null, until text not null, opened integer not null) strict;
create table chairs (table_id integer not null, seat text not null, member integer not null, kept integer not null,
    player text not null, anywhere integer not null default 0, primary key (table_id, seat)) strict;
create index chairs_by_member on chairs (member) where member <> 0;
"""

_FENCE = """
alter table games add column fence integer not null default 0;
"""

_FOUND = """
alter table members add column folded text;
create index members_by_folded on members (folded);
create index members_unanswered on members (code_at, id) where confirmed = '';
create index meta_members_keys on meta (value) where name >= 'member''s key ' and name < 'member''s key!';
create index inbox_brought_to_club on inbox (door) where door >= 'club ' and door < 'club!';
create index outbox_to_strangers on outbox (at) where kind = 'register';
create index seats_by_key on seats (key) where key is not null;
"""

STEPS: tuple[str, ...] = (
    _FIRST, _GAMES + _INBOX + _OUTBOX + _ADDRESSES, _TIME + _PRESS, _LANGUAGE, _AHEAD, _LOOKING, _COURSES, _LEAN, _DOOR,
    _REGISTER, _CLUB, _FENCE, _FOUND,
)  # fmt: skip
"""What leads from one version to the next; a store of version n has taken the first n."""


class Tables(Protocol):
    """Where tables lie: in a file, or in a database."""

    def table_names(self) -> list[str]:
        """Return their names."""
        ...

    def query(self, sql: str) -> Iterable[dict[str, Any]]:
        """Return the rows of a query."""
        ...


def version(db: Tables) -> int:
    """Return how many steps a store has taken. Raises StoreError for a file that says no number."""
    if "meta" not in db.table_names():
        return 0
    said = next((row["value"] for row in db.query("select value from meta where name = 'schema'")), "")
    if not str(said).isdecimal():
        raise StoreError(_("This file is no store of a host: it does not say of which version."))
    return int(said)


def newer(found: int, n: int) -> StoreError:
    """Return what is said of the store of a newer pbem, whose schema is `found`."""
    return StoreError(
        _(
            "This store was written by a newer pbem (its schema is {found}, this program knows {n}). Use that "
            "pbem, or restore a backup made before.",
            found=found,
            n=n,
        )
    )


def bring_up_to_date(db: Database, steps: tuple[str, ...] = STEPS) -> int:
    """Take the steps that a store has not taken; return how many. Raises StoreError for the store of a newer pbem."""
    if (found := version(db)) > len(steps):
        raise newer(found, len(steps))
    if found == len(steps):
        return 0
    db.register_function(essence, deterministic=True)
    taken = 0
    for number, step in enumerate(steps, 1):
        db.conn.execute("begin immediate")
        with db.conn:
            if version(db) >= number:  # taken before, or by another program in the meantime
                continue
            for statement in filter(str.strip, step.split(";")):
                db.conn.execute(statement)
            db.conn.execute("insert or replace into meta (name, value) values ('schema', ?)", [str(number)])
            taken += 1
    return taken
