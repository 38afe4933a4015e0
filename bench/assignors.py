"""Assignment strategies: ours, Apache Kafka's own in Java, and those of kafka-python and aiokafka, on the same groups.

    python -m bench.assignors                        # all; a strategy of a library that takes too long is left out
    python -m bench.assignors --only 200x500x20 --libraries tidemill,java

Each strategy of each library runs in a process of its own, so that its first call is what a consumer sees when it first leads a
group. *fresh* assigns from nothing, *one left* from that assignment with one member gone. A figure is processor time of the calling
thread; *warm* is the median of the later half of the calls (Java: after JIT).
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
JAVA = ROOT / "bench" / "java" / "Assignors.java"
ORACLE = ROOT / "tests" / "oracle" / "kafka"
STRATEGIES = ["range", "roundrobin", "sticky", "cooperative-sticky"]
WARM_SECONDS = {"java": 4.0}  # until its compiler has settled
LIMIT_SECONDS = 90

Assignment = dict[str, dict[str, list[int]]]
Call = Callable[[], Any]
Figures = dict[tuple[str, str], float]
"""(phase, "first" or "warm") → milliseconds."""


@dataclass(frozen=True, slots=True)
class Group:
    members: int
    topics: int
    partitions: int
    percent: int = 100  # of the topics that a member subscribes to; below 100 members differ

    @property
    def name(self) -> str:
        return f"{self.members}x{self.topics}x{self.partitions}" + (" unequal" if self.percent < 100 else "")

    def counts(self) -> dict[str, int]:
        return {f"topic-{topic:04}": self.partitions for topic in range(self.topics)}

    def subscriptions(self) -> dict[str, list[str]]:
        return {
            f"member-{member:04}": [
                f"topic-{topic:04}" for topic in range(self.topics) if (member * 7919 + topic * 104729) % 100 < self.percent
            ]
            for member in range(self.members)
        }


GROUPS = [Group(1000, 1, 10_000), Group(200, 500, 20), Group(100, 100, 10, 50)]


class KnownTopics:
    """What the peers ask of cluster metadata."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        self._counts = counts

    def topics(self) -> set[str]:
        return set(self._counts)

    def partitions_for_topic(self, topic: str) -> set[int] | None:
        return set(range(self._counts[topic])) if topic in self._counts else None


# Each library prepares a call that assigns, and reads from what it returned who has what.


def tidemill(strategy: str, counts: dict[str, int], subscriptions: Mapping[str, list[str]], owned: Assignment) -> Call:
    from tidemill.assignors import assign

    members: list[dict[str, Any]] = []
    for member, topics in subscriptions.items():
        fields: dict[str, Any] = {"id": member, "topics": topics}
        if owned and strategy == "sticky":
            fields |= {"generation": 1, "user_data": {"owned": owned[member], "generation": 1}}
        elif owned:
            fields |= {"generation": 1, "owned": owned[member], "user_data": {"generation": 1}}
        members.append(fields)
    return lambda: assign(strategy, counts, members)


def kafka_python(strategy: str, counts: dict[str, int], subscriptions: Mapping[str, list[str]], owned: Assignment) -> Call:
    from types import SimpleNamespace

    from kafka.protocol.consumer.metadata import ConsumerProtocolSubscription as Subscription
    from kafka.structs import TopicPartition

    module = {"sticky": "sticky.sticky_assignor", "cooperative-sticky": "cooperative_sticky"}.get(strategy, strategy)
    name = {"sticky": "StickyPartition", "cooperative-sticky": "CooperativeSticky", "range": "RangePartition"}.get(
        strategy, "RoundRobinPartition"
    )
    assignor = getattr(import_module(f"kafka.coordinator.assignors.{module}"), name + "Assignor")()
    members = []
    for member, topics in subscriptions.items():
        mine = owned.get(member, {})
        if strategy == "sticky" and owned:
            metadata = assignor._metadata(topics, [TopicPartition(topic, each) for topic in mine for each in mine[topic]], 1)
        elif strategy == "cooperative-sticky":
            claims = [Subscription.TopicPartition(topic=topic, partitions=partitions) for topic, partitions in mine.items()]
            metadata = Subscription(version=2, topics=topics, user_data=b"", owned_partitions=claims, generation_id=1)
        else:
            metadata = Subscription(0, topics, b"")
        members.append(SimpleNamespace(member_id=member, group_instance_id=None, metadata=metadata))
    cluster = KnownTopics(counts)
    return lambda: assignor.assign(cluster, members)


def aiokafka(strategy: str, counts: dict[str, int], subscriptions: Mapping[str, list[str]], owned: Assignment) -> Call:
    from aiokafka.structs import TopicPartition

    module = {"sticky": "sticky.sticky_assignor"}.get(strategy, strategy)
    name = {"sticky": "Sticky", "range": "Range", "roundrobin": "RoundRobin"}[strategy]
    assignor = getattr(import_module(f"aiokafka.coordinator.assignors.{module}"), name + "PartitionAssignor")
    members = {}
    for member, topics in subscriptions.items():
        mine = owned.get(member, {})
        claims = [TopicPartition(topic, each) for topic in mine for each in mine[topic]]
        members[member] = assignor._metadata(topics, claims, 1) if owned else assignor.metadata(topics)
    cluster = KnownTopics(counts)
    return lambda: assignor.assign(cluster, members)


LIBRARIES: dict[str, Callable[[str, dict[str, int], Mapping[str, list[str]], Assignment], Call]] = {
    "tidemill": tidemill,
    "kafka-python": kafka_python,
    "aiokafka": aiokafka,
}
SUBJECTS = ["tidemill", "java", "kafka-python", "aiokafka"]


def plain(result: Mapping[str, Any]) -> Assignment:
    """Member → topic → partitions, from what a library returned."""
    found: Assignment = {}
    for member, given in result.items():
        if not isinstance(given, dict):  # the peers: pairs of topic and partitions, as tuples or as objects
            pairs = given.assigned_partitions if hasattr(given, "assigned_partitions") else given.assignment
            given = dict(pair if isinstance(pair, tuple) else (pair.topic, pair.partitions) for pair in pairs)
        found[member] = {topic: list(partitions) for topic, partitions in given.items()}
    return found


def child(library: str, strategy: str, group: Group, seconds: float) -> None:
    """Times one strategy in this process. A line for each phase, so that a run that is cut off keeps what it had."""
    counts, subscriptions = group.counts(), group.subscriptions()
    owned: Assignment = {}
    for phase in ("fresh", "one left") if "sticky" in strategy else ("fresh",):
        if phase == "one left":
            del subscriptions["member-0000"]
        call = LIBRARIES[library](strategy, counts, subscriptions, owned)
        times: list[float] = []
        while not times or sum(times) < seconds * 1e3:
            started = time.thread_time()
            result = call()
            times.append((time.thread_time() - started) * 1e3)
        print(json.dumps([phase, times[0], statistics.median(times[len(times) // 2 :])]), flush=True)
        owned = plain(result)


def command(library: str, strategy: str, group: Group, seconds: float) -> list[str]:
    sizes = [str(size) for size in (group.members, group.topics, group.partitions, group.percent)]
    if library != "java":
        return [sys.executable, "-m", "bench.assignors", "--child", json.dumps([library, strategy, *map(int, sizes), seconds])]
    classpath = subprocess.run([str(ORACLE), "classpath"], capture_output=True, text=True, check=True).stdout.strip()
    return ["java", "-Xmx1g", "-cp", classpath, str(JAVA), strategy, *sizes, str(seconds)]


def run(library: str, strategy: str, group: Group) -> Figures:
    """What one process measured; less than all where it was cut off or failed (kafka-python's round-robin, unless members are alike)."""
    arguments = command(library, strategy, group, WARM_SECONDS.get(library, 0.5))
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=True, cwd=ROOT)
        output = done.stdout
    except subprocess.TimeoutExpired as late:
        output = (late.stdout or b"").decode()
    except subprocess.CalledProcessError as failed:
        print(f"{group.name} {strategy} {library}: {failed.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        output = failed.stdout
    figures: Figures = {}
    for line in output.splitlines():
        phase, first, warm = json.loads(line)
        figures[phase, "first"], figures[phase, "warm"] = first, warm
    return figures


def target(figure: str, strategy: str, group: Group) -> tuple[float, float]:
    """How many times Java's time ours may be, and how many times ours the peers' has to be."""
    if "sticky" not in strategy:
        peers = 1.5
    else:
        peers = 3.0 if group.percent < 100 else 100.0
    return (3.0, peers) if figure == "warm" else (1.0, 0.0)


Measured = dict[tuple[Group, str, str], list[Figures]]
"""By group, strategy and library: the figures of each round."""


def measure(rounds: int, libraries: list[str], groups: list[Group]) -> Measured:
    """Rounds in which the libraries take turns, each round the other way round. A peer that takes seconds is measured once."""
    measured: Measured = {}
    for number in range(rounds):
        for group in groups:
            for strategy in STRATEGIES:
                for library in libraries if number % 2 == 0 else reversed(libraries):
                    earlier = measured.setdefault((group, strategy, library), [])
                    slow = any(milliseconds > 1_000 for figures in earlier for milliseconds in figures.values())
                    if not slow and (library, strategy) != ("aiokafka", "cooperative-sticky"):
                        earlier.append(run(library, strategy, group))
    return measured


def rows(measured: Measured, libraries: list[str], groups: list[Group]) -> Iterator[list[str]]:
    for group in groups:
        for strategy in STRATEGIES:
            for phase in ("fresh", "one left") if "sticky" in strategy else ("fresh",):
                for figure in ("first", "warm"):
                    middle = {}
                    for library in libraries:
                        values = [figures[phase, figure] for figures in measured[group, strategy, library] if (phase, figure) in figures]
                        if values:
                            middle[library] = statistics.median(values)
                    of_java, of_peers = target(figure, strategy, group)
                    yield [
                        f"{group.name}: {strategy}, {phase}",
                        figure,
                        *(f"{middle[library]:,.2f}" if library in middle else "–" for library in libraries),
                        ratio(middle.get("tidemill"), middle.get("java"), f"≤ {of_java:g}"),
                        *(
                            ratio(middle.get(peer), middle.get("tidemill"), f"≥ {of_peers:g}" if of_peers else "")
                            for peer in libraries
                            if peer not in ("tidemill", "java")
                        ),
                    ]


def ratio(one: float | None, other: float | None, wanted: str) -> str:
    if one is None or other is None:
        return "–"
    return f"{one / other:.3g}" + (f" ({wanted})" if wanted else "")


def report(rounds: int, libraries: list[str] = SUBJECTS, groups: list[Group] = GROUPS) -> str:
    peers = [library for library in libraries if library not in ("tidemill", "java")]
    head = ["members × topics × partitions: strategy", "call", *libraries, "ours ÷ java", *(f"{peer} ÷ ours" for peer in peers)]
    table = [head, ["---"] * len(head), *rows(measure(rounds, libraries, groups), libraries, groups)]
    return "Processor milliseconds of one call.\n\n" + "\n".join("| " + " | ".join(row) + " |" for row in table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="comma-separated beginnings of: " + ", ".join(group.name for group in GROUPS))
    parser.add_argument("--libraries", default=",".join(SUBJECTS))
    parser.add_argument("--child", type=json.loads, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        library, strategy, *sizes, seconds = arguments.child
        child(library, strategy, Group(*sizes), seconds)
    else:
        chosen = [group for group in GROUPS if group.name.startswith(tuple(arguments.only.split(",")))]
        print(report(arguments.rounds, arguments.libraries.split(","), chosen))


if __name__ == "__main__":
    main()
