"""R20, R21: whose claim counts."""

import pytest

from tidemill.assignors.model import Claims
from tidemill.assignors.sticky_claims import Reports, believe, former_owners
from tidemill.assignors.sticky_partitions import Partitions


def reports(*claims: tuple[int, Claims], subscriptions: list[int] | None = None) -> Reports:
    generations = [generation for generation, _ in claims]
    return Reports(owned=[owned for _, owned in claims], generations=generations, subscription_generations=subscriptions or generations)


@pytest.mark.parametrize(
    ("claims", "held", "contested"),
    [
        ([(1, {"t": [0, 2]}), (1, {"t": [1]})], [[0, 2], [1]], set()),  # all agree
        ([(1, {"t": [2, 0]})], [[2, 0]], set()),  # in the order of the claims
        ([(2, {"t": [0]}), (1, {"t": [0, 1]})], [[0], [1]], set()),  # the first has the higher generation
        ([(1, {"t": [0, 1]}), (2, {"t": [0]})], [[1], [0]], set()),  # … the second
        ([(1, {"t": [0, 1]}), (1, {"t": [0]})], [[1], []], {0}),  # neither counts
        ([(1, {"t": [0]}), (1, {"t": [0]}), (1, {"t": [0]})], [[], [], []], {0}),  # of three neither
        ([(1, {"t": [0]}), (1, {"t": [0]}), (2, {"t": [0]})], [[], [], [0]], {0}),  # a third wins, but two have contested it
        ([(-1, {"t": [0]}), (-1, {"t": [0]})], [[], []], {0}),  # nobody tells a generation
        ([(1, {"t": [0, 1, 0]})], [[1]], {0}),  # a claim made twice contradicts itself
        ([(1, {"gone": [0], "t": [1]})], [[1]], set()),  # the topic cannot be assigned
        ([(1, {}), (1, {"t": [0]}), (1, {})], [[], [0], []], set()),  # some claim nothing
    ],
)
def test_of_conflicting_claims_the_higher_generation_counts(
    claims: list[tuple[int, Claims]], held: list[list[int]], contested: set[int]
) -> None:
    """R20."""
    holdings = believe(Partitions({"t": 4}, "t"), reports(*claims))
    assert (holdings.held, holdings.contested) == (held, contested)


def test_claims_beyond_the_end_have_ids_beyond_the_end() -> None:
    holdings = believe(Partitions({"t": 2, "u": 2}, "tu"), reports((1, {"t": [0, 2], "u": [-1]}), (1, {"t": [2, 1]})))
    assert (holdings.held, holdings.beyond, holdings.contested) == ([[0, 5], [2]], ["t", "u"], {4})


def test_an_earlier_claim_has_the_generation_of_its_subscription() -> None:
    """R20: as in Kafka: the first member's user data says 9, its subscription nothing, and so the second wins."""
    holdings = believe(Partitions({"t": 2}, "t"), reports((9, {"t": [0]}), (3, {"t": [0]}), subscriptions=[-1, 3]))
    assert holdings.held == [[], [0]]


def test_a_member_may_win_over_its_own_earlier_claim() -> None:
    """R20: then the later one counts."""
    holdings = believe(Partitions({"t": 2}, "t"), reports((9, {"t": [0, 1, 0]}), subscriptions=[-1]))
    assert (holdings.held, holdings.contested) == ([[1, 0]], set())


@pytest.mark.parametrize(
    ("claims", "former"),
    [
        ([(1, {"t": [0]}), (2, {"t": [1]})], {0: 0}),
        ([(1, {"t": [0]}), (2, {"t": [0]}), (3, {})], {0: 1}),  # the latest before the newest
        ([(2, {"t": [0]}), (1, {"t": [0]}), (3, {})], {0: 0}),
        ([(1, {"t": [0]}), (1, {"t": [0]}), (3, {})], {0: 0}),  # of equals the first
        ([(2, {"t": [0]}), (2, {"t": [1]})], {}),  # all are of the newest
        ([(-5, {"t": [0]})], {0: 0}),  # older than none at all
    ],
)
def test_former_owners_come_from_older_generations(claims: list[tuple[int, Claims]], former: dict[int, int]) -> None:
    """R20."""
    assert former_owners(Partitions({"t": 2}, "t"), reports(*claims)) == former
