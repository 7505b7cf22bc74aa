"""Reading and writing messages, and the folders they travel through. Knows no game and believes nothing."""

from .block import read_block, write_block
from .maildir import Maildir
from .message import MAX_FROM_HOST, SEAT_HEADER, Incoming, Letter, read_message

__all__ = ["MAX_FROM_HOST", "SEAT_HEADER", "Incoming", "Letter", "Maildir", "read_block", "read_message", "write_block"]
