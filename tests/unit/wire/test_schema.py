"""The facts that a class carries, as objects."""

import pytest

from tidemill.wire.messages.consumer_group_member_metadata_record import ClassicMemberMetadata, ConsumerGroupMemberMetadataValue
from tidemill.wire.messages.fetch import FetchRequest
from tidemill.wire.messages.produce import PartitionProduceData
from tidemill.wire.schema import Versions, fields


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [("3", [3], [2, 4]), ("4-18", [4, 18], [3, 19]), ("12+", [12, 99], [11]), ("none", [], [0, 1])],
)
def test_versions(text: str, inside: list[int], outside: list[int]) -> None:
    versions = Versions.parse(text)
    assert [versions.has(number) for number in inside + outside] == [True] * len(inside) + [False] * len(outside)


def test_fields() -> None:
    by_name = {field.name: field for field in fields(FetchRequest)}
    assert by_name["replicaState"].tag == 1
    assert by_name["maxBytes"].default() == 2**31 - 1
    assert by_name["forgottenTopicsData"].is_array
    assert not by_name["forgottenTopicsData"].ignorable
    assert [field.view for field in fields(PartitionProduceData)] == [False, True]


def test_defaults_that_can_be_changed_are_new_each_time() -> None:
    field = fields(ConsumerGroupMemberMetadataValue)[-1]
    assert field.default() == ClassicMemberMetadata()
    assert field.default() is not field.default()
    assert ConsumerGroupMemberMetadataValue().classic_member_metadata == ClassicMemberMetadata()
    assert ConsumerGroupMemberMetadataValue(classic_member_metadata=None).classic_member_metadata is None
