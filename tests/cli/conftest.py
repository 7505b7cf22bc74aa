"""The rules have the same hash however they are written, but for those who try what is done with it."""

from __future__ import annotations

from tests.host.conftest import rules_have_a_fixed_hash, rules_have_their_own_hash

__all__ = ["rules_have_a_fixed_hash", "rules_have_their_own_hash"]
