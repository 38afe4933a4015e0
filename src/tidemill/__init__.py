"""Kafka as a Python library.

What is here today: Kafka's wire protocol (`tidemill.wire`), its record batches (`tidemill.records`), its partition
assignment strategies (`tidemill.assignors`), the producer's choice of partition (`tidemill.partitioners`) and the placement
of replicas (`tidemill.placement`). Nothing is imported before it is used.
"""

import os

if os.environ.get("TIDEMILL_PURE"):  # before any other module of the package is looked for
    from tidemill import _pure

    _pure.prefer_source()

__version__ = "0.1.0"
__all__ = ["__version__", "compiled"]


def __getattr__(name: str) -> object:
    if name == "compiled":
        from tidemill.records import _loops

        return _loops.COMPILED
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
