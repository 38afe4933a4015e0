"""What every error of tidemill has in common.

- `TidemillError` is the root: catching it catches all that the library raises on purpose.
- `KafkaError` is an error that has a number in the protocol; its subclasses stand in `tidemill.errors.kafka`, one a code.
- `ProtocolError` is what a decoder or an encoder raises: bytes that are no message, or a value that no message can hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class TidemillError(Exception):
    """The root of all errors that tidemill raises.

    `retriable` says whether the same call may succeed later. `fatal` and `abort_required` depend on the request that failed,
    so whoever raises the error sets them on the instance: a fatal error ends the client, the other only its transaction.
    """

    code: ClassVar[int | None] = None
    retriable: ClassVar[bool] = False
    fatal: bool = False
    abort_required: bool = False


class ProtocolError(TidemillError, ValueError):
    """Bytes that are not a message of the protocol, or a value that does not fit into one. The message names the place."""


class KafkaError(TidemillError):
    """An error with a code in Kafka's protocol. What follows from it stands in the class, as Apache Kafka's own classes have it."""

    code: ClassVar[int]
    #: Kafka's name for the code, such as `NOT_LEADER_OR_FOLLOWER`.
    name: ClassVar[str]
    #: Retrying helps once metadata (or the coordinator) has been looked up anew.
    refresh: ClassVar[bool] = False
    #: The cluster metadata in hand is out of date.
    invalid_metadata: ClassVar[bool] = False
    #: The application can go on after handling it, without a new client.
    application_recoverable: ClassVar[bool] = False
    #: The transaction has to be aborted; the producer goes on.
    abortable: ClassVar[bool] = False
    #: The configuration of a topic or of the client is at fault.
    invalid_configuration: ClassVar[bool] = False
    authorization: ClassVar[bool] = False
    authentication: ClassVar[bool] = False
    #: Of a batch that a leader refuses for single records: their indexes in it, and what is wrong with each.
    record_errors: Sequence[int] = ()
    record_error_messages: Sequence[str] = ()

    def __init__(self, message: str = "") -> None:
        super().__init__(message or self._summary())

    @classmethod
    def _summary(cls) -> str:
        return f"{cls.name} (code {cls.code})"
