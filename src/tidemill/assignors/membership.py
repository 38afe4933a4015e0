"""The order in which Kafka's assignors take members and topics, and who subscribes to what."""

from binascii import a2b_base64
from collections.abc import Mapping, Sequence
from operator import attrgetter

from tidemill._hashes import java_hash
from tidemill._java import buckets_grown, hash_order
from tidemill.assignors.model import Member

_URL_SAFE = str.maketrans("-_", "+/")


def in_kafkas_order(members: Sequence[Member]) -> list[Member]:
    """Static members first, by instance id; then the others, by id."""
    static = [member for member in members if member.instance_id is not None]
    if not static:
        return _sorted(members, "id")
    return _sorted(static, "instance_id") + _sorted([member for member in members if member.instance_id is None], "id")


def subscribers_of(members: Sequence[Member]) -> dict[str, Sequence[int]]:
    """Topic → positions in `members` of those who subscribe to it, ascending. A topic asked for twice counts once."""
    if members and all(member.topics is members[0].topics for member in members):
        return dict.fromkeys(members[0].topics, range(len(members)))
    subscribers: dict[str, list[int]] = {}
    for position, member in enumerate(members):
        topics = member.topics
        for topic in topics if len(set(topics)) == len(topics) else dict.fromkeys(topics):
            if topic in subscribers:
                subscribers[topic].append(position)
            else:
                subscribers[topic] = [position]
    return dict(subscribers)


def in_coordinators_order(members: Sequence[Member]) -> list[Member]:
    """As a broker's group coordinator goes through a group: in the order of Java's hash table of member ids.

    What its assignors make of a group hangs on it, so that only thus the outcome is the broker's.
    """
    return hash_order(members, buckets_grown(len(members)), lambda member: java_hash(member.id))


def is_homogeneous(members: Sequence[Member], subscribers: Mapping[str, Sequence[int]]) -> bool:
    """Whether all members subscribe to the same topics."""
    return all(len(positions) == len(members) for positions in subscribers.values())


def topic_id_order(topic: str) -> tuple[int, int, str]:
    """Sorts topic ids as Kafka compares them: as two signed numbers. Plain names, which no broker gives, come after them."""
    raw = _topic_id(topic)
    if raw is None:
        return 1 << 63, 0, topic
    return int.from_bytes(raw[:8], "big", signed=True), int.from_bytes(raw[8:], "big", signed=True), ""


def topic_id_hash(topic: str) -> int:
    """Java's hash of a topic id; of a plain name, that of the string."""
    raw = _topic_id(topic)
    if raw is None:
        return java_hash(topic)
    whole = int.from_bytes(raw, "big")
    folded = whole >> 64 ^ whole
    return (folded >> 32 ^ folded) & 0xFFFFFFFF


def _topic_id(topic: str) -> bytes | None:
    if len(topic) != 22 or not topic.isascii():
        return None
    try:
        raw = a2b_base64(topic.translate(_URL_SAFE) + "==")
    except ValueError:
        return None
    return raw if len(raw) == 16 else None


def _sorted(members: Sequence[Member], field: str) -> list[Member]:
    name = attrgetter(field)
    if "".join(map(name, members)).isascii():
        return sorted(members, key=name)
    return sorted(members, key=lambda member: _units(name(member)))


def _units(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")
