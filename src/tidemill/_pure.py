"""Runs the compiled modules as the plain Python files they are compiled from.

`TIDEMILL_PURE=1` makes every module of the package come from its `.py` file even where a compiled one lies beside it, so
that both forms pass the same tests.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType


class _SourceFinder:
    """Finds the modules of this package by their source alone."""

    @staticmethod
    def find_spec(fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not fullname.startswith("tidemill.") or path is None:
            return None
        for folder in path:
            spec = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(fullname)
            if spec is not None:
                return spec
        return None


def prefer_source() -> None:
    if not any(isinstance(finder, type) and finder is _SourceFinder for finder in sys.meta_path):
        sys.meta_path.insert(0, _SourceFinder)
