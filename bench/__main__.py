"""All benchmarks in one run, as Markdown on standard output: `make bench`, or `python -m bench --only records,imports --rounds 3`."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from importlib import import_module

import tidemill

SECTIONS = {
    "records": "Record batches, 100 B values, no compression",
    "wire_codecs": "Messages",
    "imports": "Imports",
    "assignors": "Assignors",
}


def machine() -> str:
    how = "compiled" if tidemill.compiled else "not compiled"
    return f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}; tidemill is {how}."


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default=",".join(SECTIONS), help="comma-separated, of: %(default)s")
    arguments = parser.parse_args()
    chosen = arguments.only.split(",")
    unknown = [name for name in chosen if name not in SECTIONS]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}: choose of {', '.join(SECTIONS)}")
    print(machine(), flush=True)
    for name in chosen:
        started = time.monotonic()
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        print(f"\n## {SECTIONS[name]}\n\n{import_module(f'bench.{name}').report(arguments.rounds)}", flush=True)
        print(f"{name} took {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
