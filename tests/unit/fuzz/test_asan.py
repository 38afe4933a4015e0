"""The sanitized form: what takes seconds of it. Its modules are built by the campaigns."""

import subprocess
import sys
from pathlib import Path

import pytest

from fuzz import asan

COUNT = """
import ctypes
from fuzz.asan import Coverage
planted = ctypes.CDLL({planted!r})
coverage = Coverage()
for size in (16, 16, 0):
    coverage.begin()
    planted.planted_read(max(size, 1), 0)
    print(coverage.edges())
"""


def can_sanitize() -> bool:
    try:
        asan.runtime(asan.compiler())
    except asan.Unavailable:
        return False
    return True


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not can_sanitize():
        pytest.skip("no gcc with AddressSanitizer here")
    folder = tmp_path_factory.mktemp("asan")
    asan.build_tools(folder)
    return folder


def test_a_planted_mistake_is_caught(tools: Path) -> None:
    asan.see_a_mistake_caught(tools)


def test_edges_are_counted_once_and_the_same_in_every_run(tools: Path) -> None:
    code = COUNT.format(planted=str(tools / asan.PLANTED))
    runs = [
        subprocess.run([sys.executable, "-c", code], env=asan.environment(tools), capture_output=True, text=True, check=True).stdout.split()
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    first, again, same = map(int, runs[0])
    assert 0 < first == again == same


def test_without_a_compiler_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(asan.Unavailable, match="install gcc, or fuzz the source alone with --form source"):
        asan.compiler()


def test_other_modules_than_the_sanitized_are_refused() -> None:
    with pytest.raises(asan.Unavailable, match="is not the sanitized build"):
        asan.ensure_loaded()
