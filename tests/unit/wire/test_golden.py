"""Every message vector of Apache Kafka, through the public functions and through the classes."""

from random import Random
from typing import Any

import pytest

from support.golden import lines, message_files
from tidemill import wire
from tidemill.errors import ProtocolError
from tidemill.wire import record_frames
from tidemill.wire.message import Message
from tidemill.wire.reader import Reader
from tidemill.wire.registry import message_class


def body(line: dict[str, Any]) -> bytes:
    """The message itself, without what goes before it in a record."""
    data = bytes.fromhex(line["hex"])
    prefix = line.get("prefix", "none")
    if prefix in ("int16 version", "int16 type"):
        return data[2:]
    if prefix == "none":
        return data
    reader = Reader(data)
    assert (reader.uvarint(), reader.uvarint(), reader.uvarint()) == (1, line["api_key"], line["version"])
    return data[reader.at :]


def in_its_record(line: dict[str, Any], message: Message) -> bytes:
    """The message after the prefix that it has in a record."""
    match line.get("prefix", "none"):
        case "int16 version":
            return record_frames.encode_versioned(message, line["version"])
        case "int16 type":
            return record_frames.encode_coordinator_key(message)
        case "none":
            return message.encode(line["version"])
    return record_frames.encode_metadata_record(message, line["version"])


@pytest.mark.parametrize("file", message_files())
def test_public_functions_agree_with_kafka(file: str) -> None:
    for line in lines(file):
        name, version, data = line["name"], line["version"], body(line)
        assert wire.decode(name, version, data) == line["json"], line
        if "unknown_tags" not in line:
            assert wire.encode(name, version, line["json"]) == data, line


@pytest.mark.parametrize("file", message_files())
def test_classes_write_again_what_they_read(file: str) -> None:
    for line in lines(file):
        message = message_class(line["name"]).decode(line["version"], body(line))
        assert in_its_record(line, message).hex() == line["hex"], line


def refuses(message: type[Message], version: int, data: memoryview) -> bool:
    try:
        message.decode(version, data)
    except ProtocolError:
        return True
    return False


@pytest.mark.parametrize("file", message_files())
def test_a_cut_message_is_an_error_wherever_it_is_cut(file: str) -> None:
    for line in lines(file):
        cls, version, data = message_class(line["name"]), line["version"], memoryview(body(line))
        assert [size for size in range(len(data)) if not refuses(cls, version, data[:size])] == [], line


@pytest.mark.parametrize("file", message_files())
def test_changed_bytes_are_an_error_or_another_message(file: str) -> None:
    """What a decoder makes of damaged bytes can be written, and read again as the same."""
    for number, line in enumerate(lines(file)):
        cls, version, data = message_class(line["name"]), line["version"], bytearray(body(line))
        random = Random(number)
        for _ in range(10 if data else 0):
            for _ in range(random.randint(1, 3)):
                data[random.randrange(len(data))] = random.choice([0, 1, 0x7F, 0x80, 0xFF, random.randrange(256)])
            try:
                message = cls.decode(version, data)
            except ProtocolError:
                continue
            written = message.encode(version)
            assert cls.decode(version, written).encode(version) == written
