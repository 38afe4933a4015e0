"""What every benchmark here shares: interleaved rounds, medians, one table.

Rules it keeps:
- All subjects of a case are measured in turn within a round, the order turned round each time, so that drift of the machine
  hits all alike. A ratio of two subjects of one run is what counts; an absolute number means little elsewhere.
- What is timed is processor time of this process, not the clock on the wall: other work on the machine then disturbs less.
- A figure is the median over the rounds; the lowest and the highest stand beside it.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

Work = Callable[[], object]


@dataclass(slots=True)
class Case:
    """One thing to do, and who does it: the first subject is ours. A call does it `count` times; figures are `unit` a second."""

    name: str
    subjects: dict[str, Work]
    count: int
    unit: str
    target: str = ""  # what the figure has to reach, in words


@dataclass(slots=True)
class Result:
    case: Case
    rates: dict[str, list[float]] = field(default_factory=dict)

    def median(self, subject: str) -> float:
        return statistics.median(self.rates[subject])


def cpu_seconds(work: Work, least_s: float = 0.05) -> float:
    """Processor seconds of one call: the least of a few where it is short, as whatever disturbs only adds."""
    best, spent = float("inf"), 0.0
    while spent < least_s:
        gc.collect()
        started = time.process_time()
        work()
        took = time.process_time() - started
        best, spent = min(best, took), spent + max(took, 1e-3)
    return max(best, 1e-9)


def measure(cases: Iterable[Case], rounds: int) -> list[Result]:
    results = []
    for case in cases:
        result = Result(case, {name: [] for name in case.subjects})
        for number in range(rounds):
            names = list(case.subjects)
            for name in names if number % 2 == 0 else reversed(names):
                result.rates[name].append(case.count / cpu_seconds(case.subjects[name]))
        results.append(result)
    return results


def human(rate: float) -> str:
    for limit, suffix in ((1e6, " M"), (1e3, " k")):
        if rate >= limit:
            return f"{rate / limit:,.2f}{suffix}"
    return f"{rate:,.1f}"


def table(results: list[Result]) -> str:
    """A Markdown table: each case a row for each subject, with how many times a peer ours is."""
    rows = ["| case | who | a CPU second | lowest – highest | ours ÷ theirs | target |", "|---|---|---|---|---|---|"]
    for result in results:
        ours = next(iter(result.case.subjects))
        for name, rates in result.rates.items():
            ratio = "" if name == ours else f"{result.median(ours) / result.median(name):.1f}"
            target = result.case.target if name == ours else ""
            spread = f"{human(min(rates))} – {human(max(rates))}"
            figure = f"{human(result.median(name))} {result.case.unit}"
            rows.append(f"| {result.case.name} | {name} | {figure} | {spread} | {ratio} | {target} |")
    return "\n".join(rows)
