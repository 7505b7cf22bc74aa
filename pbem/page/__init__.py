"""The desk's service: it answers a page's calls about a player's program. The page's front end is in `face/`.

It speaks JSON, with a closed list of calls (`calls`), and uses the parts of `pbem.player`. It makes no decisions of its own about
what to believe, order or sign. It runs anywhere Python runs: behind `pbem web`, in a browser's worker, in tests.
"""
