"""A whole world in one process, drawn from one number: see docs/reference/simulator.md."""
