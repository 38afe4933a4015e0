"""The least that speaks to a broker: one connection, one request at a time, in the project's own messages."""

import socket
from collections.abc import Mapping
from types import TracebackType
from typing import Self, TypeVar

from tidemill.errors import for_code
from tidemill.records.header import Buffer
from tidemill.wire.message import Message
from tidemill.wire.messages.create_topics import CreatableTopic, CreatableTopicConfig, CreateTopicsRequest, CreateTopicsResponse
from tidemill.wire.messages.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from tidemill.wire.messages.produce import (
    PartitionProduceData,
    PartitionProduceResponse,
    ProduceRequest,
    ProduceResponse,
    TopicProduceData,
)
from tidemill.wire.messages.request_header import RequestHeader
from tidemill.wire.messages.response_header import ResponseHeader

_Response = TypeVar("_Response", bound=Message)

PRODUCE_VERSION, FETCH_VERSION, CREATE_TOPICS_VERSION = 11, 12, 7
ATTEMPTS = 200


class Client:
    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=30)
        self._correlation_id = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._socket.close()

    def call(self, request: Message, version: int, response_class: type[_Response]) -> _Response:
        """The response to a request of a flexible version."""
        self._correlation_id += 1
        assert request.API_KEY is not None
        header = RequestHeader(request_api_key=request.API_KEY, request_api_version=version, correlation_id=self._correlation_id)
        frame = header.encode(2) + request.encode(version)
        self._socket.sendall(len(frame).to_bytes(4, "big") + frame)
        answer = self._read(int.from_bytes(self._read(4), "big"))
        response_header, end = ResponseHeader.decode_from(1, answer)
        assert response_header.correlation_id == self._correlation_id
        return response_class.decode(version, answer[end:])

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            piece = self._socket.recv(size - len(data))
            if not piece:
                raise ConnectionError("the broker has closed the connection")
            data += piece
        return data

    def create_topic(self, name: str, config: Mapping[str, str]) -> None:
        configs = [CreatableTopicConfig(name=key, value=value) for key, value in config.items()]
        topic = CreatableTopic(name=name, num_partitions=1, replication_factor=1, configs=configs)
        request = CreateTopicsRequest(topics=[topic], timeout_ms=30_000)
        (result,) = self.call(request, CREATE_TOPICS_VERSION, CreateTopicsResponse).topics
        if result.error_code:
            raise for_code(result.error_code)(f"topic {name!r}: {result.error_message}")

    def produce(self, topic: str, records: Buffer) -> PartitionProduceResponse:
        """What the broker answers, once the partition has a leader."""
        data = TopicProduceData(name=topic, partition_data=[PartitionProduceData(index=0, records=records)])
        request = ProduceRequest(acks=-1, timeout_ms=30_000, topic_data=[data])
        for _ in range(ATTEMPTS):
            response = self.call(request, PRODUCE_VERSION, ProduceResponse).responses[0].partition_responses[0]
            if not (response.error_code and for_code(response.error_code).invalid_metadata):
                return response
        raise TimeoutError(f"topic {topic!r} has no leader")

    def fetch(self, topic: str, offset: int) -> bytes:
        """The batches from one offset on."""
        partition = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=10_000_000)
        request = FetchRequest(
            max_wait_ms=1000, min_bytes=1, max_bytes=10_000_000, topics=[FetchTopic(topic=topic, partitions=[partition])]
        )
        data = self.call(request, FETCH_VERSION, FetchResponse).responses[0].partitions[0]
        if data.error_code:
            raise for_code(data.error_code)(f"fetching {topic!r} from offset {offset}")
        return bytes(data.records or b"")
