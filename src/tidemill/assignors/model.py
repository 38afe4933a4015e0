"""What every strategy works on: the cluster's topics and the group's members, read once from plain data.

- Reading refuses data of a wrong shape, with a message that names the member and the field. What a member *claims* (to own, to
  have been assigned) is hearsay from another process: any topic and any number is let in, and each strategy ignores claims that
  make no sense to it.
- Members keep their order, and topics theirs in a subscription.
- Members whose subscriptions are equal share one tuple, so that `a.topics is b.topics` answers the common case at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

Assignment = dict[str, dict[str, list[int]]]
"""Member id → topic → partitions."""

Claims = Mapping[str, Sequence[int]]
"""Topic → partitions that a member says it has."""

NO_GENERATION = -1
_NOTHING: Mapping[str, Sequence[int]] = {}


class TopicPartition(NamedTuple):
    """One partition of one topic.

    >>> TopicPartition("orders", 3)
    TopicPartition(topic='orders', partition=3)
    """

    topic: str
    partition: int


class Cluster:
    """What an assignor may know of the cluster: its topics, and where their replicas are."""

    __slots__ = ("assignable", "racks", "topics")

    def __init__(
        self,
        *,
        topics: Mapping[str, int],
        racks: Mapping[str, Sequence[Sequence[str | None]]] | None = None,
        assignable: Claims | None = None,
    ) -> None:
        self.topics = topics
        """Topic → number of partitions."""
        self.racks = racks if racks is not None else {}
        """Topic → partition → rack of each replica, the leader's first; `None` for a broker without rack."""
        self.assignable = assignable
        """Topic → the partitions that may be assigned at all; `None`: every one."""

    def partitions(self, topic: str) -> list[TopicPartition]:
        """All partitions of a topic, in order; none of a topic that does not exist."""
        return [TopicPartition(topic, partition) for partition in range(self.topics.get(topic, 0))]


class Member:
    """One member of a group: what it subscribes to, and what it says it has."""

    __slots__ = ("assigned", "generation", "id", "instance_id", "owned", "rack", "topics", "user_data", "version")

    def __init__(
        self,
        *,
        id: str,
        topics: Sequence[str],
        instance_id: str | None = None,
        rack: str | None = None,
        version: int = 3,
        owned: Claims = _NOTHING,
        generation: int = NO_GENERATION,
        user_data: "UserData | None" = None,
        assigned: Claims = _NOTHING,
    ) -> None:
        self.id = id
        self.topics = topics
        self.instance_id = instance_id
        self.rack = rack
        self.version = version
        """Of the layout of its subscription; what a field's layout lacks has its default here."""
        self.owned = owned
        """What its subscription says it owns."""
        self.generation = generation
        """The group's generation in which it got that; -1: it does not say."""
        self.user_data = user_data
        """What its assignor added to the subscription; `None`: nothing."""
        self.assigned = assigned
        """What a server-side strategy gave it before."""

    def __repr__(self) -> str:
        return f"Member(id={self.id!r}, topics={self.topics!r})"


class UserData:
    """What Kafka's sticky assignors add to a subscription, decoded."""

    __slots__ = ("generation", "owned")

    def __init__(self, *, owned: Claims = _NOTHING, generation: int | None = None) -> None:
        self.owned = owned
        self.generation = generation
        """`None`: in its oldest layout it has none."""


def java_order(texts: Iterable[str]) -> list[str]:
    """Sorted as Java compares strings: by UTF-16 units, which differs from Python's order beyond the basic plane."""
    texts = list(texts)
    if all(map(str.isascii, texts)):
        return sorted(texts)
    return sorted(texts, key=lambda text: text.encode("utf-16-be", "surrogatepass"))


def parse_cluster(topics: object, racks: object = None, assignable: object = None) -> Cluster:
    counts = _mapping(topics, "topics")
    for topic, count in counts.items():
        if type(topic) is not str:
            raise TypeError(f"topics: a topic's name must be a string, not {topic!r}")
        if type(count) is not int:
            raise TypeError(f"topics: the number of partitions of {topic!r} must be an integer, not {count!r}")
        if count < 0:
            raise ValueError(f"topics: {topic!r} cannot have {count} partitions")
    return Cluster(
        topics=counts,
        racks=None if racks is None else _racks(racks),
        assignable=None if assignable is None else _claims(assignable, "assignable"),
    )


def parse_members(members: object) -> list[Member]:
    """The members in the order given; equal subscriptions become one and the same tuple."""
    if not isinstance(members, Sequence) or isinstance(members, str | bytes):
        raise TypeError(f"members must be a sequence of mappings, not {type(members).__name__}")
    parsed: list[Member] = []
    raw_topics: object = None
    topics: tuple[str, ...] = ()
    for index, fields in enumerate(members):
        if type(fields) is not dict and not isinstance(fields, Mapping):
            raise TypeError(f"members[{index}] must be a mapping, not {type(fields).__name__}")
        member = _member(fields, index)
        given = member.topics
        if raw_topics is None or given != raw_topics:
            topics = _topic_names(given, member.id)
            raw_topics = given
        member.topics = topics
        parsed.append(member)
    _refuse_duplicates(parsed)
    return parsed


def _member(fields: Mapping[str, Any], index: int) -> Member:
    """One member, whose `topics` are not looked at yet."""
    try:
        member_id, topics = fields["id"], fields["topics"]
    except KeyError as missing:
        raise ValueError(f"members[{index}] ({fields.get('id', 'without id')}) has no {missing.args[0]!r}") from None
    if type(member_id) is not str:
        raise TypeError(f"members[{index}]: id must be a string, not {member_id!r}")
    if len(fields) == 2:  # the common case, at half the time
        return Member(id=member_id, topics=topics)
    get = fields.get
    owned, assigned, user_data = get("owned"), get("assigned"), get("user_data")
    return Member(
        id=member_id,
        topics=topics,
        instance_id=_text(get("instance_id"), member_id, "instance_id"),
        rack=_text(get("rack"), member_id, "rack"),
        version=_integer(get("version", 3), member_id, "version"),
        owned=_claims(owned, f"member {member_id!r}: owned") if owned else _NOTHING,
        generation=_integer(get("generation", NO_GENERATION), member_id, "generation"),
        user_data=None if user_data is None else _user_data(user_data, member_id),
        assigned=_claims(assigned, f"member {member_id!r}: assigned") if assigned else _NOTHING,
    )


def _user_data(fields: object, member_id: str) -> UserData:
    if not isinstance(fields, Mapping):
        raise TypeError(f"member {member_id!r}: user_data must be a mapping, not {type(fields).__name__}")
    owned, generation = fields.get("owned"), fields.get("generation")
    return UserData(
        owned=_claims(owned, f"member {member_id!r}: user_data.owned") if owned else _NOTHING,
        generation=None if generation is None else _integer(generation, member_id, "user_data.generation"),
    )


def _refuse_duplicates(members: list[Member]) -> None:
    ids = {member.id for member in members}
    if len(ids) < len(members):
        twice = next(member.id for index, member in enumerate(members) if any(member.id == each.id for each in members[:index]))
        raise ValueError(f"two members have the id {twice!r}: ids must differ")


def _topic_names(topics: object, member_id: str) -> tuple[str, ...]:
    if not isinstance(topics, Sequence) or isinstance(topics, str | bytes):
        raise TypeError(f"member {member_id!r}: topics must be a sequence of strings, not {type(topics).__name__}")
    for topic in topics:
        if type(topic) is not str:
            raise TypeError(f"member {member_id!r}: topics holds {topic!r}, which is not a string")
    return tuple(topics)


def _claims(claims: object, where: str) -> Claims:
    partitions_by_topic = _mapping(claims, where)
    for topic, partitions in partitions_by_topic.items():
        if type(topic) is not str:
            raise TypeError(f"{where}: a topic's name must be a string, not {topic!r}")
        if not isinstance(partitions, Sequence) or isinstance(partitions, str | bytes):
            raise TypeError(f"{where}: the partitions of {topic!r} must be a sequence of integers, not {partitions!r}")
        for partition in partitions:
            if type(partition) is not int:
                raise TypeError(f"{where}: partition {partition!r} of {topic!r} is not an integer")
    return partitions_by_topic


def _racks(racks: object) -> Mapping[str, Sequence[Sequence[str | None]]]:
    racks_by_topic = _mapping(racks, "racks")
    for topic, partitions in racks_by_topic.items():
        if not isinstance(partitions, Sequence) or isinstance(partitions, str | bytes):
            raise TypeError(f"racks: {topic!r} must have a list for each partition, not {partitions!r}")
        for partition, replicas in enumerate(partitions):
            if not isinstance(replicas, Sequence) or isinstance(replicas, str | bytes):
                raise TypeError(f"racks: partition {partition} of {topic!r} must have the rack of each replica in a list, not {replicas!r}")
            for rack in replicas:
                if rack is not None and type(rack) is not str:
                    raise TypeError(f"racks: {rack!r}, a rack of partition {partition} of {topic!r}, is neither a string nor None")
    return racks_by_topic


def _mapping(value: object, what: str) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"{what} must be a mapping, not {type(value).__name__}")
    return value


def _text(value: object, member_id: str, field: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"member {member_id!r}: {field} must be a string or None, not {value!r}")
    return value


def _integer(value: object, member_id: str, field: str) -> int:
    if type(value) is not int:
        raise TypeError(f"member {member_id!r}: {field} must be an integer, not {value!r}")
    return value
