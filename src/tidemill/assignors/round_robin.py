"""Round-robin: all partitions of all topics in order, dealt to the members in order.

The dealer's pointer goes round in a circle, from one topic on into the next, and skips members that do not subscribe to the topic.
Members come by id, static ones before them by instance id; topics come by name.
"""

from bisect import bisect_left

from tidemill.assignors.membership import in_kafkas_order, subscribers_of
from tidemill.assignors.model import Assignment, Cluster, Member, java_order


def assign(cluster: Cluster, members: list[Member]) -> Assignment:
    assignment: Assignment = {member.id: {} for member in members}
    ordered = in_kafkas_order(members)
    shares = [assignment[member.id] for member in ordered]
    subscribers = subscribers_of(ordered)
    pointer = 0
    for topic in java_order(subscribers):
        count = cluster.topics.get(topic, 0)
        if not count:
            continue
        # Within a topic only its subscribers are dealt to, so each gets every nth partition: a slice, whatever the pointer skips.
        circle = subscribers[topic]
        size = len(circle)
        first = bisect_left(circle, pointer)
        partitions = list(range(count))
        for dealt in range(min(count, size)):
            shares[circle[(first + dealt) % size]][topic] = partitions[dealt::size]
        pointer = circle[(first + count - 1) % size] + 1
    return assignment
