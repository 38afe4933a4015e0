"""Lines of Python that belong together by the version in which they count."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


def indented(lines: Iterable[str], levels: int = 1) -> list[str]:
    return ["    " * levels + line if line else line for line in lines]


class Step(NamedTuple):
    """What to do with one field: `lines` where `condition` holds (`None`: always), `otherwise` where it does not."""

    condition: str | None
    lines: list[str]
    otherwise: list[str]


def joined(steps: Iterable[Step]) -> list[str]:
    """The steps one after another; neighbours with the same condition share one branch."""
    groups: list[Step] = []
    for step in steps:
        if groups and groups[-1].condition == step.condition:
            groups[-1].lines.extend(step.lines)
            groups[-1].otherwise.extend(step.otherwise)
        else:
            groups.append(Step(step.condition, list(step.lines), list(step.otherwise)))
    return [line for group in groups for line in _branch(group)]


def _branch(step: Step) -> list[str]:
    if step.condition is None:
        return step.lines
    lines = [f"if {step.condition}:", *indented(step.lines)]
    if not step.otherwise:
        return lines
    if len(step.otherwise) > 1 and step.otherwise[0].startswith("if ") and not any(line.startswith("if ") for line in step.otherwise[1:]):
        return [*lines, "el" + step.otherwise[0], *step.otherwise[1:]]
    return [*lines, "else:", *indented(step.otherwise)]
