"""The broker's range strategy: as `range`, of topic ids, and without regard to racks."""

from tidemill.assignors.membership import in_kafkas_order, subscribers_of
from tidemill.assignors.model import Assignment, Cluster, Member
from tidemill.assignors.range import cut


def assign(cluster: Cluster, members: list[Member]) -> Assignment:
    assignment: Assignment = {member.id: {} for member in members}
    ordered = in_kafkas_order(members)
    shares = [assignment[member.id] for member in ordered]
    for topic, subscribers in subscribers_of(ordered).items():
        if cluster.topics.get(topic, 0):
            cut(topic, cluster.topics[topic], subscribers, shares)
    return assignment
