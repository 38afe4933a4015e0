"""Builds the compiled loops. Everything else about the package stands in pyproject.toml.

The modules listed here are plain Python that Cython compiles (its "pure Python mode"). Where that fails, for want of a C
compiler or of Cython, the package installs all the same and runs the very same files uncompiled.
"""

import os
from pathlib import Path

from setuptools import Extension, setup

SOURCE = Path("src")
COMPILED: list[str] = [
    "tidemill._hashes",
    "tidemill.assignors.cooperative",
    "tidemill.assignors.model",
    "tidemill.assignors.sticky",
    "tidemill.assignors.sticky_claims",
    "tidemill.assignors.sticky_equal",
    "tidemill.assignors.sticky_partitions",
    "tidemill.records._columns",
    "tidemill.records._judging",
    "tidemill.records._loops",
    "tidemill.records._writing",
    "tidemill.wire.message",
    "tidemill.wire.messages.fetch",
    "tidemill.wire.messages.join_group",
    "tidemill.wire.messages.metadata",
    "tidemill.wire.messages.produce",
    "tidemill.wire.reader",
    "tidemill.wire.writer",
]


def extensions() -> list[Extension]:
    strict = bool(os.environ.get("TIDEMILL_REQUIRE_COMPILED"))
    try:
        from Cython.Build import cythonize
    except ImportError:
        if strict:
            raise
        return []
    flags = os.environ.get("TIDEMILL_CFLAGS", "-O3" if os.name == "posix" else "/O2").split()
    modules = cythonize(
        [Extension(name, [str(SOURCE / (name.replace(".", "/") + ".py"))], extra_compile_args=flags) for name in COMPILED],
        language_level=3,
        build_dir="build/cython",
        compiler_directives={"freethreading_compatible": True},
    )
    for module in modules:
        module.optional = not strict  # cythonize() drops the flag, so it is set on what it returns
    return modules


setup(ext_modules=extensions())
