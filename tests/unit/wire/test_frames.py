"""Requests and responses with their headers and sizes."""

from mmap import mmap

import pytest

from tidemill.errors import ProtocolError
from tidemill.wire import frames
from tidemill.wire.messages.api_versions import ApiVersionsRequest, ApiVersionsResponse
from tidemill.wire.messages.metadata import MetadataRequest, MetadataResponse
from tidemill.wire.messages.produce import PartitionProduceData, ProduceRequest, TopicProduceData


@pytest.mark.parametrize(
    ("version", "header"),
    [(8, "0003 0008 00000007 0005 61646d696e"), (9, "0003 0009 00000007 0005 61646d696e 00")],
    ids=["classic", "flexible"],
)
def test_a_request_has_the_header_of_its_version(version: int, header: str) -> None:
    request = MetadataRequest(topics=None)
    sent = b"".join(frames.encode_request(request, version, correlation_id=7, client_id="admin"))
    frame = sent[4:]
    assert int.from_bytes(sent[:4], "big") == len(frame)
    assert frame == bytes.fromhex(header) + request.encode(version)
    decoded_header, decoded = frames.decode_request(frame)
    assert (decoded_header.correlation_id, decoded_header.client_id, decoded) == (7, "admin", request)


@pytest.mark.parametrize(("version", "header"), [(8, "00000007"), (9, "00000007 00")], ids=["classic", "flexible"])
def test_a_response_has_the_header_of_its_version(version: int, header: str) -> None:
    response = MetadataResponse(cluster_id="c")
    sent = b"".join(frames.encode_response(response, version, correlation_id=7))
    assert sent[4:] == bytes.fromhex(header) + response.encode(version)
    assert frames.decode_response(3, version, sent[4:]) == (7, response)


def test_the_answer_to_api_versions_always_has_the_old_header() -> None:
    response = ApiVersionsResponse(error_code=35)
    assert b"".join(frames.encode_response(response, 4, correlation_id=1))[4:] == bytes.fromhex("00000001") + response.encode(4)


def test_the_header_of_a_version_that_is_not_known_yet_can_be_read() -> None:
    """So a broker can answer ApiVersions in version 0, whatever version it was asked for."""
    frame = bytes.fromhex("0012 0063 00000005 0001 61 00") + b"whatever"
    header, at = frames.decode_request_header(frame)
    assert (header.request_api_key, header.request_api_version, header.correlation_id, frame[at:]) == (18, 99, 5, b"whatever")
    with pytest.raises(ProtocolError, match="ApiVersionsRequest has versions 0 to 4, not 99"):
        frames.decode_request(frame)


def test_record_bytes_are_sent_as_they_lie() -> None:
    records = bytes(10_000)
    request = ProduceRequest(topic_data=[TopicProduceData(name="a", partition_data=[PartitionProduceData(records=records)])])
    assert any(part is records for part in frames.encode_request(request, 9, 1, None))


def test_bytes_after_a_body_are_stepped_over() -> None:
    frame = b"".join(frames.encode_request(ApiVersionsRequest(), 3, 1, None))[4:] + b"more"
    assert frames.decode_request(frame)[1] == ApiVersionsRequest()


@pytest.mark.parametrize("frame", ["", "0003", "0003000900", "0003000900000007", "0003000900000007ffff", "03e7000000000001ffff"])
def test_a_header_that_is_none_is_an_error(frame: str) -> None:
    with pytest.raises(ProtocolError):
        frames.decode_request(bytes.fromhex(frame))


def test_the_size_of_a_frame_is_bounded() -> None:
    assert frames.frame_size(b"\0\0\1\0", limit=256) == 256
    for prefix in (b"\0\0\1\1", b"\xff\xff\xff\xff", b"\0\0\1", b""):
        with pytest.raises(ProtocolError, match="0 to 256 are allowed"):
            frames.frame_size(prefix, limit=256)


def test_a_frame_beyond_two_gigabytes_is_refused_by_name() -> None:
    """Its size was written with the wrong sign, or left as an OverflowError."""
    half = memoryview(mmap(-1, 2**30 + 1))
    partitions = [PartitionProduceData(index=index, records=half) for index in range(2)]
    request = ProduceRequest(acks=1, timeout_ms=1, topic_data=[TopicProduceData(name="orders", partition_data=partitions)])
    with pytest.raises(ProtocolError, match="ProduceRequest takes up 2147483701 bytes"):
        frames.encode_request(request, 9, 1, "me")
