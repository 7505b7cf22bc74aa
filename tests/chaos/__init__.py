"""Chaos: the installed `pbem` at work as a process, and what befalls it from outside. Nothing of the product is patched here."""
