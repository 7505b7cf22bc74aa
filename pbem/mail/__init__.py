"""Reading and writing messages, and the folders they travel through. Knows no game and believes nothing."""

from pbem.ledger.line_ends import lines_of_a_log

from .address import NOWHERE, addresses, check_address, game_address, is_address, plain_address, way_back
from .block import ahead_lines, read_block, said_otherwise, short_blocks, write_block, write_short
from .calendar import Deadline
from .carrier import Carrier, carrier
from .finding import attached_messages
from .incoming import (
    MAX_FROM_HOST,
    REGISTER_HEADER,
    SEAT_HEADER,
    SHORT_HEADER,
    WORDING_HEADER,
    ZONE_HEADER,
    Command,
    Incoming,
    Named,
    read_message,
)
from .letter import Letter, readdressed
from .link import as_draft, as_link, mailto
from .maildir import Maildir
from .rebuild import Knowledge, KnownLog, openings_in, rebuild, shorten, wanted
from .robots import WAY_BACK_HEADER, Bounce
from .saved import Saved, first_entry, unpacked
from .short import VERSION, Short

__all__ = [
    "MAX_FROM_HOST",
    "NOWHERE",
    "REGISTER_HEADER",
    "SEAT_HEADER",
    "SHORT_HEADER",
    "VERSION",
    "WAY_BACK_HEADER",
    "WORDING_HEADER",
    "ZONE_HEADER",
    "Bounce",
    "Carrier",
    "Command",
    "Deadline",
    "Incoming",
    "Knowledge",
    "KnownLog",
    "Letter",
    "Maildir",
    "Named",
    "Saved",
    "Short",
    "addresses",
    "ahead_lines",
    "as_draft",
    "as_link",
    "attached_messages",
    "carrier",
    "check_address",
    "first_entry",
    "game_address",
    "is_address",
    "lines_of_a_log",
    "mailto",
    "openings_in",
    "plain_address",
    "read_block",
    "read_message",
    "readdressed",
    "rebuild",
    "said_otherwise",
    "short_blocks",
    "shorten",
    "unpacked",
    "wanted",
    "way_back",
    "write_block",
    "write_short",
]
