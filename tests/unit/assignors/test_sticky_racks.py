"""R20, R21: when racks play a part (KIP-881), and which match."""

import pytest

from tidemill.assignors.model import Cluster, Member
from tidemill.assignors.sticky_partitions import Partitions
from tidemill.assignors.sticky_racks import RackMatch, match_racks

Racks = list[list[str | None]]


def match(racks: Racks, *members: str | None) -> RackMatch | None:
    cluster = Cluster(topics={"t": 2}, racks={"t": racks})
    return match_racks(
        cluster, Partitions(cluster.topics, "t"), [Member(id=str(index), topics=["t"], rack=rack) for index, rack in enumerate(members)]
    )


@pytest.mark.parametrize(
    ("racks", "members", "play_a_part"),
    [
        ([["a"], ["b"]], ["a", "b"], True),
        ([["a"], ["b"]], ["a", None], True),
        ([["a"], []], ["a"], True),
        ([["a"]], ["a"], True),  # nothing is known of the second partition
        ([["a", "b"], ["b", "a"]], ["a", "b"], False),  # every partition is everywhere
        ([["a"], ["b"]], ["c"], False),  # no member is near anything
        ([["a"], ["b"]], [None, ""], False),  # no member tells a rack
        ([[None], [None]], ["a"], False),  # no broker does
        ([["a"], ["b"], ["a"]], ["a"], True),  # more racks than partitions
    ],
)
def test_when_racks_play_a_part(racks: Racks, members: list[str | None], play_a_part: bool) -> None:
    assert (match(racks, *members) is not None) is play_a_part


def test_who_mismatches() -> None:
    found = match([["a", None], ["b"]], "a", "b", None)
    assert found is not None
    assert [[found.mismatch(place, partition) for partition in range(3)] for place in range(3)] == [
        [False, True, True],
        [True, False, True],
        [False, False, False],
    ]


def test_partitions_that_few_members_are_near_come_first() -> None:
    found = match([["a", "b"], ["b"]], "a", "a", "b")
    assert found is not None
    assert found.fewest_members_first([0, 1]) == [1, 0]
