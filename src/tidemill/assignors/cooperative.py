from tidemill.assignors.model import NO_GENERATION
from tidemill.assignors.sticky import place, Claim


def assign(cluster, members):
    return place(cluster, members, _claim_of, True)


def _claim_of(member):
    g = member.generation
    if g < 0:
        g = member.user_data.generation if member.user_data and member.user_data.generation is not None else NO_GENERATION
    return Claim(member.owned, g, max(member.generation, -1))
