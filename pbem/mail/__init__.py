"""Reading and writing messages, and the folders they travel through. Knows no game and believes nothing."""

from .address import addresses, game_address, is_address, plain_address, way_back
from .block import ahead_lines, read_block, said_otherwise, write_block
from .calendar import Deadline
from .carrier import Carrier, carrier
from .finding import attached_messages
from .incoming import MAX_FROM_HOST, SEAT_HEADER, WORDING_HEADER, Command, Incoming, Named, read_message
from .letter import Letter
from .link import as_draft, as_link, mailto
from .maildir import Maildir
from .press import press_in
from .robots import WAY_BACK_HEADER, Bounce
from .saved import Saved, first_entry, lines_of_a_log, unpacked

__all__ = [
    "MAX_FROM_HOST",
    "SEAT_HEADER",
    "WAY_BACK_HEADER",
    "WORDING_HEADER",
    "Bounce",
    "Carrier",
    "Command",
    "Deadline",
    "Incoming",
    "Letter",
    "Maildir",
    "Named",
    "Saved",
    "addresses",
    "ahead_lines",
    "as_draft",
    "as_link",
    "attached_messages",
    "carrier",
    "first_entry",
    "game_address",
    "is_address",
    "lines_of_a_log",
    "mailto",
    "plain_address",
    "press_in",
    "read_block",
    "read_message",
    "said_otherwise",
    "unpacked",
    "way_back",
    "write_block",
]
