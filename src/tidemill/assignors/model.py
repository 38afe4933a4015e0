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
LATEST_VERSION = 3  # of the layout of a subscription
NO_CLAIMS: Claims = {}


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
        version: int = LATEST_VERSION,
        owned: Claims = NO_CLAIMS,
        generation: int = NO_GENERATION,
        user_data: "UserData | None" = None,
        assigned: Claims = NO_CLAIMS,
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

    def __init__(self, *, owned: Claims = NO_CLAIMS, generation: int | None = None) -> None:
        self.owned = owned
        self.generation = generation
        """`None`: in its oldest layout it has none."""


def java_order(texts: Iterable[str]) -> list[str]:
    """Sorted as Java compares strings: by UTF-16 units, which differs from Python's order beyond the basic plane."""
    texts = list(texts)
    if "".join(texts).isascii():
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
        assignable=None if assignable is None else _claims(assignable, "assignable", None),
    )


def parse_members(members: object) -> list[Member]:
    """The members in the order given; equal subscriptions become one and the same tuple."""
    parsed: list[Member] = []
    ids: set[str] = set()
    last: object = None
    topics: tuple[str, ...] = ()
    for index, given in enumerate(_sequence(members, "members", "mappings")):
        fields: dict[str, Any] = given if type(given) is dict else dict(_mapping(given, f"members[{index}]"))
        member_id, subscribed = fields.get("id"), fields.get("topics")
        if type(member_id) is not str or subscribed is None:
            raise _unusable(fields, index)
        if last is None or subscribed != last:
            topics, last = _topic_names(subscribed, member_id), subscribed
        ids.add(member_id)
        if len(ids) == index:
            raise ValueError(f"two members have the id {member_id!r}: ids must differ")
        parsed.append(_member(fields, member_id, topics))
    return parsed


def _member(fields: dict[str, Any], member_id: str, topics: tuple[str, ...]) -> Member:
    """Sets one attribute after the other, as a call with so many keywords takes several times as long."""
    if len(fields) == 2:  # the common case
        return Member(id=member_id, topics=topics)
    member = Member.__new__(Member)
    member.id = member_id
    member.topics = topics
    member.instance_id = _text(fields.get("instance_id"), member_id, "instance_id")
    member.rack = _text(fields.get("rack"), member_id, "rack")
    member.version = _integer(fields.get("version"), member_id, "version", LATEST_VERSION)
    member.owned = _claims(fields.get("owned"), "owned", member_id)
    member.generation = _integer(fields.get("generation"), member_id, "generation", NO_GENERATION)
    member.user_data = _user_data(fields.get("user_data"), member_id)
    member.assigned = _claims(fields.get("assigned"), "assigned", member_id)
    return member


def _user_data(fields: object, member_id: str) -> UserData | None:
    if fields is None:
        return None
    if not isinstance(fields, Mapping):
        raise TypeError(f"member {member_id!r}: user_data must be a mapping, not {type(fields).__name__}")
    generation = fields.get("generation")
    return UserData(
        owned=_claims(fields.get("owned"), "user_data.owned", member_id),
        generation=None if generation is None else _integer(generation, member_id, "user_data.generation", NO_GENERATION),
    )


def _claims(claims: object, field: str, member_id: str | None) -> Claims:
    """Partitions by topic, of the member's field or, without a member, of the argument of that name."""
    if claims is None:
        return NO_CLAIMS
    if type(claims) is not dict and not isinstance(claims, Mapping):
        raise TypeError(f"{_place(field, member_id)} must be a mapping, not {type(claims).__name__}")
    for topic, partitions in claims.items():
        if type(topic) is not str:
            raise TypeError(f"{_place(field, member_id)}: a topic's name must be a string, not {topic!r}")
        if type(partitions) is not list:
            _sequence(partitions, f"{_place(field, member_id)}: the partitions of {topic!r}", "integers")
        for partition in partitions:
            if type(partition) is not int:
                raise TypeError(f"{_place(field, member_id)}: partition {partition!r} of {topic!r} is not an integer")
    return claims


def _place(field: str, member_id: str | None) -> str:
    return field if member_id is None else f"member {member_id!r}: {field}"


def _text(value: object, member_id: str, field: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"member {member_id!r}: {field} must be a string or None, not {value!r}")
    return value


def _integer(value: object, member_id: str, field: str, default: int) -> int:
    if value is None:
        return default
    if type(value) is not int:
        raise TypeError(f"member {member_id!r}: {field} must be an integer, not {value!r}")
    return value


def _unusable(fields: Mapping[str, Any], index: int) -> Exception:
    """What is wrong with a member that has no usable id, or no topics."""
    member_id = fields.get("id")
    if member_id is None:
        return ValueError(f"members[{index}] has no 'id'")
    if type(member_id) is not str:
        return TypeError(f"members[{index}]: id must be a string, not {member_id!r}")
    return ValueError(f"member {member_id!r} has no 'topics': a member that subscribes to nothing has an empty list")


def _topic_names(topics: object, member_id: str) -> tuple[str, ...]:
    for topic in _sequence(topics, f"member {member_id!r}: topics", "strings"):
        if type(topic) is not str:
            raise TypeError(f"member {member_id!r}: topics holds {topic!r}, which is not a string")
    return tuple(topics)  # type: ignore[arg-type]


def _racks(racks: object) -> Mapping[str, Sequence[Sequence[str | None]]]:
    racks_by_topic = _mapping(racks, "racks")
    for topic, partitions in racks_by_topic.items():
        for partition, replicas in enumerate(_sequence(partitions, f"racks: {topic!r}", "lists, one a partition")):
            for rack in _sequence(replicas, f"racks: partition {partition} of {topic!r}", "racks, one a replica"):
                if rack is not None and type(rack) is not str:
                    raise TypeError(f"racks: {rack!r}, a rack of partition {partition} of {topic!r}, is neither a string nor None")
    return racks_by_topic


def _mapping(value: object, what: str) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"{what} must be a mapping, not {type(value).__name__}")
    return value


def _sequence(value: object, what: str, of_what: str) -> Sequence[Any]:
    if not isinstance(value, Sequence) or isinstance(value, str | bytes | bytearray):
        raise TypeError(f"{what} must be a sequence of {of_what}, not {value!r}")
    return value
