"""A relay: a mailbox for friends who play without a host. `store` keeps sealed letters, `limits` counts, `app` speaks HTTP.

It knows no game, no key and no name. docs/reference/relay.md has its protocol.
"""
