"""Builds the compiled loops. Everything else about the package stands in pyproject.toml.

The modules listed here are plain Python that Cython compiles (its "pure Python mode"). Where that fails, for want of a C
compiler or of Cython, the package installs all the same and runs the very same files uncompiled: all of them, since a module that is
compiled against another does not go with the uncompiled one. `TIDEMILL_REQUIRE_COMPILED=1` makes such a failure an error.
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

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
STRICT = os.environ.get("TIDEMILL_REQUIRE_COMPILED", "0") != "0"


class BuildAllOrNone(build_ext):
    def build_extensions(self) -> None:
        try:
            super().build_extensions()
        except Exception as problem:
            if STRICT:
                raise
            print(f"tidemill is installed uncompiled, as a module could not be compiled: {problem}", file=sys.stderr)
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = []


def extensions() -> list[Extension]:
    try:
        from Cython.Build import cythonize
    except ImportError:
        if STRICT:
            raise
        return []
    flags = os.environ.get("TIDEMILL_CFLAGS", "-O3" if os.name == "posix" else "/O2").split()
    modules: list[Extension] = cythonize(
        [Extension(name, [str(SOURCE / (name.replace(".", "/") + ".py"))], extra_compile_args=flags) for name in COMPILED],
        language_level=3,
        build_dir="build/cython",
    )
    return modules


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildAllOrNone})
