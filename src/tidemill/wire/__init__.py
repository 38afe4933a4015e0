"""Kafka's wire protocol.

`decode` and `encode` take and give any message in Kafka's JSON form. The classes behind them, one for all versions of a message,
are in `tidemill.wire.messages`, one module an API:

    >>> from tidemill.wire.messages.heartbeat import HeartbeatRequest
    >>> request = HeartbeatRequest(group_id="billing", generation_id=3, member_id="m-1")
    >>> HeartbeatRequest.decode(4, request.encode(4)) == request
    True

Nothing is imported before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidemill.wire.json_form import decode, encode

__all__ = ["decode", "encode"]


if not TYPE_CHECKING:  # a checker that saw this would take any name for one that is there

    def __getattr__(name: str) -> object:
        if name in __all__:
            from tidemill.wire import json_form

            globals().update(decode=json_form.decode, encode=json_form.encode)
            return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
