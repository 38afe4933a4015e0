"""One campaign's process: `python -m fuzz.worker`, started by `campaign` in an environment that chooses the form.

source   atheris, or the built-in engine where there is none
asan     the built-in engine, guided by the C code's coverage
"""

from __future__ import annotations

import argparse
import faulthandler
import importlib.util
import sys
from pathlib import Path
from random import Random

from fuzz import asan
from fuzz.bounds import limit_memory
from fuzz.engine import Engine, Unguided
from fuzz.judge import LARGEST_INPUT, Judge, Ledger, dump_stacks_when_out_of_time
from fuzz.mutation import mutate


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("form", choices=("source", "asan"))
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seeds", type=Path, action="append", default=[], help="folders of inputs to begin with")
    parser.add_argument("--found", type=Path, help="folder for inputs that cover something new")
    parser.add_argument("--ledger", type=Path, required=True)
    parser.add_argument("--replay", type=Path, help="run this one input instead")
    return parser.parse_args()


def has_atheris() -> bool:
    return importlib.util.find_spec("atheris") is not None


def main() -> None:
    options = arguments()
    dump_stacks_when_out_of_time()
    if options.form == "asan":
        asan.ensure_loaded()
    else:
        faulthandler.enable()
        if has_atheris() and not options.replay:
            instrument()
    from fuzz.targets import target_named  # what it imports of tidemill had to wait for this

    target = target_named(options.target)
    judge = Judge(target, options.form, Ledger(options.ledger), watch_peak=options.form == "source")
    if options.form == "source":
        limit_memory()
    if options.replay:
        replay(judge, options.replay)
    elif options.form == "source" and has_atheris():
        run_atheris(judge, options)
    else:
        coverage = asan.Coverage() if options.form == "asan" else Unguided()
        engine = Engine(target, judge, options.seed, coverage, options.found)
        engine.run(options.seconds, [path.read_bytes() for folder in options.seeds for path in sorted(folder.iterdir())])


def replay(judge: Judge, path: Path) -> None:
    error = judge.failure(path.read_bytes())
    if error is not None:
        raise error


def instrument() -> None:
    """From now on atheris sees what the modules of tidemill cover, as they are imported.

    The package itself is imported before, because importing it under TIDEMILL_PURE puts a finder first in line, and atheris's has to
    stand before that one.
    """
    import atheris

    import tidemill  # noqa: F401

    atheris.instrument_imports(include=["tidemill"]).__enter__()


def run_atheris(judge: Judge, options: argparse.Namespace) -> None:
    """Ends the process when the time is over: libFuzzer does."""
    import atheris

    def mutated(data: bytes, largest: int, seed: int) -> bytes:
        random = Random(seed)

        def step(piece: bytes) -> bytes:
            if random.random() < 0.6:
                return bytes(atheris.Mutate(piece, max(2 * len(piece), 64)))
            return mutate(piece, random)

        return judge.target.shape(data, random, step)[:largest]

    settings = {
        "max_total_time": max(1, round(options.seconds)),
        "seed": options.seed % 2**31 or 1,  # 0 would be a seed of chance
        "max_len": LARGEST_INPUT,
        "rss_limit_mb": 0,  # the bounds are kept here
        "timeout": 600,
        "artifact_prefix": f"{options.found.parent}/",
        "reload": 0,
    }
    flags = [f"-{name}={value}" for name, value in settings.items()]
    atheris.Setup([sys.argv[0], *flags, str(options.found), *map(str, options.seeds)], judge, custom_mutator=mutated)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
