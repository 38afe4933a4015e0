"""The order in which Kafka's assignors take members and topics, and who subscribes to what."""

from collections.abc import Iterable, Sequence
from operator import attrgetter

from tidemill.assignors.model import Member


def in_kafkas_order(members: Sequence[Member]) -> list[Member]:
    """Static members first, by instance id; then the others, by id."""
    static = [member for member in members if member.instance_id is not None]
    if not static:
        return _sorted(members, "id")
    return _sorted(static, "instance_id") + _sorted([member for member in members if member.instance_id is None], "id")


def names_in_order(names: Iterable[str]) -> list[str]:
    """As Java compares strings: by UTF-16 unit, which differs from Python's order beyond the basic plane."""
    names = list(names)
    return sorted(names) if "".join(names).isascii() else sorted(names, key=_units)


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


def _sorted(members: Sequence[Member], field: str) -> list[Member]:
    name = attrgetter(field)
    if "".join(map(name, members)).isascii():
        return sorted(members, key=name)
    return sorted(members, key=lambda member: _units(name(member)))


def _units(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")
