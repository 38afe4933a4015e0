"""Fuzzes every decoder, in both forms, and says what was found.

    python -m fuzz --minutes 10 --rounds 1 --seed 431     ten minutes for each fuzzer
    python -m fuzz --target records --form asan           one campaign
    python -m fuzz --replay fuzz/findings/FILE            a finding again

A fuzzer is one module of fuzz/targets in one form, source or sanitized; its targets share its time.

The exit code is 1 if anything was found, 2 if a campaign could not run.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fuzz import asan
from fuzz.campaign import FORMS, WORK, Campaign, Outcome, Workers, replay
from fuzz.findings import origin_of, replay_command
from fuzz.report import markdown, table
from fuzz.targets import HOMES, target_named
from fuzz.worker import has_atheris

WITHOUT_ATHERIS = "atheris is not installed (it has wheels for CPython 3.11 to 3.13 on Linux x86-64): the source is fuzzed without guidance"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0, help="of each fuzzer; fractions are allowed")
    parser.add_argument("--rounds", type=int, default=1, help="further rounds begin with what the ones before them found")
    parser.add_argument("--seed", type=int, default=431)
    parser.add_argument("--target", action="append", choices=HOMES, help="only this one; may be repeated")
    parser.add_argument("--form", choices=FORMS, help="only this one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="targets at a time (default: one a processor)")
    parser.add_argument("--report", type=Path, help="write the table there, as Markdown")
    parser.add_argument("--replay", type=Path, help="run the input of this file again")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    forms = (options.form,) if options.form else FORMS
    try:
        if "asan" in forms and not (options.replay and origin_of(options.replay).form != "asan"):
            asan.build()
    except asan.Unavailable as reason:
        print(reason, file=sys.stderr)
        return 2
    if options.replay:
        return 0 if replay(options.replay, origin_of(options.replay)) else 1
    if "source" in forms and not has_atheris():
        print(WITHOUT_ATHERIS, file=sys.stderr)
    shutil.rmtree(WORK, ignore_errors=True)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    return conclude(run(options.target or list(HOMES), forms, options), options)


def run(names: list[str], forms: tuple[str, ...], options: argparse.Namespace) -> list[Outcome]:
    """All campaigns, some at a time. When this is interrupted, so are they."""
    workers = Workers()
    with ThreadPoolExecutor(options.jobs) as pool:
        try:
            several = pool.map(lambda name: list(campaigns(name, names, forms, options, workers)), names)
            return [outcome for outcomes in several for outcome in outcomes]
        except BaseException:
            workers.stop()
            pool.shutdown(cancel_futures=True)
            raise


def campaigns(name: str, names: list[str], forms: tuple[str, ...], options: argparse.Namespace, workers: Workers) -> Iterator[Outcome]:
    """All that is to be done for one target, in order. The targets of one module share its minutes."""
    target = target_named(name)
    sharing = sum(target_named(other).weight for other in names if HOMES[other] == HOMES[name])
    seconds = 60 * options.minutes * target.weight / sharing
    for number in range(options.rounds):
        for form in forms:
            engine = "atheris" if form == "source" and has_atheris() else "built-in"
            outcome = Campaign(target, form, options.seed + number, engine, workers).run(seconds)
            print(f"{name} {form}: {outcome.inputs:,} inputs, {len(outcome.findings)} findings", flush=True)
            yield outcome


def conclude(outcomes: list[Outcome], options: argparse.Namespace) -> int:
    print("\n" + table(outcomes))
    if options.report:
        command = f"make endurance MINUTES={options.minutes:g} ROUNDS={options.rounds} SEED={options.seed}"
        options.report.write_text(markdown(outcomes, command), encoding="utf-8")
    for outcome in outcomes:
        if outcome.trouble:
            print(f"\n{outcome.origin.target} {outcome.origin.form}: {outcome.trouble}", file=sys.stderr)
        for path in outcome.findings:
            print(f"\n{path}\n  {replay_command(path)}", file=sys.stderr)
    if any(outcome.findings for outcome in outcomes):
        return 1
    return 2 if any(outcome.trouble for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
