"""Formats generated Python as all other Python here is formatted."""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def formatted(texts: dict[str, str]) -> dict[str, str]:
    """Path → the same text as `ruff format` leaves it."""
    ruff = Path(sys.executable).parent / "ruff"
    with tempfile.TemporaryDirectory() as folder:
        files = {path: Path(folder) / path.replace("/", "+") for path in texts}
        for path, file in files.items():
            file.write_text(texts[path], encoding="utf-8")
        command = [str(ruff), "format", "--quiet", "--no-cache", "--config", str(ROOT / "pyproject.toml"), folder]
        subprocess.run(command, check=True)
        return {path: file.read_text(encoding="utf-8") for path, file in files.items()}
