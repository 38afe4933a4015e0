"""A real Apache Kafka for a test session: what it answers is what is right.

Each pytest process (so each xdist worker too) has a broker of its own, started when a test first asks for it. Where there is
no Java or no Maven the tests that need it are skipped, unless CI is set: there they fail.
"""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "oracle" / "kafka"


def missing() -> str | None:
    """Why Apache Kafka cannot run here, or None."""
    for program in ("java", "mvn"):
        if shutil.which(program) is None:
            return f"no {program} on PATH: install a JDK 17 and Maven to compare with Apache Kafka"
    return None


def run(*arguments: str) -> str:
    """What the oracle's script prints; a failure shows all that it said."""
    done = subprocess.run([str(SCRIPT), *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{SCRIPT.name} {' '.join(arguments)} failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def two_free_ports() -> int:
    """A port that is free together with the one above it."""
    for _ in range(100):
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port: int = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except (OSError, OverflowError):
                continue
            return port
    raise RuntimeError("no two neighbouring ports are free")


def require() -> None:
    """Skips the test where Apache Kafka cannot run; in CI that is a failure."""
    reason = missing()
    if reason is None:
        return
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def apache_kafka() -> Iterator[str]:
    """The address of a running Apache Kafka."""
    require()
    folder = tempfile.mkdtemp(prefix="apache-kafka-")
    try:
        yield run("start", "-p", str(two_free_ports()), "-d", folder).splitlines()[-1]
    finally:
        run("stop", "-d", folder)
        shutil.rmtree(folder, ignore_errors=True)
