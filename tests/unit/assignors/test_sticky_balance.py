"""R20: evening out a group with unequal subscriptions."""

from typing import Any

import pytest

from support.claims import could_move, sorted_partitions
from support.groups import check_sound
from tidemill.assignors import assign
from tidemill.assignors.model import Member
from tidemill.assignors.sticky_balance import Balancer
from tidemill.assignors.sticky_group import Group
from tidemill.assignors.sticky_partitions import Partitions


def balancer(held: list[list[int]], *subscriptions: str, former: dict[int, int] | None = None) -> Balancer:
    """Topics t and u of 3 partitions each: t has the ids 0 2 4, u 1 3 5."""
    members = [Member(id=str(place), topics=list(topics)) for place, topics in enumerate(subscriptions)]
    group = Group(Partitions({"t": 3, "u": 3}, "tu"), members)
    group.restore(held)
    return Balancer(group, members, former or {})


T, ALL = [0, 2, 4], [0, 2, 4, 1, 3, 5]


@pytest.mark.parametrize(
    ("held", "subscriptions", "former", "after"),
    [
        ([[0, 2, 4], [1, 3, 5]], ["tu", "tu"], {}, [[0, 2, 4], [1, 3, 5]]),  # balanced
        ([[0, 2, 4, 1, 3, 5], []], ["tu", "tu"], {}, [[1, 3, 5], [0, 2, 4]]),  # half moves, in the order of the candidates
        ([[0, 2, 4, 1, 3, 5], []], ["tu", "u"], {}, [[0, 2, 4], [1, 3, 5]]),  # only what is asked for
        ([[0, 2, 4, 1, 3, 5], [], []], ["tu", "tu", "tu"], {2: 2}, [[3, 5], [0, 4], [1, 2]]),  # 2 goes back to a former owner
        ([[0, 2, 4, 1, 3, 5], []], ["tu", "u"], {1: 1, 0: 1}, [[0, 2, 4], [1, 3, 5]]),  # one that asks for it no more
    ],
)
def test_partitions_move_to_who_has_two_less(
    held: list[list[int]], subscriptions: list[str], former: dict[int, int], after: list[list[int]]
) -> None:
    """R20."""
    found = balancer(held, *subscriptions, former=former).run([ALL], undo=True)
    assert [sorted(mine) for mine in found] == [sorted(mine) for mine in after]


def test_the_number_of_moves_is_bounded() -> None:
    """R20: what is not proven to end is cut off; the outcome is sound at any time."""
    bounded = balancer([[0, 2, 4, 1, 3, 5], []], "tu", "tu")
    bounded.moves_left = 1
    assert bounded.run([ALL], undo=True) == [[2, 4, 1, 3, 5], [0]]


def test_a_chain_of_subscriptions_passes_partitions_on() -> None:
    """R20: member n subscribes to topics n and n + 1, and the first holds far too much: it takes many moves to even out."""
    topics = {f"t{number:02}": 10 for number in range(20)}
    names = list(topics)
    members: list[dict[str, Any]] = [{"id": f"m{place:02}", "topics": names[place : place + 2]} for place in range(19)]
    members[0] |= {"generation": 1, "user_data": {"owned": {"t00": list(range(10)), "t01": list(range(10))}, "generation": 1}}
    group = {"topics": topics, "members": members}
    assignment = assign("sticky", topics, members)
    check_sound(group, sorted_partitions(assignment))
    assert could_move(group, assignment) == []
