"""Requests and responses as they travel: a size, a header, a body.

- The size is an int32 and does not count itself. A frame, here, is what follows it.
- Which version of the header goes before a body follows from the API and its version; see `tidemill.wire.versions`.
- What is to be sent comes in parts for one gathered write. Large byte strings among them are the message's own, not copies.
- Bytes after the end of a body are stepped over, as Apache Kafka does.
"""

from __future__ import annotations

from tidemill.errors.base import ProtocolError
from tidemill.wire.message import Message
from tidemill.wire.messages.request_header import RequestHeader
from tidemill.wire.messages.response_header import ResponseHeader
from tidemill.wire.reader import BytesLike, Reader
from tidemill.wire.registry import request_class, response_class
from tidemill.wire.versions import request_header_version, response_header_version
from tidemill.wire.writer import Writer

SIZE_BYTES = 4
LARGEST_FRAME = 2**31 - 1


def frame_size(prefix: BytesLike, limit: int) -> int:
    """The size of the frame that follows these four bytes; an error if it is negative or beyond `limit`."""
    size = int.from_bytes(prefix[:SIZE_BYTES], "big", signed=True)
    if len(prefix) < SIZE_BYTES or not 0 <= size <= limit:
        raise ProtocolError(f"a frame of {size} bytes is announced by {bytes(prefix[:SIZE_BYTES])!r}: 0 to {limit} are allowed")
    return size


def encode_request(request: Message, version: int, correlation_id: int, client_id: str | None) -> list[BytesLike]:
    """A request with its header and size, in parts."""
    header = RequestHeader(request_api_key=request.API_KEY, request_api_version=version, correlation_id=correlation_id, client_id=client_id)
    return _framed(header, request_header_version(request.API_KEY, version), request, version)


def encode_response(response: Message, version: int, correlation_id: int) -> list[BytesLike]:
    """A response with its header and size, in parts."""
    header = ResponseHeader(correlation_id=correlation_id)
    return _framed(header, response_header_version(response.API_KEY, version), response, version)


def _framed(header: Message, header_version: int, body: Message, version: int) -> list[BytesLike]:
    parts = body.written(header.written(Writer(), header_version), version).parts()
    size = sum(map(len, parts))
    if size > LARGEST_FRAME:
        raise ProtocolError(f"{type(body).__name__} takes up {size} bytes, and a frame has at most {LARGEST_FRAME}")
    return [size.to_bytes(SIZE_BYTES, "big") + parts[0], *parts[1:]]


def decode_request_header(frame: BytesLike) -> tuple[RequestHeader, int]:
    """The header of a request, and where the body begins.

    It can be read whatever version is asked for, so that a broker can answer a version that it does not have.
    """
    start = Reader(frame)
    try:
        api_key, version = start.int16(), start.int16()
    except ProtocolError as error:
        raise ProtocolError(f"cannot decode the header of a request: {error}") from None
    return RequestHeader.decode_from(request_header_version(api_key, version), frame)


def decode_request(frame: BytesLike) -> tuple[RequestHeader, Message]:
    """A request and its header."""
    header, at = decode_request_header(frame)
    request, _ = request_class(header.request_api_key).decode_from(header.request_api_version, frame, at)
    return header, request


def decode_response(api_key: int, version: int, frame: BytesLike) -> tuple[int, Message]:
    """The correlation id of a response, and the response to that version of the API."""
    header, at = ResponseHeader.decode_from(response_header_version(api_key, version), frame)
    response, _ = response_class(api_key).decode_from(version, frame, at)
    return header.correlation_id, response
