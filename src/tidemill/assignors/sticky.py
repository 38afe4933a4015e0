"""The sticky strategy: balance first, then as little movement as possible (KIP-54).

Members say in their user data what they own and since which generation; a member whose user data says nothing owns nothing.
"""

from collections.abc import Sequence

from tidemill.assignors.model import NO_GENERATION, Assignment, Cluster, Member, java_order
from tidemill.assignors.sticky_claims import Claim, believe
from tidemill.assignors.sticky_equal import assign_equal
from tidemill.assignors.sticky_partitions import Partitions
from tidemill.assignors.sticky_racks import match_racks
from tidemill.assignors.sticky_unequal import assign_unequal

__all__ = ["assign"]


def assign(cluster: Cluster, members: Sequence[Member]) -> Assignment:
    return place(cluster, members, _claim_of)


def _claim_of(member):
    data = member.user_data
    if data is None:
        return Claim({}, NO_GENERATION, member.generation)
    return Claim(data.owned, NO_GENERATION if data.generation is None else data.generation, member.generation)


def place(cluster, members, claim_of, cooperative=False):
    if not members:
        return {}
    by_id = {m.id: m for m in members}
    group = [by_id[i] for i in java_order(by_id)]
    partitions = Partitions(cluster.topics, {t for m in members for t in m.topics})
    claims = [claim_of(m) for m in group]
    holdings = believe(partitions, claims)
    racks = match_racks(cluster, partitions, group)
    if subscriptions_equal(group):
        held, moving = assign_equal(partitions, holdings, racks)
        if cooperative:
            held = [[e for e in mine if e not in moving] for mine in held]
    else:
        held = assign_unequal(partitions, group, claims, holdings, racks)
        if cooperative:
            mine = [
                {partitions.ids[t][n] for t, ns in c.owned.items() if t in partitions.ids for n in ns if 0 <= n < len(partitions.ids[t])}
                for c in claims
            ]
            revoked = set()
            for own, new in zip(mine, held):
                revoked |= own.difference(new)
            held = [[e for e in new if e in own or e not in revoked] for own, new in zip(mine, held)]
    out = {m.id: ids for m, ids in zip(group, held)}
    return {m.id: partitions.by_topic(out[m.id]) for m in members}


def subscriptions_equal(members):
    first = members[0].topics
    f = set(first)
    return all(m.topics is first or len(m.topics) == len(f) and f.issuperset(m.topics) for m in members[1:])
