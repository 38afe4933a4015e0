"""R2: the other clients send a key where we send it."""

import ctypes
from collections.abc import Callable
from importlib.metadata import files
from random import Random

import pytest
from aiokafka.partitioner import DefaultPartitioner as AioKafkaPartitioner
from hypothesis import given
from hypothesis import strategies as st
from kafka.partitioner.default import murmur2 as kafka_python_murmur2

from tidemill.partitioners import murmur2, partition_for_key

pytestmark = pytest.mark.peer

Route = Callable[[bytes, int], int]


def kafka_python(key: bytes, partitions: int) -> int:
    hashed: int = kafka_python_murmur2(key)
    return (hashed & 0x7FFFFFFF) % partitions


def aiokafka(key: bytes, partitions: int) -> int:
    every = list(range(partitions))
    chosen: int = AioKafkaPartitioner()(key, every, every)
    return chosen


def librdkafka() -> Route:
    """The function that confluent-kafka's `partitioner=murmur2` names, in the library that its wheel carries."""
    library = next(path for path in files("confluent-kafka") or () if path.name.startswith(("librdkafka", "rdkafka")))
    route = ctypes.CDLL(str(library.locate())).rd_kafka_msg_partitioner_murmur2
    route.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p]
    route.restype = ctypes.c_int32
    return lambda key, partitions: int(route(None, key, len(key), partitions, None, None))


PEERS: dict[str, Route] = {"kafka-python": kafka_python, "aiokafka": aiokafka, "confluent-kafka": librdkafka()}


@pytest.mark.parametrize("peer", PEERS)
def test_keys_of_every_length_go_to_the_same_partition(peer: str) -> None:
    """R2."""
    random = Random(431)
    for size in range(300):
        key = random.randbytes(size)
        assert PEERS[peer](key, 1_000) == partition_for_key(key, 1_000)


@given(st.binary(min_size=1, max_size=64), st.integers(1, 10_000))
def test_any_key_goes_to_the_same_partition(key: bytes, partitions: int) -> None:
    """R2."""
    assert {name: route(key, partitions) for name, route in PEERS.items()} == dict.fromkeys(PEERS, partition_for_key(key, partitions))


@given(st.binary(max_size=64))
def test_the_hash_itself_is_the_same(key: bytes) -> None:
    """R2: kafka-python's is unsigned."""
    assert kafka_python_murmur2(key) % 2**32 == murmur2(key) % 2**32
