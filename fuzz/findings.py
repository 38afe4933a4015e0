"""Keeps what went wrong: the input in a file that says by its name how to replay it, and beside it what was seen."""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "fuzz" / "findings"


class Origin(NamedTuple):
    """Which target failed in which form."""

    target: str
    form: str


def keep(origin: Origin, data: bytes, report: str, folder: Path = FOLDER) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{origin.target}.{origin.form}.{hashlib.sha256(data).hexdigest()[:12]}"
    path.write_bytes(data)
    notes = path.with_name(path.name + ".txt")
    notes.write_text(f"{replay_command(path)}\n\n{len(data)} bytes: {data[:400].hex()}\n\n{report}\n", encoding="utf-8")
    return path


def replay_command(path: Path) -> str:
    return f"python -m fuzz --replay {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}"


def origin_of(path: Path) -> Origin:
    """The origin of a finding, from its file's name."""
    parts = path.name.split(".")
    if len(parts) < 2:
        raise ValueError(f"{path} does not say what it is for: name it TARGET.FORM.ANYTHING, such as records.source.1")
    return Origin(parts[0], parts[1])


def place_of(error: BaseException) -> str:
    """Where an error came from: two inputs with the same place show the same mistake."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "tidemill" in frame.filename.replace("\\", "/").split("/")]
    last = (ours or frames)[-1] if frames else None
    return type(error).__name__ + (f" at {Path(last.filename).name}:{last.lineno}" if last else "")


def shrink(data: bytes, fails: Callable[[bytes], bool], attempts: int = 400) -> bytes:
    """A shorter input that fails in the same way, found by leaving out ever smaller pieces."""
    size = len(data) // 2
    while size and attempts:
        at = 0
        while at < len(data) and attempts:
            attempts -= 1
            shorter = data[:at] + data[at + size :]
            if fails(shorter):
                data = shorter
            else:
                at += size
        size //= 2
    return data
