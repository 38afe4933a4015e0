"""The compiled modules under AddressSanitizer and UBSan: how they are built, and how Python is started with them.

Needs gcc and its libasan, nothing else. They are built into build/asan, so that the modules in use stay as they are. The interpreter is
not built anew: its allocations go through AddressSanitizer's because the library is loaded first and PYTHONMALLOC is `malloc`. So a read or
a write by the compiled modules outside of any object is caught. What libraries without instrumentation do is caught less often.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from fuzz.bounds import LARGEST_ALLOCATION, MEGABYTE
from fuzz.findings import ROOT

BUILD = ROOT / "build" / "asan"
LIBRARY = BUILD / "lib"
COVERAGE, PLANTED = "libcoverage.so", "libplanted.so"
SOURCES = ROOT / "fuzz" / "native"

# Python's own flags say -fwrapv, under which no overflow is a mistake. It is undone here, as the code casts where it means to wrap.
SANITIZE = "-fsanitize=address,undefined"
FLAGS = f"-O0 -g1 {SANITIZE} -fno-sanitize-recover=undefined -fno-wrapv -fsanitize-coverage=trace-pc"
EXIT_CODE = 99


class Unavailable(Exception):
    """This machine cannot build or run them; the message says what is missing."""


def compiler() -> str:
    path = shutil.which("gcc")
    if path is None or sys.platform != "linux":
        raise Unavailable("AddressSanitizer's form needs gcc on Linux: install gcc, or fuzz the source alone with --form source")
    return path


def runtime(gcc: str) -> str:
    """The library that has to be loaded before everything else."""
    path = subprocess.run([gcc, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout.strip()
    if not Path(path).is_absolute():  # gcc gives the name back when it finds no such file
        raise Unavailable("gcc has no libasan.so: install it (Debian: libgcc-*-dev), or fuzz the source alone with --form source")
    return path


def build() -> None:
    """Builds what is not up to date, then sees a planted mistake caught."""
    stamp = BUILD / "flags"
    if not stamp.exists() or stamp.read_text() != FLAGS:
        shutil.rmtree(BUILD, ignore_errors=True)
    BUILD.mkdir(parents=True, exist_ok=True)
    stamp.write_text(FLAGS)
    build_tools(BUILD)
    see_a_mistake_caught(BUILD)
    settings = os.environ | {"CC": compiler(), "TIDEMILL_CFLAGS": FLAGS, "LDFLAGS": SANITIZE, "TIDEMILL_REQUIRE_COMPILED": "1"}
    jobs = str(os.cpu_count() or 1)
    arguments = ("--build-base", str(BUILD / "work"), "--build-lib", str(LIBRARY), "--parallel", jobs)
    _run([sys.executable, "setup.py", "-q", "build", *arguments], settings)


def build_tools(folder: Path) -> None:
    """The library that counts what is covered, and the planted mistake."""
    gcc = compiler()
    _run([gcc, "-O2", "-shared", "-fPIC", str(SOURCES / "coverage.c"), "-o", str(folder / COVERAGE), "-ldl"])
    _run([gcc, *FLAGS.split(), "-shared", "-fPIC", str(SOURCES / "planted.c"), "-o", str(folder / PLANTED)])


def see_a_mistake_caught(folder: Path) -> None:
    code = f"import ctypes; print(ctypes.CDLL({str(folder / PLANTED)!r}).planted_read(16, %d))"
    for at, expected in ((15, 0), (16, EXIT_CODE)):
        result = subprocess.run([sys.executable, "-c", code % at], env=environment(folder), capture_output=True, text=True)
        if result.returncode != expected:
            raise Unavailable(
                f"AddressSanitizer does not work here: reading byte {at} of 16 ended with {result.returncode}: {result.stderr}"
            )


def environment(folder: Path = BUILD) -> dict[str, str]:
    """In which Python runs with the sanitized modules."""
    options = {
        "detect_leaks": 0,  # the interpreter itself leaves much behind
        "malloc_context_size": 5,  # of stacks of allocations: longer ones take most of the time
        "allocator_may_return_null": 1,
        "max_allocation_size_mb": LARGEST_ALLOCATION // MEGABYTE,
        "quarantine_size_mb": 32,
        "exitcode": EXIT_CODE,
    }
    return os.environ | {
        "LD_PRELOAD": f"{runtime(compiler())} {folder / COVERAGE}",
        "ASAN_OPTIONS": ":".join(f"{name}={value}" for name, value in options.items()),
        "UBSAN_OPTIONS": f"print_stacktrace=1:halt_on_error=1:exitcode={EXIT_CODE}",
        "PYTHONMALLOC": "malloc",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": str(LIBRARY),
        "TIDEMILL_PURE": "",
    }


class Coverage:
    """The edges that the C code of this process covered, as the library that was loaded with it counts them."""

    def __init__(self) -> None:
        library = ctypes.CDLL(None)
        self._edges = ctypes.c_uint64.in_dll(library, "coverage_edges")
        self.begin: Callable[[], object] = library.coverage_begin

    def edges(self) -> int:
        return self._edges.value


def ensure_loaded() -> None:
    """Raises unless every compiled module of this process is a sanitized one."""
    import tidemill

    if not Path(tidemill.__file__).is_relative_to(LIBRARY) or not tidemill.compiled:
        raise Unavailable(f"{tidemill.__file__} is not the sanitized build: start this by `python -m fuzz`")


def _run(command: list[str], environment: dict[str, str] | None = None) -> None:
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if result.returncode:
        raise Unavailable(f"building with AddressSanitizer failed: {' '.join(command)}\n{result.stdout}{result.stderr}")
