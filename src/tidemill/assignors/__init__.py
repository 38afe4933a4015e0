"""Partition assignment strategies, as pure functions: plain data in, plain data out.

    >>> from tidemill.assignors import assign
    >>> assign("roundrobin", {"orders": 3}, [{"id": "a", "topics": ["orders"]}, {"id": "b", "topics": ["orders"]}])
    {'a': {'orders': [0, 2]}, 'b': {'orders': [1]}}

Each strategy is one module, imported when it is first asked for: those that a consumer runs when it leads its group (`range`,
`roundrobin`, `sticky`, `cooperative-sticky`), and those that the broker runs (`server-range`, `server-uniform`, `share-simple`).
For equal input they give the outcome of Apache Kafka's own, down to the order of partitions in a member's list. A strategy
of your own is a subclass of `Assignor`.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tidemill.assignors.model import Assignment, Cluster, Member, TopicPartition, parse_cluster, parse_members

if TYPE_CHECKING:
    from tidemill.assignors.base import Assignor

__all__ = ["STRATEGIES", "Assignment", "Assignor", "Cluster", "Member", "TopicPartition", "assign"]

STRATEGIES: dict[str, str] = {
    "range": "range",
    "roundrobin": "round_robin",
    "sticky": "sticky",
    "cooperative-sticky": "cooperative",
    "server-range": "server_range",
    "server-uniform": "server_uniform",
    "share-simple": "share_simple",
}
"""Kafka's name of each strategy → the module that holds it."""


def assign(
    strategy: "str | Assignor",
    topics: Mapping[str, int],
    members: Sequence[Mapping[str, Any]],
    *,
    racks: Mapping[str, Sequence[Sequence[str | None]]] | None = None,
    assignable: Mapping[str, Sequence[int]] | None = None,
) -> Assignment:
    """Who gets what: member id → topic → partitions, each list in Kafka's order.

    - `strategy`: Kafka's name of one (see `STRATEGIES`), or an `Assignor` of your own.
    - `topics`: topic → how many partitions it has; topics that are not there get no partition assigned.
    - `members`: in the order in which the group's leader receives them. A member has `id` and `topics`, what it subscribes to; and
      optionally `instance_id`, `rack`, `version` (of its subscription), `owned` (topic → partitions), `generation`, `user_data`
      (a mapping with `owned` and `generation`), `assigned` (topic → partitions: what a server-side strategy gave it before).
    - `racks`: topic → for each partition the racks of its replicas, the leader's first.
    - `assignable`: topic → partitions that may be assigned at all (share groups only).

        >>> assign("sticky", {"orders": 3}, [{"id": "a", "topics": ["orders"]}])
        {'a': {'orders': [0, 1, 2]}}
    """
    cluster = parse_cluster(topics, racks, assignable)
    parsed = parse_members(members)
    if not isinstance(strategy, str):
        return _run_custom(strategy, cluster, parsed)
    if strategy not in STRATEGIES:
        raise ValueError(_unknown(strategy))
    module = import_module(f"tidemill.assignors.{STRATEGIES[strategy]}")
    outcome: Assignment = module.assign(cluster, parsed)
    return outcome


def _run_custom(strategy: object, cluster: Cluster, members: list[Member]) -> Assignment:
    from tidemill.assignors.base import Assignor, run

    if not isinstance(strategy, Assignor):
        raise TypeError(f"strategy must be the name of one or an Assignor, not {strategy!r}")
    return run(strategy, cluster, members)


def _unknown(strategy: str) -> str:
    from difflib import get_close_matches

    nearest = get_close_matches(strategy.lower(), STRATEGIES, 1, 0.5)
    hint = f"did you mean {nearest[0]!r}?" if nearest else f"choose one of {', '.join(STRATEGIES)}"
    return f"there is no assignment strategy {strategy!r}: {hint}"


if not TYPE_CHECKING:  # a checker that saw this would take any name for one that is there

    def __getattr__(name: str) -> object:
        if name == "Assignor":
            from tidemill.assignors.base import Assignor

            return Assignor
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
