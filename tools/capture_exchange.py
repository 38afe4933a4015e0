"""Records what a client and a real Apache Kafka say to each other, frame by frame: examples/exchange.jsonl.

    tests/oracle/kafka start -p 19092 -d /tmp/kafka advertised.listeners=PLAINTEXT://127.0.0.1:19094
    python -m tools.capture_exchange --broker 127.0.0.1:19092 --listen 127.0.0.1:19094 > examples/exchange.jsonl

The client is confluent-kafka: it writes a few records, then reads them back as a member of a group. Between it and the broker
stands a proxy of one thread that copies bytes both ways and keeps each frame of the first few of a kind.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import struct
from collections import Counter
from collections.abc import Callable

from confluent_kafka import Consumer, KafkaError, Producer

TOPIC = "orders"
KEPT_OF_A_KIND = 1
HEADER = struct.Struct(">hhi")  # API key, API version, correlation id: how every request begins


class Tap:
    """Keeps the frames of all connections, as pairs of request and response."""

    def __init__(self) -> None:
        self.exchanges: list[dict[str, object]] = []
        self._kinds: Counter[int] = Counter()

    def connection(self) -> tuple[Callable[[bytes], None], Callable[[bytes], None]]:
        waiting: dict[int, tuple[int, int, bytes]] = {}

        def request(frame: bytes) -> None:
            key, version, correlation = HEADER.unpack_from(frame)
            waiting[correlation] = key, version, frame

        def response(frame: bytes) -> None:
            key, version, asked = waiting.pop(struct.unpack_from(">i", frame)[0])
            empty = key == 1 and len(frame) < 120  # a Fetch that found nothing
            if not empty and self._kinds[key] < KEPT_OF_A_KIND:
                self._kinds[key] += 1
                self.exchanges.append({"api_key": key, "api_version": version, "request": asked.hex(), "response": frame.hex()})

        return request, response


async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, keep: Callable[[bytes], None]) -> None:
    try:
        while True:
            size = await reader.readexactly(4)
            frame = await reader.readexactly(int.from_bytes(size, "big"))
            keep(frame)
            writer.write(size + frame)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


def produce_and_consume(bootstrap: str) -> None:
    common = {"bootstrap.servers": bootstrap}
    producer = Producer(common | {"client.id": "shop", "enable.idempotence": True, "compression.type": "lz4"})
    for number in range(3):
        value = b'{"order": %d, "total": "12.50 EUR"}' % number
        producer.produce(TOPIC, key=b"customer-%d" % (number % 2), value=value, headers={"trace": b"7"})
    producer.flush(30)
    consumer = Consumer(common | {"client.id": "billing", "group.id": "billing", "auto.offset.reset": "earliest"})
    consumer.subscribe([TOPIC])
    read = 0
    while read < 3:
        message = consumer.poll(10)
        if message is None:
            raise RuntimeError("nothing came back")
        error = message.error()
        if error is not None and error.code() != KafkaError.UNKNOWN_TOPIC_OR_PART:
            raise RuntimeError(str(error))
        read += error is None
    consumer.commit(asynchronous=False)
    consumer.close()


async def capture(broker: str, listen: str) -> list[dict[str, object]]:
    tap = Tap()
    host, _, port = broker.rpartition(":")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(host, int(port))
        request, response = tap.connection()
        await asyncio.gather(copy(reader, back, request), copy(there, writer, response))

    own_host, _, own_port = listen.rpartition(":")
    async with await asyncio.start_server(serve, own_host, int(own_port)):
        await asyncio.to_thread(produce_and_consume, listen)
    return tap.exchanges


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--broker", required=True, help="the address of Apache Kafka")
    parser.add_argument("--listen", required=True, help="the address that Apache Kafka advertises, where this program listens")
    args = parser.parse_args()
    for exchange in asyncio.run(capture(args.broker, args.listen)):
        print(json.dumps(exchange))


if __name__ == "__main__":
    main()
