"""Kafka as a Python library.

What is here today: Kafka's wire protocol (`tidemill.wire`), its record batches (`tidemill.records`), its partition
assignment strategies (`tidemill.assignors`), the producer's choice of partition (`tidemill.partitioners`) and the placement
of replicas (`tidemill.placement`). Nothing is imported before it is used.
"""

import os
from typing import TYPE_CHECKING

if os.environ.get("TIDEMILL_PURE", "0") not in ("", "0"):  # before any other module of the package is looked for
    from tidemill import _pure

    _pure.prefer_source()

__version__ = "0.1.0"
__all__ = ["__version__", "compiled"]
_PUBLIC = ("assignors", "errors", "partitioners", "placement", "records", "wire")


if TYPE_CHECKING:
    from tidemill import assignors as assignors
    from tidemill import errors as errors
    from tidemill import partitioners as partitioners
    from tidemill import placement as placement
    from tidemill import records as records
    from tidemill import wire as wire

    #: Whether the loops run compiled: not where there was no C compiler, nor under `TIDEMILL_PURE=1`.
    compiled: bool
else:  # a checker that saw this would take any name for one that is there

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name == "compiled":
            return import_module("tidemill.records._loops").COMPILED
        if name in _PUBLIC:
            return import_module(f"tidemill.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
