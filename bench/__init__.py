"""Benchmarks, side by side with the peers in one run: `make bench`, or `python -m bench --only records`."""
