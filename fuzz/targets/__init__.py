"""All targets by name."""

from __future__ import annotations

from fuzz.target import Target
from fuzz.targets import compression, records

TARGETS: dict[str, Target] = {target.name: target for target in (*compression.TARGETS, *records.TARGETS)}
