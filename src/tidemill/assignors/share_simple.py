"""The broker's strategy for share groups (KIP-932): every partition has consumers, several where members outnumber partitions.

- Each partition is meant for the same number of members, as few as leave no member without; members differ by one at most.
- Members keep what they have, unless they have too much or the partition has too many; then what is wanting is dealt out in a circle.
- Where subscriptions differ, this is done for each topic by itself.

Who gives and who gets depends, in Kafka, on the order in which its hash tables are read. It is followed, so the outcome is a broker's.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from math import ceil

from tidemill._java import buckets_copied, buckets_grown, buckets_made_for, hash_order
from tidemill.assignors.membership import in_coordinators_order, is_homogeneous, subscribers_of, topic_id_hash
from tidemill.assignors.model import Assignment, Cluster, Member

Hash = Callable[[int], int]


def assign(cluster: Cluster, members: list[Member]) -> Assignment:
    assignment: Assignment = {member.id: {} for member in members}
    if not members:
        return assignment
    ordered = in_coordinators_order(members)
    subscribers = subscribers_of(ordered)
    targets = {topic: _assignable(cluster, topic) for topic in subscribers}
    if is_homogeneous(ordered, subscribers):
        _assign_as_one(targets, ordered, assignment)
    else:
        _assign_by_topic(targets, subscribers, ordered, assignment)
    return assignment


def _assignable(cluster: Cluster, topic: str) -> Sequence[int]:
    every = range(cluster.topics.get(topic, 0))
    if cluster.assignable is None:
        return every
    return sorted({partition for partition in cluster.assignable.get(topic, ()) if partition in every})


def _assign_as_one(targets: dict[str, Sequence[int]], members: list[Member], assignment: Assignment) -> None:
    """All topics together: here a partition goes by its number among those of all topics."""
    hashes = {topic: topic_id_hash(topic) for topic in targets}
    topics = hash_order(targets, buckets_grown(len(targets)), hashes.__getitem__)
    pool = [(topic, partition) for topic in topics for partition in targets[topic]]
    numbers = {each: number for number, each in enumerate(pool)}
    hash_of = [31 * hashes[topic] + partition for topic, partition in pool].__getitem__

    def claims_of(member: Member) -> list[int]:
        mine = [topic for topic in member.assigned if topic in targets]
        topics = hash_order(mine, buckets_grown(len(member.assigned)), hashes.__getitem__)
        claims = [(topic, partition) for topic in topics for partition in _in_set(member.assigned[topic])]
        return [numbers[each] for each in claims if each in numbers]

    claims = {position: claims_of(member) for position, member in enumerate(members) if member.assigned}
    for position, share in share_out(range(len(pool)), range(len(members)), claims, hash_of).items():
        for topic, partition in sorted(pool[number] for number in share):
            assignment[members[position].id].setdefault(topic, []).append(partition)


def _assign_by_topic(
    targets: dict[str, Sequence[int]], subscribers: Mapping[str, Sequence[int]], members: list[Member], assignment: Assignment
) -> None:
    assignable = {topic: frozenset(partitions) for topic, partitions in targets.items()}
    claims: dict[str, dict[int, list[int]]] = {topic: {} for topic in targets}
    for position, member in enumerate(members):
        for topic, partitions in member.assigned.items():
            if topic in targets:
                claims[topic][position] = [each for each in _in_set(partitions) if each in assignable[topic]]
    for topic, partitions in targets.items():
        for position, share in share_out(partitions, subscribers[topic], claims[topic]).items():
            if share:
                assignment[members[position].id][topic] = sorted(share)


def _in_set(partitions: Sequence[int]) -> Sequence[int]:
    """In the order in which the broker's set of them is read."""
    if len(partitions) < 2:
        return partitions
    distinct = sorted(set(partitions))
    return hash_order(distinct, buckets_copied(len(distinct)), int)


def share_out(
    partitions: Sequence[int], members: Sequence[int], claims: Mapping[int, list[int]], hash_of: Hash = int
) -> dict[int, set[int]]:
    """Member → its share of a pool of partitions. `claims`: what members, also those who may have none now, had of it.

    All in the order in which Kafka comes by it; members by their position in the group.
    """
    sharing = -(-len(members) // len(partitions)) if partitions else 0
    mean = sharing * len(partitions) / len(members)
    wanted = dict.fromkeys(claims, 0)
    wanted |= {member: ceil(mean * (index + 1)) - ceil(mean * index) for index, member in enumerate(members)}
    holders: dict[int, list[int]] = {}
    for member, claim in claims.items():
        for partition in claim:
            holders.setdefault(partition, []).append(member)
    # Kafka fills this table by `computeIfAbsent`, which puts a key before those that are in its bucket already.
    arrived = [*holders, *(partition for partition in partitions if partition not in holders)]
    order = hash_order(reversed(arrived), buckets_made_for(len(partitions)), hash_of)
    holders = {partition: _as_grown(holders.get(partition, [])) for partition in order}
    shares = {member: set(claims.get(member, ())) for member in wanted}
    for member, claim in claims.items():
        if len(claim) > wanted[member]:
            for partition in _as_grown(claim, hash_of)[: len(claim) - wanted[member]]:
                shares[member].remove(partition)
                holders[partition].remove(member)
    for partition, having in holders.items():
        excess = max(0, len(having) - sharing)
        for member in having[:excess]:
            shares[member].remove(partition)
        del having[:excess]
    _deal(shares, [member for member in members if len(shares[member]) < wanted[member]], holders, wanted, sharing)
    return shares


def _as_grown(numbers: Sequence[int], hash_of: Hash = int) -> list[int]:
    """In the order in which a set that grew by these numbers is read."""
    return hash_order(numbers, buckets_grown(len(numbers)), hash_of)


def _deal(
    shares: dict[int, set[int]], circle: list[int], holders: Mapping[int, Collection[int]], wanted: Mapping[int, int], sharing: int
) -> None:
    """Deals each partition to as many members as it wants, in a circle of those who want more.

    As in Kafka, the dealer stops for good after a whole circle of members who all had the partition at hand, and counts a member who
    is dealt the same partition again in the next circle as another. So, seldom, a member gets less than it wants.
    """
    at, gave = 0, False
    for partition, having in holders.items():
        if not circle:
            break
        missing = sharing - len(having)
        while missing > 0:
            if at == len(circle):
                if not (gave and circle):
                    break
                at, gave = 0, False
            member = circle[at]
            at += 1
            if member in having:
                continue
            shares[member].add(partition)
            missing -= 1
            gave = True
            if len(shares[member]) >= wanted[member]:
                at -= 1
                del circle[at]
