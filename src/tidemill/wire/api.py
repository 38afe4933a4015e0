"""What is known of one API: its number, its versions, and who may ask for it."""

from __future__ import annotations

from typing import NamedTuple


class VersionRange(NamedTuple):
    """A range of versions, both ends included."""

    first: int
    last: int

    def __contains__(self, version: object) -> bool:
        return isinstance(version, int) and self.first <= version <= self.last


class Api(NamedTuple):
    """The facts of one API in Apache Kafka."""

    api_key: int
    name: str
    #: The versions that can be read, without the one that is not released; `None`: the API was removed.
    stable: VersionRange | None
    #: The versions a broker offers to clients; `None`: not to them.
    advertised: VersionRange | None
    #: A version above `stable` that is not released.
    unstable: int | None
    #: The first flexible version (KIP-482), with its headers; `None`: there is none.
    flexible_from: int | None
    #: Who serves it: `broker`, `controller`.
    listeners: tuple[str, ...]
    #: Whether it needs the cluster-action permission, as brokers have it.
    cluster_action: bool
    #: Whether a broker may forward it to the controller.
    forwardable: bool
