"""A host's door: letters come and go by HTTP, beside the mail. `hearing` believes nobody, `app` speaks, `server` runs it.

What everybody may look at, `publishing` shows at an address of its own.
"""

from .publishing import OpenPages
from .server import OpenDoor

__all__ = ["OpenDoor", "OpenPages"]
