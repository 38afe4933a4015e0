"""What campaigns did, as a table."""

from __future__ import annotations

import platform
from collections.abc import Sequence

from fuzz.campaign import Outcome

COLUMNS = ("target", "form", "engine", "seed", "minutes", "inputs", "inputs/s", "edges", "findings")


def rows(outcomes: Sequence[Outcome]) -> list[tuple[str, ...]]:
    return [
        (
            outcome.origin.target,
            outcome.origin.form,
            outcome.engine,
            str(outcome.seed),
            f"{outcome.seconds / 60:.1f}",
            f"{outcome.inputs:,}",
            f"{outcome.inputs / max(outcome.seconds, 0.001):,.0f}",
            f"{outcome.edges:,}" if outcome.edges else "–",
            "did not run" if outcome.trouble else str(len(outcome.findings)),
        )
        for outcome in outcomes
    ]


def table(outcomes: Sequence[Outcome]) -> str:
    """Aligned, for a terminal."""
    lines = [COLUMNS, *rows(outcomes)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    text = [
        tuple(cell.ljust(width) if column < 3 else cell.rjust(width) for column, (cell, width) in enumerate(zip(line, widths, strict=True)))
        for line in lines
    ]
    return "\n".join("  ".join(line).rstrip() for line in text)


def markdown(outcomes: Sequence[Outcome], command: str) -> str:
    """For docs/testing.md."""
    align = ["---"] * 3 + ["--:"] * (len(COLUMNS) - 3)
    lines = [COLUMNS, tuple(align), *rows(outcomes)]
    where = f"CPython {platform.python_version()}, {platform.system()} {platform.machine()}"
    return f"`{command}` on {where}:\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
