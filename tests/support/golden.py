"""The golden files: inputs and outputs of Apache Kafka's own classes, one JSON object a line (see tests/golden/README.md)."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).resolve().parent.parent / "golden"


def lines(name: str) -> Iterator[dict[str, Any]]:
    """The lines of one golden file, named relative to tests/golden."""
    path = GOLDEN / name
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text(encoding="utf-8")
    for line in text.splitlines():
        yield json.loads(line)


def message_files() -> list[str]:
    """Every file of message vectors, relative to tests/golden."""
    return sorted(f"messages/{path.name}" for path in (GOLDEN / "messages").glob("*.jsonl"))
