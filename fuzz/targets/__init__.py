"""All targets by name."""

from __future__ import annotations

from fuzz.target import Target
from fuzz.targets import arrow, compression, loops, records, wire

TARGETS: dict[str, Target] = {target.name: target for module in (wire, compression, records, loops, arrow) for target in module.TARGETS}
