"""Benchmarks and long runs: `python -m bench.run`, `python -m bench.soak`. Ratios to a floor measured in the same run."""
