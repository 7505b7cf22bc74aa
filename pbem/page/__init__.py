"""The desk's service: what a page asks of a player's program, and is answered; the face that asks lies in `face/`.

It speaks JSON by a closed list of calls (`calls`), and stands on the parts of `pbem.player`: it decides nothing of its own about
what may be believed, ordered or signed. It runs wherever Python runs: behind `pbem web`, in a worker of a browser, in tests.
"""
