"""The example game can be found by its id, where an attack is carried out by a host and desks."""

from __future__ import annotations

from tests.host.conftest import the_example_game_is_found

__all__ = ["the_example_game_is_found"]
