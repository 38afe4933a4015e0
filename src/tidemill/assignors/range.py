"""Range: of each topic, every subscriber gets a stretch of neighbouring partitions; the first ones get one more where they don't divide.

Members come by id, static ones before them by instance id. So topics with as many partitions and the same subscribers are cut alike:
who has partition 3 of the one has partition 3 of the other. Where members and replicas have racks, near ones find together first.
"""

from collections.abc import Sequence

from tidemill.assignors.membership import in_kafkas_order, subscribers_of
from tidemill.assignors.model import Assignment, Cluster, Member, java_order
from tidemill.assignors.rack_matching import cut_by_racks

Share = dict[str, list[int]]
"""Topic → partitions of one member."""


def assign(cluster: Cluster, members: list[Member]) -> Assignment:
    assignment: Assignment = {member.id: {} for member in members}
    ordered = in_kafkas_order(members)
    shares = [assignment[member.id] for member in ordered]
    subscribers = subscribers_of(ordered)
    topics = [topic for topic in java_order(subscribers) if cluster.topics.get(topic, 0)]
    near = cut_by_racks(cluster, topics, subscribers, [member.rack or "" for member in ordered]) if cluster.racks else {}
    for topic in topics:
        if topic in near:
            for position, partitions in zip(subscribers[topic], near[topic], strict=True):
                if partitions:
                    shares[position][topic] = partitions.copy()
        else:
            cut(topic, cluster.topics[topic], subscribers[topic], shares)
    return assignment


def cut(topic: str, count: int, subscribers: Sequence[int], shares: list[Share]) -> None:
    """Gives each subscriber its stretch of a topic with so many partitions."""
    least, longer = divmod(count, len(subscribers))
    partitions = list(range(count))
    start = 0
    for position in subscribers[:longer]:
        end = start + least + 1
        shares[position][topic] = partitions[start:end]
        start = end
    if least:
        for position in subscribers[longer:]:
            end = start + least
            shares[position][topic] = partitions[start:end]
            start = end
