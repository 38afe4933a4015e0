"""R20: who has the fewest partitions."""

from hypothesis import given
from hypothesis import strategies as st

from tidemill.assignors.sticky_loads import Loads


def mask(*places: int) -> int:
    return sum(1 << place for place in places)


def test_the_candidate_with_the_fewest_is_found_and_of_equals_the_first() -> None:
    loads = Loads([2, 1, 1, 0])
    assert loads.least(mask(0, 1, 2, 3)) == 3
    assert loads.least(mask(0, 2, 1)) == 1
    assert loads.least(mask(0)) == 0
    assert loads.least(0) == -1


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=8), st.lists(st.tuples(st.integers(0, 7), st.integers(-2, 2)), max_size=12), st.data()
)
def test_changes_are_followed(sizes: list[int], changes: list[tuple[int, int]], data: st.DataObject) -> None:
    loads = Loads(sizes)
    for place, by in changes:
        if place < len(sizes):
            loads.change(place, by)
            sizes[place] += by
    candidates = data.draw(st.sets(st.sampled_from(range(len(sizes)))))
    assert loads.of == sizes
    assert loads.least(mask(*candidates)) == min(candidates, key=lambda place: (sizes[place], place), default=-1)
