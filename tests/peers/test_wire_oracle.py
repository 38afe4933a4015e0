"""Kafka's own decoders, run here in Java, accept and refuse the same damaged bytes as ours, and make the same of what they accept."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from support import oracle
from support.messages import RandomMessages, every_version
from tidemill.errors import ProtocolError
from tidemill.wire.registry import message_class

pytestmark = pytest.mark.oracle

PROGRAM = Path(__file__).resolve().parent.parent / "oracle" / "java" / "Decoders.java"
DAMAGED_A_VERSION = int(os.environ.get("TIDEMILL_DAMAGED", "20"))
NOT_KAFKAS = {"AbortedTxn"}  # Kafka has no generated class for it
TELLING = [0, 1, 2, 3, 8, 0x0F, 0x7F, 0x80, 0x81, 0xFF]


def damaged(random: Random, data: bytes) -> bytes:
    """The same bytes but for one to three that are others, more or missing; sometimes cut off."""
    changed = bytearray(data[: random.randrange(len(data) + 1)] if random.random() < 0.1 else data)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(changed) + 1)
        match random.choice(["other", "other", "more", "missing"]):
            case "other":
                changed[at : at + 1] = [random.choice([*TELLING, random.randrange(256)])]
            case "more":
                changed[at:at] = [random.choice(TELLING)]
            case "missing":
                del changed[at : at + 1]
    return bytes(changed)


def samples() -> Iterator[tuple[str, int, bytes]]:
    for name, version in every_version():
        if name not in NOT_KAFKAS:
            random = Random(f"{name}|{version}")
            for _ in range(DAMAGED_A_VERSION):
                yield name, version, damaged(random, RandomMessages(random, largest=2).message(name, version).encode(version))


def ours(name: str, version: int, data: bytes) -> str:
    try:
        message, end = message_class(name).decode_from(version, data)
    except ProtocolError:
        return "refused"
    return f"{end} {message.encode(version).hex()}"


def test_kafka_and_we_make_the_same_of_damaged_bytes() -> None:
    oracle.require()
    cases = list(samples())
    lines = "".join(f"{name} {version} {data.hex()}\n" for name, version, data in cases)
    command = ["java", "-Xmx512m", "-cp", oracle.run("classpath"), str(PROGRAM)]
    answers = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(answers) == len(cases)
    wrong, accepted = [], 0
    for (name, version, data), answer in zip(cases, answers, strict=True):
        got = ours(name, version, data)
        same = got.split()[0] == answer.split()[0] if answer.endswith(" -") else got == answer
        accepted += answer != "refused"
        if not same:
            wrong.append(f"{name} {version} {data.hex()}: Kafka {answer}, we {got}")
    assert wrong == []
    assert accepted > len(cases) // 10, "too few were accepted to tell anything"
