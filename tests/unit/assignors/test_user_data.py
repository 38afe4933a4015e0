"""R20, R21: what the sticky assignors add to a subscription, as Kafka writes and reads it."""

from base64 import b64decode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.golden import lines
from tidemill import wire
from tidemill.assignors.model import UserData
from tidemill.assignors.user_data import decode_cooperative, decode_sticky, encode_cooperative, encode_sticky


def members(strategy: str) -> list[dict[str, Any]]:
    return [member for line in lines(f"assignors/{strategy}.jsonl.gz") for member in line["members"] if "subscription" in member]


def user_data_of(member: dict[str, Any]) -> bytes | None:
    subscription = bytes.fromhex(member["subscription"])
    message = wire.decode("ConsumerProtocolSubscription", int.from_bytes(subscription[:2], "big"), subscription[2:])
    return None if message["userData"] is None else b64decode(message["userData"])


def plain(data: UserData | None) -> dict[str, Any] | None:
    if data is None:
        return None
    return {key: value for key, value in (("owned", data.owned), ("generation", data.generation)) if value is not None}


def test_sticky_as_kafka_writes_it() -> None:
    """R20: both layouts are read; the latest is written."""
    seen = 0
    for member in members("sticky"):
        data = user_data_of(member)
        assert plain(decode_sticky(data)) == member.get("user_data")
        if data is not None and "generation" in member["user_data"]:
            assert encode_sticky(**member["user_data"]) == data
            seen += 1
    assert seen > 100


def test_cooperative_as_kafka_writes_it() -> None:
    """R21."""
    for member in members("cooperative-sticky"):
        data = user_data_of(member)
        generation = member["user_data"]["generation"]
        read = decode_cooperative(data)
        assert read is not None
        assert read.generation == generation
        assert encode_cooperative(generation) == data


NO_TOPIC_NAME = "00000001 ffff 00000000 00000005"
NEGATIVE_TOPICS = "ffffffff 00000005"
NEGATIVE_PARTITIONS = "00000001 0001 61 ffffffff 00000005"
GIGABYTES = "7fffffff 0001 61 7fffffff 00000001"
CUT = "00000001 0002 61"


@pytest.mark.parametrize("damaged", [NO_TOPIC_NAME, NEGATIVE_TOPICS, NEGATIVE_PARTITIONS, GIGABYTES, CUT, "00"])
def test_who_sends_nonsense_owns_nothing(damaged: str) -> None:
    """R20."""
    assert plain(decode_sticky(bytes.fromhex(damaged))) == {"owned": {}, "generation": -1}


@pytest.mark.parametrize("data", [None, b""])
def test_sticky_without_user_data(data: bytes | None) -> None:
    assert decode_sticky(data) is None


def test_a_topic_named_twice_counts_as_one() -> None:
    data = bytes.fromhex("00000002 0001 61 00000001 00000007 0001 61 00000001 00000003 00000005")
    assert plain(decode_sticky(data)) == {"owned": {"a": [7, 3]}, "generation": 5}


@pytest.mark.parametrize(("data", "generation"), [(b"", -1), (b"\0\0\0", -1), (b"\0\0\0\x07", 7), (b"\0\0\0\x07more", 7)])
def test_cooperative_from_any_bytes(data: bytes, generation: int) -> None:
    read = decode_cooperative(data)
    assert read is not None
    assert read.generation == generation


@given(st.binary(max_size=60))
def test_any_bytes_are_read(data: bytes) -> None:
    decode_sticky(data)
    decode_cooperative(data)


@given(st.dictionaries(st.text(max_size=5), st.lists(st.integers(-(2**31), 2**31 - 1), max_size=4)), st.integers(-1, 2**31 - 1))
def test_what_is_written_is_read(owned: dict[str, list[int]], generation: int) -> None:
    assert plain(decode_sticky(encode_sticky(owned, generation))) == {"owned": owned, "generation": generation}
