"""What campaigns begin with: the golden vectors of Apache Kafka, and past findings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from fuzz.findings import ROOT

GOLDEN = ROOT / "tests" / "golden"
PAST_FINDINGS = ROOT / "tests" / "unit" / "fuzz" / "corpus"


def golden(name: str) -> Iterator[dict[str, Any]]:
    """The lines of a golden file, or of all that a pattern matches."""
    for path in sorted(GOLDEN.glob(name)):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def past_findings(target: str) -> Iterator[bytes]:
    folder = PAST_FINDINGS / target
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        yield path.read_bytes()


def write_all(seeds: Iterable[bytes], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for data in seeds:
        (folder / hashlib.sha256(data).hexdigest()[:24]).write_bytes(data)
