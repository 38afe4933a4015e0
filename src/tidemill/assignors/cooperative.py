"""The cooperative sticky strategy (KIP-429): what the sticky strategy assigns, reached in two rounds.

A partition that changes hands is held back from its new owner until the old one no longer claims it, in the next round, so that
only those partitions pause. Members say in their subscriptions what they own.
"""

from collections.abc import Sequence

from tidemill.assignors.model import NO_GENERATION, Assignment, Cluster, Member
from tidemill.assignors.sticky import Placement, by_id, place
from tidemill.assignors.sticky_claims import Reports


def assign(cluster: Cluster, members: Sequence[Member]) -> Assignment:
    group = by_id(members)
    reports = Reports(
        owned=[member.owned for member in group],
        generations=[_generation(member) for member in group],
        subscription_generations=[max(member.generation, NO_GENERATION) for member in group],
    )
    placement = place(cluster, group, reports)
    _hold_back(placement, reports)
    return placement.assignment(members, group)


def _generation(member: Member) -> int:
    """From the subscription, or in layouts that lack it from the user data."""
    if member.generation > NO_GENERATION or member.user_data is None or member.user_data.generation is None:
        return member.generation
    return member.user_data.generation


def _hold_back(placement: Placement, reports: Reports) -> None:
    """Takes from their new owners the partitions that an old one has yet to let go of."""
    if placement.in_transit is not None:
        waiting = placement.in_transit
        if waiting:
            placement.held = [[each for each in mine if each not in waiting] for mine in placement.held]
        return
    owned = [placement.partitions.known(claims) for claims in reports.owned]
    lost: set[int] = set()
    for before, mine in zip(owned, placement.held, strict=True):
        lost |= before.difference(mine)
    placement.held = [
        [each for each in mine if each in before or each not in lost] for before, mine in zip(owned, placement.held, strict=True)
    ]
