"""A conversation between a client and a real Apache Kafka, decoded: `make demo`.

`exchange.jsonl` beside this file was captured by `python -m tools.capture_exchange`: confluent-kafka writes three orders with
lz4 and reads them back as a member of the group `billing`. Each line is a request and its response, as they were on the wire.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tidemill
from tidemill import errors, records
from tidemill.wire import frames
from tidemill.wire.message import Message
from tidemill.wire.messages.consumer_protocol_assignment import ConsumerProtocolAssignment
from tidemill.wire.messages.consumer_protocol_subscription import ConsumerProtocolSubscription
from tidemill.wire.messages.fetch import FetchResponse
from tidemill.wire.messages.join_group import JoinGroupRequest
from tidemill.wire.messages.produce import ProduceRequest
from tidemill.wire.messages.sync_group import SyncGroupRequest
from tidemill.wire.record_frames import decode_versioned

EXCHANGE = Path(__file__).with_name("exchange.jsonl")
WIDTH = 118


def exchanges() -> Iterator[dict[str, Any]]:
    for line in EXCHANGE.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def shortened(message: Message) -> str:
    text = repr(message).removeprefix(type(message).__name__)
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"


def records_of(data: bytes | bytearray | memoryview) -> Iterator[str]:
    for batch in records.decode(data):
        yield f"batch at offset {batch.base_offset}: {batch.count} records, {batch.compression}, producer {batch.producer_id}"
        for record in batch.records:
            headers = ", ".join(f"{name}={value!r}" for name, value in record.headers)
            yield f"  offset {record.offset}  key {record.key!r}  value {record.value!r}  headers {headers}"


def inside(message: Message) -> Iterator[str]:
    """What a message carries in a format of its own."""
    if isinstance(message, ProduceRequest):
        for written in message.topic_data:
            for part in written.partition_data:
                yield from records_of(part.records or b"")
    elif isinstance(message, FetchResponse):
        for fetched in message.responses:
            for data in fetched.partitions:
                yield from records_of(data.records or b"")
    elif isinstance(message, JoinGroupRequest):
        for protocol in message.protocols:
            _, subscription = decode_versioned(ConsumerProtocolSubscription, protocol.metadata)
            yield f"strategy {protocol.name}: subscribes to {', '.join(subscription.topics)}"
    elif isinstance(message, SyncGroupRequest):
        for member in message.assignments:
            _, assignment = decode_versioned(ConsumerProtocolAssignment, member.assignment)
            for topic in assignment.assigned_partitions:
                yield f"{member.member_id} gets partitions {topic.partitions} of {topic.topic}"


def show(arrow: str, message: Message) -> None:
    print(f"  {arrow} {shortened(message)}")
    for line in inside(message):
        print(f"      {line}")


def main() -> None:
    started, count = time.perf_counter(), 0
    for exchange in exchanges():
        header, request = frames.decode_request(bytes.fromhex(exchange["request"]))
        _, response = frames.decode_response(header.request_api_key, header.request_api_version, bytes.fromhex(exchange["response"]))
        print(f"{type(request).__name__.removesuffix('Request')} version {header.request_api_version}, client {header.client_id!r}")
        show("→", request)
        show("←", response)
        code = getattr(response, "error_code", 0)
        if code:
            print(f"      {errors.for_code(code).name}: {'try again' if errors.for_code(code).retriable else 'not to be retried'}")
        count += 2
    how = "compiled" if tidemill.compiled else "plain Python"
    print(f"\n{count} messages decoded in {(time.perf_counter() - started) * 1e3:.0f} ms ({how} loops)")


if __name__ == "__main__":
    main()
