"""Which API has which number, and which version of it two sides speak.

The facts are those of Apache Kafka, in `tidemill.wire.apis`; the decisions are pure functions of what each side offers.
"""

from __future__ import annotations

from tidemill.errors.base import ProtocolError
from tidemill.errors.kafka import UnsupportedVersion
from tidemill.wire.api import Api
from tidemill.wire.apis import APIS

API_VERSIONS = 18

_by_key = {api.api_key: api for api in APIS}
_by_name = {api.name: api for api in APIS}


def api(api_key: int) -> Api:
    """The facts of an API by its number.

    >>> api(1).name, api(1).stable
    ('Fetch', VersionRange(first=4, last=18))
    """
    found = _by_key.get(api_key)
    if found is None:
        raise ProtocolError(f"there is no API with the key {api_key}")
    return found


def api_named(name: str) -> Api:
    """The facts of an API by Kafka's name, such as `Fetch`."""
    found = _by_name.get(name)
    if found is None:
        raise ProtocolError(f"there is no API named {name!r}: names are like 'Fetch', 'OffsetCommit'")
    return found


def request_header_version(api_key: int, version: int) -> int:
    """The version of the header before a request. Any version of an API can be asked for, also one that is not known yet."""
    flexible_from = api(api_key).flexible_from
    return 2 if flexible_from is not None and version >= flexible_from else 1


def response_header_version(api_key: int, version: int) -> int:
    """The version of the header before a response. That of ApiVersions is always 0: a client reads it before it knows more."""
    flexible_from = api(api_key).flexible_from
    return 1 if flexible_from is not None and version >= flexible_from and api_key != API_VERSIONS else 0


def highest_common(ours: tuple[int, int], theirs: tuple[int, int]) -> int | None:
    """The highest version in both ranges; `None` if there is none.

    >>> highest_common((3, 13), (0, 9)), highest_common((3, 13), (0, 2))
    (9, None)
    """
    highest = min(ours[1], theirs[1])
    return highest if highest >= max(ours[0], theirs[0]) else None


def negotiate(api_key: int, offered: tuple[int, int] | None, ours: tuple[int, int] | None = None) -> int:
    """The version in which to ask a broker that offers the versions `offered` of an API (`None`: it does not know it).

    `ours` narrows what this side speaks; by default it is every released version.
    """
    facts = api(api_key)
    if offered is None:
        raise UnsupportedVersion(f"the broker does not offer {facts.name}: it is too old for it, or has it switched off")
    speaks = ours or facts.stable
    if speaks is None:
        raise UnsupportedVersion(f"{facts.name} was removed from the protocol")
    version = highest_common(speaks, offered)
    if version is None:
        raise UnsupportedVersion(
            f"no common version of {facts.name}: the broker offers {offered[0]} to {offered[1]}, this side has {speaks[0]} to {speaks[1]}"
        )
    return version
