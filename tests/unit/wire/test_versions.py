"""The facts of the APIs, and what follows from them, against schemas/apis.json."""

import json
from pathlib import Path
from typing import Any

import pytest

from tidemill.errors import ProtocolError, UnsupportedVersion
from tidemill.wire import apis, versions
from tidemill.wire.api import VersionRange
from tidemill.wire.registry import request_class, response_class

FACTS: dict[str, Any] = json.loads((Path(__file__).resolve().parents[3] / "schemas" / "apis.json").read_text(encoding="utf-8"))
SERVED = [row for row in FACTS["apis"] if row["stable"] is not None]


@pytest.mark.parametrize("row", SERVED, ids=lambda row: str(row["name"]))
def test_headers_follow_from_the_first_flexible_version(row: dict[str, Any]) -> None:
    key = row["api_key"]
    assert {number: versions.request_header_version(key, int(number)) for number in row["request_header"]} == row["request_header"]
    assert {number: versions.response_header_version(key, int(number)) for number in row["response_header"]} == row["response_header"]


@pytest.mark.parametrize("row", SERVED, ids=lambda row: str(row["name"]))
def test_the_classes_have_the_versions_that_the_api_has(row: dict[str, Any]) -> None:
    facts = versions.api_named(row["name"])
    assert facts is versions.api(row["api_key"])
    assert facts.stable == VersionRange(*row["stable"])
    highest = facts.stable.last if facts.unstable is None else facts.unstable
    for cls in (request_class(facts.api_key), response_class(facts.api_key)):
        assert facts.api_key == cls.API_KEY
        assert range(cls.MIN_VERSION, cls.MAX_VERSION + 1) == range(facts.stable.first, highest + 1)
        assert all(
            cls.is_flexible(version) == (versions.request_header_version(facts.api_key, version) == 2) for version in range(*row["stable"])
        )


def test_order_and_features_are_those_of_a_broker() -> None:
    assert list(apis.ADVERTISED_ORDER) == FACTS["advertised_order"]
    assert {name: list(levels) for name, levels in apis.SUPPORTED_FEATURES.items()} == FACTS["supported_features"]
    assert {name: list(levels) for name, levels in apis.FINALIZED_FEATURES.items()} == FACTS["finalized_features"]
    assert all(versions.api(key).advertised is not None for key in apis.ADVERTISED_ORDER)


@pytest.mark.parametrize(
    ("ours", "theirs", "version"),
    [
        ((0, 5), (0, 5), 5),
        ((0, 5), (3, 9), 5),
        ((3, 9), (0, 5), 5),
        ((3, 9), (9, 9), 9),
        ((3, 9), (0, 3), 3),
        ((3, 9), (0, 2), None),
        ((0, 2), (3, 9), None),
    ],
)
def test_the_highest_common_version(ours: tuple[int, int], theirs: tuple[int, int], version: int | None) -> None:
    assert versions.highest_common(ours, theirs) == version


def test_negotiation() -> None:
    assert versions.negotiate(0, (0, 99)) == 13
    assert versions.negotiate(0, (0, 9)) == 9
    assert versions.negotiate(0, (0, 13), ours=(3, 8)) == 8
    assert versions.negotiate(22, (0, 6)) == 5, "a version that is not released is not used"


@pytest.mark.parametrize(
    ("api_key", "offered", "problem"),
    [
        (0, (0, 2), "no common version of Produce: the broker offers 0 to 2, this side has 3 to 13"),
        (0, None, "the broker does not offer Produce"),
        (4, (0, 7), "LeaderAndIsr was removed"),
    ],
)
def test_without_a_common_version_there_is_an_error_that_tells_both_sides(
    api_key: int, offered: tuple[int, int] | None, problem: str
) -> None:
    with pytest.raises(UnsupportedVersion, match=problem):
        versions.negotiate(api_key, offered)


def test_unknown_apis() -> None:
    with pytest.raises(ProtocolError, match="no API with the key 999"):
        versions.api(999)
    with pytest.raises(ProtocolError, match="no API named 'Fetsch'"):
        versions.api_named("Fetsch")


def test_a_range_of_versions_has_both_its_ends() -> None:
    versions_of_fetch = VersionRange(4, 18)
    assert [number in versions_of_fetch for number in (3, 4, 18, 19)] == [False, True, True, False]
