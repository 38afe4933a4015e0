"""R18: the broker's own range strategy."""

from typing import Any

import pytest
from hypothesis import given

from support.golden import lines
from support.groups import Group, check_sound, groups, outcome, without_empty
from tidemill.assignors import assign

GOLDEN = list(lines("assignors/server-range.jsonl.gz"))


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: str(line["name"]))
def test_as_in_kafka(line: dict[str, Any]) -> None:
    """R18: where Kafka throws, the topics that exist are assigned."""
    assignment = outcome("server-range", line)
    if "exception" in line:
        check_sound(line, assignment)
    else:
        assert without_empty(assignment) == without_empty(line["assignment"])


@given(groups(assigned=True))
def test_it_is_range_without_racks(group: Group) -> None:
    """R18: and what members had before plays no part."""
    assignment = outcome("server-range", group)
    check_sound(group, assignment)
    assert assignment == outcome("range", group)


def test_a_topic_that_does_not_exist_is_passed_over() -> None:
    members = [{"id": "C0", "topics": ["gone", "t0"]}, {"id": "C1", "topics": ["gone", "t0"]}]
    assert assign("server-range", {"t0": 2}, members) == {"C0": {"t0": [0]}, "C1": {"t0": [1]}}
