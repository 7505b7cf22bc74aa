"""A host's door: letters come and go by HTTP, beside the mail. `hearing` believes nobody, `app` speaks, `server` runs it."""

from .server import OpenDoor

__all__ = ["OpenDoor"]
