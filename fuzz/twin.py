"""The compiled modules and their own sources side by side: whatever one does with an input, the other has to do."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable
from types import ModuleType
from typing import TypeVar, cast

import tidemill
from tidemill import _pure

Subject = TypeVar("Subject")
Result = TypeVar("Result")


class Disagreement(AssertionError):
    """The compiled form and the source did not do the same."""


def uncompiled(package: str) -> dict[str, ModuleType]:
    """All modules of a package of tidemill by their names, run from source. Where nothing is compiled, they are the ones in use."""
    names = [package, *(module.name for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."))]
    in_use = {name: importlib.import_module(name) for name in names}
    if not tidemill.compiled:
        return in_use
    attribute = package.rpartition(".")[2]
    parent = getattr(tidemill, attribute)
    finders = sys.meta_path[:]
    for name in names:
        del sys.modules[name]
    _pure.prefer_source()
    try:
        return {name: importlib.import_module(name) for name in names}
    finally:
        sys.meta_path[:] = finders
        sys.modules.update(in_use)
        setattr(tidemill, attribute, parent)


def agree(run: Callable[[Subject], Result], in_use: Subject, source: Subject, refusals: tuple[type[Exception], ...] = ()) -> Result:
    """What `run` makes of both. A refusal counts by its words; it is raised if both refuse."""
    outcomes: list[Result | tuple[type[Exception], str]] = []
    refusal: Exception | None = None
    for subject in (in_use, source) if in_use is not source else (in_use,):
        try:
            outcomes.append(run(subject))
        except refusals as error:
            refusal = error
            outcomes.append((type(error), str(error)))
    if outcomes[0] != outcomes[-1]:
        raise Disagreement(f"compiled: {str(outcomes[0])[:1000]}\nsource: {str(outcomes[-1])[:1000]}")
    if refusal is not None:
        raise refusal
    return cast("Result", outcomes[0])
