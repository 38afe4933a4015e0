"""What the members of a group say of themselves: any bytes, and any claims. One member must not be able to stop the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from fuzz.mutation import NUMBERS
from fuzz.script import Script
from fuzz.seeds import golden
from fuzz.target import Target, exactly
from fuzz.twin import agree, uncompiled
from tidemill import assignors
from tidemill.assignors import STRATEGIES, user_data

SOURCE = uncompiled("tidemill.assignors")
TOPICS = ("t0", "t1", "orders", "naïve", "AAAAAAAAAAEAAAAAAAAAAQ", "gone")
RACKS = (None, "r0", "r1", "")
SIZES = (0, 1, 2, 3, 7, 40)
MOST_MEMBERS = 12
HELD_BACK = ("cooperative-sticky", "share-simple")  # a partition may wait for its owner to let go of it; or may have several


def claims(data: bytes) -> None:
    """What the sticky assignors add to a subscription: no bytes are an error, and what was read can be written."""
    for decode in (user_data.decode_sticky, user_data.decode_cooperative):
        decode(exactly(data))
    found = user_data.decode_sticky(data)
    if found is not None and found.owned and all(len(topic.encode()) < 2**15 for topic in found.owned):
        again = user_data.decode_sticky(user_data.encode_sticky(found.owned, found.generation or 0))
        assert again is not None
        assert again.owned == found.owned


def assign(data: bytes) -> None:
    """Whatever members claim, each partition goes to one who asked for it; and the compiled strategies do as their source does."""
    script = Script(data)
    strategy = script.one_of(list(STRATEGIES))
    topics = {topic: script.one_of(SIZES) for topic in TOPICS[: 1 + script.byte() % (len(TOPICS) - 1)]}
    members = [member(script, number) for number in range(1 + script.byte() % MOST_MEMBERS)]
    racks = None if script.byte() < 0x80 else racks_of(script, topics)

    def run(package: Any) -> assignors.Assignment:
        found: assignors.Assignment = package.assign(strategy, topics, members, racks=racks)
        return found

    check(strategy, topics, members, agree(run, assignors, SOURCE["tidemill.assignors"]))


def check(strategy: str, topics: dict[str, int], members: list[dict[str, Any]], outcome: assignors.Assignment) -> None:
    asked = {member["id"]: set(member["topics"]) for member in members}
    owners: Counter[tuple[str, int]] = Counter()
    for member_id, given in outcome.items():
        for topic, partitions in given.items():
            assert topic in asked[member_id]
            assert len(set(partitions)) == len(partitions)
            owners.update((topic, partition) for partition in partitions)
    wanted = {
        (topic, partition) for topic, size in topics.items() if any(topic in of for of in asked.values()) for partition in range(size)
    }
    assert owners.keys() <= wanted
    if strategy not in HELD_BACK:
        assert owners.keys() == wanted
    if strategy != "share-simple":
        assert set(owners.values()) <= {1}


def member(script: Script, number: int) -> dict[str, Any]:
    """One with an id of its own, and with claims to anything."""
    says = script.byte()
    found: dict[str, Any] = {
        "id": f"c{number}",
        "topics": [topic for at, topic in enumerate(TOPICS) if script.byte() >> at & 1 or says & 1],
    }
    if says & 2:
        found["instance_id"] = f"i{script.byte() % 4}-{number}"
    if says & 4:
        found["rack"] = script.one_of(RACKS)
    if says & 8:
        found["owned"] = owned(script)
        found["version"] = script.byte() % 5
    if says & 16:
        found["generation"] = generation(script)
    if says & 32:
        found["user_data"] = {"owned": owned(script), "generation": generation(script)}
    if says & 64:
        found["assigned"] = owned(script)
    return found


def owned(script: Script) -> dict[str, list[int]]:
    return {script.one_of(TOPICS): [partition(script) for _ in range(script.byte() % 8)] for _ in range(script.byte() % 4)}


def partition(script: Script) -> int:
    choice = script.byte()
    return choice % 64 if choice < 0xE0 else NUMBERS[choice % len(NUMBERS)]


def generation(script: Script) -> int:
    choice = script.byte()
    return choice % 4 if choice < 0xE0 else NUMBERS[choice % len(NUMBERS)]


def racks_of(script: Script, topics: dict[str, int]) -> dict[str, list[list[str | None]]]:
    return {topic: [[script.one_of(RACKS) for _ in range(script.byte() % 4)] for _ in range(size)] for topic, size in topics.items()}


def claim_seeds() -> Iterator[bytes]:
    for line in golden("messages/consumer_protocol.jsonl"):
        yield bytes.fromhex(line["hex"])
    yield user_data.encode_sticky({"t0": [0, 1], "orders": []}, 5)
    yield user_data.encode_sticky({"naïve": [2**31 - 1, -1]}, -1)[:-4]
    yield user_data.encode_cooperative(7)


def script_seeds() -> Iterator[bytes]:
    random = Random(431)
    for strategy in range(len(STRATEGIES)):
        for size in (8, 20, 60, 60, 200):
            yield bytes((strategy,)) + random.randbytes(size)


TARGETS = (
    Target(name="claims", run=claims, refusals=(), seeds=claim_seeds, weight=0.3),
    Target(name="assign", run=assign, refusals=(), seeds=script_seeds),
)
