"""Every message of the protocol in every version, as bytes and in the JSON form. The first three bytes choose message and version."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

from fuzz.mutation import NUMBERS, Step
from fuzz.seeds import golden
from fuzz.target import Target, exactly
from fuzz.twin import agree, uncompiled
from tidemill import wire
from tidemill.errors import ProtocolError
from tidemill.wire.message import Message
from tidemill.wire.messages import MODULES
from tidemill.wire.registry import message_class

SETTINGS = 3
LARGEST_SEED = 3000
PREFIXES = {"none": 0, "int16 version": 2, "int16 type": 2}
ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    "",
    "x",
    "x" * 40_000,
    "\ud800",
    1.5,
    float("nan"),
    [],
    [None],
    {},
    {"": 0},
    [[]],
    *NUMBERS,
    10**30,
)

ADDRESS = re.compile(r" at 0x[0-9a-f]+")  # of a memoryview, which prints no content

CLASSES = [cls for cls in map(message_class, sorted(MODULES)) if cls.MAX_VERSION >= cls.MIN_VERSION]
NUMBER = {cls.NAME: number for number, cls in enumerate(CLASSES)}

SOURCE = uncompiled("tidemill.wire")


def chosen(data: bytes) -> tuple[type[Message], int, bytes]:
    head = data[:SETTINGS].ljust(SETTINGS, b"\0")
    cls = CLASSES[int.from_bytes(head[:2], "big") % len(CLASSES)]
    return cls, cls.MIN_VERSION + head[2] % (cls.MAX_VERSION - cls.MIN_VERSION + 1), data[SETTINGS:]


def choice(cls: type[Message], version: int) -> bytes:
    return NUMBER[cls.NAME].to_bytes(2, "big") + bytes((version - cls.MIN_VERSION,))


def message(data: bytes) -> None:
    """What is decoded can be encoded, and is the same then, also by way of JSON; compiled messages do as their source does."""
    cls, version, body = chosen(data)

    def run(kind: type[Message]) -> tuple[str, bytes | None]:
        decoded = kind.decode(version, exactly(body))
        return ADDRESS.sub("", repr(decoded)), encoded_again(decoded, version, body)

    _, encoded = agree(run, cls, source_of(cls), (ProtocolError,))
    if encoded is None:
        return
    again, end = cls.decode_from(version, b"\xff" + encoded + b"\xff", 1)
    assert end == 1 + len(encoded)
    assert again.encode(version) == encoded == b"".join(again.encode_parts(version))
    plain = wire.decode(cls.NAME, version, encoded)
    assert repr(wire.decode(cls.NAME, version, wire.encode(cls.NAME, version, plain))) == repr(plain)


def source_of(cls: type[Message]) -> type[Message]:
    found: type[Message] = getattr(SOURCE[f"tidemill.wire.messages.{MODULES[cls.NAME]}"], cls.NAME)
    return found


def encoded_again(decoded: Message, version: int, body: bytes) -> bytes | None:
    """The bytes; None where a string has grown beyond its limit, because characters that are not UTF-8 were replaced."""
    try:
        return decoded.encode(version)
    except ProtocolError:
        assert len(body) > 0x7FFF / 3, decoded
        return None


def json_form(data: bytes) -> None:
    """Any JSON is a message or an error that says what is wrong with it; what is a message can be read."""
    cls, version, text = chosen(data)
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError):
        return
    encoded = wire.encode(cls.NAME, version, plain)
    assert wire.encode(cls.NAME, version, wire.decode(cls.NAME, version, encoded)) == encoded


def reshape_message(data: bytes, random: Random, step: Step) -> bytes:
    """Mostly the body; now and then it is given to another version, or to another message."""
    head, body = data[:SETTINGS].ljust(SETTINGS, b"\0"), data[SETTINGS:]
    lot = random.random()
    if lot < 0.03:
        return random.randrange(len(CLASSES)).to_bytes(2, "big") + head[2:] + body
    if lot < 0.1:
        return head[:2] + random.randbytes(1) + body
    return head + step(body)


def reshape_json(data: bytes, random: Random, step: Step) -> bytes:
    """Replaces, drops or doubles something in the JSON."""
    head, text = data[:SETTINGS].ljust(SETTINGS, b"\0"), data[SETTINGS:]
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError):
        return head + step(text)
    if random.random() < 0.05:
        return head[:2] + random.randbytes(1) + text
    places = list(places_in(plain))
    if not places or random.random() < 0.1:
        return head + step(text)
    container, key = random.choice(places)
    lot = random.random()
    if lot < 0.6:
        container[key] = random.choice(ODD_VALUES)
    elif lot < 0.75:
        del container[key]
    elif lot < 0.85:
        container[key] = random.choice(places)[0]
    elif isinstance(container, dict):
        container[key + "x"] = container[key]
    else:
        container.append(container[key])
    try:
        return head + json.dumps(plain).encode()
    except (ValueError, RecursionError):  # a value was put into itself
        return head + step(text)


def places_in(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in it: a list or an object, and an index or a key."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places_in(value[key])


def body_of(line: dict[str, Any]) -> bytes:
    """The bytes behind the prefix that stands before records of internal topics."""
    data = bytes.fromhex(line["hex"])
    prefix = line.get("prefix", "none")
    if prefix in PREFIXES:
        return data[PREFIXES[prefix] :]
    return data[3:] if data[1] < 0x80 else data[4:]


def message_seeds() -> Iterator[bytes]:
    for line in golden("messages/*.jsonl"):
        body = body_of(line)
        if len(body) <= LARGEST_SEED:
            yield choice(message_class(line["name"]), line["version"]) + body


def json_seeds() -> Iterator[bytes]:
    for line in golden("messages/*.jsonl"):
        text = json.dumps(line["json"]).encode()
        if line["instance"] in ("mixed", "nulls") and len(text) <= LARGEST_SEED:
            yield choice(message_class(line["name"]), line["version"]) + text


TARGETS = (
    Target(name="messages", run=message, refusals=(ProtocolError,), seeds=message_seeds, shape=reshape_message),
    Target(name="json", run=json_form, refusals=(ProtocolError,), seeds=json_seeds, shape=reshape_json),
)
