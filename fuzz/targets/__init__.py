"""All targets by name. Only the module that holds one is imported for it: what atheris need not instrument takes no time."""

from __future__ import annotations

from importlib import import_module

from fuzz.target import Target

HOMES = {
    "messages": "wire",
    "json": "wire",
    "frames": "frames",
    "kept": "frames",
    "compression": "compression",
    "records": "records",
    "append": "records",
    "compaction": "records",
    "aborted-index": "records",
    "control": "records",
    "section": "loops",
    "judge": "loops",
    "builder": "loops",
    "columns": "loops",
    "arrow": "arrow",
    "claims": "assignors",
    "assign": "assignors",
}


def target_named(name: str) -> Target:
    targets: tuple[Target, ...] = import_module(f"fuzz.targets.{HOMES[name]}").TARGETS
    return next(target for target in targets if target.name == name)
