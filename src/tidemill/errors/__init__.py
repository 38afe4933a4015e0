"""Every error that tidemill raises.

One class for each error code of Kafka, named by its code in CamelCase, under `TidemillError`:

    >>> from tidemill import errors
    >>> errors.NotLeaderOrFollower.code, errors.NotLeaderOrFollower.retriable
    (6, True)
    >>> errors.for_code(29)
    <class 'tidemill.errors.kafka.TopicAuthorizationFailed'>
"""

from __future__ import annotations

from tidemill.errors import kafka
from tidemill.errors.base import KafkaError, ProtocolError, TidemillError
from tidemill.errors.kafka import *  # noqa: F403

__all__ = ["KafkaError", "ProtocolError", "TidemillError", "for_code", *(name for name in kafka.__all__ if name != "BY_CODE")]


def for_code(code: int) -> type[KafkaError]:
    """The class of an error code. A code that no Kafka known here sends is an `UnknownServerError`, as in Kafka's clients.

    Code 0 means that there is no error, and has no class.
    """
    if code == 0:
        raise ValueError("error code 0 means success: it has no error class")
    return kafka.BY_CODE.get(code, kafka.UnknownServerError)
